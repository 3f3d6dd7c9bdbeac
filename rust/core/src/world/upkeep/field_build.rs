//! The build of a field: in pieces by its owner, or by a worker, turn by turn. Both make the same field.

use std::sync::Arc;

use super::field_order::FieldOrder;
use crate::field::{FieldBuilder, FlowField};
use crate::geometry::Cell;
use crate::world::background::{Background, Task, TaskContext, Workers};
use crate::world::structures::FieldSource;

/// Work units between two looks at the clock: some ten microseconds.
const UNITS_PER_LOOK: u64 = 4000;
/// Microseconds that a worker builds before other tasks get their turn: short paths wait no longer, and
/// queueing a task takes one.
const TURN_USEC: u64 = 1000;

/// A build that is not complete yet.
#[derive(Debug)]
pub(super) struct FieldBuild {
    pub order: FieldOrder,
    pub source: FieldSource,
    goals: Vec<Cell>,
    is_set_up: bool,
    /// Microseconds so far.
    pub usec: u64,
    /// Where a worker builds, which sends back the builder and the microseconds that it took. It stops once
    /// no field waits for it.
    worker: Option<Background<(FieldBuilder, u64)>>,
}

/// A build by a worker.
struct Building {
    build: FieldBuild,
    builder: FieldBuilder,
}

impl Task<(FieldBuilder, u64)> for Building {
    fn turn(mut self, context: &TaskContext<(FieldBuilder, u64)>) -> Option<Self> {
        if context.is_stopped() {
            return None;
        }
        if !self.build.resume(&mut self.builder, context.workers(), Some(TURN_USEC)) {
            return Some(self);
        }
        context.tell((self.builder, self.build.usec));
        None
    }
}

impl FieldBuild {
    /// A build by the caller, piece by piece.
    pub const fn new(order: FieldOrder, source: FieldSource, goals: Vec<Cell>) -> Self {
        Self { order, source, goals, is_set_up: false, usec: 0, worker: None }
    }

    /// Has a worker do the build, which takes the builder with it.
    pub fn send(self, workers: &Arc<dyn Workers>, builder: &mut FieldBuilder) -> Self {
        let worker = Background::new(Arc::clone(workers));
        let theirs = Self::new(self.order.clone(), self.source.clone(), self.goals.clone());
        worker.start(Building { build: theirs, builder: std::mem::take(builder) });
        Self { worker: Some(worker), ..self }
    }

    fn set_up(&mut self, builder: &mut FieldBuilder) {
        builder.start(self.source.ground(), &self.goals, self.order.kind.max_cost);
        self.is_set_up = true;
    }

    /// Continues until `budget_usec` is used up, or looks for what the worker has made; returns `true` if it
    /// is done.
    pub fn resume(
        &mut self,
        builder: &mut FieldBuilder,
        workers: &dyn Workers,
        budget_usec: Option<u64>,
    ) -> bool {
        if let Some(worker) = &self.worker {
            // Before the message is looked for, which the task sends before it ends.
            let has_ended = worker.is_idle();
            match worker.next_message() {
                Some((theirs, usec)) => {
                    *builder = theirs;
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
            self.set_up(builder);
        }
        let units = budget_usec.map_or(u64::MAX, |_| UNITS_PER_LOOK);
        let mut is_done = builder.step(self.source.ground(), units);
        while !is_done && budget_usec.is_none_or(|budget| elapsed() < budget) {
            is_done = builder.step(self.source.ground(), units);
        }
        self.usec += elapsed();
        is_done
    }

    /// The field that was built. The memory of `former` serves the next build, if it has no other holder.
    pub fn field(builder: &mut FieldBuilder, former: Option<Arc<FlowField>>) -> Arc<FlowField> {
        let mut field = former.map(|former| Arc::try_unwrap(former).unwrap_or_default()).unwrap_or_default();
        builder.swap(&mut field);
        Arc::new(field)
    }
}
