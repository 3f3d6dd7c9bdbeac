//! Nodes that agents move. An agent moves one node, and no node is moved by two agents: they would fight
//! for its place.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Display;

use godot::builtin::AnyArray;
use godot::classes::Node;
use godot::prelude::*;
use pathforge_core::instances::walked;

use super::{PathForgeCrowd, firsts_of, ids_of};
use crate::engine::errors::{report, reported};
use crate::engine::weak::{Freeable, Weak};
use crate::map::grid::PathForgeGrid;
use crate::map::seat::Seat;
use crate::map::space::Stance;
use crate::script::node_arg::{self, NodeArg};

/// A node that an agent moves: on the plane, or on the ground of the crowd's space.
pub struct BoundNode {
    pub node: Weak<Seat>,
    pub turns: bool,
}

/// The nodes that agents move, by the agents' ids.
#[derive(Default)]
pub struct BoundNodes {
    nodes: BTreeMap<u32, BoundNode>,
    /// The agent that moves each of these nodes: the last that it was bound to.
    movers: BTreeMap<InstanceId, u32>,
}

impl BoundNodes {
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the agent that moves a node. It may have been removed since the last step.
    pub fn mover(&self, node: &Seat) -> Option<u32> {
        self.movers.get(&node.id()).copied()
    }

    /// Lets an agent move a node, instead of the node that it moved until now.
    pub fn bind(&mut self, id: u32, node: Seat, turns: bool) {
        self.unbind(id);
        self.movers.insert(node.id(), id);
        self.nodes.insert(id, BoundNode { node: Weak::of(node), turns });
    }

    /// Lets go of the node that an agent moves; returns whether there was one.
    pub fn unbind(&mut self, id: u32) -> bool {
        let Some(bound) = self.nodes.remove(&id) else { return false };
        release(&mut self.movers, bound.node.id(), id);
        true
    }

    /// Lets go of the nodes for which `keep` returns `false`.
    pub fn retain(&mut self, mut keep: impl FnMut(u32, &mut BoundNode) -> bool) {
        let Self { nodes, movers } = self;
        nodes.retain(|&id, bound| {
            let is_kept = keep(id, bound);
            if !is_kept {
                release(movers, bound.node.id(), id);
            }
            is_kept
        });
    }
}

/// Forgets that an agent moves a node, unless another one does by now.
fn release(movers: &mut BTreeMap<InstanceId, u32>, node: InstanceId, id: u32) {
    if movers.get(&node) == Some(&id) {
        movers.remove(&node);
    }
}

/// A node that an agent moves, where it is to be, and whither it looks where it turns.
pub enum Move {
    Plane(Weak<Gd<Node2D>>, Vector2, Option<f32>),
    Space(Weak<Gd<Node3D>>, Stance),
}

impl Move {
    /// Moves the node. Nothing is borrowed meanwhile, as its script may hear of it.
    pub fn make(&self) {
        match self {
            // A node outside the tree has no place in global space; it is moved when it comes back.
            Self::Plane(node, place, angle) => {
                let Some(mut node) = node.get().filter(|node| node.is_inside_tree()) else { return };
                node.set_global_position(*place);
                if let (Some(angle), true) = (*angle, node.is_there()) {
                    node.set_global_rotation(angle);
                }
            }
            Self::Space(node, stance) => {
                let Some(mut node) = node.get().filter(|node| node.is_inside_tree()) else { return };
                node.set_global_position(stance.place);
                if let (Some((ahead, up)), true) = (stance.ahead, node.is_there() && node.is_inside_tree()) {
                    node.look_at_ex(stance.place + ahead).up(up).done();
                }
            }
        }
    }
}

#[godot_api(secondary)]
impl PathForgeCrowd {
    /// Makes an agent move a `Node2D`, or a `Node3D` if the crowd has a [member space], and returns
    /// [code]true[/code] if there is such an agent. From the next step on, the node's global position is the
    /// position of the agent, in a space on the ground. It is written in physics frames. With `rotates` the
    /// node turns to where the agent walks; a `Node3D` stays upright, with its −z axis ahead.
    ///
    /// An agent moves one node: a second node replaces the first. The binding ends when the node is freed,
    /// the agent is removed or [method unbind_nodes] is called. Bound nodes are not part of [method
    /// to_bytes].
    ///
    /// A node that another agent moves is an error, and nothing is bound. Binding the crowd's grid, its space
    /// or an ancestor of these is an error, too: the map would move with the agent.
    ///
    /// ```gdscript
    /// var ids := crowd.add_agents(positions, soldier, 80.0)
    /// for index: int in ids.size():
    ///     crowd.bind_node(ids[index], get_child(index))
    /// ```
    #[func]
    fn bind_node(&mut self, id: i64, node: NodeArg<Node>, #[opt(default = false)] rotates: bool) -> bool {
        let node = node.node("node").and_then(|node| self.movable(|| "node".into(), node));
        let Some(node) = reported("PathForgeCrowd.bind_node", node) else { return false };
        let Some(id) = u32::try_from(id).ok().filter(|&id| self.crowd.contains(id)) else { return false };
        if let Some(other) = self.mover(&node).filter(|&other| other != id) {
            report("PathForgeCrowd.bind_node", moved_already("node", &node, other));
            return false;
        }
        self.bound.bind(id, node, rotates);
        true
    }

    /// Makes agents move nodes, as [method bind_node] does: `ids[n]` moves `nodes[n]`. Returns how many of
    /// `ids` are agents. These are errors, and nothing is bound:
    ///
    /// - arrays of different lengths,
    /// - a node that cannot be bound,
    /// - one node for two agents,
    /// - a node that an agent outside `ids` moves.
    ///
    /// ```gdscript
    /// var ids := crowd.add_agents(positions, soldier, 80.0)
    /// crowd.bind_nodes(ids, get_children(), true)
    /// ```
    #[func]
    fn bind_nodes(
        &mut self,
        ids: PackedInt32Array,
        nodes: AnyArray,
        #[opt(default = false)] rotates: bool,
    ) -> i64 {
        const METHOD: &str = "PathForgeCrowd.bind_nodes";
        if ids.len() != nodes.len() {
            report(METHOD, format_args!("there are {} ids and {} nodes", ids.len(), nodes.len()));
            return 0;
        }
        let nodes = node_arg::all::<Node>("nodes", &nodes).and_then(|nodes| {
            let each = nodes.into_iter().enumerate();
            each.map(|(n, node)| self.movable(|| format!("nodes[{n}]"), node)).collect::<Result<Vec<_>, _>>()
        });
        let Some(nodes) = reported(METHOD, nodes) else { return 0 };
        let mut moved_by: BTreeMap<InstanceId, (usize, u32)> = BTreeMap::new();
        for (n, id) in firsts_of(&ids) {
            if let Some((first, other)) = moved_by.insert(nodes[n].id(), (n, id)) {
                let name = nodes[n].node().get_name();
                let both = format_args!(
                    "nodes[{first}] and nodes[{n}] are {name}, which agents {other} and {id} would move"
                );
                report(METHOD, both);
                return 0;
            }
        }
        let agents: Vec<(usize, u32)> = firsts_of(&ids).filter(|&(_, id)| self.crowd.contains(id)).collect();
        // Agents that all get another node may change nodes among them.
        let given: HashSet<u32> = agents.iter().map(|&(_, id)| id).collect();
        for &(n, _) in &agents {
            if let Some(other) = self.mover(&nodes[n]).filter(|other| !given.contains(other)) {
                report(METHOD, moved_already(format_args!("nodes[{n}]"), &nodes[n], other));
                return 0;
            }
        }
        for &(n, id) in &agents {
            self.bound.bind(id, nodes[n].clone(), rotates);
        }
        agents.len() as i64
    }

    /// Ends the binding of agents to nodes, and returns how many nodes were bound. The nodes stay where they
    /// are.
    #[func]
    fn unbind_nodes(&mut self, ids: PackedInt32Array) -> i64 {
        ids_of(&ids).iter().filter(|id| self.bound.unbind(**id)).count() as i64
    }
}

impl PathForgeCrowd {
    /// The agent that moves a node.
    fn mover(&mut self, node: &Seat) -> Option<u32> {
        self.bound.mover(node).filter(|&id| self.crowd.contains(id))
    }

    /// A node that agents can move, unless the map would move with it.
    fn movable(&mut self, name: impl Fn() -> String, node: Gd<Node>) -> Result<Seat, String> {
        let (map, what, movable) = match node.clone().try_cast::<Node2D>() {
            Ok(plane) => (self.resolve_grid().map(Gd::upcast::<Node>), "grid", Seat::Plane(plane)),
            Err(node) => {
                let Ok(in_space) = node.clone().try_cast::<Node3D>() else {
                    return Err(format!("{} is a {}, not a Node2D or a Node3D", name(), node.get_class()));
                };
                let space = self.space().ok_or_else(|| {
                    format!("{} is a {}, and the crowd has no space", name(), node.get_class())
                });
                (Some(space?.upcast()), "space", Seat::Space(in_space))
            }
        };
        let Some(map) = map.filter(|map| node == *map || node.is_ancestor_of(map)) else {
            return Ok(movable);
        };
        let above = if node == map { "" } else { "a node above " };
        let (name, node) = (name(), node.get_name());
        Err(format!("{name} is {node}, {above}the crowd's own {what}, which would move with the agent"))
    }

    /// Where the nodes that agents move are to be by now, and whither they look.
    pub(super) fn moves(&mut self, grid: &Gd<PathForgeGrid>) -> Vec<Move> {
        if self.bound.is_empty() {
            return Vec::new();
        }
        let (to_global, geometry, space) = (grid.get_global_transform(), self.geometry, self.space());
        let frame = to_global * geometry.transform();
        let space = space.as_ref().map(Gd::bind);
        let crowd = &mut self.crowd;
        let mut moves = Vec::new();
        self.bound.retain(|id, bound| {
            let view = crowd.view(id);
            let (Some(node), Some(view)) = (bound.node.get(), view) else { return false };
            let way = walked(&view).filter(|_| bound.turns);
            match (node, &space) {
                (Seat::Plane(node), _) => {
                    let place = to_global * geometry.local_of(view.x, view.y);
                    let angle = way.map(|[x, y]| frame.basis_xform(Vector2::new(x, y)).angle());
                    moves.push(Move::Plane(Weak::of(node), place, angle));
                }
                (Seat::Space(node), Some(space)) => {
                    moves.push(Move::Space(Weak::of(node), space.stance((view.x, view.y), way)));
                }
                _ => {}
            }
            true
        });
        moves
    }
}

/// Why a node is not bound: an agent moves it.
fn moved_already(what: impl Display, node: &Seat, agent: u32) -> String {
    format!(
        "{what} is {}, which agent {agent} moves: let it go first, by unbind_nodes",
        node.node().get_name()
    )
}
