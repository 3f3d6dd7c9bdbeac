//! The signal `changed` of a resource, emitted when its setter is over and nothing is borrowed any more.
//!
//! A handler may ask a grid that another thread asks with this very resource: while the setter has the
//! resource, that thread waits for it and has the grid. gdext has setters borrow their object, so
//! `entry` registers a call of [`emit`] behind each of them.

use std::cell::Cell;

use godot::classes::Resource;
use godot::prelude::*;

thread_local! {
    /// The resource that the running setter has changed.
    static CHANGED: Cell<Option<InstanceId>> = const { Cell::new(None) };
}

/// Has a resource emit `changed` after the setter that runs.
pub fn emit_changed(resource: InstanceId) {
    CHANGED.set(Some(resource));
}

/// Emits what the setter that is over has asked for.
pub fn emit() {
    let changed = CHANGED.take().and_then(|id| Gd::<Resource>::try_from_instance_id(id).ok());
    if let Some(mut resource) = changed {
        resource.emit_changed();
    }
}
