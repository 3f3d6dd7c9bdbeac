//! What an expansion reads and writes.

/// The costs of a layer's cells during an expansion.
// The legal moves are an argument of their own: in here, each write of a cost would make the compiler load their slice again.
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
    /// Returns `cost` if it is below the limit, else `u32::MAX`, which lowers no cell.
    #[inline]
    pub(super) fn within_limit(&mut self, cost: u32) -> u32 {
        if cost < self.limit {
            return cost;
        }
        self.was_cut = true;
        u32::MAX
    }

    /// Lowers the cost of the cell at `at` to `cost`; returns whether that was lower and below the limit.
    #[inline]
    pub(super) fn lower(&mut self, at: usize, cost: u32) -> bool {
        // One comparison against the lower of both decides; which of them it was matters only when the line ends.
        let slot = &mut self.costs[at];
        if cost >= (*slot).min(self.limit) {
            self.was_cut |= cost >= self.limit;
            return false;
        }
        *slot = cost;
        true
    }
}
