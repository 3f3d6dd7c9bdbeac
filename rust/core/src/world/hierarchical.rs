//! Queries that are answered over the clusters of a [`Hierarchy`], at once or in two parts.

use std::sync::Arc;

use smallvec::SmallVec;

use super::World;
use super::query::Profile;
use crate::bitgrid::BitGrid;
use crate::geometry::DiagonalMode;
use crate::hierarchy::{BodyGround, Hierarchy, PathRefiner};
use crate::passability::PlacementCosts;
use crate::primitives::{GridPoint, SearchEnd};
use crate::search::SearchResult;

/// The clusters of a kind of body, and what they are made from.
#[derive(Clone, Debug)]
pub(super) struct Clusters {
    pub(super) hierarchy: Arc<Hierarchy>,
    placements: Arc<BitGrid>,
    pub(super) costs: Option<Arc<PlacementCosts>>,
    mode: DiagonalMode,
}

impl Clusters {
    pub(super) fn ground(&self) -> BodyGround<'_> {
        BodyGround::new(&self.placements, self.costs.as_deref(), self.mode)
    }
}

impl World {
    /// Returns the clusters for the body of `profile`, which fits at `placements`; some of them may not be made.
    pub(super) fn clusters(&mut self, profile: &Profile, placements: Arc<BitGrid>) -> Clusters {
        let costs = self.varying_costs(profile);
        let layer = self.layers.layer(&self.terrain, &profile.layer_key());
        let hierarchy = layer.clusters((&self.terrain, &self.influences), profile, costs.is_some());
        Clusters { hierarchy: Arc::clone(hierarchy), placements, costs, mode: profile.diagonal_mode }
    }
}

/// Everything that a search over clusters reads.
#[derive(Clone, Debug)]
pub(super) struct HierarchicalJob {
    pub(super) clusters: Clusters,
    pub(super) start: GridPoint,
    pub(super) goals: SmallVec<[GridPoint; 1]>,
}

/// A path of which the first cells are found, and the refiner for the rest.
#[derive(Debug)]
pub(super) struct PathPrefix {
    refiner: PathRefiner,
    points: Vec<GridPoint>,
    is_whole: bool,
}

impl HierarchicalJob {
    /// Finds and refines the whole path.
    pub(super) fn run(&self, expansions_max: u32) -> SearchResult {
        match self.start(expansions_max) {
            Ok(prefix) => self.resume(prefix),
            Err(failed) => failed,
        }
    }

    /// Finds a path and refines its first piece.
    pub(super) fn start(&self, expansions_max: u32) -> Result<PathPrefix, SearchResult> {
        let hierarchy = &self.clusters.hierarchy;
        // Lent by the hierarchy's pool, so that threads that search at the same time share no scratch memory.
        let found = hierarchy.with_scratch(|scratch| {
            hierarchy.find(&self.clusters.ground(), self.start, &self.goals, expansions_max, scratch)
        });
        let refiner = found.map_err(|(end, expanded)| SearchResult::without_path(end, expanded, expanded))?;
        // Pieces begin with the neighbour of their first cell, so the start is put in front.
        let mut prefix = PathPrefix { refiner, points: vec![self.start], is_whole: false };
        self.refine_piece(&mut prefix)?;
        Ok(prefix)
    }

    /// Refines the rest of the path.
    pub(super) fn resume(&self, mut prefix: PathPrefix) -> SearchResult {
        while !prefix.is_whole {
            if let Err(failed) = self.refine_piece(&mut prefix) {
                return failed;
            }
        }
        prefix.so_far()
    }

    fn refine_piece(&self, prefix: &mut PathPrefix) -> Result<(), SearchResult> {
        let (hierarchy, PathPrefix { refiner, points, .. }) = (&self.clusters.hierarchy, &mut *prefix);
        let more = hierarchy
            .with_scratch(|scratch| refiner.next_piece(hierarchy, &self.clusters.ground(), scratch, points));
        let expanded = refiner.expanded();
        prefix.is_whole = !more.map_err(|end| SearchResult::without_path(end, expanded, expanded))?;
        Ok(())
    }
}

impl PathPrefix {
    /// Returns whether the prefix is the whole path.
    pub(super) const fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Returns the prefix as a path that ends where it ends.
    pub(super) fn so_far(&self) -> SearchResult {
        let expanded = self.refiner.expanded();
        let waypoints = turning_points(&self.points);
        // What is expanded was generated; more is not counted.
        SearchResult {
            end: SearchEnd::Found,
            cost: self.refiner.cost(),
            expanded,
            generated: expanded,
            waypoints,
        }
    }
}

/// Returns the points of a path over cells at which it turns, and both ends.
pub(super) fn turning_points(points: &[GridPoint]) -> Vec<GridPoint> {
    // Wrapping differences, equal for equal steps.
    let step = |a: GridPoint, b: GridPoint| b.packed().wrapping_sub(a.packed());
    let mut turns = Vec::new();
    for (n, &point) in points.iter().enumerate() {
        let goes_on =
            n > 0 && n + 1 < points.len() && step(points[n - 1], point) == step(point, points[n + 1]);
        if !goes_on {
            turns.push(point);
        }
    }
    turns
}
