//! Questions about what can be reached, beyond a single path.

use std::sync::Arc;

use super::World;
use super::query::{PathOutcome, PathQuery, Plan, Profile};
use crate::bitgrid::{BitGrid, LocalRect};
use crate::connectivity::Regions;
use crate::cost::Cost;
use crate::geometry::{Cell, CellRect, FOOTPRINT_SIDE_MAX, Footprint};
use crate::passability::anchors_touching;
use crate::search::{Spot, stands_within};

/// The widest square body that can make a trip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LargestFootprint {
    /// Its side in cells, at most [`FOOTPRINT_SIDE_MAX`]; 0 when not even one cell can.
    pub side: u32,
    /// The cell on its way that has no room for the next wider one, where that one cannot come along; `None` when nothing can make the trip, or when
    /// the widest footprint that there is can.
    pub bottleneck: Option<Cell>,
}

impl World {
    /// The cells where the body of `profile` can be at a cost of at most `cost_max`, each with its least cost, in reading
    /// order; none where it cannot stand at `start`.
    ///
    /// Takes time in proportion to the cells found.
    pub fn cells_within(&mut self, start: Cell, cost_max: Cost, profile: &Profile) -> Vec<(Cell, Cost)> {
        if !self.can_stand(start, profile) {
            return Vec::new();
        }
        let region = self.terrain.region();
        let key = profile.layer_key();
        let costs = self.weighing(profile);
        let stands = Arc::clone(self.layers.stands(&self.terrain, key));
        let spot = Spot::of((start.x - region.x) as u32, (start.y - region.y) as u32);
        let found = self.with_scratch(|scratch| {
            stands_within(&stands, costs.as_deref(), profile.diagonal_mode, spot, cost_max, scratch)
        });
        let cell = |spot: Spot| {
            let (x, y) = spot.xy();
            Cell::new(region.x + x as i32, region.y + y as i32)
        };
        found.into_iter().map(|(spot, units)| (cell(spot), Cost::from_units(units))).collect()
    }

    /// The path to the cheapest of `goals`, as [`World::find_path`] finds it to one; the first in reading order of several.
    /// Goals where the body cannot stand or that it cannot reach are left out; when none is left, the answer says why not
    /// the first.
    pub fn find_path_to_any(&mut self, query: &PathQuery, goals: &[Cell]) -> PathOutcome {
        let outcome = match self.plan_to_any(query, goals) {
            Plan::Answered(outcome) => outcome,
            Plan::Search(job) => self.run(&job),
        };
        self.note(&outcome);
        outcome
    }

    /// Whether closing the cells of `rect` would leave some of `starts` without a way to any of `goals` that it has now, for
    /// the body of `profile`. Starts on which it cannot stand then are cut off, too. Obstacles that cover cells of a body at one
    /// of `starts` are left out: they are those of the bodies themselves. Changes nothing.
    ///
    /// Takes a repair of a copy of the layer and its regions.
    pub fn would_block(
        &mut self,
        rect: CellRect,
        starts: &[Cell],
        goals: &[Cell],
        profile: &Profile,
    ) -> bool {
        let region = self.terrain.region();
        let shape = self.terrain.shape();
        let Some(rect) = LocalRect::within(region, rect) else { return false };
        let key = profile.layer_key();
        let base = key.of_one_cell();
        let mut regions: Regions =
            self.layers.regions(&self.terrain, key, profile.diagonal_mode).as_ref().clone();
        let mut stands = self.layers.stands(&self.terrain, key).as_ref().clone();
        let mut open = self.layers.stands(&self.terrain, base).as_ref().clone();
        let repair = |open: &BitGrid, stands: &mut BitGrid, regions: &mut Regions, rect| {
            let anchors = anchors_touching(rect, profile.footprint, shape);
            stands.erode_again(open, profile.footprint, anchors);
            regions.repair(stands, anchors);
        };
        for rect in self.open_under_starts(&mut open, starts, profile) {
            repair(&open, &mut stands, &mut regions, rect);
        }
        if open.fill(rect, false).is_none() {
            return false;
        }
        let (mut stands_then, mut regions_then) = (stands.clone(), regions.clone());
        repair(&open, &mut stands_then, &mut regions_then, rect);

        let index = |cell: Cell| self.terrain.local(cell).ok().map(|(x, y)| shape.index(x, y));
        let reaches = |regions: &Regions, layer, start: Cell| {
            let home = index(start).and_then(|at| regions.region(layer, at));
            home.is_some()
                && goals.iter().any(|&goal| index(goal).and_then(|at| regions.region(layer, at)) == home)
        };
        starts
            .iter()
            .any(|&start| reaches(&regions, &stands, start) && !reaches(&regions_then, &stands_then, start))
    }

    /// Opens the cells that only obstacles over bodies at `starts` close; returns where they are.
    fn open_under_starts(&self, open: &mut BitGrid, starts: &[Cell], profile: &Profile) -> Vec<LocalRect> {
        let region = self.terrain.region();
        let is_taken = |cell| self.terrain.is_blocked(cell, profile.ignored_obstacle);
        let taken = starts.iter().map(|&start| profile.footprint.at(start));
        let mut taken = taken.filter(|body| body.cells().any(is_taken)).peekable();
        if taken.peek().is_none() {
            return Vec::new();
        }
        let mut without = self.terrain.clone();
        let lifted: Vec<CellRect> = taken.flat_map(|body| without.remove_obstacles_in(body)).collect();
        let shape = self.terrain.shape();
        let is_open = |cell| without.is_open_past(cell, profile.capability, profile.ignored_obstacle);
        for cell in lifted.iter().flat_map(|rect| rect.intersection(region).cells()) {
            if is_open(cell) {
                open.set(shape.index((cell.x - region.x) as u32, (cell.y - region.y) as u32), true);
            }
        }
        lifted.into_iter().filter_map(|rect| LocalRect::within(region, rect)).collect()
    }

    /// The widest square body of `capability` that can go from `start` to `goal`, both its top-left cells, and the cell that
    /// stops a wider one. Moves as `profile` says, whose own footprint does not matter.
    ///
    /// Takes up to seven layers with their regions, found by bisection, and a search.
    pub fn largest_footprint(&mut self, start: Cell, goal: Cell, profile: &Profile) -> LargestFootprint {
        self.largest_footprint_of(&PathQuery::new(start, goal, *profile))
    }

    /// The same for what `query` counts as being at its goal.
    pub fn largest_footprint_of(&mut self, query: &PathQuery) -> LargestFootprint {
        let profile = &query.profile;
        let mut makes_trip = |side: u32| {
            let footprint = Footprint::square(i64::from(side)).ok()?;
            let query = PathQuery { profile: Profile { footprint, ..*profile }, ..*query };
            self.is_reachable(&query).then_some(query)
        };
        let (mut fits, mut too_wide) = (0, FOOTPRINT_SIDE_MAX + 1);
        let mut widest = None;
        while too_wide - fits > 1 {
            let side = u32::midpoint(fits, too_wide);
            match makes_trip(side) {
                Some(query) => (fits, widest) = (side, Some(query)),
                None => too_wide = side,
            }
        }
        let way = widest.map(|query| self.find_path(&query).route.cells()).unwrap_or_default();
        LargestFootprint { side: fits, bottleneck: self.bottleneck(&way, fits + 1, profile) }
    }

    /// The cell of `way` that stops a square body of `side`, wider than the one whose way it is: the first without room for
    /// it where it can no longer come along, whether beside the way or on it.
    fn bottleneck(&mut self, way: &[Cell], side: u32, profile: &Profile) -> Option<Cell> {
        let footprint = Footprint::square(i64::from(side)).ok()?;
        let (stands, regions) = self.ground_of(&Profile { footprint, ..*profile });
        let region_at = |cell: Cell| {
            let (x, y) = self.terrain.local(cell).ok()?;
            regions.region(&stands, stands.shape().index(x, y))
        };
        let home = way.first().and_then(|&start| region_at(start));
        // Where a narrow way leads along a wall, the wider body may walk beside it and cover it all the same.
        let side = side as i32;
        let is_covered = |cell: &Cell| {
            let anchors = CellRect::new(cell.x - side + 1, cell.y - side + 1, side, side);
            anchors.cells().any(|anchor| region_at(anchor) == home)
        };
        let last = home.and_then(|_| way.iter().rposition(is_covered)).unwrap_or(0);
        let is_tight = |cell: &&Cell| region_at(**cell).is_none();
        let leaves = (last + 2).saturating_sub(side as usize);
        way.iter().skip(leaves).find(is_tight).or_else(|| way.iter().find(is_tight)).copied()
    }
}
