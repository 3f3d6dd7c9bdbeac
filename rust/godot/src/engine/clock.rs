//! The clock of all figures, and the time that answers have taken.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Microseconds of queries and of handing out answers, on the threads that asked.
static USEC: AtomicU64 = AtomicU64::new(0);

/// Microseconds since the first look at this clock.
pub fn usec() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_micros() as u64
}

/// Counts the time since `begun`, and returns it in microseconds.
pub fn spent(begun: Instant) -> i64 {
    let usec = begun.elapsed().as_micros() as u64;
    USEC.fetch_add(usec, Ordering::Relaxed);
    usec as i64
}

/// What was counted so far.
pub fn usec_spent() -> u64 {
    USEC.load(Ordering::Relaxed)
}
