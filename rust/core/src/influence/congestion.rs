//! Congestion as influence: a source in the middle of every tile in which bodies jam, as strong as they do.

use std::collections::BTreeMap;

use super::{Falloff, InfluenceMap, SourceId, SourceShape};
use crate::bitgrid::BitGrid;
use crate::geometry::{Cell, CellRect};

/// Side of the tiles, in cells.
pub const CONGESTION_TILE: i32 = 4;
/// Seconds between updates: fields that avoid jams are repaired after each that changes something.
const INTERVAL_S: f64 = 0.5;
/// A tile that is all jammed has this level; those between are steps, so that fields are not stale all the
/// time.
const LEVELS: f32 = 4.0;
/// A level stays until the jam is this far from it, in levels.
const STICKS: f32 = 0.75;

/// The sources that one influence map has been given.
#[derive(Debug, Default)]
pub struct Congestion {
    /// Level and source of each tile that is jammed, by its first cell.
    tiles: BTreeMap<(i32, i32), (u8, SourceId)>,
    /// The region that is cut into tiles.
    region: CellRect,
    /// Seconds since the last update.
    idle_s: f64,
}

/// A tile whose level has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CongestionChange {
    tile: (i32, i32),
    level: u8,
}

impl Congestion {
    /// Lets seconds pass; returns the tiles of `region` whose level changes, twice a second at most. `jams`
    /// tells how jammed each tile is, from 0 to 1, row by row.
    ///
    /// When the region is another one, the tiles of the former end at once, and those of the new begin with
    /// the next update.
    pub fn update(
        &mut self,
        seconds: f64,
        region: CellRect,
        jams: impl FnOnce() -> Vec<f32>,
    ) -> Vec<CongestionChange> {
        self.idle_s += seconds;
        if region != self.region {
            self.region = region;
            return self.tiles.keys().map(|&tile| CongestionChange { tile, level: 0 }).collect();
        }
        if self.idle_s < INTERVAL_S || region.is_empty() {
            return Vec::new();
        }
        self.idle_s = 0.0;
        self.changes(&jams())
    }

    fn changes(&self, jams: &[f32]) -> Vec<CongestionChange> {
        let columns = (self.region.w as usize).div_ceil(CONGESTION_TILE as usize);
        let change = |(n, jam): (usize, &f32)| {
            let (column, row) = ((n % columns) as i32, (n / columns) as i32);
            let tile = (self.region.x + column * CONGESTION_TILE, self.region.y + row * CONGESTION_TILE);
            let level = self.tiles.get(&tile).map_or(0, |(level, _)| *level);
            let now = (jam * LEVELS).min(LEVELS);
            let changes = (now - f32::from(level)).abs() > STICKS;
            changes.then_some(CongestionChange { tile, level: (now + 0.5) as u8 })
        };
        jams.iter().enumerate().filter_map(change).collect()
    }

    /// Tells `map` of changes; a tile that is all jammed has `strength` in its middle. `solid` as in
    /// [`InfluenceMap::add_source`].
    pub fn tell(
        &mut self,
        map: &mut InfluenceMap,
        changes: Vec<CongestionChange>,
        strength: f32,
        solid: Option<&BitGrid>,
    ) {
        for CongestionChange { tile, level } in changes {
            if let Some((_, source)) = self.tiles.remove(&tile) {
                map.remove_source(source);
            }
            if level > 0 {
                let strength = strength * f32::from(level) / LEVELS;
                let shape =
                    SourceShape { strength, radius: CONGESTION_TILE as f32, falloff: Falloff::Linear };
                let middle = Cell::new(tile.0 + CONGESTION_TILE / 2, tile.1 + CONGESTION_TILE / 2);
                self.tiles.insert(tile, (level, map.add_source(middle, shape, true, solid)));
            }
        }
    }

    /// Forgets the map, and returns the sources that have to be taken from it.
    pub fn take_back(&mut self) -> Vec<SourceId> {
        std::mem::take(&mut self.tiles).into_values().map(|(_, source)| source).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::influence::InfluenceSettings;

    const REGION: CellRect = CellRect::new(-4, 0, 10, 8);

    fn level_of(changes: &[CongestionChange]) -> Vec<u8> {
        changes.iter().map(|change| change.level).collect()
    }

    /// Congestion that has seen the region, and what it makes of jams when an update is due.
    fn on_region() -> Congestion {
        Congestion { region: REGION, ..Congestion::default() }
    }

    fn update(congestion: &mut Congestion, jams: &[f32]) -> Vec<CongestionChange> {
        congestion.update(INTERVAL_S, REGION, || jams.to_vec())
    }

    #[test]
    fn a_level_changes_when_the_jam_is_far_from_it() {
        let mut map = InfluenceMap::new(REGION, InfluenceSettings::default());
        let mut congestion = on_region();
        let changes = update(&mut congestion, &[0.0, 0.5, 0.0, 0.0, 0.1, 2.0]);
        assert_eq!(level_of(&changes), [2, 4]);
        assert_eq!((changes[0].tile, changes[1].tile), ((0, 0), (4, 4)));
        congestion.tell(&mut map, changes, 8.0, None);
        assert_eq!(map.source_count(), 2);
        assert_eq!(map.source_cell(congestion.tiles[&(0, 0)].1), Some(Cell::new(2, 2)));
        assert_eq!(update(&mut congestion, &[0.0, 0.6, 0.0, 0.0, 0.1, 0.9]), [], "near enough");
        let gone = update(&mut congestion, &[0.0; 6]);
        assert_eq!(level_of(&gone), [0, 0]);
        congestion.tell(&mut map, gone, 8.0, None);
        assert_eq!((map.source_count(), congestion.take_back()), (0, Vec::new()));
    }

    #[test]
    fn jams_are_looked_at_twice_a_second() {
        let mut congestion = on_region();
        let mut looks = 0;
        for _ in 0..60 {
            congestion.update(1.0 / 32.0, REGION, || {
                looks += 1;
                vec![0.0; 6]
            });
        }
        assert_eq!(looks, 3);
    }

    #[test]
    fn tiles_of_a_former_region_end() {
        let mut map = InfluenceMap::new(REGION, InfluenceSettings::default());
        let mut congestion = on_region();
        let changes = update(&mut congestion, &[1.0; 6]);
        congestion.tell(&mut map, changes, 1.0, None);
        let moved = CellRect { x: 3, ..REGION };
        let ended = congestion.update(0.0, moved, || unreachable!("no update is due"));
        assert_eq!(level_of(&ended), [0; 6]);
        congestion.tell(&mut map, ended, 1.0, None);
        assert_eq!(map.source_count(), 0);
        assert_eq!(congestion.update(INTERVAL_S, moved, || vec![1.0; 6]).len(), 6);
    }

    #[test]
    fn what_was_told_is_taken_back() {
        let mut map = InfluenceMap::new(REGION, InfluenceSettings::default());
        let mut congestion = on_region();
        let changes = update(&mut congestion, &[1.0; 6]);
        congestion.tell(&mut map, changes, 1.0, None);
        for source in congestion.take_back() {
            map.remove_source(source);
        }
        assert_eq!(map.source_count(), 0);
        assert_eq!(update(&mut congestion, &[1.0; 6]).len(), 6, "nothing is known");
    }
}
