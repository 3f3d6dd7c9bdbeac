//! Cells whose centre lies in a polygon, in cell space.

use super::CellRect;
use crate::sort::{rank_of, sort_by_number};

/// Centres as near as this to a polygon, in cells, lie in it. Bakes round corners to a hundredth of a pixel, and a
/// border that was shrunk by half a cell runs through centres.
const NEAR_CELLS: f64 = 2e-3;

/// Returns the smallest rectangle that holds all cells whose centre lies among `corners`. Coordinates beyond those of cells
/// become the nearest that there are.
pub fn cells_around<'a>(corners: &(impl Iterator<Item = &'a [f64; 2]> + Clone)) -> CellRect {
    let ends = |axis: usize| {
        let low = corners.clone().map(|c| c[axis] + NEAR_CELLS).fold(f64::INFINITY, f64::min).floor();
        let high = corners.clone().map(|c| c[axis] - NEAR_CELLS).fold(f64::NEG_INFINITY, f64::max).ceil();
        (low as i32, high as i32)
    };
    let ((x, right), (y, bottom)) = (ends(0), ends(1));
    CellRect::new(x, y, right.saturating_sub(x), bottom.saturating_sub(y))
}

/// Calls `each` with the place in `region` of every cell whose centre lies in `polygon`, whichever way it winds; maybe more
/// than once.
pub fn for_each_cell_in(polygon: &[[f64; 2]], region: CellRect, mut each: impl FnMut(usize)) {
    let ys = || polygon.iter().map(|corner| corner[1]);
    let low = ys().fold(f64::INFINITY, f64::min) - NEAR_CELLS;
    let high = ys().fold(f64::NEG_INFINITY, f64::max) + NEAR_CELLS;
    let rows = range_of_centers(low, high, region.y, region.bottom());
    let mut crossings = Vec::new();
    for y in rows {
        let row = (y - region.y) as usize * region.w as usize;
        // Just above and below as well: borders may lie on centres.
        for near in [-NEAR_CELLS, 0.0, NEAR_CELLS] {
            let mut winding = 0;
            let mut start = 0.0;
            crossings_at(polygon, f64::from(y) + 0.5 + near, &mut crossings);
            for &(x, turn) in &crossings {
                if winding == 0 {
                    start = x;
                }
                winding += turn;
                if winding == 0 {
                    let columns =
                        range_of_centers(start - NEAR_CELLS, x + NEAR_CELLS, region.x, region.right());
                    columns.for_each(|x| each(row + (x - region.x) as usize));
                }
            }
        }
    }
}

/// Where the polygon's sides cross a horizontal line, from left to right, and which way each leads.
fn crossings_at(polygon: &[[f64; 2]], y: f64, crossings: &mut Vec<(f64, i32)>) {
    crossings.clear();
    let next = polygon.iter().cycle().skip(1);
    for (&[ax, ay], &[bx, by]) in polygon.iter().zip(next) {
        if (ay <= y) != (by <= y) {
            crossings.push((ax + (y - ay) / (by - ay) * (bx - ax), if ay < by { 1 } else { -1 }));
        }
    }
    sort_by_number(crossings, |&(x, _)| rank_of(x).into());
}

/// The cells of `first..end` whose centre lies between two places.
fn range_of_centers(low: f64, high: f64, first: i32, end: i32) -> std::ops::Range<i32> {
    let (from, to) = ((low - 0.5).ceil() as i32, (high - 0.5).floor() as i32);
    from.max(first)..to.saturating_add(1).min(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(polygon: &[[f64; 2]], region: CellRect) -> String {
        let mut cells = vec!['#'; region.area() as usize];
        for_each_cell_in(polygon, region, |place| cells[place] = '.');
        let rows: Vec<String> = cells.chunks(region.w as usize).map(|row| row.iter().collect()).collect();
        rows.join("/")
    }

    #[test]
    fn cells_are_open_whose_centre_lies_inside() {
        let square = [[1.0, 1.0], [3.0, 1.0], [3.0, 2.0], [1.0, 2.0]];
        assert_eq!(drawn(&square, CellRect::new(0, 0, 4, 3)), "####/#..#/####");
        let backwards: Vec<_> = square.iter().rev().copied().collect();
        assert_eq!(drawn(&backwards, CellRect::new(0, 0, 4, 3)), "####/#..#/####");
        assert_eq!(drawn(&square, CellRect::new(2, 1, 2, 1)), ".#", "cut off by the region");
        let small = [[0.6, 0.6], [1.4, 0.6], [1.4, 1.4], [0.6, 1.4]];
        assert_eq!(drawn(&small, CellRect::new(0, 0, 2, 2)), "##/##", "no centre");
    }

    #[test]
    fn centres_on_the_border_are_inside() {
        let shrunk = [[0.5, 0.5], [3.5, 0.5], [3.5, 1.5], [0.5, 1.5]];
        assert_eq!(drawn(&shrunk, CellRect::new(0, 0, 5, 3)), "....#/....#/#####");
        let line = [[0.5, 0.5], [3.5, 0.5]];
        assert_eq!(drawn(&line, CellRect::new(0, 0, 4, 1)), "####", "no polygon");
    }

    #[test]
    fn an_l_is_filled_without_its_notch() {
        let l = [[0.0, 0.0], [1.0, 0.0], [1.0, 2.0], [3.0, 2.0], [3.0, 3.0], [0.0, 3.0]];
        assert_eq!(drawn(&l, CellRect::new(0, 0, 3, 3)), ".##/.##/...");
    }

    #[test]
    fn places_far_out_do_not_overflow() {
        let huge = [[-1e30, -1e30], [1e30, -1e30], [1e30, 1e30], [-1e30, 1e30]];
        assert_eq!(drawn(&huge, CellRect::new(i32::MAX - 2, i32::MIN, 2, 1)), "..");
        assert_eq!(cells_around(&huge.iter()), CellRect::new(i32::MIN, i32::MIN, i32::MAX, i32::MAX));
    }
}
