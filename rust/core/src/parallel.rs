//! Work that is shared out among threads, or done by the caller alone where a game wants no threads.
//!
//! With threads it is rayon's current pool: that of the calling thread, or the global one, which starts when it is first used. All work
//! goes through one function that is not generic: each instance of rayon's loops takes some kilobytes of the library.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

/// Whether the caller does everything. Results are the same either way.
static ALONE: AtomicBool = AtomicBool::new(false);

/// Lets callers do all work themselves from now on; no thread is started for it any more. For platforms and games without threads,
/// called before anything else.
pub fn use_no_threads() {
    ALONE.store(true, Ordering::Relaxed);
}

/// Calls `work` with each number below `count`.
#[inline(never)]
fn each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    if count < 2 || ALONE.load(Ordering::Relaxed) {
        (0..count).for_each(work);
    } else {
        (0..count).into_par_iter().for_each(work);
    }
}

/// Calls `work` with each item.
pub fn for_each<T: Send>(items: Vec<T>, work: &(dyn Fn(T) + Sync)) {
    let items: Vec<_> = items.into_iter().map(|item| Mutex::new(Some(item))).collect();
    each(items.len(), &|n| {
        if let Some(item) = items[n].lock().unwrap_or_else(PoisonError::into_inner).take() {
            work(item);
        }
    });
}

/// What `work` makes of each item, in the order of the items.
pub fn map<T: Send, R: Send>(items: Vec<T>, work: &(dyn Fn(T) -> R + Sync)) -> Vec<R> {
    let results: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
    for_each(items.into_iter().zip(&results).collect(), &|(item, result)| {
        *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(work(item));
    });
    let filled = |result: Mutex<Option<R>>| result.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().filter_map(filled).collect()
}
