//! Stop bits where costs differ: a scan stops at each cell that is not of locally uniform cost, too.
//!
//! Between two stops all cells cost the same, and pruning leaves straight on alone, so a scan over 64 cells a word is exact
//! there (Carlson, Moghadam, Harabor, Stuckey & Ebendt, *Optimal Pathfinding on Weighted Grid Maps*, AAAI 2023, section
//! "Jumping"). Invariant: a repair of the changed cells gives the same bits as a build.

use super::jump_map::{Bits, JumpMap};
use crate::bitgrid::{BitGrid, LocalRect};
use crate::geometry::DiagonalMode;
use crate::passability::PlacementCosts;

/// Stop bits of one layer for one diagonal mode and one set of costs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CostJumpMap {
    map: JumpMap,
    /// The transpose of the cells of locally uniform cost.
    uniform_columns: BitGrid,
}

impl CostJumpMap {
    /// Returns the stop bits of `layer`, whose transpose is `transpose`, for bodies that pay `costs`, which are made for the
    /// layer.
    ///
    /// Takes a pass over the words of all three.
    pub fn build(layer: &BitGrid, transpose: &BitGrid, costs: &PlacementCosts, mode: DiagonalMode) -> Self {
        let uniform_columns = costs.uniform().transposed();
        let rows = Bits { open: layer, within: Some(costs.uniform()) };
        let columns = Bits { open: transpose, within: Some(&uniform_columns) };
        Self { map: JumpMap::build_within(rows, columns, mode), uniform_columns }
    }

    /// Brings the bits up to date after costs or placements in `rect` changed.
    pub fn repair(&mut self, layer: &BitGrid, transpose: &BitGrid, costs: &PlacementCosts, rect: LocalRect) {
        // A cell is of uniform cost by its neighbours, so those around the rectangle can have changed, too.
        let rect = rect.grown(1, 1, 1, 1, layer.layout());
        costs.uniform().repair_transpose(&mut self.uniform_columns, rect);
        let rows = Bits { open: layer, within: Some(costs.uniform()) };
        let columns = Bits { open: transpose, within: Some(&self.uniform_columns) };
        self.map.repair_within(rows, columns, rect);
    }

    /// The stop bits.
    #[inline]
    pub(super) const fn jump_map(&self) -> &JumpMap {
        &self.map
    }

    /// Bytes on the heap.
    pub const fn memory(&self) -> usize {
        self.map.memory() + self.uniform_columns.memory()
    }
}
