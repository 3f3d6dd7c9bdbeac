//! `PathForgeAgent3D`: an agent where a space lays out the grid.

use std::sync::Arc;

use godot::classes::notify::Node3DNotification;
use godot::classes::{INode3D, Node3D};
use godot::prelude::*;
use pathforge_core::walker::Settings;

use super::node::AgentNode;
use super::script_api::agent_api;
use super::signals::Published;
use super::{Agent, layer_bit, set_bit};
use crate::answers::blockage::PathForgeBlockage;
use crate::answers::path::PathForgePath;
use crate::engine::direct::{Declared, Functions};
use crate::engine::frames::Frame;
use crate::engine::state::{self, HasState, State};
use crate::map::grid::PathForgeGrid;
use crate::map::grid_link::{Link, is_move_3d};
use crate::map::map_link::MapLink;
use crate::map::seat::Seat;
use crate::map::space::PathForgeSpace3D;
use crate::movers::crowd::PathForgeCrowd;
use crate::script::convert;
use crate::script::enumeration::{self, Constant};
use crate::script::node_arg::{self, NodeArg};
use crate::script::profile::PathForgeProfile;
use crate::script::properties::class_api;

/// Walks one body in 3D to a target: set [member target_position], and walk with [method get_next_velocity]
/// in every physics frame. The body keeps clear of walls and of all other agents.
///
/// The agent is used like `NavigationAgent3D`, for a body with a size. Make it a child of a `CharacterBody3D`
/// whose origin is the middle of the body, seen from above, and give it a [member profile]. The
/// [PathForgeSpace3D] may be an ancestor of the body, a child of an ancestor, or below a [PathForgeGrid]
/// there; otherwise set [member space]. Positions are global, distances metres. The height of the body does
/// not matter: the agent sees the cells below it. In a house, its height says on which floor it is: see
/// [method PathForgeSpace3D.floor_at].
///
/// ```gdscript
/// extends CharacterBody3D
///
/// @export var space: PathForgeSpace3D
///
/// func _physics_process(_delta: float) -> void:
///     velocity = $PathForgeAgent3D.get_next_velocity(4.0)
///     move_and_slide()
///     global_position = space.snap_to_ground(global_position)
/// ```
///
/// Velocities are parallel to the plane of the space. The last line above keeps the body on the ground that
/// the space knows. A body that falls and stands on colliders keeps its own speed along y instead:
///
/// ```gdscript
/// extends CharacterBody3D
///
/// func _physics_process(delta: float) -> void:
///     var walk: Vector3 = $PathForgeAgent3D.get_next_velocity(4.0)
///     velocity = Vector3(walk.x, velocity.y - 9.8 * delta, walk.z)
///     move_and_slide()
/// ```
///
/// All else is the same as for [PathForgeAgent2D], where it is explained: the crowd and its orders, new
/// paths, bodies in closed cells, and the size of collision shapes. Without a space, or with a space that has
/// no grid, [signal navigation_failed] is emitted, one warning says so, and the body stays where it is.
///
/// A body that walks needs no [PathForgeObstacle3D]. As a child of the agent, an obstacle makes the body
/// block cells, for units that hold a place. The agent ignores its own obstacle.
#[derive(GodotClass)]
#[class(init, tool, base = Node3D)]
pub struct PathForgeAgent3D {
    base: Base<Node3D>,

    /// The space to walk in, and its grid. Unset, it is the nearest [PathForgeSpace3D]: an ancestor, a child
    /// of one, or a child of a [PathForgeGrid] that is a child of one. The property stays [code]null[/code]
    /// then: see [method get_effective_space].
    #[export]
    #[var(get, set)]
    space: node_arg::PhantomVar<PathForgeSpace3D>,

    /// The body: its size, where it may walk and what that costs. Unset, it is one cell that may go
    /// everywhere.
    #[export]
    #[var(get, set)]
    profile: PhantomVar<Option<Gd<PathForgeProfile>>>,

    /// What counts as being at the target: one of the `GOAL_*` constants of [PathForgeGrid]. With [constant
    /// PathForgeGrid.GOAL_NEAREST] a body that covers the cell of the target has reached it. A body that only
    /// comes near has finished, and has not reached it.
    #[export]
    #[var(get = get_goal_mode, set = set_goal_mode, hint = ENUM, hint_string = "Exact,Cover,Nearest")]
    goal_mode: PhantomVar<Constant<enumeration::GoalMode>>,

    /// Where to go, in global space, above or below the ground: its height does not matter, except in a house,
    /// where it says on which floor. A target that is not finite stops the agent, with an error.
    ///
    /// - Each assignment is an order, also of the same target. It asks for a path, unless the agent still
    ///   rests where its last route to that target ended or was refused: then the last answer is given again.
    /// - A body outside the grid's region or in closed cells walks straight to the nearest cells in which it
    ///   fits, and on from there. Such cells are looked for up to 32 cells from the body, or from the
    ///   region's edge.
    /// - The route ends at the target itself if the body has room there. With [constant
    ///   PathForgeGrid.GOAL_COVER], a body larger than one cell stops as soon as it covers the target's cell.
    #[var(get = get_target_position, set = set_target_position, usage_flags = [NONE])]
    target_position: PhantomVar<Vector3>,

    /// How near the body must come to a position of the route before it goes on to the next one, in metres.
    /// It first needs room to walk there straight, so a large distance never leads across a corner.
    #[export(range = (0.01, 10.0, 0.01, or_greater, suffix = "m"))]
    #[export_group(name = "Pathfinding")]
    #[var(get, set)]
    path_desired_distance: PhantomVar<f64>,

    /// How near the body must come to the end of the route to have arrived, in metres.
    #[export(range = (0.01, 10.0, 0.01, or_greater, suffix = "m"))]
    #[var(get, set)]
    target_desired_distance: PhantomVar<f64>,

    /// How far off its route the body may be pushed before the agent asks for a new path, in metres.
    #[export(range = (0.1, 100.0, 0.1, or_greater, suffix = "m"))]
    #[var(get, set)]
    path_max_distance: PhantomVar<f64>,

    /// The least time between two searches for a better route, in seconds. Agents search after an edit
    /// elsewhere that may shorten their route, and change the route only if the new path is shorter. Agents
    /// that hear of one edit spread their searches over this time.
    ///
    /// An agent whose route does not lead to its target searches as often, the first time within a quarter of
    /// a second. Edits that touch the route do not wait.
    #[export(range = (0.0, 10.0, 0.01, or_greater, suffix = "s"))]
    #[var(get, set)]
    repath_seconds: PhantomVar<f64>,

    /// If [code]true[/code], [method get_next_velocity] keeps clear of all agents of the [member crowd],
    /// nodes and ids, and gives way. If [code]false[/code], it leads straight along the route.
    #[export]
    #[export_group(name = "Avoidance")]
    #[var(get, set)]
    avoidance_enabled: PhantomVar<bool>,

    /// The crowd of the body: its agents keep clear of each other. Unset, it is the [PathForgeCrowd] that is
    /// a child of the grid or, without one, a crowd that the grid makes when it is needed.
    #[export]
    #[var(get = get_crowd, set = set_crowd)]
    crowd: node_arg::PhantomVar<PathForgeCrowd>,

    /// Half of the width that keeps clear of others, in metres; of a long body, where it is narrow. With 0 it
    /// is half the footprint less a tenth of a cell. It counts as at most 64 cells. [member
    /// PathForgeProfile.outline] says the form.
    #[export(range = (0.0, 50.0, 0.01, or_greater, suffix = "m"))]
    #[var(get, set)]
    radius: PhantomVar<f64>,

    /// The priority, from 0 to 1. If two agents are in each other's way, the agent of lower priority does
    /// most of the steering clear. A body at rest makes way for agents of its own priority or a higher one.
    /// Differences below 1/15 may not count.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(get, set)]
    priority: PhantomVar<f64>,

    /// If [code]true[/code], the body never makes way while it rests, whatever its [member priority]: a
    /// worker at its work, a guard in a gate. Others go around it; if they cannot, their [method
    /// get_blockage] names it. It still walks to its target.
    #[export]
    #[var(get, set)]
    hold_position: PhantomVar<bool>,

    /// The avoidance layers that the body is on, as 32 bit flags. An agent avoids this body only if one of
    /// these layers is in its [member avoidance_mask].
    #[export]
    #[var(get, set, hint = LAYERS_AVOIDANCE)]
    avoidance_layers: PhantomVar<i64>,

    /// The avoidance layers whose agents the body avoids, as 32 bit flags. It steers clear of these agents,
    /// gives way to them and takes no place of theirs. It goes through all other agents, and gets its share
    /// of room as if they were not there.
    ///
    /// If only one of two bodies avoids the other, it alone makes way. Agents of another [member crowd] are
    /// never avoided. Obstacles block cells for every body; [member PathForgeProfile.ignored_obstacle_layers]
    /// is the mask for them.
    ///
    /// ```gdscript
    /// const GROUND := 1 << 0
    /// const AIR := 1 << 1
    /// plane_agent.avoidance_layers = AIR
    /// plane_agent.avoidance_mask = AIR # Over the tanks, clear of other planes.
    /// ```
    #[export]
    #[var(get, set, hint = LAYERS_AVOIDANCE)]
    avoidance_mask: PhantomVar<i64>,

    /// If [code]true[/code], the route is drawn in the running game, on the ground, also behind other
    /// objects.
    #[export]
    #[export_group(name = "Debug", prefix = "debug_")]
    #[var(get, set)]
    debug_enabled: PhantomVar<bool>,

    /// The colour of the route.
    #[export]
    #[var(get, set)]
    debug_path_color: PhantomVar<Color>,

    /// How wide the route is drawn, in metres.
    #[export(range = (0.01, 1.0, 0.01, or_greater, suffix = "m"))]
    #[var(get, set)]
    debug_path_width: PhantomVar<f64>,

    #[init(val = Agent::new(
        Seat::Space(base.to_init_gd()),
        MapLink::Space(Link::default()),
        // Distances in metres, for cells as wide.
        Settings::default(),
        0.1,
    ))]
    pub agent: Agent,
}

agent_api! {
    impl PathForgeAgent3D: INode3D(Node3DNotification), is_move_3d, Vector3;

    {
        /// Emitted by [method get_next_velocity] with the velocity that it returns, for scripts made for
        /// `NavigationAgent3D`.
        #[signal]
        fn velocity_computed(safe_velocity: Vector3);
    }

    get get_space() -> NodeArg<PathForgeSpace3D> = |this| this.agent.link.named_space().into();
    set set_space(space: NodeArg<PathForgeSpace3D>) = |this| {
        this.agent.link.name_space(space.node()?.as_ref());
        this.agent.outdate_membership();
        this.base_mut().update_configuration_warnings();
    };
}

#[godot_api(secondary)]
impl PathForgeAgent3D {
    /// Returns the space that the agent uses, set or found, or `null`.
    #[func]
    fn get_effective_space(&self) -> Option<Gd<PathForgeSpace3D>> {
        self.agent.effective_map().1
    }

    /// Returns where to walk now, on the ground, in global space. Call it once in every physics frame while
    /// [method is_navigation_finished] is `false`: it measures how far the body has come, and emits the
    /// signals. Orders of a [PathForgeCrowd] need [method get_next_velocity] instead.
    #[func(gd_self)]
    fn get_next_path_position(this: Gd<Self>) -> Vector3 {
        Agent::next_path_position(&Self::named(this))
    }

    /// Returns the velocity with which a body that walks `speed` metres a second follows its route, clear of
    /// walls and of all agents of its [member crowd]. It is parallel to the plane of the space. Call it in
    /// `_physics_process`, instead of [method get_next_path_position].
    ///
    /// - Call it once in every physics frame, also at rest: the body then makes way for others, and comes
    ///   back. A body that calls less than four times a second does not keep clear; one warning says so.
    /// - The crowd's step finds the velocities of all bodies together, for the speeds of the frame before.
    /// - In the first frame the velocity leads straight along the route. So it does with [member
    ///   avoidance_enabled] off, except during an order of the crowd.
    /// - On its way to another floor of a house, the velocity leads straight there, up or down, and keeps clear
    ///   of nothing.
    /// - With a speed of 0 the body stands. A negative speed is an error.
    #[func(gd_self)]
    fn get_next_velocity(this: Gd<Self>, speed: f64) -> Vector3 {
        Agent::next_velocity(&Self::named(this), speed)
    }

    /// Returns the id of the body in its [member crowd], or −1 without a space, without its grid or outside
    /// the tree. Methods such as [method PathForgeCrowd.assign_goal] take it, and give each body of a squad a
    /// place of its own. The id changes when the agent leaves the tree or gets another crowd: ask for it when
    /// you give an order.
    ///
    /// ```gdscript
    /// var ids := PackedInt32Array()
    /// for agent: PathForgeAgent3D in squad:
    ///     ids.append(agent.get_agent_id())
    /// crowd.assign_goal(ids, Vector2i(40, 8))
    /// ```
    #[func]
    fn get_agent_id(&mut self) -> i64 {
        self.agent.agent_id().map_or(-1, i64::from)
    }

    /// Returns what keeps the body from its target while it waits or [method is_blocked_by_others]: the
    /// agents right in front of it, and free room nearer to the target.
    ///
    /// ```gdscript
    /// for other: PathForgeAgent3D in agent.get_blockage().nodes:
    ///     other.get_parent().show_alarm()
    /// ```
    #[func]
    fn get_blockage(&self) -> Gd<PathForgeBlockage> {
        self.agent.blockage()
    }

    /// Returns the straight distance from the body to the target, heights included, in metres.
    #[func(gd_self)]
    fn distance_to_target(this: Gd<Self>) -> f64 {
        Agent::distance_to_target(&Self::named(this))
    }

    /// Returns the end of the route, on the ground, in global space, or the body's own position if there is
    /// no route.
    #[func]
    fn get_final_position(&self) -> Vector3 {
        self.agent.final_position()
    }

    /// Returns the length of the whole route, in metres, straight from position to position on the ground.
    #[func]
    fn get_path_length(&self) -> f64 {
        self.agent.path_length()
    }

    /// Returns the positions of the route, on the ground, in global space, from where the body was when the
    /// path came.
    #[func]
    fn get_current_navigation_path(&self) -> PackedVector3Array {
        self.agent.positions().into_iter().collect()
    }
}

impl PathForgeAgent3D {
    fn named(this: Gd<Self>) -> AgentNode {
        AgentNode::Space(this)
    }

    const fn shown(place: Vector3) -> Vector3 {
        place
    }

    const fn of_space(position: Vector3) -> Vector3 {
        position
    }
}
