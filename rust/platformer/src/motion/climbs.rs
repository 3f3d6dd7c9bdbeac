//! Ladders: the climbs from a cell that a body stands on, straight up and down.
//!
//! A ladder is a run of ladder cells in one column. A body climbs it at one place of the column: from ground in
//! a row of the ladder to ground in a higher row, and back. The feet pass ladder cells only. Where the column
//! has no ground in a row, the body steps onto the ladder from ground beside it, or off it.

use super::body::{Body, Motion, UNIT, caution};
use super::level::{EDGE, Level};
use super::stand::{Foothold, StandCell};
use super::takeoff::{Bounds, Flight, TakeOff};
use super::trace::side_by_side;

/// What a climb costs besides its time, so that a climb past ground costs less than two.
const HOLD_COST: u32 = 1;
/// Feet that are so little above a row are not in it, in px.
const ROUNDING: f64 = 0.01;
/// The longest climb, in ticks.
const TICKS_MAX: f64 = 1e9;

impl Level {
    /// The level with ladders in the cells that `is_ladder` says, by column and row.
    #[must_use]
    pub fn with_ladders(mut self, is_ladder: &dyn Fn(i32, i32) -> bool) -> Self {
        let (columns, rows) = self.size();
        let mut words = vec![0_u64; self.words() * (rows as usize + 1)];
        for row in 0..rows {
            for bit in (1..=columns).filter(|bit| is_ladder(bit - 1, row)) {
                words[self.base(row) + bit as usize / 64] |= 1 << (bit % 64);
            }
        }
        self.ladders = words.iter().any(|&word| word != 0).then_some(words);
        self
    }

    /// Whether a cell is one of a ladder.
    pub fn is_ladder(&self, column: i32, row: i32) -> bool {
        self.ladders.as_ref().is_some_and(|words| self.has(words, column, row))
    }

    /// The rows of the ladder around a row, first and last.
    fn ladder_rows(&self, column: i32, row: i32) -> Option<(i32, i32)> {
        let end = |step: i32| {
            let mut end = row;
            while self.is_ladder(column, end + step) {
                end += step;
            }
            end
        };
        self.is_ladder(column, row).then(|| (end(-1), end(1)))
    }
}

/// Adds the climbs from a cell to `flights`, and the cells that they depend on to `bounds`.
pub(super) fn add_climbs(
    foothold: &Foothold,
    motion: &Motion,
    from: StandCell,
    (flights, bounds): (&mut Vec<Flight>, &mut Bounds),
) {
    let level = foothold.level;
    if motion.climb_speed == 0.0 || level.ladders.is_none() {
        return;
    }
    let reach = reach(&foothold.body, level);
    let mut rows = (from.row - 1, from.row + 2);
    for column in from.column - reach..=from.column + reach {
        let Some((first, last)) =
            level.ladder_rows(column, from.row).or_else(|| level.ladder_rows(column, from.row + 1))
        else {
            continue;
        };
        rows = (rows.0.min(first - 2), rows.1.max(last + 2));
        if column != from.column && foothold.at(StandCell { column, ..from }).is_some() {
            // From there it is a climb of its own.
            continue;
        }
        for row in (first - 1..=last).filter(|&row| row != from.row) {
            // Ground beside the ladder is for rows in which there is none at it.
            let sides = (0..=reach).flat_map(|by| [column - by, column + by]);
            let found = sides.map(|column| StandCell { column, row }).find_map(|to| {
                let x = climb_x(foothold, column, from, to)?;
                Some((to, x))
            });
            flights.extend(found.and_then(|(to, x)| climb(foothold, motion, (from, to), (column, x))));
        }
    }
    let by = reach + 2;
    let body_rows = (foothold.body.height / level.cell().1).ceil() as i32 + 1;
    bounds.columns = [bounds.columns[0].min(from.column - by), bounds.columns[1].max(from.column + by)];
    bounds.rows = [bounds.rows[0].min(rows.0 - body_rows), bounds.rows[1].max(rows.1)];
}

/// How many columns beside a ladder the ground may lie, so that the body touches both.
fn reach(body: &Body, level: &Level) -> i32 {
    (body.half_width / level.cell().0).ceil() as i32
}

/// The place in a ladder's column at which the body climbs between two cells: in the middle, or as near as it
/// can. It keeps clear of walls where there is room. `None` if it cannot climb.
fn climb_x(foothold: &Foothold, column: i32, from: StandCell, to: StandCell) -> Option<f64> {
    let level = foothold.level;
    let (low, high) = if from.row > to.row { (from, to) } else { (to, from) };
    let middle = (f64::from(column) + 0.5) * level.cell().0;
    let blocks = level.floors.as_ref().map_or(level.solid(), |floors| floors.blocks.as_slice());
    let free = level.free_of(blocks, (high.row, low.row - 1), middle, foothold.body.half_width);
    let clear = caution(level.cell()).min((free[1] - free[0]) / 2.0);
    let mut places = [clear, 0.0].into_iter().filter(|_| clear >= 0.0);
    places.find_map(|clear| climb_x_in(foothold, column, (low, high), [free[0] + clear, free[1] - clear]))
}

/// The place between walls at `free`.
fn climb_x_in(
    foothold: &Foothold,
    column: i32,
    (low, high): (StandCell, StandCell),
    free: [f64; 2],
) -> Option<f64> {
    let (width, height) = foothold.level.cell();
    let [left, right] = [column, column + 1].map(|column| f64::from(column) * width);
    let middle = f64::midpoint(left, right);
    let mut x = (left.max(free[0]), right.min(free[1]));
    for cell in [low, high] {
        let at = foothold.at(cell)?;
        if x.0 > x.1 {
            return None;
        }
        if cell.column == column {
            x = (x.0.max(at.0), x.1.min(at.1));
        } else {
            // As near to the ground beside it as the ladder's column allows.
            x = [middle.clamp(at.0, at.1).clamp(x.0, x.1); 2].into();
        }
    }
    if x.0 > x.1 {
        return None;
    }
    let x = middle.clamp(x.0, x.1);
    // The feet pass ladder cells only.
    let top = ((step_off(foothold, column, high, x)?.1 + ROUNDING) / height).floor() as i32;
    step_off(foothold, column, low, x)?;
    (top..=low.row).all(|row| foothold.level.is_ladder(column, row)).then_some(x)
}

/// Where a body that is at `x` on a ladder comes to ground at a cell: its place and height there. Beside the
/// ladder it comes in by half its width. `None` if that is too far away, or something is in between.
fn step_off(foothold: &Foothold, column: i32, cell: StandCell, x: f64) -> Option<(f64, f64)> {
    let (low, high) = foothold.at(cell)?;
    let is_at = cell.column == column;
    let half = foothold.body.half_width;
    let inset = if is_at { 0.0 } else { half.min((high - low) / 2.0) };
    let place = x.clamp(low + inset, high - inset);
    let y = foothold.take_off(cell, place);
    let free = foothold.level.room(y, place, &foothold.body);
    let is_near = (place - x).abs() <= half + inset;
    (is_near && (free[0] - EDGE..=free[1] + EDGE).contains(&x)).then_some((place, y))
}

fn climb(
    foothold: &Foothold,
    motion: &Motion,
    (from, to): (StandCell, StandCell),
    (column, x): (i32, f64),
) -> Option<Flight> {
    let ((start_x, from_y), (land_x, to_y)) =
        (step_off(foothold, column, from, x)?, step_off(foothold, column, to, x)?);
    let (width, body_at) = (foothold.level.cell().0, |row| foothold.body_cell(x, row));
    let aside = ((x - start_x).abs() + (land_x - x).abs()) / motion.run_speed;
    let time = (from_y - to_y).abs() / motion.climb_speed + aside;
    let ticks = (time / motion.tick).ceil().clamp(1.0, TICKS_MAX) as u32;
    let cost = (time * motion.run_speed / width * UNIT).ceil().min(TICKS_MAX) as u32;
    let cost = cost.max(to.column.abs_diff(from.column) * UNIT as u32) + HOLD_COST;
    let ends = [foothold.resting_cell(from)?, body_at(from.row), body_at(to.row), foothold.resting_cell(to)?];
    let kind = TakeOff::Climb(if to.row < from.row { -1 } else { 1 });
    let cells = side_by_side(ends.into_iter());
    Some(Flight { to, cost, ticks, hold: None, kind, start_x: x, start_speed: 0.0, land_x, cells })
}
