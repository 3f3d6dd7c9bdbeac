//! Islands of convex polygons, and where their cells join them.

use super::polygon::{NEAR_CELLS, ROUNDING_CELLS, area_of, bounds_of, for_each_cell_in, sides};
use super::{Cell, CellRect};
use crate::sort::{rank_of, sort_by_number};
use crate::union_find::UnionFind;

/// Returns the cells at which islands of polygons become one, a cell for each two islands that meet.
///
/// An island is what hangs together: polygons that overlap, or have a stretch of border in common. The cells that two islands
/// overlap become one if they are the same or next to each other. One island never becomes two
/// (see `for_each_cell_in`), so without such cells the open cells hang together exactly as the polygons do.
///
/// Takes O(n²) for n polygons that are all above each other, and about O(n log n) for a map; and O(cells).
pub fn joined_islands(polygons: &[&[[f64; 2]]], region: CellRect) -> Vec<Cell> {
    const CLOSED: u32 = u32::MAX;
    let mut parents: Vec<u32> = (0..polygons.len() as u32).collect();
    let mut islands = UnionFind { parent: &mut parents };
    join_polygons(polygons, &mut islands);
    let mut joined = Vec::new();
    if (0..polygons.len() as u32).all(|polygon| islands.find(polygon) == 0) {
        return joined;
    }
    let width = region.w as usize;
    let mut meet = |place: usize, a: u32, b: u32| {
        if a != CLOSED && b != CLOSED && islands.find(a) != islands.find(b) {
            islands.join(a, b);
            joined.push(Cell::new(region.x + (place % width) as i32, region.y + (place / width) as i32));
        }
    };
    let mut opened_by = vec![CLOSED; region.area() as usize];
    for (number, polygon) in (0..).zip(polygons) {
        for_each_cell_in(polygon, region, |place| {
            meet(place, opened_by[place], number);
            opened_by[place] = number;
        });
    }
    for place in 0..opened_by.len() {
        if (place + 1) % width > 0 {
            meet(place, opened_by[place], opened_by[place + 1]);
        }
        if let Some(&below) = opened_by.get(place + width) {
            meet(place, opened_by[place], below);
        }
    }
    joined
}

/// Joins the polygons that hang together: those whose bounds touch, from left to right, are compared.
fn join_polygons(polygons: &[&[[f64; 2]]], islands: &mut UnionFind) {
    let mut order: Vec<_> = (0..).zip(polygons.iter().map(|polygon| near(polygon))).collect();
    sort_by_number(&mut order, |(_, [low, _])| rank_of(low[0]).into());
    for (at, &(a, [low, high])) in order.iter().enumerate() {
        for &(b, other) in order[at + 1..].iter().take_while(|(_, other)| other[0][0] <= high[0]) {
            let is_near = other[0][1] <= high[1] && low[1] <= other[1][1];
            if is_near
                && islands.find(a) != islands.find(b)
                && hang_together(polygons[a as usize], polygons[b as usize])
            {
                islands.join(a, b);
            }
        }
    }
}

/// Whether two convex polygons overlap or have a stretch of border in common.
fn hang_together(a: &[[f64; 2]], b: &[[f64; 2]]) -> bool {
    let area = area_of(a);
    if area.abs().min(area_of(b).abs()) <= ROUNDING_CELLS {
        return false;
    }
    // The part of `b` within the tolerance of `a`. The bounds cut off what the lines of a sharp corner would let in.
    let [low, high] = near(a);
    let mut common = b.to_vec();
    for axis in [0, 1] {
        common = clipped(&common, |corner| corner[axis] - low[axis]);
        common = clipped(&common, |corner| high[axis] - corner[axis]);
    }
    for ([ax, ay], [bx, by]) in sides(a) {
        let (dx, dy) = (bx - ax, by - ay);
        let slack = NEAR_CELLS * dx.hypot(dy);
        common = clipped(&common, |[x, y]| area.signum() * (dx * (y - ay) - dy * (x - ax)) + slack);
    }
    // Its bounds are wider by two tolerances, and by up to two more where they touch at a corner only.
    let [low, high] = near(&common);
    (high[0] - low[0]).max(high[1] - low[1]) > 5.0 * NEAR_CELLS
}

/// The lowest and the highest coordinates, with the tolerance.
fn near(polygon: &[[f64; 2]]) -> [[f64; 2]; 2] {
    let [low, high] = bounds_of(polygon.iter().copied());
    [low.map(|end| end - NEAR_CELLS), high.map(|end| end + NEAR_CELLS)]
}

/// The part of a convex polygon where `depth`, which is linear, is not below zero.
fn clipped(polygon: &[[f64; 2]], depth: impl Fn([f64; 2]) -> f64) -> Vec<[f64; 2]> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (a, b) in sides(polygon) {
        let (at_a, at_b) = (depth(a), depth(b));
        if at_a >= 0.0 {
            kept.push(a);
        }
        if (at_a >= 0.0) != (at_b >= 0.0) {
            let share = at_a / (at_a - at_b);
            kept.push([0, 1].map(|axis| a[axis] + share * (b[axis] - a[axis])));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f64, y: f64, side: f64) -> Vec<[f64; 2]> {
        vec![[x, y], [x + side, y], [x + side, y + side], [x, y + side]]
    }

    fn joined(polygons: &[Vec<[f64; 2]>]) -> Vec<Cell> {
        let slices: Vec<_> = polygons.iter().map(Vec::as_slice).collect();
        joined_islands(&slices, CellRect::new(0, 0, 12, 6))
    }

    #[test]
    fn islands_are_joined_in_one_cell_or_in_two_next_to_each_other() {
        assert_eq!(joined(&[square(0.0, 0.0, 2.4), square(2.6, 0.0, 2.0)]), [Cell::new(2, 0)]);
        assert_eq!(joined(&[square(2.1, 1.0, 2.0), square(0.0, 0.0, 1.9)]), [Cell::new(1, 1)]);
        assert_eq!(joined(&[square(0.0, 0.0, 1.9), square(3.1, 0.0, 2.0)]), [], "a cell between");
        assert_eq!(joined(&[square(0.0, 0.0, 2.0), square(2.0, 2.0, 2.0)]), [], "only a corner");
    }

    #[test]
    fn polygons_hang_together_by_area_or_border() {
        let at = square(0.0, 0.0, 2.0);
        for (x, y, side) in [(2.0, 0.0, 1.0), (2.0, 1.9, 1.0), (0.5, 0.5, 0.5), (-1.0, 1.0, 5.0)] {
            for other in [square(x, y, side), square(x, y, side).into_iter().rev().collect()] {
                assert!(hang_together(&at, &other) && hang_together(&other, &at), "{other:?}");
            }
        }
        let tip = vec![[2.0, 1.0], [9.0, 1.05], [9.0, 1.0]];
        for other in [square(2.1, 0.0, 1.0), square(2.0, 2.0, 1.0), tip] {
            assert!(!hang_together(&at, &other) && !hang_together(&other, &at), "{other:?}");
        }
    }
}
