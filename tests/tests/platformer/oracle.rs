//! An obviously right search: Dijkstra over every cell and jump value, looking at each cell of the body.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::terrain::Terrain;
use pathforge_platformer::{JumpProfile, PlatformerPath};

/// A map and a body in plain numbers. The position of the body is its top-left cell.
pub struct Oracle {
    region: CellRect,
    solid: Vec<bool>,
    one_way: Vec<bool>,
    profile: JumpProfile,
}

/// Top-left cell, jump value, cells fallen, steps sideways in the air.
type State = (Cell, u32, u32, u32);

impl Oracle {
    pub fn new(map: &Terrain, profile: &JumpProfile) -> Self {
        let region = map.region();
        Self {
            region,
            solid: region.cells().map(|c| map.is_solid(c)).collect(),
            one_way: region.cells().map(|c| map.is_one_way(c)).collect(),
            profile: *profile,
        }
    }

    fn place(&self, cell: Cell) -> Option<usize> {
        let (x, y) = (cell.x - self.region.x, cell.y - self.region.y);
        let inside = x >= 0 && y >= 0 && x < self.region.w && y < self.region.h;
        inside.then(|| (y * self.region.w + x) as usize)
    }

    fn is_solid(&self, cell: Cell) -> bool {
        self.place(cell).is_some_and(|place| self.solid[place])
    }

    fn supports(&self, cell: Cell) -> bool {
        self.place(cell).is_some_and(|place| self.solid[place] || self.one_way[place])
    }

    /// Returns `true` if every cell of the body lies in the level and is not solid.
    pub fn fits(&self, at: Cell) -> bool {
        let (w, h) = (self.profile.footprint.w(), self.profile.footprint.h());
        CellRect::new(at.x, at.y, w, h).cells().all(|c| self.place(c).is_some() && !self.is_solid(c))
    }

    /// Returns `true` if any cell right below the body supports it.
    pub fn is_on_ground(&self, at: Cell) -> bool {
        let CellRect { x, y, w, h } = self.profile.footprint.at(at);
        (x..x + w).any(|x| self.supports(Cell::new(x, y + h)))
    }

    fn is_at_ceiling(&self, at: Cell) -> bool {
        (0..self.profile.footprint.w()).any(|i| self.is_solid(Cell::new(at.x + i, at.y - 1)))
    }

    /// The top-left cell of a body at `goal`: the first that fits among those whose top row covers it.
    pub fn goal_place(&self, goal: Cell, on_ground: bool) -> Option<Cell> {
        (0..self.profile.footprint.w()).map(|shift| Cell::new(goal.x - shift, goal.y)).find_map(|mut at| {
            while self.fits(at) {
                if !on_ground || self.is_on_ground(at) {
                    return Some(at);
                }
                at.y += 1;
            }
            None
        })
    }

    /// The state of a body that begins at `start`.
    fn first(&self, start: Cell) -> State {
        let spent = 2 * self.profile.max_jump_height;
        let value = match self.profile.air_start_value {
            _ if self.is_on_ground(start) => 0,
            Some(value) => value.min(spent),
            None => spent,
        };
        (start, value, 0, 0)
    }

    /// The states that follow `state`, each with what the step costs.
    fn steps(&self, state: State) -> Vec<(State, u32)> {
        let (at, value, fallen, run) = state;
        let profile = &self.profile;
        let spent = 2 * profile.max_jump_height;
        let long_fall = spent + 6;
        let next_even = if value % 2 == 0 { value + 2 } else { value + 1 };
        let mut found = Vec::new();
        for (dx, dy) in [(0, -1), (-1, 0), (1, 0), (0, 1)] {
            let to = Cell::new(at.x + dx, at.y + dy);
            if !self.fits(to) {
                continue;
            }
            let (from_ground, to_ground) = (self.is_on_ground(at), self.is_on_ground(to));
            if dy == 0 && from_ground && to_ground {
                found.push(((to, 0, 0, 0), 70));
                continue;
            }
            let mut cost = 70 + profile.air_cost;
            let (mut fallen, mut run) = (fallen, run);
            let mut next = match dy {
                -1 if value >= spent => continue,
                -1 => {
                    if value < 2 {
                        cost += profile.jump_cost;
                    }
                    next_even
                }
                0 if value % 2 == 1 || value > long_fall => continue,
                0 => {
                    run += 1;
                    value + 1
                }
                _ => {
                    fallen += 1;
                    cost += profile.fall_cost;
                    if value < long_fall {
                        next_even.max(spent)
                    } else if value == long_fall || next_even == long_fall + 8 {
                        long_fall
                    } else {
                        next_even
                    }
                }
            };
            let too_far = profile.max_air_run > 0 && run > profile.max_air_run;
            let too_deep = profile.max_fall > 0 && fallen > profile.max_fall;
            if too_far || too_deep {
                continue;
            }
            if self.is_at_ceiling(to) && dy <= 0 {
                next = next.max(if dy == 0 { spent + 1 } else { spent });
            }
            // Counts matter only where there are limits.
            let fallen = if profile.max_fall > 0 { fallen } else { 0 };
            let run = if profile.max_air_run > 0 { run } else { 0 };
            found.push(if to_ground { ((to, 0, 0, 0), cost) } else { ((to, next, fallen, run), cost) });
        }
        found
    }

    /// The least cost of a path to each cell that can be reached.
    pub fn costs(&self, start: Cell) -> BTreeMap<Cell, u32> {
        let mut least: BTreeMap<State, u32> = BTreeMap::new();
        let mut cells = BTreeMap::new();
        let mut waiting = BinaryHeap::new();
        let first = self.first(start);
        least.insert(first, 0);
        waiting.push(Reverse((0_u32, first)));
        while let Some(Reverse((cost, state))) = waiting.pop() {
            if least[&state] < cost {
                continue;
            }
            cells.entry(state.0).or_insert(cost);
            for (next, step) in self.steps(state) {
                let sum = cost + step;
                if least.get(&next).is_none_or(|&known| sum < known) {
                    least.insert(next, sum);
                    waiting.push(Reverse((sum, next)));
                }
            }
        }
        cells
    }

    /// The cost of a path, step by step, with the jump values that it lists.
    ///
    /// # Errors
    /// A step that the rules forbid.
    pub fn walk(&self, start: Cell, path: &PlatformerPath) -> Result<u32, String> {
        let mut state = self.first(start);
        let mut cost = 0;
        if path.cells.first() != Some(&start) || !self.fits(start) {
            return Err(format!("the path begins at {:?}", path.cells.first()));
        }
        for (at, &cell) in path.cells.iter().enumerate() {
            if at > 0 {
                let step = self.steps(state).into_iter().find(|((to, ..), _)| *to == cell);
                let (next, units) = step.ok_or_else(|| format!("no step from {state:?} to {cell:?}"))?;
                (state, cost) = (next, cost + units);
            }
            if path.jump_values[at] != state.1 || path.on_ground[at] != self.is_on_ground(cell) {
                return Err(format!(
                    "at {cell:?} the path says {} and {}, it is {}",
                    path.jump_values[at], path.on_ground[at], state.1
                ));
            }
        }
        Ok(cost)
    }
}
