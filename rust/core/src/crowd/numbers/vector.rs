//! Pairs of coordinates, in cells.

use std::ops::{Add, Mul, Sub};

use wide::f32x4;

/// A pair of coordinates.
pub(in crate::crowd) type V = [f32; 2];

/// A coordinate, or those of four agents side by side.
pub(in crate::crowd) trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
}

impl Number for f32 {}
impl Number for f32x4 {}

/// Places are nearer to the region's corner than this; it is far beyond the largest map.
pub(in crate::crowd) const FAR: f32 = 1e6;

/// Agents that are looked at together.
pub(in crate::crowd) const LANES: usize = 4;
/// Several pairs, each number of four of them side by side.
pub(in crate::crowd) type Lanes = [f32x4; 2];

/// Returns one pair four times. Without a closure, from which it would be put together in memory.
#[inline]
pub(in crate::crowd) fn splat(pair: V) -> Lanes {
    [f32x4::splat(pair[0]), f32x4::splat(pair[1])]
}

#[inline]
pub(in crate::crowd) fn dot<T: Number>(a: [T; 2], b: [T; 2]) -> T {
    a[0] * b[0] + a[1] * b[1]
}

/// Above zero when `b` points to the right of `a` on a screen, where y grows downwards.
#[inline]
pub(in crate::crowd) fn cross<T: Number>(a: [T; 2], b: [T; 2]) -> T {
    a[0] * b[1] - a[1] * b[0]
}

#[inline]
pub(in crate::crowd) fn minus<T: Number>(a: [T; 2], b: [T; 2]) -> [T; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

/// Returns the length of a vector. `hypot` differs between machines; sums, products and roots do not.
#[inline]
pub(in crate::crowd) fn length(a: V) -> f32 {
    dot(a, a).sqrt()
}

/// Returns the direction of a vector.
#[inline]
pub(in crate::crowd) fn unit(a: V) -> V {
    let length = length(a).max(1e-6);
    [a[0] / length, a[1] / length]
}

/// Returns the unit vector from one place to another, and the distance.
#[inline]
pub(in crate::crowd) fn towards(from: V, to: V) -> (V, f32) {
    let [dx, dy] = minus(to, from);
    let length = length([dx, dy]);
    if length > 0.0 { ([dx / length, dy / length], length) } else { ([0.0; 2], 0.0) }
}
