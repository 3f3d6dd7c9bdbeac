//! Floors inside cells: at any height and with any slope, and how the feet of a body meet them.
//!
//! The ground of a cell is convex, and so is what a body's feet must keep out of. At every height of the feet
//! it is one interval of x, [`Face::cut`]. A box touches ground with its whole width, a capsule with its lower
//! arc.
//!
//! Measured in Godot 4.6 with a `CharacterBody2D` of default settings, 180 px/s, gravity 980 px/s²:
//! - Up a slope of angle a it moves by run·cos²a sideways: ½ at 45°, ⅘ at 26.6°. Gravity that is added on the
//!   ground, too, takes gravity·tick·sin a·cos a more: 82 px/s instead of 90 at 45°.
//! - Down a slope it keeps its whole speed sideways, in hops: a floor snap of 1 px is less than a tick's drop.
//! - Jumps from slopes, standing or running, have their full height and speed. It stands still on them.
//! - A box is stopped by steps of 0.5 px; a capsule climbs steps of 0.29 of its radius. Both snap down 1 px.
//! - Ground of 45° carries, ground of 46° is a wall.
//!
//! What is not exact; most of it is missed, not claimed:
//! - From a slope bodies take off at five places of each cell, not at all.
//! - Running down a slope ends in no running walk-off, as the height at its edge is not known.
//! - A body that rises beside a slope is held by it at its height before the tick.
//! - Nothing drops through one-way slopes, or slides off ground that is too steep.
//! - Above its arc a capsule is a box, and it lands on corners of solid cells as `support_half_width` says.
//! - A walk up a slope costs the time without gravity on the ground.
//! - In hops down a slope, heads are not looked at.

use super::body::{Body, MARGIN};
use super::floor_shapes::{FloorShape, Stands};
use super::level::{EDGE, Level};

/// Where in an interval of x a body lands, and where it falls on. In between it hangs over an edge, or touches
/// ground that does not carry: nothing is claimed.
#[derive(Debug)]
pub(super) struct Fall {
    pub(super) lands: Vec<(f64, f64)>,
    pub(super) falls: Vec<(f64, f64)>,
}

impl Level {
    /// What becomes of bodies whose feet move down in a row, `from` one height `to` another, after a movement
    /// sideways by `shift` px at most. `None`: all fall on.
    pub(super) fn fall_onto(
        &self,
        row: i32,
        (from, to): (f64, f64),
        (low, high): (f64, f64),
        shift: f64,
        body: &Body,
    ) -> Option<Fall> {
        let half = body.half_width;
        let reach = (body.support_half_width - MARGIN).max(0.0);
        let is_met =
            |(face, _): &(Face, bool)| face.cut(to, body).is_some_and(|cut| cut.0 <= high && cut.1 >= low);
        let columns = self.column(low - half)..=self.column(high + half);
        let faces: Vec<_> = columns.filter_map(|column| self.face(column, row)).filter(is_met).collect();
        if faces.is_empty() {
            return None;
        }
        let mut fall = Fall { falls: vec![(low, high)], lands: Vec::new() };
        // What one floor does not carry may be carried by the next.
        for (face, one_way) in faces.iter().filter(|(face, _)| self.carries(face)) {
            let Some((left, right)) = face.cut(to, body) else { continue };
            let carried = (left.max(face.x[0] - reach), right.min(face.x[1] + reach));
            let passed = if *one_way { face.cut(from, body) } else { None };
            for piece in std::mem::take(&mut fall.falls) {
                let [before, inside, after] = cut_apart(piece, carried);
                fall.falls.extend(before.into_iter().chain(after));
                let Some(inside) = inside else { continue };
                let Some(passed) = passed else {
                    fall.lands.push(inside);
                    continue;
                };
                let [before, passes, after] = cut_apart(inside, passed);
                fall.lands.extend(before.into_iter().chain(after));
                fall.falls.extend(passes);
            }
        }
        for (face, one_way) in &faces {
            // A body that is in a one-way floor has passed it, unless it came into it from the side.
            let passed = if *one_way { face.cut(from - shift * face.slope().abs(), body) } else { None };
            let Some(cut) = face.cut(to, body) else { continue };
            for piece in std::mem::take(&mut fall.falls) {
                let [before, inside, after] = cut_apart(piece, (cut.0 + EDGE, cut.1 - EDGE));
                fall.falls.extend(before.into_iter().chain(after));
                let passes = inside.and_then(|inside| cut_apart(inside, passed?)[1]);
                fall.falls.extend(passes);
            }
        }
        Some(fall)
    }

    /// The next height below `y`, in a row, at which feet between two places are past where floors of that row
    /// begin or end.
    pub(super) fn next_end(&self, row: i32, y: f64, (low, high): (f64, f64)) -> Option<f64> {
        let ends = self.floors.as_ref()?.ends.get(usize::try_from(row).ok()?)?;
        let bottom = f64::from(row + 1) * self.cell().1;
        let near = self.column(low) + 1..=self.column(high) + 1;
        let ends = ends.iter().filter(|(_, bit)| near.contains(bit));
        ends.map(|(height, _)| bottom - height + 2.0 * EDGE).find(|&end| end > y + EDGE)
    }

    /// Whether free intervals depend on the height of the feet within a row.
    pub(super) fn varies_within(&self, row: i32, body: &Body) -> bool {
        self.has_floors() && (body.is_round || self.has_floors_in(row))
    }

    /// Whether any cell of a row has a floor inside it.
    pub(super) fn has_floors_in(&self, row: i32) -> bool {
        let words = self.base(row)..self.base(row) + self.words();
        self.floors.as_ref().is_some_and(|floors| floors.cells[words].iter().any(|&word| word != 0))
    }

    /// The level with another limit on the slope of ground that carries, in radians; 45° if it is not set.
    #[must_use]
    pub fn with_floor_max_angle(mut self, angle: f64) -> Self {
        if let Some(floors) = &mut self.floors {
            floors.slope_max = (angle + 0.01).clamp(0.0, 1.57).tan();
            floors.stands = Stands::default();
        }
        self
    }

    /// Whether any cell has a floor inside it.
    #[inline]
    pub const fn has_floors(&self) -> bool {
        self.floors.is_some()
    }

    /// Whether a floor is flat enough to carry.
    pub(super) fn carries(&self, face: &Face) -> bool {
        self.floors.as_ref().is_none_or(|floors| face.slope().abs() <= floors.slope_max)
    }

    /// The floor inside a cell.
    pub fn floor(&self, column: i32, row: i32) -> Option<FloorShape> {
        let (columns, rows) = self.size();
        if !(0..columns).contains(&column) || !(0..rows).contains(&row) {
            return None;
        }
        self.floors.as_ref()?.get(self.base(row) + (column + 1) as usize / 64, (column + 1) as u32 % 64)
    }

    /// The surface of the floor inside a cell, and whether it is one-way.
    pub(super) fn face(&self, column: i32, row: i32) -> Option<(Face, bool)> {
        let shape = self.floor(column, row)?;
        let bottom = f64::from(row + 1) * self.cell().1;
        let face = Face { x: self.edges(column), y: [bottom - shape.left, bottom - shape.right] };
        Some((face, shape.one_way))
    }

    fn edges(&self, column: i32) -> [f64; 2] {
        [column, column + 1].map(|column| f64::from(column) * self.cell().0)
    }

    /// A level surface as wide as a cell: the upper edge of `row`.
    pub(super) fn flat(&self, column: i32, row: i32) -> Face {
        Face { x: self.edges(column), y: [f64::from(row) * self.cell().1; 2] }
    }

    /// The height of the feet of a body that has come to ground in a row at `x`.
    pub(super) fn ground(&self, row: i32, x: f64, body: &Body) -> f64 {
        let flat = f64::from(row + 1) * self.cell().1;
        if !self.has_floors_in(row) {
            return flat;
        }
        let columns = self.column(x - body.half_width)..=self.column(x + body.half_width);
        let faces =
            columns.filter_map(|column| self.face(column, row)).filter(|(face, _)| self.carries(face));
        faces.filter_map(|(face, _)| face.top(x, body)).fold(flat, f64::min)
    }

    /// The surface that stops a body from the sides in the row of its feet.
    fn obstacle(&self, column: i32, row: i32) -> Option<Face> {
        if self.is_solid(column, row) {
            return Some(self.flat(column, row));
        }
        self.face(column, row).and_then(|(face, one_way)| (!one_way).then_some(face))
    }

    /// The interval of x around `x` at which a body with feet at `y` is in no ground.
    #[inline]
    pub(super) fn room(&self, y: f64, x: f64, body: &Body) -> [f64; 2] {
        self.room_in((self.head_row(y, body), self.feet_row(y)), (x, y), body)
    }

    /// The same of a body that is in some rows.
    #[inline]
    pub(super) fn room_in(&self, rows: (i32, i32), (x, y): (f64, f64), body: &Body) -> [f64; 2] {
        match &self.floors {
            None => self.free(rows, x, body.half_width),
            Some(floors) => self.room_above_floors(&floors.blocks, rows, (x, y), body),
        }
    }

    fn room_above_floors(
        &self,
        blocks: &[u64],
        (top, bottom): (i32, i32),
        (x, y): (f64, f64),
        body: &Body,
    ) -> [f64; 2] {
        let half = body.half_width;
        let arc = self.arc_row(y, body);
        let [mut low, mut high] = self.free_of(blocks, (top, arc - 1), x, half);
        let own = self.column(x);
        let rows = (arc..=bottom).flat_map(|row| [(row, -1), (row, 1)]);
        for (row, side) in rows {
            let mut column = if side > 0 { own } else { own - 1 };
            while let Some(next) = self.next_block(blocks, row, column, side) {
                let [left, right] = self.edges(next);
                let is_beyond = if side > 0 { left - half >= high } else { right + half <= low };
                if is_beyond {
                    break;
                }
                if let Some((from, to)) = self.obstacle(next, row).and_then(|face| face.cut(y, body)) {
                    if x <= f64::midpoint(from, to) {
                        high = high.min(from);
                    } else {
                        low = low.max(to);
                    }
                }
                column = next + side;
            }
        }
        [low, high]
    }

    /// Whether what a body touches at `x` is a wall, and not a slope: the same a px higher.
    pub(super) fn is_wall(&self, y: f64, (x, side): (f64, i8), body: &Body) -> bool {
        !self.has_floors() || (self.room(y - 1.0, x, body)[usize::from(side > 0)] - x).abs() < 1e-3
    }

    /// Whether a body overlaps ground. One-way cells and floors are not in its way.
    pub(super) fn overlaps(&self, (x, y): (f64, f64), body: &Body) -> bool {
        let half = body.half_width - EDGE;
        let (first, last) = (self.column(x - half), self.column(x + half));
        let (top, arc, bottom) = (self.head_row(y, body), self.arc_row(y, body), self.feet_row(y));
        let is_in = |column, row| {
            let cut = self.obstacle(column, row).and_then(|face| face.cut(y, body));
            cut.is_some_and(|(from, to)| from + EDGE < x && x < to - EDGE)
        };
        (first..=last).any(|column| {
            (top..arc).any(|row| self.blocks(column, row)) || (arc..=bottom).any(|row| is_in(column, row))
        })
    }

    /// The highest row of the arc at the lower end of a body, which passes corners; of a box the row of its
    /// feet.
    pub(super) fn arc_row(&self, y: f64, body: &Body) -> i32 {
        self.feet_row(if body.is_round { y - body.half_width } else { y })
    }

    fn blocks(&self, column: i32, row: i32) -> bool {
        self.is_solid(column, row) || self.floor(column, row).is_some_and(|shape| !shape.one_way)
    }
}

/// The parts of an interval before, in and after another one.
fn cut_apart((low, high): (f64, f64), (from, to): (f64, f64)) -> [Option<(f64, f64)>; 3] {
    let (from, to) = (from.max(low), to.min(high));
    if from > to {
        // It touches the other one at most.
        return [Some((low, high)), None, None];
    }
    [(from > low).then_some((low, from)), Some((from, to)), (to < high).then_some((to, high))]
}

/// The surface of the ground in a cell: its left and right ends, in px of the level.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Face {
    pub(super) x: [f64; 2],
    pub(super) y: [f64; 2],
}

impl Face {
    /// Change of y with x.
    pub(super) fn slope(&self) -> f64 {
        (self.y[1] - self.y[0]) / (self.x[1] - self.x[0])
    }

    fn y_at(&self, x: f64) -> f64 {
        self.y[0] + self.slope() * (x - self.x[0])
    }

    /// The height of the feet of a body at `x` that touches the ground; `None` beside it.
    pub(super) fn top(&self, x: f64, body: &Body) -> Option<f64> {
        let half = body.half_width;
        if x + half <= self.x[0] || x - half >= self.x[1] {
            return None;
        }
        let slope = self.slope();
        if !body.is_round {
            let corner = if slope <= 0.0 { x + half } else { x - half };
            return Some(self.y_at(corner.clamp(self.x[0], self.x[1])));
        }
        // The touching point of the arc lies where the arc is as steep as the ground, or at an end of it.
        let touch = (x - half * slope / slope.hypot(1.0)).clamp(self.x[0], self.x[1]);
        Some(self.y_at(touch) + half - (half * half - (touch - x) * (touch - x)).max(0.0).sqrt())
    }

    /// The interval of x at which a body with feet at `y` is in the ground.
    pub(super) fn cut(&self, y: f64, body: &Body) -> Option<(f64, f64)> {
        let (half, slope) = (body.half_width, self.slope());
        let [left, right] = self.x;
        if y <= self.y[0].min(self.y[1]) + EDGE {
            return None;
        }
        if !body.is_round {
            let at = if slope == 0.0 { left } else { left + (y - self.y[0]) / slope };
            return Some(if slope <= 0.0 {
                (at.clamp(left, right) - half, right + half)
            } else {
                (left - half, at.clamp(left, right) + half)
            });
        }
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for (x, top) in [(left, self.y[0]), (right, self.y[1])] {
            let deep = (y - top).min(half);
            if deep > 0.0 {
                let reach = (half * half - (half - deep) * (half - deep)).sqrt();
                (low, high) = (low.min(x - reach), high.max(x + reach));
            }
        }
        if slope != 0.0 {
            let x = left + (y + half * (slope.hypot(1.0) - 1.0) - self.y[0]) / slope;
            let touch = x - half * slope / slope.hypot(1.0);
            if touch >= left && touch <= right {
                (low, high) = (low.min(x), high.max(x));
            }
        }
        Some((low, high))
    }
}
