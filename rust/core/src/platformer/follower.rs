//! Following a way with a body that gravity pulls: which buttons to press in each physics frame.
//!
//! The follower sees where the body is and how fast; it does not know the game's physics but for what it learns from
//! watching: how fast the body runs and falls. In the air it steers the body through the free columns of its plan. It
//! holds a jump until the body is high enough, and fast enough to get across before it falls to the landing.

use super::plan::{FollowPlan, Leg, LegKind};
use super::profile::JUMP_HEIGHT_MAX;
use crate::geometry::Cell;

/// How far off an aligned body may be, in cells.
const ALIGNED: f64 = 0.06;
/// How far above the highest row of a jump the body shall get, in cells.
const CLEAR: f64 = 0.14;
/// How far below a row a body is no more carried by one-way cells beside it, in cells.
const BELOW: f64 = 0.2;
/// How far beyond its cell a body can stand on an edge, in cells.
const EDGE: f64 = 0.75;
/// How long a body hangs at the top of a jump at most, beside a follower's patience, in seconds.
const HANG_S: f64 = 1.0;
/// How much of a cell a body may lie lower or higher than the row that it stands in.
const ROW_SLACK: f64 = 0.45;

/// What a body does in a physics frame. Lengths are in cells, y grows downwards.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BodyState {
    /// The left edge of the character's cells.
    pub left: f64,
    /// The row of its lowest cells: whole when they cover one row.
    pub row: f64,
    /// Sideways speed, in cells a second.
    pub speed_x: f64,
    /// Downward speed, in cells a second.
    pub speed_y: f64,
    /// Whether it stands on something.
    pub on_floor: bool,
    /// Seconds since the frame before; finite and above 0.
    pub delta: f64,
}

/// What to press.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Buttons {
    /// −1 to 1: left or right, less than full when that would lead too far within one frame.
    pub axis: f64,
    /// Jump, held as long as the jump shall rise.
    pub jump: bool,
    /// Drop through the one-way platform that the body stands on.
    pub drop: bool,
}

/// Where following stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FollowState {
    /// On the way.
    Going,
    /// At the goal.
    Arrived,
    /// The body stands somewhere beside the way.
    Strayed,
    /// The body does not get on, or there is no way.
    Stuck,
}

/// Limits of patience.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FollowLimits {
    /// Seconds without getting on, after which the follower is lost.
    pub patience_s: f64,
    /// How often it may fall back to an earlier part of the way.
    pub attempts_max: u32,
}

impl Default for FollowLimits {
    fn default() -> Self {
        Self { patience_s: 2.0, attempts_max: 4 }
    }
}

/// Follows one plan with one body.
#[derive(Clone, Debug, Default)]
pub struct Follower {
    plan: FollowPlan,
    limits: FollowLimits,
    /// The leg that is followed.
    leg: usize,
    /// Whether the body left the ground for this leg.
    in_air: bool,
    /// Whether the jump button is held.
    holding: bool,
    /// Farthest place reached, and the time since.
    best: usize,
    idle_s: f64,
    beside_s: f64,
    /// Seconds in the air since the body came to a row that it had not come to in this flight, and those rows.
    hanging_s: f64,
    flown: Option<(f64, f64)>,
    attempts: u32,
    learned: Learned,
    last_axis: f64,
    last_speed_y: Option<f64>,
}

/// What watching the body has taught.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Learned {
    /// Full sideways speed, in cells a second; 0 while unknown.
    run_speed: f64,
    /// In cells a second per second; 0 while unknown.
    gravity: f64,
}

impl Follower {
    /// A follower of `plan`. It keeps nothing of an earlier one; see [`Follower::take`].
    pub fn new(plan: FollowPlan, limits: FollowLimits) -> Self {
        Self { plan, limits, ..Self::default() }
    }

    /// Follows another plan with the same body.
    pub fn take(&mut self, plan: FollowPlan) {
        let Self { limits, learned, .. } = *self;
        *self = Self { plan, limits, learned, ..Self::default() };
    }

    /// What it follows.
    pub const fn plan(&self) -> &FollowPlan {
        &self.plan
    }

    /// The place on the way that was reached last, as an index of its cells.
    pub const fn reached(&self) -> usize {
        self.best
    }

    /// Tells the follower what it would learn by watching: sideways speed and gravity, in cells and seconds. Numbers
    /// that are not above 0 stay to be learned.
    pub fn teach(&mut self, run_speed: f64, gravity: f64) {
        if run_speed > 0.0 && run_speed.is_finite() {
            self.learned.run_speed = run_speed;
        }
        if gravity > 0.0 && gravity.is_finite() {
            self.learned.gravity = gravity;
        }
    }

    /// What to press in this frame, and where following stands. Once it is not going any more, take another plan.
    pub fn step(&mut self, body: &BodyState) -> (Buttons, FollowState) {
        self.watch(body);
        let state = self.locate(body);
        let buttons = if state == FollowState::Going { self.buttons(body) } else { Buttons::default() };
        self.last_axis = buttons.axis;
        self.last_speed_y = (!body.on_floor).then_some(body.speed_y);
        (buttons, state)
    }

    /// Learns how fast the body runs and falls.
    fn watch(&mut self, body: &BodyState) {
        if self.last_axis.abs() > 0.99 {
            self.learned.run_speed = self.learned.run_speed.max(body.speed_x.abs());
        }
        let before = self.last_speed_y.filter(|_| !body.on_floor && body.speed_y > 0.0);
        if let Some(gained) = before.filter(|&before| before > 0.0).map(|before| body.speed_y - before) {
            self.learned.gravity = self.learned.gravity.max(gained / body.delta);
        }
    }

    /// Finds out where on the way the body is.
    fn locate(&mut self, body: &BodyState) -> FollowState {
        let Some(last) = self.plan.cells.len().checked_sub(1) else { return FollowState::Stuck };
        self.note_idleness(body);
        if body.on_floor {
            let Some(place) = self.stand(body) else {
                self.beside_s += body.delta;
                self.holding = false;
                return if self.beside_s > 0.1 { FollowState::Strayed } else { FollowState::Going };
            };
            self.beside_s = 0.0;
            self.holding = false;
            if self.in_air && place < self.plan.legs.get(self.leg).map_or(0, |leg| leg.last) {
                self.attempts += 1;
            }
            self.in_air = false;
            self.flown = None;
            self.reach(place);
            // At a joint, the leg that begins there.
            self.leg = self.plan.legs.partition_point(|leg| leg.last <= place);
            if place == last && self.is_aligned(body, self.plan.cells[last].x) {
                return FollowState::Arrived;
            }
        } else {
            self.in_air = true;
            self.note_flight(body);
            let goal = self.plan.cells[last];
            let near =
                (body.left - f64::from(goal.x)).abs() < 0.5 && (body.row - f64::from(goal.y)).abs() < 0.5;
            if near && !self.plan.on_ground[last] {
                return FollowState::Arrived;
            }
        }
        let is_lost = self.hanging_s > self.limits.patience_s + HANG_S || self.is_out(body);
        if is_lost || self.idle_s > self.limits.patience_s || self.attempts > self.limits.attempts_max {
            return FollowState::Stuck;
        }
        FollowState::Going
    }

    /// Whether the body fell out of the level.
    fn is_out(&self, body: &BodyState) -> bool {
        body.row > f64::from(self.plan.region.bottom())
    }

    /// Notes how long a flight leads nowhere.
    fn note_flight(&mut self, body: &BodyState) {
        let region = self.plan.region;
        let ceiling = f64::from(region.y) - f64::from(JUMP_HEIGHT_MAX);
        let row = body.row.clamp(ceiling, f64::from(region.bottom()));
        let (high, low) = self.flown.unwrap_or((f64::INFINITY, f64::NEG_INFINITY));
        self.hanging_s += body.delta;
        if row < high - 0.5 || row > low + 0.5 {
            self.flown = Some((high.min(row), low.max(row)));
            self.hanging_s = 0.0;
        }
    }

    fn note_idleness(&mut self, body: &BodyState) {
        // Time in a long fall or a high jump does not count.
        if body.on_floor || body.speed_y.abs() < 0.5 {
            self.idle_s += body.delta;
        }
    }

    fn reach(&mut self, place: usize) {
        if place > self.best {
            self.best = place;
            self.idle_s = 0.0;
        }
    }

    /// The place of the way that a body on the floor stands at.
    fn stand(&self, body: &BodyState) -> Option<usize> {
        let off = |cell: Cell| (body.left - f64::from(cell.x)).abs();
        let stands =
            self.plan.cells.iter().zip(&self.plan.on_ground).enumerate().filter(|(_, (cell, ground))| {
                **ground && (body.row - f64::from(cell.y)).abs() < ROW_SLACK && off(**cell) < 1.1
            });
        stands.min_by(|(_, (a, _)), (_, (b, _))| off(**a).total_cmp(&off(**b))).map(|(place, _)| place)
    }

    /// Cells that the body runs in a frame.
    fn stride(&self, body: &BodyState) -> f64 {
        self.learned.run_speed * body.delta
    }

    fn is_aligned(&self, body: &BodyState, column: i32) -> bool {
        (body.left - f64::from(column)).abs() <= ALIGNED.max(0.55 * self.stride(body))
    }

    /// Which way to press to get to `column`, and how hard.
    fn axis_to(&self, body: &BodyState, column: f64) -> f64 {
        let off = column - body.left;
        if off.abs() < 0.01 {
            0.0
        } else if self.learned.run_speed > 0.0 {
            (off / self.stride(body)).clamp(-1.0, 1.0)
        } else if off.abs() < ALIGNED {
            0.0
        } else {
            off.signum()
        }
    }

    fn buttons(&mut self, body: &BodyState) -> Buttons {
        let Some(leg) = self.plan.legs.get(self.leg) else {
            let goal = self.plan.cells.last().map_or(body.left, |cell| f64::from(cell.x));
            return Buttons { axis: self.axis_to(body, goal), ..Buttons::default() };
        };
        if body.on_floor && !self.in_air { self.on_floor(body, leg) } else { self.in_the_air(body, leg) }
            .keep(self)
    }

    fn on_floor(&self, body: &BodyState, leg: &Leg) -> Buttons {
        let first = self.plan.cells[leg.first].x;
        match leg.kind {
            LegKind::Walk => {
                Buttons { axis: self.axis_to(body, f64::from(leg.top_wanted)), ..Buttons::default() }
            }
            LegKind::Fall => {
                let wanted = leg.falls.first().map_or(leg.top_wanted, |crossing| crossing.wanted);
                Buttons { axis: self.axis_to(body, f64::from(wanted)), ..Buttons::default() }
            }
            LegKind::Drop => Buttons {
                axis: self.axis_to(body, f64::from(first)),
                drop: self.is_aligned(body, first),
                jump: false,
            },
            LegKind::Jump => {
                let place = take_off(leg, first);
                let off = (body.left - place).abs();
                let ready = off <= ALIGNED.max(0.55 * self.stride(body));
                Buttons { axis: self.axis_to(body, place), jump: ready, drop: false }
            }
        }
    }

    fn in_the_air(&self, body: &BodyState, leg: &Leg) -> Buttons {
        let rises = body.speed_y < 0.0;
        let landing = self.plan.cells[leg.last];
        let wanted = if rises { wanted_rising(leg, body) } else { wanted_falling(leg, body, landing.x) };
        let jump = self.holding
            && rises
            && !(body.row <= f64::from(leg.top_row) - CLEAR && self.gets_across(body, landing));
        Buttons { axis: self.axis_to(body, f64::from(wanted)), jump, drop: false }
    }

    /// Whether the body would get across before it fell to the row of its landing, if it stopped rising now.
    fn gets_across(&self, body: &BodyState, landing: Cell) -> bool {
        let Learned { run_speed, gravity } = self.learned;
        if run_speed <= 0.0 || gravity <= 0.0 {
            return true;
        }
        let drop = (f64::from(landing.y) - body.row).max(0.0);
        let across = ((f64::from(landing.x) - body.left).abs() - 0.5).max(0.0);
        across <= run_speed * (2.0 * drop / gravity).sqrt()
    }
}

impl Buttons {
    /// Notes in the follower whether the jump is held.
    fn keep(self, follower: &mut Follower) -> Self {
        follower.holding = self.jump;
        self
    }
}

/// Where to jump from: towards where the body is led, as far as the edge of the ground surely carries it.
fn take_off(leg: &Leg, first: i32) -> f64 {
    let wanted = leg.rises.first().map_or(first, |crossing| crossing.wanted);
    f64::from(first) + f64::from(wanted - first).clamp(-EDGE, EDGE)
}

/// Where a rising body is led.
fn wanted_rising(leg: &Leg, body: &BodyState) -> i32 {
    if body.row <= f64::from(leg.top_row) {
        return leg.top_wanted;
    }
    // Rows are left from below to above.
    let next = leg.rises.iter().find(|crossing| body.row > f64::from(crossing.row) - 1.0);
    next.map_or(leg.top_wanted, |crossing| crossing.aim)
}

/// Where a falling body is led.
fn wanted_falling(leg: &Leg, body: &BodyState, landing: i32) -> i32 {
    if body.row < f64::from(leg.top_row) {
        return leg.top_wanted;
    }
    let next = leg.falls.iter().find(|crossing| body.row < f64::from(crossing.row) + 1.0);
    next.map_or(landing, |crossing| {
        let is_below_edges = body.row > f64::from(crossing.row) + BELOW;
        if is_below_edges { crossing.slip } else { crossing.aim }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platformer::{JumpProfile, Platformer, PlatformerMap, PlatformerQuery};

    /// A follower on a plain of ten columns, from the left end to the right one.
    fn follower() -> Follower {
        let map = PlatformerMap::from_text("..........\n..........\n##########", Cell::default()).unwrap();
        let mut platformer = Platformer::new(map);
        let profile = JumpProfile::default();
        let outcome = platformer.find_path(&PlatformerQuery::new(Cell::new(0, 1), Cell::new(9, 1), profile));
        Follower::new(FollowPlan::new(&outcome, platformer.layers(profile.size)), FollowLimits::default())
    }

    fn standing(left: f64) -> BodyState {
        BodyState { left, row: 1.0, speed_x: 0.0, speed_y: 0.0, on_floor: true, delta: 0.02 }
    }

    #[test]
    fn it_runs_to_the_goal_and_lets_go() {
        let mut follower = follower();
        let (buttons, state) = follower.step(&standing(0.0));
        assert_eq!((state, buttons.axis, buttons.jump), (FollowState::Going, 1.0, false));
        assert_eq!(follower.step(&standing(9.0)), (Buttons::default(), FollowState::Arrived));
    }

    #[test]
    fn it_presses_less_than_full_when_a_frame_would_lead_too_far() {
        let mut follower = follower();
        follower.teach(10.0, 60.0);
        let (buttons, _) = follower.step(&standing(8.85));
        assert!(buttons.axis > 0.7 && buttons.axis < 0.8, "{buttons:?}");
    }

    #[test]
    fn it_is_stuck_where_it_does_not_get_on_and_where_it_fell_out() {
        let mut idle = follower();
        let frames = (0..1000).take_while(|_| idle.step(&standing(0.0)).1 == FollowState::Going).count();
        assert!((90..110).contains(&frames), "two seconds are {frames} frames");
        let out = BodyState { row: 3.1, speed_y: 9.0, on_floor: false, ..standing(4.0) };
        assert_eq!(follower().step(&out), (Buttons::default(), FollowState::Stuck));
        assert_eq!(Follower::default().step(&out).1, FollowState::Stuck);
    }

    #[test]
    fn it_has_strayed_where_it_stands_beside_the_way() {
        let mut follower = follower();
        let beside = BodyState { row: -3.0, ..standing(4.0) };
        let frames = (0..100).take_while(|_| follower.step(&beside).1 == FollowState::Going).count();
        assert!((3..10).contains(&frames), "{frames}");
        assert_eq!(follower.step(&beside).1, FollowState::Strayed);
    }
}
