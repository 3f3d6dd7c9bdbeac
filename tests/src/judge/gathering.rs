//! Large groups that gather around one cell after another, on open ground, in cities and caves, and beside
//! walls.

use pathforge_core::geometry::{Cell, CellRect};

use super::Verdict;
use super::arena::Arena;
use super::costs::Costs;
use crate::maps::{self, Walls};
use crate::rng::Rng;

/// How many bodies of each side there are.
const BODIES: [(i32, usize); 3] = [(3, 30), (2, 150), (1, 1300)];
const MANY_BODIES: [(i32, usize); 3] = [(3, 300), (2, 1000), (1, 8700)];
/// The longest that an order is watched, in seconds.
const LIMIT: u32 = 400;
const LIMIT_OF_MANY: u32 = 500;
/// Goals of one order and the next are farther apart than this, in cells; on small maps than this part of the
/// shorter side.
const APART: f64 = 70.0;
const APART_ON_SMALL_MAPS: f64 = 0.6;
/// How high the gaps in a wall are.
const GAP: i32 = 4;
/// A wall rises so long after the order, in seconds.
const RISES_AFTER: u32 = 5;

/// A group on a map.
#[derive(Debug)]
pub struct Group {
    /// The map and the bodies.
    pub arena: Arena,
    ids: Vec<u32>,
    /// Costs to a cell that all bodies reach, by side.
    hub: [Costs; 3],
    rng: Rng,
}

impl Group {
    /// Bodies anywhere on a map of a kind, where all reach each other.
    ///
    /// A "city" has streets of three to five cells, and "alleys" of one to five. There are "caves", "rooms"
    /// and a "maze", too; other kinds are open ground.
    pub fn new(kind: &str, seed: u64, [w, h]: [i32; 2], bodies: &[(i32, usize)]) -> Self {
        let mut rng = Rng::new(seed);
        let walls = match kind {
            "city" => maps::streets(&mut rng, w, h),
            "caves" => maps::caves(&mut rng, w, h),
            "alleys" => maps::city(&mut rng, w, h),
            "rooms" => maps::rooms(&mut rng, w, h, 24),
            "maze" => maps::maze(&mut rng, w, h, 5),
            _ => Walls::filled(w, h, false),
        };
        let mut arena = Arena::new(walls);
        let hub = arena.hub(&mut rng);
        let ids = arena.scatter(&mut rng, arena.region(), bodies, Some(&hub));
        Self { arena, ids, hub, rng }
    }

    /// A cell that all reach, away from the edges and from another cell.
    pub fn goal(&mut self, from: Option<Cell>) -> Cell {
        let region = self.arena.region();
        let side = region.w.min(region.h);
        let (edge, apart) = (side / 12, APART.min(APART_ON_SMALL_MAPS * f64::from(side)));
        for _ in 0..1000 {
            let x = self.rng.int(edge..region.w - edge);
            let cell = Cell::new(x, self.rng.int(edge..region.h - edge));
            let is_apart = |from: Cell| f64::from(from.x - cell.x).hypot(f64::from(from.y - cell.y)) > apart;
            if self.hub[2].of(cell).is_some() && from.is_none_or(is_apart) {
                return cell;
            }
        }
        // The largest bodies come about in a small part of the map only.
        let cells: Vec<Cell> = self.hub[2].sorted().into_iter().map(|(_, cell)| cell).collect();
        self.rng.pick(&cells)
    }

    /// Sends all to a cell.
    pub fn order(&mut self, goal: Cell) {
        self.arena.order(&self.ids, goal);
        self.arena.find_bound(goal);
    }

    /// Sends all to one cell after another, and judges each order.
    pub fn judge_orders(&mut self, count: usize, limit: u32) -> Verdict {
        let mut last = None;
        let mut order = || {
            let goal = self.goal(last);
            self.order(goal);
            last = Some(goal);
            self.arena.judge(limit)
        };
        Verdict::worst((0..count).map(|_| order()))
    }

    /// The cells of a wall from the top of the map to its bottom, `aside` cells beside a goal, with gaps
    /// above and below the goal. There are none if a gap would be closed by what stands there.
    pub fn wall(&self, goal: Cell, aside: i32) -> Vec<Cell> {
        let (region, terrain) = (self.arena.region(), self.arena.game.world.terrain());
        let x = if goal.x < region.w / 2 { goal.x + aside } else { goal.x - aside };
        let is_open = |cell: Cell| region.contains(cell) && !terrain.is_solid(cell);
        let is_gap = |&top: &i32| CellRect::new(x - 3, top, 7, GAP).cells().all(is_open);
        let above = (0..goal.y - 8 - GAP).rev().find(is_gap);
        let below = (goal.y + 9..region.h - GAP).find(is_gap);
        let gaps: Vec<i32> = above.into_iter().chain(below).collect();
        let is_in_gap = |y: i32| gaps.iter().any(|&top| (top..top + GAP).contains(&y));
        let column = (0..region.h).filter(|&y| !is_in_gap(y)).map(|y| Cell::new(x, y));
        if gaps.is_empty() { Vec::new() } else { column.filter(|&cell| is_open(cell)).collect() }
    }

    /// Makes a wall, unless it cuts bodies off from the goal. Returns the cells that became solid.
    pub fn build(&mut self, wall: Vec<Cell>, goal: Cell) -> Vec<Cell> {
        self.arena.edit(&wall, true);
        let costs = self.arena.costs(3, goal);
        let reached = costs.count();
        // Cells beside the wall are lost to large bodies, and pockets between it and houses.
        if reached * 10 >= self.hub[2].count() * 9 {
            return wall;
        }
        self.arena.edit(&wall, false);
        Vec::new()
    }
}

/// Three orders one after the other.
pub fn three_orders(kind: &str, seed: u64) -> Verdict {
    let mut group = Group::new(kind, seed, [200, 130], &BODIES);
    group.judge_orders(3, LIMIT)
}

/// Three orders; five seconds after each a wall rises beside the goal, and the last one goes.
pub fn walls_rise(kind: &str, seed: u64) -> Verdict {
    let mut group = Group::new(kind, seed, [200, 130], &BODIES);
    let (mut last, mut wall) = (None, Vec::new());
    let mut order = || {
        group.arena.edit(&wall, false);
        let goal = group.goal(last);
        group.order(goal);
        last = Some(goal);
        group.arena.wait(RISES_AFTER);
        let cells = group.wall(goal, 12);
        wall = group.build(cells, goal);
        group.arena.find_bound(goal);
        group.arena.judge(LIMIT)
    };
    Verdict::worst((0..3).map(|_| order()))
}

/// One order to a goal beside a wall with two gaps.
pub fn two_gaps(kind: &str, seed: u64) -> Verdict {
    behind_a_wall(Group::new(kind, seed, [200, 130], &BODIES), 12, LIMIT)
}

fn behind_a_wall(mut group: Group, aside: i32, limit: u32) -> Verdict {
    // Of some goals, the first beside which there is a wall that cuts nothing off.
    for _ in 0..20 {
        let goal = group.goal(None);
        let cells = group.wall(goal, aside);
        if !group.build(cells, goal).is_empty() {
            group.order(goal);
            return group.arena.judge(limit);
        }
    }
    Verdict::default()
}

/// Two orders to ten thousand.
pub fn ten_thousand(kind: &str, seed: u64) -> Verdict {
    let mut group = Group::new(kind, seed, [480, 320], &MANY_BODIES);
    group.judge_orders(2, LIMIT_OF_MANY)
}

/// One order to ten thousand in a city, to a goal beside a wall with two gaps.
pub fn ten_thousand_and_two_gaps(seed: u64) -> Verdict {
    behind_a_wall(Group::new("city", seed, [480, 320], &MANY_BODIES), 30, LIMIT_OF_MANY)
}
