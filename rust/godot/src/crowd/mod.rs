//! `PathForgeCrowd`: thousands of walkers as arrays.
//!
//! This file has the class: properties, signals and what the engine calls. The agents are in `members`, where they
//! are sent in `orders` and `goals`, how they move in `stepping`, what they look like in `drawing`.

mod congestion;
mod drawing;
mod goals;
mod members;
mod orders;
mod profiles;
mod queries;
mod stepping;
mod storage;

use godot::classes::notify::CanvasItemNotification;
use godot::classes::{Engine, INode2D, MultiMesh, Node2D};
use godot::prelude::*;
use pathforge_core::crowd::{AgentState, Crowd};

use crate::errors::{report, warn};
use crate::frames::{Frame, Frames};
use crate::grid::PathForgeGrid;
use crate::grid_link::GridLink;
use crate::influence_map::InfluenceMap;
use congestion::Congestion;
use drawing::Look;
use goals::Goals;
use profiles::Known;
use stepping::{Figures, Seen};

/// Thousands of walkers in one node: they follow fields or paths of their own, avoid each other, give way, queue at
/// narrow gaps and settle around their goal, each with a body of its own size that never enters a wall.
///
/// Agents are numbers, not nodes. Add some, send them somewhere, and they walk in each physics frame. To draw them,
/// give the crowd a [MultiMesh]: it is written once a frame, coloured by what the agents are doing. To know where they
/// are, ask for all of them at once.
///
/// ```gdscript
/// @onready var crowd: PathForgeCrowd = $PathForgeCrowd
///
/// func _ready() -> void:
///     var soldiers := crowd.add_agents(spawn_points, soldier, 80.0)
///     crowd.assign_goal(soldiers, Vector2i(60, 20))
///     crowd.agents_arrived.connect(_on_agents_arrived)
///
/// func _on_agents_arrived(ids: PackedInt32Array) -> void:
///     crowd.remove_agents(ids)
/// ```
///
/// An agent is a disc within the footprint of its profile. The disc is never in a wall, however long a frame takes; the
/// corners of a footprint that is larger than the disc may reach into one by the difference. Discs
/// keep clear of each other. The result of a step depends on nothing but the agents, the map and the
/// time: it is the same on every machine and for any number of threads; compare [method state_hash].
///
/// An agent has arrived when it stands at its goal, in its place of a formation or, as most do, packed around the goal
/// with others that have arrived. Those that come near are handed free places by path cost, inner ones first. That is
/// told once, by [signal agents_arrived] and [constant STATE_ARRIVED], and stays so until the agent is given something
/// else to do, whatever moves it: an agent that is pushed or makes way comes back and counts as arrived meanwhile. For
/// some seconds afterwards a group may still close its gaps.
///
/// Positions are in the grid's local space, as everywhere; the crowd moves with the grid, wherever its node is. In the
/// editor no agent moves.
#[derive(GodotClass)]
#[class(init, tool, base = Node2D)]
#[allow(clippy::struct_excessive_bools)] // Properties.
pub struct PathForgeCrowd {
    base: Base<Node2D>,

    /// The grid to walk on. Unset, it is the nearest [PathForgeGrid]: an ancestor, or a child of one.
    #[export]
    #[var(get = get_grid, set = set_grid)]
    grid: PhantomVar<Option<Gd<PathForgeGrid>>>,

    /// The most agents that there can be at once. [method add_agents] gives −1 for those beyond it.
    #[export(range = (0.0, 1_000_000.0, 1.0, or_greater))]
    #[init(val = 100_000)]
    max_agents: i64,

    /// If [code]true[/code], the crowd steps in each physics frame by itself. Otherwise it moves with [method step]
    /// only.
    #[export]
    #[init(val = true)]
    auto_step: bool,

    /// Where the agents are drawn, or nothing. Its transform format must be 2D; with `use_colors` agents are coloured
    /// by what they are doing. It is written once a frame: instance count, transforms and colours. Give it a mesh of
    /// one pixel across, such as a [QuadMesh] of size (1, 1): each instance is as large as its agent's disc. Show it
    /// with a [MultiMeshInstance2D] beside the grid's cells.
    #[export]
    #[var(get = get_multimesh, set = set_multimesh)]
    multimesh: PhantomVar<Option<Gd<MultiMesh>>>,

    /// An agent that is held up for so many seconds, 0.5 to 60, without coming nearer to its goal, and does not stand
    /// in a queue, is stuck: see [signal agents_stuck].
    #[export]
    #[export_group(name = "Behaviour")]
    #[var(get = get_stuck_seconds, set = set_stuck_seconds, hint = RANGE, hint_string = "0.5,60,0.1,suffix:s")]
    stuck_seconds: PhantomVar<f64>,

    /// If [code]true[/code], an agent that is stuck among others for four times [member stuck_seconds] slips through
    /// them for a moment, as the last resort. In a formation, one that sees its place and cannot get there takes the
    /// nearest free one instead.
    #[export]
    #[var(get = get_free_stuck, set = set_free_stuck)]
    free_stuck: PhantomVar<bool>,

    /// An [InfluenceMap] that is told where agents jam, so that paths and fields of profiles which mind it lead around
    /// them; none: no signal is emitted. Twice a second, each 4×4 cells where agents walk less than half as fast as
    /// they could get a stamp as strong as they are jammed, in four levels, so that fields change only when jams do.
    /// Put the map into the grid's [member PathForgeGrid.influences], and give the profiles a weight for it. What was
    /// told is taken back at the next step when this is another map or none. It is no part of [method to_bytes] and
    /// [method state_hash].
    ///
    /// ```gdscript
    /// grid.influences = [jams]
    /// soldier.influence_weights = PackedFloat32Array([1.0])
    /// crowd.congestion_map = jams
    /// ```
    #[export]
    #[export_group(name = "Congestion", prefix = "congestion_")]
    #[var(get = get_congestion_map, set = set_congestion_map)]
    congestion_map: PhantomVar<Option<Gd<InfluenceMap>>>,

    /// The influence in the middle of 4×4 cells that are full of agents which do not get on, 0 to 1000.
    #[export]
    #[var(get = get_congestion_strength, set = set_congestion_strength, hint = RANGE, hint_string = "0,100,0.1,or_greater")]
    congestion_strength: PhantomVar<f64>,

    /// The colour of agents that walk. It is white so that colours of [method set_agent_colors] come out as they are.
    #[export]
    #[export_group(name = "Colors", prefix = "color_")]
    #[init(val = Color::from_rgb(1.0, 1.0, 1.0))]
    color_moving: Color,

    /// The colour of agents that queue or give way. Colours multiply those of [method set_agent_colors].
    #[export]
    #[init(val = Color::from_rgb(1.0, 0.82, 0.45))]
    color_waiting: Color,

    /// The colour of agents that have arrived.
    #[export]
    #[init(val = Color::from_rgb(0.62, 0.86, 0.66))]
    color_arrived: Color,

    /// The colour of agents that have nothing to do.
    #[export]
    #[init(val = Color::from_rgb(0.72, 0.75, 0.8))]
    color_idle: Color,

    /// The colour of agents that are stuck.
    #[export]
    #[init(val = Color::from_rgb(1.0, 0.42, 0.38))]
    color_stuck: Color,

    /// If [code]true[/code], the overlay is drawn in the running game: bodies by what they are doing, and where they
    /// go.
    #[export]
    #[export_group(name = "Debug", prefix = "debug_")]
    debug_enabled: bool,

    /// The most agents that the overlay draws.
    #[export(range = (0.0, 20000.0, 1.0, or_greater))]
    #[init(val = 4000)]
    debug_max_agents: i64,

    crowd: Crowd,
    link: GridLink,
    seen: Seen,
    goals: Goals,
    /// What agents are, by id.
    who: Vec<Who>,
    profiles: Vec<Known>,
    /// How often profiles had changed at the last step.
    profile_changes: u64,
    look: Look,
    figures: Figures,
    congestion: Congestion,
    frames: Frames,
}

/// What the node knows of an agent that the crowd does not.
#[derive(Clone, Copy, Debug)]
struct Who {
    /// Its place among the profiles.
    profile: u16,
    color: Color,
}

#[godot_api]
impl INode2D for PathForgeCrowd {
    fn on_notification(&mut self, what: CanvasItemNotification) {
        use CanvasItemNotification as What;
        self.link.notice(what);
        match what {
            What::ENTER_TREE => {
                let node = self.to_gd();
                self.frames.enter(&node, Frame::Physics, Self::physics_process);
                self.frames.enter(&node, Frame::Process, Self::process);
            }
            What::EXIT_TREE => self.frames.exit(&self.to_gd().upcast()),
            What::DRAW => self.draw_overlay(),
            _ => {}
        }
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        let mut warnings = PackedStringArray::new();
        self.link.warn(&self.to_gd().upcast(), &mut warnings);
        if let Some(problem) = self.look.problem() {
            warnings.push(problem);
        }
        warnings
    }
}

impl PathForgeCrowd {
    fn physics_process(mut this: Gd<Self>, delta: f64) {
        let is_on = this.bind().auto_step && !Engine::singleton().is_editor_hint();
        if is_on && !Self::advance(this.clone(), delta, false) && this.is_instance_valid() {
            let node = this.clone().upcast();
            this.bind_mut().warn_of_no_grid(&node);
        }
    }

    fn process(mut this: Gd<Self>, _delta: f64) {
        let node = this.clone().upcast();
        let mut crowd = this.bind_mut();
        crowd.write_multimesh();
        if let Some(problem) = crowd.look.new_problem() {
            warn(&node, problem);
        }
        if crowd.debug_enabled || crowd.look.overlay_shown {
            crowd.base_mut().queue_redraw();
        }
    }
}

#[godot_api]
impl PathForgeCrowd {
    /// Emitted after a step in which agents have arrived, with their ids: each once for each goal that it is given.
    /// Those that find their goal taken arrive beside the others, within a second or so of standing there.
    #[signal]
    fn agents_arrived(ids: PackedInt32Array);

    /// Emitted after a step in which agents got stuck, with their ids: each once until it comes nearer to its goal
    /// again. Agents from which no goal can be reached are stuck, too.
    #[signal]
    fn agents_stuck(ids: PackedInt32Array);

    /// It was given nothing to do, or was stopped.
    #[constant]
    const STATE_IDLE: i64 = AgentState::Idle as i64;
    /// It is on its way.
    #[constant]
    const STATE_MOVING: i64 = AgentState::Moving as i64;
    /// It is on its way and others are in it: it queues or gives way. Agents that have arrived or have nothing to do
    /// are never told to wait.
    #[constant]
    const STATE_WAITING: i64 = AgentState::Waiting as i64;
    /// It has arrived, and stays so until it is given something else to do. When others that are held up want through,
    /// it makes path and comes back, still arrived.
    #[constant]
    const STATE_ARRIVED: i64 = AgentState::Arrived as i64;
    /// It is on its way and gets no nearer, or there is no path.
    #[constant]
    const STATE_STUCK: i64 = AgentState::Stuck as i64;

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
    fn get_multimesh(&self) -> Option<Gd<MultiMesh>> {
        self.look.multimesh()
    }

    #[func]
    fn set_multimesh(&mut self, multimesh: Option<Gd<MultiMesh>>) {
        self.look.set_multimesh(multimesh);
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    fn get_congestion_map(&self) -> Option<Gd<InfluenceMap>> {
        self.congestion.map()
    }

    #[func]
    fn set_congestion_map(&mut self, map: Option<Gd<InfluenceMap>>) {
        self.congestion.take_back();
        self.congestion.map = map.map(|map| map.instance_id());
    }

    #[func]
    fn get_congestion_strength(&self) -> f64 {
        f64::from(self.congestion.strength)
    }

    #[func]
    fn set_congestion_strength(&mut self, strength: f64) {
        if (0.0..=1000.0).contains(&strength) {
            self.congestion.strength = strength as f32;
        } else {
            report("PathForgeCrowd.congestion_strength", format_args!("{strength} is not within 0 and 1000"));
        }
    }

    #[func]
    fn get_stuck_seconds(&self) -> f64 {
        (f64::from(self.crowd.settings().stuck_seconds) * 1000.0).round() / 1000.0
    }

    #[func]
    fn set_stuck_seconds(&mut self, seconds: f64) {
        if (0.5..=60.0).contains(&seconds) {
            self.crowd.settings_mut().stuck_seconds = seconds as f32;
        } else {
            report("PathForgeCrowd.stuck_seconds", format_args!("{seconds} is not within 0.5 and 60"));
        }
    }

    #[func]
    fn get_free_stuck(&self) -> bool {
        self.crowd.settings().frees_stuck
    }

    #[func]
    fn set_free_stuck(&mut self, on: bool) {
        self.crowd.settings_mut().frees_stuck = on;
    }
}

/// Agents' numbers from a script; those below zero belong to no agent.
fn ids_of(ids: &PackedInt32Array) -> Vec<u32> {
    ids.as_slice().iter().filter_map(|&id| u32::try_from(id).ok()).collect()
}

/// Agents' numbers for a script.
fn array_of(ids: impl IntoIterator<Item = u32>) -> PackedInt32Array {
    ids.into_iter().map(|id| id as i32).collect()
}
