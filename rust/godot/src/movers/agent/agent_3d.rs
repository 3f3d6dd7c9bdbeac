//! `PathForgeAgent3D`: an agent where a space lays out the grid.

use std::sync::Arc;

use godot::classes::notify::Node3DNotification;
use godot::classes::{INode3D, Node3D};
use godot::prelude::*;
use pathforge_core::walker::Settings;

use super::Agent;
use super::node::AgentNode;
use super::script_api::agent_api;
use super::signals::Published;
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
use crate::script::node_arg::{self, NodeArg};
use crate::script::profile::PathForgeProfile;
use crate::script::properties::class_api;

/// One walker in 3D: set [member target_position], and walk with [method get_next_velocity] in every physics
/// frame. It keeps clear of walls and of all other agents.
///
/// The agent has the habits of `NavigationAgent3D`, for a body with a size: make it a child of a
/// `CharacterBody3D` whose origin is the middle of the body, seen from above, and give it a [member profile].
/// It is what [PathForgeAgent2D] is, on a ground that a [PathForgeSpace3D] lays out: the same paths, the same
/// crowd, and the same cells on the same grid. The space may be an ancestor of the body, or stand beside it
/// or beside one, as its grid may with the space below it; if it is elsewhere, set [member space]. Positions
/// are global, distances metres. How high the body is does not matter: the agent sees what is below it.
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
/// Velocities lead along the space's plane, not up or down. The last line above keeps the body on the ground
/// that the space knows. A body that falls and stands on colliders keeps its own speed along y instead:
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
/// The body is an agent of a [PathForgeCrowd], see [member crowd]: all agents of it, nodes of 2D and of 3D
/// and ids, keep clear of each other, queue and give way. Call [method get_next_velocity] also when the body
/// is at rest, so that it makes way. Agents that share a target settle beside each other, and [signal
/// blocked_by_others] tells of those that are not at the target itself. To send a squad, with a place for
/// each, use [method get_agent_id].
///
/// Paths come a frame or two after they are asked for. When new ones are asked for, what becomes of a body
/// outside the region or in closed cells, and how large its collision shape may be, is told at
/// [PathForgeAgent2D]. Without a space, or with one that has no grid, it says so once, [signal
/// navigation_failed] is emitted, and the body stays where it is until there is one.
///
/// A body that walks needs no [PathForgeObstacle3D]. One as a child of the agent makes the body block cells,
/// for units that hold a place; its own agent walks through it.
#[derive(GodotClass)]
#[class(init, tool, base = Node3D)]
pub struct PathForgeAgent3D {
    base: Base<Node3D>,

    /// The space to walk in, and its grid. Unset, it is the nearest [PathForgeSpace3D]: an ancestor, a child
    /// of one, or a child of a [PathForgeGrid] that is a child of one. It stays [code]null[/code] then: see
    /// [method get_effective_space].
    #[export]
    #[var(get, set)]
    space: node_arg::PhantomVar<PathForgeSpace3D>,

    /// The body: its size, where it may walk and what that costs it. Unset, it is one cell that may go
    /// everywhere.
    #[export]
    #[var(get, set)]
    profile: PhantomVar<Option<Gd<PathForgeProfile>>>,

    /// What counts as being at the target: one of the `GOAL_*` constants of [PathForgeGrid]. With [constant
    /// PathForgeGrid.GOAL_NEAREST] a body that covers the cell of the target has reached it; one that only
    /// comes near it has finished, and has not reached it.
    #[export]
    #[var(get = get_goal_mode, set = set_goal_mode, hint = ENUM, hint_string = "Exact,Cover,Nearest")]
    goal_mode: PhantomVar<i64>,

    /// Where to go, in global space, above or below the ground: how high it is does not matter. Setting it is
    /// an order, also to the same target: it asks for a path, unless the agent still rests where its route to
    /// that target ended or where it was refused one, which is told again then. A target that is not finite
    /// stops the agent, with an error. A body outside the grid's region or in closed cells walks straight to
    /// the nearest cells in which it fits, and on from there; they are looked for up to 32 cells from it, or
    /// from the edge. The route ends at the target itself where the body has room there; with [constant
    /// PathForgeGrid.GOAL_COVER], a body larger than one cell stops as soon as it covers the target's cell.
    #[var(get = get_target_position, set = set_target_position, usage_flags = [NONE])]
    target_position: PhantomVar<Vector3>,

    /// How near the body has to come to a position of the route before it may go on to the next one, in
    /// metres. It goes on no earlier than it has room to walk there straight, so a large distance never leads
    /// across a corner.
    #[export(range = (0.01, 10.0, 0.01, or_greater, suffix = "m"))]
    #[export_group(name = "Pathfinding")]
    #[var(get, set)]
    path_desired_distance: PhantomVar<f64>,

    /// How near the body has to come to the end of the route to have arrived, in metres.
    #[export(range = (0.01, 10.0, 0.01, or_greater, suffix = "m"))]
    #[var(get, set)]
    target_desired_distance: PhantomVar<f64>,

    /// How far off its route the body may be pushed before a new path is asked for, in metres.
    #[export(range = (0.1, 100.0, 0.1, or_greater, suffix = "m"))]
    #[var(get, set)]
    path_max_distance: PhantomVar<f64>,

    /// How long it takes at least from one look for a better route to the next, in seconds. An edit that may
    /// open one, as far as distances tell, makes the agent ask for a path no sooner than this after it asked
    /// last, and agents that hear of the same edit spread over so long; the route changes only when what
    /// comes is shorter. An agent whose route does not lead to its target asks again as often, the first time
    /// within a quarter of a second. Edits that touch the route do not wait.
    #[export(range = (0.0, 10.0, 0.01, or_greater, suffix = "s"))]
    #[var(get, set)]
    repath_seconds: PhantomVar<f64>,

    /// If [code]true[/code], [method get_next_velocity] keeps clear of all agents of the [member crowd],
    /// nodes and ids, and gives way where two cannot pass. Otherwise it leads straight along the route.
    #[export]
    #[export_group(name = "Avoidance")]
    #[var(get, set)]
    avoidance_enabled: PhantomVar<bool>,

    /// The crowd that the body is an agent of: all its agents keep clear of each other. Unset, it is the
    /// [PathForgeCrowd] that is a child of the grid or, without one, a crowd of the grid's own, which is made
    /// when it is needed.
    #[export]
    #[var(get = get_crowd, set = set_crowd)]
    crowd: node_arg::PhantomVar<PathForgeCrowd>,

    /// Half of the width that keeps clear of others, in metres: the radius of a disc, of a long body where it
    /// is narrow. 0 is half the footprint less a tenth of a cell. It counts as at most 64 cells. The outline
    /// is that of [member PathForgeProfile.outline].
    #[export(range = (0.0, 50.0, 0.01, or_greater, suffix = "m"))]
    #[var(get, set)]
    radius: PhantomVar<f64>,

    /// Which of two agents goes first where they are in each other's way: the one of the higher priority,
    /// from 0 to 1. The other does most of the steering clear. A body at rest makes way only for those of at
    /// least its own priority. Priorities that differ by 1/15 or more are told apart.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(get, set)]
    priority: PhantomVar<f64>,

    /// If [code]true[/code], the body makes way for none while it rests, whatever their [member priority]: a
    /// worker at its work, a guard in a gate. Others go round it, and where they cannot, it is in their
    /// [method get_blockage]. It still walks to its target.
    #[export]
    #[var(get, set)]
    hold_position: PhantomVar<bool>,

    /// If [code]true[/code], the route is drawn in the running game, on the ground, and seen through what
    /// stands before it.
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

#[godot_api]
impl INode3D for PathForgeAgent3D {
    fn on_notification(&mut self, what: Node3DNotification) {
        use Node3DNotification as What;
        if is_move_3d(what) {
            self.agent.link.forget_found();
        }
        match what {
            What::ENTER_TREE => {
                let is_done = self.agent.enter_tree();
                let work = |this: Gd<Self>, delta| Agent::process(Self::named(this), delta);
                let node = self.to_gd();
                self.agent.frames.enter_unless(&node, Frame::Process, is_done, work);
            }
            What::EXIT_TREE => self.agent.exit_tree(),
            // Orders of the same frame leave it out.
            What::PREDELETE => self.agent.leave_crowd(),
            What::CHILD_ORDER_CHANGED => self.agent.change_children(),
            _ => {}
        }
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        self.agent.configuration_warnings()
    }
}

agent_api! {
    impl PathForgeAgent3D, Vector3;

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
    /// Returns the space that counts now, set or found, or `null`.
    #[func]
    fn get_effective_space(&self) -> Option<Gd<PathForgeSpace3D>> {
        self.agent.effective_map().1
    }

    /// Returns where to walk now, on the ground, in global space. Call it once in every physics frame while
    /// [method is_navigation_finished] is `false`: it takes note of how far the body has come, and emits the
    /// signals. Orders of a [PathForgeCrowd] lead by [method get_next_velocity] only.
    #[func(gd_self)]
    fn get_next_path_position(this: Gd<Self>) -> Vector3 {
        Agent::next_path_position(&Self::named(this))
    }

    /// Returns the velocity, along the plane of the space, with which a body that walks `speed` metres a
    /// second comes to [method get_next_path_position] and keeps clear of walls and of all agents of its
    /// [member crowd], for `_physics_process`. Call it instead of that method, once in every physics frame,
    /// also at rest: the body then makes way for others that want through, and comes back. The velocities of
    /// all bodies are found together in the crowd's step, for the speeds of the frame before. Between calls
    /// the body counts as walking for a quarter of a second: called less often, it keeps clear of no other,
    /// which is warned of once. In the first frame, and without [member avoidance_enabled] unless the crowd
    /// has sent the body somewhere, the velocity leads straight along the route. With a speed of 0 the body
    /// stands. A negative speed is an error.
    #[func(gd_self)]
    fn get_next_velocity(this: Gd<Self>, speed: f64) -> Vector3 {
        Agent::next_velocity(&Self::named(this), speed)
    }

    /// Returns the id of the body in its [member crowd], or −1 without a space, without its grid or outside
    /// the tree. With it, methods such as [method PathForgeCrowd.assign_goal] send a squad of nodes, and each
    /// gets a place of its own. The id changes when the agent leaves the tree or gets another crowd: ask for
    /// it when you give an order.
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

    /// Returns what keeps the body from its target while it waits for others and while [method
    /// is_blocked_by_others]: which others are right before it, and the free room nearer to the target.
    ///
    /// ```gdscript
    /// for other: PathForgeAgent3D in agent.get_blockage().nodes:
    ///     other.get_parent().show_alarm()
    /// ```
    #[func]
    fn get_blockage(&self) -> Gd<PathForgeBlockage> {
        self.agent.blockage()
    }

    /// Returns how far the target is from the body, as the crow flies, up and down too, in metres.
    #[func(gd_self)]
    fn distance_to_target(this: Gd<Self>) -> f64 {
        Agent::distance_to_target(&Self::named(this))
    }

    /// Returns where the route ends, on the ground, in global space; the body's own position when there is
    /// none.
    #[func]
    fn get_final_position(&self) -> Vector3 {
        self.agent.final_position()
    }

    /// Returns the length of the whole route, in metres, straight from position to position on the ground.
    #[func]
    fn get_path_length(&self) -> f64 {
        self.agent.path_length()
    }

    /// Returns the positions of the route, on the ground, in global space, from where the body was when it
    /// came.
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
