//! The position closest to a segment at which a body covers open cells alone, and no edge within that is
//! blocked both ways.
//!
//! Seen from the body's top-left corner, such positions are the placements, the lines between two placements
//! side by side, and the squares between four:
//!
//! ```text
//!     o---o       o     o: a placement; the corner may lie on each, on the line,
//!         |#####|       and in the square.
//!         o-----o
//! ```
//!
//! Where such an edge lies between two placements there is no line between them, and no square beside it.
//!
//! A *band* is a row of placements, or the strip between two rows, with the columns that both rows have. Along
//! a band the distance to a segment falls and then rises, so that only the places next to its minimum count.
//! Bands are looked at outwards, until they are farther than the closest position so far. Time is in
//! proportion to the words of 64 cells within that distance.

use smallvec::{SmallVec, smallvec};

use super::nearest::{next_left, next_right};
use crate::geometry::{Footprint, Side};
use crate::passability::Placements;

/// What is closest is looked for to a segment of cell space with heights. One of two equal ends is a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    /// First end: column, row, height.
    pub from: [f64; 3],
    /// Second end.
    pub to: [f64; 3],
    /// Where a step along x, along y and up leads in the space in which distances are measured.
    pub sides: [[f64; 3]; 3],
}

/// A coordinate so near to a whole number is one.
const WHOLE: f64 = 1e-9;
/// What is left of a side beside the others, as a share of its square, where both have one direction.
const SINGULAR: f64 = 1e-12;

/// Returns the corner (x, y) of a body that is closest to `segment`, with the placements of `layer`, whose
/// column and row 0 lie at 0. If the segment lies in the plane and passes such corners, it is the first on
/// it.
pub(crate) fn closest_position(
    layer: &Placements,
    footprint: Footprint,
    segment: &Segment,
) -> Option<(f64, f64)> {
    let has_walls = [footprint.w(), footprint.h()].map(|side| side == 1 && layer.edges().is_some());
    let ground = Ground { layer, has_walls };
    let is_flat = segment.from[2] == 0.0 && segment.to[2] == 0.0;
    let first = if is_flat { first_on(ground, segment) } else { None };
    first.or_else(|| Search { ground, distance: Distance::to(segment), best: None }.run())
}

/// Returns the first position on a segment in the plane.
fn first_on(ground: Ground<'_>, segment: &Segment) -> Option<(f64, f64)> {
    let ([x, y, _], [to_x, to_y, _]) = (segment.from, segment.to);
    if ground.is_position((x, y)) {
        return Some((x, y));
    }
    let (dx, dy) = (to_x - x, to_y - y);
    let layout = ground.layer.layout();
    let last = |length: u32| f64::from(length) - 1.0;
    // Within a square of placements all positions are valid or none is, so the first lies where the segment
    // crosses a line.
    let columns = crossings((x, dx), last(layout.width())).map(|(t, x)| (t, (x, whole(y + dy * t))));
    let rows = crossings((y, dy), last(layout.height())).map(|(t, y)| (t, (whole(x + dx * t), y)));
    let on_line = |&(_, at): &(f64, (f64, f64))| ground.is_position(at);
    // Each is in order along the segment, so that the first of both is the lesser of both firsts.
    let (column, row) = (columns.into_iter().find(on_line), rows.into_iter().find(on_line));
    let first = match (column, row) {
        (Some(column), Some(row)) => Some(if row.0 < column.0 { row } else { column }),
        (column, row) => column.or(row),
    };
    first.map(|(_, at)| at)
}

/// Returns the whole numbers from 0 to `last` that lie between `from` and `from + by`, with the share of the
/// way to each, in order along it.
fn crossings((from, by): (f64, f64), last: f64) -> impl Iterator<Item = (f64, f64)> {
    let (low, high) = (from.min(from + by).ceil().max(0.0), from.max(from + by).floor().min(last));
    let count = if by == 0.0 || low > high { 0 } else { (high - low) as u32 + 1 };
    (0..count).map(move |n| {
        let at = if by > 0.0 { low + f64::from(n) } else { high - f64::from(n) };
        ((at - from) / by, at)
    })
}

fn whole(at: f64) -> f64 {
    if (at - at.round()).abs() < WHOLE { at.round() } else { at }
}

/// Placements of a body with the walls between them.
#[derive(Clone, Copy)]
struct Ground<'a> {
    layer: &'a Placements,
    /// A body wider than a cell has its walls within its placements: none lies between two of them.
    has_walls: [bool; 2],
}

impl Ground<'_> {
    /// Returns whether the body covers open cells alone, and no wall, with its corner at a point.
    fn is_position(self, (x, y): (f64, f64)) -> bool {
        let layout = self.layer.layout();
        let inside = |at: f64, length: u32| at >= 0.0 && at <= f64::from(length) - 1.0;
        if !(inside(x, layout.width()) && inside(y, layout.height())) {
            return false;
        }
        let [columns, rows] = [x, y].map(|at| [at.floor() as u32, at.ceil() as u32]);
        rows.iter().all(|&y| columns.iter().all(|&x| self.layer.get(layout.index(x, y))))
            && !self.has_wall_between(columns, rows)
    }

    /// Returns whether a wall lies between two columns or between two rows of placements, where these differ.
    fn has_wall_between(self, columns: [u32; 2], rows: [u32; 2]) -> bool {
        let [upright, level] = self.has_walls;
        let has_wall =
            |x: u32, y: u32, side: Side| self.layer.has_wall(self.layer.layout().index(x, y), side);
        upright && columns[0] != columns[1] && rows.iter().any(|&y| has_wall(columns[0], y, Side::Right))
            || level && rows[0] != rows[1] && columns.iter().any(|&x| has_wall(x, rows[0], Side::Bottom))
    }
}

struct Search<'a> {
    ground: Ground<'a>,
    distance: Distance,
    /// The square of the least distance so far, and where it is.
    best: Option<(f64, (f64, f64))>,
}

impl Search<'_> {
    fn run(mut self) -> Option<(f64, f64)> {
        let layout = self.ground.layer.layout();
        if layout.cells() == 0 {
            return None;
        }
        let last = layout.height() - 1;
        let (_, [_, nearest]) = self.distance.minimum(EVERYWHERE, (0.0, f64::from(last)));
        let middle = (nearest as u32).min(last);
        // Away from the middle the distance of rows rises.
        for y in (0..=middle).rev() {
            if !self.look_at_row(y) {
                break;
            }
        }
        for y in middle + 1..=last {
            if !self.look_at_row(y) {
                break;
            }
        }
        self.best.map(|(_, at)| at)
    }

    /// Looks at row `y` and at the strip below it. Returns `false` if both are farther than the closest so
    /// far.
    fn look_at_row(&mut self, y: u32) -> bool {
        let (low, high) = (f64::from(y), f64::from(y) + 1.0);
        let (least, [x, _]) = self.distance.minimum(EVERYWHERE, (low, high));
        if self.best.is_some_and(|(best, _)| best <= least) {
            return false;
        }
        let (_, [x_on_row, _]) = self.distance.minimum(EVERYWHERE, (low, low));
        self.look_at_band(y, 0, x_on_row);
        if y + 1 < self.ground.layer.layout().height() {
            self.look_at_band(y, 1, x);
        }
        true
    }

    /// Looks at row `y`, or at the strip of `height` 1 below it, on which the distance is least at column
    /// `x`.
    fn look_at_band(&mut self, y: u32, height: u32, x: f64) {
        let layout = self.ground.layer.layout();
        let row = layout.index(0, y).get();
        let stride = layout.stride_words() * height as usize;
        let words = self.ground.layer.words();
        let edges = self.ground.layer.edges().filter(|_| height > 0 && self.ground.has_walls[1]);
        let walls = |word: usize| {
            edges.map_or(0, |edges| {
                let [below, above] = [Side::Bottom, Side::Top].map(|side| edges.closed(side).words());
                below[word] & above[word + stride]
            })
        };
        let bits = |word: usize| words[word] & words[word + stride] & !walls(word);
        let last = i64::from(layout.width()) - 1;
        // A float cast saturates.
        let (left, right) = ((x.floor() as i64).min(last), (x.ceil() as i64).max(0));
        let before = (left >= 0).then(|| next_left((row + left as usize, row), bits, |_| true)).flatten();
        let behind = (right <= last)
            .then(|| next_right((row + right as usize, row + last as usize), bits, |_| true))
            .flatten();
        let column = |index: usize| (index - row) as f64;
        let columns = [before, behind].map(|index| index.map(column));
        // The minimum itself is free if the columns around it are, without a wall between.
        let is_free = || !self.ground.has_wall_between([x.floor() as u32, x.ceil() as u32], [y, y + height]);
        let around = columns == [Some(x.floor()), Some(x.ceil())] && is_free();
        let ends = if around {
            [Some((x.floor(), x.ceil())), None]
        } else {
            columns.map(|at| at.map(|at| (at, at)))
        };
        for columns in ends.into_iter().flatten() {
            let rows = (f64::from(y), f64::from(y + height));
            let (squared, [x, y]) = self.distance.minimum(columns, rows);
            if self.best.is_none_or(|(best, _)| squared < best) {
                self.best = Some((squared, (x, y)));
            }
        }
    }
}

/// Every column.
const EVERYWHERE: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

/// The distance of points of the plane to a segment: of `x` · sides\[0\] + `y` · sides\[1\] + `t` ·
/// sides\[2\] to `from`, where `t` is the share of the segment.
struct Distance {
    sides: [[f64; 3]; 3],
    from: [f64; 3],
    /// The normal equations: products of the sides with each other, and with `from` in the last column.
    products: [[f64; 4]; 3],
    is_point: bool,
}

/// What `x`, `y` or `t` may be: at one of two limits, or between them, where the distance is least.
type Choices = SmallVec<[Option<f64>; 3]>;

fn choices((low, high): (f64, f64)) -> Choices {
    if low >= high {
        return smallvec![Some(low)];
    }
    let limits = [low, high].into_iter().filter(|limit| limit.is_finite());
    limits.map(Some).chain([None]).collect()
}

impl Distance {
    fn to(segment: &Segment) -> Self {
        let [x, y, up] = segment.sides;
        let place = |[along, across, height]: [f64; 3]| {
            [0, 1, 2].map(|n| along * x[n] + across * y[n] + height * up[n])
        };
        let (from, to) = (place(segment.from), place(segment.to));
        let sides = [x, y, [0, 1, 2].map(|n| from[n] - to[n])];
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let products = sides.map(|side| [sides[0], sides[1], sides[2], from].map(|other| dot(side, other)));
        Self { sides, from, products, is_point: segment.from.iter().eq(&segment.to) }
    }

    /// Returns the square of the least distance from a point of a rectangle to the segment, and that point.
    ///
    /// A least square within limits: at its minimum, some of `x`, `y` and `t` are at a limit and the others
    /// make the distance least. All choices are tried, 27 at most.
    fn minimum(&self, columns: (f64, f64), rows: (f64, f64)) -> (f64, [f64; 2]) {
        let limits = [columns, rows, (0.0, if self.is_point { 0.0 } else { 1.0 })];
        let [xs, ys, ts] = limits.map(choices);
        let mut best = (f64::INFINITY, [0.0; 2]);
        for &x in &xs {
            for &y in &ys {
                for &t in &ts {
                    let Some(found) = self.least([x, y, t]) else { continue };
                    let is_within = |n: usize| limits[n].0 <= found[n] && found[n] <= limits[n].1;
                    let squared = self.squared(found);
                    if squared < best.0 && (0..3).all(is_within) {
                        best = (squared, [found[0], found[1]]);
                    }
                }
            }
        }
        best
    }

    fn squared(&self, factors: [f64; 3]) -> f64 {
        let along = |n: usize| (0..3).map(|k| factors[k] * self.sides[k][n]).sum::<f64>() - self.from[n];
        (0..3).map(|n| along(n) * along(n)).sum()
    }

    /// Returns the factors that make the distance least. Some of them are `set`; `None` if the others are not
    /// determined.
    fn least(&self, set: [Option<f64>; 3]) -> Option<[f64; 3]> {
        // A factor that is set has an equation of its own.
        let mut rows = self.products;
        for (n, row) in rows.iter_mut().enumerate() {
            if let Some(value) = set[n] {
                *row = [0.0, 0.0, 0.0, value];
                row[n] = 1.0;
            }
        }
        for n in (0..3).filter(|&n| set[n].is_none()) {
            // What is set goes to the other side of the equation.
            let row = &mut rows[n];
            for (k, value) in set.iter().enumerate().filter_map(|(k, value)| Some((k, (*value)?))) {
                row[3] -= row[k] * value;
                row[k] = 0.0;
            }
        }
        for n in (0..3).filter(|&n| set[n].is_none()) {
            // The matrix of what is not set is positive, so that no exchange of rows is needed.
            if rows[n][n] <= SINGULAR * self.products[n][n] {
                return None;
            }
            let row = rows[n];
            for other in (0..3).filter(|&other| other != n && set[other].is_none()) {
                let factor = rows[other][n] / row[n];
                for (element, above) in rows[other].iter_mut().zip(row) {
                    *element -= factor * above;
                }
            }
        }
        Some([0, 1, 2].map(|n| rows[n][3] / rows[n][n]))
    }
}
