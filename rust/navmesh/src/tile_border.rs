//! Tile borders: the corners that two neighbouring tiles must share on the line between them.
//!
//! A tile is baked from the polygons that reach it, its neighbour from others, and a crossing of the border
//! can be rounded differently in the two. So a border is computed by itself, from the polygons that reach its
//! line, which both sides know. Both get the same corners and move their own onto them. Godot's server then
//! joins tiles by equal edges, without its search for edges that are near, which takes n² steps.

use super::agent_shape::AgentShape;
use super::merge::{Contours, Selection, contours_of, free_space};
use super::offset::convolve;
use super::units::{Point, UnitRect, sides};

/// How far to both sides of its line a border reads the free space, in units: one pixel, far more than
/// rounding.
pub(super) const BAND: i32 = 64;
/// Corners of a border within this distance, in units, become one.
const MERGE_DISTANCE: i32 = 2;
/// A tile's own corners lie within this distance, in units, of the border's if their edges meet the line at
/// right angles.
const SNAP_DISTANCE: i64 = 4;
/// How far apart, in units, the same edge can be in the tile and in the border.
const EDGE_DISTANCE: i64 = 2;

/// One side of a tile: a piece of a line along an axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BorderLine {
    /// `true` if it runs along x, at a constant y.
    pub along_x: bool,
    /// The constant coordinate.
    pub at: i32,
    pub start: i32,
    pub end: i32,
}

impl BorderLine {
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

    /// The coordinate of a point along the line; `None` if it is not on it.
    pub(crate) const fn offset_of(self, point: Point) -> Option<i32> {
        let (along, across) = if self.along_x { (point.x, point.y) } else { (point.y, point.x) };
        if across == self.at { Some(along) } else { None }
    }

    /// The distance of two points along the line and across it.
    fn distance(self, a: Point, b: Point) -> [i64; 2] {
        let (dx, dy) = (i64::from(a.x.abs_diff(b.x)), i64::from(a.y.abs_diff(b.y)));
        if self.along_x { [dx, dy] } else { [dy, dx] }
    }

    const fn point(self, offset: i32) -> Point {
        if self.along_x { Point { x: offset, y: self.at } } else { Point { x: self.at, y: offset } }
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

/// The corners on one side of a tile.
#[derive(Clone, Debug)]
pub(super) struct TileBorder {
    line: BorderLine,
    /// The corners along the line, sorted.
    offsets: Vec<i32>,
}

impl TileBorder {
    /// Computes the border along `line`: its corners are where free space begins or ends on either side.
    pub fn new(line: BorderLine, floor: &Selection, colliders: &Selection, agent: &AgentShape) -> Self {
        // Everything that an agent can touch whose centre lies in the band.
        let window = line.band(BAND, BAND).grown(agent.half_x + 1, agent.half_y + 1);
        let free = free_space(&floor.within(window), &colliders.within(window));
        let convolved = convolve(&free, agent);
        let mut offsets = Vec::new();
        // Each side by itself: where only one is free, an edge along the line ends at its corner.
        for band in [line.band(BAND, 0), line.band(0, BAND)] {
            for contour in contours_of(&convolved.resolve(Some(band))) {
                for (a, b) in sides(contour) {
                    if let (Some(a), Some(b)) = (line.offset_of(a), line.offset_of(b)) {
                        offsets.extend([a, b]);
                    }
                }
            }
        }
        offsets.sort_unstable();
        // The ends of the line are corners of the tile, so corners near them move onto them.
        offsets.dedup_by(|next, kept| {
            let near = *next - *kept <= MERGE_DISTANCE;
            if near && *next == line.end {
                *kept = line.end;
            }
            near
        });
        Self { line, offsets }
    }

    /// Returns `true` if the point is on the border's line.
    pub const fn holds(&self, point: Point) -> bool {
        self.line.offset_of(point).is_some()
    }

    /// The point moved onto the border's corner near it, if it is on the line. `neighbours` are those in its
    /// contour.
    fn snapped(&self, point: Point, neighbours: [Point; 2]) -> Point {
        let Some(offset) = self.line.offset_of(point) else { return point };
        // Corners of the tile are shared by all tiles around them.
        if offset == self.line.start || offset == self.line.end {
            return point;
        }
        // The flatter an edge meets the line, the farther rounding moves the place where it meets it.
        let reach = neighbours.map(|other| {
            let [along, across] = self.line.distance(point, other);
            // An edge along the line says nothing about the place of its end.
            if across == 0 { i64::MAX } else { EDGE_DISTANCE * along / across }
        });
        let reach = match reach[0].min(reach[1]) {
            i64::MAX => SNAP_DISTANCE,
            reach => SNAP_DISTANCE + reach,
        };
        let nearest = self.offsets.iter().copied().min_by_key(|p| p.abs_diff(offset));
        nearest.filter(|p| i64::from(p.abs_diff(offset)) <= reach).map_or(point, |p| self.line.point(p))
    }

    /// The border's corners strictly between two points of its line, from the first to the second.
    fn between(&self, a: Point, b: Point) -> Vec<Point> {
        let (Some(a), Some(b)) = (self.line.offset_of(a), self.line.offset_of(b)) else { return Vec::new() };
        let inner = self.offsets.iter().filter(|&&p| p > a.min(b) && p < a.max(b));
        let mut points: Vec<_> = inner.map(|&p| self.line.point(p)).collect();
        // Offsets are sorted upwards; a contour may run either direction.
        if a > b {
            points.reverse();
        }
        points
    }
}

/// The contours with their corners on borders moved, and with the corners of all borders added.
pub(super) fn fitted(contours: &Contours, borders: &[TileBorder]) -> Contours {
    let mut result = Contours::default();
    let mut points = Vec::new();
    for contour in contours_of(contours) {
        let n = contour.len();
        let moved: Vec<_> = (0..n)
            .map(|i| {
                let neighbours = [contour[(i + n - 1) % n], contour[(i + 1) % n]];
                borders.iter().fold(contour[i], |point, border| border.snapped(point, neighbours))
            })
            .collect();
        points.clear();
        for (a, b) in sides(&moved) {
            points.push(a);
            points.extend(borders.iter().flat_map(|border| border.between(a, b)));
        }
        points.dedup();
        result.add_contour(&points);
    }
    result
}
