//! The agent as scripts see it: signals, from the events of its walker; its path in global space; and answers
//! for every frame, which are published beside the object.

use godot::prelude::*;
use pathforge_core::walker::{Event, Point};

use super::velocity::VelocitySlot;
use super::{Agent, AgentNode};
use crate::answers::path::PathForgePath;
use crate::map::grid::CellFrame;

/// What scripts ask an agent in every frame, under a lock of its own: see [`crate::engine::state`].
#[derive(Default)]
pub struct Published {
    pub target: Option<Vector3>,
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
    /// With where the agent puts the body, if the link takes no time.
    LinkReached(VarDictionary, Option<Vector3>),
    LinkLeft(VarDictionary),
    TargetReached,
    Finished,
    Blocked,
}

impl Message {
    /// The signal that tells it, and its argument, if it has one.
    pub(super) fn signal(self) -> (&'static str, Option<Variant>) {
        match self {
            Self::PathChanged => ("path_changed", None),
            Self::Failed(path) => ("navigation_failed", Some(path.to_variant())),
            Self::Waypoint(details) => ("waypoint_reached", Some(details.to_variant())),
            Self::LinkReached(details, _) => ("link_reached", Some(details.to_variant())),
            Self::LinkLeft(details) => ("link_left", Some(details.to_variant())),
            Self::TargetReached => ("target_reached", None),
            Self::Finished => ("navigation_finished", None),
            Self::Blocked => ("blocked_by_others", None),
        }
    }
}

impl Agent {
    /// Publishes the walker's behaviour, and takes its events for signals; `refused` is the path that was
    /// refused where that is not the agent's own.
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
            Event::LinkReached { id, index } => self.link_message(id, index, true)?,
            Event::LinkLeft { id, index } => self.link_message(id, index, false)?,
            Event::Waypoint { index, position } => {
                let mut details = VarDictionary::new();
                let position = self.link.grounded(self.position_of(&self.known?.frame?, position));
                details.set("position", &self.seat.vector(position));
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
    pub fn tell(this: &AgentNode, messages: Vec<Message>) {
        for message in messages {
            // A handler of the one before may have freed it.
            if !this.is_instance_valid() {
                return;
            }
            let place = if let Message::LinkReached(_, place) = &message { *place } else { None };
            let (signal, argument) = message.signal();
            this.node().emit_signal(signal, argument.as_slice());
            if let Some(place) = place.filter(|_| this.is_instance_valid()) {
                Self::put_at(this, place);
            }
        }
    }

    /// The positions of the path in global space, on the ground.
    pub(super) fn positions(&self) -> Vec<Vector3> {
        let Some(frame) = self.known.and_then(|known| known.frame) else { return Vec::new() };
        let place = |&point: &Point| self.link.grounded(self.position_of(&frame, point));
        self.walker.points().iter().map(place).collect()
    }

    /// Where the path ends, in global space; where the body is when there is none.
    pub(super) fn final_position(&self) -> Vector3 {
        let last = self.positions().last().copied();
        last.unwrap_or_else(|| self.seat.place())
    }

    /// How long the whole path is.
    pub(super) fn path_length(&self) -> f64 {
        let positions = self.positions();
        let lengths = positions.windows(2).map(|pair| f64::from(pair[0].distance_to(pair[1])));
        // An empty sum is a negative zero, which scripts print as "-0.0".
        lengths.fold(0.0, |sum, part| sum + part)
    }

    /// How far the target is from the body, without a borrow.
    pub(super) fn distance_to_target(this: &AgentNode) -> f64 {
        let target = this.state().lock().target;
        target.map_or(0.0, |target| f64::from(this.place().distance_to(target)))
    }

    /// A point in global space: exactly what a script has set where it is the target. In 3D it may be above
    /// or below the ground.
    pub(super) fn position_of(&self, frame: &CellFrame, point: Point) -> Vector3 {
        // As the script gave it: to cells and back it would come out a little off.
        let target = self.target().filter(|_| self.walker.target() == Some(point));
        target.unwrap_or_else(|| frame.position(point))
    }

    /// What is left of the path, from where the body is; empty while there is none, or it is not to be drawn.
    pub(super) fn route_left(&self) -> Vec<Vector3> {
        if !self.debug_enabled || !self.walker.is_under_way() {
            return Vec::new();
        }
        let rest = self.positions().into_iter().skip(self.walker.next_index());
        std::iter::once(self.seat.place()).chain(rest).collect()
    }
}
