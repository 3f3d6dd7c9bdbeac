//! A batch of requests on the workers' side: planned by one of them, searched by all.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, OnceLock};

use super::shared::{Work, share_fields};
use super::{Ticket, Workers};
use crate::geometry::Cell;
use crate::world::hierarchical::WayBegun;
use crate::world::layers::Layers;
use crate::world::snapshot::ScratchPool;
use crate::world::{GoalMode, MapVersion, PathOutcome, PathQuery, Plan, Profile, SearchMode, World};

/// Searches that a worker does before it lets others have a turn.
const TURN: usize = 8;

/// What workers tell.
pub(super) enum News {
    /// A batch is planned; these are the layers that it made or found.
    Planned(MapVersion, Box<Layers>),
    /// The first steps of some requests' paths are known.
    Begun(MapVersion, Vec<(Ticket, Answered)>),
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
    /// The place in the works of the next to set out on, and of the next to answer.
    next_begun: AtomicUsize,
    next: AtomicUsize,
    done: AtomicUsize,
    cancelled: Mutex<BTreeSet<Ticket>>,
    stop: Arc<AtomicBool>,
    version: MapVersion,
    scratch: Arc<ScratchPool>,
}

/// What there is to do: first all first steps, then all answers.
struct Works {
    pieces: Vec<Piece>,
    /// The places of those whose first steps somebody wants.
    in_steps: Vec<usize>,
}

/// One search and whoever waits for it.
pub(super) struct Piece {
    pub(super) work: Work,
    pub(super) tickets: Vec<Ticket>,
    /// How far it is. Who answers waits for whoever is setting out.
    pub(super) progress: Mutex<Progress>,
}

/// How far a search is.
#[derive(Default)]
pub(super) enum Progress {
    #[default]
    Nothing,
    /// With the microseconds that it took.
    Begun(Box<WayBegun>, u64),
    Answered,
}

/// What was asked, and of which requests first steps are wanted, in ascending order.
pub(super) struct Asked {
    pub(super) queries: Vec<(Ticket, PathQuery)>,
    pub(super) in_steps: Vec<Ticket>,
}

/// What makes two queries the same.
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

impl Batch {
    /// Sends requests to the workers.
    pub(super) fn begin(
        workers: &Arc<dyn Workers>,
        world: World,
        asked: Asked,
        sender: Sender<News>,
        stop: &Arc<AtomicBool>,
    ) -> Arc<Self> {
        let batch = Arc::new(Self {
            works: OnceLock::new(),
            next_begun: AtomicUsize::new(0),
            next: AtomicUsize::new(0),
            done: AtomicUsize::new(0),
            cancelled: Mutex::default(),
            stop: Arc::clone(stop),
            version: world.version(),
            scratch: Arc::clone(&world.scratch),
        });
        let (sent, crew) = (Arc::clone(&batch), Arc::clone(workers));
        workers.spawn(Box::new(move || sent.plan(world, &asked, &sender, &crew)));
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
        self.works.get().is_some_and(|works| self.done.load(Ordering::Relaxed) >= works.pieces.len())
    }

    fn plan(
        self: Arc<Self>,
        mut world: World,
        asked: &Asked,
        sender: &Sender<News>,
        workers: &Arc<dyn Workers>,
    ) {
        if self.stop.load(Ordering::Relaxed) {
            return;
        }
        let mut answers = Vec::new();
        let (mut pieces, mut profiles) = (Vec::new(), Vec::new());
        for (query, tickets) in distinct(&asked.queries) {
            let begun = workers.clock_usec();
            match world.plan(query) {
                Plan::Answered(outcome) => {
                    let usec = workers.clock_usec() - begun;
                    tell(&mut answers, &tickets, &Answered { outcome: Box::new(outcome), usec });
                }
                Plan::Search(job) => {
                    let work = Work::Search(Box::new(job));
                    pieces.push(Piece { work, tickets, progress: Mutex::default() });
                    profiles.push(query.profile);
                }
            }
        }
        share_fields(&mut world, &mut pieces, &profiles);
        let wanted = |ticket: &Ticket| asked.in_steps.binary_search(ticket).is_ok();
        let in_steps = |&place: &usize| {
            let piece: &Piece = &pieces[place];
            piece.work.in_steps().is_some() && piece.tickets.iter().any(wanted)
        };
        let in_steps = (0..pieces.len()).filter(in_steps).collect();
        let pieces = self.works.get_or_init(|| Works { pieces, in_steps }).pieces.len();
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
        let Some(Works { pieces, in_steps }) = self.works.get() else { return false };
        let mut answers = Vec::new();
        for _ in 0..TURN {
            if self.stop.load(Ordering::Relaxed) {
                return false;
            }
            if let Some(&place) = in_steps.get(self.next_begun.fetch_add(1, Ordering::Relaxed)) {
                self.set_out(&pieces[place], &mut answers, sender, workers);
                break;
            }
            let Some(piece) = pieces.get(self.next.fetch_add(1, Ordering::Relaxed)) else { break };
            self.answer(piece, &mut answers, workers);
            self.done.fetch_add(1, Ordering::Relaxed);
            if piece.work.takes_long() {
                break;
            }
        }
        if !answers.is_empty() {
            let _ = sender.send(News::Answers(self.version, answers));
        }
        self.next.load(Ordering::Relaxed) < pieces.len()
    }

    /// Finds the first steps of a path and tells them at once.
    fn set_out(
        &self,
        piece: &Piece,
        answers: &mut Vec<(Ticket, Answered)>,
        sender: &Sender<News>,
        workers: &dyn Workers,
    ) {
        let Some(search) = piece.work.in_steps().filter(|_| self.is_awaited(piece)) else { return };
        let Ok(mut progress) = piece.progress.lock() else { return };
        if !matches!(*progress, Progress::Nothing) {
            return;
        }
        let begun = workers.clock_usec();
        let found = search.set_out();
        let usec = workers.clock_usec() - begun;
        match found {
            Ok(way) => {
                let answer = Answered { outcome: Box::new(search.first_steps(&way)), usec };
                let mut first_steps = Vec::new();
                tell(&mut first_steps, &piece.tickets, &answer);
                let _ = sender.send(News::Begun(self.version, first_steps));
                *progress = Progress::Begun(Box::new(way), usec);
            }
            Err(outcome) => {
                tell(answers, &piece.tickets, &Answered { outcome: Box::new(outcome), usec });
                *progress = Progress::Answered;
            }
        }
    }

    /// Finds the answer, or what is missing of it.
    fn answer(&self, piece: &Piece, answers: &mut Vec<(Ticket, Answered)>, workers: &dyn Workers) {
        if !self.is_awaited(piece) {
            return;
        }
        let progress = piece.progress.lock().map_or(Progress::Nothing, |mut it| std::mem::take(&mut *it));
        let begun = workers.clock_usec();
        let (outcome, earlier) = match (progress, piece.work.in_steps()) {
            (Progress::Answered, _) => return,
            (Progress::Begun(way, usec), Some(search)) => (search.go_on(*way), usec),
            _ => (piece.work.run(&self.scratch), 0),
        };
        let usec = earlier + (workers.clock_usec() - begun);
        tell(answers, &piece.tickets, &Answered { outcome: Box::new(outcome), usec });
    }

    /// Whether somebody waits for it.
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
