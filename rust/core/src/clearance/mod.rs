//! How much room there is at a cell: true clearance, and the brushfire distance beside it for comparison.
//!
//! True clearance is the side of the largest open square with the cell as its top-left cell. A body of side n
//! fits where clearance is at least n. No edge inside such a square is blocked both ways. Brushfire is the
//! distance to the nearest obstacle; a test against it refuses some placements where the body does fit.
//!
//! Source: Harabor & Botea, *Hierarchical Path Planning for Multi-Size Agents in Heterogeneous Environments*,
//! CIG 2008, section 3.

mod brushfire;
mod true_clearance;

pub use true_clearance::clearance_at;

use crate::bitgrid::{GridLayout, LocalRect};
use crate::derived::Derived;
use crate::passability::Placements;

/// What a clearance map measures.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ClearanceMetric {
    /// Side of the largest open square with its top-left corner at the cell.
    #[default]
    True,
    /// Steps, diagonal ones included, to the nearest obstacle or to the outside.
    Brushfire,
}

/// Bytes before the first cell, so that a cell always has a left neighbour. As many zeros follow each row, so
/// that a block of [`LANES`] cells can be read from every cell on.
const LANES: usize = 16;

/// One byte a cell, 0 where it is not open, saturating at a maximum.
///
/// ```
/// use pathforge_core::clearance::ClearanceMetric;
/// use pathforge_core::geometry::Cell;
/// use pathforge_core::terrain::{Capability, Terrain};
/// use pathforge_core::world::{ClearanceKey, World};
///
/// let mut world = World::from_terrain(Terrain::from_text("....\n....\n..#.\n", Cell::new(0, 0))?);
/// let map = world.clearance_map(ClearanceKey::new(Capability::ALL, ClearanceMetric::True, 255));
/// assert_eq!(map.data(), [2, 2, 2, 1, 2, 1, 1, 1, 1, 1, 0, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClearanceMap {
    metric: ClearanceMetric,
    max: u8,
    layout: GridLayout,
    stride: usize,
    /// Rows with `LANES` or more zeros behind each, one row of zeros above and one below.
    values: Vec<u8>,
}

impl Derived for ClearanceMap {
    type Source<'a> = &'a Placements;
    /// What is measured, and where values stop, which is at least 1.
    type Kind = (ClearanceMetric, u8);
    // A change reaches as far as the largest value, so a repair works on more cells than have changed.
    const BUILD_SHARE: u64 = 8;

    /// One pass over the cells, sixteen at a time, for [`ClearanceMetric::True`]; two for the other.
    fn build(open: &Placements, (metric, max): Self::Kind) -> Self {
        debug_assert!(max >= 1);
        let layout = open.layout();
        // Whole blocks for the cells and one block of zeros behind them, the right border of this row and the
        // left one of the next.
        let stride = (layout.width() as usize).next_multiple_of(LANES) + LANES;
        let values = vec![0; LANES + stride * layout.rows()];
        let mut map = Self { metric, max, layout, stride, values };
        match metric {
            ClearanceMetric::True => map.build_true(open),
            ClearanceMetric::Brushfire => map.sweep(open, layout.all()),
        }
        map
    }

    /// Takes time in proportion to the cells that change, or for brushfire to `rect` grown by the maximum.
    fn repair_in(&mut self, open: &Placements, _: Self::Kind, rect: LocalRect) -> Option<LocalRect> {
        match self.metric {
            ClearanceMetric::True => self.repair_true(open, rect),
            ClearanceMetric::Brushfire => self.repair_brushfire(open, rect),
        }
    }

    fn touched_by(rect: LocalRect, _: Self::Kind, layout: GridLayout) -> LocalRect {
        // An edge counts for the squares that begin up to one cell before it.
        rect.grown(1, 1, 0, 0, layout)
    }

    fn memory(&self) -> usize {
        self.values.capacity()
    }
}

impl ClearanceMap {
    /// Returns the value at column `x` and row `y`, counted from the map's corner.
    #[inline]
    pub fn get(&self, x: u32, y: u32) -> u8 {
        self.values[self.place(x, y)]
    }

    /// Returns the values of row `y`, one a cell.
    pub(crate) fn row(&self, y: u32) -> &[u8] {
        let start = self.place(0, y);
        &self.values[start..start + self.layout.width() as usize]
    }

    /// Returns all values, row by row, without the borders.
    pub fn data(&self) -> Vec<u8> {
        let mut data = Vec::with_capacity(self.layout.cells());
        (0..self.layout.height()).for_each(|y| data.extend_from_slice(self.row(y)));
        data
    }

    #[inline]
    fn place(&self, x: u32, y: u32) -> usize {
        // One row of border above the first row.
        LANES + (y as usize + 1) * self.stride + x as usize
    }
}

#[cfg(test)]
mod tests;
