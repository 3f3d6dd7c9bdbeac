//! What PathForge is held to: oracles that are obviously right, maps and bodies made from seeds, and helpers
//! that say what went wrong, with the map drawn in text.
//!
//! Nothing here shares code with what is under test, beyond reading the cells of a map and the words of the
//! public interface (cells, queries, outcomes). Oracles look at every cell and never at a derived structure.

pub mod bodies;
pub mod check;
pub mod digests;
pub mod draw;
pub mod edits;
pub mod fuzz;
pub mod game;
pub mod gathering;
pub mod hall;
pub mod halls;
pub mod judge;
pub mod jumps;
pub mod maps;
pub mod oracle;
pub mod record;
pub mod rng;
pub mod scenario;
pub mod searches;
pub mod shrink;
pub mod town;
