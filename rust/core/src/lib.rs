#![doc = include_str!("../README.md")]

pub mod bitgrid;
pub mod bytes;
pub mod clearance;
pub mod connectivity;
pub mod cost;
pub mod crowd;
mod derived;
pub mod diagnose;
pub mod field;
pub mod geometry;
pub mod guidance;
pub mod height_field;
mod hierarchy;
pub mod influence;
pub mod instances;
pub mod items;
mod pages;
pub mod parallel;
pub mod passability;
pub mod path;
pub mod primitives;
pub mod raster;
mod search;
pub mod storeys;
pub mod surfaces;
pub mod terrain;
mod union_find;
pub mod walker;
pub mod world;

/// The parts inside the engines that this project's tests and benches call. No part of the crate's API: what
/// is in here changes in any release.
#[doc(hidden)]
pub mod testing {
    pub use crate::derived::Derived;
    pub use crate::field::moves::{MoveBytes, MoveWay};
    pub use crate::hierarchy::*;
    pub use crate::passability::open_cells::anchors_touching;
    pub use crate::passability::placements::Transpose;
    pub use crate::passability::prices::Prices;
    pub use crate::search::*;
    pub use crate::surfaces::Surfaces;
    pub use crate::terrain::journal::{Change, Journal, JournalEntry};
    pub use crate::world::plan::{Plan, SearchJob};
    pub use crate::world::structures::landmarks::Landmarks;
}
