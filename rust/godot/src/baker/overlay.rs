//! The baker's overlay: the outlines of one stage.

use godot::classes::RenderingServer;
use godot::prelude::*;
use pathforge_core::navmesh::{BakeStage, Outline};

use super::PathForgeNavigationBaker;
use crate::overlay;

const FLOOR: Color = Color::from_rgba(0.37, 0.82, 0.75, 0.95);
const COLLIDER: Color = Color::from_rgba(1.0, 0.55, 0.42, 0.95);
const HOLE: Color = Color::from_rgba(1.0, 0.76, 0.28, 0.95);
/// How strongly areas are filled.
const FILL: f32 = 0.16;

/// What is drawn, and what it is drawn from.
pub struct StageOverlay {
    pub stage: BakeStage,
    shown: Option<(BakeStage, u64)>,
    outlines: Vec<Outline>,
}

impl Default for StageOverlay {
    fn default() -> Self {
        Self { stage: BakeStage::Result, shown: None, outlines: Vec::new() }
    }
}

impl StageOverlay {
    /// Takes what is drawn for out of date.
    pub fn forget(&mut self) {
        self.outlines.clear();
    }
}

impl PathForgeNavigationBaker {
    /// Asks for a new drawing when another stage is to be seen.
    pub(super) fn refresh_overlay(&mut self) {
        let wanted = self.wanted_stage();
        if wanted != self.overlay.shown {
            self.base_mut().queue_redraw();
        }
    }

    fn wanted_stage(&self) -> Option<(BakeStage, u64)> {
        let is_wanted = overlay::is_wanted(self.debug_enabled, self.debug_in_editor);
        (is_wanted && self.work.bakes > 0).then_some((self.overlay.stage, self.work.bakes))
    }

    /// Draws, within the engine's call.
    pub(super) fn draw_overlay(&mut self) {
        let wanted = self.wanted_stage();
        let Some((stage, _)) = wanted else {
            self.overlay.shown = None;
            return;
        };
        if wanted != self.overlay.shown {
            // A bake that failed has said so.
            self.overlay.outlines = self.outlines(stage).unwrap_or_default();
            self.overlay.shown = wanted;
        }
        let color = if stage.name().starts_with("colliders") { COLLIDER } else { FLOOR };
        let scale = self.base().get_global_transform_with_canvas().a.length().max(0.001);
        let mut lines = [PackedVector2Array::new(), PackedVector2Array::new()];
        for outline in &self.overlay.outlines {
            let points = outline.points.iter().map(|&[x, y]| Vector2::new(x, y));
            let target = &mut lines[usize::from(outline.is_hole)];
            let next = points.clone().cycle().skip(1);
            target.extend(points.zip(next).flat_map(|(a, b)| [a, b]));
        }
        self.fill(stage, color);
        for (lines, color) in lines.iter().zip([color, HOLE]) {
            if !lines.is_empty() {
                self.base_mut().draw_multiline_ex(lines, color).width(2.0 / scale).done();
            }
        }
    }

    /// Fills the result's area, which is made of convex polygons.
    fn fill(&mut self, stage: BakeStage, color: Color) {
        if stage != BakeStage::Result {
            return;
        }
        let Some(mesh) = self.mesh_of_result() else { return };
        let points: PackedVector2Array = mesh.vertices().iter().map(|&[x, y]| Vector2::new(x, y)).collect();
        let fans = mesh.polygons().flat_map(|polygon| {
            (2..polygon.len())
                .flat_map(move |i| [polygon[0] as i32, polygon[i - 1] as i32, polygon[i] as i32])
        });
        let indices: PackedInt32Array = fans.collect();
        if !indices.is_empty() {
            let item = self.base().get_canvas_item();
            let colors = PackedColorArray::from([color.with_alpha(FILL)]);
            RenderingServer::singleton().canvas_item_add_triangle_array(item, &indices, &points, &colors);
        }
    }
}
