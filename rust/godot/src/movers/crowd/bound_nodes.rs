//! Which node each agent moves. An agent moves one node, and no node is moved by two agents: they would fight
//! for its place.

use std::collections::BTreeMap;

use godot::prelude::*;

use crate::engine::weak::{Freeable, Weak};

/// A node that an agent moves.
pub struct BoundNode {
    pub node: Weak<Movable>,
    pub turns: bool,
}

/// It is on the plane, or on the ground of the crowd's space.
#[derive(Clone)]
pub enum Movable {
    Plane(Gd<Node2D>),
    Space(Gd<Node3D>),
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
    pub fn mover(&self, node: &Movable) -> Option<u32> {
        self.movers.get(&node.id()).copied()
    }

    /// Lets an agent move a node, instead of the node that it moved until now.
    pub fn bind(&mut self, id: u32, node: Movable, turns: bool) {
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

impl Movable {
    pub fn name(&self) -> StringName {
        match self {
            Self::Plane(node) => node.get_name(),
            Self::Space(node) => node.get_name(),
        }
    }
}

impl Freeable for Movable {
    fn is_there(&self) -> bool {
        match self {
            Self::Plane(node) => node.is_there(),
            Self::Space(node) => node.is_there(),
        }
    }

    fn id(&self) -> InstanceId {
        match self {
            Self::Plane(node) => node.id(),
            Self::Space(node) => node.id(),
        }
    }
}
