//! Follows a path of flights with a body under gravity: which buttons to press in each physics frame.
//!
//! On the ground the body goes to the place of the next take-off and comes there with the speed that the
//! flight begins with. In the air it has a *course*: where it has to be in every tick until it lands. When it
//! is elsewhere, as the game moves it a little otherwise, the rest of the course is found again from there.
//!
//! A body climbs to a place a little above the ground that it leaves the ladder for, stops there, and lands.

use super::flyers::{BodyPlace, FlightPlan};
use super::following::{Buttons, FollowState, StuckReason};
use super::motion::{AirState, Flight, LandingRun, Motion, StandCell, Steering, TakeOff};
use super::pressing::{NEAR_PX, air_axis, axis_to, floor_axis, is_near, is_ready, slow_at_edge};

/// A piece of a path takes at most so many times the time that it needs, and so many seconds more.
const TIME_FACTOR: f64 = 2.0;
const TIME_MORE_S: f64 = 1.0;
/// How often a body may miss the end of one flight.
const MISSES_MAX: usize = 2;
/// For so long a body may stand beside its path, as where it lands on an edge.
const STRAYED_S: f64 = 0.1;
/// How far from its course it may be before another is found, in px, besides half a tick's run.
const OFF_COURSE_PX: f64 = 1.5;
/// So far above its ground a body lets go of a ladder, in px.
const ABOVE_PX: f64 = 1.5;
/// The part of its speed at which a body that climbs is held where it is.
const HELD: f64 = 1e-3;
/// The last part of a climb, in heights of a cell.
const END_PART: f64 = 0.25;
/// How far from where a run begins it is looked for the end of the run, in px.
const RUN_PX: f64 = 4096.0;

/// Follows one plan with one body, frame by frame.
#[derive(Clone, Debug, Default)]
pub struct Follower {
    plan: Option<FlightPlan>,
    steering: Option<Steering>,
    /// Index of the flight that the body is on, or walks to.
    flight: usize,
    /// Where to leave the ground for it, in px, and where it lands.
    take_off: Option<(f64, LandingRun)>,
    course: Option<Course>,
    /// Where the body was in the last frame.
    footing: Footing,
    /// The buttons of the last frame.
    pressed: Buttons,
    /// `true` if it was pressed on this piece and the body stayed on the ground.
    stays: bool,
    /// Index of the farthest cell reached.
    progress: usize,
    /// The piece that the body is on, the seconds on it, and where the body came to it.
    piece: Option<Piece>,
    piece_s: f64,
    piece_from: f64,
    /// The flights whose end was missed, once for each time; kept from plan to plan.
    missed: Vec<Piece>,
    /// Seconds on ground that is not part of the path.
    strayed_s: f64,
}

/// Where a body was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Footing {
    /// Nowhere yet, or in the air since the plan was set.
    #[default]
    New,
    Ground,
    /// In the air, after it jumped or dropped.
    Jumped,
    /// In the air, after it walked: over an edge, or in hops down a slope.
    Walked,
}

/// A piece of any plan: how it begins, and where it ends. The walk to the goal begins with nothing.
type Piece = (Option<TakeOff>, StandCell);

/// The places of the body in the ticks to come.
#[derive(Clone, Debug)]
struct Course {
    places: Vec<(f64, f64)>,
    /// The place that the body should be at.
    at: usize,
    /// The ticks after which the button is let go.
    hold: Option<u32>,
}

impl Follower {
    /// Creates a follower of `plan`; without one it is stuck.
    pub fn new(plan: Option<FlightPlan>) -> Self {
        Self { plan, ..Self::default() }
    }

    /// Follows another plan with the same body. Returns `false` if that leads over the piece on which the body
    /// was stuck, and leaves everything as it was.
    pub fn set_plan(&mut self, plan: FlightPlan, stuck: bool) -> bool {
        let leads_over = |piece: Piece| (0..=plan.flights.len()).any(|at| plan.piece(at) == piece);
        if stuck && self.piece.is_some_and(leads_over) {
            return false;
        }
        let missed = std::mem::take(&mut self.missed);
        *self = Self { plan: Some(plan), missed, ..Self::default() };
        true
    }

    /// The index of the farthest cell of the path that was reached.
    pub const fn progress(&self) -> usize {
        self.progress
    }

    /// Returns the buttons to press in this frame of `delta` seconds, and the progress. Once that is not
    /// [`FollowState::Going`], set another plan.
    ///
    /// A step takes time in proportion to the cells of the path, and 2 to 30 µs more if it finds a course.
    pub fn step(&mut self, body: &BodyPlace, delta: f64) -> (Buttons, FollowState) {
        let Some(plan) = self.plan.take() else {
            return (Buttons::default(), FollowState::Stuck(StuckReason::NoPath));
        };
        let motion = Motion { tick: delta, ..plan.character.motion };
        let state = self.locate(&plan, body, &motion);
        let buttons = match state {
            // Beside the path it waits.
            FollowState::Going if self.strayed_s == 0.0 => self.buttons(&plan, body, &motion),
            _ => Buttons::default(),
        };
        self.pressed = buttons;
        self.plan = Some(plan);
        (buttons, state)
    }

    /// Locates the body on the path.
    fn locate(&mut self, plan: &FlightPlan, body: &BodyPlace, motion: &Motion) -> FollowState {
        if body.y - plan.character.body.height > f64::from(plan.level.size().1) * plan.character.cell.1 {
            return FollowState::Stuck(StuckReason::FellOut);
        }
        if body.on_floor && self.is_climbing(plan, body) {
            return self.watch(plan, body, motion, StuckReason::Held);
        }
        if !body.on_floor {
            if self.footing == Footing::Ground {
                let jumped = self.pressed.jump || self.pressed.drop || self.pressed.climb != 0.0;
                self.footing = if jumped { Footing::Jumped } else { Footing::Walked };
            }
            (self.stays, self.strayed_s) = (false, 0.0);
            return self.watch(plan, body, motion, StuckReason::Held);
        }
        self.stays |= std::mem::take(&mut self.pressed.jump);
        self.course = None;
        let stand = plan.foothold().standing_at(body.x, body.y);
        let flight = stand.and_then(|stand| self.flight_from(plan, stand));
        if let Some(reason) = self.lands(plan, flight) {
            return FollowState::Stuck(reason);
        }
        let (Some(flight), Some(stand)) = (flight, stand) else {
            self.strayed_s += motion.tick;
            return if self.strayed_s > STRAYED_S { FollowState::Strayed } else { FollowState::Going };
        };
        self.strayed_s = 0.0;
        if flight != self.flight {
            (self.flight, self.take_off) = (flight, None);
        }
        self.note_progress(plan, body, stand);
        if flight == plan.flights.len() && is_near(body.x - plan.goal_x, motion) {
            return FollowState::Arrived;
        }
        self.watch(plan, body, motion, if self.stays { StuckReason::NoTakeOff } else { StuckReason::Held })
    }

    /// The flight that begins on the run of a cell, or the end of the path. The last one counts, unless the
    /// body has only walked.
    fn flight_from(&self, plan: &FlightPlan, stand: StandCell) -> Option<usize> {
        let foothold = plan.foothold();
        let begins_here = |&at: &usize| {
            let from = plan.flights.get(at).map_or(Some(plan.goal), |(from, _)| *from);
            let is_level = |from: &StandCell| from.row == stand.row || plan.level.has_floors();
            from.filter(is_level).is_some_and(|from| foothold.walks_to(stand, from))
        };
        if self.footing == Footing::Ground && begins_here(&self.flight) {
            return Some(self.flight);
        }
        (0..=plan.flights.len()).rev().find(begins_here)
    }

    /// Notes that the body has come to ground from which `flight` begins, or to other ground. Returns why it
    /// is stuck if it missed the end of one flight too often.
    fn lands(&mut self, plan: &FlightPlan, flight: Option<usize>) -> Option<StuckReason> {
        let footing = std::mem::replace(&mut self.footing, Footing::Ground);
        if !matches!(footing, Footing::Jumped | Footing::Walked) {
            return None;
        }
        // A body that only walks may leave the ground for a moment.
        let least = if footing == Footing::Walked { self.flight } else { self.flight + 1 };
        let gets_on = |flight: usize| flight >= least || flight == plan.flights.len();
        if flight.is_some_and(gets_on) {
            return None;
        }
        let piece = plan.piece(self.flight);
        self.missed.push(piece);
        // The next try has its own time.
        self.piece = None;
        let misses = self.missed.iter().filter(|&&missed| missed == piece).count();
        (misses >= MISSES_MAX).then(|| {
            self.piece = Some(piece);
            StuckReason::FellShort
        })
    }

    fn note_progress(&mut self, plan: &FlightPlan, body: &BodyPlace, stand: StandCell) {
        let at = plan.foothold().body_cell(body.x, stand.row);
        let is_here = |place: &usize| plan.cells[*place] == at && plan.on_ground[*place];
        let reached = (self.progress..plan.cells.len()).find(is_here);
        self.progress = reached.unwrap_or(self.progress);
    }

    /// Counts the time on the piece that the body is on. Once that is over, it is stuck for `reason`.
    fn watch(
        &mut self,
        plan: &FlightPlan,
        body: &BodyPlace,
        motion: &Motion,
        reason: StuckReason,
    ) -> FollowState {
        let piece = Some(plan.piece(self.flight));
        if piece != self.piece {
            (self.piece, self.piece_s, self.piece_from) = (piece, 0.0, body.x);
            self.stays = false;
        }
        self.piece_s += motion.tick;
        let needed = plan.time_of(self.flight, self.piece_from);
        let is_over = self.piece_s > TIME_FACTOR * needed + TIME_MORE_S;
        if is_over { FollowState::Stuck(reason) } else { FollowState::Going }
    }

    fn buttons(&mut self, plan: &FlightPlan, body: &BodyPlace, motion: &Motion) -> Buttons {
        let Some((from, flight)) = plan.flights.get(self.flight) else {
            // On its last walk a body that is in the air keeps its way.
            return Buttons { axis: axis_to(plan.goal_x, body, motion), ..Buttons::default() };
        };
        if self.steering.is_none() {
            self.steering = Steering::new(plan.character.body, *motion, plan.character.cell).ok();
        }
        if let (TakeOff::Climb(_), Some(from)) = (flight.kind, *from) {
            return self.climb_buttons(plan, body, motion, (from, flight));
        }
        let known = self.take_off;
        let (x, run) = known.unwrap_or_else(|| self.place_to_leave(plan, *from, flight, motion));
        self.take_off = Some((x, run));
        // Down a slope a body walks in hops.
        let hops = self.footing == Footing::Walked && !matches!(flight.kind, TakeOff::WalkOff(_));
        if !body.on_floor && !hops {
            return self.air_buttons(plan, body, motion, (flight, run));
        }
        let axis = floor_axis(flight, x, body, motion);
        let axis = match flight.kind {
            TakeOff::Jump | TakeOff::Drop => {
                let stands = from.and_then(|from| plan.foothold().at(from));
                stands.map_or(axis, |stands| slow_at_edge(axis, stands, body, (&plan.character.body, motion)))
            }
            _ => axis,
        };
        let walk = Buttons { axis, ..Buttons::default() };
        if hops || !is_ready(flight, x, body, motion) {
            return walk;
        }
        match flight.kind {
            TakeOff::Drop => Buttons { drop: true, ..Buttons::default() },
            TakeOff::Jump | TakeOff::RunningJump(_) => {
                let y = from.map_or(body.y, |from| plan.foothold().take_off(from, body.x));
                let hold = flight.hold.map(|hold| in_ticks(hold, plan, motion));
                let state = AirState { x: body.x, y, vx: body.vx, vy: 0.0, jumps: true, hold };
                let is_clear = self
                    .steering
                    .as_mut()
                    .is_some_and(|steering| steering.is_clear(&plan.level, &state, &run));
                if !is_clear && (body.x - x).abs() > NEAR_PX && flight.start_speed == 0.0 {
                    // It has to be nearer.
                    return walk;
                }
                self.steer(plan, &state, &run);
                let next = self.course.as_ref().and_then(|course| course.places.get(1));
                let axis = next.map_or(axis, |next| air_axis(next.0 - body.x, 0.0, motion));
                Buttons { axis, jump: true, ..Buttons::default() }
            }
            _ => walk,
        }
    }

    /// Where to leave the ground, and the run to land on. Where it can, the body stands a little farther in
    /// than at the last place that carries it.
    fn place_to_leave(
        &mut self,
        plan: &FlightPlan,
        from: Option<StandCell>,
        flight: &Flight,
        motion: &Motion,
    ) -> (f64, LandingRun) {
        let foothold = plan.foothold();
        let end = |side: f64| foothold.walk_end(flight.to, side as i32, flight.land_x + side * RUN_PX);
        let run = LandingRun { row: flight.to.row, low: end(-1.0), high: end(1.0), at: flight.land_x };
        let stand = from.and_then(|from| foothold.at(from).map(|x| (from, x)));
        let Some((from, (low, high))) = stand else { return (flight.start_x, run) };
        if !matches!(flight.kind, TakeOff::Jump | TakeOff::RunningJump(_)) {
            return (flight.start_x, run);
        }
        // So many ticks' runs do not lead over the edge if it does not take off: games that move before they
        // read the buttons take off a tick later.
        let farther_in = |ticks: f64| {
            let margin = (ticks * motion.run_speed * motion.tick + NEAR_PX).min((high - low) / 4.0);
            flight.start_x.clamp(low + margin, high - margin)
        };
        let (nearer, nearest) = (farther_in(2.5), farther_in(1.1));
        let hold = flight.hold.map(|hold| in_ticks(hold, plan, motion));
        let lands = |&x: &f64| {
            let y = foothold.take_off(from, x);
            let state = AirState { x, y, vx: flight.start_speed, vy: 0.0, jumps: true, hold };
            self.steering.as_mut().is_some_and(|steering| steering.is_clear(&plan.level, &state, &run))
        };
        let middle = f64::midpoint(low, high);
        let inside = [f64::midpoint(nearest, middle), middle, nearer, nearest].into_iter().find(lands);
        (inside.unwrap_or(flight.start_x), run)
    }

    fn air_buttons(
        &mut self,
        plan: &FlightPlan,
        body: &BodyPlace,
        motion: &Motion,
        (flight, run): (&Flight, LandingRun),
    ) -> Buttons {
        if let Some(course) = &mut self.course {
            course.at += 1;
        }
        let slack = OFF_COURSE_PX + 0.5 * motion.tick * motion.run_speed;
        let is_on_course = self.course.as_ref().is_some_and(|course| {
            course.places.get(course.at).zip(course.places.get(course.at + 1)).is_some_and(|(place, _)| {
                let fall = OFF_COURSE_PX + 0.5 * motion.tick * body.vy.abs();
                (place.0 - body.x).abs() <= slack && (place.1 - body.y).abs() <= fall
            })
        });
        if !is_on_course {
            let BodyPlace { x, y, vx, vy, .. } = *body;
            let is_rising = self.pressed.jump && vy < 0.0;
            let planned = self.course.as_ref().and_then(|course| course.hold);
            let planned =
                planned.map(|hold| hold.saturating_sub(self.course.as_ref().map_or(0, |c| c.at as u32)));
            let mut state = AirState { x, y, vx, vy, jumps: false, hold: planned };
            let found = self.steer(plan, &state, &run);
            for hold in [None, Some(0)] {
                if !found && is_rising && self.course.is_none() {
                    state.hold = hold;
                    self.steer(plan, &state, &run);
                }
            }
        }
        let Some(course) = &self.course else {
            // No way leads there from here: as near as it gets.
            return Buttons {
                axis: air_axis(0.0, flight.land_x - body.x, motion),
                jump: self.pressed.jump,
                ..Buttons::default()
            };
        };
        let is_held = course.hold.is_none_or(|hold| (course.at as u32) < hold);
        let jump = self.pressed.jump && body.vy < 0.0 && is_held;
        let (now, next) =
            (course.places[course.at].0, course.places[(course.at + 1).min(course.places.len() - 1)].0);
        Buttons { axis: air_axis(next - now, now - body.x, motion), jump, ..Buttons::default() }
    }

    /// Whether the body holds a ladder far from the end of its climb: what it touches there is not its ground.
    fn is_climbing(&self, plan: &FlightPlan, body: &BodyPlace) -> bool {
        let Some((_, flight)) = plan.flights.get(self.flight) else { return false };
        let TakeOff::Climb(way) = flight.kind else { return false };
        let left = (plan.foothold().height(flight.to, flight.land_x) - body.y) * f64::from(way);
        self.pressed.climb != 0.0 && left > END_PART * plan.character.cell.1
    }

    /// The buttons of a climb: to its place, to its end and off the ladder.
    fn climb_buttons(
        &self,
        plan: &FlightPlan,
        body: &BodyPlace,
        motion: &Motion,
        (from, flight): (StandCell, &Flight),
    ) -> Buttons {
        let (foothold, x) = (plan.foothold(), flight.start_x);
        let way = f64::from(flight.to.row - from.row).signum();
        let mut buttons = Buttons { axis: axis_to(x, body, motion), ..Buttons::default() };
        let holds = self.footing == Footing::Jumped;
        let mut drops = holds;
        if !holds {
            // Where the ground ends beside the ladder, it takes hold at the edge and moves on.
            let (low, high) = foothold.at(from).unwrap_or((x, x));
            let place = x.clamp(low, high);
            drops = (place - x).abs() < NEAR_PX;
            let is_ready = self.pressed.climb != 0.0 || is_ready(flight, place, body, motion);
            if !body.on_floor || !is_ready {
                return Buttons { axis: axis_to(place, body, motion), ..buttons };
            }
        }
        let off_x = (body.x - x).abs();
        if holds
            && (self.pressed.climb == 0.0 || off_x > plan.character.cell.0 + plan.character.body.half_width)
        {
            // It has let go, or something has pushed it off.
            return Buttons { axis: axis_to(flight.land_x, body, motion), ..buttons };
        }
        let end = foothold.height(flight.to, flight.land_x);
        let left = (end - ABOVE_PX - body.y) * way;
        let is_under_ceiling = way < 0.0 && body.y <= end && body.vy == 0.0;
        if holds && (left < NEAR_PX || is_under_ceiling) {
            // It comes to rest and over its ground before it lets go.
            let lets_go = self.pressed.climb.abs() <= HELD && is_near(body.x - flight.land_x, motion);
            buttons.axis = axis_to(flight.land_x, body, motion);
            buttons.climb = if lets_go { 0.0 } else { HELD * way };
            return buttons;
        }
        // Beside its place there may be no room.
        let is_in = off_x <= NEAR_PX.max(motion.run_speed * motion.tick);
        let speed = (left / (motion.climb_speed * motion.tick)).clamp(HELD, 1.0);
        buttons.climb = way * if is_in { speed } else { HELD };
        buttons.drop = drops && body.on_floor && way > 0.0;
        buttons
    }

    /// Finds a course from a state; there is none afterwards if the body cannot land on the run.
    fn steer(&mut self, plan: &FlightPlan, state: &AirState, run: &LandingRun) -> bool {
        let places = self.steering.as_mut().and_then(|steering| steering.course(&plan.level, state, run));
        self.course = places.map(|places| Course { places, at: 0, hold: state.hold });
        self.course.is_some()
    }
}

impl FlightPlan {
    fn foothold(&self) -> super::motion::Foothold<'_> {
        super::motion::Foothold { level: &self.level, body: self.character.body }
    }

    /// The piece of a flight, or of the walk after the last.
    fn piece(&self, flight: usize) -> Piece {
        self.flights.get(flight).map_or((None, self.goal), |(_, flight)| (Some(flight.kind), flight.to))
    }

    /// The seconds that the body needs for a piece from `x` on the ground: to come up to speed, to walk and
    /// to fly.
    fn time_of(&self, flight: usize, x: f64) -> f64 {
        let motion = &self.character.motion;
        let width = f64::from(self.level.size().0) * self.character.cell.0;
        // A body far beyond the map has no more time than one at its border.
        let x = x.clamp(0.0, width);
        let speed_up = if motion.acceleration > 0.0 { motion.run_speed / motion.acceleration } else { 0.0 };
        match self.flights.get(flight) {
            Some((_, flight)) => {
                let run_up = if flight.start_speed == 0.0 { 0.0 } else { motion.run_up_px(motion.run_speed) };
                let walk = (x - flight.start_x).abs() + 2.0 * run_up;
                walk / motion.run_speed + 4.0 * speed_up + f64::from(flight.ticks) * motion.tick
            }
            None => (x - self.goal_x).abs() / motion.run_speed + 2.0 * speed_up,
        }
    }
}

/// Ticks of a plan as ticks of a game.
fn in_ticks(hold: u32, plan: &FlightPlan, motion: &Motion) -> u32 {
    (f64::from(hold) * plan.character.motion.tick / motion.tick).round() as u32
}
