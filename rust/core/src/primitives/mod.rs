//! What the searches over a grid of placements share: one definition of each part, below all engines.
//!
//! - `GridPoint` and `GridBounds`: places in the padded grid of a passability layer.
//! - `octile` and `Heuristic`: the octile distance, and the admissible, consistent lower bound of every
//!   A\*.
//! - `PruningTable`, `SUCCESSORS`, `offsets`: which steps are legal, and which of them are worth
//!   trying.
//! - `BucketQueue`: a monotone priority queue on integer keys, in exact or coarse order.
//! - `search_label_correcting`: the loop of every search over a coarse queue.
//! - `expand_within`: Dijkstra's algorithm over a small area, for ranges and influence.
//! - `NodeTable` and `VisitedCells`: what a search knows of the cells that it has reached.
//! - `ScratchPool`: the memory of finished searches, which later ones reuse. `SearchEnd`: how a search
//!   ends.

mod bucket_chains;
mod bucket_queue;
mod expansion;
mod grid_point;
mod label_correcting;
mod landmark;
mod nodes;
mod occupancy;
mod octile;
mod pruning;
mod scratch_pool;

pub use bucket_queue::{BucketQueue, WINDOW};
pub(crate) use expansion::expand_within;
pub use grid_point::GridPoint;
pub(crate) use grid_point::{GridBounds, offsets};
pub(crate) use label_correcting::{Frontier, Label, Labels, search_label_correcting};
pub use landmark::{LandmarkCosts, Way};
pub(crate) use nodes::{NO_NODE, NodeTable, SearchNode, Visited, VisitedCells};
pub(crate) use occupancy::{FixedOccupancyIndex, OccupancyIndex};
pub use octile::octile;
pub(crate) use octile::{Estimate, Heuristic};
pub(crate) use pruning::{PruningTable, SUCCESSORS};
pub(crate) use scratch_pool::ScratchPool;

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchEnd {
    /// A goal was reached at minimum cost; over a hierarchy, at a cost near the minimum.
    Found,
    /// Every placement that can be reached was expanded, and no goal is among them.
    Exhausted,
    /// The search met its limit on expansions, or the goal costs more than
    /// [`Cost::MAX`](crate::cost::Cost::MAX).
    Limit,
}

#[cfg(test)]
mod tests;
