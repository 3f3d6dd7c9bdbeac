//! Times: milliseconds that run up or down by the length of a substep.
//!
//! Integers, because the sums of floats would depend on how a step is cut into substeps.

/// A time in milliseconds, from 0 to 65.5 s: it stays at its ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(in crate::crowd) struct Millis(pub u16);

crate::bytes::saved_as!(Millis as u16, |time| time.0, |millis| Ok(Self(millis)));

impl Millis {
    pub const ZERO: Self = Self(0);
    /// The longest time.
    pub const MAX: Self = Self(u16::MAX);

    /// Returns the length of a substep, at least one.
    pub fn of_step(seconds: f32) -> Self {
        // At least one, so that timers run in the shortest steps, too.
        Self(((seconds * 1000.0 + 0.5) as u16).max(1))
    }

    /// Returns `true` if no time is left.
    #[inline]
    pub const fn is_over(self) -> bool {
        self.0 == 0
    }

    #[inline]
    #[must_use]
    pub const fn times(self, factor: u16) -> Self {
        Self(self.0.saturating_mul(factor))
    }

    #[inline]
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    #[inline]
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// Counts up.
    #[inline]
    pub const fn add(&mut self, time: Self) {
        *self = self.plus(time);
    }

    /// Counts down.
    #[inline]
    pub const fn take(&mut self, time: Self) {
        *self = self.minus(time);
    }

    /// Counts up while something lasts, and down `back` times as fast while it does not.
    #[inline]
    pub const fn run(&mut self, lasts: bool, time: Self, back: u16) {
        *self = if lasts { self.plus(time) } else { self.minus(time.times(back)) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_stays_at_its_ends() {
        let mut time = Millis(65_530);
        time.run(true, Millis(17), 2);
        assert_eq!(time, Millis::MAX);
        let mut time = Millis(30);
        time.run(false, Millis(17), 2);
        assert!(time.is_over());
        assert_eq!(Millis::of_step(1e-9), Millis(1));
        assert_eq!(Millis::of_step(1.0 / 60.0), Millis(17));
    }
}
