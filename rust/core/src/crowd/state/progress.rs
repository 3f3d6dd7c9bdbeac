//! How an agent gets on along its guide: how near it has come, and for how long it has not.
//!
//! All that is decided about arrival, jams and agents that are stuck (`arrival`) is decided by these
//! quantities. A movement alone is no progress: in a jam all stir.

use crate::crowd::numbers::millis::Millis;
use crate::crowd::numbers::tuning::TUNING;

/// A distance that was not measured yet. Finite, as saved numbers are.
pub(in crate::crowd) const UNMEASURED: f32 = f32::MAX;

/// Carried back farther than this, in cells, it has headway from there on.
const TO_AND_FRO: f32 = 2.0;
/// What is left of a way changes by more than this only where another way was found, in cells.
const ANOTHER_WAY: f32 = 1.5;

/// How an agent gets on along its guide.
#[derive(Clone, Copy, PartialEq, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is another thing that was seen or told")]
pub(in crate::crowd) struct Progress {
    /// The next point of its path.
    pub cursor: u32,
    /// How far it still was when it was last looked at, in cells; below zero where that is the distance to
    /// its place in a formation.
    pub left: f32,
    /// The nearest that it has been to its goal, and, while it saw it, to its place in a formation.
    pub nearest: [f32; 2],
    /// How long ago it was last looked at how near it is.
    pub window: Millis,
    /// How long it has been no nearer than `nearest`.
    pub no_nearer: Millis,
    /// How long it has been held up: it moves slower than it wants.
    pub held_up: Millis,
    /// How long it has come no nearer, leaving out the time that it stood in a queue; [`Millis::MAX`] where
    /// there is no path.
    pub stalled: Millis,
    /// How long it has been blocked: no nearer, with one right before it that rests for its goal or is
    /// blocked itself.
    pub blocked: Millis,
    /// How far it has come on its way since that was headway, and what is left of its way, in cells. For how
    /// long it has made no headway; at rest, how long it rests.
    pub headway: f32,
    pub ahead: f32,
    pub stall: Millis,
    /// Since it was last looked at, it stood in a queue.
    pub has_queued: bool,
    /// One right before it rests for its goal, or is blocked itself.
    pub is_blocked_ahead: bool,
    /// It was announced as arrived since it was given its goal.
    pub has_arrived: bool,
    /// How far it still was where it was announced as blocked, until it has come nearer by a body.
    pub blocked_at: f32,
}

crate::bytes::saved_fields!(Progress {
    cursor: u32,
    left: f32,
    nearest: [f32; 2],
    window: Millis,
    no_nearer: Millis,
    held_up: Millis,
    stalled: Millis,
    blocked: Millis,
    headway: f32,
    ahead: f32,
    stall: Millis,
    has_queued: bool,
    is_blocked_ahead: bool,
    has_arrived: bool,
    blocked_at: f32,
});

impl Default for Progress {
    fn default() -> Self {
        Self {
            cursor: 0,
            left: UNMEASURED,
            nearest: [UNMEASURED; 2],
            window: Millis::ZERO,
            no_nearer: Millis::ZERO,
            held_up: Millis::ZERO,
            stalled: Millis::ZERO,
            blocked: Millis::ZERO,
            headway: 0.0,
            ahead: UNMEASURED,
            stall: Millis::ZERO,
            has_queued: false,
            is_blocked_ahead: false,
            has_arrived: false,
            blocked_at: UNMEASURED,
        }
    }
}

impl Progress {
    /// Forgets how near it has been: that says nothing any more.
    pub const fn forget_distances(&mut self) {
        (self.left, self.nearest, self.no_nearer) = (UNMEASURED, [UNMEASURED; 2], Millis::ZERO);
    }

    /// Forgets how long it has been held up.
    pub const fn forget_times(&mut self) {
        (self.held_up, self.stalled) = (Millis::ZERO, Millis::ZERO);
        (self.blocked, self.window) = (Millis::ZERO, Millis::ZERO);
        (self.headway, self.stall) = (0.0, Millis::ZERO);
    }

    /// Takes note of what is left of its way, that long after it did so last. `has_moved` tells whether it is
    /// elsewhere than when it made headway last. To and fro is no headway, nor is that another way was found.
    /// Returns `true` if it has made headway.
    pub fn head_on(&mut self, left: f32, has_moved: bool, time: Millis) -> bool {
        let by = self.ahead - left;
        self.ahead = left;
        if by.abs() < ANOTHER_WAY {
            self.headway = (self.headway + by).max(-TO_AND_FRO);
        }
        self.stall.add(time);
        let is_on = self.headway >= TUNING.headway && has_moved;
        if is_on {
            (self.headway, self.stall) = (0.0, Millis::ZERO);
        }
        is_on
    }

    /// Counts a time without coming nearer. There is a path, so it stays below [`Millis::MAX`].
    pub fn stall(&mut self, time: Millis) {
        self.stalled = self.stalled.plus(time).min(Millis(u16::MAX - 1));
    }

    /// Returns `true` if it was announced as blocked, and has come no nearer since.
    pub fn is_kept_off(&self) -> bool {
        self.blocked_at < UNMEASURED
    }

    /// Takes note of how far it is, with a body of this radius: nearer than where it was blocked, it is so no
    /// more.
    pub fn note_left(&mut self, left: f32, radius: f32) {
        if left < self.blocked_at - 2.0 * radius {
            self.blocked_at = UNMEASURED;
        }
    }

    /// Returns `true` if there is no path from where it is to where it was sent.
    pub fn is_cut_off(&self) -> bool {
        self.stalled == Millis::MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_without_a_path_has_stalled_for_ever() {
        let mut progress = Progress { stalled: Millis(u16::MAX - 3), ..Progress::default() };
        progress.stall(Millis(500));
        assert!(!progress.is_cut_off());
        progress.stalled = Millis::MAX;
        assert!(progress.is_cut_off());
    }
}
