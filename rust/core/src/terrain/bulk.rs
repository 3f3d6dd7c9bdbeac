//! Whole-map arrays, one element a cell, row by row.

use std::sync::Arc;

use super::edit::{check_terrain, check_weight};
use super::{Change, EditError, Terrain};
use crate::bitgrid::LocalRect;
use crate::geometry::CellRect;
use crate::raster::Raster;

/// Everything there is to know about one cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CellData {
    /// Whether no body may enter.
    pub solid: bool,
    /// Terrain id, 0 to 31.
    pub terrain: u8,
    /// Weight, finite and not negative.
    pub weight: f32,
}

impl Terrain {
    /// Returns one byte a cell: 0 open, 1 solid.
    pub fn solid_data(&self) -> Vec<u8> {
        let mut data = Vec::with_capacity(self.layout.cells());
        for y in 0..self.layout.height() {
            let row = self.layout.index(0, y);
            data.extend((0..self.layout.width() as usize).map(|x| u8::from(self.solid.get(row.plus(x)))));
        }
        data
    }

    /// Returns one terrain id a cell.
    pub fn terrain_data(&self) -> Vec<u8> {
        self.ids.as_ref().map_or_else(|| vec![0; self.layout.cells()], |ids| ids.to_vec())
    }

    /// Returns one weight a cell.
    pub fn weight_data(&self) -> Vec<f32> {
        self.weights.as_ref().map_or_else(|| vec![1.0; self.layout.cells()], |w| w.to_vec())
    }

    /// Makes cells solid where `data` is not 0; returns the smallest rectangle of cells that changed.
    ///
    /// # Errors
    /// When the length is not the number of cells.
    pub fn set_solid_data(&mut self, data: &[u8]) -> Result<Option<CellRect>, EditError> {
        self.check_length(data.len())?;
        Ok(self.replace_solid(data))
    }

    /// As [`Terrain::set_solid_data`], with `data` known to have one element a cell.
    pub(super) fn replace_solid(&mut self, data: &[u8]) -> Option<CellRect> {
        let width = self.layout.width();
        let solid = Arc::make_mut(&mut self.solid);
        let mut changed: Option<LocalRect> = None;
        // Chunks must not be empty; a map without columns has no data either.
        for (y, row) in (0_u32..).zip(data.chunks_exact((width as usize).max(1))) {
            LocalRect::join_row(&mut changed, y, solid.write_row(y, 0..width, |x| row[x as usize] != 0));
        }
        changed.map(|c| self.changed(c, Change::PASSABILITY))
    }

    /// Gives every cell its terrain id; returns the smallest rectangle of cells that changed.
    ///
    /// # Errors
    /// When the length is not the number of cells or an id is above 31.
    pub fn set_terrain_data(&mut self, data: &[u8]) -> Result<Option<CellRect>, EditError> {
        self.check_length(data.len())?;
        // All ids are checked before one is written: after an error nothing has changed.
        data.iter().try_for_each(|&id| check_terrain(i64::from(id)).map(drop))?;
        Ok(self.replace_ids(data))
    }

    /// As [`Terrain::set_terrain_data`], with `data` known to have one id below 32 a cell.
    pub(super) fn replace_ids(&mut self, data: &[u8]) -> Option<CellRect> {
        let changed = replace_sparse(&mut self.ids, self.layout, data, 0);
        changed.map(|c| self.changed(c, Change::TERRAIN))
    }

    /// Gives every cell its weight; returns the smallest rectangle of cells that changed.
    ///
    /// # Errors
    /// When the length is not the number of cells or a weight is not finite or below zero.
    pub fn set_weight_data(&mut self, data: &[f32]) -> Result<Option<CellRect>, EditError> {
        self.check_length(data.len())?;
        // A copy, since the check turns a negative zero into zero.
        let data = data.iter().map(|&weight| check_weight(weight)).collect::<Result<Vec<_>, _>>()?;
        let changed = replace_sparse(&mut self.weights, self.layout, &data, 1.0);
        Ok(changed.map(|c| self.changed(c, Change::WEIGHT)))
    }

    fn check_length(&self, given: usize) -> Result<(), EditError> {
        let wanted = self.layout.cells();
        if given == wanted { Ok(()) } else { Err(EditError::BadLength { given, wanted }) }
    }
}

/// Replaces an array that is absent while all its elements are `rest`; returns what changed.
fn replace_sparse<T: Copy + PartialEq>(
    array: &mut Option<Arc<Raster<T>>>,
    layout: crate::bitgrid::GridLayout,
    data: &[T],
    rest: T,
) -> Option<LocalRect> {
    let says_something = data.iter().any(|&e| e != rest);
    if array.is_none() && !says_something {
        return None;
    }
    let old = Arc::make_mut(array.get_or_insert_with(|| Arc::new(Raster::filled(layout, rest))));
    let mut changed: Option<LocalRect> = None;
    for (y, new) in (0_u32..).zip(data.chunks_exact((layout.width() as usize).max(1))) {
        LocalRect::join_row(&mut changed, y, old.write_row(0, y, new));
    }
    if !says_something {
        *array = None;
    }
    changed
}
