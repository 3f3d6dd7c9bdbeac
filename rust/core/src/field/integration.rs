//! Costs to the nearest goal.

use crate::bitgrid::{PaddedIndex, Shape, local};
use crate::cost::Cost;
use crate::geometry::{Cell, CellRect, DiagonalMode};

/// The cost of a cell from which no goal can be reached.
pub const UNREACHED: u32 = u32::MAX;

/// What it costs to get from each stand of a layer to the nearest of some goals, in units of [`Cost`].
///
/// It is the cost of the cheapest path: each step pays the stand that it arrives at, so the goal is paid and the start is
/// not. Cells whose cost would be above the field's largest are not reached.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct IntegrationField {
    pub(super) region: CellRect,
    pub(super) shape: Shape,
    pub(super) mode: DiagonalMode,
    /// One element a padded cell.
    pub(super) costs: Vec<u32>,
    /// Padded indices of the goals that are stands, in reading order, each once.
    pub(super) goals: Vec<u32>,
    /// The least cost that is too much.
    pub(super) limit: u32,
    /// Number of cells that are reached.
    pub(super) reached: u64,
}

impl IntegrationField {
    /// The cells of the map.
    pub const fn region(&self) -> CellRect {
        self.region
    }

    /// The measures of the layer.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// When diagonal steps are legal.
    pub const fn mode(&self) -> DiagonalMode {
        self.mode
    }

    /// The largest cost that is reached.
    pub const fn max_cost(&self) -> Cost {
        Cost::from_units(self.limit.saturating_sub(1))
    }

    /// The goals that are stands, in reading order.
    pub fn goals(&self) -> impl Iterator<Item = Cell> {
        self.goals.iter().map(|&goal| self.cell(goal as usize))
    }

    /// Number of cells that are reached, goals included; 0 when no goal is a stand.
    pub const fn reached(&self) -> u64 {
        self.reached
    }

    /// The costs of all padded cells in units, [`UNREACHED`] where no goal can be reached. See [`Shape`] for their places.
    pub fn costs(&self) -> &[u32] {
        &self.costs
    }

    /// The costs of row `y`, counted from the region's corner: one for each of its cells, in units.
    pub fn row(&self, y: u32) -> &[u32] {
        let start = self.shape.index(0, y).get();
        &self.costs[start..start + self.shape.width() as usize]
    }

    /// The cost of `cell`; `None` outside the region and where no goal can be reached.
    pub fn cost(&self, cell: Cell) -> Option<Cost> {
        let units = self.costs[self.index(cell)?];
        (units != UNREACHED).then(|| Cost::from_units(units))
    }

    /// The cost of `cell` in cell widths; infinite outside the region and where no goal can be reached.
    pub fn cost_in_cells(&self, cell: Cell) -> f64 {
        self.cost(cell).map_or(f64::INFINITY, Cost::cells)
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        (self.costs.capacity() + self.goals.capacity()) * size_of::<u32>()
    }

    /// The padded index of a cell of the region.
    #[inline]
    pub(super) fn index(&self, cell: Cell) -> Option<usize> {
        let (x, y) = local(self.region, cell)?;
        Some(self.shape.index(x, y).get())
    }

    /// The cell at a padded index.
    pub(super) fn cell(&self, index: usize) -> Cell {
        let (x, y) = self.shape.xy(PaddedIndex::new(index));
        Cell::new(self.region.x + x as i32, self.region.y + y as i32)
    }
}
