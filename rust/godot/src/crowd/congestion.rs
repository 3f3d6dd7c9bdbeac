//! Jams that are told to an influence map, so that paths and fields lead around them.

use std::collections::BTreeMap;

use godot::prelude::*;
use pathforge_core::crowd::Crowd;
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::influence::{Falloff, SourceId, SourceShape};

use super::PathForgeCrowd;
use crate::influence_map::InfluenceMap;

/// Side of the tiles that are looked at, in cells.
const TILE: i32 = 4;
/// Seconds between looks.
const BEAT_S: f64 = 0.5;
/// A tile that is all jammed has this level; those between are steps, so that fields are not stale all the time.
const LEVELS: f32 = 4.0;
/// A level stays until the jam is this far from it, in levels.
const STICKS: f32 = 0.75;

/// What the map was told.
pub struct Congestion {
    pub map: Option<InstanceId>,
    pub strength: f32,
    waiting_s: f64,
    region: CellRect,
    /// Level and stamp of each tile that is jammed.
    tiles: BTreeMap<(i32, i32), (u8, SourceId)>,
    /// Stamps that are to be taken from maps.
    taken_back: Vec<(InstanceId, Vec<SourceId>)>,
}

/// A tile whose level has changed.
struct Change {
    tile: (i32, i32),
    level: u8,
}

impl Default for Congestion {
    fn default() -> Self {
        Self {
            map: None,
            strength: 4.0,
            waiting_s: 0.0,
            region: CellRect::default(),
            tiles: BTreeMap::new(),
            taken_back: Vec::new(),
        }
    }
}

impl Congestion {
    /// The map, while it is there.
    pub fn map(&self) -> Option<Gd<InfluenceMap>> {
        self.map.and_then(|id| Gd::try_from_instance_id(id).ok())
    }

    /// At the next step, the map shall forget everything that it was told.
    pub fn take_back(&mut self) {
        let stamps = std::mem::take(&mut self.tiles).into_values().map(|(_, stamp)| stamp).collect();
        self.taken_back.extend(self.map.map(|map| (map, stamps)));
    }

    /// What has changed, when it is time to look.
    fn look(&mut self, crowd: &Crowd, region: CellRect, seconds: f64) -> Vec<Change> {
        self.waiting_s += seconds;
        if self.waiting_s < BEAT_S || region.is_empty() {
            return Vec::new();
        }
        self.waiting_s = 0.0;
        let jams = crowd.jams(region.w as usize, region.h as usize, TILE as usize);
        let columns = (region.w as usize).div_ceil(TILE as usize);
        let mut changes = Vec::new();
        for (n, jam) in jams.into_iter().enumerate() {
            let tile = (region.x + (n % columns) as i32 * TILE, region.y + (n / columns) as i32 * TILE);
            let level = self.tiles.get(&tile).map_or(0, |(level, _)| *level);
            let now = (jam * LEVELS).min(LEVELS);
            if (now - f32::from(level)).abs() > STICKS {
                changes.push(Change { tile, level: (now + 0.5) as u8 });
            }
        }
        changes
    }
}

impl PathForgeCrowd {
    /// Tells the congestion map what has changed in so many seconds.
    pub(super) fn tell_jams(mut this: Gd<Self>, seconds: f64) {
        let (map, changes) = {
            let mut crowd = this.bind_mut();
            let Some(grid) = crowd.resolve_grid() else { return };
            let region = grid.bind().cell_region();
            let Self { crowd, congestion, .. } = &mut *crowd;
            if region != congestion.region {
                // Tiles lie elsewhere now.
                congestion.take_back();
                congestion.region = region;
            }
            let map = congestion.map();
            let changes = if map.is_some() { congestion.look(crowd, region, seconds) } else { Vec::new() };
            (map, changes)
        };
        let taken_back = std::mem::take(&mut this.bind_mut().congestion.taken_back);
        for (map, stamps) in taken_back {
            let Ok(map) = Gd::<InfluenceMap>::try_from_instance_id(map) else { continue };
            InfluenceMap::change(map, None, |map, _| {
                for stamp in stamps {
                    map.remove_source(stamp);
                }
            });
        }
        let Some(map) = map.filter(|map| map.is_instance_valid() && this.is_instance_valid()) else { return };
        if changes.is_empty() {
            return;
        }
        let mut tiles = std::mem::take(&mut this.bind_mut().congestion.tiles);
        let strength = this.bind().congestion.strength;
        InfluenceMap::change(map, None, |map, solid| {
            for Change { tile, level } in changes {
                if let Some((_, stamp)) = tiles.remove(&tile) {
                    map.remove_source(stamp);
                }
                if level > 0 {
                    let shape = SourceShape {
                        strength: strength * f32::from(level) / LEVELS,
                        radius: TILE as f32,
                        falloff: Falloff::Linear,
                    };
                    let middle = Cell::new(tile.0 + TILE / 2, tile.1 + TILE / 2);
                    tiles.insert(tile, (level, map.add_source(middle, shape, true, solid)));
                }
            }
        });
        if this.is_instance_valid() {
            this.bind_mut().congestion.tiles = tiles;
        }
    }
}
