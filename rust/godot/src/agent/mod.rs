//! `PathForgeAgent2D`: a handle on one walker and its agent of a crowd, with the habits of `NavigationAgent2D`.
//!
//! What the agent decides, and all of its state, is in [`pathforge_core::walker`]. The node has its settings, its link to the grid, its
//! id in its crowd and its signals:
//!
//! | file | |
//! |---|---|
//! | this one | the class, its properties, and what the engine calls |
//! | `script_api` | the methods that scripts call |
//! | `ground` | the map under the agent, as the walker sees it |
//! | `path_requests` | targets, requests for paths, answers |
//! | `crowd_link` | the agent as one of a crowd |
//! | `velocity` | what a script asks for in each physics frame, and the crowd's step finds |
//! | `signals` | what is told, published and drawn |

mod crowd_link;
mod ground;
mod path_requests;
mod script_api;
mod signals;
mod velocity;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use godot::classes::notify::CanvasItemNotification;
use godot::classes::{INode2D, Node2D};
use godot::prelude::*;
use pathforge_core::walker::Walker;
use pathforge_core::world::Ticket;

use crate::convert;
use crate::crowd::PathForgeCrowd;
use crate::frames::{Frame, Frames};
use crate::grid::PathForgeGrid;
use crate::grid_link::{self, GridLink};
use crate::path::PathForgePath;
use crate::profile::PathForgeProfile;
use crate::properties::class_api;
use crate::state::{HasState, Own, State};
pub use crowd_link::Course;
use crowd_link::Member;
use ground::KnownGrid;
pub use ground::Site;
pub use signals::{Message, Published};
pub use velocity::physics_frame;

/// Returns a walker with the properties' defaults, in pixels.
fn new_walker() -> Walker {
    static LATEST: AtomicU64 = AtomicU64::new(0);
    let mut walker = Walker::new(LATEST.fetch_add(1, Ordering::Relaxed));
    walker.settings.path_desired_distance = 20.0;
    walker.settings.target_desired_distance = 10.0;
    walker.settings.path_max_distance = 100.0;
    walker
}

/// One walker: set [member target_position], and walk with [method get_next_velocity] in every physics frame. It keeps
/// clear of walls and of all other agents.
///
/// The agent has the habits of `NavigationAgent2D`, for a body with a size: make it a child of a `CharacterBody2D`
/// whose origin is the middle of the body, and give it a [member profile]. The grid may be the body's parent or stand
/// beside it; if it is elsewhere, set [member grid]. Positions are global.
///
/// ```gdscript
/// extends CharacterBody2D
///
/// func _physics_process(_delta: float) -> void:
///     velocity = $PathForgeAgent2D.get_next_velocity(120.0)
///     move_and_slide()
/// ```
///
/// The body is an agent of a [PathForgeCrowd]: see [member crowd]. All agents of a crowd, nodes and ids, keep clear of
/// each other, queue and give way. Call [method get_next_velocity] also when the body is at rest, so that it makes way.
/// Agents that share a target settle beside each other, and [signal blocked_by_others] tells of those that are not at
/// the target itself. To send a squad, with a place for each, use [method get_agent_id].
///
/// Paths are asked for with [method PathForgeGrid.request_path] and come a frame or two later. Until then the next
/// position is the body's own, or, while it is under way, that of the path before. With [constant
/// PathForgeProfile.SEARCH_HIERARCHICAL] the agent sets out on the first steps of a long route, and goes on along the
/// whole from where it is by then. A request under way is taken back when the agent leaves the tree, is freed or gets
/// another grid. The route runs straight where the whole body has room, and keeps it clear of
/// corners.
///
/// A new path is asked for when the target moves to another cell, when an edit of the grid touches what is left of the
/// route, and when the body is pushed farther than [member path_max_distance] off it. An edit elsewhere that may have
/// opened a better route is looked at after [member repath_seconds]. A body that was moved to where it has no room to
/// walk straight to its route waits for a path from there. When there is no route, [signal navigation_failed] says why,
/// and a body that was walking goes to the centre of the nearest place where it fits and stays there.
///
/// A body outside the region or in closed cells, be it that it begins there or that something is built over it, walks
/// straight to the nearest place where it fits, and on to its target. At rest it leaves closed cells by [method
/// get_next_velocity]. Physics may hold it: what lies within a collision shape does not walk out of it.
///
/// Make the body's collision shape a little smaller than the agent's outline: see [member radius]. A larger
/// shape gets caught on the corners of walls and on other bodies.
///
/// A body that walks needs no [PathForgeObstacle2D]. One as a child of the agent makes the body block cells, for units
/// that hold a place and for turn-based games; its own agent walks through it.
#[derive(GodotClass)]
#[class(init, tool, base = Node2D)]
pub struct PathForgeAgent2D {
    base: Base<Node2D>,

    /// The grid to walk on. Unset, it is the nearest [PathForgeGrid]: an ancestor, or a child of one. It stays
    /// [code]null[/code] then.
    #[export]
    #[var(get = get_grid, set = set_grid)]
    grid: PhantomVar<Option<Gd<PathForgeGrid>>>,

    /// The body: its size, where it may walk and what that costs it. Unset, it is one cell that may go everywhere.
    #[export]
    #[var(set = set_profile)]
    profile: Option<Gd<PathForgeProfile>>,

    /// What counts as being at the target: one of the `GOAL_*` constants of [PathForgeGrid].
    #[export]
    #[var(get = get_goal_mode, set = set_goal_mode, hint = ENUM, hint_string = "Exact,Cover,Nearest")]
    goal_mode: PhantomVar<i64>,

    /// Where to go, in global space. Setting it is an order, also to the same target: it asks for a path, unless the agent still
    /// rests where its route to that target ended or where it was refused one. A body outside the grid's region or in closed cells
    /// walks straight to the nearest cells in which it fits, and on from there; they are looked for up to 32 cells from it, or from
    /// the edge. The route ends at the target itself where the body has room there; with [constant PathForgeGrid.GOAL_COVER], a
    /// body larger than one cell stops as soon as it covers the target's cell.
    #[var(get = get_target_position, set = set_target_position, usage_flags = [NONE])]
    target_position: PhantomVar<Vector2>,

    /// How near the body has to come to a position of the route before it may go on to the next one, in pixels. It goes
    /// on no earlier than it has room to walk there straight, so a large distance never leads across a corner.
    #[export(range = (0.1, 100.0, 0.01, or_greater, suffix = "px"))]
    #[export_group(name = "Pathfinding")]
    #[var(get, set)]
    path_desired_distance: PhantomVar<f64>,

    /// How near the body has to come to the end of the route to have arrived, in pixels.
    #[export(range = (0.1, 100.0, 0.01, or_greater, suffix = "px"))]
    #[var(get, set)]
    target_desired_distance: PhantomVar<f64>,

    /// How far off its route the body may be pushed before a new path is asked for, in pixels.
    #[export(range = (10.0, 1000.0, 1.0, or_greater, suffix = "px"))]
    #[var(get, set)]
    path_max_distance: PhantomVar<f64>,

    /// How long it takes at least from one look for a better route to the next, in seconds. An edit that may open one,
    /// as far as distances tell, makes the agent ask for a path no sooner than this after it asked last, and agents
    /// that hear of the same edit spread over so long; the route changes only when what comes is shorter. An agent
    /// whose route does not lead to its target asks again as often, the first time within a quarter of a second. Edits
    /// that touch the route do not wait.
    #[export(range = (0.0, 10.0, 0.01, or_greater, suffix = "s"))]
    #[var(get, set)]
    repath_seconds: PhantomVar<f64>,

    /// If [code]true[/code], [method get_next_velocity] keeps clear of all agents of the [member crowd], nodes and ids, and
    /// gives way where two cannot pass. Otherwise it leads straight along the route.
    #[export]
    #[export_group(name = "Avoidance")]
    #[var(set = set_avoidance_enabled)]
    #[init(val = true)]
    avoidance_enabled: bool,

    /// The crowd that the body is an agent of: all its agents keep clear of each other. Unset, it is the [PathForgeCrowd]
    /// that is a child of the grid or, without one, a crowd of the grid's own, which is made when it is needed.
    #[export]
    #[var(get = get_crowd, set = set_crowd)]
    crowd: PhantomVar<Option<Gd<PathForgeCrowd>>>,

    /// Half of the width that keeps clear of others, in pixels: the radius of a disc, of a long body where it is narrow. 0 is
    /// half the footprint less a tenth of a cell. It counts as at most 64 cells. The outline is that of
    /// [member PathForgeProfile.outline].
    #[export(range = (0.0, 500.0, 0.1, or_greater, suffix = "px"))]
    #[var(set = set_radius)]
    pub radius: f64,

    /// Which of two agents goes first where they are in each other's way: the one of the higher priority, from 0 to 1. The
    /// other does most of the steering clear.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_priority)]
    #[init(val = 0.5)]
    pub priority: f64,

    /// If [code]true[/code], the route is drawn.
    #[export]
    #[export_group(name = "Debug", prefix = "debug_")]
    debug_enabled: bool,

    /// The colour of the route.
    #[export]
    #[init(val = crate::overlay::palette::PATH)]
    debug_path_color: Color,

    /// How wide the route is drawn, in pixels.
    #[export(range = (0.5, 64.0, 0.1, or_greater, suffix = "px"))]
    #[init(val = 2.0)]
    debug_path_width: f32,

    link: GridLink,
    known: Option<KnownGrid>,
    #[init(val = Own::new(Published::default()))]
    published: Own<Published>,
    #[init(val = new_walker())]
    walker: Walker,
    member: Member,
    /// The request under way, and the grid that has it.
    asked: Option<(InstanceId, Ticket)>,
    path: Option<Gd<PathForgePath>>,
    /// The obstacle of its own.
    obstacle: Option<InstanceId>,
    frames: Frames,
    /// `true` if it is known what kind of node the parent is.
    is_parent_known: bool,
}

impl HasState for PathForgeAgent2D {
    type State = Published;

    fn state(&self) -> &Arc<State<Published>> {
        &self.published
    }
}

#[godot_api]
impl INode2D for PathForgeAgent2D {
    fn on_notification(&mut self, what: CanvasItemNotification) {
        use CanvasItemNotification as What;
        self.link.notice(what);
        match what {
            What::ENTER_TREE => {
                self.is_parent_known = false;
                // Another parent may be below another grid and in another crowd.
                self.outdate_membership();
                let published = Arc::clone(&self.published);
                // The step of the crowd has done for it what the frame would do: for a thousand agents that saves a thousand calls.
                let is_done = move || published.try_lock().is_some_and(|of| of.velocity.is_stepped());
                self.frames.enter_unless(&self.to_gd(), Frame::Process, is_done, Self::process);
            }
            What::EXIT_TREE => {
                self.frames.exit(&self.to_gd().upcast());
                // One that its crowd leads may be on its way to another parent: the next step sees whether it is back.
                if !self.walker.is_led() {
                    self.leave_crowd();
                }
                self.take_back_request();
            }
            What::CHILD_ORDER_CHANGED => {
                self.look_for_obstacle();
                self.outdate_membership();
            }
            What::DRAW => self.draw_path(),
            _ => {}
        }
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        let mut warnings = PackedStringArray::new();
        let node = self.to_gd().upcast();
        self.link.warn(&node, &mut warnings);
        if let Some(problem) = grid_link::parent_problem(&node) {
            warnings.push(&problem);
        }
        warnings
    }
}

class_api! {
    impl PathForgeAgent2D;

    {
        /// Emitted when a new path has come, and when its first steps have.
        #[signal]
        fn path_changed();

        /// Emitted when the body has come to a position of its route, with a dictionary of its `position` and its `index`.
        #[signal]
        fn waypoint_reached(details: VarDictionary);

        /// Emitted once for each target when the body has arrived there. One that had to settle beside others moves up when they
        /// leave, and emits it then, after [signal navigation_finished].
        #[signal]
        fn target_reached();

        /// Emitted once for each path when the body is at its end, reached or as near as it can get, and when there is
        /// none. Also when an order of its crowd ends because the agent has left the scene tree or the crowd; a body
        /// that only gets another parent keeps its order.
        #[signal]
        fn navigation_finished();

        /// Emitted when there is no path, with the refused path: see [member PathForgePath.reason]. An agent that has a
        /// target and no grid emits it with [constant PathForgePath.REASON_NO_GRID], and goes on when there is a grid. When an
        /// edit elsewhere made the agent ask once more, it is emitted again only if the reason is another one.
        ///
        /// ```gdscript
        /// func _on_agent_navigation_failed(path: PathForgePath) -> void:
        ///     say(path.describe())
        /// ```
        #[signal]
        fn navigation_failed(path: Gd<PathForgePath>);

        /// Emitted by [method get_next_velocity] with the velocity that it returns, for scripts made for `NavigationAgent2D`.
        #[signal]
        fn velocity_computed(safe_velocity: Vector2);

        /// Emitted when others keep the body from its target: when it is stuck among them, when it rests behind others too far from
        /// its target to be beside them, and when it has settled beside others that are at its target. In the last case [signal
        /// navigation_finished] follows. [method get_blockage] says which others.
        #[signal]
        fn blocked_by_others();
    }

    grid in link;

    get get_crowd() -> Option<Gd<PathForgeCrowd>> = |this| {
        this.member.named.and_then(|crowd| Gd::try_from_instance_id(crowd).ok())
    };
    set set_crowd(crowd: Option<Gd<PathForgeCrowd>>) = |this| {
        this.leave_crowd();
        this.member.named = crowd.value.map(|crowd| crowd.instance_id());
    };

    set set_avoidance_enabled(avoidance_enabled: bool) = |this| {
        this.avoidance_enabled = avoidance_enabled.value;
        this.outdate_membership();
    };
    set set_profile(profile: Option<Gd<PathForgeProfile>>) = |this| {
        this.wear(profile.value);
        this.outdate_membership();
    };
    set set_radius(radius: f64) = |this| {
        this.radius = radius.at_least_zero()?;
        this.outdate_membership();
    };
    set set_priority(priority: f64) = |this| {
        this.priority = priority.within(0.0..=1.0)?;
        this.outdate_membership();
    };

    get get_goal_mode() -> i64 = |this| this.walker.settings.goal_mode as i64;
    set set_goal_mode(goal_mode: i64) = |this| {
        this.walker.settings.goal_mode = convert::goal_mode(goal_mode.value)?;
        // The goal is another one, though the target is the same.
        this.walker.need_path();
    };

    get get_path_desired_distance() -> f64 = |this| this.walker.settings.path_desired_distance;
    set set_path_desired_distance(path_desired_distance: f64) = |this| {
        this.walker.settings.path_desired_distance = path_desired_distance.at_least_zero()?;
    };
    get get_target_desired_distance() -> f64 = |this| this.walker.settings.target_desired_distance;
    set set_target_desired_distance(target_desired_distance: f64) = |this| {
        this.walker.settings.target_desired_distance = target_desired_distance.at_least_zero()?;
    };
    get get_path_max_distance() -> f64 = |this| this.walker.settings.path_max_distance;
    set set_path_max_distance(path_max_distance: f64) = |this| {
        this.walker.settings.path_max_distance = path_max_distance.at_least_zero()?;
    };
    get get_repath_seconds() -> f64 = |this| this.walker.settings.repath_seconds;
    set set_repath_seconds(repath_seconds: f64) = |this| {
        this.walker.settings.repath_seconds = repath_seconds.at_least_zero()?;
    };

    get get_target_position() -> Vector2 = |this| this.target().unwrap_or_default();
    set set_target_position(target_position: Vector2) = |this| {
        this.change_target(target_position.finite()?);
    };
}
