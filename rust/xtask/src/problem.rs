//! What went wrong, in words for the person at the terminal.

use std::fmt::{self, Display};

/// A message that says what happened and, where there is something to do, what to do.
#[derive(Debug)]
pub struct Problem(String);

/// The result of anything here that can fail.
pub type Outcome<T> = Result<T, Problem>;

impl Problem {
    /// A problem with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Says what was being done when an error came.
pub trait While<T> {
    /// Turns the error into `cannot {doing}: {error}`.
    fn while_doing(self, doing: impl FnOnce() -> String) -> Outcome<T>;
}

impl<T, E: Display> While<T> for Result<T, E> {
    fn while_doing(self, doing: impl FnOnce() -> String) -> Outcome<T> {
        self.map_err(|error| Problem(format!("cannot {}: {error}", doing())))
    }
}
