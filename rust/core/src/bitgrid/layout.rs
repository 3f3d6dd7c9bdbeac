//! The layout of a padded grid: which bit belongs to which cell.
//!
//! Two index spaces are kept apart by type: columns and rows counted from the corner of the map (`u32` pairs
//! and [`LocalRect`]), and places in the padded array ([`PaddedIndex`]).

use std::ops::Range;

use crate::geometry::{Cell, CellRect};

/// The place of a bit or of an element in a padded grid, counted over all rows with their borders.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PaddedIndex(u32);

impl PaddedIndex {
    /// Returns the index with number `value`.
    #[inline]
    pub const fn new(value: usize) -> Self {
        debug_assert!(value <= u32::MAX as usize);
        Self(value as u32)
    }

    /// Returns the index into an array with one element a bit.
    #[inline]
    pub const fn get(self) -> usize {
        self.0 as usize
    }

    /// Returns the index as a 32-bit number.
    #[inline]
    pub(crate) const fn number(self) -> u32 {
        self.0
    }

    /// Returns the word that the bit lies in.
    #[inline]
    pub const fn word(self) -> usize {
        (self.0 >> 6) as usize
    }

    /// Returns the bit's place in its word.
    #[inline]
    pub const fn bit(self) -> u32 {
        self.0 & 63
    }

    /// Returns the index `by` further on.
    #[inline]
    #[must_use]
    pub(crate) const fn plus(self, by: usize) -> Self {
        Self::new(self.get() + by)
    }

    /// Returns the index `by` before.
    #[inline]
    #[must_use]
    pub(crate) const fn minus(self, by: usize) -> Self {
        Self::new(self.get() - by)
    }
}

/// Width and height of a padded grid, and where its cells lie in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct GridLayout {
    width: u32,
    height: u32,
    stride: u32,
}

impl GridLayout {
    /// Returns the layout of a map of `width` × `height` cells.
    pub const fn new(width: u32, height: u32) -> Self {
        // A column of zeros left and right lets neighbours be read without a look at the border. Rows are
        // whole words, so that the word below is a constant number of words away.
        Self { width, height, stride: (width + 2).div_ceil(64) * 64 }
    }

    /// Returns the number of columns of the map.
    #[inline]
    pub const fn width(self) -> u32 {
        self.width
    }

    /// Returns the number of rows of the map.
    #[inline]
    pub const fn height(self) -> u32 {
        self.height
    }

    /// Returns the distance from a cell to the one below it, in bits: a multiple of 64.
    #[inline]
    pub const fn stride(self) -> usize {
        self.stride as usize
    }

    /// Returns the distance from a word to the one below it, in words.
    #[inline]
    pub const fn stride_words(self) -> usize {
        (self.stride / 64) as usize
    }

    /// Returns the number of padded rows: the map's, one above and one below.
    #[inline]
    pub const fn rows(self) -> usize {
        self.height as usize + 2
    }

    /// Returns the number of words in all padded rows.
    #[inline]
    pub const fn words(self) -> usize {
        self.stride_words() * self.rows()
    }

    /// Returns the length of an array with one element for each padded cell.
    #[inline]
    pub const fn padded_len(self) -> usize {
        self.stride() * self.rows()
    }

    /// Returns the number of cells of the map.
    #[inline]
    pub const fn cells(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Returns the index of the cell at column `x` and row `y`, both counted from the map's top-left corner.
    #[inline]
    pub const fn index(self, x: u32, y: u32) -> PaddedIndex {
        debug_assert!(x <= self.width && y <= self.height);
        // One row of border above and one column to the left.
        PaddedIndex::new((y as usize + 1) * self.stride() + x as usize + 1)
    }

    /// Returns the column and row of a cell of the map: the inverse of [`GridLayout::index`].
    #[inline]
    pub(crate) const fn xy(self, index: PaddedIndex) -> (u32, u32) {
        // In 32 bits: a division of 64 bits takes longer.
        (index.0 % self.stride - 1, index.0 / self.stride - 1)
    }

    /// Returns the layout with columns and rows changed over.
    #[must_use]
    pub(crate) const fn transposed(self) -> Self {
        Self::new(self.height, self.width)
    }

    /// Returns the whole map.
    pub const fn all(self) -> LocalRect {
        LocalRect { x0: 0, y0: 0, x1: self.width, y1: self.height }
    }
}

/// A rectangle of the map, counted from its top-left corner: columns `x0..x1`, rows `y0..y1`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LocalRect {
    /// First column.
    pub x0: u32,
    /// First row.
    pub y0: u32,
    /// One past the last column.
    pub x1: u32,
    /// One past the last row.
    pub y1: u32,
}

impl LocalRect {
    /// Returns the part of `rect` that lies in `region`, counted from the region's corner; `None` when there
    /// is none.
    pub fn within(region: CellRect, rect: CellRect) -> Option<Self> {
        // The part lies in the region, so no difference below is negative.
        let part = region.intersection(rect);
        (!part.is_empty()).then(|| Self {
            x0: (part.x - region.x) as u32,
            y0: (part.y - region.y) as u32,
            x1: (part.right() - region.x) as u32,
            y1: (part.bottom() - region.y) as u32,
        })
    }

    /// Returns the rectangle in the coordinates of the map, whose corner is that of `region`.
    pub fn to_cells(self, region: CellRect) -> CellRect {
        CellRect::new(
            // Exact: `check_region` keeps the whole region within `i32`.
            region.x + self.x0 as i32,
            region.y + self.y0 as i32,
            (self.x1 - self.x0) as i32,
            (self.y1 - self.y0) as i32,
        )
    }

    /// Returns whether the cell at column `x` and row `y` lies in it.
    #[inline]
    pub(crate) const fn contains(self, x: u32, y: u32) -> bool {
        x >= self.x0 && x < self.x1 && y >= self.y0 && y < self.y1
    }

    /// Returns the smallest rectangle that holds both.
    #[must_use]
    pub(crate) fn union(self, other: Self) -> Self {
        Self {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }

    /// Returns whether both have a cell in common.
    pub(crate) const fn overlaps(self, other: Self) -> bool {
        self.x0 < other.x1 && other.x0 < self.x1 && self.y0 < other.y1 && other.y0 < self.y1
    }

    /// Returns the columns, as indices into a row of the map.
    pub(crate) const fn columns(self) -> Range<usize> {
        self.x0 as usize..self.x1 as usize
    }

    /// Makes `bounds` hold `rect` too.
    pub fn join(bounds: &mut Option<Self>, rect: Self) {
        *bounds = Some(bounds.map_or(rect, |b| b.union(rect)));
    }

    /// Makes `bounds` hold `columns` of row `y` too, if there are any.
    pub(crate) fn join_row(bounds: &mut Option<Self>, y: u32, columns: Option<Range<u32>>) {
        let rows =
            columns.into_iter().map(|Range { start, end }| Self { x0: start, y0: y, x1: end, y1: y + 1 });
        rows.for_each(|row| Self::join(bounds, row));
    }

    /// Returns the number of cells.
    pub(crate) const fn area(self) -> u64 {
        (self.x1 - self.x0) as u64 * (self.y1 - self.y0) as u64
    }

    /// Returns the column and row of each cell, row by row.
    pub fn places(self) -> impl Iterator<Item = (u32, u32)> {
        (self.y0..self.y1).flat_map(move |y| (self.x0..self.x1).map(move |x| (x, y)))
    }

    /// Returns the rectangle with each side moved out by the given number of cells, cut off at the edge of
    /// the map.
    #[must_use]
    pub(crate) fn grown(self, left: u32, up: u32, right: u32, down: u32, layout: GridLayout) -> Self {
        Self {
            x0: self.x0.saturating_sub(left),
            y0: self.y0.saturating_sub(up),
            x1: (self.x1 + right).min(layout.width()),
            y1: (self.y1 + down).min(layout.height()),
        }
    }
}

/// Returns the smallest range that holds all places of `old` and `new`, counted from `first`, at which they
/// differ.
pub(crate) fn differing<T: PartialEq>(first: u32, old: &[T], new: &[T]) -> Option<Range<u32>> {
    let mut pairs = old.iter().zip(new).map(|(old, new)| old != new);
    let from = pairs.clone().position(|differs| differs)?;
    Some(first + from as u32..first + pairs.rposition(|differs| differs)? as u32 + 1)
}

/// Returns the column and row of `cell`, counted from the region's corner; `None` if it lies outside.
#[inline]
pub fn local(region: CellRect, cell: Cell) -> Option<(u32, u32)> {
    region.contains(cell).then(|| local_in(region, cell))
}

/// Returns the column and row of `cell`, which lies in the region.
#[inline]
pub(crate) const fn local_in(region: CellRect, cell: Cell) -> (u32, u32) {
    ((cell.x - region.x) as u32, (cell.y - region.y) as u32)
}

/// Returns the cell at a column and row of the region: the inverse of [`local`].
#[inline]
pub const fn cell_at(region: CellRect, (x, y): (u32, u32)) -> Cell {
    // Exact: `check_region` keeps the whole region within `i32`.
    Cell::new(region.x + x as i32, region.y + y as i32)
}
