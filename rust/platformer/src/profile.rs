//! Jump profiles: the size, jumps and costs of a body, in cells.

use std::error::Error;
use std::fmt;

use super::motion::MotionError;
use pathforge_core::cost::STRAIGHT;
use pathforge_core::geometry::Footprint;
use pathforge_core::geometry::FootprintError;

/// The highest jump, in cells.
pub const JUMP_HEIGHT_MAX: u32 = 64;
/// The largest limit on an air run and on the depth of a fall, in cells: both are kept in 12 bits of a search
/// state.
pub const AIR_LIMIT_MAX: u32 = 4095;
/// The largest cost that a profile can add to a step, in units: 100 cells.
pub(crate) const EXTRA_COST_MAX: u32 = 100 * STRAIGHT;

/// Why a profile is not valid.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum JumpProfileError {
    /// A side of the body is out of its limits.
    Footprint(FootprintError),
    /// A number is out of its limits.
    OutOfRange {
        /// The number's name.
        what: &'static str,
        /// The value given.
        given: i64,
        /// The largest allowed; the smallest is 0.
        max: u32,
    },
    /// A physical measure is out of its limits.
    BadMeasure {
        /// The measure's name.
        what: &'static str,
        /// The value given.
        given: f64,
    },
}

impl fmt::Display for JumpProfileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Footprint(error) => error.fmt(f),
            Self::OutOfRange { what, given, max } => write!(f, "{what} {given} is not within 0 and {max}"),
            Self::BadMeasure { what, given } => write!(f, "{what} {given} is out of its limits"),
        }
    }
}

impl Error for JumpProfileError {}

impl From<MotionError> for JumpProfileError {
    fn from(error: MotionError) -> Self {
        Self::BadMeasure { what: error.what, given: error.given }
    }
}

/// How a body of one size jumps, and what that costs besides the steps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct JumpProfile {
    /// Width and height in cells.
    pub footprint: Footprint,
    /// The cells that a jump rises, 0 (cannot jump) to [`JUMP_HEIGHT_MAX`].
    pub max_jump_height: u32,
    /// The most steps sideways from one ground to the next, up to [`AIR_LIMIT_MAX`]; 0 for no limit.
    pub max_air_run: u32,
    /// The most cells of one fall, up to [`AIR_LIMIT_MAX`]; 0 for no limit.
    pub max_fall: u32,
    /// The cost of a take-off, in units, up to 7,000: a hundred straight steps.
    pub jump_cost: u32,
    /// The extra cost of a step to or from a place in the air, in units, up to 7,000: a hundred straight
    /// steps.
    pub air_cost: u32,
    /// The extra cost of a step down on top of that, in units, up to 7,000: a hundred straight steps.
    pub fall_cost: u32,
    /// The jump value of a start in the air. `None` and values of a spent jump: the body can only fall. 0: it
    /// can still rise by a whole jump.
    pub air_start_value: Option<u32>,
}

impl Default for JumpProfile {
    /// A body of one cell that jumps three cells high, without limits, with costs that prefer walking to
    /// jumping.
    fn default() -> Self {
        Self {
            footprint: Footprint::ONE,
            max_jump_height: 3,
            max_air_run: 0,
            max_fall: 0,
            jump_cost: 2 * STRAIGHT,
            air_cost: STRAIGHT / 5,
            fall_cost: 0,
            air_start_value: None,
        }
    }
}

impl JumpProfile {
    /// Returns the profile of a body of `w` × `h` cells that jumps `max_jump_height` cells high, with
    /// defaults for the rest.
    ///
    /// # Errors
    /// If a number is out of its limits.
    pub fn new(w: i64, h: i64, max_jump_height: i64) -> Result<Self, JumpProfileError> {
        let footprint = Footprint::new(w, h).map_err(JumpProfileError::Footprint)?;
        let max_jump_height = within("jump height", max_jump_height, JUMP_HEIGHT_MAX)?;
        Ok(Self { footprint, max_jump_height, ..Self::default() })
    }

    /// Checks that every number is within its limits.
    ///
    /// # Errors
    /// The first number that is not.
    pub(crate) fn check(&self) -> Result<(), JumpProfileError> {
        within("jump height", i64::from(self.max_jump_height), JUMP_HEIGHT_MAX)?;
        within("air run", i64::from(self.max_air_run), AIR_LIMIT_MAX)?;
        within("fall", i64::from(self.max_fall), AIR_LIMIT_MAX)?;
        within("jump cost", i64::from(self.jump_cost), EXTRA_COST_MAX)?;
        within("air cost", i64::from(self.air_cost), EXTRA_COST_MAX)?;
        within("fall cost", i64::from(self.fall_cost), EXTRA_COST_MAX)?;
        Ok(())
    }
}

/// The number, if it is within 0 and `max`.
pub(super) fn within(what: &'static str, given: i64, max: u32) -> Result<u32, JumpProfileError> {
    u32::try_from(given).ok().filter(|&value| value <= max).ok_or(JumpProfileError::OutOfRange {
        what,
        given,
        max,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_beyond_their_limits_are_errors() {
        let footprint = Footprint::new(0, 1).map_err(JumpProfileError::Footprint).unwrap_err();
        assert_eq!(JumpProfile::new(0, 1, 3), Err(footprint));
        for height in [-1, 65, i64::MAX] {
            let error = JumpProfileError::OutOfRange { what: "jump height", given: height, max: 64 };
            assert_eq!(JumpProfile::new(1, 1, height), Err(error));
        }
        let profile = JumpProfile { air_cost: 7001, ..JumpProfile::default() };
        assert!(profile.check().is_err());
        assert!(JumpProfile::default().check().is_ok());
    }
}
