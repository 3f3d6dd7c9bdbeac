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
use crate::map::grid::PathForgeGrid;
use crate::map::grid_link::GridLink;
use crate::map::influence_map::InfluenceMap;
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

/// Moves thousands of agents in one node. They avoid each other, give way, queue at narrow gaps and settle
/// around their goal. No body ever enters a wall.
///
/// Agents are ids, not nodes. Add agents, give them an order, and they walk in each physics frame. Methods
/// skip ids without an agent; an id that is given twice counts once. To draw agents, set [member multimesh],
/// or bind nodes of yours with [method bind_nodes].
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
/// An agent keeps clear of others by an outline within the footprint of its profile: see [member
/// PathForgeProfile.outline]. The outline is never in a wall, however long a frame takes. A footprint that is
/// larger than the outline may overlap a wall by the difference.
///
/// Agents keep clear of all other agents of their crowd, but not of agents of another crowd. With [method
/// set_agent_avoidance_mask] they keep clear of some only: units that fly over units on the ground. They give
/// way or queue. An agent that is held up for a second pushes between agents that rest for another goal, so
/// opposing groups pass each other.
///
/// A body with a [PathForgeAgent2D] or a [PathForgeAgent3D] is an agent, too. It belongs to its [member
/// PathForgeAgent2D.crowd] or, if that is unset, to the crowd that is a child of its grid. Orders take its id
/// from [method PathForgeAgent2D.get_agent_id].
///
/// The agents that were sent to one goal are a group, even if several orders sent them. A group fills the
/// room around its goal: the cells with the least path cost to the goal, enough for all bodies. The room fills
/// from its far end, so the first agents do not close the way for the others. An agent has arrived
///
/// - in that room, when it has rested for four seconds and no free room in reach is much better,
/// - in its place of a formation or a march,
/// - or at the end of its path.
///
/// It stays [constant STATE_ARRIVED] until its next order, even if others push it. Where bodies leave at a
/// goal, those behind them move up. An agent that others keep out of the room rests as [constant
/// STATE_BLOCKED]. It goes on when a way to free room opens, or more agents have arrived. [signal
/// group_arrived] reports the end of an order.
///
/// The result of a step depends on the agents, the map and the time only. It is the same on every machine and
/// for any number of threads: compare [method state_hash]. The movement of physics bodies may differ between
/// machines.
///
/// Positions are in the grid's local space. The crowd moves with the grid, wherever its own node is. In the
/// editor agents do not move.
#[derive(GodotClass)]
#[class(init, tool, base = Node2D)]
#[allow(clippy::struct_excessive_bools)] // Properties.
pub struct PathForgeCrowd {
    base: Base<Node2D>,

    /// The grid to walk on. Unset, it is the nearest [PathForgeGrid]: an ancestor, or a child of one.
    #[export]
    #[var(get, set)]
    grid: node_arg::PhantomVar<PathForgeGrid>,

    /// The most agents that the crowd can have at once. [method add_agents] returns −1 for further agents.
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "0,1000000,1,or_greater")]
    max_agents: PhantomVar<i64>,

    /// If [code]true[/code], the crowd steps in each physics frame by itself. Otherwise it moves with [method
    /// step] only.
    #[export]
    #[init(val = true)]
    auto_step: bool,

    /// The [PathForgeSpace3D] on whose ground the agents are, for games in 3D. Agents walk the same with it
    /// and without it. With a space,
    ///
    /// - [member multimesh] has 3D transforms,
    /// - [method bind_node] takes `Node3D`s,
    /// - [method find_agents_along_ray] and [method find_agents_on_screen] pick agents.
    ///
    /// Positions of the crowd itself stay positions of the grid: [method PathForgeSpace3D.to_space_batch] and
    /// [method PathForgeSpace3D.to_plane_batch] convert them. In a house, any of its floors will do: each agent
    /// is on the floor of its cell.
    ///
    /// ```gdscript
    /// crowd.space = space
    /// crowd.add_agents(space.to_plane_batch(barrack_doors), soldier, 3.0)
    /// ```
    #[export]
    #[var(get, set)]
    space: node_arg::PhantomVar<PathForgeSpace3D>,

    /// The [MultiMesh] in which the agents are drawn, or `null`. The crowd writes its instance count,
    /// transforms and, with `use_colors`, the colours of the agents' states once a frame. Show it with a
    /// [MultiMeshInstance2D] beside the grid's cells.
    ///
    /// Its transform format must be 2D. Each instance is as wide and as high as its agent's outline, and an
    /// ellipse on an isometric map. A mesh of your own must be one pixel across, such as a [QuadMesh] of size
    /// (1, 1). Without a mesh, the crowd sets a disc.
    ///
    /// With a [member space] the format must be 3D. Show it with a [MultiMeshInstance3D] below the space. A
    /// mesh of your own must be one metre across, with its origin at the feet. Each instance stands on the
    /// ground, and its −z axis points where the agent walks; bodies that are longer than wide do not turn. It
    /// is scaled to its agent's outline, along y by the mean of width and depth. Without a mesh, the crowd
    /// sets a pillar.
    #[export]
    #[var(get, set)]
    multimesh: PhantomVar<Option<Gd<MultiMesh>>>,

    /// The time, 0.5 to 60 seconds, after which an agent counts as stuck if it comes no nearer to its goal
    /// and is not in a queue: see [signal agents_stuck].
    #[export]
    #[export_group(name = "Behaviour")]
    #[var(get, set, hint = RANGE, hint_string = "0.5,60,0.1,suffix:s")]
    stuck_seconds: PhantomVar<f64>,

    /// If [code]true[/code], an agent that is stuck among others for four times [member stuck_seconds] passes
    /// through them for a moment. If [code]false[/code], no agent passes through another.
    #[export]
    #[var(get, set)]
    free_stuck: PhantomVar<bool>,

    /// The [InfluenceMap] into which the crowd writes where agents jam, or `null`. Add it to [member
    /// PathForgeGrid.influences] and give profiles a weight for it: their paths and fields then lead around
    /// jams.
    ///
    /// Twice a second, each 4×4 block whose agents walk at less than half their possible speed gets a stamp.
    /// Its strength has four levels, so that fields change only when jams do. The crowd removes its stamps
    /// when this property changes and when it leaves the tree. [method to_bytes] and [method state_hash]
    /// leave the map out.
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

    /// The influence in the middle of 4×4 cells that are full of jammed agents, 0 to 1000.
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "0,100,0.1,or_greater")]
    congestion_strength: PhantomVar<f64>,

    /// The colours of agents by state, in the order of the `STATE_*` constants: idle, moving, waiting,
    /// arrived, stuck, blocked. They multiply the colours of [method set_agent_colors]; a state without a
    /// colour is white. If the array is empty, agents have their own colours alone.
    #[export]
    #[export_group(name = "Colors", prefix = "")]
    #[init(val = PackedColorArray::from(drawing::STATE_COLORS.as_slice()))]
    state_colors: PackedColorArray,

    /// If [code]true[/code], the overlay is drawn in the running game: the outline of each body in the colour
    /// of its state, and a line for its velocity. A legend at the lower left of the screen names the colours.
    #[export]
    #[export_group(name = "Debug", prefix = "debug_")]
    debug_enabled: bool,

    /// The agents of which the overlay draws more:
    ///
    /// - a second outline,
    /// - a line to the agent's place, with a cross there,
    /// - a blue line to the agent that it waits for,
    /// - a label such as `12 Travelling, held up by 7`, for up to 100 agents on the screen.
    ///
    /// The label says what the agent does:
    ///
    /// - [i]Idle[/i]: it rests and has no goal.
    /// - [i]Travelling[/i]: it follows its field or path.
    /// - [i]Homing[/i]: it walks straight to its place around the goal or in the formation, or back to where
    ///   it rested.
    /// - [i]Yielding[/i]: it walks ahead of an agent that has the right of way, out of its path.
    /// - [i]Aside[/i]: it rested, and makes way for another agent.
    /// - [i]Settled[/i]: it rests and has arrived.
    ///
    /// Then the label says what the agent waits for:
    ///
    /// - [i]Held up by[/i]: it moves slower than it wants, behind this agent.
    /// - [i]Blocked by[/i]: this agent rests right in front of it for its goal, or is blocked itself.
    /// - [i]Yields to[/i], [i]makes way for[/i]: this agent wants through.
    /// - [i]Paused[/i], [i]thrown[/i]: by [method set_agent_paused] or [method throw_agents].
    /// - [i]No path[/i]: nothing leads to its goal.
    ///
    /// ```gdscript
    /// crowd.debug_enabled = true
    /// crowd.debug_agents = [crowd.find_nearest_agent(grid.get_local_mouse_position(), 32.0)]
    /// ```
    #[export]
    debug_agents: PackedInt32Array,

    #[init(val = 100_000)]
    agents_max: usize,
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
    /// The space, by id, so that a freed one is simply missing.
    space_id: Option<InstanceId>,
    congestion: CongestionLink,
    frames: Frames,
    /// The nodes that are agents, by id.
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
        /// Emitted after a step in which agents have arrived, with their ids: once for each agent and order.
        /// A [PathForgeAgent2D] counts once for each target, at the end of its path. An agent that finds its
        /// goal taken arrives beside the others, within about a second of coming to rest.
        #[signal]
        fn agents_arrived(ids: PackedInt32Array);

        /// Emitted after a step in which agents got stuck, with their ids: once for each agent, and again
        /// only after it has come nearer to its goal. Agents that cannot reach any goal are stuck, too.
        #[signal]
        fn agents_stuck(ids: PackedInt32Array);

        /// Emitted after a step in which agents became [constant STATE_BLOCKED], with their ids: once for
        /// each agent, and again only after it has come nearer by its own width. An agent goes on within
        /// about a second after its path is free, and may still arrive.
        #[signal]
        fn agents_blocked(ids: PackedInt32Array);

        /// Emitted after a step in which agents entered links of the grid, with the id of each and the id of
        /// its link, such as that of a ladder. They are on it for the time of the link, or for as long as the
        /// straight line takes at their speed. See [method get_agent_link].
        #[signal]
        fn agents_entered_links(ids: PackedInt32Array, links: PackedInt32Array);

        /// Emitted after a step in which agents came out of links, with the id of each and of its link.
        #[signal]
        fn agents_left_links(ids: PackedInt32Array, links: PackedInt32Array);

        /// Emitted when the agents that were sent to `goal`, by one order or several, are done. `arrived` is
        /// how many have arrived, `blocked` how many have not.
        ///
        /// [b]When.[/b] The signal waits until all of these are true:
        ///
        /// - At least one agent has arrived.
        /// - Every other agent has arrived or is [constant STATE_BLOCKED] or [constant STATE_STUCK].
        /// - No agent that has arrived walks to its place in a formation.
        ///
        /// [b]If no agent arrives.[/b] The signal is emitted once, with `arrived` 0, when an agent is blocked
        /// or stuck and no agent has come nearer for 16 seconds.
        ///
        /// [b]Again.[/b] While agents are blocked or stuck, the order stays open. Each time more agents have
        /// arrived, the signal is emitted again with the new numbers. After `blocked` 0 it is not emitted
        /// again for that order. To start the next order at the first report, connect with
        /// `CONNECT_ONE_SHOT`.
        ///
        /// [b]Afterwards.[/b] Agents that others push make way, walk back and stay [constant STATE_ARRIVED];
        /// no signal reports this.
        ///
        /// For a [FlowField] with several goals, `goal` is the first goal. For a path, it is the cell at the
        /// path's end. A node with a target of its own in this cell belongs to the group. In narrow streets
        /// where groups meet, the signal may take minutes: have a time limit of your own.
        #[signal]
        fn group_arrived(goal: Vector2i, arrived: i64, blocked: i64);
    }

    /// A march that is about as wide as deep.
    const MARCH_BLOCK = MarchShape::Block as i64;
    /// A march two abreast.
    const MARCH_COLUMN = MarchShape::Column as i64;
    /// A march with one agent in front, and one more in each rank behind. The last rank takes the rest: 7
    /// agents walk in ranks of 1, 2, 3 and 1.
    const MARCH_WEDGE = MarchShape::Wedge as i64;

    /// The agent has no order, or was stopped.
    const STATE_IDLE = AgentState::Idle as i64;
    /// The agent is on its way.
    const STATE_MOVING = AgentState::Moving as i64;
    /// The agent is on its way, and others hold it up: it queues, gives way, or has come no nearer for a
    /// second.
    const STATE_WAITING = AgentState::Waiting as i64;
    /// The agent has arrived, and stays so until its next order. It may still make way for others.
    const STATE_ARRIVED = AgentState::Arrived as i64;
    /// The agent is on its way and comes no nearer, or nothing leads to its goal.
    const STATE_STUCK = AgentState::Stuck as i64;
    /// The agent rests outside the room that its group fills around the goal, because others are in its way.
    /// It stays blocked while it tries again, until it has come nearer by its own width.
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
