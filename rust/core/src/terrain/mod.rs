//! The one source of truth: the solid flag, the one-way flag, the terrain id, the weight and the floor of
//! every cell, the edges between cells, and links. Beside them it has the heights of the ground.
//!
//! Everything else in this crate is derived from it. An edit raises the revision and leaves its rectangle in
//! the [`Journal`], from which derived structures repair themselves.

mod bulk;
mod bytes;
mod capability;
mod climb;
mod edges;
mod edit;
mod floors;
mod heights;
pub(crate) mod journal;
mod links;
mod obstacles;
mod one_way;
mod parts;
mod region;
mod sparse;
mod text;
mod tiles;

pub use bulk::{CellChange, CellData};
pub use bytes::MapBytesError;
pub use capability::{Capability, TERRAIN_IDS};
pub use climb::ClimbLimit;
pub(crate) use edges::Edges;
pub use edit::EditError;
pub use floors::{Floor, Floors};
pub(crate) use heights::BodyEdges;
pub(crate) use journal::{Change, Journal};
pub(crate) use links::Links;
pub use links::{LINK_COST_MAX, LINK_SECONDS_MAX, LINK_TAG_MAX, LINKS_MAX, Link, LinkError};
pub use obstacles::{
    IGNORED_OBSTACLES_MAX, IgnoredObstacles, ObstacleCells, ObstacleError, ObstacleId, ObstacleLayers,
};
pub use region::{REGION_CELLS_MAX, REGION_SIDE_MAX, RegionError, check_region};
pub use text::MapTextError;
pub use tiles::{
    CoveredCell, TileFrame, TileLayer, TileMeaning, TileReach, Tiles, UntoldCells, cells_of_tiles,
};

use std::sync::Arc;

use crate::bitgrid::{BitGrid, GridLayout, LocalRect, local};
use crate::geometry::{Cell, CellRect};
use crate::height_field::HeightField;
use crate::raster::Raster;
use edit::{check_terrain, check_weight};
use obstacles::Obstacles;
use sparse::Sparse;

/// Solid flag, one-way flag, terrain id, weight and floor of the cells of a region, and the edges between
/// them, with a journal of what changed.
///
/// A one-way cell that is not solid is open; it supports bodies that jump and fall from above. One-way flags,
/// terrain ids, weights, floors and edges take no memory until a cell or an edge gets another than the usual
/// one. A clone shares the cells until one of both is edited.
///
/// ```
/// use pathforge_core::geometry::{Cell, CellRect};
/// use pathforge_core::terrain::Terrain;
///
/// let mut terrain = Terrain::from_text("..#\n..~\n", Cell::new(0, 0))?;
/// assert!(terrain.is_solid(Cell::new(2, 0)));
/// assert_eq!(terrain.terrain(Cell::new(2, 1)), 1);
/// let changed = terrain.fill_solid(CellRect::new(0, 0, 3, 1), true);
/// assert_eq!(changed, Some(CellRect::new(0, 0, 2, 1)), "one cell was solid before");
/// assert_eq!(Terrain::from_bytes(&terrain.to_bytes())?.state_hash(), terrain.state_hash());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Terrain {
    region: CellRect,
    layout: GridLayout,
    solid: BitGrid,
    one_way: Option<Arc<BitGrid>>,
    ids: Sparse<u8>,
    weights: Sparse<f32>,
    floors: Option<Arc<Floors>>,
    edges: Option<Arc<Edges>>,
    links: Option<Arc<Links>>,
    heights: Option<Arc<HeightField>>,
    obstacles: Option<Arc<Obstacles>>,
    journal: Journal,
}

impl Terrain {
    /// Returns a map of open cells of terrain 0 and weight 1.
    ///
    /// # Errors
    /// When the region has a negative side, leaves the range of `i32`, or is larger than [`REGION_SIDE_MAX`]
    /// and [`REGION_CELLS_MAX`] allow.
    pub fn new(region: CellRect) -> Result<Self, RegionError> {
        check_region(region)?;
        let layout = GridLayout::new(region.w as u32, region.h as u32);
        Ok(Self {
            region,
            layout,
            solid: BitGrid::new(layout),
            one_way: None,
            ids: Sparse::new(layout, 0),
            weights: Sparse::new(layout, 1.0),
            floors: None,
            edges: None,
            links: None,
            heights: None,
            obstacles: None,
            journal: Journal::default(),
        })
    }

    /// Returns the cells of the map.
    pub const fn region(&self) -> CellRect {
        self.region
    }

    /// Returns the measures of every padded grid that is made from this map.
    pub const fn layout(&self) -> GridLayout {
        self.layout
    }

    /// Counts the edits that changed something.
    pub const fn revision(&self) -> u64 {
        self.journal.revision()
    }

    /// Returns the journal of edits.
    pub const fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Ends joining in the journal: later edits get entries of their own. A reader that is up to date then
    /// repairs only what they touch.
    pub const fn seal_journal(&mut self) {
        self.journal.seal();
    }

    /// Returns the solid flags, one bit a cell.
    pub const fn solid(&self) -> &BitGrid {
        &self.solid
    }

    /// Returns the terrain ids, unless all are 0.
    pub(crate) fn ids(&self) -> Option<&Raster<u8>> {
        self.ids.array()
    }

    /// Returns the terrain ids, unless all are 0. They are never changed while the answer is kept: a later
    /// answer is the same pointer if no edit has changed an id meanwhile.
    pub fn shared_ids(&self) -> Option<Arc<Raster<u8>>> {
        self.ids.shared()
    }

    /// Returns the weights, unless all are 1.
    pub fn weights(&self) -> Option<&Raster<f32>> {
        self.weights.array()
    }

    /// Returns the bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        self.solid.memory()
            + self.one_way().map_or(0, BitGrid::memory)
            + self.ids.memory()
            + self.weights.memory()
            + self.floors.as_ref().map_or(0, |floors| floors.memory())
            + self.edges().map_or(0, Edges::memory)
            + self.heights.as_ref().map_or(0, |heights| heights.memory())
            + self.obstacles.as_ref().map_or(0, |obstacles| obstacles.memory())
            + self.journal.memory()
    }

    /// Returns the column and row of `cell`, counted from the region's corner.
    ///
    /// # Errors
    /// When the cell lies outside the region.
    pub fn local(&self, cell: Cell) -> Result<(u32, u32), EditError> {
        local(self.region, cell).ok_or(EditError::OutOfBounds { cell, region: self.region })
    }

    /// Returns whether `cell` is solid; cells outside are.
    pub fn is_solid(&self, cell: Cell) -> bool {
        // Cells outside count as solid, so that no body leaves the map.
        local(self.region, cell).is_none_or(|(x, y)| self.solid.get(self.layout.index(x, y)))
    }

    /// Returns the terrain id of `cell`; 0 outside.
    pub fn terrain(&self, cell: Cell) -> u8 {
        local(self.region, cell).map_or(0, |(x, y)| self.ids.get(x, y))
    }

    /// Returns the weight of `cell`, as it was set; 1 outside.
    pub fn weight(&self, cell: Cell) -> f32 {
        local(self.region, cell).map_or(1.0, |(x, y)| self.weights.get(x, y))
    }

    /// Returns whether a body of `capability` may enter `cell`: in the region, not solid, without an
    /// obstacle, of a terrain that it can cross.
    pub fn is_open(&self, cell: Cell, capability: Capability) -> bool {
        self.is_open_past(cell, capability, &IgnoredObstacles::NONE)
    }

    /// As [`Terrain::is_open`], for a body that walks through the obstacles of `ignored`.
    pub fn is_open_past(&self, cell: Cell, capability: Capability, ignored: &IgnoredObstacles) -> bool {
        !self.is_solid(cell) && capability.contains(self.terrain(cell)) && !self.is_blocked(cell, ignored)
    }

    /// Makes the cells of `rect` solid or open; returns the smallest rectangle of cells that changed, if any
    /// did. Cells outside the region are left out.
    pub fn fill_solid(&mut self, rect: CellRect, solid: bool) -> Option<CellRect> {
        let rect = LocalRect::within(self.region, rect)?;
        let changed = self.solid.fill(rect, solid)?;
        Some(self.changed(changed, Change::PASSABILITY))
    }

    /// As [`Terrain::fill_solid`], for one cell; returns whether it changed, and `None` outside the region.
    pub fn set_solid(&mut self, cell: Cell, solid: bool) -> Option<bool> {
        let (x, y) = local(self.region, cell)?;
        let changed = self.solid.set_at(x, y, solid);
        if changed {
            self.journal.record(LocalRect { x0: x, y0: y, x1: x + 1, y1: y + 1 }, Change::PASSABILITY);
        }
        Some(changed)
    }

    /// Gives the cells of `rect` a terrain; returns the smallest rectangle of cells that changed, if any did.
    ///
    /// # Errors
    /// When the id is not in 0 to 31.
    pub fn fill_terrain(&mut self, rect: CellRect, id: i64) -> Result<Option<CellRect>, EditError> {
        let id = check_terrain(id)?;
        let Some(rect) = LocalRect::within(self.region, rect) else { return Ok(None) };
        let changed = self.ids.fill(rect, id);
        Ok(changed.map(|c| self.changed(c, Change::TERRAIN)))
    }

    /// Gives the cells of `rect` a weight; returns the smallest rectangle of cells that changed, if any did.
    ///
    /// # Errors
    /// When the weight is not finite or is below zero.
    pub fn fill_weight(&mut self, rect: CellRect, weight: f32) -> Result<Option<CellRect>, EditError> {
        let weight = check_weight(weight)?;
        let Some(rect) = LocalRect::within(self.region, rect) else { return Ok(None) };
        let changed = self.weights.fill(rect, weight);
        Ok(changed.map(|c| self.changed(c, Change::WEIGHT)))
    }

    /// Makes every cell open, not one-way, of terrain 0 and weight 1, without a floor, and every edge open;
    /// returns the smallest rectangle that changed, if any did. Obstacles and links stay.
    pub fn clear(&mut self) -> Option<CellRect> {
        let all = self.layout.all();
        // All are filled before the journal notes one edit: readers see a single change.
        let parts = [
            self.solid.fill(all, false),
            self.fill_flags(all, false),
            self.ids.fill(all, 0),
            self.weights.fill(all, 1.0),
            self.fill_floors(all, floors::NO_FLOOR),
            self.open_edges(),
        ];
        let changed = parts.into_iter().flatten().reduce(LocalRect::union)?;
        Some(self.changed(changed, Change::ALL))
    }

    /// Returns a map of `region` that has this one's cells where both regions overlap, its heights, its
    /// obstacles and the links between these cells, with a journal of its own.
    ///
    /// # Errors
    /// As [`Terrain::new`].
    pub fn resized(&self, region: CellRect) -> Result<Self, RegionError> {
        let mut resized = Self::new(region)?;
        resized.take_obstacles(self);
        resized.take_heights(self);
        resized.take_links(self);
        resized.paste(self);
        resized.journal = Journal::default();
        Ok(resized)
    }

    /// Notes an edit of `rect` and returns it in the map's coordinates.
    fn changed(&mut self, rect: LocalRect, change: Change) -> CellRect {
        self.journal.record(rect, change);
        rect.to_cells(self.region)
    }
}

#[cfg(test)]
mod tests;
