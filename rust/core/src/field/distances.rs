//! The costs of all paths to one placement, or from it, without directions: what landmarks are made of.
//!
//! As a step costs what the placement costs that it arrives at, the two differ, and a flow field knows the former alone. Builds are
//! Dijkstra's algorithm; repairs are those of fields (`repair`), simplified: one that takes too long needs no undoing, as its costs are dropped.

use super::ground::{FieldGround, step_units};
use super::integration::UNREACHED;
use crate::bitgrid::{LocalRect, PaddedIndex};
use crate::cost::Cost;
use crate::pages::NumberPages;
use crate::primitives::{LandmarkCosts, Way, WindowedBucketQueue};

/// The part of the map's cells that a repair may take from its queue, as a divisor: about that part of the time of a build.
const REPAIR_SHARE: usize = 32;

/// The most cells that one phase of a repair takes from its queue.
fn pops_max(ground: &FieldGround<'_>) -> usize {
    ground.layout().cells() / REPAIR_SHARE
}

/// The cost of a shortest path between each placement and one of them, in units, by padded index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Distances {
    way: Way,
    end: PaddedIndex,
    costs: NumberPages,
}

impl Distances {
    /// Returns the costs of paths on `ground` that go to or from `end`, which must be a placement.
    pub(crate) fn build(ground: &FieldGround<'_>, way: Way, end: PaddedIndex) -> Self {
        let mut distances =
            Self { way, end, costs: NumberPages::filled(ground.layout().padded_len(), UNREACHED) };
        let mut queue = WindowedBucketQueue::default();
        queue.clear(0);
        distances.lower(&mut queue, end.get(), 0);
        distances.settle(ground, &mut queue, usize::MAX);
        distances
    }

    /// Brings the costs up to date after an edit of `ground`, in which placements or costs in `rects` differ: then they equal those of
    /// [`Distances::build`]. Returns whether it did; if not, because the end is no placement or too many costs change, they hold no more.
    pub(crate) fn repair(&mut self, ground: &FieldGround<'_>, rects: &[LocalRect]) -> bool {
        let mut queue = WindowedBucketQueue::default();
        queue.clear(0);
        if !ground.placements.get(self.end) {
            return false;
        }
        let Some(reset) = self.reset_unsupported(ground, rects, &mut queue) else { return false };
        queue.clear(0);
        for at in reset {
            let offers = ground.neighbours(at).filter(|&(_, from)| self.costs[from] != UNREACHED);
            let best = offers.map(|(direction, from)| self.offer(ground, from, at, direction)).min();
            if let Some(best) = best.filter(|&best| best < self.costs[at].min(Cost::MAX.units() + 1)) {
                self.lower(&mut queue, at, best);
            }
        }
        self.settle(ground, &mut queue, pops_max(ground))
    }

    /// The costs, and which way paths go.
    pub(crate) fn costs(&self) -> LandmarkCosts<'_> {
        LandmarkCosts { way: self.way, costs: self.costs.view() }
    }

    /// Returns whether the costs are those of a build on `ground`.
    pub(crate) fn check_invariants(&self, ground: &FieldGround<'_>) -> bool {
        *self == Self::build(ground, self.way, self.end)
    }

    /// Bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        self.costs.memory()
    }

    /// The cost of `to` by way of its neighbour `from`, which is reached; moves are legal in both directions.
    #[inline]
    fn offer(&self, ground: &FieldGround<'_>, from: usize, to: usize, direction: u8) -> u32 {
        let arrived_at = if self.way == Way::To { from } else { to };
        self.costs[from] + step_units(ground.step(arrived_at), direction)
    }

    fn lower(&mut self, queue: &mut WindowedBucketQueue, at: usize, cost: u32) {
        self.costs.set(at, cost);
        queue.push(cost, at as u32);
    }

    /// Settles what follows from the cells in `queue`; returns whether it takes at most `pops_max` cells from it.
    fn settle(
        &mut self,
        ground: &FieldGround<'_>,
        queue: &mut WindowedBucketQueue,
        mut pops_max: usize,
    ) -> bool {
        while let Some((cost, at)) = queue.pop() {
            let at = at as usize;
            if pops_max == 0 {
                return false;
            }
            pops_max -= 1;
            if self.costs[at] != cost {
                continue;
            }
            for (direction, to) in ground.neighbours(at) {
                let offer = self.offer(ground, at, to, direction);
                if offer < self.costs[to].min(Cost::MAX.units() + 1) {
                    self.lower(queue, to, offer);
                }
            }
        }
        true
    }

    /// Resets every cell that has lost its support. Returns these cells and those around the edits; `None` if they are so many
    /// that a repair does not pay.
    fn reset_unsupported(
        &mut self,
        ground: &FieldGround<'_>,
        rects: &[LocalRect],
        queue: &mut WindowedBucketQueue,
    ) -> Option<Vec<usize>> {
        let layout = ground.layout();
        let mut pops = pops_max(ground);
        let mut cells = Vec::new();
        for rect in rects {
            let around = rect.grown(1, 1, 1, 1, layout);
            cells.extend(around.places().map(|(x, y)| layout.index(x, y).get()));
        }
        for &at in cells.iter().filter(|&&at| self.costs[at] != UNREACHED) {
            queue.push(self.costs[at], at as u32);
        }
        // In ascending order of cost, so whatever could support a cell is decided before it.
        while let Some((cost, at)) = queue.pop() {
            let at = at as usize;
            pops = pops.checked_sub(1)?;
            if self.costs[at] != cost || self.is_supported(ground, at, cost) {
                continue;
            }
            // Cells that it supports cost just a step more. Where the edit changed a step, both its ends are among the first.
            for (direction, to) in ground.neighbours(at) {
                let own = self.costs[to];
                if own != UNREACHED && own == self.offer(ground, at, to, direction) {
                    queue.push(own, to as u32);
                }
            }
            self.costs.set(at, UNREACHED);
            cells.push(at);
        }
        Some(cells)
    }

    fn is_supported(&self, ground: &FieldGround<'_>, at: usize, cost: u32) -> bool {
        at == self.end.get()
            || ground.neighbours(at).any(|(direction, from)| {
                self.costs[from] < cost && self.offer(ground, from, at, direction) <= cost
            })
    }
}
