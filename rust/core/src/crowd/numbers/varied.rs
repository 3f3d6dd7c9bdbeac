//! Multiples of the numbers in `tuning`, for the bench that varies them.

use super::millis::Millis;

/// A number that can be varied.
pub(in crate::crowd) trait Varied {
    fn times(self, factor: f64) -> Self;
}

impl Varied for f32 {
    fn times(self, factor: f64) -> Self {
        self * factor as f32
    }
}

impl Varied for u16 {
    fn times(self, factor: f64) -> Self {
        ((f64::from(self) * factor).round() as Self).max(1)
    }
}

impl Varied for u32 {
    fn times(self, factor: f64) -> Self {
        ((f64::from(self) * factor).round() as Self).max(1)
    }
}

impl Varied for Millis {
    fn times(self, factor: f64) -> Self {
        Self(Varied::times(self.0, factor))
    }
}
