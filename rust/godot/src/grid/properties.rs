//! What setting a property of the grid does, beyond storing it.

use godot::prelude::*;
use pathforge_core::geometry::{CellRect, DiagonalMode};

use super::{MIB_SHIFT, PathForgeGrid};
use crate::convert;
use crate::errors::{report, reported};
use crate::geometry::CellShape;

impl PathForgeGrid {
    /// Changes the region, keeps shared cells, and announces both regions as changed.
    pub(super) fn change_region(&mut self, property: &str, region: CellRect) {
        let changed = self.map.lock().set_region(region);
        let changed = reported(property, changed).flatten();
        self.announce_from_inside(changed);
    }

    pub(super) fn change_cell_size(&mut self, cell_size: Vector2) {
        if let Some(size) = reported("PathForgeGrid.cell_size", convert::cell_size(cell_size)) {
            self.map.lock().geometry.cell_size = size;
        }
    }

    pub(super) fn change_offset(&mut self, offset: Vector2) {
        if let Some(offset) = reported("PathForgeGrid.offset", convert::finite("offset", offset)) {
            self.map.lock().geometry.offset = offset;
        }
    }

    pub(super) fn change_cell_shape(&mut self, shape: i64) {
        match usize::try_from(shape).ok().and_then(|number| CellShape::ALL.get(number)) {
            Some(shape) => self.map.lock().geometry.shape = *shape,
            None => {
                report("PathForgeGrid.cell_shape", format_args!("{shape} is not a CELL_SHAPE_* constant"));
            }
        }
    }

    pub(super) fn change_diagonal_mode(&mut self, mode: i64) {
        match DiagonalMode::from_number(mode) {
            Some(mode) => {
                self.map.lock().mode = mode;
                self.inbox().set_mode(mode);
            }
            None => {
                report(
                    "PathForgeGrid.diagonal_mode",
                    format_args!("{mode} is not a DIAGONAL_MODE_* constant"),
                );
            }
        }
    }

    pub(super) fn change_layer_memory(&mut self, mebibytes: i64) {
        match usize::try_from(mebibytes).ok().filter(|&m| m >= 1).and_then(|m| m.checked_mul(1 << MIB_SHIFT))
        {
            Some(bytes) => self.map.lock().world.set_layer_memory_max(bytes),
            None => {
                report(
                    "PathForgeGrid.layer_memory_mib",
                    format_args!("{mebibytes} is not 1 or more mebibytes"),
                );
            }
        }
    }

    pub(super) fn change_terrain_names(&mut self, names: PackedStringArray) {
        let checked = convert::at_most_terrains("terrain_names", names.len());
        if reported("PathForgeGrid.terrain_names", checked).is_some() {
            self.names = names;
        }
    }

    /// From the node's local space to the world. The engine answers only on the thread that runs the scene tree, so
    /// elsewhere a node in the tree is taken where it was seen last.
    pub fn global_transform(&mut self) -> Transform2D {
        if godot::init::is_main_thread() || !self.base().is_inside_tree() {
            self.last_global = self.base().get_global_transform();
        }
        self.last_global
    }
}
