//! The threads that requests are worked on, shared by all grids.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use godot::classes::ProjectSettings;
use godot::prelude::*;
use pathforge_core::parallel;
use pathforge_core::world::Workers;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::engine::clock;
use crate::engine::platform::{HAS_THREADS, THREADS_MAX};

/// The project setting that says how many worker threads there are, and the environment variable that goes
/// before it.
const SETTING: &str = "pathforge/threads";
const VARIABLE: &str = "PATHFORGE_THREADS";
/// How many were asked for; unset, all that make sense.
static WANTED: OnceLock<Option<usize>> = OnceLock::new();
/// How long the library waits for work under way before it is unloaded.
const FAREWELL: Duration = Duration::from_secs(10);

type Work = Box<dyn FnOnce() + Send>;

/// Work that was handed over and is not done.
static UNDER_WAY: AtomicUsize = AtomicUsize::new(0);
/// Work that waits for the main thread, where there are no others.
static WAITING: Mutex<VecDeque<Work>> = Mutex::new(VecDeque::new());

/// The engine's own threads: all cores except the game's, at least one. Builds without threads do the work in
/// the game's frames, piece by piece.
#[derive(Debug, Default)]
pub struct Crew;

impl Crew {
    /// The crew, as requests take it.
    pub fn shared() -> Arc<dyn Workers> {
        Arc::new(Self)
    }
}

/// Reads how many threads are wanted, before any starts.
pub fn start() {
    let setting = || ProjectSettings::singleton().get_setting_ex(SETTING).done().try_to::<i64>().ok();
    let wanted = match std::env::var(VARIABLE) {
        Ok(text) => text.parse().ok(),
        Err(_) => setting(),
    };
    let wanted = if HAS_THREADS { wanted.and_then(|count| usize::try_from(count).ok()) } else { Some(0) };
    if *WANTED.get_or_init(|| wanted) == Some(0) {
        parallel::use_no_threads();
    }
}

/// Returns `true` if there are threads besides the main one.
pub fn has_threads() -> bool {
    pool().is_some()
}

impl Workers for Crew {
    fn count(&self) -> usize {
        pool().map_or(1, ThreadPool::current_num_threads)
    }

    fn spawn(&self, work: Work) {
        match pool() {
            Some(pool) => {
                UNDER_WAY.fetch_add(1, Ordering::AcqRel);
                pool.spawn_fifo(move || {
                    // The panic's message is printed; what follows must go on.
                    let _ = catch_unwind(AssertUnwindSafe(work));
                    UNDER_WAY.fetch_sub(1, Ordering::AcqRel);
                });
            }
            None => {
                if let Ok(mut waiting) = WAITING.lock() {
                    waiting.push_back(work);
                }
            }
        }
    }

    fn clock_usec(&self) -> u64 {
        clock::usec()
    }
}

/// Does work that waits for the main thread until `end`, at least one piece. Nothing where there are threads.
pub fn do_waiting_work(end: Instant) {
    loop {
        let Some(work) = WAITING.lock().ok().and_then(|mut waiting| waiting.pop_front()) else { return };
        work();
        if Instant::now() >= end {
            return;
        }
    }
}

/// Waits for the end of work under way: the library's code must not vanish below it.
pub fn finish() {
    let begun = Instant::now();
    while UNDER_WAY.load(Ordering::Acquire) > 0 && begun.elapsed() < FAREWELL {
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn pool() -> Option<&'static ThreadPool> {
    static POOL: OnceLock<Option<ThreadPool>> = OnceLock::new();
    POOL.get_or_init(|| {
        let threads = match WANTED.get().copied().flatten() {
            Some(0) => return None,
            Some(threads) => threads,
            None => {
                let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
                cores.saturating_sub(1).max(1)
            }
        };
        let threads = threads.min(THREADS_MAX);
        let name = |number| format!("pathforge {number}");
        let built = ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build().ok();
        if built.is_none() {
            parallel::use_no_threads();
        }
        built
    })
    .as_ref()
}
