use crate::primitives::GridPoint;

/// The cost from one transition to another without a path inside the cluster or block.
pub(super) const UNREACHED: u32 = u32::MAX;

/// An edge from one transition of a cluster to another, along a path that does not leave the cluster.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct IntraEdge {
    /// The other's place in the list of transitions.
    pub(super) to: u16,
    /// Units.
    pub(super) cost: u32,
}

/// The transitions on the rim of a cluster, or of a block of clusters, and the edges between them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
// Places fit 16 bits: a block's rim has four sides of 129 cells.
pub(super) struct Cluster {
    /// Ascending.
    transitions: Box<[GridPoint]>,
    /// The place in `edges` of each transition's first edge; after the last one, the number of all edges.
    first: Box<[u32]>,
    edges: Box<[IntraEdge]>,
}

impl Cluster {
    /// The cluster of `transitions`, ascending, with the costs from each to each, row by row, [`UNREACHED`]
    /// where there is no path. Keeps the edges that are not dominated: an edge is dominated if a path by a
    /// third transition costs at most 1/2^`slack` more.
    ///
    /// O(n² · d) for n transitions of d kept edges each. Every dominated edge can be put together from kept
    /// edges: the path on from the third transition costs less than the whole, so a dominated edge never
    /// rests on itself.
    pub(super) fn new(transitions: Vec<GridPoint>, costs: &[u32], slack: u32) -> Self {
        let count = transitions.len();
        let mut first = Vec::with_capacity(count + 1);
        let mut edges = Vec::new();
        // A cost and the transition that it leads to, in one number: those are sorted faster than transitions
        // by cost, and by a sort that the library has anyway.
        let mut nearest: Vec<u64> = Vec::with_capacity(count);
        // Without a transition there are no costs, and chunks of no length are not allowed.
        for (from, row) in costs.chunks_exact(count.max(1)).enumerate() {
            first.push(edges.len() as u32);
            nearest.clear();
            let others = (0..count as u16)
                .zip(row)
                .filter(|&(to, &cost)| usize::from(to) != from && cost != UNREACHED);
            nearest.extend(others.map(|(to, &cost)| u64::from(cost) << 16 | u64::from(to)));
            // By cost, so that whatever may replace an edge is decided before it.
            nearest.sort_unstable();
            let start = edges.len();
            for &number in &nearest {
                let (cost, to) = ((number >> 16) as u32, number as u16);
                // Only kept edges are tried: a path by a transition that is itself reached by another one
                // goes by that one, too.
                let is_dominated = edges[start..].iter().any(|edge: &IntraEdge| {
                    // The path on must cost less than the whole: by the slack, two edges could each be left
                    // out for the other.
                    let onward = costs[usize::from(edge.to) * count + usize::from(to)];
                    onward < cost && edge.cost + onward <= cost + (cost >> slack)
                });
                if !is_dominated {
                    edges.push(IntraEdge { to, cost });
                }
            }
        }
        first.push(edges.len() as u32);
        Self { transitions: transitions.into(), first: first.into(), edges: edges.into() }
    }

    /// The transitions, ascending.
    pub(super) fn transitions(&self) -> &[GridPoint] {
        &self.transitions
    }

    /// The place of a transition; `None` if the point is none.
    #[inline]
    pub(super) fn place(&self, point: GridPoint) -> Option<usize> {
        self.transitions.binary_search(&point).ok()
    }

    /// The edges from the transition at `place`.
    #[inline]
    pub(super) fn edges(&self, place: usize) -> &[IntraEdge] {
        &self.edges[self.first[place] as usize..self.first[place + 1] as usize]
    }

    pub(super) fn edge_count(&self) -> usize {
        self.edges.len()
    }

    pub(super) fn memory(&self) -> usize {
        size_of::<Self>()
            + size_of_val(&*self.transitions)
            + size_of_val(&*self.first)
            + size_of_val(&*self.edges)
    }
}
