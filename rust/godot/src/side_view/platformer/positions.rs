//! Between positions and the cells of a character.

use godot::prelude::*;

use super::{PathForgePlatformer, layers_on};
use crate::map::grid::PathForgeGrid;
use crate::map::grid_link::local_position;
use crate::script::convert::{self, NO_CELL, vector_or_none};
use crate::side_view::jump_profile::{JumperArg, cells_of};

#[godot_api(secondary)]
impl PathForgePlatformer {
    /// The position of a character that stands with its top-left cell at `cell`, in global space: the centre
    /// of its cells, or where [member PathForgeJumpProfile.body_offset] puts it.
    #[func]
    fn cell_to_global(
        &mut self,
        cell: Vector2i,
        #[opt(default = JumperArg::NONE)] profile: JumperArg,
    ) -> Vector2 {
        let grid = self.grid_for("PathForgePlatformer.cell_to_global");
        grid.map_or(Vector2::ZERO, |mut grid| {
            let position = position(&grid, cell, &profile);
            grid.bind_mut().global_transform() * position
        })
    }

    /// Returns the top-left cell of a character at a global position, or `Vector2i.MIN` if the position is not
    /// finite.
    ///
    /// - If the character does not stand on ground there, it is a nearby place at which it stands and still
    ///   covers the position. That place may be one cell to the side, at an edge, or higher: a click on the
    ///   ground means the place above it.
    /// - If the character does not fit there, as beside a wall, it is the nearest place at which it fits and
    ///   covers the position.
    ///
    /// ```gdscript
    /// var start := platformer.global_to_cell(body.global_position, profile)
    /// var goal := platformer.global_to_cell(get_global_mouse_position(), profile)
    /// var path := platformer.find_path(start, goal, profile)
    /// ```
    #[func]
    fn global_to_cell(
        &mut self,
        position: Vector2,
        #[opt(default = JumperArg::NONE)] profile: JumperArg,
    ) -> Vector2i {
        let grid = self.grid_for("PathForgePlatformer.global_to_cell");
        let local = grid.and_then(|grid| local_position(&grid, position).map(|local| (grid, local)));
        local.map_or(NO_CELL, |(grid, local)| place(&grid, local, &profile))
    }
}

fn position(grid: &Gd<PathForgeGrid>, cell: Vector2i, profile: &JumperArg) -> Vector2 {
    let geometry = PathForgeGrid::geometry_of(grid);
    let cells = cells_of(profile, geometry.cell_size);
    geometry.footprint_center(convert::cell(cell), cells.footprint) - cells.to_center
}

fn place(grid: &Gd<PathForgeGrid>, position: Vector2, profile: &JumperArg) -> Vector2i {
    let cells = cells_of(profile, PathForgeGrid::geometry_of(grid).cell_size);
    let (layers, geometry) = layers_on(grid, cells.footprint);
    vector_or_none(layers.anchor_near(geometry.cell_space_of(position + cells.to_center)))
}
