//! A ground in space: cells laid onto a plane, each with a height. Pure arithmetic, no engine.
//!
//! *Plane space* is the node's own: cell space along x and z, `cell_size` metres a cell, and heights along y. Between the centres of
//! cells the ground is bilinear; beyond the region it goes on at the height of the nearest cell.

use godot::builtin::{Vector2, Vector3};
use pathforge_core::geometry::{Cell, CellRect};

/// Steps of a ray in each cell that it passes over: what is thinner than this may be missed.
const STEPS_A_CELL: f64 = 4.0;
/// Halvings of such a step, to a millionth of a cell.
const HALVINGS: u32 = 20;

/// The size of cells in metres, and how high the ground is at each.
#[derive(Clone, PartialEq, Debug)]
pub struct Ground {
    /// Width and depth of a cell in metres, both above zero.
    pub cell_size: Vector2,
    region: CellRect,
    /// Row by row over `region`; without any, all is at height 0.
    heights: Vec<f32>,
}

impl Default for Ground {
    fn default() -> Self {
        Self { cell_size: Vector2::ONE, region: CellRect::default(), heights: Vec::new() }
    }
}

impl Ground {
    /// Returns `true` if no height was ever given.
    pub const fn is_flat(&self) -> bool {
        self.heights.is_empty()
    }

    /// Returns the height at the centre of a cell, or of the cell of the region that is nearest to it.
    pub fn height(&self, cell: Cell) -> f32 {
        let CellRect { x, y, w, h } = self.region;
        if self.is_flat() {
            return 0.0;
        }
        let column = cell.x.clamp(x, x + w - 1) - x;
        let row = cell.y.clamp(y, y + h - 1) - y;
        self.heights[row as usize * w as usize + column as usize]
    }

    /// Returns the height at a point of cell space: bilinear between the centres of four cells.
    pub fn height_at(&self, x: f64, y: f64) -> f32 {
        if self.is_flat() {
            return 0.0;
        }
        let (x, y) = (x - 0.5, y - 0.5);
        // A cast saturates.
        let (left, top) = (x.floor() as i32, y.floor() as i32);
        let (right, below) = (left.saturating_add(1), top.saturating_add(1));
        let (part_x, part_y) = ((x - x.floor()) as f32, (y - y.floor()) as f32);
        let row = |y| {
            let (from, to) = (self.height(Cell::new(left, y)), self.height(Cell::new(right, y)));
            from + (to - from) * part_x
        };
        let (from, to) = (row(top), row(below));
        from + (to - from) * part_y
    }

    /// Gives the cells of `region` heights, row by row; the ground covers `whole` from then on.
    pub fn set_heights(&mut self, whole: CellRect, region: CellRect, mut height: impl FnMut(Cell) -> f32) {
        self.cover(whole);
        for cell in region.intersection(whole).cells() {
            let place = (cell.y - whole.y) as usize * whole.w as usize + (cell.x - whole.x) as usize;
            self.heights[place] = height(cell);
        }
    }

    /// Covers `region` from now on. Cells that are new have the height of the nearest old one.
    fn cover(&mut self, region: CellRect) {
        if self.region != region || self.is_flat() {
            let heights = region.cells().map(|cell| self.height(cell)).collect();
            (self.region, self.heights) = (region, heights);
        }
    }

    /// Returns the heights of the cells of `region`, row by row.
    pub fn heights(&self, region: CellRect) -> Vec<f32> {
        region.cells().map(|cell| self.height(cell)).collect()
    }

    /// Returns the lowest and the highest height.
    fn bounds(&self) -> (f32, f32) {
        let bound = |(low, high): (f32, f32), &height: &f32| (low.min(height), high.max(height));
        let bounds = self.heights.iter().fold((f32::INFINITY, f32::NEG_INFINITY), bound);
        if self.is_flat() { (0.0, 0.0) } else { bounds }
    }

    /// Returns the tangent of the steepest way from the centre of a cell to that of one of the four beside it.
    pub fn steepness(&self, cell: Cell) -> f32 {
        let own = self.height(cell);
        let to = |dx: i32, dy: i32, length: f32| {
            let beside = Cell::new(cell.x.saturating_add(dx), cell.y.saturating_add(dy));
            (self.height(beside) - own).abs() / length
        };
        let Vector2 { x, y } = self.cell_size;
        to(-1, 0, x).max(to(1, 0, x)).max(to(0, -1, y)).max(to(0, 1, y))
    }

    /// Returns the point of plane space on the ground at a point of cell space.
    pub fn point(&self, x: f64, y: f64) -> Vector3 {
        let (width, depth) = (f64::from(self.cell_size.x), f64::from(self.cell_size.y));
        Vector3::new((x * width) as f32, self.height_at(x, y), (y * depth) as f32)
    }

    /// Returns the point of cell space below or above a point of plane space.
    pub fn cell_space_of(&self, point: Vector3) -> (f64, f64) {
        (f64::from(point.x) / f64::from(self.cell_size.x), f64::from(point.z) / f64::from(self.cell_size.y))
    }

    /// Returns where a ray from `origin` first meets the ground from above, within `region`.
    pub fn hit(&self, region: CellRect, origin: Vector3, direction: Vector3) -> Option<Vector3> {
        if !(origin.is_finite() && direction.is_finite()) {
            return None;
        }
        let (x, y) = self.cell_space_of(origin);
        let (dx, dy) = self.cell_space_of(direction);
        let (from, rise) = (f64::from(origin.y), f64::from(direction.y));
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
}

/// The part of a stretch of a ray in which one of its coordinates, `from` and `by` a unit of it, is within limits.
fn clipped((first, last): (f64, f64), (from, by, low, high): (f64, f64, f64, f64)) -> Option<(f64, f64)> {
    if by == 0.0 {
        return (low <= from && from <= high).then_some((first, last));
    }
    let (a, b) = ((low - from) / by, (high - from) / by);
    let (first, last) = (first.max(a.min(b)), last.min(a.max(b)));
    (first <= last).then_some((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hill: 8×6 cells of 2×0.5 metres, whose heights are those of a plane that rises to the right.
    fn hill() -> Ground {
        let whole = CellRect::new(-2, 1, 8, 6);
        let mut ground = Ground { cell_size: Vector2::new(2.0, 0.5), ..Ground::default() };
        ground.set_heights(whole, whole, |cell| cell.x as f32 * 3.0);
        ground
    }

    /// The height of a cell, in millimetres.
    fn height(ground: &Ground, x: i32, y: i32) -> i32 {
        (ground.height(Cell::new(x, y)) * 1000.0).round() as i32
    }

    #[test]
    fn without_heights_all_is_flat() {
        let ground = Ground::default();
        assert_eq!(ground.point(-3.5, 100.25), Vector3::new(-3.5, 0.0, 100.25));
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
    fn points_lead_back_to_their_cell_space() {
        let ground = hill();
        for (x, y) in [(0.0, 1.0), (-1.75, 6.5), (5.0, 3.25)] {
            assert_eq!(ground.cell_space_of(ground.point(x, y)), (x, y));
        }
    }

    #[test]
    fn a_part_that_is_set_anew_leaves_the_rest() {
        let mut ground = hill();
        ground.set_heights(CellRect::new(-2, 1, 9, 6), CellRect::new(0, 2, 1, 100), |_| 7.0);
        assert_eq!(height(&ground, 0, 3), 7000);
        assert_eq!(height(&ground, 0, 1), 0);
        assert_eq!(height(&ground, 6, 1), 15000, "a new cell is as high as the nearest");
    }

    #[test]
    fn steepness_is_a_tangent() {
        assert!((hill().steepness(Cell::new(1, 3)) - 1.5).abs() < 1e-6, "three metres on two");
        assert!(Ground::default().steepness(Cell::new(1, 3)) < 1e-6);
    }

    #[test]
    fn a_ray_meets_the_ground_where_brute_force_does() {
        let ground = hill();
        let region = CellRect::new(-2, 1, 8, 6);
        for (origin, direction) in [
            (Vector3::new(2.0, 40.0, 1.5), Vector3::new(0.1, -1.0, 0.02)),
            (Vector3::new(-3.0, 30.0, 1.0), Vector3::new(0.6, -1.0, 0.05)),
            (Vector3::new(9.0, 20.0, 3.0), Vector3::new(-1.0, -3.0, -0.1)),
        ] {
            let hit = ground.hit(region, origin, direction).expect("it meets the ground");
            let on_ray = origin + direction * ((hit.y - origin.y) / direction.y);
            assert!(hit.distance_to(on_ray) < 1e-3, "{hit} is on the ray, not {on_ray}");
            let (x, y) = ground.cell_space_of(hit);
            assert!((hit.y - ground.height_at(x, y)).abs() < 1e-3);
        }
        let flat = Ground::default();
        let down = flat.hit(region, Vector3::new(1.5, 9.0, 2.5), Vector3::new(0.0, -1.0, 0.0));
        assert_eq!(down, Some(Vector3::new(1.5, 0.0, 2.5)));
        assert_eq!(flat.hit(region, Vector3::new(1.5, 9.0, 2.5), Vector3::new(0.0, 1.0, 0.0)), None, "up");
        assert_eq!(
            flat.hit(region, Vector3::new(99.5, 9.0, 2.5), Vector3::new(0.0, -1.0, 0.0)),
            None,
            "beside the region"
        );
        assert_eq!(
            flat.hit(region, Vector3::new(1.5, 9.0, 2.5), Vector3::new(f32::NAN, -1.0, 0.0)),
            None,
            "no number"
        );
    }
}
