//! Follows a jump path with a body under gravity: which buttons to press in each physics frame.
//!
//! Reads the body's place and speed alone; of the game's physics it knows what it observes: how fast the body
//! runs and falls. In the air it steers the body through the free columns of a [`FollowPlan`]. It holds a
//! jump until the body is high enough, and fast enough to get across before it falls to the landing. A step
//! takes time in proportion to the plan's cells.

use super::follow_plan::{FollowPlan, Segment, SegmentKind};
use super::profile::JUMP_HEIGHT_MAX;
use pathforge_core::geometry::Cell;

/// How far off its column an aligned body may be, in cells.
const ALIGNED_CELLS: f64 = 0.06;
/// How far above the highest row of a jump the body must rise, in cells: enough to clear a corner.
const RISE_MARGIN_CELLS: f64 = 0.14;
/// How far below a row the feet of a body must be so that one-way cells beside it do not support it any more,
/// in cells.
const BELOW_EDGE_CELLS: f64 = 0.2;
/// How far beyond its cell a body can stand on an edge, in cells.
const EDGE_CELLS: f64 = 0.75;
/// The longest time that a body stays in the rows around the top of a jump, in seconds; added to the patience
/// in the air.
const HANG_S: f64 = 1.0;
/// How far from the row that it stands in a body may be, in cells.
const ROW_SLACK_CELLS: f64 = 0.45;

/// The state of a body in a physics frame. Lengths are in cells, y grows downwards.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BodyState {
    /// The left edge of the body's cells.
    pub left: f64,
    /// The upper edge of the body's cells.
    pub top: f64,
    /// Sideways speed, in cells a second.
    pub speed_x: f64,
    /// Downward speed, in cells a second.
    pub speed_y: f64,
    /// `true` if the body stands on something.
    pub on_floor: bool,
    /// Seconds since the previous frame; finite and above 0.
    pub delta: f64,
}

/// The buttons to press.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Buttons {
    /// −1 (left) to 1 (right); less than full where full speed would overshoot within one frame.
    pub axis: f64,
    /// Jump, held while the jump must rise.
    pub jump: bool,
    /// Drop through the one-way platform that the body stands on.
    pub drop: bool,
}

/// The progress of a follower.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FollowState {
    /// Follows the path.
    Going,
    /// Is at the goal.
    Arrived,
    /// The body stands on ground that is not part of the path.
    Strayed,
    /// The body makes no progress, or there is no path.
    Stuck,
}

/// When a follower gives up.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FollowLimits {
    /// Seconds without progress after which it is stuck.
    pub patience_s: f64,
    /// How often it may land on an earlier part of the path.
    pub attempts_max: u32,
}

impl Default for FollowLimits {
    fn default() -> Self {
        Self { patience_s: 2.0, attempts_max: 4 }
    }
}

/// Follows one plan with one body, frame by frame.
#[derive(Clone, Debug, Default)]
pub struct Follower {
    plan: FollowPlan,
    limits: FollowLimits,
    /// Index of the segment that is followed.
    segment: usize,
    /// `true` if the body left the ground on this segment.
    in_air: bool,
    /// `true` if the jump button is held.
    jump_held: bool,
    /// Index of the farthest cell reached, and the time since.
    progress: usize,
    idle_s: f64,
    /// Seconds on ground that is not part of the path.
    strayed_s: f64,
    /// The highest and the lowest row of this flight, and the seconds since either changed.
    flight_rows: Option<(f64, f64)>,
    hanging_s: f64,
    attempts: u32,
    motion: Motion,
    last_axis: f64,
    last_speed_y: Option<f64>,
}

/// How the body moves, as far as it is known.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Motion {
    /// Full sideways speed, in cells a second; 0 while unknown.
    run_speed: f64,
    /// In cells a second per second; 0 while unknown.
    gravity: f64,
}

impl Follower {
    /// Creates a follower of `plan`.
    pub fn new(plan: FollowPlan, limits: FollowLimits) -> Self {
        Self { plan, limits, ..Self::default() }
    }

    /// Follows another plan with the same body, keeping what is known of its motion.
    pub fn set_plan(&mut self, plan: FollowPlan) {
        let Self { limits, motion, .. } = *self;
        *self = Self { plan, limits, motion, ..Self::default() };
    }

    /// The index of the farthest cell of the path that was reached.
    pub const fn progress(&self) -> usize {
        self.progress
    }

    /// Sets what the follower would observe otherwise: sideways speed and gravity, in cells and seconds.
    /// Numbers that are not above 0 are left to observation.
    pub fn set_motion(&mut self, run_speed: f64, gravity: f64) {
        if run_speed > 0.0 && run_speed.is_finite() {
            self.motion.run_speed = run_speed;
        }
        if gravity > 0.0 && gravity.is_finite() {
            self.motion.gravity = gravity;
        }
    }

    /// Returns the buttons to press in this frame and the progress. Once that is not [`FollowState::Going`],
    /// set another plan.
    pub fn step(&mut self, body: &BodyState) -> (Buttons, FollowState) {
        self.observe(body);
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
        let Some(last) = self.plan.cells.len().checked_sub(1) else { return FollowState::Stuck };
        self.update_idle_time(body);
        if body.on_floor {
            self.jump_held = false;
            let Some(at) = self.ground_index(body) else {
                // For a few frames a body may stand beside its path, as where it lands on an edge.
                self.strayed_s += body.delta;
                return if self.strayed_s > 0.1 { FollowState::Strayed } else { FollowState::Going };
            };
            self.strayed_s = 0.0;
            if self.in_air && at < self.plan.segments.get(self.segment).map_or(0, |segment| segment.last) {
                self.attempts += 1;
            }
            self.in_air = false;
            self.flight_rows = None;
            self.update_progress(at);
            // Where two segments join, the later segment.
            self.segment = self.plan.segments.partition_point(|segment| segment.last <= at);
            if at == last && self.is_aligned(body, f64::from(self.plan.cells[last].x)) {
                return FollowState::Arrived;
            }
        } else {
            self.in_air = true;
            self.update_flight(body);
            let goal = self.plan.cells[last];
            let near =
                (body.left - f64::from(goal.x)).abs() < 0.5 && (body.top - f64::from(goal.y)).abs() < 0.5;
            // A goal in the air is passed through, so being near in one frame is enough.
            if near && !self.plan.on_ground[last] {
                return FollowState::Arrived;
            }
        }
        // Three ways of no progress: hanging in the air, standing, and landing on earlier parts again and
        // again.
        let is_lost = self.hanging_s > self.limits.patience_s + HANG_S || self.is_below_map(body);
        if is_lost || self.idle_s > self.limits.patience_s || self.attempts > self.limits.attempts_max {
            return FollowState::Stuck;
        }
        FollowState::Going
    }

    /// Returns `true` if the body fell out of the map.
    fn is_below_map(&self, body: &BodyState) -> bool {
        body.top + self.height_above_feet() > f64::from(self.plan.region.bottom())
    }

    /// The rows from the body's highest cells to its lowest.
    fn height_above_feet(&self) -> f64 {
        f64::from(self.plan.footprint.h() - 1)
    }

    /// Updates how long a flight has come to no row that is new to it.
    fn update_flight(&mut self, body: &BodyState) {
        let region = self.plan.region;
        // A body beyond these rows is lost: the clamp keeps it from making progress for ever.
        let ceiling = f64::from(region.y) - f64::from(JUMP_HEIGHT_MAX);
        let feet = body.top + self.height_above_feet();
        let row = feet.clamp(ceiling, f64::from(region.bottom()));
        let (high, low) = self.flight_rows.unwrap_or((f64::INFINITY, f64::NEG_INFINITY));
        self.hanging_s += body.delta;
        // Half a row, so that trembling in place is no progress.
        if row < high - 0.5 || row > low + 0.5 {
            self.flight_rows = Some((high.min(row), low.max(row)));
            self.hanging_s = 0.0;
        }
    }

    fn update_idle_time(&mut self, body: &BodyState) {
        // Time in a long fall or a high jump does not count: `update_flight` watches those.
        if body.on_floor || body.speed_y.abs() < 0.5 {
            self.idle_s += body.delta;
        }
    }

    fn update_progress(&mut self, at: usize) {
        if at > self.progress {
            self.progress = at;
            self.idle_s = 0.0;
        }
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
            (off / self.stride(body)).clamp(-1.0, 1.0)
        // Without a known speed the follower cannot slow down, so near is near enough.
        } else if off.abs() < ALIGNED_CELLS {
            0.0
        } else {
            off.signum()
        }
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
                let column = take_off_column(segment, first);
                let jump = self.is_aligned(body, column);
                Buttons { axis: self.axis_to(body, column), jump, drop: false }
            }
        }
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
        let Motion { run_speed, gravity } = self.motion;
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

/// The column to jump from: towards the first crossing, as far as the edge of the ground surely supports the
/// body.
fn take_off_column(segment: &Segment, first: i32) -> f64 {
    let column = segment.rises.first().map_or(first, |crossing| crossing.column);
    f64::from(first) + f64::from(column - first).clamp(-EDGE_CELLS, EDGE_CELLS)
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
        Follower::new(FollowPlan::new(&outcome, &layers), FollowLimits::default())
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
        follower.set_motion(10.0, 60.0);
        let (buttons, _) = follower.step(&standing(8.85));
        assert!(buttons.axis > 0.7 && buttons.axis < 0.8, "{buttons:?}");
    }

    #[test]
    fn it_is_stuck_without_progress_and_below_the_map() {
        let mut idle = follower();
        let frames = (0..1000).take_while(|_| idle.step(&standing(0.0)).1 == FollowState::Going).count();
        assert!((90..110).contains(&frames), "two seconds are {frames} frames");
        let out = BodyState { top: 3.1, speed_y: 9.0, on_floor: false, ..standing(4.0) };
        assert_eq!(follower().step(&out), (Buttons::default(), FollowState::Stuck));
        assert_eq!(Follower::default().step(&out).1, FollowState::Stuck);
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
