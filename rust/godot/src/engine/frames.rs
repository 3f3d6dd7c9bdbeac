//! What the engine does to a node, in ways that a script on the node cannot take away.
//!
//! Godot calls a script's `_process`, `_ready` or `_draw` *instead of* the class's own, so the classes here
//! have none of them. They enter and leave the tree and draw by notifications, which reach the class as well
//! as its script, and work in frames by the signals of the scene tree.

use godot::classes::Node;
use godot::obj::{Bounds, Inherits, WithBaseField, bounds};
use godot::prelude::*;

use crate::engine::platform;

/// Which frames a node works in.
#[derive(Clone, Copy)]
pub enum Frame {
    Process,
    Physics,
}

impl Frame {
    const fn signal(self) -> &'static str {
        match self {
            Self::Process => "process_frame",
            Self::Physics => "physics_frame",
        }
    }

    fn delta(self, node: &Gd<Node>) -> f64 {
        match self {
            Self::Process => node.get_process_delta_time(),
            Self::Physics => node.get_physics_process_delta_time(),
        }
    }
}

/// A node's connections to the frames of its scene tree.
#[derive(Default)]
pub struct Frames(Vec<(Frame, Callable)>);

impl Frames {
    /// As `node` enters the tree: calls `work` with the seconds since the last frame, in each from now on in
    /// which the node can process. Nothing is borrowed meanwhile, so handlers of what `work` emits may use
    /// the node, move it and free it.
    pub fn enter<T>(&mut self, node: &Gd<T>, frame: Frame, work: fn(Gd<T>, f64))
    where
        T: GodotClass + Inherits<Node> + Bounds<Declarer = bounds::DeclUser>,
    {
        self.enter_unless(node, frame, || false, work);
    }

    /// The same without those frames that `is_done` knows to have nothing left to do.
    pub fn enter_unless<T>(
        &mut self,
        node: &Gd<T>,
        frame: Frame,
        is_done: impl Fn() -> bool + Send + Sync + 'static,
        work: fn(Gd<T>, f64),
    ) where
        T: GodotClass + Inherits<Node> + Bounds<Declarer = bounds::DeclUser>,
    {
        let id = node.instance_id();
        let on_frame = platform::callable("PathForge frame", move |_: &[&Variant]| {
            if is_done() {
                return;
            }
            // It may have been freed or taken out of the tree by what came before it in this frame.
            let Ok(node) = Gd::<T>::try_from_instance_id(id) else { return };
            let as_node = node.clone().upcast::<Node>();
            if as_node.is_inside_tree() && as_node.can_process() {
                work(node, frame.delta(&as_node));
            }
        });
        node.clone().upcast::<Node>().get_tree().connect(frame.signal(), &on_frame);
        self.0.push((frame, on_frame));
    }

    /// As `node` leaves the tree.
    pub fn exit(&mut self, node: &Gd<Node>) {
        let mut tree = node.get_tree();
        for (frame, on_frame) in self.0.drain(..) {
            tree.disconnect(frame.signal(), &on_frame);
        }
    }
}

/// Gives the borrow of `node` back while `work` runs, for what emits signals in a notification.
pub fn unborrowed<T>(node: &mut T, work: impl FnOnce(Gd<T>))
where
    T: WithBaseField,
{
    let this = node.to_gd();
    let _given_back = node.base_mut();
    work(this);
}
