//! HAA\* (hierarchical annotated A\*): near-optimal paths on huge maps, found over an abstract graph and
//! refined piece by piece.
//!
//! Sources:
//!
//! - Harabor & Botea, *Hierarchical Path Planning for Multi-Size Agents in Heterogeneous Environments*, CIG
//!   2008: clusters, dominated edges, insertion, refinement.
//! - Botea, Müller & Schaeffer, *Near Optimal Hierarchical Path-Finding*, 2004: entrances and transitions.
//! - Delling, Goldberg, Pajor & Werneck, *Customizable Route Planning*, 2011: levels that are exact over the
//!   level below, so that a search may take any of them.
//!
//! Steps:
//!
//! 1. [`partition`]: lines through every 32nd column and row divide the map into clusters; two clusters share
//!    the cells of the line between them. [`transitions`]: runs of placements on a side are entrances, each
//!    with one or a few transitions.
//! 2. [`builder`]: each cluster has edges for the cost from each transition to each other one inside it, as
//!    far as no third one replaces them. Each block of 4×4 clusters has the same for the transitions on its
//!    rim.
//! 3. [`abstract_search`]: start and goals are connected with their clusters' transitions; blocks are
//!    searched, and clusters in the blocks of the ends.
//! 4. [`path_refiner`]: edges become cells from the start on.
//!
//! The source annotates one graph with the clearances and capabilities of each edge. Here a [`Hierarchy`] is
//! made for one layer and its costs, cluster by cluster when a search first needs it. So edges are exact for
//! every rectangle, capability and set of terrain costs, and nothing is made for bodies and places that no
//! query is about.

mod abstract_search;
mod abstract_states;
mod block_graph;
mod builder;
mod cluster;
mod cluster_cache;
mod cluster_dijkstra;
mod graph;
mod ground;
mod partition;
mod path_refiner;
mod stale_blocks;
mod transitions;
mod window_search;

pub use graph::{Hierarchy, HierarchyScratch};
pub use ground::BodyGround;
pub use path_refiner::PathRefiner;

#[cfg(test)]
mod tests;
