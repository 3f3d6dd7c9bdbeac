//! The transitions inside a block of clusters as one small graph, and shortest paths in it.

use std::sync::Arc;

use super::cluster::{Cluster, UNREACHED};
use crate::primitives::{Frontier, GridPoint, Label, Labels, search_label_correcting};

/// The graph that several clusters make together, and the labels of the last search over it.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockGraph {
    /// Every transition of the clusters, ascending.
    transitions: Vec<GridPoint>,
    /// The place in `edges` of each transition's first edge; after the last one, the number of all edges.
    first: Vec<u32>,
    /// The other end's place, and the cost.
    edges: Vec<(u32, u32)>,
    /// By transition: its cost in the last search, [`UNREACHED`] without a path.
    costs: Vec<u32>,
    /// By transition: the place of the one before it on the best path.
    parents: Vec<u32>,
    /// The maximum cost of an edge.
    span: u32,
    frontier: Frontier,
    /// Transitions expanded since this was last set to zero.
    pub(super) expanded: u32,
    /// For each cluster's transitions, one after the other: the place in `transitions`.
    places: Vec<u32>,
}

impl BlockGraph {
    /// Puts `clusters` together: a counting sort of their edges by transition.
    pub(super) fn assemble(&mut self, clusters: &[Arc<Cluster>]) {
        self.transitions.clear();
        self.transitions.extend(clusters.iter().flat_map(|cluster| cluster.transitions()));
        self.transitions.sort_unstable_by_key(|point| point.packed());
        // Neighbours share the transitions on the line between them.
        self.transitions.dedup();
        // Transition p is counted at p + 2, so the sums below put the start of its edges at p + 1. Filling
        // the edges in moves that on to their end, which is the start of p + 1; so in the end `first[p]` is
        // the start of p.
        self.first.clear();
        self.first.resize(self.transitions.len() + 2, 0);
        self.places.clear();
        for cluster in clusters {
            for (n, point) in cluster.transitions().iter().enumerate() {
                let place = self.transitions.partition_point(|other| other < point);
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
            let places = &self.places[base..base + cluster.transitions().len()];
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

    /// Every transition, ascending.
    pub(super) fn transitions(&self) -> &[GridPoint] {
        &self.transitions
    }

    /// Finds the cost from the transition `from` to every other.
    pub(super) fn search_all(&mut self, from: GridPoint) {
        self.run(from, None);
    }

    /// Appends the transitions on a path of minimum cost from `from` to `to`, the first left out; returns its
    /// cost, if there is such a path.
    pub(super) fn find(&mut self, from: GridPoint, to: GridPoint, path: &mut Vec<GridPoint>) -> Option<u32> {
        let goal = self.transitions.binary_search(&to).ok()?;
        self.run(from, Some(goal));
        let cost = self.costs[goal];
        if cost == UNREACHED {
            return None;
        }
        let start = path.len();
        let mut at = goal;
        while self.transitions[at] != from {
            path.push(self.transitions[at]);
            at = self.parents[at] as usize;
        }
        path[start..].reverse();
        Some(cost)
    }

    /// The costs that the last search found, in the order of transitions; [`UNREACHED`] where it found no
    /// path.
    pub(super) fn costs(&self) -> &[u32] {
        &self.costs
    }

    fn run(&mut self, from: GridPoint, goal: Option<usize>) {
        self.costs.clear();
        self.costs.resize(self.transitions.len(), UNREACHED);
        // Parents need no reset: one is read where a cost is known, and written with it.
        self.parents.resize(self.transitions.len(), 0);
        let Ok(source) = self.transitions.binary_search(&from) else { return };
        self.costs[source] = 0;
        // No edge raises a key by more than this span.
        self.frontier.clear_coarse(0, self.span + 1);
        self.frontier.push(0, Label { g: 0, node: source as u32 });
        let Self { first, edges, costs, parents, .. } = self;
        let mut labels = BlockLabels { first, edges, costs, parents, goal };
        let (Ok(expanded) | Err(expanded)) =
            search_label_correcting(&mut self.frontier, &mut labels, u32::MAX);
        self.expanded += expanded;
    }
}

/// The labels of the transitions during a search.
struct BlockLabels<'a> {
    first: &'a [u32],
    edges: &'a [(u32, u32)],
    costs: &'a mut [u32],
    parents: &'a mut [u32],
    goal: Option<usize>,
}

impl Labels for BlockLabels<'_> {
    #[inline]
    fn cost(&self, node: u32) -> u32 {
        self.costs[node as usize]
    }

    #[inline]
    fn bound(&self) -> u32 {
        self.goal.map_or(UNREACHED, |goal| self.costs[goal])
    }

    #[inline]
    fn expand(&mut self, node: u32, g: u32, frontier: &mut Frontier) {
        let edges = self.first[node as usize] as usize..self.first[node as usize + 1] as usize;
        for &(to, cost) in &self.edges[edges] {
            let g = g + cost;
            if g < self.costs[to as usize] {
                self.costs[to as usize] = g;
                self.parents[to as usize] = node;
                // Without a heuristic: a search from rim to rim reaches most of so small a graph.
                frontier.push(g, Label { g, node: to });
            }
        }
    }
}
