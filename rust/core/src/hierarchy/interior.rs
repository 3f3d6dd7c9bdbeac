//! The entrances inside a cluster of clusters, as one small graph.

use std::sync::Arc;

use super::cluster::{Cluster, NO_WAY};
use super::ground::Spot;
use super::queue::RoughQueue;

/// The graph that several clusters make together, and the costs of the last search over it.
#[derive(Clone, Debug, Default)]
pub(super) struct Interior {
    /// Every entrance of the clusters, ascending.
    spots: Vec<Spot>,
    first: Vec<u32>,
    edges: Vec<(u32, u32)>,
    costs: Vec<u32>,
    /// Where the cheapest way to each entrance comes from.
    before: Vec<u32>,
    /// An edge's length at most.
    span: u32,
    queue: RoughQueue,
    /// Entrances expanded since this was last set to zero.
    pub(super) expanded: u32,
    places: Vec<u32>,
}

impl Interior {
    /// Puts `clusters` together.
    pub(super) fn assemble(&mut self, clusters: &[Arc<Cluster>]) {
        self.spots.clear();
        self.spots.extend(clusters.iter().flat_map(|cluster| cluster.spots()));
        self.spots.sort_unstable();
        self.spots.dedup();
        self.first.clear();
        self.first.resize(self.spots.len() + 2, 0);
        self.places.clear();
        for cluster in clusters {
            for (n, spot) in cluster.spots().iter().enumerate() {
                let place = self.spots.partition_point(|s| s < spot);
                self.places.push(place as u32);
                self.first[place + 2] += cluster.edges(n).len() as u32;
            }
        }
        for n in 2..self.first.len() {
            self.first[n] += self.first[n - 1];
        }
        let count = clusters.iter().map(|cluster| cluster.edge_count()).sum();
        self.edges.clear();
        self.edges.resize(count, (0, 0));
        self.span = 0;
        let mut base = 0;
        for cluster in clusters {
            let places = &self.places[base..base + cluster.spots().len()];
            base += places.len();
            for (n, &place) in places.iter().enumerate() {
                let next = &mut self.first[place as usize + 1];
                for edge in cluster.edges(n) {
                    self.edges[*next as usize] = (places[usize::from(edge.to)], edge.cost);
                    self.span = self.span.max(edge.cost);
                    *next += 1;
                }
            }
        }
    }

    /// Every entrance, ascending.
    pub(super) fn spots(&self) -> &[Spot] {
        &self.spots
    }

    /// Finds what it costs to get from the entrance `from` to every other.
    pub(super) fn flood(&mut self, from: Spot) {
        self.run(from, None);
    }

    /// Appends the entrances on a cheapest way from `from` to `to`, the first left out; returns whether there is one.
    pub(super) fn find(&mut self, from: Spot, to: Spot, way: &mut Vec<Spot>) -> bool {
        let Ok(goal) = self.spots.binary_search(&to) else { return false };
        self.run(from, Some(goal));
        if self.costs[goal] == NO_WAY {
            return false;
        }
        let start = way.len();
        let mut at = goal;
        while self.spots[at] != from {
            way.push(self.spots[at]);
            at = self.before[at] as usize;
        }
        way[start..].reverse();
        true
    }

    /// What the last flood found for an entrance.
    pub(super) fn cost(&self, spot: Spot) -> Option<u32> {
        let cost = self.costs[self.spots.binary_search(&spot).ok()?];
        (cost != NO_WAY).then_some(cost)
    }

    /// What the last flood found for every entrance, ascending; [`NO_WAY`] where it did not come.
    pub(super) fn costs(&self) -> &[u32] {
        &self.costs
    }

    pub(super) fn memory(&self) -> usize {
        self.spots.capacity() * 4
            + self.first.capacity() * 4
            + self.edges.capacity() * 8
            + (self.costs.capacity() + self.before.capacity() + self.places.capacity()) * 4
            + self.queue.memory()
    }

    fn run(&mut self, from: Spot, goal: Option<usize>) {
        self.costs.clear();
        self.costs.resize(self.spots.len(), NO_WAY);
        self.before.resize(self.spots.len(), 0);
        let Ok(source) = self.spots.binary_search(&from) else { return };
        self.costs[source] = 0;
        self.queue.clear(0, self.span + 1);
        self.queue.push(0, 0, source as u32);
        while let Some((floor, entry)) = self.queue.pop() {
            let node = entry.node as usize;
            if goal.is_some_and(|goal| self.costs[goal] <= floor) {
                break;
            }
            if entry.g != self.costs[node] {
                continue;
            }
            self.expanded += 1;
            for &(to, cost) in &self.edges[self.first[node] as usize..self.first[node + 1] as usize] {
                let g = entry.g + cost;
                if g < self.costs[to as usize] {
                    self.costs[to as usize] = g;
                    self.before[to as usize] = entry.node;
                    self.queue.push(g, g, to);
                }
            }
        }
    }
}
