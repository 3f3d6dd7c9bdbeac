//! Influence maps: values that attract bodies or keep them away, apart from the ground itself.
//!
//! A map has a value for each cell, made by sources: a strength that falls off with distance. Values decay
//! and spread with time, in whole *update ticks*: a tick comes when enough time has passed to change values
//! by a noticeable part. What the map shows are values rounded to a quantum. So slow decay changes what is
//! shown now and then, not in every frame, and fields derived from it stay valid in between.
//!
//! Values are integers in units of 1/65536, as wide as all sources together need; only what is shown is
//! bounded. So a source that is removed leaves nothing behind, and every machine computes the same.

mod area;
mod congestion;
mod kernel;
mod map;
mod sources;
mod tick;
mod values;

pub use congestion::{CONGESTION_TILE, Congestion, CongestionChange};
pub use kernel::{Falloff, INFLUENCE_MAX, SOURCE_RADIUS_MAX, STRENGTH_MAX, SourceShape};
pub use map::InfluenceMap;
pub use sources::SourceId;
pub use tick::InfluenceSettings;
