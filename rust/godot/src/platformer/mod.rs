//! `PathForgePlatformer`: a side-view level and the paths of characters that run, jump and fall in it.
//!
//! This file has the class: properties and what the engine calls. The verbs are in the modules below.

mod cells;
mod follower;
mod import;
mod jump_profile;
mod level;
mod overlay;
mod queries;
mod storage;
mod trip;

pub use trip::Trip;

use godot::classes::notify::CanvasItemNotification;
use godot::classes::{INode2D, Node2D};
use godot::prelude::*;
use pathforge_core::geometry::CellRect;
use pathforge_core::platformer::{Platformer, PlatformerMap};

use crate::convert;
use crate::errors::{report, reported};
use crate::frames::{Frame, Frames};
use crate::geometry::CellGeometry;
use crate::grid::PathForgeGrid;
use crate::grid_link::GridLink;
use overlay::JumpOverlay;

/// A side-view level, and paths that jump: for characters of any width and height that run, jump, fall, and use one-way
/// platforms.
///
/// A cell is open, solid, or one-way: a one-way cell carries from above, lets bodies through from below and from the
/// sides, and a character may drop through it on purpose. Solid cells are the node's own, or those of a
/// [PathForgeGrid], whose edits it follows. One-way cells are always its own.
///
/// A character of w×h cells is named by its **bottom-left cell**; positions are the centre of its cells. It stands when
/// any of its bottom cells is right above a solid or one-way cell. It stands at a goal with its bottom-left cell there
/// or, when it does not fit so, shifted to the left until its bottom-right cell is there.
///
/// ```gdscript
/// var platformer := PathForgePlatformer.new()
/// platformer.set_from_text("""
///     ............
///     ....==......
///     ............
///     ##......####
///     ##......####
/// """)
/// var profile := PathForgeJumpProfile.new()
/// profile.max_jump_height = 3
/// var path := platformer.find_path(Vector2i(0, 2), Vector2i(11, 2), profile)
/// print(path.describe())
/// print(path.steps) # STEP_WALK, STEP_JUMP, …, one for each of path.cells.
/// ```
///
/// A [PathForgePlatformFollower] says which buttons to press to get along such a path.
#[derive(GodotClass)]
#[class(init, tool, base = Node2D)]
#[allow(clippy::struct_excessive_bools)] // Properties.
pub struct PathForgePlatformer {
    base: Base<Node2D>,

    /// The grid whose solid cells are the level's. Unset, and without a [member region] of its own, the node takes the
    /// nearest [PathForgeGrid]: an ancestor, or a child of one. Terrain and weights do not matter here.
    #[export]
    #[var(get = get_grid, set = set_grid)]
    grid: PhantomVar<Option<Gd<PathForgeGrid>>>,

    /// The cells of the level when it has no grid: position and size, in cells. Changing it keeps the cells that the
    /// old and the new region share. With a grid, it is the grid's.
    #[export]
    #[var(get = get_region, set = set_region, hint = NONE, hint_string = "suffix:cells")]
    region: PhantomVar<Rect2i>,

    /// Width and height of a cell in pixels, both above zero. With a grid, it is the grid's.
    #[export]
    #[var(
        get = get_cell_size,
        set = set_cell_size,
        hint = RANGE,
        hint_string = "0.01,256,0.01,or_greater,hide_slider,suffix:px"
    )]
    cell_size: PhantomVar<Vector2>,

    /// Where the corner of cell `(0, 0)` lies in the node's local space. With a grid, it is the grid's.
    #[export]
    #[var(get = get_offset, set = set_offset, hint = NONE, hint_string = "suffix:px")]
    offset: PhantomVar<Vector2>,

    /// If [code]true[/code], the node's own cells are saved with the scene.
    #[export]
    #[init(val = true)]
    store_cells: bool,

    /// The node's own cells, for the scene file.
    #[var(get = get_stored_cells, set = set_stored_cells, usage_flags = [STORAGE])]
    _stored_cells: PhantomVar<PackedByteArray>,

    /// If [code]true[/code], the overlay is drawn in the running game: cells, and the last path of [method find_path]
    /// with its jump values and the character's outline at the key points.
    #[export]
    #[export_group(name = "Debug", prefix = "debug_")]
    debug_enabled: bool,

    /// If [code]true[/code], the overlay is drawn in the editor.
    #[export]
    #[init(val = true)]
    debug_in_editor: bool,

    /// If [code]true[/code], the overlay has solid and one-way cells.
    #[export]
    #[init(val = true)]
    debug_cells: bool,

    /// If [code]true[/code], the overlay has the last path.
    #[export]
    #[init(val = true)]
    debug_path: bool,

    /// If [code]true[/code], the overlay has a mark in every cell that the last search reached.
    #[export]
    debug_states: bool,

    #[init(val = Platformer::new(empty_level()))]
    platformer: Platformer,
    geometry: CellGeometry,
    /// `true` if region and solid cells are this node's own.
    owns: bool,
    link: GridLink,
    /// The grid that was followed last, and how far.
    followed: Option<InstanceId>,
    seen: u64,
    edits: u64,
    last_global: Transform2D,
    overlay: JumpOverlay,
    frames: Frames,
}

/// A level without cells, which is a valid one.
fn empty_level() -> PlatformerMap {
    PlatformerMap::new(CellRect::default()).unwrap_or_else(|error| unreachable!("{error}"))
}

#[godot_api]
impl INode2D for PathForgePlatformer {
    fn on_notification(&mut self, what: CanvasItemNotification) {
        use CanvasItemNotification as What;
        self.link.notice(what);
        match what {
            What::ENTER_TREE => self.frames.enter(&self.to_gd(), Frame::Process, Self::process),
            What::EXIT_TREE => self.frames.exit(&self.to_gd().upcast()),
            What::DRAW => self.draw_overlay(),
            _ => {}
        }
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        let mut warnings = PackedStringArray::new();
        if !self.owns && self.grid_now().is_none() {
            warnings.push(
                "There are no cells. Set Grid, put this node below a PathForgeGrid or something beside one, or set Region and \
                 give it cells of its own.",
            );
        }
        warnings
    }
}

impl PathForgePlatformer {
    fn process(mut this: Gd<Self>, _delta: f64) {
        this.bind_mut().refresh_overlay();
    }
}

#[godot_api]
impl PathForgePlatformer {
    #[func]
    fn get_grid(&self) -> Option<Gd<PathForgeGrid>> {
        self.link.named()
    }

    #[func]
    fn set_grid(&mut self, grid: Option<Gd<PathForgeGrid>>) {
        self.link.name(grid.as_ref());
        self.edits += 1;
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    fn get_region(&self) -> Rect2i {
        let shared = self.grid_now().map(|grid| grid.bind().cell_region());
        convert::region(shared.unwrap_or_else(|| self.platformer.map().region()))
    }

    #[func]
    fn set_region(&mut self, region: Rect2i) {
        if self.shared_grid().is_some_and(|_| self.link.named().is_some()) {
            report("PathForgePlatformer.region", "the region is the grid's; set PathForgeGrid.region");
            return;
        }
        let resized = self.platformer.map().resized(convert::rect(region));
        if let Some(map) = reported("PathForgePlatformer.region", resized) {
            self.owns = !map.region().is_empty();
            self.replace_map(map);
            self.base_mut().update_configuration_warnings();
        }
    }

    #[func]
    fn get_cell_size(&self) -> Vector2 {
        self.grid_now().map_or(self.geometry, |grid| grid.bind().cell_geometry()).cell_size
    }

    #[func]
    fn set_cell_size(&mut self, cell_size: Vector2) {
        if let Some(size) = reported("PathForgePlatformer.cell_size", convert::cell_size(cell_size)) {
            self.geometry.cell_size = size;
        }
    }

    #[func]
    fn get_offset(&self) -> Vector2 {
        self.grid_now().map_or(self.geometry, |grid| grid.bind().cell_geometry()).offset
    }

    #[func]
    fn set_offset(&mut self, offset: Vector2) {
        if let Some(offset) = reported("PathForgePlatformer.offset", convert::finite("offset", offset)) {
            self.geometry.offset = offset;
        }
    }

    #[func(rename = _get_stored_cells)]
    fn get_stored_cells(&self) -> PackedByteArray {
        self.cells_for_the_scene()
    }

    #[func(rename = _set_stored_cells)]
    fn set_stored_cells(&mut self, bytes: PackedByteArray) {
        self.take_cells_of_the_scene(bytes.as_slice());
    }
}
