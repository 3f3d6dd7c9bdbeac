//! What edits of the grid mean to an agent: if its route is still open, and if there may be a better one.

use std::sync::atomic::{AtomicU32, Ordering};

use godot::prelude::*;
use pathforge_core::geometry::CellRect;

use super::PathForgeAgent2D;
use super::follow::Journey;
use super::route::Ground;
use crate::convert;
use crate::grid::PathForgeGrid;
use crate::obstacle::PathForgeObstacle2D;

/// A route that an edit opens is searched for if it can be shorter by this much, in cells.
const GAIN_MIN: f64 = 1.0;
/// Cells of an edit that are looked at for one that the body may enter.
const CELLS_MAX: usize = 1 << 12;

/// Agents without a route to their target do not all ask in the frame in which something opens, but within so many
/// seconds.
const SPREAD_SECONDS: f64 = 0.25;

/// When an agent asks again because of edits that do not touch its route.
#[derive(Default)]
pub(super) struct Hopes {
    /// Seconds that the agent has been processed for.
    clock: f64,
    /// When it asked last, and when it may ask out of hope again.
    asked: f64,
    again: f64,
    /// When it is to ask, by its clock, if the edit that it hopes for has come.
    due: Option<f64>,
    /// Its share of the time within which agents ask, from 0 to 1.
    share: f64,
}

impl Hopes {
    pub fn new() -> Self {
        /// Parts of 1 by which each agent's share differs from that of the one before: the golden ratio's.
        const STEP: u32 = 0x9e37_79b9;
        static LATEST: AtomicU32 = AtomicU32::new(0);
        let share = f64::from(LATEST.fetch_add(STEP, Ordering::Relaxed)) / f64::from(u32::MAX);
        Self { share, ..Self::default() }
    }

    pub fn pass(&mut self, seconds: f64) {
        self.clock += seconds;
    }

    /// A path is asked for: nothing is left to hope for.
    pub fn ask(&mut self) {
        (self.asked, self.due) = (self.clock, None);
    }

    /// There may be a better route than the one that is walked.
    fn for_better(&mut self, interval: f64) {
        self.wait_until((self.asked + interval).max(self.clock + interval * self.share));
    }

    /// There may be a route at last, or one that leads farther.
    fn for_any(&mut self, interval: f64) {
        self.wait_until(self.again.max(self.clock + SPREAD_SECONDS.min(interval) * self.share));
    }

    fn wait_until(&mut self, due: f64) {
        self.due = Some(self.due.map_or(due, |earlier| earlier.min(due)));
    }

    /// Returns `true` if it is time to ask; then nothing is left to hope for.
    fn are_due(&mut self, interval: f64) -> bool {
        let are_due = self.due.take_if(|due| self.clock >= *due).is_some();
        if are_due {
            self.again = self.clock + interval;
        }
        are_due
    }
}

impl PathForgeAgent2D {
    /// Looks at what was edited since the last look: once a frame for all edits, since there may be hundreds of agents
    /// and of bodies that block cells.
    pub(super) fn look_at_edits(&mut self) {
        let is_idle = self.journey.asked.is_none() && !self.journey.wants_path;
        if is_idle && self.hopes.are_due(self.repath_seconds) {
            self.journey.wants_path = true;
            self.journey.is_hopeful = true;
        }
        let Some((grid, (id, seen))) = self.link_now().zip(self.heard) else { return };
        let (number, edits) = {
            let grid = grid.bind();
            let number = grid.edit_number();
            if number == seen {
                return;
            }
            (number, grid.edits_since(seen))
        };
        self.heard = Some((id, number));
        if self.journey.target().is_some() {
            self.hear_edits(&grid, edits);
        }
    }

    /// Asks for a new path when edits touch what is left of the route, and some time later when they may have opened a
    /// better one. `None` stands for too many.
    fn hear_edits(&mut self, grid: &Gd<PathForgeGrid>, edits: Option<Vec<CellRect>>) {
        let others = edits.map(|mut edits| {
            edits.retain(|&rect| !self.is_own_obstacle(rect));
            edits
        });
        if others.as_ref().is_some_and(Vec::is_empty) {
            return;
        }
        let profile = self.body(grid).profile;
        let to_global = grid.get_global_transform();
        let place = self.base().get_global_position();
        let grid = grid.bind();
        let Some(ground) = Ground::new(&grid, to_global, &profile) else { return };
        let under_way = self.is_under_way();
        let touches = |rects: &Vec<CellRect>| self.journey.route.touches(&ground, place, rects);
        if under_way && others.as_ref().is_none_or(touches) {
            self.journey.need_path();
            self.journey.is_in_doubt = true;
            return;
        }
        let falls_short = self.journey.path.as_ref().is_some_and(|path| path.bind().falls_short());
        if !falls_short && (!under_way || self.journey.is_begun) {
            return;
        }
        let helps = |rect: &CellRect| {
            ground.may_enter_some(*rect, CELLS_MAX)
                && (falls_short || self.journey.saves(&ground, place, *rect))
        };
        if !others.is_none_or(|rects| rects.iter().any(helps)) {
            return;
        }
        if falls_short {
            self.hopes.for_any(self.repath_seconds);
        } else {
            self.hopes.for_better(self.repath_seconds);
        }
    }

    /// Returns `true` if an edit of `rect` is a step of the body's own obstacle.
    fn is_own_obstacle(&self, rect: CellRect) -> bool {
        let children = self.base().get_children();
        let mut own = children.iter_shared().filter_map(|child| child.try_cast::<PathForgeObstacle2D>().ok());
        // The engine's own arithmetic overflows where an obstacle is as far away as numbers go.
        own.any(|obstacle| {
            convert::rect(obstacle.bind().get_cells()).grown(1, 1, 1, 1).intersection(rect) == rect
        })
    }
}

impl Journey {
    /// Returns `true` if a route over `rect` could cost less than what is left of the route from `place`.
    fn saves(&self, ground: &Ground<'_>, place: Vector2, rect: CellRect) -> bool {
        let Some(&goal) = self.route.positions.last() else { return false };
        self.cost_left(ground, place) - ground.steps_by_way_of(place, rect, goal) > GAIN_MIN
    }

    /// Returns `true` if a path over which the body can go on from `place` costs less than what is left of the route.
    pub(super) fn is_bettered_by(&self, ground: &Ground<'_>, place: Vector2, cost: f64) -> bool {
        self.cost_left(ground, place) - cost > GAIN_MIN / 2.0
    }

    /// What is left of the route costs, in cell widths, as far as its length tells.
    fn cost_left(&self, ground: &Ground<'_>, place: Vector2) -> f64 {
        let rest = self.route.positions.get(self.route.next..).unwrap_or_default();
        let rest: Vec<Vector2> = std::iter::once(place).chain(rest.iter().copied()).collect();
        self.cost_of_a_step * ground.steps_along(&rest)
    }
}
