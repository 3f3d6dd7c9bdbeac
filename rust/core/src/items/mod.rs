//! Cells and heights from items that stand in columns: a map of blocks with a third dimension, as another
//! program keeps it.
//!
//! An item is of a *kind*: a form, which is where it is filled, and what it is to bodies. Each kind is read
//! once, on upright lines through the cells that it covers, and placed many times, always by whole cells. The
//! topmost floor of a cell is its ground; what is filled between two heights above the ground, and is no
//! floor, closes it. Cost: the lines of each kind, then one pass over the items placed.

mod form;
mod kind;
mod layout;

pub use form::Form;
pub use kind::{Coverage, Kind, Role};
pub use layout::{Layout, Placement, Slice, Told, differing, tell};
