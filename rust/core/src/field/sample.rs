//! Smooth directions between stands.
//!
//! A place is where a body's top-left corner is, in cells from the region's corner, so that a body at (3.0, 5.0) stands on
//! the cell (3, 5). The *nearest stand* of a place is the cell at its coordinates rounded, halves upwards: for a body of one
//! cell, the cell that its centre lies in.
//!
//! What [`FlowField::sample`] promises: from a place whose nearest stand is s, every place up to one cell on in the
//! direction has a nearest stand that can be reached, or that a diagonal step from s passes where the diagonal mode lets it
//! cut that corner. So nobody who looks again at least once a cell is led into a wall.
//!
//! The direction is the sum of the directions of the four stands around, weighted by how near each is; those that cannot be
//! stood on count zero. Where that would lead astray, because the ways part around a wall, it is the direction to the
//! middle of the next cell: since that is half a cell away or more, one cell on is at most half a cell beyond it.

use wide::f32x4;

use super::FlowField;
use super::direct::{FLAG_OPEN, FLAG_SIGHT, GOAL, NO_WAY, STATE};
use crate::geometry::Direction;

/// By the states of two cells side by side, the left one's in the lower four bits: their unit vectors, zero for goals and
/// cells without a way.
const PAIRS: [[f32; 4]; 256] = pairs();
/// How near to an edge or a corner counts as being there, in cells.
const NEAR: f32 = 1.0 / 1024.0;

const fn pairs() -> [[f32; 4]; 256] {
    let mut pairs = [[0.0; 4]; 256];
    let mut n = 0;
    while n < 256 {
        let (left, right) = (unit(n & 15), unit(n >> 4));
        pairs[n] = [left[0], left[1], right[0], right[1]];
        n += 1;
    }
    pairs
}

const fn unit(state: usize) -> [f32; 2] {
    if state >= 8 {
        return [0.0; 2];
    }
    let direction = Direction::ALL[state];
    let length = if direction.is_diagonal() { std::f32::consts::FRAC_1_SQRT_2 } else { 1.0 };
    [direction.dx() as f32 * length, direction.dy() as f32 * length]
}

/// Places that are looked at together.
const GROUP: usize = 32;
/// Added to a float below 2²², it leaves the nearest whole number in the lowest bits, and taken away again, that number.
const WHOLE: f32 = 8_388_608.0;

/// A coordinate counted from the border's cell, as a whole cell and a fraction.
#[derive(Clone, Copy, Default)]
struct Along {
    whole: u32,
    part: f32,
}

impl Along {
    /// Takes a coordinate of at least −1 apart, rounding down, without a branch and without a cast, which would check for
    /// what is not a number.
    #[inline]
    fn new(coordinate: f32) -> Self {
        let from_border = coordinate + 1.0;
        let nearest = from_border + WHOLE - WHOLE;
        let down = if nearest > from_border { nearest - 1.0 } else { nearest };
        Self { whole: (down + WHOLE).to_bits() & 0x7f_ffff, part: from_border - down }
    }

    /// Whether the next whole cell is at least as near.
    #[inline]
    fn is_nearer_to_next(self) -> bool {
        self.part >= 0.5
    }

    /// How far it is past the nearest cell.
    #[inline]
    fn past_nearest(self) -> f32 {
        if self.is_nearer_to_next() { self.part - 1.0 } else { self.part }
    }
}

/// What lies around each of [`GROUP`] places along one axis, an array each, so that several are worked on in a register: the
/// first of the two cells around, how far the place is past it, and whether the second is at least as near.
struct Axis {
    whole: [u32; GROUP],
    part: [f32; GROUP],
    is_nearer_to_next: [u32; GROUP],
    is_inside: [u32; GROUP],
}

impl Axis {
    /// Takes coordinates apart as [`Along::new`], those from −1 to `last`; others are not inside.
    #[allow(clippy::inline_always, reason = "field bench: a call keeps what it makes out of registers")]
    #[inline(always)]
    fn new(coordinates: &[f32; GROUP], last: f32) -> Self {
        let (mut whole, mut part) = ([0; GROUP], [0.0; GROUP]);
        let (mut is_nearer_to_next, mut is_inside) = ([0; GROUP], [0; GROUP]);
        for n in 0..GROUP {
            let coordinate = coordinates[n];
            is_inside[n] = u32::from((coordinate >= -1.0) & (coordinate <= last));
            // What is not a number becomes −1.
            let above = if coordinate > -1.0 { coordinate } else { -1.0 };
            let along = Along::new(if above < last { above } else { last });
            whole[n] = along.whole;
            part[n] = along.part;
            is_nearer_to_next[n] = u32::from(along.is_nearer_to_next());
        }
        Self { whole, part, is_nearer_to_next, is_inside }
    }

    fn along(&self, n: usize) -> Along {
        Along { whole: self.whole[n], part: self.part[n] }
    }
}

/// The nearest stand of a place, and where to go from it when nothing stands against it.
#[derive(Clone, Copy, Default)]
struct Look {
    /// Padded index of the stand.
    at: usize,
    way: u8,
    /// Towards the goal that is seen, or the blend, and the square of its length.
    x: f32,
    y: f32,
    squared: f32,
}

impl FlowField {
    /// The direction to walk in from the place (`x`, `y`), in cells from the region's corner to the body's top-left corner:
    /// a unit vector, or (0, 0) on a goal's cell, outside the region and where no goal can be reached.
    ///
    /// Straight at the goal where it is seen; else blended between the four stands around, and never into a wall within one
    /// cell, as the source text of this module says precisely. A body that was pushed off its stands is led to the nearest.
    /// Takes constant time.
    #[inline]
    pub fn sample(&self, x: f32, y: f32) -> (f32, f32) {
        let shape = self.integration.shape;
        // Not a number is nowhere.
        if !(x >= -1.0 && y >= -1.0 && x < shape.width() as f32 && y < shape.height() as f32) {
            return (0.0, 0.0);
        }
        let (across, down) = (Along::new(x), Along::new(y));
        let look = self.look(across, down, [x, y]);
        let scale = scale_of(look.squared);
        let unit = (look.x * scale, look.y * scale);
        if look.is_easy() { unit } else { self.judge(&look, across, down, unit) }
    }

    /// Samples many places at once: `directions[n]` becomes the direction at `places[n]`; what has no partner is left out.
    ///
    /// Takes some nanoseconds for each.
    pub fn sample_batch(&self, places: &[[f32; 2]], directions: &mut [[f32; 2]]) {
        for (places, directions) in places.chunks(GROUP).zip(directions.chunks_mut(GROUP)) {
            self.sample_group(places, directions);
        }
    }

    /// Samples up to [`GROUP`] places: all coordinates are taken apart, several in a register, then all stands looked at,
    /// then all lengths measured, several in a register again; then those that need it are judged.
    fn sample_group(&self, places: &[[f32; 2]], directions: &mut [[f32; 2]]) {
        let shape = self.integration.shape;
        let (right, bottom) = (shape.width() as f32 - 0.5, shape.height() as f32 - 0.5);
        if right < 0.0 || bottom < 0.0 {
            directions.iter_mut().take(places.len()).for_each(|direction| *direction = [0.0; 2]);
            return;
        }
        let stride = shape.stride();
        let (mut xs, mut ys) = ([0.0; GROUP], [0.0; GROUP]);
        for ((&[x, y], to_x), to_y) in places.iter().zip(&mut xs).zip(&mut ys) {
            (*to_x, *to_y) = (x, y);
        }
        let (across, down) = (Axis::new(&xs, right), Axis::new(&ys, bottom));
        let (mut blend_x, mut blend_y) = ([0.0_f32; GROUP], [0.0_f32; GROUP]);
        let mut nearest = [0_u32; GROUP];
        for n in 0..GROUP {
            let corner = down.whole[n] as usize * stride + across.whole[n] as usize;
            let (upper, lower) = (self.pair(corner), self.pair(corner + stride));
            [blend_x[n], blend_y[n]] = blended(upper, lower, [across.part[n], down.part[n]]);
            let turn = (across.is_nearer_to_next[n] + down.is_nearer_to_next[n] * 2) * 8;
            nearest[n] = (u32::from(upper) | u32::from(lower) << 16) >> turn;
        }
        let mut is_plain = [0_u32; GROUP];
        for n in 0..GROUP {
            let squared = blend_x[n] * blend_x[n] + blend_y[n] * blend_y[n];
            // All moves are legal, no goal is seen, it is none, and the ways do not part.
            let way = nearest[n] & u32::from(FLAG_OPEN | FLAG_SIGHT | GOAL);
            let is_open = u32::from(way == u32::from(FLAG_OPEN));
            is_plain[n] = is_open & u32::from(squared > NEAR) & across.is_inside[n] & down.is_inside[n];
            let scale = scale_of(squared);
            (xs[n], ys[n]) = (blend_x[n] * scale, blend_y[n] * scale);
        }
        let mut hard = [0_u8; GROUP];
        let mut hard_count = 0;
        for (n, (direction, &is_plain)) in directions.iter_mut().zip(&is_plain).enumerate().take(places.len())
        {
            *direction = [xs[n], ys[n]];
            hard[hard_count & (GROUP - 1)] = n as u8;
            hard_count += usize::from(is_plain == 0);
        }
        // Beside a wall, most ways lead past it: of those, only the others are judged.
        let count = hard_count.min(GROUP);
        hard_count = 0;
        for place in 0..count {
            let n = usize::from(hard[place]) & (GROUP - 1);
            let column = across.whole[n] + across.is_nearer_to_next[n];
            let row = down.whole[n] + down.is_nearer_to_next[n];
            let at = row as usize * stride + column as usize;
            let (x, y) = (blend_x[n], blend_y[n]);
            let is_led = (nearest[n] & u32::from(FLAG_SIGHT | GOAL) == 0) & (x * x + y * y > NEAR);
            let is_inside = across.is_inside[n] & down.is_inside[n] != 0;
            hard[hard_count & (GROUP - 1)] = n as u8;
            hard_count += usize::from(!(is_led & is_inside & self.is_clear(at, (x, y))));
        }
        for &n in &hard[..hard_count.min(GROUP)] {
            let n = usize::from(n) & (GROUP - 1);
            let (Some(&[x, y]), Some(direction)) = (places.get(n), directions.get_mut(n)) else { continue };
            let (across_x, down_y) = (across.along(n), down.along(n));
            let row = down_y.whole + down.is_nearer_to_next[n];
            let at = row as usize * stride + (across_x.whole + across.is_nearer_to_next[n]) as usize;
            let way = nearest[n] as u8;
            let is_inside = across.is_inside[n] & down.is_inside[n] != 0;
            let unit = if is_inside & (way & FLAG_SIGHT == 0) {
                let squared = blend_x[n] * blend_x[n] + blend_y[n] * blend_y[n];
                let look = Look { at, way, x: blend_x[n], y: blend_y[n], squared };
                self.judge(&look, across_x, down_y, (direction[0], direction[1]))
            } else {
                self.sample(x, y)
            };
            *direction = unit.into();
        }
    }

    /// The ways of a cell and of the one to its right, which is in the upper byte.
    #[inline]
    fn pair(&self, at: usize) -> u16 {
        self.ways[at..].first_chunk().map_or(0, |&ways| u16::from_le_bytes(ways))
    }

    /// Looks at the four stands around a place. Nothing here is a branch that depends on where in its cell a place is, as
    /// it would be guessed wrong half of the time.
    #[allow(clippy::inline_always, reason = "field bench: a call costs a quarter of a sample")]
    #[inline(always)]
    fn look(&self, across: Along, down: Along, [x, y]: [f32; 2]) -> Look {
        let stride = self.integration.shape.stride();
        let corner = down.whole as usize * stride + across.whole as usize;
        let below = usize::from(down.is_nearer_to_next()) * stride;
        let at = corner + below + usize::from(across.is_nearer_to_next());
        let way = self.ways[at];
        let (mut look_x, mut look_y);
        if way & FLAG_SIGHT == 0 {
            let (upper, lower) = (self.pair(corner), self.pair(corner + stride));
            [look_x, look_y] = blended(upper, lower, [across.part, down.part]);
        } else {
            [look_x, look_y] = self.seen_goals[usize::from(self.sight[at]) - 1];
            (look_x, look_y) = (look_x - x, look_y - y);
        }
        Look { at, way, x: look_x, y: look_y, squared: look_x * look_x + look_y * look_y }
    }

    /// The direction where the look may not be the answer; `unit` is the look's.
    #[inline(never)]
    fn judge(&self, look: &Look, across: Along, down: Along, unit: (f32, f32)) -> (f32, f32) {
        match look.way & STATE {
            NO_WAY => self.to_stand(across, down),
            GOAL => (0.0, 0.0),
            state => {
                let home = (across.past_nearest(), down.past_nearest());
                if look.squared > NEAR && self.stays_on_stands(look.at, home, unit) {
                    return unit;
                }
                // To the middle of the next cell.
                let direction = Direction::ALL[usize::from(state & 7)];
                normalised(direction.dx() as f32 - home.0, direction.dy() as f32 - home.1)
            }
        }
    }

    /// The direction to the nearest of the four stands around, the first in reading order of several.
    fn to_stand(&self, across: Along, down: Along) -> (f32, f32) {
        let stride = self.integration.shape.stride();
        let corner = down.whole as usize * stride + across.whole as usize;
        let mut nearest = (f32::INFINITY, 0.0, 0.0);
        for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let (dx, dy) = (column as f32 - across.part, row as f32 - down.part);
            let squared = dx * dx + dy * dy;
            let way = self.ways[corner + row * stride + column];
            if way & STATE != NO_WAY && squared < nearest.0 {
                nearest = (squared, dx, dy);
            }
        }
        normalised(nearest.1, nearest.2)
    }

    /// Whether every place up to one cell along the unit vector (`x`, `y`) has a nearest stand that can be reached, from a
    /// place that lies (`dx`, `dy`) from its nearest stand `home`.
    #[inline]
    fn stays_on_stands(&self, home: usize, (dx, dy): (f32, f32), (x, y): (f32, f32)) -> bool {
        self.is_clear(home, (x, y)) || self.stays_exactly(home, (dx, dy), (x, y))
    }

    /// Whether all cells can be stood on that can be entered within one cell from anywhere in `home` along (`x`, `y`).
    #[inline]
    fn is_clear(&self, home: usize, (x, y): (f32, f32)) -> bool {
        let stride = self.integration.shape.stride();
        let is_open = |at: usize| self.ways.get(at).is_some_and(|way| way & STATE != NO_WAY);
        let beside = if x < 0.0 { home.wrapping_sub(1) } else { home + 1 };
        let below = if y < 0.0 { home.wrapping_sub(stride) } else { home + stride };
        let between = beside.wrapping_add(below).wrapping_sub(home);
        is_open(beside) & is_open(below) & is_open(between)
    }

    /// The same, cell by cell.
    fn stays_exactly(&self, home: usize, (dx, dy): (f32, f32), (x, y): (f32, f32)) -> bool {
        let stride = self.integration.shape.stride();
        let is_open = |at: usize| self.ways[at] & STATE != NO_WAY;
        // The step along one axis, if there is one, and when it is made.
        let crossing = |from: f32, by: f32, step: usize| {
            let edge = 0.5 - NEAR;
            if from + by >= edge && by > 0.0 {
                Some((step, (0.5 - from) / by))
            } else if from + by < -edge && by < 0.0 {
                Some((0_usize.wrapping_sub(step), (-0.5 - from) / by))
            } else {
                None
            }
        };
        match (crossing(dx, x, 1), crossing(dy, y, stride)) {
            (None, None) => true,
            (Some((step, _)), None) | (None, Some((step, _))) => is_open(home.wrapping_add(step)),
            (Some((across, first)), Some((along, second))) => {
                let (beside, below) = (home.wrapping_add(across), home.wrapping_add(along));
                is_open(beside.wrapping_add(along))
                    && (is_open(beside) || first > second + NEAR)
                    && (is_open(below) || second > first + NEAR)
            }
        }
    }
}

impl Look {
    /// Whether it is the answer: it is not all but zero, nothing is blocked around the stand, and that is no goal.
    #[inline]
    fn is_easy(&self) -> bool {
        (self.way & (FLAG_OPEN | GOAL) == FLAG_OPEN) & (self.squared > NEAR)
    }
}

/// The sum of the unit vectors of four stands, by the ways of the upper two and of the lower two, weighted by how near each
/// is to a place that lies `part` from the first.
#[inline]
fn blended(upper: u16, lower: u16, [tx, ty]: [f32; 2]) -> [f32; 2] {
    let units = |pair: u16| f32x4::new(PAIRS[usize::from(pair & 0x0f | pair >> 4 & 0xf0)]);
    let column = units(upper) * f32x4::splat(1.0 - ty) + units(lower) * f32x4::splat(ty);
    let [left_x, left_y, right_x, right_y] = (column * f32x4::new([1.0 - tx, 1.0 - tx, tx, tx])).to_array();
    [left_x + right_x, left_y + right_y]
}

/// What makes a unit vector of one with this squared length, when that is not all but zero.
#[inline]
fn scale_of(squared: f32) -> f32 {
    1.0 / squared.max(NEAR).sqrt()
}

fn normalised(x: f32, y: f32) -> (f32, f32) {
    let length = (x * x + y * y).sqrt();
    if length > 0.0 { (x / length, y / length) } else { (0.0, 0.0) }
}
