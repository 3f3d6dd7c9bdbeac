//! Cells and positions: of a body, the closest at which it fits, and one at random.

use godot::classes::RandomNumberGenerator;
use godot::global::randi;
use godot::prelude::*;
use pathforge_core::bitgrid::BitGrid;
use pathforge_core::geometry::{Cell, CellRect, Footprint};
use pathforge_core::passability::open_grid;
use pathforge_core::terrain::Capability;

use super::PathForgeGrid;
use crate::engine::errors::reported;
use crate::engine::state;
use crate::script::array_of::CellArray;
use crate::script::convert::{self, vector_or_none};
use crate::script::geometry::CellGeometry;
use crate::script::given::given;
use crate::script::optional_arg::ResourceArg;
use crate::script::profile::{Asker, ProfileArg};

#[godot_api(secondary)]
impl PathForgeGrid {
    /// Returns the top-left cell of the body whose centre is nearest to a position in the node's local space,
    /// also outside the region. Without a `profile` it is the cell that holds the position. `Vector2i.MIN` if
    /// the position is not finite.
    ///
    /// ```gdscript
    /// func _unhandled_input(event: InputEvent) -> void:
    ///     var click := event as InputEventMouseButton
    ///     if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
    ///         var cell := grid.local_to_cell(grid.get_local_mouse_position(), barge)
    /// ```
    #[func(gd_self)]
    fn local_to_cell(
        this: Gd<Self>,
        position: Vector2,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
    ) -> Vector2i {
        let (geometry, footprint) = Self::body_of(&this, &profile);
        vector_or_none(geometry.anchor_at(position, footprint))
    }

    /// The centre of a body that stands with its top-left cell at `cell`, in the node's local space, also
    /// outside the region: without a `profile`, the centre of the cell.
    ///
    /// ```gdscript
    /// boat.position = grid.cell_to_local(Vector2i(8, 3), barge)
    /// ```
    #[func(gd_self)]
    fn cell_to_local(
        this: Gd<Self>,
        cell: Vector2i,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
    ) -> Vector2 {
        let (geometry, footprint) = Self::body_of(&this, &profile);
        geometry.footprint_center(convert::cell(cell), footprint)
    }

    /// [method local_to_cell] for a position in global space.
    #[func]
    fn global_to_cell(
        &mut self,
        position: Vector2,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
    ) -> Vector2i {
        let to_global = self.global_transform();
        // A node that is scaled to nothing has no inverse.
        if to_global.determinant() == 0.0 || !position.is_finite() {
            return convert::NO_CELL;
        }
        let position = to_global.affine_inverse() * position;
        let footprint = Asker::of(&profile, self.grid_diagonal_mode()).profile.footprint;
        vector_or_none(self.cell_geometry().anchor_at(position, footprint))
    }

    /// [method cell_to_local] in global space.
    #[func]
    fn cell_to_global(
        &mut self,
        cell: Vector2i,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
    ) -> Vector2 {
        let footprint = Asker::of(&profile, self.grid_diagonal_mode()).profile.footprint;
        self.global_transform() * self.cell_geometry().footprint_center(convert::cell(cell), footprint)
    }

    /// [method local_to_cell] for many positions, in their order. Ten thousand take a third of a millisecond.
    ///
    /// ```gdscript
    /// var cells := grid.local_to_cells(crowd.get_positions(), soldier)
    /// ```
    #[func(gd_self)]
    fn local_to_cells(
        this: Gd<Self>,
        positions: PackedVector2Array,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
    ) -> Array<Vector2i> {
        let (geometry, footprint) = Self::body_of(&this, &profile);
        let cell = |&position: &Vector2| vector_or_none(geometry.anchor_at(position, footprint));
        let cells: Vec<Vector2i> = positions.as_slice().iter().map(cell).collect();
        // From a slice, which is written at once. What is left, 20 to 30 ns a cell, is the engine making its
        // variants.
        Array::from(cells.as_slice())
    }

    /// [method cell_to_local] for many cells, in their order. Empty after an error.
    ///
    /// ```gdscript
    /// crowd.add_agents(grid.cells_to_local(barrack_cells, soldier), soldier)
    /// ```
    #[func(gd_self)]
    fn cells_to_local(
        this: Gd<Self>,
        cells: CellArray,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
    ) -> PackedVector2Array {
        let cells = reported("PathForgeGrid.cells_to_local", cells.cells("cells"));
        let Some(cells) = cells else { return PackedVector2Array::new() };
        let (geometry, footprint) = Self::body_of(&this, &profile);
        cells.into_iter().map(|cell| geometry.footprint_center(cell, footprint)).collect()
    }

    /// Returns the position closest to `position` at which the whole body of `profile` covers open cells, for
    /// its centre, in the node's local space: `position` itself where it fits. `Vector2.INF` when it fits
    /// nowhere, and after an error. Whether a path leads there does not matter: see [method is_reachable].
    /// [method find_nearest_fit] does the same for cells.
    ///
    /// ```gdscript
    /// # A click into a wall means the place beside it.
    /// agent.target_position = grid.to_global(grid.get_closest_point(grid.get_local_mouse_position(), agent.profile))
    /// ```
    #[func(gd_self)]
    fn get_closest_point(
        this: Gd<Self>,
        position: Vector2,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
    ) -> Vector2 {
        let position = given("position", position).finite();
        let position = reported("PathForgeGrid.get_closest_point", position);
        position.map_or(Vector2::INF, |position| Self::closest(&this, [position, position], &profile))
    }

    /// Returns the first position on the line from `from` to `to` at which the whole body of `profile` covers
    /// open cells, for its centre, in the node's local space. Where it fits nowhere on the line, the position
    /// closest to the line. `Vector2.INF` when it fits nowhere, and after an error.
    ///
    /// ```gdscript
    /// # Where a unit can stand that is thrown out of a vehicle.
    /// unit.position = grid.get_closest_point_to_segment(truck.position, truck.position + throw, unit.profile)
    /// ```
    #[func(gd_self)]
    fn get_closest_point_to_segment(
        this: Gd<Self>,
        from: Vector2,
        to: Vector2,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
    ) -> Vector2 {
        let ends = given("from", from).finite().and_then(|from| Ok([from, given("to", to).finite()?]));
        let ends = reported("PathForgeGrid.get_closest_point_to_segment", ends);
        ends.map_or(Vector2::INF, |ends| Self::closest(&this, ends, &profile))
    }

    /// Returns a random position at which the body of `profile` fits, for its centre, in the node's local
    /// space: in the middle of its cells. All places are equally likely. `Vector2.INF` when it fits nowhere.
    ///
    /// The number comes from `rng`, so that the same seed gives the same positions on every machine; without
    /// one, from [method @GlobalScope.randi].
    ///
    /// ```gdscript
    /// var rng := RandomNumberGenerator.new()
    /// rng.seed = match_seed
    /// deer.position = grid.get_random_point(deer_profile, rng)
    /// ```
    #[func(gd_self)]
    fn get_random_point(
        this: Gd<Self>,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
        #[opt(default = RngArg::NONE)] rng: RngArg,
    ) -> Vector2 {
        let drawn = Self::random_placement(&this, &profile, rng);
        let geometry = Self::geometry_of(&this);
        drawn.map_or(Vector2::INF, |(cell, footprint)| geometry.footprint_center(cell, footprint))
    }
}

impl PathForgeGrid {
    /// Where the cells of a grid lie.
    pub fn geometry_of(this: &Gd<Self>) -> CellGeometry {
        state::of(this).lock().geometry
    }

    /// From cell space to global space.
    pub fn cells_to_global(this: &Gd<Self>) -> Transform2D {
        this.get_global_transform() * Self::geometry_of(this).transform()
    }

    /// Where the cells of a grid lie, and the size of a body.
    fn body_of(this: &Gd<Self>, profile: &ProfileArg) -> (CellGeometry, Footprint) {
        let map = state::of(this);
        let (geometry, mode) = {
            let map = map.lock();
            (map.geometry, map.mode)
        };
        (geometry, Asker::of(profile, mode).profile.footprint)
    }

    /// The cells that are open to bodies that may enter every terrain, the region, and how cells lie.
    pub fn open_cells(&self) -> (BitGrid, CellRect, CellGeometry) {
        let map = self.map.lock();
        let terrain = map.world.terrain();
        (open_grid(terrain, Capability::ALL), terrain.region(), map.geometry)
    }

    /// The position of a body closest to a line, all in local space.
    fn closest(this: &Gd<Self>, ends: [Vector2; 2], profile: &ProfileArg) -> Vector2 {
        let geometry = Self::geometry_of(this);
        let [_, x, y] = geometry.affine();
        let points = ends.map(|end| geometry.cell_space_of(end));
        let closest = Self::closest_in_cells(
            this,
            [[x[0], x[1], 0.0], [y[0], y[1], 0.0], [0.0, 0.0, 1.0]],
            points.map(|(x, y)| [x, y, 0.0]),
            profile,
            None,
        );
        match closest {
            // As the script gave it: to cells and back it would come out a little off.
            Some(point) if point == points[0] => ends[0],
            Some((x, y)) => geometry.local_of(x, y),
            None => Vector2::INF,
        }
    }

    /// [`World::closest_position`](pathforge_core::world::World::closest_position) on a grid.
    pub fn closest_in_cells(
        this: &Gd<Self>,
        sides: [[f64; 3]; 3],
        ends: [[f64; 3]; 2],
        profile: &ProfileArg,
        within: Option<CellRect>,
    ) -> Option<(f64, f64)> {
        let map = state::of(this);
        let asker = Asker::of(profile, map.lock().mode);
        if let Some(mut part) = within.and_then(|within| map.lock().part(within)) {
            return part.closest_position(&asker.profile, sides, ends);
        }
        map.lock().world.closest_position(&asker.profile, sides, ends)
    }

    /// A random placement, and how large the body is.
    pub fn random_placement(this: &Gd<Self>, profile: &ProfileArg, rng: RngArg) -> Option<(Cell, Footprint)> {
        let map = state::of(this);
        let Asker { profile, .. } = Asker::of(profile, map.lock().mode);
        let mut rng = rng.0;
        let mut draw = || match &mut rng {
            Some(rng) => u64::from(rng.randi()),
            None => randi() as u64,
        };
        // Each draw has 32 bits.
        let drawn = draw() << 32 | draw();
        map.lock().world.random_placement(&profile, drawn).map(|cell| (cell, profile.footprint))
    }
}

/// What draws random numbers; none is the engine's own generator.
pub type RngArg = ResourceArg<RandomNumberGenerator>;
