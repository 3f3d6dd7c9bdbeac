//! The line that a body's centre follows, and which of its points is next.

use super::{Ground, ON, Point};
use crate::geometry::{Cell, CellRect, Footprint};

/// A body that is so near to a point has arrived there, whatever lies behind it, in cells.
const ARRIVED: f64 = 0.02;
/// A body that has gone past a point has arrived if it is so near to it, in cells.
const PAST: f64 = 0.35;
/// A body that is farther from where it was at the last look, or from the line on which it was told to walk
/// from there, was put where it is, in cells: it did not walk over what lies between.
pub(super) const STEP_MAX: f64 = 2.0;
/// How far ahead on the line a body that was moved off it looks for a point to come back to, in cells, the
/// best first.
const LEADS: [f64; 4] = [1.0, 0.5, 0.25, 0.0];

/// A link that leads to a point of a line, from the point before.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LinkLeg {
    /// The index of the point.
    pub index: usize,
    /// The number of the link.
    pub id: u32,
    /// How many bodies can be on it at a time; 0 for any number.
    pub bodies_max: u32,
    /// How long a body takes, in seconds; `None` for the time that the straight line takes at its speed.
    pub seconds: Option<f32>,
}

/// A line of points with the one that the body walks to.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Polyline {
    pub points: Vec<Point>,
    /// The links on it, in its order.
    links: Vec<LinkLeg>,
    /// The body is on the link to the point that is walked to.
    is_on_link: bool,
    /// The point that is walked to.
    pub next_index: usize,
    /// Where the body was when there was room on the line from there to the point that is walked to.
    seen_from: Point,
}

impl Polyline {
    /// Returns the line through `points` for a body at the first of them.
    pub fn new(points: Vec<Point>) -> Self {
        Self::with_links(points, Vec::new())
    }

    /// Returns the same line with links that lead to some of its points.
    pub fn with_links(points: Vec<Point>, links: Vec<LinkLeg>) -> Self {
        let seen_from = points.first().copied().unwrap_or_default();
        Self { points, links, is_on_link: false, next_index: 1, seen_from }
    }

    /// Returns the link that leads to a point.
    pub fn link_to(&self, index: usize) -> Option<&LinkLeg> {
        self.links.iter().find(|link| link.index == index)
    }

    /// Returns the link that the body is on.
    pub fn link_under(&self) -> Option<&LinkLeg> {
        self.link_to(self.next_index).filter(|_| self.is_on_link)
    }

    /// Returns the link that the body is to enter next, where it begins.
    pub fn link_ahead(&self) -> Option<&LinkLeg> {
        self.link_to(self.next_index).filter(|_| !self.is_on_link)
    }

    /// The body enters the link that it is to enter next.
    pub fn enter_link(&mut self) {
        self.is_on_link = self.link_to(self.next_index).is_some();
    }

    /// Returns `true` if a body on a link, or before one, has come to the point that is walked to.
    pub fn is_at_link_end(&self, last: Point, position: Point) -> bool {
        let is_there = self.next_point().is_some_and(|next| next.distance(position) <= ON);
        is_there || self.has_passed(position) || self.has_crossed(last, position)
    }

    /// Returns the point that is walked to.
    pub fn next_point(&self) -> Option<Point> {
        self.points.get(self.next_index).copied()
    }

    /// Returns `true` if the point that is walked to is the last.
    pub fn is_at_last(&self) -> bool {
        self.next_index + 1 >= self.points.len()
    }

    /// Returns `position` and the points that are left.
    pub fn rest(&self, position: Point) -> Vec<Point> {
        let rest = self.points.get(self.next_index..).unwrap_or_default();
        std::iter::once(position).chain(rest.iter().copied()).collect()
    }

    /// Goes on to the next point as often as the body may that was at `last` and is at `position`: if it has
    /// arrived, or is within `reach`, in units of the metric, and has room to walk straight on. Beside its
    /// line, where others have pushed it, a body's length is near enough: two that both have to come to one
    /// point before a gate would hold each other. A link is entered within `link_reach` cells of where it
    /// begins. Returns the points that were reached.
    pub fn advance(
        &mut self,
        ground: &Ground<'_>,
        (last, position): (Point, Point),
        [reach, link_reach]: [f64; 2],
    ) -> Vec<(usize, Point)> {
        let mut reached = Vec::new();
        let footprint = ground.profile.footprint;
        let length = f64::from(footprint.w().max(footprint.h()));
        while !self.is_at_last() {
            let next = self.points[self.next_index];
            let (on_link, before_link) = (self.link_to(self.next_index), self.link_to(self.next_index + 1));
            if on_link.is_some() || before_link.is_some() {
                // Links begin and end at their cells, whatever there is room for.
                let is_held = on_link.is_some() && !self.is_on_link;
                let is_near = on_link.is_none() && next.distance(position) <= link_reach;
                if is_held || !is_near && !self.is_at_link_end(last, position) {
                    break;
                }
                (self.is_on_link, self.seen_from) = (false, next);
                reached.push((self.next_index, next));
                self.next_index += 1;
                continue;
            }
            let is_pushed = || !self.is_on_line(position) && next.distance(position) <= length;
            let can_go_on = (ground.metric.distance(next, position) <= reach || is_pushed())
                && ground.has_room(position, self.points[self.next_index + 1]);
            let has_crossed = self.has_crossed(last, position);
            if !can_go_on && !has_crossed && next.distance(position) > ARRIVED && !self.has_passed(position) {
                break;
            }
            // From where it has room to the next point, no cells are looked up again while it keeps to that
            // line.
            self.seen_from = if can_go_on || has_crossed { position } else { next };
            reached.push((self.next_index, next));
            self.next_index += 1;
        }
        reached
    }

    /// Returns `true` if the body has gone past the point that it walks to, close by.
    pub fn has_passed(&self, position: Point) -> bool {
        self.is_past(position) && self.next_point().is_some_and(|next| next.distance(position) <= PAST)
    }

    /// Returns `true` if the body walked over the point that it walks to, on its line, in one step from
    /// `last` to `position`. A body is as exact as its steps are long: however far behind the point it is
    /// now, it would never come nearer.
    pub fn has_crossed(&self, last: Point, position: Point) -> bool {
        last.distance(position) <= STEP_MAX
            && self.is_on_line(last)
            && !self.is_past(last)
            && self.is_past(position)
            && self.next_point().is_some_and(|next| next.distance(next.nearest_on(last, position)) <= ON)
    }

    /// Returns `true` if the body is no more before the point that it walks to.
    fn is_past(&self, position: Point) -> bool {
        let Some((from, next)) = self.segment() else { return false };
        let (x, y) = (next.x - from.x, next.y - from.y);
        (position.x - next.x) * x + (position.y - next.y) * y >= 0.0
    }

    /// Returns where a body at `position` is to walk next: to the next point, or, when it was moved off its
    /// line and a wall is between, back to the line. `None` if it cannot do that in a straight line either,
    /// unless it is off the map.
    pub fn aim(&mut self, ground: &Ground<'_>, position: Point) -> Option<Point> {
        let (from, next) = self.segment()?;
        // There is room on the line: it was looked at when the path was made. On a link none is needed.
        if self.is_on_link || self.is_on_line(position) {
            return Some(next);
        }
        if ground.has_room(position, next) {
            self.seen_from = position;
            return Some(next);
        }
        let near = position.nearest_on(from, next);
        let back =
            LEADS.iter().map(|&lead| near.toward(next, lead)).find(|&point| ground.has_room(position, point));
        back.or_else(|| ground.is_off(position).then_some(next))
    }

    /// Returns how far `position` is from the part of the line that is walked now, in units of the metric.
    pub fn distance(&self, ground: &Ground<'_>, position: Point) -> f64 {
        let Some((from, next)) = self.segment() else { return 0.0 };
        ground.metric.distance(position, position.nearest_on(from, next))
    }

    /// Returns `true` if the body touches a cell of one of `rects`, or a neighbour of one, on what is left
    /// from `position`.
    pub fn touches(&self, footprint: Footprint, position: Point, rects: &[CellRect]) -> bool {
        let near: Vec<CellRect> = rects.iter().map(|rect| rect.grown(1, 1, 1, 1)).collect();
        self.meets(position, &near, half(footprint))
    }

    /// Returns `true` if the body goes into one of `cells` on what is left from `position`, not only along
    /// it.
    pub fn enters(&self, footprint: Footprint, position: Point, cells: &[Cell]) -> bool {
        let cells: Vec<CellRect> = cells.iter().map(|&cell| CellRect::cell(cell)).collect();
        self.meets(position, &cells, half(footprint).map(|half| half - ON))
    }

    fn meets(&self, position: Point, rects: &[CellRect], half: [f64; 2]) -> bool {
        let rest = self.rest(position);
        let meets = |(n, pair): (usize, &[Point]), rect| match self.link_to(self.next_index + n) {
            // A link enters no cell between its ends.
            Some(_) => pair.iter().any(|&end| touches(end, end, rect, half)),
            None => touches(pair[0], pair[1], rect, half),
        };
        rects.iter().any(|&rect| rest.windows(2).enumerate().any(|pair| meets(pair, rect)))
    }

    /// Returns the part of the line that is walked now: the point that was reached last, and the next.
    fn segment(&self) -> Option<(Point, Point)> {
        Some((*self.points.get(self.next_index.checked_sub(1)?)?, self.next_point()?))
    }

    /// Returns `true` if the body is on the line to the next point, or on one of which it is known that there
    /// is room.
    fn is_on_line(&self, position: Point) -> bool {
        let Some((from, next)) = self.segment() else { return false };
        [from, self.seen_from].iter().any(|&a| position.distance(position.nearest_on(a, next)) <= ON)
    }
}

/// Returns half of the width and height of a body.
fn half(footprint: Footprint) -> [f64; 2] {
    [footprint.w(), footprint.h()].map(|side| f64::from(side) / 2.0)
}

/// Returns `true` if the body touches `rect` on its straight line from `a` to `b`: if the line of its centre
/// meets the rectangle that is larger by half of the body on each side (Liang & Barsky, 1984).
fn touches(a: Point, b: Point, rect: CellRect, [w, h]: [f64; 2]) -> bool {
    let low = (f64::from(rect.x) - w, f64::from(rect.y) - h);
    let high = (f64::from(rect.right()) + w, f64::from(rect.bottom()) + h);
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    for (from, to, low, high) in [(a.x, b.x, low.0, high.0), (a.y, b.y, low.1, high.1)] {
        let along = to - from;
        if along == 0.0 {
            if from < low || from > high {
                return false;
            }
            continue;
        }
        let (enter, leave) = ((low - from) / along, (high - from) / along);
        first = first.max(enter.min(leave));
        last = last.min(enter.max(leave));
    }
    first <= last
}
