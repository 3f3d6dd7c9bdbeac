//! Seams: the corners that two neighbouring chunks must share on the line between them.
//!
//! A chunk is baked from the polygons that reach it, its neighbour from others, and a crossing of the border can be
//! rounded differently in the two. So a seam is worked out by itself, from the polygons that reach its line: these are
//! known on both sides, and so both get the same corners, which each then moves its own corners to.

use super::kernel::Kernel;
use super::merge::{Contours, Selection, each, free_space};
use super::shrink::carry_around;
use super::units::{Point, UnitRect};

/// How far to both sides of its line a seam is looked at, in units.
pub(super) const BAND: i32 = 64;
/// Corners of a seam as close as this, in units, become one.
const MERGE_DISTANCE: i32 = 2;
/// A chunk's own corners lie within this distance, in units, of the seam's, when edges meet the line at right angles.
const SNAP_DISTANCE: i64 = 4;
/// How far apart, in units across the line, the same edge can be in the chunk and in the seam.
const EDGE_DISTANCE: i64 = 2;

/// One side of a chunk: a piece of a line along an axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Line {
    /// Whether it runs along x, at a constant y.
    pub along_x: bool,
    /// The constant coordinate.
    pub at: i32,
    pub start: i32,
    pub end: i32,
}

impl Line {
    /// The four sides of a rectangle.
    pub const fn around(rect: UnitRect) -> [Self; 4] {
        let UnitRect { x0, y0, x1, y1 } = rect;
        [
            Self { along_x: true, at: y0, start: x0, end: x1 },
            Self { along_x: false, at: x1, start: y0, end: y1 },
            Self { along_x: true, at: y1, start: x0, end: x1 },
            Self { along_x: false, at: x0, start: y0, end: y1 },
        ]
    }

    /// The place of a point on the line, if it is on it.
    pub const fn place(self, point: Point) -> Option<i32> {
        let (along, across) = if self.along_x { (point.x, point.y) } else { (point.y, point.x) };
        if across == self.at { Some(along) } else { None }
    }

    /// How far two points are apart along the line and across it.
    fn offset(self, a: Point, b: Point) -> [i64; 2] {
        let (dx, dy) = (i64::from(a.x.abs_diff(b.x)), i64::from(a.y.abs_diff(b.y)));
        if self.along_x { [dx, dy] } else { [dy, dx] }
    }

    const fn point(self, place: i32) -> Point {
        if self.along_x { Point { x: place, y: self.at } } else { Point { x: self.at, y: place } }
    }

    /// The rectangle from `before` to `after` units across the line.
    const fn band(self, before: i32, after: i32) -> UnitRect {
        let (a0, a1) = (self.at - before, self.at + after);
        if self.along_x {
            UnitRect { y0: a0, y1: a1, x0: self.start, x1: self.end }
        } else {
            UnitRect { y0: self.start, y1: self.end, x0: a0, x1: a1 }
        }
    }
}

/// The corners on one side of a chunk.
#[derive(Clone, Debug)]
pub(super) struct Seam {
    line: Line,
    places: Vec<i32>,
}

impl Seam {
    /// The seam along `line`: wherever free space begins or ends on either side of it.
    pub fn new(line: Line, floor: Selection, colliders: Selection, kernel: &Kernel) -> Self {
        let window = line.band(BAND, BAND).grown(kernel.half_x + 1, kernel.half_y + 1);
        let (floor_places, collider_places) = (floor.within(window), colliders.within(window));
        let free = free_space(
            Selection { places: Some(&floor_places), ..floor },
            Selection { places: Some(&collider_places), ..colliders },
        );
        let carried = carry_around(&free, kernel);
        let mut places = Vec::new();
        for band in [line.band(BAND, 0), line.band(0, BAND)] {
            for contour in each(&carried.sorted_out(Some(band))) {
                for (a, b) in sides(contour) {
                    if let (Some(a), Some(b)) = (line.place(a), line.place(b)) {
                        places.extend([a, b]);
                    }
                }
            }
        }
        places.sort_unstable();
        // The ends of the line are corners of the chunk: what is near to them is moved onto them.
        places.dedup_by(|next, kept| {
            let near = *next - *kept <= MERGE_DISTANCE;
            if near && *next == line.end {
                *kept = line.end;
            }
            near
        });
        Self { line, places }
    }

    /// Whether the point is on the seam's line.
    pub const fn holds(&self, point: Point) -> bool {
        self.line.place(point).is_some()
    }

    /// The point, if it is on the line, moved along it to the seam's corner that is near; its neighbours in the contour
    /// tell how far that may be: an edge that meets the line at a small angle meets it at no certain place.
    fn snapped(&self, point: Point, neighbours: [Point; 2]) -> Point {
        let Some(place) = self.line.place(point) else { return point };
        if place == self.line.start || place == self.line.end {
            return point;
        }
        let reach = neighbours.map(|other| {
            let [along, across] = self.line.offset(point, other);
            if across == 0 { i64::MAX } else { EDGE_DISTANCE * along / across }
        });
        let reach = match reach[0].min(reach[1]) {
            i64::MAX => SNAP_DISTANCE,
            reach => SNAP_DISTANCE + reach,
        };
        let nearest = self.places.iter().copied().min_by_key(|p| p.abs_diff(place));
        nearest.filter(|p| i64::from(p.abs_diff(place)) <= reach).map_or(point, |p| self.line.point(p))
    }

    /// The seam's corners strictly between two points of its line, from the first to the second.
    fn between(&self, a: Point, b: Point) -> Vec<Point> {
        let (Some(a), Some(b)) = (self.line.place(a), self.line.place(b)) else { return Vec::new() };
        let inner = self.places.iter().filter(|&&p| p > a.min(b) && p < a.max(b));
        let mut points: Vec<_> = inner.map(|&p| self.line.point(p)).collect();
        if a > b {
            points.reverse();
        }
        points
    }
}

/// The contours with the corners of all seams.
pub(super) fn fitted(contours: &Contours, seams: &[Seam]) -> Contours {
    let mut result = Contours::default();
    let mut points = Vec::new();
    for contour in each(contours) {
        let n = contour.len();
        let moved: Vec<_> = (0..n)
            .map(|i| {
                let neighbours = [contour[(i + n - 1) % n], contour[(i + 1) % n]];
                seams.iter().fold(contour[i], |point, seam| seam.snapped(point, neighbours))
            })
            .collect();
        points.clear();
        for (a, b) in sides(&moved) {
            points.push(a);
            points.extend(seams.iter().flat_map(|seam| seam.between(a, b)));
        }
        points.dedup();
        result.add_contour(&points);
    }
    result
}

/// The sides of a closed contour.
pub(super) fn sides(contour: &[Point]) -> impl Iterator<Item = (Point, Point)> {
    contour.iter().copied().zip(contour.iter().copied().cycle().skip(1))
}
