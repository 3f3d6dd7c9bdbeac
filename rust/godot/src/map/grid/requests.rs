//! Paths that come on a later frame: searched on other threads, handed out in the order of their tickets.
//!
//! Answers are handed out with the grid's own pointer and no borrow, so that handlers may ask, edit, cancel
//! and free it.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use godot::prelude::*;
use pathforge_core::geometry::DiagonalMode;
use pathforge_core::world::{PathAnswer, PathRequests, Ticket};

use super::PathForgeGrid;
use super::inbox::{Asked, Inbox};
use super::queries::queries;
use crate::answers::path::{PathForgePath, PathFrame};
use crate::engine::clock;
use crate::engine::errors::reported;
use crate::engine::workers::{self, Crew};
use crate::script::array_of::CellArray;
use crate::script::callback;
use crate::script::convert::{self, cell};
use crate::script::enumeration::{self, Constant};
use crate::script::optional_arg::CallbackArg;
use crate::script::profile::{Asker, ProfileArg};

/// Requests that are not answered yet.
pub(super) struct Asks {
    requests: PathRequests,
    inbox: Arc<Inbox>,
    /// The callbacks of answers, in the order of tickets; most requests answer by the signal alone.
    callbacks: VecDeque<(Ticket, Callable)>,
    /// `true` if answers are being handed out.
    answering: bool,
}

/// An answer on its way to a script.
struct Answer {
    ticket: Ticket,
    path: Gd<PathForgePath>,
    callback: Option<Callable>,
}

/// A frame in which answers are handed out.
#[derive(Clone, Copy)]
struct Turn {
    /// When to stop.
    end: Instant,
    /// What makes positions of paths.
    frame: PathFrame,
}

impl Default for Asks {
    fn default() -> Self {
        Self {
            requests: PathRequests::new(Crew::shared()),
            inbox: Inbox::new(DiagonalMode::default()),
            callbacks: VecDeque::new(),
            answering: false,
        }
    }
}

impl Asks {
    /// Takes over what has been asked.
    fn open_inbox(&mut self) {
        let Asked { queries, callbacks, mut withdrawn, .. } = self.inbox.take();
        for query in queries {
            self.requests.submit(query);
        }
        self.callbacks.extend(callbacks);
        if withdrawn.is_empty() {
            return;
        }
        for &ticket in &withdrawn {
            self.requests.withdraw(ticket);
        }
        withdrawn.sort_unstable();
        self.callbacks.retain(|(ticket, _)| withdrawn.binary_search(ticket).is_err());
    }
}

impl Drop for Asks {
    fn drop(&mut self) {
        // Threads may remember the box for longer; callbacks must not wait for them.
        drop(self.inbox.take());
    }
}

#[godot_api(secondary)]
impl PathForgeGrid {
    /// Requests a path that is searched on another thread, and returns the request's ticket, a number above
    /// 0, or 0 after an error. The answer comes on a later frame, with [signal path_answered] and to
    /// `callback`. It comes also if there is no path: see [member PathForgePath.status].
    ///
    /// `callback` takes the path, or the ticket and the path, besides its bound arguments. A callback that
    /// takes no argument or more than two is an error, and so is a callable that cannot be called. `blocked`
    /// is as in [method find_path]; requests with it are searched one after the other.
    ///
    /// Answers come in the order of tickets, as many a frame as [member request_budget_usec] allows. An
    /// answer is right for the map at the time when it comes:
    ///
    /// - The path can be walked and costs what it says. A path that an edit has closed is searched again
    ///   first.
    /// - No path means that there is none now. Only [constant PathForgePath.STATUS_LIMIT] is about the map
    ///   that was searched.
    /// - If edits or influence may have made another path cheaper, a path of at most 60 frames ago still
    ///   counts; an older one is searched once more. So requests are answered also while the map changes in
    ///   every frame.
    ///
    /// Equal requests are searched once. Many requests with one goal share a field: their paths cost the same
    /// as with a search, but among paths of equal cost another one may be returned.
    ///
    /// Many calls in a frame take least time with all arguments given, half a microsecond each. [method
    /// request_paths] requests many paths at once.
    ///
    /// Requests wait while the grid is not in the scene tree or cannot process, as `Node.process_mode` says.
    /// When the grid is freed they end without a signal.
    ///
    /// ```gdscript
    /// grid.request_path(unit.cell, target, unit.profile, PathForgeGrid.GOAL_EXACT, unit.follow)
    ///
    /// # In the unit's script:
    /// func follow(path: PathForgePath) -> void:
    ///     if path.is_complete():
    ///         way = path.get_global_positions()
    /// ```
    #[func(gd_self)]
    fn request_path(
        this: Gd<Self>,
        start: Vector2i,
        goal: Vector2i,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
        #[opt(default = Constant::of(0))] goal_mode: Constant<enumeration::GoalMode>,
        #[opt(default = CallbackArg::none())] callback: CallbackArg,
        #[opt(default = CellArray::none())] blocked: CellArray,
    ) -> i64 {
        let asked = convert::goal_mode(goal_mode)
            .and_then(|mode| Ok((mode, callback.checked()?, blocked.cells("blocked")?)));
        let Some((goal_mode, callback, blocked)) = reported("PathForgeGrid.request_path", asked) else {
            return 0;
        };
        let inbox = Inbox::of(&this);
        let asker = Asker::of(&profile, inbox.mode());
        let query = asker.query(cell(start), cell(goal), goal_mode).past(&blocked);
        inbox.push(query, callback) as i64
    }

    /// Asks for many paths at once, in the order of `starts`; returns their tickets. `goals` has one element,
    /// shared by all requests, or as many as `starts`. Both are arrays of `Vector2i`. A thousand cost a
    /// fraction of what calling [method request_path] a thousand times does. Empty after an error.
    #[func]
    fn request_paths(
        &mut self,
        starts: CellArray,
        goals: CellArray,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
        #[opt(default = Constant::of(0))] goal_mode: Constant<enumeration::GoalMode>,
    ) -> PackedInt64Array {
        let asker = Asker::of(&profile, self.grid_diagonal_mode());
        let queries = queries(&asker, &starts, &goals, goal_mode);
        let Some(queries) = reported("PathForgeGrid.request_paths", queries) else {
            return PackedInt64Array::new();
        };
        let count = queries.len() as i64;
        let first = self.asks.inbox.push_all(queries) as i64;
        (first..first + count).collect()
    }

    /// Takes a request back. Returns `true` if it was pending: [signal path_answered] then comes in its turn
    /// with [constant PathForgePath.STATUS_CANCELLED].
    #[func]
    fn cancel_request(&mut self, ticket: i64) -> bool {
        self.asks.open_inbox();
        Ticket::try_from(ticket).is_ok_and(|ticket| self.asks.requests.cancel(ticket))
    }
}

impl PathForgeGrid {
    /// How many requests are not answered yet.
    pub fn open_requests(&mut self) -> usize {
        self.asks.open_inbox();
        self.asks.requests.len()
    }

    pub(super) const fn inbox(&self) -> &Arc<Inbox> {
        &self.asks.inbox
    }

    /// Sends requests to the workers and hands out what they have answered within the frame's budget. The
    /// grid may be gone afterwards.
    pub(super) fn answer_requests(mut this: Gd<Self>) {
        let begun = Instant::now();
        let Some(turn) = this.bind_mut().begin_answers(begun) else { return };
        loop {
            let Some(answer) = this.bind_mut().next_answer(turn.frame) else { break };
            Self::hand_out(&mut this, answer);
            if !this.is_instance_valid() {
                return;
            }
            if Instant::now() >= turn.end {
                break;
            }
        }
        this.bind_mut().end_answers();
        clock::spent(begun);
    }

    /// Takes in and sends; `None` when there is nothing to hand out, or when a handler has the tree process
    /// its nodes while answers are handed out.
    fn begin_answers(&mut self, begun: Instant) -> Option<Turn> {
        self.asks.open_inbox();
        if self.asks.requests.is_empty() || self.asks.answering {
            return None;
        }
        let end = begun + Duration::from_micros(self.request_budget_usec as u64);
        self.asks.requests.pump(&mut self.map.lock().world);
        workers::do_waiting_work(end);
        self.asks.answering = true;
        let asker = Asker::of(&ProfileArg::NONE, self.grid_diagonal_mode());
        Some(Turn { end, frame: self.frame(&asker) })
    }

    fn end_answers(&mut self) {
        self.asks.answering = false;
        // What handlers have asked meanwhile, and what has to be searched again.
        self.asks.requests.look_ahead(&mut self.map.lock().world);
    }

    fn next_answer(&mut self, frame: PathFrame) -> Option<Answer> {
        // Handlers of the answer before may have taken back this one.
        self.asks.open_inbox();
        let answer = self.asks.requests.next_answer(&mut self.map.lock().world)?;
        let callback = taken(&mut self.asks.callbacks, answer.ticket);
        Some(Answer::new(answer, frame, callback))
    }

    fn hand_out(this: &mut Gd<Self>, answer: Answer) {
        let Answer { ticket, path, callback } = answer;
        this.signals().path_answered().emit(ticket as i64, &path);
        let Some(callback) = callback.filter(|c| this.is_instance_valid() && c.is_valid()) else { return };
        let called = if callback.get_argument_count() >= 2 {
            callback::call(&callback, &[(ticket as i64).to_variant(), path.to_variant()])
        } else {
            callback::call(&callback, &[path.to_variant()])
        };
        reported("PathForgeGrid.request_path", called);
    }
}

impl Answer {
    fn new(answer: PathAnswer, frame: PathFrame, callback: Option<Callable>) -> Self {
        let PathAnswer { ticket, query, outcome, usec } = answer;
        let frame = PathFrame { footprint: query.profile.footprint, ..frame };
        Self { ticket, path: PathForgePath::wrap(outcome, frame, usec as i64), callback }
    }
}

/// Takes out what `ticket` has in a list that is in ascending order.
fn taken(callbacks: &mut VecDeque<(Ticket, Callable)>, ticket: Ticket) -> Option<Callable> {
    let place = match callbacks.front() {
        Some((first, _)) if *first == ticket => 0,
        Some((first, _)) if *first < ticket => callbacks.binary_search_by_key(&ticket, |(t, _)| *t).ok()?,
        _ => return None,
    };
    callbacks.remove(place).map(|(_, callback)| callback)
}
