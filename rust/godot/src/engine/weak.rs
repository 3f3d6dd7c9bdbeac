//! References to nodes, which scripts may free at any time.
//!
//! A `Gd` of a node that was freed panics when it is used. So no object of the library keeps one. It keeps
//! the node's id, or a [`Weak`] where the node is asked often. Both give the node only while it is there.

use godot::classes::Node;
use godot::obj::Inherits;
use godot::prelude::*;

/// What scripts may free.
pub trait Freeable: Clone {
    /// Returns `false` once it was freed.
    fn is_there(&self) -> bool;

    /// Its id, also after it was freed.
    fn id(&self) -> InstanceId;
}

impl<T: GodotClass + Inherits<Node>> Freeable for Gd<T> {
    fn is_there(&self) -> bool {
        self.is_instance_valid()
    }

    fn id(&self) -> InstanceId {
        self.instance_id_unchecked()
    }
}

/// A reference that does not keep a node alive.
pub struct Weak<N>(N);

impl<N: Freeable> Weak<N> {
    pub fn of(node: N) -> Self {
        Self(node)
    }

    /// The node, while it is there.
    pub fn get(&self) -> Option<N> {
        self.0.is_there().then(|| self.0.clone())
    }

    /// The node's id, also after it was freed.
    pub fn id(&self) -> InstanceId {
        self.0.id()
    }
}
