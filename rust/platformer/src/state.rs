//! The state of a jump, packed.

use super::jump_table::JumpTable;

/// A jump value and, if the profile has limits, the cells fallen and the steps made sideways in the air.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct State(u32);

impl State {
    /// On ground.
    pub(super) const GROUND: Self = Self(0);

    /// `fallen` and `air_run` are at most 4095.
    #[inline]
    pub(super) const fn new(value: u8, fallen: u32, air_run: u32) -> Self {
        // Bits: value 0–7, fallen 8–19, air run 20–31; both limits are AIR_LIMIT_MAX = 2¹² − 1.
        Self(value as u32 | fallen << 8 | air_run << 20)
    }

    #[inline]
    pub(super) const fn value(self) -> u8 {
        self.0 as u8
    }

    #[inline]
    pub(super) const fn fallen(self) -> u32 {
        self.0 >> 8 & 0xfff
    }

    #[inline]
    pub(super) const fn air_run(self) -> u32 {
        self.0 >> 20
    }

    #[inline]
    pub(super) fn dominates<const LIMITED: bool>(self, other: Self, table: &JumpTable) -> bool {
        table.dominates(self.value(), other.value())
            && (!LIMITED || self.fallen() <= other.fallen() && self.air_run() <= other.air_run())
    }
}
