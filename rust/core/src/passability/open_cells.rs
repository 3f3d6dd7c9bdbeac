//! The cells that a body may enter, one bit each, made from the terrain and repaired after edits.

use smallvec::SmallVec;

use crate::bitgrid::{BitGrid, GridLayout, LocalRect, cell_at};
use crate::geometry::Footprint;
use crate::terrain::{Capability, IgnoredObstacles, Terrain};

/// Returns the cells of a map that a body of `capability` may enter, one bit each.
///
/// Takes a pass over the words, and over the terrain ids when there are any that it may not enter.
pub fn open_grid(terrain: &Terrain, capability: Capability) -> BitGrid {
    open_grid_past(terrain, capability, &IgnoredObstacles::NONE)
}

/// As [`open_grid`], for a body that walks through the obstacles of `ignored`.
pub(crate) fn open_grid_past(
    terrain: &Terrain,
    capability: Capability,
    ignored: &IgnoredObstacles,
) -> BitGrid {
    let mut open = BitGrid::new(terrain.layout());
    repair_open_grid(&mut open, terrain, capability, ignored, terrain.layout().all());
    open
}

/// Makes the bits of `rect` what [`open_grid`] has there, for a body that walks through the obstacles of
/// `ignored`. Returns the smallest rectangle that holds all changes, `None` if no bit changed.
pub(super) fn repair_open_grid(
    open: &mut BitGrid,
    terrain: &Terrain,
    capability: Capability,
    ignored: &IgnoredObstacles,
    rect: LocalRect,
) -> Option<LocalRect> {
    let (layout, region, solid) = (terrain.layout(), terrain.region(), terrain.solid());
    // Rows where some obstacle counts for nothing are looked up cell by cell.
    let holes = ignored.ids().iter().filter_map(|&id| LocalRect::within(region, terrain.obstacle(id)?));
    let holes: SmallVec<[LocalRect; 8]> = holes.collect();
    // The inputs that need not be read are dropped here, once, instead of for each cell: obstacles on ignored
    // layers, and ids where every terrain may be entered.
    let blocked: SmallVec<[&BitGrid; 2]> = terrain.blocked(ignored.layers()).collect();
    let ids = terrain.ids().filter(|_| capability != Capability::ALL);
    // Without stored ids, every cell is of terrain 0.
    let is_closed_to_all = capability.0 == 0 || terrain.ids().is_none() && !capability.contains(0);
    let mut changed: Option<LocalRect> = None;
    for y in rect.y0..rect.y1 {
        let row = layout.index(0, y);
        let at = |x: u32| row.plus(x as usize);
        // By whole words where that can be: only rows with ignored obstacles are looked up cell by cell.
        let columns = if is_closed_to_all {
            open.write_row(y, rect.x0..rect.x1, |_| false)
        } else if holes.iter().any(|hole| (hole.y0..hole.y1).contains(&y)) {
            let is_open = |x| terrain.is_open_past(cell_at(region, (x, y)), capability, ignored);
            open.write_row(y, rect.x0..rect.x1, is_open)
        } else {
            match (ids, blocked.as_slice()) {
                (Some(ids), blocked) => {
                    let ids = ids.row(y);
                    open.write_row(y, rect.x0..rect.x1, |x| {
                        !solid.get(at(x))
                            // `&` instead of `&&`: no branch for each cell.
                            & capability.contains(ids[x as usize])
                            & !blocked.iter().any(|blocked| blocked.get(at(x)))
                    })
                }
                (None, []) => open.write_row_inverted(y, rect.x0..rect.x1, solid),
                (None, blocked) => open.write_row_neither(y, rect.x0..rect.x1, solid, blocked),
            }
        };
        LocalRect::join_row(&mut changed, y, columns);
    }
    changed
}

/// Returns the anchors whose body touches a cell of `rect`, as far as the map reaches.
pub fn anchors_touching(rect: LocalRect, footprint: Footprint, layout: GridLayout) -> LocalRect {
    rect.grown(footprint.w() as u32 - 1, footprint.h() as u32 - 1, 0, 0, layout)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Cell, CellRect};

    #[test]
    fn a_capability_opens_its_terrains_only() {
        let mut map = Terrain::from_text(".~#\n~~.", Cell::default()).unwrap();
        let bits = |map: &Terrain, capability| -> Vec<bool> {
            let open = open_grid(map, Capability(capability));
            map.region().cells().map(|c| open.get(map.layout().index(c.x as u32, c.y as u32))).collect()
        };
        assert_eq!(bits(&map, 1), [true, false, false, false, false, true]);
        assert_eq!(bits(&map, 2), [false, true, false, true, true, false]);
        assert_eq!(bits(&map, 3), [true, true, false, true, true, true]);
        assert_eq!(bits(&map, 0), [false; 6]);
        assert_eq!(bits(&map, u32::MAX), bits(&map, 3));
        map.fill_terrain(CellRect::new(0, 0, 3, 2), 0).unwrap();
        assert_eq!(bits(&map, 2), [false; 6]);
    }
}
