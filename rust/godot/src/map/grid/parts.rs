//! Parts of the map: copied out, and put back there or elsewhere.

use std::convert::Infallible;

use godot::prelude::*;
use pathforge_core::terrain::Terrain;

use super::PathForgeGrid;
use crate::engine::errors::reported;
use crate::engine::state;
use crate::script::convert::{self, NO_CELL};

#[godot_api(secondary)]
impl PathForgeGrid {
    /// The cells of `region` as bytes that [method paste_cells] reads: solid and one-way flags, terrain ids
    /// and weights, in the compact form of [method to_bytes]. Cells outside the grid are left out.
    ///
    /// It is a way to undo: copy before an edit, paste to take it back.
    ///
    /// ```gdscript
    /// var before := grid.copy_cells(building.cells)
    /// grid.fill_solid_region(building.cells)
    /// if player_regrets:
    ///     grid.paste_cells(before)
    /// ```
    #[func(gd_self)]
    fn copy_cells(this: Gd<Self>, region: Rect2i) -> PackedByteArray {
        let method = "PathForgeGrid.copy_cells";
        let rect = reported(method, convert::fill_rect(region));
        let part = rect.and_then(|rect| {
            let part = state::of(&this).lock().world.terrain().part(rect);
            reported(method, part)
        });
        part.map_or_else(PackedByteArray::new, |part| PackedByteArray::from(part.to_bytes()))
    }

    /// Puts cells that [method copy_cells] or [method to_bytes] gave back where they were, or with their
    /// top-left cell at `position`. What would land outside the grid is left out. Returns [code]true[/code]
    /// if the bytes could be read; after an error nothing has changed.
    ///
    /// ```gdscript
    /// var room := grid.copy_cells(Rect2i(0, 0, 12, 8))
    /// grid.paste_cells(room, Vector2i(20, 0)) # The same room once more.
    /// ```
    #[func(gd_self)]
    fn paste_cells(
        this: Gd<Self>,
        bytes: PackedByteArray,
        #[opt(default = NO_CELL)] position: Vector2i,
    ) -> bool {
        let method = "PathForgeGrid.paste_cells";
        let read = Terrain::from_bytes(bytes.as_slice());
        let moved = match position {
            NO_CELL => read,
            corner => read.and_then(|part| Ok(part.moved(convert::cell(corner))?)),
        };
        let Some(part) = reported(method, moved) else { return false };
        Self::edit(this, method, |terrain| Ok::<_, Infallible>(terrain.paste(&part)));
        true
    }
}
