//! The body and its agent of the crowd: what a walker tells the crowd of its walk, and what it makes of what
//! the crowd tells.
//!
//! Two may lead one body: the walker along a path to a target, or the crowd to where it has sent the agent.
//! *Led* is the second. Then there is no target, and a new one ends the order.
//!
//! What the agent of the crowd does follows the walk: [`Order::Send`] gives it a course, so it is travelling
//! and yields like all others; [`Order::Rest`] lets it settle where it has arrived, and makes it idle
//! elsewhere.

use super::behaviour::{Behaviour, Cause, End};
use super::requests::Purpose;
use super::{Event, Ground, Point, Polyline, Walker};
use crate::geometry::Cell;
use crate::world::Reason;

/// What a crowd is to be told of a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// It is on its way to a cell by a path of its own.
    Send(Cell),
    /// It is at the end of its path, or has none, or no target any more.
    Rest {
        /// It has arrived: this is its place.
        has_arrived: bool,
    },
    /// It rests beside others, off its target, and goes on when they leave.
    Wait,
}

/// What a crowd tells a body that is one of its agents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notice {
    /// It is sent somewhere, by a guide of the crowd.
    Sent,
    /// It is stopped.
    Stopped,
    /// It rests: where it was sent, or beside others that are at its target.
    Rests,
    /// It is stuck among others.
    Stuck,
    /// It rests far from where it goes, behind others.
    Blocked,
    /// Nothing leads to where it was sent, for this reason.
    CutOff(Option<Reason>),
    /// Something leads there again.
    LedOn,
    /// It is no agent any more.
    LetGo,
}

impl Walker {
    /// The crowd says that the body comes no nearer to where it goes. On its way, it asks for a way round if
    /// others stand on what is left of its path: on these cells, of
    /// [`Crowd::standing`](crate::crowd::Crowd::standing); where there is none, it stays until they leave.
    /// One that was pushed off the end of its path is beside others. Behind a wall it asks for a path, unless
    /// its own stops short. A body that came to rest beside others does so, too.
    pub fn hinder(&mut self, ground: &Ground<'_>, position: Point, standing: &[Cell]) {
        if let (Behaviour::Finished(by), Some(end)) = (self.behaviour, self.end()) {
            let is_near =
                || end.distance(position) <= ground.body_length() || self.is_at_its_end(ground, position);
            match by {
                End::Reached => {}
                End::Short | End::Beside if is_near() => {}
                // Its crowd leads it there as soon as none is before it.
                End::Beside if ground.has_room(position, end) => {}
                _ if ground.has_room(position, end) => {
                    self.route = Polyline::new(vec![end]);
                    self.change(Cause::KeptOff);
                }
                // Those that share the end of a path that stops short would push each other off it for ever.
                End::Short => {}
                End::Pushed | End::Beside => self.walk_back(),
            }
            return;
        }
        let Some(start) = ground.start(position).filter(|_| self.is_walking()) else { return };
        let footprint = ground.profile.footprint;
        // Others may reach into the cells of its own placement.
        let own = footprint.at(start);
        let is_new = |cell: &Cell| !self.past.contains(cell) && !own.contains(*cell);
        let new: Vec<Cell> = standing.iter().copied().filter(is_new).collect();
        let is_needed = self.requests.wanted == Some(Purpose::Replace);
        if !is_needed && self.route.enters(footprint, position, &new) {
            self.requests.wanted = Some(Purpose::GoRound);
            self.past.extend(standing);
        }
    }

    /// Takes note of what the crowd tells.
    pub fn hear(&mut self, notice: Notice) {
        match notice {
            Notice::Sent => {
                self.forget();
                self.change(Cause::Sent);
            }
            Notice::Stopped => {
                self.stop();
            }
            Notice::Rests => self.rest_by_crowd(),
            // Of a target that is none any more, nothing is told.
            Notice::Stuck | Notice::Blocked if self.is_untold => {}
            Notice::Stuck | Notice::Blocked => self.events.push(Event::Blocked),
            Notice::CutOff(reason) => {
                // The crowd may find this out in the step in which a script sets a target.
                if self.is_led() {
                    self.events.push(Event::Failed(reason));
                    self.change(Cause::CutOff);
                }
            }
            Notice::LedOn => self.change(Cause::LedOn),
            Notice::LetGo => {
                self.told = None;
                self.change(Cause::LetGo);
            }
        }
    }

    /// Returns what the crowd is to be told before a step: what has become of the walk since it was told
    /// last. Ask until there is nothing more: one that is at its target at once is sent there first.
    pub fn take_order(&mut self) -> Option<Order> {
        let sent = self.goal.map(|goal| Order::Send(goal.cell));
        let rest = Order::Rest { has_arrived: self.is_at_path_end() };
        let now = match self.behaviour {
            Behaviour::Walking(_) | Behaviour::Settling => sent?,
            Behaviour::Finished(End::Beside) => Order::Wait,
            Behaviour::Finished(_) if self.told.is_some() => rest,
            Behaviour::Finished(_) if self.is_at_path_end() => sent?,
            _ => return None,
        };
        self.is_untold = false;
        (self.told.replace(now) != Some(now)).then_some(now)
    }

    fn rest_by_crowd(&mut self) {
        // Only an agent that is on its way rests for a goal; others come back to where they rest.
        let is_sent = matches!(self.told, Some(Order::Send(_))) && !self.is_finished();
        if is_sent || self.is_led() {
            self.told = Some(Order::Wait);
            self.requests.drop_all();
            // Others lead it from here on, perhaps to where it was to go.
            let leads_there = matches!(self.behaviour, Behaviour::Walking(walk) if self.is_end_of(walk));
            let end = self.end().filter(|_| leads_there);
            self.route = Polyline::new(end.into_iter().collect());
            self.change(Cause::Rested);
        }
    }

    /// An order of the crowd ends, as there is a target; returns what the crowd is to be told.
    pub(super) fn leave_order(&self) -> Option<Order> {
        matches!(self.behaviour, Behaviour::Led(_)).then_some(Order::Rest { has_arrived: false })
    }
}
