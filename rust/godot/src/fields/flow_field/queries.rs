//! Asking the field about cells.

use godot::prelude::*;
use pathforge_core::geometry::{Cell, Direction};

use super::FlowField;
use super::upkeep::Upkeep;
use crate::engine::direct::{Declared, Functions};
use crate::engine::errors::reported;
use crate::engine::state::{self, State};
use crate::map::grid::PathForgeGrid;
use crate::map::grid_link::NO_GRID;
use crate::script::convert::{self, vector_or_none};
use crate::script::geometry::CellGeometry;

#[godot_api(secondary)]
impl FlowField {
    /// Builds the field at once, as the properties say now, whatever [member auto_update] and the budget are.
    /// Works outside the scene tree, too.
    ///
    /// ```gdscript
    /// var field := FlowField.new()
    /// field.grid = grid
    /// field.goals = [castle_gate]
    /// field.rebuild()
    /// print(field.get_cost(Vector2i(3, 4)))
    /// ```
    #[func(gd_self)]
    fn rebuild(mut this: Gd<Self>) {
        let message = {
            let mut field = this.bind_mut();
            let Some(grid) = field.grid_for("FlowField.rebuild") else { return };
            field.build_now(&grid)
        };
        Self::announce(&this, message);
    }

    /// Returns [code]true[/code] if there is a field to ask. It is there from the first build on, and while
    /// there is a grid; without it, every cost is `INF` and every direction `Vector2.ZERO`. It may be the
    /// field of a moment ago while its successor is built.
    #[func]
    fn is_ready(&self) -> bool {
        self.made_for().is_some()
    }

    /// Returns what it costs a body to get from `cell` to the nearest goal, in cell widths, as [method
    /// PathForgeGrid.find_path] would say. 0 on goals; `INF` where no goal can be reached, and outside the
    /// region.
    #[func(gd_self)]
    fn get_cost(this: Gd<Self>, cell: Vector2i) -> f64 {
        state::of(&this).lock().cost(convert::cell(cell))
    }

    /// Returns the direction of the next step from `cell`: a unit vector in the grid's local space.
    /// `Vector2.ZERO` on goals, where the path takes a link, where no goal can be reached, and outside the
    /// region.
    ///
    /// Of several steps on paths of the least cost, it is the one to the cell with the smaller y, then the
    /// smaller x.
    #[func(gd_self)]
    fn get_direction(this: Gd<Self>, cell: Vector2i) -> Vector2 {
        state::of(&this).lock().direction(convert::cell(cell))
    }

    /// Returns the cell after `cell` on the path to the nearest goal: `cell` itself on a goal, `Vector2i.MIN`
    /// where no goal can be reached, and outside the region. The step is always legal. Where the path takes a
    /// link, see [method PathForgeGrid.add_link], the next cell is the one to which it leads.
    #[func(gd_self)]
    fn get_next_cell(this: Gd<Self>, cell: Vector2i) -> Vector2i {
        vector_or_none(state::of(&this).lock().field().and_then(|field| field.next_cell(convert::cell(cell))))
    }

    /// Returns every cell on the path from `cell` to the nearest goal, both included. Empty where no goal can
    /// be reached, and outside the region. Its cost is [method get_cost].
    #[func(gd_self)]
    fn get_path_from(this: Gd<Self>, cell: Vector2i) -> Array<Vector2i> {
        let cells = state::of(&this).lock().field().map(|field| field.path_from(convert::cell(cell)));
        cells.unwrap_or_default().into_iter().map(convert::vector).collect()
    }

    /// Returns [code]true[/code] if a body can walk from `cell` to a goal in a straight line, at the cost of
    /// the field. It fits everywhere on the line, and steps there cost no more than their length. Of many
    /// goals, only the first 64 in reading order are checked.
    #[func(gd_self)]
    fn has_line_of_sight(this: Gd<Self>, cell: Vector2i) -> bool {
        state::of(&this).lock().field().is_some_and(|field| field.has_line_of_sight(convert::cell(cell)))
    }

    /// Returns the cost of every cell, as [method get_cost]: one number a cell, row by row over the grid's
    /// region. Empty without a field.
    #[func(gd_self)]
    fn get_cost_data(this: Gd<Self>) -> PackedFloat32Array {
        let upkeep = state::of(&this);
        let upkeep = upkeep.lock();
        let Some(field) = upkeep.field() else { return PackedFloat32Array::new() };
        let cost = |cell| field.integration().cost(cell).map_or(f32::INFINITY, |cost| cost.cells() as f32);
        field.integration().region().cells().map(cost).collect()
    }

    /// Returns the direction of every cell, as [method get_direction]: one vector a cell, row by row over the
    /// grid's region. Empty without a field.
    #[func(gd_self)]
    fn get_direction_data(this: Gd<Self>) -> PackedVector2Array {
        let upkeep = state::of(&this);
        let upkeep = upkeep.lock();
        let Some((field, geometry)) = upkeep.field().zip(upkeep.geometry()) else {
            return PackedVector2Array::new();
        };
        let units = Direction::ALL.map(|direction| unit(&geometry, direction));
        let direction = |cell| field.direction(cell).map_or(Vector2::ZERO, |d| units[d as usize]);
        field.integration().region().cells().map(direction).collect()
    }
}

impl FlowField {
    /// The grid, or an error that names the method which needs it.
    fn grid_for(&mut self, method: &str) -> Option<Gd<PathForgeGrid>> {
        let node = self.to_gd().upcast();
        reported(method, self.link.resolve(&node).ok_or(NO_GRID))
    }

    /// The grid that the field in use was made for, if both are there.
    pub(super) fn made_for(&self) -> Option<Gd<PathForgeGrid>> {
        let grid = self.upkeep.lock().grid()?;
        Gd::try_from_instance_id(grid).ok()
    }
}

impl FlowField {
    /// The direct answer of a method, if it has one.
    pub fn direct(method: &str, declared: Declared) -> Option<Functions> {
        Some(match method {
            "sample" => declared.after(|_: &Gd<Self>, upkeep: &State<Upkeep>, (position,): (Vector2,)| {
                Some(upkeep.try_lock()?.sample(position))
            }),
            "get_direction" => {
                declared.after(|_: &Gd<Self>, upkeep: &State<Upkeep>, (cell,): (Vector2i,)| {
                    Some(upkeep.try_lock()?.direction(convert::cell(cell)))
                })
            }
            "get_cost" => declared.after(|_: &Gd<Self>, upkeep: &State<Upkeep>, (cell,): (Vector2i,)| {
                Some(upkeep.try_lock()?.cost(convert::cell(cell)))
            }),
            _ => return None,
        })
    }
}

impl Upkeep {
    fn cost(&self, cell: Cell) -> f64 {
        let cost = self.field().and_then(|field| field.integration().cost(cell));
        cost.map_or(f64::INFINITY, pathforge_core::cost::Cost::cells)
    }

    fn direction(&self, cell: Cell) -> Vector2 {
        let direction = self.field().and_then(|field| field.direction(cell));
        let Some((direction, geometry)) = direction.zip(self.geometry()) else { return Vector2::ZERO };
        unit(&geometry, direction)
    }

    /// Where the cells lie of the grid that the field in use was made for; `None` when that is gone.
    pub(super) fn geometry(&self) -> Option<CellGeometry> {
        let grid = state::of_id::<PathForgeGrid>(self.grid()?)?;
        let geometry = grid.lock().geometry;
        Some(geometry)
    }
}

/// A direction in the grid's local space.
fn unit(geometry: &CellGeometry, direction: Direction) -> Vector2 {
    let frame = geometry.transform();
    let along = frame.a * direction.dx() as f32 + frame.b * direction.dy() as f32;
    along.try_normalized().unwrap_or_default()
}
