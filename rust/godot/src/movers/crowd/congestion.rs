//! The influence map that is told where agents jam, so that paths and fields lead around them.

use godot::prelude::*;
use pathforge_core::influence::{CONGESTION_TILE, Congestion, SourceId};

use super::PathForgeCrowd;
use crate::map::influence_map::InfluenceMap;

/// The map, and what it was told.
pub struct CongestionLink {
    map: Option<InstanceId>,
    pub strength: f32,
    told: Congestion,
    /// Sources that are still to be taken from maps: setters take nothing themselves, as listeners of a map
    /// run scripts.
    taken_back: Vec<(InstanceId, Vec<SourceId>)>,
}

impl Default for CongestionLink {
    fn default() -> Self {
        Self { map: None, strength: 4.0, told: Congestion::default(), taken_back: Vec::new() }
    }
}

impl CongestionLink {
    /// The map, while it is there.
    pub fn map(&self) -> Option<Gd<InfluenceMap>> {
        self.map.and_then(|id| Gd::try_from_instance_id(id).ok())
    }

    pub fn set_map(&mut self, map: Option<Gd<InfluenceMap>>) {
        self.take_back();
        self.map = map.map(|map| map.instance_id());
    }

    /// At the next step, everything that the map was told is taken from it.
    fn take_back(&mut self) {
        let sources = self.told.take_back();
        self.taken_back.extend(self.map.map(|map| (map, sources)));
    }
}

/// Removes sources from maps that are still there.
fn remove(taken_back: Vec<(InstanceId, Vec<SourceId>)>) {
    for (map, sources) in taken_back {
        let Ok(map) = Gd::<InfluenceMap>::try_from_instance_id(map) else { continue };
        InfluenceMap::change(map, None, |map, _| {
            for source in sources {
                map.remove_source(source);
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
        let (taken_back, map, changes) = {
            let mut crowd = this.bind_mut();
            let Some(grid) = crowd.resolve_grid() else { return };
            let region = grid.bind().cell_region();
            let Self { crowd, congestion, .. } = &mut *crowd;
            let map = congestion.map();
            let jams = || crowd.jams(region.w as usize, region.h as usize, CONGESTION_TILE as usize);
            let changes =
                if map.is_some() { congestion.told.update(seconds, region, jams) } else { Vec::new() };
            (std::mem::take(&mut congestion.taken_back), map, changes)
        };
        // Before what is new: it may be the same map.
        remove(taken_back);
        let Some(map) = map.filter(|map| map.is_instance_valid() && this.is_instance_valid()) else { return };
        if changes.is_empty() {
            return;
        }
        // Taken out while listeners of the map run, which may call this node.
        let mut told = std::mem::take(&mut this.bind_mut().congestion.told);
        let strength = this.bind().congestion.strength;
        let former = map.instance_id();
        InfluenceMap::change(map, None, |map, solid| told.tell(map, changes, strength, solid));
        if !this.is_instance_valid() {
            return;
        }
        let congestion = &mut this.bind_mut().congestion;
        congestion.told = told;
        // A listener may have given the crowd another map.
        if congestion.map != Some(former) {
            let sources = congestion.told.take_back();
            congestion.taken_back.push((former, sources));
        }
    }
}
