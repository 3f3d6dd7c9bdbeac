use super::BodyLayers;
use super::query::PlatformerReason;
use crate::search::Spot;

/// Where the character's top-left cell is when it is at the goal at column `x` and row `y` of the map, which is not
/// solid: with its bottom-left cell there or, when it does not fit so, shifted to the left until its bottom-right cell
/// is. With `on_ground`, a place in the air becomes the ground below it.
///
/// # Errors
/// When the character fits nowhere, or there is no ground below.
pub(super) fn goal_spot(
    layers: &BodyLayers,
    (x, y): (u32, u32),
    on_ground: bool,
) -> Result<Spot, PlatformerReason> {
    let size = layers.size();
    let shape = layers.fits().shape();
    let top = y.checked_sub(size.h() as u32 - 1).ok_or(PlatformerReason::GoalClearance)?;
    let mut fits_somewhere = false;
    for shift in 0..size.w() as u32 {
        let Some(left) = x.checked_sub(shift) else { break };
        if !layers.fits().get(shape.index(left, top)) {
            continue;
        }
        fits_somewhere = true;
        if !on_ground {
            return Ok(Spot::of(left, top));
        }
        // Where it does not fit any more, it stood on the ground one row above, or leaves the map.
        let fits = |row: &u32| layers.fits().get(shape.index(left, *row));
        let ground =
            (top..shape.height()).take_while(fits).find(|&row| layers.ground().get(shape.index(left, row)));
        if let Some(row) = ground {
            return Ok(Spot::of(left, row));
        }
    }
    Err(if fits_somewhere { PlatformerReason::GoalWithoutGround } else { PlatformerReason::GoalClearance })
}
