//! How a search estimates the cost to its goals: by the octile distance and, if there are any, by landmarks.
//!
//! Sources: Goldberg & Harrelson, *Computing the Shortest Path: A\* Search Meets Graph Theory*, SODA 2005
//! (landmarks; a search uses two of them). Sturtevant, Felner, Barrer, Schaeffer & Burch, *Memory-Based
//! Heuristics for Explicit State Spaces*, IJCAI 2009.

use super::goals::Goals;
use crate::bitgrid::GridLayout;
use crate::cost::Cost;
use crate::pages::NumberView;
use crate::passability::PlacementCosts;
use crate::primitives::{Estimate, GridPoint, Heuristic, LandmarkCosts, Way};

/// How many landmarks a search looks at: the two that say most at its start. A third says little more and is
/// one more look a cell.
const ACTIVE: usize = 2;

/// What the steps of a search cost, and the costs from each placement to some landmarks.
#[derive(Clone, Copy)]
pub struct Weights<'a> {
    pub(super) costs: &'a PlacementCosts,
    landmarks: &'a [LandmarkCosts<'a>],
}

impl<'a> From<&'a PlacementCosts> for Weights<'a> {
    fn from(costs: &'a PlacementCosts) -> Self {
        Self { costs, landmarks: &[] }
    }
}

impl<'a> Weights<'a> {
    /// The `landmarks` are those of the ground that is searched, where steps cost what `costs` says, or of
    /// one with more placements, where they cost less.
    pub fn with_landmarks(costs: &'a PlacementCosts, landmarks: &'a [LandmarkCosts<'a>]) -> Self {
        Self { costs, landmarks }
    }
}

/// The greatest of several lower bounds on the cost to any goal: H, which is the octile distance, with or
/// without short cuts, and those of landmarks.
///
/// Let d(a, b) be the minimum cost of a path from a to b, n a cell, l a landmark and t a goal. A path from n
/// to l leads over t, so d(n, l) ≤ d(n, t) + d(t, l). A path from l to t leads over n, so d(l, t) ≤ d(l, n) +
/// d(n, t). Thus d(n, l) − max d(t, l) and min d(l, t) − d(l, n), over all goals, are at most the cost to any
/// of them. Both are *consistent*: over a step from n to m, d(n, l) − d(m, l) and d(l, m) − d(l, n) are at
/// most the step's cost. A step costs what its target does, so d(n, l) and d(l, n) differ, and neither gives
/// the other.
///
/// The bounds hold also if placements are closed for one query, or steps cost more than when d was found.
/// Paths were then at least as many and none cost more. The sides of both inequalities that a landmark gives
/// hold for the d of then, and d(n, t) of now is no less.
#[derive(Clone, Copy)]
pub(super) struct Bounds<'a, H = Heuristic> {
    octile: H,
    stride: usize,
    /// The greatest bounds first.
    active: [Option<Bound<'a>>; ACTIVE],
}

/// The bound of one landmark, one way.
#[derive(Clone, Copy)]
struct Bound<'a> {
    costs: NumberView<'a>,
    /// What costs are compared with: those at the goals.
    at_goals: i32,
    /// 0 where paths lead to the landmark, −1 where they come from it and the difference is the other way
    /// round.
    sign: i32,
}

impl Bound<'_> {
    /// The bound at padded index `at`, which may be negative.
    #[inline]
    fn at(self, at: usize) -> i32 {
        // A cell that is not reached lies farther than the largest cost. Inverting and adding one negates
        // without a branch.
        let cost = (*self.costs.at(at)).min(Cost::MAX.units()) as i32;
        ((cost - self.at_goals) ^ self.sign) - self.sign
    }
}

impl<'a, H: Estimate> Bounds<'a, H> {
    /// The octile distance alone.
    pub(super) fn octile(octile: H, layout: GridLayout) -> Self {
        Self { octile, stride: layout.stride(), active: [None; ACTIVE] }
    }

    pub(super) fn new(
        octile: H,
        weights: Weights<'a>,
        layout: GridLayout,
        start: GridPoint,
        goals: &Goals,
    ) -> Self {
        let start = start.index(layout).get();
        // By their bound at the start; of equal ones, the first.
        let mut best = [0; ACTIVE];
        let mut active = [None; ACTIVE];
        for &LandmarkCosts { way, costs } in weights.landmarks {
            let at_goals = goals.indices().iter().map(|&goal| *costs.at(goal as usize));
            let (nearest, farthest) =
                at_goals.fold((u32::MAX, 0), |(low, high), cost| (low.min(cost), high.max(cost)));
            // Start or goals not reached: the landmark lies elsewhere, or too far to count.
            if farthest.max(*costs.at(start)) > Cost::MAX.units() {
                continue;
            }
            let bound = match way {
                Way::To => Bound { costs, at_goals: farthest as i32, sign: 0 },
                Way::From => Bound { costs, at_goals: nearest as i32, sign: -1 },
            };
            let value = bound.at(start);
            if let Some(place) = best.iter().position(|&other| other < value) {
                best[place..].rotate_right(1);
                active[place..].rotate_right(1);
                (best[place], active[place]) = (value, Some(bound));
            }
        }
        Self { octile, stride: layout.stride(), active }
    }
}

impl<H: Estimate> Estimate for Bounds<'_, H> {
    #[inline]
    fn estimate(&self, x: u32, y: u32) -> u32 {
        let at = y as usize * self.stride + x as usize;
        let mut estimate = self.octile.estimate(x, y);
        for bound in self.active {
            let Some(bound) = bound else { break };
            estimate = estimate.max(bound.at(at).max(0) as u32);
        }
        estimate
    }
}
