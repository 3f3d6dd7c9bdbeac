//! Tiles as another program keeps them, and what they tell the cells that they lie on. A tile is of a *kind*;
//! each kind is read once, and a layer of tiles has a number for each.

mod frame;
mod ground;
mod layer;
mod meaning;

pub use frame::{TileFrame, TileReach};
pub use layer::Tiles;
pub use meaning::{CoveredCell, TileLayer, TileMeaning, UntoldCells, cells_of_tiles};
