//! The signal `changed` of a resource, emitted when its setter is over and nothing is borrowed any more.
//!
//! A handler may ask a grid that another thread asks with this very resource: while the setter has the
//! resource, that thread waits for it and has the grid. gdext has setters borrow their object, so
//! [`direct`](crate::engine::direct) registers them through here.

use std::cell::Cell;
use std::ffi::c_void;

use godot::classes::Resource;
use godot::prelude::*;
use godot::sys;

use crate::engine::direct::Declared;

thread_local! {
    /// The resource that the running setter has changed.
    static CHANGED: Cell<Option<InstanceId>> = const { Cell::new(None) };
}

/// Has a resource emit `changed` after the setter that runs.
pub fn emit_changed(resource: InstanceId) {
    CHANGED.set(Some(resource));
}

/// The method, with what follows it.
pub fn announced(class: &str, name: &str, declared: Declared) -> Declared {
    let is_setter = matches!(class, "PathForgeProfile" | "PathForgeJumpProfile") && name.starts_with("set_");
    if !is_setter {
        return declared;
    }
    // Lives as long as the process, as methods do.
    let userdata = std::ptr::from_mut(Box::leak(Box::new(declared))).cast();
    Declared { userdata, call: Some(call), ptrcall: Some(ptrcall) }
}

fn emit() {
    let changed = CHANGED.take().and_then(|id| Gd::<Resource>::try_from_instance_id(id).ok());
    if let Some(mut resource) = changed {
        resource.emit_changed();
    }
}

unsafe extern "C" fn ptrcall(
    userdata: *mut c_void,
    instance: sys::GDExtensionClassInstancePtr,
    args: *const sys::GDExtensionConstTypePtr,
    ret: sys::GDExtensionTypePtr,
) {
    // SAFETY: `announced` registers this function with this userdata.
    let declared = unsafe { &*userdata.cast::<Declared>() };
    if let Some(ptrcall) = declared.ptrcall {
        // SAFETY: what Godot hands to this function is what it would hand to that one.
        unsafe { ptrcall(declared.userdata, instance, args, ret) }
    }
    emit();
}

unsafe extern "C" fn call(
    userdata: *mut c_void,
    instance: sys::GDExtensionClassInstancePtr,
    args: *const sys::GDExtensionConstVariantPtr,
    count: sys::GDExtensionInt,
    ret: sys::GDExtensionVariantPtr,
    error: *mut sys::GDExtensionCallError,
) {
    // SAFETY: as in `ptrcall`.
    let declared = unsafe { &*userdata.cast::<Declared>() };
    if let Some(call) = declared.call {
        // SAFETY: as in `ptrcall`.
        unsafe { call(declared.userdata, instance, args, count, ret, error) }
    }
    emit();
}
