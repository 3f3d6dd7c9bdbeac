//! Grid pathfinding for bodies of every size: the algorithms of PathForge, without Godot, I/O, clocks or globals.

mod bitgrid;
mod clearance;
mod connectivity;
mod cost;
mod crowd;
mod diagnose;
mod error;
mod field;
mod geometry;
mod influence;
mod navmesh;
mod passability;
mod path;
mod platformer;
mod raster;
mod search;
mod terrain;
mod world;

pub use bitgrid::*;
pub use clearance::*;
pub use connectivity::*;
pub use cost::*;
pub use crowd::*;
pub use diagnose::*;
pub use error::*;
pub use field::*;
pub use geometry::*;
pub use influence::*;
pub use navmesh::*;
pub use passability::*;
pub use path::*;
pub use platformer::*;
pub use raster::*;
pub use search::*;
pub use terrain::*;
pub use world::*;
