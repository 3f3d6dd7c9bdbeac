//! Where a body walks: the cells that are open to it, and distances in the units of the game.

use super::swept_cells::{covered, enters_only_open};
use super::{Goal, Point};
use crate::geometry::{Cell, CellRect, DiagonalMode, Side};
use crate::terrain::{BodyEdges, Terrain};
use crate::world::{GoalMode, Profile};

/// A body that overlaps a cell by more than this on both axes stands in it, in cells.
const DEEP: f64 = 0.5;
/// A body that overlaps a cell by at most this on both axes brushes its corner, in cells.
const BRUSH: f64 = 0.15;
/// How far off, in cells, a placement is looked for by a body that is on none: a map without room costs
/// little.
const WAYS_IN_RINGS: i32 = 32;

/// How far apart points are in the units of [`Settings`](super::Settings), whatever the shape of the cells:
/// the squared length of (x, y) is `xx`·x² + 2·`xy`·x·y + `yy`·y².
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Metric {
    xx: f64,
    xy: f64,
    yy: f64,
}

impl Metric {
    /// Distances in cells.
    pub const CELLS: Self = Self { xx: 1.0, xy: 0.0, yy: 1.0 };

    /// Returns the metric of cells whose sides are `x` and `y`, each as a vector.
    pub fn of_sides(x: (f64, f64), y: (f64, f64)) -> Self {
        Self { xx: x.0 * x.0 + x.1 * x.1, xy: x.0 * y.0 + x.1 * y.1, yy: y.0 * y.0 + y.1 * y.1 }
    }

    /// Returns the distance from `a` to `b`.
    pub(crate) fn distance(&self, a: Point, b: Point) -> f64 {
        let (x, y) = (b.x - a.x, b.y - a.y);
        (self.xx * x * x + 2.0 * self.xy * x * y + self.yy * y * y).max(0.0).sqrt()
    }
}

/// The map as a body sees it.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// The cells.
    pub terrain: &'a Terrain,
    /// The body.
    pub profile: &'a Profile,
    /// How far apart points are.
    pub metric: Metric,
}

impl Ground<'_> {
    /// Returns `true` if the body may cover `cell`.
    pub(crate) fn is_open(&self, cell: Cell) -> bool {
        self.terrain.is_open_past(cell, self.profile.capability, &self.profile.ignored_obstacles)
    }

    /// Returns the edges that it meets.
    fn edges(&self) -> BodyEdges<'_> {
        self.terrain.edges_for(self.profile.climb)
    }

    /// Returns `true` if the body enters no closed cell and crosses no closed edge on the straight line of its
    /// centre. It goes no deeper into a cell that it sticks out into at the start. Exact; looks up cells, no
    /// layer.
    pub(crate) fn has_room(&self, start: Point, end: Point) -> bool {
        let footprint = self.profile.footprint;
        let under = covered(start, footprint);
        let leaves = |cell| self.is_open(cell) || self.leaves(cell, start, end);
        let is_open = |cell| self.is_open(cell);
        // The cells under it at the start are no cells that it enters.
        under.cells().all(leaves)
            && if self.edges().exist() {
                let crosses = |covered, side| self.crosses_edge(covered, side, under);
                self.parts(under, start, end)
                    && enters_only_open((start, end), footprint, is_open, |covered, side| {
                        !crosses(covered, side)
                    })
            } else {
                enters_only_open((start, end), footprint, is_open, |_, _| true)
            }
    }

    /// Returns `true` if a wall keeps the body from going straight to `end`, where it fits.
    pub(super) fn is_walled_off(&self, position: Point, end: Point) -> bool {
        !self.has_room(position, end) && self.anchor(end).is_some_and(|anchor| self.is_placement(anchor))
    }

    /// Returns `true` if a body that covers `covered` has come over a closed edge, as it entered the last cells
    /// on `side`. It may leave a wall across which it stood at the start, where it covered `under`.
    fn crosses_edge(&self, covered: CellRect, side: Side, under: CellRect) -> bool {
        let (dx, dy) = (side.direction().dx(), side.direction().dy());
        // As far as the body reached before, and the cells that it has entered.
        let (w, h) = (self.profile.footprint.w(), self.profile.footprint.h());
        let low = |at: i32, length: i32, body: i32, by: i32| {
            if by > 0 { at + length - 1 - body } else { at + 1 }
        };
        let (before, entered) = if dx == 0 {
            let last = if dy > 0 { covered.y + covered.h - 1 } else { covered.y };
            let y = low(covered.y, covered.h, h, dy);
            (CellRect { y, h, ..covered }, CellRect { y: last, h: 1, ..covered })
        } else {
            let last = if dx > 0 { covered.x + covered.w - 1 } else { covered.x };
            let x = low(covered.x, covered.w, w, dx);
            (CellRect { x, w, ..covered }, CellRect { x: last, w: 1, ..covered })
        };
        let edges = self.edges();
        let is_closed = |cell: Cell| {
            let beyond = side.beyond(cell);
            let is_left =
                under.contains(cell) && under.contains(beyond) && edges.is_closed(beyond, side.opposite());
            edges.is_closed(cell, side) && !is_left
        };
        before.cells().any(is_closed) || edges.has_wall_within(entered)
    }

    /// Returns `true` if a body goes away from each wall without thickness across which it stands at `start`,
    /// as when a door was closed on it.
    fn parts(&self, under: CellRect, start: Point, end: Point) -> bool {
        let edges = self.edges();
        let is_wall = |cell: Cell, side: Side| under.contains(side.beyond(cell)) && edges.is_wall(cell, side);
        under.cells().all(|cell| {
            let goes_away = |line: i32, at: f64, to: f64| (at - f64::from(line)) * (to - at) >= 0.0;
            (goes_away(cell.x, start.x, end.x) || !is_wall(cell, Side::Left))
                && (goes_away(cell.y, start.y, end.y) || !is_wall(cell, Side::Top))
        })
    }

    /// Returns `true` if a body that overlaps `cell` at `start` goes no deeper into it, or stands in it and
    /// may leave any way.
    fn leaves(&self, cell: Cell, start: Point, end: Point) -> bool {
        let along = |at: f64, to: f64, cell: i32, side: i32| {
            let off = at - (f64::from(cell) + 0.5);
            (f64::from(side) / 2.0 + 0.5 - off.abs(), (to - at) * off)
        };
        let footprint = self.profile.footprint;
        let x = along(start.x, end.x, cell.x, footprint.w());
        let y = along(start.y, end.y, cell.y, footprint.h());
        // It came in on the axis on which it is less deep, and that is the way out.
        let (depth, away) = if x.0 <= y.0 { x } else { y };
        // A crowd leaves bodies room around their discs: one that brushes a corner on both axes may leave on
        // either. Were it told to leave on the axis on which it is less deep now, that could be another one
        // in each frame.
        let brushes = x.0.max(y.0) <= BRUSH;
        depth > DEEP || away >= 0.0 || brushes && x.1.max(y.1) > 0.0
    }

    /// Returns `true` if `anchor` is a valid placement.
    pub(crate) fn is_placement(&self, anchor: Cell) -> bool {
        let body = self.profile.footprint.at(anchor);
        body.cells().all(|cell| self.is_open(cell)) && !self.edges().has_wall_within(body)
    }

    /// Returns the longer side of the body, in cells.
    pub(super) fn body_length(&self) -> f64 {
        f64::from(self.profile.footprint.w().max(self.profile.footprint.h()))
    }

    /// Returns the centre of the body at `anchor`.
    pub fn center(&self, anchor: Cell) -> Point {
        let footprint = self.profile.footprint;
        let at = |cell: i32, side: i32| f64::from(cell) + f64::from(side) / 2.0;
        Point::new(at(anchor.x, footprint.w()), at(anchor.y, footprint.h()))
    }

    /// Returns the anchor of the body whose centre is nearest to `position`; `None` if that is not finite.
    pub(crate) fn anchor(&self, position: Point) -> Option<Cell> {
        let footprint = self.profile.footprint;
        // Exact for one cell, which is the cell that holds the point. A float cast saturates.
        let at = |at: f64, side: i32| (at - f64::from(side - 1) / 2.0).floor() as i32;
        position.is_finite().then(|| Cell::new(at(position.x, footprint.w()), at(position.y, footprint.h())))
    }

    /// Returns the goal of a body that wants to be at `target`.
    pub(crate) fn goal(&self, target: Point, mode: GoalMode) -> Option<Goal> {
        let cell = if mode == GoalMode::Exact {
            self.anchor(target)?
        } else if target.is_finite() {
            Cell::new(target.x.floor() as i32, target.y.floor() as i32)
        } else {
            return None;
        };
        Some(Goal { cell, mode })
    }

    /// Returns the valid placement that a body at `position` is on, or the nearest around it that it can come
    /// to. For one outside the region or deep in closed cells that is the nearest placement of all; its own
    /// anchor if there is none.
    pub(crate) fn start(&self, position: Point) -> Option<Cell> {
        let start = self.start_around(position);
        start.or_else(|| self.way_in(position)).or_else(|| self.anchor(position))
    }

    /// Returns the placement around the body that is nearest of those to which it has room.
    fn start_around(&self, position: Point) -> Option<Cell> {
        let around = CellRect::cell(self.anchor(position)?).grown(1, 1, 1, 1).cells();
        let starts =
            around.filter(|&cell| self.is_placement(cell) && self.room_onto(position, cell).is_some());
        let distance = |&cell: &Cell| position.distance(self.center(cell));
        starts.min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }

    /// Returns `true` if a part of the body lies outside the region, or it is so deep in closed cells that it
    /// has room to no placement around it. From there it walks straight, as there is nothing that it could
    /// run into.
    pub(super) fn is_off(&self, position: Point) -> bool {
        let inside = |anchor| {
            let body = self.profile.footprint.at(anchor);
            body.intersection(self.terrain.region()) == body
        };
        !self.anchor(position).is_some_and(inside) || self.start_around(position).is_none()
    }

    /// Returns the placement to which a body that is off the map walks: the nearest, if one is within
    /// [`WAYS_IN_RINGS`] of the nearest anchor inside.
    fn way_in(&self, position: Point) -> Option<Cell> {
        let (footprint, region) = (self.profile.footprint, self.terrain.region());
        let here = self.anchor(position).filter(|_| self.is_off(position))?;
        let (width, height) = (region.w - footprint.w(), region.h - footprint.h());
        if width < 0 || height < 0 {
            return None;
        }
        let edge =
            Cell::new(here.x.clamp(region.x, region.x + width), here.y.clamp(region.y, region.y + height));
        let (mut nearest, mut last): (Option<(f64, Cell)>, _) = (None, WAYS_IN_RINGS);
        let mut ring = 0;
        while ring <= last {
            let is_rim = |cell: &Cell| (cell.x - edge.x).abs().max((cell.y - edge.y).abs()) == ring;
            let square = CellRect::cell(edge).grown(ring, ring, ring, ring).intersection(region);
            for cell in square.cells().filter(is_rim) {
                let far = position.distance(self.center(cell));
                if nearest.is_none_or(|(least, _)| far < least) && self.is_placement(cell) {
                    nearest = Some((far, cell));
                    // Rings are square: a nearer one can lie at the middle of a side farther out.
                    last = last.min(ring * 3 / 2 + 1);
                }
            }
            ring += 1;
        }
        nearest.map(|(_, cell)| cell)
    }

    /// Returns the points on the line of a body at `position` to the centre of a placement near it, without
    /// the first: straight, or by way of the centre of the cells that it is on, which is free where it sticks
    /// out into closed cells.
    pub(super) fn line_onto(&self, position: Point, anchor: Cell) -> Option<Vec<Point>> {
        let is_way_in = || self.way_in(position) == Some(anchor);
        self.room_onto(position, anchor).or_else(|| is_way_in().then(|| vec![self.center(anchor)]))
    }

    /// Returns the same for a body that is on the map.
    fn room_onto(&self, position: Point, anchor: Cell) -> Option<Vec<Point>> {
        let end = self.center(anchor);
        if self.has_room(position, end) {
            return Some(vec![end]);
        }
        let middle = self.center(self.anchor(position)?);
        (self.has_room(position, middle) && self.has_room(middle, end)).then(|| vec![middle, end])
    }

    /// Returns `true` if the body may enter some of the first `most` cells of `rect`, or there are more.
    pub(super) fn may_enter_some(&self, rect: CellRect, most: usize) -> bool {
        let mut cells = rect.intersection(self.terrain.region()).cells();
        cells.by_ref().take(most).any(|cell| self.is_open(cell)) || cells.next().is_some()
    }

    /// Returns the steps along straight lines between `points`: straight ones count 1, diagonal ones √2.
    pub(super) fn steps_along(&self, points: &[Point]) -> f64 {
        points.windows(2).map(|pair| self.steps(pair[1].x - pair[0].x, pair[1].y - pair[0].y)).sum()
    }

    /// Returns the least steps from `start` to `end` on which the body comes to cover a cell of `rect`.
    pub(super) fn steps_by_way_of(&self, start: Point, rect: CellRect, end: Point) -> f64 {
        // From the lowest to the highest centre of the body.
        let beside = |at: f64, low: i32, length: i32, side: i32| {
            let half = f64::from(side) / 2.0;
            let (low, high) = (f64::from(low) + 1.0 - half, f64::from(low) + f64::from(length) - 1.0 + half);
            (low - at).max(at - high).max(0.0)
        };
        let footprint = self.profile.footprint;
        let far = |at: Point| {
            self.steps(
                beside(at.x, rect.x, rect.w, footprint.w()),
                beside(at.y, rect.y, rect.h, footprint.h()),
            )
        };
        far(start) + far(end)
    }

    fn steps(&self, columns: f64, rows: f64) -> f64 {
        let (columns, rows) = (columns.abs(), rows.abs());
        if self.profile.diagonal_mode == DiagonalMode::Never {
            return columns + rows;
        }
        columns.max(rows) + columns.min(rows) * (std::f64::consts::SQRT_2 - 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Footprint;
    use crate::terrain::ClimbLimit;

    fn open_map() -> Terrain {
        Terrain::from_text(&[".........."; 8].join("\n"), Cell::default()).unwrap()
    }

    fn ground<'a>(terrain: &'a Terrain, profile: &'a Profile) -> Ground<'a> {
        Ground { terrain, profile, metric: Metric::CELLS }
    }

    fn body(side: i64) -> Profile {
        Profile { footprint: Footprint::square(side).unwrap(), ..Profile::default() }
    }

    #[test]
    fn no_line_with_room_crosses_a_closed_edge() {
        let mut map = open_map();
        map.fill_edges(CellRect::new(5, 0, 1, 5), Side::Left, true, false);
        map.fill_edges(CellRect::new(7, 0, 1, 8), Side::Right, true, true);
        let small = body(1);
        let ground = ground(&map, &small);
        let has_room = |from: [f64; 2], to: [f64; 2]| {
            ground.has_room(Point::new(from[0], from[1]), Point::new(to[0], to[1]))
        };
        assert!(!has_room([4.5, 2.5], [5.5, 2.5]) && !has_room([5.5, 2.5], [4.5, 2.5]));
        assert!(has_room([4.5, 5.5], [5.5, 5.5]) && !has_room([4.5, 5.3], [5.5, 5.3]));
        assert!(!has_room([4.5, 4.5], [5.5, 5.5]) && has_room([4.5, 1.5], [4.5, 6.5]));
        assert!(!has_room([7.5, 2.5], [8.5, 2.5]) && has_room([8.5, 2.5], [7.5, 2.5]));
        assert_eq!(ground.start(Point::new(4.9, 2.5)), Some(Cell::new(4, 2)));
        assert!(ground.is_placement(Cell::new(4, 2)));
    }

    #[test]
    fn a_body_leaves_a_door_that_closes_on_its_own_side() {
        for side in 1..4 {
            let mut map = open_map();
            map.fill_edges(CellRect::new(5, 0, 1, 8), Side::Left, true, false);
            let body = body(side);
            let ground = ground(&map, &body);
            let half = side as f64 / 2.0;
            for n in 0..100 {
                let at = Point::new(half + f64::from(n) * 0.1, 4.0);
                if (at.x - 5.0).abs() < 0.05 || at.x + half > 10.0 {
                    continue;
                }
                let start = ground.start(at).unwrap();
                assert_eq!(ground.center(start).x < 5.0, at.x < 5.0, "{at:?} {start:?}");
                assert!(ground.is_placement(start) && ground.line_onto(at, start).is_some());
                let other = Point::new(10.0 - at.x, 4.0);
                assert!(!ground.has_room(at, other), "{at:?} {other:?}");
            }
        }
    }

    #[test]
    fn lines_with_room_are_steps_over_open_edges() {
        let mut with_room = 0;
        for seed in 1..40_u32 {
            let mut state = seed;
            let mut random = move |below: u32| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 8) % below
            };
            let side = 1 + seed as i32 % 3;
            let mut map = open_map();
            for _ in 0..40 / side {
                let edge = Side::ALL[random(4) as usize];
                let cell = Cell::new(random(10) as i32, random(8) as i32);
                map.fill_edges(CellRect::cell(cell), edge, true, random(3) == 0);
            }
            let profile = body(side.into());
            let ground = ground(&map, &profile);
            let anchors = |at: Point| {
                let CellRect { x, y, w, h } = covered(at, profile.footprint);
                CellRect::new(x, y, w - side + 1, h - side + 1)
            };
            for _ in 0..200 {
                let mut any = || Point::new(f64::from(random(100)) / 10.0, f64::from(random(80)) / 10.0);
                let (from, to) = (any(), any());
                if map.edges_for(ClimbLimit::NONE).has_wall_within(covered(from, profile.footprint))
                    || !ground.has_room(from, to)
                {
                    continue;
                }
                with_room += 1;
                let mut before = anchors(from);
                for n in 1..=1000 {
                    let at = from.lerp(to, f64::from(n) / 1000.0);
                    let now = anchors(at);
                    let edges = map.edges_for(ClimbLimit::NONE);
                    assert!(!edges.has_wall_within(covered(at, profile.footprint)), "{from:?} {to:?}");
                    let mut reached: Vec<Cell> = before.cells().collect();
                    for _ in 0..2 {
                        for (at, edge) in
                            reached.clone().into_iter().flat_map(|at| Side::ALL.map(|e| (at, e)))
                        {
                            if !edges.blocks_step(profile.footprint.at(at), edge) {
                                reached.push(edge.beyond(at));
                            }
                        }
                    }
                    assert!(now.cells().all(|at| reached.contains(&at)), "{from:?} {to:?}");
                    before = now;
                }
            }
        }
        assert!(with_room > 150, "{with_room}");
    }
}
