//! Work on other threads, turn by turn, and the messages that come back.
//!
//! A task does a little in each turn and is queued again behind other tasks, so that long ones do not hold up
//! short ones. Tasks share nothing with the world but messages, which its owner takes in when it pleases;
//! they end soon after they are stopped.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering, fence};
use std::sync::mpsc::{Receiver, Sender, channel};

/// Threads that run work in the background.
pub trait Workers: Send + Sync {
    /// How many pieces of work can run at the same time, at least 1.
    fn count(&self) -> usize;

    /// Runs `work` soon, in the background or, where there is none, when the caller has time.
    fn spawn(&self, work: Box<dyn FnOnce() + Send>);

    /// Returns the time in microseconds, by which searches are timed; nothing else depends on it.
    fn clock_usec(&self) -> u64 {
        0
    }
}

impl fmt::Debug for dyn Workers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workers").finish_non_exhaustive()
    }
}

/// Work that is done turn by turn.
pub(super) trait Task<M>: Sized + Send + 'static {
    /// Does some of the work; returns the task if there is more of it.
    fn turn(self, context: &TaskContext<M>) -> Option<Self>;
}

/// What a task works with.
pub(super) struct TaskContext<M> {
    workers: Arc<dyn Workers>,
    sender: Sender<M>,
    stop: Arc<AtomicBool>,
}

impl<M> Clone for TaskContext<M> {
    fn clone(&self) -> Self {
        let Self { workers, sender, stop } = self;
        Self { workers: Arc::clone(workers), sender: sender.clone(), stop: Arc::clone(stop) }
    }
}

impl<M: Send + 'static> TaskContext<M> {
    /// Returns the threads that tasks run on.
    pub(super) fn workers(&self) -> &dyn Workers {
        &*self.workers
    }

    /// Returns whether the task was stopped: it ends then, and reports at most that it has ended.
    pub(super) fn is_stopped(&self) -> bool {
        // Nothing is read that was written before the flag was set, so its order does not matter.
        self.stop.load(Ordering::Relaxed)
    }

    /// Sends a message to the owner.
    pub(super) fn tell(&self, message: M) {
        // The channel is closed when the owner is gone, and then there is nothing to tell.
        let _ = self.sender.send(message);
    }

    /// Starts a task, which is stopped together with this one.
    pub(super) fn start(&self, task: impl Task<M>) {
        // The task owns its context: it may outlive the owner, whose messages then go nowhere.
        let context = self.clone();
        self.workers.spawn(Box::new(move || {
            if let Some(more) = task.turn(&context) {
                // Queued again behind tasks that wait, so that a long task does not hold up short ones.
                context.start(more);
            }
        }));
    }
}

/// The owner's side: starts and stops tasks, and takes in their messages.
pub(super) struct Background<M> {
    context: TaskContext<M>,
    receiver: Receiver<M>,
}

impl<M: Send + 'static> Background<M> {
    pub(super) fn new(workers: Arc<dyn Workers>) -> Self {
        let (sender, receiver) = channel();
        Self { context: TaskContext { workers, sender, stop: Arc::default() }, receiver }
    }

    /// Returns the threads that tasks run on.
    pub(super) fn workers(&self) -> &dyn Workers {
        self.context.workers()
    }

    /// Starts a task.
    pub(super) fn start(&self, task: impl Task<M>) {
        self.context.start(task);
    }

    /// Stops all tasks that were started so far, each at its next turn or when it asks.
    pub(super) fn stop(&mut self) {
        // Tasks that are started from now on get a flag of their own.
        std::mem::take(&mut self.context.stop).store(true, Ordering::Relaxed);
    }

    /// Returns whether no task that was started since the last stop is left: all have ended, or their threads
    /// have failed. All their messages have come by then.
    pub(super) fn is_idle(&self) -> bool {
        // Each task has a context of its own, with this flag.
        let is_idle = Arc::strong_count(&self.context.stop) == 1;
        // Reading the count orders nothing: without this, a message that was sent before a context was
        // dropped could be missed.
        fence(Ordering::Acquire);
        is_idle
    }

    /// Returns the next message that has come.
    pub(super) fn next_message(&self) -> Option<M> {
        // Never waits: this runs in the game's frame.
        self.receiver.try_recv().ok()
    }
}

impl<M> Drop for Background<M> {
    fn drop(&mut self) {
        // Work for an owner that is gone would only take time from others.
        self.context.stop.store(true, Ordering::Relaxed);
    }
}

impl<M> fmt::Debug for Background<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Background").finish_non_exhaustive()
    }
}
