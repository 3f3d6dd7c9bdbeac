//! What a follower sees of a body, what it says to press, and how it gets on.

/// The state of a body in a physics frame. Lengths are in cells, y grows downwards.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BodyState {
    /// The left edge of the body's cells.
    pub left: f64,
    /// The upper edge of the body's cells.
    pub top: f64,
    /// Sideways speed, in cells a second.
    pub speed_x: f64,
    /// Downward speed, in cells a second.
    pub speed_y: f64,
    /// `true` if the body stands on something.
    pub on_floor: bool,
    /// Seconds since the previous frame; finite and above 0.
    pub delta: f64,
}

/// The buttons to press.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Buttons {
    /// −1 (left) to 1 (right); less than full where full speed would overshoot within one frame.
    pub axis: f64,
    /// Jump, held while the jump must rise.
    pub jump: bool,
    /// Drop through the one-way platform that the body stands on.
    pub drop: bool,
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

/// What is known of how a body moves, in cells and seconds; 0 for what is not known.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Motion {
    /// Full sideways speed.
    pub run_speed: f64,
    /// Downward acceleration.
    pub gravity: f64,
    /// Sideways acceleration; 0 also for a body that has its speed at once.
    pub acceleration: f64,
    /// How much farther than what carries the body its cells reach on each side.
    pub slack: f64,
}
