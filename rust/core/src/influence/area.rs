//! The cells that influence is computed for, with their obstacles.

use crate::bitgrid::{BitGrid, GridLayout};
use crate::geometry::CellRect;

/// The cells of a map, and which of them are obstacles to influence.
#[derive(Clone, Copy)]
pub(super) struct Area<'a> {
    pub(super) region: CellRect,
    pub(super) layout: GridLayout,
    /// `None` if there are no obstacles.
    pub(super) solid: Option<&'a BitGrid>,
}

impl Area<'_> {
    #[inline]
    pub(super) fn is_open(&self, x: u32, y: u32) -> bool {
        self.solid.is_none_or(|solid| !solid.get(self.layout.index(x, y)))
    }
}
