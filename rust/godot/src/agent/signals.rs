//! What scripts see of an agent: signals, from the events of its walker; what they ask in every frame, which is published beside the
//! object; and its path in global space.

use godot::prelude::*;
use pathforge_core::walker::{Event, Point};

use super::PathForgeAgent2D;
use super::velocity::VelocitySlot;
use crate::grid::CellFrame;
use crate::path::PathForgePath;

/// What scripts ask an agent in every frame, under a lock of its own: see [`crate::state`].
#[derive(Default)]
pub struct Published {
    pub target: Option<Vector2>,
    /// There is something to walk to, or to wait for.
    pub is_navigating: bool,
    pub is_reached: bool,
    /// Nothing leads to where its crowd has sent it.
    pub is_cut_off: bool,
    pub velocity: VelocitySlot,
}

/// What is to be told after the borrow of the agent has ended.
pub enum Message {
    PathChanged,
    Failed(Gd<PathForgePath>),
    Waypoint(VarDictionary),
    TargetReached,
    Finished,
    Blocked,
}

impl PathForgeAgent2D {
    /// Publishes the walker's behaviour, and takes its events for signals; `refused` is the path that was refused where that is not the
    /// agent's own.
    pub(super) fn take_messages(&mut self, refused: Option<&Gd<PathForgePath>>) -> Vec<Message> {
        self.publish();
        let events = self.walker.take_events();
        events.into_iter().filter_map(|event| self.message(event, refused)).collect()
    }

    fn message(&self, event: Event, refused: Option<&Gd<PathForgePath>>) -> Option<Message> {
        Some(match event {
            Event::PathChanged => Message::PathChanged,
            Event::TargetReached => Message::TargetReached,
            Event::Finished => Message::Finished,
            Event::Failed(_) => Message::Failed(refused.or(self.path.as_ref())?.clone()),
            Event::Blocked => Message::Blocked,
            Event::Waypoint { index, position } => {
                let mut details = VarDictionary::new();
                details.set("position", self.position_of(&self.known?.frame?, position));
                details.set("index", index as i64);
                Message::Waypoint(details)
            }
        })
    }

    /// Writes what scripts ask in every frame.
    pub(super) fn publish(&self) {
        let mut published = self.published.lock();
        published.is_navigating = !self.walker.is_finished();
        published.is_reached = self.walker.is_target_reached();
        published.is_cut_off = self.walker.is_cut_off();
    }

    /// Emits what has happened, one after the other, while the agent is there.
    pub fn tell(this: &Gd<Self>, messages: Vec<Message>) {
        for message in messages {
            // A handler of the one before may have freed it.
            if !this.is_instance_valid() {
                return;
            }
            match message {
                Message::PathChanged => this.signals().path_changed().emit(),
                Message::Failed(path) => this.signals().navigation_failed().emit(&path),
                Message::Waypoint(details) => this.signals().waypoint_reached().emit(&details),
                Message::TargetReached => this.signals().target_reached().emit(),
                Message::Finished => this.signals().navigation_finished().emit(),
                Message::Blocked => this.signals().blocked_by_others().emit(),
            }
        }
    }

    /// The positions of the path in global space.
    pub(super) fn positions(&self) -> Vec<Vector2> {
        let Some(frame) = self.known.and_then(|known| known.frame) else { return Vec::new() };
        self.walker.points().iter().map(|&point| self.position_of(&frame, point)).collect()
    }

    /// A point in global space: exactly what a script has set where it is the target.
    pub(super) fn position_of(&self, frame: &CellFrame, point: Point) -> Vector2 {
        // As the script gave it: to cells and back it would come out a little off.
        let target = self.target().filter(|_| self.walker.target() == Some(point));
        target.unwrap_or_else(|| frame.position(point))
    }

    /// Draws what is left of the path.
    pub(super) fn draw_path(&mut self) {
        if !self.debug_enabled || !self.walker.is_under_way() {
            return;
        }
        let to_local = self.base().get_global_transform().affine_inverse();
        let place = self.base().get_global_position();
        let rest = self.positions().into_iter().skip(self.walker.next_index());
        let points: PackedVector2Array =
            std::iter::once(place).chain(rest).map(|point| to_local * point).collect();
        let (color, width) = (self.debug_path_color, self.debug_path_width);
        self.base_mut().draw_polyline_ex(&points, color).width(width).done();
    }
}
