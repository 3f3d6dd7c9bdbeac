//! Queries that are answered over the clusters of a [`Hierarchy`].

use std::sync::Arc;

use smallvec::SmallVec;

use super::World;
use super::query::Profile;
use crate::bitgrid::BitGrid;
use crate::geometry::DiagonalMode;
use crate::hierarchy::{BodyGround, Hierarchy};
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
    /// Returns the clusters for the body of `profile`, which fits at `placements`; some of them may not be
    /// made.
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

impl HierarchicalJob {
    /// Finds and refines the path.
    pub(super) fn run(&self, expansions_max: u32) -> SearchResult {
        let (hierarchy, ground) = (&self.clusters.hierarchy, self.clusters.ground());
        // Lent by the hierarchy's pool, so that threads that search at the same time share no scratch memory.
        hierarchy.with_scratch(|scratch| {
            let found = hierarchy.find(&ground, self.start, &self.goals, expansions_max, scratch);
            let mut refiner = match found {
                Ok(refiner) => refiner,
                Err((end, expanded)) => return SearchResult::without_path(end, expanded, expanded),
            };
            // Pieces begin with the neighbour of their first cell, so the start is put in front.
            let mut points = vec![self.start];
            loop {
                let more = refiner.next_piece(hierarchy, &ground, scratch, &mut points);
                let expanded = refiner.expanded();
                match more {
                    Ok(true) => {}
                    Ok(false) => {
                        // What is expanded was generated; more is not counted.
                        return SearchResult {
                            end: SearchEnd::Found,
                            cost: refiner.cost(),
                            expanded,
                            generated: expanded,
                            waypoints: turning_points(&points),
                        };
                    }
                    Err(end) => return SearchResult::without_path(end, expanded, expanded),
                }
            }
        })
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
