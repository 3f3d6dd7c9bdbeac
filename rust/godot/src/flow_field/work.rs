//! A build under way: in the frames, or on another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

use pathforge_core::field::{
    CoarseBuilder, CoarseField, CoarseGround, FieldBuilder, FlowField as ExactField,
};
use pathforge_core::geometry::Cell;
use pathforge_core::world::FieldSource;

use super::FieldInUse;
use super::order::Order;
use crate::workers::{Crew, has_threads};

/// Work units between two looks at the clock: some ten microseconds.
const UNITS_PER_LOOK: u64 = 4000;

/// What builds, with its memory.
#[derive(Default)]
pub struct Builders {
    pub exact: FieldBuilder,
    coarse: CoarseBuilder,
}

/// A build under way.
pub struct Work {
    pub order: Order,
    pub source: FieldSource,
    goals: Vec<Cell>,
    /// Of coarse fields.
    blocks: Option<CoarseGround>,
    /// Microseconds so far.
    pub usec: u64,
    errand: Option<Errand>,
}

/// A build on another thread. It ends once no field waits for it.
struct Errand {
    results: Receiver<(Builders, u64)>,
    is_unwanted: Arc<AtomicBool>,
}

impl Drop for Errand {
    fn drop(&mut self) {
        self.is_unwanted.store(true, Ordering::Relaxed);
    }
}

impl Work {
    /// Begins a build, on another thread if `threaded` says so and there is one.
    pub fn begin(
        order: Order,
        source: FieldSource,
        goals: Vec<Cell>,
        threaded: bool,
        builders: &mut Builders,
    ) -> Self {
        let mut work = Self { order, source, goals, blocks: None, usec: 0, errand: None };
        if threaded && has_threads() {
            work.send(std::mem::take(builders));
        } else {
            work.start(builders);
        }
        work
    }

    fn start(&mut self, builders: &mut Builders) {
        let begun = Instant::now();
        let (ground, kind) = (self.source.ground(), &self.order.kind);
        if kind.coarseness == 1 {
            builders.exact.start(ground, &self.goals, kind.max_cost);
        } else {
            let blocks = CoarseGround::build(ground, kind.coarseness).expect("coarseness is 2 or 4");
            builders.coarse.start(ground, &blocks, &self.goals, kind.max_cost);
            self.blocks = Some(blocks);
        }
        self.usec += micros(begun.elapsed());
    }

    /// A piece of the build; returns `true` if it is done.
    fn step(&self, builders: &mut Builders, units: u64) -> bool {
        let ground = self.source.ground();
        match &self.blocks {
            None => builders.exact.step(ground, units),
            Some(blocks) => builders.coarse.step(ground, blocks, units),
        }
    }

    /// Hands the build over to another thread.
    fn send(&mut self, mut builders: Builders) {
        let (sender, results) = channel();
        let is_unwanted = Arc::new(AtomicBool::new(false));
        let errand = Errand { results, is_unwanted: Arc::clone(&is_unwanted) };
        let (order, source, goals) = (self.order.clone(), self.source.clone(), self.goals.clone());
        let mut work = Self { order, source, goals, blocks: None, usec: 0, errand: None };
        Crew::shared().spawn(Box::new(move || {
            let begun = Instant::now();
            work.start(&mut builders);
            while !work.step(&mut builders, UNITS_PER_LOOK) {
                if is_unwanted.load(Ordering::Relaxed) {
                    return;
                }
            }
            // The receiver may be gone.
            let _ = sender.send((builders, micros(begun.elapsed())));
        }));
        self.errand = Some(errand);
    }

    /// Goes on with the build until `budget` is used up, or looks for what the other thread has made; returns `true` if
    /// it is done.
    pub fn go_on(&mut self, builders: &mut Builders, budget: Option<Duration>) -> bool {
        if let Some(errand) = &self.errand {
            match errand.results.try_recv() {
                Ok((theirs, usec)) => {
                    *builders = theirs;
                    self.usec += usec;
                    self.errand = None;
                    return true;
                }
                Err(TryRecvError::Empty) => return false,
                // It came to grief there; it may not here.
                Err(TryRecvError::Disconnected) => {
                    self.errand = None;
                    self.start(builders);
                }
            }
        }
        let begun = Instant::now();
        let units = budget.map_or(u64::MAX, |_| UNITS_PER_LOOK);
        let mut is_done = self.step(builders, units);
        while !is_done && budget.is_none_or(|budget| begun.elapsed() < budget) {
            is_done = self.step(builders, units);
        }
        self.usec += micros(begun.elapsed());
        is_done
    }

    /// The field that was built. The memory of `former` serves the next build, if it has no other holder.
    pub fn field(&self, builders: &mut Builders, former: Option<FieldInUse>) -> FieldInUse {
        if self.order.kind.coarseness == 1 {
            let mut field = match former {
                Some(FieldInUse::Exact(field)) => Arc::try_unwrap(field).unwrap_or_default(),
                _ => ExactField::default(),
            };
            builders.exact.swap(&mut field);
            return FieldInUse::Exact(Arc::new(field));
        }
        let mut field = match former {
            Some(FieldInUse::Coarse(field)) => Arc::try_unwrap(field).unwrap_or_default(),
            _ => CoarseField::default(),
        };
        builders.coarse.swap(&mut field);
        FieldInUse::Coarse(Arc::new(field))
    }
}

pub fn micros(time: Duration) -> u64 {
    time.as_micros() as u64
}
