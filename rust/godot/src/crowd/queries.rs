//! Finding agents by place.

use godot::prelude::*;

use super::{PathForgeCrowd, array_of};
use crate::errors::report;

#[godot_api(secondary)]
impl PathForgeCrowd {
    /// Returns the ids, ascending, of the agents whose centre lies in `rect`, edges included, in the grid's local space: a
    /// selection box, an explosion's bounds. Takes time in proportion to the agents around it.
    #[func]
    fn find_agents_in_rect(&self, rect: Rect2) -> PackedInt32Array {
        if !rect.position.is_finite() || !rect.size.is_finite() {
            report("PathForgeCrowd.find_agents_in_rect", format_args!("rect {rect} is not finite"));
            return PackedInt32Array::new();
        }
        let (a, b) = (rect.position, rect.position + rect.size);
        let rect = Rect2 {
            position: Vector2::new(a.x.min(b.x), a.y.min(b.y)),
            size: Vector2::new((b.x - a.x).abs(), (b.y - a.y).abs()),
        };
        let geometry = self.seen.geometry;
        let corners = [rect.position, rect.position + rect.size].map(|at| (at.x, at.y));
        let [(left, top), (right, bottom)] = corners;
        let cells = [(left, top), (right, top), (left, bottom), (right, bottom)]
            .map(|(x, y)| geometry.cell_space_of(Vector2::new(x, y)));
        let low =
            cells.iter().fold((f64::INFINITY, f64::INFINITY), |low, c| (low.0.min(c.0), low.1.min(c.1)));
        let high =
            cells.iter().fold((f64::NEG_INFINITY, f64::NEG_INFINITY), |h, c| (h.0.max(c.0), h.1.max(c.1)));
        let is_upright = matches!(geometry.shape, crate::geometry::CellShape::Square);
        // A little more for rounding, as positions are asked in pixels.
        let found = self.crowd.views_in_rect(low.0 - 1e-3, low.1 - 1e-3, high.0 + 1e-3, high.1 + 1e-3);
        let inside = |x: f64, y: f64| {
            let at = geometry.local_of(x, y);
            at.x >= left && at.x <= right && at.y >= top && at.y <= bottom
        };
        debug_assert!(is_upright || low.0 <= high.0);
        array_of(found.into_iter().filter(|view| inside(view.x, view.y)).map(|view| view.id))
    }

    /// Returns the ids, ascending, of the agents whose centre is at most `radius` pixels from `position`, in the grid's local
    /// space.
    #[func]
    fn find_agents_in_radius(&self, position: Vector2, radius: f64) -> PackedInt32Array {
        if !position.is_finite() || !radius.is_finite() || radius < 0.0 {
            report(
                "PathForgeCrowd.find_agents_in_radius",
                format_args!("position {position} or radius {radius} is not finite, or radius is below 0"),
            );
            return PackedInt32Array::new();
        }
        let geometry = self.seen.geometry;
        let reach = Vector2::new(radius as f32, radius as f32);
        let corners = [position - reach, position + reach];
        let cells = [
            corners[0],
            Vector2::new(corners[1].x, corners[0].y),
            Vector2::new(corners[0].x, corners[1].y),
            corners[1],
        ]
        .map(|at| geometry.cell_space_of(at));
        let low =
            cells.iter().fold((f64::INFINITY, f64::INFINITY), |low, c| (low.0.min(c.0), low.1.min(c.1)));
        let high =
            cells.iter().fold((f64::NEG_INFINITY, f64::NEG_INFINITY), |h, c| (h.0.max(c.0), h.1.max(c.1)));
        let found = self.crowd.views_in_rect(low.0 - 1e-3, low.1 - 1e-3, high.0 + 1e-3, high.1 + 1e-3);
        let inside = |x: f64, y: f64| f64::from(geometry.local_of(x, y).distance_to(position)) <= radius;
        array_of(found.into_iter().filter(|view| inside(view.x, view.y)).map(|view| view.id))
    }

    /// Returns the id of the agent whose centre is nearest to `position`, in the grid's local space, and at most `max_distance`
    /// pixels away; −1 when there is none. Of several the one with the lowest id. What a click means.
    #[func]
    fn find_nearest_agent(
        &self,
        position: Vector2,
        #[opt(default = f64::INFINITY)] max_distance: f64,
    ) -> i64 {
        if !position.is_finite() || max_distance.is_nan() {
            report(
                "PathForgeCrowd.find_nearest_agent",
                format_args!("position {position} or max_distance {max_distance} is not a number"),
            );
            return -1;
        }
        let (x, y) = self.seen.geometry.cell_space_of(position);
        self.crowd.nearest(x, y, max_distance / self.cell_px()).map_or(-1, |view| i64::from(view.id))
    }

    /// Returns how crowded each cell of the grid's region is, row by row: how much of it is covered by agents that walk or
    /// wait, 1 for a cell that is full. Stamp it into an influence map, or add it to weights, and others choose other
    /// paths.
    #[func]
    fn get_density_data(&mut self) -> PackedFloat32Array {
        let Some(grid) = self.resolve_grid() else { return PackedFloat32Array::new() };
        let region = grid.bind().cell_region();
        if region.is_empty() {
            return PackedFloat32Array::new();
        }
        PackedFloat32Array::from(self.crowd.density(region.w as usize, region.h as usize))
    }
}
