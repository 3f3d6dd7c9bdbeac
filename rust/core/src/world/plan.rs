//! From a query to an answer: what can be said without a search is said first.

use std::sync::Arc;

use super::World;
use super::query::{Engine, GoalMode, PathOutcome, PathQuery, Plan, Reason, Status};
use crate::bitgrid::{BitGrid, PaddedIndex, Shape};
use crate::connectivity::{FarRect, RegionId, Regions, nearest_stands};
use crate::cost::Cost;
use crate::geometry::{Cell, CellRect, DiagonalMode, Footprint};
use crate::passability::{LayerKey, StandCosts};
use crate::path::{Route, WalkingGround};
use crate::search::{Goals, JumpMap, Scratch, SearchEnd, Spot, search_uniform, search_weighted};

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
    Weighted(Arc<BitGrid>, Arc<StandCosts>),
}

impl SearchJob {
    /// Searches.
    pub fn run(&self, scratch: &mut Scratch) -> PathOutcome {
        let (engine, result) = match &self.engine {
            JobEngine::Uniform(map) => {
                let result =
                    search_uniform(map, self.mode, self.start, &self.goals, self.expansions_max, scratch);
                (Engine::Jps, result)
            }
            JobEngine::Weighted(layer, costs) => {
                let limit = self.expansions_max;
                let result =
                    search_weighted(layer, costs, self.mode, self.start, &self.goals, limit, scratch);
                (Engine::AStar, result)
            }
        };
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
        };
        let places: Vec<_> = waypoints.iter().map(|spot| spot.xy()).collect();
        Some(WalkingGround { stands, costs }.pulled(&places))
    }

    /// Whether the path, once found, leads all the way to the goal.
    pub const fn covers_goal(&self) -> bool {
        matches!(self.status_if_found, Status::Complete)
    }
}

/// What is known of the layer that a query runs on.
struct Ground {
    region: CellRect,
    shape: Shape,
    stands: Arc<BitGrid>,
    regions: Arc<Regions>,
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
        self.prepare(query)
            .unwrap_or_else(|(status, reason)| Plan::Answered(PathOutcome::refused(status, reason)))
    }

    fn prepare(&mut self, query: &PathQuery) -> Result<Plan, (Status, Reason)> {
        let profile = &query.profile;
        let region = self.terrain.region();
        if region.is_empty() {
            return Err((Status::Invalid, Reason::EmptyGrid));
        }
        self.check_end(query, query.start, true)?;
        if !region.contains(query.goal) {
            return Err((Status::Invalid, Reason::GoalOutOfBounds));
        }
        if query.goal_mode == GoalMode::Exact {
            self.check_end(query, query.goal, false)?;
        }
        let key = LayerKey { footprint: profile.footprint, capability: profile.capability };
        let ground = Ground {
            region,
            shape: self.terrain.shape(),
            regions: Arc::clone(self.layers.regions(&self.terrain, key, profile.diagonal_mode)),
            stands: Arc::clone(self.layers.stands(&self.terrain, key)),
        };
        let start = ground.spot(query.start);
        let home = ground.region_at(start).ok_or((Status::Unreachable, Reason::StartClearance))?;
        let (goals, covers) = self.goal_spots(query, &ground, home)?;
        let status = if covers { Status::Complete } else { Status::Partial };
        let reason = if covers { Reason::None } else { self.why_not_covered(query, &ground) };
        if goals.contains(&start) {
            // A body that stands on a goal is there, at no cost.
            return Ok(Plan::Answered(PathOutcome {
                status,
                reason,
                cost: Some(Cost::ZERO),
                route: Route::new(vec![query.start]),
                smoothed: query.smoothing.then(|| vec![query.start]),
                ..PathOutcome::refused(status, reason)
            }));
        }
        let goals = Goals::new(ground.shape, &goals).ok_or((Status::Unreachable, Reason::Disconnected))?;
        drop(ground.regions);
        Ok(Plan::Search(SearchJob {
            region,
            start,
            goals,
            engine: self.engine(query, key),
            mode: profile.diagonal_mode,
            expansions_max: query.expansions_max,
            smoothing_on: query.smoothing.then_some(ground.stands),
            status_if_found: status,
            reason_if_found: reason,
        }))
    }

    /// Whether the body can stand at one end of the query; looks at bounds, then the anchor, then the other cells.
    fn check_end(&mut self, query: &PathQuery, cell: Cell, is_start: bool) -> Result<(), (Status, Reason)> {
        let pick = |start: Reason, goal: Reason| if is_start { start } else { goal };
        let profile = &query.profile;
        if !self.terrain.region().contains(cell) {
            return Err((Status::Invalid, pick(Reason::StartOutOfBounds, Reason::GoalOutOfBounds)));
        }
        if self.terrain.is_solid(cell) {
            return Err((Status::Unreachable, pick(Reason::StartSolid, Reason::GoalSolid)));
        }
        if !profile.capability.contains(self.terrain.terrain(cell)) {
            return Err((Status::Unreachable, pick(Reason::StartTerrain, Reason::GoalTerrain)));
        }
        if !self.fits(cell, profile.footprint, profile.capability) {
            return Err((Status::Unreachable, pick(Reason::StartClearance, Reason::GoalClearance)));
        }
        Ok(())
    }

    /// The spots at which the query may end, all in the region `home`, and whether the body covers the goal there.
    fn goal_spots(
        &self,
        query: &PathQuery,
        ground: &Ground,
        home: RegionId,
    ) -> Result<(Vec<Spot>, bool), (Status, Reason)> {
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
        if self.terrain.is_solid(query.goal) {
            Reason::GoalSolid
        } else if !profile.capability.contains(self.terrain.terrain(query.goal)) {
            Reason::GoalTerrain
        } else if covering_spots(query.goal, profile.footprint, ground).is_empty() {
            Reason::GoalClearance
        } else {
            Reason::Disconnected
        }
    }

    fn engine(&mut self, query: &PathQuery, key: LayerKey) -> JobEngine {
        let profile = &query.profile;
        if self.terrain.weights().is_some() || !profile.terrain_costs.is_unit() {
            let costs = Arc::clone(self.layers.costs(&self.terrain, key, &profile.terrain_costs));
            if !costs.is_uniform() {
                return JobEngine::Weighted(Arc::clone(self.layers.stands(&self.terrain, key)), costs);
            }
        }
        JobEngine::Uniform(Arc::clone(self.layers.jump_map(&self.terrain, key, profile.diagonal_mode)))
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
