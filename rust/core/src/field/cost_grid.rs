//! What an expansion reads and writes.

/// The costs of a layer's cells during an expansion.
// The legal moves are an argument of their own: in here, each write of a cost would make the compiler load
// their slice again.
pub(super) struct CostGrid<'a> {
    /// The cost of each padded cell, `u32::MAX` where it is not reached yet.
    pub(super) costs: &'a mut [u32],
    /// Elements of a row.
    pub(super) stride: usize,
    /// The least cost that is not reached.
    pub(super) limit: u32,
    /// If `true`, some cell was left out because of the limit.
    pub(super) was_cut: bool,
}

impl CostGrid<'_> {
    /// Lowers the cost of the cell at `at` to `cost`; returns whether that was lower and below the limit.
    #[inline]
    pub(super) fn lower(&mut self, at: usize, cost: u32) -> bool {
        lower(&mut self.costs[at], cost, self.limit, &mut self.was_cut)
    }
}

/// Lowers a cell's cost to `cost`; returns whether that was lower and below `limit`.
#[inline]
pub(super) fn lower(slot: &mut u32, cost: u32, limit: u32, was_cut: &mut bool) -> bool {
    // One comparison against the lower of both decides; which of them it was matters only when the line ends.
    if cost >= (*slot).min(limit) {
        *was_cut |= cost >= limit;
        return false;
    }
    *slot = cost;
    true
}
