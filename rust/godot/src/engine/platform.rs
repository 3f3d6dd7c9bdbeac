//! What differs by platform, and by how the library is built for it.

use godot::meta::ToGodot;
use godot::prelude::*;

/// Whether there can be worker threads: builds for the web without threads have none.
pub const HAS_THREADS: bool = cfg!(feature = "threads");
/// More threads than this wait for memory more than they compute. On the web, threads come from a pool that
/// Godot's export sizes.
pub const THREADS_MAX: usize = if cfg!(target_family = "wasm") { 4 } else { 16 };

/// A callable that calls `work`, on any thread where there are several.
pub fn callable<R: ToGodot + 'static>(
    name: &'static str,
    work: impl FnMut(&[&Variant]) -> R + Send + Sync + 'static,
) -> Callable {
    #[cfg(feature = "threads")]
    return Callable::from_sync_fn(name, work);
    #[cfg(not(feature = "threads"))]
    Callable::from_fn(name, work)
}

/// Keeps the library in memory until the process ends. Godot unloads extensions when it ends, while idle
/// threads of ours may still be on their way to sleep: their code must not vanish below them.
pub fn stay_loaded() {
    let here: fn() = stay_loaded;
    let kept = system::keep(here as *const std::ffi::c_void);
    debug_assert!(kept, "the library that this code runs in is loaded");
}

/// The system counts how often a library was loaded. One time more than Godot unloads it keeps it.
#[cfg(all(unix, not(target_family = "wasm")))]
mod system {
    use std::ffi::{c_char, c_int, c_void};
    use std::ptr;

    /// `Dl_info`: the file and the symbol that an address belongs to.
    #[repr(C)]
    struct Place {
        file: *const c_char,
        base: *mut c_void,
        symbol: *const c_char,
        address: *mut c_void,
    }

    // glibc before 2.34 has these functions in a library of their own.
    #[cfg_attr(all(target_os = "linux", target_env = "gnu"), link(name = "dl"))]
    unsafe extern "C" {
        fn dladdr(address: *const c_void, place: *mut Place) -> c_int;
        fn dlopen(file: *const c_char, flags: c_int) -> *mut c_void;
    }

    const LAZY: c_int = 1;
    /// Only what is loaded already: a file that was replaced meanwhile is not what this code runs in.
    const NO_LOAD: c_int = if cfg!(target_vendor = "apple") { 0x10 } else { 4 };

    /// Keeps the library that has `address` in it. Returns `false` if there is none.
    pub fn keep(address: *const c_void) -> bool {
        let mut place =
            Place { file: ptr::null(), base: ptr::null_mut(), symbol: ptr::null(), address: ptr::null_mut() };
        // SAFETY: the place is there to be written to, and its file's name lives as long as the library.
        unsafe { dladdr(address, &raw mut place) != 0 && !dlopen(place.file, LAZY | NO_LOAD).is_null() }
    }
}

#[cfg(windows)]
mod system {
    use std::ffi::c_void;
    use std::ptr;

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn GetModuleHandleExW(flags: u32, address: *const c_void, module: *mut *mut c_void) -> i32;
    }

    const PIN: u32 = 1;
    const FROM_ADDRESS: u32 = 4;

    /// Keeps the library that has `address` in it. Returns `false` if there is none.
    pub fn keep(address: *const c_void) -> bool {
        let mut module = ptr::null_mut();
        // SAFETY: the address is only looked up, and the module's handle is written to a place that is there.
        unsafe { GetModuleHandleExW(PIN | FROM_ADDRESS, address, &raw mut module) != 0 }
    }
}

/// In the browser, nothing is unloaded before the page is.
#[cfg(target_family = "wasm")]
mod system {
    pub fn keep(_: *const std::ffi::c_void) -> bool {
        true
    }
}
