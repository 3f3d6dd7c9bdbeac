//! What a space adds to a crowd: its agents on a ground in 3D. They walk on the plane as without it.

use godot::classes::Camera3D;
use godot::prelude::*;
use pathforge_core::crowd::AgentView;
use pathforge_core::height_field::{Ray, Upright};

use super::{PathForgeCrowd, array_of};
use crate::engine::errors::{report, reported};
use crate::map::space::PathForgeSpace3D;
use crate::script::given::given;
use crate::script::node_arg::NodeArg;

#[godot_api(secondary)]
impl PathForgeCrowd {
    /// Returns the ids of the agents that a ray meets, nearest first. Each agent counts as its outline on the
    /// ground of the [member space], `height` metres high along the space's y axis. Agents behind the ground
    /// that the ray meets are left out; other objects of the scene do not stop the ray.
    ///
    /// In a house, each agent is on its floor, and the ground of all floors hides what is behind it. With a
    /// `floor`, only agents on that floor count, and the ray passes the other floors.
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
        #[opt(default = NodeArg::none())] floor: NodeArg<PathForgeSpace3D>,
    ) -> PackedInt32Array {
        const METHOD: &str = "PathForgeCrowd.find_agents_along_ray";
        let checked = given("height", height).at_least_zero();
        let checked = checked.and_then(|height| Ok((height, floor.optional("floor")?)));
        let Some((height, floor)) = reported(METHOD, checked) else { return PackedInt32Array::new() };
        let Some(space) = self.space() else {
            report(METHOD, "the crowd has no space");
            return PackedInt32Array::new();
        };
        if self.grid_for(METHOD).is_none() || space.bind().to_local(METHOD).is_none() {
            return PackedInt32Array::new();
        }
        let house = space.bind().storeys_of_crowd();
        // A floor of another house has no agents of this crowd.
        let only = floor.map(|floor| {
            let place = space.bind().place_in_house(floor.instance_id());
            place.unwrap_or(usize::MAX)
        });
        let ray = Ray { origin: from.to_array(), direction: direction.to_array() };
        let rays: Vec<Ray> = house.all().iter().map(|storey| storey.ray(ray)).collect();
        let storeys = house.all().iter().enumerate().filter(|(n, _)| only.is_none_or(|only| only == *n));
        let hits = storeys.filter_map(|(_, storey)| Some(storey.hit(ray)?.0));
        let last = hits.fold(f64::INFINITY, f64::min);
        let upright = |view: AgentView| Upright {
            middle: [view.x, view.y],
            half: view.half,
            rounding: view.rounding,
            height: height as f32,
        };
        let met = self.crowd.views_unordered().filter_map(|view| {
            let n = house.of_point((view.x, view.y)).unwrap_or(0);
            let storey = house.all().get(n).filter(|_| only.is_none_or(|only| only == n))?;
            let along = storey.ground.hit_upright(rays[n], &upright(view))?;
            // What the ray meets at the feet of an agent is its ground.
            (along <= last + 1e-6 * last.abs().max(1.0)).then_some((along, view.id))
        });
        let mut met: Vec<(f64, u32)> = met.collect();
        met.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        array_of(met.into_iter().map(|(_, id)| id))
    }

    /// Returns the ids, ascending, of the agents whose feet a camera shows within `rect`, in pixels of its
    /// viewport: for selection boxes. Hidden agents count, too.
    ///
    /// ```gdscript
    /// var box := Rect2(drag_start, event.position - drag_start)
    /// select(crowd.find_agents_on_screen(get_viewport().get_camera_3d(), box))
    /// ```
    #[func]
    fn find_agents_on_screen(&mut self, camera: NodeArg<Camera3D>, rect: Rect2) -> PackedInt32Array {
        const METHOD: &str = "PathForgeCrowd.find_agents_on_screen";
        let checked = camera.node("camera").and_then(|camera| {
            if !camera.is_inside_tree() {
                return Err("camera is not in the scene tree".to_owned());
            }
            if !rect.is_finite() {
                return Err(format!("rect {rect} is not finite"));
            }
            Ok((camera, self.space().ok_or("the crowd has no space")?))
        });
        let Some((camera, space)) = reported(METHOD, checked) else { return PackedInt32Array::new() };
        let size = camera.get_viewport().map_or(Vector2::ZERO, |viewport| viewport.get_visible_rect().size);
        let space = space.bind();
        // All in one, as asking the camera for each takes longer than finding them.
        let to_screen =
            camera.get_camera_projection() * Projection::from(camera.get_camera_transform().affine_inverse());
        let (house, rect) = (space.storeys_of_crowd(), rect.abs());
        let is_shown = |view: &AgentView| {
            let n = house.of_point((view.x, view.y)).unwrap_or(0);
            let Some(storey) = house.all().get(n) else { return false };
            let [x, y, z] = storey.place((view.x, view.y));
            let at = to_screen * Vector4::new(x, y, z, 1.0);
            // In units of the distance, from −1 to 1 from edge to edge; behind the camera there is none.
            let place = Vector2::new(at.x / at.w + 1.0, 1.0 - at.y / at.w) * 0.5 * size;
            let depth = at.z / at.w;
            let is_inside = |at: f32, from: f32, length: f32| (from..=from + length).contains(&at);
            at.w > 0.0
                && (-1.0..=1.0).contains(&depth)
                && is_inside(place.x, rect.position.x, rect.size.x)
                && is_inside(place.y, rect.position.y, rect.size.y)
        };
        array_of(self.crowd.views().filter(is_shown).map(|view| view.id))
    }
}

impl PathForgeCrowd {
    /// The space, while it is there.
    pub(super) fn space(&self) -> Option<Gd<PathForgeSpace3D>> {
        Gd::try_from_instance_id(self.space_id?).ok()
    }
}
