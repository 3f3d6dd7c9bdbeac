//! What a grid's verbs work on, apart from the node, and what other nodes ask of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use godot::prelude::*;
use pathforge_core::clearance::ClearanceMap;
use pathforge_core::geometry::{CellRect, DiagonalMode};
use pathforge_core::height_field::HeightField;
use pathforge_core::passability::{LayerKey, PlacementCosts, TerrainCosts};
use pathforge_core::terrain::{RegionError, Terrain};
use pathforge_core::walker::{Ground, Metric};
use pathforge_core::world::{
    Announcements, ClearanceKey, PathOutcome, PathQuery, Profile, Statistics, Ticket, World,
};

use super::PathForgeGrid;
use super::influences::InfluenceSlots;
use crate::engine::state::Guard;
use crate::script::geometry::CellGeometry;

/// The cells of a grid with everything derived from them, where they lie, and what has been edited.
#[derive(Default)]
pub struct Map {
    pub world: World,
    pub geometry: CellGeometry,
    /// How bodies step that do not say themselves.
    pub mode: DiagonalMode,
    pub(super) edits: Announcements,
    /// The query of the verbs of `AStarGrid2D`, which differs from call to call in its ends and modes: making
    /// one takes longer than a short path.
    pub(super) query: PathQuery,
    /// The influence maps that weigh on paths.
    pub(super) influences: InfluenceSlots,
    /// The nodes that links belong to, by the ids of both.
    pub(super) link_owners: BTreeMap<i64, InstanceId>,
    /// The nodes that are on a link, by their ids, and the number of that.
    pub(super) on_links: BTreeMap<InstanceId, u32>,
    /// The links that came with saved cells and belong to no node yet, by id.
    pub(super) loaded_links: Vec<i64>,
    /// By each navigation link that was imported: the node that imported it last, and the link's id.
    pub(super) imported_links: BTreeMap<InstanceId, (InstanceId, i64)>,
    /// The space whose heights the map has, or the storeys of a house.
    heights_of: Vec<InstanceId>,
    /// `true` if those are storeys, each with the heights of its own cells.
    are_heights_shared: bool,
    /// Counts the changes of heights.
    height_changes: u64,
    /// `true` after a weight beyond the limits was told.
    pub(super) is_weight_told: bool,
}

impl Map {
    /// Edits cells; returns what is to be announced now.
    pub(super) fn edit<E>(
        &mut self,
        edit: impl FnOnce(&mut Terrain) -> Result<Option<CellRect>, E>,
    ) -> Result<Option<CellRect>, E> {
        let changed = edit(self.world.terrain_mut())?;
        Ok(changed.and_then(|rect| self.edits.note(rect)))
    }

    /// Changes the region and keeps the cells that both share; returns what is to be announced now.
    pub(super) fn set_region(&mut self, region: CellRect) -> Result<Option<CellRect>, RegionError> {
        let old = self.world.terrain().region();
        if region == old {
            return Ok(None);
        }
        self.world.set_region(region)?;
        Ok(self.edits.note(old.union(region)))
    }

    /// Replaces all heights by those of a space, or removes them.
    pub fn replace_heights(&mut self, heights: Option<(InstanceId, HeightField)>) {
        let (space, heights) = heights.unzip();
        (self.heights_of, self.are_heights_shared) = (space.into_iter().collect(), false);
        self.height_changes += u64::from(self.world.terrain_mut().replace_heights(heights).is_some());
    }

    /// Takes the heights of the cells of a storey; those of other storeys stay.
    pub fn share_heights(&mut self, storey: InstanceId, cells: CellRect, ground: &HeightField) {
        let terrain = self.world.terrain_mut();
        let known = terrain.heights().filter(|_| self.are_heights_shared).cloned();
        let mut shared = known.unwrap_or_else(|| HeightField::flat(ground.cell_size));
        shared.cell_size = ground.cell_size;
        shared.set_heights(terrain.region(), cells, &ground.heights(cells));
        self.height_changes += u64::from(terrain.replace_heights(Some(shared)).is_some());
        self.heights_of.retain(|&other| self.are_heights_shared && other != storey);
        self.heights_of.push(storey);
        self.are_heights_shared = true;
    }

    /// Whether the map has the heights of a space.
    pub fn has_heights_of(&self, space: InstanceId) -> bool {
        self.heights_of.contains(&space)
    }

    /// Forgets the heights of a space; of a storey, which has these cells, those of the other storeys stay.
    pub fn forget_heights(&mut self, space: InstanceId, cells: CellRect) {
        self.heights_of.retain(|&other| other != space);
        if self.heights_of.is_empty() {
            self.replace_heights(None);
        } else {
            self.set_heights(cells, &vec![0.0; cells.cells().count()]);
        }
    }

    /// Sets the heights of the cells of `region`.
    pub fn set_heights(&mut self, region: CellRect, heights: &[f32]) {
        self.height_changes += u64::from(self.world.terrain_mut().set_heights(region, heights).is_some());
    }

    /// Counts the changes of heights that matter to a body.
    pub fn height_changes_for(&self, profile: &Profile) -> u64 {
        if profile.climb.is_some() { self.height_changes } else { 0 }
    }

    /// A map of some of the cells alone, for questions that end at their border.
    pub fn part(&self, cells: CellRect) -> Option<World> {
        let terrain = self.world.terrain();
        let within = cells.intersection(terrain.region());
        terrain.resized(within).ok().map(World::from_terrain)
    }

    /// Replaces all cells and the region; returns what is to be announced now.
    pub(super) fn replace(&mut self, terrain: Terrain) -> Option<CellRect> {
        let old = self.world.terrain();
        if old.region() == terrain.region() && old.state_hash() == terrain.state_hash() {
            return None;
        }
        let both = old.region().union(terrain.region());
        self.world.replace_terrain(terrain);
        self.edits.note(both)
    }

    /// Replaces all cells, the region and the links; returns what is to be announced now. Nodes whose links are
    /// among the new ones take them again.
    pub(super) fn load(&mut self, terrain: Terrain) -> Option<CellRect> {
        let before = self.edits.count();
        let announced = self.replace(terrain);
        if self.edits.count() != before {
            self.loaded_links = self.world.terrain().link_ids().into_iter().map(i64::from).collect();
            self.link_owners.clear();
            self.imported_links.clear();
        }
        announced
    }

    /// The cells of the grid.
    pub fn region(&self) -> CellRect {
        self.world.terrain().region()
    }

    /// An up-to-date clearance map, and the region that it covers.
    pub fn clearance_map(&mut self, key: ClearanceKey) -> (&ClearanceMap, CellRect) {
        let region = self.region();
        (self.world.clearance_map(key), region)
    }
}

impl PathForgeGrid {
    /// How bodies step that do not say themselves.
    pub fn grid_diagonal_mode(&self) -> DiagonalMode {
        self.map.lock().mode
    }

    /// What weights and terrains make of the steps onto the placements of a layer; `None` where all cost the
    /// same.
    pub fn placement_costs(
        &mut self,
        layer: LayerKey,
        terrain_costs: TerrainCosts,
    ) -> Option<Arc<PlacementCosts>> {
        self.map.lock().world.placement_costs(layer, terrain_costs)
    }

    /// The answer to a query, without a note of it for the overlay.
    pub fn answer(&mut self, query: &PathQuery) -> PathOutcome {
        self.map.lock().world.find_path(query)
    }

    /// Asks for a path; the answer goes to `callback`, too.
    pub fn ask(&self, query: PathQuery, callback: Callable) -> Ticket {
        self.inbox().push(query, Some(callback))
    }

    /// Takes back a request, whose answer is told to nothing.
    pub fn withdraw(&self, ticket: Ticket) {
        self.inbox().withdraw(ticket);
    }

    /// What the grid has done so far, and the bytes that it takes.
    pub fn account(&self) -> (Statistics, usize) {
        let map = self.map.lock();
        (map.world.statistics(), map.world.memory())
    }

    /// Returns `true` if a query would find a path.
    pub fn can_reach(&mut self, query: &PathQuery) -> bool {
        self.map.lock().world.is_reachable(query)
    }

    /// Calls `work` with the map as a body of `profile` sees it.
    pub fn with_ground<R>(
        &self,
        profile: &Profile,
        metric: Metric,
        work: impl FnOnce(&Ground<'_>) -> R,
    ) -> R {
        let map = self.map.lock();
        work(&Ground { terrain: map.world.terrain(), profile, metric })
    }

    /// What changed in a clearance map after the change number `seen`, and the number to ask with next time.
    pub fn clearance_news(&mut self, key: ClearanceKey, seen: u64) -> (u64, Option<CellRect>) {
        self.map.lock().world.clearance_changes_since(key, seen)
    }

    /// What the grid's verbs work on, locked while the answer lives: see [`crate::engine::state`] for what
    /// must not be done meanwhile.
    pub fn map(&self) -> Guard<'_, Map> {
        self.map.lock()
    }

    /// Counts the changes of cells.
    pub fn edit_count(&self) -> u64 {
        self.map.lock().edits.count()
    }

    /// The cells of the grid.
    pub fn cell_region(&self) -> CellRect {
        self.map.lock().world.terrain().region()
    }

    /// Where the grid's cells lie.
    pub fn cell_geometry(&self) -> CellGeometry {
        self.map.lock().geometry
    }

    /// Changes the region, keeps shared cells, and announces both regions as changed. Cells that enter are as
    /// the tiles of source layers tell, if these are followed.
    pub(super) fn change_region(&mut self, region: CellRect) -> Result<(), RegionError> {
        let old = self.cell_region();
        let changed = self.map.lock().set_region(region)?;
        let entered = self.told_on_entering(old, region);
        // Announced with the region. Terrains and weights were checked when the tiles were read.
        let _ = self.map.lock().edit(|terrain| terrain.set_some_cells(&entered));
        self.announce_from_inside(changed);
        Ok(())
    }

    /// From the node's local space to the world. The engine answers only on the thread that runs the scene
    /// tree, so elsewhere a node in the tree is taken where it was seen last.
    pub fn global_transform(&mut self) -> Transform2D {
        if godot::init::is_main_thread() || !self.base().is_inside_tree() {
            self.last_global = self.base().get_global_transform();
        }
        self.last_global
    }
}
