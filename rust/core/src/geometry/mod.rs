//! Cells, rectangles of cells, directions and footprints: the words that every other module speaks.

mod cell;
mod direction;
mod footprint;
mod rect;

pub use cell::Cell;
pub use direction::{DiagonalMode, Direction, DirectionSet};
pub use footprint::{FOOTPRINT_SIDE_MAX, Footprint};
pub use rect::CellRect;
