//! All places that a body in the air can be at, tick by tick.
//!
//! All bodies that left the ground alike are at one height, so what is reachable in a tick is a set of
//! intervals of x: a *front* of *parts*. A tick moves every part sideways as far as walls allow, and then the
//! front up or down. What meets a ceiling falls on as a front of its own; what meets ground lands.

use super::body::MARGIN;
use super::body::{Body, Motion};
use super::control::Control;
use super::holds::FULL;
use super::level::{Kind, Level};

/// Places that are nearer to each other are the same, in px.
const SAME: f64 = 1e-6;
/// The most ticks of a flight.
const TICKS_MAX: u32 = 4096;

/// An interval of places with one control.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Part {
    pub(super) low: f64,
    pub(super) high: f64,
    /// The free interval around it.
    pub(super) free: [f64; 2],
    /// The level of speed at the beginning and at the end of the control.
    pub(super) from: i8,
    pub(super) to: i8,
    /// The ticks of the control that are over.
    pub(super) phase: u8,
    /// The side at which it is pressed to a wall, −1 or 1; 0 if it is not.
    pub(super) wall: i8,
}

/// What is reachable in a tick by one vertical movement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Front {
    /// The front a tick before; itself at the start.
    pub(super) parent: u32,
    first: u32,
    count: u32,
    pub(super) y: f64,
    pub(super) vy: f64,
    /// The highest point so far.
    pub(super) apex: f64,
    /// Ticks since the start.
    pub(super) tick: u32,
    /// The ticks for which the jump is held, [`FULL`], or 0 if it is not a jump.
    pub(super) hold: u32,
}

/// Places at which a body comes to ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct Landing {
    /// The front before the tick of the landing, and the part as it lands.
    pub(super) front: u32,
    pub(super) part: Part,
    /// The row of the feet.
    pub(super) row: i32,
    /// How much of the tick was over.
    pub(super) share: f64,
}

/// How a front begins.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Start {
    pub(super) y: f64,
    pub(super) vy: f64,
    /// The first tick is the take-off of a jump.
    pub(super) jumps: bool,
}

/// What a body does, and where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene<'a> {
    pub(super) level: &'a Level,
    pub(super) body: &'a Body,
    pub(super) motion: &'a Motion,
    pub(super) control: &'a Control,
}

/// The fronts of one start; reused for the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Spread {
    pub(super) fronts: Vec<Front>,
    parts: Vec<Part>,
    pub(super) landings: Vec<Landing>,
    /// Fronts that fall on after a ceiling.
    bumps: Vec<u32>,
    now: Vec<Part>,
    next: Vec<Part>,
    done: Vec<Part>,
    /// Whether a wall or a ceiling was met.
    pub(super) met: bool,
    /// No landing below this row matters.
    pub(super) lowest_row: i32,
}

impl Spread {
    /// Forgets the last start.
    pub(super) fn clear(&mut self, lowest_row: i32) {
        self.fronts.clear();
        self.parts.clear();
        self.landings.clear();
        self.bumps.clear();
        self.now.clear();
        self.done.clear();
        self.met = false;
        self.lowest_row = lowest_row;
    }

    /// Adds places to start from: an interval of x in a free interval, at a level of speed.
    pub(super) fn add(&mut self, scene: &Scene, y: f64, (low, high): (f64, f64), level: i8) {
        let free = scene.level.room(y, f64::midpoint(low, high), scene.body);
        let (low, high) = (low.max(free[0]), high.min(free[1]));
        if low <= high {
            let part = Part { low, high, free, from: level, to: level, phase: 0, wall: 0 };
            self.done.push(part);
        }
    }

    /// The parts of a front.
    pub(super) fn parts(&self, front: u32) -> &[Part] {
        let Front { first, count, .. } = self.fronts[front as usize];
        &self.parts[first as usize..][..count as usize]
    }

    /// The first front, of the places that were added.
    pub(super) fn begin(&mut self, scene: &Scene, start: &Start) -> u32 {
        self.begin_next(scene.control);
        let hold = if start.jumps { FULL } else { 0 };
        let at = self.fronts.len() as u32;
        self.push(Front {
            parent: at,
            first: 0,
            count: 0,
            y: start.y,
            vy: start.vy,
            apex: start.y,
            tick: 0,
            hold,
        })
    }

    /// Flies on from a front until all parts have landed or are lost; `held` are the ticks of the flight after
    /// which the button is let go.
    pub(super) fn fly(&mut self, scene: &Scene, from: u32, held: u32) {
        let mut front = Some(from);
        while let Some(at) = front {
            front = self.tick(scene, at, held);
        }
        while let Some(bump) = self.bumps.pop() {
            let mut front = Some(bump);
            while let Some(at) = front {
                front = self.tick(scene, at, FULL);
            }
        }
    }

    /// The front a tick later; `None` if no part is left.
    fn tick(&mut self, scene: &Scene, at: u32, held: u32) -> Option<u32> {
        let Front { y, vy, apex, tick, hold, .. } = self.fronts[at as usize];
        let Scene { level, body, motion, .. } = *scene;
        let mut vy = if tick == 0 && hold != 0 { motion.takes_off() } else { motion.falls(vy) };
        let mut front = Front { parent: at, apex, tick: tick + 1, hold, ..self.fronts[at as usize] };
        if tick == held {
            vy = motion.cut(vy);
            front.hold = held;
        }
        (front.vy, front.y) = (vy, y + vy * motion.tick);
        front.apex = apex.min(front.y);
        self.now.clear();
        let Front { first, count, .. } = self.fronts[at as usize];
        for part in &self.parts[first as usize..][..count as usize] {
            let phase = part.phase + u8::from(part.wall == 0);
            self.now.push(Part { phase, ..*part });
        }
        // The tick in pieces, from one edge of a row to the next.
        let (mut moved, mut place) = (0.0, y);
        let (mut top, mut bottom) = (level.head_row(y, body), level.feet_row(y));
        let (new_top, new_bottom) = (level.head_row(front.y, body), level.feet_row(front.y));
        while !self.now.is_empty() {
            let down = i32::from(vy > 0.0);
            self.fall_to_ends(scene, (at, y, front.y), bottom, (&mut moved, &mut place));
            if (top, bottom) == (new_top, new_bottom) {
                break;
            }
            let share = |row: i32, from: f64| (f64::from(row) * level.cell().1 - from) / (front.y - y);
            let (head, feet) = (share(top + down, y - body.height), share(bottom + down, y));
            let is_feet = bottom != new_bottom && (top == new_top || feet <= head);
            let share = if is_feet { feet } else { head }.clamp(moved, 1.0);
            let edge = y + share * (front.y - y);
            self.move_across(scene, place, share - moved);
            self.fall_onto(scene, (at, share), bottom, (place, edge));
            (moved, place) = (share, edge);
            if is_feet {
                bottom += 2 * down - 1;
                if down == 1 {
                    self.fall_into(scene, (at, share), bottom);
                }
            } else {
                top += 2 * down - 1;
                if down == 0 {
                    self.rise_into(scene, &front, top, 1.0 - moved);
                }
            }
            self.set_free(scene, (top, bottom), place);
        }
        self.move_across(scene, place, 1.0 - moved);
        self.fall_onto(scene, (at, 1.0), bottom, (place, front.y));
        if self.now.is_empty() || tick > TICKS_MAX {
            return None;
        }
        if level.varies_within(bottom, body) {
            self.set_free(scene, (top, bottom), front.y);
        }
        self.settle(scene, front.tick);
        Some(self.push(front))
    }

    /// Falls on to where floors inside cells of a row begin and end, as far as the tick leads: at these heights
    /// bodies pass corners.
    fn fall_to_ends(
        &mut self,
        scene: &Scene,
        (front, from, to): (u32, f64, f64),
        row: i32,
        (moved, place): (&mut f64, &mut f64),
    ) {
        let Scene { level, body, motion, .. } = *scene;
        if !level.has_floors_in(row) {
            return;
        }
        let reach = body.half_width + motion.run_speed * motion.tick;
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for part in &self.now {
            (low, high) = (low.min(part.low - reach), high.max(part.high + reach));
        }
        while let Some(end) = level.next_end(row, *place, (low, high)).filter(|&end| end < to) {
            let share = ((end - from) / (to - from)).clamp(*moved, 1.0);
            self.move_across(scene, *place, share - *moved);
            self.fall_onto(scene, (front, share), row, (*place, end));
            (*moved, *place) = (share, end);
            self.set_free(scene, (level.head_row(end, body), level.feet_row(end)), end);
        }
    }

    /// Sets the free intervals of the parts of a body that is in some rows, with its feet at `y`.
    fn set_free(&mut self, scene: &Scene, rows: (i32, i32), y: f64) {
        // Most parts lie in one free interval.
        let mut free = [f64::INFINITY, f64::NEG_INFINITY];
        for part in &mut self.now {
            let middle = f64::midpoint(part.low, part.high);
            if middle < free[0] || middle > free[1] {
                free = scene.level.room_in(rows, (middle, y), scene.body);
            }
            part.free = free;
        }
        if scene.level.has_floors() {
            // Between slopes there may be no room for it.
            self.now.retain(|part| part.free[0] <= part.high && part.free[1] >= part.low);
            for part in &mut self.now {
                (part.low, part.high) = (part.low.max(part.free[0]), part.high.min(part.free[1]));
            }
        }
    }

    /// Moves parts sideways by a share of a tick that begins with the feet at `y`, up to walls.
    fn move_across(&mut self, scene: &Scene, y: f64, share: f64) {
        let control = scene.control;
        self.next.clear();
        for &part in &self.now {
            if part.wall != 0 {
                self.next.push(part);
                continue;
            }
            let shift = control.shift(part.from, part.to, part.phase - 1);
            let (low, high) = (part.low + share * shift[0], part.high + share * shift[1]);
            let [left, right] = part.free;
            self.met |= low < left || high > right;
            let moved = Part { low: low.max(left), high: high.min(right), ..part };
            if !control.is_free() && (low < left || high > right) {
                let (side, x) = if low < left { (-1, left) } else { (1, right) };
                let stuck = Part { low: x, high: x, from: 0, to: 0, phase: 0, wall: side, ..part };
                let same = |other: &Part| other.wall == side && (other.low - x).abs() < SAME;
                if scene.level.is_wall(y, (x, side), scene.body) && !self.next.iter().any(same) {
                    self.next.push(stuck);
                }
            }
            if moved.low <= moved.high {
                self.next.push(moved);
            }
        }
        std::mem::swap(&mut self.now, &mut self.next);
    }

    /// Parts land in the row above `row`, or fall into it.
    fn fall_into(&mut self, scene: &Scene, (front, share): (u32, f64), row: i32) {
        let Scene { level, body, .. } = *scene;
        self.next.clear();
        let (next, landings) = (&mut self.next, &mut self.landings);
        // Below the lowest row nothing lands any more.
        let now = if row > self.lowest_row { &[][..] } else { &self.now };
        for &part in now {
            let reach = body.support_half_width - MARGIN;
            level.split((Kind::Support, row), reach, (part.low, part.high), |low, high, lands| {
                if lands {
                    let part = Part { low, high, ..part };
                    landings.push(Landing { front, part, row: row - 1, share });
                } else {
                    level.split((Kind::Support, row), body.half_width, (low, high), |low, high, overlaps| {
                        // What hangs over an edge slips off in a game, or not: nothing is claimed.
                        if !overlaps {
                            next.push(Part { low, high, ..part });
                        }
                    });
                }
            });
        }
        std::mem::swap(&mut self.now, &mut self.next);
    }

    /// Parts land on floors inside the cells of a row and above it, as the feet come down from one height to
    /// another.
    fn fall_onto(&mut self, scene: &Scene, (front, share): (u32, f64), row: i32, (from, to): (f64, f64)) {
        let Scene { level, body, motion, .. } = *scene;
        if !level.has_floors() || to <= from {
            return;
        }
        let height = level.cell().1;
        // The feet of a capsule that touches an edge with the side of its arc are below the row.
        let arc = if body.is_round { body.half_width } else { 0.0 };
        let shift = motion.run_speed * motion.tick;
        for row in (level.arc_row(from, body)..=row).filter(|&row| level.has_floors_in(row)) {
            let heights = (from.max(f64::from(row) * height), to.min(f64::from(row + 1) * height + arc));
            self.next.clear();
            for part in self.now.drain(..) {
                let Some(fall) = level.fall_onto(row, heights, (part.low, part.high), shift, body) else {
                    self.next.push(part);
                    continue;
                };
                let parts = |(low, high): (f64, f64)| Part { low, high, ..part };
                self.next.extend(fall.falls.into_iter().map(parts));
                let lands = fall.lands.into_iter().map(parts);
                self.landings.extend(lands.map(|part| Landing { front, part, row, share }));
            }
            std::mem::swap(&mut self.now, &mut self.next);
        }
    }

    /// Parts rise into a row, or bump against it and fall on after what is `left` of the tick.
    fn rise_into(&mut self, scene: &Scene, risen: &Front, row: i32, left: f64) {
        let Scene { level, body, .. } = *scene;
        self.next.clear();
        let bumped_first = self.done.len();
        let (next, done) = (&mut self.next, &mut self.done);
        for &part in &self.now {
            level.split((Kind::Block, row), body.half_width, (part.low, part.high), |low, high, overlaps| {
                let list = if overlaps { &mut *done } else { &mut *next };
                list.push(Part { low, high, ..part });
            });
        }
        std::mem::swap(&mut self.now, &mut self.next);
        if self.done.len() == bumped_first {
            return;
        }
        self.met = true;
        let y = f64::from(row + 1) * level.cell().1 + body.height;
        // `done` holds the bumped parts alone: they settle as a front of their own.
        std::mem::swap(&mut self.now, &mut self.done);
        let rest = std::mem::take(&mut self.done);
        self.set_free(scene, (level.head_row(y, body), level.feet_row(y)), y);
        self.move_across(scene, y, left);
        self.settle(scene, risen.tick);
        let bump = self.push(Front { y, vy: 0.0, apex: risen.apex.max(y), ..*risen });
        self.bumps.push(bump);
        self.now = rest;
    }

    /// Ends the controls that are over: merges parts of one level and begins the next controls, in `next`.
    fn settle(&mut self, scene: &Scene, tick: u32) {
        let control = scene.control;
        self.done.clear();
        self.next.clear();
        for part in &self.now {
            if part.wall != 0 {
                let is_clear = if part.wall > 0 { part.free[1] > part.high } else { part.free[0] < part.low };
                if !is_clear {
                    self.next.push(*part);
                }
                if is_clear || tick.is_multiple_of(u32::from(control.ticks)) {
                    self.done.push(Part { wall: 0, ..*part });
                }
            } else if part.phase == control.ticks {
                self.done.push(*part);
            } else {
                self.next.push(*part);
            }
        }
        self.begin_controls(control);
    }

    /// The controls of the parts to start with.
    fn begin_next(&mut self, control: &Control) {
        self.next.clear();
        self.begin_controls(control);
    }

    fn begin_controls(&mut self, control: &Control) {
        if self.done.len() > 1 {
            self.done.sort_unstable_by(|a, b| a.to.cmp(&b.to).then(a.low.total_cmp(&b.low)));
            self.done.dedup_by(|part, last| {
                let joins = part.to == last.to
                    && part.low <= last.high + control.gap
                    && (part.free[0] - last.free[0]).abs() < SAME;
                last.high = if joins { last.high.max(part.high) } else { last.high };
                joins
            });
        }
        for part in self.done.drain(..) {
            let level = part.to;
            for to in control.targets(level) {
                self.next.push(Part { from: level, to, phase: 0, ..part });
            }
        }
    }

    /// Keeps a front of the parts in `next`.
    fn push(&mut self, front: Front) -> u32 {
        let first = self.parts.len() as u32;
        self.parts.extend_from_slice(&self.next);
        self.fronts.push(Front { first, count: self.next.len() as u32, ..front });
        self.fronts.len() as u32 - 1
    }
}
