//! Cells and positions.

use godot::prelude::*;
use pathforge_core::bitgrid::BitGrid;
use pathforge_core::geometry::{CellRect, Footprint};
use pathforge_core::passability::open_grid;
use pathforge_core::terrain::Capability;

use super::PathForgeGrid;
use crate::convert::{self, vector_or_none};
use crate::errors::reported;
use crate::geometry::CellGeometry;
use crate::state;

#[godot_api(secondary)]
impl PathForgeGrid {
    /// The cell that holds a position in the node's local space, also outside the region. `Vector2i.MIN` when the
    /// position is not finite.
    ///
    /// ```gdscript
    /// func _unhandled_input(event: InputEvent) -> void:
    ///     if event is InputEventMouseButton and event.pressed:
    ///         var cell := grid.local_to_cell(grid.get_local_mouse_position())
    /// ```
    #[func(gd_self)]
    fn local_to_cell(this: Gd<Self>, position: Vector2) -> Vector2i {
        vector_or_none(Self::geometry_of(&this).cell_at(position))
    }

    /// The centre of a cell in the node's local space, also outside the region.
    #[func(gd_self)]
    fn cell_to_local(this: Gd<Self>, cell: Vector2i) -> Vector2 {
        Self::geometry_of(&this).footprint_center(convert::cell(cell), Footprint::ONE)
    }

    /// The cell that holds a global position. `Vector2i.MIN` when the position is not finite.
    #[func]
    fn global_to_cell(&mut self, position: Vector2) -> Vector2i {
        let to_global = self.global_transform();
        // A node that is scaled to nothing has no inverse.
        if to_global.determinant() == 0.0 || !position.is_finite() {
            return convert::NO_CELL;
        }
        vector_or_none(self.cell_geometry().cell_at(to_global.affine_inverse() * position))
    }

    /// The centre of a cell in global space.
    #[func]
    fn cell_to_global(&mut self, cell: Vector2i) -> Vector2 {
        self.global_transform() * self.cell_geometry().footprint_center(convert::cell(cell), Footprint::ONE)
    }

    /// The centre of a body of `footprint` cells that stands with its top-left cell at `cell`, in the node's local
    /// space. A footprint that is not within 1×1 and 64×64 is an error, and the answer is the centre of the cell.
    ///
    /// ```gdscript
    /// barge.position = grid.footprint_center(Vector2i(8, 3), barge_profile.footprint)
    /// ```
    #[func(gd_self)]
    fn footprint_center(this: Gd<Self>, cell: Vector2i, footprint: Vector2i) -> Vector2 {
        let checked = convert::footprint(footprint);
        let footprint = reported("PathForgeGrid.footprint_center", checked).unwrap_or_default();
        Self::geometry_of(&this).footprint_center(convert::cell(cell), footprint)
    }
}

impl PathForgeGrid {
    /// The cells that are open to bodies that may enter every terrain, the region, and how cells lie.
    pub fn open_cells(&self) -> (BitGrid, CellRect, CellGeometry) {
        let map = self.map.lock();
        let terrain = map.world.terrain();
        (open_grid(terrain, Capability::ALL), terrain.region(), map.geometry)
    }

    /// Where the cells of a grid lie.
    pub fn geometry_of(this: &Gd<Self>) -> CellGeometry {
        state::of(this).lock().geometry
    }
}
