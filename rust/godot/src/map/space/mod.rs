//! `PathForgeSpace3D`: a grid laid onto a plane of space, with heights.
//!
//! The node turns cells and positions of the grid into positions in space and back. How high the ground is
//! where is in the core's [`HeightField`], where the heights come from in [`imports`], [`rays`] and, with
//! cells, [`grid_maps`]. The grid has them too, for bodies that climb only so much: [`grid_heights`].

mod closest;
mod conversions;
mod floors;
mod grid_heights;
mod grid_maps;
mod imports;
mod navigation;
mod nearest;
mod overlay;
mod rays;

use std::sync::Arc;

use godot::classes::notify::Node3DNotification;
use godot::classes::{INode3D, Node3D};
use godot::prelude::*;
use pathforge_core::geometry::CellRect;
use pathforge_core::height_field::{Affine, HeightField, Ray};
use pathforge_core::terrain::check_region;

use crate::engine::errors::reported;
use crate::engine::frames::{Frame, Frames};
use crate::engine::state;
use crate::map::grid::{CellFrame, PathForgeGrid};
use crate::map::grid_link::{GridLink, NO_GRID, is_move_3d};
use crate::map::storeys;
use crate::script::convert;
use crate::script::node_arg;
use crate::script::properties::class_api;
use nearest::SPACES;
use rays::Scan;

/// Lays a [PathForgeGrid] onto a plane of 3D space, with heights: cells and positions of the grid become
/// positions in space, and back.
///
/// The corner of cell `(0, 0)` with the least x and z lies at the node. x runs along the node's x axis, y
/// along its z axis, heights along its y axis. The node may be moved, turned and scaled. A grid is a
/// `Node2D`, so a space below it does not move with a `Node3D` above. If the terrain moves, put the space
/// below the terrain and set [member grid]. The grid's own position and [member PathForgeGrid.offset] do not
/// matter. All positions in space are global.
///
/// Several spaces with a [member floor_region] lay out the floors of a house, which are parts of one grid.
///
/// Search stays on the grid: a hill does not make a path longer. [member PathForgeProfile.step_height] and
/// [member PathForgeProfile.slope_limit_degrees] say what bodies climb; [method close_steep_cells] closes
/// steep cells to all. Between the centres of cells the ground is bilinear; without heights it is flat.
///
/// The grid keeps its own [member PathForgeGrid.cell_size], in which crowds, flow fields and influence maps
/// have their positions. [method to_space] and [method to_plane] convert them.
///
/// ```gdscript
/// @onready var grid: PathForgeGrid = $Grid
/// @onready var space: PathForgeSpace3D = $Grid/Space
///
/// func walk(unit: Node3D, target: Vector3) -> void:
///     var start := space.global_to_cell(unit.global_position)
///     var path := grid.find_path(start, space.global_to_cell(target))
///     for point: Vector3 in space.path_to_positions(path):
///         await move_to(point) # On the ground, up and down the hills.
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Node3D)]
pub struct PathForgeSpace3D {
    base: Base<Node3D>,

    /// The grid that is laid out. Unset, it is the nearest [PathForgeGrid]: an ancestor, or a child of one.
    #[export]
    #[var(get, set)]
    grid: node_arg::PhantomVar<PathForgeGrid>,

    /// Width and depth of a cell in metres, both above zero: along the node's x axis and along its z axis.
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "0.01,64,0.01,or_greater,hide_slider,suffix:m")]
    cell_size: PhantomVar<Vector2>,

    /// The cells of the grid that the node lays out, as a floor of a house. Empty, it lays out the whole grid.
    ///
    /// A house of several floors is one grid. Each floor is a node with a floor region of its own, and links
    /// of the grid are its stairs and lifts: [method PathForgeGrid.add_link]. The corner of the region's first
    /// cell lies at the node. Leave a row or a column of cells between the regions, so that bodies do not walk
    /// from one into the other; all floors have the same [member cell_size].
    ///
    /// Positions lead to cells of this floor only. Cells lead to positions on the floor that they belong to,
    /// whichever floor of the grid is asked. Heights and imports are of this floor's cells. Agents, obstacles
    /// and free places are on the floor that [method floor_at] returns for their position.
    ///
    /// ```gdscript
    /// grid.region = Rect2i(0, 0, 41, 16)
    /// ground_floor.floor_region = Rect2i(0, 0, 20, 16)
    /// upper_floor.floor_region = Rect2i(21, 0, 20, 16)
    /// upper_floor.position.y = 3.0
    /// ```
    #[export]
    #[export_group(name = "Floor")]
    #[var(get, set)]
    floor_region: PhantomVar<Rect2i>,

    /// How high the floor is from its ground to the ground of the next, in metres along the node's y axis. 0:
    /// without a limit. Imports and scans count as ground only what lies from half a cell below the node to
    /// below this height.
    #[export(range = (0.0, 16.0, 0.01, or_greater, suffix = "m"))]
    #[var(get, set)]
    storey_height: PhantomVar<f64>,

    /// If [code]true[/code], the overlays of the grid and of the nodes below it lie on the ground in the
    /// running game, instead of on the screen. Each overlay still needs its own `debug_enabled`. Other 2D
    /// nodes below the grid lie there, too. In the editor they stay in the 2D view.
    ///
    /// ```gdscript
    /// space.debug_enabled = true
    /// grid.debug_enabled = true # Solid cells, terrain, the last path.
    /// crowd.debug_enabled = true # Bodies, by what they do.
    /// ```
    #[export]
    #[export_group(name = "Debug", prefix = "debug_")]
    debug_enabled: bool,

    /// The cells of a storey; empty where the whole grid is laid out.
    sheet: CellRect,
    height_of_storey: f32,
    /// What was said of the storey last, so that it is said once.
    said_of_storey: Option<String>,
    ground: Arc<HeightField>,
    /// The grid that has the heights, too.
    holder: Option<grid_heights::Holder>,
    link: GridLink,
    /// The rays that are still to be cast.
    scan: Option<Scan>,
    /// The `GridMap` that was imported last.
    imported: Option<grid_maps::Import>,
    /// The overlay on the ground, while there is one.
    look: Option<overlay::Look>,
    frames: Frames,
}

/// Where a node stands in the world, and the directions ahead and up where it turns.
pub struct Stance {
    pub place: Vector3,
    pub ahead: Option<(Vector3, Vector3)>,
}

#[godot_api]
impl INode3D for PathForgeSpace3D {
    fn on_notification(&mut self, what: Node3DNotification) {
        use Node3DNotification as What;
        self.link.notice_3d(what);
        if is_move_3d(what) {
            self.publish_storey();
        }
        match what {
            What::ENTER_TREE => {
                SPACES.enter(self.to_gd().instance_id());
                self.frames.enter(&self.to_gd(), Frame::Physics, Self::cast_rays);
                self.frames.enter(&self.to_gd(), Frame::Process, Self::lay_overlay);
            }
            What::EXIT_TREE => {
                SPACES.exit(self.to_gd().instance_id());
                self.frames.exit(&self.to_gd().upcast());
                self.end_overlay();
                storeys::withdraw(self.to_gd().instance_id());
            }
            _ => {}
        }
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        let mut warnings = self.link.warnings(&self.to_gd().upcast());
        if let Some(problem) = self.storey_problem() {
            warnings.push(&problem);
        }
        warnings
    }
}

class_api! {
    impl PathForgeSpace3D;

    {
        /// Emitted when heights of cells in `region` were set, even to the same values: once for each call,
        /// before it returns, and once at the end of [method scan_heights]. A `GridMap` causes it where a
        /// cell gets another height.
        #[signal]
        fn heights_changed(region: Rect2i);
    }

    grid in link then |this| { this.publish_storey(); this.hand_heights() };

    get get_cell_size() -> Vector2 = |this| {
        let [width, depth] = this.ground.cell_size;
        Vector2::new(width, depth)
    };
    set set_cell_size(cell_size: Vector2) = |this| {
        let Vector2 { x, y } = convert::cell_size(cell_size.value)?;
        Arc::make_mut(&mut this.ground).cell_size = [x, y];
        this.publish_storey();
        this.hand_heights();
    };

    get get_floor_region() -> Rect2i = |this| convert::region(this.sheet);
    set set_floor_region(floor_region: Rect2i) = |this| {
        let sheet = convert::fill_rect(floor_region.value)?;
        check_region(sheet)?;
        this.set_sheet(sheet);
    };

    get get_storey_height() -> f64 = |this| f64::from(this.height_of_storey);
    set set_storey_height(storey_height: f64) = |this| {
        this.height_of_storey = storey_height.at_least_zero()? as f32;
    };
}

impl PathForgeSpace3D {
    /// The grid, or an error that names `method`.
    fn some_grid(&mut self, method: &str) -> Option<Gd<PathForgeGrid>> {
        reported(method, self.resolve_grid().ok_or(NO_GRID))
    }

    /// The cells of the grid that are laid out, or an error that names `method`.
    fn region(&mut self, method: &str) -> Option<CellRect> {
        let grid = self.some_grid(method)?;
        let whole = state::of(&grid).lock().world.terrain().region();
        Some(if self.is_storey() { whole.intersection(self.sheet) } else { whole })
    }

    /// The grid, looked for when there is none yet.
    pub fn resolve_grid(&mut self) -> Option<Gd<PathForgeGrid>> {
        let known = self.link.known_id();
        let node = self.to_gd().upcast();
        let grid = self.link.resolve(&node);
        if self.is_storey() && grid.as_ref().map(Gd::instance_id) != known {
            self.publish_storey();
        }
        grid
    }

    /// The id of the grid, as far as it is known: see
    /// [`Link::known_id`](crate::map::grid_link::Link::known_id).
    pub fn known_grid_id(&self) -> Option<InstanceId> {
        self.link.known_id()
    }

    /// Warns once that what is in the space does nothing without a grid.
    pub fn warn_of_no_grid(&mut self) {
        let node = self.to_gd().upcast();
        self.link.warn_once(&node);
    }

    /// Where cells lie; `None` where the node is scaled by zero, or not finite.
    pub fn frame(&self) -> Option<CellFrame> {
        let [x, y] = self.ground.cell_size;
        let frame = CellFrame::in_space(Vector2::new(x, y), self.to_global())?;
        Some(self.house().map_or(frame, |(key, _)| frame.in_house(key)))
    }

    /// The place on the ground below or above a position in space, which keeps what it is along the other
    /// axes.
    pub fn grounded(&self, position: Vector3) -> Vector3 {
        if let Some((_, house)) = self.house()
            && let Some((n, _)) = house.storeys.locate(position.to_array())
        {
            return Vector3::from_array(house.storeys.all()[n].grounded(position.to_array()));
        }
        let Some(frame) = self.frame() else { return position };
        let (at, to_global) = (frame.point(position), self.to_global());
        let height = (to_global.affine_inverse() * position).y;
        position + to_global.basis.col_b() * (self.ground.height_at(at.x, at.y) - height)
    }

    /// How high the ground is where.
    pub fn ground(&self) -> &HeightField {
        &self.ground
    }

    /// How a node stands on the ground at a point of cell space: upright, its −z axis along `way` in cells.
    pub fn stance(&self, (x, y): (f64, f64), way: Option<[f32; 2]>) -> Stance {
        let (to_global, ground) = self.laid_at((x, y));
        let place = to_global * vector(ground.point(x, y));
        let ahead = way.map(|[x, y]| {
            let [width, depth] = ground.cell_size;
            (to_global.basis * Vector3::new(x * width, 0.0, y * depth), to_global.basis.col_b())
        });
        // In a space that is squeezed flat there is nowhere to look.
        let ahead = ahead.filter(|(ahead, up)| ahead.cross(*up).length_squared() > 0.0 && ahead.is_finite());
        Stance { place, ahead }
    }

    /// From the plane of the grid to the world, also outside the tree: the node's space, in which the cells of
    /// a storey lie on.
    pub fn to_global(&self) -> Transform3D {
        let node = global_transform(&self.to_gd().upcast());
        if self.is_storey() { node * Transform3D::new(Basis::IDENTITY, self.shift()) } else { node }
    }

    /// The inverse, or an error that names `method`.
    pub fn to_local(&self, method: &str) -> Option<Transform3D> {
        let to_global = self.to_global();
        let determinant = to_global.basis.determinant();
        let is_flat = determinant == 0.0 || !determinant.is_finite();
        let inverse = if is_flat {
            Err(format!("the node is scaled by zero, or not finite: {to_global}"))
        } else {
            Ok(to_global.affine_inverse())
        };
        reported(method, inverse)
    }

    /// Gives the cells of `region`, a part of the `whole`, heights, and announces it. A height that is no
    /// number leaves its cell as it is. The node may be gone afterwards.
    fn change_heights(mut this: Gd<Self>, whole: CellRect, region: CellRect, heights: &[f32]) {
        if region.is_empty() {
            return;
        }
        this.bind_mut().set_heights(whole, region, heights);
        this.signals().heights_changed().emit(convert::region(region));
    }
}

/// Where a node is in the world, also outside the tree, where the engine does not say.
pub fn global_transform(node: &Gd<Node3D>) -> Transform3D {
    if node.is_inside_tree() {
        return node.get_global_transform();
    }
    let parent = |node: &Gd<Node3D>| node.get_parent().and_then(|parent| parent.try_cast::<Node3D>().ok());
    std::iter::successors(Some(node.clone()), parent)
        .fold(Transform3D::IDENTITY, |below, node| node.get_transform() * below)
}

/// A transform for the core.
pub fn affine(transform: &Transform3D) -> Affine {
    let Basis { rows: [x, y, z] } = transform.basis;
    Affine { axes: [[x.x, y.x, z.x], [x.y, y.y, z.y], [x.z, y.z, z.z]], origin: triple(transform.origin) }
}

/// A ray of the world in the node's space.
pub fn ray(to_local: &Transform3D, from: Vector3, direction: Vector3) -> Ray {
    Ray { origin: triple(*to_local * from), direction: triple(to_local.basis * direction) }
}

fn triple(vector: Vector3) -> [f32; 3] {
    [vector.x, vector.y, vector.z]
}

fn vector([x, y, z]: [f32; 3]) -> Vector3 {
    Vector3::new(x, y, z)
}
