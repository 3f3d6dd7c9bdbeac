//! Where paths end that agents were sent along, so that the arrival of their group can be told by its cell.

use super::group_of;
use crate::geometry::Cell;

/// The latest orders that are remembered.
const ORDERS_MAX: usize = 256;

/// The groups of the latest orders along a path and the cell where each ends, the newest first.
#[derive(Debug, Default)]
pub(super) struct PathEnds(Vec<(u32, Cell)>);

impl PathEnds {
    /// Notes a path that ends at `cell`; returns its group.
    pub(super) fn note(&mut self, cell: Cell) -> u32 {
        let group = group_of([cell]);
        self.0.retain(|&(known, _)| known != group);
        self.0.truncate(ORDERS_MAX - 1);
        self.0.insert(0, (group, cell));
        group
    }

    pub(super) fn cell_of(&self, group: u32) -> Option<Cell> {
        self.0.iter().find(|&&(known, _)| known == group).map(|&(_, cell)| cell)
    }
}
