//! A batch of requests on the workers' side: planned by one of them, searched by all.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use super::Ticket;
use super::shared::{Work, share_fields};
use crate::geometry::Cell;
use crate::primitives::ScratchPool;
use crate::search::Scratch;
use crate::world::background::{Background, Task, TaskContext, Workers};
use crate::world::facade::World;
use crate::world::plan::Plan;
use crate::world::query::{GoalMode, PathOutcome, PathQuery, Profile, SearchMode};
use crate::world::structures::{Layers, MapVersion};

/// Searches that a worker does before it lets others have a turn. Short ones take some ten microseconds each,
/// so a turn stays below a millisecond, and a task is queued, which takes about one, for every eight of them.
/// Long ones end a turn by themselves.
const TURN: usize = 8;

/// A message of a worker to the owner of the requests.
pub(super) enum Message {
    /// A batch is planned; these are the layers that it made or found.
    Planned(MapVersion, Box<Layers>),
    /// Some requests are answered on the map of the version.
    Answers(MapVersion, Vec<(Ticket, Answered)>),
}

/// An answer, and how long it took to find.
#[derive(Clone, Debug)]
pub(super) struct Answered {
    pub(super) outcome: Box<PathOutcome>,
    pub(super) usec: u64,
}

/// Requests that were sent together.
pub(super) struct Batch {
    pieces: OnceLock<Vec<Piece>>,
    /// The place in `pieces` of the next search.
    next: AtomicUsize,
    done: AtomicUsize,
    cancelled: Mutex<BTreeSet<Ticket>>,
    version: MapVersion,
    scratch: Arc<ScratchPool<Scratch>>,
}

/// One search and the requests that wait for it.
pub(super) struct Piece {
    pub(super) work: Work,
    pub(super) tickets: Vec<Ticket>,
}

/// The parts of a query; two queries with equal parts have equal answers.
#[derive(PartialEq, Eq, Hash)]
struct QueryKey<'a> {
    start: Cell,
    goal: Cell,
    /// The place of the profile among those of the batch.
    profile: usize,
    goal_mode: GoalMode,
    search_mode: SearchMode,
    expansions_max: u32,
    smoothing: bool,
    blocked: &'a [Cell],
}

/// A batch that is to be planned.
struct Planning {
    batch: Arc<Batch>,
    world: World,
    queries: Vec<(Ticket, PathQuery)>,
}

impl Task<Message> for Planning {
    fn turn(self, context: &TaskContext<Message>) -> Option<Self> {
        let Self { batch, world, queries } = self;
        if context.is_stopped() {
            return None;
        }
        batch.plan(world, &queries, context);
        let pieces = batch.pieces.get().map_or(0, Vec::len);
        // No more tasks than pieces: the others would find nothing to do.
        for _ in 0..context.workers().count().clamp(1, pieces.max(1)) {
            context.start(Searching(Arc::clone(&batch)));
        }
        None
    }
}

/// A task that takes pieces of a batch and searches them; one is started for each thread.
struct Searching(Arc<Batch>);

impl Task<Message> for Searching {
    fn turn(self, context: &TaskContext<Message>) -> Option<Self> {
        self.0.work(context).then_some(self)
    }
}

impl Batch {
    /// Sends requests to the workers.
    pub(super) fn begin(
        background: &Background<Message>,
        world: World,
        queries: Vec<(Ticket, PathQuery)>,
    ) -> Arc<Self> {
        let batch = Arc::new(Self {
            pieces: OnceLock::new(),
            next: AtomicUsize::new(0),
            done: AtomicUsize::new(0),
            cancelled: Mutex::default(),
            version: world.version(),
            scratch: Arc::clone(&world.scratch),
        });
        background.start(Planning { batch: Arc::clone(&batch), world, queries });
        batch
    }

    /// Notes that the request of `ticket` was cancelled.
    pub(super) fn cancel(&self, ticket: Ticket) {
        if let Ok(mut cancelled) = self.cancelled.lock() {
            cancelled.insert(ticket);
        }
    }

    /// Returns whether every request of the batch is answered.
    pub(super) fn is_done(&self) -> bool {
        self.pieces.get().is_some_and(|pieces| self.done.load(Ordering::Relaxed) >= pieces.len())
    }

    /// Plans all queries. Some are answered without a search; the others become pieces of work.
    fn plan(&self, mut world: World, queries: &[(Ticket, PathQuery)], context: &TaskContext<Message>) {
        let workers = context.workers();
        let mut answers = Vec::new();
        let (mut works, mut waiting) = (Vec::new(), Vec::new());
        for (query, tickets) in distinct(queries) {
            let started = workers.clock_usec();
            match world.plan(query) {
                Plan::Answered(outcome) => {
                    let usec = workers.clock_usec() - started;
                    tell(&mut answers, &tickets, &Answered { outcome: Box::new(outcome), usec });
                }
                Plan::Search(job) => {
                    works.push((Work::search(job), query.profile));
                    waiting.push(tickets);
                }
            }
        }
        share_fields(&mut world, &mut works);
        let piece = |((work, _), tickets)| Piece { work, tickets };
        // Set before any search task starts, so that tasks only read it.
        self.pieces.get_or_init(|| works.into_iter().zip(waiting).map(piece).collect());
        context.tell(Message::Answers(self.version, answers));
        let (version, layers) = world.into_layers();
        context.tell(Message::Planned(version, Box::new(layers)));
    }

    /// Runs some of the searches; returns whether there may be more.
    fn work(&self, context: &TaskContext<Message>) -> bool {
        let Some(pieces) = self.pieces.get() else { return false };
        let mut answers = Vec::new();
        for _ in 0..TURN {
            if context.is_stopped() {
                return false;
            }
            // The counter hands each place out once.
            let Some(piece) = pieces.get(self.next.fetch_add(1, Ordering::Relaxed)) else { break };
            self.answer(piece, &mut answers, context.workers());
            self.done.fetch_add(1, Ordering::Relaxed);
            // A search over clusters takes milliseconds, after which other tasks get their turn.
            if piece.work.is_hierarchical() {
                break;
            }
        }
        if !answers.is_empty() {
            context.tell(Message::Answers(self.version, answers));
        }
        self.next.load(Ordering::Relaxed) < pieces.len()
    }

    /// Finds the answer of a piece.
    fn answer(&self, piece: &Piece, answers: &mut Vec<(Ticket, Answered)>, workers: &dyn Workers) {
        if !self.is_awaited(piece) {
            return;
        }
        let started = workers.clock_usec();
        let outcome = piece.work.run(&self.scratch);
        let usec = workers.clock_usec() - started;
        tell(answers, &piece.tickets, &Answered { outcome: Box::new(outcome), usec });
    }

    /// Returns whether a request that waits for the piece is not cancelled.
    fn is_awaited(&self, piece: &Piece) -> bool {
        let waits = |ticket: &Ticket| self.cancelled.lock().is_ok_and(|c| !c.contains(ticket));
        piece.tickets.iter().any(waits)
    }
}

/// Adds the answer for each of `tickets`.
fn tell(answers: &mut Vec<(Ticket, Answered)>, tickets: &[Ticket], answer: &Answered) {
    answers.extend(tickets.iter().map(|&ticket| (ticket, answer.clone())));
}

/// Each different query once, in the order of their first tickets, with the tickets that ask it.
fn distinct(queries: &[(Ticket, PathQuery)]) -> Vec<(&PathQuery, Vec<Ticket>)> {
    let mut profiles: Vec<&Profile> = Vec::new();
    let mut places: HashMap<QueryKey<'_>, usize> = HashMap::with_capacity(queries.len());
    let mut all: Vec<(&PathQuery, Vec<Ticket>)> = Vec::new();
    for (ticket, query) in queries {
        // Profiles hold floats, which cannot be hashed; a batch has few different ones.
        let profile = profiles.iter().position(|known| **known == query.profile).unwrap_or_else(|| {
            profiles.push(&query.profile);
            profiles.len() - 1
        });
        let PathQuery { start, goal, goal_mode, search_mode, expansions_max, smoothing, .. } = *query;
        let blocked = query.blocked();
        let key =
            QueryKey { start, goal, profile, goal_mode, search_mode, expansions_max, smoothing, blocked };
        let place = *places.entry(key).or_insert_with(|| {
            all.push((query, Vec::new()));
            all.len() - 1
        });
        all[place].1.push(*ticket);
    }
    all
}
