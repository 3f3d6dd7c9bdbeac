//! Workers that tests hold the strings of.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use pathforge_core::world::Workers;
use pathforge_tests::rng::Rng;

type Piece = Box<dyn FnOnce() + Send>;

/// Workers that do a piece when they are told to, and any of the waiting pieces.
#[derive(Default)]
pub struct Crew {
    pieces: Mutex<Vec<Piece>>,
    count: usize,
    /// Pieces that were done.
    pub done: AtomicUsize,
}

impl Crew {
    pub fn of(count: usize) -> Arc<Self> {
        Arc::new(Self { count, ..Self::default() })
    }

    pub fn waiting(&self) -> usize {
        self.pieces.lock().expect("no thread panicked").len()
    }

    pub fn run_one(&self, rng: &mut Rng) -> bool {
        let piece = {
            let mut pieces = self.pieces.lock().expect("no thread panicked");
            if pieces.is_empty() {
                return false;
            }
            let place = rng.place(pieces.len());
            pieces.swap_remove(place)
        };
        piece();
        self.done.fetch_add(1, Ordering::Relaxed);
        true
    }
}

impl Workers for Crew {
    fn count(&self) -> usize {
        self.count
    }

    fn spawn(&self, work: Piece) {
        self.pieces.lock().expect("no thread panicked").push(work);
    }
}

/// Workers that are threads.
pub struct Threads(pub rayon::ThreadPool);

impl Workers for Threads {
    fn count(&self) -> usize {
        self.0.current_num_threads()
    }

    fn spawn(&self, work: Piece) {
        self.0.spawn(work);
    }
}
