//! The clearance maps that are kept, by capability, metric and maximum.

use std::collections::VecDeque;

use super::cache::{Cache, Limits, Memory};
use super::kept::Kept;
use super::layers::Layers;
use crate::bitgrid::LocalRect;
use crate::clearance::{ClearanceMap, ClearanceMetric};
use crate::geometry::CellRect;
use crate::passability::LayerKey;
use crate::terrain::{Capability, IgnoredObstacles, Terrain};

/// Maps kept at once, each a byte a cell. A chosen bound: a game shows or reads few kinds, and one more than
/// these is built anew whenever it is asked for.
const MAPS_MAX: usize = 16;
/// Changes that are told apart for each map.
const CHANGES_MAX: usize = 32;

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
struct Clearance {
    map: Kept<ClearanceMap>,
    /// Changes up to this number are unknown.
    known_since: u64,
    /// The latest changes, by their numbers; older ones are joined with the first.
    changes: VecDeque<(u64, LocalRect)>,
}

impl Clearance {
    fn note(&mut self, number: u64, rect: LocalRect) {
        self.changes.push_back((number, rect));
        if self.changes.len() > CHANGES_MAX
            && let Some((_, oldest)) = self.changes.pop_front()
        {
            self.changes[0].1 = self.changes[0].1.union(oldest);
        }
    }
}

impl Memory for Clearance {
    fn memory(&self) -> usize {
        self.map.memory()
    }
}

/// The maps that are kept.
#[derive(Debug)]
pub(in crate::world) struct Clearances {
    maps: Cache<ClearanceKey, Clearance>,
    /// Counts the changes of all maps.
    changes: u64,
}

impl Default for Clearances {
    fn default() -> Self {
        Self { maps: Cache::new(Limits::values(MAPS_MAX)), changes: 0 }
    }
}

impl Clearances {
    /// Returns the maps of another map of cells, none yet. Changes count on: listeners that know changes of the
    /// old map hear that all of the new one's is another.
    pub(super) fn of_another_map(&self) -> Self {
        Self { changes: self.changes, ..Self::default() }
    }

    pub(super) fn memory(&self) -> usize {
        self.maps.memory()
    }

    /// Returns the clearance of every cell, up to date.
    pub(in crate::world) fn map(
        &mut self,
        ground: (&Terrain, &mut Layers),
        key: ClearanceKey,
    ) -> &ClearanceMap {
        &self.clearance(ground, key).map.structure
    }

    /// Returns the smallest rectangle of cells whose clearance changed after the change number `seen`, 0 for
    /// none, and the number to ask with next time. The whole region when that is too long ago to know.
    pub(in crate::world) fn changes_since(
        &mut self,
        ground: (&Terrain, &mut Layers),
        key: ClearanceKey,
        seen: u64,
    ) -> (u64, Option<CellRect>) {
        let region = ground.0.region();
        let own = self.clearance(ground, key);
        let changed = if seen < own.known_since {
            (!region.is_empty()).then_some(region)
        } else {
            let changes = own.changes.iter().filter(|(number, _)| *number > seen).map(|(_, rect)| *rect);
            changes.reduce(LocalRect::union).map(|rect| rect.to_cells(region))
        };
        (self.changes, changed)
    }

    /// Returns the map of `key`, made or brought up to date.
    fn clearance(&mut self, (terrain, layers): (&Terrain, &mut Layers), key: ClearanceKey) -> &mut Clearance {
        let ClearanceKey { capability, ignored_obstacles, .. } = key;
        let layer = LayerKey { capability, ignored_obstacles, ..LayerKey::default() };
        // The layer of a single cell: its placements are the open cells themselves.
        let open = &**layers.placements(terrain, &layer);
        let number = self.changes + 1;
        let own = self.maps.get_or_insert_with(&key, || Clearance {
            map: Kept::build(terrain, open, key.kind()),
            known_since: number,
            changes: VecDeque::new(),
        });
        let changed = match own.map.follow(terrain, open, key.kind(), Some(Vec::new())) {
            Some(rects) => rects.into_iter().reduce(LocalRect::union),
            // A map that was built anew is not compared with the old one.
            None => Some(terrain.layout().all()),
        };
        if let Some(rect) = changed {
            own.note(number, rect);
        }
        if changed.is_some() || own.known_since == number {
            self.changes = number;
        }
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::World;

    const KEY: ClearanceKey = ClearanceKey::new(Capability::ALL, ClearanceMetric::True, 255);
    const REGION: CellRect = CellRect::new(-3, -2, 40, 40);

    #[test]
    fn each_listener_hears_the_changes_after_the_last_that_it_knows() {
        let mut world = World::new(REGION).unwrap();
        let (first, heard) = world.clearance_changes_since(KEY, 0);
        assert_eq!(heard, Some(REGION), "the first question tells the whole map");
        assert_eq!(world.clearance_changes_since(KEY, first), (first, None));
        let mut edit = |cell: CellRect, seen: u64| {
            world.terrain_mut().fill_solid(cell, true);
            let (number, heard) = world.clearance_changes_since(KEY, seen);
            assert_eq!(world.clearance_changes_since(KEY, seen).1, heard, "another listener hears the same");
            (number, heard.unwrap())
        };
        let (second, low) = edit(CellRect::new(30, 30, 1, 1), first);
        let (third, high) = edit(CellRect::new(2, 2, 1, 1), second);
        assert_eq!(edit(CellRect::new(2, 2, 1, 1), first), (third, low.union(high)));
    }

    #[test]
    fn a_map_that_is_built_anew_is_heard_as_a_whole() {
        // Smaller maps are repaired however much is edited.
        let region = CellRect::new(-3, -2, 600, 600);
        let mut world = World::new(region).unwrap();
        let (seen, _) = world.clearance_changes_since(KEY, 0);
        world.terrain_mut().fill_solid(CellRect::new(2, 2, 1, 1), true);
        let (seen, _) = world.clearance_changes_since(KEY, seen);
        // So much that a build takes less time than a repair.
        world.terrain_mut().fill_solid(region, true);
        let (seen, heard) = world.clearance_changes_since(KEY, seen);
        assert_eq!(heard, Some(region));
        assert_eq!(world.clearance_changes_since(KEY, seen), (seen, None));
    }

    #[test]
    fn what_is_not_known_is_everything() {
        let mut world = World::new(REGION).unwrap();
        let (mut seen, _) = world.clearance_changes_since(KEY, 0);
        for x in 0..5 {
            world.terrain_mut().fill_solid(CellRect::new(x, 0, 1, 1), true);
            (seen, _) = world.clearance_changes_since(KEY, seen);
        }
        // Other maps make room for it.
        for max in 1..=MAPS_MAX as u8 {
            world.clearance_map(ClearanceKey { max, ..KEY });
        }
        assert_eq!(world.clearance_changes_since(KEY, seen).1, Some(REGION));
        (seen, _) = world.clearance_changes_since(KEY, seen);
        let other = CellRect::new(0, 0, 20, 20);
        world.set_region(other).unwrap();
        assert_eq!(world.clearance_changes_since(KEY, seen).1, Some(other), "another map");
    }
}
