//! The clearance maps that are kept, by capability, metric and maximum.

use super::World;
use super::cache::{Cache, Limits, Memory};
use super::kept::Kept;
use crate::bitgrid::LocalRect;
use crate::clearance::{ClearanceMap, ClearanceMetric};
use crate::geometry::CellRect;
use crate::passability::LayerKey;
use crate::terrain::{Capability, IgnoredObstacles};

/// Maps kept at once, each a byte a cell. A chosen bound: a game shows or reads few kinds, and one more than these is built anew
/// whenever it is asked for.
const MAPS_MAX: usize = 16;

/// What a clearance map is made for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ClearanceKey {
    /// The terrains that count as open.
    pub capability: Capability,
    /// The obstacles that do not count.
    pub ignored_obstacles: IgnoredObstacles,
    /// What is measured.
    pub metric: ClearanceMetric,
    /// Where values saturate, at least 1.
    pub max: u8,
}

impl ClearanceKey {
    /// Returns the key of a map in which every obstacle counts.
    pub const fn new(capability: Capability, metric: ClearanceMetric, max: u8) -> Self {
        Self { capability, ignored_obstacles: IgnoredObstacles::NONE, metric, max }
    }

    /// Returns the kind of the map among those made from the same cells.
    const fn kind(self) -> (ClearanceMetric, u8) {
        (self.metric, self.max)
    }
}

#[derive(Debug)]
pub(super) struct Clearance {
    map: Kept<ClearanceMap>,
    /// Where values have changed since this was last asked.
    changed: Option<LocalRect>,
}

impl Memory for Clearance {
    fn memory(&self) -> usize {
        self.map.memory()
    }
}

/// The maps that are kept.
pub(super) type Clearances = Cache<ClearanceKey, Clearance>;

/// No maps yet.
pub(super) const fn no_clearances() -> Clearances {
    Cache::new(Limits::values(MAPS_MAX))
}

impl World {
    /// Returns the clearance of every cell, up to date.
    pub fn clearance_map(&mut self, key: ClearanceKey) -> &ClearanceMap {
        &self.clearance(key).map.structure
    }

    /// Returns the smallest rectangle of cells whose clearance changed since this was last asked; `None` when none did. The
    /// first question makes the map and answers with the whole region.
    pub fn take_clearance_changes(&mut self, key: ClearanceKey) -> Option<CellRect> {
        let changed = self.clearance(key).changed.take()?;
        Some(changed.to_cells(self.terrain.region()))
    }

    /// The same for several listeners: returns the smallest rectangle of cells whose clearance changed after the change number
    /// `seen`, 0 for none, and the number to ask with next time. The whole region when that is too long ago to know.
    pub fn clearance_changes_since(&mut self, key: ClearanceKey, seen: u64) -> (u64, Option<CellRect>) {
        let changed = self.take_clearance_changes(key);
        self.clearance_changes.hear(key, changed, seen, self.terrain.region())
    }

    /// Returns the map of `key`, made or brought up to date.
    fn clearance(&mut self, key: ClearanceKey) -> &mut Clearance {
        let terrain = &self.terrain;
        let ClearanceKey { capability, ignored_obstacles, .. } = key;
        let layer = LayerKey { capability, ignored_obstacles, ..LayerKey::default() };
        // The layer of a single cell: its placements are the open cells themselves.
        let open = &**self.layers.placements(terrain, layer);
        // An empty map has no rectangle that could have changed.
        let all = (terrain.layout().cells() > 0).then(|| terrain.layout().all());
        let own = self.clearances.get_or_insert_with(key, || Clearance {
            map: Kept::build(terrain, open, key.kind()),
            changed: all,
        });
        match own.map.follow(terrain, open, key.kind(), Some(Vec::new())) {
            Some(rects) => rects.into_iter().for_each(|rect| LocalRect::join(&mut own.changed, rect)),
            // A map that was built anew is not compared with the old one.
            None => own.changed = all,
        }
        own
    }
}
