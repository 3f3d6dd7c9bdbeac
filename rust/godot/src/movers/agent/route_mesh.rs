//! The route of an agent as it is drawn: by the node itself in 2D, in 3D as a band on the ground.

use godot::classes::base_material_3d::{Flags, ShadingMode};
use godot::classes::rendering_server::{ArrayType, PrimitiveType};
use godot::classes::{RenderingServer, StandardMaterial3D};
use godot::prelude::*;

use super::Agent;
use crate::map::seat::Seat;

/// A mesh of triangles in the world, which the engine draws as long as this lives.
pub struct RouteMesh {
    mesh: Rid,
    instance: Rid,
    material: Gd<StandardMaterial3D>,
}

impl RouteMesh {
    fn new(scenario: Rid) -> Self {
        let mut server = RenderingServer::singleton();
        let mesh = server.mesh_create();
        let mut material = StandardMaterial3D::new_gd();
        material.set_shading_mode(ShadingMode::UNSHADED);
        // As the paths of `NavigationAgent3D`: seen through hills, too.
        material.set_flag(Flags::DISABLE_DEPTH_TEST, true);
        material.set_cull_mode(godot::classes::base_material_3d::CullMode::DISABLED);
        Self { mesh, instance: server.instance_create2(mesh, scenario), material }
    }

    /// Draws a band along `points`, so wide, across `up`; nothing without a line.
    fn draw(&mut self, points: &[Vector3], up: Vector3, width: f32, color: Color) {
        let mut server = RenderingServer::singleton();
        server.mesh_clear(self.mesh);
        // Two vertices at each point, across the mean of the directions to it and from it.
        let mut band = PackedVector3Array::new();
        for (at, &point) in points.iter().enumerate() {
            let (before, after) = (points[at.saturating_sub(1)], points[(at + 1).min(points.len() - 1)]);
            let across = (after - before).cross(up);
            if across.is_zero_approx() || !across.is_finite() {
                continue;
            }
            let side = across.normalized() * (width / 2.0);
            band.extend([point - side, point + side]);
        }
        if band.len() < 4 {
            return;
        }
        let mut arrays = VarArray::new();
        arrays.resize(ArrayType::MAX.ord() as usize, &Variant::nil());
        arrays.set(ArrayType::VERTEX.ord() as usize, &band.to_variant());
        server.mesh_add_surface_from_arrays(self.mesh, PrimitiveType::TRIANGLE_STRIP, &arrays);
        self.material.set_albedo(color);
        server.mesh_surface_set_material(self.mesh, 0, self.material.get_rid());
    }
}

impl Drop for RouteMesh {
    fn drop(&mut self) {
        let mut server = RenderingServer::singleton();
        server.free_rid(self.instance);
        server.free_rid(self.mesh);
    }
}

impl Agent {
    /// Draws what is left of the route, or nothing any more.
    pub(super) fn show_route(&mut self) {
        let node = match &self.seat {
            Seat::Plane(node) => return node.clone().queue_redraw(),
            Seat::Space(node) => node,
        };
        if !self.debug_enabled || !node.is_inside_tree() {
            self.route_mesh = None;
            return;
        }
        let scenario = node.get_world_3d().map_or(Rid::Invalid, |world| world.get_scenario());
        let (points, up) = self.band();
        let mesh = self.route_mesh.get_or_insert_with(|| RouteMesh::new(scenario));
        mesh.draw(points.as_slice(), up, self.debug_path_width as f32, self.debug_path_color);
    }

    /// What is left of the route, on the ground, and which way is up there.
    fn band(&self) -> (PackedVector3Array, Vector3) {
        let way = self.known.and_then(|known| known.frame).filter(|_| self.walker.is_under_way());
        let (Some(frame), Some(space)) = (way, self.link.space()) else {
            return (PackedVector3Array::new(), Vector3::UP);
        };
        let place = self.seat.place();
        let here = frame.point(place);
        let is_between = self.is_between_storeys();
        let here = (!is_between).then_some(&here);
        let rest = self.walker.points().iter().skip(self.walker.next_index());
        let points = here.into_iter().chain(rest).map(|point| (point.x, point.y));
        let space = space.bind();
        let mut band = space.line_on_ground(points);
        if is_between {
            band.insert(0, place);
        }
        (band, space.to_global().basis.col_b())
    }
}
