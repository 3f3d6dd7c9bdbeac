//! HAA*: a map as clusters, the entrances between them and what ways between entrances cost; searched instead of cells,
//! then refined piece by piece.
//!
//! Sources: Harabor & Botea, *Hierarchical Path Planning for Multi-Size Agents in Heterogeneous Environments*, CIG 2008
//! (clusters, entrances, dominated edges, insertion, refinement); Botea, Müller & Schaeffer, *Near Optimal Hierarchical
//! Path-Finding*, 2004; Delling, Goldberg, Pajor & Werneck, *Customizable Route Planning*, 2011 (levels that are exact
//! over the one below, so that a search may take any of them).
//!
//! 1. Lines through every 32nd column and row part the map into clusters; two clusters share the cells of the line between
//!    them. A run of stands on a side is an entrance, of which a few stands are kept: see [`entrance`].
//! 2. Each cluster knows what it costs to get from each entrance to each other one inside it, as far as no third entrance
//!    is on the way. Each block of 4×4 clusters knows the same of the entrances on its rim.
//! 3. A query floods the cluster of its start and those of its goals, searches blocks, and clusters in the blocks of the
//!    ends, and has a way from entrance to entrance.
//! 4. The way is refined from its start on: each piece is the first half of a cheapest way over the cells of the next few
//!    clusters, so bends that entrances caused are smoothed before anybody walks them.
//!
//! Where the source annotates one graph with the clearances and capabilities that each edge is good for, a [`Hierarchy`] is
//! made for one layer and its costs, cluster by cluster when a search first comes by. So entrances and costs are exact for
//! every rectangle, capability and set of terrain costs, and nothing is made for bodies and places that nobody asks about.

mod cluster;
mod entrance;
mod flood;
mod graph;
mod ground;
mod interior;
mod journey;
mod local;
mod outdated;
mod queue;
mod search;
mod shelf;

pub use graph::{Hierarchy, HierarchyScratch};
pub use ground::BodyGround;
pub use journey::{Journey, JourneyEnd};

#[cfg(test)]
mod tests;
