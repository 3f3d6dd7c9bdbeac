/// Number of terrain ids: 0 to 31.
pub const TERRAIN_IDS: u32 = 32;

/// The terrains that a body may enter: bit n stands for terrain id n.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Capability(pub u32);

impl Capability {
    /// Every terrain.
    pub const ALL: Self = Self(u32::MAX);

    /// Whether terrain `id` is among them.
    #[inline]
    pub const fn contains(self, id: u8) -> bool {
        id < TERRAIN_IDS as u8 && self.0 >> id & 1 == 1
    }
}

impl Default for Capability {
    fn default() -> Self {
        Self::ALL
    }
}
