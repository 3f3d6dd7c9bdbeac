//! Reduces the corners of contours within a tolerance, so that fewer polygons result. Free space only shrinks.
//!
//! There are two steps. The step with the least error comes first.
//! - Two corners b, c between a and d become one corner p, where the sides ab and cd meet. An arc around an
//!   obstacle's corner so becomes one corner.
//! - A corner at which free space bulges goes.
//!
//! Invariant: each step lowers the winding around some points by one and raises it nowhere. So points with
//! positive winding are only lost, whatever contours cross afterwards.
//!
//! The error of a step bounds how far the outline has moved, and stays within the tolerance. Around an arc it
//! is measured from the given outline. Elsewhere a step adds to the error of the sides that it replaces.
//! O(n log n) for n corners.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::merge::{Contours, contours_of};
use super::units::{Point, UnitRect, cross, distance_squared, dot};

/// No step leaves a contour with fewer corners.
const CORNERS_MIN: usize = 3;
/// Arcs of more corners are not measured as a whole.
const ARC_CORNERS_MAX: usize = 64;
/// How far the rounding of a new corner moves its sides, in units.
const ROUNDING: f64 = 1.0;

/// The contours with the corners that they need within `tolerance` units. Corners that `keep` returns `true`
/// for stay, and no corner is made outside of `within` or on its edges.
pub(super) fn reduced(
    contours: &Contours,
    tolerance: f64,
    within: Option<UnitRect>,
    keep: impl Fn(Point) -> bool,
) -> Contours {
    let mut result = Contours::default();
    for contour in contours_of(contours) {
        let mut ring = Ring::new(contour, tolerance, within, &keep);
        ring.reduce();
        result.add_contour(&ring.points());
    }
    result
}

/// What can be done at a corner.
#[derive(Clone, Copy)]
enum Step {
    /// The corner and the next become this one.
    Join(Point),
    /// The corner goes.
    Cut,
}

/// A contour whose corners are linked.
struct Ring<'a, K> {
    given: &'a [Point],
    points: Vec<Point>,
    /// For the side from each corner to the next, the piece of the given contour that it stands for: its first
    /// corner, and how many sides it has.
    pieces: Vec<[usize; 2]>,
    next: Vec<usize>,
    previous: Vec<usize>,
    /// How far the side from each corner to the next has moved, in units.
    errors: Vec<f64>,
    /// Counts the changes around each corner; corners that are gone have the greatest number.
    versions: Vec<u32>,
    count: usize,
    first: usize,
    tolerance: f64,
    within: Option<UnitRect>,
    keep: &'a K,
}

/// Steps in a queue: the error in thousandths of a unit, then the corner, so that every machine does the same.
type Queued = Reverse<(u64, usize, u32)>;

/// The version of a corner that is gone.
const GONE: u32 = u32::MAX;

impl<'a, K: Fn(Point) -> bool> Ring<'a, K> {
    fn new(contour: &'a [Point], tolerance: f64, within: Option<UnitRect>, keep: &'a K) -> Self {
        let n = contour.len();
        Self {
            given: contour,
            points: contour.to_vec(),
            pieces: (0..n).map(|i| [i, 1]).collect(),
            next: (0..n).map(|i| (i + 1) % n).collect(),
            previous: (0..n).map(|i| (i + n - 1) % n).collect(),
            errors: vec![0.0; n],
            versions: vec![0; n],
            count: n,
            first: 0,
            tolerance,
            within,
            keep,
        }
    }

    /// Takes steps while one is within the tolerance.
    fn reduce(&mut self) {
        let mut queue = BinaryHeap::new();
        for b in 0..self.points.len() {
            self.offer(b, &mut queue);
        }
        while let Some(Reverse((_, b, version))) = queue.pop() {
            if self.count <= CORNERS_MIN || self.versions[b] != version {
                continue;
            }
            let Some((error, step)) = self.best_step(b) else { continue };
            let changed = self.take(b, step, error);
            // A step depends on two corners before its own and three after.
            let mut near = changed;
            for _ in 0..3 {
                near = self.previous[near];
            }
            for _ in 0..6 {
                self.versions[near] += 1;
                self.offer(near, &mut queue);
                near = self.next[near];
            }
        }
    }

    fn offer(&self, b: usize, queue: &mut BinaryHeap<Queued>) {
        if let Some((error, _)) = self.best_step(b) {
            queue.push(Reverse(((error * 1000.0) as u64, b, self.versions[b])));
        }
    }

    /// The step at a corner with the least error, if one is within the tolerance.
    fn best_step(&self, b: usize) -> Option<(f64, Step)> {
        if self.count <= CORNERS_MIN || (self.keep)(self.points[b]) {
            return None;
        }
        let steps = [self.join(b), self.cut(b)];
        let least = steps.into_iter().flatten().min_by(|a, b| a.0.total_cmp(&b.0));
        least.filter(|(error, _)| *error <= self.tolerance)
    }

    /// The error of replacing a corner and the next by the one where the sides around them meet.
    fn join(&self, b: usize) -> Option<(f64, Step)> {
        let (a, c) = (self.previous[b], self.next[b]);
        let d = self.next[c];
        if self.count <= CORNERS_MIN || d == a || (self.keep)(self.points[c]) {
            return None;
        }
        let errors = self.errors[a].max(self.errors[b]).max(self.errors[c]);
        let arc = self.arc(self.joined_piece(a, c));
        let [a, b, c, d] = [a, b, c, d].map(|i| self.points[i]);
        let meeting = meeting(a, b, c, d)?;
        let candidates = (-1..=1).flat_map(|y| (-1..=1).map(move |x| [x, y]));
        let moved = candidates.filter_map(|[x, y]| {
            let p = Point::new(meeting.x.checked_add(x)?, meeting.y.checked_add(y)?);
            if !shrinks(a, b, c, d, p)
                || (self.keep)(p)
                || !self.within.is_none_or(|rect| lies_inside(p, rect))
            {
                return None;
            }
            let added = deviation([a, b, c, d], p) + errors;
            let error = arc.as_ref().map_or(added, |arc| to_line(p, arc).max(errors).min(added));
            Some((error + ROUNDING, Step::Join(p)))
        });
        moved.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// The piece of the given contour from the start of one side to the end of a later one.
    fn joined_piece(&self, first: usize, last: usize) -> [usize; 2] {
        let n = self.given.len();
        let [start, _] = self.pieces[first];
        let [end, count] = self.pieces[last];
        [start, (end + n - start) % n + count]
    }

    /// The corners of a piece around which free space bends everywhere, like around an obstacle's corner. Where
    /// a new outline lies outside of such an arc, its corners are furthest from it.
    fn arc(&self, [start, count]: [usize; 2]) -> Option<Vec<Point>> {
        let n = self.given.len();
        if count > ARC_CORNERS_MAX || count >= n {
            return None;
        }
        let arc: Vec<_> = (start..=start + count).map(|i| self.given[i % n]).collect();
        arc.windows(3).all(|corner| cross(corner[0], corner[1], corner[2]) <= 0).then_some(arc)
    }

    /// The error of leaving out a corner at which free space bulges, beside one at which it does not: others
    /// cost no polygon.
    fn cut(&self, b: usize) -> Option<(f64, Step)> {
        let (a, c) = (self.previous[b], self.next[b]);
        let turn = |i: usize| {
            let [from, here, to] = [self.previous[i], i, self.next[i]].map(|i| self.points[i]);
            cross(from, here, to)
        };
        if turn(b) <= 0 || (turn(a) > 0 && turn(c) > 0) {
            return None;
        }
        let errors = self.errors[a].max(self.errors[b]);
        let [a, b, c] = [a, b, c].map(|i| self.points[i]);
        Some((to_segment(b, a, c) + errors, Step::Cut))
    }

    /// Takes a step; the corner where the contour has changed.
    fn take(&mut self, b: usize, step: Step, error: f64) -> usize {
        let before = self.previous[b];
        let (here, gone) = match step {
            Step::Join(p) => {
                let after = self.next[b];
                let pieces = [self.joined_piece(before, b), self.joined_piece(b, after)];
                [self.pieces[before], self.pieces[b]] = pieces;
                self.points[b] = p;
                // Both sides at the new corner have moved.
                self.errors[before] = error;
                (b, after)
            }
            Step::Cut => {
                self.pieces[before] = self.joined_piece(before, b);
                (before, b)
            }
        };
        self.errors[here] = error;
        let after = self.next[gone];
        self.next[here] = after;
        self.previous[after] = here;
        self.versions[gone] = GONE;
        self.first = here;
        self.count -= 1;
        here
    }

    fn points(&self) -> Vec<Point> {
        let mut points = Vec::with_capacity(self.count);
        let mut corner = self.first;
        for _ in 0..self.count {
            points.push(self.points[corner]);
            corner = self.next[corner];
        }
        points
    }
}

/// Where the lines through a, b and through c, d meet, rounded; `None` if they are parallel or meet too far
/// out.
fn meeting(a: Point, b: Point, c: Point, d: Point) -> Option<Point> {
    let [ab, cd, ac] = [(a, b), (c, d), (a, c)]
        .map(|(from, to)| [f64::from(to.x) - f64::from(from.x), f64::from(to.y) - f64::from(from.y)]);
    let across = ab[0].mul_add(cd[1], -(ab[1] * cd[0]));
    if across == 0.0 {
        return None;
    }
    let along = ac[0].mul_add(cd[1], -(ac[1] * cd[0])) / across;
    let [x, y] = [along.mul_add(ab[0], f64::from(a.x)), along.mul_add(ab[1], f64::from(a.y))].map(f64::round);
    // Far from the limits of 32 bits, which offsets by agents use.
    let is_near = |value: f64| value.abs() < f64::from(1 << 29);
    (is_near(x) && is_near(y)).then(|| Point::new(x as i32, y as i32))
}

/// Returns `true` if a, p, d instead of a, b, c, d takes away free space, which lies on the left, and adds
/// none. The curve a, p, d, c, b then consists of three triangles that all wind negatively.
fn shrinks(a: Point, b: Point, c: Point, d: Point, p: Point) -> bool {
    // Behind a or d the contour would turn back on itself.
    let is_ahead = dot(a, b, p) > 0 && dot(d, c, p) > 0;
    is_ahead && cross(a, p, b) <= 0 && cross(p, c, b) <= 0 && cross(p, d, c) <= 0
}

/// How far points of the triangle b, p, c lie from the outline a, b, c, d, with p on the lines ab and cd.
fn deviation([a, b, c, d]: [Point; 4], p: Point) -> f64 {
    let from_side = to_segment(p, b, c);
    // Where free space bulges at b, p lies on the side ab, and pb is on the outline, too. So a point of the
    // triangle is no further from it than b is from the opposite side. The same at c.
    let from_b = if cross(a, b, c) > 0 { to_segment(b, p, c) } else { f64::MAX };
    let from_c = if cross(b, c, d) > 0 { to_segment(c, p, b) } else { f64::MAX };
    from_side.min(from_b).min(from_c)
}

/// The distance of a point from a line of several corners.
fn to_line(point: Point, line: &[Point]) -> f64 {
    line.windows(2).map(|side| to_segment(point, side[0], side[1])).fold(f64::MAX, f64::min)
}

/// The distance of a point from a segment.
fn to_segment(point: Point, a: Point, b: Point) -> f64 {
    let along = dot(a, b, point);
    let length_squared = distance_squared(a, b);
    if along <= 0 {
        (distance_squared(a, point) as f64).sqrt()
    } else if along >= length_squared {
        (distance_squared(b, point) as f64).sqrt()
    } else {
        (cross(a, b, point) as f64).abs() / (length_squared as f64).sqrt()
    }
}

const fn lies_inside(point: Point, rect: UnitRect) -> bool {
    rect.x0 < point.x && point.x < rect.x1 && rect.y0 < point.y && point.y < rect.y1
}
