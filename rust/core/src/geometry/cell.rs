//! A cell of the map, and the order of cells that breaks every tie.

use std::cmp::Ordering;

/// One square of the map, in the map's own coordinates: x grows to the right, y grows downwards, both may be
/// negative.
///
/// Cells are ordered by y, then by x, which is how every tie in this crate is broken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Cell {
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
}

impl Cell {
    /// Returns the cell at column `x` and row `y`.
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// Returns the cell `dx` columns to the right and `dy` rows below, saturating at the ends of `i32`.
    #[must_use]
    pub const fn offset(self, dx: i32, dy: i32) -> Self {
        // No region reaches the ends of `i32` (`check_region`), so a saturated cell lies outside every map.
        Self { x: self.x.saturating_add(dx), y: self.y.saturating_add(dy) }
    }
}

crate::bytes::saved_fields!(Cell { x: i32, y: i32 });

impl Ord for Cell {
    fn cmp(&self, other: &Self) -> Ordering {
        // Rows first, as cells lie in memory, so lists sorted by cell and by padded index have one order.
        (self.y, self.x).cmp(&(other.y, other.x))
    }
}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
