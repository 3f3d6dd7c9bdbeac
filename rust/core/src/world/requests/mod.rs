//! Paths that are searched elsewhere while the game goes on.
//!
//! Requests wait until [`PathRequests::pump`] sends all that came since the last time to the [`Workers`] as one *batch*, with a
//! [snapshot](World::snapshot) of the world. There equal ones are joined, each is planned, layers are made where none are yet,
//! and searches run one by one. Answers come back by a channel and are handed out in the order of their tickets. One that
//! edits have made wrong meanwhile is asked again first: see [`freshness`].
//!
//! Of searches over clusters, the first steps come as soon as they are known, those of a whole batch before the rest of any of
//! its paths is looked for; the whole path begins with them unless an edit has made it another one.

mod batch;
mod freshness;
mod shared;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::background::{Background, Workers};
use super::{MapVersion, PathOutcome, PathQuery, Reason, World};
use batch::{Answered, Asked, Batch, Message};

/// How often a question is sent again because edits made its answer wrong, before it is answered in the call that asks. It bounds
/// how long a unit waits where the map changes all the time: five searches. With half of them the frame searches sooner, with
/// twice as many later. Chosen, not tuned.
const TRIES_MAX: u8 = 4;

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
    /// First steps that are not handed out yet.
    prefixes: BTreeMap<Ticket, (Answered, MapVersion)>,
    /// Whether first steps are wanted of every request that is sent.
    all_in_steps: bool,
    batches: Vec<Arc<Batch>>,
    /// Whether a batch is being planned: the next one waits for the layers that it makes.
    planning: bool,
}

#[derive(Debug)]
struct Request {
    query: PathQuery,
    state: State,
    tries: u8,
    /// Whether first steps are wanted and not handed out yet.
    in_steps: bool,
}

#[derive(Debug)]
enum State {
    /// A worker has it, or will have it soon.
    Open,
    Answered(Answered, MapVersion),
    Cancelled,
    /// It is not to be answered; the first open request is never one.
    Withdrawn,
}

impl PathRequests {
    /// No requests yet; those that come are worked on by `workers`.
    pub fn new(workers: Arc<dyn Workers>) -> Self {
        Self {
            background: Background::new(workers),
            open: VecDeque::new(),
            withdrawn: 0,
            first: 1,
            unsent: Vec::new(),
            prefixes: BTreeMap::new(),
            all_in_steps: false,
            batches: Vec::new(),
            planning: false,
        }
    }

    /// Adds a request, to be answered in its turn.
    pub fn submit(&mut self, query: PathQuery) -> Ticket {
        let ticket = self.first + self.open.len() as u64;
        self.open.push_back(Request { query, state: State::Open, tries: 0, in_steps: false });
        self.unsent.push(ticket);
        ticket
    }

    /// Has [`PathRequests::next_prefix`] give the first steps of a request's path, where they can be there before the whole;
    /// before the request is sent.
    pub fn want_first_steps(&mut self, ticket: Ticket) {
        if let Some(request) = self.request(ticket) {
            request.in_steps = true;
        }
    }

    /// Whether first steps are wanted of all requests that are sent from now on.
    pub const fn want_all_first_steps(&mut self, wanted: bool) {
        self.all_in_steps = wanted;
    }

    /// Takes a request back; it is answered with [`Status::Cancelled`](super::Status::Cancelled) in its turn. Returns whether it was open.
    pub fn cancel(&mut self, ticket: Ticket) -> bool {
        let Some(request) = self.request(ticket) else { return false };
        if matches!(request.state, State::Cancelled | State::Withdrawn) {
            return false;
        }
        request.state = State::Cancelled;
        self.spare(ticket);
        true
    }

    /// Takes a request back that is not to be answered at all, as when the unit that asked is gone. It counts as handed out at once.
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
        self.prefixes.remove(&ticket);
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

    /// Takes in what the workers have finished and sends them what is new. `world` is the world that the requests are
    /// about.
    pub fn pump(&mut self, world: &mut World) {
        self.take_in(world);
        // A batch may hold a field.
        self.batches.retain(|batch| !batch.is_done());
        // While a batch is planned, the next one waits: it would make the same layers again.
        if self.planning || self.unsent.is_empty() {
            return;
        }
        let mut unsent = std::mem::take(&mut self.unsent);
        // Those that are asked again come first.
        unsent.sort_unstable();
        let (mut queries, mut in_steps) = (Vec::with_capacity(unsent.len()), Vec::new());
        let all_in_steps = self.all_in_steps;
        for ticket in unsent {
            let Some(request) = self.request(ticket) else { continue };
            if !matches!(request.state, State::Open) {
                continue;
            }
            // One that is searched again was told already.
            request.in_steps |= all_in_steps && request.tries == 0;
            if request.in_steps {
                in_steps.push(ticket);
            }
            queries.push((ticket, request.query.clone()));
        }
        if queries.is_empty() {
            return;
        }
        self.planning = true;
        let asked = Asked { queries, in_steps };
        let batch = Batch::begin(&self.background, world.snapshot(), asked);
        self.batches.push(batch);
    }

    /// Returns the first steps of a request's path whose whole is not known yet, with
    /// [`Status::Prefix`](super::Status::Prefix); `None` when there are no more at the moment. They come once for each
    /// request at most, and can be walked on `world` as it is now.
    pub fn next_prefix(&mut self, world: &mut World) -> Option<PathAnswer> {
        while let Some((ticket, (Answered { outcome, usec }, version))) = self.prefixes.pop_first() {
            let Some(request) = self.request(ticket) else { continue };
            let query = request.query.clone();
            if let Some(outcome) = freshness::refreshed(world, &query, *outcome, version) {
                request.in_steps = false;
                return Some(PathAnswer { ticket, query, outcome, usec });
            }
        }
        None
    }

    /// Returns the next answer in the order of tickets; `None` while that is not known yet. The path is one that can be
    /// walked on `world` as it is now.
    pub fn next_answer(&mut self, world: &mut World) -> Option<PathAnswer> {
        let request = self.open.front_mut()?;
        let (outcome, usec) = match std::mem::replace(&mut request.state, State::Open) {
            State::Open | State::Withdrawn => return None,
            State::Cancelled => (PathOutcome::refused(Reason::Cancelled), 0),
            State::Answered(Answered { outcome, usec }, version) => {
                match freshness::refreshed(world, &request.query, *outcome, version) {
                    Some(outcome) => (outcome, usec),
                    None if request.tries < TRIES_MAX => {
                        request.tries += 1;
                        // The question goes out with the next batch; answers behind it wait, as they are handed
                        // out in order.
                        self.unsent.push(self.first);
                        return None;
                    }
                    None => {
                        let started = self.background.workers().clock_usec();
                        // Edits outran every try, so the answer is found here, on the map as it is.
                        let outcome = world.find_path(&request.query);
                        (outcome, self.background.workers().clock_usec() - started)
                    }
                }
            }
        };
        world.note(&outcome);
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

    fn take_in(&mut self, world: &mut World) {
        let mut has_message = false;
        while let Some(message) = self.background.next_message() {
            has_message = true;
            match message {
                Message::Planned(version, layers) => {
                    self.planning = false;
                    world.adopt(version, *layers, self.background.workers());
                }
                Message::Prefixes(version, first_steps) => {
                    for (ticket, steps) in first_steps {
                        if let Some(request) = self.request(ticket)
                            && request.in_steps
                            && matches!(request.state, State::Open)
                        {
                            self.prefixes.insert(ticket, (steps, version));
                        }
                    }
                }
                Message::Answers(version, answers) => {
                    for (ticket, answer) in answers {
                        if let Some(request) = self.request(ticket)
                            && matches!(request.state, State::Open)
                        {
                            request.state = State::Answered(answer, version);
                        }
                    }
                }
            }
        }
        if has_message && !self.prefixes.is_empty() {
            // Whose whole path is about to be handed out needs no first steps.
            let known = self.open.iter().take_while(|request| !matches!(request.state, State::Open)).count();
            self.prefixes = self.prefixes.split_off(&(self.first + known as u64));
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
