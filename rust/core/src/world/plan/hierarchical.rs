//! Queries that are answered over the clusters of a [`Hierarchy`](crate::hierarchy::Hierarchy).

use smallvec::SmallVec;

use crate::primitives::{GridPoint, SearchEnd};
use crate::search::SearchResult;
use crate::world::structures::Clusters;

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
                            link_ends: Vec::new(),
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
