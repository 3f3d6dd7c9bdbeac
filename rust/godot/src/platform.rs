//! What differs by platform, and by how the library is built for it.

use godot::meta::ToGodot;
use godot::prelude::*;

/// Whether there can be worker threads: builds for the web without threads have none.
pub const HAS_THREADS: bool = cfg!(feature = "threads");
/// More threads than this wait for memory more than they compute. On the web, threads come from a pool that Godot's export sizes.
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

/// Keeps the library in memory until the process ends. Godot unloads extensions when it ends, while idle threads of ours may still be
/// on their way to sleep: their code must not vanish below them. Where there is a linker's option for it, `build.rs` takes that.
pub fn stay_loaded() {
    #[cfg(windows)]
    {
        use std::ffi::c_void;

        #[link(name = "kernel32")]
        unsafe extern "system" {
            fn GetModuleHandleExW(flags: u32, address: *const c_void, module: *mut *mut c_void) -> i32;
        }
        const PIN: u32 = 1;
        const FROM_ADDRESS: u32 = 4;
        let mut module = std::ptr::null_mut();
        let address: fn() = stay_loaded;
        // SAFETY: the address is in this library, and the module's handle is written to a place that is there.
        let pinned =
            unsafe { GetModuleHandleExW(PIN | FROM_ADDRESS, address as *const c_void, &raw mut module) };
        debug_assert_ne!(pinned, 0, "a loaded library has a handle");
    }
}
