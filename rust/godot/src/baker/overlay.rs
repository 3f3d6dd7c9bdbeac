//! The baker's overlay: the polygons of the last bake.

use godot::classes::RenderingServer;
use godot::prelude::*;
use pathforge_navmesh::{NavMesh, bake};

use super::PathForgeNavigationBaker;
use super::job::Job;
use crate::overlay;

const FLOOR: Color = Color::from_rgba(0.37, 0.82, 0.75, 0.95);
const HOLE: Color = Color::from_rgba(1.0, 0.76, 0.28, 0.95);
/// How strongly areas are filled.
const FILL: f32 = 0.16;

/// What is drawn.
#[derive(Default)]
pub struct BakeOverlay {
    /// Which bake is drawn, if any.
    shown: Option<u64>,
    mesh: NavMesh,
}

impl PathForgeNavigationBaker {
    /// Asks for a new drawing after a bake.
    pub(super) fn refresh_overlay(&mut self) {
        if self.wanted_bake() != self.overlay.shown {
            self.base_mut().queue_redraw();
        }
    }

    fn wanted_bake(&self) -> Option<u64> {
        let is_wanted = overlay::is_wanted(self.debug_enabled, self.debug_in_editor);
        (is_wanted && self.work.bakes > 0).then_some(self.work.bakes)
    }

    /// Draws, within the engine's call.
    pub(super) fn draw_overlay(&mut self) {
        let wanted = self.wanted_bake();
        if wanted != self.overlay.shown {
            // A bake that failed has said so.
            self.overlay.mesh = wanted.and_then(|_| self.mesh_of_result()).unwrap_or_default();
            self.overlay.shown = wanted;
        }
        let scale = self.base().get_global_transform_with_canvas().a.length().max(0.001);
        let mut lines = [PackedVector2Array::new(), PackedVector2Array::new()];
        for outline in self.overlay.mesh.outlines() {
            let points = outline.points.iter().map(|&[x, y]| Vector2::new(x, y));
            let target = &mut lines[usize::from(outline.is_hole)];
            let next = points.clone().cycle().skip(1);
            target.extend(points.zip(next).flat_map(|(a, b)| [a, b]));
        }
        self.fill();
        for (lines, color) in lines.iter().zip([FLOOR, HOLE]) {
            if !lines.is_empty() {
                self.base_mut().draw_multiline_ex(lines, color).width(2.0 / scale).done();
            }
        }
    }

    /// Fills the area, which is made of convex polygons.
    fn fill(&self) {
        let mesh = &self.overlay.mesh;
        let points: PackedVector2Array = mesh.vertices().iter().map(|&[x, y]| Vector2::new(x, y)).collect();
        let fans = mesh.polygons().flat_map(|polygon| {
            (2..polygon.len())
                .flat_map(move |i| [polygon[0] as i32, polygon[i - 1] as i32, polygon[i] as i32])
        });
        let indices: PackedInt32Array = fans.collect();
        if !indices.is_empty() {
            let item = self.base().get_canvas_item();
            let colors = PackedColorArray::from([FLOOR.with_alpha(FILL)]);
            RenderingServer::singleton().canvas_item_add_triangle_array(item, &indices, &points, &colors);
        }
    }

    /// The whole map as one mesh, also after a bake of a few chunks.
    fn mesh_of_result(&self) -> Option<NavMesh> {
        if let Some(sets) = &self.work.given {
            return Some(bake(&sets.floor, &sets.colliders, &self.settings));
        }
        let job = Job { collection: self.collection(), settings: self.settings, whole: true, chunks: None };
        job.run().ok()?.whole
    }
}
