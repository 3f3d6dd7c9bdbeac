//! The ends of a query: whether the body fits there, and which goals it can reach.

use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use super::Planner;
use crate::bitgrid::{BitGrid, GridLayout, local};
use crate::connectivity::{ComponentId, Components, nearest_placements};
use crate::geometry::{Cell, CellRect, Footprint};
use crate::passability::Placements;
use crate::primitives::GridPoint;
use crate::terrain::Terrain;
use crate::world::query::{GoalMode, PathOutcome, PathQuery, Reason};
use crate::world::structures::{covering_anchors, point_in};

/// The placements that a query runs on, and its start among them.
pub(super) struct QueryLayer {
    pub(super) region: CellRect,
    pub(super) layout: GridLayout,
    pub(super) placements: Arc<Placements>,
    pub(super) start: GridPoint,
}

impl QueryLayer {
    pub(super) fn new(terrain: &Terrain, placements: Arc<Placements>, start: Cell) -> Self {
        let region = terrain.region();
        Self { region, layout: terrain.layout(), placements, start: point_in(region, start) }
    }

    pub(super) fn point(&self, cell: Cell) -> GridPoint {
        point_in(self.region, cell)
    }
}

/// The layer of a query with its components, and the component that the start lies in.
pub(super) struct ReachableLayer {
    pub(super) layer: QueryLayer,
    components: Arc<Components>,
    /// The component that the start lies in.
    component: ComponentId,
}

/// Mostly one point, which is not worth an allocation.
pub(super) type GoalPoints = SmallVec<[GridPoint; 4]>;

/// Where a query starts and where it may end.
pub(super) struct Ends {
    pub(super) ground: ReachableLayer,
    pub(super) goals: GoalPoints,
    /// Whether the body covers the query's goal at `goals`.
    pub(super) covers: bool,
}

impl ReachableLayer {
    /// Returns whether paths lead from the start to a point.
    pub(super) fn reaches(&self, point: GridPoint) -> bool {
        let component = self.components.component(&self.layer.placements, point.index(self.layer.layout));
        component.is_some_and(|component| self.components.reaches(self.component, component))
    }
}

impl Planner<'_> {
    /// Checks both ends and finds the goals.
    pub(super) fn ends(&mut self, query: &PathQuery) -> Result<Ends, Reason> {
        let ground = self.reachable_layer(query)?;
        self.check_goal(query, &ground.layer.placements)?;
        let (goals, covers) = self.goal_points(query, &ground)?;
        Ok(Ends { ground, goals, covers })
    }

    /// Returns the answer to `query` if it has none but a refusal, without a search.
    pub(in crate::world) fn still_refused(&mut self, query: &PathQuery) -> Option<PathOutcome> {
        self.blocked_by(&query.profile, query.blocked(), |planner| {
            planner.ends(query).err().map(|why| planner.refusal(query, why))
        })
    }

    /// Returns whether a path to `query` ends short of the goal, at the same place as that of `outcome`. The
    /// reason of `outcome` is then brought up to date with the map.
    pub(in crate::world) fn still_ends_short(
        &mut self,
        query: &PathQuery,
        outcome: &mut PathOutcome,
    ) -> bool {
        let end = outcome.route.goal().and_then(|end| local(self.kept.terrain.region(), end));
        self.blocked_by(&query.profile, query.blocked(), |planner| {
            let (Ok(Ends { ground, goals, covers: false }), Some((x, y))) = (planner.ends(query), end) else {
                return false;
            };
            outcome.reason = Some(planner.why_not_covered(query, &ground));
            goals.contains(&GridPoint::of_cell(x, y))
        })
    }

    /// Returns the layer of the query and the component of its start, once it is checked that the body fits
    /// there.
    pub(super) fn reachable_layer(&mut self, query: &PathQuery) -> Result<ReachableLayer, Reason> {
        let region = self.kept.terrain.region();
        if region.is_empty() {
            return Err(Reason::EmptyGrid);
        }
        // No layer is made for a start that no layer has.
        if !region.contains(query.start) {
            return Err(Reason::StartOutOfBounds);
        }
        // Pointers of its own, so that the world can be used again while the layer is read.
        let (placements, components) = self.kept.components(&query.profile);
        self.check_end(query, query.start, true, &placements)?;
        let layer = QueryLayer::new(&self.kept.terrain, placements, query.start);
        let component = components
            .component(&layer.placements, layer.start.index(layer.layout))
            .ok_or(Reason::StartClearance)?;
        Ok(ReachableLayer { layer, components, component })
    }

    /// Looks at the goal as far as its mode asks for: there is a placement nearest to any goal, outside the
    /// region, too.
    pub(super) fn check_goal(&self, query: &PathQuery, placements: &BitGrid) -> Result<(), Reason> {
        match query.goal_mode {
            GoalMode::Exact => self.check_end(query, query.goal, false, placements),
            // No body on the map covers a cell outside of it.
            GoalMode::Cover if !self.kept.terrain.region().contains(query.goal) => {
                Err(Reason::GoalOutOfBounds)
            }
            GoalMode::Cover | GoalMode::Nearest => Ok(()),
        }
    }

    /// Checks that the body fits at one end of the query. Where it does not: bounds first, then the anchor,
    /// then the other cells, so that the reason is the plainest one.
    pub(super) fn check_end(
        &self,
        query: &PathQuery,
        cell: Cell,
        is_start: bool,
        placements: &BitGrid,
    ) -> Result<(), Reason> {
        let place = local(self.kept.terrain.region(), cell);
        if place.is_some_and(|(x, y)| placements.at(x, y)) {
            return Ok(());
        }
        // Each reason exists once for the start and once for the goal.
        let pick = |start: Reason, goal: Reason| if is_start { start } else { goal };
        Err(if place.is_none() {
            pick(Reason::StartOutOfBounds, Reason::GoalOutOfBounds)
        } else if self.is_taken(cell, query) {
            pick(Reason::StartSolid, Reason::GoalSolid)
        } else if !query.profile.capability.contains(self.kept.terrain.terrain(cell)) {
            pick(Reason::StartTerrain, Reason::GoalTerrain)
        } else {
            pick(Reason::StartClearance, Reason::GoalClearance)
        })
    }

    /// Returns whether `cell` is solid, if only for the query, or under an obstacle that the body does not
    /// walk through.
    fn is_taken(&self, cell: Cell, query: &PathQuery) -> bool {
        self.kept.terrain.is_solid(cell)
            || self.kept.terrain.is_blocked(cell, &query.profile.ignored_obstacles)
            || query.blocked().contains(&cell)
    }

    /// Returns the points at which the query may end, all of which the start reaches, and whether the body
    /// covers the goal there.
    pub(super) fn goal_points(
        &self,
        query: &PathQuery,
        ground: &ReachableLayer,
    ) -> Result<(GoalPoints, bool), Reason> {
        let footprint = query.profile.footprint;
        match query.goal_mode {
            GoalMode::Exact => {
                let goal = ground.layer.point(query.goal);
                // One comparison of components replaces a search that would exhaust the map.
                if ground.reaches(goal) { Ok((smallvec![goal], true)) } else { Err(Reason::Disconnected) }
            }
            GoalMode::Cover => {
                let points = covering_points(query.goal, footprint, &ground.layer);
                // Goals that cannot be reached would weaken the heuristic, and change which of several equal
                // paths is found.
                let reachable: GoalPoints =
                    points.iter().copied().filter(|&point| ground.reaches(point)).collect();
                if reachable.is_empty() {
                    return Err(self.why_not_covered(query, ground));
                }
                Ok((reachable, true))
            }
            GoalMode::Nearest => {
                let target = covering_anchors(ground.layer.region, query.goal, footprint);
                let reached = ground.components.reached_from(&ground.layer.placements, ground.component);
                let (squared, placements) =
                    nearest_placements(&ground.layer.placements, target, u128::MAX, &reached)
                        .ok_or(Reason::Disconnected)?;
                Ok((
                    placements
                        .into_iter()
                        .map(|index| GridPoint::of_index(index, ground.layer.layout))
                        .collect(),
                    // A distance of 0 means that the body covers the goal.
                    squared == 0,
                ))
            }
        }
    }

    /// Why no placement that can be reached covers the goal.
    pub(super) fn why_not_covered(&self, query: &PathQuery, ground: &ReachableLayer) -> Reason {
        let profile = &query.profile;
        if !self.kept.terrain.region().contains(query.goal) {
            Reason::GoalOutOfBounds
        } else if self.is_taken(query.goal, query) {
            Reason::GoalSolid
        } else if !profile.capability.contains(self.kept.terrain.terrain(query.goal)) {
            Reason::GoalTerrain
        // The checks go from the goal's own cell to the cells around it, as in `check_end`.
        } else if covering_points(query.goal, profile.footprint, &ground.layer).is_empty() {
            Reason::GoalClearance
        } else {
            Reason::Disconnected
        }
    }
}

/// Returns the placements from which a body covers `cell`, in reading order.
fn covering_points(cell: Cell, footprint: Footprint, layer: &QueryLayer) -> Vec<GridPoint> {
    let anchors = footprint.anchors_touching(CellRect::cell(cell)).intersection(layer.region);
    anchors
        .cells()
        .map(|anchor| layer.point(anchor))
        .filter(|point| layer.placements.get(point.index(layer.layout)))
        .collect()
}
