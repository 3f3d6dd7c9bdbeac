//! Positions on the ground at which a body fits: the closest one, and one at random.

use godot::prelude::*;

use super::{PathForgeSpace3D, ray, triple};
use crate::engine::errors::reported;
use crate::map::grid::{PathForgeGrid, RngArg};
use crate::script::given::given;
use crate::script::profile::ProfileArg;

#[godot_api(secondary)]
impl PathForgeSpace3D {
    /// Returns the position on the ground closest to `position` at which the whole body of `profile` covers
    /// open cells, for its centre. Distances count along the node's plane, so heights do not matter.
    /// `Vector3.INF` when it fits nowhere, and after an error. Whether a path leads there does not matter:
    /// see [method PathForgeGrid.is_reachable]. In a house, only this floor counts.
    ///
    /// ```gdscript
    /// hero.global_position = space.get_closest_point(flag.global_position, tank)
    /// ```
    #[func]
    fn get_closest_point(
        &mut self,
        position: Vector3,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
    ) -> Vector3 {
        let method = "PathForgeSpace3D.get_closest_point";
        let Some(position) = reported(method, given("position", position).finite()) else {
            return Vector3::INF;
        };
        let Some(to_local) = self.to_local(method) else { return Vector3::INF };
        let [x, y, _] = self.in_cells(to_local * position);
        self.closest(method, [[x, y, 0.0]; 2], &profile)
    }

    /// Returns the position on the ground closest to a line at which the whole body of `profile`, centred
    /// there, covers open cells. With the ray of a camera it is the place that a click means. If the line
    /// meets the ground of the region from above, it is the position closest to that point, as with [method
    /// get_closest_point]. Otherwise the ground counts as flat at the height of the node. `Vector3.INF` if
    /// the body fits nowhere, and after an error. In a house, only this floor counts.
    ///
    /// ```gdscript
    /// func _unhandled_input(event: InputEvent) -> void:
    ///     if event is InputEventMouseButton and event.is_pressed():
    ///         var camera := get_viewport().get_camera_3d()
    ///         var from := camera.project_ray_origin(event.position)
    ///         var to := from + camera.project_ray_normal(event.position) * 1000.0
    ///         send_to(space.get_closest_point_to_segment(from, to, tank))
    /// ```
    #[func]
    fn get_closest_point_to_segment(
        &mut self,
        from: Vector3,
        to: Vector3,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
    ) -> Vector3 {
        let method = "PathForgeSpace3D.get_closest_point_to_segment";
        let ends = given("from", from).finite().and_then(|from| Ok([from, given("to", to).finite()?]));
        let Some([from, to]) = reported(method, ends) else { return Vector3::INF };
        let Some(region) = self.region(method) else { return Vector3::INF };
        let Some(to_local) = self.to_local(method) else { return Vector3::INF };
        let line = ray(&to_local, from, to - from);
        let hit = self.ground.hit(region, line).filter(|&hit| line.along(hit) <= 1.0);
        let ends = match hit {
            Some([x, height, z]) => {
                let [x, y, _] = self.in_cells(Vector3::new(x, height, z));
                [[x, y, 0.0]; 2]
            }
            None => [from, to].map(|end| self.in_cells(to_local * end)),
        };
        self.closest(method, ends, &profile)
    }

    /// Returns a random position on the ground at which the body of `profile` fits, for its centre: in the
    /// middle of its cells. All places of the grid are equally likely. `Vector3.INF` when it fits nowhere, and after an
    /// error. `rng` is as in [method PathForgeGrid.get_random_point].
    ///
    /// ```gdscript
    /// tree.global_position = space.get_random_point()
    /// ```
    #[func]
    fn get_random_point(
        &mut self,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
        #[opt(default = RngArg::NONE)] rng: RngArg,
    ) -> Vector3 {
        let Some(grid) = self.some_grid("PathForgeSpace3D.get_random_point") else { return Vector3::INF };
        let drawn = PathForgeGrid::random_placement(&grid, &profile, rng);
        drawn
            .map_or(Vector3::INF, |(cell, footprint)| self.place(super::conversions::center(cell, footprint)))
    }

    /// The position on the ground of a body closest to a line of cell space with heights.
    fn closest(&mut self, method: &str, ends: [[f64; 3]; 2], profile: &ProfileArg) -> Vector3 {
        let Some(grid) = self.some_grid(method) else { return Vector3::INF };
        let [width, depth] = self.ground.cell_size;
        let basis = self.to_global().basis;
        let side = |side: Vector3| triple(side).map(f64::from);
        let sides = [side(basis.col_a() * width), side(basis.col_c() * depth), side(basis.col_b())];
        let within = self.is_storey().then_some(self.sheet);
        let closest = PathForgeGrid::closest_in_cells(&grid, sides, ends, profile, within);
        closest.map_or(Vector3::INF, |point| self.place(point))
    }

    /// A position of the node's space in cells along its plane, and its height.
    fn in_cells(&self, position: Vector3) -> [f64; 3] {
        let [width, depth] = self.ground.cell_size.map(f64::from);
        [f64::from(position.x) / width, f64::from(position.z) / depth, f64::from(position.y)]
    }
}
