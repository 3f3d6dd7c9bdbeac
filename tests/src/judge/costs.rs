//! Path costs from every placement of a square body to a goal, by the oracle.

use pathforge_core::geometry::{Cell, DiagonalMode};
use pathforge_core::terrain::Terrain;

use crate::bodies::Body;
use crate::oracle::{Distances, Ground};

/// What a straight step costs, in the oracle's units.
const UNITS_PER_CELL: f64 = 70.0;

/// The costs of paths to one goal.
#[derive(Clone, Debug)]
pub struct Costs {
    ground: Ground,
    distances: Distances,
}

impl Costs {
    /// Finds the costs for bodies of `side` × `side` cells.
    pub fn new(terrain: &Terrain, side: i32, goal: Cell) -> Self {
        let ground = Ground::new(terrain, &Body::new(side, side, DiagonalMode::default()));
        let distances = Distances::from(&ground, goal);
        Self { ground, distances }
    }

    /// Returns the cost from a placement, in cells.
    pub fn of(&self, anchor: Cell) -> Option<f64> {
        self.distances.cost(&self.ground, anchor).map(|units| units as f64 / UNITS_PER_CELL)
    }

    /// Returns the next placement on a path to the goal.
    pub fn next(&self, anchor: Cell) -> Option<Cell> {
        let cost = |cell| self.distances.cost(&self.ground, cell);
        let own = cost(anchor)?;
        let via = |(cell, step): (Cell, u32)| Some((cost(cell)? + u64::from(step), cell));
        let (best, next) = self.ground.neighbours(anchor).filter_map(via).min()?;
        (best <= own).then_some(next)
    }

    /// Returns all placements that have a path to the goal, with their costs, the nearest first.
    pub fn sorted(&self) -> Vec<(f64, Cell)> {
        let cost = |cell| self.of(cell).map(|cost| (cost, cell));
        let mut all: Vec<(f64, Cell)> = self.ground.region().cells().filter_map(cost).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all
    }

    /// Returns how many placements have a path to the goal.
    pub fn count(&self) -> usize {
        self.ground.region().cells().filter(|&cell| self.of(cell).is_some()).count()
    }

    /// Returns the map on which the body stands.
    pub const fn ground(&self) -> &Ground {
        &self.ground
    }
}
