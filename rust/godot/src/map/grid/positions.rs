//! Questions about positions at which a body fits: the closest one, and one at random.

use godot::classes::RandomNumberGenerator;
use godot::global::randi;
use godot::prelude::*;
use pathforge_core::geometry::{Cell, Footprint};

use super::PathForgeGrid;
use crate::engine::errors::reported;
use crate::engine::state;
use crate::script::given::given;
use crate::script::optional_arg::ResourceArg;
use crate::script::profile::{Asker, ProfileArg};

/// What draws random numbers; none is the engine's own generator.
pub type RngArg = ResourceArg<RandomNumberGenerator>;

#[godot_api(secondary)]
impl PathForgeGrid {
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
    ) -> Option<(f64, f64)> {
        let map = state::of(this);
        let asker = Asker::of(profile, map.lock().mode);
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
