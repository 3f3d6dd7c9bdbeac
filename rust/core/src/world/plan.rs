//! From a query to an answer: what can be said without a search is said first.

mod in_steps;

pub(super) use in_steps::InSteps;

use std::sync::Arc;

use smallvec::SmallVec;

use super::World;
use super::hierarchical::{HierarchicalJob, PathPieces, turning_points};
use super::query::{Engine, GoalMode, PathOutcome, PathQuery, Plan, Profile, Reason, SearchMode, Status};
use crate::bitgrid::{BitGrid, PaddedIndex, Shape};
use crate::connectivity::{FarRect, RegionId, Regions, nearest_stands};
use crate::cost::Cost;
use crate::field::FlowField;
use crate::geometry::{Cell, CellRect, DiagonalMode, Footprint};
use crate::passability::StandCosts;
use crate::path::{Route, WalkingGround};
use crate::search::{
    Goals, JumpMap, Scratch, SearchEnd, SearchResult, Spot, search_uniform, search_weighted,
};

/// A search with all that it reads, ready to run on any thread, whatever happens to the world meanwhile.
#[derive(Clone, Debug)]
pub struct SearchJob {
    region: CellRect,
    start: Spot,
    goals: Goals,
    engine: JobEngine,
    mode: DiagonalMode,
    expansions_max: u32,
    /// The stands to find straight lines on, if those are wanted.
    smoothing_on: Option<Arc<BitGrid>>,
    status_if_found: Status,
    reason_if_found: Reason,
}

#[derive(Clone, Debug)]
enum JobEngine {
    Uniform(Arc<JumpMap>),
    Weighted(Arc<JumpMap>, Arc<StandCosts>),
    /// Over clusters; where the ends are near, by an engine for cells first, as far as a few expansions lead.
    Hierarchical(HierarchicalJob, Option<Box<JobEngine>>),
}

/// What searches have in common that one field can answer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct TripKey {
    /// Where the layer lies in memory, or the costs on it.
    ground: usize,
    is_weighted: bool,
    mode: u8,
    goals: SmallVec<[u32; 4]>,
}

impl TripKey {
    /// Whether steps cost different amounts.
    pub(super) const fn is_weighted(&self) -> bool {
        self.is_weighted
    }

    /// Padded indices of the goals.
    pub(super) fn goals(&self) -> &[u32] {
        &self.goals
    }
}

/// Expansions for which ends that are near each other are searched over cells before they are over clusters.
const NEAR_EXPANSIONS_MAX: u32 = 1 << 14;

impl SearchJob {
    /// Searches.
    pub fn run(&self, scratch: &mut Scratch) -> PathOutcome {
        self.run_on(&self.engine, self.expansions_max, scratch)
    }

    /// Finds a way over clusters, and then the path piece by piece; `None` where the query does not ask for that or there
    /// is no path within its limit.
    pub fn pieces(&self) -> Option<PathPieces> {
        match &self.engine {
            JobEngine::Hierarchical(job, _) => PathPieces::begin(self.region, job, self.expansions_max),
            _ => None,
        }
    }

    /// What it shares with other searches that one field can answer; `None` for one with a limit, and for one over clusters.
    pub(super) fn trip_key(&self) -> Option<TripKey> {
        let (ground, is_weighted) = match &self.engine {
            JobEngine::Uniform(map) => (Arc::as_ptr(map).addr(), false),
            JobEngine::Weighted(_, costs) => (Arc::as_ptr(costs).addr(), true),
            JobEngine::Hierarchical(..) => return None,
        };
        let key = TripKey { ground, is_weighted, mode: self.mode as u8, goals: self.goals.indices().into() };
        (self.expansions_max == u32::MAX).then_some(key)
    }

    /// The answer as `field`, which leads to the same goals, has it; `None` where that does not reach the start.
    pub(super) fn read_off(&self, field: &FlowField) -> Option<PathOutcome> {
        let (x, y) = self.start.xy();
        let start = Cell::new(self.region.x + x as i32, self.region.y + y as i32);
        let cost = field.integration().cost(start)?;
        let place = |cell: Cell| ((cell.x - self.region.x) as u32, (cell.y - self.region.y) as u32);
        let places: Vec<(u32, u32)> = field.path_from(start).into_iter().map(place).collect();
        let waypoints = turning_points(&places).into_iter().map(|(x, y)| Spot::of(x, y)).collect();
        let end = SearchEnd::Found;
        let result = SearchResult { end, cost: cost.units(), expanded: 0, generated: 0, waypoints };
        Some(self.outcome(Engine::Field, &result))
    }

    fn run_on(&self, engine: &JobEngine, limit: u32, scratch: &mut Scratch) -> PathOutcome {
        match engine {
            JobEngine::Uniform(map) => {
                let result = search_uniform(map, self.mode, self.start, &self.goals, limit, scratch);
                self.outcome(Engine::Jps, &result)
            }
            JobEngine::Weighted(map, costs) => {
                let result = search_weighted(map, costs, self.mode, self.start, &self.goals, limit, scratch);
                self.outcome(Engine::AStar, &result)
            }
            JobEngine::Hierarchical(job, near) => {
                let mut spent = 0;
                if let Some(near) = near {
                    let found = self.run_on(near, limit.min(NEAR_EXPANSIONS_MAX), scratch);
                    if found.status != Status::Limit || limit <= NEAR_EXPANSIONS_MAX {
                        return found;
                    }
                    spent = found.expanded;
                }
                let mut way = job.run(limit - spent);
                way.expanded += spent;
                self.outcome(Engine::Haa, &way.into_result())
            }
        }
    }

    fn outcome(&self, engine: Engine, result: &SearchResult) -> PathOutcome {
        let (status, reason) = match result.end {
            SearchEnd::Found => (self.status_if_found, self.reason_if_found),
            SearchEnd::Limit => (Status::Limit, Reason::Limit),
            SearchEnd::Exhausted => (Status::Unreachable, Reason::Disconnected),
        };
        debug_assert!(result.end != SearchEnd::Exhausted, "regions said that there is a path");
        let cell = |(x, y): (u32, u32)| Cell::new(self.region.x + x as i32, self.region.y + y as i32);
        PathOutcome {
            status,
            reason,
            cost: (result.end == SearchEnd::Found).then(|| Cost::from_units(result.cost)),
            route: Route::new(result.waypoints.iter().map(|spot| cell(spot.xy())).collect()),
            smoothed: self.smoothed(&result.waypoints).map(|places| places.into_iter().map(cell).collect()),
            outside: None,
            expanded: result.expanded,
            generated: result.generated,
            engine,
        }
    }

    /// The ends of straight lines along `waypoints`, if those are wanted.
    fn smoothed(&self, waypoints: &[Spot]) -> Option<Vec<(u32, u32)>> {
        let stands = self.smoothing_on.as_deref().filter(|_| !waypoints.is_empty())?;
        let costs = match &self.engine {
            JobEngine::Uniform(_) => None,
            JobEngine::Weighted(_, costs) => Some(&**costs),
            JobEngine::Hierarchical(job, _) => job.costs.as_deref(),
        };
        let places: Vec<_> = waypoints.iter().map(|spot| spot.xy()).collect();
        Some(WalkingGround { stands, costs }.pulled(&places))
    }
}

/// What is known of the layer that a query runs on.
struct Ground {
    region: CellRect,
    shape: Shape,
    stands: Arc<BitGrid>,
    regions: Arc<Regions>,
    start: Spot,
    /// The region that the start lies in.
    home: RegionId,
}

impl Ground {
    fn spot(&self, cell: Cell) -> Spot {
        Spot::of((cell.x - self.region.x) as u32, (cell.y - self.region.y) as u32)
    }

    fn region_at(&self, spot: Spot) -> Option<RegionId> {
        self.regions.region(&self.stands, spot.index(self.shape))
    }

    fn spot_of_index(&self, index: PaddedIndex) -> Spot {
        let (x, y) = self.shape.xy(index);
        Spot::of(x, y)
    }
}

impl World {
    /// Answers `query` as far as that goes without a search, and otherwise prepares one.
    pub fn plan(&mut self, query: &PathQuery) -> Plan {
        self.prepare(query).unwrap_or_else(|why| self.refused(query, why))
    }

    fn refused(&self, query: &PathQuery, (status, reason): (Status, Reason)) -> Plan {
        let end = match reason {
            Reason::StartOutOfBounds => Some(query.start),
            Reason::GoalOutOfBounds => Some(query.goal),
            _ => None,
        };
        let outside = end.map(|cell| (cell, self.terrain.region()));
        Plan::Answered(PathOutcome { outside, ..PathOutcome::refused(status, reason) })
    }

    /// As [`World::plan`], for the cheapest of `goals` instead of the query's own.
    pub(super) fn plan_to_any(&mut self, query: &PathQuery, goals: &[Cell]) -> Plan {
        let ground = match self.check_start(query).and_then(|()| self.ground(query)) {
            Ok(ground) => ground,
            Err(why) => return self.refused(query, why),
        };
        let mut why = (Status::Unreachable, Reason::Disconnected);
        let mut spots = Vec::new();
        for (n, &goal) in goals.iter().enumerate() {
            let query = PathQuery { goal, goal_mode: GoalMode::Exact, ..*query };
            match self.check_goal(&query).and_then(|()| self.goal_spots(&query, &ground)) {
                Ok((found, _)) => spots.extend(found),
                Err(problem) if n == 0 => why = problem,
                Err(_) => {}
            }
        }
        spots.sort_unstable_by_key(|spot| (spot.y, spot.x));
        spots.dedup();
        if spots.is_empty() {
            return self.refused(query, why);
        }
        self.search_or_stay(query, ground, &spots, (Status::Complete, Reason::None))
    }

    /// The path of least distance, whatever it costs: answers `query` as if every stand had weight 1.
    pub fn shortest_path(&mut self, query: &PathQuery) -> PathOutcome {
        match self.plan(query) {
            Plan::Answered(outcome) => outcome,
            Plan::Search(job) => {
                let (key, mode) = (query.profile.layer_key(), query.profile.diagonal_mode);
                let map = Arc::clone(self.layers.jump_map(&self.terrain, key, mode));
                self.run(&SearchJob { engine: JobEngine::Uniform(map), ..job })
            }
        }
    }

    /// Whether the body comes to cover the goal, whichever way.
    pub(super) fn reaches(&mut self, query: &PathQuery) -> bool {
        self.ends(query).is_ok_and(|(_, _, covers)| covers)
    }

    /// What is known of the layer, the spots to end on, and whether the body covers the goal there.
    fn ends(&mut self, query: &PathQuery) -> Result<(Ground, Vec<Spot>, bool), (Status, Reason)> {
        self.check_start(query)?;
        self.check_goal(query)?;
        let ground = self.ground(query)?;
        let (goals, covers) = self.goal_spots(query, &ground)?;
        Ok((ground, goals, covers))
    }

    fn prepare(&mut self, query: &PathQuery) -> Result<Plan, (Status, Reason)> {
        let (ground, goals, covers) = self.ends(query)?;
        let found = if covers {
            (Status::Complete, Reason::None)
        } else {
            (Status::Partial, self.why_not_covered(query, &ground))
        };
        Ok(self.search_or_stay(query, ground, &goals, found))
    }

    /// Gathers what is known of the layer around the start, where the body can stand.
    fn ground(&mut self, query: &PathQuery) -> Result<Ground, (Status, Reason)> {
        let profile = &query.profile;
        let key = profile.layer_key();
        let (stands, regions) = self.layers.ground(&self.terrain, key, profile.diagonal_mode);
        let (stands, regions) = (Arc::clone(stands), Arc::clone(regions));
        let (region, shape) = (self.terrain.region(), self.terrain.shape());
        let start = Spot::of((query.start.x - region.x) as u32, (query.start.y - region.y) as u32);
        let home = regions
            .region(&stands, start.index(shape))
            .ok_or((Status::Unreachable, Reason::StartClearance))?;
        Ok(Ground { region, shape, stands, regions, start, home })
    }

    /// The answer when the start is a goal; otherwise the search for `goals`, of which there is at least one.
    fn search_or_stay(
        &mut self,
        query: &PathQuery,
        ground: Ground,
        goals: &[Spot],
        (status, reason): (Status, Reason),
    ) -> Plan {
        if goals.contains(&ground.start) {
            // A body that stands on a goal is there, at no cost.
            return Plan::Answered(PathOutcome {
                cost: Some(Cost::ZERO),
                route: Route::new(vec![query.start]),
                smoothed: query.smoothing.then(|| vec![query.start]),
                ..PathOutcome::refused(status, reason)
            });
        }
        let spots = goals;
        let Some(goals) = Goals::new(ground.shape, spots) else {
            return Plan::Answered(PathOutcome::refused(Status::Unreachable, Reason::Disconnected));
        };
        let Ground { region, stands, start, .. } = ground;
        let engine = match query.search_mode {
            SearchMode::Hierarchical => self.hierarchical_engine(query, &stands, start, spots),
            SearchMode::Auto | SearchMode::Optimal => self.engine(query),
        };
        let smoothing_on = query.smoothing.then_some(stands);
        Plan::Search(SearchJob {
            region,
            start,
            goals,
            engine,
            mode: query.profile.diagonal_mode,
            expansions_max: query.expansions_max,
            smoothing_on,
            status_if_found: status,
            reason_if_found: reason,
        })
    }

    fn check_start(&mut self, query: &PathQuery) -> Result<(), (Status, Reason)> {
        if self.terrain.region().is_empty() {
            return Err((Status::Invalid, Reason::EmptyGrid));
        }
        self.check_end(query, query.start, true)
    }

    /// Looks at the goal as far as its mode asks for.
    fn check_goal(&mut self, query: &PathQuery) -> Result<(), (Status, Reason)> {
        if !self.terrain.region().contains(query.goal) {
            return Err((Status::Invalid, Reason::GoalOutOfBounds));
        }
        if query.goal_mode == GoalMode::Exact { self.check_end(query, query.goal, false) } else { Ok(()) }
    }

    /// Whether the body can stand at one end of the query; looks at bounds, then the anchor, then the other cells.
    fn check_end(&mut self, query: &PathQuery, cell: Cell, is_start: bool) -> Result<(), (Status, Reason)> {
        let pick = |start: Reason, goal: Reason| if is_start { start } else { goal };
        let profile = &query.profile;
        if !self.terrain.region().contains(cell) {
            return Err((Status::Invalid, pick(Reason::StartOutOfBounds, Reason::GoalOutOfBounds)));
        }
        if self.is_taken(cell, profile) {
            return Err((Status::Unreachable, pick(Reason::StartSolid, Reason::GoalSolid)));
        }
        if !profile.capability.contains(self.terrain.terrain(cell)) {
            return Err((Status::Unreachable, pick(Reason::StartTerrain, Reason::GoalTerrain)));
        }
        if !self.can_stand(cell, profile) {
            return Err((Status::Unreachable, pick(Reason::StartClearance, Reason::GoalClearance)));
        }
        Ok(())
    }

    /// Whether `cell` is solid, or under an obstacle that the body does not walk through.
    fn is_taken(&self, cell: Cell, profile: &Profile) -> bool {
        self.terrain.is_solid(cell) || self.terrain.is_blocked(cell, profile.ignored_obstacle)
    }

    /// The spots at which the query may end, all in the start's region, and whether the body covers the goal there.
    fn goal_spots(&self, query: &PathQuery, ground: &Ground) -> Result<(Vec<Spot>, bool), (Status, Reason)> {
        let home = ground.home;
        let footprint = query.profile.footprint;
        match query.goal_mode {
            GoalMode::Exact => {
                let goal = ground.spot(query.goal);
                if ground.region_at(goal) == Some(home) {
                    Ok((vec![goal], true))
                } else {
                    Err((Status::Unreachable, Reason::Disconnected))
                }
            }
            GoalMode::Cover => {
                let spots = covering_spots(query.goal, footprint, ground);
                let reachable: Vec<Spot> =
                    spots.iter().copied().filter(|&spot| ground.region_at(spot) == Some(home)).collect();
                if reachable.is_empty() {
                    return Err((Status::Unreachable, self.why_not_covered(query, ground)));
                }
                Ok((reachable, true))
            }
            GoalMode::Nearest => {
                let target = covering_anchors(ground.region, query.goal, footprint);
                let members = ground.regions.members(&ground.stands, home);
                let (squared, stands) = nearest_stands(&ground.stands, target, u128::MAX, &members)
                    .ok_or((Status::Unreachable, Reason::Disconnected))?;
                Ok((stands.into_iter().map(|index| ground.spot_of_index(index)).collect(), squared == 0))
            }
        }
    }

    /// Why no stand that can be reached covers the goal.
    fn why_not_covered(&self, query: &PathQuery, ground: &Ground) -> Reason {
        let profile = &query.profile;
        if self.is_taken(query.goal, profile) {
            Reason::GoalSolid
        } else if !profile.capability.contains(self.terrain.terrain(query.goal)) {
            Reason::GoalTerrain
        } else if covering_spots(query.goal, profile.footprint, ground).is_empty() {
            Reason::GoalClearance
        } else {
            Reason::Disconnected
        }
    }

    fn engine(&mut self, query: &PathQuery) -> JobEngine {
        let profile = &query.profile;
        let key = profile.layer_key();
        let costs = self.weighing(profile);
        let map = Arc::clone(self.layers.jump_map(&self.terrain, key, profile.diagonal_mode));
        match costs {
            Some(costs) => JobEngine::Weighted(map, costs),
            None => JobEngine::Uniform(map),
        }
    }

    fn hierarchical_engine(
        &mut self,
        query: &PathQuery,
        stands: &Arc<BitGrid>,
        start: Spot,
        goals: &[Spot],
    ) -> JobEngine {
        let profile = &query.profile;
        let costs = self.weighing(profile);
        let hierarchy = self.layers.hierarchy(&self.terrain, &self.influences, profile, costs.is_some());
        let index = |spot: Spot| spot.index(stands.shape());
        let is_near = goals.iter().any(|&goal| hierarchy.are_neighbours(index(start), index(goal)));
        let job = HierarchicalJob {
            hierarchy: Arc::clone(hierarchy),
            stands: Arc::clone(stands),
            costs,
            mode: profile.diagonal_mode,
            start,
            goals: goals.into(),
        };
        JobEngine::Hierarchical(job, is_near.then(|| Box::new(self.engine(query))))
    }

    /// What stands cost the body; `None` where every step costs what it does over weight 1.
    pub(super) fn weighing(&mut self, profile: &Profile) -> Option<Arc<StandCosts>> {
        let is_plain = self.terrain.weights().is_none() && profile.terrain_costs.is_unit();
        if is_plain && !self.is_influenced(profile) {
            return None;
        }
        let costs = self.layers.costs(&self.terrain, &self.influences, profile);
        (!costs.is_uniform()).then(|| Arc::clone(costs))
    }
}

/// The anchors from which a body covers `cell`, counted from the region's corner; they may lie outside the map.
pub(super) fn covering_anchors(region: CellRect, cell: Cell, footprint: Footprint) -> FarRect {
    let (x, y) = (i64::from(cell.x) - i64::from(region.x), i64::from(cell.y) - i64::from(region.y));
    FarRect { x0: x - i64::from(footprint.w() - 1), y0: y - i64::from(footprint.h() - 1), x1: x, y1: y }
}

/// The stands from which a body covers `cell`, in reading order.
fn covering_spots(cell: Cell, footprint: Footprint, ground: &Ground) -> Vec<Spot> {
    let anchors = footprint.anchors_touching(CellRect::cell(cell)).intersection(ground.region);
    anchors
        .cells()
        .map(|anchor| ground.spot(anchor))
        .filter(|s| ground.stands.get(s.index(ground.shape)))
        .collect()
}
