//! Optimal paths: three engines behind one contract.
//!
//! - Jump-point search where every step costs the same ([`search_uniform`]) and where costs differ in patches
//!   ([`search_weighted_jps`]).
//! - A\* ([`search_weighted`]) where costs differ from cell to cell.
//!
//! All take a start, a set of [`Goals`] and a limit on expansions, and answer with a [`SearchResult`]. They
//! work on a [`JumpMap`] of a passability layer in padded columns and rows
//! ([`GridPoint`](crate::primitives::GridPoint)), and keep what they reach in a [`Scratch`] that the caller
//! owns. Of goals at equal cost, all take the first in reading order.
//!
//! One frame (`best_first`) takes nodes from a queue and expands them; node stores (`nodes`) and costs
//! (`cost_policy`) are type parameters. Both kinds of jump-point search share the scans and walks of `jumps`.

mod astar;
mod best_first;
mod cost_policy;
mod estimate;
mod goals;
mod jps;
mod jump_map;
mod jumps;
mod nodes;
mod range;
mod result;
mod scratch;
mod short_cuts;

pub use astar::search_weighted;
pub use estimate::Weights;
pub use goals::Goals;
pub use jps::{search_uniform, search_weighted_jps};
pub(crate) use jump_map::JumpLog;
pub use jump_map::JumpMap;
pub(crate) use range::placements_within;
pub use result::SearchResult;
pub use scratch::Scratch;

#[cfg(test)]
mod tests;
