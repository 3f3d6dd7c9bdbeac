//! Which cells a body overlaps on straight lines between cells.

use crate::geometry::{Cell, CellRect, Footprint};

/// Returns whether a body of `footprint`, anchored at its top-left cell, overlaps a cell of `rect` while it
/// moves along straight lines between consecutive `ends`. Exact, in integers: a body that passes beside a
/// cell does not overlap it, a body that cuts across its corner does.
pub fn sweeps_over(ends: &[Cell], footprint: Footprint, rect: CellRect) -> bool {
    if rect.is_empty() {
        return false;
    }
    // The body overlaps the rectangle exactly if its top-left corner lies inside of this one, without its
    // border (the Minkowski sum of the rectangle and the mirrored body).
    let (x, y) = (i64::from(rect.x), i64::from(rect.y));
    let columns = (x - i64::from(footprint.w()), x + i64::from(rect.w));
    let rows = (y - i64::from(footprint.h()), y + i64::from(rect.h));
    let crosses = |a: Cell, b: Cell| {
        let along = overlap(i64::from(a.x), i64::from(b.x), columns);
        along.zip(overlap(i64::from(a.y), i64::from(b.y), rows)).is_some_and(|(x, y)| x.meets(y))
    };
    match ends {
        [only] => crosses(*only, *only),
        _ => ends.windows(2).any(|pair| crosses(pair[0], pair[1])),
    }
}

/// The open interval of a line's parameter from `start / whole` to `end / whole`: 0 is the line's first end,
/// 1 its last.
#[derive(Clone, Copy)]
struct Interval {
    start: i128,
    end: i128,
    whole: i128,
}

impl Interval {
    /// Returns whether both intervals have a parameter from 0 to 1 in common. In 128 bits, as products of two
    /// differences of coordinates do not fit in 64.
    fn meets(self, other: Self) -> bool {
        let (start, end) = (
            (self.start * other.whole).max(other.start * self.whole),
            (self.end * other.whole).min(other.end * self.whole),
        );
        start < end && start < self.whole * other.whole && end > 0
    }
}

/// The interval in which the line from `a` to `b` lies strictly between `low` and `high`; it may reach beyond
/// both ends.
fn overlap(a: i64, b: i64, (low, high): (i64, i64)) -> Option<Interval> {
    let (along, low, high) = (i128::from(b - a), i128::from(low - a), i128::from(high - a));
    match along {
        // The line does not move along this axis: it is inside always or never.
        0 => (low < 0 && high > 0).then_some(Interval { start: -1, end: 2, whole: 1 }),
        1.. => Some(Interval { start: low, end: high, whole: along }),
        _ => Some(Interval { start: -high, end: -low, whole: -along }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overlaps(ends: &[(i32, i32)], side: i64, x: i32, y: i32) -> bool {
        let ends: Vec<Cell> = ends.iter().map(|&(x, y)| Cell::new(x, y)).collect();
        sweeps_over(&ends, Footprint::square(side).expect("a small side"), CellRect::new(x, y, 1, 1))
    }

    /// A map with an `x` for each cell that is overlapped.
    fn drawn(ends: &[(i32, i32)], side: i64) -> String {
        let row = |y| (0..6).map(|x| if overlaps(ends, side, x, y) { 'x' } else { '.' }).collect::<String>();
        (0..4).map(row).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_straight_line_overlaps_what_the_body_covers() {
        assert_eq!(drawn(&[(1, 1), (4, 1)], 1), "......\n.xxxx.\n......\n......");
        assert_eq!(drawn(&[(3, 1), (0, 1)], 2), "......\nxxxxx.\nxxxxx.\n......");
        assert_eq!(drawn(&[(2, 2)], 2), "......\n......\n..xx..\n..xx..");
    }

    #[test]
    fn a_diagonal_step_overlaps_the_cells_beside_it() {
        assert_eq!(drawn(&[(1, 1), (2, 2)], 1), "......\n.xx...\n.xx...\n......");
        assert_eq!(drawn(&[(0, 0), (1, 1)], 2), "xxx...\nxxx...\nxxx...\n......");
        assert_eq!(drawn(&[(3, 0), (1, 2)], 1), "..xx..\n.xxx..\n.xx...\n......");
    }

    #[test]
    fn a_line_of_any_slope_overlaps_what_it_passes_over() {
        assert_eq!(drawn(&[(0, 0), (4, 2)], 1), "xxx...\nxxxxx.\n..xxx.\n......");
        assert_eq!(drawn(&[(0, 0), (2, 0), (2, 3)], 1), "xxx...\n..x...\n..x...\n..x...");
    }

    #[test]
    fn lines_between_extreme_coordinates_and_empty_rectangles() {
        let ends = [Cell::new(i32::MIN, i32::MIN), Cell::new(i32::MAX, i32::MAX)];
        let at = |x, y, w, h| sweeps_over(&ends, Footprint::ONE, CellRect::new(x, y, w, h));
        assert!(at(-1, 0, 1, 1) && at(7, 7, 1, 1) && !at(9, 7, 1, 1) && at(i32::MAX, i32::MAX, i32::MAX, 1));
        assert!(
            !at(0, 0, 0, 1)
                && !at(0, 0, 1, -4)
                && !sweeps_over(&[], Footprint::ONE, CellRect::new(0, 0, 9, 9))
        );
    }
}
