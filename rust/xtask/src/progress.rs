//! What a piece of work says. Alone, it prints at once; beside others, what it says is kept and printed
//! together at its end.

use std::cell::RefCell;
use std::fmt::{Display, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

thread_local! {
    static HERE: RefCell<Option<Arc<Progress>>> = const { RefCell::new(None) };
}

/// What one of several pieces of work has said so far, and what it is at.
#[derive(Debug, Default)]
pub struct Progress {
    said: Mutex<String>,
    at: Mutex<String>,
}

impl Progress {
    /// That of the work that this thread does; none when it goes on alone.
    pub fn here() -> Option<Arc<Self>> {
        HERE.with_borrow(Clone::clone)
    }

    /// Does the work, and keeps what it says.
    pub fn of<T>(progress: Option<Arc<Self>>, work: impl FnOnce() -> T) -> T {
        let before = HERE.replace(progress);
        let done = work();
        HERE.set(before);
        done
    }

    /// Everything that was said, in whole lines.
    pub fn said(&self) -> String {
        lock(&self.said).clone()
    }

    /// What the work is at.
    pub fn at(&self) -> String {
        lock(&self.at).clone()
    }

    /// Tells what the work is at.
    pub fn set_at(&self, line: &str) {
        line.clone_into(&mut lock(&self.at));
    }
}

/// Says a line about the work that this thread does.
pub fn say(line: impl Display) {
    match Progress::here() {
        Some(progress) => {
            let _ = writeln!(lock(&progress.said), "{line}");
        }
        None => println!("{line}"),
    }
}

/// What a panic left half done here is a line too few.
fn lock(text: &Mutex<String>) -> MutexGuard<'_, String> {
    text.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_beside_other_work_is_kept() {
        let (first, second) = (Arc::new(Progress::default()), Arc::new(Progress::default()));
        Progress::of(Some(Arc::clone(&first)), || {
            say("a");
            let here = Progress::here();
            std::thread::scope(|scope| {
                scope.spawn(|| Progress::of(here, || say("b")));
                scope.spawn(|| Progress::of(Some(Arc::clone(&second)), || say("c")));
            });
        });
        assert_eq!((first.said().as_str(), second.said().as_str()), ("a\nb\n", "c\n"));
        assert!(Progress::here().is_none());
    }
}
