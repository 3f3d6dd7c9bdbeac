//! Where requests go first: a box beside the grid, so that asking borrows neither the grid nor its profile.
//!
//! A borrow that other threads may wait for takes two calls of the operating system, which is more than
//! everything else that a request takes. The box has a lock of its own, which no thread holds for longer than
//! a push.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use godot::prelude::*;
use pathforge_core::geometry::DiagonalMode;
use pathforge_core::world::{PathQuery, Ticket};

use super::PathForgeGrid;

/// Requests of one grid that it has not looked at yet.
pub(super) struct Inbox {
    /// The grid's own, as a number.
    mode: AtomicU8,
    asked: Mutex<Asked>,
}

/// What has come since the last look.
#[derive(Default)]
pub(super) struct Asked {
    /// The ticket of the latest request.
    last: Ticket,
    pub queries: Vec<PathQuery>,
    pub callbacks: Vec<(Ticket, Callable)>,
    /// Requests that are not to be answered, of these and of earlier ones.
    pub withdrawn: Vec<Ticket>,
}

thread_local! {
    /// The grid that this thread asked last.
    static LATEST: RefCell<Option<(InstanceId, Arc<Inbox>)>> = const { RefCell::new(None) };
}

impl Inbox {
    #[expect(
        clippy::arc_with_non_send_sync,
        reason = "a grid is used from several threads, as Godot's rules allow, and its callables count in an atomic way"
    )]
    pub fn new(mode: DiagonalMode) -> Arc<Self> {
        Arc::new(Self { mode: AtomicU8::new(mode as u8), asked: Mutex::default() })
    }

    /// The box of a grid, without a borrow when this thread has asked the same grid before.
    pub fn of(grid: &Gd<PathForgeGrid>) -> Arc<Self> {
        // Ids are never given twice.
        let id = grid.instance_id_unchecked();
        LATEST.with_borrow_mut(|latest| match latest {
            Some((known, inbox)) if *known == id => Arc::clone(inbox),
            _ => {
                let inbox = Arc::clone(grid.clone().bind_mut().inbox());
                *latest = Some((id, Arc::clone(&inbox)));
                inbox
            }
        })
    }

    /// The grid's diagonal mode.
    pub fn mode(&self) -> DiagonalMode {
        DiagonalMode::from_number(i64::from(self.mode.load(Ordering::Relaxed))).unwrap_or_default()
    }

    pub fn set_mode(&self, mode: DiagonalMode) {
        self.mode.store(mode as u8, Ordering::Relaxed);
    }

    /// Adds a request.
    pub fn push(&self, query: PathQuery, callback: Option<Callable>) -> Ticket {
        let mut asked = self.asked();
        asked.last += 1;
        let ticket = asked.last;
        asked.queries.push(query);
        if let Some(callback) = callback {
            asked.callbacks.push((ticket, callback));
        }
        ticket
    }

    /// Adds many, and returns the ticket of the first; the others follow.
    pub fn push_all(&self, queries: Vec<PathQuery>) -> Ticket {
        let mut asked = self.asked();
        let first = asked.last + 1;
        asked.last += queries.len() as Ticket;
        if asked.queries.is_empty() {
            asked.queries = queries;
        } else {
            asked.queries.extend(queries);
        }
        first
    }

    /// Takes a request back.
    pub fn withdraw(&self, ticket: Ticket) {
        self.asked().withdrawn.push(ticket);
    }

    /// Takes what has come. It is dropped by the caller, without the lock.
    pub fn take(&self) -> Asked {
        let mut asked = self.asked();
        let last = asked.last;
        std::mem::replace(&mut *asked, Asked { last, ..Asked::default() })
    }

    fn asked(&self) -> MutexGuard<'_, Asked> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
