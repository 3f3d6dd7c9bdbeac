/// The eight ways to leave a cell, clockwise from north, in y-down axes.
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

    /// The change of column: −1, 0 or 1.
    pub const fn dx(self) -> i32 {
        [0, 1, 1, 1, 0, -1, -1, -1][self as usize]
    }

    /// The change of row: −1 (up), 0 or 1 (down).
    pub const fn dy(self) -> i32 {
        [-1, -1, 0, 1, 1, 1, 0, -1][self as usize]
    }

    /// Whether both coordinates change.
    pub const fn is_diagonal(self) -> bool {
        self as u8 & 1 == 1
    }

    /// The direction that leads back.
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self::ALL[(self as usize + 4) & 7]
    }

    /// The direction `eighths` of a turn clockwise.
    #[must_use]
    pub const fn turned(self, eighths: i32) -> Self {
        Self::ALL[(self as i32 + eighths).rem_euclid(8) as usize]
    }
}

/// A set of directions: bit n stands for the direction with number n.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DirectionSet(pub u8);

impl DirectionSet {
    /// No direction.
    pub const EMPTY: Self = Self(0);

    /// Whether `direction` is in the set.
    pub const fn contains(self, direction: Direction) -> bool {
        self.0 >> (direction as u8) & 1 == 1
    }

    /// The set with `direction` added.
    #[must_use]
    pub const fn with(self, direction: Direction) -> Self {
        Self(self.0 | 1 << (direction as u8))
    }

    /// Whether no direction is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The directions of the set, in the order of their numbers.
    pub fn iter(self) -> impl Iterator<Item = Direction> {
        Direction::ALL.into_iter().filter(move |&d| self.contains(d))
    }
}

/// When a diagonal step is allowed; names, numbers and meanings equal those of `AStarGrid2D`.
///
/// A diagonal step passes two orthogonal neighbours, its *corners*. "Open" means that the same body can stand there.
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

impl DiagonalMode {
    /// All modes, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Always, Self::Never, Self::AtLeastOneWalkable, Self::OnlyIfNoObstacles];

    /// The mode with number `value`, if there is one.
    pub fn from_number(value: i64) -> Option<Self> {
        usize::try_from(value).ok().and_then(|v| Self::ALL.get(v).copied())
    }

    /// Whether a diagonal step between two open cells is legal, given its two corners.
    pub const fn allows(self, corner_a_open: bool, corner_b_open: bool) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::AtLeastOneWalkable => corner_a_open || corner_b_open,
            Self::OnlyIfNoObstacles => corner_a_open && corner_b_open,
        }
    }

    /// Whether diagonal steps may join cells that no chain of straight steps joins.
    pub const fn joins_diagonally(self) -> bool {
        matches!(self, Self::Always)
    }
}
