//! The terrains that a body may enter, as a set of bits.

/// Number of terrain ids: 0 to 31.
pub const TERRAIN_IDS: u32 = 32;

/// The terrains that a body may enter: bit n is terrain id n.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Capability(pub u32);

impl Capability {
    /// Every terrain.
    pub const ALL: Self = Self(u32::MAX);

    /// Returns whether terrain `id` is among them.
    #[inline]
    pub const fn contains(self, id: u8) -> bool {
        // The comparison also keeps the shift below 32, where it would overflow.
        id < TERRAIN_IDS as u8 && self.0 >> id & 1 == 1
    }
}

crate::bytes::saved_as!(Capability as u32, |capability| capability.0, |bits| Ok(Self(bits)));

impl Default for Capability {
    fn default() -> Self {
        Self::ALL
    }
}
