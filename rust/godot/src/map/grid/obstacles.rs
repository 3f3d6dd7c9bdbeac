//! Counted obstacles over the map.

use godot::prelude::*;
use pathforge_core::geometry::CellRect;
use pathforge_core::terrain::{
    IgnoredObstacles, ObstacleCells, ObstacleError, ObstacleId, ObstacleLayers, Terrain,
};

use super::PathForgeGrid;
use crate::engine::errors::reported;
use crate::engine::state;
use crate::script::convert;
use crate::script::given::given;

/// What stands for no obstacle.
pub const NO_OBSTACLE: i64 = -1;

#[godot_api(secondary)]
impl PathForgeGrid {
    /// Adds an obstacle over `cells`, for something that stays there for a while, like a parked cart or a
    /// unit that holds its ground. Returns its id, or −1 after an error. [method move_obstacle], [method
    /// remove_obstacle] and [member PathForgeProfile.ignored_obstacles] take the id.
    ///
    /// `obstacle_layers` are its layers, as 32 bit flags. It blocks a body if it is on a layer that is not
    /// one of [member PathForgeProfile.ignored_obstacle_layers].
    ///
    /// Obstacles are counted: a cell under two of them is blocked until both are gone. They lie over the
    /// cells and do not change them: [method is_point_solid] returns the same. Queries treat a cell under an
    /// obstacle as solid. [signal cells_changed] is emitted, with a region that holds the cells before and
    /// after a move. Obstacles stay when [member region] or all cells change, and are not saved.
    ///
    /// Games that take turns give each unit an obstacle once, move it when the unit moves, and have the
    /// unit's profile ignore it. That takes less time than making cells solid for a query and open again
    /// after it. If units pass through their friends and not through their enemies, use an obstacle layer for
    /// each side.
    ///
    /// ```gdscript
    /// for unit: Node2D in units:
    ///     unit.obstacle = grid.add_obstacle(Rect2i(unit.cell, Vector2i.ONE))
    ///     unit.profile = PathForgeProfile.new()
    ///     unit.profile.ignored_obstacles = [unit.obstacle]
    ///
    /// func move(unit: Node2D, goal: Vector2i) -> void:
    ///     var path := grid.find_path(unit.cell, goal, unit.profile) # Around the others.
    ///     if path.is_complete():
    ///         unit.cell = goal
    ///         grid.move_obstacle(unit.obstacle, Rect2i(goal, Vector2i.ONE))
    /// ```
    #[func(gd_self)]
    pub fn add_obstacle(this: Gd<Self>, cells: Rect2i, #[opt(default = 1)] obstacle_layers: i64) -> i64 {
        let method = "PathForgeGrid.add_obstacle";
        let asked = convert::fill_rect(cells)
            .and_then(|rect| Ok((rect, given("obstacle_layers", obstacle_layers).flags()?)));
        let Some((rect, layers)) = reported(method, asked) else { return NO_OBSTACLE };
        Self::put_obstacle(this, rect.into(), ObstacleLayers(layers))
    }

    /// Moves an obstacle over `cells`. Returns [code]false[/code] if there is no obstacle of this id.
    #[func(gd_self)]
    pub fn move_obstacle(this: Gd<Self>, id: i64, cells: Rect2i) -> bool {
        let method = "PathForgeGrid.move_obstacle";
        let Some(rect) = reported(method, convert::fill_rect(cells)) else { return false };
        Self::carry_obstacle(this, id, rect.into())
    }

    /// Removes an obstacle. Returns [code]false[/code] if there is no obstacle of this id.
    #[func(gd_self)]
    pub fn remove_obstacle(this: Gd<Self>, id: i64) -> bool {
        let method = "PathForgeGrid.remove_obstacle";
        Self::edit_obstacle(this, method, |terrain| terrain.remove_obstacle(obstacle(id)))
    }

    /// Returns the cells of an obstacle: the rectangle that was given, or the smallest region that holds its
    /// cells. It is an empty region if there is no obstacle of this id.
    #[func(gd_self)]
    fn get_obstacle(this: Gd<Self>, id: i64) -> Rect2i {
        state::of(&this)
            .lock()
            .world
            .terrain()
            .obstacle(obstacle(id))
            .map(convert::region)
            .unwrap_or_default()
    }

    /// Returns [code]true[/code] if an obstacle covers a cell.
    #[func(gd_self)]
    fn has_obstacle_at(this: Gd<Self>, cell: Vector2i) -> bool {
        state::of(&this).lock().world.terrain().is_blocked(convert::cell(cell), &IgnoredObstacles::NONE)
    }

    /// Returns the ids of the obstacles that cover a cell, in ascending order; none if none does.
    ///
    /// ```gdscript
    /// for id: int in grid.get_obstacles_at(cell):
    ///     print("Building %d covers %s." % [id, grid.get_obstacle(id)])
    /// ```
    #[func(gd_self)]
    fn get_obstacles_at(this: Gd<Self>, cell: Vector2i) -> PackedInt64Array {
        let state = state::of(&this);
        let ids = state.lock().world.terrain().obstacles_in(CellRect::cell(convert::cell(cell)));
        ids.into_iter().map(|id| id.0.cast_signed()).collect()
    }
}

impl PathForgeGrid {
    /// Puts an obstacle over cells and returns its id, [`NO_OBSTACLE`] after an error.
    pub fn put_obstacle(this: Gd<Self>, cells: ObstacleCells, layers: ObstacleLayers) -> i64 {
        let mut name = NO_OBSTACLE;
        Self::edit(this, "PathForgeGrid.add_obstacle", |terrain| {
            let (id, covered) = terrain.add_obstacle(cells, layers)?;
            name = id.0 as i64;
            Ok::<_, ObstacleError>(covered)
        });
        name
    }

    /// Moves an obstacle over cells; returns `false` if there is none of this id any more.
    pub fn carry_obstacle(this: Gd<Self>, id: i64, cells: ObstacleCells) -> bool {
        let method = "PathForgeGrid.move_obstacle";
        Self::edit_obstacle(this, method, |terrain| terrain.move_obstacle(obstacle(id), cells))
    }

    /// Makes an edit of an obstacle and returns whether there was one.
    fn edit_obstacle(
        this: Gd<Self>,
        method: &str,
        edit: impl FnOnce(&mut Terrain) -> Result<Option<CellRect>, ObstacleError>,
    ) -> bool {
        let mut is_known = true;
        Self::edit(this, method, |terrain| match edit(terrain) {
            Err(ObstacleError::Unknown { .. }) => {
                is_known = false;
                Ok(None)
            }
            edited => edited,
        });
        is_known
    }

    /// Returns `true` if there is an obstacle of this id.
    pub fn knows_obstacle(&self, id: i64) -> bool {
        self.map.lock().world.terrain().obstacle(obstacle(id)).is_some()
    }
}

/// The obstacle that a script names; none ever has a negative number.
const fn obstacle(id: i64) -> ObstacleId {
    ObstacleId(id.cast_unsigned())
}
