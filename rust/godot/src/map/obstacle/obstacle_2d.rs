//! `PathForgeObstacle2D`: an obstacle on the grid's own plane.

use godot::classes::notify::CanvasItemNotification;
use godot::classes::{INode2D, Node2D};
use godot::prelude::*;
use pathforge_core::terrain::ObstacleLayers;

use super::{Obstacle, ObstacleClass, obstacle_api};
use crate::engine::frames::{self, Frame};
use crate::map::grid::{PathForgeGrid, flat, upright};
use crate::map::grid_link::{GridLink, is_move};
use crate::map::map_link::MapLink;
use crate::map::seat::Seat;
use crate::script::convert;
use crate::script::node_arg::{self, NodeArg};
use crate::script::properties::class_api;

/// Something that blocks cells of a grid where it stands: a cart, a crate, a unit that holds its ground.
///
/// The obstacle covers the cells under a body of [member footprint] cells at its position and follows it:
/// make it a child of what moves. It is one of the grid's counted obstacles, see [method
/// PathForgeGrid.add_obstacle]: where two of them overlap, cells stay blocked until both are gone, and the
/// cells themselves do not change.
///
/// It blocks cells while it is in the running game's scene tree and [member enabled], and looks where it is
/// in every frame. A body walks through its own obstacle when its profile says so; a [PathForgeAgent2D] does
/// that for a child of this class by itself.
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
    grid: node_arg::PhantomVar<PathForgeGrid>,

    /// Width and height in cells, 1 to 64 each. It covers every cell that it touches, one more in each
    /// direction while it stands between cells: what is less than a thirtieth of a cell does not count.
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "1,64,1,suffix:cells")]
    footprint: PhantomVar<Vector2i>,

    /// The radius of a circle around the node that it covers instead of [member footprint], in pixels of the
    /// node's own space. 0: none.
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "0,500,0.01,or_greater,suffix:px")]
    radius: PhantomVar<f64>,

    /// The corners of an outline that it covers instead of [member footprint], in the node's own space: the
    /// outline turns and scales with the node. Three or more that go round without crossing, in either
    /// direction, or none. With a [member radius], it covers both. Cells that share area with the outline are
    /// covered, cells outside the grid's region are not.
    ///
    /// ```gdscript
    /// obstacle.vertices = $NavigationObstacle2D.vertices # As Godot's own have them.
    /// ```
    #[export]
    #[var(get, set)]
    vertices: PhantomVar<PackedVector2Array>,

    /// The layers that it stands on, as bit flags: it blocks a body if it stands on a layer that is not one
    /// of [member PathForgeProfile.ignored_obstacle_layers].
    #[export]
    #[var(get, set, hint = FLAGS, hint_string = "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32")]
    obstacle_layers: PhantomVar<i64>,

    /// If [code]true[/code], it blocks cells.
    #[export]
    #[var(get, set)]
    enabled: PhantomVar<bool>,

    #[init(val = Obstacle::new(Seat::Plane(base.to_init_gd()), MapLink::Plane(GridLink::default())))]
    pub(super) obstacle: Obstacle,
}

obstacle_api! {
    impl PathForgeObstacle2D: INode2D(CanvasItemNotification), is_move;

    get get_vertices() -> PackedVector2Array = |this| {
        this.obstacle.outline.vertices().iter().copied().map(flat).collect()
    };
    set set_vertices(vertices: PackedVector2Array) = |this| {
        let corners = vertices.value.as_slice().iter().copied().map(upright).collect();
        this.obstacle.outline.set_vertices(corners, flat)?;
        this.base_mut().update_configuration_warnings();
    };

    get get_grid() -> NodeArg<PathForgeGrid> = |this| this.obstacle.link.named_grid().into();
    set set_grid(grid: NodeArg<PathForgeGrid>) = |this| {
        this.obstacle.link.name_grid(grid.node()?.as_ref());
        this.base_mut().update_configuration_warnings();
    };
}
