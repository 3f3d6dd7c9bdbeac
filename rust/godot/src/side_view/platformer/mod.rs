//! `PathForgePlatformer`: paths of characters that run, jump and fall on the map of a grid.
//!
//! This file has the class: properties and what the engine calls. The verbs are in the modules below.

mod overlay;
mod positions;
mod queries;

use godot::classes::{INode2D, Node2D};
use godot::prelude::*;
use pathforge_core::geometry::Footprint;
use pathforge_core::surfaces::BodyLayers;
use pathforge_platformer::{FlightLayers, Flyers, Platformer};

use crate::engine::errors::reported;
use crate::engine::frames::{Frame, Frames};
use crate::engine::state;
use crate::map::grid::PathForgeGrid;
use crate::map::grid_link::{GridLink, NO_GRID, grid_node};
use crate::overlay::Overlay;
use crate::script::geometry::CellGeometry;
use crate::script::node_arg;
use crate::script::properties::class_api;
use crate::script::warnings::{self, Warned};
use overlay::JumpOverlay;

/// Finds paths that jump, on a [PathForgeGrid] seen from the side: for characters of any width and height
/// that run, jump, fall, climb, and use one-way platforms.
///
/// The map, its cells, their size and their place are the grid's. Weights do not count here, and terrain ids
/// only where they are ladders: see [member PathForgeJumpProfile.climb_terrain_mask].
/// Edits of the grid count from the next query on.
///
/// - Solid cells and obstacles block a character and carry it.
/// - One-way cells carry it from above, and let it through from below and from the sides: see [method
///   PathForgeGrid.set_point_one_way]. A path may drop through them.
///
/// A character of w×h cells is anchored at its [b]top-left cell[/b], as every body; positions are the centre
/// of its cells. It stands when any of its lowest cells is right above a cell that carries it. Characters
/// must fit into the region with all of their cells, so a map needs open rows above its topmost platform: see
/// [member PathForgeTileRules.headroom_cells].
///
/// ```gdscript
/// var grid := PathForgeGrid.new()
/// grid.set_from_text("""
///     ............
///     ....==......
///     ............
///     ##......####
///     ##......####
/// """)
/// var platformer := PathForgePlatformer.new()
/// platformer.grid = grid
/// var profile := PathForgeJumpProfile.new()
/// profile.max_jump_height_cells = 3
/// var path := platformer.find_path(Vector2i(0, 2), Vector2i(11, 2), profile)
/// print(path.describe())
/// print(path.steps) # STEP_WALK, STEP_JUMP, …, one for each of path.cells.
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Node2D)]
#[allow(clippy::struct_excessive_bools)] // Properties.
pub struct PathForgePlatformer {
    base: Base<Node2D>,

    /// The map. Unset, the node takes the nearest [PathForgeGrid]: an ancestor, or a child of one.
    #[export]
    #[var(get, set)]
    grid: node_arg::PhantomVar<PathForgeGrid>,

    /// If [code]true[/code], the overlay is drawn in the running game: the last path of [method find_path]
    /// with its jump values and the character's outline at the key points.
    #[export]
    #[export_group(name = "Debug", prefix = "debug_")]
    debug_enabled: bool,

    /// If [code]true[/code], the overlay has a mark in every cell that the last search reached.
    #[export]
    debug_states: bool,

    platformer: Platformer,
    flyers: Flyers,
    /// The last search was one for a character with physics.
    flew_last: bool,
    link: GridLink,
    overlay: JumpOverlay,
    warned: Warned,
    frames: Frames,
}

grid_node!(PathForgePlatformer);

impl PathForgePlatformer {
    fn process(mut this: Gd<Self>, _delta: f64) {
        let mut node = this.bind_mut();
        node.refresh_overlay();
        warnings::refresh(&mut *node, |node| &mut node.warned);
    }

    /// The grid, or an error that names the method which needs it.
    fn grid_for(&mut self, method: &str) -> Option<Gd<PathForgeGrid>> {
        reported(method, self.resolved_grid().ok_or(NO_GRID))
    }

    fn resolved_grid(&mut self) -> Option<Gd<PathForgeGrid>> {
        let node = self.to_gd().upcast();
        self.link.resolve(&node)
    }
}

/// The layers of a body on the map of a grid, and where its cells lie.
fn layers_on(grid: &Gd<PathForgeGrid>, footprint: Footprint) -> (BodyLayers, CellGeometry) {
    let map = state::of(grid);
    let mut map = map.lock();
    (map.world.body_layers(footprint), map.geometry)
}

/// The layers of a body with physics.
fn flight_layers_on(grid: &Gd<PathForgeGrid>, footprint: Footprint) -> FlightLayers {
    let map = state::of(grid);
    let mut map = map.lock();
    FlightLayers {
        body: map.world.body_layers(footprint),
        cells: map.world.body_layers(Footprint::ONE),
        floors: map.world.terrain().floors(),
        terrains: map.world.terrain().shared_ids(),
    }
}

class_api! {
    impl PathForgePlatformer;

    grid in link;
}
