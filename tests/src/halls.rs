//! Scenes that a crowd is measured in: exits, corridors, squares. Bodies are as dense as crowds are.

use pathforge_core::geometry::Cell;

use crate::hall::Hall;
use crate::maps::Walls;
use crate::rng::Rng;

/// The speed of agents in these scenes, in cells a second.
pub const SPEED: f32 = 4.0;

/// Bodies for a scene: all of one cell, or of one, two and three as 7 : 2 : 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sizes {
    /// One cell each.
    Small,
    /// Seven of one cell to two of two and one of three.
    Mixed,
}

/// Fills a rectangle with up to `count` bodies in rows; `field` by side.
pub fn fill(
    hall: &mut Hall,
    rng: &mut Rng,
    area: [i32; 4],
    count: usize,
    sizes: Sizes,
    fields: [Option<u32>; 3],
) -> usize {
    let [left, top, w, h] = area;
    let pitch = if sizes == Sizes::Small { 1 } else { 3 };
    let mut added = 0;
    for y in (top..=top + h - pitch).step_by(pitch as usize) {
        for x in (left..=left + w - pitch).step_by(pitch as usize) {
            if added == count {
                return added;
            }
            let side = if sizes == Sizes::Small { 1 } else { rng.pick(&[1, 1, 1, 1, 1, 1, 1, 2, 2, 3]) };
            let speed = SPEED * (0.9 + rng.int(0..21) as f32 * 0.01);
            added += usize::from(hall.add(Cell::new(x, y), side, speed, fields[side as usize - 1]).is_some());
        }
    }
    added
}

/// A room with an exit three cells wide in the middle of its right wall, and agents that leave through it.
pub fn exit(seed: u64, sizes: Sizes, count: usize) -> Hall {
    let mut walls = Walls::filled(100, 61, false);
    walls.fill(60, 0, 2, 61, true);
    walls.fill(60, 29, 2, 3, false);
    let mut hall = Hall::new(walls.into_terrain(Cell::default()));
    let fields = [1, 2, 3].map(|side| {
        let goals: Vec<Cell> = (0..=61 - side).map(|y| Cell::new(100 - side, y)).collect();
        Some(hall.field(side, &goals, 0))
    });
    fill(&mut hall, &mut Rng::new(seed), [18, 1, 40, 59], count, sizes, fields);
    hall
}

/// A corridor of `width` cells between two squares, and `count` agents on each side with a goal on the other.
pub fn corridor(seed: u64, width: i32, length: i32, count: usize, sizes: Sizes) -> Hall {
    let (w, h) = (length + 80, 40);
    let mut walls = Walls::filled(w, h, false);
    walls.fill(40, 0, length, h, true);
    walls.fill(40, (h - width) / 2, length, width, false);
    let mut hall = Hall::new(walls.into_terrain(Cell::default()));
    let ends = |hall: &mut Hall, column: fn(i32, i32) -> i32, group| {
        [1, 2, 3].map(|side| {
            let goals: Vec<Cell> = (0..=40 - side).map(|y| Cell::new(column(w, side), y)).collect();
            Some(hall.field(side, &goals, group))
        })
    };
    let east = ends(&mut hall, |w, side| w - side, 0);
    let west = ends(&mut hall, |_, _| 0, 1);
    let mut rng = Rng::new(seed);
    fill(&mut hall, &mut rng, [8, 5, 30, 30], count, sizes, east);
    fill(&mut hall, &mut rng, [w - 38, 5, 30, 30], count, sizes, west);
    hall
}

/// Two groups in a corridor of `width` cells and 20 long between two rooms, each to the other's room. A group
/// has this number of agents of one cell, or, if they fit, of one and two. The corridor's side has this
/// number of niches of two cells.
pub fn lane(seed: u64, width: i32, groups: [usize; 2], niches: i32) -> Hall {
    let mut walls = Walls::filled(60, 20, true);
    walls.fill(0, 0, 20, 20, false);
    walls.fill(40, 0, 20, 20, false);
    walls.fill(20, 9, 20, width, false);
    for niche in 1..=niches {
        walls.fill(20 + niche * 20 / (niches + 1), 7, 2, 2, false);
    }
    let mut hall = Hall::new(walls.into_terrain(Cell::default()));
    hall.crowd.settings_mut().frees_stuck = false;
    let mut rng = Rng::new(seed);
    let sides: &[i32] = if width == 1 { &[1] } else { &[1, 1, 2] };
    for (group, (count, goal)) in groups.into_iter().zip([(52, 9), (6, 9)]).enumerate() {
        let fields = [1, 2].map(|side| hall.field(side, &[Cell::new(goal.0, goal.1)], group as u32));
        for n in 0..count as i32 {
            let side = rng.pick(sides);
            let (across, back) = (n % 3 * 3 - 3, n / 3 * 3 + 2);
            let x = if group == 0 { 17 - back } else { 41 + back };
            hall.add(Cell::new(x, 9 + across), side, SPEED, Some(fields[side as usize - 1]));
        }
    }
    hall
}

/// All pairs of groups that are measured in a [`lane`], without a niche, with one, and with two.
pub fn lanes() -> impl Iterator<Item = ([usize; 2], i32)> {
    const GROUPS: [[usize; 2]; 9] = [[1, 1], [2, 2], [1, 4], [3, 3], [5, 2], [4, 4], [6, 6], [8, 1], [8, 8]];
    GROUPS.into_iter().flat_map(|groups| (0..3).map(move |niches| (groups, niches)))
}

/// Pairs of rooms, in columns and rows. Each pair is joined by corridors of one, two and three cells, and
/// `count` agents in each room go to the other. Returns the goals, too: the goal of field n is goal n / 3.
pub fn passages(seed: u64, columns: i32, rows: i32, count: usize) -> (Hall, Vec<Cell>) {
    const ROOM: i32 = 22;
    const LENGTH: i32 = 6;
    let (pitch_x, pitch_y) = (ROOM * 2 + LENGTH + 1, ROOM + 1);
    let mut walls = Walls::filled(columns * pitch_x + 1, rows * pitch_y + 1, true);
    for (x, y) in (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row))) {
        let (left, top) = (x * pitch_x + 1, y * pitch_y + 1);
        walls.fill(left, top, ROOM, ROOM, false);
        walls.fill(left + ROOM + LENGTH, top, ROOM, ROOM, false);
        for (width, at) in [(1, 3), (2, 8), (3, 15)] {
            walls.fill(left + ROOM, top + at, LENGTH, width, false);
        }
    }
    let mut hall = Hall::new(walls.into_terrain(Cell::new(-3, 7)));
    let (mut rng, mut goals) = (Rng::new(seed), Vec::new());
    for (x, y) in (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row))) {
        let (left, top) = (x * pitch_x - 2, y * pitch_y + 8);
        let right = left + ROOM + LENGTH;
        for (from, to) in [(left, right), (right, left)] {
            let goal = Cell::new(to + ROOM / 2 - 1, top + ROOM / 2 - 1);
            let group = goals.len() as u32;
            let fields = [1, 2, 3].map(|side| Some(hall.field(side, &[goal], group)));
            goals.push(goal);
            fill(&mut hall, &mut rng, [from, top, ROOM, ROOM], count, Sizes::Mixed, fields);
        }
    }
    (hall, goals)
}

/// The speed of bodies that are moved from outside in these scenes, in cells a second.
pub const DRIVEN_SPEED: f32 = 5.0;

/// A map of 60 × 30 cells with a wall in the middle that has a gate of so many cells.
pub fn gate(height: i32) -> Hall {
    let mut walls = Walls::filled(60, 30, false);
    walls.fill(30, 0, 2, 30, true);
    walls.fill(30, 15 - height / 2, 2, height, false);
    Hall::new(walls.into_terrain(Cell::default()))
}

/// Six driven bodies of two cells before a gate as wide as one, and a goal behind it.
pub fn tanks() -> (Hall, Vec<u32>) {
    let mut hall = gate(2);
    let field = hall.field(2, &[Cell::new(50, 14)], 0);
    let place = |n: i32| Cell::new(8 + n % 2 * 3, 8 + n / 2 * 4);
    let ids = (0..6).map(|n| hall.add_driven(place(n), 2, Some(field))).collect();
    (hall, ids)
}

/// Fourteen driven bodies of three sizes before a gate of four cells.
#[derive(Debug)]
pub struct Units {
    /// The map and the bodies.
    pub hall: Hall,
    /// Their ids.
    pub ids: Vec<u32>,
    sides: Vec<i32>,
    /// Fields to the east and to the west, by side.
    fields: [[u32; 3]; 2],
}

impl Units {
    /// The same for one seed.
    pub fn new(seed: u64) -> Self {
        let mut hall = gate(4);
        let east = [1, 2, 3].map(|side| hall.field(side, &[Cell::new(48, 14)], 0));
        let west = [1, 2, 3].map(|side| hall.field(side, &[Cell::new(10, 14)], 1));
        let mut rng = Rng::new(seed);
        let sides: Vec<i32> = (0..14).map(|_| rng.pick(&[1, 1, 2, 3])).collect();
        let place = |n: i32| Cell::new(4 + n % 4 * 4, 5 + n / 4 * 4);
        let ids = (0..14).zip(&sides).map(|(n, &side)| hall.add_driven(place(n), side, None)).collect();
        Self { hall, ids, sides, fields: [east, west] }
    }

    /// Sends all behind the gate, or back.
    pub fn send(&mut self, is_back: bool) {
        for (&id, &side) in self.ids.iter().zip(&self.sides) {
            let field = self.fields[usize::from(is_back)][side as usize - 1];
            self.hall.crowd.assign_field(&[id], field);
        }
    }
}

/// Two hundred bodies of three sizes to where two hundred others are, in the open or through a corridor 12
/// wide; none slips through others. Returns the ids of driven ones, which all are or none.
pub fn crossing(seed: u64, is_open: bool, is_driven: bool) -> (Hall, Vec<u32>) {
    let (w, h) = (110, 60);
    let mut walls = Walls::filled(w, h, false);
    if !is_open {
        walls.fill(45, 0, 20, h, true);
        walls.fill(45, 24, 20, 12, false);
    }
    let mut hall = Hall::new(walls.into_terrain(Cell::default()));
    let east = [1, 2, 3].map(|side| hall.field(side, &[Cell::new(90, 30)], 0));
    let west = [1, 2, 3].map(|side| hall.field(side, &[Cell::new(18, 30)], 1));
    let (mut rng, mut ids) = (Rng::new(seed), Vec::new());
    hall.crowd.settings_mut().frees_stuck = false;
    for (left, fields) in [(3, east), (w - 44, west)] {
        for n in 0..200 {
            let side = rng.pick(&[1, 1, 1, 1, 2, 3]);
            let anchor = Cell::new(left + n % 14 * 3, 8 + n / 14 * 3);
            let layer = hall.placements(side);
            let field = Some(fields[side as usize - 1]);
            if !layer.at(anchor.x as u32, anchor.y as u32) {
                continue;
            }
            if is_driven {
                ids.push(hall.add_driven(anchor, side, field));
            } else {
                hall.add(anchor, side, DRIVEN_SPEED, field);
            }
        }
    }
    (hall, ids)
}
