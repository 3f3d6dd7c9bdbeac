//! What a hierarchy is made from, and the numbers of its clusters and lines.

use crate::bitgrid::{BitGrid, PaddedIndex, Shape};
use crate::cost::StepCost;
use crate::geometry::DiagonalMode;
use crate::passability::StandCosts;

/// Log₂ of the side of a cluster, in cells.
pub(super) const FINE_SHIFT: u32 = 5;
/// Log₂ of the side of a cluster of clusters, in cells.
pub(super) const COARSE_SHIFT: u32 = 7;

/// Where a body can stand, what stepping there costs it, and how it steps.
#[derive(Clone, Copy, Debug)]
pub struct BodyGround<'a> {
    /// One bit a cell: the body can stand.
    pub stands: &'a BitGrid,
    /// What stands cost; `None` where all cost what weight 1 does.
    pub costs: Option<&'a StandCosts>,
    /// When it steps diagonally.
    pub mode: DiagonalMode,
    /// The cheapest and the dearest stand.
    extremes: (StepCost, StepCost),
}

impl<'a> BodyGround<'a> {
    /// The ground of a body that stands where `stands` says, pays `costs`, or what weight 1 costs without, and steps by
    /// `mode`.
    pub fn new(stands: &'a BitGrid, costs: Option<&'a StandCosts>, mode: DiagonalMode) -> Self {
        let extremes = costs.map_or((StepCost::UNIT, StepCost::UNIT), StandCosts::extremes);
        Self { stands, costs, mode, extremes }
    }
    pub(super) fn is_stand(&self, spot: Spot) -> bool {
        self.stands.get(spot.index(self.stands.shape()))
    }

    /// What a straight step to a stand costs, in units.
    pub(super) fn straight(&self, spot: Spot) -> u32 {
        let step = self.costs.and_then(|costs| costs.get(spot.index(self.stands.shape())));
        u32::from(step.unwrap_or(StepCost::UNIT).straight)
    }

    /// The cheapest and the dearest stand.
    pub(super) const fn extremes(&self) -> (StepCost, StepCost) {
        self.extremes
    }
}

/// Padded column and row of a stand: one more than those of the map's cell. Ordered by row, then column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Spot(u32);

impl Spot {
    #[inline]
    pub(super) const fn new(x: u32, y: u32) -> Self {
        Self(y << 16 | x)
    }

    pub(super) const fn of_index(index: PaddedIndex, shape: Shape) -> Self {
        let (x, y) = shape.xy(index);
        Self::new(x + 1, y + 1)
    }

    #[inline]
    pub(super) const fn from_packed(packed: u32) -> Self {
        Self(packed)
    }

    #[inline]
    pub(super) const fn packed(self) -> u32 {
        self.0
    }

    #[inline]
    pub(super) const fn x(self) -> u32 {
        self.0 & 0xffff
    }

    #[inline]
    pub(super) const fn y(self) -> u32 {
        self.0 >> 16
    }

    #[inline]
    pub(super) const fn index(self, shape: Shape) -> PaddedIndex {
        PaddedIndex::new(self.y() as usize * shape.stride() + self.x() as usize)
    }
}

/// Columns `x0..=x1` and rows `y0..=y1` of a padded grid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Window {
    pub(super) x0: u32,
    pub(super) y0: u32,
    pub(super) x1: u32,
    pub(super) y1: u32,
}

impl Window {
    pub(super) const fn of_spot(spot: Spot) -> Self {
        Self { x0: spot.x(), y0: spot.y(), x1: spot.x(), y1: spot.y() }
    }

    pub(super) const fn contains(self, spot: Spot) -> bool {
        let (x, y) = (spot.x(), spot.y());
        self.x0 <= x && x <= self.x1 && self.y0 <= y && y <= self.y1
    }

    #[must_use]
    pub(super) fn union(self, other: Self) -> Self {
        Self {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }

    /// The window moved out by `by` cells on each side, as far as the map reaches.
    #[must_use]
    pub(super) fn grown(self, by: u32, shape: Shape) -> Self {
        Self {
            x0: self.x0.saturating_sub(by).max(1),
            y0: self.y0.saturating_sub(by).max(1),
            x1: (self.x1 + by).min(shape.width()),
            y1: (self.y1 + by).min(shape.height()),
        }
    }
}

/// How one level divides a map into clusters.
///
/// Lines run through every `2^shift`-th padded column and row. A cluster is what lies between four of them *with* those
/// lines: neighbours share the cells of the line between them. No step leads over a line without standing on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Division {
    shape: Shape,
    shift: u32,
}

impl Division {
    pub(super) const fn new(shape: Shape, shift: u32) -> Self {
        Self { shape, shift }
    }

    pub(super) const fn columns(self) -> u32 {
        (self.shape.width() >> self.shift) + 1
    }

    pub(super) const fn rows(self) -> u32 {
        (self.shape.height() >> self.shift) + 1
    }

    pub(super) const fn count(self) -> usize {
        self.columns() as usize * self.rows() as usize
    }

    /// The cells of a cluster, lines included, as far as the map reaches.
    pub(super) fn window(self, cluster: u32) -> Window {
        let (x, y) = ((cluster % self.columns()) << self.shift, (cluster / self.columns()) << self.shift);
        let side = 1 << self.shift;
        Window {
            x0: x.max(1),
            y0: y.max(1),
            x1: (x + side).min(self.shape.width()),
            y1: (y + side).min(self.shape.height()),
        }
    }

    /// The cluster that a spot lies in; of several, on a line, the one to the right and below.
    #[inline]
    pub(super) const fn cluster(self, spot: Spot) -> u32 {
        (spot.y() >> self.shift) * self.columns() + (spot.x() >> self.shift)
    }

    /// Every cluster that a spot lies in.
    #[inline]
    pub(super) fn clusters(self, spot: Spot) -> impl Iterator<Item = u32> {
        let mask = (1 << self.shift) - 1;
        let here = self.cluster(spot);
        let left = u32::from(spot.x() & mask == 0);
        let up = u32::from(spot.y() & mask == 0) * self.columns();
        // Line 0 is border, where nobody stands, so there is a cluster before each line.
        (0..4)
            .filter(move |n| (n & 1 == 0 || left != 0) && (n & 2 == 0 || up != 0))
            .map(move |n| here - if n & 1 == 1 { left } else { 0 } - if n & 2 == 2 { up } else { 0 })
    }
}
