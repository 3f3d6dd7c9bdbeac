//! What only the main thread may call: the methods of nodes in the scene tree, but for the verbs of grids.
//!
//! Nodes use each other: an agent asks its crowd, which asks its agents. Each call borrows its object, and a
//! borrow waits while another thread has the object. Two threads that begin at different nodes would wait for
//! each other for ever. So such a call is refused before anything is borrowed: it prints an error, and its
//! answer is empty. [`register`](super::register) sends every method through here, and those of profiles as
//! well: they are borrowed alone, and a signal follows their setters.
//!
//! Methods with an answer go through here, too: where they panic, it is made empty as well (`engine::panics`).
//!
//! A grid's verbs are for all threads. They borrow the grid alone, and what lies last in the order of
//! borrows: a profile, or rules.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

use godot::classes::Node;
use godot::obj::{Bounds, Inherits, bounds};
use godot::prelude::*;
use godot::private::{Storage, as_storage};
use godot::sys;

use crate::baker::PathForgeNavigationBaker;
use crate::engine::after_call;
use crate::engine::direct::Declared;
use crate::engine::errors::report;
use crate::engine::panics::{clear, clear_variant, panics};
use crate::engine::state;
use crate::fields::clearance_map::ClearanceMap;
use crate::fields::flow_field::FlowField;
use crate::map::grid::PathForgeGrid;
use crate::map::influence_map::InfluenceMap;
use crate::map::link_nodes::{PathForgeLink2D, PathForgeLink3D};
use crate::map::obstacle::{PathForgeObstacle2D, PathForgeObstacle3D};
use crate::map::space::PathForgeSpace3D;
use crate::movers::agent::{PathForgeAgent2D, PathForgeAgent3D};
use crate::movers::crowd::PathForgeCrowd;
use crate::side_view::platformer::PathForgePlatformer;

/// The properties of a grid, whose setters borrow what they are given, too.
const GRID_PROPERTIES: [&str; 17] = [
    "region",
    "cell_size",
    "offset",
    "cell_shape",
    "diagonal_mode",
    "terrain_names",
    "store_cells",
    "stored_cells",
    "influences",
    "layer_memory_mib",
    "request_budget_usec",
    "source_layers",
    "import_rules",
    "import_on_ready",
    "jumping_enabled",
    "default_compute_heuristic",
    "default_estimate_heuristic",
];

/// Whether the object of this storage is in the scene tree.
type IsInTree = fn(sys::GDExtensionClassInstancePtr) -> bool;

/// A method with what is done before and after it. Lives as long as the process, as methods do.
struct Wrapped {
    declared: Declared,
    /// The type of its answer.
    answer: VariantType,
    guard: Option<Guard>,
    /// Whether it is of a profile, which is borrowed alone and emits `changed` after its setters.
    is_of_profile: bool,
}

/// What a method has that only the main thread may call on an object in the tree.
struct Guard {
    /// With its class.
    method: String,
    is_in_tree: IsInTree,
}

/// The method with its guard, with the signal that follows it, and with an empty answer where it panics. As it
/// is where it needs none of these.
pub fn wrapped(
    class: &str,
    method: &sys::GDExtensionClassMethodInfo,
    name: &str,
    (declared, is_direct): (Declared, bool),
) -> Declared {
    let is_static = method.method_flags & sys::GDEXTENSION_METHOD_FLAG_STATIC as u32 != 0;
    // SAFETY: gdext hands over a method whose answer, if there is one, is described behind this pointer.
    let answer = unsafe { method.return_value_info.as_ref() }
        .map_or(VariantType::NIL, |info| VariantType::from_sys(info.type_));
    let guard = guard_of(class, name).filter(|_| !is_static);
    let guard = guard.map(|is_in_tree| Guard { method: format!("{class}.{name}"), is_in_tree });
    let is_of_profile = matches!(class, "PathForgeProfile" | "PathForgeJumpProfile");
    let may_stay = is_direct || answer == VariantType::NIL;
    if guard.is_none() && !is_of_profile && may_stay {
        return declared;
    }
    let wrapped = Box::leak(Box::new(Wrapped { declared, answer, guard, is_of_profile }));
    Declared { userdata: std::ptr::from_mut(wrapped).cast(), call: Some(call), ptrcall: Some(ptrcall) }
}

/// How to look at an object of a class whose method only the main thread may call; `None` where all threads
/// may.
fn guard_of(class: &str, method: &str) -> Option<IsInTree> {
    Some(match class {
        "ClearanceMap" => is_in_tree::<ClearanceMap>,
        "FlowField" => is_in_tree::<FlowField>,
        "InfluenceMap" => is_in_tree::<InfluenceMap>,
        "PathForgeAgent2D" => is_in_tree::<PathForgeAgent2D>,
        "PathForgeAgent3D" => is_in_tree::<PathForgeAgent3D>,
        "PathForgeCrowd" => is_in_tree::<PathForgeCrowd>,
        "PathForgeGrid" if is_of_main_thread(method) => is_in_tree::<PathForgeGrid>,
        "PathForgeLink2D" => is_in_tree::<PathForgeLink2D>,
        "PathForgeLink3D" => is_in_tree::<PathForgeLink3D>,
        "PathForgeNavigationBaker" => is_in_tree::<PathForgeNavigationBaker>,
        "PathForgeObstacle2D" => is_in_tree::<PathForgeObstacle2D>,
        "PathForgeObstacle3D" => is_in_tree::<PathForgeObstacle3D>,
        "PathForgePlatformer" => is_in_tree::<PathForgePlatformer>,
        "PathForgeSpace3D" => is_in_tree::<PathForgeSpace3D>,
        _ => return None,
    })
}

/// Whether a method of a grid is a property's or reads other nodes.
fn is_of_main_thread(method: &str) -> bool {
    let method = method.trim_start_matches('_');
    let property = ["get_", "set_", "is_"].iter().find_map(|prefix| method.strip_prefix(prefix));
    let is_property = |name: &str| name.starts_with("debug_") || GRID_PROPERTIES.contains(&name);
    method.starts_with("import_") || property.is_some_and(is_property)
}

fn is_in_tree<C>(instance: sys::GDExtensionClassInstancePtr) -> bool
where
    C: GodotClass + Inherits<Node> + Inherits<<C as GodotClass>::Base> + Bounds<Declarer = bounds::DeclUser>,
{
    // SAFETY: Godot calls methods of a class with the storage that gdext made for an object of that class.
    unsafe { as_storage::<C>(instance) }.get_gd().upcast::<Node>().is_inside_tree()
}

impl Guard {
    /// Whether this thread may call; prints why not.
    fn lets_pass(&self, instance: sys::GDExtensionClassInstancePtr) -> bool {
        if state::is_main_thread() {
            return true;
        }
        // A panic must not unwind into Godot.
        let is_elsewhere = catch_unwind(AssertUnwindSafe(|| !(self.is_in_tree)(instance))).unwrap_or(false);
        if !is_elsewhere {
            report(
                &self.method,
                "only the main thread may call it while the node is in the scene tree; use call_deferred(), or ask the grid",
            );
        }
        is_elsewhere
    }
}

impl Wrapped {
    /// Calls the method by `work`; `false` where this thread may not, or the method panics.
    fn run(&self, instance: sys::GDExtensionClassInstancePtr, work: impl FnOnce(&Declared)) -> bool {
        if self.guard.as_ref().is_some_and(|guard| !guard.lets_pass(instance)) {
            return false;
        }
        !panics(|| {
            if self.is_of_profile {
                after_call::alone(|| work(&self.declared));
                after_call::emit();
            } else {
                work(&self.declared);
            }
        })
    }
}

unsafe extern "C" fn ptrcall(
    userdata: *mut c_void,
    instance: sys::GDExtensionClassInstancePtr,
    args: *const sys::GDExtensionConstTypePtr,
    ret: sys::GDExtensionTypePtr,
) {
    // SAFETY: `wrapped` registers this function with this userdata.
    let wrapped = unsafe { &*userdata.cast::<Wrapped>() };
    let is_answered = wrapped.run(instance, |&Declared { userdata, ptrcall, .. }| {
        if let Some(ptrcall) = ptrcall {
            // SAFETY: what Godot hands to this function is what it would hand to that one.
            unsafe { ptrcall(userdata, instance, args, ret) }
        }
    });
    if !is_answered {
        // SAFETY: Godot hands over a value of the type that the method declares.
        unsafe { clear(wrapped.answer, ret) }
    }
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
    let wrapped = unsafe { &*userdata.cast::<Wrapped>() };
    let is_answered = wrapped.run(instance, |&Declared { userdata, call, .. }| {
        if let Some(call) = call {
            // SAFETY: as in `ptrcall`.
            unsafe { call(userdata, instance, args, count, ret, error) }
        }
    });
    if !is_answered {
        // SAFETY: Godot hands over a variant and an error that it has initialised.
        unsafe { clear_variant(wrapped.answer, ret, error) }
    }
}
