//! Taking over what an import tells: all of it, or only what it tells differently.

use godot::prelude::*;
use pathforge_core::geometry::CellRect;
use pathforge_core::terrain::{CellChange, CellData, EditError, RegionError, Terrain};

use super::super::PathForgeGrid;
use super::import::Import;
use crate::engine::errors::reported;
use crate::engine::state;

/// Takes over every cell and the region. Returns `true` if it could.
pub fn all(mut this: Gd<PathForgeGrid>, method: &str, import: Import) -> bool {
    let region = import.region;
    let cells = import.cells().to_vec();
    this.bind_mut().tile_maps.imported = Some(import);
    PathForgeGrid::take_cells(this, method, region, &cells)
}

impl PathForgeGrid {
    /// Takes over every cell and the region. Returns `true` if it could.
    pub fn take_cells(this: Gd<Self>, method: &str, region: CellRect, cells: &[CellData]) -> bool {
        if region_of(&this) == region {
            Self::edit(this, method, |terrain| terrain.set_cells(cells));
            return true;
        }
        replace_by(this, method, Terrain::new(region), |terrain| terrain.set_cells(cells))
    }

    /// Takes over some cells, whose terrains and weights were checked when they were read.
    pub fn take_some_cells(this: Gd<Self>, method: &str, cells: &[CellChange]) {
        if !cells.is_empty() {
            Self::edit(this, method, |terrain| terrain.change_cells(cells));
        }
    }
}

/// Takes over what this import tells differently from the last: cells that a game has set meanwhile stay as
/// they are where no tile has changed.
pub fn differences(mut this: Gd<PathForgeGrid>, method: &str, import: Import) -> bool {
    let region = import.region;
    let old = this.bind_mut().tile_maps.imported.take();
    let Some(old) = old else { return all(this, method, import) };
    let changed: Vec<CellChange> = if old.region == region {
        let pairs = region.cells().zip(old.cells().iter().zip(import.cells()));
        pairs.filter_map(|(cell, (was, is))| CellChange::between(cell, *was, *is)).collect()
    } else {
        let cells = region.cells().zip(import.cells());
        cells.filter_map(|(cell, is)| CellChange::between(cell, old.told(cell), *is)).collect()
    };
    this.bind_mut().tile_maps.imported = Some(import);
    if region_of(&this) == region {
        some(this, &changed);
        return true;
    }
    let resized = state::of(&this).lock().world.terrain().resized(region);
    replace_by(this, method, resized, |terrain| terrain.change_cells(&changed))
}

/// Replaces the grid's cells by those of `made` after an edit of these. Returns whether it could.
fn replace_by(
    this: Gd<PathForgeGrid>,
    method: &str,
    made: Result<Terrain, RegionError>,
    edit: impl FnOnce(&mut Terrain) -> Result<Option<CellRect>, EditError>,
) -> bool {
    let Some(mut terrain) = reported(method, made) else { return false };
    let edited = reported(method, edit(&mut terrain)).is_some();
    if edited {
        PathForgeGrid::replace(this, terrain);
    }
    edited
}

/// Takes over some cells.
pub fn some(this: Gd<PathForgeGrid>, cells: &[CellChange]) {
    PathForgeGrid::take_some_cells(this, "PathForgeGrid.source_layers", cells);
}

fn region_of(grid: &Gd<PathForgeGrid>) -> CellRect {
    state::of(grid).lock().world.terrain().region()
}
