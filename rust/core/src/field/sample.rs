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

use super::FlowField;
use super::direct::{FLAG_OPEN, FLAG_SIGHT, GOAL, NO_WAY, STATE};
use crate::bitgrid::PaddedIndex;
use crate::geometry::Direction;

const HALF_SQRT: f32 = std::f32::consts::FRAC_1_SQRT_2;
/// Unit vectors by direction; zero for goals and cells without a way.
const UNITS: [[f32; 2]; 16] = units();
/// How near to an edge or a corner counts as being there, in cells.
const NEAR: f32 = 1.0 / 1024.0;

const fn units() -> [[f32; 2]; 16] {
    let mut units = [[0.0; 2]; 16];
    let mut n = 0;
    while n < 8 {
        let direction = Direction::ALL[n];
        let length = if direction.is_diagonal() { HALF_SQRT } else { 1.0 };
        units[n] = [direction.dx() as f32 * length, direction.dy() as f32 * length];
        n += 1;
    }
    units
}

/// A place and its nearest stand.
#[derive(Clone, Copy)]
struct Spot {
    /// Padded index of the stand.
    at: usize,
    /// From the stand to the place.
    dx: f32,
    dy: f32,
    way: u8,
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
        let inside = x >= -1.0 && y >= -1.0 && x < shape.width() as f32 && y < shape.height() as f32;
        // Not a number is not inside.
        if !inside {
            return (0.0, 0.0);
        }
        let stride = shape.stride();
        // From the border's corner on, so that truncation rounds down.
        let (px, py) = ((x + 1.0) as usize, (y + 1.0) as usize);
        let (tx, ty) = (x + 1.0 - px as f32, y + 1.0 - py as f32);
        let at = py * stride + px;
        let upper: [u8; 2] = [self.ways[at], self.ways[at + 1]];
        let lower: [u8; 2] = [self.ways[at + stride], self.ways[at + stride + 1]];
        let (right, down) = (usize::from(tx >= 0.5), usize::from(ty >= 0.5));
        let way = if down == 1 { lower[right] } else { upper[right] };
        let spot = Spot { at: at + down * stride + right, dx: tx - right as f32, dy: ty - down as f32, way };
        if way & (FLAG_SIGHT | GOAL) != 0 {
            return self.sample_special(spot, [upper, lower], tx, ty);
        }
        let unit = |way: u8| UNITS[usize::from(way & STATE)];
        let [[a, b], [c, d]] = [upper.map(unit), lower.map(unit)];
        let blend = |n: usize| {
            let (upper, lower) = (a[n] * (1.0 - tx) + b[n] * tx, c[n] * (1.0 - tx) + d[n] * tx);
            upper * (1.0 - ty) + lower * ty
        };
        self.checked(spot, blend(0), blend(1))
    }

    /// Samples many places at once: `directions[n]` becomes the direction at `places[n]`; what has no partner is left out.
    ///
    /// Takes some nanoseconds for each.
    pub fn sample_batch(&self, places: &[[f32; 2]], directions: &mut [[f32; 2]]) {
        for (place, direction) in places.iter().zip(directions) {
            let (x, y) = self.sample(place[0], place[1]);
            *direction = [x, y];
        }
    }

    /// Where a goal is seen, on a goal, and off all stands that can be reached.
    #[cold]
    #[inline(never)]
    fn sample_special(&self, spot: Spot, around: [[u8; 2]; 2], tx: f32, ty: f32) -> (f32, f32) {
        match spot.way & STATE {
            NO_WAY => to_stand(around, tx, ty),
            GOAL => (0.0, 0.0),
            _ => {
                let goal = self.integration.goals[usize::from(self.sight[spot.at]) - 1] as usize;
                let shape = self.integration.shape;
                let (from, to) = (shape.xy(PaddedIndex::new(spot.at)), shape.xy(PaddedIndex::new(goal)));
                let (x, y) = (f64::from(to.0) - f64::from(from.0), f64::from(to.1) - f64::from(from.1));
                self.checked(spot, x as f32 - spot.dx, y as f32 - spot.dy)
            }
        }
    }

    /// The unit vector along (`x`, `y`) when one cell that way stays on stands, else the one to the next cell's middle.
    #[inline]
    fn checked(&self, spot: Spot, x: f32, y: f32) -> (f32, f32) {
        let squared = x * x + y * y;
        if squared > NEAR {
            let scale = 1.0 / squared.sqrt();
            let (x, y) = (x * scale, y * scale);
            if spot.way & FLAG_OPEN != 0 || self.stays_on_stands(spot, x, y) {
                return (x, y);
            }
        }
        to_next(spot)
    }

    /// Whether every place up to one cell from `spot` along the unit vector has a nearest stand that can be reached.
    fn stays_on_stands(&self, spot: Spot, x: f32, y: f32) -> bool {
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
        match (crossing(spot.dx, x, 1), crossing(spot.dy, y, stride)) {
            (None, None) => true,
            (Some((step, _)), None) | (None, Some((step, _))) => is_open(spot.at.wrapping_add(step)),
            (Some((across, first)), Some((along, second))) => {
                let (beside, below) = (spot.at.wrapping_add(across), spot.at.wrapping_add(along));
                is_open(beside.wrapping_add(along))
                    && (is_open(beside) || first > second + NEAR)
                    && (is_open(below) || second > first + NEAR)
            }
        }
    }
}

/// The direction to the middle of the next cell.
fn to_next(spot: Spot) -> (f32, f32) {
    match Direction::ALL.get(usize::from(spot.way & STATE)) {
        Some(direction) => normalised(direction.dx() as f32 - spot.dx, direction.dy() as f32 - spot.dy),
        None => (0.0, 0.0),
    }
}

/// The direction to the nearest of the four stands around, the first in reading order of several.
fn to_stand(around: [[u8; 2]; 2], tx: f32, ty: f32) -> (f32, f32) {
    let mut nearest = (f32::INFINITY, 0.0, 0.0);
    for (row, ways) in around.into_iter().enumerate() {
        for (column, way) in ways.into_iter().enumerate() {
            let (dx, dy) = (column as f32 - tx, row as f32 - ty);
            let squared = dx * dx + dy * dy;
            if way & STATE != NO_WAY && squared < nearest.0 {
                nearest = (squared, dx, dy);
            }
        }
    }
    if nearest.0.is_finite() { normalised(nearest.1, nearest.2) } else { (0.0, 0.0) }
}

fn normalised(x: f32, y: f32) -> (f32, f32) {
    let length = (x * x + y * y).sqrt();
    if length > 0.0 { (x / length, y / length) } else { (0.0, 0.0) }
}
