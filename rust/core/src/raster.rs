//! Dense arrays with one element a place of a grid, row by row, without a border.

use std::ops::Range;
use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use crate::bitgrid::{GridLayout, LocalRect, differing};

/// log₂ of the bytes in a band: the rows that are copied together when one of them is first written after a
/// clone. A row that is longer is a band of its own.
const BAND_SHIFT: u32 = 16;

/// One element a place, row-major over a grid. A clone shares each band of rows until one of both writes to
/// it.
///
/// ```
/// use pathforge_core::bitgrid::{LocalRect, GridLayout};
/// use pathforge_core::raster::Raster;
///
/// let mut heights = Raster::filled(GridLayout::new(4, 2), 0_u8);
/// let copy = heights.clone();
/// heights.fill(LocalRect { x0: 1, y0: 0, x1: 3, y1: 1 }, 7);
/// assert_eq!((heights.get(1, 0), copy.get(1, 0)), (7, 0));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Raster<T> {
    width: u32,
    height: u32,
    /// Rows of a band, as a power of two.
    rows_shift: u32,
    bands: Vec<Arc<[T]>>,
}

impl<T: Clone> Raster<T> {
    /// Returns an array with what `make` returns for each column and row. Each row is a band of its own: for
    /// large elements.
    pub(crate) fn by_rows(layout: GridLayout, mut make: impl FnMut(u32, u32) -> T) -> Self {
        let (width, height) = (layout.width(), layout.height());
        let bands = (0..height).map(|y| (0..width).map(|x| make(x, y)).collect()).collect();
        Self { width, height, rows_shift: 0, bands }
    }

    /// Returns an array with `value` everywhere. Takes the memory of one band until it is written.
    pub fn filled(layout: GridLayout, value: T) -> Self {
        let (width, height) = (layout.width(), layout.height());
        // A map without columns has rows of no bytes.
        let row_bytes = (width as usize * size_of::<T>()).max(1);
        // A power of two, so that the band of a row is found by a shift.
        let rows_shift = ((1 << BAND_SHIFT) / row_bytes).max(1).ilog2();
        let band = |rows: u32| -> Arc<[T]> { vec![value.clone(); width as usize * rows as usize].into() };
        let (full, rest) = (height >> rows_shift, height & ((1 << rows_shift) - 1));
        let mut bands = Vec::with_capacity(full as usize + 1);
        if full > 0 {
            // Clones of one pointer: all full bands share memory until one of them is written.
            bands.resize(full as usize, band(1 << rows_shift));
        }
        if rest > 0 {
            bands.push(band(rest));
        }
        Self { width, height, rows_shift, bands }
    }

    /// Returns the layout of the map that the array belongs to.
    pub(crate) const fn layout(&self) -> GridLayout {
        GridLayout::new(self.width, self.height)
    }

    /// Returns all elements, row by row.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.bands.iter().flat_map(|band| band.iter())
    }

    /// Returns all elements, row by row.
    pub fn to_vec(&self) -> Vec<T> {
        let mut all = Vec::with_capacity(self.width as usize * self.height as usize);
        self.bands.iter().for_each(|band| all.extend_from_slice(band));
        all
    }

    /// Returns the bytes on the heap, as if it shared none.
    pub(crate) fn memory(&self) -> usize {
        self.width as usize * self.height as usize * size_of::<T>() + size_of_val(&*self.bands)
    }

    /// Returns row `y`.
    #[inline]
    pub(crate) fn row(&self, y: u32) -> &[T] {
        let (band, columns) = self.place(y);
        &self.bands[band][columns]
    }

    /// Returns row `y`, to be written.
    #[inline]
    pub(crate) fn row_mut(&mut self, y: u32) -> &mut [T] {
        let (band, columns) = self.place(y);
        &mut Arc::make_mut(&mut self.bands[band])[columns]
    }

    /// Returns the band of row `y` and the elements of the row within it.
    #[inline]
    fn place(&self, y: u32) -> (usize, Range<usize>) {
        debug_assert!(y < self.height);
        // The low bits of `y` are the row within its band, the high bits the band.
        let start = (y & ((1 << self.rows_shift) - 1)) as usize * self.width as usize;
        ((y >> self.rows_shift) as usize, start..start + self.width as usize)
    }
}

impl<T: Copy + PartialEq> Raster<T> {
    /// Returns the element at column `x` and row `y`.
    #[inline]
    pub fn get(&self, x: u32, y: u32) -> T {
        self.row(y)[x as usize]
    }

    /// Writes the element at column `x` and row `y`.
    #[inline]
    pub fn set(&mut self, x: u32, y: u32, value: T) {
        self.row_mut(y)[x as usize] = value;
    }

    /// Writes `values` to row `y` from column `x` on; returns the smallest range of columns that holds all
    /// changes.
    pub(crate) fn write_row(&mut self, x: u32, y: u32, values: &[T]) -> Option<Range<u32>> {
        let columns = x as usize..x as usize + values.len();
        let changed = differing(x, &self.row(y)[columns.clone()], values);
        // A row that has the values already must not copy its band.
        if changed.is_some() {
            self.row_mut(y)[columns].copy_from_slice(values);
        }
        changed
    }

    /// Writes `rect`; returns the smallest rectangle that holds all changes, if there are any.
    pub fn fill(&mut self, rect: LocalRect, value: T) -> Option<LocalRect> {
        let row: SmallVec<[T; 16]> = smallvec![value; rect.columns().len()];
        let mut changed = None;
        for y in rect.y0..rect.y1 {
            LocalRect::join_row(&mut changed, y, self.write_row(rect.x0, y, &row));
        }
        changed
    }
}
