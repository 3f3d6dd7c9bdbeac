//! `PathForgeGrid`: the map, its edits and its queries.
//!
//! This file has the class: properties, constants, signals and what the engine calls. The methods are in the
//! modules below, by topic.
//!
//! The cells and everything derived from them are the [`Map`], a [`State`] beside the node: methods that need
//! nothing else reach it without a borrow, from any thread.
//!
//! Other methods of scripts borrow exclusively (`&mut self`, or `bind_mut` in a `gd_self`), also if they only
//! read: threads other than the main one must never have a shared borrow. Borrows of two threads wait for
//! each other. But gdext panics when an exclusive borrow is asked for while another thread has a shared one,
//! if the asker had a shared one just before. So only the main thread borrows shared; properties belong to
//! it, as gdext wants `&self` in their getters.

mod astar_verbs;
mod cell_frame;
mod direct;
mod edges;
mod edits;
mod explain;
pub mod free_places;
mod images;
mod inbox;
mod influences;
mod links_min;
mod map;
mod monitors;
mod navigation;
mod node;
mod obstacles;
mod overlay;
mod positions;
mod preparations;
mod queries;
mod requests;
mod sketch;
mod storage;
mod tile_maps;
mod tool_view;

pub use monitors::grids;

use std::sync::Arc;

use godot::classes::{Node2D, TileMapLayer};
use godot::prelude::*;
use pathforge_core::geometry::DiagonalMode;

use crate::answers::path::PathForgePath;
use crate::engine::frames::Frames;
use crate::engine::state::{HasState, Own, Rank, State};
use crate::map::influence_map::InfluenceMap;
use crate::map::tile_rules::PathForgeTileRules;
use crate::script::array_of::NodeArray;
use crate::script::convert;
use crate::script::enumeration::{self, Constant};
use crate::script::geometry::CellShape;
use crate::script::profile::{PathForgeProfile, ProfileArg};
use crate::script::properties::class_api;
use crate::script::warnings::Warned;
pub use cell_frame::{CellFrame, flat, upright};
use map::Map;
use overlay::GridOverlay;
pub use positions::RngArg;
use preparations::Preparing;
use requests::Asks;
use tile_maps::TileMaps;
use tool_view::ToolView;

/// Bytes to mebibytes, as a shift.
const MIB_SHIFT: u32 = 20;
/// How much of a frame answers take, in microseconds, until a game says otherwise.
const BUDGET_USEC: i64 = 400;
/// A second: far more than any frame has.
const BUDGET_USEC_MAX: i64 = 1_000_000;

/// The map of a game. Its cells are solid or open, and have a terrain and a weight; the grid answers every
/// question about paths.
///
/// A terrain is an id from 0 to 31. A weight is what a step onto the cell costs: costs decide where paths
/// lead, and bodies do not walk slower. Edges between cells can be blocked, as by a fence: see [method
/// set_edge_blocked]. For side views a cell can be one-way: see [method set_point_one_way].
/// Cells are `Vector2i` in the grid's own coordinates: [member region] may start anywhere. "No cell" is
/// `Vector2i.MIN`.
///
/// Bodies may be of any size: a [PathForgeProfile] says how many cells a body covers and which terrains it
/// may enter. A body is anchored at its top-left cell, so its path consists of positions of that cell.
/// Positions of bodies are the centre of the cells that they cover.
///
/// ```gdscript
/// var grid := PathForgeGrid.new()
/// grid.region = Rect2i(0, 0, 64, 36)
/// grid.fill_solid_region(Rect2i(20, 0, 1, 30)) # A wall,
/// grid.set_point_solid(Vector2i(20, 12), false) # with a door of one cell.
///
/// var hauler := PathForgeProfile.new()
/// hauler.footprint = Vector2i(3, 3)
///
/// var path := grid.find_path(Vector2i(2, 10), Vector2i(40, 10), hauler)
/// print(path.describe()) # It goes around the wall: the door is too narrow.
/// ```
///
/// Methods of `AStarGrid2D` have the same names here and return the same, such as [method get_id_path],
/// [method get_point_path] and [method set_point_solid]. These differ:
///
/// - `update`, `is_dirty`, `jumping_enabled` and the heuristics are not there: the grid is always up to date,
///   and paths cost least without them.
/// - The default [member diagonal_mode] never cuts corners.
/// - A change of [member region] keeps the cells.
/// - A grid is a node. Outside the scene tree, free it or use a [PathForgeMap].
///
/// While a grid is in the scene tree, Godot's debugger shows queries, expansions, repairs, time and memory
/// under Monitors.
///
/// Everything works outside the scene tree, too, also on another thread if no other thread uses the grid
/// meanwhile. In the scene tree, methods may be called from any thread, and calls wait for each other.
/// [signal cells_changed] is then emitted on the main thread, once for all edits of other threads. Properties
/// and imports belong to the main thread.
#[derive(GodotClass)]
#[class(init, tool, base = Node2D)]
#[allow(clippy::struct_excessive_bools)] // Properties.
pub struct PathForgeGrid {
    base: Base<Node2D>,

    /// The cells of the map: position and size, in cells. The position may be negative. At most 16384 cells
    /// on a side and 134217728 cells in all.
    ///
    /// Changing it keeps the cells that the old and the new region share, and emits [signal cells_changed].
    #[export]
    #[var(get, set, hint = NONE, hint_string = "suffix:cells")]
    region: PhantomVar<Rect2i>,

    /// Width and height of a cell in pixels, both above zero.
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "0.01,256,0.01,or_greater,hide_slider,suffix:px")]
    cell_size: PhantomVar<Vector2>,

    /// Where the corner of cell `(0, 0)` lies in the node's local space. For isometric shapes, the corner of
    /// its bounding box.
    #[export]
    #[var(get, set, hint = NONE, hint_string = "suffix:px")]
    offset: PhantomVar<Vector2>,

    /// How cells are laid out: [constant CELL_SHAPE_SQUARE], [constant CELL_SHAPE_ISOMETRIC_RIGHT] or
    /// [constant CELL_SHAPE_ISOMETRIC_DOWN]. It changes positions only.
    #[export]
    #[var(get, set, hint = ENUM, hint_string = "Square,Isometric Right,Isometric Down")]
    cell_shape: PhantomVar<Constant<enumeration::CellShape>>,

    /// When a diagonal step is allowed: one of the `DIAGONAL_MODE_*` constants. The default is [constant
    /// DIAGONAL_MODE_ONLY_IF_NO_OBSTACLES], with which no body ever cuts a corner. A profile may have its
    /// own.
    #[export]
    #[var(get, set, hint = ENUM, hint_string = "Always,Never,At Least One Walkable,Only If No Obstacles")]
    diagonal_mode: PhantomVar<Constant<enumeration::DiagonalMode>>,

    /// What the terrain ids are called, from id 0 on, at most 32. For people: [method explain] and the
    /// editor's brush name terrains so, and tiles may.
    #[export]
    #[var(set)]
    terrain_names: PackedStringArray,

    /// If [code]true[/code], the cells are saved with the scene. Turn it off for a grid that a script fills
    /// when the game starts: the scene stays small, and a duplicate of the node starts with open cells.
    #[export]
    #[init(val = true)]
    store_cells: bool,

    /// The influence maps that weigh on paths and flow fields, at most 8; their order is that of [member
    /// PathForgeProfile.influence_weights]. Assign a whole array: what the property gives is a copy.
    ///
    /// ```gdscript
    /// grid.influences = [danger, congestion]
    /// soldier.influence_weights = [0.5, 1.0]
    /// ```
    #[export]
    #[var(get, set)]
    influences: PhantomVar<NodeArray<InfluenceMap>>,

    /// The most memory for the data that the grid keeps for each kind of body, in mebibytes, 1 or more. The
    /// kinds that were not used for longest are dropped first, and made again when they are needed.
    #[export]
    #[export_group(name = "Limits")]
    #[var(get, set, hint = RANGE, hint_string = "1,4096,1,or_greater,suffix:MiB")]
    layer_memory_mib: PhantomVar<i64>,

    /// How much of a frame may go to handing out the answers of [method request_path], in microseconds; what
    /// your handlers of [signal path_answered] take counts. At least one answer that is ready is handed out,
    /// the others wait for the next frame.
    #[export]
    #[var(set, hint = RANGE, hint_string = "0,10000,1,or_greater,suffix:µs")]
    #[init(val = BUDGET_USEC)]
    request_budget_usec: i64,

    /// The tile map layers that the grid is made from, first to last. Once they are imported, by [member
    /// import_on_ready] or by [method import_tile_map_layers], painting on them changes the grid too: only
    /// cells whose tiles have changed, with one [signal cells_changed]. Cells that enter a [member region]
    /// which is set anew are as their tiles are. Layers do not say when tiles are set, so they are looked at:
    /// small ones every few milliseconds, large ones so often that it takes a twentieth of the time. [method
    /// import_tile_map_cells] is there for games that know.
    #[export]
    #[export_group(name = "Tile Maps")]
    #[var(get, set)]
    source_layers: PhantomVar<NodeArray<TileMapLayer>>,

    /// The rules for [member source_layers]; none are those of a new [PathForgeTileRules]. See [method
    /// import_tile_map_layers].
    #[export]
    import_rules: Option<Gd<PathForgeTileRules>>,

    /// If [code]true[/code], [member source_layers] are imported when the grid is ready, in the editor too.
    #[export]
    import_on_ready: bool,

    /// The cells as [method to_bytes] gives them, for the scene file.
    #[var(get = get_stored_cells, set = set_stored_cells, usage_flags = [STORAGE])]
    _stored_cells: PhantomVar<PackedByteArray>,

    /// If [code]true[/code], the overlay is drawn in the running game: cells, lines between them, and the
    /// last path of [method find_path].
    #[export]
    #[export_group(name = "Debug", prefix = "debug_")]
    debug_enabled: bool,

    /// If [code]true[/code], the overlay is drawn in the editor.
    #[export]
    #[init(val = true)]
    debug_in_editor: bool,

    /// If [code]true[/code], the overlay has solid and one-way cells, blocked edges, terrain, weights and the
    /// outline of the region. It has lines between cells when these are large enough on the screen.
    #[export]
    #[init(val = true)]
    debug_cells: bool,

    /// If [code]true[/code], the overlay has the last path of [method find_path] with the cells that the body
    /// covers on it.
    #[export]
    #[init(val = true)]
    debug_path: bool,

    #[init(val = Own::new(Rank::Grid, Map::default()))]
    map: Own<Map>,
    asks: Asks,
    preparing: Preparing,
    tile_maps: TileMaps,
    last_global: Transform2D,
    overlay: GridOverlay,
    warned: Warned,
    tool_view: ToolView,
    frames: Frames,
    /// The profile that the editor shows placements for.
    #[init(val = ProfileArg::NONE)]
    tool_profile: ProfileArg,
}

impl HasState for PathForgeGrid {
    type State = Map;

    fn state(&self) -> &Arc<State<Map>> {
        &self.map
    }
}

class_api! {
    impl PathForgeGrid;

    {
        /// Emitted once for each call that changed cells or obstacles, before the call returns, with a region
        /// that holds all changed cells. Between [method begin_edit] and [method end_edit] it waits for the
        /// end. Not emitted when nothing changed.
        ///
        /// Handlers may ask the grid and edit it, which announces that edit in turn, at most 128 deep.
        ///
        /// ```gdscript
        /// func _on_grid_cells_changed(region: Rect2i) -> void:
        ///     if region.intersects(my_route_bounds):
        ///         find_a_new_way()
        /// ```
        #[signal]
        fn cells_changed(region: Rect2i);

        /// Emitted once for each request of [method request_path], on a later frame and in the order of
        /// tickets. Handlers may ask, edit, cancel and free the grid with [code]queue_free()[/code]; Godot
        /// refuses [code]free()[/code] there.
        ///
        /// ```gdscript
        /// func _on_grid_path_answered(ticket: int, path: PathForgePath) -> void:
        ///     if ticket == my_ticket and path.is_complete():
        ///         way = path.get_global_positions()
        /// ```
        #[signal]
        fn path_answered(ticket: i64, path: Gd<PathForgePath>);

        /// Emitted once for each call of [method prepare_profile], on a later frame and in the order of the
        /// calls, with what it was called with, which may be `null`. Handlers may ask and edit.
        #[signal]
        fn profile_prepared(profile: Option<Gd<PathForgeProfile>>);

        #[func(rename = _get_stored_cells)]
        fn get_stored_cells(&self) -> PackedByteArray {
            self.cells_for_the_scene()
        }

        #[func(rename = _set_stored_cells)]
        fn set_stored_cells(&mut self, bytes: PackedByteArray) {
            self.take_cells_of_the_scene(&bytes);
        }
    }

    /// The path ends with the body's top-left cell on the goal.
    const GOAL_EXACT = 0;
    /// The path ends where the body covers the goal with any of its cells, at the least cost.
    const GOAL_COVER = 1;
    /// The path ends at the reachable place where the body comes nearest to the goal, by the Euclidean
    /// distance from the goal to the body's nearest cell. Among such places it is the one of least cost. The
    /// goal may lie outside the region. The status is [constant PathForgePath.STATUS_PARTIAL] if the body
    /// does not cover the goal there.
    const GOAL_NEAREST = 2;
    /// Rectangular cells in rows and columns.
    const CELL_SHAPE_SQUARE = CellShape::Square as i64;
    /// Diamond cells; x runs to the upper right, y to the lower right.
    const CELL_SHAPE_ISOMETRIC_RIGHT = CellShape::IsometricRight as i64;
    /// Diamond cells; x runs to the lower right, y to the lower left.
    const CELL_SHAPE_ISOMETRIC_DOWN = CellShape::IsometricDown as i64;
    /// Diagonal steps are always allowed.
    const DIAGONAL_MODE_ALWAYS = DiagonalMode::Always as i64;
    /// Diagonal steps are never allowed.
    const DIAGONAL_MODE_NEVER = DiagonalMode::Never as i64;
    /// A diagonal step is allowed when the body could stand on at least one of the two cells beside it.
    const DIAGONAL_MODE_AT_LEAST_ONE_WALKABLE = DiagonalMode::AtLeastOneWalkable as i64;
    /// A diagonal step is allowed when the body could stand on both cells beside it. The default.
    const DIAGONAL_MODE_ONLY_IF_NO_OBSTACLES = DiagonalMode::OnlyIfNoObstacles as i64;

    get get_region() -> Rect2i = |this| convert::region(this.cell_region());
    set set_region(region: Rect2i) = |this| this.change_region(convert::rect(region.value))?;

    get get_cell_size() -> Vector2 = |this| this.map.lock().geometry.cell_size;
    set set_cell_size(cell_size: Vector2) = |this| {
        this.map.lock().geometry.cell_size = convert::cell_size(cell_size.value)?;
    };

    get get_offset() -> Vector2 = |this| this.map.lock().geometry.offset;
    set set_offset(offset: Vector2) = |this| this.map.lock().geometry.offset = offset.named().finite()?;

    get get_cell_shape() -> Constant<enumeration::CellShape> = |this| {
        Constant::of(this.map.lock().geometry.shape as i64)
    };
    set set_cell_shape(cell_shape: Constant<enumeration::CellShape>) = |this| {
        let shape = |number: &Constant<_>| CellShape::ALL.get(usize::try_from(number.0).ok()?).copied();
        this.map.lock().geometry.shape = cell_shape.read("a CELL_SHAPE_* constant", shape)?;
    };

    get get_diagonal_mode() -> Constant<enumeration::DiagonalMode> = |this| {
        Constant::of(this.grid_diagonal_mode() as i64)
    };
    set set_diagonal_mode(diagonal_mode: Constant<enumeration::DiagonalMode>) = |this| {
        let mode = |number: &Constant<_>| DiagonalMode::from_number(number.0);
        let mode = diagonal_mode.read("a DIAGONAL_MODE_* constant", mode)?;
        this.map.lock().mode = mode;
        this.inbox().set_mode(mode);
    };

    set set_terrain_names(terrain_names: PackedStringArray) = |this| {
        convert::at_most_terrains("terrain_names", terrain_names.value.len())?;
        this.terrain_names = terrain_names.value;
    };

    get get_influences() -> NodeArray<InfluenceMap> = |this| this.influence_nodes();
    set set_influences(influences: NodeArray<InfluenceMap>) = |this| {
        this.change_influences(&influences.value)?;
    };

    get get_layer_memory_mib() -> i64 = |this| (this.map.lock().world.layer_memory_max() >> MIB_SHIFT) as i64;
    set set_layer_memory_mib(layer_memory_mib: i64) = |this| {
        let bytes = |&mib: &i64| usize::try_from(mib).ok().filter(|&m| m >= 1)?.checked_mul(1 << MIB_SHIFT);
        let bytes = layer_memory_mib.read("1 or more mebibytes", bytes)?;
        this.map.lock().world.set_layer_memory_max(bytes);
    };

    set set_request_budget_usec(request_budget_usec: i64) = |this| {
        this.request_budget_usec = request_budget_usec.within(0..=BUDGET_USEC_MAX)?;
    };

    get get_source_layers() -> NodeArray<TileMapLayer> = |this| NodeArray::of_list(&this.tile_maps.layers);
    set set_source_layers(source_layers: NodeArray<TileMapLayer>) = |this| {
        this.change_source_layers(source_layers.value.nodes()?);
    };
}
