//! A ground in space: cells laid onto a plane, each with a height.
//!
//! *Cell space* is continuous: cell (x, y) is the square from (x, y) to (x + 1, y + 1). *Plane space* has it
//! along x and z, some metres a cell, and heights along y. Between the centres of cells the ground is
//! bilinear; beyond the region it goes on at the height of the nearest cell. An [`Affine`] leads from plane
//! space to the space that a game draws, or back.

use crate::geometry::{Cell, CellRect};

/// Steps of a ray in each cell that it passes over: what is thinner than this may be missed.
const STEPS_A_CELL: f64 = 4.0;
/// Halvings of such a step, to a millionth of a cell.
const HALVINGS: u32 = 20;

/// An affine map of space: where its axes and its origin go.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Affine {
    /// Where the steps of one along x, y and z go.
    pub axes: [[f32; 3]; 3],
    /// Where the origin goes.
    pub origin: [f32; 3],
}

impl Affine {
    /// Returns where a point goes.
    #[inline]
    pub fn point(&self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        let [a, b, c] = self.axes;
        [0, 1, 2].map(|n| a[n] * x + b[n] * y + c[n] * z + self.origin[n])
    }

    /// Returns the map that goes on by `next`.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        Self { axes: self.axes.map(|axis| next.direction(axis)), origin: next.point(self.origin) }
    }

    /// Returns where a direction goes.
    #[inline]
    pub fn direction(&self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        let [a, b, c] = self.axes;
        [0, 1, 2].map(|n| a[n] * x + b[n] * y + c[n] * z)
    }
}

/// A ray in plane space; `direction` need not be of length 1, and `along` counts in lengths of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ray {
    /// Where it begins.
    pub origin: [f32; 3],
    /// Where it leads.
    pub direction: [f32; 3],
}

impl Ray {
    fn is_finite(&self) -> bool {
        self.origin.into_iter().chain(self.direction).all(f32::is_finite)
    }

    /// Returns how far along the ray it comes nearest to a point.
    pub fn along(&self, point: [f32; 3]) -> f64 {
        let dot =
            |a: [f32; 3], b: [f32; 3]| -> f64 { (0..3).map(|n| f64::from(a[n]) * f64::from(b[n])).sum() };
        let to_point = [0, 1, 2].map(|n| point[n] - self.origin[n]);
        dot(to_point, self.direction) / dot(self.direction, self.direction)
    }
}

/// What stands upright on the ground: an outline of a body, in cells, as high everywhere.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Upright {
    /// Its middle in cell space.
    pub middle: [f64; 2],
    /// Half of its width and of its depth.
    pub half: [f32; 2],
    /// How far its corners are rounded.
    pub rounding: f32,
    /// How high it is, in metres.
    pub height: f32,
}

impl Upright {
    /// Returns how far a point of cell space is from the outline, below zero inside.
    fn distance(&self, point: [f64; 2]) -> f64 {
        let rounding = f64::from(self.rounding);
        let beyond = [0, 1]
            .map(|n| ((point[n] - self.middle[n]).abs() - (f64::from(self.half[n]) - rounding)).max(0.0));
        beyond[0].hypot(beyond[1]) - rounding
    }
}

/// The size of cells in metres, and how high the ground is at each.
#[derive(Clone, PartialEq, Debug)]
pub struct HeightField {
    /// Width and depth of a cell in metres, both above zero.
    pub cell_size: [f32; 2],
    region: CellRect,
    /// Row by row over `region`; without any, all is at height 0.
    heights: Vec<f32>,
}

impl Default for HeightField {
    fn default() -> Self {
        Self { cell_size: [1.0, 1.0], region: CellRect::default(), heights: Vec::new() }
    }
}

impl HeightField {
    /// Returns a flat ground of cells of `cell_size` metres.
    pub fn flat(cell_size: [f32; 2]) -> Self {
        Self { cell_size, ..Self::default() }
    }

    /// Returns `true` if no height was ever given.
    pub const fn is_flat(&self) -> bool {
        self.heights.is_empty()
    }

    /// Returns the heights of row `y` of `region`, if the ground covers just this region.
    pub(crate) fn row_of(&self, region: CellRect, y: usize) -> Option<&[f32]> {
        let width = region.w as usize;
        (self.region == region).then(|| self.heights.get(y * width..(y + 1) * width))?
    }

    /// Returns the bytes on the heap.
    pub(crate) const fn memory(&self) -> usize {
        self.heights.capacity() * size_of::<f32>()
    }

    /// Returns the height at the centre of a cell, or of the cell of the region that is nearest to it.
    pub fn height(&self, cell: Cell) -> f32 {
        let CellRect { x, y, w, h } = self.region;
        if self.is_flat() {
            return 0.0;
        }
        let nearest = Cell::new(cell.x.clamp(x, x + w - 1), cell.y.clamp(y, y + h - 1));
        self.heights[self.region.place_of(nearest)]
    }

    /// Returns the height at a point of cell space: bilinear between the centres of four cells.
    #[inline]
    pub fn height_at(&self, x: f64, y: f64) -> f32 {
        let CellRect { x: left, y: top, w, h } = self.region;
        if self.is_flat() {
            return 0.0;
        }
        // Beyond the outer centres, the ground is as high as at them. So what is left is at least zero, and a
        // cast takes its floor.
        let x = (x - 0.5 - f64::from(left)).clamp(0.0, f64::from(w - 1));
        let y = (y - 0.5 - f64::from(top)).clamp(0.0, f64::from(h - 1));
        let (column, row) = (x as usize, y as usize);
        let (part_x, part_y) = ((x - column as f64) as f32, (y - row as f64) as f32);
        let (w, h) = (w as usize, h as usize);
        let (right, below) = (usize::from(column + 1 < w), if row + 1 < h { w } else { 0 });
        let along = |at: usize| {
            let (from, to) = (self.heights[at], self.heights[at + right]);
            from + (to - from) * part_x
        };
        let at = row * w + column;
        let (from, to) = (along(at), along(at + below));
        from + (to - from) * part_y
    }

    /// Sets the heights of the cells of `region`, row by row; the ground covers `whole` from then on. A cell
    /// whose new height is no number keeps its height.
    pub fn set_heights(&mut self, whole: CellRect, region: CellRect, heights: &[f32]) {
        debug_assert_eq!(heights.len(), region.cells().count());
        self.cover(whole);
        let inside = region.intersection(whole);
        for y in inside.y..inside.y + inside.h {
            let first = Cell::new(inside.x, y);
            let (to, from) = (whole.place_of(first), region.place_of(first));
            let count = inside.w as usize;
            for (old, &new) in self.heights[to..to + count].iter_mut().zip(&heights[from..from + count]) {
                *old = if new.is_nan() { *old } else { new };
            }
        }
    }

    /// Covers `region` from now on. Cells that are new have the height of the nearest old one.
    fn cover(&mut self, region: CellRect) {
        if self.region != region || self.is_flat() {
            let heights = self.heights(region);
            (self.region, self.heights) = (region, heights);
        }
    }

    /// Returns the heights of the cells of `region`, row by row.
    pub fn heights(&self, region: CellRect) -> Vec<f32> {
        if region == self.region {
            return self.heights.clone();
        }
        region.cells().map(|cell| self.height(cell)).collect()
    }

    /// Returns the lowest and the highest height.
    fn bounds(&self) -> (f32, f32) {
        let bound = |(low, high): (f32, f32), &height: &f32| (low.min(height), high.max(height));
        let bounds = self.heights.iter().fold((f32::INFINITY, f32::NEG_INFINITY), bound);
        if self.is_flat() { (0.0, 0.0) } else { bounds }
    }

    /// Returns the tangent of the steepest way from the centre of a cell to that of one of the four beside
    /// it.
    pub fn steepness(&self, cell: Cell) -> f32 {
        let own = self.height(cell);
        let to = |dx: i32, dy: i32, length: f32| {
            let beside = Cell::new(cell.x.saturating_add(dx), cell.y.saturating_add(dy));
            (self.height(beside) - own).abs() / length
        };
        let [width, depth] = self.cell_size;
        to(-1, 0, width).max(to(1, 0, width)).max(to(0, -1, depth)).max(to(0, 1, depth))
    }

    /// Returns the point of plane space on the ground at a point of cell space.
    #[inline]
    pub fn point(&self, x: f64, y: f64) -> [f32; 3] {
        let [width, depth] = self.cell_size.map(f64::from);
        [(x * width) as f32, self.height_at(x, y), (y * depth) as f32]
    }

    /// Returns the point of cell space below or above a point of plane space.
    #[inline]
    pub(crate) fn cell_space_of(&self, [x, _, z]: [f32; 3]) -> (f64, f64) {
        let [width, depth] = self.cell_size.map(f64::from);
        (f64::from(x) / width, f64::from(z) / depth)
    }

    /// Returns the points of cell space below or above positions that `to_plane` leads to plane space.
    pub fn points_below(&self, to_plane: &Affine, positions: &[[f32; 3]]) -> Vec<(f64, f64)> {
        positions.iter().map(|&position| self.cell_space_of(to_plane.point(position))).collect()
    }

    /// Returns points of cell space, on the ground, in the space that `to_space` leads to.
    pub fn places(&self, to_space: &Affine, points: &[(f64, f64)]) -> Vec<[f32; 3]> {
        points.iter().map(|&(x, y)| to_space.point(self.point(x, y))).collect()
    }

    /// Returns where a ray from `origin` first meets the ground from above, within `region`.
    pub fn hit(&self, region: CellRect, ray: Ray) -> Option<[f32; 3]> {
        let Ray { origin, direction } = ray;
        if !ray.is_finite() {
            return None;
        }
        let (x, y) = self.cell_space_of(origin);
        let (dx, dy) = self.cell_space_of(direction);
        let (from, rise) = (f64::from(origin[1]), f64::from(direction[1]));
        let (low, high) = self.bounds();
        let limits = [
            (x, dx, f64::from(region.x), f64::from(region.x) + f64::from(region.w)),
            (y, dy, f64::from(region.y), f64::from(region.y) + f64::from(region.h)),
            (from, rise, f64::from(low), f64::from(high)),
        ];
        let (first, last) = limits.into_iter().try_fold((0.0, f64::INFINITY), clipped)?;
        if !last.is_finite() {
            return None;
        }
        let above = |t: f64| from + rise * t - f64::from(self.height_at(x + dx * t, y + dy * t));
        let steps = ((last - first) * dx.abs().max(dy.abs()) * STEPS_A_CELL).ceil().max(1.0);
        let at = |step: f64| first + (last - first) * step / steps;
        // On flat ground the ray is at it where it comes into the bounds, but for rounding.
        let near = 1e-5 * f64::from(1.0 + low.abs().max(high.abs()));
        if above(first) < -near || rise > 0.0 && above(first) < near {
            return None;
        }
        let steps = 0..=steps as u32;
        let under = steps.map(f64::from).find(|&step| above(at(step)) < near)?;
        let (mut over, mut under) = (at((under - 1.0).max(0.0)), at(under));
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(over, under);
            if above(middle) > 0.0 { over = middle } else { under = middle }
        }
        Some(self.point(x + dx * under, y + dy * under))
    }

    /// Returns how far along a ray it comes into something that stands on the ground.
    pub fn hit_upright(&self, ray: Ray, upright: &Upright) -> Option<f64> {
        let Ray { origin, direction } = ray;
        if !ray.is_finite() {
            return None;
        }
        let (x, y) = self.cell_space_of(origin);
        let (dx, dy) = self.cell_space_of(direction);
        let foot = f64::from(self.height_at(upright.middle[0], upright.middle[1]));
        let [left, top] = [0, 1].map(|n| upright.middle[n] - f64::from(upright.half[n]));
        let [right, bottom] = [0, 1].map(|n| upright.middle[n] + f64::from(upright.half[n]));
        let limits = [
            (x, dx, left, right),
            (y, dy, top, bottom),
            (f64::from(origin[1]), f64::from(direction[1]), foot, foot + f64::from(upright.height)),
        ];
        let (first, last) = limits.into_iter().try_fold((0.0, f64::INFINITY), clipped)?;
        // Along a line the distance to a convex outline falls, then rises. A line that stays within the
        // limits for ever has no direction.
        let distance = |t: f64| upright.distance([x + dx * t, y + dy * t]);
        let (mut low, mut high) = (first, if last.is_finite() { last } else { first });
        for _ in 0..HALVINGS {
            let third = (high - low) / 3.0;
            let (before, behind) = (low + third, high - third);
            if distance(before) <= distance(behind) { high = behind } else { low = before }
        }
        if distance(low) > 1e-6 {
            return None;
        }
        let (mut outside, mut inside) = (first, low);
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(outside, inside);
            if distance(middle) > 1e-6 { outside = middle } else { inside = middle }
        }
        Some(inside)
    }
}

/// The part of a stretch of a ray in which one of its coordinates, `from` and `by` a unit of it, is within
/// limits.
fn clipped((first, last): (f64, f64), (from, by, low, high): (f64, f64, f64, f64)) -> Option<(f64, f64)> {
    if by == 0.0 {
        return (low <= from && from <= high).then_some((first, last));
    }
    let (a, b) = ((low - from) / by, (high - from) / by);
    let (first, last) = (first.max(a.min(b)), last.min(a.max(b)));
    (first <= last).then_some((first, last))
}

#[cfg(test)]
// Halves and whole numbers come out exactly.
#[allow(clippy::float_cmp)]
mod tests {
    use super::*;

    /// A hill: 8×6 cells of 2×0.5 metres, whose heights are those of a plane that rises to the right.
    fn hill() -> HeightField {
        let whole = CellRect::new(-2, 1, 8, 6);
        let mut ground = HeightField { cell_size: [2.0, 0.5], ..HeightField::default() };
        let heights: Vec<f32> = whole.cells().map(|cell| cell.x as f32 * 3.0).collect();
        ground.set_heights(whole, whole, &heights);
        ground
    }

    fn ray(origin: [f32; 3], direction: [f32; 3]) -> Ray {
        Ray { origin, direction }
    }

    /// The height of a cell, in millimetres.
    fn height(ground: &HeightField, x: i32, y: i32) -> i32 {
        (ground.height(Cell::new(x, y)) * 1000.0).round() as i32
    }

    #[test]
    fn without_heights_all_is_flat() {
        let ground = HeightField::default();
        assert_eq!(ground.point(-3.5, 100.25), [-3.5, 0.0, 100.25]);
        assert_eq!(height(&ground, i32::MIN, i32::MAX), 0);
    }

    #[test]
    fn between_centres_heights_are_bilinear_and_beyond_the_region_those_of_its_edge() {
        let ground = hill();
        for (x, height) in
            [(-1.5, -6.0), (0.5, 0.0), (1.0, 1.5), (1.25, 2.25), (5.5, 15.0), (90.0, 15.0), (-90.0, -6.0)]
        {
            assert!((ground.height_at(x, 3.75) - height).abs() < 1e-4, "{x}");
        }
        assert_eq!(height(&ground, i32::MAX, i32::MIN), 15000);
    }

    #[test]
    fn an_affine_map_turns_and_moves() {
        let quarter =
            Affine { axes: [[0.0, 0.0, -2.0], [0.0, 1.0, 0.0], [2.0, 0.0, 0.0]], origin: [5.0, 6.0, 7.0] };
        assert_eq!(quarter.point([1.0, 3.0, 0.5]), [6.0, 9.0, 5.0]);
        assert_eq!(hill().places(&quarter, &[(1.0, 2.0)]), [quarter.point(hill().point(1.0, 2.0))]);
    }

    #[test]
    fn points_lead_back_to_their_cell_space() {
        let ground = hill();
        for (x, y) in [(0.0, 1.0), (-1.75, 6.5), (5.0, 3.25)] {
            assert_eq!(ground.cell_space_of(ground.point(x, y)), (x, y));
        }
    }

    #[test]
    fn a_part_that_is_set_anew_leaves_the_rest() {
        let mut ground = hill();
        let mut column = [7.0; 100];
        column[2] = f32::NAN;
        ground.set_heights(CellRect::new(-2, 1, 9, 6), CellRect::new(0, 2, 1, 100), &column);
        assert_eq!(height(&ground, 0, 3), 7000);
        assert_eq!(height(&ground, 0, 1), 0);
        assert_eq!(height(&ground, 0, 4), 0, "no number leaves a cell as it is");
        assert_eq!(height(&ground, 6, 1), 15000, "a new cell is as high as the nearest");
    }

    #[test]
    fn steepness_is_a_tangent() {
        assert!((hill().steepness(Cell::new(1, 3)) - 1.5).abs() < 1e-6, "three metres on two");
        assert!(HeightField::default().steepness(Cell::new(1, 3)) < 1e-6);
    }

    #[test]
    fn a_ray_meets_the_ground_where_brute_force_does() {
        let ground = hill();
        let region = CellRect::new(-2, 1, 8, 6);
        for (origin, direction) in [
            ([2.0, 40.0, 1.5], [0.1, -1.0, 0.02]),
            ([-3.0, 30.0, 1.0], [0.6, -1.0, 0.05]),
            ([9.0, 20.0, 3.0], [-1.0, -3.0, -0.1]),
        ] {
            let hit = ground.hit(region, Ray { origin, direction }).expect("it meets the ground");
            let t = (hit[1] - origin[1]) / direction[1];
            for n in 0..3 {
                assert!((origin[n] + direction[n] * t - hit[n]).abs() < 1e-3, "{hit:?} is not on the ray");
            }
            let (x, y) = ground.cell_space_of(hit);
            assert!((hit[1] - ground.height_at(x, y)).abs() < 1e-3);
        }
        let flat = HeightField::default();
        let down = flat.hit(region, ray([1.5, 9.0, 2.5], [0.0, -1.0, 0.0]));
        assert_eq!(down, Some([1.5, 0.0, 2.5]));
        assert_eq!(flat.hit(region, ray([1.5, 9.0, 2.5], [0.0, 1.0, 0.0])), None, "up");
        assert_eq!(flat.hit(region, ray([99.5, 9.0, 2.5], [0.0, -1.0, 0.0])), None, "beside the region");
        assert_eq!(flat.hit(region, ray([1.5, 9.0, 2.5], [f32::NAN, -1.0, 0.0])), None, "no number");
    }

    #[test]
    fn a_ray_comes_into_what_stands_upright_where_brute_force_does() {
        let ground = hill();
        let disc = Upright { middle: [2.0, 3.0], half: [0.5, 0.5], rounding: 0.5, height: 2.0 };
        let long = Upright { middle: [1.25, 4.0], half: [2.0, 1.0], rounding: 0.25, height: 1.0 };
        for upright in [disc, long] {
            for n in 0..200_i32 {
                let spread = |by: i32| f32::from((n * by % 41) as i16) / 20.0 - 1.0;
                let aim = ground.point(
                    upright.middle[0] + f64::from(spread(7)) * 3.0,
                    upright.middle[1] + f64::from(spread(11)) * 2.0,
                );
                let origin = [aim[0] + spread(13) * 9.0, aim[1] + 12.0, aim[2] + spread(17) * 3.0];
                let direction = [0, 1, 2].map(|axis| (aim[axis] - origin[axis]) / 8.0);
                let hit = ground.hit_upright(ray(origin, direction), &upright);
                let foot = ground.height_at(upright.middle[0], upright.middle[1]);
                let is_in = |t: f64| {
                    let at = [0, 1, 2].map(|axis| origin[axis] + direction[axis] * t as f32);
                    let (x, y) = ground.cell_space_of(at);
                    upright.distance([x, y]) <= 0.0 && (foot..=foot + upright.height).contains(&at[1])
                };
                let first = (0..20_000).map(|step| f64::from(step) / 1000.0).find(|&t| is_in(t));
                match (hit, first) {
                    (Some(hit), Some(first)) => assert!((hit - first).abs() < 3e-3, "{n}: {hit}, {first}"),
                    // A ray that only grazes the ground.
                    (Some(hit), None) => assert!(!is_in(hit + 2e-3), "{n}: {hit}"),
                    (None, first) => assert_eq!(first, None, "{n}"),
                }
            }
        }
    }
}
