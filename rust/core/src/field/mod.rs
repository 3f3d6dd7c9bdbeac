//! Integration and flow fields: the cost from every valid placement of a layer to the nearest of several
//! goals, and the direction of the next step.
//!
//! An [`IntegrationField`] holds the costs, which equal those of shortest paths. A [`FlowField`] adds a
//! direction for each placement, lines of sight to the goals, and smooth sampling between cells. A
//! [`FieldBuilder`] builds them, at once or in steps, and repairs them after edits. Invariant: *a repaired
//! field equals a rebuilt one*. A field keeps no reference to the layer that it was built from, so it stays
//! usable while its successor is built.
//!
//! Alternatives that were measured and left out: `docs/decisions/flow_fields.md`.

#![allow(
    clippy::needless_bitwise_bool,
    reason = "a mispredicted branch costs more than evaluating both conditions"
)]

mod bucket_lists;
mod bucketed_dijkstra;
mod build;
mod canonical_dijkstra;
mod cost_grid;
mod directions;
mod distances;
mod expansion_ground;
mod flow;
mod ground;
mod integration;
pub(crate) mod moves;
mod reached;
mod repair;
mod sample;
mod shadow_casting;

pub use build::FieldBuilder;
pub(crate) use distances::Distances;
pub use flow::FlowField;
pub use ground::FieldGround;
pub use integration::IntegrationField;
pub(crate) use moves::{MoveBytes, MoveWay};
pub(crate) use reached::Reached;
pub use repair::FieldChange;
