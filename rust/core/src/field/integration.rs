//! Costs to the nearest goal.

use crate::bitgrid::{GridLayout, PaddedIndex, cell_at, local};
use crate::cost::Cost;
use crate::geometry::{Cell, CellRect, DiagonalMode};

/// The cost of a cell that is not reached: there is no path from it to a goal, or none within the field's
/// maximum cost.
pub(crate) const UNREACHED: u32 = u32::MAX;

/// The cost of the shortest path from each valid placement to the nearest of several goals, in units of
/// [`Cost`].
///
/// Each step pays for the placement that it arrives at, so the goal is paid and the start is not. Cells whose
/// cost would be above the field's maximum are not reached.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct IntegrationField {
    pub(super) region: CellRect,
    pub(super) layout: GridLayout,
    pub(super) mode: DiagonalMode,
    /// One element a padded cell.
    pub(super) costs: Vec<u32>,
    /// Padded indices of the goals that are valid placements, in reading order, each once.
    pub(super) goals: Vec<u32>,
    /// The least cost that is not reached, one more than the maximum.
    // Not the maximum itself: a maximum of 0 still reaches the goals, and a limit of 0 marks a field that was
    // never built.
    pub(super) limit: u32,
    /// Number of cells that are reached.
    // Counted as directions are written: a repair weighs itself against a build of so many cells.
    pub(super) reached: u64,
}

impl IntegrationField {
    /// The cells of the map.
    pub const fn region(&self) -> CellRect {
        self.region
    }

    /// The measures of the layer.
    pub(crate) const fn layout(&self) -> GridLayout {
        self.layout
    }

    /// The maximum cost that is reached.
    pub const fn max_cost(&self) -> Cost {
        Cost::from_units(self.limit.saturating_sub(1))
    }

    /// The goals that are valid placements, in reading order.
    pub fn goals(&self) -> impl Iterator<Item = Cell> {
        self.goals.iter().map(|&goal| self.cell(goal as usize))
    }

    /// Number of cells that are reached, goals included; 0 if no goal is a valid placement.
    pub const fn reached(&self) -> u64 {
        self.reached
    }

    /// The costs of all padded cells in units, `u32::MAX` for cells that are not reached. [`GridLayout`] says
    /// where each cell is.
    pub(crate) fn costs(&self) -> &[u32] {
        &self.costs
    }

    /// Returns the cost of `cell`; `None` if it is not reached or outside the region.
    pub fn cost(&self, cell: Cell) -> Option<Cost> {
        let units = self.costs[self.index(cell)?];
        (units != UNREACHED).then(|| Cost::from_units(units))
    }

    /// Bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        (self.costs.capacity() + self.goals.capacity()) * size_of::<u32>()
    }

    /// The padded index of a cell of the region.
    #[inline]
    pub(super) fn index(&self, cell: Cell) -> Option<usize> {
        let (x, y) = local(self.region, cell)?;
        Some(self.layout.index(x, y).get())
    }

    /// The cell at a padded index.
    pub(super) fn cell(&self, index: usize) -> Cell {
        cell_at(self.region, self.layout.xy(PaddedIndex::new(index)))
    }
}
