//! Floor that is no tile's: a rectangle that a script gives, or the used rectangles of the layers.

use godot::prelude::*;
use pathforge_navmesh::COORDINATE_MAX_PX;

use super::collection::Quad;
use crate::map::tile_maps::Source;

/// The shorter side of a floor with an area, in pixels.
const SIDE_MIN_PX: f32 = 1.0 / 64.0;

/// Returns `true` if a script may set this rectangle. One side of zero is allowed: the inspector sets side
/// after side.
pub fn is_valid(rect: Rect2) -> bool {
    let end = rect.position + rect.size;
    let is_within = |corner: Vector2| {
        [corner.x, corner.y].into_iter().all(|value| f64::from(value).abs() <= COORDINATE_MAX_PX)
    };
    rect.size.x >= 0.0 && rect.size.y >= 0.0 && is_within(rect.position) && is_within(end)
}

/// The floor that a script gave, none for a size of zero.
pub fn given(rect: Rect2) -> Result<Option<Quad>, String> {
    if rect.size == Vector2::ZERO {
        return Ok(None);
    }
    if rect.size.x.min(rect.size.y) < SIDE_MIN_PX {
        return Err(format!(
            "floor_rect {rect} has no area: each side must be at least 1/64 pixel, or both 0 for none"
        ));
    }
    Ok(Some(Quad::of(rect, Transform2D::IDENTITY)))
}

/// The used rectangle of a layer, none without tiles.
pub fn used(source: &Source, to_baker: Transform2D) -> Option<Quad> {
    let used = source.layer.get_used_rect();
    if used.size.x <= 0 || used.size.y <= 0 {
        return None;
    }
    // Rows of some layouts are shifted by turns. So the outermost centre is in one of the first two rows, or
    // in one of the last two.
    let ends =
        |start: i32, size: i32| [start, start + 1.min(size - 1), start + (size - 2).max(0), start + size - 1];
    let [xs, ys] = [ends(used.position.x, used.size.x), ends(used.position.y, used.size.y)];
    let cells = xs.into_iter().flat_map(|x| ys.map(|y| Vector2i::new(x, y)));
    let centers: Vec<Vector2> = cells.map(|cell| source.layer.map_to_local(cell)).collect();
    let low = centers.iter().copied().reduce(Vector2::coord_min)?;
    let high = centers.iter().copied().reduce(Vector2::coord_max)?;
    let tile = source.tile_set.get_tile_size();
    let tile = Vector2::new(tile.x as f32, tile.y as f32);
    Some(Quad::of(Rect2::new(low - tile / 2.0, high - low + tile), to_baker))
}
