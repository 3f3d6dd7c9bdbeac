//! The cells that convex polygons overlap, in cell space.
//!
//! A cell is overlapped if it shares area with a polygon; a common border is not enough. So polygons that
//! hang together overlap cells that hang together by their sides, however thin the polygons are. A line
//! inside of them passes from cell to cell through sides, or can be bent a little so that it does.

use std::array::from_fn;

use super::CellRect;

/// Corners as near as this to a line between cells, in cells, lie on it, and borders as near to each other
/// touch. Positions have passed through several transforms of single precision.
pub(super) const NEAR_CELLS: f64 = 2e-4;
/// What the arithmetic here is off, in cells.
pub(super) const ROUNDING_CELLS: f64 = 1e-9;

/// Returns the smallest rectangle that holds all cells that polygons with these corners overlap. Coordinates
/// beyond those of cells become the nearest that there are.
pub fn cells_around<'a>(corners: &(impl Iterator<Item = &'a [f64; 2]> + Clone)) -> CellRect {
    let [low, high] = bounds_of(corners.clone().copied());
    let [x, y] = low.map(|end| (end + NEAR_CELLS).floor() as i32);
    let [right, bottom] = high.map(|end| (end - NEAR_CELLS).ceil() as i32);
    CellRect::new(x, y, right.saturating_sub(x), bottom.saturating_sub(y))
}

/// Returns the least and the greatest coordinates of points; infinite ones without points.
pub fn bounds_of<const N: usize>(points: impl Iterator<Item = [f64; N]>) -> [[f64; N]; 2] {
    points.fold([[f64::INFINITY; N], [f64::NEG_INFINITY; N]], |[low, high], point| {
        [from_fn(|axis| low[axis].min(point[axis])), from_fn(|axis| high[axis].max(point[axis]))]
    })
}

/// Returns the weight of each cell of `region`, row by row, that a convex polygon of one of the parts
/// overlaps: that of the last.
pub fn open_cells<'a>(
    parts: impl Iterator<Item = (&'a [Vec<[f64; 2]>], f32)>,
    region: CellRect,
) -> Vec<Option<f32>> {
    let mut open = vec![None; region.area() as usize];
    for (polygons, weight) in parts {
        for polygon in polygons {
            for_each_cell_in(polygon, region, |place| open[place] = Some(weight));
        }
    }
    open
}

/// Returns the cells of `region` that one of some convex polygons overlaps, as runs of cells in a row.
pub fn runs_in(polygons: &[Vec<[f64; 2]>], region: CellRect) -> Vec<CellRect> {
    let around = cells_around(&polygons.iter().flatten()).intersection(region);
    if around.is_empty() {
        return Vec::new();
    }
    let mut is_in = vec![false; around.area() as usize];
    for polygon in polygons {
        for_each_cell_in(polygon, around, |place| is_in[place] = true);
    }
    let mut runs = Vec::new();
    for (y, row) in (around.y..).zip(is_in.chunks(around.w as usize)) {
        let mut x = around.x;
        for run in row.chunk_by(|a, b| a == b) {
            if run[0] {
                runs.push(CellRect::new(x, y, run.len() as i32, 1));
            }
            x += run.len() as i32;
        }
    }
    runs
}

/// Calls `each` with the place in `region` of every cell that a convex polygon overlaps, whichever way it
/// winds.
///
/// Takes O(rows · corners + cells).
pub(crate) fn for_each_cell_in(polygon: &[[f64; 2]], region: CellRect, mut each: impl FnMut(usize)) {
    let on_line = |value: f64| {
        let line = value.round();
        if (value - line).abs() <= NEAR_CELLS { line } else { value }
    };
    let polygon: Vec<_> = polygon.iter().map(|corner| corner.map(on_line)).collect();
    let [[_, low], [_, high]] = bounds_of(polygon.iter().copied());
    for y in range_of_cells(low, high, region.y, region.bottom()) {
        // What lies in this row is convex, too, so it overlaps every cell between its ends.
        let (mut left, mut right) = (f64::INFINITY, f64::NEG_INFINITY);
        for ([ax, ay], [bx, by]) in sides(&polygon) {
            let in_row = [ay, by].map(|end| end.clamp(f64::from(y), f64::from(y) + 1.0));
            if (in_row[0] - in_row[1]).abs() > 0.0 {
                let xs = in_row.map(|y| ax + (y - ay) / (by - ay) * (bx - ax));
                (left, right) = (left.min(xs[0]).min(xs[1]), right.max(xs[0]).max(xs[1]));
            }
        }
        let row = (y - region.y) as usize * region.w as usize;
        let columns = range_of_cells(left, right, region.x, region.right());
        columns.for_each(|x| each(row + (x - region.x) as usize));
    }
}

/// Returns `true` if no corner of the polygon bends inwards.
pub fn is_convex(polygon: &[[f64; 2]]) -> bool {
    let winding = area_of(polygon).signum();
    let after = sides(polygon).skip(1).chain(sides(polygon).take(1));
    sides(polygon).zip(after).all(|(([ax, ay], [bx, by]), (_, [cx, cy]))| {
        let (dx, dy) = (bx - ax, by - ay);
        winding * (dx * (cy - by) - dy * (cx - bx)) >= -NEAR_CELLS * dx.hypot(dy)
    })
}

/// The part of a convex polygon where `depth`, which is linear, is not below zero.
pub(super) fn clipped<const N: usize>(
    polygon: &[[f64; N]],
    depth: impl Fn([f64; N]) -> f64,
) -> Vec<[f64; N]> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (a, b) in sides(polygon) {
        let (at_a, at_b) = (depth(a), depth(b));
        if at_a >= 0.0 {
            kept.push(a);
        }
        if (at_a >= 0.0) != (at_b >= 0.0) {
            let share = at_a / (at_a - at_b);
            kept.push(from_fn(|axis| a[axis] + share * (b[axis] - a[axis])));
        }
    }
    kept
}

pub(super) fn sides<const N: usize>(polygon: &[[f64; N]]) -> impl Iterator<Item = ([f64; N], [f64; N])> {
    polygon.iter().copied().zip(polygon.iter().copied().cycle().skip(1))
}

/// Twice the area, below zero if the corners go round the other way.
pub(super) fn area_of(polygon: &[[f64; 2]]) -> f64 {
    sides(polygon).map(|([ax, ay], [bx, by])| ax * by - ay * bx).sum()
}

/// The cells of `first..end` that a stretch between two places overlaps.
fn range_of_cells(low: f64, high: f64, first: i32, end: i32) -> std::ops::Range<i32> {
    let (from, to) = ((low + ROUNDING_CELLS).floor() as i32, (high - ROUNDING_CELLS).ceil() as i32);
    from.max(first)..to.min(end)
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
    fn cells_are_open_that_share_area_with_the_polygon() {
        let square = [[1.0, 1.0], [3.0, 1.0], [3.0, 2.0], [1.0, 2.0]];
        assert_eq!(drawn(&square, CellRect::new(0, 0, 4, 3)), "####/#..#/####");
        let backwards: Vec<_> = square.iter().rev().copied().collect();
        assert_eq!(drawn(&backwards, CellRect::new(0, 0, 4, 3)), "####/#..#/####");
        assert_eq!(drawn(&square, CellRect::new(2, 1, 2, 1)), ".#", "cut off by the region");
        let small = [[0.6, 0.6], [1.4, 0.6], [1.4, 0.9], [0.6, 0.9]];
        assert_eq!(drawn(&small, CellRect::new(0, 0, 2, 2)), "../##", "no centre");
        let thin = [[0.5, 0.2], [0.51, 0.2], [3.4, 1.9], [3.39, 1.9]];
        assert_eq!(drawn(&thin, CellRect::new(0, 0, 4, 2)), "..##/#...", "all that it passes");
    }

    #[test]
    fn a_border_on_a_line_between_cells_opens_nothing_beyond() {
        let off = NEAR_CELLS / 2.0;
        let square = [[1.0 - off, 1.0], [3.0, 1.0 - off], [3.0 + off, 2.0 + off], [1.0, 2.0]];
        assert_eq!(drawn(&square, CellRect::new(0, 0, 4, 3)), "####/#..#/####");
        assert_eq!(cells_around(&square.iter()), CellRect::new(1, 1, 2, 1));
        let diagonal = [[0.0, 0.0], [3.0, 3.0], [0.0, 3.0]];
        assert_eq!(drawn(&diagonal, CellRect::new(0, 0, 3, 3)), ".##/..#/...");
        let line = [[0.5, 0.5], [3.5, 0.5]];
        assert_eq!(drawn(&line, CellRect::new(0, 0, 4, 1)), "####", "no area");
    }

    #[test]
    fn runs_hold_the_cells_of_all_polygons_once() {
        let tower = vec![[1.0, 0.0], [2.0, 0.0], [2.0, 3.0], [1.0, 3.0]];
        let beam = vec![[0.5, 1.0], [3.5, 1.0], [3.5, 2.0], [0.5, 2.0]];
        let runs = runs_in(&[tower, beam], CellRect::new(0, 0, 3, 9));
        let rows = [CellRect::new(1, 0, 1, 1), CellRect::new(0, 1, 3, 1), CellRect::new(1, 2, 1, 1)];
        assert_eq!(runs, rows);
        assert_eq!(runs_in(&[], CellRect::new(0, 0, 3, 9)), []);
    }

    #[test]
    fn an_l_is_not_convex() {
        let mut l = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 2.0], [3.0, 2.0], [3.0, 3.0], [0.0, 3.0]];
        assert!(!is_convex(&l));
        l.reverse();
        assert!(!is_convex(&l));
        assert!(is_convex(&[[0.0, 0.0], [2.0, 0.0], [4.0, 0.0], [4.0, 1.0], [4.0, 1.0], [0.0, 1.0]]));
    }

    #[test]
    fn places_far_out_do_not_overflow() {
        let huge = [[-1e30, -1e30], [1e30, -1e30], [1e30, 1e30], [-1e30, 1e30]];
        assert_eq!(drawn(&huge, CellRect::new(i32::MAX - 2, i32::MIN, 2, 1)), "..");
        assert_eq!(cells_around(&huge.iter()), CellRect::new(i32::MIN, i32::MIN, i32::MAX, i32::MAX));
    }
}
