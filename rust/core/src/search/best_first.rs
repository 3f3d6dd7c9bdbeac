//! The frame of all searches over cells: A\*, which takes the node of least key and expands it, until the
//! best goal is known.
//!
//! Hart, Nilsson & Raphael, *A Formal Basis for the Heuristic Determination of Minimum Cost Paths*, 1968. The
//! heuristic is consistent, so keys never decrease from one expansion to the next, and a node's first
//! expansion has its least cost. An engine says what an expansion reaches ([`Expand`]); node store and
//! estimate are type parameters.

use super::cost_policy::NO_ARRIVAL;
use super::goals::Goals;
use super::nodes::{Node, Nodes};
use super::result::SearchResult;
use crate::bitgrid::GridLayout;
use crate::cost::Cost;
use crate::primitives::{BucketQueue, Estimate, GridPoint, SearchEnd};

/// A search under way.
pub(super) struct BestFirst<'a, N, H> {
    pub(super) layout: GridLayout,
    pub(super) goals: &'a Goals,
    pub(super) heuristic: H,
    pub(super) nodes: N,
    frontier: &'a mut BucketQueue,
    /// The minimum cost of a goal reached so far; [`Cost::MAX`] before. A node that cannot lead to a goal
    /// below it is not kept.
    bound: u32,
    /// If `true`, some node was left out because its key is [`Cost::MAX`] or more.
    overflowed: bool,
    pub(super) expanded: u32,
    generated: u32,
}

/// What a search does with a node.
pub(super) trait Expand<N: Nodes, H> {
    /// Reaches what `node`, which is no goal, leads to.
    fn expand(&self, search: &mut BestFirst<'_, N, H>, node: Node<N::Origin>);
}

impl<'a, N: Nodes, H: Estimate> BestFirst<'a, N, H> {
    /// `frontier` and `nodes` must be empty.
    pub(super) fn new(
        layout: GridLayout,
        goals: &'a Goals,
        heuristic: H,
        nodes: N,
        frontier: &'a mut BucketQueue,
    ) -> Self {
        let bound = Cost::MAX.units();
        Self {
            layout,
            goals,
            heuristic,
            nodes,
            frontier,
            bound,
            overflowed: false,
            expanded: 0,
            generated: 0,
        }
    }

    /// Searches from `start`. Stops after `expansions_max` expansions.
    pub(super) fn run(
        mut self,
        start: GridPoint,
        engine: &impl Expand<N, H>,
        expansions_max: u32,
    ) -> SearchResult {
        self.nodes.improve(start.index(self.layout).get(), 0, NO_ARRIVAL);
        self.push::<false>(start, 0, NO_ARRIVAL, N::NO_ORIGIN);
        let (best, end) = self.expand_all(engine, expansions_max);
        let Self { expanded, generated, .. } = self;
        match best {
            // An engine may expand beyond the limit between two nodes. Then even a known goal does not count:
            // of several at its cost, it may not be the first in reading order.
            Some(_) | None if expanded > expansions_max => {
                SearchResult::without_path(SearchEnd::Limit, expansions_max, generated)
            }
            Some(goal) => {
                let (waypoints, link_ends) = self.nodes.trace(goal, self.layout);
                SearchResult { end, cost: goal.g, expanded, generated, waypoints, link_ends }
            }
            None => SearchResult::without_path(end, expanded, generated),
        }
    }

    /// Takes nodes from the frontier until the best goal is known; returns its node.
    fn expand_all(
        &mut self,
        engine: &impl Expand<N, H>,
        expansions_max: u32,
    ) -> (Option<Node<N::Origin>>, SearchEnd) {
        let mut best: Option<Node<N::Origin>> = None;
        while let Some((f, entry)) = self.frontier.pop() {
            // With several goals the search goes on through keys that equal the cost, since one of these
            // goals may come first.
            if best.is_some_and(|goal| f > goal.g) {
                break;
            }
            let Some(node) = self.nodes.take(f, entry, &self.heuristic, self.layout) else { continue };
            let point = node.point;
            if self.goals.contain(point.x(), point.y(), node.index.get()) {
                if best.is_none_or(|goal| point < goal.point) {
                    best = Some(node);
                }
                if !self.goals.are_many() {
                    break;
                }
                // Another goal may cost the same and come first in reading order.
                continue;
            }
            // Checked when a further expansion is due, so that a goal is found with exactly as many as it
            // takes.
            if self.expanded >= expansions_max {
                return (None, SearchEnd::Limit);
            }
            self.expanded += 1;
            engine.expand(self, node);
        }
        // With a node left out, the search cannot tell whether there is a path beyond the largest cost.
        match (best, self.overflowed) {
            (Some(_), _) => (best, SearchEnd::Found),
            (None, true) => (None, SearchEnd::Limit),
            (None, false) => (None, SearchEnd::Exhausted),
        }
    }

    /// Adds a node to the frontier, unless it was reached at no greater cost before or cannot lead to a goal
    /// of less cost. Where `BOUNDS`, a goal that is reached bounds what is kept from now on.
    #[inline]
    pub(super) fn push<const BOUNDS: bool>(
        &mut self,
        point: GridPoint,
        g: u32,
        arrival: u8,
        origin: N::Origin,
    ) {
        let (x, y) = (point.x(), point.y());
        let h = self.heuristic.estimate(x, y);
        // A jump can raise a cost far beyond the maximum, at which the sum would wrap.
        let f = g.saturating_add(h);
        // Of goals at equal cost, the first in reading order wins, so with several goals an equal key is
        // kept, too.
        if f >= self.bound && (f > self.bound || !self.goals.are_many() || f == Cost::MAX.units()) {
            self.overflowed |= f >= Cost::MAX.units();
            return;
        }
        let Some(entry) = self.nodes.enter(point, g, arrival, origin) else { return };
        // The estimate is 0 inside the bounds of the goals only, so most nodes are done with one comparison.
        if BOUNDS && h == 0 && self.goals.contain(x, y, point.index(self.layout).get()) {
            // `f` is `g` here and passed the test above, so the bound never rises.
            self.bound = g;
        }
        self.generated += 1;
        // Last, so that nothing is to be kept across the call (`count_queries jumps`: 2 % of all
        // instructions).
        self.frontier.push(f, entry);
    }
}
