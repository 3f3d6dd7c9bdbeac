//! The verbs of `AStarGrid2D`: the same names, and the same answers.

use godot::prelude::*;
use pathforge_core::geometry::Cell;
use pathforge_core::path::Route;
use pathforge_core::terrain::{EditError, Terrain};
use pathforge_core::world::{GoalMode, World};

use super::PathForgeGrid;
use super::map::Map;
use crate::answers::path::cell_array;
use crate::engine::errors::reported;
use crate::engine::state;
use crate::script::convert::{self, cell};
use crate::script::geometry::CellGeometry;

#[godot_api(secondary)]
impl PathForgeGrid {
    /// Makes one cell solid, so that no body can enter it, or open again. Its terrain and weight stay.
    ///
    /// ```gdscript
    /// grid.set_point_solid(door_cell, not door.is_open)
    /// ```
    #[func(gd_self)]
    fn set_point_solid(this: Gd<Self>, id: Vector2i, #[opt(default = true)] solid: bool) {
        Self::edit_cell(this, "PathForgeGrid.set_point_solid", id, |terrain, rect| {
            Ok(terrain.fill_solid(rect, solid))
        });
    }

    /// Returns [code]true[/code] if a cell is solid; `false` and an error outside the region.
    #[func(gd_self)]
    fn is_point_solid(this: Gd<Self>, id: Vector2i) -> bool {
        let solid = |map: &Map, cell| map.world.terrain().is_solid(cell);
        Self::read(&this, "PathForgeGrid.is_point_solid", id, false, solid)
    }

    /// Makes all cells of `region` solid or open. Cells outside the grid are left out.
    #[func(gd_self)]
    fn fill_solid_region(this: Gd<Self>, region: Rect2i, #[opt(default = true)] solid: bool) {
        Self::edit_region(this, "PathForgeGrid.fill_solid_region", region, |terrain, rect| {
            Ok(terrain.fill_solid(rect, solid))
        });
    }

    /// Sets what a step onto a cell costs: its length times the weight. Finite and 0 or more; 1 is the
    /// default. A cell keeps the nearest multiple of 1/70 from 1/70 to 660; of the first weight beyond these
    /// limits the grid warns. A body pays the largest weight that it stands on, and walks there as fast as
    /// elsewhere.
    #[func(gd_self)]
    fn set_point_weight_scale(this: Gd<Self>, id: Vector2i, weight_scale: f64) {
        let method = "PathForgeGrid.set_point_weight_scale";
        let weight = Self::kept_weight(&this, method, || id, weight_scale as f32);
        Self::edit_cell(this, method, id, |terrain, rect| terrain.fill_weight(rect, weight));
    }

    /// Returns the weight of a cell, as it counts: see [method set_point_weight_scale]; 0 and an error
    /// outside the region.
    #[func(gd_self)]
    fn get_point_weight_scale(this: Gd<Self>, id: Vector2i) -> f64 {
        let weight = |map: &Map, cell| f64::from(map.world.terrain().weight(cell));
        Self::read(&this, "PathForgeGrid.get_point_weight_scale", id, 0.0, weight)
    }

    /// Sets the weight of all cells of `region`. Cells outside the grid are left out.
    #[func(gd_self)]
    fn fill_weight_scale_region(this: Gd<Self>, region: Rect2i, weight_scale: f64) {
        let method = "PathForgeGrid.fill_weight_scale_region";
        let weight = Self::kept_weight(&this, method, || region.position, weight_scale as f32);
        Self::edit_region(this, method, region, |terrain, rect| terrain.fill_weight(rect, weight));
    }

    /// Returns [code]true[/code] if the cell at column `x` and row `y` lies in [member region].
    #[func(gd_self)]
    fn is_in_bounds(this: Gd<Self>, x: i64, y: i64) -> bool {
        let cell = i32::try_from(x).ok().zip(i32::try_from(y).ok()).map(|(x, y)| Cell::new(x, y));
        cell.is_some_and(|cell| state::of(&this).lock().world.terrain().region().contains(cell))
    }

    /// Returns [code]true[/code] if a cell lies in [member region].
    #[func(gd_self)]
    fn is_in_boundsv(this: Gd<Self>, id: Vector2i) -> bool {
        state::of(&this).lock().world.terrain().region().contains(cell(id))
    }

    /// Returns the position of a cell as `AStarGrid2D` gives it, in local space: for square cells the
    /// top-left corner, for isometric ones the centre. See [method cell_to_local] for the centre of every
    /// shape. `(0, 0)` and an error outside the region.
    #[func(gd_self)]
    fn get_point_position(this: Gd<Self>, id: Vector2i) -> Vector2 {
        let position = |map: &Map, cell| map.geometry.point_position(cell);
        Self::read(&this, "PathForgeGrid.get_point_position", id, Vector2::ZERO, position)
    }

    /// Returns one dictionary for each cell that lies in `region` and in the grid, row by row, with the keys
    /// `id`, `position`, `solid` and `weight_scale`.
    #[func(gd_self)]
    fn get_point_data_in_region(this: Gd<Self>, region: Rect2i) -> Array<VarDictionary> {
        let checked = convert::fill_rect(region);
        let rect = reported("PathForgeGrid.get_point_data_in_region", checked).unwrap_or_default();
        let map = state::of(&this);
        let map = map.lock();
        let cells = rect.intersection(map.world.terrain().region()).cells();
        cells.map(|cell| map.point_data(cell)).collect()
    }

    /// Returns the cells of the path of the least cost from one cell to another, both included, for a body of
    /// one cell that may enter every terrain. Empty without a path, and when `from_id` is solid, as in Godot
    /// 4.6.
    ///
    /// With `allow_partial_path`, the path to the reachable cell that is nearest to `to_id`, when `to_id`
    /// cannot be reached. See [method find_path] for bodies of other sizes, for the cost, and for the reason
    /// when there is no path.
    #[func(gd_self)]
    fn get_id_path(
        this: Gd<Self>,
        from_id: Vector2i,
        to_id: Vector2i,
        #[opt(default = false)] allow_partial_path: bool,
    ) -> Array<Vector2i> {
        let (route, _) =
            Self::astar_route(&this, "PathForgeGrid.get_id_path", from_id, to_id, allow_partial_path);
        cell_array(&route)
    }

    /// Returns the path of [method get_id_path] as positions, those of [method get_point_position]. The
    /// fastest method that asks for a path.
    ///
    /// ```gdscript
    /// $Line2D.points = grid.get_point_path(Vector2i(0, 0), Vector2i(30, 12))
    /// ```
    #[func(gd_self)]
    fn get_point_path(
        this: Gd<Self>,
        from_id: Vector2i,
        to_id: Vector2i,
        #[opt(default = false)] allow_partial_path: bool,
    ) -> PackedVector2Array {
        let (route, geometry) =
            Self::astar_route(&this, "PathForgeGrid.get_point_path", from_id, to_id, allow_partial_path);
        point_positions(&route, &geometry)
    }

    /// Removes all cells: [member region] becomes empty.
    #[func(gd_self)]
    fn clear(this: Gd<Self>) {
        Self::replace(this, empty());
    }
}

impl PathForgeGrid {
    /// The path of one cell, and where cells lie.
    fn astar_route(
        this: &Gd<Self>,
        method: &str,
        from_id: Vector2i,
        to_id: Vector2i,
        partial: bool,
    ) -> (Route, CellGeometry) {
        let map = state::of(this);
        let (route, geometry) = {
            let mut map = map.lock();
            (map.astar_route(cell(from_id), cell(to_id), partial), map.geometry)
        };
        (reported(method, route).unwrap_or_default(), geometry)
    }
}

impl Map {
    pub(super) fn astar_route(&mut self, from: Cell, to: Cell, partial: bool) -> Result<Route, EditError> {
        let terrain = self.world.terrain();
        terrain.local(from).and_then(|_| terrain.local(to))?;
        (self.query.start, self.query.goal) = (from, to);
        self.query.profile.diagonal_mode = self.mode;
        self.query.goal_mode = if partial { GoalMode::Nearest } else { GoalMode::Exact };
        Ok(self.world.find_path(&self.query).route)
    }

    fn point_data(&self, cell: Cell) -> VarDictionary {
        let terrain = self.world.terrain();
        let mut data = VarDictionary::new();
        data.set("id", convert::vector(cell));
        data.set("position", self.geometry.point_position(cell));
        data.set("solid", terrain.is_solid(cell));
        data.set("weight_scale", terrain.weight(cell));
        data
    }
}

/// The position of every cell of a route.
pub(super) fn point_positions(route: &Route, geometry: &CellGeometry) -> PackedVector2Array {
    let mut positions = PackedVector2Array::new();
    positions.resize(route.cell_count());
    geometry.write_point_positions(route, positions.as_mut_slice());
    positions
}

/// A map without cells.
fn empty() -> Terrain {
    World::default().terrain().clone()
}
