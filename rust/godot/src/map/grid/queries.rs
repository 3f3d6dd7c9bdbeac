//! Questions about paths, places, and what a body reaches.

use std::time::Instant;

use godot::prelude::*;
use pathforge_core::cost::Cost;
use pathforge_core::geometry::Cell;
use pathforge_core::world::{GoalMode, PathOutcome, PathQuery, Status};

use super::{PathForgeGrid, free_places};
use crate::answers::path::{PathForgePath, PathFrame};
use crate::engine::errors::{report, reported};
use crate::engine::{clock, state};
use crate::script::array_of::CellArray;
use crate::script::convert::{self, cell, vector_or_none};
use crate::script::enumeration::{self, Constant};
use crate::script::given::given;
use crate::script::profile::{Asker, ProfileArg};

#[godot_api(secondary)]
impl PathForgeGrid {
    /// Returns the path of the least cost for a body from `start` to `goal`, both the places of its top-left
    /// cell. Never `null`: see [member PathForgePath.status].
    ///
    /// Without a `profile`, the path is for a body of one cell that may enter every terrain. `goal_mode` is
    /// one of the `GOAL_*` constants.
    ///
    /// `blocked` is an array of cells that are solid for this query alone, such as where others will stand by
    /// then. The map is not edited; it takes time in proportion to their number, whatever the size of the
    /// map. Cells outside the region are left out. With `blocked`, [constant
    /// PathForgeProfile.SEARCH_HIERARCHICAL] searches over cells.
    ///
    /// ```gdscript
    /// var path := grid.find_path(unit.cell, grid.global_to_cell(click), unit.profile, PathForgeGrid.GOAL_COVER)
    /// if path.is_complete():
    ///     unit.follow(path.get_global_positions())
    /// else:
    ///     print(path.describe())
    /// ```
    #[func]
    fn find_path(
        &mut self,
        start: Vector2i,
        goal: Vector2i,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
        #[opt(default = Constant::of(0))] goal_mode: Constant<enumeration::GoalMode>,
        #[opt(default = CellArray::none())] blocked: CellArray,
    ) -> Gd<PathForgePath> {
        let asker = Asker::of(&profile, self.grid_diagonal_mode());
        let asked = convert::goal_mode(goal_mode).and_then(|mode| Ok((mode, blocked.cells("blocked")?)));
        let Some((goal_mode, blocked)) = reported("PathForgeGrid.find_path", asked) else {
            return self.refused(&asker);
        };
        let query = asker.query(cell(start), cell(goal), goal_mode).past(&blocked);
        let begun = Instant::now();
        let outcome = self.map.lock().world.find_path(&query);
        let usec = clock::spent(begun);
        self.note_path(&outcome, asker.profile.footprint);
        PathForgePath::wrap(outcome, self.frame(&asker), usec)
    }

    /// Returns many paths, searched on all cores, in the order of `starts`. `goals` has one element, shared
    /// by all paths, or as many as `starts`. Both are arrays of `Vector2i`. Empty after an error.
    ///
    /// ```gdscript
    /// var paths := grid.find_paths(cells_of_squad, [rally_point], soldier, PathForgeGrid.GOAL_NEAREST)
    /// ```
    #[func]
    fn find_paths(
        &mut self,
        starts: CellArray,
        goals: CellArray,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
        #[opt(default = Constant::of(0))] goal_mode: Constant<enumeration::GoalMode>,
    ) -> Array<Gd<PathForgePath>> {
        let asker = Asker::of(&profile, self.grid_diagonal_mode());
        let queries = queries(&asker, &starts, &goals, goal_mode);
        let Some(queries) = reported("PathForgeGrid.find_paths", queries) else { return Array::new() };
        let begun = Instant::now();
        let outcomes = self.map.lock().world.find_paths(&queries, clock::usec);
        clock::spent(begun);
        let frame = self.frame(&asker);
        let wrap = |(outcome, usec)| PathForgePath::wrap(outcome, frame, usec as i64);
        outcomes.into_iter().map(wrap).collect()
    }

    /// Returns [code]true[/code] if a body can get from `start` to `goal`. Takes no search, so it is fast
    /// even if there is none. `blocked` is as in [method find_path]; with it, it takes tens of microseconds
    /// on large maps. `false` where an end lies outside the region, and after an error.
    #[func(gd_self)]
    fn is_reachable(
        this: Gd<Self>,
        start: Vector2i,
        goal: Vector2i,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
        #[opt(default = CellArray::none())] blocked: CellArray,
    ) -> bool {
        let map = state::of(&this);
        let asker = Asker::of(&profile, map.lock().mode);
        let Some(blocked) = reported("PathForgeGrid.is_reachable", blocked.cells("blocked")) else {
            return false;
        };
        let query = asker.query(cell(start), cell(goal), GoalMode::Exact).past(&blocked);
        map.lock().world.is_reachable(&query)
    }

    /// Returns the place nearest to `cell` where a body can stand, for its top-left cell, or `Vector2i.MIN`
    /// when there is none. The distance, in cells, is from `cell` to the body's nearest cell. `cell` may lie
    /// outside the region. A `max_distance_cells` below zero is no limit. Bodies that stand there do not
    /// matter: [method find_free_place] sees them.
    ///
    /// ```gdscript
    /// var stand := grid.find_nearest_fit(unit.cell, unit.profile, 8.0)
    /// if stand != Vector2i.MIN:
    ///     unit.move_to(stand)
    /// ```
    #[func(gd_self)]
    fn find_nearest_fit(
        this: Gd<Self>,
        cell: Vector2i,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
        #[opt(default = -1.0)] max_distance_cells: f64,
    ) -> Vector2i {
        if max_distance_cells.is_nan() {
            report("PathForgeGrid.find_nearest_fit", "max_distance_cells is not a number");
            return convert::NO_CELL;
        }
        let map = state::of(&this);
        let asker = Asker::of(&profile, map.lock().mode);
        let limit = (max_distance_cells >= 0.0).then_some(max_distance_cells);
        vector_or_none(map.lock().world.nearest_fit(convert::cell(cell), &asker.profile, limit))
    }

    /// Returns the place nearest to `position`, both in local space, where the body of `profile` fits and
    /// overlaps no other: for spawns. It is `position` itself if that is free, else the centre of a
    /// placement, or `Vector2.INF` if there is none. Distances are in cells; of two places at one distance it
    /// is the first in reading order.
    ///
    /// Other bodies are all agents of all crowds of the grid, and each [PathForgeAgent2D] and
    /// [PathForgeAgent3D] on it in the scene tree. Nodes that were added in this frame count. Place a node
    /// before you ask for the next place, or ask for all places by [method find_free_places]. Bodies without
    /// an agent do not count, nor do agents on no avoidance layer of `avoidance_mask`: see [method
    /// PathForgeCrowd.set_agent_avoidance_mask]. Takes time in proportion to the number of bodies, and is for
    /// the main thread.
    ///
    /// ```gdscript
    /// unit.position = grid.to_global(grid.find_free_place(barracks_door, soldier))
    /// add_child(unit)
    /// ```
    #[func(gd_self)]
    fn find_free_place(
        this: Gd<Self>,
        position: Vector2,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
        #[opt(default = 1)] avoidance_mask: i64,
    ) -> Vector2 {
        let body = (&profile, avoidance_mask);
        let places = Self::free_places("PathForgeGrid.find_free_place", &this, (position, 1), body);
        places.get(0).unwrap_or(Vector2::INF)
    }

    /// Returns up to `count` places of [method find_free_place], the nearest to `position` first. Bodies of
    /// `profile` there overlap neither each other nor an existing body.
    ///
    /// ```gdscript
    /// for place: Vector2 in grid.find_free_places(barracks_door, 12, soldier):
    ///     spawn(grid.to_global(place))
    /// ```
    #[func(gd_self)]
    fn find_free_places(
        this: Gd<Self>,
        position: Vector2,
        count: i64,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
        #[opt(default = 1)] avoidance_mask: i64,
    ) -> PackedVector2Array {
        let body = (&profile, avoidance_mask);
        Self::free_places("PathForgeGrid.find_free_places", &this, (position, count), body)
    }

    /// Returns [code]true[/code] if a body can stand with its top-left cell at `cell`. `false` outside the
    /// region.
    ///
    /// ```gdscript
    /// if grid.can_stand(unit.cell + Vector2i.RIGHT, unit.profile):
    ///     unit.cell += Vector2i.RIGHT
    /// ```
    #[func(gd_self)]
    fn can_stand(
        this: Gd<Self>,
        cell: Vector2i,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
    ) -> bool {
        let map = state::of(&this);
        let asker = Asker::of(&profile, map.lock().mode);
        map.lock().world.is_placement(convert::cell(cell), &asker.profile)
    }

    /// Returns the side of the largest square of cells with its top-left corner at `cell` that the body of
    /// `profile` may cover. The footprint of `profile` does not matter: a square body of side n fits if this
    /// is at least n. 0 outside the region. The value is computed for this cell alone; see [ClearanceMap] for
    /// all cells.
    #[func(gd_self)]
    fn get_clearance(
        this: Gd<Self>,
        cell: Vector2i,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
    ) -> i64 {
        let map = state::of(&this);
        let asker = Asker::of(&profile, map.lock().mode);
        i64::from(map.lock().world.clearance_at(convert::cell(cell), &asker.profile))
    }

    /// Returns the path to the goal of least cost among `goals`, an array of `Vector2i`; the first in reading
    /// order of several that cost the same. Goals where the body cannot stand or that it cannot reach are
    /// left out. When none is left, the path's [member PathForgePath.reason] says why not the first. Without
    /// goals it is an error, and the path is invalid. `blocked` is as in [method find_path].
    ///
    /// ```gdscript
    /// var path := grid.find_path_to_any(worker.cell, sawmill_cells, worker.profile)
    /// ```
    #[func]
    fn find_path_to_any(
        &mut self,
        start: Vector2i,
        goals: CellArray,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
        #[opt(default = CellArray::none())] blocked: CellArray,
    ) -> Gd<PathForgePath> {
        let asker = Asker::of(&profile, self.grid_diagonal_mode());
        let asked =
            convert::some_cells("goals", &goals).and_then(|goals| Ok((goals, blocked.cells("blocked")?)));
        let Some((goals, blocked)) = reported("PathForgeGrid.find_path_to_any", asked) else {
            return self.refused(&asker);
        };
        let query = asker.query(cell(start), goals[0], GoalMode::Exact).past(&blocked);
        let begun = Instant::now();
        let outcome = self.map.lock().world.find_path_to_any(&query, &goals);
        let usec = clock::spent(begun);
        self.note_path(&outcome, asker.profile.footprint);
        PathForgePath::wrap(outcome, self.frame(&asker), usec)
    }

    /// Returns the movement range of a body at `start`: the cells that it can reach at a cost of at most
    /// `max_cost`, in cell widths, each with its cost. It is empty if the body does not fit at `start`; a
    /// `start` outside the region is an error. `blocked` is as in [method find_path].
    ///
    /// ```gdscript
    /// for cell: Vector2i in grid.get_reachable_cells(knight.cell, 5.0, knight.profile):
    ///     highlight(cell)
    /// ```
    #[func]
    fn get_reachable_cells(
        &mut self,
        start: Vector2i,
        max_cost: f64,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
        #[opt(default = CellArray::none())] blocked: CellArray,
    ) -> Dictionary<Vector2i, f64> {
        let mut costs = Dictionary::new();
        let limit =
            given("max_cost", max_cost).read("a number of at least 0", |&cost| Cost::from_cells(cost));
        let asked = limit.and_then(|limit| {
            convert::inside(self.cell_region(), "start", start)?;
            Ok((limit, blocked.cells("blocked")?))
        });
        let Some((limit, blocked)) = reported("PathForgeGrid.get_reachable_cells", asked) else {
            return costs;
        };
        let asker = Asker::of(&profile, self.grid_diagonal_mode());
        let reached = self.map.lock().world.cells_within(cell(start), limit, &asker.profile, &blocked);
        for (cell, cost) in reached {
            costs.set(convert::vector(cell), cost.cells());
        }
        costs
    }

    /// Returns [code]true[/code] if some of `starts` would lose every path to `goals` with the cells of
    /// `region` solid, for the body of `profile`: the question before a tower is placed. Nothing changes, and
    /// no signal is emitted. [method explain_block] names the starts.
    ///
    /// - Starts that reach no goal now do not count.
    /// - Starts on which the body would no longer fit count.
    /// - Obstacles that cover cells of a body on one of `starts` are left out, as they are the bodies' own.
    /// - No goals, or a start or goal outside the region, are an error, and the answer is [code]false[/code].
    ///
    /// ```gdscript
    /// var creep_cells := grid.local_to_cells(creep_positions, creep)
    /// if not grid.would_block(tower_rect, spawn_cells + creep_cells, [exit_cell], creep):
    ///     grid.fill_solid_region(tower_rect)
    /// ```
    #[func]
    fn would_block(
        &mut self,
        region: Rect2i,
        starts: CellArray,
        goals: CellArray,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
    ) -> bool {
        let found = self.cut_off(region, &starts, &goals, &profile);
        reported("PathForgeGrid.would_block", found).is_some_and(|(_, cut_off)| !cut_off.is_empty())
    }
}

impl PathForgeGrid {
    /// The free places near a position, in local space.
    fn free_places(
        method: &str,
        this: &Gd<Self>,
        (position, count): (Vector2, i64),
        body: (&ProfileArg, i64),
    ) -> PackedVector2Array {
        let Some(position) = reported(method, given("position", position).finite()) else {
            return PackedVector2Array::new();
        };
        // Not borrowed: this may run on a thread, which is refused below.
        let geometry = state::of(this).lock().geometry;
        let near = geometry.cell_space_of(position);
        let places = free_places::find(method, this, (near, count), body, None);
        places.into_iter().map(|(x, y)| geometry.local_of(x, y)).collect()
    }

    pub(super) fn frame(&mut self, asker: &Asker) -> PathFrame {
        PathFrame {
            geometry: self.cell_geometry(),
            footprint: asker.profile.footprint,
            to_global: self.global_transform(),
            to_position: Vector2::ZERO,
        }
    }

    /// The answer to a question that makes no sense.
    pub(super) fn refused(&mut self, asker: &Asker) -> Gd<PathForgePath> {
        let outcome = PathOutcome::unsearched(Status::Invalid, None);
        PathForgePath::wrap(outcome, self.frame(asker), 0)
    }
}

impl Asker {
    /// The question of this body for a path.
    pub fn query(&self, start: Cell, goal: Cell, goal_mode: GoalMode) -> PathQuery {
        let Self { profile, expansions_max, smoothing, search_mode } = *self;
        PathQuery {
            goal_mode,
            expansions_max,
            smoothing,
            search_mode,
            ..PathQuery::new(start, goal, profile)
        }
    }
}

/// One query for each start, with the one goal of all or each with its own.
pub(super) fn queries(
    asker: &Asker,
    starts: &CellArray,
    goals: &CellArray,
    goal_mode: Constant<enumeration::GoalMode>,
) -> Result<Vec<PathQuery>, String> {
    let goal_mode = convert::goal_mode(goal_mode)?;
    let (starts, goals) = (convert::cells("starts", starts)?, convert::cells("goals", goals)?);
    if goals.len() != 1 && goals.len() != starts.len() {
        return Err(format!(
            "goals has {} elements, it needs 1 or as many as starts, which has {}",
            goals.len(),
            starts.len()
        ));
    }
    let goals = goals.iter().cycle();
    Ok(starts.iter().zip(goals).map(|(&start, &goal)| asker.query(start, goal, goal_mode)).collect())
}
