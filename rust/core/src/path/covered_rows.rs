//! The cells that a body covers on its way, as rows of rectangles that do not overlap: translucent fills stay
//! even.

use std::collections::BTreeMap;

use super::Route;
use crate::geometry::{CellRect, Footprint};

/// A longer path would not fit on a screen.
const CELLS_MAX: usize = 1 << 18;

/// Returns the cells under a body along `route`, each once, as rectangles of one row; none for a path that is
/// too long to be drawn.
pub fn covered_rows(route: &Route, footprint: Footprint) -> Vec<CellRect> {
    if route.cell_count() * footprint.h() as usize > CELLS_MAX {
        return Vec::new();
    }
    let mut rows: BTreeMap<i32, Vec<i32>> = BTreeMap::new();
    route.for_each_cell(|cell| {
        for y in cell.y..cell.y + footprint.h() {
            rows.entry(y).or_default().push(cell.x);
        }
    });
    let mut runs = Vec::new();
    for (y, mut starts) in rows {
        starts.sort_unstable();
        for x in starts {
            match runs.last_mut() {
                Some(CellRect { x: left, y: row, w, .. }) if *row == y && x <= *left + *w => {
                    *w = (*w).max(x + footprint.w() - *left);
                }
                _ => runs.push(CellRect::new(x, y, footprint.w(), 1)),
            }
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::geometry::Cell;

    #[test]
    fn every_covered_cell_is_there_once() {
        let route = Route::new(vec![Cell::new(0, 0), Cell::new(4, 4), Cell::new(4, 0), Cell::new(-2, 0)]);
        let footprint = Footprint::new(3, 2).unwrap();
        let mut wanted = HashSet::new();
        route.for_each_cell(|cell| wanted.extend(footprint.at(cell).cells()));
        let runs: Vec<Cell> = covered_rows(&route, footprint).into_iter().flat_map(CellRect::cells).collect();
        assert_eq!(runs.len(), wanted.len());
        assert_eq!(runs.into_iter().collect::<HashSet<_>>(), wanted);
    }
}
