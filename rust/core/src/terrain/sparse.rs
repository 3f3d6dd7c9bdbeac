//! Values of the cells of a map that take no memory while all are the usual one.

use std::sync::Arc;

use crate::bitgrid::{GridLayout, LocalRect};
use crate::raster::Raster;

/// A value for each cell: an array once some cell has another value than the usual one.
#[derive(Clone, Debug)]
pub(super) struct Sparse<T> {
    usual: T,
    layout: GridLayout,
    array: Option<Arc<Raster<T>>>,
}

impl<T: Copy + PartialEq> Sparse<T> {
    pub(super) const fn new(layout: GridLayout, usual: T) -> Self {
        Self { usual, layout, array: None }
    }

    /// Returns the array, if there is one.
    pub(super) fn array(&self) -> Option<&Raster<T>> {
        self.array.as_deref()
    }

    /// Returns the array, shared: an edit copies it while the answer is kept.
    pub(super) fn shared(&self) -> Option<Arc<Raster<T>>> {
        self.array.clone()
    }

    pub(super) fn get(&self, x: u32, y: u32) -> T {
        self.array().map_or(self.usual, |array| array.get(x, y))
    }

    /// Returns all values, row by row.
    pub(super) fn to_vec(&self) -> Vec<T> {
        self.array().map_or_else(|| vec![self.usual; self.layout.cells()], Raster::to_vec)
    }

    /// Returns the bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        self.array().map_or(0, Raster::memory)
    }

    /// Fills a part; returns the smallest rectangle that changed.
    pub(super) fn fill(&mut self, rect: LocalRect, value: T) -> Option<LocalRect> {
        // The usual value needs no array.
        if self.array.is_none() && value == self.usual {
            return None;
        }
        let changed = self.array_mut().fill(rect, value);
        // Only a fill of the whole map is known to leave usual values alone; a smaller one would need a look
        // at all cells.
        if value == self.usual && rect == self.layout.all() {
            self.array = None;
        }
        changed
    }

    /// Replaces all values; returns what changed.
    pub(super) fn replace(&mut self, data: &[T]) -> Option<LocalRect> {
        let says_something = data.iter().any(|&value| value != self.usual);
        if self.array.is_none() && !says_something {
            return None;
        }
        let mut changed = None;
        for (y, new) in (0_u32..).zip(data.chunks_exact((self.layout.width() as usize).max(1))) {
            LocalRect::join_row(&mut changed, y, self.array_mut().write_row(0, y, new));
        }
        if !says_something {
            self.array = None;
        }
        changed
    }

    /// Copies what another map has in `from` to `to`; returns what changed.
    pub(super) fn paste(&mut self, to: LocalRect, part: &Self, from: LocalRect) -> Option<LocalRect> {
        // Both are absent, so all cells have the usual value: no array is made.
        if self.array.is_none() && part.array.is_none() {
            return None;
        }
        let usual = self.usual;
        let Some(part) = part.array() else { return self.array_mut().fill(to, usual) };
        let mut changed = None;
        for y in to.y0..to.y1 {
            let new = &part.row(from.y0 + (y - to.y0))[from.columns()];
            LocalRect::join_row(&mut changed, y, self.array_mut().write_row(to.x0, y, new));
        }
        changed
    }

    fn array_mut(&mut self) -> &mut Raster<T> {
        let Self { usual, layout, array } = self;
        Arc::make_mut(array.get_or_insert_with(|| Arc::new(Raster::filled(*layout, *usual))))
    }
}
