//! Outlines of slabs: every place where the free side changes along a height is a corner.
//!
//! At a height, the ends of intervals above and below are sorted by x. An end of the same kind at the same place above
//! and below is no corner: the outline goes straight through. Of the rest, each two that follow each other are joined
//! along the height, and each is joined up or down along its own interval's side.

use i_overlay::i_shape::int::shape::IntShapes;

use super::grid::Slab;
use super::units::{Point, area_two};

/// No corner yet.
const NONE: u32 = u32::MAX;

/// The ends of an interval, and the corners from which its sides come down.
#[derive(Clone, Copy)]
struct Open {
    ends: [i32; 2],
    from: [u32; 2],
}

/// A corner at a height, sorted from the left; where two are at one place, right ends come first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct End {
    x: i32,
    is_left: bool,
    is_below: bool,
    /// The interval's place in its slab.
    interval: usize,
}

/// Closed outlines under way.
#[derive(Default)]
struct Tracer {
    points: Vec<Point>,
    /// The corner that follows each.
    next: Vec<u32>,
    /// For a corner under an interval, where a hole can begin, the upper corner of that interval's left side.
    left_of: Vec<u32>,
    /// The corners of one height.
    corners: Vec<End>,
}

/// The outlines of slabs that are sorted from the top: each solid with its holes.
pub(super) fn trace(slabs: &[Slab]) -> IntShapes<i32> {
    let mut tracer = Tracer::default();
    let mut above: Vec<Open> = Vec::new();
    let mut y = i32::MIN;
    for slab in slabs {
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
    /// Joins what ends at height `y` with what begins there.
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
        for pair in corners.chunks_exact(2) {
            let [left, right] = [0, 1].map(|i| self.corner(y, pair[i], above, below));
            // Along an upper side the outline goes right, along a lower one left.
            let goes_right = pair[0].is_left == pair[0].is_below;
            let (a, b) = if goes_right { (left, right) } else { (right, left) };
            self.next[a as usize] = b;
            if pair[0].is_below && !goes_right {
                let around = above.partition_point(|open| open.ends[1] <= pair[0].x);
                self.left_of[left as usize] = above[around].from[0];
            }
        }
        self.corners = corners;
    }

    /// Adds a corner and joins it along the side of its interval: left sides go up, right sides down.
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
            let (a, b) = if end.is_left { (corner, top) } else { (top, corner) };
            self.next[a as usize] = b;
        }
        corner
    }

    /// Each solid with its holes. Contours are found from the top, so what lies around a hole is known before it.
    fn shapes(mut self) -> IntShapes<i32> {
        let mut shapes: IntShapes<i32> = Vec::new();
        let mut shape_of = vec![0; self.points.len()];
        let mut contour = Vec::new();
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
