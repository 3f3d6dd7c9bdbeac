//! Asking the field about cells.

use godot::prelude::*;

use super::FlowField;
use crate::convert::{self, vector_or_none};
use crate::geometry::CellGeometry;
use crate::grid::PathForgeGrid;

#[godot_api(secondary)]
impl FlowField {
    /// Builds the field at once, as the properties say now, whatever [member auto_update] and the budget are. Works outside
    /// the scene tree, too.
    ///
    /// ```gdscript
    /// var field := FlowField.new()
    /// field.grid = grid
    /// field.set_goal(castle_gate)
    /// field.rebuild()
    /// print(field.get_cost(Vector2i(3, 4)))
    /// ```
    #[func(gd_self)]
    fn rebuild(mut this: Gd<Self>) {
        let news = {
            let mut field = this.bind_mut();
            let Some(grid) = field.grid_for("FlowField.rebuild") else { return };
            field.build_now(grid)
        };
        Self::announce(&this, news);
    }

    /// Whether there is a field to ask. It is there from the first build on, and while there is a grid; without it, every
    /// cost is `INF` and every direction `Vector2.ZERO`. It may be the field of a moment ago while its successor is built.
    #[func]
    fn is_ready(&self) -> bool {
        self.made_for().is_some()
    }

    /// What it costs a body to get from `cell` to the nearest goal, in cell widths, as [method PathForgeGrid.find_path] would
    /// say. 0 on goals; `INF` where no goal can be reached, and outside the region.
    #[func]
    fn get_cost(&self, cell: Vector2i) -> f64 {
        let cost = self.upkeep.field().and_then(|field| field.cost(convert::cell(cell)));
        cost.map_or(f64::INFINITY, pathforge_core::Cost::cells)
    }

    /// The direction of the next step from `cell`: a unit vector in the grid's local space. `Vector2.ZERO` on goals, where
    /// no goal can be reached, and outside the region.
    ///
    /// Of several steps on cheapest ways, it is the one to the cell with the smaller y, then the smaller x.
    #[func]
    fn get_direction(&self, cell: Vector2i) -> Vector2 {
        let direction = self.upkeep.field().and_then(|field| field.direction(convert::cell(cell)));
        let Some((direction, geometry)) = direction.zip(self.geometry()) else { return Vector2::ZERO };
        Compass::new(&geometry).0[direction as usize]
    }

    /// The cell after `cell` on the way to the nearest goal: `cell` itself on a goal, `Vector2i.MIN` where no goal can be
    /// reached, and outside the region. The step is always legal.
    #[func]
    fn get_next_cell(&self, cell: Vector2i) -> Vector2i {
        vector_or_none(self.upkeep.field().and_then(|field| field.next_cell(convert::cell(cell))))
    }

    /// Every cell on the way from `cell` to the nearest goal, both included. Empty where no goal can be reached, and outside
    /// the region. Its cost is [method get_cost].
    #[func]
    fn get_path_from(&self, cell: Vector2i) -> Array<Vector2i> {
        let cells = self.upkeep.field().map(|field| field.path_from(convert::cell(cell)));
        cells.unwrap_or_default().into_iter().map(convert::vector).collect()
    }

    /// Whether a body can walk from `cell` to a goal in a straight line, at the cost of the field: it fits everywhere on the
    /// way, where a step costs no more than its length. Of many goals, the first 64 in reading order are looked for.
    #[func]
    fn has_line_of_sight(&self, cell: Vector2i) -> bool {
        self.upkeep.field().is_some_and(|field| field.has_line_of_sight(convert::cell(cell)))
    }

    /// The cost of every cell, as [method get_cost]: one number a cell, row by row over the grid's region. Empty without a
    /// field.
    #[func]
    fn get_cost_data(&self) -> PackedFloat32Array {
        let Some(field) = self.upkeep.field() else { return PackedFloat32Array::new() };
        let cost = |cell| field.cost(cell).map_or(f32::INFINITY, |cost| cost.cells() as f32);
        field.region().cells().map(cost).collect()
    }

    /// The direction of every cell, as [method get_direction]: one vector a cell, row by row over the grid's region. Empty
    /// without a field.
    #[func]
    fn get_direction_data(&self) -> PackedVector2Array {
        let Some((field, geometry)) = self.upkeep.field().zip(self.geometry()) else {
            return PackedVector2Array::new();
        };
        let compass = Compass::new(&geometry);
        let direction = |cell| field.direction(cell).map_or(Vector2::ZERO, |d| compass.0[d as usize]);
        field.region().cells().map(direction).collect()
    }

    /// How long the last update took, in microseconds, over all frames that it was made in.
    #[func]
    fn get_update_usec(&self) -> i64 {
        self.upkeep.figures().usec as i64
    }

    /// How many cells the last update wrote: all that are reached when the field was built, those whose cost changed when it
    /// was repaired.
    #[func]
    fn get_updated_cell_count(&self) -> i64 {
        self.upkeep.figures().cells as i64
    }
}

impl FlowField {
    /// The grid that the field in use was made for, if both are there.
    pub(super) fn made_for(&self) -> Option<Gd<PathForgeGrid>> {
        Gd::try_from_instance_id(self.upkeep.order()?.kind.grid).ok()
    }

    /// Where the cells of that grid lie.
    pub(super) fn geometry(&self) -> Option<CellGeometry> {
        Some(self.made_for()?.bind().cell_geometry())
    }
}

/// The eight directions in the grid's local space, by number.
struct Compass([Vector2; 8]);

impl Compass {
    fn new(geometry: &CellGeometry) -> Self {
        let frame = geometry.transform();
        Self(pathforge_core::Direction::ALL.map(|d| {
            (frame.a * d.dx() as f32 + frame.b * d.dy() as f32).try_normalized().unwrap_or_default()
        }))
    }
}
