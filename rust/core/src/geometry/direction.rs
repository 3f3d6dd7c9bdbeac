//! The eight directions of a step, sets of them, and the rules for diagonal steps.

/// The eight directions of a step, clockwise from north, in y-down axes.
///
/// Even numbers are straight, odd numbers diagonal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Direction {
    /// Up.
    N = 0,
    /// Up and right.
    NE = 1,
    /// Right.
    E = 2,
    /// Down and right.
    SE = 3,
    /// Down.
    S = 4,
    /// Down and left.
    SW = 5,
    /// Left.
    W = 6,
    /// Up and left.
    NW = 7,
}

impl Direction {
    /// All directions, in the order of their numbers.
    pub const ALL: [Self; 8] = [Self::N, Self::NE, Self::E, Self::SE, Self::S, Self::SW, Self::W, Self::NW];

    /// Returns the change of column: −1, 0 or 1.
    pub const fn dx(self) -> i32 {
        [0, 1, 1, 1, 0, -1, -1, -1][self as usize]
    }

    /// Returns the change of row: −1 (up), 0 or 1 (down).
    pub const fn dy(self) -> i32 {
        [-1, -1, 0, 1, 1, 1, 0, -1][self as usize]
    }

    /// Returns the direction of a change of column and row, which are not both 0, by their signs.
    pub(crate) const fn towards(dx: i32, dy: i32) -> Self {
        use Direction::{E, N, NE, NW, S, SE, SW, W};
        [[NW, N, NE], [W, E, E], [SW, S, SE]][(dy.signum() + 1) as usize][(dx.signum() + 1) as usize]
    }

    /// Returns whether both coordinates change.
    pub(crate) const fn is_diagonal(self) -> bool {
        // Clockwise from north in eighths of a turn, every odd number is a diagonal.
        self as u8 & 1 == 1
    }

    /// Returns the direction turned clockwise by `eighths` eighths of a full turn.
    #[must_use]
    pub(crate) const fn turned(self, eighths: i32) -> Self {
        // `rem_euclid`, since a turn to the left is negative.
        Self::ALL[(self as i32 + eighths).rem_euclid(8) as usize]
    }
}

/// A set of directions: bit n is the direction with number n.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct DirectionSet(pub u8);

impl DirectionSet {
    /// No direction.
    pub(crate) const EMPTY: Self = Self(0);

    /// Returns whether `direction` is in the set.
    pub(crate) const fn contains(self, direction: Direction) -> bool {
        self.0 >> (direction as u8) & 1 == 1
    }

    /// Returns the set with `direction` added.
    #[must_use]
    pub(crate) const fn with(self, direction: Direction) -> Self {
        Self(self.0 | 1 << (direction as u8))
    }

    /// Returns the directions of the set, in the order of their numbers.
    pub(crate) fn iter(self) -> impl Iterator<Item = Direction> {
        Direction::ALL.into_iter().filter(move |&d| self.contains(d))
    }
}

/// When a diagonal step is allowed; names, numbers and meanings equal those of `AStarGrid2D`.
///
/// A diagonal step passes two orthogonal neighbours, its *corners*. "Open" means that the same body fits
/// there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum DiagonalMode {
    /// Whatever the corners are.
    Always = 0,
    /// Never.
    Never = 1,
    /// At least one corner is open.
    AtLeastOneWalkable = 2,
    /// Both corners are open: bodies never cut a corner. The default.
    #[default]
    OnlyIfNoObstacles = 3,
}

crate::bytes::saved_as!(DiagonalMode as u8, |mode| *mode as u8, |number| Self::from_number(number.into())
    .ok_or("a diagonal mode is none"));

impl DiagonalMode {
    /// All modes, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Always, Self::Never, Self::AtLeastOneWalkable, Self::OnlyIfNoObstacles];

    /// Returns the mode with number `value`, if there is one.
    pub fn from_number(value: i64) -> Option<Self> {
        usize::try_from(value).ok().and_then(|v| Self::ALL.get(v).copied())
    }

    /// Returns whether a diagonal step between two open cells is legal, given its two corners.
    pub const fn allows(self, corner_a_open: bool, corner_b_open: bool) -> bool {
        // One step is bit 0 of 64, so both forms follow one rule.
        self.allowed(corner_a_open as u64, corner_b_open as u64) & 1 == 1
    }

    /// As [`DiagonalMode::allows`], for 64 steps at once: bit n of each word belongs to step n.
    pub(crate) const fn allowed(self, corners_a_open: u64, corners_b_open: u64) -> u64 {
        match self {
            Self::Always => u64::MAX,
            Self::Never => 0,
            Self::AtLeastOneWalkable => corners_a_open | corners_b_open,
            Self::OnlyIfNoObstacles => corners_a_open & corners_b_open,
        }
    }

    /// Returns whether diagonal steps may join cells that no chain of straight steps joins.
    pub const fn joins_diagonally(self) -> bool {
        // Past an open corner, two straight steps make the same move, so only steps between two closed
        // corners join cells that were apart.
        matches!(self, Self::Always)
    }
}
