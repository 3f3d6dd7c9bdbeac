//! Cells, rectangles of cells, directions and footprints: value types that every other module uses.

mod cell;
mod direction;
mod facets;
mod footprint;
mod islands;
mod polygon;
mod rect;
mod side;

pub use cell::Cell;
pub(crate) use direction::DirectionSet;
pub use direction::{DiagonalMode, Direction};
pub use facets::{Facet, Ground, ground_of};
pub use footprint::{FOOTPRINT_SIDE_MAX, Footprint, FootprintError};
pub use islands::joined_islands;
pub use polygon::{bounds_of, cells_around, is_convex, open_cells, runs_in};
pub use rect::CellRect;
pub use side::Side;
