//! `PathForgePath`: what became of a query.

use std::borrow::Cow;
use std::sync::OnceLock;

use godot::classes::IRefCounted;
use godot::prelude::*;
use pathforge_core::cost::Cost;
use pathforge_core::path::{Route, sweeps_over};
use pathforge_core::world::{PathOutcome, Reason, Status};
use pathforge_platformer::{KeyKind, KeyPoint, StepKind};

pub use crate::answers::path_frame::PathFrame;
use crate::answers::path_frame::links_along;
use crate::answers::trip::Trip;
use crate::script::convert::{self, ShownCell, ShownRegion, vector};
use crate::script::enumeration::{self, Constant};
use crate::script::properties::class_api;

/// What became of a query: the path, or the reason why there is none.
///
/// [method PathForgeGrid.find_path] returns one, never `null`. The arrays are built when they are first read,
/// so asking only for [member cost] is cheap.
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
#[derive(GodotClass, Default)]
#[class(no_init, base = RefCounted)]
pub struct PathForgePath {
    /// What became of the query: one of the `STATUS_*` constants.
    #[var(get, no_set)]
    status: PhantomVar<Constant<enumeration::Status>>,

    /// Why there is no complete path: one of the `REASON_*` constants, [constant REASON_NONE] for a complete
    /// one.
    #[var(get, no_set)]
    reason: PhantomVar<Constant<enumeration::Reason>>,

    /// What the path costs, in cell widths: a straight step over a cell of weight 1 costs 1, a diagonal one
    /// √2. `INF` without a path.
    #[var(get, no_set)]
    cost: PhantomVar<f64>,

    /// Every cell on the path, from start to goal: where the body's top-left cell is. Each is a neighbour of
    /// the one before, or the end of a link, see [member link_ids]. Empty without a path.
    #[var(get, no_set)]
    cells: PhantomVar<Array<Vector2i>>,

    /// The centres of the body on the path, in the local space of the grid. One for each of [member cells],
    /// unless [member PathForgeProfile.smoothing] makes it fewer. See [method get_global_positions].
    #[var(get, no_set)]
    positions: PhantomVar<PackedVector2Array>,

    /// The links that the path takes, in its order, by their ids in the grid. Empty for paths of a
    /// [PathForgePlatformer]. See [method PathForgeGrid.add_link].
    ///
    /// ```gdscript
    /// for n: int in path.link_ids.size():
    ///     var index := path.link_indices[n]
    ///     print(grid.get_link_tag(path.link_ids[n]), " from ", path.cells[index], " to ", path.cells[index + 1])
    /// ```
    #[var(get, no_set)]
    link_ids: PhantomVar<PackedInt32Array>,

    /// For each of [member link_ids], the index in [member cells] of the cell from which the link is taken. The
    /// next cell is the one to which the link leads.
    #[var(get, no_set)]
    link_indices: PhantomVar<PackedInt32Array>,

    /// For each of [member link_ids], the index in [member positions] of the position from which the link is
    /// taken. The next position is the one to which the link leads, with [member PathForgeProfile.smoothing]
    /// too.
    ///
    /// ```gdscript
    /// if path.link_position_indices.has(index): # A walk along path.positions, which is at index.
    ///     position = path.positions[index + 1] # A portal.
    /// ```
    #[var(get, no_set)]
    link_position_indices: PhantomVar<PackedInt32Array>,

    /// How each of [member cells] is reached on a path of a [PathForgePlatformer]: one of the `STEP_*`
    /// constants for each cell. The first cell counts as reached by walking, or by falling in the air. Empty
    /// for paths of a [PathForgeGrid].
    #[var(get, no_set)]
    steps: PhantomVar<PackedInt32Array>,

    /// How many nodes the search expanded: a measure of its work that does not depend on the machine.
    #[var(get, no_set)]
    expanded: PhantomVar<i64>,

    /// How long this path's own search took, in microseconds, on any thread. It includes the data for
    /// searches that the first search of a kind makes or repairs. It does not include the time that a request
    /// waited.
    #[var(get, no_set)]
    search_usec: PhantomVar<i64>,

    /// The engine that answered:
    ///
    /// - `jps`: jump-point search, for uniform cost, or weights in patches;
    /// - `astar`: A*, for weights that differ from cell to cell;
    /// - `haa`: a search over clusters;
    /// - `field`: a field that many requests with one goal share, without an expansion for this path;
    /// - `platformer`: a path that jumps;
    /// - `none`: no search was needed.
    #[var(get, no_set)]
    engine: PhantomVar<GString>,

    outcome: PathOutcome,
    frame: PathFrame,
    usec: i64,
    built_cells: OnceLock<Array<Vector2i>>,
    built_positions: OnceLock<PackedVector2Array>,
    /// What there is more of when it jumps.
    trip: Option<Box<Trip>>,
}

/// Every cell of a route, as scripts see it.
pub fn cell_array(route: &Route) -> Array<Vector2i> {
    let mut cells = Vec::with_capacity(route.cell_count());
    route.for_each_cell(|cell| cells.push(vector(cell)));
    // From a slice, which is written at once: an iterator's elements are pushed one by one, each by two calls
    // of the engine.
    Array::from(cells.as_slice())
}

#[godot_api]
impl IRefCounted for PathForgePath {
    fn to_string(&self) -> GString {
        let text = format!("<PathForgePath: {}>", self.text());
        GString::from(&text)
    }
}

class_api! {
    impl PathForgePath;

    /// The path leads to the goal.
    const STATUS_COMPLETE = Status::Complete as i64;
    /// The path leads as near to the goal as the body can come.
    const STATUS_PARTIAL = Status::Partial as i64;
    /// There is no path.
    const STATUS_UNREACHABLE = Status::Unreachable as i64;
    /// The search met [member PathForgeProfile.max_expansions], or the path costs more than can be counted.
    const STATUS_LIMIT = Status::Limit as i64;
    /// The request was cancelled.
    const STATUS_CANCELLED = Status::Cancelled as i64;
    /// The question makes no sense on this grid, as when the start lies outside.
    const STATUS_INVALID = Status::Invalid as i64;

    /// The path is complete; or the call itself was wrong and has said so, with [constant STATUS_INVALID].
    const REASON_NONE = 0;
    /// The start lies outside the region.
    const REASON_START_OUT_OF_BOUNDS = Reason::StartOutOfBounds as i64;
    /// The goal lies outside the region.
    const REASON_GOAL_OUT_OF_BOUNDS = Reason::GoalOutOfBounds as i64;
    /// The start cell is solid.
    const REASON_START_SOLID = Reason::StartSolid as i64;
    /// The goal cell is solid.
    const REASON_GOAL_SOLID = Reason::GoalSolid as i64;
    /// The body may not enter the terrain of the start cell.
    const REASON_START_TERRAIN = Reason::StartTerrain as i64;
    /// The body may not enter the terrain of the goal cell.
    const REASON_GOAL_TERRAIN = Reason::GoalTerrain as i64;
    /// The body does not fit at the start: another cell under it is closed to it.
    const REASON_START_CLEARANCE = Reason::StartClearance as i64;
    /// The body does not fit at the goal: another cell under it is closed to it.
    const REASON_GOAL_CLEARANCE = Reason::GoalClearance as i64;
    /// The body fits at both ends, but no path joins them.
    const REASON_DISCONNECTED = Reason::Disconnected as i64;
    /// The search met a limit.
    const REASON_LIMIT = Reason::Limit as i64;
    /// The request was cancelled.
    const REASON_CANCELLED = Reason::Cancelled as i64;
    /// The grid has no cells; set [member PathForgeGrid.region].
    const REASON_EMPTY_GRID = Reason::EmptyGrid as i64;
    /// There is no grid: a [PathForgeAgent2D], a [PathForgeAgent3D] or a [PathForgePlatformer] found none.
    const REASON_NO_GRID = Reason::NoGrid as i64;
    /// A number that the profile has, or that its physics give, is out of its limits; [method describe] has
    /// it and the limit.
    const REASON_BAD_PROFILE = Reason::BadProfile as i64;

    /// The character walks to this cell, on level ground or over a slope. See [member steps].
    const STEP_WALK = StepKind::Walk as i64;
    /// The character comes to this cell in a jump, before or at its highest cell.
    const STEP_JUMP = StepKind::Jump as i64;
    /// The character falls to this cell.
    const STEP_FALL = StepKind::Fall as i64;
    /// The character drops to this cell, through the one-way platform that it stood on.
    const STEP_DROP = StepKind::DropThrough as i64;
    /// The character lands in this cell.
    const STEP_LAND = StepKind::Land as i64;
    /// The character climbs to this cell.
    const STEP_CLIMB = StepKind::Climb as i64;

    /// The first cell. See [method get_key_points].
    const KEY_START = KeyKind::Start as i64;
    /// A jump begins here.
    const KEY_TAKE_OFF = KeyKind::TakeOff as i64;
    /// The character walks off an edge here, to fall.
    const KEY_STEP_OFF = KeyKind::StepOff as i64;
    /// The character drops through a one-way platform here.
    const KEY_DROP = KeyKind::DropThrough as i64;
    /// The first of a jump's highest cells.
    const KEY_APEX = KeyKind::Apex as i64;
    /// The path turns back sideways here.
    const KEY_TURN = KeyKind::Turn as i64;
    /// A jump, a fall or a climb ends here.
    const KEY_LANDING = KeyKind::Landing as i64;
    /// The last cell.
    const KEY_GOAL = KeyKind::Goal as i64;
    /// A climb begins here.
    const KEY_CLIMB = KeyKind::Climb as i64;

    /// Returns [code]true[/code] if the path leads all the way to the goal.
    get is_complete() -> bool = |this| this.outcome.status == Status::Complete;
    /// The number of [member cells], which need not be built for it; 0 without a path.
    ///
    /// ```gdscript
    /// label.text = "%d cells" % path.get_cell_count()
    /// ```
    get get_cell_count() -> i64 = |this| this.outcome.route.cell_count() as i64;
    /// What became of the query, as a sentence for developers. [method PathForgeGrid.explain] has one for
    /// players.
    ///
    /// ```gdscript
    /// print(path.describe()) # complete: 42 cells, cost 47.21 (jps, 31 expanded, 12 µs)
    /// ```
    get describe() -> GString = |this| GString::from(&this.text());
    get get_status() -> Constant<enumeration::Status> = |this| Constant::of(this.outcome.status as i64);
    get get_reason() -> Constant<enumeration::Reason> = |this| {
        Constant::of(reason_number(this.outcome.reason))
    };
    get get_cost() -> f64 = |this| this.outcome.cost.map_or(f64::INFINITY, Cost::cells);
    get get_cells() -> Array<Vector2i> = |this| {
        this.built_cells.get_or_init(|| cell_array(&this.outcome.route)).clone()
    };
    get get_positions() -> PackedVector2Array = |this| {
        this.built_positions.get_or_init(|| this.center_positions()).clone()
    };
    get get_expanded() -> i64 = |this| i64::from(this.outcome.expanded);
    get get_search_usec() -> i64 = |this| this.usec;
    get get_engine() -> GString = |this| GString::from(this.engine_name());
    get get_link_ids() -> PackedInt32Array = |this| {
        this.outcome.route.links().iter().map(|link| link.id.cast_signed()).collect()
    };
    get get_link_indices() -> PackedInt32Array = |this| this.outcome.route.link_steps().into_iter().collect();
    get get_link_position_indices() -> PackedInt32Array = |this| {
        let route = &this.outcome.route;
        match &this.outcome.smoothed {
            Some(ends) => links_along(ends, route).map(|index| index as i32).collect(),
            None => route.link_steps().into_iter().collect(),
        }
    };
    get get_steps() -> PackedInt32Array = |this| {
        let steps = this.trip().map(|trip| trip.path.steps.as_slice()).unwrap_or_default();
        steps.iter().map(|&step| step as i32).collect()
    };
}

#[godot_api(secondary)]
impl PathForgePath {
    /// The few cells of a platformer's path that matter, in their order: each a dictionary with `index`, its
    /// place in [member cells], `cell`, and `kind`, one of the `KEY_*` constants. A cell can be there more
    /// than once. Empty for paths of a [PathForgeGrid].
    ///
    /// ```gdscript
    /// for point: Dictionary in path.get_key_points():
    ///     if point["kind"] == PathForgePath.KEY_TAKE_OFF:
    ///         show_marker(point["cell"])
    /// ```
    #[func]
    fn get_key_points(&self) -> Array<VarDictionary> {
        let Some(trip) = self.trip() else { return Array::new() };
        let point = |point: &KeyPoint| {
            let mut entry = VarDictionary::new();
            entry.set("index", point.index as i64);
            entry.set("cell", vector(trip.path.cells[point.index]));
            entry.set("kind", point.kind as i64);
            entry
        };
        trip.path.key_points.iter().map(point).collect()
    }

    /// Returns the jump value in each of [member cells] of a platformer's path. It is 0 on the ground. A step
    /// up raises it to the next even number, a step sideways through the air by one. At twice the jump's
    /// height the character can only fall. All are 0 on a path by physics. Empty for paths of a [PathForgeGrid].
    #[func]
    fn get_jump_values(&self) -> PackedInt32Array {
        let values = self.trip().map(|trip| trip.path.jump_values.as_slice()).unwrap_or_default();
        values.iter().map(|&value| value as i32).collect()
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

    /// Returns [code]true[/code] if the body touches a cell of `region` on the path: walking from each of
    /// [member positions] straight to the next, with all of its cells. A diagonal step touches the cells
    /// beside it, too. Of a link only both ends count, not what lies between them. `false` without a path, and
    /// for a region without cells.
    ///
    /// ```gdscript
    /// func _on_grid_cells_changed(region: Rect2i) -> void:
    ///     if path.crosses(region):
    ///         find_a_new_way()
    /// ```
    #[func]
    fn crosses(&self, region: Rect2i) -> bool {
        let PathFrame { footprint, .. } = self.frame;
        let route = &self.outcome.route;
        let mut ends = self.outcome.smoothed.as_deref().unwrap_or_else(|| route.waypoints());
        let (region, mut done) = (convert::rect(region), 0);
        for index in links_along(ends, route).collect::<Vec<_>>() {
            let (walk, rest) = ends.split_at(index + 1 - done);
            if sweeps_over(walk, footprint, region) {
                return true;
            }
            (ends, done) = (rest, index + 1);
        }
        sweeps_over(ends, footprint, region)
    }
}

impl PathForgePath {
    /// The path that scripts get for `outcome`.
    pub fn wrap(outcome: PathOutcome, frame: PathFrame, usec: i64) -> Gd<Self> {
        Gd::from_object(Self { outcome, frame, usec, ..Self::default() })
    }

    /// [member positions] in cell space, of which each cell is a unit, in parts that links join.
    pub fn cell_space_walks(&self) -> Vec<Vec<(f64, f64)>> {
        let mut rest = self.frame.cell_space_centers(&self.outcome);
        let taken = self.get_link_position_indices();
        let mut walks: Vec<_> =
            taken.as_slice().iter().rev().map(|&at| rest.split_off(at as usize + 1)).collect();
        walks.push(rest);
        walks.reverse();
        walks
    }

    /// The same for a way that jumps.
    pub fn wrap_trip(outcome: PathOutcome, frame: PathFrame, usec: i64, trip: Trip) -> Gd<Self> {
        let mut path = Self::wrap(outcome, frame, usec);
        path.bind_mut().trip = Some(Box::new(trip));
        path
    }

    /// The positions of the body along the path, in the grid's local space.
    pub fn center_positions(&self) -> PackedVector2Array {
        let mut positions = self.frame.centers(&self.outcome);
        let lifts = self.trip().and_then(|trip| Some(trip.plan.as_ref()?.lifts()));
        for (position, lift) in positions.as_mut_slice().iter_mut().zip(lifts.unwrap_or_default()) {
            position.y -= *lift as f32;
        }
        positions
    }

    /// What became of the query, in the core's terms.
    pub fn outcome(&self) -> &PathOutcome {
        &self.outcome
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

    /// What became of the query, in words.
    pub fn text(&self) -> String {
        let PathOutcome { status, reason, route, expanded, .. } = &self.outcome;
        let work = format!("{}, {expanded} expanded, {} µs", self.engine_name(), self.usec);
        let Some(cost) = self.outcome.cost else {
            return format!("{}: {} ({work})", status.text(), self.reason_text());
        };
        let why = reason.map(|_| format!(", {}", self.reason_text())).unwrap_or_default();
        format!("{}{why}: {} cells, cost {cost} ({work})", status.text(), route.cell_count())
    }

    fn reason_text(&self) -> Cow<'static, str> {
        if let Some(problem) = self.trip().and_then(|trip| trip.bad_profile) {
            return problem.to_string().into();
        }
        let PathOutcome { reason, outside, .. } = &self.outcome;
        let Some((cell, region)) = *outside else {
            return reason.map_or("the arguments were refused", Reason::text).into();
        };
        let end = if *reason == Some(Reason::StartOutOfBounds) { "start" } else { "goal" };
        format!("the {end} {} lies outside the region {}", ShownCell(cell), ShownRegion(region)).into()
    }
}

/// The constant that scripts compare a reason with.
pub const fn reason_number(reason: Option<Reason>) -> i64 {
    match reason {
        None => PathForgePath::REASON_NONE,
        Some(reason) => reason as i64,
    }
}
