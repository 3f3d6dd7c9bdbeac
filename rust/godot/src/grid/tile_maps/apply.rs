//! Taking over what an import tells: all of it, or only what it tells differently.

use godot::prelude::*;
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::terrain::{CellData, EditError, RegionError, Terrain};

use super::super::PathForgeGrid;
use super::import::Import;
use super::joined;
use crate::errors::reported;
use crate::state;

/// From so many cells on, whole arrays are set instead of cells.
const CELLS_ONE_BY_ONE_MAX: usize = 256;

/// Takes over every cell and the region. Returns `true` if it could.
pub fn all(mut this: Gd<PathForgeGrid>, method: &str, import: Import) -> bool {
    let region = import.region;
    let cells = import.cells().to_vec();
    this.bind_mut().tile_maps.imported = Some(import);
    if region_of(&this) == region {
        PathForgeGrid::edit(this, method, |terrain| set_all(terrain, &cells));
        return true;
    }
    replace_by(this, method, Terrain::new(region), |terrain| set_all(terrain, &cells))
}

/// Takes over what this import tells differently from the last: cells that a game has set meanwhile stay as they are
/// where no tile has changed.
pub fn differences(mut this: Gd<PathForgeGrid>, method: &str, import: Import) -> bool {
    let region = import.region;
    let old = this.bind_mut().tile_maps.imported.take();
    let Some(old) = old else { return all(this, method, import) };
    let changed: Vec<(Cell, CellData)> = if old.region == region {
        let pairs = region.cells().zip(old.cells().iter().zip(import.cells()));
        pairs.filter(|(_, (was, is))| was != is).map(|(cell, (_, is))| (cell, *is)).collect()
    } else {
        let cells = region.cells().zip(import.cells());
        cells.filter(|(cell, is)| old.told(*cell) != **is).map(|(cell, is)| (cell, *is)).collect()
    };
    this.bind_mut().tile_maps.imported = Some(import);
    if region_of(&this) == region {
        some(this, &changed);
        return true;
    }
    let resized = state::of(&this).lock().world.terrain().resized(region);
    replace_by(this, method, resized, |terrain| set_some(terrain, &changed))
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
pub fn some(this: Gd<PathForgeGrid>, cells: &[(Cell, CellData)]) {
    if !cells.is_empty() {
        // Terrains and weights were checked when they were read.
        PathForgeGrid::edit(this, "PathForgeGrid.source_layers", |terrain| set_some(terrain, cells));
    }
}

fn region_of(grid: &Gd<PathForgeGrid>) -> CellRect {
    state::of(grid).lock().world.terrain().region()
}

fn set_all(terrain: &mut Terrain, cells: &[CellData]) -> Result<Option<CellRect>, EditError> {
    let solid: Vec<u8> = cells.iter().map(|cell| u8::from(cell.solid)).collect();
    let ids: Vec<u8> = cells.iter().map(|cell| cell.terrain).collect();
    let weights: Vec<f32> = cells.iter().map(|cell| cell.weight).collect();
    let changed = terrain.set_solid_data(&solid)?;
    let changed = joined(changed, terrain.set_terrain_data(&ids)?);
    Ok(joined(changed, terrain.set_weight_data(&weights)?))
}

fn set_some(terrain: &mut Terrain, cells: &[(Cell, CellData)]) -> Result<Option<CellRect>, EditError> {
    if cells.len() > CELLS_ONE_BY_ONE_MAX {
        return set_many(terrain, cells);
    }
    let mut changed = None;
    for (cell, told) in cells {
        let rect = CellRect::cell(*cell);
        changed = joined(changed, terrain.fill_solid(rect, told.solid));
        changed = joined(changed, terrain.fill_terrain(rect, i64::from(told.terrain))?);
        changed = joined(changed, terrain.fill_weight(rect, told.weight)?);
    }
    Ok(changed)
}

fn set_many(terrain: &mut Terrain, cells: &[(Cell, CellData)]) -> Result<Option<CellRect>, EditError> {
    let region = terrain.region();
    let mut solid = terrain.solid_data();
    let mut ids = terrain.terrain_data();
    let mut weights = terrain.weight_data();
    for (cell, told) in cells.iter().filter(|(cell, _)| region.contains(*cell)) {
        let place = (cell.y - region.y) as usize * region.w as usize + (cell.x - region.x) as usize;
        solid[place] = u8::from(told.solid);
        ids[place] = told.terrain;
        weights[place] = told.weight;
    }
    let changed = terrain.set_solid_data(&solid)?;
    let changed = joined(changed, terrain.set_terrain_data(&ids)?);
    Ok(joined(changed, terrain.set_weight_data(&weights)?))
}
