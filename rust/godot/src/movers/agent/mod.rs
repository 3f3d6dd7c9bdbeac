//! Agents as nodes: a handle on one walker and its agent of a crowd, with the habits of `NavigationAgent2D`
//! and `NavigationAgent3D`.
//!
//! What an agent decides, and all of its state, is in [`pathforge_core::walker`]. [`Agent`] has its settings,
//! its link to the map, its id in its crowd and what it tells. [`PathForgeAgent2D`] and [`PathForgeAgent3D`]
//! are what scripts see of one; they differ in where their positions lie and in nothing that an agent does.
//! Positions and velocities are of 3D everywhere below them.
//!
//! | file | |
//! |---|---|
//! | this one | what an agent is, and what the engine calls |
//! | `agent_2d`, `agent_3d` | the classes: properties, and methods whose help differs |
//! | `script_api` | the properties and methods of both |
//! | `node` | the node that an agent is, whichever of both |
//! | `ground` | the map under the agent, as the walker sees it |
//! | `path_requests` | targets, requests for paths, answers |
//! | `crowd_link` | the agent as one of a crowd |
//! | `velocity` | what a script asks for in each physics frame, and the crowd's step finds |
//! | `links` | links of the grid: when the body enters one, and what is told of it |
//! | `signals` | what is told and published |
//! | `route_mesh` | the route as it is drawn in 3D |

mod agent_2d;
mod agent_3d;
mod crowd_link;
mod ground;
mod links;
mod node;
mod path_requests;
mod route_mesh;
mod script_api;
mod signals;
mod velocity;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use godot::prelude::*;
use pathforge_core::crowd::Avoidance;
use pathforge_core::walker::{Settings, Walker};
use pathforge_core::world::Ticket;

use crate::answers::path::PathForgePath;
use crate::engine::errors::reported;
use crate::engine::frames::Frames;
use crate::engine::state::{Own, Rank};
use crate::map::grid_link;
use crate::map::map_link::MapLink;
use crate::map::obstacle;
use crate::map::seat::Seat;
use crate::overlay::palette;
use crate::script::given::given;
use crate::script::profile::PathForgeProfile;
pub use agent_2d::PathForgeAgent2D;
pub use agent_3d::PathForgeAgent3D;
pub use crowd_link::Course;
use crowd_link::Member;
pub use ground::Site;
use ground::{KnownMap, Premises};
pub use node::AgentNode;
use route_mesh::RouteMesh;
pub use signals::{Message, Published};
pub use velocity::{HELD_SECONDS, physics_frame};

/// The bit of a layer that a script names by its number, from 1.
fn layer_bit(method: &str, name: &'static str, number: i64) -> Option<u32> {
    reported(method, given(name, number).within_u32(1..=32)).map(|number| 1 << (number - 1))
}

/// Sets a bit, or clears it.
const fn set_bit(bits: &mut u32, bit: u32, value: bool) {
    *bits = if value { *bits | bit } else { *bits & !bit };
}

/// What is behind a node that is an agent.
#[allow(clippy::struct_excessive_bools, reason = "each is another property or another thing that is known")]
pub struct Agent {
    seat: Seat,
    link: MapLink,
    profile: Option<Gd<PathForgeProfile>>,
    avoidance_enabled: bool,
    radius: f64,
    pub priority: f64,
    pub hold_position: bool,
    pub avoidance: Avoidance,
    debug_enabled: bool,
    debug_path_color: Color,
    debug_path_width: f64,
    known: Option<KnownMap>,
    premises: Option<Premises>,
    published: Own<Published>,
    walker: Walker,
    /// Where the body was at the last look, in cell space.
    was_at: Option<pathforge_core::walker::Point>,
    member: Member,
    /// The link that the grid knows the body to be on.
    on_link: Option<u32>,
    /// How far above the ground the body was where it entered the link.
    link_lift: f32,
    /// The request under way, and the grid that has it.
    asked: Option<(InstanceId, Ticket)>,
    path: Option<Gd<PathForgePath>>,
    /// The obstacle of its own.
    obstacle: Option<InstanceId>,
    frames: Frames,
    route_mesh: Option<RouteMesh>,
    /// `true` if it is known what kind of node the parent is.
    is_parent_known: bool,
}

impl Agent {
    /// An agent with these distances, in the unit of its map.
    fn new(seat: Seat, link: MapLink, settings: Settings, debug_path_width: f64) -> Self {
        static LATEST: AtomicU64 = AtomicU64::new(0);
        let mut walker = Walker::new(LATEST.fetch_add(1, Ordering::Relaxed));
        walker.settings = settings;
        Self {
            seat,
            link,
            profile: None,
            avoidance_enabled: true,
            radius: 0.0,
            priority: 0.5,
            hold_position: false,
            avoidance: Avoidance::default(),
            debug_enabled: false,
            debug_path_color: palette::PATH,
            debug_path_width,
            known: None,
            premises: None,
            published: Own::new(Rank::Agent, Published::default()),
            walker,
            was_at: None,
            member: Member::default(),
            on_link: None,
            link_lift: 0.0,
            asked: None,
            path: None,
            obstacle: None,
            frames: Frames::default(),
            route_mesh: None,
            is_parent_known: false,
        }
    }

    /// The node comes into the tree. Returns what knows that a frame has nothing left to do.
    fn enter_tree(&mut self) -> impl Fn() -> bool + Send + Sync + use<> {
        self.is_parent_known = false;
        AgentNode::note_in_tree(&self.seat, true);
        // Another parent may be below another grid and in another crowd.
        self.outdate_membership();
        let published = Arc::clone(&self.published);
        // The step of the crowd has done for it what the frame would do: for a thousand agents that saves a
        // thousand calls.
        move || published.try_lock().is_some_and(|of| of.velocity.is_stepped())
    }

    /// The node leaves the tree.
    fn exit_tree(&mut self) {
        AgentNode::note_in_tree(&self.seat, false);
        self.frames.exit(&self.seat.node());
        self.route_mesh = None;
        // An agent that its crowd leads may be on its way to another parent: the next step sees whether it is
        // back.
        if !self.walker.is_led() {
            self.leave_crowd();
        }
        self.take_back_request();
        self.leave_link();
    }

    /// The node has other children.
    fn change_children(&mut self) {
        self.obstacle = obstacle::child_of(&self.seat.node());
        self.outdate_membership();
    }

    fn configuration_warnings(&self) -> PackedStringArray {
        let mut warnings = PackedStringArray::new();
        let node = self.seat.node();
        self.link.warn(&node, &mut warnings);
        if let Some(problem) = grid_link::parent_problem(&node) {
            warnings.push(&problem);
        }
        warnings
    }
}
