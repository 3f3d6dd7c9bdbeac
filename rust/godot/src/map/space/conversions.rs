//! Cells and positions of the grid as positions in space, and back.

use godot::prelude::*;
use pathforge_core::geometry::{Cell, DiagonalMode, Footprint};
use pathforge_core::height_field::Ray;

use super::{PathForgeSpace3D, affine, ray, triple, vector};
use crate::answers::path::PathForgePath;
use crate::engine::errors::{report, reported};
use crate::map::grid::free_places;
use crate::script::array_of::CellArray;
use crate::script::convert::{self, NO_CELL, vector_or_none};
use crate::script::geometry::CellGeometry;
use crate::script::given::given;
use crate::script::profile::{Asker, ProfileArg};

// Scripts see the names; the grid is looked for where it is not known.
#[allow(clippy::wrong_self_convention)]
#[godot_api(secondary)]
impl PathForgeSpace3D {
    /// The top-left cell of a body whose centre is nearest to `position`, above or below the ground, also
    /// outside the grid's region: without a `profile`, the cell below the position. `Vector2i.MIN` when the
    /// position is not finite, and beside the cells of a [member floor_region].
    ///
    /// ```gdscript
    /// var at := space.global_to_cell(boat.global_position, barge)
    /// ```
    #[func]
    fn global_to_cell(
        &mut self,
        position: Vector3,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
    ) -> Vector2i {
        let Some(to_local) = self.to_local("PathForgeSpace3D.global_to_cell") else { return NO_CELL };
        vector_or_none(self.anchor_at(self.point_below(&to_local, position), footprint_of(&profile)))
    }

    /// The centre of a body on the ground that stands with its top-left cell at `cell`, also outside the
    /// grid's region: without a `profile`, the centre of the cell. A cell of another floor of the grid has its
    /// position there: see [member floor_region].
    ///
    /// ```gdscript
    /// boat.global_position = space.cell_to_global(Vector2i(8, 3), barge)
    /// ```
    #[func]
    fn cell_to_global(
        &mut self,
        cell: Vector2i,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
    ) -> Vector3 {
        self.place(center(convert::cell(cell), footprint_of(&profile)))
    }

    /// [method global_to_cell] for many positions, in their order.
    ///
    /// ```gdscript
    /// var cells := space.global_to_cells(corners_of_the_house)
    /// ```
    #[func]
    fn global_to_cells(
        &mut self,
        positions: PackedVector3Array,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
    ) -> Array<Vector2i> {
        let Some(to_local) = self.to_local("PathForgeSpace3D.global_to_cells") else { return Array::new() };
        let footprint = footprint_of(&profile);
        let points = self.points_below(&to_local, positions.as_slice());
        let cells = points.into_iter().map(|point| vector_or_none(self.anchor_at(point, footprint)));
        Array::from(cells.collect::<Vec<_>>().as_slice())
    }

    /// [method cell_to_global] for many cells, in their order. Empty after an error.
    ///
    /// ```gdscript
    /// for position: Vector3 in space.cells_to_global(grid.get_reachable_cells(unit_cell, 6.0).keys()):
    ///     place_marker(position)
    /// ```
    #[func]
    fn cells_to_global(
        &mut self,
        cells: CellArray,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
    ) -> PackedVector3Array {
        let cells = reported("PathForgeSpace3D.cells_to_global", cells.cells("cells"));
        let Some(cells) = cells else { return PackedVector3Array::new() };
        let footprint = footprint_of(&profile);
        let centers = cells.into_iter().map(|cell| center(cell, footprint));
        self.places(&centers.collect::<Vec<_>>())
    }

    /// The position on the ground at a position in the grid's local space: one of an agent of a crowd, of a
    /// path, of a field.
    ///
    /// ```gdscript
    /// goblin.global_position = space.to_space(crowd.get_agent_position(id))
    /// ```
    #[func]
    fn to_space(&mut self, position: Vector2) -> Vector3 {
        let method = "PathForgeSpace3D.to_space";
        let Some(geometry) = self.geometry(method) else { return Vector3::ZERO };
        self.place(geometry.cell_space_of(position))
    }

    /// [method to_space] for many positions, in their order.
    ///
    /// ```gdscript
    /// var positions := space.to_space_batch(crowd.get_positions())
    /// for at: int in positions.size():
    ///     multimesh.set_instance_transform(at, Transform3D(Basis.IDENTITY, positions[at]))
    /// ```
    #[func]
    fn to_space_batch(&mut self, positions: PackedVector2Array) -> PackedVector3Array {
        let method = "PathForgeSpace3D.to_space_batch";
        let Some(geometry) = self.geometry(method) else { return PackedVector3Array::new() };
        let points = positions.as_slice().iter().map(|&position| geometry.cell_space_of(position));
        self.places(&points.collect::<Vec<_>>())
    }

    /// The position in the grid's local space below or above a position: what [PathForgeCrowd], [FlowField]
    /// and [InfluenceMap] take. `Vector2.INF` beside the cells of a [member floor_region].
    ///
    /// ```gdscript
    /// var hit := crowd.find_agents_in_radius(space.to_plane(bomb.global_position), 5.0)
    /// ```
    #[func]
    fn to_plane(&mut self, position: Vector3) -> Vector2 {
        let method = "PathForgeSpace3D.to_plane";
        let Some(geometry) = self.geometry(method) else { return Vector2::ZERO };
        let Some(to_local) = self.to_local(method) else { return Vector2::ZERO };
        self.local_at(&geometry, self.point_below(&to_local, position))
    }

    /// [method to_plane] for many positions, in their order.
    ///
    /// ```gdscript
    /// crowd.add_agents(space.to_plane_batch(barrack_doors), soldier)
    /// ```
    #[func]
    fn to_plane_batch(&mut self, positions: PackedVector3Array) -> PackedVector2Array {
        let method = "PathForgeSpace3D.to_plane_batch";
        let Some(geometry) = self.geometry(method) else { return PackedVector2Array::new() };
        let Some(to_local) = self.to_local(method) else { return PackedVector2Array::new() };
        let points = self.points_below(&to_local, positions.as_slice());
        points.into_iter().map(|point| self.local_at(&geometry, point)).collect()
    }

    /// Returns the positions of a path, on the ground. On uneven ground, positions are added between two that
    /// are more than a cell apart, as with [member PathForgeProfile.smoothing], so that a body follows the
    /// hills. None are added between the ends of a link. Positions keep the heights of this moment. A path over
    /// several floors of the grid has each position on the floor of its cell, whichever floor is asked.
    ///
    /// ```gdscript
    /// var positions := space.path_to_positions(grid.find_path(start, goal, tank))
    /// ```
    #[func]
    fn path_to_positions(&mut self, path: Option<Gd<PathForgePath>>) -> PackedVector3Array {
        let Some(path) = path else {
            report("PathForgeSpace3D.path_to_positions", "path is null");
            return PackedVector3Array::new();
        };
        let mut positions = PackedVector3Array::new();
        for walk in path.bind().cell_space_walks() {
            positions.extend_array(&self.line_on_ground(walk));
        }
        positions
    }

    /// The position on the ground below or above a position, along the node's y axis. In a house, it is the
    /// ground of this floor: [method floor_at] returns the floor that carries a position.
    ///
    /// ```gdscript
    /// house.global_position = space.snap_to_ground(house.global_position)
    /// ```
    #[func]
    fn snap_to_ground(&mut self, position: Vector3) -> Vector3 {
        let Some(to_local) = self.to_local("PathForgeSpace3D.snap_to_ground") else { return position };
        let (x, y) = self.point_below(&to_local, position);
        if x.is_finite() && y.is_finite() { self.place((x, y)) } else { position }
    }

    /// The place nearest to `position` on the ground where the body of `profile` fits and overlaps no other,
    /// for spawns: see [method PathForgeGrid.find_free_place]. `Vector3.INF` when there is none. In a house, it
    /// is on the floor that carries `position`: see [method floor_at].
    ///
    /// ```gdscript
    /// unit.position = space.find_free_place(barracks_door.global_position, soldier)
    /// add_child(unit)
    /// ```
    #[func(gd_self)]
    fn find_free_place(
        this: Gd<Self>,
        position: Vector3,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
        #[opt(default = 1)] avoidance_mask: i64,
    ) -> Vector3 {
        let body = (&profile, avoidance_mask);
        let places = Self::free_places("PathForgeSpace3D.find_free_place", this, (position, 1), body);
        places.get(0).unwrap_or(Vector3::INF)
    }

    /// Returns up to `count` places of [method find_free_place], the nearest to `position` first. Bodies of
    /// `profile` there overlap neither each other nor an existing body.
    ///
    /// ```gdscript
    /// for place: Vector3 in space.find_free_places(barracks_door.global_position, 12, soldier):
    ///     spawn(place)
    /// ```
    #[func(gd_self)]
    fn find_free_places(
        this: Gd<Self>,
        position: Vector3,
        count: i64,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
        #[opt(default = 1)] avoidance_mask: i64,
    ) -> PackedVector3Array {
        let body = (&profile, avoidance_mask);
        Self::free_places("PathForgeSpace3D.find_free_places", this, (position, count), body)
    }

    /// Where a ray first meets the ground from above within the grid's region, or `Vector3.INF` where it does
    /// not. For clicks it takes what a camera gives; nothing else in the scene is in its way.
    ///
    /// In a house, it is the first ground of any floor of the grid; [method floor_at] says which. With
    /// `this_floor_only` the ray passes the other floors: for a floor that the game shows without those above.
    ///
    /// ```gdscript
    /// func _unhandled_input(event: InputEvent) -> void:
    ///     if event is InputEventMouseButton and event.is_pressed():
    ///         var camera := get_viewport().get_camera_3d()
    ///         var from := camera.project_ray_origin(event.position)
    ///         var hit := space.intersect_ray(from, camera.project_ray_normal(event.position))
    ///         if hit.is_finite():
    ///             send_to(space.global_to_cell(hit))
    /// ```
    #[func]
    fn intersect_ray(
        &mut self,
        from: Vector3,
        direction: Vector3,
        #[opt(default = false)] this_floor_only: bool,
    ) -> Vector3 {
        let method = "PathForgeSpace3D.intersect_ray";
        let Some(region) = self.region(method) else { return Vector3::INF };
        let Some(to_local) = self.to_local(method) else { return Vector3::INF };
        if let Some((_, house)) = self.house().filter(|_| !this_floor_only) {
            let hits = house.storeys.hits(Ray { origin: triple(from), direction: triple(direction) });
            let is_open =
                |&&(n, _, place): &&(usize, f64, [f32; 3])| self.is_open(&house.storeys.all()[n], place);
            let hit = hits.iter().find(is_open).or(hits.first());
            return hit.map_or(Vector3::INF, |&(.., place)| vector(place));
        }
        let hit = self.ground.hit(region, ray(&to_local, from, direction));
        hit.map_or(Vector3::INF, |point| self.to_global() * vector(point))
    }

    /// The positions of a line through points of cell space, on the ground: with others between them where it
    /// goes up and down.
    pub fn line_on_ground(&self, line: impl IntoIterator<Item = (f64, f64)>) -> PackedVector3Array {
        let mut points = Vec::new();
        let mut last = None;
        let house = self.house();
        // From storey to storey it is straight.
        let is_straight = |from, to| match &house {
            None => self.ground.is_flat(),
            Some((_, house)) => {
                let (storey, other) = (house.storeys.of_point(from), house.storeys.of_point(to));
                storey != other || storey.is_none_or(|n| house.storeys.all()[n].ground.is_flat())
            }
        };
        for (x, y) in line {
            if let Some((from_x, from_y)) = last.filter(|&from| !is_straight(from, (x, y))) {
                let (dx, dy): (f64, f64) = (x - from_x, y - from_y);
                let parts = dx.abs().max(dy.abs()).ceil().max(1.0);
                for part in 1..parts as u32 {
                    let at = f64::from(part) / parts;
                    points.push((from_x + dx * at, from_y + dy * at));
                }
            }
            points.push((x, y));
            last = Some((x, y));
        }
        self.places(&points)
    }

    fn free_places(
        method: &str,
        mut this: Gd<Self>,
        near: (Vector3, i64),
        body: (&ProfileArg, i64),
    ) -> PackedVector3Array {
        let (position, count) = near;
        // Agents in the space ask it where they are, so it is not borrowed while places are looked for.
        let mut begun = || {
            let mut space = this.bind_mut();
            let position = reported(method, given("position", position).finite())?;
            let grid = space.some_grid(method)?;
            let to_local = space.to_local(method)?;
            if let Some((_, house)) = space.house()
                && let Some((n, near)) = house.storeys.locate(triple(position))
            {
                return Some((grid, near, Some(house.storeys.all()[n].sheet)));
            }
            Some((grid, space.point_below(&to_local, position), None))
        };
        let Some((grid, near, within)) = begun() else { return PackedVector3Array::new() };
        let places = free_places::find(method, &grid, (near, count), body, within);
        this.bind().places(&places)
    }

    fn geometry(&mut self, method: &str) -> Option<CellGeometry> {
        Some(self.some_grid(method)?.bind().cell_geometry())
    }

    /// The point of cell space below or above a position in space.
    fn point_below(&self, to_local: &Transform3D, position: Vector3) -> (f64, f64) {
        self.points_below(to_local, &[position])[0]
    }

    fn points_below(&self, to_local: &Transform3D, positions: &[Vector3]) -> Vec<(f64, f64)> {
        let positions: Vec<[f32; 3]> = positions.iter().map(|&position| triple(position)).collect();
        self.ground.points_below(&affine(to_local), &positions)
    }

    /// A point of cell space on the ground, in space.
    pub(super) fn place(&self, point: (f64, f64)) -> Vector3 {
        self.places(&[point])[0]
    }

    fn places(&self, points: &[(f64, f64)]) -> PackedVector3Array {
        if let Some((_, house)) = self.house() {
            let own = affine(&self.to_global());
            let place = |&point: &(f64, f64)| match house.storeys.of_point(point) {
                Some(n) => house.storeys.all()[n].place(point),
                None => own.point(self.ground.point(point.0, point.1)),
            };
            return points.iter().map(place).map(vector).collect();
        }
        let places = self.ground.places(&affine(&self.to_global()), points);
        places.into_iter().map(vector).collect()
    }
}

/// The centre of a body in cell space.
pub(super) fn center(anchor: Cell, footprint: Footprint) -> (f64, f64) {
    let center = |at: i32, side: i32| f64::from(at) + f64::from(side) / 2.0;
    (center(anchor.x, footprint.w()), center(anchor.y, footprint.h()))
}

/// The cells that a body covers.
fn footprint_of(profile: &ProfileArg) -> Footprint {
    Asker::of(profile, DiagonalMode::default()).profile.footprint
}
