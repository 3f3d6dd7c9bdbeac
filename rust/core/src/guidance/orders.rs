//! Orders to agents: to a cell, in a formation, on a march, along a path or a field of another owner, or to
//! stop.
//!
//! The cells that agents are sent to lie in the region of the map.

use super::trips::{Trip, anchor_at, path_centers};
use super::{CrowdMap, Guidance};
use crate::crowd::{AgentView, Crowd, MarchShape};
use crate::geometry::Cell;
use crate::world::World;

/// So few agents of a profile walk to a cell along paths of their own. A path takes some 10 to 100
/// microseconds, a field of a map of 256² cells some 400.
const TRIPS_MAX: usize = 6;
/// On maps of at most so many cells they share a field all the same.
const SMALL_MAP: u64 = 64 * 64;

impl Guidance {
    /// Sends agents to a cell, each to where its body covers it or comes nearest; returns how many of them
    /// there are.
    pub fn send(&mut self, crowd: &mut Crowd, map: &mut CrowdMap<'_>, ids: &[u32], cell: Cell) -> usize {
        let is_small = map.world.terrain().region().area() <= SMALL_MAP;
        // A larger group gathers in a room, to which fields lead.
        let is_large = ids.len() > TRIPS_MAX;
        let trips_max = if is_small || is_large { 0 } else { TRIPS_MAX };
        self.send_by_profile(crowd, map, ids, cell, trips_max)
    }

    /// Sends agents of each profile along a field to `cell`. If there is no such field yet, at most
    /// `trips_max` agents walk along paths of their own instead, if paths lead there.
    fn send_by_profile(
        &mut self,
        crowd: &mut Crowd,
        map: &mut CrowdMap<'_>,
        ids: &[u32],
        cell: Cell,
        trips_max: usize,
    ) -> usize {
        self.trips.end(ids);
        let mut count = 0;
        for number in 0..self.profiles.all.len() {
            let is_its = |id: &u32| crowd.contains(*id) && self.profiles.has(*id, number);
            let mut followers: Vec<u32> = ids.iter().copied().filter(is_its).collect();
            count += followers.len();
            let profile = self.profiles.all[number];
            if followers.len() <= trips_max && self.fields.find(cell, &profile).is_none() {
                followers.retain(|&id| !self.trips.begin(&Trip { id, cell, profile }, crowd, map));
            }
            if !followers.is_empty() {
                let field = self.fields.number_to(cell, &profile, crowd);
                crowd.assign_field(&followers, field);
            }
        }
        count
    }

    /// Sends agents to a cell, and each to a place of its own around it, `places[n]` being for some agent:
    /// those in front get the places in front. Returns how many of them there are.
    pub fn send_in_formation(
        &mut self,
        crowd: &mut Crowd,
        map: &mut CrowdMap<'_>,
        ids: &[u32],
        cell: Cell,
        mut places: Vec<[f64; 2]>,
    ) -> usize {
        let count = self.send_by_profile(crowd, map, ids, cell, 0);
        let mut agents = views_of(crowd, ids);
        let at = |view: &AgentView| [view.x, view.y];
        let (from, to) = (middle(agents.iter().map(at)), middle(places.iter().copied()));
        let way = [to[0] - from[0], to[1] - from[1]];
        // In ranks of about as many as there are ranks, so that those in front go to the places in front.
        MarchShape::Block.arrange(&mut agents, way, at);
        MarchShape::Block.arrange(&mut places, way, |place| *place);
        let ids: Vec<u32> = agents.iter().map(|view| view.id).collect();
        crowd.assign_places(&ids, &places);
        count
    }

    /// Sends agents to a cell in a shape, along the path of the widest of them; returns how many of them
    /// there are.
    pub fn march(
        &mut self,
        crowd: &mut Crowd,
        map: &mut CrowdMap<'_>,
        ids: &[u32],
        cell: Cell,
        shape: MarchShape,
    ) -> usize {
        self.trips.end(ids);
        let centers = self.path_of_widest(crowd, map.world, ids, cell);
        let group = self.path_ends.note(cell);
        crowd.assign_march(ids, &centers, group, shape)
    }

    /// Finds paths for members of marches that cannot use their group's path. They were far from the others
    /// when the order was given, have been pushed off, or have a slot around a corner.
    pub(super) fn lead_strays(&self, crowd: &mut Crowd, map: &mut CrowdMap<'_>) {
        for (id, [x, y]) in crowd.strays() {
            let Some((view, profile)) = crowd.view(id).zip(self.profile_of(id)) else { continue };
            let centers = path_centers(map.world, &view, anchor_at(x, y, &profile), &profile);
            crowd.lead_back(id, &centers);
        }
    }

    /// The centres along the path of the widest of some agents, of several the one nearest to their middle.
    fn path_of_widest(&self, crowd: &mut Crowd, world: &mut World, ids: &[u32], cell: Cell) -> Vec<[f64; 2]> {
        let views = views_of(crowd, ids);
        let [x, y] = middle(views.iter().map(|view| [view.x, view.y]));
        let off = |view: &AgentView| (view.x - x).powi(2) + (view.y - y).powi(2);
        let profile = |view: &AgentView| self.profile_of(view.id).unwrap_or_default();
        let width = |view: &AgentView| profile(view).footprint.w().max(profile(view).footprint.h());
        let widest = views.iter().max_by(|a, b| width(a).cmp(&width(b)).then(off(b).total_cmp(&off(a))));
        widest.map_or_else(Vec::new, |view| path_centers(world, view, cell, &profile(view)))
    }

    /// Sends agents along a path of centres in cells; without any, they stop. Returns how many of them there
    /// are.
    pub fn send_along_path(&mut self, crowd: &mut Crowd, ids: &[u32], centers: &[[f64; 2]]) -> usize {
        self.trips.end(ids);
        let end = centers.last().map(|&[x, y]| Cell::new(x.floor() as i32, y.floor() as i32));
        let group = end.map_or(0, |cell| self.path_ends.note(cell));
        crowd.assign_path(ids, centers, group)
    }

    /// Sends agents along the field that the owner with this key lends; returns how many of them there are.
    pub fn send_along_field(&mut self, crowd: &mut Crowd, ids: &[u32], key: u64) -> usize {
        self.trips.end(ids);
        let field = self.fields.lent_by(key, crowd);
        crowd.assign_field(ids, field)
    }

    /// Stops agents where they are; returns how many of them there are.
    pub fn stop(&mut self, crowd: &mut Crowd, ids: &[u32]) -> usize {
        self.trips.end(ids);
        crowd.stop(ids)
    }

    /// Ends the trips of agents that something else leads from now on.
    pub fn end_trips(&mut self, ids: &[u32]) {
        self.trips.end(ids);
    }

    /// Leads an agent that was put elsewhere from there.
    pub fn resume(&mut self, crowd: &mut Crowd, map: &mut CrowdMap<'_>, id: u32) {
        let lost = self.trips.resume(id, crowd, map.world);
        self.follow_fields(&lost, crowd);
    }

    /// Sends agents that no path leads to their cell along fields, which tell them so, and lead them when
    /// there is a way.
    pub(super) fn follow_fields(&mut self, lost: &[Trip], crowd: &mut Crowd) {
        for trip in lost {
            let field = self.fields.number_to(trip.cell, &trip.profile, crowd);
            crowd.assign_field(&[trip.id], field);
        }
    }
}

fn views_of(crowd: &mut Crowd, ids: &[u32]) -> Vec<AgentView> {
    ids.iter().filter_map(|&id| crowd.view(id)).collect()
}

fn middle(all: impl ExactSizeIterator<Item = [f64; 2]>) -> [f64; 2] {
    let count = all.len().max(1) as f64;
    let sum = all.fold([0.0; 2], |sum, at| [sum[0] + at[0], sum[1] + at[1]]);
    sum.map(|sum| sum / count)
}
