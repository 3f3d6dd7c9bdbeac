//! `PathForgePath`: what became of a query.

use std::borrow::Cow;
use std::sync::OnceLock;

use godot::classes::IRefCounted;
use godot::prelude::*;
use pathforge_core::cost::Cost;
use pathforge_core::geometry::{Cell, Footprint};
use pathforge_core::path::{Route, sweeps_over};
use pathforge_core::world::{PathOutcome, Reason, Status};

use crate::convert::{self, ShownCell, ShownRegion, vector};
use crate::geometry::CellGeometry;
use crate::platformer::Trip;

/// What became of a query: the path, or the reason why there is none.
///
/// [method PathForgeGrid.find_path] returns one, never `null`. The arrays are built when they are first read, so asking
/// only for [member cost] is cheap.
///
/// ```gdscript
/// var path := grid.find_path(start, goal, profile)
/// if path.is_complete():
///     for position: Vector2 in path.get_global_positions():
///         await walk_to(position)
/// elif path.reason == PathForgePath.REASON_GOAL_SOLID:
///     say("Somebody has built there.")
/// else:
///     print(path.describe())
/// ```
#[derive(GodotClass)]
#[class(no_init, base = RefCounted)]
pub struct PathForgePath {
    /// What became of the query: one of the `STATUS_*` constants.
    #[var(get = get_status, no_set)]
    status: PhantomVar<i64>,

    /// Why there is no complete path: one of the `REASON_*` constants, [constant REASON_NONE] for a complete one.
    #[var(get = get_reason, no_set)]
    reason: PhantomVar<i64>,

    /// What the path costs, in cell widths: a straight step over a cell of weight 1 costs 1, a diagonal one √2.
    /// `INF` without a path. For one that is begun, what its first steps cost.
    #[var(get = get_cost, no_set)]
    cost: PhantomVar<f64>,

    /// Every cell on the path, from start to goal, each a neighbour of the one before: where the body's top-left cell
    /// is. Empty without a path.
    #[var(get = get_cells, no_set)]
    cells: PhantomVar<Array<Vector2i>>,

    /// The centres of the body on the path, in the local space of the grid. One for each of [member cells], unless
    /// [member PathForgeProfile.smoothing] makes it fewer. See [method get_global_positions].
    #[var(get = get_positions, no_set)]
    positions: PhantomVar<PackedVector2Array>,

    /// How each of [member cells] is reached on a path of a [PathForgePlatformer], one of the `STEP_*` constants for
    /// each cell; the first counts as walked to, or as fallen to in the air. Empty for paths of a [PathForgeGrid].
    #[var(get = get_steps, no_set)]
    steps: PhantomVar<PackedInt32Array>,

    /// How many nodes the search expanded: a measure of its work that does not depend on the machine.
    #[var(get = get_expanded, no_set)]
    expanded: PhantomVar<i64>,

    /// How long this path's own search took, in microseconds, on whichever thread it ran. The first of its kind makes
    /// or repairs what searches run on, and that counts. What a request waited for is not part of it.
    #[var(get = get_search_usec, no_set)]
    search_usec: PhantomVar<i64>,

    /// What answered: `jps` (jump-point search, uniform cost), `astar` (weighted cost), `haa` (over clusters), `field`
    /// (read off a field that many requests with one goal share, with nothing expanded for this one), `platformer` (a
    /// way that jumps), or `none` when no search was needed.
    #[var(get = get_engine, no_set)]
    engine: PhantomVar<GString>,

    outcome: PathOutcome,
    frame: PathFrame,
    usec: i64,
    built_cells: OnceLock<Array<Vector2i>>,
    built_positions: OnceLock<PackedVector2Array>,
    /// What there is more of when it jumps.
    trip: Option<Box<Trip>>,
}

/// What turns the cells of a path into positions: the grid as it was when it was asked.
#[derive(Clone, Copy)]
pub struct PathFrame {
    /// Where cells lie.
    pub geometry: CellGeometry,
    /// The body's size.
    pub footprint: Footprint,
    /// From the grid's local space to the world.
    pub to_global: Transform2D,
}

impl PathFrame {
    /// The centres of the body at the ends of straight lines, if those were wanted, else at every cell.
    fn centers(&self, outcome: &PathOutcome) -> PackedVector2Array {
        let center = |cell| self.geometry.footprint_center(cell, self.footprint);
        if let Some(ends) = &outcome.smoothed {
            return ends.iter().copied().map(center).collect();
        }
        let mut positions = PackedVector2Array::new();
        positions.resize(outcome.route.cell_count());
        self.geometry.write_centers(&outcome.route, self.footprint, positions.as_mut_slice());
        positions
    }
}

/// Every cell of a route, as scripts see it.
pub fn cell_array(route: &Route) -> Array<Vector2i> {
    let mut cells = Vec::with_capacity(route.cell_count());
    route.for_each_cell(|cell| cells.push(vector(cell)));
    // From a slice, which is written at once: an iterator's elements are pushed one by one, each by two calls of the
    // engine.
    Array::from(cells.as_slice())
}

#[godot_api]
impl IRefCounted for PathForgePath {
    fn to_string(&self) -> GString {
        let text = format!("<PathForgePath: {}>", self.text());
        GString::from(&text)
    }
}

#[godot_api]
impl PathForgePath {
    /// The path leads to the goal.
    #[constant]
    const STATUS_COMPLETE: i64 = Status::Complete as i64;
    /// The path leads as near to the goal as the body can come.
    #[constant]
    const STATUS_PARTIAL: i64 = Status::Partial as i64;
    /// There is no path.
    #[constant]
    const STATUS_UNREACHABLE: i64 = Status::Unreachable as i64;
    /// The search met [member PathForgeProfile.max_expansions], or the path costs more than can be counted.
    #[constant]
    const STATUS_LIMIT: i64 = Status::Limit as i64;
    /// The request was cancelled.
    #[constant]
    const STATUS_CANCELLED: i64 = Status::Cancelled as i64;
    /// The question makes no sense on this grid, as when the start lies outside.
    #[constant]
    const STATUS_INVALID: i64 = Status::Invalid as i64;
    /// The first steps of a path whose rest is still being searched for: see [signal PathForgeGrid.path_begun].
    #[constant]
    const STATUS_BEGUN: i64 = Status::Prefix as i64;

    /// The path is complete; or the call itself was wrong and has said so, with [constant STATUS_INVALID].
    #[constant]
    const REASON_NONE: i64 = 0;
    /// The start lies outside the region.
    #[constant]
    const REASON_START_OUT_OF_BOUNDS: i64 = Reason::StartOutOfBounds as i64;
    /// The goal lies outside the region.
    #[constant]
    const REASON_GOAL_OUT_OF_BOUNDS: i64 = Reason::GoalOutOfBounds as i64;
    /// The start cell is solid.
    #[constant]
    const REASON_START_SOLID: i64 = Reason::StartSolid as i64;
    /// The goal cell is solid.
    #[constant]
    const REASON_GOAL_SOLID: i64 = Reason::GoalSolid as i64;
    /// The body may not enter the terrain of the start cell.
    #[constant]
    const REASON_START_TERRAIN: i64 = Reason::StartTerrain as i64;
    /// The body may not enter the terrain of the goal cell.
    #[constant]
    const REASON_GOAL_TERRAIN: i64 = Reason::GoalTerrain as i64;
    /// The body does not fit at the start: another cell under it is closed to it.
    #[constant]
    const REASON_START_CLEARANCE: i64 = Reason::StartClearance as i64;
    /// The body does not fit at the goal: another cell under it is closed to it.
    #[constant]
    const REASON_GOAL_CLEARANCE: i64 = Reason::GoalClearance as i64;
    /// The body fits at both ends, but no path joins them.
    #[constant]
    const REASON_DISCONNECTED: i64 = Reason::Disconnected as i64;
    /// The search met a limit.
    #[constant]
    const REASON_LIMIT: i64 = Reason::Limit as i64;
    /// The request was cancelled.
    #[constant]
    const REASON_CANCELLED: i64 = Reason::Cancelled as i64;
    /// The grid has no cells; set [member PathForgeGrid.region].
    #[constant]
    const REASON_EMPTY_GRID: i64 = Reason::EmptyGrid as i64;
    /// There is no grid: a [PathForgeAgent2D] found none.
    #[constant]
    const REASON_NO_GRID: i64 = Reason::NoGrid as i64;

    /// Returns [code]true[/code] if the path leads all the way to the goal.
    #[func]
    pub fn is_complete(&self) -> bool {
        self.outcome.status == Status::Complete
    }

    /// [member positions] in global space, by the transform that the grid had when it was asked.
    ///
    /// ```gdscript
    /// $Line2D.points = path.get_global_positions()
    /// ```
    #[func]
    pub fn get_global_positions(&self) -> PackedVector2Array {
        let mut positions = self.get_positions();
        for position in positions.as_mut_slice() {
            *position = self.frame.to_global * *position;
        }
        positions
    }

    /// The number of [member cells], which need not be built for it; 0 without a path.
    ///
    /// ```gdscript
    /// label.text = "%d cells" % path.get_cell_count()
    /// ```
    #[func]
    fn get_cell_count(&self) -> i64 {
        self.outcome.route.cell_count() as i64
    }

    /// Returns [code]true[/code] if the body touches a cell of `region` on the path: walking from each of [member
    /// positions] straight to the next, with all of its cells. A diagonal step touches the cells beside it, too.
    /// `false` without a path, and for a region without cells.
    ///
    /// ```gdscript
    /// func _on_grid_cells_changed(region: Rect2i) -> void:
    ///     if path.crosses(region):
    ///         find_a_new_way()
    /// ```
    #[func]
    fn crosses(&self, region: Rect2i) -> bool {
        let PathFrame { footprint, .. } = self.frame;
        let ends = self.outcome.smoothed.as_deref().unwrap_or_else(|| self.outcome.route.waypoints());
        sweeps_over(ends, footprint, convert::rect(region))
    }

    /// What became of the query, as a sentence for people.
    ///
    /// ```gdscript
    /// print(path.describe()) # complete: 42 cells, cost 47.21 (jps, 31 expanded, 12 µs)
    /// ```
    #[func]
    fn describe(&self) -> GString {
        GString::from(&self.text())
    }

    #[func]
    fn get_status(&self) -> i64 {
        self.outcome.status as i64
    }

    #[func]
    fn get_reason(&self) -> i64 {
        reason_number(self.outcome.reason)
    }

    #[func]
    pub fn get_cost(&self) -> f64 {
        self.outcome.cost.map_or(f64::INFINITY, Cost::cells)
    }

    #[func]
    fn get_cells(&self) -> Array<Vector2i> {
        self.built_cells.get_or_init(|| cell_array(&self.outcome.route)).clone()
    }

    #[func]
    fn get_positions(&self) -> PackedVector2Array {
        self.built_positions.get_or_init(|| self.frame.centers(&self.outcome)).clone()
    }

    #[func]
    fn get_expanded(&self) -> i64 {
        i64::from(self.outcome.expanded)
    }

    #[func]
    fn get_search_usec(&self) -> i64 {
        self.usec
    }

    #[func]
    fn get_engine(&self) -> GString {
        GString::from(self.engine_name())
    }

    #[func]
    fn get_steps(&self) -> PackedInt32Array {
        let steps = self.trip().map(|trip| trip.path.steps.as_slice()).unwrap_or_default();
        steps.iter().map(|&step| step as i32).collect()
    }
}

impl PathForgePath {
    /// The path that scripts get for `outcome`.
    pub fn wrap(outcome: PathOutcome, frame: PathFrame, usec: i64) -> Gd<Self> {
        Gd::from_object(Self {
            status: PhantomVar::default(),
            reason: PhantomVar::default(),
            cost: PhantomVar::default(),
            cells: PhantomVar::default(),
            positions: PhantomVar::default(),
            expanded: PhantomVar::default(),
            search_usec: PhantomVar::default(),
            engine: PhantomVar::default(),
            outcome,
            frame,
            usec,
            built_cells: OnceLock::new(),
            built_positions: OnceLock::new(),
            steps: PhantomVar::default(),
            trip: None,
        })
    }

    /// The same for a way that jumps.
    pub fn wrap_trip(outcome: PathOutcome, frame: PathFrame, usec: i64, trip: Trip) -> Gd<Self> {
        let mut path = Self::wrap(outcome, frame, usec);
        path.bind_mut().trip = Some(Box::new(trip));
        path
    }

    /// The centres of the body along the path, in the grid's local space.
    pub fn center_positions(&self) -> PackedVector2Array {
        self.frame.centers(&self.outcome)
    }

    /// Every cell on the path, and those between which the body may walk straight.
    pub fn cells_and_ends(&self) -> (Vec<Cell>, Vec<Cell>) {
        let cells = self.outcome.route.cells();
        let ends = self.outcome.smoothed.clone().unwrap_or_else(|| cells.clone());
        (cells, ends)
    }

    /// The centre of the body at `cell`, in global space.
    pub fn global_center(&self, cell: Cell) -> Vector2 {
        let PathFrame { geometry, footprint, to_global } = self.frame;
        to_global * geometry.footprint_center(cell, footprint)
    }

    /// Returns `true` if it does not lead to the goal, and is not on its way there either.
    pub fn falls_short(&self) -> bool {
        !matches!(self.outcome.status, Status::Complete | Status::Prefix)
    }

    /// Returns `true` if it ends where `other` does, and for the same reason; both may end nowhere.
    pub fn ends_like(&self, other: &Self) -> bool {
        let end = |path: &Self| (path.outcome.status, path.outcome.reason, path.outcome.route.goal());
        end(self) == end(other)
    }

    /// What turns its cells into positions.
    pub fn frame(&self) -> PathFrame {
        self.frame
    }

    /// What there is more of when it jumps.
    pub fn trip(&self) -> Option<&Trip> {
        self.trip.as_deref()
    }

    fn engine_name(&self) -> &'static str {
        if self.trip.is_some() { "platformer" } else { self.outcome.engine.name() }
    }

    fn text(&self) -> String {
        let PathOutcome { status, reason, route, expanded, .. } = &self.outcome;
        let work = format!("{}, {expanded} expanded, {} µs", self.engine_name(), self.usec);
        let Some(cost) = self.outcome.cost else {
            return format!("{}: {} ({work})", status_text(*status), self.reason_text());
        };
        let why = reason.map(|_| format!(", {}", self.reason_text())).unwrap_or_default();
        format!("{}{why}: {} cells, cost {cost} ({work})", status_text(*status), route.cell_count())
    }
}

impl PathForgePath {
    fn reason_text(&self) -> Cow<'static, str> {
        let PathOutcome { reason, outside, .. } = &self.outcome;
        let Some((cell, region)) = *outside else { return reason_text(*reason).into() };
        let end = if *reason == Some(Reason::StartOutOfBounds) { "start" } else { "goal" };
        format!("the {end} {} lies outside the region {}", ShownCell(cell), ShownRegion(region)).into()
    }
}

const fn status_text(status: Status) -> &'static str {
    match status {
        Status::Complete => "complete",
        Status::Partial => "partial",
        Status::Unreachable => "unreachable",
        Status::Limit => "gave up",
        Status::Cancelled => "cancelled",
        Status::Invalid => "invalid",
        Status::Prefix => "begun",
    }
}

/// The constant that scripts compare a reason with.
pub const fn reason_number(reason: Option<Reason>) -> i64 {
    match reason {
        None => PathForgePath::REASON_NONE,
        Some(reason) => reason as i64,
    }
}

const fn reason_text(reason: Option<Reason>) -> &'static str {
    let Some(reason) = reason else { return "the arguments were refused" };
    match reason {
        Reason::StartOutOfBounds => "the start lies outside the region",
        Reason::GoalOutOfBounds => "the goal lies outside the region",
        Reason::StartSolid => "the start cell is solid",
        Reason::GoalSolid => "the goal cell is solid",
        Reason::StartTerrain => "the body may not enter the terrain of the start cell",
        Reason::GoalTerrain => "the body may not enter the terrain of the goal cell",
        Reason::StartClearance => "the body does not fit at the start",
        Reason::GoalClearance => "the body does not fit at the goal",
        Reason::Disconnected => "no way for this body joins start and goal",
        Reason::Limit => "a limit was met",
        Reason::Cancelled => "the request was taken back",
        Reason::EmptyGrid => "the grid has no cells",
        Reason::NoGrid => "there is no grid",
    }
}
