use super::query::PlatformerReason;
use pathforge_core::primitives::GridPoint;
use pathforge_core::surfaces::BodyLayers;

/// The anchor of a body at the goal at column `x` and row `y` of the map. If the body does not fit there, it
/// is shifted to the left by as little as possible, as long as it covers the goal. With `on_ground`, a goal
/// in the air becomes the ground below it.
///
/// # Errors
/// If the body fits nowhere, or there is no ground below.
pub(super) fn goal_anchor(
    layers: &BodyLayers,
    (x, y): (u32, u32),
    on_ground: bool,
) -> Result<GridPoint, PlatformerReason> {
    let layout = layers.fits().layout();
    let mut fits_somewhere = false;
    for shift in 0..layers.footprint().w() as u32 {
        let Some(left) = x.checked_sub(shift) else { break };
        if !layers.fits().get(layout.index(left, y)) {
            continue;
        }
        fits_somewhere = true;
        if !on_ground {
            return Ok(GridPoint::of_cell(left, y));
        }
        // The body falls straight down. Where it stops fitting without having stood, it leaves the map.
        let fits = |row: &u32| layers.fits().get(layout.index(left, *row));
        let ground =
            (y..layout.height()).take_while(fits).find(|&row| layers.ground().get(layout.index(left, row)));
        if let Some(row) = ground {
            return Ok(GridPoint::of_cell(left, row));
        }
    }
    Err(if fits_somewhere { PlatformerReason::GoalWithoutGround } else { PlatformerReason::GoalClearance })
}
