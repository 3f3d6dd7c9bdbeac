//! Navigation polygons: where the centre of an agent may be, as outlines and convex polygons.
//!
//! Made from floor polygons, collider polygons and an agent's shape, in integers of 1/64 pixel, so that every
//! machine bakes the same. The steps, a file each:
//!
//! 1. `collect` makes polygons regular.
//! 2. `merge` takes the floor without the colliders, with `rects` joined beforehand.
//! 3. `offset` erodes that by the agent's shape.
//! 4. `reduce` leaves out corners, if a tolerance is given.
//! 5. `simplify`, `triangulate`, and `convex`, which joins triangles.
//!
//! O(n log n) for n corners and crossings. `tile` bakes a part of a map; tiles agree corner for corner along
//! `tile_border`s. `cells` is a shorter path for maps of cells alone. After exodrifter's *custom navmesh
//! baking in Godot 4* (2023).

mod agent_shape;
mod bake;
mod cells;
mod collect;
mod convex;
mod coverage;
mod error;
mod merge;
mod mesh;
mod offset;
mod rects;
mod reduce;
mod settings;
mod simplify;
mod slab_outlines;
mod tile;
mod tile_border;
mod tile_polygons;
mod triangulate;
mod units;

pub use bake::bake;
pub use cells::bake_cells;
pub use collect::PolygonSet;
pub use coverage::{Coverage, covered_cells};
pub use error::{COORDINATE_MAX_PX, EmptyReason, NavMeshError, TOLERANCE_MAX_PX};
pub use mesh::{NavMesh, Outline};
pub use settings::{BakeSettings, Corner};
pub use tile::{TileGrid, TileIndex, bake_rect, bake_tile};
pub use tile_polygons::{BakeSets, TileCenters, TilePolygons, TileShapes};
pub use units::PixelRect;
