//! Joins rectangles, which most cells of tile maps are, before an overlay splits all their sides: O(n log n)
//! for n of them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::slab_outlines::{Slab, trace};
use super::units::{Point, UnitRect};

/// Contours that wind at least once around each point of the rectangles, and around no other.
///
/// Rectangles of the same height beside each other are joined to runs. Runs of one height are a slab; slabs
/// that do not overlap are outlined together, and rectangles of the others by themselves.
pub(super) fn joined_rects(mut rects: Vec<UnitRect>) -> Vec<Vec<Point>> {
    // By y0, y1, x0, x1, so that runs of one height lie together.
    rects.sort_by_key(|rect| (rect.y0, rect.y1, rect.x0, rect.x1));
    rects.dedup_by(|next, run| {
        let joins = (next.y0, next.y1) == (run.y0, run.y1) && next.x0 <= run.x1;
        if joins {
            // Overlapping rectangles join, too.
            run.x1 = run.x1.max(next.x1);
        }
        joins
    });
    let mut bands: Vec<&[UnitRect]> = rects.chunk_by(|a, b| (a.y0, a.y1) == (b.y0, b.y1)).collect();
    // The fullest first: of slabs that overlap, the first wins.
    bands.sort_by_key(|band| Reverse(band.len()));
    let mut slabs: BTreeMap<i32, Slab> = BTreeMap::new();
    let mut contours: Vec<Vec<Point>> = Vec::new();
    for band in bands {
        let UnitRect { y0, y1, .. } = band[0];
        // The slab above the band's lower end is the only slab that can overlap it. Slabs are disjoint and
        // sorted by their upper end.
        let last = slabs.range(..y1).next_back();
        if last.is_some_and(|(_, slab)| slab.y1 > y0) {
            contours.extend(band.iter().map(|rect| rect.corners().to_vec()));
        } else {
            let intervals = band.iter().map(|rect| [rect.x0, rect.x1]).collect();
            slabs.insert(y0, Slab { y0, y1, intervals });
        }
    }
    contours.extend(trace(&slabs.into_values().collect::<Vec<_>>()).into_iter().flatten());
    contours
}

#[cfg(test)]
mod tests {
    use super::super::units::area_two;
    use super::*;

    fn tile(x: i32, y: i32) -> UnitRect {
        UnitRect { x0: x * 16, y0: y * 16, x1: x * 16 + 16, y1: y * 16 + 16 }
    }

    #[test]
    fn a_block_of_tiles_is_one_contour() {
        let mut tiles: Vec<_> = (0..12).map(|i| tile(i % 4, i / 4)).collect();
        tiles.reverse();
        let block = UnitRect { x0: 0, y0: 0, x1: 64, y1: 48 };
        assert_eq!(joined_rects(tiles.clone()), [block.corners()]);
        tiles.remove(5);
        let holed = joined_rects(tiles);
        assert_eq!(holed.len(), 2);
        assert_eq!(holed.iter().map(|c| area_two(c)).sum::<i64>(), 2 * 11 * 256);
    }

    #[test]
    fn rectangles_of_other_heights_are_outlined_alone() {
        let table = UnitRect { x0: 3, y0: 5, x1: 40, y1: 20 };
        let contours = joined_rects(vec![tile(0, 0), table, tile(0, 1), tile(2, 1), tile(2, 0)]);
        assert_eq!(contours.len(), 3);
        assert!(contours.contains(&table.corners().to_vec()));
    }
}
