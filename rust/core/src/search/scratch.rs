use crate::primitives::{BucketQueue, NodeTable, Visited};

/// Keys of the frontier that have a bucket at a time where costs differ. Keys lie further apart than where
/// every step has the unit cost, so the window is four times as wide. Bench `patches`: 0.95 of the time; with
/// four times as much it is slower again.
pub(super) const COST_WINDOW: u32 = 16_384;

/// The memory of a search, to be used again by the next one: after a few searches none allocates.
#[derive(Clone, Debug, Default)]
// Two kinds. Jump-point search on uniform cost reaches few cells, far apart, and keeps them by hash. Searches
// where costs differ, and ranges, reach most cells along their path. They keep a word for each cell of the
// map, which the first of them allocates.
pub struct Scratch {
    pub(super) jump_nodes: NodeTable,
    pub(super) jump_frontier: BucketQueue,
    pub(super) visited: Visited,
    pub(super) frontier: BucketQueue,
}
