use super::bucket_queue::BucketQueue;

/// A node to expand, with the cost that it was pushed with.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Label {
    /// Cost so far: the entry is out of date if the node was reached at less since.
    pub(crate) g: u32,
    pub(crate) node: u32,
}

/// The queue of a label-correcting search, whose order is coarse.
pub(crate) type Frontier = BucketQueue<Label>;

/// The graph of a label-correcting search, and its labels: nodes by number, each with its cost so far.
pub(crate) trait Labels {
    /// The cost of `node` so far.
    fn cost(&self, node: u32) -> u32;

    /// The least cost of a goal that is known so far; `u32::MAX` without one.
    fn bound(&self) -> u32;

    /// Relaxes the edges from `node`, whose cost is `g`: lowers the label of each node that they reach at
    /// less, and pushes it.
    fn expand(&mut self, node: u32, g: u32, frontier: &mut Frontier);
}

/// Expands nodes from `frontier` until no goal can cost less than the bound, or no node is left. Returns the
/// number of expansions; the same as an error if it reached `expansions_max` and more are due.
///
/// A\* or Dijkstra's algorithm, by the keys that are pushed. The queue is coarse, so a node may be expanded
/// before its cost is final, and again afterwards. If the heuristic never overestimates, all costs are exact
/// when the search ends.
#[inline]
pub(crate) fn search_label_correcting(
    frontier: &mut Frontier,
    labels: &mut impl Labels,
    expansions_max: u32,
) -> Result<u32, u32> {
    let mut expanded = 0;
    while let Some((least, Label { g, node })) = frontier.pop() {
        // No entry that is left has a lower key than `least`, so none leads to a goal of less cost.
        if labels.bound() <= least {
            break;
        }
        // Out of date: the node was reached at less since, and was pushed again with that cost.
        if g != labels.cost(node) {
            continue;
        }
        if expanded >= expansions_max {
            return Err(expanded);
        }
        expanded += 1;
        labels.expand(node, g, frontier);
    }
    Ok(expanded)
}
