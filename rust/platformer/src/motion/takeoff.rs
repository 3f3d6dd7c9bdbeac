//! The flights from one cell: where a body lands that jumps, runs and jumps, walks off, or drops.

use std::ops::Range;

use super::body::{Body, FlightCosts, Motion};
use super::control::Control;
use super::ground::{Hills, Places};
use super::holds::{FULL, holds};
use super::level::{Kind, Level};
use super::spread::{Landing, Scene, Spread, Start};
use super::stand::{Foothold, StandCell};
use super::trace::{Trace, side_by_side};
use pathforge_core::geometry::Cell;

/// The cost of a cell, in units.
pub(super) const UNIT: f64 = 70.0;
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
    body: Body,
    /// The body in the air.
    flown: Body,
    motion: Motion,
    costs: FlightCosts,
    control: Control,
    holds: Vec<u32>,
    spread: Spread,
    found: Vec<Flight>,
    bounds: Bounds,
    hills: Hills,
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

    /// Keeps flights to the landings of the last start: to the nearest and the farthest cell of each run.
    fn collect(&mut self, foothold: &Foothold, from: StandCell, x: (f64, f64), kind: TakeOff) {
        self.touch(foothold);
        let own = own_run(&mut self.hills, foothold, &self.spread.landings, from, x);
        let edge = match kind {
            TakeOff::WalkOff(side) => foothold.edge(from, i32::from(side)).0,
            _ => f64::NEG_INFINITY,
        };
        let is_kept = |landing: &&Landing| match kind {
            TakeOff::InAir => true,
            // Ground at the same height is walked to, or too far.
            TakeOff::WalkOff(_) => self.ground(foothold.level, landing) > edge + 1.0 && !own.has(landing),
            _ => !own.has(landing),
        };
        let is_kept = |landing: &&Landing| is_kept(landing) && !self.is_too_deep(foothold, landing);
        let mut landings: Vec<Landing> = self.spread.landings.iter().filter(is_kept).copied().collect();
        landings.sort_unstable_by(|a, b| {
            a.row.cmp(&b.row).then(a.part.low.total_cmp(&b.part.low)).then(a.front.cmp(&b.front))
        });
        let width = foothold.level.cell().0;
        let centre = f64::midpoint(x.0, x.1);
        for range in groups(foothold, &landings) {
            let landings = self.braked(foothold, &landings[range]);
            if landings.is_empty() {
                continue;
            }
            let low = landings.iter().map(|landing| landing.part.low).fold(f64::INFINITY, f64::min);
            let high = landings.iter().map(|landing| landing.part.high).fold(f64::NEG_INFINITY, f64::max);
            let near = centre.clamp(low, high);
            let far = if high - near > near - low { high } else { low };
            self.keep(foothold, from, (&landings, near), kind);
            if high - low >= 1.5 * width {
                self.keep(foothold, from, (&landings, far), kind);
            }
        }
    }

    /// Keeps the cheapest flight to the cell at `x` of a run.
    fn keep(
        &mut self,
        foothold: &Foothold,
        from: StandCell,
        (landings, x): (&[Landing], f64),
        kind: TakeOff,
    ) {
        let row = landings[0].row;
        let Some(to) = foothold.cell_of(x, row) else { return };
        let Some((low, high)) = foothold.at(to) else { return };
        let tick = |landing: &Landing| self.spread.fronts[landing.front as usize].tick;
        let meets = |landing: &&Landing| landing.part.low <= high && landing.part.high >= low;
        let Some(best) = landings.iter().filter(meets).min_by_key(|landing| tick(landing)) else { return };
        let centre = f64::midpoint(low, high);
        let land_x = centre.clamp(best.part.low.max(low), best.part.high.min(high));
        let level = foothold.level;
        let scene = scene(level, &self.flown, &self.motion, &self.control);
        let Trace { places, level: speed, .. } = self.spread.trace(&scene, best, land_x);
        let (start_x, start_speed) = (places[0].0, self.control.speed(speed));
        let ends = |cell: StandCell| foothold.resting_cell(cell);
        let flown = places.iter().map(|&(x, y)| foothold.body_cell(x, level.feet_row(y)));
        // The cells begin and end where the body rests at the ends.
        let cells = side_by_side(ends(from).into_iter().chain(flown).chain(ends(to)));
        let (ticks, hold) = (tick(best) + 1, self.spread.fronts[best.front as usize].hold);
        let time = f64::from(ticks) * self.motion.tick * self.motion.run_speed / level.cell().0 * UNIT;
        let jumps = matches!(kind, TakeOff::Jump | TakeOff::RunningJump(_));
        let in_air = cells.len().saturating_sub(2) as u32;
        let down = (to.row - from.row).max(0) as u32;
        // A cell's width more or less at both ends is not flown.
        let steps = to.column.abs_diff(from.column) * UNIT as u32;
        let cost = (time.ceil() as u32).max(steps)
            + if jumps { self.costs.jump } else { 0 }
            + in_air * self.costs.air
            + down * self.costs.fall;
        let hold = (hold != FULL && hold != 0).then_some(hold);
        self.found.push(Flight { to, cost, ticks, hold, kind, start_x, start_speed, land_x, cells });
    }

    /// The height of the feet at a landing.
    fn ground(&self, level: &Level, landing: &Landing) -> f64 {
        let part = &landing.part;
        level.ground(landing.row, f64::midpoint(part.low, part.high), &self.flown)
    }

    fn is_too_deep(&self, foothold: &Foothold, landing: &Landing) -> bool {
        let depth = self.ground(foothold.level, landing) - self.spread.fronts[landing.front as usize].apex;
        self.costs.max_fall > 0 && depth > f64::from(self.costs.max_fall) * foothold.level.cell().1 + 1e-6
    }

    /// The parts of landings on one run from which the body can brake before the run ends.
    fn braked(&self, foothold: &Foothold, landings: &[Landing]) -> Vec<Landing> {
        let control = &self.control;
        if control.is_free() {
            return landings.to_vec();
        }
        let row = landings[0].row;
        let low = landings.iter().map(|landing| landing.part.low).fold(f64::INFINITY, f64::min);
        let high = landings.iter().map(|landing| landing.part.high).fold(f64::NEG_INFINITY, f64::max);
        let most = self.motion.brake_px(self.motion.run_speed);
        let end = |x: f64, side: i32| {
            let limit = x + most * f64::from(side);
            let cell = foothold.cell_of(x, row)?;
            let end = foothold.walk_end(cell, side, limit);
            let is_open = (end - limit) * f64::from(side) >= 0.0 || foothold.meets_wall(end, row, side);
            // Where nothing has to be braked for, the end does not matter.
            Some(if is_open { f64::INFINITY * f64::from(side) } else { end })
        };
        let (first, last) = (end(low, -1).unwrap_or(low), end(high, 1).unwrap_or(high));
        let clip = |landing: &Landing| {
            let mut landing = *landing;
            let part = &mut landing.part;
            if part.wall == 0 {
                // The speed of the last tick.
                let speed = control.shift(part.from, part.to, part.phase - 1)[0] / self.motion.tick;
                let brake = self.motion.brake_px(speed);
                if speed > 0.0 {
                    part.high = part.high.min(last - brake);
                } else if speed < 0.0 {
                    part.low = part.low.max(first + brake);
                }
            }
            (part.low <= part.high).then_some(landing)
        };
        landings.iter().filter_map(clip).collect()
    }

    /// Widens the bounds by the fronts of the last start.
    fn touch(&mut self, foothold: &Foothold) {
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

fn scene<'a>(level: &'a Level, body: &'a Body, motion: &'a Motion, control: &'a Control) -> Scene<'a> {
    Scene { level, body, motion, control }
}

/// The run of a take-off, as far as landings on its row lie.
struct OwnRun {
    row: i32,
    low: f64,
    high: f64,
    /// Where it leads over floors inside cells: row and x.
    hills: Vec<(i32, (f64, f64))>,
}

impl OwnRun {
    /// Whether a walk replaces a landing.
    fn has(&self, landing: &Landing) -> bool {
        let is_in = |row: i32, (low, high): (f64, f64)| {
            landing.row == row && landing.part.low <= high && landing.part.high >= low
        };
        is_in(self.row, (self.low, self.high)) || self.hills.iter().any(|&(row, x)| is_in(row, x))
    }
}

fn own_run(
    hills: &mut Hills,
    foothold: &Foothold,
    landings: &[Landing],
    from: StandCell,
    x: (f64, f64),
) -> OwnRun {
    let (mut low, mut high) = x;
    let has_floors = foothold.level.has_floors();
    for landing in landings.iter().filter(|landing| landing.row == from.row || has_floors) {
        (low, high) = (low.min(landing.part.low), high.max(landing.part.high));
    }
    let end = |side, limit| foothold.walk_end(from, side, limit);
    if has_floors {
        hills.widen(foothold, from, (low, high));
        return OwnRun { row: from.row, low: x.0, high: x.1, hills: hills.places().to_vec() };
    }
    OwnRun { row: from.row, low: end(-1, low), high: end(1, high), hills: Vec::new() }
}

/// The landings of each run, which are in the order of row and x, as ranges of the list.
fn groups(foothold: &Foothold, landings: &[Landing]) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    let mut end = f64::NEG_INFINITY;
    for (at, landing) in landings.iter().enumerate() {
        let (part, row) = (landing.part, landing.row);
        match groups.last_mut() {
            Some(group)
                if landings[group.start].row == row
                    && (part.low <= end || joins(foothold, end, part.low, row)) =>
            {
                group.end = at + 1;
                end = end.max(part.high);
            }
            _ => {
                groups.push(at..at + 1);
                end = part.high;
            }
        }
    }
    groups
}

/// Whether a walk leads from one place of a row to another.
fn joins(foothold: &Foothold, from: f64, to: f64, row: i32) -> bool {
    match (foothold.cell_of(from, row), foothold.cell_of(to, row)) {
        (Some(from), Some(to)) => foothold.walks_to(from, to),
        _ => false,
    }
}
