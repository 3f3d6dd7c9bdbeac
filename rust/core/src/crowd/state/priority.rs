//! The priority of an agent: its class and its rank, for how long it has the rank of another, and for how
//! long it gives way.
//!
//! The lower rank has the right of way: see `right_of_way`.

use super::routes::NO_GUIDE;
use crate::crowd::numbers::millis::Millis;

/// The highest class of agents.
pub(in crate::crowd) const CLASS_MAX: u32 = 15;
/// Ids have so many bits.
pub(in crate::crowd) const ID_BITS: u32 = 26;

/// The priority of an agent, and for how long it gives way to others.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::crowd) struct Priority {
    /// Its class: agents of a higher class go first.
    pub class: u8,
    /// How long it still has a rank that is not its own.
    pub lent: Millis,
    /// How long it still yields or stays aside.
    pub gives_way: Millis,
    /// The guide of the agent that it yields to, or yielded to last.
    pub yield_guide: u32,
    /// How long it still takes turns, held by what the right of way does not settle. Of a driven body: how
    /// long it has not gone where it was sent, held by what the crowd does not know of.
    pub jammed: Millis,
}

crate::bytes::saved_fields!(Priority {
    class: u8,
    lent: Millis,
    gives_way: Millis,
    yield_guide: u32,
    jammed: Millis,
});

impl Default for Priority {
    /// In the middle of all classes.
    fn default() -> Self {
        let (lent, gives_way, jammed) = (Millis::ZERO, Millis::ZERO, Millis::ZERO);
        Self { class: 8, lent, gives_way, yield_guide: NO_GUIDE, jammed }
    }
}

impl Priority {
    /// Returns the rank of the agent with this id: by class, then by id. The lower number goes first.
    pub const fn own_rank(&self, id: u32) -> u32 {
        (CLASS_MAX - self.class as u32) << ID_BITS | id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_class_goes_first_and_of_one_class_the_lower_id() {
        let of = |class, id| Priority { class, ..Priority::default() }.own_rank(id);
        assert!(of(15, 900) < of(8, 0) && of(8, 0) < of(8, 1) && of(8, 1) < of(0, 0));
        // The bits above are of agents that come after all others.
        assert!(of(0, (1 << ID_BITS) - 1) < 1 << 30);
    }
}
