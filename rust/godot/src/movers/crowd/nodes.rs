//! Nodes that are agents.

use std::sync::Arc;
use std::time::Instant;

use godot::prelude::*;
use pathforge_core::crowd::{AgentSpec, AgentState, Avoidance, CROWD_RADIUS_MAX, CrowdKind};
use pathforge_core::geometry::Cell;
use pathforge_core::guidance::{default_radius, group_of, kind_of, placement_at};
use pathforge_core::terrain::IgnoredObstacles;
use pathforge_core::walker::{Notice, Order, Point};
use pathforge_core::world::{GoalMode, PathQuery, Profile, Status};

use super::PathForgeCrowd;
use super::layouts::{Layout, Layouts};
use crate::answers::path::{PathForgePath, PathFrame};
use crate::engine::errors::warn;
use crate::engine::state::State;
use crate::engine::weak::Weak;
use crate::map::grid::PathForgeGrid;
use crate::movers::agent::{AgentNode, Course, HELD_SECONDS, Message, Published, Site, physics_frame};
use crate::script::profile::{Asker, ProfileArg};

/// Of more nodes than this, each looks at its path in every second step only: that takes most of the time.
const MANY_NODES: usize = 256;

/// The smallest radius of a node, in cells: a given radius that rounds to zero takes room, too.
const RADIUS_MIN: f32 = 1e-3;

/// A node whose body is an agent.
pub struct NodeAgent {
    agent: Weak<AgentNode>,
    published: Arc<State<Published>>,
    /// The node that lays out the cells that it walks on: the grid, or a space.
    layout: InstanceId,
    /// The speed that it was asked for before the step, and that it tells the velocity by a signal.
    asked: Option<(f64, bool)>,
    /// Where it was at the last step.
    place: Vector3,
    /// Its layers and mask, which do not count while it is on a link.
    avoidance: Avoidance,
    is_on_link: bool,
}

/// What nodes are to tell after a step.
pub type Told = Vec<(AgentNode, Vec<Message>)>;

/// What a node wants to be as an agent.
pub struct Wanted {
    pub profile: ProfileArg,
    /// In cells.
    pub radius: f64,
    pub priority: f64,
    pub hold_position: bool,
    pub avoidance: Avoidance,
    /// It blocks cells itself: obstacles are then no walls to it.
    pub is_obstacle: bool,
    /// The node that lays out the cells that it walks on.
    pub layout: InstanceId,
}

/// What that is in the crowd.
pub struct NodeBody {
    pub profile: Profile,
    pub kind: CrowdKind,
    /// In cells.
    pub radius: f32,
    pub layers: u32,
}

impl Wanted {
    /// What that is in a crowd on a grid.
    pub fn body(&self, grid: &Gd<PathForgeGrid>) -> NodeBody {
        let profile = Asker::of(&self.profile, grid.bind().grid_diagonal_mode()).profile;
        let mut kind = kind_of(&profile);
        if self.is_obstacle {
            // A kind that ignores its own obstacle alone would need a passability layer for each node.
            kind.layer.ignored_obstacles = IgnoredObstacles::ALL;
        }
        let radius = match self.radius {
            0.0 => default_radius(&profile),
            radius => radius,
        };
        // What a cell is in pixels may change while the node lives, so no setter can hold its radius within
        // the limits.
        let radius = (radius as f32).clamp(RADIUS_MIN, CROWD_RADIUS_MAX);
        NodeBody { profile, kind, radius, layers: self.avoidance.layers }
    }
}

impl PathForgeCrowd {
    /// Takes a node in as an agent at a point of cell space; returns its id.
    pub fn take_in(
        &mut self,
        agent: AgentNode,
        published: Arc<State<Published>>,
        point: Point,
        wanted: Wanted,
    ) -> Option<u32> {
        let grid = self.resolve_grid().filter(|_| point.is_finite())?;
        let body = wanted.body(&grid);
        // The place is told below; the speed comes with each request.
        let spec =
            AgentSpec { x: 0.0, y: 0.0, kind: self.crowd.kind(body.kind), speed: 1.0, radius: body.radius };
        let id = self.with_layers(&grid, |crowd, ground| crowd.add_driven(ground, &spec))?;
        self.crowd.set_driven_position(id, point.x, point.y, 1.0);
        self.crowd.set_priority(id, wanted.priority as f32);
        self.crowd.set_holds_position(id, wanted.hold_position);
        self.put_on_layers(id, wanted.avoidance);
        let number = self.number_of(wanted.profile, &grid);
        self.guidance.note_profile(id, number);
        let place = agent.place();
        let agent = Weak::of(agent);
        let (layout, avoidance) = (wanted.layout, wanted.avoidance);
        let node = NodeAgent { agent, published, layout, asked: None, place, avoidance, is_on_link: false };
        self.node_agents.insert(id, node);
        Some(id)
    }

    /// A node has another profile, radius, priority or other layers, or holds its position or no longer does,
    /// and goes on with what it was doing.
    pub fn change_node(&mut self, id: u32, wanted: Wanted) {
        let Some(grid) = self.resolve_grid() else { return };
        if let Some(node) = self.node_agents.get_mut(&id) {
            (node.layout, node.avoidance, node.is_on_link) = (wanted.layout, wanted.avoidance, false);
        }
        let body = wanted.body(&grid);
        let kind = self.crowd.kind(body.kind);
        self.crowd.set_body(id, kind, body.radius);
        self.crowd.set_priority(id, wanted.priority as f32);
        self.crowd.set_holds_position(id, wanted.hold_position);
        self.put_on_layers(id, wanted.avoidance);
        let number = self.number_of(wanted.profile, &grid);
        if self.guidance.note_profile(id, number) {
            let views: Vec<_> = self.crowd.view(id).into_iter().collect();
            self.on_map(&grid, |guidance, crowd, map| guidance.lead_anew(crowd, map, &views, &body.profile));
        }
    }

    fn put_on_layers(&mut self, id: u32, avoidance: Avoidance) {
        self.crowd.set_avoidance(&[id], Some(avoidance.layers), Some(avoidance.mask));
    }

    /// A node is no agent any more.
    pub fn let_go(&mut self, id: u32) {
        self.node_agents.remove(&id);
        self.crowd.remove(&[id]);
    }

    /// Whether a node that was taken in is still an agent.
    pub fn has_node(&mut self, id: u32) -> bool {
        self.crowd.contains(id)
    }

    /// What a node's agent is doing.
    pub fn state_of_node(&mut self, id: u32) -> Option<AgentState> {
        self.crowd.view(id).map(|view| view.state)
    }

    /// A node is on its way to a cell by a path of its own, or at rest.
    pub fn order_node(&mut self, id: u32, order: Order) {
        match order {
            Order::Send(cell) => {
                // What the crowd was told to do with it ends with the new order of its script.
                self.guidance.end_trips(&[id]);
                self.crowd.assign_course(id, group_of([cell]));
            }
            Order::Rest { has_arrived: true } => self.crowd.finish(id),
            Order::Wait => self.crowd.keep_off(id),
            Order::Rest { has_arrived: false } => {
                self.crowd.stop(&[id]);
            }
        }
    }

    /// Before a step: where the bodies of nodes are by now, and where those want to go that scripts have
    /// asked for a velocity. Returns what they are to tell after the step.
    pub(super) fn hear_nodes(&mut self, grid: &Gd<PathForgeGrid>, seconds: f64) -> Told {
        let mut told = Told::new();
        if seconds <= 0.0 {
            return told;
        }
        // Taken out, as the crowd is changed while its nodes are gone through.
        let mut nodes = std::mem::take(&mut self.node_agents);
        let rounds: u32 = if nodes.len() > MANY_NODES { 2 } else { 1 };
        let number = physics_frame();
        let bound = grid.bind();
        let mut layouts = Layouts::new(grid);
        let signal = StringName::from("velocity_computed");
        nodes.retain(|&agent_id, node| {
            let layout = layouts.of(node.layout);
            let Some(mut agent) = node.agent.get() else {
                self.crowd.remove(&[agent_id]);
                return false;
            };
            // A node that leaves the tree leaves the crowd. So does a node whose space is freed.
            if !agent.is_inside_tree() || layout.is_gone() {
                self.crowd.remove(&[agent_id]);
                agent.bind_mut().be_let_go();
                return false;
            }
            // Where cells are squeezed flat, nothing is known of it.
            let Layout::Of { frame, side, grid } = layout else { return true };
            let position = agent.place();
            let Point { x, y } = agent.bind_mut().point_of_body(&frame, &bound, position);
            // Whether or not the script asks for a velocity: others keep clear of the body in any case.
            self.crowd.set_driven_position(agent_id, x, y, seconds);
            // One lock for both, and let go before the agent is called, which takes it itself.
            let (is_cut_off, asked) = {
                let mut published = node.published.lock();
                (published.is_cut_off, published.velocity.take_asked(seconds))
            };
            let moved = position - std::mem::replace(&mut node.place, position);
            if let Err(Some(given)) = asked
                && !self.told_of_rare_calls
                && walks_on(moved, given * seconds as f32)
            {
                self.told_of_rare_calls = true;
                let rare = format_args!(
                    "the body walks on with a velocity of {HELD_SECONDS} s ago, clear of nothing: call get_next_velocity() in every physics frame"
                );
                warn(&agent.node(), rare);
            }
            if is_cut_off && self.crowd.view(agent_id).is_some_and(|view| !view.is_cut_off) {
                agent.bind_mut().hear(Notice::LedOn);
            }
            // A body whose script asks for nothing is moved by the script, or stands.
            let Ok(speed) = asked else {
                node.asked = None;
                return true;
            };
            // By their ids, so that each step has equally many. A node that begins to ask does not wait for
            // its turn.
            let is_due = number.wrapping_add(agent_id.into()).is_multiple_of(rounds.into());
            if is_due || node.asked.is_none() {
                // Where the grid is not known, the agent looks for it: a space that lays out cells is none.
                let id = grid.unwrap_or(node.layout);
                let site = Site { grid: &bound, id, layout: node.layout, frame, position };
                let (course, messages) =
                    agent.bind_mut().course(site, number, seconds * f64::from(rounds));
                // On a link it is in no other's way.
                let is_on_link = agent.bind_mut().on_link().is_some();
                if is_on_link != std::mem::replace(&mut node.is_on_link, is_on_link) {
                    let none = Avoidance { layers: 0, mask: 0 };
                    self.put_on_layers(agent_id, if is_on_link { none } else { node.avoidance });
                }
                // After the step, when handlers may call the crowd.
                if !messages.is_empty() {
                    told.push((agent.clone(), messages));
                }
                node.asked = course.map(|course| {
                    self.take_course(agent_id, &course);
                    (speed, agent.node().has_connections(&signal))
                });
            }
            if let Some((asked, _)) = &mut node.asked {
                *asked = speed;
                self.crowd.steer(agent_id, (speed / side) as f32);
            }
            true
        });
        self.node_agents = nodes;
        told
    }

    fn take_course(&mut self, id: u32, course: &Course) {
        for &order in &course.orders {
            self.order_node(id, order);
        }
        if let Some((aim, end, left)) = course.way {
            // 0 would mean arrived: see `by_route` in the core's `preferred_velocity`.
            self.crowd.set_course(id, [aim.x, aim.y], [end.x, end.y], left.max(0.001) as f32);
        }
    }

    /// After a step: the velocities of the agents that scripts have asked.
    pub(super) fn pace_nodes(&mut self, grid: &Gd<PathForgeGrid>, seconds: f64) {
        if self.node_agents.is_empty() {
            return;
        }
        let frame = physics_frame();
        let mut layouts = Layouts::new(grid);
        for (&id, node) in &self.node_agents {
            let Some((speed, is_told)) = node.asked else { continue };
            let Layout::Of { frame: cells, .. } = layouts.of(node.layout) else { continue };
            let Some(velocity) = self.crowd.safe_velocity(id) else { continue };
            // By the storey that carries the body.
            let (cells, _) = cells.at(node.place);
            node.published.lock().velocity.fill((frame, seconds), speed, cells.velocity(velocity), is_told);
        }
    }

    /// Tells the nodes among agents that they were sent somewhere, or stopped.
    pub(super) fn tell_nodes(&self, ids: &[u32], goes: bool) {
        let notice = if goes { Notice::Sent } else { Notice::Stopped };
        for mut agent in self.nodes_among(ids) {
            agent.bind_mut().hear(notice);
        }
    }

    /// The nodes among agents that are stuck, with the refused path where there is none to where they were
    /// sent.
    pub(super) fn stuck_nodes(&mut self, ids: &[u32]) -> Vec<(AgentNode, Option<Gd<PathForgePath>>)> {
        let Some(mut grid) = self.resolve_grid().filter(|_| !self.node_agents.is_empty()) else {
            return Vec::new();
        };
        let nodes = ids.iter().filter_map(|&id| Some((id, self.node_agent(id)?)));
        // First all of them: the search below needs the crowd for itself.
        let nodes: Vec<_> = nodes.collect();
        nodes.into_iter().map(|(id, agent)| (agent, self.refused_path(&mut grid, id))).collect()
    }

    /// The nodes among agents, each with the cells on which others stand that it may have to pass.
    pub(super) fn hindered_nodes(&mut self, ids: &[u32]) -> Vec<(AgentNode, Vec<Cell>)> {
        let nodes = ids.iter().map(|&id| Some((self.node_agent(id)?, self.crowd.standing(id))));
        nodes.flatten().collect()
    }

    /// Why an agent that is cut off from where it was sent does not come there.
    fn refused_path(&mut self, grid: &mut Gd<PathForgeGrid>, id: u32) -> Option<Gd<PathForgePath>> {
        let view = self.crowd.view(id).filter(|view| view.is_cut_off)?;
        let cell = self.guidance.goal(view.field?)?;
        let profile = self.guidance.profile_of(id)?;
        let begun = Instant::now();
        let start = placement_at(&view, &profile);
        // With `Nearest`, as fields have it, no query is refused: it ends at the placement that comes
        // nearest.
        let query = PathQuery { goal_mode: GoalMode::Cover, ..PathQuery::new(start, cell, profile) };
        let outcome = grid.bind_mut().answer(&query);
        let usec = begun.elapsed().as_micros() as i64;
        let frame = PathFrame {
            geometry: self.geometry,
            footprint: profile.footprint,
            to_global: grid.get_global_transform(),
            to_position: Vector2::ZERO,
        };
        (outcome.status == Status::Unreachable).then(|| PathForgePath::wrap(outcome, frame, usec))
    }

    /// The node that is an agent, if it is one, and where a point of cell space is for it.
    pub(super) fn body_at(
        &self,
        grid: &Gd<PathForgeGrid>,
        id: u32,
        point: Point,
    ) -> Option<(AgentNode, Vector3)> {
        let layout = self.node_agents.get(&id)?.layout;
        let Layout::Of { frame, .. } = Layouts::new(grid).of(layout) else { return None };
        Some((self.node_agent(id)?, frame.position(point)))
    }

    /// The node that is an agent, while it is there.
    fn node_agent(&self, id: u32) -> Option<AgentNode> {
        self.node_agents.get(&id)?.agent.get()
    }

    /// The nodes among agents that are there.
    pub(super) fn nodes_among(&self, ids: &[u32]) -> Vec<AgentNode> {
        ids.iter().filter_map(|&id| self.node_agent(id)).collect()
    }
}

/// Returns `true` if a body that has moved by `moved` walks as a velocity led it by `led`, which its script
/// has kept.
fn walks_on(moved: Vector3, led: Vector3) -> bool {
    led.length() > 0.0 && moved.distance_to(led) < 0.1 * led.length()
}
