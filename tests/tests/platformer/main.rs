//! Paths that jump: the source's cases, the law of the oracle, repairs, bad input.

mod bad_input;
mod cases;
mod laws;
mod levels;
mod oracle;
mod repairs;
