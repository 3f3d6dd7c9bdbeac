//! The library's entry point, and what is registered with Godot instead of what gdext declares. These are direct
//! answers, signals after a setter, guards of threads, and empty answers of calls that panic.
//!
//! Nothing is registered twice: [`get_proc_address`] stands between Godot and gdext while the library is
//! loaded. It replaces the two function pointers of a method that [`replacement`] or [`wrapped`] replaces.

pub mod thread_guard;

use std::ffi::{CStr, c_char};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use godot::prelude::*;
use godot::sys::{self, GodotFfi};

use crate::engine::direct::{Declared, Functions};
use crate::engine::panics;
use crate::engine::platform;
use crate::fields::flow_field::FlowField;
use crate::map::grid::PathForgeGrid;
use crate::map::influence_map::InfluenceMap;
use crate::movers::agent::{PathForgeAgent2D, PathForgeAgent3D};
use thread_guard::wrapped;

/// The methods that have a direct answer, of all classes.
const DIRECT: usize = 23;
/// How many of them were registered.
static DIRECT_REGISTERED: AtomicUsize = AtomicUsize::new(0);

/// Panics in debug builds if methods were registered past [`register`], or a direct answer has no method:
/// every run of a test in Godot reports it. Call once all classes are registered.
pub fn check_direct_answers() {
    debug_assert_eq!(DIRECT_REGISTERED.load(Ordering::Relaxed), DIRECT, "methods with direct answers");
}

/// Returns the direct answer of a method, if it has one.
fn replacement(class: &str, method: &str, declared: Declared) -> Option<Functions> {
    match class {
        "PathForgeGrid" => PathForgeGrid::direct(method, declared),
        "FlowField" => FlowField::direct(method, declared),
        "InfluenceMap" => InfluenceMap::direct(method, declared),
        "PathForgeAgent2D" => PathForgeAgent2D::direct(method, declared),
        "PathForgeAgent3D" => PathForgeAgent3D::direct(method, declared),
        _ => None,
    }
}

type GetProcAddress = unsafe extern "C" fn(*const c_char) -> sys::GDExtensionInterfaceFunctionPtr;
type Register = sys::GDExtensionInterfaceClassdbRegisterExtensionClassMethod;

/// Godot's own function that finds functions.
static GET_PROC_ADDRESS: OnceLock<GetProcAddress> = OnceLock::new();
/// Godot's own function that registers methods.
static REGISTER: OnceLock<Register> = OnceLock::new();

/// The entry point that `pathforge.gdextension` names: gdext's own, which is given [`get_proc_address`]
/// instead of Godot's function, so that methods are registered by [`register`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pathforge_init(
    engine: sys::GDExtensionInterfaceGetProcAddress,
    library: sys::GDExtensionClassLibraryPtr,
    init: *mut sys::GDExtensionInitialization,
) -> sys::GDExtensionBool {
    platform::stay_loaded();
    let between: Option<GetProcAddress> = engine.map(|engine| {
        GET_PROC_ADDRESS.get_or_init(|| engine);
        get_proc_address as GetProcAddress
    });
    // SAFETY: what Godot hands to this function is what it would hand to that one; `between` finds Godot's
    // functions.
    let is_loaded = unsafe { crate::gdext_rust_init(between, library, init) };
    // After gdext, which sets a hook of its own.
    panics::watch();
    is_loaded
}

unsafe extern "C" fn get_proc_address(name: *const c_char) -> sys::GDExtensionInterfaceFunctionPtr {
    let engine = GET_PROC_ADDRESS.get()?;
    // SAFETY: Godot's own function, called as gdext calls it, with a string that ends in a zero.
    let (found, name) = unsafe { (engine(name)?, CStr::from_ptr(name)) };
    if name != c"classdb_register_extension_class_method" {
        return Some(found);
    }
    // SAFETY: functions are found as pointers to some function; this is the type of the one of this name.
    REGISTER.get_or_init(|| unsafe { std::mem::transmute::<unsafe extern "C" fn(), Register>(found) });
    // SAFETY: the inverse of the conversion above.
    Some(unsafe { std::mem::transmute::<Register, unsafe extern "C" fn()>(register) })
}

unsafe extern "C" fn register(
    library: sys::GDExtensionClassLibraryPtr,
    class: sys::GDExtensionConstStringNamePtr,
    method: *const sys::GDExtensionClassMethodInfo,
) {
    let Some(engine) = REGISTER.get() else { return };
    // SAFETY: gdext calls this as it would call Godot's own function: with two names and a method that live
    // so long.
    unsafe {
        let mut method = *method;
        let text =
            |name: sys::GDExtensionConstStringNamePtr| StringName::new_from_sys(name.cast()).to_string();
        let (class_name, name) = (text(class), text(method.name));
        let declared = Declared {
            userdata: method.method_userdata,
            call: method.call_func,
            ptrcall: method.ptrcall_func,
        };
        let direct =
            replacement(&class_name, &name, declared).map_or((declared, false), |Functions(direct)| {
                DIRECT_REGISTERED.fetch_add(1, Ordering::Relaxed);
                (direct, true)
            });
        let Declared { userdata, call, ptrcall } = wrapped(&class_name, &method, &name, direct);
        method.method_userdata = userdata;
        (method.call_func, method.ptrcall_func) = (call, ptrcall);
        engine(library, class, &raw const method);
    }
}
