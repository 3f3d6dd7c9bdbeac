//! The four sides of a cell.

use super::{Cell, Direction};

/// A side of a cell. Numbers are those of Godot's `Side`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Side {
    /// Left.
    Left = 0,
    /// Above.
    Top = 1,
    /// Right.
    Right = 2,
    /// Below.
    Bottom = 3,
}

impl Side {
    /// All sides, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Left, Self::Top, Self::Right, Self::Bottom];

    /// Returns the side with number `value`, if there is one.
    pub fn from_number(value: i64) -> Option<Self> {
        usize::try_from(value).ok().and_then(|v| Self::ALL.get(v).copied())
    }

    /// Returns the side across the cell, which is also that side of the cell beyond this one.
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self::ALL[(self as usize + 2) % 4]
    }

    /// Returns the direction of a step over this side.
    pub const fn direction(self) -> Direction {
        [Direction::W, Direction::N, Direction::E, Direction::S][self as usize]
    }

    /// Returns the side that a straight step in `direction` leads over; `None` for a diagonal one.
    pub fn of(direction: Direction) -> Option<Self> {
        Self::ALL.into_iter().find(|side| side.direction() == direction)
    }

    /// Returns the cell beyond this side of `cell`.
    #[must_use]
    pub const fn beyond(self, cell: Cell) -> Cell {
        let direction = self.direction();
        Cell::new(cell.x.saturating_add(direction.dx()), cell.y.saturating_add(direction.dy()))
    }
}
