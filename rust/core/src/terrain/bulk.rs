//! Whole-map arrays, one element a cell, row by row.

use super::edit::{check_terrain, check_weight};
use super::one_way::{flag_data, replace_flags};
use super::{Change, EditError, Floor, Terrain};
use crate::geometry::{Cell, CellRect, Side};

/// Up to so many cells are set one by one; for more, all are written anew.
const CELLS_ONE_BY_ONE_MAX: usize = 256;
/// A bit for each side of a cell.
const ALL_SIDES: u8 = 15;

/// Everything there is to know about one cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CellData {
    /// Whether no body may enter.
    pub solid: bool,
    /// Whether it supports bodies from above and lets them through from below and from the sides.
    pub one_way: bool,
    /// Terrain id, 0 to 31.
    pub terrain: u8,
    /// Weight, finite and not negative.
    pub weight: f32,
    /// Floor inside of it; heights of 0 for none.
    pub floor: Floor,
    /// Sides over which the step out of it is blocked: a bit for each, by its number.
    pub edges: u8,
}

impl Default for CellData {
    /// An open cell.
    fn default() -> Self {
        Self { solid: false, one_way: false, terrain: 0, weight: 1.0, floor: Floor::default(), edges: 0 }
    }
}

/// A cell that changes, in all or only in some of its edges.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CellChange {
    /// Which cell.
    pub cell: Cell,
    /// What it becomes.
    pub data: CellData,
    /// Whether nothing but edges changes.
    pub only_edges: bool,
    /// Sides whose edges change: a bit for each, by its number. Other edges stay.
    pub sides: u8,
}

impl CellChange {
    /// Returns the change of everything.
    pub const fn whole(cell: Cell, data: CellData) -> Self {
        Self { cell, data, only_edges: false, sides: ALL_SIDES }
    }

    /// Returns the change of everything but edges.
    pub const fn without_edges(cell: Cell, data: CellData) -> Self {
        Self { cell, data, only_edges: false, sides: 0 }
    }

    /// Returns what becomes of a cell.
    const fn of(&self, cell: CellData) -> CellData {
        let edges = cell.edges & !self.sides | self.data.edges & self.sides;
        CellData { edges, ..if self.only_edges { cell } else { self.data } }
    }

    /// Returns the change from one state of a cell to another; `None` if they are the same.
    pub fn between(cell: Cell, was: CellData, is: CellData) -> Option<Self> {
        let only_edges = CellData { edges: is.edges, ..was } == is;
        let sides = was.edges ^ is.edges;
        (!only_edges || sides != 0).then_some(Self { cell, data: is, only_edges, sides })
    }
}

impl Terrain {
    /// Returns one byte a cell: 0 open, 1 solid.
    pub fn solid_data(&self) -> Vec<u8> {
        flag_data(&self.solid)
    }

    /// Returns one terrain id a cell.
    pub fn terrain_data(&self) -> Vec<u8> {
        self.ids.to_vec()
    }

    /// Returns one weight a cell.
    pub fn weight_data(&self) -> Vec<f32> {
        self.weights.to_vec()
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
        let changed = replace_flags(&mut self.solid, data);
        changed.map(|c| self.changed(c, Change::PASSABILITY))
    }

    /// Returns every cell, row by row.
    pub(crate) fn cells(&self) -> Vec<CellData> {
        let (solid, one_way) = (self.solid_data(), self.one_way_data());
        let (ids, weights) = (self.terrain_data(), self.weight_data());
        let cells = solid.into_iter().zip(one_way).zip(ids).zip(weights);
        let cell = |(((solid, one_way), terrain), weight)| CellData {
            solid: solid != 0,
            one_way: one_way != 0,
            terrain,
            weight,
            ..CellData::default()
        };
        let mut cells: Vec<CellData> = cells.map(cell).collect();
        if let Some(floors) = self.floors() {
            for (place, cell) in (0_u32..).zip(&mut cells) {
                let width = self.layout.width();
                cell.floor = floors.get(place % width, place / width).unwrap_or_default();
            }
        }
        if self.edges().is_some() {
            for (edges, cell) in self.edge_data().into_iter().zip(&mut cells) {
                cell.edges = edges;
            }
        }
        cells
    }

    /// Opens the cells that have a weight, row by row, and makes all others solid; terrains stay. Returns the
    /// rectangle that changed.
    ///
    /// # Errors
    /// As [`Terrain::set_weight_data`].
    pub fn set_open(&mut self, open: &[Option<f32>]) -> Result<Option<CellRect>, EditError> {
        self.check_length(open.len())?;
        let kept = self.weight_data();
        let weights: Vec<f32> = open.iter().zip(kept).map(|(open, kept)| open.unwrap_or(kept)).collect();
        for &weight in &weights {
            check_weight(weight)?;
        }
        let solid: Vec<u8> = open.iter().map(|open| u8::from(open.is_none())).collect();
        let solid = self.set_solid_data(&solid)?;
        let weighted = self.set_weight_data(&weights)?;
        Ok([solid, weighted].into_iter().flatten().reduce(CellRect::union))
    }

    /// Returns everything about one cell; an open cell outside the region.
    pub fn cell(&self, cell: Cell) -> CellData {
        if !self.region().contains(cell) {
            return CellData::default();
        }
        CellData {
            solid: self.is_solid(cell),
            one_way: self.is_one_way(cell),
            terrain: self.terrain(cell),
            weight: self.weight(cell),
            floor: self.floor(cell).unwrap_or_default(),
            edges: self.sides_blocked(cell),
        }
    }

    /// Makes some changes in their order; those of cells outside the region are left out. Returns the rectangle
    /// that changed.
    ///
    /// # Errors
    /// As [`Terrain::set_cells`].
    pub fn change_cells(&mut self, changes: &[CellChange]) -> Result<Option<CellRect>, EditError> {
        if changes.len() <= CELLS_ONE_BY_ONE_MAX {
            let changed =
                changes.iter().map(|change| self.set_cell(change.cell, change.of(self.cell(change.cell))));
            let changed = changed.collect::<Result<Vec<_>, _>>()?;
            return Ok(changed.into_iter().flatten().reduce(CellRect::union));
        }
        let region = self.region();
        let mut all = self.cells();
        for change in changes.iter().filter(|change| region.contains(change.cell)) {
            let cell = &mut all[region.place_of(change.cell)];
            *cell = change.of(*cell);
        }
        self.set_cells(&all)
    }

    /// Sets some cells with all of their edges; those outside the region are left out. Returns the rectangle
    /// that changed.
    ///
    /// # Errors
    /// As [`Terrain::set_cells`].
    pub fn set_some_cells(&mut self, cells: &[(Cell, CellData)]) -> Result<Option<CellRect>, EditError> {
        let changes = cells.iter().map(|&(cell, data)| CellChange::whole(cell, data));
        self.change_cells(&changes.collect::<Vec<_>>())
    }

    /// Replaces every cell by the one of `cells` in its place, row by row; returns the smallest rectangle of
    /// cells that changed.
    ///
    /// # Errors
    /// When the length is not the number of cells, or a terrain or a weight is not valid.
    pub fn set_cells(&mut self, cells: &[CellData]) -> Result<Option<CellRect>, EditError> {
        self.check_length(cells.len())?;
        let bytes = |of: fn(&CellData) -> u8| cells.iter().map(of).collect::<Vec<u8>>();
        let weights: Vec<f32> =
            cells.iter().map(|cell| check_weight(cell.weight)).collect::<Result<_, _>>()?;
        let ids = bytes(|cell| cell.terrain);
        // The only two that can fail come first: after an error nothing has changed.
        let changed = [
            self.set_terrain_data(&ids)?,
            self.set_weight_data(&weights)?,
            self.replace_solid(&bytes(|cell| u8::from(cell.solid))),
            self.replace_one_way(&bytes(|cell| u8::from(cell.one_way))),
            self.replace_floors(&cells.iter().map(|cell| cell.floor.packed()).collect::<Vec<_>>()),
            self.replace_edges(&bytes(|cell| cell.edges & ALL_SIDES)),
        ];
        Ok(changed.into_iter().flatten().reduce(CellRect::union))
    }

    /// Replaces one cell; returns it as a rectangle if it changed.
    ///
    /// # Errors
    /// When the terrain or the weight is not valid.
    pub(crate) fn set_cell(&mut self, cell: Cell, data: CellData) -> Result<Option<CellRect>, EditError> {
        let rect = CellRect::cell(cell);
        let weight = check_weight(data.weight)?;
        let changed = [
            self.fill_terrain(rect, i64::from(data.terrain))?,
            self.fill_weight(rect, weight)?,
            self.fill_solid(rect, data.solid),
            self.fill_one_way(rect, data.one_way),
            self.set_floor(rect, Some(data.floor)),
        ];
        let edges = Side::ALL
            .into_iter()
            .filter_map(|side| self.fill_edges(rect, side, data.edges >> side as u8 & 1 == 1, true));
        let changed = changed.into_iter().flatten().chain(edges);
        Ok(changed.reduce(CellRect::union))
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
        let changed = self.ids.replace(data);
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
        let changed = self.weights.replace(&data);
        Ok(changed.map(|c| self.changed(c, Change::WEIGHT)))
    }

    pub(super) fn check_length(&self, given: usize) -> Result<(), EditError> {
        let wanted = self.layout.cells();
        if given == wanted { Ok(()) } else { Err(EditError::BadLength { given, wanted }) }
    }
}
