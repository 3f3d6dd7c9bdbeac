//! Queries past some obstacles, or with cells that are solid for them alone, without an edit of the map.
//!
//! Before such a query the layer that it runs on is changed where those obstacles and cells are: stands, their transposed
//! twin, the stop bits around, and costs where a stand is new. Each word that is written is noted, and written back after
//! the query. That takes time in proportion to those cells, whatever the size of the map; a layer of its own for each
//! combination of obstacles would have to be made, kept and repaired after every edit. Regions are searched without where
//! that can be, and else repaired in a copy.

use std::sync::Arc;

use smallvec::SmallVec;

use super::World;
use super::influences::Influences;
use super::layers::{LayerEntry, Layers, is_small};
use super::query::{PathQuery, Profile, SearchMode};
use crate::bitgrid::{BitGrid, LocalRect, Shape};
use crate::connectivity::Regions;
use crate::geometry::{Cell, CellRect, DiagonalMode, Footprint};
use crate::pages::Log;
use crate::passability::{LayerKey, Prices, anchors_touching};
use crate::search::{JumpLog, JumpMap};
use crate::terrain::{IgnoredObstacles, Terrain};

/// What was changed in a layer for one query.
#[derive(Clone, Debug)]
pub(super) struct Overlay {
    /// What the query's body asks for, and the layer that it gets.
    asked: LayerKey,
    base: LayerKey,
    mode: DiagonalMode,
    /// Where stands are others than without it.
    changed: SmallVec<[LocalRect; 8]>,
    /// Where obstacles count for nothing.
    opened: SmallVec<[LocalRect; 8]>,
    /// Whether costs were changed there.
    pays: bool,
    /// The regions with it, where they were asked for.
    regions: Option<Arc<Regions>>,
    logs: Logs,
}

/// What was written over, kept from query to query for its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Logs {
    stands: Log<u64>,
    twin: Log<u64>,
    jumps: JumpLog,
}

/// Cells of the map, counted from the region's corner, that are open or closed for a query alone.
struct Changes {
    closed: SmallVec<[LocalRect; 8]>,
    opened: SmallVec<[LocalRect; 8]>,
}

impl Changes {
    fn of(terrain: &Terrain, ignored: &IgnoredObstacles, blocked: &[Cell]) -> Self {
        let within = |rect| LocalRect::within(terrain.region(), rect);
        Self {
            closed: blocked.iter().filter_map(|&cell| within(CellRect::cell(cell))).collect(),
            opened: ignored.ids().iter().filter_map(|&id| within(terrain.obstacle(id)?)).collect(),
        }
    }

    /// Writes them into the cells that a body may enter.
    fn write(&self, open: &mut BitGrid, terrain: &Terrain, asked: LayerKey, log: &mut Log<u64>) {
        let (shape, region) = (terrain.shape(), terrain.region());
        for rect in &self.opened {
            for (x, y) in rect.places() {
                let cell = Cell::new(region.x + x as i32, region.y + y as i32);
                let is_open = terrain.is_open_past(cell, asked.capability, &asked.ignored_obstacles);
                open.set_noted(shape.index(x, y), is_open, log);
            }
        }
        for rect in &self.closed {
            open.set_noted(shape.index(rect.x0, rect.y0), false, log);
        }
    }

    fn anchors(&self, footprint: Footprint, shape: Shape) -> impl Iterator<Item = LocalRect> {
        self.opened.iter().chain(&self.closed).map(move |&rect| anchors_touching(rect, footprint, shape))
    }
}

impl Overlay {
    /// The layer for `key` while it lies over the map.
    pub(super) fn base_of(&self, key: LayerKey) -> Option<LayerKey> {
        (key == self.asked).then_some(self.base)
    }

    /// The regions of the changed layer of `entry`.
    pub(super) fn regions_of(&mut self, entry: &LayerEntry) -> &Arc<Regions> {
        let (mode, changed) = (self.mode, &self.changed);
        self.regions.get_or_insert_with(|| {
            let Some(before) = &entry.regions[usize::from(mode.joins_diagonally())] else {
                return Arc::new(Regions::build(&entry.stands, mode));
            };
            let mut regions = Regions::clone(before);
            let rects: Vec<LocalRect> = changed.iter().copied().chain(entry.regions_stale).collect();
            regions.repair_all(&entry.stands, &rects);
            Arc::new(regions)
        })
    }
}

impl Layers {
    /// Changes the layer of `profile` such that the obstacles that it names do not block it, and `blocked` do; it is used
    /// in its place until [`Layers::lift_overlay`]. `pays` says whether stands may cost the body different amounts.
    fn lay_over(
        &mut self,
        terrain: &Terrain,
        influences: &Influences,
        profile: &Profile,
        blocked: &[Cell],
        pays: bool,
    ) {
        let (asked, base) = (profile.layer_key(), base_key(profile.layer_key()));
        let (mode, shape) = (profile.diagonal_mode, terrain.shape());
        let changes = Changes::of(terrain, &asked.ignored_obstacles, blocked);
        // Everything that the query reads is there before a bit of it changes; the layer itself last, as others may be
        // dropped for it.
        let is_large = base.footprint != Footprint::ONE;
        let open = is_large.then(|| Arc::clone(self.stands(terrain, base.of_one_cell())));
        self.jump_map(terrain, base, mode);
        if !is_small(shape) {
            self.regions(terrain, base, mode);
        }
        if pays {
            let ignored_obstacles = base.ignored_obstacles;
            self.costs(terrain, influences, &Profile { ignored_obstacles, ..*profile });
        }
        let mut logs = std::mem::take(&mut self.spare_logs);
        let Some(entry) = self.entries.iter_mut().find(|entry| entry.key == base) else { return };
        let stands = Arc::make_mut(&mut entry.stands);
        let changed: SmallVec<[LocalRect; 8]> = changes.anchors(base.footprint, shape).collect();
        match open {
            None => changes.write(stands, terrain, asked, &mut logs.stands),
            Some(mut open) => {
                changes.write(Arc::make_mut(&mut open), terrain, asked, &mut Log::default());
                for &rect in &changed {
                    stands.erode_noted(&open, base.footprint, rect, &mut logs.stands);
                }
            }
        }
        entry.follow_stands(mode, &changed, &mut logs);
        if pays {
            entry.follow_costs(terrain, influences, profile, &changes.opened);
        }
        self.overlay =
            Some(Overlay { asked, base, mode, changed, opened: changes.opened, pays, regions: None, logs });
    }

    /// Makes the layer what it was.
    fn lift_overlay(&mut self, terrain: &Terrain, influences: &Influences, profile: &Profile) {
        let Some(Overlay { base, mode, opened, pays, mut logs, .. }) = self.overlay.take() else { return };
        let Some(entry) = self.entries.iter_mut().find(|entry| entry.key == base) else { return };
        entry.take_back(mode, &mut logs);
        if pays {
            entry.follow_costs(terrain, influences, profile, &opened);
        }
        self.spare_logs = logs;
    }
}

impl LayerEntry {
    /// Brings the twin and the stop bits for `mode` up to date with stands that have changed in `rects`.
    fn follow_stands(&mut self, mode: DiagonalMode, rects: &[LocalRect], logs: &mut Logs) {
        let shared = JumpMap::shared_mode(mode);
        let Self { stands, twin, jump_maps, .. } = self;
        let map = jump_maps.iter_mut().find(|map| map.mode() == shared);
        let (Some(twin), Some(map)) = (twin, map) else { return };
        let twin = Arc::make_mut(twin);
        for (x, y) in rects.iter().copied().flat_map(LocalRect::places) {
            let index = twin.shape().index(y, x);
            twin.set_noted(index, stands.get(stands.shape().index(x, y)), &mut logs.twin);
        }
        Arc::make_mut(map).repair_noted(stands, twin, rects, &mut logs.jumps);
    }

    /// Brings what the body of `profile` pays up to date around stands that are open or closed for a query alone.
    fn follow_costs(
        &mut self,
        terrain: &Terrain,
        influences: &Influences,
        profile: &Profile,
        rects: &[LocalRect],
    ) {
        let (footprint, shape) = (profile.footprint, terrain.shape());
        let added = influences.added(&profile.influence_weights);
        let prices = Prices { factors: &profile.terrain_costs, added: &added };
        let stands = Arc::clone(&self.stands);
        let Some(costs) = self.costs_mut(profile) else { return };
        for &rect in rects {
            let anchors = anchors_touching(rect, footprint, shape);
            Arc::make_mut(costs).repair(terrain, &stands, footprint, prices, anchors);
        }
    }

    /// Writes back what was written over.
    fn take_back(&mut self, mode: DiagonalMode, logs: &mut Logs) {
        let shared = JumpMap::shared_mode(mode);
        Arc::make_mut(&mut self.stands).take_back(&mut logs.stands);
        if let Some(twin) = &mut self.twin {
            Arc::make_mut(twin).take_back(&mut logs.twin);
        }
        if let Some(map) = self.jump_maps.iter_mut().find(|map| map.mode() == shared) {
            Arc::make_mut(map).take_back(&mut logs.jumps);
        }
    }
}

/// The layer of a body that is changed for its queries: obstacles that are ignored by name block there. Where all are
/// ignored, there is a layer for that, which they never touch.
fn base_key(asked: LayerKey) -> LayerKey {
    let ignored = asked.ignored_obstacles;
    LayerKey { ignored_obstacles: if ignored.are_all() { ignored } else { IgnoredObstacles::NONE }, ..asked }
}

impl World {
    /// Asks about the map as `query` sees it: past the obstacles that its body ignores, with its own cells blocked.
    pub(super) fn overlaid<T>(&mut self, query: &PathQuery, ask: impl FnOnce(&mut Self) -> T) -> T {
        // Clusters are made for layers that stay.
        let is_by_clusters = query.search_mode == SearchMode::Hierarchical && query.blocked().is_empty();
        let ids = query.profile.ignored_obstacles.ids();
        let has_obstacles = ids.iter().any(|&id| self.terrain.obstacle(id).is_some());
        if is_by_clusters || !has_obstacles {
            return self.blocked_by(&query.profile, query.blocked(), ask);
        }
        self.laid_over(&query.profile, query.blocked(), ask)
    }

    /// Asks about the map with `blocked` solid for the body of `profile`.
    pub(super) fn blocked_by<T>(
        &mut self,
        profile: &Profile,
        blocked: &[Cell],
        ask: impl FnOnce(&mut Self) -> T,
    ) -> T {
        if blocked.is_empty() { ask(self) } else { self.laid_over(profile, blocked, ask) }
    }

    fn laid_over<T>(&mut self, profile: &Profile, blocked: &[Cell], ask: impl FnOnce(&mut Self) -> T) -> T {
        if self.layers.overlay.is_some() || self.terrain.region().is_empty() {
            return ask(self);
        }
        let pays = self.may_pay(profile);
        self.layers.lay_over(&self.terrain, &self.influences, profile, blocked, pays);
        let answer = ask(self);
        self.layers.lift_overlay(&self.terrain, &self.influences, profile);
        answer
    }
}
