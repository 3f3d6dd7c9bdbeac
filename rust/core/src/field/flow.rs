//! A direction for each stand.

use super::direct::{FLAG_SIGHT, GOAL, NO_WAY, STATE};
use super::integration::IntegrationField;
use crate::geometry::{Cell, Direction};

/// Costs to the nearest goal and, for each stand, the first step of a cheapest way there.
///
/// Of several cheapest steps the one to the cell with the smaller y, then the smaller x, is taken; it is always legal, so it
/// leads neither into a wall nor across a corner that may not be cut. Following the directions ends at a goal with exactly
/// the cost that the field says.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FlowField {
    pub(super) integration: IntegrationField,
    /// One byte a padded cell: the direction's number, [`GOAL`] or [`NO_WAY`], and [`FLAG_SIGHT`].
    pub(super) ways: Vec<u8>,
    /// One byte a padded cell: 0, or one more than the place in `goals` of the goal that is seen.
    pub(super) sight: Vec<u8>,
    /// Column and row of the goals that are looked for.
    pub(super) seen_goals: Vec<[f32; 2]>,
    /// The cells that were looked at to find out who sees a goal.
    pub(super) looked_at: Option<crate::bitgrid::LocalRect>,
}

impl FlowField {
    /// The costs.
    pub const fn integration(&self) -> &IntegrationField {
        &self.integration
    }

    /// The direction of the next step from `cell`; `None` at goals, where no goal can be reached and outside the region.
    pub fn direction(&self, cell: Cell) -> Option<Direction> {
        self.direction_at(self.integration.index(cell)?)
    }

    /// The cell after `cell` on the way: `cell` itself at a goal; `None` where no goal can be reached and outside the
    /// region.
    pub fn next_cell(&self, cell: Cell) -> Option<Cell> {
        let index = self.integration.index(cell)?;
        match self.ways[index] & STATE {
            NO_WAY => None,
            GOAL => Some(cell),
            _ => self.direction_at(index).map(|d| cell.offset(d.dx(), d.dy())),
        }
    }

    /// Every cell from `start` to the goal that its directions lead to, both included; empty where no goal can be reached
    /// and outside the region. Takes time in proportion to the length.
    pub fn path_from(&self, start: Cell) -> Vec<Cell> {
        let mut cells = Vec::new();
        let mut at = self.next_cell(start).map(|_| start);
        while let Some(cell) = at {
            cells.push(cell);
            at = self.next_cell(cell).filter(|&next| next != cell);
        }
        cells
    }

    /// Whether the body can walk from `cell` to a goal in a straight line, at the field's cost: no part of it leaves the
    /// stands on the way, and none of those costs other than weight 1.
    ///
    /// Only the first goals in reading order are looked for, as many as [`FlowField::SIGHT_GOALS_MAX`].
    pub fn has_line_of_sight(&self, cell: Cell) -> bool {
        let sees = |way: u8| way & STATE == GOAL || way & FLAG_SIGHT != 0;
        self.integration.index(cell).is_some_and(|index| sees(self.ways[index]))
    }

    /// The goal that is walked to in a straight line from `cell`, if there is one.
    pub fn goal_in_sight(&self, cell: Cell) -> Option<Cell> {
        let number = self.sight[self.integration.index(cell)?];
        let goal = self.integration.goals.get(usize::from(number).checked_sub(1)?)?;
        Some(self.integration.cell(*goal as usize))
    }

    /// The directions of row `y`, counted from the region's corner, one for each of its cells.
    pub fn directions_of_row(&self, y: u32) -> impl Iterator<Item = Option<Direction>> {
        let start = self.integration.shape.index(0, y).get();
        self.ways[start..start + self.integration.shape.width() as usize].iter().map(|&way| direction_of(way))
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.integration.memory() + self.ways.capacity() + self.sight.capacity()
    }

    #[inline]
    fn direction_at(&self, index: usize) -> Option<Direction> {
        direction_of(self.ways[index])
    }
}

#[inline]
fn direction_of(way: u8) -> Option<Direction> {
    Direction::ALL.get(usize::from(way & STATE)).copied()
}
