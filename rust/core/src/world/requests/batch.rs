//! A batch of requests on the workers' side: planned by one of them, searched by all.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, OnceLock};

use super::shared::{Work, share_fields};
use super::{Ticket, Workers};
use crate::geometry::Cell;
use crate::world::layers::Layers;
use crate::world::snapshot::ScratchPool;
use crate::world::{GoalMode, MapVersion, PathOutcome, PathQuery, Plan, Profile, SearchMode, World};

/// Searches that a worker does before it lets others have a turn.
const TURN: usize = 8;

/// What workers tell.
pub(super) enum News {
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
    works: OnceLock<Vec<Piece>>,
    next: AtomicUsize,
    done: AtomicUsize,
    cancelled: Mutex<BTreeSet<Ticket>>,
    stop: Arc<AtomicBool>,
    version: MapVersion,
    scratch: Arc<ScratchPool>,
}

/// One search and whoever waits for it.
pub(super) struct Piece {
    pub(super) work: Work,
    pub(super) tickets: Vec<Ticket>,
}

/// What makes two queries the same.
#[derive(PartialEq, Eq, Hash)]
struct QueryKey {
    start: Cell,
    goal: Cell,
    /// The place of the profile among those of the batch.
    profile: usize,
    goal_mode: GoalMode,
    search_mode: SearchMode,
    expansions_max: u32,
    smoothing: bool,
}

impl Batch {
    /// Sends requests to the workers.
    pub(super) fn begin(
        workers: &Arc<dyn Workers>,
        world: World,
        queries: Vec<(Ticket, PathQuery)>,
        sender: Sender<News>,
        stop: &Arc<AtomicBool>,
    ) -> Arc<Self> {
        let batch = Arc::new(Self {
            works: OnceLock::new(),
            next: AtomicUsize::new(0),
            done: AtomicUsize::new(0),
            cancelled: Mutex::default(),
            stop: Arc::clone(stop),
            version: world.version(),
            scratch: Arc::clone(&world.scratch),
        });
        let (sent, crew) = (Arc::clone(&batch), Arc::clone(workers));
        workers.spawn(Box::new(move || sent.plan(world, &queries, &sender, &crew)));
        batch
    }

    /// Says that nobody waits for `ticket` any more.
    pub(super) fn cancel(&self, ticket: Ticket) {
        if let Ok(mut cancelled) = self.cancelled.lock() {
            cancelled.insert(ticket);
        }
    }

    /// Whether every request of the batch is answered.
    pub(super) fn is_done(&self) -> bool {
        self.works.get().is_some_and(|works| self.done.load(Ordering::Relaxed) >= works.len())
    }

    fn plan(
        self: Arc<Self>,
        mut world: World,
        queries: &[(Ticket, PathQuery)],
        sender: &Sender<News>,
        workers: &Arc<dyn Workers>,
    ) {
        if self.stop.load(Ordering::Relaxed) {
            return;
        }
        let mut answers = Vec::new();
        let (mut pieces, mut profiles) = (Vec::new(), Vec::new());
        for (query, tickets) in distinct(queries) {
            let begun = workers.clock_usec();
            match world.plan(query) {
                Plan::Answered(outcome) => {
                    let usec = workers.clock_usec() - begun;
                    tell(&mut answers, &tickets, &Answered { outcome: Box::new(outcome), usec });
                }
                Plan::Search(job) => {
                    pieces.push(Piece { work: Work::Search(Box::new(job)), tickets });
                    profiles.push(query.profile);
                }
            }
        }
        share_fields(&mut world, &mut pieces, &profiles);
        let pieces = self.works.get_or_init(|| pieces).len();
        // The channel is closed when the requests are gone.
        let _ = sender.send(News::Answers(self.version, answers));
        let (version, layers) = world.into_layers();
        let _ = sender.send(News::Planned(version, Box::new(layers)));
        for _ in 0..workers.count().clamp(1, pieces.max(1)) {
            Self::take_turn(&self, sender.clone(), workers);
        }
    }

    /// Has a worker do some of the searches that nobody has begun.
    fn take_turn(self: &Arc<Self>, sender: Sender<News>, workers: &Arc<dyn Workers>) {
        let (batch, crew) = (Arc::clone(self), Arc::clone(workers));
        workers.spawn(Box::new(move || {
            if batch.work(&sender, &*crew) {
                Self::take_turn(&batch, sender, &crew);
            }
        }));
    }

    /// Does some of the searches; tells whether there may be more.
    fn work(&self, sender: &Sender<News>, workers: &dyn Workers) -> bool {
        let Some(works) = self.works.get() else { return false };
        let mut answers = Vec::new();
        for _ in 0..TURN {
            let Some(piece) = works.get(self.next.fetch_add(1, Ordering::Relaxed)) else { break };
            if self.stop.load(Ordering::Relaxed) {
                return false;
            }
            let waits = |ticket: &Ticket| self.cancelled.lock().is_ok_and(|c| !c.contains(ticket));
            if piece.tickets.iter().any(waits) {
                let begun = workers.clock_usec();
                let outcome = Box::new(piece.work.run(&self.scratch));
                let usec = workers.clock_usec() - begun;
                tell(&mut answers, &piece.tickets, &Answered { outcome, usec });
            }
            self.done.fetch_add(1, Ordering::Relaxed);
        }
        if !answers.is_empty() {
            let _ = sender.send(News::Answers(self.version, answers));
        }
        self.next.load(Ordering::Relaxed) < works.len()
    }
}

/// Adds the answer for each of `tickets`.
fn tell(answers: &mut Vec<(Ticket, Answered)>, tickets: &[Ticket], answer: &Answered) {
    answers.extend(tickets.iter().map(|&ticket| (ticket, answer.clone())));
}

/// Each different query once, in the order of their first tickets, with the tickets that ask it.
fn distinct(queries: &[(Ticket, PathQuery)]) -> Vec<(&PathQuery, Vec<Ticket>)> {
    let mut profiles: Vec<&Profile> = Vec::new();
    let mut places: HashMap<QueryKey, usize> = HashMap::with_capacity(queries.len());
    let mut all: Vec<(&PathQuery, Vec<Ticket>)> = Vec::new();
    for (ticket, query) in queries {
        let profile = profiles.iter().position(|known| **known == query.profile).unwrap_or_else(|| {
            profiles.push(&query.profile);
            profiles.len() - 1
        });
        let PathQuery { start, goal, goal_mode, search_mode, expansions_max, smoothing, .. } = *query;
        let key = QueryKey { start, goal, profile, goal_mode, search_mode, expansions_max, smoothing };
        let place = *places.entry(key).or_insert_with(|| {
            all.push((query, Vec::new()));
            all.len() - 1
        });
        all[place].1.push(*ticket);
    }
    all
}
