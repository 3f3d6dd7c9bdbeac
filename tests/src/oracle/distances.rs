use std::cmp::Reverse;
use std::collections::BinaryHeap;

use pathforge_core::geometry::Cell;

use super::Ground;

/// What it costs to get from one placement to every other, by Dijkstra's algorithm (1959) without any
/// shortcut.
#[derive(Clone, Debug)]
pub struct Distances {
    costs: Vec<Option<u64>>,
}

impl Distances {
    /// The least cost of a path from `start` to every placement; nothing can be reached when `start` is no
    /// placement.
    ///
    /// # Panics
    /// Never: only placements are visited.
    pub fn from(ground: &Ground, start: Cell) -> Self {
        let mut costs: Vec<Option<u64>> = vec![None; ground.region().area() as usize];
        let mut frontier = BinaryHeap::new();
        if ground.fits(start) {
            frontier.push(Reverse((0, start)));
        }
        while let Some(Reverse((cost, cell))) = frontier.pop() {
            let place = ground.place(cell).expect("only placements are visited");
            if costs[place].is_some() {
                continue;
            }
            costs[place] = Some(cost);
            for (to, step) in ground.neighbours(cell) {
                frontier.push(Reverse((cost + u64::from(step), to)));
            }
        }
        Self { costs }
    }

    /// The least cost of a path to `cell`, in units.
    pub fn cost(&self, ground: &Ground, cell: Cell) -> Option<u64> {
        self.costs[ground.place(cell)?]
    }
}
