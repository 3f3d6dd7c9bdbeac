//! What a space adds to a crowd: its agents on a ground in 3D. They walk on the plane as without it.

use godot::prelude::*;
use pathforge_core::crowd::AgentView;
use pathforge_core::height_field::Upright;

use super::{PathForgeCrowd, array_of};
use crate::errors::{report, reported};
use crate::given::given;
use crate::space::{self, PathForgeSpace3D};

#[godot_api(secondary)]
impl PathForgeCrowd {
    /// Returns the ids of the agents that a ray meets, nearest first: each as its outline on the ground of the [member space], `height` metres high
    /// along the space's y axis. Agents behind the ground that the ray meets are left out; nothing else in the scene is in its way. It takes what a
    /// camera gives.
    ///
    /// ```gdscript
    /// var camera := get_viewport().get_camera_3d()
    /// var from := camera.project_ray_origin(click.position)
    /// var hit := crowd.find_agents_along_ray(from, camera.project_ray_normal(click.position))
    /// if not hit.is_empty():
    ///     select(hit[0])
    /// ```
    #[func]
    fn find_agents_along_ray(
        &mut self,
        from: Vector3,
        direction: Vector3,
        #[opt(default = 2.0)] height: f64,
    ) -> PackedInt32Array {
        const METHOD: &str = "PathForgeCrowd.find_agents_along_ray";
        let checked = given("height", height).at_least_zero();
        let Some(height) = reported(METHOD, checked) else { return PackedInt32Array::new() };
        let Some(space) = self.space() else {
            report(METHOD, "the crowd has no space");
            return PackedInt32Array::new();
        };
        let Some(grid) = self.grid_for(METHOD) else { return PackedInt32Array::new() };
        let region = grid.bind().cell_region();
        let space = space.bind();
        let Some(to_local) = space.to_local(METHOD) else { return PackedInt32Array::new() };
        let ray = space::ray(&to_local, from, direction);
        let ground = space.ground();
        let last = ground.hit(region, ray).map_or(f64::INFINITY, |point| ray.along(point));
        let upright = |view: AgentView| Upright {
            middle: [view.x, view.y],
            half: view.half,
            rounding: view.rounding,
            height: height as f32,
        };
        let met = self.crowd.views_unordered().filter_map(|view| {
            let along = ground.hit_upright(ray, &upright(view))?;
            // What the ray meets at the feet of an agent is its ground.
            (along <= last + 1e-6 * last.abs().max(1.0)).then_some((along, view.id))
        });
        let mut met: Vec<(f64, u32)> = met.collect();
        met.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        array_of(met.into_iter().map(|(_, id)| id))
    }
}

impl PathForgeCrowd {
    /// The space, while it is there.
    pub(super) fn space(&self) -> Option<Gd<PathForgeSpace3D>> {
        Gd::try_from_instance_id(self.space_id?).ok()
    }
}
