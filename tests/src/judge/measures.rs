//! Whether reports of bodies are true, by what an observer sees: where they are, and what is free.

use std::collections::HashMap;

use pathforge_core::crowd::{AgentState, AgentView};
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::terrain::Terrain;

use super::arena::STEPS;
use super::costs::Costs;

/// How densely bodies fill the room around a goal.
const DENSITY: f64 = 0.6;
/// An agent beyond this part of the rim and so many cells has not arrived.
const BEYOND: (f64, f64) = (1.3, 4.0);
/// The inner room ends at this part of the rim.
const INNER: f64 = 0.8;
/// An agent that rests so far from where it reported *arrived* has moved on, in cells.
const MOVED_ON: f64 = 1.5;
/// A body moves if it is faster than this part of its speed.
pub const MOVES: f64 = 0.2;
/// A body that turns about more often in a second shakes.
const TURNS_MAX: usize = 3;
/// A body that moves less is on one spot, in cells.
const SPOT: f64 = 0.2;
/// A cell whose centre is closer to the outline of a body is not free, in cells.
const CLEARANCE: f64 = 0.25;

/// A body, as an observer knows it.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its side in cells.
    pub side: i32,
    /// What was seen of it last.
    pub view: AgentView,
    /// Where it was sent.
    pub goal: Option<Cell>,
    /// Where it was when it first reported *arrived* after its last order.
    pub told: Option<[f64; 2]>,
    /// How often it turned about since then.
    pub turns: Turns,
    /// Where it reports *moving* within a fifth of a cell, and since which step.
    pub spot: ([f64; 2], u32),
    /// For how many steps it did that at most.
    pub on_one_spot: u32,
}

impl Body {
    /// A body that was just added.
    pub fn new(side: i32, view: AgentView, step: u32) -> Self {
        let (spot, turns) = (([view.x, view.y], step), Turns::default());
        Self { side, view, goal: None, told: None, turns, spot, on_one_spot: 0 }
    }

    /// It was sent to a cell. What was seen of it before no longer counts.
    pub fn send(&mut self, goal: Cell, step: u32) {
        *self = Self { goal: Some(goal), ..Self::new(self.side, self.view, step) };
    }

    /// Takes in what is seen of it after a step.
    pub fn see(&mut self, view: AgentView, step: u32) {
        let seconds = 1.0 / f64::from(STEPS);
        let velocity = [(view.x - self.view.x) / seconds, (view.y - self.view.y) / seconds];
        if velocity[0].hypot(velocity[1]) > MOVES * f64::from(view.speed) {
            self.turns.see(velocity, step);
        }
        if view.state == AgentState::Arrived && self.told.is_none() {
            self.told = Some([view.x, view.y]);
        }
        let ([x, y], since) = self.spot;
        if view.state != AgentState::Moving || (view.x - x).hypot(view.y - y) > SPOT {
            self.spot = ([view.x, view.y], step);
        }
        self.on_one_spot = self.on_one_spot.max(step - since.min(step));
        self.view = view;
    }

    /// Its top-left cell.
    pub fn anchor(&self) -> Cell {
        let half = f64::from(self.side) / 2.0;
        let at = |v: f64| (v - half + 0.5).floor() as i32;
        Cell::new(at(self.view.x), at(self.view.y))
    }

    /// The area of its outline.
    pub fn area(&self) -> f64 {
        std::f64::consts::PI * f64::from(self.view.radius).powi(2)
    }

    /// Whether it reports *arrived* far from its goal.
    pub fn is_beyond(&self, costs: &Costs, rim: f64) -> bool {
        let cell = Cell::new(self.view.x.floor() as i32, self.view.y.floor() as i32);
        // Bodies of two cells have their middle on a corner, which may be that of a wall.
        let around = CellRect::new(cell.x - 1, cell.y - 1, 3, 3);
        let cost =
            costs.of(cell).or_else(|| around.cells().filter_map(|cell| costs.of(cell)).reduce(f64::min));
        self.view.state == AgentState::Arrived && cost.is_none_or(|cost| cost > BEYOND.0 * rim + BEYOND.1)
    }

    /// Whether it is elsewhere than where it first reported *arrived*.
    pub fn has_moved_on(&self) -> bool {
        self.told.is_some_and(|[x, y]| (self.view.x - x).hypot(self.view.y - y) > MOVED_ON)
    }

    /// The cells that it covers or comes close to.
    fn covered(&self, region: CellRect) -> impl Iterator<Item = Cell> {
        let (x, y) = (self.view.x, self.view.y);
        let reach = f64::from(self.view.radius) + CLEARANCE;
        let first = Cell::new((x - reach).floor() as i32, (y - reach).floor() as i32);
        let wide = 2 * reach.ceil() as i32 + 1;
        CellRect::new(first.x, first.y, wide, wide).cells().filter(move |&cell| {
            region.contains(cell) && (f64::from(cell.x) + 0.5 - x).hypot(f64::from(cell.y) + 0.5 - y) < reach
        })
    }
}

/// How often a body turns about.
#[derive(Clone, Debug, Default)]
pub struct Turns {
    last: Option<[f64; 2]>,
    /// The steps of the last turns.
    steps: [Option<u32>; TURNS_MAX],
    /// It once turned about more than three times in a second.
    pub is_often: bool,
}

impl Turns {
    /// Takes in a velocity at which it moves.
    pub fn see(&mut self, velocity: [f64; 2], step: u32) {
        if self.last.is_some_and(|last| last[0] * velocity[0] + last[1] * velocity[1] < 0.0) {
            self.is_often |= self.steps[0].is_some_and(|first| step - first < STEPS);
            self.steps.rotate_left(1);
            self.steps[TURNS_MAX - 1] = Some(step);
        }
        self.last = Some(velocity);
    }
}

/// The cost within which cells hold bodies of an area; `cells` are sorted.
pub fn rim(cells: &[(f64, Cell)], area: f64) -> f64 {
    let last = ((area / DENSITY) as usize).min(cells.len().saturating_sub(1));
    cells.get(last).map_or(0.0, |(cost, _)| *cost)
}

/// How much of the inner room no body covers, in percent. A body covers the cell under its centre, and the
/// cells around that if it is larger than a cell.
pub fn empty(cells: &[(f64, Cell)], rim: f64, bodies: &[&Body]) -> f64 {
    let inner: Vec<Cell> =
        cells.iter().take_while(|(cost, _)| *cost <= INNER * rim).map(|(_, cell)| *cell).collect();
    let mut free: std::collections::HashSet<Cell> = inner.iter().copied().collect();
    for body in bodies {
        let (x, y) = (body.view.x.floor() as i32, body.view.y.floor() as i32);
        let reach = i32::from(body.side > 1);
        for cell in CellRect::new(x - reach, y - reach, 2 * reach + 1, 2 * reach + 1).cells() {
            free.remove(&cell);
        }
    }
    100.0 * free.len() as f64 / inner.len().max(1) as f64
}

/// How many bodies report *blocked* although a free placement, nearer to the goal by more than their side and
/// a cell, can be reached past all bodies.
pub fn falsely_blocked(terrain: &Terrain, bodies: &[&Body]) -> usize {
    let region = terrain.region();
    let index = |cell: Cell| (cell.y * region.w + cell.x) as usize;
    let mut covers = vec![0_u16; (region.w * region.h) as usize];
    for cell in bodies.iter().flat_map(|body| body.covered(region)) {
        covers[index(cell)] += 1;
    }
    let mut all_costs: HashMap<(Cell, i32), Costs> = HashMap::new();
    let mut count = 0;
    for body in bodies.iter().filter(|body| body.view.state == AgentState::Blocked) {
        let (Some(goal), side, anchor) = (body.goal, body.side, body.anchor()) else { continue };
        let costs = all_costs.entry((goal, side)).or_insert_with(|| Costs::new(terrain, side, goal));
        let Some(own) = costs.of(anchor) else { continue };
        body.covered(region).for_each(|cell| covers[index(cell)] -= 1);
        let is_free = |anchor: Cell| {
            let under = CellRect::new(anchor.x, anchor.y, side, side);
            costs.ground().fits(anchor) && under.cells().all(|cell| covers[index(cell)] == 0)
        };
        // Where it is, others may lean on it: its search begins at the free placements that it can step to.
        let mut has_seen = vec![false; covers.len()];
        let mut open: Vec<Cell> = vec![anchor];
        has_seen[index(anchor)] = true;
        while let Some(cell) = open.pop() {
            if costs.of(cell).is_some_and(|cost| cost < own - f64::from(side) - 1.0) {
                count += 1;
                break;
            }
            for (next, _) in costs.ground().neighbours(cell) {
                if !has_seen[index(next)] && is_free(next) {
                    has_seen[index(next)] = true;
                    open.push(next);
                }
            }
        }
        body.covered(region).for_each(|cell| covers[index(cell)] += 1);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::arena::Arena;
    use crate::maps::Walls;

    fn body(arena: &mut Arena, anchor: Cell, side: i32, state: AgentState) -> Body {
        let id = arena.add(anchor, side).expect("it fits");
        let view = AgentView { state, ..*arena.view(id).expect("it is there") };
        Body { goal: Some(Cell::new(15, 4)), ..Body::new(side, view, 0) }
    }

    /// A body stands before a wall with a gap of three cells, in which others stand.
    fn before_a_gap(holders: &[i32], side: i32) -> usize {
        let mut walls = Walls::filled(20, 9, false);
        walls.fill(10, 0, 1, 9, true);
        walls.fill(10, 3, 1, 3, false);
        let mut arena = Arena::new(walls);
        let mut bodies = vec![body(&mut arena, Cell::new(4, 4), side, AgentState::Blocked)];
        for &y in holders {
            bodies.push(body(&mut arena, Cell::new(10, y), 1, AgentState::Arrived));
        }
        falsely_blocked(arena.game.world.terrain(), &bodies.iter().collect::<Vec<_>>())
    }

    #[test]
    fn a_body_is_blocked_where_no_gap_is_left_for_its_size() {
        assert_eq!(before_a_gap(&[3, 4, 5], 1), 1, "it can come as near as the gap");
        assert_eq!(before_a_gap(&[], 3), 1);
        let mut walls = Walls::filled(20, 9, false);
        walls.fill(10, 0, 1, 9, true);
        walls.fill(10, 4, 1, 1, false);
        let mut arena = Arena::new(walls);
        let bodies = [
            body(&mut arena, Cell::new(9, 4), 1, AgentState::Blocked),
            body(&mut arena, Cell::new(10, 4), 1, AgentState::Arrived),
        ];
        assert_eq!(falsely_blocked(arena.game.world.terrain(), &[&bodies[0], &bodies[1]]), 0);
        assert_eq!(falsely_blocked(arena.game.world.terrain(), &[&bodies[0]]), 1, "the gap is free");
    }

    #[test]
    fn four_turns_in_a_second_are_too_many() {
        let seen = |every: u32| {
            let mut turns = Turns::default();
            for step in 0..120 {
                let sign = if (step / every).is_multiple_of(2) { 1.0 } else { -1.0 };
                turns.see([sign, 0.2], step);
            }
            turns.is_often
        };
        assert!(seen(10) && seen(1), "six and sixty a second");
        assert!(!seen(20) && !seen(120), "three and none");
    }

    #[test]
    fn a_room_is_empty_where_no_body_is_and_arrival_beyond_it_is_false() {
        let mut arena = Arena::new(Walls::filled(40, 40, false));
        let costs = Costs::new(arena.game.world.terrain(), 1, Cell::new(18, 4));
        let far = body(&mut arena, Cell::new(35, 35), 1, AgentState::Arrived);
        let near: Vec<Body> = CellRect::new(16, 2, 5, 5)
            .cells()
            .map(|cell| body(&mut arena, cell, 1, AgentState::Arrived))
            .collect();
        let rim = rim(&costs.sorted(), 25.0 * near[0].area());
        assert!(far.is_beyond(&costs, rim) && !near.iter().any(|body| body.is_beyond(&costs, rim)));
        let all: Vec<&Body> = near.iter().collect();
        assert!(empty(&costs.sorted(), rim, &all) < 1.0);
        assert!(empty(&costs.sorted(), rim, &all[..12]) > 30.0);
    }
}
