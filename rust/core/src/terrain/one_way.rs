//! One-way cells, which support bodies that fall and let them through from below and from the sides.
//!
//! A flag a cell, apart from the others: a one-way cell is open, and only bodies that jump ask for it.

use std::sync::Arc;

use super::{Change, EditError, Terrain};
use crate::bitgrid::{BitGrid, LocalRect, local};
use crate::geometry::{Cell, CellRect};

impl Terrain {
    /// Returns the one-way flags, one bit a cell; `None` while no cell was made one-way.
    pub(crate) fn one_way(&self) -> Option<&BitGrid> {
        self.one_way.as_deref()
    }

    /// Returns `true` if `cell` is one-way, which has an effect where it is not solid; `false` outside the
    /// region.
    pub fn is_one_way(&self, cell: Cell) -> bool {
        let place = self.one_way().zip(local(self.region, cell));
        place.is_some_and(|(flags, (x, y))| flags.get(self.layout.index(x, y)))
    }

    /// Makes the cells of `rect` one-way or not; returns the smallest rectangle of cells that changed, if any
    /// did. Cells outside the region are left out.
    pub fn fill_one_way(&mut self, rect: CellRect, one_way: bool) -> Option<CellRect> {
        let rect = LocalRect::within(self.region, rect)?;
        let changed = self.fill_flags(rect, one_way)?;
        Some(self.changed(changed, Change::ONE_WAY))
    }

    /// Returns one byte a cell, row by row: 1 one-way, 0 not.
    pub fn one_way_data(&self) -> Vec<u8> {
        self.one_way().map_or_else(|| vec![0; self.layout.cells()], flag_data)
    }

    /// Makes cells one-way where `data` is not 0, and not one-way elsewhere; returns the smallest rectangle
    /// of cells that changed.
    ///
    /// # Errors
    /// When the length is not the number of cells.
    pub fn set_one_way_data(&mut self, data: &[u8]) -> Result<Option<CellRect>, EditError> {
        self.check_length(data.len())?;
        Ok(self.replace_one_way(data))
    }

    /// As [`Terrain::set_one_way_data`], with `data` known to have one element a cell.
    pub(super) fn replace_one_way(&mut self, data: &[u8]) -> Option<CellRect> {
        let is_any = data.iter().any(|&flag| flag != 0);
        if self.one_way.is_none() && !is_any {
            return None;
        }
        let changed = replace_flags(self.one_way_mut(), data);
        if !is_any {
            self.one_way = None;
        }
        changed.map(|rect| self.changed(rect, Change::ONE_WAY))
    }

    /// Returns the flags to be written to, made if there are none.
    pub(super) fn one_way_mut(&mut self) -> &mut BitGrid {
        let layout = self.layout;
        Arc::make_mut(self.one_way.get_or_insert_with(|| Arc::new(BitGrid::new(layout))))
    }

    /// Fills a part of the flags, which are absent while none is set; returns the smallest rectangle that
    /// changed.
    pub(super) fn fill_flags(&mut self, rect: LocalRect, one_way: bool) -> Option<LocalRect> {
        if self.one_way.is_none() && !one_way {
            return None;
        }
        let changed = self.one_way_mut().fill(rect, one_way);
        // Only a fill of the whole map is known to leave no flag; after a smaller one all words would have to
        // be read.
        if !one_way && rect == self.layout.all() {
            self.one_way = None;
        }
        changed
    }
}

/// Copies the flags of `from` to `to`, which is as large; returns the smallest rectangle that changed.
pub(super) fn copy_flags(
    flags: &mut BitGrid,
    to: LocalRect,
    source: &BitGrid,
    from: LocalRect,
) -> Option<LocalRect> {
    let layout = source.layout();
    flags.rewrite(to, |x, y| source.get(layout.index(from.x0 + (x - to.x0), from.y0 + (y - to.y0))))
}

/// Sets flags where `data`, one element a cell, is not 0; returns the smallest rectangle that changed.
pub(super) fn replace_flags(flags: &mut BitGrid, data: &[u8]) -> Option<LocalRect> {
    let (all, width) = (flags.layout().all(), flags.layout().width() as usize);
    flags.rewrite(all, |x, y| data[y as usize * width + x as usize] != 0)
}

/// Returns one byte a cell, row by row.
pub(super) fn flag_data(flags: &BitGrid) -> Vec<u8> {
    let layout = flags.layout();
    let mut data = Vec::with_capacity(layout.cells());
    for y in 0..layout.height() {
        let row = layout.index(0, y);
        data.extend((0..layout.width() as usize).map(|x| u8::from(flags.get(row.plus(x)))));
    }
    data
}
