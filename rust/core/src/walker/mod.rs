//! One body with a target of its own: when it asks for a path, how it follows the path, and when it has arrived.
//!
//! A body that moves has a guide, which says *where to*, and is an agent of a [crowd](crate::crowd), which
//! says *how* among others. A [`Walker`] is such a guide. In each step of the game,
//!
//! 1. [`Walker::advance`] says to where the body walks in a straight line now, and [`Walker::take_order`] how far
//!    it still is and what has become of the walk,
//! 2. the crowd finds a velocity that leads there and keeps clear of others,
//! 3. the game moves the body,
//! 4. [`Walker::hear`] takes what the crowd says of its agent.
//!
//! While the crowd leads the body by a guide of its own, the walker is *Led* and has no target. Without a crowd
//! the body walks straight to where [`Walker::advance`] says.
//!
//! The walker knows no engine, and works in cell space. The game gives it the [`Ground`], the place of the body's
//! centre, edits and the time. It makes the requests of [`Walker::next_request`] and hands over the answers. What
//! has happened is in [`Walker::take_events`].
//!
//! | file | |
//! |---|---|
//! | `behaviour` | what a walker does, and every change of it: the table below |
//! | `requests` | when it asks for a path |
//! | `replanning` | when it keeps its path, and when it takes another: answers, refusals, edits |
//! | `path_entry` | the line from where the body is onto a path |
//! | `path_following`, `polyline` | which point of the line it walks to, and when it is at its end |
//! | `crowd_link` | what it tells its crowd, and what the crowd tells it |
//! | `ground`, `swept_cells`, `point` | where the whole body has room |
//!
//! All changes of behaviour are in `Behaviour::after`, which holds this table; `-` is no change:
//!
//! | | *Idle* | *Asking* | *Walking* | *Settling* | *Finished* | *Led* |
//! |---|---|---|---|---|---|---|
//! | a target is set | Asking | - | - | Asking | Asking, unless it rests at the end of its path to it: then it answers at once | Asking |
//! | stopped | - | Idle | Idle | Idle | Idle | Idle |
//! | a path comes | - | Walking | Walking | Walking | Walking | - |
//! | an edit touches the path, or the body is another one | - | - | Walking, in doubt | - | - | - |
//! | refused, and it can walk to a placement's centre | - | Finished short | Settling | - | Finished short | - |
//! | refused otherwise | - | Finished short | Finished short | - | Finished short | - |
//! | no straight line onto the path, or put elsewhere | - | - | Asking | Asking | - | - |
//! | at the end | - | - | Finished: reached, or short | Finished short | reached, if it was beside or pushed, and short if its path stops short | - |
//! | others push it off its target | - | - | - | - | pushed, if it was reached | - |
//! | others keep it off | - | - | - | - | beside, if it was pushed, or pushed from where its path stops short | - |
//! | a wall is before it, pushed off | - | - | - | - | Asking, if it was pushed or beside | - |
//! | its crowd sends it somewhere | Led | Led | Led | Led | Led | Led |
//! | its crowd lets it rest | - | Finished beside | Finished beside | Finished short | - | Led, arrived |
//! | nothing leads to where it was sent | - | - | - | - | - | Led, cut off |
//! | something leads there again | - | - | - | - | - | Led, if it was cut off |
//! | its crowd lets it go | - | - | - | - | short, if it was beside | Idle |
//! | *what scripts see* | | | | | | |
//! | finished | yes | no | no | no | yes | cut off, arrived |
//! | reached | no | no | no | no | reached | arrived |
//! | blocked | stuck | stuck | stuck | stuck | beside, stuck | stuck, unless cut off |
//!
//! *Stuck* is what the body's agent of the crowd says of itself, or that it is blocked: it rests behind
//! others, too far from its target to be beside them. It goes on when they are gone, so that changes no
//! behaviour. Where others stand on its path and another way leads past them, a path comes
//! ([`Walker::hinder`]).
//!
//! A body that others push off its target is brought back by its crowd, in a straight line, and is not at its
//! target meanwhile. Where others do not let it, it rests beside them. Behind a wall it walks back by a path.
//! In no crowd it does so when it is farther off than [`Settings::path_max_distance`]. A body that rests beside
//! others and is pushed behind a wall does so when its crowd tells that there is room. A body whose path stops
//! short stays behind a wall: bodies that share its end would push each other off it for ever.
//!
//! [`Event::PathChanged`] is told on every entry of *Walking*, [`Event::TargetReached`] once for each target
//! and each order of the crowd, [`Event::Finished`] on the entry of *Finished* from another behaviour, and
//! when an order of the crowd ends. A target that is set again is answered again: at rest by what its path
//! came to, without another search. A walker in *Walking* may be on its way along the path to a former target
//! until the one to the new target comes; it does not finish there. There is one request at a time.
//!
//! The body never enters a closed cell on the straight line to where it is told to walk. A body that stands
//! where it does not fit may leave. Where nothing leads out, it is refused a path once, and asks again as soon as
//! it stands where it fits.

mod behaviour;
mod crowd_link;
mod ground;
mod path_entry;
mod path_following;
mod point;
mod polyline;
mod replanning;
mod requests;
mod swept_cells;
#[cfg(test)]
mod tests;

pub use crowd_link::{Notice, Order};
pub use ground::{Ground, Metric};
pub use point::Point;
pub use polyline::LinkLeg;
pub use swept_cells::covered;

use std::collections::HashSet;

use behaviour::{Behaviour, Cause, End, Lead};
use polyline::Polyline;
use replanning::LastAnswer;
use requests::{Purpose, Requests};

use crate::crowd::AgentState;
use crate::geometry::Cell;
use crate::world::{GoalMode, Reason, Status};

/// A body at most this far from a line or from the centre of a placement is on it, in cells: more than it may
/// stick out into a wall.
const ON: f64 = 0.05;

/// What a game sets. Distances are in the units of the [`Metric`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// What counts as being at the target.
    pub goal_mode: GoalMode,
    /// How near the body has to come to a point of the path before it may go on to the next one.
    pub path_desired_distance: f64,
    /// How near the body has to come to the end of the path to have arrived.
    pub target_desired_distance: f64,
    /// How far off its path, or its end at rest, the body may be before a new one is asked for.
    pub path_max_distance: f64,
    /// How long it takes at least from one look for a better path to the next.
    pub repath_seconds: f64,
}

impl Default for Settings {
    /// For distances in cells.
    fn default() -> Self {
        Self {
            goal_mode: GoalMode::Exact,
            path_desired_distance: 1.25,
            target_desired_distance: 0.6,
            path_max_distance: 6.0,
            repath_seconds: 1.0,
        }
    }
}

/// The goal of a query: its cell, and what counts as being there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Goal {
    /// The cell.
    pub cell: Cell,
    /// What counts as being there.
    pub mode: GoalMode,
}

/// A request that is to be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathRequest {
    /// The placement that the body is on.
    pub start: Cell,
    /// Where it is to go.
    pub goal: Goal,
    /// Cells that are solid for this request, as others stand on them.
    pub blocked: Vec<Cell>,
}

/// What has happened.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Event {
    /// The body walks along another path from now on.
    PathChanged,
    /// The body has come to a point of its path.
    Waypoint {
        /// Its index among [`Walker::points`].
        index: usize,
        /// Where it is.
        position: Point,
    },
    /// The body enters a link.
    LinkReached {
        /// The number of the link.
        id: u32,
        /// The index among [`Walker::points`] of where it begins; it ends at the next one.
        index: usize,
    },
    /// The body has come out of a link.
    LinkLeft {
        /// The number of the link.
        id: u32,
        /// The index among [`Walker::points`] of where it begins.
        index: usize,
    },
    /// The body is at its target: once for each target, and for each order of its crowd.
    TargetReached,
    /// There is nothing to walk to any more.
    Finished,
    /// There is no path, for this reason.
    Failed(Option<Reason>),
    /// Others keep the body from its target.
    Blocked,
}

/// One body on its way to a target.
///
/// ```
/// use pathforge_core::geometry::CellRect;
/// use pathforge_core::walker::{Event, Ground, Metric, Point, Walker};
/// use pathforge_core::world::{PathQuery, Profile, World};
///
/// let mut world = World::new(CellRect::new(0, 0, 20, 20))?;
/// let profile = Profile::default();
/// let mut walker = Walker::new(1);
/// let mut position = Point::new(2.5, 2.5);
/// let ground = Ground { terrain: world.terrain(), profile: &profile, metric: Metric::CELLS };
/// walker.set_target(&ground, position, Point::new(12.5, 7.5));
/// let ask = walker.next_request(&ground, position).expect("it needs a path");
/// let outcome = world.find_path(&PathQuery::new(ask.start, ask.goal.cell, profile));
/// let ground = Ground { terrain: world.terrain(), profile: &profile, metric: Metric::CELLS };
/// walker.answer(&ground, position, &outcome);
/// while !walker.is_finished() {
///     // Once a frame, in a game.
///     position = position.toward(walker.advance(&ground, position), 0.1);
/// }
/// assert_eq!(walker.take_events().last(), Some(&Event::Finished));
/// assert!(walker.is_target_reached());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Walker {
    /// What the game sets.
    pub settings: Settings,
    target: Option<Point>,
    /// The goal of the target; `None` if that is nowhere on a map.
    goal: Option<Goal>,
    behaviour: Behaviour,
    route: Polyline,
    /// The mean cost of a step on the path.
    cost_of_a_step: f64,
    /// Where the body was at the last look, and where it was told to walk.
    last: Point,
    aim: Point,
    requests: Requests,
    last_answer: Option<LastAnswer>,
    /// The refusal that was reported last for this target, with no path since.
    reported: Option<LastAnswer>,
    /// What its crowd was told last; `None` when the crowd leads the body, or knows nothing of it.
    told: Option<Order>,
    /// There is a target of which its crowd was not told yet: what its agent does is still for the one
    /// before.
    is_untold: bool,
    /// That it has arrived was told for this target, or for this order of its crowd.
    has_told_arrival: bool,
    /// The cells on which others stood wherever it asked for a way round them, since the last order or edit;
    /// over an edit they are kept until it has asked again, if none leads past them. They only become more,
    /// so that it does not walk to and fro between two that stand.
    past: HashSet<Cell>,
    events: Vec<Event>,
    /// The events that answer an order that was given again; empty without such an order. Given twice before
    /// that, it is one order.
    answer: Vec<Event>,
}

impl Walker {
    /// Returns a walker without a target. Walkers with different numbers look for better paths at different
    /// times.
    pub fn new(id: u64) -> Self {
        Self { requests: Requests::new(id), ..Self::default() }
    }

    /// Sets where the body is to go: an order, also to the same target. Asks for a path, unless the body is
    /// on its way to that goal, or still rests where its path to the same target ended or where it was
    /// refused one: then what came of it is told again, as nothing has changed since. A body that is under
    /// way goes on until the path comes. Returns what its crowd is to be told at once: a target counts
    /// instead of an order of the crowd.
    pub fn set_target(&mut self, ground: &Ground<'_>, position: Point, target: Point) -> Option<Order> {
        let order = self.leave_order();
        let goal = ground.goal(target, self.settings.goal_mode);
        // A target off the map has no goal to compare, so each is another one.
        let is_new = self.target.is_none() || goal.is_none() || goal != self.goal;
        let is_same = self.target == Some(target) && !is_new && !self.requests.are_pending();
        let rests = is_same && self.is_at_its_end(ground, position);
        self.target = Some(target);
        if is_new || self.behaviour.is_finished() && !(rests && self.answer_again()) {
            self.order(goal);
        }
        order
    }

    /// Tells again what came of an order that is given again; `false` where that is not certain.
    fn answer_again(&mut self) -> bool {
        let Some(last) = self.last_answer else { return false };
        self.answer = match self.behaviour {
            Behaviour::Finished(End::Reached) => vec![Event::TargetReached, Event::Finished],
            Behaviour::Finished(End::Short) if last.end.is_none() => {
                vec![Event::Failed(last.reason), Event::Finished]
            }
            Behaviour::Finished(End::Short) => vec![Event::Finished],
            _ => Vec::new(),
        };
        !self.answer.is_empty()
    }

    /// Sets a target where there is no map. The path is asked for after [`Walker::enter_map`]. Returns the
    /// same.
    pub fn set_target_off_map(&mut self) -> Option<Order> {
        let order = self.leave_order();
        self.target = Some(Point::new(f64::NAN, f64::NAN));
        self.order(None);
        order
    }

    /// The body is on another map from now on: its path is gone, and the target is at `target`.
    pub fn enter_map(&mut self, target: Point) {
        if self.target.is_none() {
            return;
        }
        self.target = Some(target);
        // The next request finds the goal on the new map.
        (self.goal, self.last_answer, self.reported) = (None, None, None);
        self.route = Polyline::default();
        self.look_anew();
        self.change(Cause::Lost);
    }

    /// The cells lie elsewhere from now on: the target, which the game has set, is at `target` among them. A
    /// path is one over the same cells still. A body at rest stays where it rests.
    pub fn move_target(&mut self, ground: &Ground<'_>, position: Point, target: Point) {
        if !self.is_finished() {
            self.set_target(ground, position, target);
            return;
        }
        (self.target, self.goal) = (Some(target), ground.goal(target, self.settings.goal_mode));
        // The cells have moved below it.
        if self.is_target_reached() && self.is_at(ground, position, target) {
            self.route = Polyline::new(vec![target]);
            self.told = None;
        }
    }

    /// What paths are planned on has changed, beside cells: the body, or what counts as being at the target.
    /// Asks for a path, whatever there is or is under way, and goes on meanwhile only as far as it sees that
    /// there is room.
    pub fn look_anew(&mut self) {
        if self.target.is_some() {
            self.past.clear();
            self.requests.drop_all();
            self.requests.need();
            self.change(Cause::Edited);
        }
    }

    /// Forgets the target, and an order of the crowd: the body stays where it is. Returns what its crowd is
    /// to be told at once.
    pub fn stop(&mut self) -> Order {
        self.forget();
        self.change(Cause::Stopped);
        Order::Rest { has_arrived: false }
    }

    /// Lets time pass.
    pub fn frame(&mut self, seconds: f64) {
        let purpose = if self.past.is_empty() { Purpose::Improve } else { Purpose::GoRoundAgain };
        self.requests.pass(seconds, self.settings.repath_seconds, purpose);
    }

    /// Returns the request that is to be made now, if one is wanted and none is under way; it counts as made.
    pub fn next_request(&mut self, ground: &Ground<'_>, position: Point) -> Option<PathRequest> {
        let purpose = self.requests.wanted.filter(|_| self.requests.asked.is_none())?;
        // From where a link ends it asks.
        if self.link_under().is_some() {
            return None;
        }
        let (start, goal) = self.ends(ground, position)?;
        // From where it does not fit the answer would be the same.
        if self.reported.is_some_and(LastAnswer::waits_for_room) && !ground.is_placement(start) {
            return None;
        }
        self.goal = Some(goal);
        self.requests.ask((start, position), goal, purpose);
        let own = ground.profile.footprint.at(start);
        let others = self.past.iter().filter(|&&cell| purpose.goes_round() && !own.contains(cell));
        let mut blocked: Vec<Cell> = others.copied().collect();
        blocked.sort_unstable();
        Some(PathRequest { start, goal, blocked })
    }

    /// Returns the placement that the body is on and the goal of its target; `None` without a target on the
    /// map.
    pub fn ends(&self, ground: &Ground<'_>, position: Point) -> Option<(Cell, Goal)> {
        ground.start(position).zip(ground.goal(self.target?, self.settings.goal_mode))
    }

    /// Returns what has happened since the last call, in order.
    pub fn take_events(&mut self) -> Vec<Event> {
        let mut events = std::mem::take(&mut self.events);
        events.append(&mut self.answer);
        events
    }

    /// Returns where the body is to go.
    pub const fn target(&self) -> Option<Point> {
        self.target
    }

    /// Returns `true` if a path is wanted and was not asked for yet.
    pub const fn wants_path(&self) -> bool {
        self.requests.wanted.is_some()
    }

    /// Returns `true` if the body has something to walk along.
    pub const fn is_under_way(&self) -> bool {
        self.behaviour.is_under_way()
    }

    /// Returns `true` if [`Walker::advance`] is to be asked: under way, and at rest, as it may be pushed, or
    /// others may leave its target.
    pub const fn looks_at_body(&self) -> bool {
        self.behaviour.looks_at_body()
    }

    /// Returns `true` if the body walks along a path, not only to the centre of a placement.
    pub(crate) const fn is_walking(&self) -> bool {
        matches!(self.behaviour, Behaviour::Walking(_))
    }

    /// Returns `true` if there is nothing to walk to: no target and no order of the crowd, or the end of the
    /// way there, or none.
    pub const fn is_finished(&self) -> bool {
        self.behaviour.is_finished()
    }

    /// Returns `true` if the body has arrived at its target, or where its crowd has sent it.
    pub const fn is_target_reached(&self) -> bool {
        self.behaviour.is_reached()
    }

    /// Returns `true` if others keep the body from its target; `agent` is what its agent of the crowd does,
    /// which does not count before the crowd knows of the target.
    pub fn is_blocked(&self, agent: Option<AgentState>) -> bool {
        self.behaviour.is_blocked(agent.filter(|_| !self.is_untold))
    }

    /// Returns `true` if there is a target of which its crowd was not told yet: what its agent does is still
    /// for the one before.
    pub const fn is_untold(&self) -> bool {
        self.is_untold
    }

    /// Returns `true` if the body follows an order of its crowd and has not arrived.
    pub const fn is_led(&self) -> bool {
        matches!(self.behaviour, Behaviour::Led(Lead::UnderWay | Lead::CutOff))
    }

    /// Returns `true` if the body is at the end of a path to its target, be it at the target or as near as
    /// the path came.
    fn is_at_path_end(&self) -> bool {
        let is_partial = self.last_answer.is_some_and(|answered| answered.end.is_some());
        self.is_target_reached() || self.target.is_some() && self.is_finished() && is_partial
    }

    /// Returns `true` if its last path stops short of its target.
    fn fell_short(&self) -> bool {
        self.last_answer.is_some_and(|answered| answered.status == Status::Partial)
    }

    /// Returns if the target can be reached, by the last answer; `None` if that is not known before the next
    /// one. By an order of the crowd, unless nothing leads to where it was sent.
    pub fn can_reach(&self) -> Option<bool> {
        if let Behaviour::Led(lead) = self.behaviour {
            return Some(lead != Lead::CutOff);
        }
        let answered = self.last_answer.filter(|_| !self.requests.are_needed())?;
        Some(answered.status == Status::Complete)
    }

    /// Returns `true` if the body follows an order of its crowd, and nothing leads to where it was sent.
    pub const fn is_cut_off(&self) -> bool {
        matches!(self.behaviour, Behaviour::Led(Lead::CutOff))
    }

    /// Returns the points of the path, from where the body was when it came.
    pub fn points(&self) -> &[Point] {
        &self.route.points
    }

    /// Returns where the path ends.
    pub fn end(&self) -> Option<Point> {
        self.route.points.last().copied()
    }

    /// Returns the index in [`Walker::points`] of the point to which the body walks.
    pub const fn next_index(&self) -> usize {
        self.route.next_index
    }

    /// Returns the length of what is left of the path for a body at `position`, in cells.
    pub fn cells_left(&self, position: Point) -> f64 {
        if !self.is_under_way() {
            return 0.0;
        }
        let parts = self.route.rest(position);
        parts.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
    }

    /// Forgets what it was to walk to.
    fn forget(&mut self) {
        self.requests.drop_all();
        (self.target, self.goal, self.last_answer, self.reported, self.told) = (None, None, None, None, None);
        (self.is_untold, self.has_told_arrival) = (false, false);
        self.route = Polyline::default();
        // An order that is taken back before it is answered has no answer.
        self.answer.clear();
    }

    /// Takes a new target.
    fn order(&mut self, goal: Option<Goal>) {
        self.answer.clear();
        self.past.clear();
        self.goal = goal;
        (self.last_answer, self.reported) = (None, None);
        (self.is_untold, self.has_told_arrival) = (true, false);
        self.change(Cause::Ordered);
        if !self.behaviour.is_under_way() {
            self.route = Polyline::default();
        }
        self.requests.need();
    }

    /// Returns `true` if the body is as near to the end of a path as counts as being there, with no wall
    /// between.
    fn is_at(&self, ground: &Ground<'_>, position: Point, end: Point) -> bool {
        ground.metric.distance(end, position) <= self.settings.target_desired_distance
            && !ground.is_walled_off(position, end)
    }

    /// Returns `true` if the body is where its path ended, or where it was refused one. A body that
    /// settled beside others is at neither.
    fn is_at_its_end(&self, ground: &Ground<'_>, position: Point) -> bool {
        if let Some(&end) = self.route.points.last() {
            return self.is_at(ground, position, end);
        }
        self.last_answer
            .is_some_and(|answered| answered.end.is_none() && answered.start == ground.start(position))
    }

    fn change(&mut self, cause: Cause) {
        let (behaviour, told) = self.behaviour.after(cause);
        self.behaviour = behaviour;
        // A body that was pushed off and is back has arrived once.
        let is_news = |event: &&Event| **event != Event::TargetReached || !self.has_told_arrival;
        self.events.extend(told.iter().filter(is_news));
        self.has_told_arrival |= told.contains(&Event::TargetReached);
        let is_without_target = matches!(behaviour, Behaviour::Idle | Behaviour::Led(_));
        debug_assert_eq!(self.target.is_none(), is_without_target, "{behaviour:?} after {cause:?}");
    }
}
