//! Paths that are searched elsewhere while the game goes on.
//!
//! Requests wait until [`PathRequests::pump`] sends all new ones to the [`Workers`] as one *batch*, with a
//! [snapshot](World::snapshot) of the world. There equal requests are joined, each is planned, missing layers
//! are made, and searches run one by one. Answers come back by a channel and are handed out in the order of
//! their tickets.
//!
//! [`freshness`] looks up what edits have done to an answer while it waited: when its turn comes, and before
//! that in [`PathRequests::look_ahead`].
//!
//! - An answer that edits have made wrong is searched again in the background. It is searched in the call
//!   that hands it out if it has waited for [`TRIES_MAX`] such searches or is found quickly.
//! - A path that can still be walked is handed out with its cost of now, though another may cost less. If it
//!   then waits for more than [`AGE_MAX`] pumps, it is searched again, once.
//!
//! So edits cannot hold up answers for long, however many there are.

mod batch;
mod freshness;
mod shared;

use std::collections::VecDeque;
use std::sync::Arc;

use super::background::{Background, Workers};
use super::{MapVersion, PathOutcome, PathQuery, Reason, World};
use batch::{Answered, Batch, Message};
use freshness::{Edits, Verdict};

/// The searches for which a request waits because its own answer, or that of the first, is searched again.
/// When it has waited for more, an answer that edits have made wrong is found in the call that hands it out.
/// It bounds how long a unit waits where the map changes all the time: five searches. With half of them the
/// frame searches sooner, with twice as many later. Chosen, not tuned.
const TRIES_MAX: u8 = 4;
/// A path that may no longer be the cheapest is searched once more when it has waited for more pumps than
/// this since it was found: a second of a game. The time of its search does not count, or requests that take
/// the workers longer than that would all be searched twice. Stated in the docs of
/// `PathForgeGrid.request_path`.
const AGE_MAX: u64 = 60;
/// Answers that are checked ahead for each answer that the last frame has handed out, and the least number of
/// them. So answers that edits have made wrong are searched together, and not one by one in their turn. A
/// check takes a microsecond or two of the frame, a search ten times as much. Chosen, not tuned.
const CHECKED_FOR_ONE: usize = 2;
const CHECKED_MIN: usize = 16;
/// A request in its turn whose answer is searched again is searched in the call if the first search expanded
/// no more nodes than this: a tenth of a millisecond. So answers behind it do not wait for it. Chosen, not
/// tuned.
const QUICK_EXPANSIONS_MAX: u32 = 500;

/// The number of a request: 1, 2, 3 and so on.
pub type Ticket = u64;

/// What became of a request.
#[derive(Clone, Debug)]
pub struct PathAnswer {
    /// Its number.
    pub ticket: Ticket,
    /// What was asked.
    pub query: PathQuery,
    /// The answer.
    pub outcome: PathOutcome,
    /// How long the search took by the workers' clock.
    pub usec: u64,
}

/// The requests of one world that are not answered yet.
///
/// ```
/// use std::sync::Arc;
/// use pathforge_core::geometry::{Cell, CellRect};
/// use pathforge_core::world::{PathQuery, PathRequests, Profile, Status, Workers, World};
///
/// struct Threads;
///
/// impl Workers for Threads {
///     fn count(&self) -> usize {
///         2
///     }
///
///     fn spawn(&self, work: Box<dyn FnOnce() + Send>) {
///         std::thread::spawn(work);
///     }
/// }
///
/// let mut world = World::new(CellRect::new(0, 0, 50, 50))?;
/// let mut requests = PathRequests::new(Arc::new(Threads));
/// let ticket = requests.submit(PathQuery::new(Cell::new(0, 0), Cell::new(49, 9), Profile::default()));
/// let answer = loop {
///     // Once a frame, in a game.
///     requests.pump(&mut world);
///     if let Some(answer) = requests.next_answer(&mut world) {
///         break answer;
///     }
///     requests.look_ahead(&mut world);
///     std::thread::yield_now();
/// };
/// assert_eq!((answer.ticket, answer.outcome.status), (ticket, Status::Complete));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PathRequests {
    background: Background<Message>,
    /// In the order of their tickets, without a gap.
    open: VecDeque<Request>,
    /// How many of them are withdrawn.
    withdrawn: usize,
    /// The ticket of the first open request.
    first: Ticket,
    /// Tickets of requests that no worker knows of.
    unsent: Vec<Ticket>,
    /// Counts the pumps.
    pumps: u64,
    /// The answers that were handed out since the last look ahead.
    handed_out: usize,
    /// The first request and the number of its search that the others wait for, or waited for last.
    waited_for: (Ticket, u8),
    /// The edits that the latest answers were checked against.
    edits: Option<Edits>,
    batches: Vec<Arc<Batch>>,
    /// Whether a batch is being planned: the next one waits for the layers that it makes.
    planning: bool,
}

#[derive(Debug)]
struct Request {
    query: PathQuery,
    state: State,
    /// The searches for which it has waited because its own answer, or that of the first, is searched again.
    tries: u8,
    is_searched_again: bool,
    /// Whether its answer can be found in the frame's time, if it is searched again.
    is_quick: bool,
}

#[derive(Debug)]
enum State {
    /// A worker has it, or will have it soon.
    Open,
    Answered(Known),
    Cancelled,
    /// It is not to be answered; the first open request is never one.
    Withdrawn,
}

/// An answer that waits to be handed out.
#[derive(Debug)]
struct Known {
    answer: Answered,
    /// The map that it was checked against last, or found on.
    version: MapVersion,
    /// The pump at which it came.
    found_at: u64,
    /// Whether another path may cost less by now.
    is_doubtful: bool,
}

impl Request {
    /// Checks an answer against `world` as it is at a pump. Returns whether it is to be searched again.
    fn is_outdated(&mut self, world: &mut World, pump: u64, edits: &mut Option<Edits>) -> bool {
        let State::Answered(Known { answer, version, found_at, is_doubtful }) = &mut self.state else {
            return false;
        };
        let now = world.version();
        if *version != now {
            let edits = Edits::since(edits, world, *version, &self.query.profile);
            match edits.judge(world, &self.query, &mut answer.outcome) {
                Verdict::Wrong => return true,
                Verdict::Doubtful => *is_doubtful = true,
                Verdict::Holds => {}
            }
            *version = now;
        }
        // Once only, so that answers come where all of them wait for long.
        !self.is_searched_again && *is_doubtful && pump - *found_at > AGE_MAX
    }

    /// Forgets the answer, which the next batch will search for again.
    fn search_again(&mut self, world: &World) {
        self.is_quick = match &self.state {
            // Costs under influence may have to be made for the whole map first.
            State::Answered(Known { answer: Answered { outcome, .. }, .. }) => {
                let is_short = outcome.cost.is_some() && outcome.expanded <= QUICK_EXPANSIONS_MAX;
                is_short && !world.is_influenced(&self.query.profile)
            }
            State::Open | State::Cancelled | State::Withdrawn => false,
        };
        self.state = State::Open;
        self.is_searched_again = true;
        self.tries += 1;
    }
}

impl PathRequests {
    /// No requests yet. `workers` work on later requests.
    pub fn new(workers: Arc<dyn Workers>) -> Self {
        Self {
            background: Background::new(workers),
            open: VecDeque::new(),
            withdrawn: 0,
            first: 1,
            unsent: Vec::new(),
            pumps: 0,
            handed_out: 0,
            waited_for: (0, 0),
            edits: None,
            batches: Vec::new(),
            planning: false,
        }
    }

    /// Adds a request, to be answered in its turn.
    pub fn submit(&mut self, query: PathQuery) -> Ticket {
        let ticket = self.first + self.open.len() as u64;
        self.open.push_back(Request {
            query,
            state: State::Open,
            tries: 0,
            is_searched_again: false,
            is_quick: false,
        });
        self.unsent.push(ticket);
        ticket
    }

    /// Takes a request back; it is answered with [`Status::Cancelled`](super::Status::Cancelled) in its turn.
    /// Returns whether it was open.
    pub fn cancel(&mut self, ticket: Ticket) -> bool {
        let Some(request) = self.request(ticket) else { return false };
        if matches!(request.state, State::Cancelled | State::Withdrawn) {
            return false;
        }
        request.state = State::Cancelled;
        self.spare(ticket);
        true
    }

    /// Takes a request back that is not to be answered at all, as when the unit that asked is gone. It counts
    /// as handed out at once.
    pub fn withdraw(&mut self, ticket: Ticket) {
        let Some(request) = self.request(ticket) else { return };
        if matches!(request.state, State::Withdrawn) {
            return;
        }
        request.state = State::Withdrawn;
        self.withdrawn += 1;
        self.spare(ticket);
        self.drop_withdrawn();
    }

    /// Spares the workers a request.
    fn spare(&mut self, ticket: Ticket) {
        // Which batch has it is not kept: a ticket that a batch does not know changes nothing there.
        self.batches.iter().for_each(|batch| batch.cancel(ticket));
    }

    /// Forgets withdrawn requests up to the first that is to be answered.
    fn drop_withdrawn(&mut self) {
        while self.open.pop_front_if(|request| matches!(request.state, State::Withdrawn)).is_some() {
            self.first += 1;
            self.withdrawn -= 1;
        }
    }

    /// Returns the number of requests that are not handed out yet.
    pub fn len(&self) -> usize {
        self.open.len() - self.withdrawn
    }

    /// Returns whether every request was handed out.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Takes in what the workers have finished and sends them what is new; once a frame. `world` is the world
    /// that the requests are about.
    pub fn pump(&mut self, world: &mut World) {
        self.pumps += 1;
        self.take_in(world);
        // A batch may hold a field.
        self.batches.retain(|batch| !batch.is_done());
        self.send(world);
    }

    /// Checks the answers whose turn is near, after a frame has handed out its answers. Sends the workers
    /// what edits have made wrong, and what has come since the pump.
    pub fn look_ahead(&mut self, world: &mut World) {
        let near = CHECKED_MIN + CHECKED_FOR_ONE * std::mem::take(&mut self.handed_out);
        for (ticket, request) in (self.first..).zip(self.open.iter_mut().take(near)) {
            if request.tries < TRIES_MAX && request.is_outdated(world, self.pumps, &mut self.edits) {
                request.search_again(world);
                self.unsent.push(ticket);
            }
        }
        self.send(world);
    }

    /// Sends the workers what no worker has.
    fn send(&mut self, world: &World) {
        // While a batch is planned, the next one waits: it would make the same layers again.
        if self.planning || self.unsent.is_empty() {
            return;
        }
        let mut unsent = std::mem::take(&mut self.unsent);
        // Repeated requests come first.
        unsent.sort_unstable();
        let mut queries = Vec::with_capacity(unsent.len());
        for ticket in unsent {
            let Some(request) = self.open_request(ticket) else { continue };
            queries.push((ticket, request.query.clone()));
        }
        if queries.is_empty() {
            return;
        }
        self.planning = true;
        let batch = Batch::begin(&self.background, world.snapshot(), queries);
        self.batches.push(batch);
    }

    /// Returns the next answer in the order of tickets; `None` while that is not known yet. A path can be
    /// walked on `world` as it is now and costs there what the answer says. It cost least at some time since
    /// it was asked for: now, or when it was found, at most 60 pumps ago unless it was found twice.
    pub fn next_answer(&mut self, world: &mut World) -> Option<PathAnswer> {
        let request = self.open.front_mut()?;
        let is_outdated = request.is_outdated(world, self.pumps, &mut self.edits);
        if is_outdated && request.tries < TRIES_MAX {
            request.search_again(world);
            // The question goes out with the next batch, unless it is answered here.
            self.unsent.push(self.first);
        }
        let is_awaited = match request.state {
            State::Open => !request.is_quick,
            State::Withdrawn => true,
            State::Answered(_) | State::Cancelled => false,
        };
        if is_awaited {
            // Answers behind it wait, as they are handed out in order; each of its searches counts once.
            let search = (self.first, request.tries);
            if request.is_searched_again && self.waited_for != search {
                self.waited_for = search;
                for request in &mut self.open {
                    request.tries += u8::from(matches!(request.state, State::Answered(_)));
                }
            }
            return None;
        }
        let (outcome, usec) = match std::mem::replace(&mut request.state, State::Open) {
            State::Answered(Known { answer: Answered { mut outcome, usec }, is_doubtful, .. })
                if !is_outdated =>
            {
                if is_doubtful {
                    outcome.cost = freshness::cost_now(world, &request.query, &outcome);
                }
                (*outcome, usec)
            }
            State::Cancelled => (PathOutcome::refused(Reason::Cancelled), 0),
            State::Open | State::Answered(_) | State::Withdrawn => {
                let started = self.background.workers().clock_usec();
                // Edits outran every try, or the search is quick: the answer is found here, on the map as it
                // is.
                let outcome = world.planner().answer(&request.query);
                (outcome, self.background.workers().clock_usec() - started)
            }
        };
        world.note(&outcome);
        self.handed_out += 1;
        let ticket = self.first;
        let query = self.open.pop_front()?.query;
        self.first += 1;
        self.drop_withdrawn();
        Some(PathAnswer { ticket, query, outcome, usec })
    }

    fn request(&mut self, ticket: Ticket) -> Option<&mut Request> {
        // Tickets are consecutive, so the difference is the place in the queue.
        let place = usize::try_from(ticket.checked_sub(self.first)?).ok()?;
        self.open.get_mut(place)
    }

    fn open_request(&mut self, ticket: Ticket) -> Option<&mut Request> {
        self.request(ticket).filter(|request| matches!(request.state, State::Open))
    }

    fn take_in(&mut self, world: &mut World) {
        while let Some(message) = self.background.next_message() {
            match message {
                Message::Planned(version, layers) => {
                    self.planning = false;
                    world.adopt(version, *layers, self.background.workers());
                }
                Message::Answers(version, answers) => {
                    let found_at = self.pumps;
                    for (ticket, answer) in answers {
                        if let Some(request) = self.open_request(ticket) {
                            request.state =
                                State::Answered(Known { answer, version, found_at, is_doubtful: false });
                        }
                    }
                }
            }
        }
    }
}

impl std::fmt::Debug for PathRequests {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PathRequests")
            .field("first", &self.first)
            .field("open", &self.open)
            .finish_non_exhaustive()
    }
}
