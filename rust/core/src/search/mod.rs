//! Optimal paths: three engines behind one contract. Jump-point search where every step costs the same ([`search_uniform`])
//! and where costs differ in patches ([`search_weighted_jps`]), A\* ([`search_weighted`]) where they differ from cell to cell.
//!
//! All take a start, a set of [`Goals`] and a limit on expansions, work on a [`JumpMap`] or, with stop bits where costs begin to
//! differ, on a [`CostJumpMap`] of a passability layer in padded
//! columns and rows ([`GridPoint`](crate::primitives::GridPoint)), keep what they reach in a [`Scratch`] that the caller
//! owns, and answer with a [`SearchResult`]. Of goals at equal cost, all take the first in reading order.

mod astar;
mod cost_jump_map;
mod goals;
mod jps;
mod jump_map;
mod range;
mod result;
mod scratch;
mod weighted_jps;

pub use astar::search_weighted;
pub use cost_jump_map::CostJumpMap;
pub use goals::Goals;
pub use jps::search_uniform;
pub(crate) use jump_map::JumpLog;
pub use jump_map::JumpMap;
pub use range::placements_within;
pub use result::SearchResult;
pub use scratch::Scratch;
pub use weighted_jps::search_weighted_jps;

#[cfg(test)]
mod tests;
