//! What agents need of their grid.

use godot::prelude::*;
use pathforge_core::geometry::{Cell, CellRect, Footprint};
use pathforge_core::world::{PathQuery, Profile, Statistics, Ticket};

use super::PathForgeGrid;
use super::map::Map;

/// How far a body is moved between looks, in cells.
const STRIDE: f64 = 0.2;
/// What a body may stick out into a wall, in cells: the push of a wall in physics.
const SLACK: f64 = 0.03;

impl PathForgeGrid {
    /// Asks for a path; the answer goes to `callback` as well, and its first steps to `begun` where they come before
    /// it.
    pub fn ask(&self, query: PathQuery, callback: Callable, begun: Option<Callable>) -> Ticket {
        self.submit(query, callback, begun)
    }

    /// What the grid has done so far, and the bytes that it takes.
    pub fn account(&self) -> (Statistics, usize) {
        let map = self.map.lock();
        (map.world.statistics(), map.world.memory())
    }

    /// Returns `true` if a query would find a path.
    pub fn can_reach(&mut self, query: &PathQuery) -> bool {
        self.map.lock().world.is_reachable(query)
    }

    /// Returns `true` if the body could stand at `anchor`, looked up cell by cell.
    pub fn has_stand(&self, anchor: Cell, profile: &Profile) -> bool {
        self.map.lock().is_free(profile.footprint.at(anchor), profile)
    }

    /// Returns `true` if the body of `profile` may cover `cell`.
    pub fn may_enter(&self, cell: Cell, profile: &Profile) -> bool {
        self.map.lock().world.terrain().is_open_past(cell, profile.capability, &profile.ignored_obstacles)
    }

    /// Returns `true` if the body of `profile` has room on the whole straight path of its centre from `start` to `end`,
    /// both in local space. Looks up cells, no layer.
    pub fn has_room_between(&self, start: Vector2, end: Vector2, profile: &Profile) -> bool {
        let map = self.map.lock();
        let (a, b) = (map.geometry.cell_space_of(start), map.geometry.cell_space_of(end));
        let length = (b.0 - a.0).hypot(b.1 - a.1);
        if !length.is_finite() {
            return false;
        }
        let strides = (length / STRIDE).ceil().max(1.0);
        (0..=strides as u32).all(|stride| {
            let t = f64::from(stride) / strides;
            map.is_free(covered((a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t), profile.footprint), profile)
        })
    }
}

impl Map {
    fn is_free(&self, cells: CellRect, profile: &Profile) -> bool {
        let terrain = self.world.terrain();
        cells.cells().all(|cell| terrain.is_open_past(cell, profile.capability, &profile.ignored_obstacles))
    }
}

/// The cells under a body whose centre is at `center`, in cell space.
pub fn covered(center: (f64, f64), footprint: Footprint) -> CellRect {
    let reach = |at: f64, side: i32| {
        let half = f64::from(side) / 2.0 - SLACK;
        ((at - half).floor() as i32, (at + half).floor() as i32)
    };
    let ((x0, x1), (y0, y1)) = (reach(center.0, footprint.w()), reach(center.1, footprint.h()));
    CellRect::new(x0, y0, x1.saturating_sub(x0).saturating_add(1), y1.saturating_sub(y0).saturating_add(1))
}
