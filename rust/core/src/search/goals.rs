use smallvec::SmallVec;

use super::Spot;
use crate::bitgrid::Shape;
use crate::cost::StepCost;
use crate::geometry::DiagonalMode;

/// The spots at which a search may end: one or a few, each a stand of the layer.
#[derive(Clone, Debug)]
pub struct Goals {
    /// Bounds, inclusive.
    x0: u32,
    y0: u32,
    x1: u32,
    y1: u32,
    /// Padded indices, ascending.
    in_rows: SmallVec<[u32; 4]>,
    /// Padded indices in the transposed twin, ascending.
    in_columns: SmallVec<[u32; 4]>,
}

impl Goals {
    /// A set of `spots`, which are stands of a layer of `shape`; `None` when there are none.
    pub fn new(shape: Shape, spots: &[Spot]) -> Option<Self> {
        let first = *spots.first()?;
        let (x, y) = (u32::from(first.x), u32::from(first.y));
        let mut goals =
            Self { x0: x, y0: y, x1: x, y1: y, in_rows: SmallVec::new(), in_columns: SmallVec::new() };
        for spot in spots {
            let (x, y) = (u32::from(spot.x), u32::from(spot.y));
            (goals.x0, goals.x1) = (goals.x0.min(x), goals.x1.max(x));
            (goals.y0, goals.y1) = (goals.y0.min(y), goals.y1.max(y));
            goals.in_rows.push(spot.index(shape).number());
            goals.in_columns.push(spot.index_transposed(shape).number());
        }
        goals.in_rows.sort_unstable();
        goals.in_columns.sort_unstable();
        Some(goals)
    }

    /// Their padded indices, ascending.
    pub fn indices(&self) -> &[u32] {
        &self.in_rows
    }

    /// Whether there is more than one.
    #[inline]
    pub fn are_many(&self) -> bool {
        self.in_rows.len() > 1
    }

    /// Whether the spot at (`x`, `y`), whose padded index is `index`, is a goal.
    #[inline]
    pub fn contain(&self, x: u32, y: u32, index: usize) -> bool {
        self.bounds_hold(x, y) && (!self.are_many() || self.in_rows.binary_search(&(index as u32)).is_ok())
    }

    /// Whether some goal may lie in row `y`.
    #[inline]
    pub const fn touch_row(&self, y: u32) -> bool {
        self.y0 <= y && y <= self.y1
    }

    /// Whether some goal may lie in column `x`.
    #[inline]
    pub const fn touch_column(&self, x: u32) -> bool {
        self.x0 <= x && x <= self.x1
    }

    /// The goal that a move along a row meets first on its way from index `from`, exclusive, to index `to`, inclusive.
    pub fn first_in_row(&self, from: usize, to: usize) -> Option<usize> {
        first_between(&self.in_rows, from, to)
    }

    /// As [`Goals::first_in_row`], along a column, with indices in the transposed twin.
    pub fn first_in_column(&self, from: usize, to: usize) -> Option<usize> {
        first_between(&self.in_columns, from, to)
    }

    #[inline]
    const fn bounds_hold(&self, x: u32, y: u32) -> bool {
        self.touch_row(y) && self.touch_column(x)
    }

    /// Columns and rows from (`x`, `y`) to the bounds of the goals.
    #[inline]
    const fn offsets(&self, x: u32, y: u32) -> (u32, u32) {
        const fn outside(v: u32, low: u32, high: u32) -> u32 {
            low.saturating_sub(v) + v.saturating_sub(high)
        }
        (outside(x, self.x0, self.x1), outside(y, self.y0, self.y1))
    }
}

fn first_between(sorted: &[u32], from: usize, to: usize) -> Option<usize> {
    let (from, to) = (from as u32, to as u32);
    if from < to {
        let next = sorted.partition_point(|&goal| goal <= from);
        sorted.get(next).filter(|&&goal| goal <= to).map(|&goal| goal as usize)
    } else {
        let behind = sorted.partition_point(|&goal| goal < from);
        sorted[..behind].last().filter(|&&goal| goal >= to).map(|&goal| goal as usize)
    }
}

/// A lower bound on the cost from a spot to the goals that never falls by more than a step costs, so that costs along
/// a search never decrease.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heuristic {
    straight: u32,
    /// What a diagonal step saves over a straight one twice.
    diagonal_less_straight: u32,
}

impl Heuristic {
    /// The heuristic for bodies that move by `mode`, when no step costs less than `cheapest`.
    pub(super) fn new(mode: DiagonalMode, cheapest: StepCost) -> Self {
        let straight = u32::from(cheapest.straight);
        let diagonal = match mode {
            DiagonalMode::Never => 2 * straight,
            // A diagonal step is never cheaper than a straight one, and two straight ones can replace it.
            _ => u32::from(cheapest.diagonal).min(2 * straight),
        };
        Self { straight, diagonal_less_straight: diagonal - straight }
    }

    #[inline]
    pub(super) fn estimate(self, goals: &Goals, x: u32, y: u32) -> u32 {
        let (dx, dy) = goals.offsets(x, y);
        self.straight * dx.max(dy) + self.diagonal_less_straight * dx.min(dy)
    }
}
