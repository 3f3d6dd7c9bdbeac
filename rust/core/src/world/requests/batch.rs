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
use crate::world::hierarchical::PathPrefix;
use crate::world::layers::Layers;
use crate::world::{GoalMode, MapVersion, PathOutcome, PathQuery, Plan, Profile, SearchMode, World};

/// Searches that a worker does before it lets others have a turn. Short ones take some ten microseconds each, so a turn stays
/// below a millisecond, and a task is queued, which takes about one, for every eight of them. Long ones end a turn by themselves.
const TURN: usize = 8;

/// A message of a worker to the owner of the requests.
pub(super) enum Message {
    /// A batch is planned; these are the layers that it made or found.
    Planned(MapVersion, Box<Layers>),
    /// The first steps of some requests' paths are known.
    Prefixes(MapVersion, Vec<(Ticket, Answered)>),
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
    works: OnceLock<Works>,
    /// The place in `in_steps` of the next search to start, and in `pieces` of the next one to answer.
    next_prefix: AtomicUsize,
    next: AtomicUsize,
    done: AtomicUsize,
    cancelled: Mutex<BTreeSet<Ticket>>,
    version: MapVersion,
    scratch: Arc<ScratchPool<Scratch>>,
}

/// The searches of a batch. First steps are found before any whole path.
struct Works {
    pieces: Vec<Piece>,
    /// The places of the pieces with a request that wants first steps.
    in_steps: Vec<usize>,
}

/// One search and the requests that wait for it.
pub(super) struct Piece {
    pub(super) work: Work,
    pub(super) tickets: Vec<Ticket>,
    /// How far it is. A thread that answers waits on this lock for the thread that finds the first steps.
    pub(super) progress: Mutex<Progress>,
}

/// How far a search is.
#[derive(Default)]
pub(super) enum Progress {
    #[default]
    Nothing,
    /// The first steps are known; with the microseconds that they took.
    Prefix(Box<PathPrefix>, u64),
    Answered,
}

/// The queries of a batch, and the tickets that want first steps, in ascending order.
pub(super) struct Asked {
    pub(super) queries: Vec<(Ticket, PathQuery)>,
    pub(super) in_steps: Vec<Ticket>,
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
    asked: Asked,
}

impl Task<Message> for Planning {
    fn turn(self, context: &TaskContext<Message>) -> Option<Self> {
        let Self { batch, world, asked } = self;
        if context.is_stopped() {
            return None;
        }
        batch.plan(world, &asked, context);
        let pieces = batch.works.get().map_or(0, |works| works.pieces.len());
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
    pub(super) fn begin(background: &Background<Message>, world: World, asked: Asked) -> Arc<Self> {
        let batch = Arc::new(Self {
            works: OnceLock::new(),
            next_prefix: AtomicUsize::new(0),
            next: AtomicUsize::new(0),
            done: AtomicUsize::new(0),
            cancelled: Mutex::default(),
            version: world.version(),
            scratch: Arc::clone(&world.scratch),
        });
        background.start(Planning { batch: Arc::clone(&batch), world, asked });
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
        self.works.get().is_some_and(|works| self.done.load(Ordering::Relaxed) >= works.pieces.len())
    }

    /// Plans all queries: those that need no search are answered, the others become pieces of work.
    fn plan(&self, mut world: World, asked: &Asked, context: &TaskContext<Message>) {
        let workers = context.workers();
        let mut answers = Vec::new();
        let (mut works, mut waiting) = (Vec::new(), Vec::new());
        for (query, tickets) in distinct(&asked.queries) {
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
        let piece = |((work, _), tickets)| Piece { work, tickets, progress: Mutex::default() };
        let pieces: Vec<Piece> = works.into_iter().zip(waiting).map(piece).collect();
        let wanted = |ticket: &Ticket| asked.in_steps.binary_search(ticket).is_ok();
        let in_steps = |&place: &usize| {
            let piece = &pieces[place];
            piece.work.in_steps().is_some() && piece.tickets.iter().any(wanted)
        };
        let in_steps = (0..pieces.len()).filter(in_steps).collect();
        // Set before any search task starts, so that tasks only read it.
        self.works.get_or_init(|| Works { pieces, in_steps });
        context.tell(Message::Answers(self.version, answers));
        let (version, layers) = world.into_layers();
        context.tell(Message::Planned(version, Box::new(layers)));
    }

    /// Runs some of the searches; returns whether there may be more.
    fn work(&self, context: &TaskContext<Message>) -> bool {
        let Some(Works { pieces, in_steps }) = self.works.get() else { return false };
        let mut answers = Vec::new();
        for _ in 0..TURN {
            if context.is_stopped() {
                return false;
            }
            // Each place is handed out once by the counter alone; what is found is guarded by its own lock.
            if let Some(&place) = in_steps.get(self.next_prefix.fetch_add(1, Ordering::Relaxed)) {
                // A turn ends after one of these, as it takes long.
                self.find_first_steps(&pieces[place], &mut answers, context);
                break;
            }
            let Some(piece) = pieces.get(self.next.fetch_add(1, Ordering::Relaxed)) else { break };
            self.answer(piece, &mut answers, context.workers());
            self.done.fetch_add(1, Ordering::Relaxed);
            // Other tasks get their turn after a long search.
            // One over clusters takes milliseconds.
            if piece.work.in_steps().is_some() {
                break;
            }
        }
        if !answers.is_empty() {
            context.tell(Message::Answers(self.version, answers));
        }
        self.next.load(Ordering::Relaxed) < pieces.len()
    }

    /// Finds the first steps of a path and tells them at once.
    fn find_first_steps(
        &self,
        piece: &Piece,
        answers: &mut Vec<(Ticket, Answered)>,
        context: &TaskContext<Message>,
    ) {
        let Some(search) = piece.work.in_steps().filter(|_| self.is_awaited(piece)) else { return };
        // Nothing is known yet: each place in `in_steps` is handed out once, and nothing else writes progress.
        let Ok(mut progress) = piece.progress.lock() else { return };
        let started = context.workers().clock_usec();
        let found = search.start();
        let usec = context.workers().clock_usec() - started;
        match found {
            Ok(prefix) => {
                let answer = Answered { outcome: Box::new(search.first_steps(&prefix)), usec };
                let mut first_steps = Vec::new();
                tell(&mut first_steps, &piece.tickets, &answer);
                context.tell(Message::Prefixes(self.version, first_steps));
                *progress = Progress::Prefix(Box::new(prefix), usec);
            }
            Err(outcome) => {
                tell(answers, &piece.tickets, &Answered { outcome: Box::new(outcome), usec });
                *progress = Progress::Answered;
            }
        }
    }

    /// Finds the answer of a piece, or the rest of its path if its first steps are known.
    fn answer(&self, piece: &Piece, answers: &mut Vec<(Ticket, Answered)>, workers: &dyn Workers) {
        if !self.is_awaited(piece) {
            return;
        }
        // Taken out under the lock, so that the search itself runs without it.
        let progress = piece.progress.lock().map_or(Progress::Nothing, |mut it| std::mem::take(&mut *it));
        let started = workers.clock_usec();
        let (outcome, earlier) = match (progress, piece.work.in_steps()) {
            (Progress::Answered, _) => return,
            (Progress::Prefix(prefix, usec), Some(search)) => (search.resume(*prefix), usec),
            _ => (piece.work.run(&self.scratch), 0),
        };
        // Both parts of the search count, whichever threads they ran on.
        let usec = earlier + (workers.clock_usec() - started);
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
