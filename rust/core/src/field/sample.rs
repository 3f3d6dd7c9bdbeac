//! Smooth directions between cells: bilinear sampling that never leads into a wall.
//!
//! A position is that of a body's top-left corner, in cells from the region's corner. Its *nearest placement*
//! is the cell at its coordinates rounded, halves up; for a body of one cell, that is the cell that its
//! centre lies in.
//!
//! Invariant of [`FlowField::sample`]: let p be the nearest placement of a position. Every position up to one
//! cell ahead in the direction has a nearest placement that is reached, or that a diagonal step from p may
//! cut past. So a body that samples at least once a cell is never led into a wall.
//!
//! The direction is the sum of the directions of the four cells around, weighted bilinearly. If that would
//! break the invariant, it is the direction to the middle of the next cell.

use wide::f32x4;

use super::flow::{FLAG_EDGE, FLAG_OPEN, FLAG_SIGHT, FlowField, GOAL, LINK, NO_DIRECTION, STATE};
use crate::geometry::Direction;

/// By the states of two cells side by side, the left one's in the lower four bits: their unit vectors, zero
/// for goals and cells that are not reached.
const PAIRS: [[f32; 4]; 256] = pairs();
/// Two limits of one size. A distance to an edge or a corner of at most this counts as none, in cells. A
/// blend of at most this squared length is the rounding error of opposite directions, so its direction means
/// nothing.
const EPSILON: f32 = 1.0 / 1024.0;

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

/// Positions that are sampled together: several vectors of each part, so that the loops over them are
/// unrolled. The arrays of a group, a kilobyte, stay in the nearest cache; twice as many still would. Not
/// tuned. A group's positions are bits of a word.
const GROUP: usize = u32::BITS as usize;
/// 2²³: a float of this size has no fraction bits. Added to a float below 2²², it rounds that to the nearest
/// whole number and leaves the number in the lowest mantissa bits; subtracted again, it leaves the rounded
/// float.
const ROUNDER: f32 = 8_388_608.0;

/// A coordinate counted from the border cell (index 0 of a padded row), as a whole cell and a fraction.
#[derive(Clone, Copy, Default)]
struct Coordinate {
    whole: u32,
    fraction: f32,
}

impl Coordinate {
    /// Splits a coordinate of at least −1, rounding down. Without a branch, and without a cast, whose checks
    /// for NaN and overflow prevent vector code.
    #[inline]
    fn new(coordinate: f32) -> Self {
        let from_border = coordinate + 1.0;
        let nearest = from_border + ROUNDER - ROUNDER;
        let floor = if nearest > from_border { nearest - 1.0 } else { nearest };
        Self { whole: (floor + ROUNDER).to_bits() & 0x7f_ffff, fraction: from_border - floor }
    }

    /// Returns whether the next whole cell is at least as near.
    #[inline]
    fn is_nearer_to_next(self) -> bool {
        self.fraction >= 0.5
    }

    /// The distance past the nearest cell, −0.5 to 0.5.
    #[inline]
    fn past_nearest(self) -> f32 {
        if self.is_nearer_to_next() { self.fraction - 1.0 } else { self.fraction }
    }
}

/// The coordinates of [`GROUP`] positions along one axis, an array for each part, so that vector code handles
/// several at once.
struct CoordinateGroup {
    whole: [u32; GROUP],
    fraction: [f32; GROUP],
    is_nearer_to_next: [u32; GROUP],
    is_inside: [u32; GROUP],
}

impl CoordinateGroup {
    /// Splits coordinates as [`Coordinate::new`]. Those outside of −1 to `last` are clamped and marked.
    #[allow(clippy::inline_always, reason = "field bench: a call keeps the arrays out of registers")]
    #[inline(always)]
    fn new(coordinates: &[f32; GROUP], last: f32) -> Self {
        let (mut whole, mut fraction) = ([0; GROUP], [0.0; GROUP]);
        let (mut is_nearer_to_next, mut is_inside) = ([0; GROUP], [0; GROUP]);
        for n in 0..GROUP {
            let coordinate = coordinates[n];
            is_inside[n] = u32::from((coordinate >= -1.0) & (coordinate <= last));
            // In this order of comparison NaN becomes −1.
            let above = if coordinate > -1.0 { coordinate } else { -1.0 };
            let split = Coordinate::new(if above < last { above } else { last });
            whole[n] = split.whole;
            fraction[n] = split.fraction;
            is_nearer_to_next[n] = u32::from(split.is_nearer_to_next());
        }
        Self { whole, fraction, is_nearer_to_next, is_inside }
    }

    fn get(&self, n: usize) -> Coordinate {
        Coordinate { whole: self.whole[n], fraction: self.fraction[n] }
    }

    /// The padded column or row of the nearest placement.
    fn nearest(&self, n: usize) -> usize {
        (self.whole[n] + self.is_nearer_to_next[n]) as usize
    }
}

/// The nearest placement of a position, and the direction from there before walls are considered.
#[derive(Clone, Copy, Default)]
struct Blend {
    /// Padded index of the nearest placement.
    at: usize,
    /// Its flow byte.
    flow: u8,
    /// The vector to the goal in sight, or the weighted sum of directions, and its squared length.
    x: f32,
    y: f32,
    squared: f32,
}

/// The blends of [`GROUP`] positions, an array for each part. By reference, as copying the arrays takes
/// longer than what is done with them.
struct BlendGroup<'a> {
    across: &'a CoordinateGroup,
    down: &'a CoordinateGroup,
    /// The flow byte of the nearest placement in the lowest bits.
    flow: &'a [u32; GROUP],
    blends: &'a [[f32; 2]; GROUP],
}

impl BlendGroup<'_> {
    fn is_inside(&self, n: usize) -> bool {
        self.across.is_inside[n] & self.down.is_inside[n] != 0
    }

    fn get(&self, n: usize, stride: usize) -> Blend {
        let [x, y] = self.blends[n];
        let at = self.down.nearest(n) * stride + self.across.nearest(n);
        Blend { at, flow: self.flow[n] as u8, x, y, squared: x * x + y * y }
    }
}

impl FlowField {
    /// Returns the direction to walk in from a position, in cells from the region's corner to the body's
    /// top-left corner. It is a unit vector, or `[0, 0]` on a goal's cell, at cells that are not reached and
    /// outside the region.
    ///
    /// Straight to a goal in sight; else blended from the directions of the four cells around. Never leads
    /// into a wall within one cell. A body that was pushed off its valid placements is led to the nearest
    /// one. Takes constant time.
    #[inline]
    pub fn sample(&self, [x, y]: [f32; 2]) -> [f32; 2] {
        let layout = self.integration.layout;
        // Written so that NaN is outside.
        if !(x >= -1.0 && y >= -1.0 && x < layout.width() as f32 && y < layout.height() as f32) {
            return [0.0; 2];
        }
        let (across, down) = (Coordinate::new(x), Coordinate::new(y));
        let blend = self.blend(across, down, [x, y]);
        let scale = scale_of(blend.squared);
        let unit = (blend.x * scale, blend.y * scale);
        if blend.is_final() { unit.into() } else { self.corrected(&blend, across, down, unit).into() }
    }

    /// Samples many positions at once: `directions[n]` becomes the direction at `positions[n]`, up to the
    /// length of the shorter slice.
    ///
    /// Takes some nanoseconds for each.
    pub fn sample_batch(&self, positions: &[[f32; 2]], directions: &mut [[f32; 2]]) {
        let count = positions.len().min(directions.len());
        let groups = positions[..count].chunks(GROUP).zip(directions[..count].chunks_mut(GROUP));
        for (positions, directions) in groups {
            self.sample_group(positions, directions);
        }
    }

    /// Samples up to [`GROUP`] positions, as many as directions. It splits coordinates, blends and normalises
    /// in passes, so that all but the memory accesses is vector code. Then it corrects the few that need it.
    fn sample_group(&self, positions: &[[f32; 2]], directions: &mut [[f32; 2]]) {
        let layout = self.integration.layout;
        let (right, bottom) = (layout.width() as f32 - 0.5, layout.height() as f32 - 0.5);
        if right < 0.0 || bottom < 0.0 {
            directions.iter_mut().take(positions.len()).for_each(|direction| *direction = [0.0; 2]);
            return;
        }
        // A whole group is read and written as arrays, in vector code.
        let mut padded = [[0.0; 2]; GROUP];
        let all = positions.first_chunk().unwrap_or_else(|| {
            padded[..positions.len()].copy_from_slice(positions);
            &padded
        });
        let (mut xs, mut ys) = ([0.0; GROUP], [0.0; GROUP]);
        for n in 0..GROUP {
            [xs[n], ys[n]] = all[n];
        }
        let stride = layout.stride();
        let (across, down) = (CoordinateGroup::new(&xs, right), CoordinateGroup::new(&ys, bottom));
        let (mut blends, mut nearest) = ([[0.0_f32; 2]; GROUP], [0_u32; GROUP]);
        let (mut corners, mut shifts) = ([0_u32; GROUP], [0_u32; GROUP]);
        for n in 0..GROUP {
            corners[n] = down.whole[n] * stride as u32 + across.whole[n];
            shifts[n] = (across.is_nearer_to_next[n] + down.is_nearer_to_next[n] * 2) * 8;
        }
        for n in 0..GROUP {
            let quad = self.quad(corners[n] as usize);
            blends[n] = blended(quad, [across.fraction[n], down.fraction[n]]);
            // Picks the byte of the nearest placement out of the four.
            nearest[n] = quad >> shifts[n];
        }
        // Positions whose blend is not final are bits of `hard`.
        let (mut hard, mut units) = (0_u32, [[0.0; 2]; GROUP]);
        for n in 0..GROUP {
            let [x, y] = blends[n];
            let squared = x * x + y * y;
            // As `Blend::is_final`, but a goal in sight is not in the blend yet.
            let flow = nearest[n] & u32::from(FLAG_OPEN | FLAG_SIGHT | GOAL);
            let is_open = u32::from(flow == u32::from(FLAG_OPEN));
            let is_final = is_open & u32::from(squared > EPSILON) & across.is_inside[n] & down.is_inside[n];
            hard |= is_final.wrapping_sub(1) & 1 << n;
            let scale = scale_of(squared);
            units[n] = [x * scale, y * scale];
        }
        if let Some(all) = directions.first_chunk_mut() {
            *all = units;
        } else {
            let count = directions.len();
            directions.copy_from_slice(&units[..count]);
            hard &= (1 << count) - 1;
        }
        let group = BlendGroup { across: &across, down: &down, flow: &nearest, blends: &blends };
        self.correct_group(&group, positions, directions, hard);
    }

    /// Corrects the directions of those positions of a group whose bits are set in `hard`.
    #[allow(clippy::inline_always, reason = "field bench: a call keeps the arrays out of registers")]
    #[inline(always)]
    fn correct_group(
        &self,
        group: &BlendGroup<'_>,
        positions: &[[f32; 2]],
        directions: &mut [[f32; 2]],
        mut hard: u32,
    ) {
        let stride = self.integration.layout.stride();
        // Beside a wall, most directions lead past it. Those are sorted out first, again without a branch.
        let mut harder = 0_u32;
        while hard != 0 {
            let n = hard.trailing_zeros() as usize;
            hard &= hard - 1;
            let blend = group.get(n, stride);
            let has_blend = (blend.flow & (FLAG_EDGE | FLAG_SIGHT | GOAL) == 0) & (blend.squared > EPSILON);
            let is_clear = has_blend & group.is_inside(n) & self.is_clear(blend.at, (blend.x, blend.y));
            harder |= u32::from(!is_clear) << n;
        }
        while harder != 0 {
            let n = harder.trailing_zeros() as usize;
            harder &= harder - 1;
            let (Some(&position), Some(direction)) = (positions.get(n), directions.get_mut(n)) else {
                continue;
            };
            let blend = group.get(n, stride);
            *direction = if group.is_inside(n) & (blend.flow & FLAG_SIGHT == 0) {
                let (across, down) = (group.across.get(n), group.down.get(n));
                self.corrected(&blend, across, down, (direction[0], direction[1])).into()
            } else {
                self.sample(position)
            };
        }
    }

    /// The flow bytes of a cell and of its right neighbour, and of the two below them, from the lowest bits
    /// up.
    #[inline]
    fn quad(&self, at: usize) -> u32 {
        let stride = self.integration.layout.stride();
        // One window, so that one check is for both rows.
        let Some(rows) = self.flow.get(at..at + stride + 2) else { return 0 };
        let (upper, lower) = rows.split_at(stride);
        let pair = |row: &[u8]| row.first_chunk().map_or(0, |&pair| u32::from(u16::from_le_bytes(pair)));
        pair(upper) | pair(lower) << 16
    }

    /// Blends the flow around a position. Without a branch that depends on where in its cell the position is,
    /// as that would be mispredicted half of the time.
    #[allow(clippy::inline_always, reason = "field bench: a call takes a quarter of a sample")]
    #[inline(always)]
    fn blend(&self, across: Coordinate, down: Coordinate, [x, y]: [f32; 2]) -> Blend {
        let stride = self.integration.layout.stride();
        let corner = down.whole as usize * stride + across.whole as usize;
        let below = usize::from(down.is_nearer_to_next()) * stride;
        let at = corner + below + usize::from(across.is_nearer_to_next());
        let flow = self.flow[at];
        let [x, y] = if flow & FLAG_SIGHT == 0 {
            blended(self.quad(corner), [across.fraction, down.fraction])
        } else {
            let [goal_x, goal_y] = self.sight_goals[usize::from(self.sight[at]) - 1];
            [goal_x - x, goal_y - y]
        };
        Blend { at, flow, x, y, squared: x * x + y * y }
    }

    /// Returns the direction where the blend may break the invariant; `unit` is the unit vector of the blend.
    // Not inlined: most samples do not need it, and its code would spill their registers.
    #[inline(never)]
    fn corrected(&self, blend: &Blend, across: Coordinate, down: Coordinate, unit: (f32, f32)) -> (f32, f32) {
        match blend.flow & STATE {
            NO_DIRECTION => self.to_placement(across, down),
            // A body takes a link where it is.
            GOAL | LINK => (0.0, 0.0),
            state => {
                let past = (across.past_nearest(), down.past_nearest());
                // Which cells are reached says nothing of edges.
                let is_safe = blend.flow & FLAG_EDGE == 0
                    && (self.is_clear(blend.at, unit) || self.stays_on_reached(blend.at, past, unit));
                if blend.squared > EPSILON && is_safe {
                    return unit;
                }
                // To the middle of the next cell. It is at least half a cell away, so one cell ahead is at
                // most half a cell beyond it, and thus nearest to it.
                let direction = Direction::ALL[usize::from(state & 7)];
                normalised(direction.dx() as f32 - past.0, direction.dy() as f32 - past.1)
            }
        }
    }

    /// Returns the direction to the nearest of the four cells around that are reached; of several, the first
    /// in reading order.
    fn to_placement(&self, across: Coordinate, down: Coordinate) -> (f32, f32) {
        let stride = self.integration.layout.stride();
        let corner = down.whole as usize * stride + across.whole as usize;
        let mut nearest = (f32::INFINITY, 0.0, 0.0);
        for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let (dx, dy) = (column as f32 - across.fraction, row as f32 - down.fraction);
            let squared = dx * dx + dy * dy;
            let flow = self.flow[corner + row * stride + column];
            if flow & STATE != NO_DIRECTION && squared < nearest.0 {
                nearest = (squared, dx, dy);
            }
        }
        normalised(nearest.1, nearest.2)
    }

    /// Returns whether all cells are reached that can be entered within one cell from anywhere in the cell at
    /// `home` along (`x`, `y`). Sufficient for the invariant, but not necessary; takes three loads.
    #[inline]
    fn is_clear(&self, home: usize, (x, y): (f32, f32)) -> bool {
        let stride = self.integration.layout.stride();
        let is_reached = |at: usize| self.flow.get(at).is_some_and(|flow| flow & STATE != NO_DIRECTION);
        let beside = if x < 0.0 { home.wrapping_sub(1) } else { home + 1 };
        let below = if y < 0.0 { home.wrapping_sub(stride) } else { home + stride };
        let between = beside.wrapping_add(below).wrapping_sub(home);
        is_reached(beside) & is_reached(below) & is_reached(between)
    }

    /// The exact form of [`FlowField::is_clear`]: returns whether every position up to one cell along the
    /// unit vector (`x`, `y`) has a nearest placement that is reached. The position to start from lies (`dx`,
    /// `dy`) past its nearest placement `home`.
    fn stays_on_reached(&self, home: usize, (dx, dy): (f32, f32), (x, y): (f32, f32)) -> bool {
        let stride = self.integration.layout.stride();
        let is_reached = |at: usize| self.flow[at] & STATE != NO_DIRECTION;
        // The index step into the next cell along one axis, if it is entered, and after which part of the
        // vector.
        let crossing = |from: f32, by: f32, step: usize| {
            let edge = 0.5 - EPSILON;
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
            (Some((step, _)), None) | (None, Some((step, _))) => is_reached(home.wrapping_add(step)),
            (Some((across, first)), Some((along, second))) => {
                let (beside, below) = (home.wrapping_add(across), home.wrapping_add(along));
                // Of the two cells beside the diagonal, only the first to be entered counts; near the corner,
                // both.
                is_reached(beside.wrapping_add(along))
                    && (is_reached(beside) || first > second + EPSILON)
                    && (is_reached(below) || second > first + EPSILON)
            }
        }
    }
}

impl Blend {
    /// Returns whether the blend is the answer: it has a length, no neighbour is blocked, and the nearest
    /// placement is no goal.
    #[inline]
    fn is_final(&self) -> bool {
        (self.flow & (FLAG_OPEN | GOAL) == FLAG_OPEN) & (self.squared > EPSILON)
    }
}

/// The bilinear sum of the unit vectors of four cells, by their flow bytes (see `FlowField::quad`), at a
/// position that lies (`tx`, `ty`) from the first.
#[inline]
fn blended(quad: u32, [tx, ty]: [f32; 2]) -> [f32; 2] {
    // The states, without flags, are the indices: bits 0–3 and 8–11 become bits 0–7, and bits 16–19 and 24–27
    // bits 16–23.
    let states = quad & 0x0f0f_0f0f;
    let [upper, _, lower, _] = (states | states >> 4).to_le_bytes();
    let [upper, lower] = [upper, lower].map(|pair| f32x4::new(PAIRS[usize::from(pair)]));
    let column = upper * f32x4::splat(1.0 - ty) + lower * f32x4::splat(ty);
    let row = column * f32x4::new([1.0 - tx, 1.0 - tx, tx, tx]);
    let [_, _, right_x, right_y] = row.to_array();
    let [x, y, _, _] = (row + f32x4::new([right_x, right_y, 0.0, 0.0])).to_array();
    [x, y]
}

/// The factor that makes a vector of this squared length a unit vector; finite also where the length is about
/// zero.
#[inline]
fn scale_of(squared: f32) -> f32 {
    1.0 / squared.max(EPSILON).sqrt()
}

fn normalised(x: f32, y: f32) -> (f32, f32) {
    let length = (x * x + y * y).sqrt();
    if length > 0.0 { (x / length, y / length) } else { (0.0, 0.0) }
}
