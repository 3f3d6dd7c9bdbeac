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
