//! The overlay: bodies by what they are doing, and of chosen agents their place, what they wait for, and why
//! in words.
//!
//! It is read from the core's traces in each frame. Lines are drawn in the local space of the crowd; labels
//! and the legend in pixels of the screen, where labels that would lie on each other are moved apart.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

use godot::classes::{Font, ThemeDb};
use godot::prelude::*;
use pathforge_core::crowd::{AgentState, AgentTrace, AgentView};

use super::drawing::extent;
use super::{PathForgeCrowd, ids_of};
use crate::overlay::ground;

/// The height of letters, on the screen.
const LETTERS_PX: i32 = 13;
/// Between labels, and between words of the legend.
const GAP_PX: f32 = 2.0;
/// A screen has no room for more labels; lines are drawn of all chosen agents.
const LABELS_MAX: usize = 100;
/// The arms of the cross at the place of an agent, in parts of its radius.
const CROSS: f32 = 0.6;
/// The second outline of a chosen agent, in sizes of the first.
const CHOSEN_OUTLINE: f32 = 1.3;
/// No state has it, not even nearly, unless the game gives it to one.
const COLOR_WAIT: Color = Color::from_rgb(0.25, 0.8, 1.0);
const COLOR_LEADER: Color = Color::from_rgba(1.0, 1.0, 1.0, 0.35);
/// All states by their numbers, in words.
/// The most agents that are drawn.
const DRAWN_MAX: usize = 4000;

pub(super) const STATES: [(AgentState, &str); 6] = [
    (AgentState::Idle, "Idle"),
    (AgentState::Moving, "Moving"),
    (AgentState::Waiting, "Waiting"),
    (AgentState::Arrived, "Arrived"),
    (AgentState::Stuck, "Stuck"),
    (AgentState::Blocked, "Blocked"),
];

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

/// What an agent does, in words, in pixels of the screen.
struct Label {
    /// The top of the agent's outline.
    anchor: Vector2,
    area: Rect2,
    text: String,
    color: Color,
}

/// Moves labels up or down off each other, each as little as it can within the screen. The first keep their
/// places, so that labels do not change places from frame to frame.
fn spread(labels: &mut [Label], screen: Rect2) {
    for n in 1..labels.len() {
        let (placed, rest) = labels.split_at_mut(n);
        let area = rest[0].area;
        let line = Vector2::DOWN * (area.size.y + GAP_PX);
        // A label covers at most two of these lines, so one of them is free.
        let moves = (0..=2 * n).map(|k| if k % 2 == 0 { k as f32 / -2.0 } else { k.div_ceil(2) as f32 });
        let moved = moves.map(|lines| Rect2::new(area.position + line * lines, area.size));
        let is_free = |area: &Rect2| placed.iter().all(|other| !other.area.intersects(*area));
        let free = moved.filter(|area| screen.encloses(*area)).find(is_free);
        rest[0].area = free.unwrap_or(area);
    }
}

fn size_of(font: &Gd<Font>, text: &str) -> Vector2 {
    font.get_string_size_ex(text).font_size(LETTERS_PX).done()
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
        let mut lines = Lines::default();
        if count <= DRAWN_MAX {
            self.add_bodies(to_item, &mut lines);
        }
        let traces: Vec<AgentTrace> = ids_of(&self.debug_agents)
            .into_iter()
            .take(DRAWN_MAX)
            .filter_map(|id| self.crowd.trace(id))
            .collect();
        for trace in &traces {
            self.add_trace(trace, to_item, &mut lines);
        }
        if !lines.points.is_empty() {
            self.base_mut().draw_multiline_colors(&lines.points, &lines.colors);
        }
        self.draw_words(&traces, to_item);
    }

    /// Outlines and velocities of all agents.
    fn add_bodies(&self, to_item: Transform2D, lines: &mut Lines) {
        let frame = self.geometry.transform();
        for view in self.crowd.views_unordered() {
            self.add_outline(&view, 1.0, to_item, lines);
            let at = self.geometry.local_of(view.x, view.y);
            let velocity = frame.a * view.vx + frame.b * view.vy;
            lines.add(to_item * at, to_item * (at + velocity * 0.25), self.color_of(view.state));
        }
    }

    /// The outline of an agent, `times` as large.
    fn add_outline(&self, view: &AgentView, times: f32, to_item: Transform2D, lines: &mut Lines) {
        let at = self.geometry.local_of(view.x, view.y);
        let frame = self.geometry.transform();
        let ring = outline(view).map(|corner| (frame.a * corner.x + frame.b * corner.y) * times);
        for (n, &corner) in ring.iter().enumerate() {
            let next = ring[(n + 1) % ring.len()];
            lines.add(to_item * (at + corner), to_item * (at + next), self.color_of(view.state));
        }
    }

    /// A second outline, a line to the place of an agent with a cross there, and one to the agent that it
    /// waits for.
    fn add_trace(&mut self, trace: &AgentTrace, to_item: Transform2D, lines: &mut Lines) {
        let geometry = self.geometry;
        let local = |[x, y]: [f64; 2]| geometry.local_of(x, y);
        let at = local([trace.view.x, trace.view.y]);
        let color = self.color_of(trace.view.state);
        self.add_outline(&trace.view, CHOSEN_OUTLINE, to_item, lines);
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

    /// What chosen agents do, above their outlines, and the legend; as large on the screen at any zoom.
    fn draw_words(&mut self, traces: &[AgentTrace], to_item: Transform2D) {
        let Some(font) = ThemeDb::singleton().get_fallback_font() else { return };
        let on_ground = ground::ground_pixels_of(&self.to_gd().upcast());
        let (to_screen, screen) = on_ground.unwrap_or_else(|| {
            (self.base().get_global_transform_with_canvas(), self.base().get_viewport_rect())
        });
        // Squeezed to a line or a point, it has no inverse, and nothing of it can be seen.
        let area = to_screen.determinant().abs();
        if !(area.is_finite() && area > 0.0) {
            return;
        }
        let mut labels: Vec<Label> = traces
            .iter()
            .filter_map(|trace| self.label_of(trace, to_screen * to_item, screen, &font))
            .take(LABELS_MAX)
            .collect();
        spread(&mut labels, screen);
        let legend = self.legend(screen, !traces.is_empty(), &font);
        let ascent = Vector2::DOWN * font.get_ascent_ex().font_size(LETTERS_PX).done();
        let mut item = self.base_mut();
        item.draw_set_transform_matrix(to_screen.affine_inverse());
        for label in &labels {
            let area = label.area;
            let y = label.anchor.y.max(area.position.y).min(area.end().y);
            item.draw_line(label.anchor, Vector2::new(area.position.x, y), COLOR_LEADER);
        }
        for Label { area, text, color, .. } in labels.iter().chain(&legend) {
            let at = area.position + ascent;
            item.draw_string_outline_ex(&font, at, text)
                .font_size(LETTERS_PX)
                .size(4)
                .modulate(Color::from_rgba(0.0, 0.0, 0.0, 0.8))
                .done();
            item.draw_string_ex(&font, at, text).font_size(LETTERS_PX).modulate(*color).done();
        }
        item.draw_set_transform(Vector2::ZERO);
    }

    /// The label of an agent, if it is on the screen.
    fn label_of(
        &self,
        trace: &AgentTrace,
        to_screen: Transform2D,
        screen: Rect2,
        font: &Gd<Font>,
    ) -> Option<Label> {
        let view = &trace.view;
        let center = self.geometry.local_of(view.x, view.y);
        let up = extent(self.geometry.transform(), view.half) * Vector2::UP;
        let anchor = to_screen * (center + up);
        if !screen.contains_point(anchor) {
            return None;
        }
        let text = format!("{} {trace}", view.id);
        let size = size_of(font, &text);
        // Whole, at the right edge as well.
        let left = anchor.x.min(screen.end().x - size.x);
        let area = Rect2::new(Vector2::new(left, anchor.y - size.y - GAP_PX), size);
        Some(Label { anchor, area, text, color: self.color_of(view.state) })
    }

    /// What the colours mean, at the lower left of the screen.
    fn legend(&self, screen: Rect2, has_chosen: bool, font: &Gd<Font>) -> Vec<Label> {
        let states = STATES.map(|(state, name)| (name, self.color_of(state)));
        let chosen = [("cross: its place", Color::WHITE), ("blue line: what it waits for", COLOR_WAIT)];
        let mut anchor = screen.position + Vector2::new(GAP_PX * 4.0, screen.size.y - 24.0);
        let words = states.into_iter().chain(chosen.into_iter().filter(|_| has_chosen));
        words
            .map(|(text, color)| {
                let area = Rect2::new(anchor, size_of(font, text));
                anchor.x += area.size.x + GAP_PX * 6.0;
                Label { anchor, area, text: text.to_owned(), color }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(x: f32, y: f32) -> Label {
        let area = Rect2::new(Vector2::new(x, y), Vector2::new(90.0, 18.0));
        Label { anchor: area.position, area, text: String::new(), color: Color::WHITE }
    }

    #[test]
    fn labels_are_moved_off_each_other_within_the_screen() {
        let screen = Rect2::new(Vector2::ZERO, Vector2::new(1280.0, 720.0));
        let mut labels: Vec<Label> =
            (0..40).map(|n| label(600.0 + (n % 7) as f32 * 31.0, 300.0 + (n % 5) as f32 * 7.0)).collect();
        spread(&mut labels, screen);
        assert_eq!(labels[0].area.position, labels[0].anchor);
        for (n, one) in labels.iter().enumerate() {
            assert!(screen.encloses(one.area));
            assert!(labels[..n].iter().all(|other| !other.area.intersects(one.area)));
        }
    }

    #[test]
    fn where_no_line_is_free_labels_stay() {
        let screen = Rect2::new(Vector2::ZERO, Vector2::new(200.0, 40.0));
        let mut labels: Vec<Label> = (0..9).map(|_| label(5.0, 5.0)).collect();
        spread(&mut labels, screen);
        assert_eq!(labels[8].area, label(5.0, 5.0).area);
        // So far out that a line is less than the step between numbers.
        spread(&mut [label(1e30, 1e30), label(1e30, 1e30), label(f32::NAN, f32::NAN)], screen);
    }
}
