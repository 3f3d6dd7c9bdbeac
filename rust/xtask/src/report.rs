//! Sums of checks, and signs of life while one runs.

use std::fmt;
use std::io::{self, Write};
use std::ops::AddAssign;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use crate::progress::Progress;

/// How many checks went which way.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Statistics {
    /// Right.
    pub passed: usize,
    /// Wrong.
    pub failed: usize,
    /// Not made.
    pub skipped: usize,
}

impl Statistics {
    /// One check.
    pub fn one(passed: bool) -> Self {
        Self { passed: usize::from(passed), failed: usize::from(!passed), skipped: 0 }
    }

    /// The code that says whether all that was checked is right.
    pub fn exit_code(self) -> ExitCode {
        if self.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    /// With every check that was not made counted as failed.
    pub fn strict(self) -> Self {
        Self { failed: self.failed + self.skipped, skipped: 0, ..self }
    }
}

impl AddAssign for Statistics {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} passed, {} failed", self.passed, self.failed)?;
        if self.skipped > 0 {
            write!(formatter, ", {} skipped", self.skipped)?;
        }
        Ok(())
    }
}

/// What a step found.
#[derive(Debug, Default)]
pub struct Findings {
    /// The sum of its checks.
    pub statistics: Statistics,
    /// One entry a failure or skipped check, with what to do about it; an entry may have several lines.
    pub problems: Vec<String>,
}

impl Findings {
    /// One check that is right.
    pub fn passed() -> Self {
        Self { statistics: Statistics::one(true), problems: Vec::new() }
    }

    /// One check that is wrong.
    pub fn failed(problem: impl Into<String>) -> Self {
        Self { statistics: Statistics::one(false), problems: vec![problem.into()] }
    }

    /// One check that could not be made.
    pub fn skipped(reason: impl Into<String>) -> Self {
        let statistics = Statistics { skipped: 1, ..Statistics::default() };
        Self { statistics, problems: vec![format!("skipped: {}", reason.into())] }
    }

    /// Adds what another one found.
    pub fn add(&mut self, other: Self) {
        self.statistics += other.statistics;
        self.problems.extend(other.problems);
    }
}

/// Prints, every ten seconds, how long the work has taken and what it is at, until it is dropped. Of work
/// that goes on beside other work, what it is at is told together with the others'.
pub struct Heartbeat {
    latest: Arc<Progress>,
    /// Dropped before the thread is waited for: that is what ends it.
    stop: Option<Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Heartbeat {
    /// Starts it.
    pub fn start() -> Self {
        if let Some(latest) = Progress::here() {
            return Self { latest, stop: None, thread: None };
        }
        let latest = Arc::new(Progress::default());
        let (stop, stopped) = mpsc::channel();
        let shared = Arc::clone(&latest);
        let thread = std::thread::spawn(move || {
            let start = Instant::now();
            while stopped.recv_timeout(Duration::from_secs(10)) == Err(RecvTimeoutError::Timeout) {
                println!("    {:4} s  {}", start.elapsed().as_secs(), shared.at());
                let _ = io::stdout().flush();
            }
        });
        Self { latest, stop: Some(stop), thread: Some(thread) }
    }

    /// Tells what the work is at. An empty line tells nothing.
    pub fn at(&self, line: &str) {
        if !line.trim().is_empty() {
            self.latest.set_at(&line.trim().chars().take(100).collect::<String>());
        }
    }
}

impl Drop for Heartbeat {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_of_everything() {
        let mut findings = Findings::passed();
        findings.add(Findings::failed("no"));
        findings.add(Findings::skipped("no Python"));
        findings
            .add(Findings { statistics: Statistics { passed: 40, failed: 0, skipped: 0 }, problems: vec![] });
        assert_eq!(findings.statistics.to_string(), "41 passed, 1 failed, 1 skipped");
        assert_eq!(findings.statistics.strict().to_string(), "41 passed, 2 failed");
        assert_eq!(findings.problems.len(), 2);
    }
}
