//! Which agents an agent avoids: by layers and a mask, with the rule of Godot's navigation agents.
//!
//! An agent steers clear of the agents that it avoids, waits and makes way for them, and takes none of their
//! room. If only one of two agents avoids the other, contact moves it by all of an overlap, and the other
//! goes on as if it were alone.

/// The layers that an agent is on, and the layers whose agents it avoids.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Avoidance {
    /// A bit for each layer that it is on.
    pub layers: u32,
    /// A bit for each layer whose agents it avoids.
    pub mask: u32,
}

crate::bytes::saved_fields!(Avoidance { layers: u32, mask: u32 });

impl Default for Avoidance {
    fn default() -> Self {
        Self { layers: 1, mask: 1 }
    }
}

impl Avoidance {
    /// Returns `true` if an agent avoids another.
    #[inline]
    pub const fn avoids(self, other: Self) -> bool {
        self.mask & other.layers != 0
    }

    /// Returns `true` if one of two agents avoids the other.
    #[inline]
    pub const fn meets(self, other: Self) -> bool {
        self.avoids(other) || other.avoids(self)
    }
}
