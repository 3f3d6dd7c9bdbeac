//! What agents need of their grid: where its cells lie in global space, requests, and the map as a body sees it.

use godot::prelude::*;
use pathforge_core::walker::{Ground, Metric, Point};
use pathforge_core::world::{PathQuery, Profile, Statistics, Ticket};

use super::PathForgeGrid;
use crate::geometry::CellGeometry;

/// The map between global space and the cell space of a grid.
#[derive(Clone, Copy, PartialEq)]
pub struct CellFrame {
    geometry: CellGeometry,
    to_global: Transform2D,
}

impl CellFrame {
    /// `None` where the grid is flattened to nothing.
    pub fn of(grid: &Gd<PathForgeGrid>) -> Option<Self> {
        let to_global = grid.get_global_transform();
        (to_global.determinant() != 0.0).then(|| Self { geometry: grid.bind().cell_geometry(), to_global })
    }

    /// The place of `position` in cell space.
    pub fn point(&self, position: Vector2) -> Point {
        let (x, y) = self.geometry.cell_space_of(self.to_global.affine_inverse() * position);
        Point::new(x, y)
    }

    /// The place of `point` in global space.
    pub fn position(&self, point: Point) -> Vector2 {
        self.to_global * self.geometry.local_of(point.x, point.y)
    }

    /// Distances in global space.
    pub fn metric(&self) -> Metric {
        let to_global = self.to_global * self.geometry.transform();
        let side = |side: Vector2| (f64::from(side.x), f64::from(side.y));
        Metric::of_sides(side(to_global.a), side(to_global.b))
    }
}

impl PathForgeGrid {
    /// Asks for a path; the answer goes to `callback` as well, and its first steps to `begun` where they come before
    /// it.
    pub fn ask(&self, query: PathQuery, callback: Callable, begun: Option<Callable>) -> Ticket {
        self.submit(query, callback, begun)
    }

    /// Takes back a request, whose answer is told to nothing.
    pub fn withdraw(&self, ticket: Ticket) {
        self.inbox().withdraw(ticket);
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

    /// Calls `work` with the map as a body of `profile` sees it.
    pub fn with_ground<R>(
        &self,
        profile: &Profile,
        metric: Metric,
        work: impl FnOnce(&Ground<'_>) -> R,
    ) -> R {
        let map = self.map.lock();
        work(&Ground { terrain: map.world.terrain(), profile, metric })
    }
}
