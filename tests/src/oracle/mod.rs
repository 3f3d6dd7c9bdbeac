//! Answers found by exhaustion: every cell of the footprint is looked at, every placement is visited.

mod answer;
mod clearance;
mod components;
mod distances;
mod ground;
mod positions;
mod sweep;

pub use answer::{Answer, answer, nearest_fit};
pub use clearance::{brushfire_map, clearance_at};
pub use components::label_components;
pub use distances::Distances;
pub use ground::{Ground, step_units};
pub use positions::{distance_to_segment, fits_at, sampled_corners};
pub use sweep::sweep;
