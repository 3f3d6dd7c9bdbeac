//! Rectangles of cells in the coordinates of the map.

use std::fmt;

use super::Cell;

/// A rectangle of cells: columns `x..x + w`, rows `y..y + h`. Empty when `w` or `h` is zero or less.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CellRect {
    /// Leftmost column.
    pub x: i32,
    /// Topmost row.
    pub y: i32,
    /// Number of columns.
    pub w: i32,
    /// Number of rows.
    pub h: i32,
}

impl CellRect {
    /// Returns the rectangle with its top-left cell at (`x`, `y`), `w` columns and `h` rows.
    pub const fn new(x: i32, y: i32, w: i32, h: i32) -> Self {
        Self { x, y, w, h }
    }

    /// Returns the rectangle of one cell.
    pub const fn cell(cell: Cell) -> Self {
        Self::new(cell.x, cell.y, 1, 1)
    }

    /// Returns whether no cell lies in it.
    pub const fn is_empty(self) -> bool {
        self.w <= 0 || self.h <= 0
    }

    /// Returns the number of cells.
    pub const fn area(self) -> u64 {
        if self.is_empty() { 0 } else { self.w as u64 * self.h as u64 }
    }

    /// Returns the first column to the right of it.
    pub const fn right(self) -> i32 {
        // Saturating: a rectangle from a script at the end of `i32` is cut off instead of wrapping around.
        self.x.saturating_add(self.w)
    }

    /// Returns the first row below it.
    pub const fn bottom(self) -> i32 {
        self.y.saturating_add(self.h)
    }

    /// Returns whether `cell` lies in it.
    pub const fn contains(self, cell: Cell) -> bool {
        cell.x >= self.x && cell.y >= self.y && cell.x < self.right() && cell.y < self.bottom()
    }

    /// Returns whether every cell of `other` lies in it; an empty rectangle lies in every other.
    pub const fn contains_rect(self, other: Self) -> bool {
        other.is_empty()
            || (other.x >= self.x
                && other.y >= self.y
                && other.right() <= self.right()
                && other.bottom() <= self.bottom())
    }

    /// Returns the cells that both hold; an empty rectangle when there are none.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        let (x, y) = (self.x.max(other.x), self.y.max(other.y));
        let (w, h) = (
            self.right().min(other.right()).saturating_sub(x),
            self.bottom().min(other.bottom()).saturating_sub(y),
        );
        // One value for all empty results, so that they compare equal.
        if w <= 0 || h <= 0 { Self::default() } else { Self::new(x, y, w, h) }
    }

    /// Returns the smallest rectangle that holds both; the other one when one is empty.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        Self::new(x, y, self.right().max(other.right()) - x, self.bottom().max(other.bottom()) - y)
    }

    /// Returns the rectangle with each side moved out by the given number of cells.
    #[must_use]
    pub fn grown(self, left: i32, up: i32, right: i32, down: i32) -> Self {
        let (x, y) = (self.x.saturating_sub(left), self.y.saturating_sub(up));
        // From the ends, not from the sides: at the end of `i32` the corner moves less than it should, and
        // the opposite side must not make up for it.
        let (end_x, end_y) = (self.right().saturating_add(right), self.bottom().saturating_add(down));
        Self::new(x, y, end_x.saturating_sub(x), end_y.saturating_sub(y))
    }

    /// Returns the place of `cell`, which lies in the rectangle, among its cells row by row.
    pub(crate) const fn place_of(self, cell: Cell) -> usize {
        (cell.y - self.y) as usize * self.w as usize + (cell.x - self.x) as usize
    }

    /// Returns every cell of it, row by row.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        (self.y..self.bottom()).flat_map(move |y| (self.x..self.right()).map(move |x| Cell::new(x, y)))
    }
}

impl fmt::Display for CellRect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[position ({}, {}), size ({}, {})]", self.x, self.y, self.w, self.h)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_that_cannot_move_out_leaves_the_opposite_one_where_it_belongs() {
        let rect = CellRect::new(i32::MIN + 2, i32::MAX - 5, 4, 3);
        let grown = rect.grown(5, 1, 2, 9);
        assert_eq!((grown.x, grown.right()), (i32::MIN, i32::MIN + 8));
        assert_eq!((grown.y, grown.bottom()), (i32::MAX - 6, i32::MAX));
        assert_eq!(CellRect::new(0, 0, 2, 2).grown(1, 2, 3, 4), CellRect::new(-1, -2, 6, 8));
    }
}
