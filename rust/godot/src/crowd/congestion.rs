//! Jams that are told to an influence map, so that paths and fields lead around them.

use godot::prelude::*;
use pathforge_core::crowd::Crowd;
use pathforge_core::geometry::CellRect;
use pathforge_core::influence::{CONGESTION_TILE, Congestion as Told, CongestionChange, SourceId};

use super::PathForgeCrowd;
use crate::influence_map::InfluenceMap;

/// Seconds between looks.
const BEAT_S: f64 = 0.5;

/// What the map was told.
pub struct Congestion {
    pub map: Option<InstanceId>,
    pub strength: f32,
    waiting_s: f64,
    region: CellRect,
    told: Told,
    /// Stamps that are to be taken from maps.
    taken_back: Vec<(InstanceId, Vec<SourceId>)>,
}

impl Default for Congestion {
    fn default() -> Self {
        Self {
            map: None,
            strength: 4.0,
            waiting_s: 0.0,
            region: CellRect::default(),
            told: Told::default(),
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
        let stamps = self.told.take_back();
        self.taken_back.extend(self.map.map(|map| (map, stamps)));
    }

    /// What has changed, when it is time to look.
    fn look(&mut self, crowd: &Crowd, region: CellRect, seconds: f64) -> Vec<CongestionChange> {
        self.waiting_s += seconds;
        if self.waiting_s < BEAT_S || region.is_empty() {
            return Vec::new();
        }
        self.waiting_s = 0.0;
        let jams = crowd.jams(region.w as usize, region.h as usize, CONGESTION_TILE as usize);
        self.told.changes(&jams, region)
    }
}

/// Removes stamps from maps that are still there.
fn remove(taken_back: Vec<(InstanceId, Vec<SourceId>)>) {
    for (map, stamps) in taken_back {
        let Ok(map) = Gd::<InfluenceMap>::try_from_instance_id(map) else { continue };
        InfluenceMap::change(map, None, |map, _| {
            for stamp in stamps {
                map.remove_source(stamp);
            }
        });
    }
}

impl PathForgeCrowd {
    /// Takes back all that the congestion map was told, as the crowd leaves the tree.
    pub(super) fn forget_jams(&mut self) {
        self.congestion.take_back();
        let taken_back = std::mem::take(&mut self.congestion.taken_back);
        // Listeners of the map may call this node.
        let guard = self.base_mut();
        remove(taken_back);
        drop(guard);
    }

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
        remove(taken_back);
        let Some(map) = map.filter(|map| map.is_instance_valid() && this.is_instance_valid()) else { return };
        if changes.is_empty() {
            return;
        }
        let mut told = std::mem::take(&mut this.bind_mut().congestion.told);
        let strength = this.bind().congestion.strength;
        InfluenceMap::change(map, None, |map, solid| told.tell(map, changes, strength, solid));
        if this.is_instance_valid() {
            this.bind_mut().congestion.told = told;
        }
    }
}
