//! Pixels, the integer units of all computations (64 a pixel), and the geometry of points and contours in
//! them.
//!
//! Integers make unions and differences exact but for the rounding of crossings, so no case fails and every
//! machine gives the same result. A 64th is far below what a player sees and keeps maps of 260,000 pixels
//! exact in `f32`.

use i_overlay::i_float::int::point::IntPoint;

use super::error::{COORDINATE_MAX_PX, NavMeshError};

/// Units a pixel.
pub(super) const UNITS_PER_PX: f64 = 64.0;

/// A corner in units.
pub(super) type Point = IntPoint<i32>;

/// A rectangle in pixels, for the part of a map that is baked.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PixelRect {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height.
    pub h: f64,
}

impl PixelRect {
    /// The rectangle with its top-left corner at (`x`, `y`).
    pub const fn new(x: f64, y: f64, w: f64, h: f64) -> Self {
        Self { x, y, w, h }
    }

    /// The rectangle grown by so many pixels on each side.
    #[must_use]
    pub fn grown(self, x: f64, y: f64) -> Self {
        Self::new(self.x - x, self.y - y, x.mul_add(2.0, self.w), y.mul_add(2.0, self.h))
    }

    /// The part that lies in both; a side is negative if there is none.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        let (x, y) = (self.x.max(other.x), self.y.max(other.y));
        let (right, bottom) =
            ((self.x + self.w).min(other.x + other.w), (self.y + self.h).min(other.y + other.h));
        Self::new(x, y, right - x, bottom - y)
    }

    /// The smallest rectangle that holds both.
    #[must_use]
    pub fn around(self, other: Self) -> Self {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        let (right, bottom) =
            ((self.x + self.w).max(other.x + other.w), (self.y + self.h).max(other.y + other.h));
        Self::new(x, y, right - x, bottom - y)
    }

    pub(super) fn to_units(self) -> Result<UnitRect, NavMeshError> {
        let (x0, y0) = (to_units(self.x)?, to_units(self.y)?);
        let (x1, y1) = (to_units(self.x + self.w)?, to_units(self.y + self.h)?);
        Ok(UnitRect { y0, y1, x0, x1 })
    }
}

/// A rectangle in units; edges belong to it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct UnitRect {
    pub y0: i32,
    pub y1: i32,
    pub x0: i32,
    pub x1: i32,
}

impl UnitRect {
    /// The bounds of the points; an inside-out rectangle if there are none, which touches nothing.
    pub fn around(points: &[Point]) -> Self {
        // The neutral element of the fold.
        let none = Self { y0: i32::MAX, y1: i32::MIN, x0: i32::MAX, x1: i32::MIN };
        points.iter().fold(none, |r, p| Self {
            y0: r.y0.min(p.y),
            y1: r.y1.max(p.y),
            x0: r.x0.min(p.x),
            x1: r.x1.max(p.x),
        })
    }

    /// Returns `true` if the two share a point.
    pub const fn touches(self, other: Self) -> bool {
        self.x0 <= other.x1 && other.x0 <= self.x1 && self.y0 <= other.y1 && other.y0 <= self.y1
    }

    /// The rectangle grown by so many units on each side.
    pub const fn grown(self, x: i32, y: i32) -> Self {
        Self { y0: self.y0 - y, y1: self.y1 + y, x0: self.x0 - x, x1: self.x1 + x }
    }

    pub const fn width(self) -> i32 {
        self.x1 - self.x0
    }

    pub const fn height(self) -> i32 {
        self.y1 - self.y0
    }

    /// The four corners, wound positively.
    pub fn corners(self) -> [Point; 4] {
        [(self.x0, self.y0), (self.x1, self.y0), (self.x1, self.y1), (self.x0, self.y1)]
            .map(|(x, y)| Point::new(x, y))
    }
}

/// Rounds to the nearest unit.
pub(super) fn to_units(px: f64) -> Result<i32, NavMeshError> {
    if !px.is_finite() {
        Err(NavMeshError::NotFinite { value: px })
    } else if px.abs() > COORDINATE_MAX_PX {
        Err(NavMeshError::OutOfRange { value: px })
    } else {
        // In range by the check above: 2²² px · 64 is 2²⁸.
        Ok((px * UNITS_PER_PX).round() as i32)
    }
}

/// A corner in pixels.
pub(super) fn to_px(point: Point) -> [f32; 2] {
    [length_px(point.x), length_px(point.y)]
}

fn length_px(units: i32) -> f32 {
    (f64::from(units) / UNITS_PER_PX) as f32
}

/// Square pixels from twice an area in square units.
pub(super) fn area_px(area_two: i64) -> f64 {
    area_two as f64 / (2.0 * UNITS_PER_PX * UNITS_PER_PX)
}

/// The sides of a closed contour.
pub(super) fn sides(contour: &[Point]) -> impl Iterator<Item = (Point, Point)> {
    contour.iter().copied().zip(contour.iter().copied().cycle().skip(1))
}

/// Twice the area of a contour: above zero if it winds as x turns to y.
pub(super) fn area_two(contour: &[Point]) -> i64 {
    // Relative to a corner of its own, so that no product overflows wherever the contour lies.
    let Some(&first) = contour.first() else { return 0 };
    contour.windows(2).map(|pair| cross(first, pair[0], pair[1])).sum()
}

/// `a − origin` in 64 bits: 32 can overflow.
#[inline]
fn offset(origin: Point, a: Point) -> [i64; 2] {
    [i64::from(a.x) - i64::from(origin.x), i64::from(a.y) - i64::from(origin.y)]
}

/// The cross product of `a − origin` and `b − origin`: above zero if `b` lies on `a`'s left, as x turns to y.
#[inline]
pub(super) fn cross(origin: Point, a: Point, b: Point) -> i64 {
    let ([ax, ay], [bx, by]) = (offset(origin, a), offset(origin, b));
    ax * by - ay * bx
}

/// The dot product of `a − origin` and `b − origin`.
#[inline]
pub(super) fn dot(origin: Point, a: Point, b: Point) -> i64 {
    let ([ax, ay], [bx, by]) = (offset(origin, a), offset(origin, b));
    ax * bx + ay * by
}

/// The square of the distance of two points.
#[inline]
pub(super) fn distance_squared(a: Point, b: Point) -> i64 {
    dot(a, b, b)
}
