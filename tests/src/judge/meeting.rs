//! Groups that meet: they cross, or pass gates, corridors and rooms in both directions.

use pathforge_core::geometry::{Cell, CellRect};

use super::Verdict;
use super::arena::Arena;
use crate::maps::{self, Walls};
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

/// Two groups of 306 change sides on open ground.
pub fn crossing(seed: u64) -> Verdict {
    let bodies = &[(1, 306)];
    let orders = [
        Order { area: CellRect::new(8, 12, 24, 26), bodies, goal: Cell::new(111, 25) },
        Order { area: CellRect::new(98, 12, 24, 26), bodies, goal: Cell::new(19, 25) },
    ];
    meet(Walls::filled(130, 50, false), seed, &orders)
}

/// A hundred want into a pocket, and forty want out of it, through one gate of four cells.
pub fn pocket(seed: u64) -> Verdict {
    let mut walls = Walls::filled(70, 40, false);
    walls.fill(40, 10, 18, 18, true);
    walls.fill(42, 12, 14, 14, false);
    walls.fill(40, 17, 2, 4, false);
    let orders = [
        Order { area: CellRect::new(4, 8, 14, 22), bodies: &[(1, 100)], goal: Cell::new(54, 19) },
        Order { area: CellRect::new(48, 13, 7, 12), bodies: &[(1, 40)], goal: Cell::new(10, 19) },
    ];
    meet(walls, seed, &orders)
}

/// Three walls that leave one end open each, and a door in the second passage that closes for ten seconds.
pub fn serpent(seed: u64) -> Verdict {
    let mut walls = Walls::filled(60, 34, false);
    for n in 0..3 {
        walls.fill(if n % 2 == 0 { 16 } else { 0 }, 10 + n * 5, 44, 1, true);
    }
    let (mut arena, mut rng) = (Arena::new(walls), Rng::new(seed));
    let ids = arena.scatter(&mut rng, CellRect::new(30, 0, 28, 10), &[(1, 200)], None);
    let door: Vec<Cell> = CellRect::new(26, 11, 1, 4).cells().collect();
    arena.order(&ids, Cell::new(40, 28));
    arena.wait(5);
    arena.edit(&door, true);
    arena.wait(10);
    arena.edit(&door, false);
    // Bodies that report *stuck* before the door find that there is a path again.
    arena.wait(2);
    arena.judge(LIMIT)
}

/// 420 in rooms with doors of one to three cells, all to the middle one.
pub fn one_room(seed: u64) -> Verdict {
    let mut rng = Rng::new(seed);
    let mut arena = Arena::new(maps::rooms(&mut rng, 84, 63, 20));
    let goal = Cell::new(31, 31);
    let costs = [1, 2, 3].map(|side| arena.costs(side, goal));
    let ids = arena.scatter(&mut rng, arena.region(), &[(1, 420)], Some(&costs));
    arena.order(&ids, goal);
    arena.find_bound(goal);
    arena.judge(LIMIT)
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

/// 990 of three sizes in a city with alleys, sent elsewhere after 6, 12 and 18 seconds.
pub fn anew_in_a_city(seed: u64) -> Verdict {
    let mut rng = Rng::new(seed);
    let mut arena = Arena::new(maps::city(&mut rng, 120, 90));
    let hub = arena.hub(&mut rng);
    let ids = arena.scatter(&mut rng, arena.region(), &[(3, 99), (2, 198), (1, 693)], Some(&hub));
    let goals: Vec<Cell> = hub[2].sorted().into_iter().map(|(_, cell)| cell).collect();
    for round in 0..4 {
        let goal = rng.pick(&goals);
        arena.order(&ids, goal);
        arena.find_bound(goal);
        arena.wait(if round < 3 { 6 } else { 0 });
    }
    arena.judge(LIMIT)
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
