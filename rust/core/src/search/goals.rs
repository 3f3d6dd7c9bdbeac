use smallvec::SmallVec;

use crate::bitgrid::GridLayout;
use crate::primitives::{GridBounds, GridPoint};

/// The points at which a search may end: one or more placements of the layer.
#[derive(Clone, Debug)]
pub struct Goals {
    bounds: GridBounds,
    /// Padded indices, ascending.
    in_rows: SmallVec<[u32; 4]>,
    /// Padded indices in the transpose, ascending.
    in_columns: SmallVec<[u32; 4]>,
}

impl Goals {
    /// A set of `points`, which are placements of a layer of `layout`; `None` when there are none.
    pub fn new(layout: GridLayout, points: &[GridPoint]) -> Option<Self> {
        let bounds = GridBounds::of_points(points)?;
        let mut in_rows: SmallVec<_> = points.iter().map(|point| point.index(layout).number()).collect();
        let mut in_columns: SmallVec<_> =
            points.iter().map(|point| point.index_transposed(layout).number()).collect();
        // Scans pass over 64 cells at once without looking at them: they find the goals that they pass by
        // bisection.
        in_rows.sort_unstable();
        in_columns.sort_unstable();
        Some(Self { bounds, in_rows, in_columns })
    }

    /// The smallest bounds that hold all goals.
    pub(super) const fn bounds(&self) -> GridBounds {
        self.bounds
    }

    /// Their padded indices, ascending.
    pub fn indices(&self) -> &[u32] {
        &self.in_rows
    }

    /// Returns the goal if there is only one.
    #[inline]
    pub(super) fn single(&self) -> Option<GridPoint> {
        (!self.are_many()).then(|| GridPoint::new(self.bounds.x0, self.bounds.y0))
    }

    /// Returns whether there is more than one.
    #[inline]
    pub(crate) fn are_many(&self) -> bool {
        self.in_rows.len() > 1
    }

    /// Returns whether the point at (`x`, `y`), whose padded index is `index`, is a goal.
    #[inline]
    pub(crate) fn contain(&self, x: u32, y: u32, index: usize) -> bool {
        // Called for every cell that is walked: the bounds reject most, and the bounds of a single goal are
        // that goal.
        self.touch_row(y)
            && self.touch_column(x)
            && (!self.are_many() || self.in_rows.binary_search(&(index as u32)).is_ok())
    }

    /// Returns whether some goal may lie in row `y`.
    #[inline]
    pub(crate) const fn touch_row(&self, y: u32) -> bool {
        self.bounds.contains_row(y)
    }

    /// Returns whether some goal may lie in column `x`.
    #[inline]
    pub(crate) const fn touch_column(&self, x: u32) -> bool {
        self.bounds.contains_column(x)
    }

    /// The goal that a move along a row meets first from index `from`, exclusive, to index `to`, inclusive.
    pub(crate) fn first_in_row(&self, from: usize, to: usize) -> Option<usize> {
        first_between(&self.in_rows, from, to)
    }

    /// As [`Goals::first_in_row`], along a column, with indices in the transpose.
    pub(crate) fn first_in_column(&self, from: usize, to: usize) -> Option<usize> {
        first_between(&self.in_columns, from, to)
    }
}

fn first_between(sorted: &[u32], from: usize, to: usize) -> Option<usize> {
    let (from, to) = (from as u32, to as u32);
    // The start of the move does not count, its end does: a goal at the start has been handled when the
    // search reached it.
    if from < to {
        let next = sorted.partition_point(|&goal| goal <= from);
        sorted.get(next).filter(|&&goal| goal <= to).map(|&goal| goal as usize)
    } else {
        // Towards lower indices, the greatest one comes first.
        let behind = sorted.partition_point(|&goal| goal < from);
        sorted[..behind].last().filter(|&&goal| goal >= to).map(|&goal| goal as usize)
    }
}
