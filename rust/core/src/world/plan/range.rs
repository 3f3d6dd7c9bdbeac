//! Questions about what can be reached, beyond a single path.

use std::sync::Arc;

use super::Planner;
use crate::bitgrid::{BitGrid, LocalRect, cell_at, local_in};
use crate::connectivity::Components;
use crate::cost::Cost;
use crate::derived::Derived;
use crate::geometry::{Cell, CellRect, FOOTPRINT_SIDE_MAX, Footprint};
use crate::passability::{Placements, anchors_touching};
use crate::primitives::GridPoint;
use crate::search::placements_within;
use crate::world::query::{PathOutcome, PathQuery, Profile};
use crate::world::structures::point_in;

/// The widest square body that can make a trip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LargestFootprint {
    /// Its side in cells, at most [`FOOTPRINT_SIDE_MAX`]; 0 when not even one cell can.
    pub side: u32,
    /// The first cell of its path at which a body one cell wider does not fit and cannot pass. `None` if no
    /// body can make the trip, or if a body of side [`FOOTPRINT_SIDE_MAX`] can.
    pub bottleneck: Option<Cell>,
}

impl Planner<'_> {
    /// See [`World::cells_within`](crate::world::World::cells_within).
    pub(in crate::world) fn cells_within(
        &mut self,
        start: Cell,
        cost_max: Cost,
        profile: &Profile,
        blocked: &[Cell],
    ) -> Vec<(Cell, Cost)> {
        self.blocked_by(profile, blocked, |planner| planner.cells_near(start, cost_max, profile))
    }

    fn cells_near(&mut self, start: Cell, cost_max: Cost, profile: &Profile) -> Vec<(Cell, Cost)> {
        let place = self.kept.terrain.local(start);
        if !place.is_ok_and(|(x, y)| self.kept.placements(&profile.layer_key()).at(x, y)) {
            return Vec::new();
        }
        let region = self.kept.terrain.region();
        let key = profile.layer_key();
        let costs = self.kept.varying_costs(profile);
        let placements = Arc::clone(self.kept.layers.placements(&self.kept.terrain, &key));
        let point = point_in(region, start);
        let found = self.scratch.lend(|scratch| {
            placements_within(&placements, costs.as_deref(), profile.diagonal_mode, point, cost_max, scratch)
        });
        let cell = |point: GridPoint| cell_at(region, point.cell_xy());
        found.into_iter().map(|(point, units)| (cell(point), Cost::from_units(units))).collect()
    }

    /// See [`World::find_path_to_any`](crate::world::World::find_path_to_any).
    pub(in crate::world) fn find_path_to_any(&mut self, query: &PathQuery, goals: &[Cell]) -> PathOutcome {
        self.overlaid(query, |planner| {
            let plan = planner.plan_to_any(query, goals);
            plan.carry_out(planner.scratch)
        })
    }

    /// See [`World::cut_off`](crate::world::World::cut_off).
    pub(in crate::world) fn cut_off(
        &mut self,
        rect: CellRect,
        starts: &[Cell],
        goals: &[Cell],
        profile: &Profile,
    ) -> Vec<usize> {
        let region = self.kept.terrain.region();
        let layout = self.kept.terrain.layout();
        let Some(rect) = LocalRect::within(region, rect) else { return Vec::new() };
        let key = profile.layer_key();
        let base = key.of_one_cell();
        // Copies share what the repairs do not touch.
        let mut components: Components =
            Components::clone(self.kept.layers.components(&self.kept.terrain, &key, profile.diagonal_mode).1);
        let mut placements = self.kept.layers.placements(&self.kept.terrain, &key).as_ref().clone();
        let mut open = self.kept.layers.placements(&self.kept.terrain, &base).as_ref().clone();
        let repair = |open: &Placements, placements: &mut Placements, components: &mut Components, rect| {
            let anchors = anchors_touching(rect, profile.footprint, layout);
            placements.repair_eroded(open, profile.footprint, anchors);
            components.repair_in(placements, profile.diagonal_mode.joins_diagonally(), anchors);
        };
        for rect in self.open_under_starts(open.bits_mut(), starts, profile) {
            repair(&open, &mut placements, &mut components, rect);
        }
        // All of its cells are closed already, so nothing can be cut off.
        if open.bits_mut().fill(rect, false).is_none() {
            return Vec::new();
        }
        // The state before is kept: a start that reaches no goal even now is not cut off by the rectangle.
        let (mut placements_then, mut components_then) = (placements.clone(), components.clone());
        repair(&open, &mut placements_then, &mut components_then, rect);

        let reaches = |components: &Components, layer: &Placements, start: Cell| {
            let component_at = |cell: Cell| {
                self.kept.terrain.local(cell).ok().and_then(|(x, y)| components.component_at(layer, x, y))
            };
            let Some(own) = component_at(start) else { return false };
            goals.iter().filter_map(|&goal| component_at(goal)).any(|goal| components.reaches(own, goal))
        };
        let is_cut_off = |start: Cell| {
            reaches(&components, &placements, start) && !reaches(&components_then, &placements_then, start)
        };
        (0..starts.len()).filter(|&place| is_cut_off(starts[place])).collect()
    }

    /// Opens the cells that only obstacles over bodies at `starts` close; returns where they are.
    fn open_under_starts(&self, open: &mut BitGrid, starts: &[Cell], profile: &Profile) -> Vec<LocalRect> {
        let region = self.kept.terrain.region();
        let is_taken = |cell| self.kept.terrain.is_blocked(cell, &profile.ignored_obstacles);
        let taken = starts.iter().map(|&start| profile.footprint.at(start));
        let mut taken = taken.filter(|body| body.cells().any(is_taken)).peekable();
        if taken.peek().is_none() {
            return Vec::new();
        }
        // On a copy of the map, since other obstacles may still cover the same cells.
        let mut without = self.kept.terrain.clone();
        let lifted: Vec<CellRect> = taken.flat_map(|body| without.remove_obstacles_in(body)).collect();
        let layout = self.kept.terrain.layout();
        let is_open = |cell| without.is_open_past(cell, profile.capability, &profile.ignored_obstacles);
        for cell in lifted.iter().flat_map(|rect| rect.intersection(region).cells()) {
            if is_open(cell) {
                let (x, y) = local_in(region, cell);
                open.set(layout.index(x, y), true);
            }
        }
        lifted.into_iter().filter_map(|rect| LocalRect::within(region, rect)).collect()
    }

    /// See [`World::largest_footprint`](crate::world::World::largest_footprint).
    pub(in crate::world) fn largest_footprint(&mut self, query: &PathQuery) -> LargestFootprint {
        let profile = &query.profile;
        let mut makes_trip = |side: u32| {
            let footprint = Footprint::square(i64::from(side)).ok()?;
            let query = PathQuery { profile: Profile { footprint, ..*profile }, ..query.clone() };
            self.is_reachable(&query).then_some(query)
        };
        // If a square fits along a path, so does every smaller one, so the sides can be bisected. Invariant:
        // `fits` makes the trip or is 0, `too_wide` does not.
        let (mut fits, mut too_wide) = (0, FOOTPRINT_SIDE_MAX + 1);
        let mut widest = None;
        while too_wide - fits > 1 {
            let side = u32::midpoint(fits, too_wide);
            match makes_trip(side) {
                Some(query) => (fits, widest) = (side, Some(query)),
                None => too_wide = side,
            }
        }
        let path = widest.map(|query| self.answer(&query).route.cells()).unwrap_or_default();
        LargestFootprint { side: fits, bottleneck: self.bottleneck(&path, fits + 1, profile) }
    }

    /// Returns the cell of `path` that stops a square body of side `side`, which is wider than the body of
    /// the path. It is the first cell at which the body does not fit, after the last cell that it can still
    /// cover from the path or from beside it.
    fn bottleneck(&mut self, path: &[Cell], side: u32, profile: &Profile) -> Option<Cell> {
        let footprint = Footprint::square(i64::from(side)).ok()?;
        let (placements, components) = self.kept.components(&Profile { footprint, ..*profile });
        let component_at = |cell: Cell| {
            let (x, y) = self.kept.terrain.local(cell).ok()?;
            components.component_at(&placements, x, y)
        };
        let component_of_start = path.first().and_then(|&start| component_at(start));
        // Where a narrow path leads along a wall, the wider body may walk beside the path and cover it all
        // the same.
        let side = side as i32;
        let is_covered = |cell: &Cell| {
            let anchors = CellRect::new(cell.x - side + 1, cell.y - side + 1, side, side);
            let reached = |(own, there)| components.reaches(own, there);
            anchors.cells().any(|anchor| component_of_start.zip(component_at(anchor)).is_some_and(reached))
        };
        let last = component_of_start.and_then(|_| path.iter().rposition(is_covered)).unwrap_or(0);
        let is_tight = |cell: &&Cell| component_at(**cell).is_none();
        // An anchor up to `side - 1` cells before the first cell that is not covered may have that cell under
        // its body.
        let leaves = (last + 2).saturating_sub(side as usize);
        path.iter().skip(leaves).find(is_tight).or_else(|| path.iter().find(is_tight)).copied()
    }
}
