//! `PathForgeSpace3D`: a grid laid onto a plane of space, with heights.
//!
//! The node turns cells and positions of the grid into positions in space and back. How high the ground is
//! where is in the core's [`HeightField`], where the heights come from in [`imports`], [`rays`] and, with
//! cells, [`grid_maps`]. The grid has them too, for bodies that climb only so much: [`grid_heights`].

mod closest;
mod conversions;
mod grid_heights;
mod grid_maps;
mod imports;
mod navigation;
mod nearest;
mod overlay;
mod rays;

use godot::classes::notify::Node3DNotification;
use godot::classes::{INode3D, Node3D};
use godot::prelude::*;
use pathforge_core::geometry::CellRect;
use pathforge_core::height_field::{Affine, HeightField, Ray};

use crate::engine::errors::reported;
use crate::engine::frames::{Frame, Frames};
use crate::engine::state;
use crate::map::grid::{CellFrame, PathForgeGrid};
use crate::map::grid_link::{GridLink, NO_GRID};
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

    ground: HeightField,
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
            }
            _ => {}
        }
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        self.link.warnings(&self.to_gd().upcast())
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

    grid in link then |this| this.hand_heights();

    get get_cell_size() -> Vector2 = |this| {
        let [width, depth] = this.ground.cell_size;
        Vector2::new(width, depth)
    };
    set set_cell_size(cell_size: Vector2) = |this| {
        let Vector2 { x, y } = convert::cell_size(cell_size.value)?;
        this.ground.cell_size = [x, y];
        this.hand_heights();
    };
}

impl PathForgeSpace3D {
    /// The grid, or an error that names `method`.
    fn some_grid(&mut self, method: &str) -> Option<Gd<PathForgeGrid>> {
        reported(method, self.resolve_grid().ok_or(NO_GRID))
    }

    /// The grid's region, or an error that names `method`.
    fn region(&mut self, method: &str) -> Option<CellRect> {
        let grid = self.some_grid(method)?;
        Some(state::of(&grid).lock().world.terrain().region())
    }

    /// The grid, looked for when there is none yet.
    pub fn resolve_grid(&mut self) -> Option<Gd<PathForgeGrid>> {
        let node = self.to_gd().upcast();
        self.link.resolve(&node)
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
        CellFrame::in_space(Vector2::new(x, y), self.to_global())
    }

    /// The place on the ground below or above a position in space, which keeps what it is along the other
    /// axes.
    pub fn grounded(&self, position: Vector3) -> Vector3 {
        let Some(frame) = self.frame() else { return position };
        let (at, to_global) = (frame.point(position), self.to_global());
        let height = (to_global.affine_inverse() * position).y;
        position + to_global.basis.col_b() * (self.ground.height_at(at.x, at.y) - height)
    }

    /// How high the ground is where.
    pub const fn ground(&self) -> &HeightField {
        &self.ground
    }

    /// How a node stands on the ground at a point of cell space: upright, its −z axis along `way` in cells.
    pub fn stance(&self, (x, y): (f64, f64), way: Option<[f32; 2]>) -> Stance {
        let to_global = self.to_global();
        let place = to_global * vector(self.ground.point(x, y));
        let ahead = way.map(|[x, y]| {
            let [width, depth] = self.ground.cell_size;
            (to_global.basis * Vector3::new(x * width, 0.0, y * depth), to_global.basis.col_b())
        });
        // In a space that is squeezed flat there is nowhere to look.
        let ahead = ahead.filter(|(ahead, up)| ahead.cross(*up).length_squared() > 0.0 && ahead.is_finite());
        Stance { place, ahead }
    }

    /// From the node's space to the world, also outside the tree.
    pub fn to_global(&self) -> Transform3D {
        global_transform(&self.to_gd().upcast())
    }

    /// From the world to the node's space, or an error that names `method`.
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
fn affine(transform: &Transform3D) -> Affine {
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
