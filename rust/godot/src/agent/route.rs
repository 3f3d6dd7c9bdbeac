//! The route that a body follows: the positions along a path, and which of them is next.

use godot::prelude::*;
use pathforge_core::geometry::{CellRect, DiagonalMode};
use pathforge_core::world::Profile;

use crate::geometry::CellGeometry;
use crate::grid::{PathForgeGrid, covered};

/// So near to a position a body has arrived there whatever lies behind it, in cells.
const ARRIVED: f32 = 0.02;
/// A body that has gone past a position has arrived when it is so near to its line, in cells.
const BESIDE: f32 = 0.35;
/// From look to look along a route, in cells.
const STRIDE: f64 = 0.5;

/// The route of a body's centre, in global space.
#[derive(Clone, Default)]
pub struct Route {
    pub positions: Vec<Vector2>,
    /// The position that is walked to.
    pub next: usize,
}

impl Route {
    /// The position that is walked to.
    pub fn goal_of_now(&self) -> Option<Vector2> {
        self.positions.get(self.next).copied()
    }

    pub fn is_at_last(&self) -> bool {
        self.next + 1 >= self.positions.len()
    }

    /// The length of the whole route, in pixels.
    pub fn length(&self) -> f32 {
        // An empty sum is a negative zero, which scripts print as "-0.0".
        self.positions.windows(2).map(|pair| pair[0].distance_to(pair[1])).fold(0.0, |sum, part| sum + part)
    }

    /// Goes on to the next position as often as the body at `place` may: when it has arrived, or when it is within
    /// `reach` pixels and has room to walk straight on. Returns the positions that were reached.
    pub fn advance(&mut self, ground: &Ground<'_>, place: Vector2, reach: f32) -> Vec<(usize, Vector2)> {
        let mut reached = Vec::new();
        while !self.is_at_last() {
            let here = self.positions[self.next];
            let has_arrived =
                here.distance_to(place) <= ARRIVED * ground.cell_px || self.has_passed(ground, place);
            let can_go_on =
                here.distance_to(place) <= reach && ground.has_room(place, self.positions[self.next + 1]);
            if !has_arrived && !can_go_on {
                break;
            }
            reached.push((self.next, here));
            self.next += 1;
        }
        reached
    }

    /// Returns `true` if the body has gone past the position that it walks to, close by.
    pub fn has_passed(&self, ground: &Ground<'_>, place: Vector2) -> bool {
        let (Some(&earlier), Some(&here)) =
            (self.positions.get(self.next.wrapping_sub(1)), self.positions.get(self.next))
        else {
            return false;
        };
        let Some(along) = (here - earlier).try_normalized() else { return true };
        let past = place - here;
        past.dot(along) >= 0.0 && past.length() <= BESIDE * ground.cell_px
    }

    /// How far `place` is from the part of the route that is walked now.
    pub fn distance(&self, place: Vector2) -> f32 {
        let Some(here) = self.goal_of_now() else { return 0.0 };
        let earlier = self.positions.get(self.next.wrapping_sub(1)).copied().unwrap_or(here);
        let along = here - earlier;
        let t = if along.length_squared() > 0.0 {
            ((place - earlier).dot(along) / along.length_squared()).clamp(0.0, 1.0)
        } else {
            1.0
        };
        place.distance_to(earlier + along * t)
    }

    /// Returns `true` if the body touches a cell of one of `rects`, or a neighbour of one, on what is left of the route
    /// from `place`.
    pub fn touches(&self, ground: &Ground<'_>, place: Vector2, rects: &[CellRect]) -> bool {
        let rest = self.positions.get(self.next..).unwrap_or_default();
        let points = std::iter::once(place).chain(rest.iter().copied()).map(|point| ground.cell_space(point));
        let points: Vec<(f64, f64)> = points.collect();
        rects.iter().any(|rect| {
            let rect = rect.grown(1, 1, 1, 1);
            points.windows(2).any(|pair| touches(pair[0], pair[1], rect, ground.profile))
        })
    }
}

/// Returns `true` if the body touches `rect` on its straight route from `a` to `b`, in cell space.
fn touches(a: (f64, f64), b: (f64, f64), rect: CellRect, profile: &Profile) -> bool {
    let length = (b.0 - a.0).hypot(b.1 - a.1);
    let (w, h) = (f64::from(profile.footprint.w()), f64::from(profile.footprint.h()));
    let (x, y) = (f64::from(rect.x), f64::from(rect.y));
    // Only near the rectangle: the route may be of any length.
    let near = clipped(a, b, (x - w, y - h), (x + f64::from(rect.w) + w, y + f64::from(rect.h) + h));
    let Some((first, last)) = near.filter(|_| length.is_finite()) else { return false };
    let strides = ((last - first) * length / STRIDE).ceil().max(1.0);
    (0..=strides as u32).any(|stride| {
        let t = first + (last - first) * f64::from(stride) / strides;
        let at = (a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t);
        !covered(at, profile.footprint).intersection(rect).is_empty()
    })
}

/// Between which parts of the route from `a` to `b` it lies within `low` and `high` (Liang and Barsky).
fn clipped(a: (f64, f64), b: (f64, f64), low: (f64, f64), high: (f64, f64)) -> Option<(f64, f64)> {
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    for (from, to, low, high) in [(a.0, b.0, low.0, high.0), (a.1, b.1, low.1, high.1)] {
        let along = to - from;
        if along == 0.0 {
            if from < low || from > high {
                return None;
            }
            continue;
        }
        let (enter, leave) = ((low - from) / along, (high - from) / along);
        first = first.max(enter.min(leave));
        last = last.min(enter.max(leave));
    }
    (first <= last).then_some((first, last))
}

/// Where a body walks, with positions in global space.
pub struct Ground<'a> {
    pub grid: &'a PathForgeGrid,
    pub geometry: CellGeometry,
    pub to_local: Transform2D,
    pub profile: &'a Profile,
    /// The shorter side of a cell in global space.
    pub cell_px: f32,
}

impl<'a> Ground<'a> {
    /// `None` where the grid is flattened to nothing.
    pub fn new(grid: &'a PathForgeGrid, to_global: Transform2D, profile: &'a Profile) -> Option<Self> {
        let geometry = grid.cell_geometry();
        let scale = to_global.scale().abs();
        let cell_px = (geometry.cell_size * scale).x.min((geometry.cell_size * scale).y);
        let is_flat = to_global.determinant() == 0.0;
        (!is_flat).then(|| Self { grid, geometry, to_local: to_global.affine_inverse(), profile, cell_px })
    }

    /// Returns `true` if the body has room on the straight route of its centre.
    pub fn has_room(&self, start: Vector2, end: Vector2) -> bool {
        self.grid.has_room_between(self.to_local * start, self.to_local * end, self.profile)
    }

    /// Returns `true` if the body may enter some of the first `most` cells of `rect`, or there are more.
    pub fn may_enter_some(&self, rect: CellRect, most: usize) -> bool {
        let mut cells = rect.intersection(self.grid.cell_region()).cells();
        cells.by_ref().take(most).any(|cell| self.grid.may_enter(cell, self.profile))
            || cells.next().is_some()
    }

    /// Steps along straight lines between `positions`: straight ones count 1, diagonal ones √2.
    pub fn steps_along(&self, positions: &[Vector2]) -> f64 {
        let points: Vec<(f64, f64)> = positions.iter().map(|&position| self.cell_space(position)).collect();
        points.windows(2).map(|pair| self.steps(pair[1].0 - pair[0].0, pair[1].1 - pair[0].1)).sum()
    }

    /// The least steps from `start` to `end` on which the body comes to cover a cell of `rect`.
    pub fn steps_by_way_of(&self, start: Vector2, rect: CellRect, end: Vector2) -> f64 {
        // From the lowest to the highest centre of the body.
        let beside = |at: f64, low: i32, length: i32, side: i32| {
            let half = f64::from(side) / 2.0;
            let (low, high) = (f64::from(low) + 1.0 - half, f64::from(low) + f64::from(length) - 1.0 + half);
            (low - at).max(at - high).max(0.0)
        };
        let footprint = self.profile.footprint;
        let far = |position: Vector2| {
            let (x, y) = self.cell_space(position);
            self.steps(beside(x, rect.x, rect.w, footprint.w()), beside(y, rect.y, rect.h, footprint.h()))
        };
        far(start) + far(end)
    }

    /// Steps over so many columns and rows.
    fn steps(&self, columns: f64, rows: f64) -> f64 {
        let (columns, rows) = (columns.abs(), rows.abs());
        if self.profile.diagonal_mode == DiagonalMode::Never {
            return columns + rows;
        }
        columns.max(rows) + columns.min(rows) * (std::f64::consts::SQRT_2 - 1.0)
    }

    /// The place on the straight line from `start` to `end` that is at most `cells` from `start`.
    pub fn ahead(&self, start: Vector2, end: Vector2, cells: f32) -> Vector2 {
        start + (end - start).limit_length(Some(cells * self.cell_px))
    }

    pub fn cell_space(&self, position: Vector2) -> (f64, f64) {
        self.geometry.cell_space_of(self.to_local * position)
    }
}
