//! The overlay: bodies by what they are doing, and of chosen agents their place, what they wait for, and why in words.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

use godot::classes::ThemeDb;
use godot::prelude::*;
use pathforge_core::crowd::{AgentTrace, AgentView};

use super::drawing::extent;
use super::{PathForgeCrowd, ids_of};

/// The height of labels, on the screen.
const LABEL_PX: f32 = 13.0;
/// The arms of the cross at the place of an agent, in parts of its radius.
const CROSS: f32 = 0.6;
const COLOR_WAIT: Color = Color::from_rgb(1.0, 0.35, 0.25);

/// Lines of several colours, drawn at once.
#[derive(Default)]
struct Lines {
    points: PackedVector2Array,
    colors: PackedColorArray,
}

impl Lines {
    fn add(&mut self, from: Vector2, to: Vector2, color: Color) {
        self.points.push(from);
        self.points.push(to);
        self.colors.push(color);
    }
}

/// Points along the outline of an agent around its centre, in cells: three on each rounded corner.
fn outline(view: &AgentView) -> [Vector2; 12] {
    let core = Vector2::new(view.half[0], view.half[1]) - Vector2::ONE * view.rounding;
    std::array::from_fn(|n| {
        let quarter = (n / 3) as f32 * FRAC_PI_2;
        // A corner of the core, and on from there.
        let corner = Vector2::from_angle(quarter + FRAC_PI_4).sign() * core;
        corner + Vector2::from_angle(quarter + (n % 3) as f32 * FRAC_PI_4) * view.rounding
    })
}

impl PathForgeCrowd {
    /// Draws, within the engine's call.
    pub(super) fn draw_overlay(&mut self) {
        let count = self.crowd.len();
        self.look.overlay_shown = self.debug_enabled;
        if !self.debug_enabled || count == 0 {
            return;
        }
        let Some(grid) = self.resolve_grid() else { return };
        let to_item = self.base().get_global_transform().affine_inverse() * grid.get_global_transform();
        let agents_max = usize::try_from(self.debug_max_agents).unwrap_or(0);
        let mut lines = Lines::default();
        if count <= agents_max {
            self.add_bodies(to_item, &mut lines);
        }
        let traces: Vec<AgentTrace> = ids_of(&self.debug_agents)
            .into_iter()
            .take(agents_max)
            .filter_map(|id| self.crowd.trace(id))
            .collect();
        for trace in &traces {
            self.add_trace(trace, to_item, &mut lines);
        }
        if !lines.points.is_empty() {
            self.base_mut().draw_multiline_colors(&lines.points, &lines.colors);
        }
        for trace in &traces {
            self.draw_label(trace, to_item);
        }
    }

    /// Outlines and velocities of all agents.
    fn add_bodies(&self, to_item: Transform2D, lines: &mut Lines) {
        let geometry = self.geometry;
        let frame = geometry.transform();
        for view in self.crowd.views_unordered() {
            let at = geometry.local_of(view.x, view.y);
            let color = self.color_of(view.state);
            let ring = outline(&view).map(|corner| frame.a * corner.x + frame.b * corner.y);
            for (n, &corner) in ring.iter().enumerate() {
                let next = ring[(n + 1) % ring.len()];
                lines.add(to_item * (at + corner), to_item * (at + next), color);
            }
            let velocity = frame.a * view.vx + frame.b * view.vy;
            lines.add(to_item * at, to_item * (at + velocity * 0.25), color);
        }
    }

    /// A line to the place of an agent with a cross there, and one to the agent that it waits for.
    fn add_trace(&mut self, trace: &AgentTrace, to_item: Transform2D, lines: &mut Lines) {
        let geometry = self.geometry;
        let local = |[x, y]: [f64; 2]| geometry.local_of(x, y);
        let at = local([trace.view.x, trace.view.y]);
        let color = self.color_of(trace.view.state);
        if let Some(place) = trace.place.map(local) {
            let arm = extent(geometry.transform(), [trace.view.radius; 2]) * CROSS;
            let other_arm = Vector2::new(arm.x, -arm.y);
            lines.add(to_item * at, to_item * place, color);
            lines.add(to_item * (place - arm), to_item * (place + arm), color);
            lines.add(to_item * (place - other_arm), to_item * (place + other_arm), color);
        }
        let other = trace.wait.and_then(|wait| self.crowd.view(wait.id()?));
        if let Some(other) = other {
            lines.add(to_item * at, to_item * local([other.x, other.y]), COLOR_WAIT);
        }
    }

    /// What an agent does, above its outline, as large on the screen at any zoom.
    fn draw_label(&mut self, trace: &AgentTrace, to_item: Transform2D) {
        let Some(font) = ThemeDb::singleton().get_fallback_font() else { return };
        let color = self.color_of(trace.view.state);
        let on_screen = self.base().get_global_transform_with_canvas();
        let scale = (on_screen.a.length() * on_screen.b.length()).sqrt().max(1e-6);
        let at = to_item * self.geometry.local_of(trace.view.x, trace.view.y);
        let above = Vector2::UP * (trace.view.half[1] * self.cell_px() as f32 + 3.0 / scale);
        let text = format!("{} {trace}", trace.view.id);
        let mut item = self.base_mut();
        item.draw_set_transform_ex(at + above).scale(Vector2::ONE / scale).done();
        item.draw_string_outline_ex(&font, Vector2::ZERO, &text)
            .font_size(LABEL_PX as i32)
            .size(4)
            .modulate(Color::from_rgba(0.0, 0.0, 0.0, 0.8))
            .done();
        item.draw_string_ex(&font, Vector2::ZERO, &text).font_size(LABEL_PX as i32).modulate(color).done();
        item.draw_set_transform(Vector2::ZERO);
    }
}
