//! Outlines of slabs, in one sweep from the top: O(n) for n ends of intervals, which are sorted.
//!
//! At a height, the ends of intervals above and below are merged by x. Equal ends of the same kind above and
//! below are no corner: the outline goes straight through. The rest are corners; they pair up from the left,
//! each pair is joined along the height, and each corner is joined up or down along its own interval's side.

use i_overlay::i_shape::int::shape::IntShapes;

use super::units::{Point, area_two};

/// Free space between two heights: intervals of x, sorted, none of which touch.
#[derive(Clone, Default, Debug)]
pub(super) struct Slab {
    pub y0: i32,
    pub y1: i32,
    pub intervals: Vec<[i32; 2]>,
}

/// No corner yet.
const NONE: u32 = u32::MAX;

/// The ends of an interval, and the upper corners of its sides.
#[derive(Clone, Copy)]
struct Open {
    ends: [i32; 2],
    from: [u32; 2],
}

/// An end of an interval at a height. They sort from the left; of two at one x, the right end comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct End {
    x: i32,
    is_left: bool,
    is_below: bool,
    /// The interval's index in its slab.
    interval: usize,
}

/// Outlines that are being closed.
#[derive(Default)]
struct Tracer {
    points: Vec<Point>,
    /// The successor of each corner.
    next: Vec<u32>,
    /// For a corner at which a hole begins, the upper left corner of the interval above, which lies on the
    /// contour around it.
    left_of: Vec<u32>,
    /// The corners of one height.
    corners: Vec<End>,
}

/// The outlines of slabs, which are sorted from the top: each solid with its holes.
pub(super) fn trace(slabs: &[Slab]) -> IntShapes<i32> {
    let mut tracer = Tracer::default();
    let mut above: Vec<Open> = Vec::new();
    let mut y = i32::MIN;
    for slab in slabs {
        // A gap between slabs closes everything above it.
        if slab.y0 > y {
            tracer.height(y, &above, &mut []);
            above.clear();
        }
        let mut below: Vec<_> = slab.intervals.iter().map(|&ends| Open { ends, from: [NONE; 2] }).collect();
        tracer.height(slab.y0, &above, &mut below);
        (above, y) = (below, slab.y1);
    }
    tracer.height(y, &above, &mut []);
    tracer.shapes()
}

impl Tracer {
    /// Joins the intervals that end at height `y` with the intervals that begin there.
    fn height(&mut self, y: i32, above: &[Open], below: &mut [Open]) {
        let end = |list: &[Open], i: usize, is_below: bool| {
            let is_left = i.is_multiple_of(2);
            list.get(i / 2).map(|open| End { x: open.ends[i % 2], is_left, is_below, interval: i / 2 })
        };
        let mut corners = std::mem::take(&mut self.corners);
        corners.clear();
        let (mut i, mut j) = (0, 0);
        loop {
            match (end(above, i, false), end(below, j, true)) {
                (Some(a), Some(b)) if (a.x, a.is_left) == (b.x, b.is_left) => {
                    // The side goes straight on, from the upper corner that it already has.
                    below[j / 2].from[j % 2] = above[i / 2].from[i % 2];
                    (i, j) = (i + 1, j + 1);
                }
                (Some(a), b) if b.is_none_or(|b| a < b) => {
                    corners.push(a);
                    i += 1;
                }
                (_, Some(b)) => {
                    corners.push(b);
                    j += 1;
                }
                _ => break,
            }
        }
        // Along a height, free space begins and ends by turns, so corners come in pairs.
        for pair in corners.chunks_exact(2) {
            let [left, right] = [0, 1].map(|i| self.corner(y, pair[i], above, below));
            // Along an upper side the outline goes right, along a lower one left.
            let goes_right = pair[0].is_left == pair[0].is_below;
            let (a, b) = if goes_right { (left, right) } else { (right, left) };
            self.next[a as usize] = b;
            if pair[0].is_below && !goes_right {
                // The interval above that spans the pair: the hole opens below it.
                let around = above.partition_point(|open| open.ends[1] <= pair[0].x);
                self.left_of[left as usize] = above[around].from[0];
            }
        }
        self.corners = corners;
    }

    /// Adds a corner and joins it along the side of its interval: left sides run up, right sides down.
    fn corner(&mut self, y: i32, end: End, above: &[Open], below: &mut [Open]) -> u32 {
        let corner = self.points.len() as u32;
        self.points.push(Point::new(end.x, y));
        self.next.push(NONE);
        self.left_of.push(NONE);
        let side = usize::from(!end.is_left);
        if end.is_below {
            below[end.interval].from[side] = corner;
        } else {
            let top = above[end.interval].from[side];
            // Free space stays on the left of the outline.
            let (a, b) = if end.is_left { (corner, top) } else { (top, corner) };
            self.next[a as usize] = b;
        }
        corner
    }

    /// Collects each solid with its holes.
    fn shapes(mut self) -> IntShapes<i32> {
        let mut shapes: IntShapes<i32> = Vec::new();
        let mut shape_of = vec![0; self.points.len()];
        let mut contour = Vec::new();
        // Corners are numbered from the top, so the solid around a hole is known before the hole.
        for first in 0..self.points.len() {
            if self.next[first] == NONE {
                continue;
            }
            let around = self.left_of[first];
            let shape = if around == NONE { shapes.len() } else { shape_of[around as usize] as usize };
            let mut corner = first as u32;
            while self.next[corner as usize] != NONE {
                contour.push(self.points[corner as usize]);
                shape_of[corner as usize] = shape as u32;
                corner = std::mem::replace(&mut self.next[corner as usize], NONE);
            }
            debug_assert_eq!(area_two(&contour) > 0, shape == shapes.len());
            if shape == shapes.len() {
                shapes.push(Vec::new());
            }
            shapes[shape].push(contour.clone());
            contour.clear();
        }
        shapes
    }
}
