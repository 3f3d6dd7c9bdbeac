//! The cells that bodies cover in their valid placements, as pictures of a map show them. Linear in the cells
//! of the window.

use crate::bitgrid::{BitGrid, local_in};
use crate::geometry::{Cell, CellRect, Footprint};

/// Cells up to which every one is asked what body covers it; of more, too many lie under one pixel to tell.
const CELLS_EXACT_MAX: u64 = 1 << 22;

/// The cells that bodies cover in any valid placement, with the label of a placement for each cell.
#[derive(Debug)]
pub struct BodyCoverage {
    corner: Cell,
    columns: i32,
    /// Cells between two known cells, both ways.
    step: i32,
    /// The label + 1, or 0, of every known cell, row by row.
    labels: Vec<u32>,
}

impl BodyCoverage {
    /// Returns the cells of `window` that some body of `footprint` covers, each with the `label` of its
    /// placement, which is asked for by column and row. In a huge window only every `step`-th cell is known,
    /// both ways, and only by the placement at it.
    pub fn new(
        placements: &BitGrid,
        region: CellRect,
        footprint: Footprint,
        window: CellRect,
        step: i32,
        label: impl Fn(u32, u32) -> u32,
    ) -> Self {
        let corner = Cell::new(window.x, window.y);
        let label_at = |x: i32, y: i32| {
            let (x, y) = local_in(region, Cell::new(x, y));
            if placements.at(x, y) { label(x, y) + 1 } else { 0 }
        };
        if window.area() <= CELLS_EXACT_MAX {
            let labels = sweep(region, footprint, window, label_at);
            return Self { corner, columns: window.w, step: 1, labels };
        }
        let places = |side: i32| (0..(side + step - 1) / step).map(move |place| place * step);
        let cells = places(window.h).flat_map(|y| places(window.w).map(move |x| (x, y)));
        let labels = cells.map(|(x, y)| label_at(window.x + x, window.y + y)).collect();
        Self { corner, columns: (window.w + step - 1) / step, step, labels }
    }

    /// Returns the label of a placement that covers `cell`, which lies in the window.
    pub fn at(&self, cell: Cell) -> Option<u32> {
        let (x, y) = ((cell.x - self.corner.x) / self.step, (cell.y - self.corner.y) / self.step);
        self.labels.get((y * self.columns + x) as usize)?.checked_sub(1)
    }
}

/// For each cell of `window` the label of the last placement above and left that covers it, or 0. Along a row
/// a body covers as many cells as it is wide; down a column, a covered row covers as many as the body is
/// high.
fn sweep(
    region: CellRect,
    footprint: Footprint,
    window: CellRect,
    label_at: impl Fn(i32, i32) -> u32,
) -> Vec<u32> {
    let (w, h) = (footprint.w(), footprint.h());
    // Placements above and left of the window cover cells in it.
    let seen = window.grown(w - 1, h - 1, 0, 0).intersection(region);
    let mut labels = Vec::with_capacity(window.area() as usize);
    // For each column, the last label and the rows that it still covers.
    let mut above = vec![(0, 0); window.w.max(0) as usize];
    for y in seen.y..seen.bottom() {
        let (mut last, mut left) = (0, 0);
        for x in seen.x..seen.right() {
            match label_at(x, y) {
                0 => left -= 1,
                found => (last, left) = (found, w),
            }
            if x < window.x {
                continue;
            }
            let column: &mut (u32, i32) = &mut above[(x - window.x) as usize];
            *column = if left > 0 { (last, h) } else { (column.0, column.1 - 1) };
            if y >= window.y {
                labels.push(if column.1 > 0 { column.0 } else { 0 });
            }
        }
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passability::LayerKey;
    use crate::terrain::Capability;
    use crate::world::{Profile, World};

    #[test]
    fn a_cell_is_covered_when_some_body_can_cover_it() {
        let region = CellRect::new(-4, -3, 20, 12);
        let mut world = World::new(region).unwrap();
        for wall in [CellRect::new(2, -3, 1, 8), CellRect::new(-4, 1, 4, 1), CellRect::new(9, 6, 2, 1)] {
            world.terrain_mut().fill_solid(wall, true);
        }
        let footprint = Footprint::new(3, 2).unwrap();
        let profile = Profile { footprint, ..Profile::default() };
        let placements = world.placements(LayerKey::new(footprint, Capability::ALL)).clone();
        for window in [region, CellRect::new(0, 0, 9, 5), CellRect::new(10, 4, 6, 5)] {
            let covered = BodyCoverage::new(&placements, region, footprint, window, 1, |_, _| 0);
            for cell in window.cells() {
                let anchors = CellRect::new(cell.x - 2, cell.y - 1, 3, 2);
                let wanted = anchors.cells().any(|anchor| world.is_placement(anchor, &profile));
                assert_eq!(covered.at(cell).is_some(), wanted, "{cell:?} in {window:?}");
            }
        }
    }

    #[test]
    fn a_huge_window_is_known_at_every_step() {
        let region = CellRect::new(0, 0, 3000, 2500);
        let mut world = World::new(region).unwrap();
        world.terrain_mut().fill_solid(CellRect::new(300, 0, 600, 2500), true);
        let placements = world.placements(LayerKey::new(Footprint::ONE, Capability::ALL)).clone();
        let covered = BodyCoverage::new(&placements, region, Footprint::ONE, region, 3, |_, _| 7);
        for cell in region.cells().filter(|cell| cell.x % 3 == 0 && cell.y % 3 == 0) {
            assert_eq!(covered.at(cell).is_none(), (300..900).contains(&cell.x), "{cell:?}");
        }
    }
}
