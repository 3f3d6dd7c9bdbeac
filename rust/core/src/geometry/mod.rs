//! Cells, rectangles of cells, directions and footprints: value types that every other module uses.

mod cell;
mod direction;
mod footprint;
mod islands;
mod polygon;
mod rect;

pub use cell::Cell;
pub(crate) use direction::DirectionSet;
pub use direction::{DiagonalMode, Direction};
pub use footprint::{FOOTPRINT_SIDE_MAX, Footprint, FootprintError};
pub use islands::joined_islands;
pub(crate) use polygon::{bounds_of, for_each_cell_in};
pub use polygon::{cells_around, is_convex};
pub use rect::CellRect;
