//! The façade: owns the terrain and everything derived from it, and chooses the engine for a query.

mod announcements;
mod background;
mod body_coverage;
mod cache;
mod clearances;
mod field_build;
mod field_upkeep;
mod fields;
mod hierarchical;
mod influences;
mod kept;
pub(crate) mod landmarks;
mod layer;
mod layers;
mod overlaid;
mod overlay;
pub(crate) mod plan;
mod positions;
mod preparation;
mod query;
mod range;
mod requests;
mod snapshot;
mod surfaces;

pub use announcements::{ANNOUNCEMENTS_MAX, Announcements};
pub use background::Workers;
pub use body_coverage::BodyCoverage;
pub use clearances::ClearanceKey;
pub use field_upkeep::{FieldFigures, FieldMessage, FieldUpkeep};
pub use fields::{FieldKind, FieldOrder, FieldSource, MapVersion};
pub(crate) use plan::{Plan, SearchJob};
pub use preparation::Preparations;
pub use query::{Engine, GoalMode, PathOutcome, PathQuery, Profile, Reason, SearchMode, Status};
pub use range::LargestFootprint;
pub use requests::{PathAnswer, PathRequests, Ticket};

use std::sync::Arc;

use crate::bitgrid::{BitGrid, cell_at};
use crate::clearance::clearance_at;
use crate::connectivity::{AnyPlacement, Components, nearest_placements};
use crate::geometry::{Cell, CellRect};
use crate::parallel;
use crate::passability::LayerKey;
use crate::primitives::ScratchPool;
use crate::search::Scratch;
use crate::terrain::{RegionError, Terrain};
use clearances::{Clearances, no_clearances};
use influences::Influences;
use layers::Layers;
use surfaces::{SurfaceCache, no_surfaces};

/// A map and everything that is derived from it. Derived structures are built when they are first asked for,
/// and repaired when they are next asked for after an edit.
///
/// ```
/// use pathforge_core::geometry::{Cell, CellRect};
/// use pathforge_core::world::{PathQuery, Profile, Reason, Status, World};
///
/// let mut world = World::new(CellRect::new(0, 0, 64, 64))?;
/// let query = PathQuery::new(Cell::new(0, 0), Cell::new(63, 63), Profile::default());
/// assert_eq!(world.find_path(&query).status, Status::Complete);
/// world.terrain_mut().fill_solid(CellRect::new(0, 30, 64, 1), true);
/// assert_eq!(world.find_path(&query).reason, Some(Reason::Disconnected));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct World {
    terrain: Terrain,
    /// Counts how often all cells were replaced.
    epoch: u64,
    /// The revision of the cells when the map was made.
    first_revision: u64,
    layers: Layers,
    influences: Influences,
    clearances: Clearances,
    /// Counts the changes of all clearance maps.
    clearance_changes: u64,
    surfaces: SurfaceCache,
    /// Scratch memory that no search uses at the moment.
    scratch: Arc<ScratchPool<Scratch>>,
    statistics: Statistics,
}

/// Statistics: what a world has done so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Paths that were asked for.
    pub queries: u64,
    /// Nodes that searches for them expanded.
    pub expanded: u64,
    /// Layers that were repaired or built anew after edits.
    pub repairs: u64,
}

impl Default for World {
    fn default() -> Self {
        Self::from_terrain(Terrain::new(CellRect::default()).expect("an empty region is always allowed"))
    }
}

impl World {
    /// Returns a map of open cells.
    ///
    /// # Errors
    /// As [`Terrain::new`].
    pub fn new(region: CellRect) -> Result<Self, RegionError> {
        Terrain::new(region).map(Self::from_terrain)
    }

    /// Returns a world with the cells of `terrain`.
    pub fn from_terrain(terrain: Terrain) -> Self {
        Self {
            first_revision: terrain.revision(),
            terrain,
            epoch: 0,
            layers: Layers::default(),
            influences: Influences::default(),
            clearances: no_clearances(),
            clearance_changes: 0,
            surfaces: no_surfaces(),
            scratch: Arc::default(),
            statistics: Statistics::default(),
        }
    }

    /// Returns the cells.
    pub const fn terrain(&self) -> &Terrain {
        &self.terrain
    }

    /// Returns the revision that the cells had when the map was made: what came later was an edit.
    pub(crate) const fn first_revision(&self) -> u64 {
        self.first_revision
    }

    /// Marks what was edited so far as the making of the map: a diagnosis blames none of it for a closed
    /// path.
    pub const fn end_making(&mut self) {
        self.first_revision = self.terrain.revision();
        self.terrain.seal_journal();
    }

    /// Returns the cells, to be edited.
    pub const fn terrain_mut(&mut self) -> &mut Terrain {
        &mut self.terrain
    }

    /// Replaces all cells, and the region with them. Obstacles and the limit on memory stay, and so do
    /// influences unless the region is another one.
    pub fn replace_terrain(&mut self, mut terrain: Terrain) {
        terrain.take_obstacles(&self.terrain);
        // Another epoch, so that no version of the old map equals one of the new map.
        let (memory_max, epoch) = (self.layer_memory_max(), self.epoch + 1);
        // Scratch memory grows with the largest map; the new one can use it as it is.
        let scratch = Arc::clone(&self.scratch);
        // Values of influence are kept by cell, so they fit no other region.
        let influences = if terrain.region() == self.terrain.region() {
            std::mem::take(&mut self.influences)
        } else {
            Influences::default()
        };
        let statistics = self.statistics();
        // Listeners that know changes of the old map's clearance hear that all of the new one's is another.
        let clearance_changes = self.clearance_changes;
        *self =
            Self { epoch, influences, clearance_changes, scratch, statistics, ..Self::from_terrain(terrain) };
        self.set_layer_memory_max(memory_max);
    }

    /// Changes the region and keeps the cells that the old and the new region share.
    ///
    /// # Errors
    /// As [`Terrain::new`]; nothing changes then.
    pub fn set_region(&mut self, region: CellRect) -> Result<(), RegionError> {
        let resized = self.terrain.resized(region)?;
        self.replace_terrain(resized);
        Ok(())
    }

    /// Bounds the memory of layers and of what is derived from them, in bytes: the least recently used are
    /// dropped first.
    pub fn set_layer_memory_max(&mut self, bytes: usize) {
        self.layers.kept.set_memory_max(bytes);
    }

    /// Returns the bound of [`World::set_layer_memory_max`], in bytes.
    pub const fn layer_memory_max(&self) -> usize {
        self.layers.kept.limits().bytes
    }

    /// Returns the bytes that the cells, the layers, the influences, the clearance maps and the surfaces
    /// take.
    pub fn memory(&self) -> usize {
        self.terrain.memory()
            + self.layers.memory()
            + self.influences.memory()
            + self.clearances.memory()
            + self.surfaces.memory()
    }

    /// Returns the number of layers that are kept at the moment.
    pub fn layer_count(&self) -> usize {
        self.layers.kept.len()
    }

    /// Returns the placements of a layer, one bit a cell, up to date. The grid never changes: a later repair
    /// works on a copy.
    pub fn placements(&mut self, key: LayerKey) -> &Arc<BitGrid> {
        self.layers.placements(&self.terrain, &key)
    }

    /// Returns whether the body of `profile` fits with its top-left cell at `anchor`.
    pub fn is_placement(&mut self, anchor: Cell, profile: &Profile) -> bool {
        let Ok((x, y)) = self.terrain.local(anchor) else { return false };
        let layer = self.layers.placements(&self.terrain, &profile.layer_key());
        layer.at(x, y)
    }

    /// True clearance at `cell` for bodies that walk where that of `profile` does, without a stored map and
    /// without a maximum; 0 outside the region. The footprint does not matter.
    pub fn clearance_at(&mut self, cell: Cell, profile: &Profile) -> u32 {
        let Ok((x, y)) = self.terrain.local(cell) else { return 0 };
        // Clearance is measured on open cells, which are the placements of a single cell.
        let layer = self.layers.placements(&self.terrain, &profile.layer_key().of_one_cell());
        clearance_at(layer, x, y)
    }

    /// Returns the placement of `profile`'s body nearest to `cell`, which may lie anywhere, at most
    /// `distance_max` cells away: Euclidean, from `cell` to the body's nearest cell. The first in reading
    /// order of several; `None` without any.
    pub fn nearest_fit(&mut self, cell: Cell, profile: &Profile, distance_max: Option<f64>) -> Option<Cell> {
        let squared_max = match distance_max {
            None => u128::MAX,
            // Squares of distances between cells are whole, so the limit is rounded down.
            Some(distance) if distance >= 0.0 => (distance * distance).floor() as u128,
            Some(_) => return None,
        };
        let region = self.terrain.region();
        let target = plan::covering_anchors(region, cell, profile.footprint);
        let layer = self.layers.placements(&self.terrain, &profile.layer_key());
        let (_, placements) = nearest_placements(layer, target, squared_max, &AnyPlacement)?;
        Some(cell_at(region, layer.layout().xy(*placements.first()?)))
    }

    /// Returns the placements of the body of `profile`, and which of them can reach each other.
    pub fn components(&mut self, profile: &Profile) -> (Arc<BitGrid>, Arc<Components>) {
        let (placements, components) =
            self.layers.components(&self.terrain, &profile.layer_key(), profile.diagonal_mode);
        (Arc::clone(placements), Arc::clone(components))
    }

    /// Returns what the world has done so far.
    pub fn statistics(&self) -> Statistics {
        Statistics { repairs: self.statistics.repairs + self.layers.repairs(), ..self.statistics }
    }

    /// Counts an answer.
    fn note(&mut self, outcome: &PathOutcome) {
        self.statistics.queries += 1;
        self.statistics.expanded += u64::from(outcome.expanded);
    }

    /// Answers `query`.
    pub fn find_path(&mut self, query: &PathQuery) -> PathOutcome {
        let outcome = self.answer(query);
        self.note(&outcome);
        outcome
    }

    fn answer(&mut self, query: &PathQuery) -> PathOutcome {
        self.terrain.mark_journal_read();
        self.overlaid(query, |world| {
            // On a small map that was just edited, or under an overlay, a search takes less than a repair of
            // the components.
            world.find_path_without_components(query).unwrap_or_else(|| {
                let plan = world.plan(query);
                world.carry_out(plan)
            })
        })
    }

    /// Answers many queries, on all threads of rayon's current pool; results are in the order of the queries
    /// and do not depend on the number of threads. With each comes how long it took by `clock`, which many
    /// threads read: the world has none of its own. Those with cells that are blocked for them alone are
    /// answered one after the other.
    pub fn find_paths(
        &mut self,
        queries: &[PathQuery],
        clock: impl Fn() -> u64 + Sync,
    ) -> Vec<(PathOutcome, u64)> {
        let plan = |query| {
            let started = clock();
            let plan = self.plan(query);
            (plan, clock() - started)
        };
        // Planning builds layers, so it runs on one thread; the searches only read, so they run on all.
        let plans: Vec<(Plan, u64)> = queries.iter().map(plan).collect();
        let outcomes = parallel::map(plans, |(plan, planning)| {
            let started = clock();
            let outcome = self.carry_out(plan);
            (outcome, planning + (clock() - started))
        });
        // After the searches: the statistics need the world, which the threads have borrowed.
        for (outcome, _) in &outcomes {
            self.note(outcome);
        }
        outcomes
    }

    /// Returns whether `query` would find a path, without a search. Takes a repair of a copy of the
    /// components when cells are blocked for it alone.
    pub fn is_reachable(&mut self, query: &PathQuery) -> bool {
        self.blocked_by(&query.profile, query.blocked(), |world| match query.goal_mode {
            GoalMode::Exact => world.is_joined(query.start, query.goal, &query.profile),
            GoalMode::Cover | GoalMode::Nearest => world.reaches(query),
        })
    }

    /// Returns whether two cells are placements of the body, in one component.
    fn is_joined(&mut self, a: Cell, b: Cell, profile: &Profile) -> bool {
        let (Ok(a), Ok(b)) = (self.terrain.local(a), self.terrain.local(b)) else { return false };
        let (placements, components) =
            self.layers.components(&self.terrain, &profile.layer_key(), profile.diagonal_mode);
        let component = |(x, y)| components.component_at(placements, x, y);
        component(a).is_some_and(|of_start| component(b) == Some(of_start))
    }

    /// Returns the answer of a plan, searched for if it is not there.
    fn carry_out(&self, plan: Plan) -> PathOutcome {
        match plan {
            Plan::Answered(outcome) => outcome,
            Plan::Search(job) => self.run(&job),
        }
    }

    /// Runs a job on scratch memory of this world's.
    fn run(&self, job: &SearchJob) -> PathOutcome {
        self.with_scratch(|scratch| job.run(scratch))
    }

    /// Does `work` with scratch memory of this world's, which nothing else uses meanwhile.
    fn with_scratch<T>(&self, work: impl FnOnce(&mut Scratch) -> T) -> T {
        self.scratch.lend(work)
    }
}
