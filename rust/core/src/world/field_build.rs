//! The build of a field: in pieces by its owner, or at once by a worker. Both make the same field.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use super::background::Workers;
use super::fields::{FieldOrder, FieldSource};
use crate::field::{AnyField, CoarseBuilder, CoarseField, CoarseGround, FieldBuilder, FlowField};
use crate::geometry::Cell;

/// Work units between two looks at the clock: some ten microseconds.
const UNITS_PER_LOOK: u64 = 4000;

/// What builds fields of both kinds, with its memory: several times that of a field.
#[derive(Debug, Default)]
pub(crate) struct FieldBuilders {
    pub(super) exact: FieldBuilder,
    coarse: CoarseBuilder,
}

/// A build that is not complete yet.
#[derive(Debug)]
pub(super) struct FieldBuild {
    pub order: FieldOrder,
    pub source: FieldSource,
    goals: Vec<Cell>,
    /// Of coarse fields.
    blocks: Option<CoarseGround>,
    /// Microseconds so far.
    pub usec: u64,
    sent: Option<Sent>,
}

/// A build at a worker. It ends once no field waits for it.
#[derive(Debug)]
struct Sent {
    results: Receiver<(FieldBuilders, u64)>,
    is_unwanted: Arc<AtomicBool>,
}

impl Drop for Sent {
    fn drop(&mut self) {
        self.is_unwanted.store(true, Ordering::Relaxed);
    }
}

impl FieldBuild {
    /// Starts a build by the caller, piece by piece.
    pub fn start(
        order: FieldOrder,
        source: FieldSource,
        goals: Vec<Cell>,
        workers: &dyn Workers,
        builders: &mut FieldBuilders,
    ) -> Self {
        let mut build = Self { order, source, goals, blocks: None, usec: 0, sent: None };
        build.set_up(workers, builders);
        build
    }

    /// Starts a build by a worker, which takes the builders with it.
    pub fn send(
        order: FieldOrder,
        source: FieldSource,
        goals: Vec<Cell>,
        workers: &Arc<dyn Workers>,
        builders: &mut FieldBuilders,
    ) -> Self {
        let (sender, results) = channel();
        let is_unwanted = Arc::new(AtomicBool::new(false));
        let sent = Sent { results, is_unwanted: Arc::clone(&is_unwanted) };
        let mut theirs = std::mem::take(builders);
        let their_workers = Arc::clone(workers);
        let build = Self { order, source, goals, blocks: None, usec: 0, sent: Some(sent) };
        let (order, source, goals) = (build.order.clone(), build.source.clone(), build.goals.clone());
        workers.spawn(Box::new(move || {
            let begun = their_workers.clock_usec();
            let work = Self::start(order, source, goals, &*their_workers, &mut theirs);
            while !work.step(&mut theirs, UNITS_PER_LOOK) {
                if is_unwanted.load(Ordering::Relaxed) {
                    return;
                }
            }
            // The receiver may be gone.
            let _ = sender.send((theirs, their_workers.clock_usec().saturating_sub(begun)));
        }));
        build
    }

    fn set_up(&mut self, workers: &dyn Workers, builders: &mut FieldBuilders) {
        let begun = workers.clock_usec();
        let (ground, kind) = (self.source.ground(), &self.order.kind);
        if kind.coarseness == 1 {
            builders.exact.start(ground, &self.goals, kind.max_cost);
        } else {
            let blocks = CoarseGround::build(ground, kind.coarseness).expect("coarseness is 2 or 4");
            builders.coarse.start(ground, &blocks, &self.goals, kind.max_cost);
            self.blocks = Some(blocks);
        }
        self.usec += workers.clock_usec().saturating_sub(begun);
    }

    /// A piece of the build; returns `true` if it is done.
    fn step(&self, builders: &mut FieldBuilders, units: u64) -> bool {
        let ground = self.source.ground();
        match &self.blocks {
            None => builders.exact.step(ground, units),
            Some(blocks) => builders.coarse.step(ground, blocks, units),
        }
    }

    /// Continues until `budget_usec` is used up, or looks for what the worker has made; returns `true` if it is done.
    pub fn resume(
        &mut self,
        builders: &mut FieldBuilders,
        workers: &dyn Workers,
        budget_usec: Option<u64>,
    ) -> bool {
        if let Some(sent) = &self.sent {
            match sent.results.try_recv() {
                Ok((theirs, usec)) => {
                    *builders = theirs;
                    self.usec += usec;
                    self.sent = None;
                    return true;
                }
                Err(TryRecvError::Empty) => return false,
                // The worker has failed: the build starts again here.
                Err(TryRecvError::Disconnected) => {
                    self.sent = None;
                    self.set_up(workers, builders);
                }
            }
        }
        let begun = workers.clock_usec();
        let elapsed = || workers.clock_usec().saturating_sub(begun);
        let units = budget_usec.map_or(u64::MAX, |_| UNITS_PER_LOOK);
        let mut is_done = self.step(builders, units);
        while !is_done && budget_usec.is_none_or(|budget| elapsed() < budget) {
            is_done = self.step(builders, units);
        }
        self.usec += elapsed();
        is_done
    }

    /// The field that was built. The memory of `former` serves the next build, if it has no other holder.
    pub fn field(&self, builders: &mut FieldBuilders, former: Option<AnyField>) -> AnyField {
        if self.order.kind.coarseness == 1 {
            let mut field = match former {
                Some(AnyField::Exact(field)) => Arc::try_unwrap(field).unwrap_or_default(),
                _ => FlowField::default(),
            };
            builders.exact.swap(&mut field);
            return AnyField::Exact(Arc::new(field));
        }
        let mut field = match former {
            Some(AnyField::Coarse(field)) => Arc::try_unwrap(field).unwrap_or_default(),
            _ => CoarseField::default(),
        };
        builders.coarse.swap(&mut field);
        AnyField::Coarse(Arc::new(field))
    }
}
