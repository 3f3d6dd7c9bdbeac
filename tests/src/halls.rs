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

/// Pairs of rooms, each joined by corridors of one, two and three cells, where `count` agents in each room want to the other:
/// so many pairs side by side and below each other. Returns the goals, too: that of field n is goal n / 3.
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
