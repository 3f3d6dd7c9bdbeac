//! What is kept of an agent beside what its neighbours read: what moves it, how it gets on along its guide, its
//! priority, and its place.
//!
//! Neighbours read its [`Body`]. The behaviour is private: it changes by [`Agent::meet`] only, which asks the
//! table in `behaviour`.

use super::avoidance::Avoidance;
use super::behaviour::{AgentState, Behaviour, Cause};
use super::body::Body;
use super::control::Control;
use super::crossing::Crossing;
use super::priority::Priority;
use super::progress::Progress;
use super::routes::{NO_GUIDE, PATH_GUIDE};
use super::slot::Slot;
use super::spec::AgentSpec;
use crate::crowd::numbers::millis::Millis;
use crate::crowd::numbers::vector::V;

/// What is kept of an agent beside its [`Body`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::crowd) struct Agent {
    pub id: u32,
    /// The number of its kind.
    pub kind: u16,
    behaviour: Behaviour,
    /// What leads it.
    pub guide: u32,
    pub control: Control,
    pub progress: Progress,
    pub priority: Priority,
    pub slot: Slot,
    pub avoidance: Avoidance,
}

crate::bytes::saved_fields!(Agent {
    id: u32,
    kind: u16,
    behaviour: Behaviour,
    guide: u32,
    control: Control,
    progress: Progress,
    priority: Priority,
    slot: Slot,
} but avoidance);

impl Agent {
    /// Returns an agent that does nothing yet, at `at`.
    pub fn new(id: u32, spec: &AgentSpec, at: V, is_driven: bool) -> Self {
        Self {
            id,
            kind: spec.kind,
            behaviour: Behaviour::Idle,
            guide: NO_GUIDE,
            control: Control { speed: spec.speed, is_driven, driven_at: at, ..Control::default() },
            progress: Progress::default(),
            priority: Priority::default(),
            slot: Slot::at(at),
            avoidance: Avoidance::default(),
        }
    }

    /// Returns what it does.
    #[inline]
    pub const fn behaviour(&self) -> Behaviour {
        self.behaviour
    }

    /// Does what the table of behaviours has for `cause`.
    #[inline]
    pub const fn meet(&mut self, cause: Cause) {
        self.behaviour = self.behaviour.after(cause);
    }

    /// Takes a guide, or none, from `at`, and forgets all about the one before.
    pub fn begin(&mut self, guide: u32, at: V) {
        self.guide = guide;
        self.meet(if guide == NO_GUIDE { Cause::Stopped } else { Cause::Ordered });
        // Nothing of the order before may end, or count towards, the new one.
        self.progress = Progress::default();
        self.slot = Slot::at(at);
        self.stop_exceptions();
    }

    /// Rests from now on, at `at` or in its place.
    pub fn settle(&mut self, at: V) {
        self.meet(if self.guide == NO_GUIDE { Cause::Stopped } else { Cause::Arrived });
        if !self.slot.is_given {
            self.slot.home = at;
        }
        self.slot.is_wanted = false;
        self.stop_exceptions();
        // What was announced, and the point of the path for one that is pushed off, outlast the rest.
        self.progress = Progress {
            cursor: self.progress.cursor,
            has_arrived: self.progress.has_arrived,
            blocked_at: self.progress.blocked_at,
            ..Progress::default()
        };
    }

    /// Neither yields nor ghosts any more, nor has a priority that is not its own.
    const fn stop_exceptions(&mut self) {
        (self.priority.gives_way, self.priority.lent) = (Millis::ZERO, Millis::ZERO);
        (self.control.ghosts, self.control.shoves) = (Millis::ZERO, Millis::ZERO);
    }

    /// Goes back to where it rested, because it was released or displaced.
    pub fn go_back(&mut self, why: Cause) {
        self.meet(why);
        // How far it was when it settled is still its rank among those that rest.
        let left = self.progress.left;
        self.progress.forget_distances();
        self.progress.forget_times();
        self.progress.left = left;
    }

    /// Was thrown to `at`: one that had arrived goes back to its place, one that does nothing stays.
    pub fn land(&mut self, at: V) {
        self.progress.forget_distances();
        match self.behaviour() {
            // It had nothing to go back to.
            Behaviour::Idle => self.slot.home = at,
            Behaviour::Settled => self.go_back(Cause::Displaced),
            _ => {}
        }
    }

    /// Returns the place that it takes from others, with its body at `at`: its own, unless it rests short of
    /// one in a formation.
    pub const fn rests_at(&self, at: V) -> V {
        let is_away = self.behaviour.rests() && self.slot.is_short && self.slot.is_given;
        if is_away { at } else { self.slot.home }
    }

    /// Stays where it rests, at `at`: that is near enough.
    pub const fn stay(&mut self, at: V) {
        (self.slot.home, self.slot.is_short) = (self.rests_at(at), false);
    }

    /// Returns `true` if a field leads it to a goal around which its group gathers.
    #[inline]
    pub const fn gathers(&self) -> bool {
        self.guide & PATH_GUIDE == 0 && !self.slot.is_given
    }

    /// Returns for how long it has made no headway on its way.
    pub const fn without_headway(&self) -> Millis {
        if self.gathers() { self.progress.stall } else { self.progress.no_nearer }
    }

    /// Returns `true` if it goes back to where it rested.
    #[inline]
    pub const fn goes_back(&self) -> bool {
        self.behaviour.is_homing() && (!self.slot.is_given || self.progress.has_arrived)
    }

    /// Returns `true` if it has a place from which its field leads to the goal: it may walk there by another
    /// point.
    pub const fn may_go_by_way(&self) -> bool {
        self.slot.is_given && self.guide & PATH_GUIDE == 0
    }

    /// Returns `true` if it walks to another point first.
    pub fn goes_by_way(&self) -> bool {
        self.may_go_by_way() && self.slot.via.map(f32::to_bits) != self.slot.home.map(f32::to_bits)
    }

    /// Returns what its body shows of it whatever it does.
    #[inline]
    pub const fn shown(&self) -> u32 {
        let driven = if self.control.goes_by_itself() { Body::DRIVEN } else { 0 };
        let paused = if self.control.is_paused { Body::HELD } else { 0 };
        let arrived = if self.progress.has_arrived { Body::ARRIVED } else { 0 };
        let aside = if self.behaviour.is_aside() { Body::ASIDE } else { 0 };
        driven | paused | arrived | aside | Body::shown_class(self.priority.class)
    }

    /// Returns its own priority number: by class, then by id. The lower number goes first.
    pub const fn own_rank(&self) -> u32 {
        self.priority.own_rank(self.id)
    }

    /// Returns the state that scripts see. One that has arrived, or has nothing to do, does not count as
    /// waiting or moving while it makes way.
    pub fn state(&self) -> AgentState {
        if self.guide == NO_GUIDE {
            AgentState::Idle
        } else if self.progress.has_arrived {
            AgentState::Arrived
        } else if self.control.crossing == Crossing::Asks {
            AgentState::Waiting
        } else if self.progress.is_kept_off() {
            AgentState::Blocked
        } else if !matches!(self.behaviour, Behaviour::Settled) {
            self.behaviour.state()
        } else {
            AgentState::Waiting
        }
    }
}
