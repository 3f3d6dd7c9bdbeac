//! The build of a field: in pieces by its owner, or by a worker, turn by turn. Both make the same field.

use std::sync::Arc;

use super::background::{Background, Task, TaskContext, Workers};
use super::fields::{FieldOrder, FieldSource};
use crate::field::{AnyField, CoarseBuilder, CoarseField, CoarseGround, FieldBuilder, FlowField};
use crate::geometry::Cell;

/// Work units between two looks at the clock: some ten microseconds.
const UNITS_PER_LOOK: u64 = 4000;
/// Microseconds that a worker builds before other tasks get their turn: short paths wait no longer, and queueing a task takes one.
const TURN_USEC: u64 = 1000;

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
    is_set_up: bool,
    /// Of coarse fields.
    blocks: Option<CoarseGround>,
    /// Microseconds so far.
    pub usec: u64,
    /// Where a worker builds, which sends back the builders and the microseconds that it took. It stops once no field waits for it.
    worker: Option<Background<(FieldBuilders, u64)>>,
}

/// A build by a worker.
struct Building {
    build: FieldBuild,
    builders: FieldBuilders,
}

impl Task<(FieldBuilders, u64)> for Building {
    fn turn(mut self, context: &TaskContext<(FieldBuilders, u64)>) -> Option<Self> {
        if context.is_stopped() {
            return None;
        }
        if !self.build.resume(&mut self.builders, context.workers(), Some(TURN_USEC)) {
            return Some(self);
        }
        context.tell((self.builders, self.build.usec));
        None
    }
}

impl FieldBuild {
    /// A build by the caller, piece by piece.
    pub const fn new(order: FieldOrder, source: FieldSource, goals: Vec<Cell>) -> Self {
        Self { order, source, goals, is_set_up: false, blocks: None, usec: 0, worker: None }
    }

    /// Has a worker do the build, which takes the builders with it.
    pub fn send(self, workers: &Arc<dyn Workers>, builders: &mut FieldBuilders) -> Self {
        let worker = Background::new(Arc::clone(workers));
        let theirs = Self::new(self.order.clone(), self.source.clone(), self.goals.clone());
        worker.start(Building { build: theirs, builders: std::mem::take(builders) });
        Self { worker: Some(worker), ..self }
    }

    fn set_up(&mut self, builders: &mut FieldBuilders) {
        let (ground, kind) = (self.source.ground(), &self.order.kind);
        if kind.coarseness == 1 {
            builders.exact.start(ground, &self.goals, kind.max_cost);
        } else {
            let blocks = CoarseGround::build(ground, kind.coarseness).expect("coarseness is 2 or 4");
            builders.coarse.start(ground, &blocks, &self.goals, kind.max_cost);
            self.blocks = Some(blocks);
        }
        self.is_set_up = true;
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
        if let Some(worker) = &self.worker {
            // Before the message is looked for, which the task sends before it ends.
            let has_ended = worker.is_idle();
            match worker.next_message() {
                Some((theirs, usec)) => {
                    *builders = theirs;
                    self.usec += usec;
                    return true;
                }
                None if !has_ended => return false,
                // The worker has failed: the build starts again here.
                None => self.worker = None,
            }
        }
        let begun = workers.clock_usec();
        let elapsed = || workers.clock_usec().saturating_sub(begun);
        if !self.is_set_up {
            self.set_up(builders);
        }
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
