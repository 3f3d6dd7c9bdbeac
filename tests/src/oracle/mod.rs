//! Answers found the plain way: every cell of the footprint is looked at, every stand is visited.

mod answer;
mod clearance;
mod ground;
mod regions;
mod sweep;
mod ways;

pub use answer::{Answer, answer, nearest_fit};
pub use clearance::{brushfire_map, clearance_at};
pub use ground::Ground;
pub use regions::flood;
pub use sweep::sweep;
pub use ways::Ways;
