//! Which landings become flights: where no walk leads, and the body can brake in time.

use std::ops::Range;

use super::body::UNIT;
use super::holds::FULL;
use super::level::Level;
use super::own_run::own_run;
use super::spread::Landing;
use super::stand::{Foothold, StandCell};
use super::takeoff::{Finder, Flight, TakeOff, scene};
use super::trace::{Trace, side_by_side};

impl Finder {
    /// Keeps flights to the landings of the last start: to the nearest and the farthest cell of each run.
    pub(super) fn collect(&mut self, foothold: &Foothold, from: StandCell, x: (f64, f64), kind: TakeOff) {
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
