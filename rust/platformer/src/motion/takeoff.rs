//! The flights from one cell: where a body lands that jumps, runs and jumps, walks off, or drops.

use super::body::{Body, FlightCosts, Motion};
use super::control::Control;
use super::ground::Places;
use super::holds::{FULL, holds};
use super::level::{Kind, Level};
use super::own_run::{Hills, own_run};
use super::spread::{Scene, Spread, Start};
use super::stand::{Foothold, StandCell};
use pathforge_core::geometry::Cell;

/// How far a body is set down to drop through one-way cells, in px.
const DROP: f64 = 2.0;
/// How far beyond an edge a body that walks off is at least, in px.
const BEYOND: f64 = 0.05;

/// How a body leaves the ground.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TakeOff {
    /// It jumps from standing.
    Jump,
    /// It jumps while it runs at full speed to a side: −1 or 1.
    RunningJump(i8),
    /// It walks off an edge to a side.
    WalkOff(i8),
    /// It drops through one-way cells.
    Drop,
    /// It climbs a ladder: up (−1) or down (1).
    Climb(i8),
    /// It was in the air at the start.
    InAir,
}

/// A way through the air, or over a ladder, from one cell that a body stands on to another.
#[derive(Clone, PartialEq, Debug)]
pub struct Flight {
    /// Where it lands.
    pub to: StandCell,
    /// In units of 70 a cell.
    pub cost: u32,
    /// Ticks in the air.
    pub ticks: u32,
    /// Ticks for which the jump button is held; `None`: until it falls, or it does not jump.
    pub hold: Option<u32>,
    /// How it begins.
    pub kind: TakeOff,
    /// The feet at take-off and at the landing, in px. `start_x` of a climb is where the body climbs.
    pub start_x: f64,
    /// The sideways speed at take-off, in px/s.
    pub start_speed: f64,
    /// See `start_x`.
    pub land_x: f64,
    /// The cells of the body from the take-off to the landing: see [`Foothold::body_cell`].
    pub cells: Vec<Cell>,
}

/// The cells that flights depend on: columns and rows, first and last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub(super) columns: [i32; 2],
    pub(super) rows: [i32; 2],
}

/// Finds flights of one body.
#[derive(Clone, Debug)]
pub(super) struct Finder {
    pub(super) body: Body,
    /// The body in the air.
    pub(super) flown: Body,
    pub(super) motion: Motion,
    pub(super) costs: FlightCosts,
    pub(super) control: Control,
    pub(super) holds: Vec<u32>,
    pub(super) spread: Spread,
    pub(super) found: Vec<Flight>,
    pub(super) bounds: Bounds,
    pub(super) hills: Hills,
}

impl Finder {
    pub(super) fn new(body: Body, motion: Motion, costs: FlightCosts, cell: (f64, f64)) -> Self {
        let motion = motion.cautious(cell);
        let holds = if motion.jump_speed > 0.0 { holds(&motion, cell.1) } else { Vec::new() };
        let bounds = Bounds { columns: [0; 2], rows: [0; 2] };
        let (control, spread) = (Control::new(&motion), Spread::default());
        let flown = body.cautious(cell);
        let (found, hills) = (Vec::new(), Hills::default());
        Self { body, flown, motion, costs, control, holds, spread, found, bounds, hills }
    }

    /// How the body moves.
    pub(super) const fn motion(&self) -> &Motion {
        &self.motion
    }

    /// The flights from a cell that the body stands on, and the cells that they depend on.
    pub(super) fn find(&mut self, level: &Level, from: StandCell) -> (Vec<Flight>, Bounds) {
        self.found.clear();
        self.hills = Hills::default();
        self.bounds = Bounds { columns: [from.column; 2], rows: [from.row; 2] };
        let foothold = Foothold { level, body: self.body };
        let Some(x) = foothold.at(from) else { return (Vec::new(), self.bounds) };
        let drops = self.drops(&foothold, from, x);
        if self.motion.jump_speed > 0.0 {
            self.jump(&foothold, from, x, (x, 0));
            self.collect(&foothold, from, x, TakeOff::Jump);
            self.running_jumps(&foothold, from, x);
        }
        for side in [-1, 1] {
            self.walk_off(&foothold, from, x, side);
        }
        if !drops.is_empty() {
            self.fall(level, &drops);
            self.collect(&foothold, from, x, TakeOff::Drop);
        }
        self.widen(level);
        (self.best(), self.bounds)
    }

    /// The landings of a body in the air.
    pub(super) fn find_fall(
        &mut self,
        level: &Level,
        (x, y): (f64, f64),
        (vx, vy): (f64, f64),
    ) -> Vec<Flight> {
        self.found.clear();
        let foothold = Foothold { level, body: self.body };
        let from = StandCell { column: level.column(x), row: level.feet_row(y) };
        self.bounds = Bounds { columns: [from.column; 2], rows: [from.row; 2] };
        let scene = scene(level, &self.flown, &self.motion, &self.control);
        self.spread.clear(level.size().1);
        self.spread.add(&scene, y, (x, x), self.control.level(vx));
        let first = self.spread.begin(&scene, &Start { y, vy, jumps: false });
        self.spread.fly(&scene, first, FULL);
        self.collect(&foothold, from, (x, x), TakeOff::InAir);
        self.best()
    }

    /// The cheapest flight to each cell.
    fn best(&mut self) -> Vec<Flight> {
        let mut found = std::mem::take(&mut self.found);
        found.sort_by_key(|flight| (flight.to, flight.cost));
        found.dedup_by_key(|flight| flight.to);
        found
    }

    /// Falls from places that have speeds.
    fn fall(&mut self, level: &Level, starts: &[(Places, i8)]) {
        let scene = scene(level, &self.flown, &self.motion, &self.control);
        self.spread.clear(level.size().1);
        for starts in starts.chunk_by(|a, b| a.0.0.total_cmp(&b.0.0).is_eq()) {
            let y = starts[0].0.0;
            for &((_, x), speed) in starts {
                self.spread.add(&scene, y, x, speed);
            }
            let first = self.spread.begin(&scene, &Start { y, vy: 0.0, jumps: false });
            self.spread.fly(&scene, first, FULL);
        }
    }

    /// Jumps of all holds from `places` of the cell, at a level of speed.
    fn jump(
        &mut self,
        foothold: &Foothold,
        from: StandCell,
        x: (f64, f64),
        (places, speed): ((f64, f64), i8),
    ) {
        let scene = scene(foothold.level, &self.flown, &self.motion, &self.control);
        let spread = &mut self.spread;
        spread.clear(foothold.level.size().1);
        let mut firsts = Vec::new();
        let flown = Foothold { body: self.flown, ..*foothold };
        for (y, x) in flown.take_offs(from, places) {
            spread.add(&scene, y, x, speed);
            let first = spread.begin(&scene, &Start { y, vy: 0.0, jumps: true });
            spread.fly(&scene, first, FULL);
            firsts.push(first);
        }
        if !spread.met {
            let own = own_run(&mut self.hills, foothold, &spread.landings, from, x);
            if spread.landings.iter().all(|landing| own.has(landing)) {
                return;
            }
        }
        for first in firsts {
            // The fronts of the full jump come first, one a tick.
            for &hold in &self.holds {
                let at = first + hold;
                let front = spread.fronts.get(at as usize);
                if front.is_some_and(|front| front.tick == hold && front.hold == FULL) {
                    spread.fly(&scene, at, hold);
                }
            }
        }
    }

    /// Jumps at full speed, kept where standing jumps do not land.
    fn running_jumps(&mut self, foothold: &Foothold, from: StandCell, x: (f64, f64)) {
        if self.control.is_free() {
            return;
        }
        let standing: Vec<StandCell> = self.found.iter().map(|flight| flight.to).collect();
        let run_up = self.motion.run_up_px(self.motion.run_speed);
        for side in [-1_i8, 1] {
            let back = -i32::from(side);
            let (near, far) = if side > 0 { (x.0, x.1) } else { (x.1, x.0) };
            let end = foothold.walk_end(from, back, far - run_up * f64::from(side));
            let start = end + run_up * f64::from(side);
            let start = if side > 0 { start.max(near) } else { start.min(near) };
            if (far - start) * f64::from(side) < 0.0 {
                continue;
            }
            self.jump(foothold, from, x, ((start.min(far), start.max(far)), side * self.control.top));
            let kept = self.found.len();
            self.collect(foothold, from, x, TakeOff::RunningJump(side));
            let is_new = |flight: &Flight| {
                !standing.iter().any(|&to| to.row == flight.to.row && foothold.walks_to(to, flight.to))
            };
            let new: Vec<Flight> = self.found.drain(kept..).filter(is_new).collect();
            self.found.extend(new);
        }
    }

    /// Falls over an edge.
    fn walk_off(&mut self, foothold: &Foothold, from: StandCell, x: (f64, f64), side: i8) {
        let level = foothold.level;
        if foothold.walk(from, i32::from(side)).is_some() {
            return;
        }
        let sign = f64::from(side);
        let edge = level.cell().0 * f64::from(from.column + i32::from(side > 0));
        let end = if side > 0 { x.1 } else { x.0 };
        // The run ends at a wall.
        if (edge + sign * foothold.reach() - end) * sign > 1e-6 {
            return;
        }
        let start = edge + sign * (self.flown.half_width + BEYOND);
        let (y, slope) = foothold.edge(from, i32::from(side));
        let free = level.room(y, end, &self.flown);
        if start < free[0] || start > free[1] {
            return;
        }
        let run = self.motion.run_speed * self.motion.tick;
        if self.control.is_free() {
            let far = start + sign * run;
            self.fall(level, &[((y, (start.min(far), start.max(far))), 0)]);
        } else {
            let mut places = Vec::new();
            for speed in 0..=self.control.top {
                let run_up = self.motion.run_up_px(self.control.speed(speed));
                let begin = foothold.walk_end(from, -i32::from(side), end - sign * run_up);
                // Running down a slope a body is in the air before the edge, at a height that is not known.
                let is_far = (end - begin) * sign >= run_up - 1e-6 && slope * sign <= 0.0;
                if speed == 0 || is_far {
                    places.push(((y, (start, start)), side * speed));
                }
            }
            self.fall(level, &places);
        }
        self.collect(foothold, from, x, TakeOff::WalkOff(side));
    }

    /// The places from which the body drops through the one-way cells below it, a little further down.
    fn drops(&self, foothold: &Foothold, from: StandCell, (low, high): (f64, f64)) -> Vec<(Places, i8)> {
        if foothold.is_uneven(from) {
            let places = foothold.free_below(from, (low, high), DROP);
            return places.into_iter().map(|places| (places, 0)).collect();
        }
        let (mut drops, y) = (Vec::new(), foothold.feet(from.row) + DROP);
        let (solid, half) = ((Kind::Solid, from.row + 1), self.body.half_width);
        foothold.level.split(solid, half, (low, high), |low, high, is_solid| {
            if !is_solid {
                drops.push(((y, (low, high)), 0));
            }
        });
        drops
    }

    /// Widens the bounds by the fronts of the last start.
    pub(super) fn touch(&mut self, foothold: &Foothold) {
        let level = foothold.level;
        let (body, motion) = (&self.flown, &self.motion);
        let half = body.half_width + motion.run_speed * motion.tick;
        let (mut x, mut y) = ([f64::INFINITY, f64::NEG_INFINITY], [f64::INFINITY, f64::NEG_INFINITY]);
        for at in 0..self.spread.fronts.len() {
            let front = &self.spread.fronts[at];
            let next = front.y.max(front.y + motion.falls(front.vy) * motion.tick);
            y = [y[0].min(front.y), y[1].max(next)];
            for part in self.spread.parts(at as u32) {
                x = [x[0].min(part.low), x[1].max(part.high)];
            }
        }
        if x[0] > x[1] {
            return;
        }
        let Bounds { columns, rows } = &mut self.bounds;
        *rows = [rows[0].min(level.head_row(y[0], body)), rows[1].max(level.feet_row(y[1]) + 1)];
        *columns = [columns[0].min(level.column(x[0] - half)), columns[1].max(level.column(x[1] + half))];
    }

    /// Adds to the bounds what run-ups, brakes and walks look at beside the flights.
    fn widen(&mut self, level: &Level) {
        let speed = self.motion.run_speed;
        let px = self.motion.run_up_px(speed).max(self.motion.brake_px(speed)) + 3.0 * self.body.half_width;
        let by = (px / level.cell().0).ceil() as i32 + 2;
        // Slopes lead up and down.
        let rows_by = if level.has_floors() { by } else { 2 };
        let Bounds { columns, rows } = &mut self.bounds;
        (columns[0], columns[1]) = (columns[0] - by, columns[1] + by);
        (rows[0], rows[1]) = (rows[0] - rows_by, rows[1] + rows_by);
    }
}

pub(super) fn scene<'a>(
    level: &'a Level,
    body: &'a Body,
    motion: &'a Motion,
    control: &'a Control,
) -> Scene<'a> {
    Scene { level, body, motion, control }
}
