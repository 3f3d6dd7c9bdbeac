//! All places that a body under gravity gets to with all buttons: a breadth-first search over a body that is
//! moved in small pieces, obviously right and slow. Where cells have floors inside them, the body moves as
//! measured in Godot (see `motion::floors`): slower up slopes, in hops down, snapping to ground a px below.

use std::collections::{HashSet, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};

use pathforge_platformer::motion::{Motion, StandCell};

use super::floors::Floors;

/// A tick moves in pieces of at most so many px.
const PIECE: f64 = 0.25;
const TOUCH: f64 = 1e-6;
/// A body moves less in a tick, in px.
const NEAR: f64 = 12.0;
/// Down to ground that is so near a body snaps, in px.
const SNAP: f64 = 1.0;

/// A body in a level of cells, by letters: `#` solid, `=` one-way.
pub struct Arena {
    pub rows: Vec<Vec<u8>>,
    pub cell: f64,
    /// What cells have inside them; in their place a letter is `.`.
    pub floors: Floors,
    pub half_width: f64,
    pub height: f64,
    /// The lower end is an arc.
    pub is_round: bool,
    pub motion: Motion,
    /// From where on x, in px, and vx, in px/s, are told apart.
    pub quantum: (f64, f64),
}

/// A body in a tick.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    x: f64,
    y: f64,
    vx: f64,
    vy: f64,
    on_floor: bool,
    /// The jump button is held.
    held: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Press {
    Nothing,
    Jump,
    Release,
    Drop,
}

impl Arena {
    pub fn letter(&self, column: i32, row: i32) -> u8 {
        let columns = self.rows[0].len() as i32;
        if !(0..columns).contains(&column) {
            return b'#';
        }
        if (0..self.rows.len() as i32).contains(&row) {
            self.rows[row as usize][column as usize]
        } else {
            b'.'
        }
    }

    pub fn columns(&self, x: f64, half: f64) -> std::ops::RangeInclusive<i32> {
        ((x - half + TOUCH) / self.cell).floor() as i32..=((x + half - TOUCH) / self.cell).floor() as i32
    }

    fn is_blocked(&self, x: f64, y: f64, slim: f64) -> bool {
        let has_floors = !self.floors.is_empty() && (self.is_round || self.is_near(x, y, 0.0));
        let top = ((y - self.height + slim + TOUCH) / self.cell).floor() as i32;
        let low = ((y - TOUCH) / self.cell).floor() as i32;
        let mut columns = self.columns(x, self.half_width - slim);
        let blocks = |column, row| {
            let is_above = row < low && self.floors.get(column, row).is_some_and(|floor| !floor.one_way);
            is_above || self.letter(column, row) == b'#'
        };
        // In the row of the feet, the arc of a capsule passes corners.
        let is_wall = |column: i32| !(0..self.rows[0].len() as i32).contains(&column);
        let is_at_feet = |column, row| has_floors && row == low && !is_wall(column);
        let mut in_cell = |column| (top..=low).any(|row| !is_at_feet(column, row) && blocks(column, row));
        columns.any(&mut in_cell) || has_floors && self.is_in_floor(x, y, slim)
    }

    /// Whether something supports feet at the top of a row.
    fn supports(&self, x: f64, row: i32, slim: f64, letters: &[u8]) -> bool {
        let (columns, rows) = (self.rows[0].len() as i32, self.rows.len() as i32);
        let mut inside =
            self.columns(x, self.half_width - slim).filter(|column| (0..columns).contains(column));
        row < rows && inside.any(|column| letters.contains(&self.letter(column, row)))
    }

    fn row_below(&self, y: f64) -> i32 {
        (y / self.cell + TOUCH).floor() as i32
    }

    /// A tick. `slim`: the body is narrower by so much at each side.
    fn step(&self, mut at: Moment, axis: f64, press: Press, slim: f64) -> Option<Moment> {
        let motion = &self.motion;
        let or = |a: f64, b: f64| if a == 0.0 { b } else { a };
        let rate = if at.on_floor && axis == 0.0 {
            or(motion.friction, motion.acceleration)
        } else if at.on_floor {
            motion.acceleration
        } else {
            or(motion.air_acceleration, motion.acceleration)
        };
        let target = axis * motion.run_speed;
        let change = if rate == 0.0 { f64::INFINITY } else { rate * motion.tick };
        at.vx += (target - at.vx).clamp(-change, change);
        let limit = or(motion.terminal_speed, f64::INFINITY);
        match (press, at.on_floor) {
            (Press::Jump, true) => {
                let first = if motion.full_first_step { 0.0 } else { motion.gravity * motion.tick };
                at.vy = first - motion.jump_speed;
                (at.held, at.on_floor) = (true, false);
            }
            (Press::Drop, true) => {
                let row = self.row_below(at.y);
                if !self.floors.is_empty() {
                    if !self.is_on_one_way(at.x, at.y) || self.is_blocked(at.x, at.y + 2.0, slim) {
                        return None;
                    }
                } else if self.supports(at.x, row, 0.0, b"#") {
                    return None;
                }
                at.y += 2.0;
                (at.on_floor, at.vy) = (false, 0.0);
            }
            (Press::Nothing | Press::Release, true) => at.vy = 0.0,
            (press, false) => {
                let gravity =
                    if at.vy < 0.0 { motion.gravity } else { or(motion.gravity_down, motion.gravity) };
                at.vy = (at.vy + gravity * motion.tick).min(limit);
                if press == Press::Release && at.held {
                    at.held = false;
                    at.vy *= if at.vy < 0.0 { motion.jump_cut } else { 1.0 };
                }
            }
        }
        let (mut dx, mut dy) = (at.vx * motion.tick, at.vy * motion.tick);
        let over_floors = self.is_near_floors(&at);
        let piece = if over_floors { 2.0 * PIECE } else { PIECE };
        let pieces = (dx.abs().max(dy.abs()) / piece).ceil().max(1.0);
        (dx, dy) = (dx / pieces, dy / pieces);
        if over_floors {
            return self.move_over_floors(at, (dx, dy), pieces as u32, slim);
        }
        for _ in 0..pieces as u32 {
            if dx != 0.0 && self.is_blocked(at.x + dx, at.y, slim) {
                (at.vx, dx) = (0.0, 0.0);
            }
            at.x += dx;
            if at.on_floor {
                continue;
            }
            let row = self.row_below(at.y + dy);
            let crosses = dy > 0.0 && row > self.row_below(at.y - 2.0 * TOUCH * self.cell);
            if crosses && self.supports(at.x, row, slim, b"#=") {
                at.y = f64::from(row) * self.cell;
                (at.vy, dy, at.on_floor, at.held) = (0.0, 0.0, true, false);
            } else if dy < 0.0 && self.is_blocked(at.x, at.y + dy, slim) {
                (at.vy, dy) = (0.0, 0.0);
            }
            at.y += dy;
        }
        let row = self.row_below(at.y);
        if at.on_floor && !self.supports(at.x, row, slim, b"#=") {
            (at.on_floor, at.vy) = (false, 0.0);
        }
        (at.y < (self.rows.len() as f64 + 1.0) * self.cell).then_some(at)
    }

    /// Whether floors matter in a tick; a capsule touches all ground with its arc.
    fn is_near_floors(&self, at: &Moment) -> bool {
        !self.floors.is_empty() && (self.is_round || self.is_near(at.x, at.y, NEAR))
    }

    fn is_near(&self, x: f64, y: f64, by: f64) -> bool {
        let rows =
            ((y - self.height - by) / self.cell).floor() as i32..=((y + by) / self.cell).floor() as i32;
        let mut columns = self.columns(x, self.half_width + by);
        columns.any(|column| rows.clone().any(|row| self.floors.get(column, row).is_some()))
    }

    /// The rest of a tick, where floors may be anywhere.
    fn move_over_floors(&self, mut at: Moment, step: (f64, f64), pieces: u32, slim: f64) -> Option<Moment> {
        let (mut dx, mut dy) = step;
        for _ in 0..pieces {
            let from = (at.x, at.y);
            if dx != 0.0 && self.is_blocked(at.x + dx, at.y, slim) {
                // Ground as steep as 45° at most that lies a little higher.
                let most = dx.abs() * 1.02 + 1e-3;
                let ground = self.ground(at.x + dx, (at.y - most, at.y), slim);
                let climbs = ground.filter(|&y| dy >= 0.0 && !self.is_blocked(at.x + dx, y, slim));
                if let Some(y) = climbs {
                    // Sideways a body keeps cos² of its speed: the rest of the way is not gone.
                    let slope = (at.y - y) / dx;
                    let to = at.x + dx / (1.0 + slope * slope);
                    at.y = self.ground(to, (at.y - most, at.y + most), slim).unwrap_or(y).min(at.y);
                    at.x = to;
                    if !at.on_floor {
                        (at.vy, dy, at.on_floor, at.held) = (0.0, 0.0, true, false);
                    }
                    continue;
                }
                (at.vx, dx) = (0.0, 0.0);
            }
            at.x += dx;
            if at.on_floor {
                continue;
            }
            if dy > 0.0 {
                match self.landing(from, (at.x, at.y + dy), slim) {
                    Some((y, true)) => {
                        at.y = y;
                        (at.vy, dy, at.on_floor, at.held) = (0.0, 0.0, true, false);
                    }
                    Some((_, false)) => return None,
                    None => {}
                }
            } else if dy < 0.0 && self.is_blocked(at.x, at.y + dy, slim) {
                (at.vy, dy) = (0.0, 0.0);
            }
            at.y += dy;
        }
        if at.on_floor {
            let ground = self.ground(at.x, (at.y - 0.01, at.y + SNAP), slim);
            (at.on_floor, at.y, at.vy) = (ground.is_some(), ground.unwrap_or(at.y), 0.0);
        }
        (at.y < (self.rows.len() as f64 + 1.0) * self.cell).then_some(at)
    }

    /// The cells at which a body on the floor is: the one below its centre, or the ends of ground beside it.
    fn cells_of(&self, at: &Moment) -> Vec<StandCell> {
        if !self.floors.is_empty() {
            let cells = self.cells_on_floor(at.x, at.y);
            return cells.into_iter().map(|(column, row)| StandCell { column, row }).collect();
        }
        let row = self.row_below(at.y);
        let own = (at.x / self.cell).floor() as i32;
        let columns = self.rows[0].len() as i32;
        let is_ground = |column: i32| (0..columns).contains(&column) && self.letter(column, row) != b'.';
        let is_at = |column: i32| column == own || !is_ground(column + (own - column).signum());
        let near = self.columns(at.x, self.half_width).filter(|&column| is_ground(column) && is_at(column));
        near.map(|column| StandCell { column, row: row - 1 }).collect()
    }

    /// The cells at which a body can stand still that begins at one of `starts`. With `slim` above 0 it may
    /// also move as a body that is slimmer by so much.
    pub fn reached(&self, starts: &[(f64, f64)], slim: f64) -> HashSet<StandCell> {
        self.search(starts, slim, None)
    }

    /// The cells at which a body first comes to ground that leaves it from an interval of x.
    pub fn landings(&self, starts: &[(f64, f64)], slim: f64, from: (f64, f64)) -> HashSet<StandCell> {
        self.search(starts, slim, Some(from))
    }

    fn search(&self, starts: &[(f64, f64)], slim: f64, from: Option<(f64, f64)>) -> HashSet<StandCell> {
        let is_instant = self.motion.acceleration == 0.0 && self.motion.air_acceleration == 0.0;
        let key = |at: &Moment| {
            let vx = if is_instant { 0.0 } else { at.vx / self.quantum.1 };
            let numbers = [at.x / self.quantum.0, vx + 128.0, (at.y + 200.0) * 2.0, at.vy / 8.0 + 500.0];
            let number = numbers.into_iter().fold(0, |key, number| key << 13 | number.round() as u64);
            number << 2 | u64::from(at.on_floor) << 1 | u64::from(at.held && at.vy < 0.0)
        };
        let still =
            if is_instant { f64::INFINITY } else { self.motion.acceleration * self.motion.tick * 1.01 };
        let (mut queue, mut cells) = (VecDeque::new(), HashSet::new());
        let mut seen: HashSet<u64, BuildHasherDefault<Mixer>> = HashSet::default();
        for &(x, y) in starts {
            queue.push_back(Moment { x, y, vx: 0.0, vy: 0.0, on_floor: true, held: false });
        }
        while let Some(at) = queue.pop_front() {
            if from.is_none() && at.on_floor && at.vx.abs() <= still {
                cells.extend(self.cells_of(&at));
            }
            let presses: &[Press] = match (at.on_floor, at.held && at.vy < 0.0) {
                (true, _) => &[Press::Nothing, Press::Jump, Press::Drop],
                (false, true) => &[Press::Nothing, Press::Release],
                (false, false) => &[Press::Nothing],
            };
            let slims: &[f64] = if slim > 0.0 { &[0.0, slim] } else { &[0.0] };
            for &press in presses {
                for axis in [-1.0, 0.0, 1.0] {
                    for &slim in slims {
                        if let Some(next) = self.step(at, axis, press, slim)
                            && seen.insert(key(&next))
                        {
                            let is_landing = from.is_some() && next.on_floor && !at.on_floor;
                            if is_landing {
                                cells.extend(self.cells_of(&next));
                            }
                            let is_off = |(low, high)| next.on_floor && !(low..=high).contains(&next.x);
                            if !is_landing && !from.is_some_and(is_off) {
                                queue.push_back(next);
                            }
                        }
                    }
                }
            }
        }
        cells
    }
}

/// A hash of whole numbers.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("numbers only");
    }

    fn write_u64(&mut self, number: u64) {
        let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 29;
    }
}
