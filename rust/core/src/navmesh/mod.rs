//! Navigation polygons: where the centre of an agent may be, as outlines and convex polygons.
//!
//! The steps, a file each: polygons are made regular and *collected*; *merged* into one free area, floor without
//! colliders, *rects* joined beforehand; *shrunk* by the agent's shape; *tidied*; *triangulated*; joined to *convex*
//! polygons. Shrinking what is left of the floor is the same as taking grown colliders from the shrunk floor, so
//! colliders are never grown on their own, unless the *stages* are asked for, which show every step of exodrifter's
//! *custom navmesh baking in Godot 4* (2023). Maps baked *chunk* by chunk agree corner for corner along *seams*. A map
//! of cells alone takes a shorter way, the *grid*, through slabs of rows.

mod bake;
mod chunk;
mod collect;
mod convex;
mod error;
mod grid;
mod grid_outlines;
mod kernel;
mod merge;
mod mesh;
mod rects;
mod seam;
mod settings;
mod shrink;
mod stages;
mod tidy;
mod triangulate;
mod units;

pub use bake::bake;
pub use chunk::{ChunkGrid, ChunkIndex, bake_grid_chunk, bake_rect};
pub use collect::PolygonSet;
pub use error::{EmptyReason, NavMeshError};
pub use grid::bake_cells;
pub use mesh::{NavMesh, Outline};
pub use settings::{BakeSettings, Corner};
pub use stages::{BakeStage, bake_stage};
pub use units::{COORDINATE_MAX_PX, PixelRect};

use i_overlay::core::overlay::ShapeType;

/// What is worked on in an overlay, as against what it is cut by.
const SUBJECT: ShapeType = ShapeType::Subject;
