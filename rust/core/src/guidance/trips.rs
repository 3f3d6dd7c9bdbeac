//! Agents that walk along a path of their own, from where they are to a cell; it is found anew when the map changes.

use super::{CrowdMap, group_of};
use crate::crowd::{AgentState, AgentView, Crowd};
use crate::geometry::Cell;
use crate::world::{GoalMode, MapVersion, PathQuery, Profile, World};

/// An agent that walks to a cell along a path of its own.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Trip {
    pub(super) id: u32,
    pub(super) cell: Cell,
    pub(super) profile: Profile,
}

/// All of them.
#[derive(Debug, Default)]
pub(super) struct Trips {
    all: Vec<Trip>,
    /// The map that they were found on; `None` after loading, when the crowd has their paths already.
    found_on: Option<(u64, MapVersion)>,
}

impl Trips {
    /// Sends an agent, if there is one.
    pub(super) fn begin(&mut self, trip: &Trip, crowd: &mut Crowd, map: &mut CrowdMap<'_>) -> bool {
        self.found_on.get_or_insert((map.id, map.world.version()));
        let is_agent = crowd.contains(trip.id);
        if is_agent {
            trip.find_path(crowd, map.world);
            self.all.push(*trip);
        }
        is_agent
    }

    /// Ends the trips of agents that are sent elsewhere.
    pub(super) fn end(&mut self, ids: &[u32]) {
        if !self.all.is_empty() {
            self.all.retain(|trip| !ids.contains(&trip.id));
        }
    }

    /// Ends the trips that have come to their end and finds other paths for the rest, when the map is another.
    pub(super) fn update(&mut self, crowd: &mut Crowd, map: &mut CrowdMap<'_>) {
        let version = (map.id, map.world.version());
        if self.found_on == Some(version) {
            return;
        }
        self.all.retain(|trip| trip.is_under_way(crowd));
        if self.found_on.replace(version).is_some() {
            self.all.iter().for_each(|trip| trip.find_path(crowd, map.world));
        }
    }

    /// Finds another path for an agent that was put elsewhere, if it is on a trip.
    pub(super) fn resume(&self, id: u32, crowd: &mut Crowd, world: &mut World) {
        let trip = self.all.iter().find(|trip| trip.id == id);
        if let Some(trip) = trip.filter(|trip| trip.is_under_way(crowd)) {
            trip.find_path(crowd, world);
        }
    }

    /// Finds other paths for agents that have another profile.
    pub(super) fn change_profile(
        &mut self,
        views: &[AgentView],
        profile: &Profile,
        crowd: &mut Crowd,
        world: &mut World,
    ) {
        for trip in self.all.iter_mut().filter(|trip| views.iter().any(|view| view.id == trip.id)) {
            trip.profile = *profile;
            if trip.is_under_way(crowd) {
                trip.find_path(crowd, world);
            }
        }
    }

    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> {
        self.all.iter().map(|trip| trip.cell)
    }

    pub(super) fn all(&self) -> &[Trip] {
        &self.all
    }

    pub(super) fn restore(&mut self, all: Vec<Trip>) {
        *self = Self { all, found_on: None };
    }
}

impl Trip {
    /// Returns `true` unless it has come to its end. A blocked agent is under way: on a map that has changed there may be room for it.
    fn is_under_way(&self, crowd: &mut Crowd) -> bool {
        let view = crowd.view(self.id);
        view.is_some_and(|view| !matches!(view.state, AgentState::Arrived | AgentState::Idle))
    }

    fn find_path(&self, crowd: &mut Crowd, world: &mut World) {
        let Some(view) = crowd.view(self.id) else { return };
        let centers = path_centers(world, &view, self.cell, &self.profile);
        crowd.assign_path(&[self.id], &centers, group_of([self.cell]));
    }
}

/// The centres of a body along its path from where it is to as near to `cell` as it can come; where it is, if it can go nowhere.
pub(super) fn path_centers(
    world: &mut World,
    view: &AgentView,
    cell: Cell,
    profile: &Profile,
) -> Vec<[f64; 2]> {
    let query = PathQuery {
        goal_mode: GoalMode::Nearest,
        ..PathQuery::new(placement_at(view, profile), cell, *profile)
    };
    let half = [profile.footprint.w(), profile.footprint.h()].map(|side| f64::from(side) / 2.0);
    let mut centers = Vec::new();
    world.find_path(&query).route.for_each_cell(|cell| {
        centers.push([f64::from(cell.x) + half[0], f64::from(cell.y) + half[1]]);
    });
    if centers.is_empty() {
        // An agent without a path would stop, and be told as idle instead of arrived.
        centers.push([view.x, view.y]);
    }
    centers
}

/// Returns the anchor cell that a body of `profile` is nearest to, be it a placement or not.
pub fn placement_at(view: &AgentView, profile: &Profile) -> Cell {
    anchor_at(view.x, view.y, profile)
}

/// Returns the anchor cell that a body of `profile` is nearest to when it is centred at (`x`, `y`).
pub fn anchor_at(x: f64, y: f64, profile: &Profile) -> Cell {
    let round = |at: f64, side: i32| (at - f64::from(side) / 2.0 + 0.5).floor() as i32;
    Cell::new(round(x, profile.footprint.w()), round(y, profile.footprint.h()))
}
