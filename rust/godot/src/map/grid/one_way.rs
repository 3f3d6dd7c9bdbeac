//! One-way cells, which only bodies that jump and fall know.

use godot::prelude::*;

use super::PathForgeGrid;
use super::map::Map;
use crate::engine::state;

#[godot_api(secondary)]
impl PathForgeGrid {
    /// Makes one cell one-way or not. A one-way cell is open: the grid's own paths, fields and agents go
    /// through it. The bodies of a [PathForgePlatformer] land on it from above, jump through it from below,
    /// and may drop through it. A cell that is solid as well is solid.
    ///
    /// ```gdscript
    /// grid.set_point_one_way(Vector2i(4, 7)) # A platform of one cell.
    /// ```
    #[func(gd_self)]
    fn set_point_one_way(this: Gd<Self>, cell: Vector2i, #[opt(default = true)] one_way: bool) {
        Self::edit_cell(this, "PathForgeGrid.set_point_one_way", cell, |terrain, rect| {
            Ok(terrain.fill_one_way(rect, one_way))
        });
    }

    /// Returns [code]true[/code] if a cell is one-way; `false` and an error outside the region.
    #[func(gd_self)]
    fn is_point_one_way(this: Gd<Self>, cell: Vector2i) -> bool {
        let one_way = |map: &Map, cell| map.world.terrain().is_one_way(cell);
        Self::read(&this, "PathForgeGrid.is_point_one_way", cell, false, one_way)
    }

    /// Makes all cells of `region` one-way or not. Cells outside the grid are left out.
    #[func(gd_self)]
    fn fill_one_way_region(this: Gd<Self>, region: Rect2i, #[opt(default = true)] one_way: bool) {
        Self::edit_region(this, "PathForgeGrid.fill_one_way_region", region, |terrain, rect| {
            Ok(terrain.fill_one_way(rect, one_way))
        });
    }

    /// Makes cells one-way where `data` is not 0: one byte a cell, row by row over [member region].
    #[func(gd_self)]
    fn set_one_way_data(this: Gd<Self>, data: PackedByteArray) {
        Self::make(this, "PathForgeGrid.set_one_way_data", |terrain| {
            terrain.set_one_way_data(data.as_slice())
        });
    }

    /// One byte a cell, row by row over [member region]: 1 for one-way cells, 0 for others.
    #[func(gd_self)]
    fn get_one_way_data(this: Gd<Self>) -> PackedByteArray {
        PackedByteArray::from(state::of(&this).lock().world.terrain().one_way_data())
    }
}
