//! When regions that were baked count: the navigation server takes them over on a later frame.
//!
//! Regions and maps are rebuilt on threads of the engine. First each region has to have a new iteration, then
//! the map. A rebuild of the map that was under way already may lack the regions.

use godot::classes::{NavigationRegion2D, NavigationServer2D, Node2D};
use godot::prelude::*;

/// The engine's method that says how often a region was rebuilt. Engines without it rebuild regions at once.
const REGION_ITERATION: &str = "region_get_iteration_id";
/// After so many frames without news of the map, no rebuild is under way.
const QUIET_FRAMES: u32 = 30;

/// Regions that the navigation map has not taken over yet.
pub struct Arrival {
    map: Rid,
    /// The map's iteration when it was last looked at.
    map_iteration: u32,
    /// Regions with the iterations that are out of date.
    regions: Vec<(InstanceId, i64)>,
    /// How many rebuilds of the map are awaited.
    awaited: u32,
    quiet_frames: u32,
}

impl Arrival {
    /// Begins to wait for these regions on the map of `node`, which is in the scene tree. `is_pending` says
    /// that earlier regions are awaited still.
    pub fn of(node: &Gd<Node2D>, regions: Vec<InstanceId>, is_pending: bool) -> Option<Self> {
        let map = node.get_world_2d()?.get_navigation_map();
        let map_iteration = NavigationServer2D::singleton().map_get_iteration_id(map);
        let regions = regions.into_iter().filter_map(|region| Some((region, region_iteration(region)?)));
        // A rebuild for the earlier regions may be under way.
        let awaited = if is_pending { 2 } else { 1 };
        Some(Self { map, map_iteration, regions: regions.collect(), awaited, quiet_frames: 0 })
    }

    /// Looks, once a frame, whether the map has taken the regions over.
    pub fn is_over(&mut self) -> bool {
        let is_current =
            |&(region, old): &(InstanceId, i64)| region_iteration(region).is_none_or(|now| now != old);
        // Rebuilds before the last region's do not count.
        let were_waiting = !self.regions.is_empty();
        while self.regions.last().is_some_and(is_current) {
            self.regions.pop();
        }
        let iteration = NavigationServer2D::singleton().map_get_iteration_id(self.map);
        let rebuilds = iteration.wrapping_sub(self.map_iteration);
        self.map_iteration = iteration;
        self.quiet_frames = if rebuilds == 0 { self.quiet_frames + 1 } else { 0 };
        if self.regions.is_empty() {
            // Both may have happened since the last frame.
            self.awaited = self.awaited.saturating_sub(rebuilds);
        } else if were_waiting && rebuilds > 0 {
            self.awaited = 1;
        }
        self.awaited == 0 || self.quiet_frames > QUIET_FRAMES
    }
}

/// How often the engine has rebuilt a region; `None` if it is freed, and where engines do not say so.
fn region_iteration(region: InstanceId) -> Option<i64> {
    let region = Gd::<NavigationRegion2D>::try_from_instance_id(region).ok()?.get_rid();
    let mut server = NavigationServer2D::singleton();
    let is_there = server.has_method(REGION_ITERATION);
    is_there.then(|| server.call(REGION_ITERATION, vslice![region]).try_to::<i64>().ok()).flatten()
}
