//! Planning: from a query to an answer, or to a search. A query that can be answered without a search is
//! answered first.
//!
//! Ends are checked, then components tell whether a path exists, then the engine is chosen:
//!
//! - jump points where every step costs the same, and where costs differ in patches,
//! - A* where costs differ everywhere,
//! - clusters where the query asks for them, and its body takes no links.

mod ends;
mod hierarchical;
mod job;
mod overlaid;
mod range;

pub use job::SearchJob;
pub(super) use job::TripKey;
pub use range::LargestFootprint;

use std::sync::Arc;

use super::query::{GoalMode, PathOutcome, PathQuery, Profile, Reason, SearchMode, Status};
use super::structures::Structures;
use crate::cost::Cost;
use crate::geometry::{Cell, Footprint};
use crate::hierarchy::Hierarchy;
use crate::passability::Placements;
use crate::path::Route;
use crate::primitives::{GridPoint, ScratchPool};
use crate::search::{Goals, Scratch};
use ends::{Ends, QueryLayer};
use hierarchical::HierarchicalJob;
use job::{JobEngine, status_of_path};

/// Expansions after which a search asks for components: without them it might exhaust a large map in vain.
/// About as many as a small map has cells, so it bounds blocked queries on large ones: at most some tenths of
/// a millisecond are spent in vain.
const EXPANSIONS_WITHOUT_COMPONENTS_MAX: u32 = 4096;

/// The plan for a query: its answer, or a search.
#[derive(Clone, Debug)]
pub enum Plan {
    /// Nothing is left to do.
    Answered(PathOutcome),
    /// A search is needed; it can run anywhere.
    Search(SearchJob),
}

impl Plan {
    /// Returns the answer, searched for on memory of `scratch` if it is not there.
    pub(super) fn carry_out(self, scratch: &ScratchPool<Scratch>) -> PathOutcome {
        match self {
            Self::Answered(outcome) => outcome,
            Self::Search(job) => scratch.lend(|scratch| job.run(scratch)),
        }
    }
}

/// Plans queries on what is kept of a map, and answers them.
pub(super) struct Planner<'a> {
    pub(in crate::world) kept: &'a mut Structures,
    /// Memory that no search uses at the moment.
    pub(super) scratch: &'a ScratchPool<Scratch>,
}

impl Planner<'_> {
    pub(super) fn answer(&mut self, query: &PathQuery) -> PathOutcome {
        self.kept.terrain.seal_journal();
        self.overlaid(query, |planner| {
            // Under an overlay a search takes less than a repair of the components.
            planner.find_path_without_components(query).unwrap_or_else(|| {
                let plan = planner.plan(query);
                plan.carry_out(planner.scratch)
            })
        })
    }

    /// Returns whether `query` would find a path, without a search.
    pub(super) fn is_reachable(&mut self, query: &PathQuery) -> bool {
        self.blocked_by(&query.profile, query.blocked(), |planner| match query.goal_mode {
            GoalMode::Exact => planner.is_joined(query.start, query.goal, &query.profile),
            GoalMode::Cover | GoalMode::Nearest => planner.reaches(query),
        })
    }

    /// Returns whether two cells are placements of the body, and paths lead from the first to the second.
    fn is_joined(&mut self, a: Cell, b: Cell, profile: &Profile) -> bool {
        let Structures { terrain, layers, .. } = &mut *self.kept;
        let (Ok(a), Ok(b)) = (terrain.local(a), terrain.local(b)) else { return false };
        let (placements, components) =
            layers.components(terrain, &profile.layer_key(), profile.diagonal_mode);
        let component = |(x, y)| components.component_at(placements, x, y);
        component(a).zip(component(b)).is_some_and(|(a, b)| components.reaches(a, b))
    }

    /// See [`World::plan`](super::World::plan).
    pub(super) fn plan(&mut self, query: &PathQuery) -> Plan {
        if !query.blocked().is_empty()
            && !self.kept.layers.is_overlaid()
            && !self.kept.terrain.region().is_empty()
        {
            return Plan::Answered(self.answer(query));
        }
        self.prepare(query).unwrap_or_else(|why| self.refused(query, why))
    }

    fn refused(&self, query: &PathQuery, why: Reason) -> Plan {
        Plan::Answered(self.refusal(query, why))
    }

    /// What becomes of a query without a search; it names the end that lies outside.
    fn refusal(&self, query: &PathQuery, reason: Reason) -> PathOutcome {
        let end = match reason {
            Reason::StartOutOfBounds => Some(query.start),
            Reason::GoalOutOfBounds => Some(query.goal),
            _ => None,
        };
        let outside = end.map(|cell| (cell, self.kept.terrain.region()));
        PathOutcome { outside, ..PathOutcome::refused(reason) }
    }

    /// As [`Planner::plan`], for the goal of least cost among `goals` instead of the query's own.
    pub(super) fn plan_to_any(&mut self, query: &PathQuery, goals: &[Cell]) -> Plan {
        // The start is checked once; all goals are compared with its component.
        let ground = match self.reachable_layer(query) {
            Ok(ground) => ground,
            Err(why) => return self.refused(query, why),
        };
        let mut why = Reason::Disconnected;
        let mut points = Vec::new();
        for (n, &goal) in goals.iter().enumerate() {
            let query = PathQuery { goal, goal_mode: GoalMode::Exact, ..query.clone() };
            let checked = self.check_goal(&query, &ground.layer.placements);
            match checked.and_then(|()| self.goal_points(&query, &ground)) {
                Ok((found, _)) => points.extend(found),
                // If no goal can be reached, the answer explains the first.
                Err(problem) if n == 0 => why = problem,
                Err(_) => {}
            }
        }
        // In reading order, so that the choice among equal paths does not depend on the order of `goals`.
        points.sort_unstable_by_key(|point| point.packed());
        points.dedup();
        if points.is_empty() {
            return self.refused(query, why);
        }
        self.search_or_stay(query, ground.layer, &points, None)
    }

    /// See [`World::shortest_path`](super::World::shortest_path).
    pub(super) fn shortest_path(&mut self, query: &PathQuery) -> PathOutcome {
        self.overlaid(query, |planner| match planner.plan(query) {
            Plan::Answered(outcome) => outcome,
            Plan::Search(job) => {
                let (key, mode) = (query.profile.layer_key(), query.profile.diagonal_mode);
                let map = Arc::clone(planner.kept.layers.layer(&planner.kept.terrain, &key).jump_map(mode));
                // The same ends and goals, but an engine that reads no costs.
                let job = SearchJob { engine: JobEngine::Uniform(map), ..job };
                planner.scratch.lend(|scratch| job.run(scratch))
            }
        })
    }

    /// Returns the answer to `query` by a search alone, under an overlay. `None` without an overlay, and where
    /// the answer needs components, which are repaired in a copy there. The answer is the same with them.
    pub(super) fn find_path_without_components(&mut self, query: &PathQuery) -> Option<PathOutcome> {
        // With several goals, unreachable ones would lead the search to other paths of the same cost.
        let has_one_goal = query.goal_mode == GoalMode::Exact || query.profile.footprint == Footprint::ONE;
        if !self.kept.layers.is_overlaid() || !has_one_goal || self.kept.terrain.region().is_empty() {
            return None;
        }
        let key = query.profile.layer_key();
        let is_exact = query.goal_mode == GoalMode::Exact;
        let placements = Arc::clone(self.kept.layers.placements(&self.kept.terrain, &key));
        let checked = self.check_end(query, query.start, true, &placements);
        if let Err(why) = checked.and_then(|()| self.check_end(query, query.goal, false, &placements)) {
            // Another goal mode may end elsewhere, which needs the components.
            return is_exact.then(|| self.refusal(query, why));
        }
        let layer = QueryLayer::new(&self.kept.terrain, placements, query.start);
        let goal = layer.point(query.goal);
        let outcome = match self.search_or_stay(query, layer, &[goal], None) {
            Plan::Answered(outcome) => outcome,
            Plan::Search(job) => {
                let expansions_max = query.expansions_max.min(EXPANSIONS_WITHOUT_COMPONENTS_MAX);
                let job = SearchJob { is_certain: false, expansions_max, ..job };
                self.scratch.lend(|scratch| job.run(scratch))
            }
        };
        match outcome.status {
            // Components say that there is no path before any limit is met, so they are asked.
            Status::Limit => None,
            Status::Unreachable if query.goal_mode == GoalMode::Nearest => None,
            // As if components had answered: their answer counts no expansions.
            Status::Unreachable => Some(self.refusal(query, Reason::Disconnected)),
            _ => Some(outcome),
        }
    }

    /// Returns whether the body reaches a placement at which it covers the goal.
    pub(super) fn reaches(&mut self, query: &PathQuery) -> bool {
        self.ends(query).is_ok_and(|ends| ends.covers)
    }

    fn prepare(&mut self, query: &PathQuery) -> Result<Plan, Reason> {
        let Ends { ground, goals, covers } = self.ends(query)?;
        // A path that ends short of the goal is an answer, with the reason that it has no better end.
        let shortfall = if covers { None } else { Some(self.why_not_covered(query, &ground)) };
        Ok(self.search_or_stay(query, ground.layer, &goals, shortfall))
    }

    /// The answer when the start is a goal; otherwise the search for `goals`, of which there is at least one.
    fn search_or_stay(
        &mut self,
        query: &PathQuery,
        QueryLayer { region, layout, placements, start }: QueryLayer,
        goals: &[GridPoint],
        shortfall: Option<Reason>,
    ) -> Plan {
        if goals.contains(&start) {
            // A body that starts on a goal is there, at no cost.
            return Plan::Answered(PathOutcome {
                cost: Some(Cost::ZERO),
                route: Route::new(vec![query.start]),
                smoothed: query.smoothing.then(|| vec![query.start]),
                ..PathOutcome::unsearched(status_of_path(shortfall), shortfall)
            });
        }
        let points = goals;
        let Some(goals) = Goals::new(layout, points) else {
            return Plan::Answered(PathOutcome::refused(Reason::Disconnected));
        };
        // Clusters are made for layers that stay, so a query with cells of its own is searched over cells. They
        // know no links.
        let has_clusters = !self.kept.layers.is_overlaid() && placements.links().is_none();
        let engine = match query.search_mode {
            SearchMode::Hierarchical if has_clusters => {
                self.hierarchical_engine(query, &placements, start, points)
            }
            _ => self.engine(query),
        };
        let smoothing_on = query.smoothing.then_some(placements);
        Plan::Search(SearchJob {
            region,
            start,
            goals,
            engine,
            mode: query.profile.diagonal_mode,
            expansions_max: query.expansions_max,
            smoothing_on,
            shortfall,
            is_certain: true,
        })
    }

    fn engine(&mut self, query: &PathQuery) -> JobEngine {
        let profile = &query.profile;
        let costs = self.kept.varying_costs(profile);
        let map = (&self.kept.terrain, &self.kept.influences);
        let landmarks = costs.as_ref().and_then(|_| self.kept.layers.landmarks(map, profile));
        let layer = self.kept.layers.layer(&self.kept.terrain, &profile.layer_key());
        let Some(costs) = costs else {
            return JobEngine::Uniform(Arc::clone(layer.jump_map(profile.diagonal_mode)));
        };
        // Where few cells are locally uniform, jumps are short, and A* takes less time a cell (bench
        // `patches`). Beside edges only jumps know which steps are closed.
        let jumps = costs.is_mostly_uniform() || layer.has_edges();
        let map =
            if jumps { layer.cost_jump_map(map, profile) } else { layer.jump_map(profile.diagonal_mode) };
        JobEngine::Weighted { map: Arc::clone(map), costs, landmarks, jumps }
    }

    fn hierarchical_engine(
        &mut self,
        query: &PathQuery,
        placements: &Arc<Placements>,
        start: GridPoint,
        goals: &[GridPoint],
    ) -> JobEngine {
        let clusters = self.kept.clusters(&query.profile, Arc::clone(placements));
        let is_near = goals.iter().any(|&goal| Hierarchy::are_neighbours(start, goal));
        let job = HierarchicalJob { clusters, start, goals: goals.into() };
        JobEngine::Hierarchical(job, is_near.then(|| Box::new(self.engine(query))))
    }
}
