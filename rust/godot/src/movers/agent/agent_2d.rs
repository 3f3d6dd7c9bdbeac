//! `PathForgeAgent2D`: an agent on the grid's own plane.

use std::sync::Arc;

use godot::classes::notify::CanvasItemNotification;
use godot::classes::{INode2D, Node2D};
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
use crate::map::grid::{PathForgeGrid, flat, upright};
use crate::map::grid_link::{GridLink, is_move};
use crate::map::map_link::MapLink;
use crate::map::seat::Seat;
use crate::movers::crowd::PathForgeCrowd;
use crate::script::convert;
use crate::script::enumeration::{self, Constant};
use crate::script::node_arg::{self, NodeArg};
use crate::script::profile::PathForgeProfile;
use crate::script::properties::class_api;

/// Distances in pixels, for cells of 16.
fn settings() -> Settings {
    Settings {
        path_desired_distance: 20.0,
        target_desired_distance: 10.0,
        path_max_distance: 100.0,
        ..Settings::default()
    }
}

/// Walks one body to a target: set [member target_position], and walk with [method get_next_velocity] in
/// every physics frame. The body keeps clear of walls and of all other agents.
///
/// The agent is used like `NavigationAgent2D`, for a body with a size. Make it a child of a `CharacterBody2D`
/// whose origin is the middle of the body, and give it a [member profile]. The grid may be the body's parent
/// or a child of an ancestor; otherwise set [member grid]. Positions are global.
///
/// ```gdscript
/// extends CharacterBody2D
///
/// func _physics_process(_delta: float) -> void:
///     velocity = $PathForgeAgent2D.get_next_velocity(120.0)
///     move_and_slide()
/// ```
///
/// The body is an agent of a [PathForgeCrowd]: see [member crowd]. All agents of a crowd, nodes and ids, keep
/// clear of each other, queue and give way. Call [method get_next_velocity] also when the body is at rest, so
/// that it makes way. Agents that share a target settle beside each other; an agent that is not at the target
/// itself emits [signal blocked_by_others]. To send a squad, with a place for each, use [method
/// get_agent_id].
///
/// Paths come from [method PathForgeGrid.request_path], a frame or two after the order. Until then the next
/// position is the body's own or, while it is under way, the next position of its last route. A request ends
/// when the agent leaves the tree, is freed or gets another grid. The route runs straight where the whole
/// body has room, and keeps it clear of corners.
///
/// The agent asks for a new path when
///
/// - the target moves to another cell,
/// - an edit of the grid touches the rest of the route,
/// - the body is pushed farther than [member path_max_distance] off the route, or put elsewhere,
/// - the grid, its diagonal mode, the profile or its values, or [member goal_mode] changes,
/// - an edit elsewhere may have opened a better route: see [member repath_seconds].
///
/// If there is no route, [signal navigation_failed] says why. A body that was walking then goes to the centre
/// of the nearest place where it fits, and stays there.
///
/// A body outside the region or in closed cells walks straight to the nearest place where it fits, and on to
/// its target. At rest it leaves closed cells by [method get_next_velocity]. Physics may hold it: a body
/// within a collision shape cannot walk out.
///
/// Make the body's collision shape a little smaller than the agent's outline: see [member radius]. A larger
/// shape gets caught on the corners of walls and on other bodies.
///
/// A body that walks needs no [PathForgeObstacle2D]. As a child of the agent, an obstacle makes the body
/// block cells, for units that hold a place and for turn-based games. The agent ignores its own obstacle.
#[derive(GodotClass)]
#[class(init, tool, base = Node2D)]
pub struct PathForgeAgent2D {
    base: Base<Node2D>,

    /// The grid to walk on. Unset, it is the nearest [PathForgeGrid]: an ancestor, or a child of one. The
    /// property stays [code]null[/code] then: see [method get_effective_grid].
    #[export]
    #[var(get = get_grid, set = set_grid)]
    grid: node_arg::PhantomVar<PathForgeGrid>,

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

    /// Where to go, in global space. A target that is not finite stops the agent, with an error.
    ///
    /// - Each assignment is an order, also of the same target. It asks for a path, unless the agent still
    ///   rests where its last route to that target ended or was refused: then the last answer is given again.
    /// - A body outside the grid's region or in closed cells walks straight to the nearest cells in which it
    ///   fits, and on from there. Such cells are looked for up to 32 cells from the body, or from the
    ///   region's edge.
    /// - The route ends at the target itself if the body has room there. With [constant
    ///   PathForgeGrid.GOAL_COVER], a body larger than one cell stops as soon as it covers the target's cell.
    #[var(get = get_target_position, set = set_target_position, usage_flags = [NONE])]
    target_position: PhantomVar<Vector2>,

    /// How near the body must come to a position of the route before it goes on to the next one, in pixels.
    /// It first needs room to walk there straight, so a large distance never leads across a corner.
    #[export(range = (0.1, 100.0, 0.01, or_greater, suffix = "px"))]
    #[export_group(name = "Pathfinding")]
    #[var(get, set)]
    path_desired_distance: PhantomVar<f64>,

    /// How near the body must come to the end of the route to have arrived, in pixels.
    #[export(range = (0.1, 100.0, 0.01, or_greater, suffix = "px"))]
    #[var(get, set)]
    target_desired_distance: PhantomVar<f64>,

    /// How far off its route the body may be pushed before the agent asks for a new path, in pixels.
    #[export(range = (10.0, 1000.0, 1.0, or_greater, suffix = "px"))]
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

    /// Half of the width that keeps clear of others, in pixels; of a long body, where it is narrow. With 0 it
    /// is half the footprint less a tenth of a cell. It counts as at most 64 cells. [member
    /// PathForgeProfile.outline] says the form.
    #[export(range = (0.0, 500.0, 0.1, or_greater, suffix = "px"))]
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

    /// If [code]true[/code], the route is drawn.
    #[export]
    #[export_group(name = "Debug", prefix = "debug_")]
    #[var(get, set)]
    debug_enabled: PhantomVar<bool>,

    /// The colour of the route.
    #[export]
    #[var(get, set)]
    debug_path_color: PhantomVar<Color>,

    /// How wide the route is drawn, in pixels.
    #[export(range = (0.5, 64.0, 0.1, or_greater, suffix = "px"))]
    #[var(get, set)]
    debug_path_width: PhantomVar<f64>,

    #[init(val = Agent::new(
        Seat::Plane(base.to_init_gd()),
        MapLink::Plane(GridLink::default()),
        settings(),
        2.0,
    ))]
    pub agent: Agent,
}

agent_api! {
    impl PathForgeAgent2D: INode2D(CanvasItemNotification), is_move, Vector2, draw_route;

    {
        /// Emitted by [method get_next_velocity] with the velocity that it returns, for scripts made for
        /// `NavigationAgent2D`.
        #[signal]
        fn velocity_computed(safe_velocity: Vector2);
    }

    get get_grid() -> NodeArg<PathForgeGrid> = |this| this.agent.link.named_grid().into();
    set set_grid(grid: NodeArg<PathForgeGrid>) = |this| {
        this.agent.link.name_grid(grid.node()?.as_ref());
        this.agent.outdate_membership();
        this.base_mut().update_configuration_warnings();
    };
}

#[godot_api(secondary)]
impl PathForgeAgent2D {
    /// Returns where to walk now, in global space. Call it once in every physics frame while [method
    /// is_navigation_finished] is `false`: it measures how far the body has come, and emits the signals.
    /// Orders of a [PathForgeCrowd] need [method get_next_velocity] instead.
    #[func(gd_self)]
    fn get_next_path_position(this: Gd<Self>) -> Vector2 {
        flat(Agent::next_path_position(&Self::named(this)))
    }

    /// Returns the velocity with which a body that walks `speed` pixels a second follows its route, clear of
    /// walls and of all agents of its [member crowd]. Call it in `_physics_process`, instead of [method
    /// get_next_path_position].
    ///
    /// - Call it once in every physics frame, also at rest: the body then makes way for others, and comes
    ///   back. A body that calls less than four times a second does not keep clear; one warning says so.
    /// - The crowd's step finds the velocities of all bodies together, for the speeds of the frame before.
    /// - In the first frame the velocity leads straight along the route. So it does with [member
    ///   avoidance_enabled] off, except during an order of the crowd.
    /// - With a speed of 0 the body stands. A negative speed is an error.
    #[func(gd_self)]
    fn get_next_velocity(this: Gd<Self>, speed: f64) -> Vector2 {
        flat(Agent::next_velocity(&Self::named(this), speed))
    }

    /// Returns the id of the body in its [member crowd], or −1 without a grid or outside the tree. Methods
    /// such as [method PathForgeCrowd.assign_goal] take it, and give each body of a squad a place of its own.
    /// The id changes when the agent leaves the tree or gets another crowd: ask for it when you give an
    /// order.
    ///
    /// ```gdscript
    /// var ids := PackedInt32Array()
    /// for agent: PathForgeAgent2D in squad:
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
    /// for other: PathForgeAgent2D in agent.get_blockage().nodes:
    ///     other.get_parent().modulate = Color.RED
    /// ```
    #[func]
    fn get_blockage(&self) -> Gd<PathForgeBlockage> {
        self.agent.blockage()
    }

    /// Returns the straight distance from the body to the target, in pixels.
    #[func(gd_self)]
    fn distance_to_target(this: Gd<Self>) -> f64 {
        Agent::distance_to_target(&Self::named(this))
    }

    /// Returns the end of the route, in global space, or the body's own position if there is no route.
    #[func]
    fn get_final_position(&self) -> Vector2 {
        flat(self.agent.final_position())
    }

    /// Returns the length of the whole route, in pixels.
    #[func]
    fn get_path_length(&self) -> f64 {
        self.agent.path_length()
    }

    /// Returns the positions of the route, in global space, from where the body was when the path came.
    #[func]
    fn get_current_navigation_path(&self) -> PackedVector2Array {
        self.agent.positions().into_iter().map(flat).collect()
    }
}

impl PathForgeAgent2D {
    fn named(this: Gd<Self>) -> AgentNode {
        AgentNode::Plane(this)
    }

    const fn shown(place: Vector3) -> Vector2 {
        flat(place)
    }

    const fn of_space(position: Vector2) -> Vector3 {
        upright(position)
    }

    /// Draws what is left of the route.
    fn draw_route(&mut self) {
        let to_local = self.base().get_global_transform().affine_inverse();
        let left = self.agent.route_left();
        let points: PackedVector2Array = left.into_iter().map(|point| to_local * flat(point)).collect();
        if points.is_empty() {
            return;
        }
        let (color, width) = (self.agent.debug_path_color, self.agent.debug_path_width as f32);
        self.base_mut().draw_polyline_ex(&points, color).width(width).done();
    }
}
