//! The nodes of a class that are in the scene tree, for classes of which there are few, where a level may
//! have ten thousand children.

use std::marker::PhantomData;
use std::sync::{Mutex, MutexGuard, PoisonError};

use godot::classes::Node;
use godot::obj::Inherits;
use godot::prelude::*;

/// A list of them. While it is locked nothing is asked of the engine, so no method waits for long.
pub struct InTree<T>(Mutex<Vec<InstanceId>>, PhantomData<fn() -> T>);

impl<T: GodotClass + Inherits<Node>> InTree<T> {
    pub const fn new() -> Self {
        Self(Mutex::new(Vec::new()), PhantomData)
    }

    /// One has come into the scene tree.
    pub fn enter(&self, node: InstanceId) {
        self.ids().push(node);
    }

    /// One leaves the scene tree.
    pub fn exit(&self, node: InstanceId) {
        self.ids().retain(|&other| other != node);
    }

    pub fn is_empty(&self) -> bool {
        self.ids().is_empty()
    }

    /// All that are there.
    pub fn all(&self) -> Vec<Gd<T>> {
        let ids = self.ids().clone();
        ids.into_iter().filter_map(|id| Gd::try_from_instance_id(id).ok()).collect()
    }

    fn ids(&self) -> MutexGuard<'_, Vec<InstanceId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The first in the order of their parent, which is the same.
pub fn first_sibling<T: GodotClass + Inherits<Node>>(nodes: impl Iterator<Item = Gd<T>>) -> Option<Gd<T>> {
    // A node's place among internal children may cost a look at all of them, so a node without a rival is not
    // asked for its own.
    let index = |node: &Gd<T>| node.clone().upcast::<Node>().get_index_ex().include_internal(true).done();
    nodes.reduce(|first, other| if index(&other) < index(&first) { other } else { first })
}
