//! Standing and walking where cells have floors inside them.
//!
//! Ground goes on from a cell to the next column where the heights at the common edge match: in the same row,
//! or in the row above or below. Places at which a body stands on such ground are found by trying places
//! [`STEP`] px apart, and the ends between them by halving.

use super::body::UNIT;
use super::floors::Face;
use super::stand::{Foothold, StandCell};

/// How far apart places are tried, in px.
const STEP: f64 = 2.0;
/// How often the interval is halved in which a free place ends.
const HALVINGS: u32 = 24;
/// A body that stands at a place is held so far above the ground, in px.
const LIFT: f64 = 1e-3;
/// A box climbs no higher step, in px.
const STEP_OF_BOX: f64 = 0.05;
/// A capsule climbs steps up to this part of its radius: its arc is steeper beyond. A body that snaps to the ground
/// a px below it climbs no higher ones.
const STEP_OF_CAPSULE: f64 = 0.25;
/// Slopes that lie deeper than the touched one by less are near, in px: so that places [`STEP`] apart meet them.
const WEDGE: f64 = 2.5;
/// The product of both slopes of a valley in which Godot's bodies stay: 1 at a right angle.
const WEDGED: f64 = 0.9;
/// The most intervals of heights from which a body takes off in a cell.
const TAKE_OFFS: u32 = 4;

/// Places at one height: y and the interval of x.
pub(super) type Places = (f64, (f64, f64));

impl Foothold<'_> {
    /// The height of the feet of a body that stands at `x` at a cell, in px; on a flat floor the upper edge of
    /// the cell below.
    pub fn height(&self, cell: StandCell, x: f64) -> f64 {
        match self.surface(cell) {
            Some(face) if self.level.has_floors() => self.touches(cell, &face, x),
            _ => self.feet(cell.row),
        }
    }

    /// The height of the feet of a body that takes off at `x` from a cell: on uneven ground a little above it.
    pub(crate) fn take_off(&self, cell: StandCell, x: f64) -> f64 {
        self.height(cell, x) - if self.is_uneven(cell) { LIFT } else { 0.0 }
    }

    /// What a walk between two neighbouring cells costs, in units of 70 a cell: going up a slope of angle a
    /// takes 1/cos²a as long as on level ground.
    pub fn walk_cost(&self, from: StandCell, to: StandCell) -> u32 {
        let columns = to.column.abs_diff(from.column);
        if !self.level.has_floors() {
            return columns * UNIT as u32;
        }
        let side = f64::from((to.column - from.column).signum());
        let half = |cell| {
            let climb = self.surface(cell).map_or(0.0, |face| (-face.slope() * side).max(0.0));
            f64::midpoint(1.0, climb * climb)
        };
        ((half(from) + half(to)) * f64::from(columns) * UNIT).round() as u32
    }

    /// The surface that a body stands on at a cell.
    fn surface(&self, cell: StandCell) -> Option<Face> {
        let StandCell { column, row } = cell;
        if let Some((face, _)) = self.level.face(column, row) {
            return self.level.carries(&face).then_some(face);
        }
        self.supports(column, row).then(|| self.level.flat(column, row + 1))
    }

    /// The height of the ground at an edge of a cell that the body stands on, and the slope up to it.
    pub(super) fn edge(&self, cell: StandCell, side: i32) -> (f64, f64) {
        match self.surface(cell) {
            Some(face) => (face.y[usize::from(side > 0)], face.slope()),
            None => (self.feet(cell.row), 0.0),
        }
    }

    /// The cell of the next column to a side in which the ground goes on.
    fn next(&self, cell: StandCell, side: i32) -> Option<StandCell> {
        let face = self.surface(cell)?;
        let (end, begin) = if side > 0 { (1, 0) } else { (0, 1) };
        let step = if self.body.is_round {
            (STEP_OF_CAPSULE * self.body.half_width).clamp(STEP_OF_BOX, 1.0)
        } else {
            STEP_OF_BOX
        };
        let rows = [cell.row - 1, cell.row, cell.row + 1];
        let mut next = rows.into_iter().map(|row| StandCell { column: cell.column + side, row });
        next.find(|&next| self.surface(next).is_some_and(|next| (next.y[begin] - face.y[end]).abs() <= step))
    }

    /// The cell of the next column, if floors inside cells are near.
    pub(super) fn next_on_floors(&self, cell: StandCell, side: i32) -> Option<StandCell> {
        if self.is_uneven(cell) { self.next(cell, side) } else { None }
    }

    /// Whether cells near `cell` have floors inside them.
    pub(super) fn is_uneven(&self, cell: StandCell) -> bool {
        let half = self.body.half_width + self.level.cell().0;
        let reach = (half / self.level.cell().0).ceil() as i32;
        let (top, bottom) = self.rows(cell.row);
        self.level.has_floors()
            && (top - 1..=bottom + 1).any(|row| {
                (cell.column - reach..=cell.column + reach)
                    .any(|column| self.level.floor(column, row).is_some())
            })
    }

    /// The height of the feet at `x`, on the ground of a cell and as far as it goes on below the body.
    fn touches(&self, cell: StandCell, face: &Face, x: f64) -> f64 {
        let mut y = face.y[usize::from(x > face.x[0])];
        if face.top(x, &self.body).is_some() {
            y = f64::INFINITY;
        }
        self.each_touch(cell, face, x, |_, top| y = y.min(top));
        y
    }

    /// Calls `touch` with each surface of the run below the body, and the height of feet that touch it.
    fn each_touch(&self, cell: StandCell, face: &Face, x: f64, mut touch: impl FnMut(&Face, f64)) {
        if let Some(top) = face.top(x, &self.body) {
            touch(face, top);
        }
        for side in [-1, 1] {
            let mut at = cell;
            while let Some(next) = self.next(at, side) {
                let Some(face) = self.surface(next) else { break };
                let Some(top) = face.top(x, &self.body) else { break };
                touch(&face, top);
                at = next;
            }
        }
    }

    /// Whether the body lies in a valley that it does not get out of: it touches slopes on both sides, as steep as
    /// a right angle.
    fn is_wedged(&self, cell: StandCell, face: &Face, x: f64) -> bool {
        let y = self.touches(cell, face, x);
        let (mut down, mut up) = ((0.0_f64, f64::INFINITY), (0.0_f64, f64::NEG_INFINITY));
        self.each_touch(cell, face, x, |face, top| {
            let slope = (face.slope(), face.x[0]);
            if top < y + WEDGE && slope.0 > down.0 {
                down = slope;
            } else if top < y + WEDGE && -slope.0 > up.0 {
                up = (-slope.0, slope.1);
            }
        });
        down.1 < up.1 && down.0 * up.0 > WEDGED
    }

    /// The centres at which the body stands at a cell of a level with floors.
    pub(super) fn on_floors(&self, cell: StandCell) -> Option<(f64, f64)> {
        let face = self.surface(cell)?;
        let [mut low, mut high] = face.x;
        if self.next(cell, -1).is_none() {
            low -= self.reach();
        }
        if self.next(cell, 1).is_none() {
            high += self.reach();
        }
        let is_free = |x: f64| {
            let place = (x, self.touches(cell, &face, x) - LIFT);
            !self.is_wedged(cell, &face, x) && !self.level.overlaps(place, &self.body)
        };
        widest(low, high, is_free)
    }

    /// The places of an interval from which a body takes off, each a little above the ground: intervals where
    /// the feet are at one height, and single places on slopes.
    pub(super) fn take_offs(&self, cell: StandCell, (low, high): (f64, f64)) -> Vec<Places> {
        if !self.is_uneven(cell) {
            return vec![(self.feet(cell.row), (low, high))];
        }
        let mut places: Vec<Places> = Vec::new();
        for step in 0..=TAKE_OFFS {
            let x = low + (high - low) * f64::from(step) / f64::from(TAKE_OFFS);
            let y = self.take_off(cell, x);
            match places.last_mut() {
                Some((last, (_, end))) if (*last - y).abs() < 1e-6 => *end = x,
                _ => places.push((y, (x, x))),
            }
        }
        places
    }

    /// The places of a cell at which a body that is set down by `drop` is in no ground.
    pub(super) fn free_below(&self, cell: StandCell, x: (f64, f64), drop: f64) -> Vec<Places> {
        let is_free = |y: f64, x: f64| !self.level.overlaps((x, y + drop), &self.body);
        let mut free = Vec::new();
        for (y, (low, high)) in self.take_offs(cell, x) {
            free.extend(widest(low, high, |x| is_free(y, x)).map(|x| (y + drop, x)));
        }
        free
    }
}

/// The widest interval of an interval at which something holds.
fn widest(low: f64, high: f64, holds: impl Fn(f64) -> bool) -> Option<(f64, f64)> {
    let steps = ((high - low) / STEP).ceil().max(1.0);
    let place = |step: f64| low + (high - low) * step / steps;
    let edge = |mut inside: f64, mut outside: f64| {
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(inside, outside);
            if holds(middle) {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        inside
    };
    let (mut best, mut begin): (Option<(f64, f64)>, Option<f64>) = (None, None);
    for step in 0..=steps as u32 + 1 {
        let step = f64::from(step);
        let is_in = step <= steps && holds(place(step));
        match begin {
            None if is_in => {
                begin = Some(if step == 0.0 { low } else { edge(place(step), place(step - 1.0)) });
            }
            Some(from) if !is_in => {
                let to = if step > steps { high } else { edge(place(step - 1.0), place(step)) };
                if best.is_none_or(|(a, b)| to - from > b - a) {
                    best = Some((from, to));
                }
                begin = None;
            }
            _ => {}
        }
    }
    best
}
