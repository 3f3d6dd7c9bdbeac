//! The clock of all figures, and what is counted for the debugger's monitors.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// What is counted.
#[derive(Clone, Copy)]
pub enum Figure {
    /// Microseconds of queries and of handing out answers, on the threads that asked.
    QueryUsec,
    /// Microseconds of steps of crowds, without their fields.
    StepUsec,
    Steps,
    FieldUsec,
    /// Updates of fields; all fields of a crowd together are one.
    FieldUpdates,
    FieldCells,
}

static TOTALS: [AtomicU64; 6] = [const { AtomicU64::new(0) }; 6];

/// Microseconds since the first look at this clock.
pub fn usec() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_micros() as u64
}

/// Counts the time since `begun`, and returns it in microseconds.
pub fn spent(begun: Instant) -> i64 {
    let usec = begun.elapsed().as_micros() as u64;
    count(Figure::QueryUsec, usec);
    usec as i64
}

pub fn count(figure: Figure, more: u64) {
    TOTALS[figure as usize].fetch_add(more, Ordering::Relaxed);
}

/// What was counted so far.
pub fn total(figure: Figure) -> u64 {
    TOTALS[figure as usize].load(Ordering::Relaxed)
}
