//! What a follower says to press, and how it gets on.

/// The buttons to press.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Buttons {
    /// −1 (left) to 1 (right); less than full where full speed would overshoot within one frame.
    pub axis: f64,
    /// Jump, held while the jump must rise.
    pub jump: bool,
    /// Drop through the one-way platform that the body stands on.
    pub drop: bool,
    /// −1 (up) to 1 (down) on a ladder, less than full where full speed would overshoot; 0: it does not climb.
    pub climb: f64,
}

/// The progress of a follower.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FollowState {
    /// Follows the path.
    Going,
    /// Is at the goal.
    Arrived,
    /// The body stands on ground that is not part of the path.
    Strayed,
    /// The body does not get on.
    Stuck(StuckReason),
}

/// Why a body does not get on. Scripts see these numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum StuckReason {
    /// There is no path.
    NoPath = 0,
    /// The jump was pressed, and the body stayed on the ground.
    NoTakeOff = 1,
    /// It missed the end of a flight twice.
    FellShort = 2,
    /// It took twice the time that a piece of the path needs, and a second.
    Held = 3,
    /// It fell out of the map.
    FellOut = 4,
}
