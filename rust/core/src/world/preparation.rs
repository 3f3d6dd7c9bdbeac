//! What paths of a kind of body are searched on, made before anybody asks for one.
//!
//! Workers make it on a [snapshot](World::snapshot), turn by turn; the world takes over what is there after the first turn
//! and shares its clusters from then on, so searches meanwhile use those that are made. When an edit comes, the work
//! goes on with a new snapshot, which has what was made before.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use super::layers::Layers;
use super::requests::Workers;
use super::{MapVersion, Profile, SearchMode, World};
use crate::bitgrid::BitGrid;
use crate::geometry::DiagonalMode;
use crate::hierarchy::{BodyGround, Hierarchy};
use crate::passability::StandCosts;

/// Blocks of clusters that a thread makes before others have a turn: some ten milliseconds.
const TURN: usize = 4;

/// Orders of what is to be made in the background for one world.
pub struct Preparations {
    workers: Arc<dyn Workers>,
    /// The first one is worked on.
    open: VecDeque<(Profile, SearchMode)>,
    under_way: Option<UnderWay>,
    sender: Sender<News>,
    receiver: Receiver<News>,
}

/// The work for the first order.
struct UnderWay {
    version: MapVersion,
    outdated: Arc<AtomicBool>,
}

/// What workers tell.
struct News {
    version: MapVersion,
    layers: Box<Layers>,
    end: Option<End>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// Everything is made.
    Complete,
    /// The world was edited meanwhile.
    Outdated,
}

impl Preparations {
    /// No orders yet; those that come are worked on by `workers`.
    pub fn new(workers: Arc<dyn Workers>) -> Self {
        let (sender, receiver) = channel();
        Self { workers, open: VecDeque::new(), under_way: None, sender, receiver }
    }

    /// Asks for what paths of `profile` by `search_mode` are searched on. Orders are carried out one after the other.
    pub fn order(&mut self, profile: Profile, search_mode: SearchMode) {
        self.open.push_back((profile, search_mode));
    }

    /// Number of orders that are not carried out yet.
    pub fn len(&self) -> usize {
        self.open.len()
    }

    /// Whether every order was carried out.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Takes in what the workers have made, and has them go on. `world` is the world that the orders are about. Returns
    /// whether the first order was carried out since the last time.
    pub fn pump(&mut self, world: &mut World) -> bool {
        let mut completed = false;
        while let Ok(News { version, layers, end }) = self.receiver.try_recv() {
            world.adopt(version, *layers, &*self.workers);
            let Some(end) = end else { continue };
            self.under_way = None;
            // Of edits that came when all was made, the next search does the little that they cost.
            if end == End::Complete && version.epoch == world.version().epoch {
                self.open.pop_front();
                completed = true;
            }
        }
        let version = world.version();
        match (&self.under_way, self.open.front()) {
            (Some(work), _) if work.version != version => work.outdated.store(true, Ordering::Relaxed),
            (None, Some(&(profile, search_mode))) => {
                let outdated = Arc::new(AtomicBool::new(false));
                self.under_way = Some(UnderWay { version, outdated: Arc::clone(&outdated) });
                let making = Making {
                    world: world.snapshot(),
                    profile,
                    search_mode,
                    next: None,
                    outdated,
                    sender: self.sender.clone(),
                };
                making.take_turn(&self.workers);
            }
            _ => {}
        }
        completed
    }
}

impl Drop for Preparations {
    fn drop(&mut self) {
        if let Some(work) = &self.under_way {
            work.outdated.store(true, Ordering::Relaxed);
        }
    }
}

impl std::fmt::Debug for Preparations {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Preparations").field("open", &self.open).finish_non_exhaustive()
    }
}

/// The work for an order, on the workers' side.
struct Making {
    world: World,
    profile: Profile,
    search_mode: SearchMode,
    /// The block to go on with; `None` before the first turn.
    next: Option<u32>,
    outdated: Arc<AtomicBool>,
    sender: Sender<News>,
}

impl Making {
    fn take_turn(mut self, workers: &Arc<dyn Workers>) {
        let crew = Arc::clone(workers);
        workers.spawn(Box::new(move || {
            let is_first = self.next.is_none();
            let end = self.turn(crew.count());
            if end.is_some() || is_first {
                self.tell(end);
            }
            if end.is_none() {
                self.take_turn(&crew);
            }
        }));
    }

    /// Does some of the work; returns how it ended, if it did.
    fn turn(&mut self, threads: usize) -> Option<End> {
        if self.outdated.load(Ordering::Relaxed) {
            return Some(End::Outdated);
        }
        let Some(clusters) = self.world.lay_ground(&self.profile, self.search_mode) else {
            return Some(End::Complete);
        };
        // The layers are told of before any cluster is made.
        let blocks = if self.next.is_none() { 0 } else { TURN * threads.max(1) };
        self.next = clusters.complete_some(self.next.unwrap_or(0), blocks);
        self.next.is_none().then_some(End::Complete)
    }

    fn tell(&self, end: Option<End>) {
        // The channel is closed when the orders are gone.
        let layers = Box::new(self.world.layers.clone());
        let _ = self.sender.send(News { version: self.world.version(), layers, end });
    }
}

/// The clusters of a kind of body, and what they are made from.
struct Clusters {
    hierarchy: Arc<Hierarchy>,
    stands: Arc<BitGrid>,
    costs: Option<Arc<StandCosts>>,
    mode: DiagonalMode,
}

impl Clusters {
    fn ground(&self) -> BodyGround<'_> {
        BodyGround::new(&self.stands, self.costs.as_deref(), self.mode)
    }

    fn complete_some(&self, first: u32, blocks_max: usize) -> Option<u32> {
        self.hierarchy.complete_some(&self.ground(), first, blocks_max)
    }
}

impl World {
    /// Makes all that paths of `profile` by `search_mode` are searched on, on all threads of rayon's current pool.
    pub fn prepare_profile(&mut self, profile: &Profile, search_mode: SearchMode) {
        if let Some(clusters) = self.lay_ground(profile, search_mode) {
            clusters.hierarchy.complete(&clusters.ground());
        }
    }

    /// Makes the layers; returns the clusters, some of which may not be made, if those are searched.
    fn lay_ground(&mut self, profile: &Profile, search_mode: SearchMode) -> Option<Clusters> {
        if self.terrain.region().is_empty() {
            return None;
        }
        let (stands, _) = self.ground_of(profile);
        let costs = self.weighing(profile);
        let (key, mode) = (profile.layer_key(), profile.diagonal_mode);
        self.layers.jump_map(&self.terrain, key, mode);
        if search_mode != SearchMode::Hierarchical {
            return None;
        }
        let hierarchy = self.layers.hierarchy(&self.terrain, &self.influences, profile, costs.is_some());
        Some(Clusters { hierarchy: Arc::clone(hierarchy), stands, costs, mode })
    }
}
