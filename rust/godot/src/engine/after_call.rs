//! What profiles need beside gdext's borrows: one borrow at a time, and the signal `changed`, emitted when a
//! setter is over and nothing is borrowed any more.
//!
//! A handler may ask a grid that another thread asks with this very resource: while the setter has the
//! resource, that thread waits for it and has the grid. gdext has setters borrow their object, so
//! `entry` registers a call of [`emit`] behind each of them.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};

use godot::classes::Resource;
use godot::prelude::*;

thread_local! {
    /// The resource that the running setter has changed.
    static CHANGED: Cell<Option<InstanceId>> = const { Cell::new(None) };
    /// Whether this thread is in [`alone`].
    static IS_ALONE: Cell<bool> = const { Cell::new(false) };
}

static BORROW: Mutex<()> = Mutex::new(());

/// Borrows a profile while no other thread borrows one. gdext panics if a thread wants to write an object
/// that another thread reads, and any thread may read a profile. The work borrows nothing else.
pub fn alone<T>(work: impl FnOnce() -> T) -> T {
    struct Leave;
    impl Drop for Leave {
        fn drop(&mut self) {
            IS_ALONE.set(false);
        }
    }
    // A script's logger may ask while an error is printed.
    if IS_ALONE.get() {
        return work();
    }
    let _borrow = BORROW.lock().unwrap_or_else(PoisonError::into_inner);
    IS_ALONE.set(true);
    let _leave = Leave;
    work()
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
