//! What it costs to get from one entrance of a cluster to another.

use super::flood::ClusterFlood;
use super::ground::{BodyGround, Spot, Window};
use super::interior::Interior;
use crate::passability::PruningTable;

/// No way within the cluster.
pub(super) const NO_WAY: u32 = u32::MAX;

/// How much dearer than a way between two entrances of a cluster the way by a third may be that makes it needless, as a
/// shift: 1/32. Of a block: 1/16, which leaves less than half of the edges that no slack would, and ways as cheap but for
/// 1 in 1,000 (bench `hierarchy`, caves).
const FINE_SLACK: u32 = 5;
const COARSE_SLACK: u32 = 4;

/// A way from one entrance of a cluster to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Edge {
    /// The other's place in the list of entrances.
    pub(super) to: u16,
    /// Units.
    pub(super) cost: u32,
}

/// The entrances of a cluster and the cheapest ways between them that do not leave it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Cluster {
    /// Ascending.
    spots: Box<[Spot]>,
    /// The place in `edges` of each entrance's first, and behind the last the number of all.
    first: Box<[u32]>,
    edges: Box<[Edge]>,
}

impl Cluster {
    /// The cluster with the entrances `spots`, ascending, from a search over the cells of `window`.
    pub(super) fn of_cells(
        ground: &BodyGround<'_>,
        window: Window,
        spots: Vec<Spot>,
        flood: &mut ClusterFlood,
    ) -> Self {
        let mut costs = Vec::with_capacity(spots.len() * spots.len());
        let table = PruningTable::of(ground.mode);
        flood.lay_out(ground, window);
        for &from in &spots {
            flood.run(from, table);
            costs.extend(spots.iter().map(|&to| flood.cost(to).unwrap_or(NO_WAY)));
        }
        Self::of_costs(spots, &costs, FINE_SLACK)
    }

    /// The cluster with the entrances `spots`, ascending and all in `interior`, from a search over the clusters in it.
    pub(super) fn of_clusters(interior: &mut Interior, spots: Vec<Spot>) -> Self {
        let mut costs = Vec::with_capacity(spots.len() * spots.len());
        let places: Vec<usize> =
            spots.iter().filter_map(|spot| interior.spots().binary_search(spot).ok()).collect();
        for &from in &spots {
            interior.flood(from);
            costs.extend(places.iter().map(|&to| interior.costs()[to]));
        }
        Self::of_costs(spots, &costs, COARSE_SLACK)
    }

    /// Keeps the ways that are not dominated: those for which no other entrance lies on a way that is as cheap, or dearer
    /// by a part of `1 / 2^slack`.
    ///
    /// What is left out can be put together again from what is kept, since the way on from the other entrance is
    /// cheaper than the whole: a dominated way never rests on itself.
    fn of_costs(spots: Vec<Spot>, costs: &[u32], slack: u32) -> Self {
        let count = spots.len();
        let mut first = Vec::with_capacity(count + 1);
        let mut edges = Vec::new();
        let mut nearest: Vec<u16> = Vec::with_capacity(count);
        for (from, row) in costs.chunks_exact(count.max(1)).enumerate() {
            first.push(edges.len() as u32);
            nearest.clear();
            nearest.extend(
                (0..count as u16).filter(|&to| usize::from(to) != from && row[usize::from(to)] != NO_WAY),
            );
            nearest.sort_unstable_by_key(|&to| (row[usize::from(to)], to));
            let start = edges.len();
            for &to in &nearest {
                let cost = row[usize::from(to)];
                // A way by an entrance that is itself reached by another one goes by that one too.
                let dominated = edges[start..].iter().any(|edge: &Edge| {
                    let onward = costs[usize::from(edge.to) * count + usize::from(to)];
                    onward < cost && edge.cost + onward <= cost + (cost >> slack)
                });
                if !dominated {
                    edges.push(Edge { to, cost });
                }
            }
        }
        first.push(edges.len() as u32);
        Self { spots: spots.into(), first: first.into(), edges: edges.into() }
    }

    /// The entrances, ascending.
    pub(super) fn spots(&self) -> &[Spot] {
        &self.spots
    }

    /// The place of an entrance; `None` when the spot is none.
    #[inline]
    pub(super) fn place(&self, spot: Spot) -> Option<usize> {
        self.spots.binary_search(&spot).ok()
    }

    /// The ways from the entrance at `place`.
    #[inline]
    pub(super) fn edges(&self, place: usize) -> &[Edge] {
        &self.edges[self.first[place] as usize..self.first[place + 1] as usize]
    }

    pub(super) fn edge_count(&self) -> usize {
        self.edges.len()
    }

    pub(super) fn memory(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.spots) + size_of_val(&*self.first) + size_of_val(&*self.edges)
    }
}
