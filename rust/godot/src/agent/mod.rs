//! `PathForgeAgent2D`: one walker, with the habits of `NavigationAgent2D`.
//!
//! This file has the class. How it gets a path and follows it is in `follow`, the route itself in `route`.

mod direct;
mod edits;
mod follow;
mod frame;
mod join;
mod route;
mod target;
mod turns;

use std::sync::Arc;

use godot::classes::notify::CanvasItemNotification;
use godot::classes::{INode2D, Node2D};
use godot::prelude::*;

use crate::convert;
use crate::errors::{report, reported};
use crate::frames::{Frame, Frames};
use crate::grid::PathForgeGrid;
use crate::grid_link::{self, GridLink};
use crate::path::PathForgePath;
use crate::profile::PathForgeProfile;
use crate::state::{self, HasState, Own, State};
use edits::Hopes;
use follow::{Journey, Message, Progress};
pub use turns::Walkers;

/// One walker: set [member target_position], walk with [method get_next_velocity], or to [method
/// get_next_path_position], in every physics frame.
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
/// Paths are asked for with [method PathForgeGrid.request_path] and come a frame or two later; until then the next
/// position is the body's own, or, while it is under way, that of the path before. With [constant
/// PathForgeProfile.SEARCH_HIERARCHICAL] the agent sets out on the first steps of a long route, and goes on along the
/// whole from where it is by then. The route runs straight where the whole body has room, and keeps it clear of
/// corners. A new path is asked for when the target moves to another cell, when an edit of the grid touches what is
/// left of the route, and when the body is pushed farther than [member path_max_distance] off it; and now and then, by
/// [member repath_seconds], when an edit elsewhere may have opened a better route. When there is no route, [signal
/// navigation_failed] says why, and a body that was walking goes to the centre of the nearest place where it fits and
/// stays there.
///
/// Make the body's collision shape a little smaller than its footprint, by a pixel or so: one that is exactly as large
/// gets caught on the corners of walls that it passes between.
///
/// A [PathForgeObstacle2D] as a child of the agent makes the body block cells for others; its own agent walks through
/// it.
#[derive(GodotClass)]
#[class(tool, base = Node2D)]
pub struct PathForgeAgent2D {
    base: Base<Node2D>,

    /// The grid to walk on. Unset, it is the nearest [PathForgeGrid]: an ancestor, or a child of one.
    #[export]
    #[var(get = get_grid, set = set_grid)]
    grid: PhantomVar<Option<Gd<PathForgeGrid>>>,

    /// The body: its size, where it may walk and what that costs it. Unset, it is one cell that may go everywhere.
    #[export]
    profile: Option<Gd<PathForgeProfile>>,

    /// What counts as being at the target: one of the `GOAL_*` constants of [PathForgeGrid].
    #[export]
    #[var(get = get_goal_mode, set = set_goal_mode, hint = ENUM, hint_string = "Exact,Cover,Nearest")]
    goal_mode: i64,

    /// Where to go, in global space. Setting it asks for a path, unless the agent is at rest where its route to the
    /// same target ended, or was refused one. The route ends at the target itself where the body has room there; with
    /// [constant PathForgeGrid.GOAL_COVER], a body larger than one cell stops as soon as it covers the target's cell.
    #[var(get = get_target_position, set = set_target_position, usage_flags = [NONE])]
    target_position: PhantomVar<Vector2>,

    /// How near the body has to come to a position of the route before it may go on to the next one, in pixels. It goes
    /// on no earlier than it has room to walk there straight, so a large distance never leads across a corner.
    #[export(range = (0.1, 100.0, 0.01, or_greater, suffix = "px"))]
    #[export_group(name = "Pathfinding")]
    #[var(set = set_path_desired_distance)]
    path_desired_distance: f64,

    /// How near the body has to come to the end of the route to have arrived, in pixels.
    #[export(range = (0.1, 100.0, 0.01, or_greater, suffix = "px"))]
    #[var(set = set_target_desired_distance)]
    target_desired_distance: f64,

    /// How far off its route the body may be pushed before a new path is asked for, in pixels.
    #[export(range = (10.0, 1000.0, 1.0, or_greater, suffix = "px"))]
    #[var(set = set_path_max_distance)]
    path_max_distance: f64,

    /// How long it takes at least from one look for a better route to the next, in seconds. An edit that may open one,
    /// as far as distances tell, makes the agent ask for a path no sooner than this after it asked last, and agents
    /// that hear of the same edit spread over so long; the route changes only when what comes is shorter. An agent
    /// whose route does not lead to its target asks again as often, the first time within a quarter of a second. Edits
    /// that touch the route do not wait.
    #[export(range = (0.0, 10.0, 0.01, or_greater, suffix = "s"))]
    #[var(set = set_repath_seconds)]
    repath_seconds: f64,

    /// If [code]true[/code], the body waits while another agent of its grid is right ahead of it and under way, so that
    /// a group goes through a gate one after the other instead of pushing. Of two that are in each other's way, one
    /// goes on; where their bodies collide and meet head-on, neither gets past. A body that stands is not waited for: put a [PathForgeObstacle2D] below its agent, and others go around
    /// it.
    #[export]
    #[export_group(name = "Avoidance")]
    avoidance_enabled: bool,

    /// If [code]true[/code], the route is drawn.
    #[export]
    #[export_group(name = "Debug", prefix = "debug_")]
    debug_enabled: bool,

    /// The colour of the route.
    #[export]
    debug_path_color: Color,

    /// How wide the route is drawn, in pixels.
    #[export(range = (0.5, 64.0, 0.1, or_greater, suffix = "px"))]
    debug_path_width: f32,

    link: GridLink,
    /// The grid, and how many of its edits the agent knows of.
    heard: Option<(InstanceId, u64)>,
    progress: Own<Progress>,
    journey: Journey,
    hopes: Hopes,
    frames: Frames,
    /// `true` if it is known what kind of node the parent is.
    is_parent_known: bool,
}

impl HasState for PathForgeAgent2D {
    type State = Progress;

    fn state(&self) -> &Arc<State<Progress>> {
        &self.progress
    }
}

#[godot_api]
impl INode2D for PathForgeAgent2D {
    fn init(base: Base<Node2D>) -> Self {
        let progress = Own::new(Progress::default());
        Self {
            base,
            grid: PhantomVar::default(),
            profile: None,
            goal_mode: 0,
            target_position: PhantomVar::default(),
            path_desired_distance: 20.0,
            target_desired_distance: 10.0,
            path_max_distance: 100.0,
            repath_seconds: 1.0,
            avoidance_enabled: true,
            debug_enabled: false,
            debug_path_color: crate::overlay::palette::PATH,
            debug_path_width: 2.0,
            link: GridLink::default(),
            heard: None,
            journey: Journey::new(Arc::clone(&progress)),
            progress,
            hopes: Hopes::new(),
            frames: Frames::default(),
            is_parent_known: false,
        }
    }

    fn on_notification(&mut self, what: CanvasItemNotification) {
        use CanvasItemNotification as What;
        self.link.notice(what);
        match what {
            What::ENTER_TREE => {
                self.is_parent_known = false;
                self.frames.enter(&self.to_gd(), Frame::Process, Self::process);
            }
            What::EXIT_TREE => {
                self.frames.exit(&self.to_gd().upcast());
                self.leave_queue();
            }
            What::DRAW => self.draw_way(),
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

#[godot_api]
impl PathForgeAgent2D {
    /// Emitted when a new path has come, and when its first steps have.
    #[signal]
    fn path_changed();

    /// Emitted when the body has come to a position of its route, with a dictionary of its `position` and its `index`.
    #[signal]
    fn waypoint_reached(details: VarDictionary);

    /// Emitted once for each target when the body has arrived there.
    #[signal]
    fn target_reached();

    /// Emitted once for each path when the body is at its end, reached or as near as it can get, and when there is
    /// none.
    #[signal]
    fn navigation_finished();

    /// Emitted when there is no path, with the refused path: see [member PathForgePath.reason]. An agent that has a
    /// target and no grid emits it with [constant PathForgePath.REASON_NO_GRID], and goes on when there is a grid. Not
    /// again when an edit elsewhere made the agent ask once more and the answer is the same.
    ///
    /// ```gdscript
    /// func _on_agent_navigation_failed(path: PathForgePath) -> void:
    ///     say(path.describe())
    /// ```
    #[signal]
    fn navigation_failed(path: Gd<PathForgePath>);

    #[func]
    fn get_grid(&self) -> Option<Gd<PathForgeGrid>> {
        self.link.named()
    }

    #[func]
    fn set_grid(&mut self, grid: Option<Gd<PathForgeGrid>>) {
        self.link.name(grid.as_ref());
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    fn get_goal_mode(&self) -> i64 {
        self.goal_mode
    }

    #[func]
    fn set_goal_mode(&mut self, goal_mode: i64) {
        if reported("PathForgeAgent2D.goal_mode", convert::goal_mode(goal_mode)).is_some() {
            self.goal_mode = goal_mode;
            if self.journey.target().is_some() {
                self.journey.need_path();
            }
        }
    }

    #[func]
    fn set_path_desired_distance(&mut self, distance: f64) {
        let checked = at_least_0("PathForgeAgent2D.path_desired_distance", distance);
        self.path_desired_distance = checked.unwrap_or(self.path_desired_distance);
    }

    #[func]
    fn set_target_desired_distance(&mut self, distance: f64) {
        let checked = at_least_0("PathForgeAgent2D.target_desired_distance", distance);
        self.target_desired_distance = checked.unwrap_or(self.target_desired_distance);
    }

    #[func]
    fn set_path_max_distance(&mut self, distance: f64) {
        let checked = at_least_0("PathForgeAgent2D.path_max_distance", distance);
        self.path_max_distance = checked.unwrap_or(self.path_max_distance);
    }

    #[func]
    fn set_repath_seconds(&mut self, seconds: f64) {
        let checked = at_least_0("PathForgeAgent2D.repath_seconds", seconds);
        self.repath_seconds = checked.unwrap_or(self.repath_seconds);
    }

    #[func]
    fn get_target_position(&self) -> Vector2 {
        self.journey.target().unwrap_or_default()
    }

    #[func]
    fn set_target_position(&mut self, position: Vector2) {
        if !position.is_finite() {
            report("PathForgeAgent2D.target_position", format_args!("{position} is not finite"));
            return;
        }
        self.change_target(position);
    }

    /// Forgets the target: the body stays where it is.
    #[func]
    fn stop(&mut self) {
        self.journey.stop();
    }

    /// Returns where to walk now, in global space. Call it once in every physics frame while [method is_navigation_finished] is
    /// `false`: it takes note of how far the body has come, and emits the signals.
    #[func(gd_self)]
    fn get_next_path_position(mut this: Gd<Self>) -> Vector2 {
        let (position, messages) = this.bind_mut().follow();
        Self::tell(&this, messages);
        position
    }

    /// Returns the velocity with which a body that walks `speed` pixels a second comes to [method get_next_path_position] and
    /// not past it, for `_physics_process`; zero where there is nothing to walk to. Call it instead of that method,
    /// once in every physics frame. A negative speed is an error.
    #[func(gd_self)]
    fn get_next_velocity(this: Gd<Self>, speed: f64) -> Vector2 {
        if !(speed.is_finite() && speed >= 0.0) {
            let problem = format_args!("speed {speed} is not a finite number of at least 0");
            report("PathForgeAgent2D.get_next_velocity", problem);
            return Vector2::ZERO;
        }
        let seconds = this.get_physics_process_delta_time();
        let next = Self::get_next_path_position(this.clone());
        // Handlers of what has been told may have freed it.
        if seconds <= 0.0 || !this.is_instance_valid() {
            return Vector2::ZERO;
        }
        (next - this.get_global_position()).limit_length(Some((speed * seconds) as f32)) / seconds as f32
    }

    /// Returns [code]true[/code] if there is nothing to walk to: no target, or the route is at its end, or there is
    /// none.
    #[func(gd_self)]
    fn is_navigation_finished(this: Gd<Self>) -> bool {
        state::of(&this).lock().is_finished
    }

    /// Returns [code]true[/code] if the body has arrived at the target.
    #[func(gd_self)]
    fn is_target_reached(this: Gd<Self>) -> bool {
        state::of(&this).lock().is_reached
    }

    /// Returns [code]true[/code] if the body can get to the target: what the path says or, while it is on its way, the
    /// grid, without a search.
    #[func]
    fn is_target_reachable(&mut self) -> bool {
        self.can_reach_target()
    }

    /// Returns how far the target is from the body, as the crow flies, in pixels.
    #[func(gd_self)]
    fn distance_to_target(this: Gd<Self>) -> f64 {
        let target = state::of(&this).lock().target;
        target.map_or(0.0, |target| f64::from(this.get_global_position().distance_to(target)))
    }

    /// Returns where the route ends, in global space; the body's own position when there is none.
    #[func]
    fn get_final_position(&self) -> Vector2 {
        let last = self.journey.route.positions.last().copied();
        last.unwrap_or_else(|| self.base().get_global_position())
    }

    /// Returns the length of the whole route, in pixels.
    #[func]
    fn get_path_length(&self) -> f64 {
        f64::from(self.journey.route.length())
    }

    /// Returns the positions of the route, in global space, from where the body was when it came.
    #[func]
    fn get_current_navigation_path(&self) -> PackedVector2Array {
        self.journey.route.positions.iter().copied().collect()
    }

    /// Returns the place in [method get_current_navigation_path] of the position that the body walks to.
    #[func]
    fn get_current_navigation_path_index(&self) -> i64 {
        self.journey.route.next as i64
    }

    /// Returns the path that the route was made from, or `null`.
    #[func]
    fn get_current_path(&self) -> Option<Gd<PathForgePath>> {
        self.journey.path.clone()
    }

    // A request calls it back by this name; scripts have no business with it, as the underscore says.
    #[func(gd_self, rename = _on_path_answered)]
    fn on_path_answered(mut this: Gd<Self>, path: Option<Gd<PathForgePath>>) {
        let Some(path) = path else { return };
        let messages = this.bind_mut().take_path(path);
        Self::tell(&this, messages);
    }

    // The same for the first steps of a path.
    #[func(gd_self, rename = _on_path_begun)]
    fn on_path_begun(mut this: Gd<Self>, path: Option<Gd<PathForgePath>>) {
        let Some(path) = path else { return };
        let messages = this.bind_mut().take_first_steps(path);
        Self::tell(&this, messages);
    }

    /// Emits what has happened, one after the other, while the agent is there.
    fn tell(this: &Gd<Self>, messages: Vec<Message>) {
        for message in messages {
            if !this.is_instance_valid() {
                return;
            }
            let agent = this.clone();
            match message {
                Message::PathChanged => agent.signals().path_changed().emit(),
                Message::Failed(path) => agent.signals().navigation_failed().emit(&path),
                Message::Waypoint(details) => agent.signals().waypoint_reached().emit(&details),
                Message::TargetReached => agent.signals().target_reached().emit(),
                Message::Finished => agent.signals().navigation_finished().emit(),
            }
        }
    }
}

/// What a property is set to, if it can be that.
fn at_least_0(property: &str, value: f64) -> Option<f64> {
    let fits = value.is_finite() && value >= 0.0;
    reported(
        property,
        if fits { Ok(value) } else { Err(format!("{value} is not a finite number of at least 0")) },
    )
}
