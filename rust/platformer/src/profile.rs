//! Jump profiles: the size, jumps and costs of a body, given in cells or computed from physics.

use std::error::Error;
use std::fmt;

use pathforge_core::cost::STRAIGHT;
use pathforge_core::geometry::Footprint;
use pathforge_core::geometry::FootprintError;

/// The highest jump, in cells.
pub const JUMP_HEIGHT_MAX: u32 = 64;
/// The largest limit on an air run and on the depth of a fall, in cells: both are kept in 12 bits of a search
/// state.
pub const AIR_LIMIT_MAX: u32 = 4095;
/// The first rows of a fall of which a profile says whether a body may move sideways there.
pub(crate) const DRIFT_ROWS_MAX: u32 = 16;
/// The part of a column that a body may lack when it lands, in cells: it lands with a part of it.
const LANDING_PART: f64 = 0.2;
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
    /// A physical measure is not a finite number above 0.
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
            Self::BadMeasure { what, given } => write!(f, "{what} {given} is not a finite number above 0"),
        }
    }
}

impl Error for JumpProfileError {}

/// The physics of a body under gravity, in pixels and seconds; all finite and above 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BodyPhysics {
    /// Downward acceleration, in px/s².
    pub gravity: f64,
    /// Upward speed at take-off, in px/s.
    pub jump_speed: f64,
    /// Sideways speed, on ground and in the air, in px/s.
    pub run_speed: f64,
    /// Side of a cell, in px.
    pub cell_size: f64,
}

impl BodyPhysics {
    /// Checks every measure.
    ///
    /// # Errors
    /// The first measure that is not a finite number above 0.
    pub(crate) fn check(&self) -> Result<(), JumpProfileError> {
        let measures = [
            ("gravity", self.gravity),
            ("jump speed", self.jump_speed),
            ("run speed", self.run_speed),
            ("cell size", self.cell_size),
        ];
        match measures.into_iter().find(|(_, given)| !given.is_finite() || *given <= 0.0) {
            Some((what, given)) => Err(JumpProfileError::BadMeasure { what, given }),
            None => Ok(()),
        }
    }

    /// The height of a full jump, in px.
    pub(crate) fn jump_height_px(&self) -> f64 {
        self.jump_speed * self.jump_speed / (2.0 * self.gravity)
    }

    /// How far a full jump carries sideways until it is back at its height, in px.
    pub fn jump_run_px(&self) -> f64 {
        2.0 * self.jump_speed / self.gravity * self.run_speed
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
    /// The first 16 rows of a fall in which the body may move one step sideways, the lowest bit for the first
    /// row. Below the last of them it may do so once in four rows. The first three in the model.
    pub drift: u32,
    /// If `true`, the body may take off one step beyond an edge, as the model says. A body under gravity
    /// cannot.
    pub late_take_off: bool,
    /// If `true`, the body may move sideways under a ceiling while it falls, as the model says. A body under
    /// gravity has fallen past such a gap before it is in it.
    pub tight_falls: bool,
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
            drift: 0b111,
            late_take_off: true,
            tight_falls: true,
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

    /// Returns the profile of a body that moves by `physics`:
    ///
    /// - it jumps as many whole cells high as it rises with a tenth of a cell to spare;
    /// - it runs as far in the air as it gets until it is back at its height;
    /// - it takes off from ground only, and moves under no ceiling while it falls;
    /// - it drifts as far as its run takes it while it falls, and lands with a part of it.
    ///
    /// The rest has defaults.
    ///
    /// # Errors
    /// If a measure is not a finite number above 0, or the jump is higher than [`JUMP_HEIGHT_MAX`].
    pub fn from_physics(footprint: Footprint, physics: &BodyPhysics) -> Result<Self, JumpProfileError> {
        physics.check()?;
        let height = (physics.jump_height_px() / physics.cell_size - 0.1).floor().max(0.0);
        // The cast saturates, so a jump beyond all integers is refused as too high.
        let max_jump_height = within("jump height", height as i64, JUMP_HEIGHT_MAX)?;
        let run = (physics.jump_run_px() / physics.cell_size - 0.1).floor().max(1.0);
        // In the model a jump that comes back to its height runs at most twice its height, so a longer limit
        // limits nothing. 0 means no limit.
        let max_air_run = if run >= f64::from(2 * max_jump_height) { 0 } else { run as u32 };
        let drift = drift(physics);
        let strict = Self { drift, late_take_off: false, tight_falls: false, ..Self::default() };
        Ok(Self { footprint, max_jump_height, max_air_run, ..strict })
    }

    /// Checks that every number is within its limits.
    ///
    /// # Errors
    /// The first number that is not.
    pub(crate) fn check(&self) -> Result<(), JumpProfileError> {
        within("jump height", i64::from(self.max_jump_height), JUMP_HEIGHT_MAX)?;
        within("air run", i64::from(self.max_air_run), AIR_LIMIT_MAX)?;
        within("fall", i64::from(self.max_fall), AIR_LIMIT_MAX)?;
        within("drift", i64::from(self.drift), (1 << DRIFT_ROWS_MAX) - 1)?;
        within("jump cost", i64::from(self.jump_cost), EXTRA_COST_MAX)?;
        within("air cost", i64::from(self.air_cost), EXTRA_COST_MAX)?;
        within("fall cost", i64::from(self.fall_cost), EXTRA_COST_MAX)?;
        Ok(())
    }
}

/// The rows of a fall in which a body moves sideways, so that in each row it has come as many columns far as it
/// can by then.
fn drift(physics: &BodyPhysics) -> u32 {
    // A fall of h from rest takes √(2h / g).
    let time_of_rows = |rows: u32| (2.0 * f64::from(rows) * physics.cell_size / physics.gravity).sqrt();
    let columns = |rows: u32| time_of_rows(rows) * physics.run_speed / physics.cell_size + LANDING_PART;
    let mut drift = 0_u32;
    for row in 0..DRIFT_ROWS_MAX {
        if f64::from(drift.count_ones() + 1) <= columns(row + 1) {
            drift |= 1 << row;
        }
    }
    drift
}

fn within(what: &'static str, given: i64, max: u32) -> Result<u32, JumpProfileError> {
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

    #[test]
    fn physics_are_converted_to_cells() {
        let physics = BodyPhysics { gravity: 980.0, jump_speed: 400.0, run_speed: 300.0, cell_size: 16.0 };
        let profile = JumpProfile::from_physics(Footprint::ONE, &physics).unwrap();
        assert_eq!((profile.max_jump_height, profile.max_air_run), (5, 0));
        assert!(!profile.late_take_off && !profile.tight_falls && profile.drift.count_ones() >= 3);
        let slow = BodyPhysics { run_speed: 80.0, ..physics };
        let slow = JumpProfile::from_physics(Footprint::ONE, &slow).unwrap();
        assert_eq!((slow.max_air_run, slow.drift & 3), (3, 1));
        for gravity in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let bad = BodyPhysics { gravity, ..physics };
            assert!(JumpProfile::from_physics(Footprint::ONE, &bad).is_err(), "{gravity}");
        }
        let rocket = BodyPhysics { jump_speed: 1e9, ..physics };
        assert!(JumpProfile::from_physics(Footprint::ONE, &rocket).is_err());
    }
}
