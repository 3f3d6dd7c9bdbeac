use std::fmt;

use crate::bitgrid::{GridLayout, PaddedIndex};
use crate::geometry::Direction;

/// A place in the padded grid of a passability layer: column and row, each one more than that of the map's
/// cell.
///
/// Ordered by row, then column, which is the order in which ties between goals are broken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
// One word, row above column: queues and tables store it as a number, and one comparison gives the order of
// rows.
pub struct GridPoint(u32);

impl GridPoint {
    /// The point at padded column `x` and row `y`, both below 2¹⁶.
    #[inline]
    pub const fn new(x: u32, y: u32) -> Self {
        debug_assert!(x <= 0xffff && y <= 0xffff);
        Self(y << 16 | x)
    }

    /// The point of the cell at column `x` and row `y`, counted from the map's corner.
    #[inline]
    pub const fn of_cell(x: u32, y: u32) -> Self {
        // The padded grid has one border row above the map and one border column left of it.
        Self::new(x + 1, y + 1)
    }

    /// The point at `index` of a grid of `layout`.
    pub const fn of_index(index: PaddedIndex, layout: GridLayout) -> Self {
        let (x, y) = layout.xy(index);
        Self::of_cell(x, y)
    }

    /// The inverse of [`GridPoint::packed`].
    #[inline]
    pub(crate) const fn from_packed(packed: u32) -> Self {
        Self(packed)
    }

    /// The point as a number, in the order of points.
    #[inline]
    pub(crate) const fn packed(self) -> u32 {
        self.0
    }

    /// Padded column, 1 to the map's width.
    #[inline]
    pub const fn x(self) -> u32 {
        self.0 & 0xffff
    }

    /// Padded row, 1 to the map's height.
    #[inline]
    pub const fn y(self) -> u32 {
        self.0 >> 16
    }

    /// Column and row of the cell, counted from the map's corner.
    #[inline]
    pub const fn cell_xy(self) -> (u32, u32) {
        (self.x() - 1, self.y() - 1)
    }

    /// The point's index in a grid of `layout`.
    #[inline]
    pub const fn index(self, layout: GridLayout) -> PaddedIndex {
        PaddedIndex::new(self.y() as usize * layout.stride() + self.x() as usize)
    }

    /// The point's index in the transpose of a grid of `layout`.
    #[inline]
    pub(crate) const fn index_transposed(self, layout: GridLayout) -> PaddedIndex {
        PaddedIndex::new(self.x() as usize * layout.transposed().stride() + self.y() as usize)
    }

    /// The point one step back from this one, against `direction`.
    pub(crate) const fn before(self, direction: Direction) -> Self {
        // No placement lies in the border, so a step back from one never falls below 0.
        Self::new(
            self.x().wrapping_add_signed(-direction.dx()),
            self.y().wrapping_add_signed(-direction.dy()),
        )
    }
}

impl fmt::Debug for GridPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GridPoint({}, {})", self.x(), self.y())
    }
}

/// The grid points of columns `x0..=x1` and rows `y0..=y1`, ends included; never empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GridBounds {
    pub(crate) x0: u32,
    pub(crate) y0: u32,
    pub(crate) x1: u32,
    pub(crate) y1: u32,
}

impl GridBounds {
    pub(crate) const fn of_point(point: GridPoint) -> Self {
        Self { x0: point.x(), y0: point.y(), x1: point.x(), y1: point.y() }
    }

    /// The bounds of all `points`; `None` without any.
    pub(crate) fn of_points(points: &[GridPoint]) -> Option<Self> {
        points.iter().map(|&point| Self::of_point(point)).reduce(Self::union)
    }

    #[inline]
    pub(crate) const fn contains(self, point: GridPoint) -> bool {
        self.contains_column(point.x()) && self.contains_row(point.y())
    }

    #[inline]
    pub(crate) const fn contains_column(self, x: u32) -> bool {
        self.x0 <= x && x <= self.x1
    }

    #[inline]
    pub(crate) const fn contains_row(self, y: u32) -> bool {
        self.y0 <= y && y <= self.y1
    }

    #[must_use]
    pub(crate) fn union(self, other: Self) -> Self {
        Self {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }

    /// The bounds moved out by `by` columns and rows on each side, as far as the map reaches.
    #[must_use]
    pub(crate) fn grown(self, by: u32, layout: GridLayout) -> Self {
        // Index 0 is border, which holds no point.
        Self {
            x0: self.x0.saturating_sub(by).max(1),
            y0: self.y0.saturating_sub(by).max(1),
            x1: (self.x1 + by).min(layout.width()),
            y1: (self.y1 + by).min(layout.height()),
        }
    }

    /// Columns and rows from (`x`, `y`) to the nearest point of the bounds.
    #[inline]
    pub(crate) const fn offsets_from(self, x: u32, y: u32) -> (u32, u32) {
        // One of the two differences is zero, so their sum needs no branch.
        (
            self.x0.saturating_sub(x) + x.saturating_sub(self.x1),
            self.y0.saturating_sub(y) + y.saturating_sub(self.y1),
        )
    }
}

/// Returns, by direction number, the difference of index from a cell to its neighbour in an array with rows
/// of `stride` elements. Half of the differences are negative, so callers add them wrapping.
pub(crate) const fn offsets(stride: usize) -> [usize; 8] {
    let mut offsets = [0; 8];
    let mut n = 0;
    while n < 8 {
        let direction = Direction::ALL[n];
        offsets[n] = (direction.dy() as isize * stride as isize + direction.dx() as isize) as usize;
        n += 1;
    }
    offsets
}
