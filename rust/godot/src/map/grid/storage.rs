//! Cells as bytes: for saved games, for the scene, and parts that are copied and pasted.

use std::convert::Infallible;

use godot::prelude::*;
use pathforge_core::terrain::{MapBytesError, Terrain};
use pathforge_core::world::World;

use super::PathForgeGrid;
use crate::engine::errors::reported;
use crate::engine::state;
use crate::script::convert::{self, NO_CELL};

#[godot_api(secondary)]
impl PathForgeGrid {
    /// Returns region, cells and links in a compact form that [method from_bytes] reads, for saved games.
    ///
    /// ```gdscript
    /// var file := FileAccess.open("user://map.bin", FileAccess.WRITE)
    /// file.store_buffer(grid.to_bytes())
    /// ```
    #[func(gd_self)]
    fn to_bytes(this: Gd<Self>) -> PackedByteArray {
        PackedByteArray::from(state::of(&this).lock().world.terrain().to_bytes())
    }

    /// Takes region, cells and links from bytes that [method to_bytes] made. Returns [code]true[/code] if it could;
    /// after an error nothing has changed.
    #[func(gd_self)]
    fn from_bytes(this: Gd<Self>, bytes: PackedByteArray) -> bool {
        let read = Terrain::from_bytes(bytes.as_slice());
        let Some(terrain) = reported("PathForgeGrid.from_bytes", read) else { return false };
        Self::load(this, terrain);
        true
    }

    /// Returns a number that depends on region, cells and links: equal grids have the same number, on every machine.
    #[func(gd_self)]
    fn state_hash(this: Gd<Self>) -> i64 {
        state::of(&this).lock().world.terrain().state_hash().cast_signed()
    }

    /// The cells of `region` as bytes that [method paste_cells] reads: solid and one-way flags, terrain ids,
    /// weights, floors and edges, in the compact form of [method to_bytes]. Cells outside the grid are left out.
    ///
    /// It is a way to undo: copy before an edit, paste to take it back. An edge at the rim of the region comes
    /// back for both ways alike. To take back a ledge there, copy one cell more on each side.
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

impl PathForgeGrid {
    /// What the scene file keeps: nothing when it should not, or when every cell is as it is by default.
    pub(super) fn cells_for_the_scene(&self) -> PackedByteArray {
        let map = self.map.lock();
        let terrain = map.world.terrain();
        let untouched = || {
            World::new(terrain.region()).is_ok_and(|open| open.terrain().state_hash() == terrain.state_hash())
        };
        if !self.store_cells || terrain.region().is_empty() || untouched() {
            return PackedByteArray::new();
        }
        PackedByteArray::from(terrain.to_bytes())
    }

    /// Takes cells from a scene file. A region that the scene gave before is kept, as an inherited scene may
    /// change it.
    pub(super) fn take_cells_of_the_scene(&mut self, bytes: &PackedByteArray) {
        let region = self.cell_region();
        let fitted = if bytes.is_empty() {
            Terrain::new(region).map_err(MapBytesError::from)
        } else {
            Terrain::from_bytes(bytes.as_slice()).and_then(|terrain| {
                let fits = region.is_empty() || terrain.region() == region;
                Ok(if fits { terrain } else { terrain.resized(region)? })
            })
        };
        if let Some(terrain) = reported("PathForgeGrid._stored_cells", fitted) {
            let changed = self.map.lock().load(terrain);
            self.announce_from_inside(changed);
        }
    }
}
