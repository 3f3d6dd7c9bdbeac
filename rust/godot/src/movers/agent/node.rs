//! The node that an agent is, of 2D or of 3D: where it is, what moves with it, and how it speaks.

use std::collections::BTreeSet;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use godot::classes::{Node, Node2D, Node3D};
use godot::obj::{GdMut, Inherits};
use godot::prelude::*;

use super::signals::Published;
use super::{Agent, PathForgeAgent2D, PathForgeAgent3D};
use crate::engine::state::{self, State};
use crate::engine::weak::Freeable;
use crate::map::grid::{flat, upright};
use crate::map::seat::Seat;
use crate::map::space;

/// The agents in the scene tree, by the numbers of their ids: there may be thousands, which come and go in
/// one frame.
static IN_TREE: Mutex<BTreeSet<i64>> = Mutex::new(BTreeSet::new());

/// The node as scripts know it, which is borrowed to come to its agent.
#[derive(Clone)]
pub enum AgentNode {
    Plane(Gd<PathForgeAgent2D>),
    Space(Gd<PathForgeAgent3D>),
}

/// The agent of a node, which is borrowed meanwhile.
pub enum AgentGuard<'a> {
    Plane(GdMut<'a, PathForgeAgent2D>),
    Space(GdMut<'a, PathForgeAgent3D>),
}

impl AgentNode {
    /// The node that sits there.
    pub fn of(seat: &Seat) -> Self {
        match seat {
            Seat::Plane(node) => Self::Plane(node.clone().cast()),
            Seat::Space(node) => Self::Space(node.clone().cast()),
        }
    }

    /// The node that sits there has come into the scene tree, or leaves it.
    pub fn note_in_tree(seat: &Seat, is_inside: bool) {
        let id = seat.node().instance_id().to_i64();
        let mut in_tree = in_tree();
        if is_inside {
            in_tree.insert(id)
        } else {
            in_tree.remove(&id)
        };
    }

    /// All agents in the scene tree.
    pub fn all_in_tree() -> Vec<Self> {
        let ids = in_tree().clone();
        let node = |id: i64| {
            let id = InstanceId::try_from_i64(id)?;
            let plane = Gd::try_from_instance_id(id).map(Self::Plane);
            plane.or_else(|_| Gd::try_from_instance_id(id).map(Self::Space)).ok()
        };
        ids.into_iter().filter_map(node).collect()
    }

    /// Borrows the node.
    pub fn bind_mut(&mut self) -> AgentGuard<'_> {
        match self {
            Self::Plane(node) => AgentGuard::Plane(node.bind_mut()),
            Self::Space(node) => AgentGuard::Space(node.bind_mut()),
        }
    }

    pub fn is_instance_valid(&self) -> bool {
        self.is_there()
    }

    pub fn is_inside_tree(&self) -> bool {
        match self {
            Self::Plane(node) => node.is_inside_tree(),
            Self::Space(node) => node.is_inside_tree(),
        }
    }

    pub fn node(&self) -> Gd<Node> {
        match self {
            Self::Plane(node) => node.clone().upcast(),
            Self::Space(node) => node.clone().upcast(),
        }
    }

    /// Where the node is, in global space.
    pub fn place(&self) -> Vector3 {
        match self {
            Self::Plane(node) => upright(node.get_global_position()),
            Self::Space(node) if node.is_inside_tree() => node.get_global_position(),
            // Where the engine does not say.
            Self::Space(node) => space::global_transform(&node.clone().upcast()).origin,
        }
    }

    /// What is published of it.
    pub fn state(&self) -> Arc<State<Published>> {
        match self {
            Self::Plane(node) => state::of(node),
            Self::Space(node) => state::of(node),
        }
    }

    /// Emits the signal that tells a velocity.
    pub fn tell_velocity(&self, velocity: Vector3) {
        let velocity = match self {
            Self::Plane(_) => flat(velocity).to_variant(),
            Self::Space(_) => velocity.to_variant(),
        };
        self.node().emit_signal("velocity_computed", &[velocity]);
    }

    /// Moves the body, which is the parent, and the node with it. Without such a parent, the node is the
    /// body.
    pub fn move_by(&self, way: Vector3) {
        match self {
            Self::Plane(node) => {
                let mut body = body_of::<Node2D>(&node.clone().upcast());
                let from = body.get_global_position();
                body.set_global_position(from + flat(way));
            }
            Self::Space(node) => {
                let mut body = body_of::<Node3D>(&node.clone().upcast());
                let from = body.get_global_position();
                body.set_global_position(from + way);
            }
        }
    }
}

fn in_tree() -> MutexGuard<'static, BTreeSet<i64>> {
    IN_TREE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The parent, if it is of the class, or else the node itself.
fn body_of<T: GodotClass + Inherits<Node>>(node: &Gd<T>) -> Gd<T> {
    let parent = node.clone().upcast::<Node>().get_parent();
    parent.and_then(|parent| parent.try_cast::<T>().ok()).unwrap_or_else(|| node.clone())
}

impl Freeable for AgentNode {
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

impl Deref for AgentGuard<'_> {
    type Target = Agent;

    fn deref(&self) -> &Agent {
        match self {
            Self::Plane(node) => &node.agent,
            Self::Space(node) => &node.agent,
        }
    }
}

impl DerefMut for AgentGuard<'_> {
    fn deref_mut(&mut self) -> &mut Agent {
        match self {
            Self::Plane(node) => &mut node.agent,
            Self::Space(node) => &mut node.agent,
        }
    }
}
