//! Agents that walk along a path of their own, from where they are to a cell; it is found anew when the map
//! changes. An agent without a path follows a field instead, which reports that and leads it when there is a
//! path.

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
    /// Sends an agent, if there is one; returns `false` if no path leads it there.
    pub(super) fn begin(&mut self, trip: &Trip, crowd: &mut Crowd, map: &mut CrowdMap<'_>) -> bool {
        self.found_on.get_or_insert((map.id, map.world.version()));
        let is_led = trip.find_path(crowd, map.world, &[]);
        if is_led {
            self.all.push(*trip);
        }
        is_led
    }

    /// Finds paths for trips under way for which `is_sought`. Ends the trips without a path, and returns
    /// them.
    fn find_paths(
        &mut self,
        crowd: &mut Crowd,
        world: &mut World,
        is_sought: impl Fn(&Trip) -> bool,
    ) -> Vec<Trip> {
        let is_lost = |trip: &mut Trip| {
            is_sought(trip) && trip.is_under_way(crowd) && !trip.find_path(crowd, world, &[])
        };
        self.all.extract_if(.., is_lost).collect()
    }

    /// Ends the trips of agents that are sent elsewhere.
    pub(super) fn end(&mut self, ids: &[u32]) {
        if !self.all.is_empty() {
            self.all.retain(|trip| !ids.contains(&trip.id));
        }
    }

    /// Ends the trips that have come to their end. If the map has changed, finds other paths for the rest,
    /// and returns the trips that no path leads to their cell any more.
    pub(super) fn update(&mut self, crowd: &mut Crowd, map: &mut CrowdMap<'_>) -> Vec<Trip> {
        let version = (map.id, map.world.version());
        if self.found_on == Some(version) {
            return Vec::new();
        }
        self.all.retain(|trip| trip.is_under_way(crowd));
        match self.found_on.replace(version) {
            Some(_) => self.find_paths(crowd, map.world, |_| true),
            None => Vec::new(),
        }
    }

    /// Finds paths past standing bodies, for agents with some right ahead of them on their own path. Where
    /// nothing leads past them, it stays.
    pub(super) fn go_round(&mut self, crowd: &mut Crowd, world: &mut World) {
        for trip in &self.all {
            if let Some(standing) = crowd.standing_ahead(trip.id) {
                trip.find_path(crowd, world, &standing);
            }
        }
    }

    /// Finds another path for an agent that was put elsewhere, if it is on a trip; returns it if none leads
    /// to its cell.
    pub(super) fn resume(&mut self, id: u32, crowd: &mut Crowd, world: &mut World) -> Vec<Trip> {
        self.find_paths(crowd, world, |trip| trip.id == id)
    }

    /// Finds other paths for agents that have another profile; returns the trips without a path to their
    /// cell.
    pub(super) fn change_profile(
        &mut self,
        views: &[AgentView],
        profile: &Profile,
        crowd: &mut Crowd,
        world: &mut World,
    ) -> Vec<Trip> {
        let is_among = |trip: &Trip| views.iter().any(|view| view.id == trip.id);
        self.all.iter_mut().filter(|trip| is_among(trip)).for_each(|trip| trip.profile = *profile);
        self.find_paths(crowd, world, is_among)
    }

    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> {
        self.all.iter().map(|trip| trip.cell)
    }

    pub(super) fn all(&self) -> &[Trip] {
        &self.all
    }

    pub(super) fn restore(&mut self, all: Vec<Trip>) {
        *self = Self { all, ..Self::default() };
    }
}

impl Trip {
    /// Returns `true` unless it has come to its end. A blocked agent is under way: on a map that has changed
    /// there may be room for it.
    fn is_under_way(&self, crowd: &mut Crowd) -> bool {
        let view = crowd.view(self.id);
        view.is_some_and(|view| !matches!(view.state, AgentState::Arrived | AgentState::Idle))
    }

    /// Sends the agent along a path to its cell that enters none of some cells; returns `false` if none leads
    /// there, or it is gone.
    fn find_path(&self, crowd: &mut Crowd, world: &mut World, past: &[Cell]) -> bool {
        let Some(view) = crowd.view(self.id) else { return false };
        let outcome = world.find_path(&path_to(self.cell, &view, &self.profile).past(past));
        let cells = outcome.route.cells();
        // Where it covers the cell or, if it can stand nowhere there, where it comes nearest.
        let ends_there = |end: &Cell| {
            outcome.reason.is_none()
                || world.field_goals(&[self.cell], GoalMode::Nearest, &self.profile).contains(end)
        };
        let is_led = cells.last().is_some_and(ends_there);
        if is_led {
            crowd.assign_path(&[self.id], &centers(&cells, &self.profile), group_of([self.cell]));
        }
        is_led
    }
}

/// The centres of a body along its path from where it is to as near to `cell` as it can come; where it is, if
/// it can go nowhere.
pub(super) fn path_centers(
    world: &mut World,
    view: &AgentView,
    cell: Cell,
    profile: &Profile,
) -> Vec<[f64; 2]> {
    let cells = world.find_path(&path_to(cell, view, profile)).route.cells();
    if cells.is_empty() {
        // An agent without a path would stop, and report *idle* instead of *arrived*.
        return vec![[view.x, view.y]];
    }
    centers(&cells, profile)
}

/// The query for a path of a body from where it is to as near to `cell` as it can come.
fn path_to(cell: Cell, view: &AgentView, profile: &Profile) -> PathQuery {
    PathQuery { goal_mode: GoalMode::Nearest, ..PathQuery::new(placement_at(view, profile), cell, *profile) }
}

/// The centres of a body of `profile` on some cells.
fn centers(cells: &[Cell], profile: &Profile) -> Vec<[f64; 2]> {
    let half = [profile.footprint.w(), profile.footprint.h()].map(|side| f64::from(side) / 2.0);
    cells.iter().map(|cell| [f64::from(cell.x) + half[0], f64::from(cell.y) + half[1]]).collect()
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
