//! Pairs of coordinates, in cells.

/// A pair of coordinates.
pub(super) type V = [f32; 2];

/// Places are nearer to the region's corner than this; it is far beyond the largest map.
pub(super) const FAR: f32 = 1e6;

#[inline]
pub(super) fn dot(a: V, b: V) -> f32 {
    a[0] * b[0] + a[1] * b[1]
}

/// Above zero when `b` points to the right of `a` on a screen, where y grows downwards.
#[inline]
pub(super) fn cross(a: V, b: V) -> f32 {
    a[0] * b[1] - a[1] * b[0]
}

#[inline]
pub(super) fn minus(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1]]
}

/// Returns the direction of a vector.
#[inline]
pub(super) fn unit(a: V) -> V {
    let length = dot(a, a).sqrt().max(1e-6);
    [a[0] / length, a[1] / length]
}

/// Returns the unit vector from one place to another, and the distance.
#[inline]
pub(super) fn towards(from: V, to: V) -> (V, f32) {
    let [dx, dy] = minus(to, from);
    let length = (dx * dx + dy * dy).sqrt();
    if length > 0.0 { ([dx / length, dy / length], length) } else { ([0.0; 2], 0.0) }
}
