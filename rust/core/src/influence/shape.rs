//! The cells that a stamp falls on, and how much of it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{STAMP_RADIUS_MAX, UNITS};
use crate::bitgrid::{BitGrid, LocalRect, Shape, local};
use crate::cost::{DIAGONAL, STRAIGHT, octile};
use crate::geometry::{Cell, CellRect, Direction};

/// Solid cells so near to a stamp, as a squared distance, do not stop it: it may be a tower's, which is solid itself.
const CORE_SQUARED: u32 = 2;

/// How a stamp's strength falls off from its middle to its radius; the numbers are those that scripts see.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Falloff {
    /// Not at all.
    None = 0,
    /// Evenly, to nothing at the radius.
    #[default]
    Linear = 1,
    /// Slowly at first and at last.
    Smooth = 2,
    /// Fast at first: the square of the linear one.
    Quadratic = 3,
}

impl Falloff {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::None, Self::Linear, Self::Smooth, Self::Quadratic];

    /// What is left at `part` of the radius, 0 to 1.
    fn left(self, part: f32) -> f32 {
        let rest = 1.0 - part;
        match self {
            Self::None => 1.0,
            Self::Linear => rest,
            Self::Smooth => rest * rest * (3.0 - 2.0 * rest),
            Self::Quadratic => rest * rest,
        }
    }
}

/// What a stamp looks like.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StampShape {
    /// The value in its middle, at most [`STRENGTH_MAX`](super::STRENGTH_MAX) either way.
    pub strength: f32,
    /// How far it reaches from the middle of its cell, in cells, 0 to [`STAMP_RADIUS_MAX`].
    pub radius: f32,
    /// How it falls off.
    pub falloff: Falloff,
}

/// The part of the map that a stamp falls on: a value in units for each of its cells, row by row.
#[derive(Clone, Debug)]
pub(super) struct Print {
    pub(super) rect: LocalRect,
    pub(super) units: Vec<i32>,
}

impl StampShape {
    /// The print of the stamp at `cell`; `None` when it lies outside the map with all its cells.
    ///
    /// Without obstacles, distance is Euclidean. Around obstacles, the detour of the shortest way is added to that, and
    /// cells that are themselves obstacles get nothing.
    pub(super) fn print(
        &self,
        cell: Cell,
        region: CellRect,
        shape: Shape,
        solid: Option<&BitGrid>,
    ) -> Option<Print> {
        let reach = self.radius.clamp(0.0, STAMP_RADIUS_MAX).floor() as i32;
        let around = CellRect::new(
            cell.x.saturating_sub(reach),
            cell.y.saturating_sub(reach),
            2 * reach + 1,
            2 * reach + 1,
        );
        let rect = LocalRect::within(region, around)?;
        let detours = match (solid, local(region, cell)) {
            (Some(solid), Some(middle)) => Some(detours(rect, middle, self.radius, shape, solid)),
            // From outside, nothing is known of the obstacles between.
            _ => None,
        };
        let (cx, cy) = (i64::from(cell.x) - i64::from(region.x), i64::from(cell.y) - i64::from(region.y));
        let mut units = Vec::with_capacity(rect.area() as usize);
        for y in rect.y0..rect.y1 {
            for x in rect.x0..rect.x1 {
                let (dx, dy) = ((i64::from(x) - cx) as f32, (i64::from(y) - cy) as f32);
                let detour = detours.as_ref().map_or(0.0, |detours| detours[units.len()]);
                units.push(self.units_at((dx * dx + dy * dy).sqrt() + detour));
            }
        }
        Some(Print { rect, units })
    }

    fn units_at(&self, distance: f32) -> i32 {
        if distance > self.radius {
            return 0;
        }
        let part = if self.radius > 0.0 { distance / self.radius } else { 0.0 };
        (self.strength * self.falloff.left(part) * UNITS).round() as i32
    }
}

/// How much longer than the way over open ground the shortest way around obstacles is, from `middle` to each cell of
/// `rect`, in cells; infinite where there is none within the radius.
fn detours(rect: LocalRect, middle: (u32, u32), radius: f32, shape: Shape, solid: &BitGrid) -> Vec<f32> {
    let width = (rect.x1 - rect.x0) as usize;
    let place = |x: u32, y: u32| (y - rect.y0) as usize * width + (x - rect.x0) as usize;
    let apart = |x: u32, y: u32| (x.abs_diff(middle.0), y.abs_diff(middle.1));
    let is_open = |x: u32, y: u32| {
        let (dx, dy) = apart(x, y);
        dx * dx + dy * dy <= CORE_SQUARED || !solid.get(shape.index(x, y))
    };
    let is_inside = |x: i64, y: i64| {
        (i64::from(rect.x0)..i64::from(rect.x1)).contains(&x)
            && (i64::from(rect.y0)..i64::from(rect.y1)).contains(&y)
    };
    // A way over open ground is at most 1.1 times as long as the crow flies.
    let limit = (radius * 1.1 * STRAIGHT as f32) as u32 + DIAGONAL;
    let mut costs = vec![u32::MAX; rect.area() as usize];
    let mut frontier = BinaryHeap::from([Reverse((0_u32, middle.1, middle.0))]);
    costs[place(middle.0, middle.1)] = 0;
    while let Some(Reverse((cost, y, x))) = frontier.pop() {
        if cost > costs[place(x, y)] {
            continue;
        }
        for direction in Direction::ALL {
            let (dx, dy) = (i64::from(direction.dx()), i64::from(direction.dy()));
            let (to_x, to_y) = (i64::from(x) + dx, i64::from(y) + dy);
            if !is_inside(to_x, to_y) {
                continue;
            }
            let (to_x, to_y) = (to_x as u32, to_y as u32);
            let is_legal =
                is_open(to_x, to_y) && (!direction.is_diagonal() || is_open(to_x, y) && is_open(x, to_y));
            let step = if direction.is_diagonal() { DIAGONAL } else { STRAIGHT };
            let to_cost = cost + step;
            let slot = &mut costs[place(to_x, to_y)];
            if is_legal && to_cost <= limit && to_cost < *slot {
                *slot = to_cost;
                frontier.push(Reverse((to_cost, to_y, to_x)));
            }
        }
    }
    let detour = |(y, x): (u32, u32)| {
        let cost = costs[place(x, y)];
        let (dx, dy) = apart(x, y);
        if cost == u32::MAX { f32::INFINITY } else { (cost - octile(dx, dy)) as f32 / STRAIGHT as f32 }
    };
    (rect.y0..rect.y1).flat_map(|y| (rect.x0..rect.x1).map(move |x| (y, x))).map(detour).collect()
}
