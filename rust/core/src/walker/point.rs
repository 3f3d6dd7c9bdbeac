//! Points in cell space.

/// A point in cell space: cell (x, y) is the square from (x, y) to (x + 1, y + 1).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

impl Point {
    /// Returns the point (`x`, `y`).
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// Returns `true` if both coordinates are numbers.
    pub const fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }

    /// Returns the distance to `other`, in cells.
    pub fn distance(self, other: Self) -> f64 {
        let (dx, dy) = (other.x - self.x, other.y - self.y);
        // `hypot` differs between machines.
        (dx * dx + dy * dy).sqrt()
    }

    /// Returns the point on the line to `other` at the share `t` of it, from 0 to 1.
    #[must_use]
    pub(crate) fn lerp(self, other: Self, t: f64) -> Self {
        Self::new(self.x + (other.x - self.x) * t, self.y + (other.y - self.y) * t)
    }

    /// Returns the point on the line to `other` that is `cells` away, and `other` if that is nearer.
    #[must_use]
    pub fn toward(self, other: Self, cells: f64) -> Self {
        let distance = self.distance(other);
        if distance <= cells { other } else { self.lerp(other, cells / distance) }
    }

    /// Returns the nearest point on the line from `a` to `b`.
    #[must_use]
    pub(crate) fn nearest_on(self, a: Self, b: Self) -> Self {
        let (x, y) = (b.x - a.x, b.y - a.y);
        let length_squared = x * x + y * y;
        if length_squared <= 0.0 {
            return b;
        }
        a.lerp(b, (((self.x - a.x) * x + (self.y - a.y) * y) / length_squared).clamp(0.0, 1.0))
    }
}
