//! Between positions and the cells of a character.

use godot::prelude::*;
use pathforge_platformer::{Character, FlightLayers, Flyers};

use super::{PathForgePlatformer, flight_layers_on, layers_on};
use crate::answers::trip::Jumper;
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
            let position = self.position(&grid, cell, &profile);
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
        local.map_or(NO_CELL, |(grid, local)| self.place(&grid, local, &profile))
    }
}

impl PathForgePlatformer {
    fn position(&mut self, grid: &Gd<PathForgeGrid>, cell: Vector2i, profile: &JumperArg) -> Vector2 {
        let geometry = PathForgeGrid::geometry_of(grid);
        let (cell, cells) = (convert::cell(cell), cells_of(profile, geometry.cell_size));
        let lift = self
            .on_floors(grid, profile)
            .and_then(|(flyers, layers, character)| flyers.lift(&layers, &character, cell));
        let up = Vector2::new(0.0, lift.unwrap_or(0.0) as f32);
        geometry.footprint_center(cell, cells.footprint) - cells.to_center - up
    }

    fn place(&mut self, grid: &Gd<PathForgeGrid>, position: Vector2, profile: &JumperArg) -> Vector2i {
        let geometry = PathForgeGrid::geometry_of(grid);
        let cells = cells_of(profile, geometry.cell_size);
        let stand = self.on_floors(grid, profile).and_then(|(flyers, layers, character)| {
            let (x, y) = geometry.cell_space_of(position + cells.to_feet);
            let (region, (width, height)) = (layers.cells.region(), character.cell);
            let feet = ((x - f64::from(region.x)) * width, (y - f64::from(region.y)) * height);
            flyers.cell_at(&layers, &character, feet)
        });
        let (layers, _) = layers_on(grid, cells.footprint);
        let near = || layers.anchor_near(geometry.cell_space_of(position + cells.to_center));
        vector_or_none(stand.or_else(near))
    }

    /// What tells where a character with physics stands on a map with floors inside cells.
    pub(super) fn on_floors(
        &mut self,
        grid: &Gd<PathForgeGrid>,
        profile: &JumperArg,
    ) -> Option<(&mut Flyers, FlightLayers, Character)> {
        let cell_size = PathForgeGrid::geometry_of(grid).cell_size;
        let jumper = Jumper::of(profile, cell_size).ok().filter(|jumper| jumper.uses_physics)?;
        let layers = flight_layers_on(grid, jumper.profile.footprint);
        layers.floors.as_ref()?;
        Some((&mut self.flyers, layers, jumper.character?))
    }
}
