//! The integer cost of movement: 70 units for a straight step over weight 1, 99 for a diagonal one.
//!
//! 99/70 is √2 to 0.005 %. Integers make every result the same on every machine and thread count.

use std::fmt;

/// Units of a straight step over weight 1, and of one cell width.
pub const STRAIGHT: u32 = 70;
/// Units of a diagonal step over weight 1.
pub(crate) const DIAGONAL: u32 = 99;
/// The maximum cost of a single step, in units.
pub(crate) const STEP_MAX: u32 = 65_535;

/// The least weight that games give a cell: a unit.
pub const WEIGHT_MIN: f32 = 1.0 / STRAIGHT as f32;
/// The largest weight that games give a cell. A diagonal step over it is within the maximum cost of a step,
/// too.
pub const WEIGHT_MAX: f32 = 660.0;

/// Returns whether a weight is within the limits, beyond which it counts as the nearer one.
pub fn is_weight_within(weight: f32) -> bool {
    // A script's 1/70 may be a little less than ours.
    (WEIGHT_MIN * 0.999..=WEIGHT_MAX).contains(&weight)
}

/// Returns the nearest multiple of 1/70 within the limits to a weight that is finite and not negative: a
/// straight step costs exactly this many cell widths.
pub fn kept_weight(weight: f32) -> f32 {
    let units = f64::from(StepCost::from_weight(f64::from(weight.min(WEIGHT_MAX))).straight);
    (units / f64::from(STRAIGHT)) as f32
}

/// What a path costs, in units of 1/70 of a cell width. Sums saturate at [`Cost::MAX`] and never wrap.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cost(u32);

impl Cost {
    /// Nothing.
    pub(crate) const ZERO: Self = Self(0);
    /// The largest cost that is told apart. A goal at this distance or beyond is out of reach of the integer.
    /// The upper bit stays free, so that a cost and a heuristic can be added in 32 bits.
    pub const MAX: Self = Self(i32::MAX as u32);

    /// So many units, saturating.
    pub const fn from_units(units: u32) -> Self {
        if units > Self::MAX.0 { Self::MAX } else { Self(units) }
    }

    /// The least cost of at least `cells` cell widths; `None` when that is negative or NaN.
    pub fn from_cells(cells: f64) -> Option<Self> {
        if cells.is_nan() || cells < 0.0 {
            return None;
        }
        // A float cast saturates.
        Some(Self::from_units((cells * f64::from(STRAIGHT)).floor() as u32))
    }

    /// The cost in units.
    pub const fn units(self) -> u32 {
        self.0
    }

    /// The cost in cell widths.
    pub fn cells(self) -> f64 {
        f64::from(self.0) / f64::from(STRAIGHT)
    }

    /// The sum, saturating.
    #[must_use]
    pub(crate) const fn plus(self, units: u32) -> Self {
        Self::from_units(self.0.saturating_add(units))
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2}", self.cells())
    }
}

/// What arriving at a placement costs, in units: by a straight and by a diagonal step. Never zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct StepCost {
    /// Units of a straight step, 1 to 65,535.
    pub straight: u16,
    /// Units of a diagonal step, 1 to 65,535, at least `straight`.
    pub diagonal: u16,
}

impl StepCost {
    /// The cost of stepping onto a placement of weight `w`, which is finite and not negative.
    pub fn from_weight(w: f64) -> Self {
        debug_assert!(w >= 0.0);
        // A product, a sum and a cast, which cuts off, are exact to the bit on every IEEE machine. `round` is
        // a call where processors need not have it as an instruction.
        let units = |per_cell: u32| ((f64::from(per_cell) * w).clamp(1.0, f64::from(STEP_MAX)) + 0.5) as u16;
        Self { straight: units(STRAIGHT), diagonal: units(DIAGONAL) }
    }

    /// The cost over weight 1.
    pub(crate) const UNIT: Self = Self { straight: STRAIGHT as u16, diagonal: DIAGONAL as u16 };

    /// Both in one word: straight in the lower half, diagonal in the upper. Zero is kept for "no placement".
    #[inline]
    pub(crate) const fn pack(self) -> u32 {
        self.straight as u32 | (self.diagonal as u32) << 16
    }

    /// The inverse of [`StepCost::pack`].
    #[inline]
    pub(crate) const fn unpack(packed: u32) -> Self {
        Self { straight: packed as u16, diagonal: (packed >> 16) as u16 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_rounded_and_clamped() {
        assert_eq!(StepCost::from_weight(1.0), StepCost::UNIT);
        assert_eq!(StepCost::from_weight(0.0), StepCost { straight: 1, diagonal: 1 });
        assert_eq!(StepCost::from_weight(1e9), StepCost { straight: 65_535, diagonal: 65_535 });
        assert_eq!(StepCost::from_weight(2.5), StepCost { straight: 175, diagonal: 248 });
    }

    #[test]
    fn a_kept_weight_is_what_counts() {
        for units in 1..=46_200 {
            let weight = kept_weight(units as f32 / 70.0);
            let StepCost { straight, diagonal } = StepCost::from_weight(f64::from(weight));
            assert_eq!(u32::from(straight), units);
            assert_eq!(u32::from(diagonal), (units * 198 + 70) / 140, "rounded");
            assert!((kept_weight(weight) - weight).abs() < f32::EPSILON * weight);
        }
        assert!((kept_weight(0.0) - WEIGHT_MIN).abs() < f32::EPSILON);
        assert!((kept_weight(f32::MAX) - WEIGHT_MAX).abs() < f32::EPSILON);
        assert!(is_weight_within(1.0 / 70.0) && !is_weight_within(0.0) && !is_weight_within(661.0));
    }

    #[test]
    fn sums_saturate() {
        assert_eq!(Cost::MAX.plus(1), Cost::MAX);
        assert_eq!(Cost::from_units(u32::MAX), Cost::MAX);
        assert_eq!(Cost::from_cells(f64::INFINITY), Some(Cost::MAX));
        assert_eq!(Cost::from_cells(f64::NAN), None);
    }

    #[test]
    fn a_packed_step_comes_back() {
        let step = StepCost::from_weight(3.25);
        assert_eq!(StepCost::unpack(step.pack()), step);
    }
}
