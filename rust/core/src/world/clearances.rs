//! The clearance maps that are kept, by capability, metric and maximum.

use super::World;
use crate::bitgrid::LocalRect;
use crate::clearance::{ClearanceMap, ClearanceMetric};
use crate::geometry::CellRect;
use crate::passability::LayerKey;
use crate::terrain::Capability;

/// Maps kept at once; the one used least recently makes room.
const MAPS_MAX: usize = 16;

/// What a clearance map is made for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ClearanceKey {
    /// The terrains that count as open.
    pub capability: Capability,
    /// What is measured.
    pub metric: ClearanceMetric,
    /// Where values saturate, at least 1.
    pub max: u8,
}

#[derive(Debug)]
struct Entry {
    key: ClearanceKey,
    revision: u64,
    map: ClearanceMap,
    /// Where values changed since somebody asked.
    changed: Option<LocalRect>,
}

/// The maps, those used last at the end.
#[derive(Debug, Default)]
pub(super) struct Clearances {
    entries: Vec<Entry>,
}

impl Clearances {
    pub(super) fn memory(&self) -> usize {
        self.entries.iter().map(|entry| entry.map.memory()).sum()
    }
}

impl World {
    /// The clearance of every cell, up to date.
    pub fn clearance_map(&mut self, key: ClearanceKey) -> &ClearanceMap {
        let place = self.current_clearance(key);
        &self.clearances.entries[place].map
    }

    /// The smallest rectangle of cells whose clearance changed since this was last asked; `None` when none did. The
    /// first question makes the map and answers with the whole region.
    pub fn take_clearance_changes(&mut self, key: ClearanceKey) -> Option<CellRect> {
        let place = self.current_clearance(key);
        let changed = self.clearances.entries[place].changed.take()?;
        Some(changed.to_cells(self.terrain.region()))
    }

    fn current_clearance(&mut self, key: ClearanceKey) -> usize {
        let terrain = &self.terrain;
        let layer = LayerKey { capability: key.capability, ..LayerKey::default() };
        let open = self.layers.stands(terrain, layer);
        let entries = &mut self.clearances.entries;
        let Some(place) = entries.iter().position(|entry| entry.key == key) else {
            if entries.len() == MAPS_MAX {
                entries.remove(0);
            }
            let map = ClearanceMap::build(open, key.metric, key.max);
            let changed = (terrain.shape().cells() > 0).then(|| terrain.shape().all());
            entries.push(Entry { key, revision: terrain.revision(), map, changed });
            return entries.len() - 1;
        };
        let mut entry = entries.remove(place);
        if entry.revision != terrain.revision() {
            let edits = terrain.journal().since(entry.revision).map(|news| {
                news.filter(|edit| edit.change.opens_or_closes()).map(|edit| edit.rect).collect::<Vec<_>>()
            });
            let small = |edits: &Vec<LocalRect>| {
                edits.iter().map(|rect| rect.area()).sum::<u64>() * 8 <= terrain.shape().cells() as u64
            };
            if let Some(edits) = edits.filter(small) {
                for rect in edits {
                    if let Some(changed) = entry.map.repair(open, rect) {
                        LocalRect::join(&mut entry.changed, changed);
                    }
                }
            } else {
                entry.map = ClearanceMap::build(open, key.metric, key.max);
                entry.changed = Some(terrain.shape().all());
            }
            entry.revision = terrain.revision();
        }
        entries.push(entry);
        entries.len() - 1
    }
}
