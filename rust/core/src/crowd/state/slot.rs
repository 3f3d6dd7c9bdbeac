//! The place of an agent: where it rests, or where it is to rest in a formation.

use crate::crowd::numbers::millis::Millis;
use crate::crowd::numbers::tuning::TUNING;
use crate::crowd::numbers::vector::{V, dot, minus};

/// The place of an agent.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is another thing that is known of it")]
pub(in crate::crowd) struct Slot {
    /// Where it rests or rested, or the place that it was given, in cells. On the way to a room, where it made
    /// headway last.
    pub home: V,
    /// Where one with a place walks straight to: its place, or while that is out of sight a point on the way
    /// there from the goal.
    pub via: V,
    /// Agents with the same number may swap their places: those of one formation.
    pub formation: u16,
    /// How much of its time for a better place an agent has used up: it counts up while one that was
    /// announced as arrived walks to its place, and while another one pushes through others to its place in a
    /// formation. Going on from where it is blocked costs it more. It is set ahead where less time is to be
    /// left: for another place in a formation. In a room it is what is left of the time to close up.
    pub closing_up: Millis,
    /// How often it went on from where it rested.
    pub tries: u16,
    /// `home` is a place that it was given.
    pub is_given: bool,
    /// Its place in a formation is another one than it was ordered to, or it asks for one, as it could not
    /// come to its own.
    pub is_another: bool,
    /// It asks whether the place that it was given fits.
    pub is_wanted: bool,
    /// It rests short of its place or its goal. The next round finds out whether it has arrived where it rests.
    pub is_short: bool,
}

crate::bytes::saved_fields!(Slot {
    home: V,
    via: V,
    formation: u16,
    closing_up: Millis,
    tries: u16,
    is_given: bool,
    is_another: bool,
    is_wanted: bool,
    is_short: bool,
});

impl Slot {
    /// Returns a place that nothing was given for.
    pub fn at(home: V) -> Self {
        Self { home, ..Self::default() }
    }

    /// Returns `true` if it is a place of the agent's own, which no other may have.
    pub const fn is_own(&self) -> bool {
        self.is_given && !self.is_wanted
    }

    /// Returns `true` if it asks for another place in its formation, as it could not come to its own; not if
    /// it asks whether the one that an order gave it fits.
    pub const fn asks_for_another(&self) -> bool {
        self.is_given && self.is_wanted && self.is_another
    }

    /// Leaves it the time to push through others that one has on the way to another place than it was ordered
    /// to.
    pub fn limit_pushes(&mut self) {
        let least = TUNING.closes_up_max.minus(TUNING.pushes_to_another);
        // One that asks again gets no time anew: two would take each other's place for good.
        self.closing_up = if self.is_another { self.closing_up.max(least) } else { least };
    }

    /// Returns `true` if the time in which an agent may close up is over.
    pub fn has_closed_up(&self) -> bool {
        self.closing_up >= TUNING.closes_up_max
    }

    /// Returns `true` if of that time there is enough left to go on once more from where it rests.
    pub fn may_try_again(&self) -> bool {
        self.closing_up.plus(TUNING.try_again) <= TUNING.closes_up_max
    }

    /// Returns `true` if a body at `at` was pushed away from it.
    pub fn is_away(&self, at: V) -> bool {
        let way = minus(at, self.home);
        dot(way, way) > TUNING.away * TUNING.away
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_that_asks_for_another_place_again_gets_no_time_anew() {
        let left = TUNING.closes_up_max.minus(TUNING.pushes_to_another);
        let mut slot = Slot { is_given: true, closing_up: Millis(1000), ..Slot::default() };
        slot.limit_pushes();
        assert_eq!(slot.closing_up, left, "from its own place");
        (slot.is_another, slot.closing_up) = (true, TUNING.closes_up_max);
        slot.limit_pushes();
        assert_eq!(slot.closing_up, TUNING.closes_up_max, "from another one");
    }
}
