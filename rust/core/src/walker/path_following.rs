//! How a walker goes along its path: from where the body was and is, which point of the line it walks to now,
//! and if it is at the end.
//!
//! Between two looks the body walks straight; so whatever it is told to walk to, the line there is free for
//! the whole body.

use super::behaviour::{Behaviour, Cause, End, Walk};
use super::polyline::{LinkLeg, STEP_MAX};
use super::{Event, Ground, ON, Point, Settings, Walker};
use crate::world::Status;

/// A body that its game moves begins a link so near to where that begins, in cells.
const BEGIN: f64 = 0.5;
/// How far ahead a path that an edit touched is checked before the body goes on, in cells.
const LOOK_AHEAD: f64 = 1.5;

impl Walker {
    /// Takes note of where the body is; returns where it is to walk now, `position` if it is to stay there.
    /// Between two calls it may walk there in a straight line.
    pub fn advance(&mut self, ground: &Ground<'_>, position: Point) -> Point {
        // A body that is nowhere has come to nothing.
        if !(position.x.is_finite() && position.y.is_finite()) {
            return position;
        }
        let last = std::mem::replace(&mut self.last, position);
        // It goes on from where it is, not back to points of its path that lie behind it by now.
        let is_off = || position.distance(position.nearest_on(last, self.aim)) > STEP_MAX;
        if self.behaviour.is_under_way() && self.link_under().is_none() && is_off() {
            self.lose_path();
        }
        self.aim = self.next_aim(ground, (last, position));
        self.aim
    }

    fn next_aim(&mut self, ground: &Ground<'_>, (last, position): (Point, Point)) -> Point {
        match self.behaviour {
            Behaviour::Walking(walk) => self.walk(ground, (last, position), walk),
            Behaviour::Settling => self.settle(ground, (last, position)),
            Behaviour::Finished(End::Beside) => {
                if !self.route.points.is_empty() && self.is_at_its_end(ground, position) {
                    self.change(if self.fell_short() { Cause::LetGo } else { Cause::Ended });
                }
                position
            }
            Behaviour::Finished(End::Reached | End::Pushed) => {
                self.rest(ground, position);
                position
            }
            Behaviour::Idle | Behaviour::Asking | Behaviour::Finished(End::Short) | Behaviour::Led(_) => {
                position
            }
        }
    }

    /// Takes note of whether others have pushed the body off its target. A body's length is near enough: others
    /// may need the rest. Behind a wall it is not there, however near. Its crowd leads it straight, so it walks
    /// back by a path.
    fn rest(&mut self, ground: &Ground<'_>, position: Point) {
        let Some(end) = self.end() else { return };
        let (left, Settings { target_desired_distance, path_max_distance, .. }) =
            (ground.metric.distance(end, position), self.settings);
        let is_near = left <= target_desired_distance || end.distance(position) <= ground.body_length();
        let is_walled_off = is_near && ground.is_walled_off(position, end);
        let is_off = !is_near || is_walled_off;
        self.change(if is_off { Cause::PushedOff } else { Cause::Ended });
        // None brings back one that is in no crowd.
        if is_walled_off || self.told.is_none() && is_off && left > path_max_distance {
            self.walk_back();
        }
    }

    /// Asks for a path back to where the body was pushed off.
    pub(super) fn walk_back(&mut self) {
        self.past.clear();
        self.route = super::Polyline::default();
        self.change(Cause::CannotReturn);
        self.requests.need();
    }

    fn walk(&mut self, ground: &Ground<'_>, (last, position): (Point, Point), walk: Walk) -> Point {
        self.pass_points(ground, (last, position));
        let Some(next) = self.route.next_point() else { return position };
        if let Some(link) = self.route.link_ahead() {
            // It waits until it may enter.
            if link.bodies_max > 0 {
                return position;
            }
            self.enter_link();
        }
        if self.link_under().is_some() {
            if self.route.is_at_last() && self.route.is_at_link_end(last, position) {
                self.leave_link();
                self.change(Cause::Ended);
            }
            return next;
        }
        let is_there = self.is_at(ground, position, next) || self.route.has_crossed(last, position);
        if self.route.is_at_last() && is_there && self.is_end_of(walk) {
            // No path leads farther than the goal, so answers that are to come are of no use.
            if walk.status == Status::Complete {
                self.requests.drop_all();
            }
            self.change(Cause::Ended);
            return if ground.has_room(position, next) { next } else { position };
        }
        if self.route.distance(ground, position) > self.settings.path_max_distance {
            self.requests.need();
        }
        let Some(aim) = self.route.aim(ground, position) else {
            self.lose_path();
            return position;
        };
        if walk.is_in_doubt && !ground.has_room(position, position.toward(aim, LOOK_AHEAD)) {
            // Something was built there; another path is on its way.
            return position;
        }
        aim
    }

    /// Goes on to the points that the body has reached, and tells of them.
    fn pass_points(&mut self, ground: &Ground<'_>, (last, position): (Point, Point)) {
        let under = self.link_under().copied();
        // A body that no crowd leads is moved by its game, as near as that takes it.
        let link_reach = if self.told.is_none() { BEGIN } else { 0.0 };
        let reaches = [self.settings.path_desired_distance, link_reach];
        let reached = self.route.advance(ground, (last, position), reaches);
        for (index, position) in reached {
            if let Some(link) = under.filter(|link| link.index == index) {
                self.events.push(Event::LinkLeft { id: link.id, index: index - 1 });
            }
            self.events.push(Event::Waypoint { index, position });
        }
    }

    /// The body enters the link that it waits for: see [`Walker::link_ahead`].
    pub fn enter_link(&mut self) {
        if let Some(&LinkLeg { id, index, .. }) = self.link_ahead() {
            self.route.enter_link();
            self.events.push(Event::LinkReached { id, index: index - 1 });
        }
    }

    /// The body is put off the link that it is on, to where it finds another path: nothing is told of that.
    pub fn put_off_link(&mut self) {
        if self.link_under().is_some() {
            self.lose_path();
        }
    }

    fn leave_link(&mut self) {
        if let Some(&LinkLeg { id, index, .. }) = self.link_under() {
            self.events.push(Event::LinkLeft { id, index: index - 1 });
        }
    }

    /// Returns the link that the body is on.
    pub fn link_under(&self) -> Option<&LinkLeg> {
        self.route.link_under().filter(|_| self.is_walking())
    }

    /// Returns the link that the body is to enter, where it stands before one: it waits for
    /// [`Walker::enter_link`] if the link takes so many bodies only.
    pub fn link_ahead(&self) -> Option<&LinkLeg> {
        self.route.link_ahead().filter(|_| self.is_walking())
    }

    /// Returns `true` if the end of `walk` is that of the order: not the end of a path to a former target, or
    /// of one that stops short while another is on its way.
    pub(super) fn is_end_of(&self, walk: Walk) -> bool {
        self.goal == Some(walk.goal) && (walk.status == Status::Complete || !self.requests.are_needed())
    }

    fn settle(&mut self, ground: &Ground<'_>, (last, position): (Point, Point)) -> Point {
        self.route.advance(ground, (last, position), [0.0; 2]);
        let Some(next) = self.route.next_point() else { return position };
        let is_there = next.distance(position) <= ON
            || self.route.has_passed(position)
            || self.route.has_crossed(last, position);
        if self.route.is_at_last() && is_there {
            self.end_settling();
            return if ground.has_room(position, next) { next } else { position };
        }
        let aim = self.route.aim(ground, position);
        aim.filter(|&aim| ground.has_room(position, position.toward(aim, LOOK_AHEAD))).unwrap_or_else(|| {
            self.end_settling();
            position
        })
    }

    fn end_settling(&mut self) {
        self.route = super::Polyline::default();
        self.change(Cause::Ended);
    }

    /// The body was moved to where no straight line leads back to its path: it stays until there is one from
    /// there.
    fn lose_path(&mut self) {
        self.route = super::Polyline::default();
        self.requests.need();
        self.change(Cause::Lost);
    }
}
