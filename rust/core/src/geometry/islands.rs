//! Islands of convex polygons, and where their cells join them.

use super::polygon::{NEAR_CELLS, ROUNDING_CELLS, area_of, bounds_of, clipped, for_each_cell_in, sides};
use super::{Cell, CellRect};
use crate::union_find::UnionFind;

/// The place of no polygon.
pub(super) const CLOSED: u32 = u32::MAX;

/// Returns the cells at which islands of polygons become one, a cell for each two islands that meet.
///
/// An island is what hangs together: polygons that overlap, or have a stretch of border in common. The cells
/// that two islands overlap become one if they are the same or next to each other. One island never becomes
/// two (see `for_each_cell_in`), so without such cells the open cells hang together exactly as the polygons
/// do.
///
/// Takes O(n²) for n polygons that are all above each other, and about O(n log n) for a map; and O(cells).
pub fn joined_islands(polygons: &[&[[f64; 2]]], region: CellRect) -> Vec<Cell> {
    let mut islands = Islands::new(polygons, region, |_, _, _| true);
    if islands.are_one() {
        return islands.joined;
    }
    let mut opened_by = vec![CLOSED; region.area() as usize];
    for (number, polygon) in (0..).zip(polygons) {
        for_each_cell_in(polygon, region, |place| {
            islands.meet(place, opened_by[place], number);
            opened_by[place] = number;
        });
    }
    islands.meet_beside(&opened_by);
    islands.joined
}

/// Sets of polygons that hang together, or that cells have joined.
pub(super) struct Islands {
    parents: Vec<u32>,
    region: CellRect,
    /// A cell for each two that have become one.
    pub(super) joined: Vec<Cell>,
}

impl Islands {
    /// The islands of polygons that hang together where `is_level` says of two of them and of what they have
    /// in common that they do.
    pub(super) fn new(
        polygons: &[&[[f64; 2]]],
        region: CellRect,
        is_level: impl Fn(u32, u32, &[[f64; 2]]) -> bool,
    ) -> Self {
        let parents = (0..polygons.len() as u32).collect();
        let mut islands = Self { parents, region, joined: Vec::new() };
        join_polygons(polygons, &mut islands, is_level);
        islands
    }

    pub(super) fn are_one(&mut self) -> bool {
        (0..self.parents.len() as u32).all(|polygon| self.sets().find(polygon) == 0)
    }

    /// Returns `true` if two polygons are of one island.
    pub(super) fn hold(&mut self, a: u32, b: u32) -> bool {
        self.sets().find(a) == self.sets().find(b)
    }

    /// Joins the islands of two polygons that meet in a cell; `CLOSED` is no polygon.
    pub(super) fn meet(&mut self, place: usize, a: u32, b: u32) {
        if a != CLOSED && b != CLOSED && !self.hold(a, b) {
            self.sets().join(a, b);
            let (row, column) = (place as i32 / self.region.w, place as i32 % self.region.w);
            self.joined.push(Cell::new(self.region.x + column, self.region.y + row));
        }
    }

    /// Joins islands that have cells next to each other.
    pub(super) fn meet_beside(&mut self, opened_by: &[u32]) {
        let width = self.region.w as usize;
        for place in 0..opened_by.len() {
            if (place + 1) % width > 0 {
                self.meet(place, opened_by[place], opened_by[place + 1]);
            }
            if let Some(&below) = opened_by.get(place + width) {
                self.meet(place, opened_by[place], below);
            }
        }
    }

    const fn sets(&mut self) -> UnionFind<'_> {
        UnionFind { parent: self.parents.as_mut_slice() }
    }
}

/// Joins the polygons that hang together: those whose bounds touch, from left to right, are compared.
fn join_polygons(
    polygons: &[&[[f64; 2]]],
    islands: &mut Islands,
    is_level: impl Fn(u32, u32, &[[f64; 2]]) -> bool,
) {
    let mut order: Vec<_> = (0..).zip(polygons.iter().map(|polygon| near(polygon))).collect();
    order.sort_by(|(_, [a, _]), (_, [b, _])| a[0].total_cmp(&b[0]));
    for (at, &(a, [low, high])) in order.iter().enumerate() {
        for &(b, other) in order[at + 1..].iter().take_while(|(_, other)| other[0][0] <= high[0]) {
            let is_near = other[0][1] <= high[1] && low[1] <= other[1][1];
            if is_near
                && !islands.hold(a, b)
                && common_part(polygons[a as usize], polygons[b as usize])
                    .is_some_and(|common| is_level(a, b, &common))
            {
                islands.sets().join(a, b);
            }
        }
    }
}

/// What two convex polygons that overlap, or have a stretch of border in common, have in common, a little
/// wider; `None` for others.
fn common_part(a: &[[f64; 2]], b: &[[f64; 2]]) -> Option<Vec<[f64; 2]>> {
    let area = area_of(a);
    if area.abs().min(area_of(b).abs()) <= ROUNDING_CELLS {
        return None;
    }
    // The part of `b` within the tolerance of `a`. The bounds cut off what the lines of a sharp corner would
    // let in.
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
    ((high[0] - low[0]).max(high[1] - low[1]) > 5.0 * NEAR_CELLS).then_some(common)
}

/// The lowest and the highest coordinates, with the tolerance.
fn near(polygon: &[[f64; 2]]) -> [[f64; 2]; 2] {
    let [low, high] = bounds_of(polygon.iter().copied());
    [low.map(|end| end - NEAR_CELLS), high.map(|end| end + NEAR_CELLS)]
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

    fn hang_together(a: &[[f64; 2]], b: &[[f64; 2]]) -> bool {
        common_part(a, b).is_some()
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
