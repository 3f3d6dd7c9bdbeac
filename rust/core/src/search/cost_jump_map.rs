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
    /// Of each row: the placements, those of locally uniform cost, and those of these that scans along the row pass over.
    row_counts: Vec<[u32; 3]>,
    /// The sums over all rows.
    counts: [u64; 3],
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
        let mut made = Self {
            map: JumpMap::build_within(rows, columns, mode),
            row_counts: vec![[0; 3]; layer.layout().height() as usize],
            uniform_columns,
            counts: [0; 3],
        };
        made.count_rows(costs, 0..layer.layout().height());
        made
    }

    /// Brings the bits up to date after costs or placements in `rect` changed.
    pub fn repair(&mut self, layer: &BitGrid, transpose: &BitGrid, costs: &PlacementCosts, rect: LocalRect) {
        // A cell is of uniform cost by its neighbours, so those around the rectangle can have changed, too.
        let rect = rect.grown(1, 1, 1, 1, layer.layout());
        costs.uniform().repair_transpose(&mut self.uniform_columns, rect);
        let rows = Bits { open: layer, within: Some(costs.uniform()) };
        let columns = Bits { open: transpose, within: Some(&self.uniform_columns) };
        self.map.repair_within(rows, columns, rect);
        // Stops look one cell around.
        let rows = rect.grown(0, 1, 0, 1, layer.layout());
        self.count_rows(costs, rows.y0..rows.y1);
    }

    fn count_rows(&mut self, costs: &PlacementCosts, rows: std::ops::Range<u32>) {
        let (layout, uniform) = (self.map.layout(), costs.uniform().words());
        for y in rows {
            let first = layout.index(0, y).word();
            let mut new = [0; 3];
            for word in first..first + layout.stride_words() {
                let (open, passed) = self.map.count_passed(word);
                let counts = [open, uniform[word].count_ones(), passed];
                new = std::array::from_fn(|n| new[n] + counts[n]);
            }
            let old = std::mem::replace(&mut self.row_counts[y as usize], new);
            self.counts = std::array::from_fn(|n| self.counts[n] + u64::from(new[n]) - u64::from(old[n]));
        }
    }

    /// The stop bits.
    #[inline]
    pub(super) const fn jump_map(&self) -> &JumpMap {
        &self.map
    }

    /// Returns whether a search by jumps takes less time than one cell by cell.
    ///
    /// Jumps pay where scans pass over most placements, and where walls stop few of the scans that costs would let pass: among
    /// single blocked cells the nodes are fewer than cells, but each takes longer (bench `patches`).
    pub const fn pays(&self) -> bool {
        let [placements, uniform, passed] = self.counts;
        passed * 8 >= placements * 5 && passed * 16 >= uniform * 13
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.map.memory() + self.uniform_columns.memory() + size_of_val(&self.row_counts[..])
    }
}
