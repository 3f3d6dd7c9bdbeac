//! When a walker keeps its path and when it takes another: what it makes of answers, of refusals and of edits
//! of the map.
//!
//! An answer counts if it is for the target of now, better than what there is if that is what was asked for,
//! and if the body can come onto its path from where it is by then. An edit that touches what is left of the
//! path makes the walker ask at once; one elsewhere that may save something, by distances alone, makes it ask
//! later.

use super::behaviour::{Behaviour, Cause, Walk};
use super::path_entry::enter_path;
use super::polyline::{Polyline, STEP_MAX};
use super::requests::{Asked, Purpose};
use super::{Event, Goal, Ground, ON, Point, Walker};
use crate::cost::Cost;
use crate::geometry::{Cell, CellRect};
use crate::world::{PathOutcome, Reason, Status};

/// A better path is taken if it costs less than what is left by this much, in cells.
const GAIN_TAKEN: f64 = 0.5;
/// A path that an edit opens is searched for if it can be shorter by this much, in cells.
const GAIN_ASKED: f64 = 1.0;
/// Cells of an edit that are looked at for one that the body may enter.
const CELLS_MAX: usize = 1 << 12;
/// A path to where the target was before is walked, while the next is on its way, if the target has moved by
/// no more than this, in cells, or than this share of the distance to it. It is for targets that move all the
/// time: their last path is always the one to where it was.
const CHASE_CELLS: f64 = 1.5;
const CHASE_SHARE: f64 = 0.25;

/// What is kept of the last answer to the target of now.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct LastAnswer {
    pub status: Status,
    pub reason: Option<Reason>,
    /// Where the path was asked from; `None` for a refusal without a map.
    pub start: Option<Cell>,
    pub end: Option<Cell>,
}

impl LastAnswer {
    fn of(outcome: &PathOutcome, start: Option<Cell>) -> Self {
        Self { status: outcome.status, reason: outcome.reason, start, end: outcome.route.goal() }
    }

    /// Returns `true` if both lead to the same cell, or were refused for the same reason.
    fn says_the_same(self, other: Self) -> bool {
        (self.status, self.reason, self.end) == (other.status, other.reason, other.end)
    }

    /// Returns `true` if it does not lead to the goal.
    pub fn falls_short(self) -> bool {
        self.status != Status::Complete
    }

    /// Returns `true` if there can be none before the body is where it fits.
    pub fn waits_for_room(self) -> bool {
        matches!(self.reason, Some(Reason::StartSolid | Reason::StartTerrain | Reason::StartClearance))
    }
}

impl Walker {
    /// Takes the answer to the request that was made last. Returns `true` if it counts: if it is the path
    /// that the body walks along from now on, or says why there is none.
    pub fn answer(&mut self, ground: &Ground<'_>, position: Point, outcome: &PathOutcome) -> bool {
        let Some(asked) = self.requests.asked.take() else { return false };
        if self.link_under().is_some() && !asked.is_void {
            // No path begins on a link.
            self.requests.need();
            return false;
        }
        let Some(goal) = self.goal.filter(|_| !asked.is_void) else { return false };
        // A target that moves in every frame would never be walked to if only answers to the latest counted.
        if asked.goal != goal && (outcome.route.is_empty() || !self.is_chased(position, asked.goal)) {
            return false;
        }
        // A path that has been closed since is needed, whatever this one was asked for.
        let is_needed = self.requests.wanted == Some(Purpose::Replace);
        let counts = match asked.purpose {
            Purpose::Replace => true,
            Purpose::Improve => is_needed || self.is_bettered_by(ground, position, outcome),
            // That there is no way past others does not say that there is none.
            Purpose::GoRound | Purpose::GoRoundAgain => !is_needed && self.leads_round(outcome),
        };
        if !counts {
            if asked.purpose == Purpose::GoRoundAgain {
                self.past.clear();
            }
            return false;
        }
        let is_improvement = asked.purpose != Purpose::Replace && !is_needed;
        if outcome.route.is_empty() {
            // One that was moved elsewhere since may have a path from there.
            let is_elsewhere = ground.start(position) != Some(asked.start)
                && !ground.has_room(position, ground.center(asked.start));
            if is_elsewhere {
                self.requests.wanted = Some(if is_improvement { Purpose::Improve } else { Purpose::Replace });
                return false;
            }
            self.take_refusal(ground, position, LastAnswer::of(outcome, Some(asked.start)));
            return true;
        }
        let was_put = !self.behaviour.is_under_way() && position.distance(asked.position) > STEP_MAX;
        let is_taken = self.set_out(ground, position, outcome, asked);
        if is_taken && was_put {
            // From there another path may be better.
            self.requests.need();
        }
        if is_taken {
            self.last_answer = Some(LastAnswer::of(outcome, Some(asked.start)));
            if asked.purpose.goes_round() {
                // An order like any other to its crowd, which may have let it rest.
                self.told = None;
            } else if self.requests.wanted.is_none() && self.is_held(ground, position) {
                self.requests.wanted = Some(Purpose::GoRoundAgain);
            }
        } else if !is_improvement {
            // From where the body is now.
            self.change(Cause::Lost);
            self.requests.need();
        } else if !self.behaviour.is_under_way() {
            self.requests.wanted = Some(Purpose::Improve);
        }
        is_taken
    }

    /// The request under way will not be answered.
    pub fn answer_is_lost(&mut self) {
        if self.requests.asked.take().is_some() && self.target.is_some() {
            self.requests.need();
        }
    }

    /// Refuses a path that was not asked for, as without a map; the body stays where it is.
    pub fn refuse(&mut self, reason: Reason) {
        self.requests.wanted = None;
        self.report_refusal(LastAnswer::of(&PathOutcome::refused(reason), None));
        self.route = Polyline::default();
        self.change(Cause::Refused { settles: false });
        if self.behaviour == Behaviour::Settling {
            // Without a map there is no centre of a placement to walk to.
            self.change(Cause::Ended);
        }
    }

    /// Takes note of edits of `rects`; `None` stands for too many. Asks for a new path if they touch what is
    /// left of the path, and some time later if they may have opened a better one. Edits that the body makes
    /// itself by walking are to be left out.
    pub fn edited(&mut self, ground: &Ground<'_>, position: Point, rects: Option<&[CellRect]>) {
        if self.target.is_none() || rects.is_some_and(<[CellRect]>::is_empty) {
            return;
        }
        let is_held = self.is_held(ground, position);
        if !is_held {
            self.past.clear();
        }
        let is_under_way = self.behaviour.is_under_way();
        let touches = |rects| self.route.touches(ground.profile.footprint, position, rects);
        if is_under_way && rects.is_none_or(touches) {
            self.requests.need();
            self.change(Cause::Edited);
            return;
        }
        let falls_short = is_held || self.last_answer.is_some_and(LastAnswer::falls_short);
        if !falls_short && !self.is_walking() {
            return;
        }
        // A wall that is built can only make paths longer; one that is opened helps if a path by way of it
        // could be shorter.
        let helps = |rect: &CellRect| {
            ground.may_enter_some(*rect, CELLS_MAX) && (falls_short || self.saves(ground, position, *rect))
        };
        if !rects.is_none_or(|rects| rects.iter().any(helps)) {
            return;
        }
        let interval = self.settings.repath_seconds;
        if falls_short {
            self.requests.retries.for_any(interval);
        } else {
            self.requests.retries.for_better(interval);
        }
    }

    /// Returns `true` if those that it asked to go round stand on what is left of its path: none has led past
    /// them.
    fn is_held(&self, ground: &Ground<'_>, position: Point) -> bool {
        let past: Vec<Cell> = self.past.iter().copied().collect();
        self.is_walking() && self.route.enters(ground.profile.footprint, position, &past)
    }

    /// Returns `true` if a path over `rect` could cost less than what is left of the path from `position`.
    fn saves(&self, ground: &Ground<'_>, position: Point, rect: CellRect) -> bool {
        let Some(&goal) = self.route.points.last() else { return false };
        self.cost_left(ground, position) - ground.steps_by_way_of(position, rect, goal) > GAIN_ASKED
    }

    fn take_refusal(&mut self, ground: &Ground<'_>, position: Point, refusal: LastAnswer) {
        let is_walking = self.is_walking();
        let line = if is_walking { line_to_stand(ground, position) } else { None };
        self.report_refusal(refusal);
        self.change(Cause::Refused { settles: line.is_some() });
        // One that settles already keeps its line.
        if is_walking || !self.behaviour.is_under_way() {
            self.route = line.unwrap_or_default();
        }
    }

    /// Reports why there is no path, unless that was reported already: one that falls short asks after each
    /// edit.
    fn report_refusal(&mut self, refusal: LastAnswer) {
        self.last_answer = Some(refusal);
        if self.target.is_some() && self.reported.is_none_or(|reported| reported.reason != refusal.reason) {
            self.reported = Some(refusal);
            self.events.push(Event::Failed(refusal.reason));
        }
        if self.target.is_some() && refusal.waits_for_room() {
            self.requests.need();
        }
    }

    /// Goes along a path from where the body is now; `false` if it cannot come onto it.
    fn set_out(&mut self, ground: &Ground<'_>, position: Point, path: &PathOutcome, asked: Asked) -> bool {
        let Some(target) = self.target else { return false };
        let Some(line) = enter_path(ground, position, path, (target, asked.goal.mode)) else {
            return false;
        };
        if self.rests_all_the_same(ground, position, LastAnswer::of(path, None), line.points.last()) {
            return true;
        }
        let centers: Vec<Point> = path.route.waypoints().iter().map(|&cell| ground.center(cell)).collect();
        let steps = ground.steps_along(&centers);
        let cost = path.cost.map_or(0.0, Cost::cells);
        self.cost_of_a_step = if steps > 0.0 { cost / steps } else { 0.0 };
        self.route = line;
        self.reported = None;
        (self.last, self.aim) = (position, position);
        self.change(Cause::SetOut(Walk { goal: asked.goal, status: path.status, is_in_doubt: false }));
        true
    }

    /// Returns `true` if a path that was asked for at rest changes nothing: it leads where the last one did,
    /// or the body is at its target already.
    fn rests_all_the_same(
        &mut self,
        ground: &Ground<'_>,
        position: Point,
        answer: LastAnswer,
        end: Option<&Point>,
    ) -> bool {
        if !matches!(self.behaviour, Behaviour::Finished(_)) {
            return false;
        }
        let is_there = |&end: &Point| self.is_at(ground, position, end);
        if self.is_target_reached() && !answer.falls_short() && end.is_some_and(is_there) {
            self.route = Polyline::new(end.copied().into_iter().collect());
            return true;
        }
        self.last_answer.is_some_and(|old| old.says_the_same(answer))
    }

    /// Returns `true` if a path to a former `goal` leads to where the target of now is, too, as far as the
    /// body at `position` is concerned.
    fn is_chased(&self, position: Point, goal: Goal) -> bool {
        let (Some(now), Some(target)) = (self.goal, self.target) else { return false };
        let [x, y] = [now.cell.x.saturating_sub(goal.cell.x), now.cell.y.saturating_sub(goal.cell.y)];
        let apart = Point::new(f64::from(x), f64::from(y)).distance(Point::new(0.0, 0.0));
        now.mode == goal.mode && apart <= CHASE_CELLS.max(CHASE_SHARE * position.distance(target))
    }

    /// Returns `true` if a path that was asked for to improve on what there is does.
    fn is_bettered_by(&self, ground: &Ground<'_>, position: Point, outcome: &PathOutcome) -> bool {
        let Some(old) = self.last_answer else { return true };
        if old.falls_short() {
            return !old.says_the_same(LastAnswer::of(outcome, None));
        }
        let is_complete = outcome.status == Status::Complete;
        is_complete
            && outcome.cost.is_some_and(|cost| self.cost_left(ground, position) - cost.cells() > GAIN_TAKEN)
    }

    /// Returns `true` if a path leads to where the one that others stand on does.
    fn leads_round(&self, outcome: &PathOutcome) -> bool {
        let same = |old: LastAnswer| old.says_the_same(LastAnswer::of(outcome, None));
        self.is_walking() && (outcome.status == Status::Complete || self.last_answer.is_some_and(same))
    }

    /// Returns what is left of the path costs, in cell widths, as far as its length tells.
    fn cost_left(&self, ground: &Ground<'_>, position: Point) -> f64 {
        self.cost_of_a_step * ground.steps_along(&self.route.rest(position))
    }
}

/// Returns the line to the centre of the nearest valid placement that the body has room to walk to; `None`
/// where it rests on one, and without any.
fn line_to_stand(ground: &Ground<'_>, position: Point) -> Option<Polyline> {
    let anchor = ground.start(position).filter(|&anchor| ground.is_placement(anchor))?;
    if ground.center(anchor).distance(position) <= ON {
        return None;
    }
    let mut points = vec![position];
    points.extend(ground.line_onto(position, anchor)?);
    Some(Polyline::new(points))
}
