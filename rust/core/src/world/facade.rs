//! The façade: owns the terrain and everything derived from it, and hands each question to the room that
//! answers it.

use std::sync::Arc;

use super::background::Workers;
use super::plan::{LargestFootprint, Plan, Planner};
use super::query::{PathOutcome, PathQuery, Profile};
use super::structures::{self, ClearanceKey, FieldSource, Layers, MapVersion, Structures};
use crate::bitgrid::LocalRect;
use crate::clearance::{ClearanceMap, clearance_at};
use crate::connectivity::Components;
use crate::cost::Cost;
use crate::geometry::{Cell, CellRect, Footprint};
use crate::parallel;
use crate::passability::{LayerKey, PlacementCosts, Placements, TerrainCosts};
use crate::primitives::ScratchPool;
use crate::raster::Raster;
use crate::search::Scratch;
use crate::surfaces::BodyLayers;
use crate::terrain::{RegionError, Terrain};
use crate::world::GoalMode;

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
    pub(super) kept: Structures,
    /// The revision of the cells when the map was made.
    first_revision: u64,
    /// Scratch memory that no search uses at the moment.
    pub(super) scratch: Arc<ScratchPool<Scratch>>,
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
            kept: Structures::new(terrain),
            scratch: Arc::default(),
            statistics: Statistics::default(),
        }
    }

    /// Returns the world as it is now, in constant time and next to no memory. Whichever of the two is edited
    /// first copies what it changes.
    #[must_use]
    pub fn snapshot(&self) -> Self {
        Self {
            kept: self.kept.snapshot(),
            first_revision: self.first_revision,
            scratch: Arc::clone(&self.scratch),
            // Answers are counted in the original when they are handed out.
            statistics: Statistics::default(),
        }
    }

    /// Gives up the layers, for the world that this is a snapshot of.
    pub(super) fn into_layers(self) -> (MapVersion, Layers) {
        (self.version(), self.kept.layers)
    }

    /// Takes the layers that a snapshot has made meanwhile, unless all cells were replaced since. `workers`
    /// give back what that replaces.
    pub(super) fn adopt(&mut self, version: MapVersion, layers: Layers, workers: &dyn Workers) {
        let replaced = self.kept.adopt(version, layers);
        if !replaced.is_empty() {
            // Large layers take milliseconds to free, which a frame of the game cannot spare.
            workers.spawn(Box::new(move || drop(replaced)));
        }
    }

    pub(super) fn planner(&mut self) -> Planner<'_> {
        Planner { kept: &mut self.kept, scratch: &self.scratch }
    }

    /// Returns the cells.
    pub const fn terrain(&self) -> &Terrain {
        &self.kept.terrain
    }

    /// Returns the revision that the cells had when the map was made: what came later was an edit.
    pub(crate) const fn first_revision(&self) -> u64 {
        self.first_revision
    }

    /// Marks what was edited so far as the making of the map: a diagnosis blames none of it for a closed
    /// path.
    pub const fn end_making(&mut self) {
        self.first_revision = self.kept.terrain.revision();
        self.kept.terrain.seal_journal();
    }

    /// Returns the cells, to be edited.
    pub const fn terrain_mut(&mut self) -> &mut Terrain {
        &mut self.kept.terrain
    }

    /// Replaces all cells, and the region with them. Obstacles and the limit on memory stay, and so do
    /// influences unless the region is another one.
    pub fn replace_terrain(&mut self, terrain: Terrain) {
        self.statistics = self.statistics();
        self.kept.replace_terrain(terrain);
        // The obstacles that stay are part of the new map's making.
        self.first_revision = self.kept.terrain.revision();
    }

    /// Changes the region and keeps the cells that the old and the new region share.
    ///
    /// # Errors
    /// As [`Terrain::new`]; nothing changes then.
    pub fn set_region(&mut self, region: CellRect) -> Result<(), RegionError> {
        let resized = self.kept.terrain.resized(region)?;
        self.replace_terrain(resized);
        Ok(())
    }

    /// Bounds the memory of layers and of what is derived from them, in bytes: the least recently used are
    /// dropped first.
    pub fn set_layer_memory_max(&mut self, bytes: usize) {
        self.kept.layers.set_memory_max(bytes);
    }

    /// Returns the bound of [`World::set_layer_memory_max`], in bytes.
    pub const fn layer_memory_max(&self) -> usize {
        self.kept.layers.memory_max()
    }

    /// Returns the bytes that the cells, the layers, the influences, the clearance maps and the surfaces
    /// take.
    pub fn memory(&self) -> usize {
        self.kept.memory()
    }

    /// Returns the number of layers that are kept at the moment.
    pub fn layer_count(&self) -> usize {
        self.kept.layers.count()
    }

    /// Returns the state that the world is in.
    pub(crate) fn version(&self) -> MapVersion {
        self.kept.version()
    }

    /// Returns rectangles that hold every anchor whose bit, or whose cost, may have changed for the body of
    /// `profile` since `version`. `None` if all may have changed, or if `version` is too old to know.
    pub fn anchors_changed_since(&self, version: MapVersion, profile: &Profile) -> Option<Vec<LocalRect>> {
        self.kept.anchors_changed_since(version, profile)
    }

    /// Returns the placements of a layer, one bit a cell, up to date. The grid never changes: a later repair
    /// works on a copy.
    pub fn placements(&mut self, key: LayerKey) -> &Arc<Placements> {
        self.kept.placements(&key)
    }

    /// Returns whether the body of `profile` fits with its top-left cell at `anchor`.
    pub fn is_placement(&mut self, anchor: Cell, profile: &Profile) -> bool {
        let Ok((x, y)) = self.kept.terrain.local(anchor) else { return false };
        self.kept.placements(&profile.layer_key()).at(x, y)
    }

    /// Returns the placements of the body of `profile`, and which of them can reach each other.
    pub fn components(&mut self, profile: &Profile) -> (Arc<Placements>, Arc<Components>) {
        self.kept.components(profile)
    }

    /// True clearance at `cell` for bodies that walk where that of `profile` does, without a stored map and
    /// without a maximum; 0 outside the region. The footprint does not matter.
    pub fn clearance_at(&mut self, cell: Cell, profile: &Profile) -> u32 {
        let Ok((x, y)) = self.kept.terrain.local(cell) else { return 0 };
        // Clearance is measured on open cells, which are the placements of a single cell.
        clearance_at(self.kept.placements(&profile.layer_key().of_one_cell()), x, y)
    }

    /// Returns the clearance of every cell, up to date.
    pub fn clearance_map(&mut self, key: ClearanceKey) -> &ClearanceMap {
        let Structures { terrain, layers, clearances, .. } = &mut self.kept;
        clearances.map((terrain, layers), key)
    }

    /// Returns the smallest rectangle of cells whose clearance changed after the change number `seen`, 0 for
    /// none, and the number to ask with next time. The whole region when that is too long ago to know.
    /// Several listeners may ask.
    pub fn clearance_changes_since(&mut self, key: ClearanceKey, seen: u64) -> (u64, Option<CellRect>) {
        let Structures { terrain, layers, clearances, .. } = &mut self.kept;
        clearances.changes_since((terrain, layers), key, seen)
    }

    /// Returns where a body of `footprint` that jumps and falls fits, stands on ground and touches a ceiling,
    /// up to date. It may enter every terrain; solid cells and obstacles block it.
    ///
    /// Takes time in proportion to the edits since the last call.
    pub fn body_layers(&mut self, footprint: Footprint) -> BodyLayers {
        structures::body_layers(&mut self.kept, footprint)
    }

    /// What weights and terrains make of the steps onto the placements of a layer, whatever influences say;
    /// `None` where nothing was ever given a weight or a cost.
    pub fn placement_costs(
        &mut self,
        layer: LayerKey,
        terrain_costs: TerrainCosts,
    ) -> Option<Arc<PlacementCosts>> {
        self.kept.placement_costs(layer, terrain_costs)
    }

    /// Copies `rect` of `values` to a slot; the whole raster if the slot was empty. Returns `false`, without
    /// a change, if there is no such slot or `values` is not as large as the map.
    ///
    /// Paths and fields of bodies with a weight for the slot pay these values, times that weight, in addition
    /// to what the ground costs.
    pub fn put_influence(&mut self, slot: usize, values: &Raster<f32>, rect: LocalRect) -> bool {
        let layout = self.kept.terrain.layout();
        self.kept.influences.put(slot, values, rect, layout)
    }

    /// Empties a slot.
    pub fn take_influence(&mut self, slot: usize) {
        let layout = self.kept.terrain.layout();
        self.kept.influences.take(slot, layout);
    }

    /// What the influence in a slot is at a place, counted from the region's corner; 0 for an empty slot.
    pub fn influence_at(&self, slot: usize, x: u32, y: u32) -> f32 {
        self.kept.influences.at(slot, x, y)
    }

    /// Returns whether any influence weighs on the body of `profile`.
    pub(crate) fn is_influenced(&self, profile: &Profile) -> bool {
        self.kept.is_influenced(profile)
    }

    /// Returns the placement of `profile`'s body nearest to `cell`, which may lie anywhere, at most
    /// `distance_max` cells away: Euclidean, from `cell` to the body's nearest cell. The first in reading
    /// order of several; `None` without any.
    pub fn nearest_fit(&mut self, cell: Cell, profile: &Profile, distance_max: Option<f64>) -> Option<Cell> {
        structures::nearest_fit(&mut self.kept, cell, profile, distance_max)
    }

    /// Returns the centre of the body of `profile`, in cell space, where it covers open cells alone and is
    /// closest to the segment between `ends`. `None` if there is no such place. Of several, the first on a
    /// segment in the plane, else one of them.
    ///
    /// The ends are points of cell space with a height above its plane. `sides` are the steps along x, along
    /// y and up in the space in which distances count. An end at which the body fits comes back to the last
    /// bit.
    ///
    /// ```
    /// use pathforge_core::geometry::Cell;
    /// use pathforge_core::terrain::Terrain;
    /// use pathforge_core::world::{Profile, World};
    ///
    /// let mut world = World::from_terrain(Terrain::from_text("..#\n..#\n", Cell::new(0, 0))?);
    /// let sides = [[16.0, 0.0, 0.0], [0.0, 16.0, 0.0], [0.0, 0.0, 1.0]];
    /// let at = [1.75, 0.75, 0.0];
    /// assert_eq!(world.closest_position(&Profile::default(), sides, [at, at]), Some((1.5, 0.75)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn closest_position(
        &mut self,
        profile: &Profile,
        sides: [[f64; 3]; 3],
        ends: [[f64; 3]; 2],
    ) -> Option<(f64, f64)> {
        structures::closest_position(&mut self.kept, profile, sides, ends)
    }

    /// Returns one of the placements of the body of `profile`, each as likely as any other where all values
    /// of `draw` are; `None` without any. The same placements and the same `draw` give the same answer. Takes
    /// time in proportion to the words of 64 cells.
    pub fn random_placement(&mut self, profile: &Profile, draw: u64) -> Option<Cell> {
        structures::random_placement(&mut self.kept, profile, draw)
    }

    /// What fields for the body of `profile` are made from now.
    pub fn field_source(&mut self, profile: &Profile) -> FieldSource {
        self.kept.field_source(profile)
    }

    /// Returns the anchors that a field for the body of `profile` leads to, by the mode:
    ///
    /// - [`GoalMode::Exact`]: `goals` themselves.
    /// - [`GoalMode::Cover`]: the anchors from which the body covers a goal.
    /// - [`GoalMode::Nearest`]: for each goal the placements where the body is nearest to it, reachable or
    ///   not.
    ///
    /// Not all of them are placements.
    pub fn field_goals(&mut self, goals: &[Cell], goal_mode: GoalMode, profile: &Profile) -> Vec<Cell> {
        structures::field_goals(&mut self.kept, goals, goal_mode, profile)
    }

    /// Returns what the world has done so far.
    pub fn statistics(&self) -> Statistics {
        Statistics { repairs: self.statistics.repairs + self.kept.layers.repairs(), ..self.statistics }
    }

    /// Counts an answer.
    pub(super) fn note(&mut self, outcome: &PathOutcome) {
        self.statistics.queries += 1;
        self.statistics.expanded += u64::from(outcome.expanded);
    }

    /// Answers `query` as far as that goes without a search, and otherwise prepares one. One with cells that
    /// are blocked for it alone is answered: they leave nothing behind that a search could read later.
    pub fn plan(&mut self, query: &PathQuery) -> Plan {
        self.planner().plan(query)
    }

    /// Answers `query`.
    pub fn find_path(&mut self, query: &PathQuery) -> PathOutcome {
        let outcome = self.planner().answer(query);
        self.note(&outcome);
        outcome
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
        let mut planner = self.planner();
        let plan = |query| {
            let started = clock();
            let plan = planner.plan(query);
            (plan, clock() - started)
        };
        // Planning builds layers, so it runs on one thread; the searches only read, so they run on all.
        let plans: Vec<(Plan, u64)> = queries.iter().map(plan).collect();
        let outcomes = parallel::map(plans, |(plan, planning)| {
            let started = clock();
            let outcome = plan.carry_out(&self.scratch);
            (outcome, planning + (clock() - started))
        });
        // After the searches: the statistics need the world, which the threads have borrowed.
        for (outcome, _) in &outcomes {
            self.note(outcome);
        }
        outcomes
    }

    /// Returns the path of least cost to any of `goals`, as [`World::find_path`] finds it to one; of several
    /// goals at that cost, to the first in reading order. Goals at which the body does not fit or that it
    /// cannot reach are left out; if none is left, the answer has the reason of the first of `goals`.
    pub fn find_path_to_any(&mut self, query: &PathQuery, goals: &[Cell]) -> PathOutcome {
        let outcome = self.planner().find_path_to_any(query, goals);
        self.note(&outcome);
        outcome
    }

    /// Returns the path of least distance, whatever it costs: answers `query` as if every placement had
    /// weight 1.
    pub fn shortest_path(&mut self, query: &PathQuery) -> PathOutcome {
        self.planner().shortest_path(query)
    }

    /// Returns whether `query` would find a path, without a search. Takes a repair of a copy of the
    /// components when cells are blocked for it alone.
    pub fn is_reachable(&mut self, query: &PathQuery) -> bool {
        self.planner().is_reachable(query)
    }

    /// Returns the placements that `profile`'s body reaches at a cost of at most `cost_max`, each with its
    /// least cost, in reading order. None if the body does not fit at `start`. The cells of `blocked` are
    /// solid for this query alone.
    ///
    /// Takes time in proportion to the cells found.
    pub fn cells_within(
        &mut self,
        start: Cell,
        cost_max: Cost,
        profile: &Profile,
        blocked: &[Cell],
    ) -> Vec<(Cell, Cost)> {
        self.planner().cells_within(start, cost_max, profile, blocked)
    }

    /// Returns the indices of the `starts` that closing the cells of `rect` would cut off. From such a start
    /// the body of `profile` reaches one of `goals` now, and none afterwards. A start at which the body no
    /// longer fits is cut off, too. Obstacles that cover cells of a body at one of `starts` belong to the
    /// bodies, and are left out. Changes nothing.
    ///
    /// Takes a repair of a copy of the layer and its components.
    pub fn cut_off(
        &mut self,
        rect: CellRect,
        starts: &[Cell],
        goals: &[Cell],
        profile: &Profile,
    ) -> Vec<usize> {
        self.planner().cut_off(rect, starts, goals, profile)
    }

    /// Returns the widest square body that can make the trip of `query`, whose own footprint does not matter,
    /// and the cell that stops a wider one.
    ///
    /// Takes up to seven layers with their components, found by bisection, and a search.
    pub fn largest_footprint(&mut self, query: &PathQuery) -> LargestFootprint {
        self.planner().largest_footprint(query)
    }
}
