//! Follows a jump path with a body under gravity: which buttons to press in each physics frame.
//!
//! Reads the body's place and speed alone; of the game's physics it knows what it observes: how fast the body
//! runs and falls. In the air it steers the body through the free columns of a [`FollowPlan`]. It holds a
//! jump until the body is high enough, and fast enough to get across before it falls to the landing. A step
//! takes time in proportion to the plan's cells.

use super::follow_plan::{FollowPlan, Segment, SegmentKind};
use super::following::{BodyState, Buttons, FollowState, Motion, StuckReason};
use pathforge_core::geometry::Cell;

/// How far off its column an aligned body may be, in cells.
const ALIGNED_CELLS: f64 = 0.06;
/// How far above the highest row of a jump the body must rise, in cells: enough to clear a corner.
const RISE_MARGIN_CELLS: f64 = 0.14;
/// How far below a row the feet of a body must be so that one-way cells beside it do not support it any more,
/// in cells.
const BELOW_EDGE_CELLS: f64 = 0.2;
/// How far from the last place on an edge at which a body stands it takes off, in cells: the run of a frame.
const EDGE_MARGIN_CELLS: f64 = 0.19;
/// A piece of a path takes at most so many times the time that it needs, and so many seconds more.
const TIME_FACTOR: f64 = 2.0;
const TIME_MORE_S: f64 = 1.0;
/// What a body is taken to have until it is known, in cells and seconds: rather slow.
const SLOW_RUN: f64 = 3.0;
const SLOW_GRAVITY: f64 = 15.0;
/// How often a body may miss the end of one flight.
const MISSES_MAX: usize = 2;
/// How deep in the cell below its path a floor may lie, in cells.
const SUNK_MAX: f64 = 0.95;
/// How far from the row that it stands in a body may be, in cells.
const ROW_SLACK_CELLS: f64 = 0.45;

/// Follows one plan with one body, frame by frame.
#[derive(Clone, Debug, Default)]
pub struct Follower {
    plan: FollowPlan,
    /// Index of the segment that is followed.
    segment: usize,
    /// `true` if the body left the ground on this segment.
    in_air: bool,
    /// `true` if the jump button is held.
    jump_held: bool,
    /// Index of the farthest cell reached.
    progress: usize,
    /// The piece that the body is on, the seconds on it, and where the body came to it.
    piece: Option<Piece>,
    piece_s: f64,
    piece_from: (f64, f64),
    /// The flights whose end was missed, once for each time; kept from plan to plan.
    missed: Vec<Piece>,
    /// Seconds on ground that is not part of the path.
    strayed_s: f64,
    /// How deep in its cells the floor lies: how much lower than its cells the body stood at the start.
    sunk: Option<f64>,
    motion: Motion,
    last_axis: f64,
    last_speed_y: Option<f64>,
}

/// A segment of any plan: what is done, and where it ends.
type Piece = (SegmentKind, Cell);

impl Follower {
    /// Creates a follower of `plan` for a body of which `motion` is known. The follower observes what is not.
    pub fn new(plan: FollowPlan, motion: Motion) -> Self {
        Self { plan, motion, ..Self::default() }
    }

    /// Follows another plan with the same body, keeping what is known of it. Returns `false` if that leads
    /// over the piece on which the body was stuck, and leaves everything as it was.
    pub fn set_plan(&mut self, plan: FollowPlan, stuck: bool) -> bool {
        let leads_to = |piece: Piece| (0..plan.segments.len()).any(|at| plan.piece(at) == Some(piece));
        if stuck && self.piece.is_some_and(leads_to) {
            return false;
        }
        let missed = std::mem::take(&mut self.missed);
        *self = Self { plan, motion: self.motion, missed, ..Self::default() };
        true
    }

    /// What is known of the body.
    pub const fn motion_mut(&mut self) -> &mut Motion {
        &mut self.motion
    }

    /// The index of the farthest cell of the path that was reached.
    pub const fn progress(&self) -> usize {
        self.progress
    }

    /// Returns the buttons to press in this frame and the progress. Once that is not [`FollowState::Going`],
    /// set another plan.
    pub fn step(&mut self, body: &BodyState) -> (Buttons, FollowState) {
        self.observe(body);
        let body = &BodyState { top: body.top - self.sunk(body), ..*body };
        let state = self.locate(body);
        let mut buttons = Buttons::default();
        if state == FollowState::Going {
            buttons = self.buttons(body);
            self.jump_held = buttons.jump;
        }
        self.last_axis = buttons.axis;
        self.last_speed_y = (!body.on_floor).then_some(body.speed_y);
        (buttons, state)
    }

    /// How deep in its cells the floor lies, seen where the body stands at the start of a plan.
    fn sunk(&mut self, body: &BodyState) -> f64 {
        if self.sunk.is_none() && body.on_floor {
            let start = self.plan.cells.first().zip(self.plan.on_ground.first());
            let depth = start.filter(|(_, ground)| **ground).map(|(cell, _)| body.top - f64::from(cell.y));
            self.sunk = Some(depth.filter(|depth| (0.0..=SUNK_MAX).contains(depth)).unwrap_or(0.0));
        }
        self.sunk.unwrap_or(0.0)
    }

    /// Observes how fast the body runs and falls. The largest speeds count: walls and floors only slow it
    /// down.
    fn observe(&mut self, body: &BodyState) {
        if self.last_axis.abs() > 0.99 {
            self.motion.run_speed = self.motion.run_speed.max(body.speed_x.abs());
        }
        // While it falls, since games often let bodies rise under less gravity.
        let before = self.last_speed_y.filter(|_| !body.on_floor && body.speed_y > 0.0);
        if let Some(gained) = before.filter(|&before| before > 0.0).map(|before| body.speed_y - before) {
            self.motion.gravity = self.motion.gravity.max(gained / body.delta);
        }
    }

    /// Locates the body on the path.
    fn locate(&mut self, body: &BodyState) -> FollowState {
        let Some(last) = self.plan.cells.len().checked_sub(1) else {
            return FollowState::Stuck(StuckReason::NoPath);
        };
        if self.is_below_map(body) {
            return FollowState::Stuck(StuckReason::FellOut);
        }
        if body.on_floor {
            let held = std::mem::take(&mut self.jump_held);
            let at = self.ground_index(body);
            if let Some(reason) = self.lands(at) {
                return FollowState::Stuck(reason);
            }
            let Some(at) = at else {
                // For a few frames a body may stand beside its path, as where it lands on an edge.
                self.strayed_s += body.delta;
                return if self.strayed_s > 0.1 { FollowState::Strayed } else { FollowState::Going };
            };
            self.strayed_s = 0.0;
            self.progress = self.progress.max(at);
            // Where two segments join, the later segment.
            self.segment = self.plan.segments.partition_point(|segment| segment.last <= at);
            if at == last && self.is_aligned(body, f64::from(self.plan.cells[last].x)) {
                return FollowState::Arrived;
            }
            return self.watch(body, if held { StuckReason::NoTakeOff } else { StuckReason::Held });
        }
        self.in_air = true;
        let goal = self.plan.cells[last];
        let near = (body.left - f64::from(goal.x)).abs() < 0.5 && (body.top - f64::from(goal.y)).abs() < 0.5;
        // A goal in the air is passed through, so being near in one frame is enough.
        if near && !self.plan.on_ground[last] {
            return FollowState::Arrived;
        }
        self.watch(body, StuckReason::Held)
    }

    /// Notes that the body is on the ground at index `at` of the path, or beside the path. Returns why it is
    /// stuck if it missed the end of one flight too often.
    fn lands(&mut self, at: Option<usize>) -> Option<StuckReason> {
        if !std::mem::take(&mut self.in_air) {
            return None;
        }
        let flight =
            self.plan.segments.get(self.segment).filter(|flight| flight.kind != SegmentKind::Walk)?;
        if at.is_some_and(|at| at >= flight.last) {
            return None;
        }
        let piece = self.plan.piece(self.segment)?;
        self.missed.push(piece);
        // The next try has its own time.
        self.piece = None;
        let misses = self.missed.iter().filter(|&&missed| missed == piece).count();
        (misses >= MISSES_MAX).then(|| {
            self.piece = Some(piece);
            StuckReason::FellShort
        })
    }

    /// Counts the time on the piece that the body is on. Once that is over, it is stuck for `reason`.
    fn watch(&mut self, body: &BodyState, reason: StuckReason) -> FollowState {
        let piece = self.plan.piece(self.segment);
        if piece != self.piece {
            (self.piece, self.piece_s, self.piece_from) = (piece, 0.0, (body.left, body.top));
        }
        self.piece_s += body.delta;
        let is_over = self.piece_s > TIME_FACTOR * self.time_needed() + TIME_MORE_S;
        if is_over { FollowState::Stuck(reason) } else { FollowState::Going }
    }

    /// The seconds that the body needs for its piece: to run there and along, to come up to speed, to rise and
    /// to fall.
    fn time_needed(&self) -> f64 {
        let known = |value: f64, slow: f64| if value > 0.0 { value } else { slow };
        let (run, gravity) =
            (known(self.motion.run_speed, SLOW_RUN), known(self.motion.gravity, SLOW_GRAVITY));
        // A body far beyond the map has no more time than one at its border.
        let region = self.plan.region;
        let within = |at: f64, low: i32, high: i32| at.clamp(f64::from(low), f64::from(high));
        let left = within(self.piece_from.0, region.x, region.right());
        let top = within(self.piece_from.1, region.y, region.bottom());
        let goal = self.plan.cells[self.plan.cells.len() - 1];
        let (first, end, highest) = match self.plan.segments.get(self.segment) {
            Some(flight) => {
                (self.plan.cells[flight.first], self.plan.cells[flight.last], f64::from(flight.top_row))
            }
            None => (goal, goal, top),
        };
        let across = (left - f64::from(first.x)).abs() + f64::from((end.x - first.x).abs());
        let speeding =
            if self.motion.acceleration > 0.0 { 2.0 * run / self.motion.acceleration } else { 0.0 };
        let falls = |from: f64, to: f64| (2.0 * (to - from).max(0.0) / gravity).sqrt();
        across / run + speeding + falls(highest, top) + falls(highest.min(top), f64::from(end.y))
    }

    /// Returns `true` if the body fell out of the map.
    fn is_below_map(&self, body: &BodyState) -> bool {
        body.top + f64::from(self.plan.footprint.h() - 1) > f64::from(self.plan.region.bottom())
    }

    /// The index of the cell of the path that a body on the floor stands at, the nearest if it stands at
    /// several.
    fn ground_index(&self, body: &BodyState) -> Option<usize> {
        let off = |cell: Cell| (body.left - f64::from(cell.x)).abs();
        let stands =
            self.plan.cells.iter().zip(&self.plan.on_ground).enumerate().filter(|(_, (cell, ground))| {
                // Landings can be off by more than half a cell, as bodies stand half over edges.
                **ground && (body.top - f64::from(cell.y)).abs() < ROW_SLACK_CELLS && off(**cell) < 1.1
            });
        stands.min_by(|(_, (a, _)), (_, (b, _))| off(**a).total_cmp(&off(**b))).map(|(at, _)| at)
    }

    /// Cells that the body runs in a frame.
    fn stride(&self, body: &BodyState) -> f64 {
        self.motion.run_speed * body.delta
    }

    fn is_aligned(&self, body: &BodyState, column: f64) -> bool {
        // Just over half a frame's run: of two neighbouring frames, one is that close at any speed.
        (body.left - column).abs() <= ALIGNED_CELLS.max(0.55 * self.stride(body))
    }

    /// The axis that moves the body towards `column`, less than full where it would overshoot.
    fn axis_to(&self, body: &BodyState, column: f64) -> f64 {
        let off = column - body.left;
        if off.abs() < 0.01 {
            0.0
        // As much of a frame's run as is left to go.
        } else if self.motion.run_speed > 0.0 {
            (off.signum() * self.approach_speed(off.abs(), body.delta) / self.motion.run_speed)
                .clamp(-1.0, 1.0)
        // Without a known speed the follower cannot slow down, so near is near enough.
        } else if off.abs() < ALIGNED_CELLS {
            0.0
        } else {
            off.signum()
        }
    }

    /// The speed of the next frame from which a body stops in time before something so far off.
    fn approach_speed(&self, off: f64, delta: f64) -> f64 {
        let change = self.motion.acceleration * delta;
        if change <= 0.0 {
            return off / delta;
        }
        // Frames of v, v − change, …, 0 lead v · (v / change + 1) / 2 frames far.
        let speed = change * ((0.25 + 2.0 * off / (change * delta)).sqrt() - 0.5);
        // The last step is as long as is left.
        speed.max(change.min(off / delta))
    }

    /// Returns `true` if the body has come to rest before a jump straight up.
    fn is_steady(&self, body: &BodyState) -> bool {
        let change = self.motion.acceleration * body.delta;
        change <= 0.0 || body.speed_x.abs() <= 1.01 * change
    }

    fn buttons(&self, body: &BodyState) -> Buttons {
        let Some(segment) = self.plan.segments.get(self.segment) else {
            let goal = self.plan.cells.last().map_or(body.left, |cell| f64::from(cell.x));
            return Buttons { axis: self.axis_to(body, goal), ..Buttons::default() };
        };
        if body.on_floor && !self.in_air {
            self.floor_buttons(body, segment)
        } else {
            self.air_buttons(body, segment)
        }
    }

    fn floor_buttons(&self, body: &BodyState, segment: &Segment) -> Buttons {
        let first = self.plan.cells[segment.first].x;
        match segment.kind {
            // A walk has no crossings, so both end at the column that the segment leads to.
            SegmentKind::Walk | SegmentKind::Fall => {
                let column = segment.falls.first().map_or(segment.top_column, |crossing| crossing.column);
                Buttons { axis: self.axis_to(body, f64::from(column)), ..Buttons::default() }
            }
            SegmentKind::Drop => {
                let column = f64::from(first);
                let drop = self.is_aligned(body, column);
                Buttons { axis: self.axis_to(body, column), drop, jump: false }
            }
            SegmentKind::Jump => {
                let column = self.take_off_column(segment, first);
                let off = column - f64::from(first);
                // A jump to the side takes the run along, as far as the edge.
                if off != 0.0 && self.motion.acceleration > 0.0 {
                    let jump = (body.left - column) * off.signum() > -0.55 * self.stride(body);
                    return Buttons { axis: off.signum(), jump, drop: false };
                }
                let jump = self.is_aligned(body, column) && self.is_steady(body);
                Buttons { axis: self.axis_to(body, column), jump, drop: false }
            }
        }
    }

    /// The column to jump from: towards the first crossing, as far as the edge of the ground surely supports
    /// the body.
    fn take_off_column(&self, segment: &Segment, first: i32) -> f64 {
        let column = segment.rises.first().map_or(first, |crossing| crossing.column);
        let edge = (1.0 - self.motion.slack - EDGE_MARGIN_CELLS).max(0.0);
        f64::from(first) + f64::from(column - first).clamp(-edge, edge)
    }

    fn air_buttons(&self, body: &BodyState, segment: &Segment) -> Buttons {
        let rises = body.speed_y < 0.0;
        let landing = self.plan.cells[segment.last];
        let column = if rises { rise_column(segment, body) } else { fall_column(segment, body, landing.x) };
        // Once released, a jump cannot be taken up again, so it is held until the body surely gets there.
        let high_enough = body.top <= f64::from(segment.top_row) - RISE_MARGIN_CELLS;
        let jump = self.jump_held && rises && !(high_enough && self.gets_across(body, landing));
        Buttons { axis: self.axis_to(body, f64::from(column)), jump, drop: false }
    }

    /// Returns `true` if the body would get across before it fell to the row of its landing, if it stopped
    /// rising now.
    fn gets_across(&self, body: &BodyState, landing: Cell) -> bool {
        let Motion { run_speed, gravity, .. } = self.motion;
        if run_speed <= 0.0 || gravity <= 0.0 {
            return true;
        }
        // The fall from here takes √(2 · drop / gravity); half a cell may be missing, as a body may land with
        // a part of it.
        let drop = (f64::from(landing.y) - body.top).max(0.0);
        let across = ((f64::from(landing.x) - body.left).abs() - 0.5).max(0.0);
        across <= run_speed * (2.0 * drop / gravity).sqrt()
    }
}

/// The column that a rising body steers for.
fn rise_column(segment: &Segment, body: &BodyState) -> i32 {
    if body.top <= f64::from(segment.top_row) {
        return segment.top_column;
    }
    // Rises are sorted from below to above.
    let next = segment.rises.iter().find(|crossing| body.top > f64::from(crossing.row) - 1.0);
    next.map_or(segment.top_column, |crossing| crossing.steer_column)
}

/// The column that a falling body steers for.
fn fall_column(segment: &Segment, body: &BodyState, landing: i32) -> i32 {
    if body.top < f64::from(segment.top_row) {
        return segment.top_column;
    }
    let next = segment.falls.iter().find(|crossing| body.top < f64::from(crossing.row) + 1.0);
    next.map_or(landing, |crossing| {
        let is_below_edges = body.top > f64::from(crossing.row) + BELOW_EDGE_CELLS;
        if is_below_edges { crossing.drop_column } else { crossing.steer_column }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{JumpProfile, Platformer, PlatformerQuery};
    use pathforge_core::terrain::Terrain;
    use pathforge_core::world::World;

    /// A follower on flat ground of ten columns, from the left end to the right one.
    fn follower() -> Follower {
        let terrain = Terrain::from_text("..........\n..........\n##########", Cell::default()).unwrap();
        let profile = JumpProfile::default();
        let layers = World::from_terrain(terrain).body_layers(profile.footprint);
        let query = PlatformerQuery::new(Cell::new(0, 1), Cell::new(9, 1), profile);
        let outcome = Platformer::default().find_path(&layers, &query);
        Follower::new(FollowPlan::new(&outcome, &layers), Motion::default())
    }

    fn standing(left: f64) -> BodyState {
        BodyState { left, top: 1.0, speed_x: 0.0, speed_y: 0.0, on_floor: true, delta: 0.02 }
    }

    #[test]
    fn it_runs_to_the_goal_and_releases_the_buttons() {
        let mut follower = follower();
        let (buttons, state) = follower.step(&standing(0.0));
        assert_eq!((state, buttons.axis, buttons.jump), (FollowState::Going, 1.0, false));
        assert_eq!(follower.step(&standing(9.0)), (Buttons::default(), FollowState::Arrived));
    }

    #[test]
    fn it_presses_less_than_full_where_a_frame_would_overshoot() {
        let mut follower = follower();
        follower.motion = Motion { run_speed: 10.0, gravity: 60.0, ..Motion::default() };
        let (buttons, _) = follower.step(&standing(8.85));
        assert!(buttons.axis > 0.7 && buttons.axis < 0.8, "{buttons:?}");
    }

    #[test]
    fn it_is_stuck_without_progress_and_below_the_map() {
        let mut idle = follower();
        let frames = (0..1000).take_while(|_| idle.step(&standing(0.0)).1 == FollowState::Going).count();
        // Nine cells at the slow speed, twice, and a second.
        assert!((345..355).contains(&frames), "{frames} frames");
        let out = BodyState { top: 3.1, speed_y: 9.0, on_floor: false, ..standing(4.0) };
        assert_eq!(follower().step(&out), (Buttons::default(), FollowState::Stuck(StuckReason::FellOut)));
        assert_eq!(Follower::default().step(&out).1, FollowState::Stuck(StuckReason::NoPath));
    }

    #[test]
    fn it_has_strayed_where_it_stands_beside_the_path() {
        let mut follower = follower();
        let beside = BodyState { top: -3.0, ..standing(4.0) };
        let frames = (0..100).take_while(|_| follower.step(&beside).1 == FollowState::Going).count();
        assert!((3..10).contains(&frames), "{frames}");
        assert_eq!(follower.step(&beside).1, FollowState::Strayed);
    }
}
