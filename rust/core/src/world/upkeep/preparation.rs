//! Builds the data that paths of a kind of body are searched on, before the first query.
//!
//! A task builds on a [snapshot](World::snapshot), turn by turn. After the first turn the world adopts the
//! layers and shares their clusters, so searches in the meantime use the clusters that are ready. After an
//! edit the work continues on a new snapshot, which has what was built before.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::world::background::{Background, Task, TaskContext, Workers};
use crate::world::facade::World;
use crate::world::query::{Profile, SearchMode};
use crate::world::structures::{Clusters, Layers, MapVersion, Structures};

/// Blocks of clusters that a thread makes in a turn: some ten milliseconds, for which path requests wait at
/// most. With half of them, threads wait for each other at the end of twice as many turns.
const BLOCKS_PER_TURN: usize = 4;

/// Orders of what is to be made in the background for one world.
#[derive(Debug)]
pub struct Preparations {
    background: Background<Made>,
    /// The first one is worked on.
    open: VecDeque<(Profile, SearchMode)>,
    /// The state of the world that the work for the first order was started on.
    under_way: Option<MapVersion>,
}

/// What a task has made so far.
struct Made {
    version: MapVersion,
    layers: Box<Layers>,
    end: Option<End>,
}

/// How the work for an order ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// Everything is made.
    Complete,
    /// The world was edited meanwhile.
    Outdated,
}

impl Preparations {
    /// No orders yet. `workers` work on later orders.
    pub fn new(workers: Arc<dyn Workers>) -> Self {
        Self { background: Background::new(workers), open: VecDeque::new(), under_way: None }
    }

    /// Asks for what paths of `profile` by `search_mode` are searched on. Orders are carried out one after
    /// the other.
    pub fn order(&mut self, profile: Profile, search_mode: SearchMode) {
        self.open.push_back((profile, search_mode));
    }

    /// Returns the number of orders that are not carried out yet.
    pub fn len(&self) -> usize {
        self.open.len()
    }

    /// Returns whether every order was carried out.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Takes in what the workers have made, and has them go on. `world` is the world that the orders are
    /// about. Returns whether the first order was carried out since the last time.
    pub fn pump(&mut self, world: &mut World) -> bool {
        let mut completed = false;
        while let Some(Made { version, layers, end }) = self.background.next_message() {
            // Also from work that was stopped: what was made on the older map is repaired instead of built.
            world.adopt(version, *layers, self.background.workers());
            let Some(end) = end else { continue };
            self.under_way = None;
            // Of edits that came when all was made, the next search does the little that they cost.
            if end == End::Complete && version.epoch == world.version().epoch {
                self.open.pop_front();
                completed = true;
            }
        }
        let version = world.version();
        match (self.under_way, self.open.front()) {
            // The task ends with a message at its next turn; the work is then started again on a new
            // snapshot.
            (Some(started), _) if started != version => self.background.stop(),
            (None, Some(&(profile, search_mode))) => {
                self.under_way = Some(version);
                self.background.start(Making { world: world.snapshot(), profile, search_mode, next: None });
            }
            _ => {}
        }
        completed
    }
}

/// The work for an order.
struct Making {
    world: World,
    profile: Profile,
    search_mode: SearchMode,
    /// The block to go on with; `None` before the first turn.
    next: Option<u32>,
}

impl Task<Made> for Making {
    fn turn(mut self, context: &TaskContext<Made>) -> Option<Self> {
        let is_first = self.next.is_none();
        let end =
            if context.is_stopped() { Some(End::Outdated) } else { self.make(context.workers().count()) };
        if end.is_some() || is_first {
            // Pointers to what is shared: the clusters that are made later reach the world without another
            // message.
            let layers = Box::new(self.world.kept.layers.clone());
            context.tell(Made { version: self.world.version(), layers, end });
        }
        end.is_none().then_some(self)
    }
}

impl Making {
    /// Does some of the work; returns how it ended, if it did.
    fn make(&mut self, threads: usize) -> Option<End> {
        let Some(clusters) = lay_ground(&mut self.world.kept, &self.profile, self.search_mode) else {
            return Some(End::Complete);
        };
        // The world gets the layers before any cluster is made, so that it can use the clusters one by one.
        let blocks = if self.next.is_none() { 0 } else { BLOCKS_PER_TURN * threads.max(1) };
        self.next = clusters.hierarchy.complete_some(&clusters.ground(), self.next.unwrap_or(0), blocks);
        self.next.is_none().then_some(End::Complete)
    }
}

/// Makes the layers; returns the clusters, some of which may not be made, if those are searched.
fn lay_ground(kept: &mut Structures, profile: &Profile, search_mode: SearchMode) -> Option<Clusters> {
    if kept.terrain.region().is_empty() {
        return None;
    }
    // Also builds the components, which planning a query asks for.
    let (placements, _) = kept.components(profile);
    let costs = kept.varying_costs(profile);
    let layer = kept.layers.layer(&kept.terrain, &profile.layer_key());
    layer.jump_map(profile.diagonal_mode);
    if let Some(costs) = costs {
        if costs.is_mostly_uniform() || layer.has_edges() {
            layer.cost_jump_map((&kept.terrain, &kept.influences), profile);
        }
        if search_mode != SearchMode::Hierarchical {
            layer.make_landmarks((&kept.terrain, &kept.influences), profile);
        }
    }
    (search_mode == SearchMode::Hierarchical).then(|| kept.clusters(profile, placements))
}
