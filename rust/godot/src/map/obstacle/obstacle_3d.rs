//! `PathForgeObstacle3D`: an obstacle where a space lays out the grid.

use godot::classes::notify::Node3DNotification;
use godot::classes::{INode3D, Node3D};
use godot::prelude::*;
use pathforge_core::terrain::ObstacleLayers;

use super::{Obstacle, ObstacleClass, obstacle_api};
use crate::engine::frames::{self, Frame};
use crate::map::grid::PathForgeGrid;
use crate::map::grid_link::{Link, is_move_3d};
use crate::map::map_link::MapLink;
use crate::map::seat::Seat;
use crate::map::space::PathForgeSpace3D;
use crate::script::convert;
use crate::script::node_arg::{self, NodeArg};
use crate::script::properties::class_api;

/// Blocks cells of a grid in 3D below a node: a cart, a crate, a unit that holds its ground.
///
/// It is the counterpart of [PathForgeObstacle2D] on the ground of a [PathForgeSpace3D]. It covers the cells
/// below a body of [member footprint] cells at its position and follows it, also when the space is moved or
/// turned. Make it a child of the node that moves. Its height does not matter: switch it off for bodies that
/// fly, see [member enabled]. In a house, it covers cells of the floor that carries it: see [method
/// PathForgeSpace3D.floor_at].
///
/// It blocks cells while it is in the running game's scene tree and [member enabled], and checks its position
/// in every frame. A body walks through its own obstacle if its profile says so; a [PathForgeAgent3D] ignores
/// an obstacle that is its child by itself.
///
/// ```gdscript
/// var obstacle := PathForgeObstacle3D.new()
/// obstacle.footprint = Vector2i(2, 1)
/// cart.add_child(obstacle) # Blocks two cells wherever the cart goes.
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Node3D)]
pub struct PathForgeObstacle3D {
    base: Base<Node3D>,

    /// The space to stand in, and its grid. Unset, it is the nearest [PathForgeSpace3D]: an ancestor, a child
    /// of one, or a child of a [PathForgeGrid] that is a child of one.
    #[export]
    #[var(get, set)]
    space: node_arg::PhantomVar<PathForgeSpace3D>,

    /// Width and depth in cells, along x and along z of the space, 1 to 64 each; it does not turn with the
    /// node. It covers every cell that it touches, one more in each direction while it stands between cells:
    /// what is less than a thirtieth of a cell does not count.
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "1,64,1,suffix:cells")]
    footprint: PhantomVar<Vector2i>,

    /// The radius of a circle around the node that it covers instead of [member footprint], in metres of the
    /// node's own space. 0: none.
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "0,100,0.01,or_greater,suffix:m")]
    radius: PhantomVar<f64>,

    /// The corners of an outline that it covers instead of [member footprint], in the node's own space, whose
    /// x and z count: the outline turns and scales with the node. Three or more that go round without
    /// crossing, in either direction, or none. With a [member radius], it covers both. Cells that share area
    /// with the outline are covered, cells outside the grid's region are not.
    ///
    /// ```gdscript
    /// obstacle.vertices = $NavigationObstacle3D.vertices # As Godot's own have them.
    /// ```
    #[export]
    #[var(get, set)]
    vertices: PhantomVar<PackedVector3Array>,

    /// The layers that it stands on, as bit flags: it blocks a body if it stands on a layer that is not one
    /// of [member PathForgeProfile.ignored_obstacle_layers].
    #[export]
    #[var(get, set, hint = FLAGS, hint_string = "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32")]
    obstacle_layers: PhantomVar<i64>,

    /// If [code]true[/code], it blocks cells.
    #[export]
    #[var(get, set)]
    enabled: PhantomVar<bool>,

    #[init(val = Obstacle::new(Seat::Space(base.to_init_gd()), MapLink::Space(Link::default())))]
    pub(super) obstacle: Obstacle,
}

obstacle_api! {
    impl PathForgeObstacle3D: INode3D(Node3DNotification), is_move_3d;

    /// Returns the space that counts now, set or found, or `null`.
    get get_effective_space() -> Option<Gd<PathForgeSpace3D>> = |this| {
        this.obstacle.link.effective(&this.obstacle.seat.node()).1
    };

    get get_vertices() -> PackedVector3Array = |this| this.obstacle.outline.vertices().into();
    set set_vertices(vertices: PackedVector3Array) = |this| {
        let from_above = |vertex: Vector3| Vector2::new(vertex.x, vertex.z);
        this.obstacle.outline.set_vertices(vertices.value.to_vec(), from_above)?;
        this.base_mut().update_configuration_warnings();
    };

    get get_space() -> NodeArg<PathForgeSpace3D> = |this| this.obstacle.link.named_space().into();
    set set_space(space: NodeArg<PathForgeSpace3D>) = |this| {
        this.obstacle.link.name_space(space.node()?.as_ref());
        this.base_mut().update_configuration_warnings();
    };
}
