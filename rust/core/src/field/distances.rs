//! The costs of all paths to one placement, or from it, without directions: what landmarks are made of.
//!
//! As a step costs what the placement costs that it arrives at, the two differ, and a flow field knows the
//! former alone. Builds are Dijkstra's algorithm. After an edit they need not be the costs of now, only
//! bounds, so they are never raised.

use super::ground::{FieldGround, step_units};
use super::integration::UNREACHED;
use crate::bitgrid::{LocalRect, PaddedIndex};
use crate::cost::Cost;
use crate::pages::NumberPages;
use crate::primitives::{BucketQueue, LandmarkCosts, WINDOW, Way};

/// The part of the map's cells that may be lowered after an edit, as a divisor: about that part of the time
/// of a build.
const LOWERED_SHARE: usize = 32;

/// The cost of a shortest path between each placement and one of them, in units, by padded index. After edits
/// it is a bound, which differs over no step by more than the step costs.
#[derive(Clone, Debug)]
pub(crate) struct Distances {
    way: Way,
    costs: NumberPages,
}

impl Distances {
    /// Returns the costs of paths on `ground` that go to or from `end`, which must be a placement.
    pub(crate) fn build(ground: &FieldGround<'_>, way: Way, end: PaddedIndex) -> Self {
        let mut distances = Self { way, costs: NumberPages::filled(ground.layout().padded_len(), UNREACHED) };
        let mut queue = BucketQueue::default();
        queue.clear(0, WINDOW);
        distances.lower(&mut queue, end.get(), 0);
        distances.settle(ground, &mut queue, usize::MAX);
        distances
    }

    /// Keeps the costs bounds after an edit of `ground`, in which placements or costs in `rects` differ. A
    /// step that costs less lowers the difference of its ends, and so on. Steps that cost more change
    /// nothing, as bounds hold there. Returns `false` if too many costs would change: then they are no longer
    /// bounds.
    pub(crate) fn lower_after(
        &mut self,
        ground: &FieldGround<'_>,
        rects: &[LocalRect],
        queue: &mut BucketQueue,
    ) -> bool {
        queue.clear(0, WINDOW);
        for rect in rects {
            // Every step that has changed has both its ends in there.
            for (x, y) in rect.grown(1, 1, 1, 1, ground.layout()).places() {
                let at = ground.layout().index(x, y).get();
                self.relax(ground, queue, at);
                // But those over links, whose other end may be anywhere.
                let (to, from) = (ground.placements.links_to(at), ground.placements.links_from(at));
                to.for_each(|step| self.relax(ground, queue, step.from as usize));
                from.for_each(|step| self.relax(ground, queue, step.to as usize));
            }
        }
        self.settle(ground, queue, ground.layout().cells() / LOWERED_SHARE)
    }

    /// The costs, and which way paths go.
    pub(crate) fn costs(&self) -> LandmarkCosts<'_> {
        LandmarkCosts { way: self.way, costs: self.costs.view() }
    }

    /// Returns whether the costs are bounds on `ground`: over no step do they differ by more than it costs.
    pub(crate) fn are_bounds(&self, ground: &FieldGround<'_>) -> bool {
        let reached = (0..self.costs.len()).filter(|&at| self.costs[at] != UNREACHED);
        let mut offers = reached.flat_map(|at| {
            let steps = self.steps(ground, at);
            let steps = steps.map(move |(direction, to)| (to, self.offer(ground, at, to, direction)));
            steps.chain(self.links(ground, at).map(move |(to, cost)| (to, self.costs[at] + cost)))
        });
        offers.all(|(to, offer)| offer >= self.costs[to].min(Cost::MAX.units() + 1))
    }

    /// Bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        self.costs.memory()
    }

    /// The steps by which costs spread from a cell: those out of it, or for paths to the end those into it.
    #[inline]
    fn steps(&self, ground: &FieldGround<'_>, at: usize) -> impl Iterator<Item = (u8, usize)> + use<> {
        ground.neighbours(if self.way == Way::To { ground.arrivals } else { ground.moves }, at)
    }

    /// The cost of `to` by way of its neighbour `from`, which is reached.
    #[inline]
    fn offer(&self, ground: &FieldGround<'_>, from: usize, to: usize, direction: u8) -> u32 {
        let arrived_at = if self.way == Way::To { from } else { to };
        self.costs[from] + step_units(ground.step(arrived_at), direction)
    }

    /// Lowers the neighbours of a cell to what they cost by way of it.
    #[inline]
    fn relax(&mut self, ground: &FieldGround<'_>, queue: &mut BucketQueue, at: usize) {
        if self.costs[at] == UNREACHED {
            return;
        }
        for (direction, to) in self.steps(ground, at) {
            let offer = self.offer(ground, at, to, direction);
            if offer < self.costs[to].min(Cost::MAX.units() + 1) {
                self.lower(queue, to, offer);
            }
        }
        for (to, cost) in self.links(ground, at) {
            let offer = self.costs[at].saturating_add(cost);
            if offer < self.costs[to].min(Cost::MAX.units() + 1) {
                self.lower(queue, to, offer);
            }
        }
    }

    /// As [`Distances::steps`], over links, each with its cost.
    fn links<'a>(&self, ground: &FieldGround<'a>, at: usize) -> impl Iterator<Item = (usize, u32)> + use<'a> {
        let (to, from) = match self.way {
            Way::To => (Some(ground.placements.links_to(at)), None),
            Way::From => (None, Some(ground.placements.links_from(at))),
        };
        let to = to.into_iter().flatten().map(|step| (step.from as usize, step.cost));
        to.chain(from.into_iter().flatten().map(|step| (step.to as usize, step.cost)))
    }

    fn lower(&mut self, queue: &mut BucketQueue, at: usize, cost: u32) {
        self.costs.set(at, cost);
        queue.push(cost, at as u32);
    }

    /// Settles what follows from the cells in `queue`; returns whether it takes at most `pops_max` cells from
    /// it.
    fn settle(&mut self, ground: &FieldGround<'_>, queue: &mut BucketQueue, mut pops_max: usize) -> bool {
        while let Some((cost, at)) = queue.pop() {
            let at = at as usize;
            if pops_max == 0 {
                return false;
            }
            pops_max -= 1;
            if self.costs[at] != cost {
                continue;
            }
            self.relax(ground, queue, at);
        }
        true
    }
}
