//! Work that is shared out among threads, or done by the caller alone where a game wants no threads.
//!
//! With threads it is rayon's current pool: that of the calling thread, or the global one, which starts when
//! it is first used.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

/// Whether the caller does everything. Results are the same either way.
static ALONE: AtomicBool = AtomicBool::new(false);

/// Lets callers do all work themselves from now on; no thread is started for it any more. For platforms and
/// games without threads, called before anything else.
pub fn use_no_threads() {
    ALONE.store(true, Ordering::Relaxed);
}

/// Calls `work` with each item.
pub fn for_each<T: Send>(items: Vec<T>, work: impl Fn(T) + Sync + Send) {
    if is_alone(&items) {
        items.into_iter().for_each(work);
    } else {
        items.into_par_iter().for_each(work);
    }
}

/// What `work` makes of each item, in the order of the items.
pub fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync + Send) -> Vec<R> {
    if is_alone(&items) {
        items.into_iter().map(work).collect()
    } else {
        items.into_par_iter().map(work).collect()
    }
}

fn is_alone<T>(items: &[T]) -> bool {
    items.len() < 2 || ALONE.load(Ordering::Relaxed)
}
