//! What a walker makes of an answer: whether it is for it, better than what there is, and if the body can come onto the path.

use super::asking::{Asked, Purpose};
use super::behaviour::{Behaviour, Cause, Walk};
use super::join::join;
use super::polyline::Polyline;
use super::{Event, Goal, Ground, Point, STANDS, Walker};
use crate::cost::Cost;
use crate::geometry::Cell;
use crate::world::{PathOutcome, Reason, Status};

/// A path that was hoped for is taken if it costs less than what is left by this much, in cells.
const GAIN_MIN: f64 = 0.5;
/// A path to where the target was before is walked, while the next is on its way, if the target has moved by no more than this, in
/// cells, or than this share of the distance to it. It is for targets that move all the time: their last path is always the one to
/// a former place.
const CHASE_CELLS: f64 = 1.5;
const CHASE_SHARE: f64 = 0.25;

/// What is kept of the last answer to the target of now.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Answered {
    pub status: Status,
    pub reason: Option<Reason>,
    /// Where the path was asked from; `None` for a refusal without a map.
    pub start: Option<Cell>,
    pub end: Option<Cell>,
}

impl Answered {
    fn of(outcome: &PathOutcome, start: Option<Cell>) -> Self {
        Self { status: outcome.status, reason: outcome.reason, start, end: outcome.route.goal() }
    }

    /// Returns `true` if both lead to the same place, or were refused for the same reason.
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
    /// Takes the answer to the request that was made last; returns `true` if it counts: if it is the path that the body walks
    /// along from now on, or says why there is none.
    pub fn answer(&mut self, ground: &Ground<'_>, place: Point, outcome: &PathOutcome) -> bool {
        let Some(asked) = self.requests.asked.take() else { return false };
        let Some(goal) = self.goal.filter(|_| !asked.is_void) else { return false };
        if asked.goal != goal && (outcome.route.is_empty() || !self.is_chased(place, asked.goal)) {
            return false;
        }
        let is_hope = asked.purpose == Purpose::Hope && self.requests.wanted != Some(Purpose::Need);
        if is_hope && !self.is_bettered_by(ground, place, outcome) {
            return false;
        }
        if outcome.route.is_empty() {
            // One that was moved elsewhere since may have a path from there.
            let is_elsewhere = ground.start(place) != Some(asked.start)
                && !ground.has_room(place, ground.center(asked.start));
            if is_elsewhere {
                self.requests.wanted = Some(if is_hope { Purpose::Hope } else { Purpose::Need });
                return false;
            }
            self.take_refusal(ground, place, Answered::of(outcome, Some(asked.start)));
            return true;
        }
        let is_taken = self.set_out(ground, place, outcome, asked);
        if is_taken {
            self.answered = Some(Answered::of(outcome, Some(asked.start)));
        } else if !is_hope {
            // From where the body is now.
            self.change(Cause::Lost);
            self.requests.need();
        } else if !self.behaviour.is_under_way() {
            self.requests.wanted = Some(Purpose::Hope);
        }
        is_taken
    }

    /// Takes the first steps of an answer; returns `true` if the body walks along them from now on.
    pub fn begun(&mut self, ground: &Ground<'_>, place: Point, steps: &PathOutcome) -> bool {
        let Some(asked) = self.requests.asked else { return false };
        // If another path is wanted already, these lead to what is a target no more, or over what was edited.
        let counts = !asked.is_void && self.goal == Some(asked.goal) && self.requests.wanted.is_none();
        counts && !steps.route.is_empty() && self.set_out(ground, place, steps, asked)
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
        self.tell_refusal(Answered::of(&PathOutcome::refused(reason), None));
        self.route = Polyline::default();
        self.change(Cause::Refused { settles: false });
        if self.behaviour == Behaviour::Settling {
            self.change(Cause::Ended);
        }
    }

    fn take_refusal(&mut self, ground: &Ground<'_>, place: Point, refusal: Answered) {
        let is_walking = matches!(self.behaviour, Behaviour::Walking(_));
        let stand = if is_walking { stand_nearby(ground, place) } else { None };
        self.tell_refusal(refusal);
        self.change(Cause::Refused { settles: stand.is_some() });
        if is_walking || !self.behaviour.is_under_way() {
            self.route = stand.unwrap_or_default();
        }
    }

    /// Tells why there is no path, unless that was told already: one that is blocked by others asks again and again.
    fn tell_refusal(&mut self, refusal: Answered) {
        self.answered = Some(refusal);
        if self.target.is_some() && self.told.is_none_or(|told| told.reason != refusal.reason) {
            self.told = Some(refusal);
            self.events.push(Event::Failed(refusal.reason));
        }
        if self.target.is_some() && refusal.waits_for_room() {
            self.requests.need();
        }
    }

    /// Goes along a path from where the body is now; `false` if it cannot come onto it.
    fn set_out(&mut self, ground: &Ground<'_>, place: Point, path: &PathOutcome, asked: Asked) -> bool {
        let Some(target) = self.target else { return false };
        let Some(points) = join(ground, place, path, (target, asked.goal.mode)) else { return false };
        let centers: Vec<Point> = path.route.waypoints().iter().map(|&cell| ground.center(cell)).collect();
        let steps = ground.steps_along(&centers);
        let cost = path.cost.map_or(0.0, Cost::cells);
        self.cost_of_a_step = if steps > 0.0 { cost / steps } else { 0.0 };
        self.route = Polyline::new(points);
        self.told = None;
        self.last = place;
        self.change(Cause::SetOut(Walk {
            goal: asked.goal,
            is_complete: path.status == Status::Complete,
            is_prefix: path.status == Status::Prefix,
            is_in_doubt: false,
        }));
        true
    }

    /// Returns `true` if a path to a former `goal` leads to where the target of now is, too, as far as the body at `place` is
    /// concerned.
    fn is_chased(&self, place: Point, goal: Goal) -> bool {
        let (Some(now), Some(target)) = (self.goal, self.target) else { return false };
        let apart = f64::from(now.cell.x.saturating_sub(goal.cell.x))
            .hypot(f64::from(now.cell.y.saturating_sub(goal.cell.y)));
        now.mode == goal.mode && apart <= CHASE_CELLS.max(CHASE_SHARE * place.distance(target))
    }

    /// Returns `true` if a path that was asked for out of hope is better than what there is.
    fn is_bettered_by(&self, ground: &Ground<'_>, place: Point, outcome: &PathOutcome) -> bool {
        let Some(old) = self.answered else { return true };
        if old.falls_short() {
            return !old.says_the_same(Answered::of(outcome, None));
        }
        let is_complete = outcome.status == Status::Complete;
        is_complete
            && outcome.cost.is_some_and(|cost| self.cost_left(ground, place) - cost.cells() > GAIN_MIN)
    }

    /// Returns what is left of the path costs, in cell widths, as far as its length tells.
    pub(super) fn cost_left(&self, ground: &Ground<'_>, place: Point) -> f64 {
        self.cost_of_a_step * ground.steps_along(&self.route.rest(place))
    }
}

/// Returns the line to the centre of the nearest valid placement that the body has room to walk to; `None` where it rests on one,
/// and without any.
fn stand_nearby(ground: &Ground<'_>, place: Point) -> Option<Polyline> {
    let anchor = ground.start(place).filter(|&anchor| ground.is_placement(anchor))?;
    if ground.center(anchor).distance(place) <= STANDS {
        return None;
    }
    let mut points = vec![place];
    points.extend(ground.line_onto(place, anchor)?);
    Some(Polyline::new(points))
}
