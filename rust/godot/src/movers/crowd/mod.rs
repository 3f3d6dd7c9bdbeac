//! `PathForgeCrowd`: thousands of walkers as arrays.
//!
//! This file has the class: properties, signals and what the engine calls. What leads the agents is in the
//! core's `guidance`.

mod adding;
mod bound_nodes;
mod changing;
mod congestion;
mod drawing;
mod in_space;
mod layouts;
mod nodes;
mod orders;
mod overlay;
mod profiles;
mod reading;
mod stepping;
mod storage;

use std::collections::{BTreeMap, HashSet};

use godot::classes::notify::CanvasItemNotification;
use godot::classes::{Engine, INode2D, MultiMesh, Node2D};
use godot::prelude::*;
use pathforge_core::crowd::{AgentState, Crowd, MarchShape};
use pathforge_core::guidance::Guidance;

use crate::engine::errors::warn;
use crate::engine::frames::{Frame, Frames};
use crate::engine::in_tree::InTree;
use crate::engine::workers::Crew;
use crate::fields::influence_map::InfluenceMap;
use crate::map::grid::PathForgeGrid;
use crate::map::grid_link::GridLink;
use crate::map::space::PathForgeSpace3D;
use crate::script::geometry::CellGeometry;
use crate::script::node_arg::{self, NodeArg};
use crate::script::properties::class_api;
use bound_nodes::BoundNodes;
use congestion::CongestionLink;
use drawing::Look;
use nodes::NodeAgent;
pub use nodes::{NodeBody, Wanted};
use profiles::ProfileSources;

/// The crowds in the scene tree.
pub static CROWDS: InTree<PathForgeCrowd> = InTree::new();

/// Thousands of walkers in one node: they follow fields or paths of their own, avoid each other, give way,
/// queue at narrow gaps and settle around their goal, each with a body of its own size that never enters a
/// wall.
///
/// Agents are ids, not nodes. Add some, send them somewhere, and they walk in each physics frame. Methods
/// that take ids skip those of no agent; an id that is given more than once counts once, where it is first.
/// To draw them, give the crowd a [MultiMesh]: it is written once a frame, coloured by what the agents are
/// doing. Or let agents move nodes of yours: see [method bind_nodes].
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
/// An agent keeps clear of others by an outline within the footprint of its profile: a disc, a capsule for a
/// long body, or a box, as [member PathForgeProfile.outline] says. The outline is never in a wall, however
/// long a frame takes. The edges of a footprint that is larger than the outline may reach into a wall by the
/// difference.
///
/// Agents keep clear of all other agents of the crowd, but not of another crowd's. Agents that meet give way
/// or queue. An agent that is held up for a second shoulders its way through agents that rest for another
/// goal, so opposing groups pass each other.
///
/// A body with a [PathForgeAgent2D] or a [PathForgeAgent3D] is an agent, too, without a line: of the crowd
/// that is a child of its grid, or of its [member PathForgeAgent2D.crowd]. Orders take its id from [method
/// PathForgeAgent2D.get_agent_id].
///
/// An agent has arrived when it stands at its goal, in its place of a formation or, as most do, in the room
/// that its group fills around the goal: the cells of least path cost that hold all bodies, and a fifth more.
/// Agents that come near are handed free places by path cost, inner ones first. [signal agents_arrived] tells
/// of each once. The agent stays [constant STATE_ARRIVED] until it is given something else to do: when it is
/// pushed or makes way, it comes back. One that others keep out of that room rests as [constant
/// STATE_BLOCKED], and goes on when no other rests right before it. A group closes up to a round disc until
/// all are there that can, and for 3 seconds after that; then [signal group_arrived] tells of it. Between
/// walls, a few that rest on others walk on to free room some seconds later.
///
/// The result of a step depends on the agents, the map and the time only. It is the same on every machine and
/// for any number of threads: compare [method state_hash]. What physics bodies do is not the same on every
/// machine.
///
/// Positions are in the grid's local space, as everywhere; the crowd moves with the grid, wherever its node
/// is. In the editor no agent moves.
#[derive(GodotClass)]
#[class(init, tool, base = Node2D)]
#[allow(clippy::struct_excessive_bools)] // Properties.
pub struct PathForgeCrowd {
    base: Base<Node2D>,

    /// The grid to walk on. Unset, it is the nearest [PathForgeGrid]: an ancestor, or a child of one.
    #[export]
    #[var(get, set)]
    grid: node_arg::PhantomVar<PathForgeGrid>,

    /// The most agents that there can be at once. [method add_agents] gives −1 for those beyond it.
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "0,1000000,1,or_greater")]
    max_agents: PhantomVar<i64>,

    /// If [code]true[/code], the crowd steps in each physics frame by itself. Otherwise it moves with [method
    /// step] only.
    #[export]
    #[init(val = true)]
    auto_step: bool,

    /// The [PathForgeSpace3D] on whose ground the agents are, for games in 3D: [member multimesh] then has 3D
    /// transforms, [method bind_node] takes `Node3D`s, and [method find_agents_along_ray] and [method
    /// find_agents_on_screen] pick agents. Agents walk the same with it and without it. Positions of the
    /// crowd itself stay those of the grid: [method PathForgeSpace3D.to_space_batch] and [method
    /// PathForgeSpace3D.to_plane_batch] lead there and back.
    ///
    /// ```gdscript
    /// crowd.space = space
    /// crowd.add_agents(space.to_plane_batch(barrack_doors), soldier, 3.0)
    /// ```
    #[export]
    #[var(get, set)]
    space: node_arg::PhantomVar<PathForgeSpace3D>,

    /// Where the agents are drawn, or nothing. Its transform format must be 2D; with `use_colors` agents are
    /// coloured by what they are doing. It is written once a frame: instance count, transforms and colours.
    /// Without a mesh it gets a disc. A mesh of your own has to be one pixel across, such as a [QuadMesh] of
    /// size (1, 1): each instance is as wide and as high as its agent's outline, and as an ellipse on an
    /// isometric map. Show it with a [MultiMeshInstance2D] beside the grid's cells.
    ///
    /// With a [member space] the format must be 3D. Show it with a [MultiMeshInstance3D] below the space. A
    /// mesh of your own has to be one metre across, with its origin at the feet: each instance stands on the
    /// ground, is scaled to its agent's outline, along y by the mean of its width and depth, and looks where
    /// the agent walks with its −z axis. Bodies that are longer than wide do not turn, as their footprints do
    /// not. Without a mesh it gets a pillar.
    #[export]
    #[var(get, set)]
    multimesh: PhantomVar<Option<Gd<MultiMesh>>>,

    /// An agent that is held up for so many seconds, 0.5 to 60, without coming nearer to its goal, and does
    /// not stand in a queue, is stuck: see [signal agents_stuck].
    #[export]
    #[export_group(name = "Behaviour")]
    #[var(get, set, hint = RANGE, hint_string = "0.5,60,0.1,suffix:s")]
    stuck_seconds: PhantomVar<f64>,

    /// If [code]true[/code], an agent that is stuck among others for four times [member stuck_seconds] slips
    /// through them for a moment, as the last resort. So does one that has arrived and rests on another,
    /// where there is no room to part, to the nearest free place. In a formation, one that sees its place and
    /// cannot get there, and one that has pushed through others for a minute, take the nearest free one
    /// instead. Otherwise no agent goes through another, and agents may hold each other for good before a
    /// narrow place: they are [constant STATE_STUCK] or [constant STATE_BLOCKED] then.
    #[export]
    #[var(get, set)]
    free_stuck: PhantomVar<bool>,

    /// An [InfluenceMap] that is told where agents jam, so that paths and fields of profiles which mind it
    /// lead around them; none: no signal is emitted. Twice a second, each 4×4 cells where agents walk less
    /// than half as fast as they could get a stamp as strong as they are jammed, in four levels, so that
    /// fields change only when jams do. Put the map into the grid's [member PathForgeGrid.influences], and
    /// give the profiles a weight for it. What was told is taken back at the next step when this is another
    /// map or none, and when the crowd leaves the tree. It is no part of [method to_bytes] and [method
    /// state_hash].
    ///
    /// ```gdscript
    /// grid.influences = [jams]
    /// soldier.influence_weights = PackedFloat32Array([1.0])
    /// crowd.congestion_map = jams
    /// ```
    #[export]
    #[export_group(name = "Congestion", prefix = "congestion_")]
    #[var(get, set)]
    congestion_map: node_arg::PhantomVar<InfluenceMap>,

    /// The influence in the middle of 4×4 cells that are full of agents which do not get on, 0 to 1000.
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "0,100,0.1,or_greater")]
    congestion_strength: PhantomVar<f64>,

    /// If [code]true[/code], the colours by state multiply those of [method set_agent_colors]; otherwise
    /// agents have their own colours alone.
    #[export]
    #[export_group(name = "Colors", prefix = "")]
    #[init(val = true)]
    mix_state_colors: bool,

    /// The colour of agents that walk. It is white so that colours of [method set_agent_colors] come out as
    /// they are.
    #[export]
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

    /// The colour of agents that are blocked.
    #[export]
    #[init(val = Color::from_rgb(0.86, 0.55, 0.95))]
    color_blocked: Color,

    /// If [code]true[/code], the overlay is drawn in the running game: the outline of each body in the colour
    /// of its state, and a line for its velocity. The words at the lower left of the screen have the colours
    /// of the states.
    #[export]
    #[export_group(name = "Debug", prefix = "debug_")]
    debug_enabled: bool,

    /// The most agents that the overlay draws.
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "0,20000,1,or_greater")]
    debug_max_agents: PhantomVar<i64>,

    /// The agents of which the overlay draws more: a second outline, a line to their place with a cross
    /// there, a blue line to the agent that they wait for, and a label in words:
    /// `12 Travelling, held up by 7`. Ids of no agent are left out. So you see why an agent that you clicked on
    /// stands where it stands. Beyond 100 on the screen, agents have no label.
    ///
    /// A label says what the agent does. [i]Idle[/i]: it rests and has no goal. [i]Travelling[/i]: it follows
    /// its field or path. [i]Homing[/i]: it walks straight to its place around the goal or in the formation,
    /// or back to where it rested. [i]Yielding[/i]: it walks ahead of an agent that has the right of way, out
    /// of its path. [i]Aside[/i]: it rested, and makes way for an agent that wants through. [i]Settled[/i]:
    /// it rests and has arrived.
    ///
    /// Then it says what the agent waits for. [i]Held up by[/i]: it moves slower than it wants, behind this
    /// agent. [i]Blocked by[/i]: this one rests for its goal right before it, or is blocked itself. [i]Yields
    /// to[/i] and [i]makes way for[/i]: this one wants through. [i]Paused[/i] and [i]thrown[/i]: by [method
    /// set_agent_paused] and [method throw_agents]. [i]No path[/i]: nothing leads to its goal.
    ///
    /// ```gdscript
    /// crowd.debug_enabled = true
    /// crowd.debug_agents = [crowd.find_nearest_agent(grid.get_local_mouse_position(), 32.0)]
    /// ```
    #[export]
    debug_agents: PackedInt32Array,

    #[init(val = 100_000)]
    agents_max: usize,
    #[init(val = 4000)]
    drawn_max: usize,
    crowd: Crowd,
    link: GridLink,
    /// Where the cells of the grid lie, as it was last seen.
    geometry: CellGeometry,
    #[init(val = Guidance::new(Crew::shared()))]
    guidance: Guidance,
    profile_sources: ProfileSources,
    /// The colours of agents by id; those beyond the end are white.
    colors: Vec<[f32; 4]>,
    look: Look,
    /// The space, by id: one that is freed is simply not there any more.
    space_id: Option<InstanceId>,
    step_usec: i64,
    congestion: CongestionLink,
    frames: Frames,
    /// The nodes that are agents, by id, and those that agents move.
    node_agents: BTreeMap<u32, NodeAgent>,
    /// It was said that a script asks for velocities too rarely.
    told_of_rare_calls: bool,
    bound: BoundNodes,
}

#[godot_api]
impl INode2D for PathForgeCrowd {
    fn on_notification(&mut self, what: CanvasItemNotification) {
        use CanvasItemNotification as What;
        self.link.notice(what);
        match what {
            What::ENTER_TREE => {
                let node = self.to_gd();
                CROWDS.enter(node.instance_id());
                self.frames.enter(&node, Frame::Physics, Self::physics_process);
                self.frames.enter(&node, Frame::Process, Self::process);
            }
            What::EXIT_TREE => {
                CROWDS.exit(self.base().instance_id());
                self.frames.exit(&self.to_gd().upcast());
                // Outside the tree it does not step, and would leave its jams on the map.
                self.forget_jams();
            }
            What::DRAW => self.draw_overlay(),
            _ => {}
        }
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        let mut warnings = self.link.warnings(&self.to_gd().upcast());
        if let Some(problem) = self.look.problem(self.space().is_some()) {
            warnings.push(problem);
        }
        warnings
    }
}

impl PathForgeCrowd {
    fn physics_process(mut this: Gd<Self>, delta: f64) {
        let is_on = this.bind().auto_step && !Engine::singleton().is_editor_hint();
        // A step by itself fails quietly, 60 times a second: one warning says why.
        if is_on && !Self::advance(this.clone(), delta, false) && this.is_instance_valid() {
            let node = this.clone().upcast();
            this.bind_mut().warn_of_no_grid(&node);
        }
    }

    fn process(mut this: Gd<Self>, _delta: f64) {
        let node = this.clone().upcast();
        let mut crowd = this.bind_mut();
        // In the drawn frame, as there may be several steps to one of them.
        crowd.write_multimesh();
        let has_space = crowd.space().is_some();
        if let Some(problem) = crowd.look.new_problem(has_space) {
            warn(&node, problem);
        }
        // Once more after it was switched off, so that nothing stays drawn.
        if crowd.debug_enabled || crowd.look.overlay_shown {
            crowd.base_mut().queue_redraw();
        }
    }
}

class_api! {
    impl PathForgeCrowd;

    {
        /// Emitted after a step in which agents have arrived, with their ids: each once for each goal that it
        /// is given, and each [PathForgeAgent2D] once for each target, at the end of its path, which may stop
        /// short of it. Those that find their goal taken arrive beside the others, within a second or so of
        /// standing there.
        #[signal]
        fn agents_arrived(ids: PackedInt32Array);

        /// Emitted after a step in which agents got stuck, with their ids: each once until it comes nearer to
        /// its goal again. Agents from which no goal can be reached are stuck, too.
        #[signal]
        fn agents_stuck(ids: PackedInt32Array);

        /// Emitted after a step in which agents came to rest beyond the room that their group fills around
        /// its goal, since others keep them from going on, with their ids: each once until it has come nearer
        /// by its own width. They are [constant STATE_BLOCKED]. One that finds its way free goes on within a
        /// second or so, and may still arrive.
        #[signal]
        fn agents_blocked(ids: PackedInt32Array);

        /// Emitted once when all agents that were sent to `goal` have arrived that can, be it by one order or
        /// by several, and none walks to its place around it any more: how many have `arrived`, and how many
        /// have not, as they are [constant STATE_BLOCKED] or [constant STATE_STUCK]. When none of them has
        /// come nearer for 16 seconds and one is blocked or stuck, that is told once, too, with none arrived;
        /// it is told again when all have arrived that can. If some of the others come later, as what kept
        /// them off has left, it is emitted again with the new numbers. Of a [FlowField] with several goals,
        /// `goal` is the first; of a path, it is the cell of its end.
        ///
        /// Those that others push or pass after that make way and walk back, and stay [constant
        /// STATE_ARRIVED]. A node with a target of its own in the cell counts with those that were sent
        /// there.
        #[signal]
        fn group_arrived(goal: Vector2i, arrived: i64, blocked: i64);
    }

    /// On the march, about as wide as deep.
    const MARCH_BLOCK = MarchShape::Block as i64;
    /// On the march, two abreast.
    const MARCH_COLUMN = MarchShape::Column as i64;
    /// On the march, one in front, and one more in each rank behind. The last rank takes those that are left:
    /// 7 agents walk in ranks of 1, 2, 3 and 1.
    const MARCH_WEDGE = MarchShape::Wedge as i64;

    /// It was given nothing to do, or was stopped.
    const STATE_IDLE = AgentState::Idle as i64;
    /// It is on its way.
    const STATE_MOVING = AgentState::Moving as i64;
    /// It is on its way and others are in it: it queues, gives way, or walks and has come no nearer for a
    /// second. Agents that have arrived or have nothing to do are never told to wait.
    const STATE_WAITING = AgentState::Waiting as i64;
    /// It has arrived, and stays so until it is given something else to do. When others that are held up want
    /// through, it makes path and comes back, still arrived.
    const STATE_ARRIVED = AgentState::Arrived as i64;
    /// It is on its way and gets no nearer, or there is no path.
    const STATE_STUCK = AgentState::Stuck as i64;
    /// It rests beyond the room that its group fills around the goal: others keep it from going on. It stays
    /// so while it tries again, until it is nearer by its own width.
    const STATE_BLOCKED = AgentState::Blocked as i64;

    grid in link;

    get get_space() -> NodeArg<PathForgeSpace3D> = |this| this.space().into();
    set set_space(space: NodeArg<PathForgeSpace3D>) = |this| {
        this.space_id = space.node()?.map(|space| space.instance_id());
        this.look.moved();
        this.base_mut().update_configuration_warnings();
    };

    get get_multimesh() -> Option<Gd<MultiMesh>> = |this| this.look.multimesh();
    set set_multimesh(multimesh: Option<Gd<MultiMesh>>) = |this| {
        this.look.set_multimesh(multimesh.value);
        this.base_mut().update_configuration_warnings();
    };

    get get_congestion_map() -> NodeArg<InfluenceMap> = |this| this.congestion.map().into();
    set set_congestion_map(congestion_map: NodeArg<InfluenceMap>) = |this| {
        this.congestion.set_map(congestion_map.node()?);
    };

    get get_congestion_strength() -> f64 = |this| f64::from(this.congestion.strength);
    set set_congestion_strength(congestion_strength: f64) = |this| {
        this.congestion.strength = congestion_strength.within(0.0..=1000.0)? as f32;
    };

    get get_max_agents() -> i64 = |this| this.agents_max as i64;
    set set_max_agents(max_agents: i64) = |this| this.agents_max = max_agents.at_least(0)? as usize;

    get get_debug_max_agents() -> i64 = |this| this.drawn_max as i64;
    set set_debug_max_agents(debug_max_agents: i64) = |this| {
        this.drawn_max = debug_max_agents.at_least(0)? as usize;
    };

    get get_stuck_seconds() -> f64 = |this| {
        // To milliseconds: as a single-precision number 0.7 would be shown as 0.699999988.
        (f64::from(this.crowd.settings().stuck_seconds) * 1000.0).round() / 1000.0
    };
    set set_stuck_seconds(stuck_seconds: f64) = |this| {
        this.crowd.settings_mut().stuck_seconds = stuck_seconds.within(0.5..=60.0)? as f32;
    };

    get get_free_stuck() -> bool = |this| this.crowd.settings().frees_stuck;
    set set_free_stuck(free_stuck: bool) = |this| this.crowd.settings_mut().frees_stuck = free_stuck.value;
}

/// The id of no agent.
const NO_AGENT: i32 = -1;

/// Agents' numbers from a script, each once; those below zero belong to no agent.
fn ids_of(ids: &PackedInt32Array) -> Vec<u32> {
    firsts_of(ids).map(|(_, id)| id).collect()
}

/// The same, each with its first place in the array.
fn firsts_of(ids: &PackedInt32Array) -> impl Iterator<Item = (usize, u32)> {
    let mut seen = HashSet::with_capacity(ids.len());
    let ids = ids.as_slice().iter().enumerate();
    let ids = ids.filter_map(|(place, &id)| Some((place, u32::try_from(id).ok()?)));
    ids.filter(move |&(_, id)| seen.insert(id))
}

/// Agents' numbers for a script.
fn array_of(ids: impl IntoIterator<Item = u32>) -> PackedInt32Array {
    ids.into_iter().map(|id| id as i32).collect()
}
