//! Reading the map.

use godot::classes::image::Format;
use godot::classes::{Image, ImageTexture};
use godot::prelude::*;
use pathforge_core::geometry::CellRect;

use super::ClearanceMap;
use crate::engine::state;
use crate::map::grid::PathForgeGrid;
use crate::overlay::show_in;
use crate::script::convert;

#[godot_api(secondary)]
impl ClearanceMap {
    /// Returns the clearance of a cell, at most [member max_clearance]. 0 where a body of [member profile]
    /// may not enter, and outside the region.
    ///
    /// ```gdscript
    /// if clearance.get_clearance(cell) >= 2:
    ///     print("A tank of 2×2 cells can stand here.")
    /// ```
    #[func]
    fn get_clearance(&mut self, cell: Vector2i) -> i64 {
        let key = self.for_the_body(self.key);
        let Some(grid) = self.grid_for("ClearanceMap.get_clearance") else { return 0 };
        let cells = state::of(&grid);
        let mut cells = cells.lock();
        let (map, region) = cells.clearance_map(key);
        let cell = convert::cell(cell);
        if region.contains(cell) {
            i64::from(map.get((cell.x - region.x) as u32, (cell.y - region.y) as u32))
        } else {
            0
        }
    }

    /// Returns the clearance of every cell: one byte a cell, row by row over the grid's region.
    #[func]
    fn get_clearance_data(&mut self) -> PackedByteArray {
        let key = self.for_the_body(self.key);
        let Some(grid) = self.grid_for("ClearanceMap.get_clearance_data") else {
            return PackedByteArray::new();
        };
        let data = state::of(&grid).lock().clearance_map(key).0.data();
        PackedByteArray::from(data)
    }

    /// Returns the clearance of every cell as a texture of one texel a cell, for shaders: a red channel of 8
    /// bits, 1/255 for each cell of clearance. It is one texture that is brought up to date whenever this is
    /// called. `null` without a grid, or when the grid has no cells.
    ///
    /// ```gdscript
    /// func _on_clearance_changed(_region: Rect2i) -> void:
    ///     material.set_shader_parameter("clearance", clearance.get_clearance_texture())
    /// ```
    #[func]
    fn get_clearance_texture(&mut self) -> Option<Gd<ImageTexture>> {
        let key = self.for_the_body(self.key);
        let mut grid = self.grid_for("ClearanceMap.get_clearance_texture")?;
        if grid.bind().cell_region().is_empty() {
            return None;
        }
        let shown = Some((grid.instance_id(), grid.bind_mut().clearance_news(key, 0).0, key));
        if self.texture.is_none() || self.texture_of != shown {
            let image = clearance_image(&grid, key)?;
            show_in(&mut self.texture, &image);
            self.texture_of = shown;
        }
        self.texture.clone()
    }
}

/// A picture of the map, which has cells.
fn clearance_image(grid: &Gd<PathForgeGrid>, key: pathforge_core::world::ClearanceKey) -> Option<Gd<Image>> {
    let (data, CellRect { w, h, .. }) = {
        let cells = state::of(grid);
        let mut cells = cells.lock();
        let (map, region) = cells.clearance_map(key);
        (map.data(), region)
    };
    Image::create_from_data(w, h, false, Format::R8, &PackedByteArray::from(data))
}
