//! Groups that meet: they cross, or pass gates, corridors and rooms in both directions.

use pathforge_core::geometry::{Cell, CellRect};

use super::Verdict;
use super::arena::Arena;
use crate::maps::Walls;
use crate::rng::Rng;

/// The longest that a scene is watched, in seconds.
const LIMIT: u32 = 300;

/// Bodies in an area, and where they go.
struct Order<'a> {
    area: CellRect,
    bodies: &'a [(i32, usize)],
    goal: Cell,
}

/// Adds and sends groups, and judges them.
fn meet(walls: Walls, seed: u64, orders: &[Order<'_>]) -> Verdict {
    let (mut arena, mut rng) = (Arena::new(walls), Rng::new(seed));
    let mut add = |order: &Order<'_>| arena.scatter(&mut rng, order.area, order.bodies, None);
    let ids: Vec<Vec<u32>> = orders.iter().map(&mut add).collect();
    for (ids, order) in ids.iter().zip(orders) {
        arena.order(ids, order.goal);
    }
    arena.judge(LIMIT)
}

/// Four groups, each from its corner to the opposite one.
pub fn corners(seed: u64) -> Verdict {
    let corners = [(2, 2), (64, 2), (64, 64), (2, 64)];
    let order = |n: usize| {
        let ((x, y), (to_x, to_y)) = (corners[n], corners[(n + 2) % 4]);
        let (area, goal) = (CellRect::new(x, y, 30, 30), Cell::new(to_x + 14, to_y + 14));
        Order { area, bodies: &[(3, 8), (2, 25), (1, 120)], goal }
    };
    meet(Walls::filled(96, 96, false), seed, &[0, 1, 2, 3].map(order))
}

/// A wall across a map, with an opening of so many rows.
fn wall(w: i32, h: i32, [left, thick]: [i32; 2], [top, rows]: [i32; 2]) -> Walls {
    let mut walls = Walls::filled(w, h, false);
    walls.fill(left, 0, thick, h, true);
    walls.fill(left, top, thick, rows, false);
    walls
}

/// Two groups through one gate of five cells.
pub fn gate(seed: u64) -> Verdict {
    let bodies = &[(2, 20), (1, 100)];
    let orders = [
        Order { area: CellRect::new(2, 4, 30, 40), bodies, goal: Cell::new(62, 24) },
        Order { area: CellRect::new(48, 4, 30, 40), bodies, goal: Cell::new(16, 24) },
    ];
    meet(wall(80, 48, [39, 2], [21, 5]), seed, &orders)
}

/// Twelve rooms with doors of three cells, and a group in each that goes to any of them.
pub fn rooms(seed: u64) -> Verdict {
    const PITCH: i32 = 18;
    let (columns, rows) = (4, 3);
    let (w, h) = (columns * PITCH + 1, rows * PITCH + 1);
    let mut walls = Walls::filled(w, h, false);
    for column in 0..=columns {
        walls.fill(column * PITCH, 0, 1, h, true);
    }
    for row in 0..=rows {
        walls.fill(0, row * PITCH, w, 1, true);
    }
    for cell in CellRect::new(0, 0, columns, rows).cells() {
        let (x, y) = (cell.x * PITCH, cell.y * PITCH);
        walls.fill(x + 8, y, 3, i32::from(cell.y > 0), false);
        walls.fill(x, y + 8, i32::from(cell.x > 0), 3, false);
    }
    let mut rng = Rng::new(seed);
    let order = |cell: Cell| {
        let (x, y) = (rng.int(0..columns), rng.int(0..rows));
        Order {
            area: CellRect::new(cell.x * PITCH + 2, cell.y * PITCH + 2, 15, 15),
            bodies: &[(2, 5), (1, 30)],
            goal: Cell::new(x * PITCH + 9, y * PITCH + 9),
        }
    };
    let orders: Vec<Order<'_>> = CellRect::new(0, 0, columns, rows).cells().map(order).collect();
    meet(walls, seed, &orders)
}

/// Twelve bodies of three cells against 150 of one, in a lane of four.
pub fn lane(seed: u64) -> Verdict {
    let orders = [
        Order { area: CellRect::new(2, 4, 26, 32), bodies: &[(1, 150)], goal: Cell::new(66, 20) },
        Order { area: CellRect::new(52, 4, 26, 32), bodies: &[(3, 12)], goal: Cell::new(14, 20) },
    ];
    meet(wall(80, 40, [30, 20], [17, 4]), seed, &orders)
}

/// Ten against ten in a corridor of one cell.
pub fn corridor(seed: u64) -> Verdict {
    let bodies = &[(1, 10)];
    let orders = [
        Order { area: CellRect::new(1, 2, 17, 20), bodies, goal: Cell::new(50, 12) },
        Order { area: CellRect::new(42, 2, 17, 20), bodies, goal: Cell::new(10, 12) },
    ];
    meet(wall(60, 24, [20, 20], [12, 1]), seed, &orders)
}

/// 240 bodies of three sizes through an exit of three cells.
pub fn exit(seed: u64) -> Verdict {
    let (area, goal) = (CellRect::new(2, 2, 40, 56), Cell::new(75, 30));
    let order = Order { area, bodies: &[(3, 30), (2, 60), (1, 150)], goal };
    meet(wall(90, 60, [44, 2], [28, 3]), seed, &[order])
}

/// Six groups among sixty blocks, each sent elsewhere every six seconds, four times.
pub fn anew(seed: u64) -> Verdict {
    let mut rng = Rng::new(seed);
    let (w, h) = (96, 64);
    let mut walls = Walls::filled(w, h, false);
    for _ in 0..60 {
        walls.fill(rng.int(0..w - 6), rng.int(0..h - 4), rng.int(1..5), rng.int(1..5), true);
    }
    let mut arena = Arena::new(walls);
    let hub = arena.hub(&mut rng);
    let ids = arena.scatter(&mut rng, arena.region(), &[(2, 30), (1, 300)], Some(&hub));
    for round in 0..4 {
        for group in 0..6 {
            let goal = loop {
                let cell = Cell::new(rng.int(0..w), rng.int(0..h));
                if hub[1].of(cell).is_some() {
                    break cell;
                }
            };
            let part: Vec<u32> = ids.iter().copied().filter(|id| id % 6 == group).collect();
            arena.order(&part, goal);
        }
        arena.wait(if round < 3 { 6 } else { 0 });
    }
    arena.judge(LIMIT)
}
