//! How steep the steps of a body may be.

use crate::bytes::{BytesError, Reader, Saved};

/// How far up or down a body steps: by a height, by a slope, or by the larger of both. Neither is no limit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ClimbLimit {
    /// Bits of the height in metres.
    step_height: u32,
    /// Bits of the tangent of the slope.
    slope: u32,
}

impl ClimbLimit {
    /// No limit.
    pub const NONE: Self = Self { step_height: 0, slope: 0 };

    /// Returns the limit of a body that steps over a difference of `step_height` metres, and up and down
    /// slopes whose tangent is at most `slope`; 0 stands for none. `None` unless both are finite and not
    /// negative.
    pub fn new(step_height: f32, slope: f32) -> Option<Self> {
        let is_usable = |value: f32| value.is_finite() && value >= 0.0;
        // The sum makes a zero of a negative zero, so that equal limits have equal bits.
        (is_usable(step_height) && is_usable(slope))
            .then(|| Self { step_height: (step_height + 0.0).to_bits(), slope: (slope + 0.0).to_bits() })
    }

    /// Returns whether there is a limit.
    pub const fn is_some(self) -> bool {
        self.step_height != 0 || self.slope != 0
    }

    /// Returns the largest difference of heights that a step of `metres` may have.
    pub(super) fn rise(self, metres: f32) -> f32 {
        f32::from_bits(self.step_height).max(f32::from_bits(self.slope) * metres)
    }
}

impl Saved for ClimbLimit {
    const BYTES_MIN: usize = 2 * f32::BYTES_MIN;

    fn write(&self, bytes: &mut Vec<u8>) {
        (f32::from_bits(self.step_height), f32::from_bits(self.slope)).write(bytes);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, BytesError> {
        let (step_height, slope) = reader.read()?;
        Self::new(step_height, slope).ok_or(BytesError::Value("a climb limit is negative"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_checked_and_saved() {
        for (step_height, slope) in [(-1.0, 0.0), (0.0, f32::NAN), (f32::INFINITY, 0.0)] {
            assert_eq!(ClimbLimit::new(step_height, slope), None);
        }
        assert_eq!(ClimbLimit::new(-0.0, 0.0), Some(ClimbLimit::NONE));
        let mut bytes = Vec::new();
        let limit = ClimbLimit::new(0.4, 1.5).unwrap();
        limit.write(&mut bytes);
        assert_eq!(Reader::new(&bytes, "").unwrap().read(), Ok(limit));
        bytes[3] |= 0x80;
        assert!(Reader::new(&bytes, "").unwrap().read::<ClimbLimit>().is_err());
    }
}
