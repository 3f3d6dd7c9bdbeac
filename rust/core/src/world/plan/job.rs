//! A planned search, apart from the world: it can run on any thread.

use std::sync::Arc;

use smallvec::SmallVec;

use super::hierarchical::{HierarchicalJob, turning_points};
use crate::bitgrid::cell_at;
use crate::cost::Cost;
use crate::field::FlowField;
use crate::geometry::{CellRect, DiagonalMode};
use crate::passability::{PlacementCosts, Placements};
use crate::path::{Route, RouteLink, StringPuller};
use crate::primitives::{GridPoint, SearchEnd};
use crate::search::{
    Goals, JumpMap, Scratch, SearchResult, Weights, search_uniform, search_weighted, search_weighted_jps,
};
use crate::world::query::{Engine, PathOutcome, Reason, Status};
use crate::world::structures::{Landmarks, point_in};

/// A search with all that it reads. It can run on any thread, and edits of the world do not change it.
#[derive(Clone, Debug)]
pub struct SearchJob {
    pub(super) region: CellRect,
    pub(super) start: GridPoint,
    pub(super) goals: Goals,
    pub(super) engine: JobEngine,
    pub(super) mode: DiagonalMode,
    pub(super) expansions_max: u32,
    /// The placements to find straight lines on, if those are wanted.
    pub(super) smoothing_on: Option<Arc<Placements>>,
    /// Why a path to the goals is not a complete one, if it is not.
    pub(super) shortfall: Option<Reason>,
    /// Whether the goals are known to be reachable.
    pub(super) is_certain: bool,
}

/// The engine of a search, and what that reads.
#[derive(Clone, Debug)]
pub(super) enum JobEngine {
    Uniform(Arc<JumpMap>),
    Weighted {
        map: Arc<JumpMap>,
        costs: Arc<PlacementCosts>,
        landmarks: Option<Arc<Landmarks>>,
        /// Whether `map` stops where costs begin to differ, so that the search jumps.
        jumps: bool,
    },
    /// Over clusters; where the ends are near, over cells first, for [`NEAR_EXPANSIONS_MAX`] expansions.
    Hierarchical(HierarchicalJob, Option<Box<JobEngine>>),
}

/// What searches that one field can answer have in common. The addresses in it are valid while the structures
/// that they point to are kept.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(in crate::world) struct TripKey {
    /// The address of the jump map, or of the costs: equal addresses are equal ground while jobs hold both.
    ground: usize,
    is_weighted: bool,
    mode: u8,
    goals: SmallVec<[u32; 4]>,
}

impl TripKey {
    /// Returns whether steps cost different amounts.
    pub(in crate::world) const fn is_weighted(&self) -> bool {
        self.is_weighted
    }

    /// Padded indices of the goals.
    pub(in crate::world) fn goals(&self) -> &[u32] {
        &self.goals
    }
}

/// Expansions of the search over cells between near ends before clusters are searched: around a wall, near
/// ends can be far apart. Two neighbouring clusters have 4,200 cells, so ends that do not need a detour over
/// more than four times as many are found with the least cost. The bound is what is spent in vain: under a
/// millisecond, as long as a first piece takes on 4096².
const NEAR_EXPANSIONS_MAX: u32 = 1 << 14;

impl SearchJob {
    /// Searches.
    pub fn run(&self, scratch: &mut Scratch) -> PathOutcome {
        self.run_on(&self.engine, self.expansions_max, scratch)
    }

    /// Returns whether it searches over clusters, which takes milliseconds.
    pub(in crate::world) const fn is_hierarchical(&self) -> bool {
        matches!(self.engine, JobEngine::Hierarchical(..))
    }

    /// What it shares with other searches that one field can answer; `None` for one with a limit, for one
    /// over clusters, and for bodies that take links.
    pub(in crate::world) fn trip_key(&self) -> Option<TripKey> {
        let (ground, map, is_weighted) = match &self.engine {
            JobEngine::Uniform(map) => (Arc::as_ptr(map).addr(), map, false),
            JobEngine::Weighted { costs, map, .. } => (Arc::as_ptr(costs).addr(), map, true),
            JobEngine::Hierarchical(..) => return None,
        };
        // Which links a path takes is not read off a field.
        if map.edges().is_some_and(|edges| !edges.links().is_empty()) {
            return None;
        }
        let key = TripKey { ground, is_weighted, mode: self.mode as u8, goals: self.goals.indices().into() };
        // A field knows no expansions, so it cannot tell whether a limit would have been met.
        (self.expansions_max == u32::MAX).then_some(key)
    }

    /// Returns the answer that `field` gives, which leads to the same goals; `None` if the field does not
    /// reach the start.
    pub(in crate::world) fn read_off(&self, field: &FlowField) -> Option<PathOutcome> {
        let start = cell_at(self.region, self.start.cell_xy());
        // A start outside of the component of the goals has no cost in the field.
        let cost = field.integration().cost(start)?;
        let path = field.path_from(start).into_iter().map(|cell| point_in(self.region, cell));
        let waypoints = turning_points(&path.collect::<Vec<_>>());
        // Nothing is counted as expanded: the expansions of the field belong to all of its requests.
        let end = SearchEnd::Found;
        let result = SearchResult {
            end,
            cost: cost.units(),
            expanded: 0,
            generated: 0,
            waypoints,
            link_ends: Vec::new(),
        };
        Some(self.outcome(Engine::Field, &result))
    }

    fn run_on(&self, engine: &JobEngine, limit: u32, scratch: &mut Scratch) -> PathOutcome {
        match engine {
            JobEngine::Uniform(map) => {
                let result = search_uniform(map, self.mode, self.start, &self.goals, limit, scratch);
                self.outcome(Engine::Jps, &result)
            }
            JobEngine::Weighted { map, costs, landmarks, jumps } => {
                let landmarks = landmarks.as_deref().map(Landmarks::costs).unwrap_or_default();
                let weights = Weights::with_landmarks(costs, &landmarks);
                let (start, goals) = (self.start, &self.goals);
                if *jumps {
                    let result = search_weighted_jps(map, weights, self.mode, start, goals, limit, scratch);
                    return self.outcome(Engine::Jps, &result);
                }
                let result = search_weighted(map, weights, self.mode, start, goals, limit, scratch);
                self.outcome(Engine::AStar, &result)
            }
            JobEngine::Hierarchical(job, near) => {
                // Between neighbouring clusters the detour over transitions can cost much more than the path
                // of least cost, and a search over cells is short.
                let mut spent = 0;
                if let Some(near) = near {
                    let found = self.run_on(near, limit.min(NEAR_EXPANSIONS_MAX), scratch);
                    // Stopped by its own limit, the search over cells tells nothing; clusters get what is
                    // left of the limit.
                    if found.status != Status::Limit || limit <= NEAR_EXPANSIONS_MAX {
                        return found;
                    }
                    spent = found.expanded;
                }
                let mut result = job.run(limit - spent);
                result.expanded += spent;
                result.generated += spent;
                self.outcome(Engine::Haa, &result)
            }
        }
    }

    pub(super) fn outcome(&self, engine: Engine, result: &SearchResult) -> PathOutcome {
        let (status, reason) = match result.end {
            SearchEnd::Found => (status_of_path(self.shortfall), self.shortfall),
            SearchEnd::Limit => (Status::Limit, Some(Reason::Limit)),
            SearchEnd::Exhausted => (Status::Unreachable, Some(Reason::Disconnected)),
        };
        debug_assert!(
            !self.is_certain || result.end != SearchEnd::Exhausted,
            "components said that there is a path"
        );
        let cell = |place: (u32, u32)| cell_at(self.region, place);
        PathOutcome {
            status,
            reason,
            cost: (result.end == SearchEnd::Found).then(|| Cost::from_units(result.cost)),
            route: Route::with_links(
                result.waypoints.iter().map(|point| cell(point.cell_xy())).collect(),
                self.links_of(result),
            ),
            smoothed: self.smoothed(result).map(|places| places.into_iter().map(cell).collect()),
            outside: None,
            expanded: result.expanded,
            generated: result.generated,
            engine,
        }
    }

    /// Returns the links that a path takes.
    fn links_of(&self, result: &SearchResult) -> Vec<RouteLink> {
        let (JobEngine::Uniform(map) | JobEngine::Weighted { map, .. }) = &self.engine else {
            return Vec::new();
        };
        let link = |&place: &u32| {
            let place = place as usize;
            let index = |point: GridPoint| point.index(map.layout()).number();
            let ends = [place - 1, place].map(|place| index(result.waypoints[place]));
            let step = map.edges()?.links().between(ends[0], ends[1])?;
            Some(RouteLink { place, id: step.link })
        };
        result.link_ends.iter().filter_map(link).collect()
    }

    /// Returns the ends of straight lines along the path of `result`, if those are wanted.
    fn smoothed(&self, result: &SearchResult) -> Option<Vec<(u32, u32)>> {
        let placements = self.smoothing_on.as_deref().filter(|_| !result.waypoints.is_empty())?;
        // No straight line may pass a placement of higher cost than those on the part that it replaces.
        let costs = match &self.engine {
            JobEngine::Uniform(_) => None,
            JobEngine::Weighted { costs, .. } => Some(&**costs),
            JobEngine::Hierarchical(job, _) => job.clusters.costs.as_deref(),
        };
        let puller = StringPuller { placements, costs };
        let mut places: Vec<_> = result.waypoints.iter().map(|point| point.cell_xy()).collect();
        // Each part between links is pulled straight for itself.
        let mut parts = Vec::new();
        for &end in result.link_ends.iter().rev() {
            parts.push(places.split_off(end as usize));
        }
        parts.push(places);
        Some(parts.iter().rev().flat_map(|part| puller.pull(part)).collect())
    }
}

/// Returns the status of an answer with a path that ends short of the goal for a reason, if there is one.
pub(super) const fn status_of_path(shortfall: Option<Reason>) -> Status {
    if shortfall.is_some() { Status::Partial } else { Status::Complete }
}
