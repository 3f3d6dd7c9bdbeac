//! The layers that are kept, each with what hangs on it: the transposed twin, stop bits, regions and costs.

use std::sync::Arc;

use smallvec::SmallVec;

use super::influences::{Influences, Revisions};
use super::overlay::{Logs, Overlay};
use super::query::Profile;
use crate::bitgrid::{BitGrid, LocalRect, Shape};
use crate::connectivity::Regions;
use crate::field::MoveBytes;
use crate::geometry::{DiagonalMode, Footprint};
use crate::hierarchy::Hierarchy;
use crate::passability::{
    InfluenceWeights, LayerKey, Prices, StandCosts, TerrainCosts, anchors_touching, open_past,
};
use crate::search::JumpMap;
use crate::terrain::{IgnoredObstacles, ObstacleId, Terrain};

/// Memory that layers may take unless told otherwise, in bytes.
pub const LAYER_MEMORY_DEFAULT: usize = 512 << 20;
/// A layer that so many uses of layers have passed over is dropped when a new one is made.
const IDLE_USES_MAX: u64 = 10_000;
/// More edits than this are weighed against building anew: repairing around one takes as long as building so many cells
/// (the bench's table of obstacles that have moved).
const EDITS_FEW: usize = 64;
const CELLS_PER_REPAIR: u64 = 2_000;
/// Sets of terrain costs kept for one layer.
const COST_SETS_MAX: usize = 4;
/// A map of at most so many cells is small: after an edit it is searched without its components first, which took a good part
/// of the time of such a query. The limit itself is chosen to hold 64² and is not tuned.
const SMALL_CELLS_MAX: usize = 72 * 72;
/// From this many queries after an edit on, the components of a small map are brought up to date, too: they answer at once
/// when a goal cannot be reached.
const QUERIES_WITHOUT_COMPONENTS_MAX: u32 = 8;

/// Layers by key. An edit leaves them as they are; the next use repairs the one that is used. A clone shares them.
#[derive(Clone, Debug)]
pub(super) struct Layers {
    pub(super) entries: Vec<LayerEntry>,
    memory_max: usize,
    uses: u64,
    repairs: u64,
    /// What lies over one of them for the query that is being answered.
    pub(super) overlay: Option<Overlay>,
    pub(super) spare_logs: Logs,
}

#[derive(Clone, Debug)]
pub(super) struct LayerEntry {
    pub(super) key: LayerKey,
    /// The revision of the terrain that everything in the entry is made from.
    revision: u64,
    last_use: u64,
    pub(super) stands: Arc<BitGrid>,
    pub(super) twin: Option<Arc<BitGrid>>,
    pub(super) jump_maps: Vec<Arc<JumpMap>>,
    moves: Vec<Arc<MoveBytes>>,
    /// Regions without and with diagonal connections.
    pub(super) regions: [Option<Arc<Regions>>; 2],
    /// Where stands have changed since the regions were made or repaired. Only small maps wait with that.
    pub(super) regions_stale: Option<LocalRect>,
    /// Queries since the last edit that were searched without regions.
    queries_without_regions: u32,
    costs: Vec<CostEntry>,
    /// Clusters where every step costs the same.
    hierarchies: Hierarchies,
}

/// What newer layers and costs have replaced. On a map of 4096² it may be the last to hold a hundred megabytes, which take
/// milliseconds to give back: not in a frame of the game's.
#[derive(Default)]
pub(super) struct Replaced {
    layers: Vec<LayerEntry>,
    costs: Vec<CostEntry>,
}

impl Replaced {
    pub(super) const fn is_empty(&self) -> bool {
        self.layers.is_empty() && self.costs.is_empty()
    }
}

/// Costs for one set of prices. They have a revision of their own: who does not pay them does not wait for them.
#[derive(Clone, Debug)]
struct CostEntry {
    factors: TerrainCosts,
    weights: InfluenceWeights,
    /// The revision of the terrain, and those of the influences, that they are made from.
    revision: u64,
    seen: Revisions,
    /// The anchors at obstacles that the layer they were made for did not ignore.
    holes: SmallVec<[LocalRect; 4]>,
    costs: Arc<StandCosts>,
    /// Clusters where steps cost this.
    hierarchies: Hierarchies,
}

impl CostEntry {
    /// Whether they are what the body of `profile` pays.
    fn is_of(&self, profile: &Profile) -> bool {
        self.factors == profile.terrain_costs && self.weights == profile.influence_weights
    }

    /// The anchors whose cost may have changed since; `None` when everything is better built anew.
    fn stale(
        &self,
        terrain: &Terrain,
        influences: &Influences,
        footprint: Footprint,
    ) -> Option<Vec<LocalRect>> {
        let shape = terrain.shape();
        let edits = terrain.journal().since(self.revision)?.map(|edit| edit.rect);
        let news = influences.changed_since(&self.seen, &self.weights)?;
        let news = edits.chain(news).map(|rect| anchors_touching(rect, footprint, shape));
        to_repair(news.chain(self.holes.iter().copied()).collect(), shape)
    }
}

/// Where to repair, given where edits were; `None` when building anew takes less.
fn to_repair(mut rects: Vec<LocalRect>, shape: Shape) -> Option<Vec<LocalRect>> {
    let (edits, cells) = (rects.len() as u64, shape.cells() as u64);
    let area: u64 = rects.iter().map(|rect| rect.area()).sum();
    if is_small(shape) {
        // A build would ask for new pages, which are larger than the map.
        if edits > 1 && area > cells / 2 {
            rects = vec![shape.all()];
        }
        return Some(rects);
    }
    let is_much = area * 2 > cells || (rects.len() > EDITS_FEW && edits * CELLS_PER_REPAIR > cells);
    (!is_much).then_some(rects)
}

/// Whether searches need not wait for regions after an edit.
pub(super) const fn is_small(shape: Shape) -> bool {
    shape.cells() <= SMALL_CELLS_MAX
}

/// Clusters by how the body steps.
type Hierarchies = Vec<(DiagonalMode, Arc<Hierarchy>)>;

fn memory_of(hierarchies: &Hierarchies) -> usize {
    hierarchies.iter().map(|(_, hierarchy)| hierarchy.memory()).sum()
}

fn of_mode(hierarchies: &mut Hierarchies, mode: DiagonalMode, shape: Shape) -> &Arc<Hierarchy> {
    let place = hierarchies.iter().position(|(own, _)| *own == mode).unwrap_or_else(|| {
        hierarchies.push((mode, Arc::new(Hierarchy::new(shape))));
        hierarchies.len() - 1
    });
    &hierarchies[place].1
}

/// Takes what `others`, made from the same ground, have that is missing.
fn take_clusters(own: &mut Hierarchies, others: Hierarchies) {
    for (mode, other) in others {
        match own.iter().find(|(own, _)| *own == mode) {
            None => own.push((mode, other)),
            Some((_, own)) if Arc::ptr_eq(own, &other) => {}
            Some((_, own)) => own.take_missing(&other),
        }
    }
}

impl Default for Layers {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            memory_max: LAYER_MEMORY_DEFAULT,
            uses: 0,
            repairs: 0,
            overlay: None,
            spare_logs: Logs::default(),
        }
    }
}

impl Layers {
    pub(super) const fn memory_max(&self) -> usize {
        self.memory_max
    }

    pub(super) fn set_memory_max(&mut self, bytes: usize) {
        self.memory_max = bytes;
        self.drop_unused(usize::MAX);
    }

    pub(super) fn memory(&self) -> usize {
        self.entries.iter().map(LayerEntry::memory).sum()
    }

    /// Layers that were repaired or built anew after edits, so far.
    pub(super) const fn repairs(&self) -> u64 {
        self.repairs
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The stands of a layer, up to date.
    pub(super) fn stands(&mut self, terrain: &Terrain, key: LayerKey) -> &Arc<BitGrid> {
        let entry = self.current(terrain, key);
        &self.entries[entry].stands
    }

    /// The regions of a layer for bodies that move by `mode`, up to date.
    pub(super) fn regions(&mut self, terrain: &Terrain, key: LayerKey, mode: DiagonalMode) -> &Arc<Regions> {
        self.ground(terrain, key, mode).1
    }

    /// The stands of a layer and its regions for bodies that move by `mode`, up to date, in one look-up.
    #[inline]
    pub(super) fn ground(
        &mut self,
        terrain: &Terrain,
        key: LayerKey,
        mode: DiagonalMode,
    ) -> (&Arc<BitGrid>, &Arc<Regions>) {
        let place = self.current(terrain, key);
        let entry = &mut self.entries[place];
        if let Some(overlay) = &mut self.overlay {
            return (&entry.stands, overlay.regions_of(entry));
        }
        entry.repair_regions();
        let LayerEntry { stands, regions, .. } = entry;
        let regions = regions[usize::from(mode.joins_diagonally())]
            .get_or_insert_with(|| Arc::new(Regions::build(stands, mode)));
        (stands, regions)
    }

    /// Whether a path is better searched without knowing the regions. Counts the query if so.
    ///
    /// On a small map that was edited since they were made, the search alone takes less: that there is no path is found by
    /// exhausting it. Under an overlay they would have to be repaired in a copy.
    pub(super) fn searches_without_regions(
        &mut self,
        terrain: &Terrain,
        key: LayerKey,
        mode: DiagonalMode,
    ) -> bool {
        if self.overlay.is_some() {
            return true;
        }
        let entry = self.current(terrain, key);
        let entry = &mut self.entries[entry];
        let is_known =
            entry.regions_stale.is_none() && entry.regions[usize::from(mode.joins_diagonally())].is_some();
        if is_known || !is_small(terrain.shape()) {
            return false;
        }
        entry.queries_without_regions += 1;
        entry.queries_without_regions <= QUERIES_WITHOUT_COMPONENTS_MAX
    }

    /// The stop bits of a layer for bodies that move by `mode`, up to date.
    pub(super) fn jump_map(&mut self, terrain: &Terrain, key: LayerKey, mode: DiagonalMode) -> &Arc<JumpMap> {
        let entry = self.current(terrain, key);
        let LayerEntry { stands, twin, jump_maps, .. } = &mut self.entries[entry];
        let shared = JumpMap::shared_mode(mode);
        let place = jump_maps.iter().position(|map| map.mode() == shared).unwrap_or_else(|| {
            let twin = twin.get_or_insert_with(|| Arc::new(stands.transposed()));
            jump_maps.push(Arc::new(JumpMap::build(stands, twin, mode)));
            jump_maps.len() - 1
        });
        &jump_maps[place]
    }

    /// The legal moves on a layer for bodies that move by `mode`, up to date.
    pub(super) fn moves(&mut self, terrain: &Terrain, key: LayerKey, mode: DiagonalMode) -> &Arc<MoveBytes> {
        let entry = self.current(terrain, key);
        let LayerEntry { stands, moves, .. } = &mut self.entries[entry];
        let place = moves.iter().position(|moves| moves.mode() == mode).unwrap_or_else(|| {
            moves.push(Arc::new(MoveBytes::build(stands, mode)));
            moves.len() - 1
        });
        &moves[place]
    }

    /// What the stands of a layer cost the body of `profile`, up to date.
    pub(super) fn costs(
        &mut self,
        terrain: &Terrain,
        influences: &Influences,
        profile: &Profile,
    ) -> &Arc<StandCosts> {
        let key = profile.layer_key();
        let entry = self.current(terrain, key);
        let LayerEntry { stands, costs, .. } = &mut self.entries[entry];
        let (factors, weights) = (profile.terrain_costs, profile.influence_weights);
        let place = costs.iter().position(|own| own.is_of(profile));
        let added = influences.added(&weights);
        let prices = Prices { factors: &factors, added: &added };
        let (revision, seen) = (terrain.revision(), influences.revisions());
        let Some(place) = place else {
            if costs.len() == COST_SETS_MAX {
                costs.remove(0);
            }
            let built = Arc::new(StandCosts::build(terrain, stands, key.footprint, prices));
            costs.push(CostEntry {
                factors,
                weights,
                revision,
                seen,
                holes: SmallVec::new(),
                costs: built,
                hierarchies: Vec::new(),
            });
            let last = costs.len() - 1;
            return &costs[last].costs;
        };
        let own = &mut costs[place];
        match own.stale(terrain, influences, key.footprint) {
            None => {
                own.costs = Arc::new(StandCosts::build(terrain, stands, key.footprint, prices));
                own.hierarchies.clear();
            }
            Some(rects) => {
                for rect in rects {
                    Arc::make_mut(&mut own.costs).repair(terrain, stands, key.footprint, prices, rect);
                    for (_, hierarchy) in &mut own.hierarchies {
                        Arc::make_mut(hierarchy).forget(rect);
                    }
                }
            }
        }
        (own.revision, own.seen) = (revision, seen);
        own.holes.clear();
        &own.costs
    }

    /// Takes what `others`, made from an earlier or equal state of the same terrain, have that is newer or missing here.
    /// Returns what that replaces.
    pub(super) fn adopt(&mut self, others: Self) -> Replaced {
        let mut replaced = Replaced::default();
        for mut other in others.entries {
            other.last_use = self.uses;
            match self.entries.iter_mut().find(|entry| entry.key == other.key) {
                None => self.entries.push(other),
                Some(own) if own.revision < other.revision => {
                    replaced.layers.push(std::mem::replace(own, other));
                }
                Some(own) if own.revision == other.revision => own.take_missing(other, &mut replaced.costs),
                Some(_) => {}
            }
        }
        self.drop_unused(usize::MAX);
        replaced
    }

    /// The clusters of a layer for the body of `profile`, which pays the same everywhere unless it `pays` what stands cost;
    /// those that are made are up to date.
    pub(super) fn hierarchy(
        &mut self,
        terrain: &Terrain,
        influences: &Influences,
        profile: &Profile,
        pays: bool,
    ) -> &Arc<Hierarchy> {
        let (mode, shape) = (profile.diagonal_mode, terrain.shape());
        if !pays {
            let entry = self.current(terrain, profile.layer_key());
            return of_mode(&mut self.entries[entry].hierarchies, mode, shape);
        }
        self.costs(terrain, influences, profile);
        let entry = self.current(terrain, profile.layer_key());
        let costs = &mut self.entries[entry].costs;
        let place = costs.iter().position(|own| own.is_of(profile)).unwrap_or(0);
        of_mode(&mut costs[place].hierarchies, mode, shape)
    }

    /// The place of the entry for `key`, made or brought up to date.
    fn current(&mut self, terrain: &Terrain, key: LayerKey) -> usize {
        self.uses += 1;
        let key = match &self.overlay {
            // One that lies over the map made everything current.
            Some(overlay) => overlay.base_of(key).unwrap_or(key),
            None => known(terrain, key),
        };
        let place = self.entries.iter().position(|entry| entry.key == key);
        if let Some(place) = place.filter(|&p| self.entries[p].revision == terrain.revision()) {
            self.entries[place].last_use = self.uses;
            return place;
        }
        // Larger footprints are eroded from the single cell's layer, which has the same capability.
        let open = (key.footprint != Footprint::ONE).then(|| {
            let base = self.current(terrain, key.of_one_cell());
            Arc::clone(&self.entries[base].stands)
        });
        let has_holes = !key.ignored_obstacles.ids().is_empty();
        let others = has_holes.then(|| self.current(terrain, without_holes(key)));
        // Making those may have moved entries.
        let place = self.entries.iter().position(|entry| entry.key == key).unwrap_or_else(|| {
            let entry = match others {
                Some(others) => self.entries[others].with_holes(terrain, key, open.as_deref()),
                None => LayerEntry::build(terrain, key, open.as_deref()),
            };
            self.entries.push(entry);
            self.entries.len() - 1
        });
        let uses = self.uses;
        let entry = &mut self.entries[place];
        entry.last_use = uses;
        self.repairs += u64::from(entry.revision != terrain.revision());
        entry.bring_up_to_date(terrain, open.as_deref());
        self.drop_unused(place)
    }

    /// Drops what was not used for long and, while all together take too much, what was used least recently; never
    /// the entry at `kept`, whose new place it returns.
    fn drop_unused(&mut self, kept: usize) -> usize {
        let kept_key = self.entries.get(kept).map(|entry| entry.key);
        let uses = self.uses;
        self.entries.retain(|entry| uses - entry.last_use <= IDLE_USES_MAX);
        while self.memory() > self.memory_max {
            let oldest = (0..self.entries.len())
                .filter(|&n| Some(self.entries[n].key) != kept_key)
                .min_by_key(|&n| self.entries[n].last_use);
            let Some(oldest) = oldest else { break };
            self.entries.remove(oldest);
        }
        kept_key.and_then(|key| self.entries.iter().position(|entry| entry.key == key)).unwrap_or(0)
    }
}

/// The cells that the bodies of `key` may enter.
fn open_cells(terrain: &Terrain, key: LayerKey) -> BitGrid {
    let mut open = BitGrid::new(terrain.shape());
    open_past(&mut open, terrain, key.capability, &key.ignored_obstacles, terrain.shape().all());
    open
}

/// The key without obstacles that are not there.
fn known(terrain: &Terrain, key: LayerKey) -> LayerKey {
    let ids = key.ignored_obstacles.ids();
    if ids.is_empty() {
        return key;
    }
    let counts = |id: &ObstacleId| {
        terrain.obstacle(*id).is_some_and(|rect| LocalRect::within(terrain.region(), rect).is_some())
    };
    let ignored = IgnoredObstacles::new(ids.iter().copied().filter(counts));
    LayerKey { ignored_obstacles: ignored.unwrap_or_default(), ..key }
}

/// The key of the same bodies if every obstacle blocked them.
fn without_holes(key: LayerKey) -> LayerKey {
    LayerKey { ignored_obstacles: IgnoredObstacles::NONE, ..key }
}

impl LayerEntry {
    fn build(terrain: &Terrain, key: LayerKey, open: Option<&BitGrid>) -> Self {
        let stands = open.map_or_else(|| open_cells(terrain, key), |open| open.eroded(key.footprint));
        Self {
            key,
            revision: terrain.revision(),
            last_use: 0,
            stands: Arc::new(stands),
            twin: None,
            jump_maps: Vec::new(),
            moves: Vec::new(),
            regions: [None, None],
            regions_stale: None,
            queries_without_regions: 0,
            costs: Vec::new(),
            hierarchies: Vec::new(),
        }
    }

    /// The layer of this one's bodies if they walk through the obstacles that `key` names: shares with this one what those
    /// do not touch.
    fn with_holes(&self, terrain: &Terrain, key: LayerKey, open: Option<&BitGrid>) -> Self {
        let mut entry = Self { key, ..self.clone() };
        let ids = key.ignored_obstacles.ids().iter();
        let holes = ids.filter_map(|&id| LocalRect::within(terrain.region(), terrain.obstacle(id)?));
        let anchors: SmallVec<[LocalRect; 4]> =
            holes.map(|hole| anchors_touching(hole, key.footprint, terrain.shape())).collect();
        entry.repair_stands(terrain, open, &anchors);
        entry.costs.iter_mut().for_each(|own| own.holes.clone_from(&anchors));
        entry
    }

    /// What stands cost the body of `profile`, where that was made.
    pub(super) fn costs_mut(&mut self, profile: &Profile) -> Option<&mut Arc<StandCosts>> {
        let own = self.costs.iter_mut().find(|own| own.is_of(profile))?;
        Some(&mut own.costs)
    }

    fn bring_up_to_date(&mut self, terrain: &Terrain, open: Option<&BitGrid>) {
        if self.revision == terrain.revision() {
            return;
        }
        let shape = terrain.shape();
        let Some(news) = terrain.journal().since(self.revision) else {
            *self = Self { last_use: self.last_use, ..Self::build(terrain, self.key, open) };
            return;
        };
        let edits = news.filter(|edit| edit.change.opens_or_closes());
        let edits = edits.map(|edit| anchors_touching(edit.rect, self.key.footprint, shape)).collect();
        let Some(rects) = to_repair(edits, shape) else {
            *self = Self { last_use: self.last_use, ..Self::build(terrain, self.key, open) };
            return;
        };
        self.repair_stands(terrain, open, &rects);
        self.revision = terrain.revision();
    }

    /// Brings the stands in `rects` and what hangs on them up to date. What has not changed in the end costs nothing more.
    fn repair_stands(&mut self, terrain: &Terrain, open: Option<&BitGrid>, rects: &[LocalRect]) {
        let changed: SmallVec<[LocalRect; 16]> =
            rects.iter().filter_map(|&rect| self.repair_bits(terrain, open, rect)).collect();
        if changed.is_empty() {
            return;
        }
        self.queries_without_regions = 0;
        if is_small(terrain.shape()) {
            changed.into_iter().for_each(|rect| LocalRect::join(&mut self.regions_stale, rect));
            return;
        }
        for regions in self.regions.iter_mut().flatten() {
            Arc::make_mut(regions).repair_all(&self.stands, &changed);
        }
    }

    fn repair_regions(&mut self) {
        if let Some(rect) = self.regions_stale.take() {
            for regions in self.regions.iter_mut().flatten() {
                Arc::make_mut(regions).repair(&self.stands, rect);
            }
        }
    }

    /// Returns the part of `rect` in which stands have changed.
    fn repair_bits(
        &mut self,
        terrain: &Terrain,
        open: Option<&BitGrid>,
        rect: LocalRect,
    ) -> Option<LocalRect> {
        let stands = Arc::make_mut(&mut self.stands);
        let rect = match open {
            Some(open) => stands.erode_again(open, self.key.footprint, rect),
            None => open_past(stands, terrain, self.key.capability, &self.key.ignored_obstacles, rect),
        }?;
        for (_, hierarchy) in &mut self.hierarchies {
            Arc::make_mut(hierarchy).forget(rect);
        }
        for moves in &mut self.moves {
            Arc::make_mut(moves).repair(stands, rect);
        }
        if let Some(twin) = &mut self.twin {
            let twin = Arc::make_mut(twin);
            stands.transpose_again(twin, rect);
            for map in &mut self.jump_maps {
                Arc::make_mut(map).repair(stands, twin, rect);
            }
        }
        Some(rect)
    }

    /// Takes the parts of `other`, made from the same revision, that were not asked for here.
    fn take_missing(&mut self, other: Self, replaced: &mut Vec<CostEntry>) {
        self.twin = self.twin.take().or(other.twin);
        for map in other.jump_maps {
            if self.jump_maps.iter().all(|own| own.mode() != map.mode()) {
                self.jump_maps.push(map);
            }
        }
        for moves in other.moves {
            if self.moves.iter().all(|own| own.mode() != moves.mode()) {
                self.moves.push(moves);
            }
        }
        if self.regions_stale.take().is_some() {
            self.regions = [None, None];
        }
        if other.regions_stale.is_none() {
            for (own, regions) in self.regions.iter_mut().zip(other.regions) {
                *own = own.take().or(regions);
            }
        }
        take_clusters(&mut self.hierarchies, other.hierarchies);
        for other in other.costs {
            let is_same = |own: &CostEntry| own.factors == other.factors && own.weights == other.weights;
            let Some(place) = self.costs.iter().position(is_same) else {
                if self.costs.len() < COST_SETS_MAX {
                    self.costs.push(other);
                }
                continue;
            };
            let own = &mut self.costs[place];
            if own.revision < other.revision {
                replaced.push(std::mem::replace(own, other));
            } else if own.revision == other.revision && own.seen == other.seen {
                take_clusters(&mut own.hierarchies, other.hierarchies);
            }
        }
    }

    fn memory(&self) -> usize {
        self.stands.memory()
            + self.twin.as_ref().map_or(0, |twin| twin.memory())
            + self.jump_maps.iter().map(|map| map.memory()).sum::<usize>()
            + self.moves.iter().map(|moves| moves.memory()).sum::<usize>()
            + self.regions.iter().flatten().map(|regions| regions.memory()).sum::<usize>()
            + self.costs.iter().map(|own| own.costs.memory() + memory_of(&own.hierarchies)).sum::<usize>()
            + memory_of(&self.hierarchies)
    }
}
