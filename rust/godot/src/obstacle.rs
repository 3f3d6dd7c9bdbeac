//! `PathForgeObstacle2D`: a thing that stands on the map, as a node.

use godot::classes::notify::CanvasItemNotification;
use godot::classes::{Engine, INode2D, Node2D};
use godot::prelude::*;
use pathforge_core::geometry::Footprint;
use pathforge_core::terrain::ObstacleLayers;
use pathforge_core::walker::{Point, covered};

use crate::convert;
use crate::frames::{self, Frame, Frames};
use crate::grid::PathForgeGrid;
use crate::grid_link::{GridLink, local_position};
use crate::properties::class_api;

/// Something that blocks cells of a grid where it stands: a cart, a crate, a unit that holds its ground.
///
/// The obstacle covers the cells under a body of [member footprint] cells at its position and follows it: make it a
/// child of what moves. It is one of the grid's counted obstacles, see [method PathForgeGrid.add_obstacle]: where two
/// of them overlap, cells stay blocked until both are gone, and the cells themselves do not change.
///
/// It blocks cells while it is in the running game's scene tree and [member enabled], and looks where it is in every
/// frame. A body walks through its own obstacle when its profile says so; a [PathForgeAgent2D] does that for a child of
/// this class by itself.
///
/// ```gdscript
/// var obstacle := PathForgeObstacle2D.new()
/// obstacle.footprint = Vector2i(2, 1)
/// cart.add_child(obstacle) # Blocks two cells wherever the cart goes.
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Node2D)]
pub struct PathForgeObstacle2D {
    base: Base<Node2D>,

    /// The grid to stand on. Unset, it is the nearest [PathForgeGrid]: an ancestor, or a child of one.
    #[export]
    #[var(get, set)]
    grid: PhantomVar<Option<Gd<PathForgeGrid>>>,

    /// Width and height in cells, 1 to 64 each. It covers every cell that it touches, one more in each direction while
    /// it stands between cells: what is less than a thirtieth of a cell does not count.
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "1,64,1,suffix:cells")]
    footprint: PhantomVar<Vector2i>,

    /// The layers that it stands on, as bit flags: it blocks a body if it stands on a layer that is not one of [member
    /// PathForgeProfile.ignored_obstacle_layers].
    #[export]
    #[var(get, set, hint = FLAGS, hint_string = "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32")]
    obstacle_layer: PhantomVar<i64>,

    /// If [code]true[/code], it blocks cells.
    #[export]
    #[init(val = true)]
    enabled: bool,

    #[init(val = Footprint::ONE)]
    size: Footprint,
    #[init(val = ObstacleLayers::FIRST)]
    layers: ObstacleLayers,
    link: GridLink,
    placed: Option<Placed>,
    frames: Frames,
}

/// Where the obstacle stands.
#[derive(Clone, Copy, PartialEq)]
struct Placed {
    grid: InstanceId,
    id: i64,
    cells: Rect2i,
    layers: ObstacleLayers,
}

#[godot_api]
impl INode2D for PathForgeObstacle2D {
    fn on_notification(&mut self, what: CanvasItemNotification) {
        use CanvasItemNotification as What;
        self.link.notice(what);
        match what {
            What::ENTER_TREE => {
                self.frames.enter(&self.to_gd(), Frame::Process, Self::process);
            }
            // Right before a script's `_ready`, which finds the cells blocked.
            What::POST_ENTER_TREE => frames::unborrowed(self, Self::update_cells),
            What::EXIT_TREE => {
                self.frames.exit(&self.to_gd().upcast());
                frames::unborrowed(self, Self::lift);
            }
            _ => {}
        }
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        self.link.warnings(&self.to_gd().upcast())
    }
}

class_api! {
    impl PathForgeObstacle2D;

    /// Returns the id of the obstacle on the grid, −1 while it blocks nothing.
    get get_obstacle_id() -> i64 = |this| this.placed.map_or(-1, |placed| placed.id);
    /// Returns the cells that it covers, an empty region while it blocks nothing.
    get get_cells() -> Rect2i = |this| this.placed.map(|placed| placed.cells).unwrap_or_default();
    grid in link;

    get get_footprint() -> Vector2i = |this| convert::size(this.size);
    set set_footprint(footprint: Vector2i) = |this| this.size = convert::footprint(footprint.value)?;

    get get_obstacle_layer() -> i64 = |this| i64::from(this.layers.0);
    set set_obstacle_layer(obstacle_layer: i64) = |this| {
        this.layers = ObstacleLayers(obstacle_layer.named().flags()?);
    };
}

#[godot_api(secondary)]
impl PathForgeObstacle2D {
    /// Blocks the cells where the node is now. It does so in every frame by itself; call this when a query of the same
    /// frame needs it.
    #[func(gd_self)]
    fn update_cells(this: Gd<Self>) {
        Self::cover(this, false);
    }

    fn process(this: Gd<Self>, _delta: f64) {
        Self::cover(this, true);
    }

    /// Covers the cells where the node is now; warns where there is no grid, if `is_loud`.
    fn cover(mut this: Gd<Self>, is_loud: bool) {
        // Nothing is borrowed while the grid announces the change.
        let (placed, wanted, layers) = {
            let mut obstacle = this.bind_mut();
            let wanted = obstacle.wanted();
            if is_loud && wanted.is_none() {
                let node = obstacle.to_gd().upcast();
                obstacle.link.warn_once(&node);
            }
            (obstacle.placed, wanted, obstacle.layers)
        };
        match (placed, wanted) {
            (Some(placed), Some((grid, cells)))
                if placed.grid == grid.instance_id() && placed.layers == layers =>
            {
                if placed.cells != cells {
                    this.bind_mut().placed = Some(Placed { cells, ..placed });
                    PathForgeGrid::move_obstacle(grid, placed.id, cells);
                }
            }
            (_, Some((grid, cells))) => {
                Self::lift(this.clone());
                let id = PathForgeGrid::add_obstacle(grid.clone(), cells, i64::from(layers.0));
                let is_there = this.is_instance_valid() && id >= 0;
                if is_there {
                    this.bind_mut().placed = Some(Placed { grid: grid.instance_id(), id, cells, layers });
                }
            }
            (_, None) => Self::lift(this),
        }
    }

    /// Takes the obstacle off its grid, if that is still there.
    fn lift(mut this: Gd<Self>) {
        let Some(placed) = this.bind_mut().placed.take() else { return };
        if let Ok(grid) = Gd::<PathForgeGrid>::try_from_instance_id(placed.grid)
            && grid.bind().knows_obstacle(placed.id)
        {
            PathForgeGrid::remove_obstacle(grid, placed.id);
        }
    }

    /// The grid and the cells to block; `None` for none at all.
    fn wanted(&mut self) -> Option<(Gd<PathForgeGrid>, Rect2i)> {
        let is_out = !self.base().is_inside_tree() || Engine::singleton().is_editor_hint();
        if is_out || !self.enabled {
            return None;
        }
        let node = self.to_gd().upcast();
        let grid = self.link.resolve(&node)?;
        let position = local_position(&grid, self.base().get_global_position())?;
        let (x, y) = grid.bind().cell_geometry().cell_space_of(position);
        let cells = convert::region(covered(Point::new(x, y), self.size));
        Some((grid, cells))
    }
}
