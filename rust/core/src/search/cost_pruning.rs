//! Pruning where costs differ: the directions worth trying from a cell, by what the cells around it cost.
//!
//! Definition ([`PruningTable`] has it for uniform cost): a neighbour n of m, reached from p, is pruned if a path from p to n
//! past m costs less than p–m–n, or as much and ends with a straight step where that from m is diagonal. Without diagonal
//! steps: with a horizontal step where that from m is vertical. A step costs what the cell that it arrives at does.

use crate::bitgrid::{GridLayout, PaddedIndex, neighbourhood};
use crate::geometry::{DiagonalMode, Direction, DirectionSet};
use crate::pages::{NumberView, WordView};
use crate::passability::PlacementCosts;
use crate::primitives::{PruningTable, offsets};

const NEVER: u8 = DiagonalMode::Never as u8;

/// What the directions worth trying depend on.
pub(super) struct CostPruning<'a, const MODE: u8> {
    /// By padded index: the packed cost of a step to the placement, straight in the lower half, diagonal in the upper.
    packed: NumberView<'a>,
    uniform: WordView<'a>,
    layout: GridLayout,
    offsets: [usize; 8],
}

// Directions are turned so that bit n is the direction n eighths of a turn clockwise from straight on, as in the pruning
// table. For an arrival to the right (`p` parent, `m` the cell):
//
//  5 6 7
//  p m 0
//  3 2 1
//
// and to the upper right, with 5 and 3 next to the parent:
//
//  6 7 0
//  5 m 1
//  p 3 2

/// All but straight back and the two cells beside it, which the parent reaches at less cost by one straight step: a straight
/// step costs no more than a diagonal one, and that to m costs something.
const NOT_BACK: u8 = 0b1100_0111;
/// On the right and on the left of straight on: the direction beside it, the next and the one after that.
const SIDES: [[u8; 3]; 2] = [[1, 2, 3], [7, 6, 5]];

impl<'a, const MODE: u8> CostPruning<'a, MODE> {
    pub(super) fn new(costs: &'a PlacementCosts, layout: GridLayout) -> Self {
        Self {
            packed: costs.packed().view(),
            uniform: costs.uniform().words().view(),
            layout,
            offsets: offsets(layout.stride()),
        }
    }

    /// Returns what a straight and a diagonal step onto the placement at `index` cost.
    #[inline]
    pub(super) fn step_onto(&self, index: usize) -> (u32, u32) {
        let packed = *self.packed.at(index);
        (packed & 0xffff, packed >> 16)
    }

    /// Returns the directions worth trying from the cell at `index`, which was reached by a step in direction number
    /// `arrival`, of those in `legal`.
    ///
    /// Costs are compared only for steps onto locally uniform cells, since a jump begins there. A step onto another cell is
    /// done in less time than it takes to find out that it was in vain.
    #[inline]
    pub(super) fn after(&self, arrival: u8, index: PaddedIndex, legal: DirectionSet) -> DirectionSet {
        let turn = u32::from(arrival);
        let kept = legal.0.rotate_right(turn) & NOT_BACK;
        let around = neighbourhood(self.layout, index, |word| *self.uniform.at(word));
        // The centre counts as open for the table, which then has one direction for each uniform cell around.
        let uniform = PruningTable::of(DiagonalMode::Always).legal(around | 1 << 4);
        let asked = kept & uniform.0.rotate_right(turn);
        if asked == 0 {
            return DirectionSet(kept.rotate_left(turn));
        }
        let pruned = match (MODE, arrival & 1) {
            (NEVER, _) => self.pruned_without_diagonals(arrival, index, asked),
            (_, 0) => self.pruned_after_straight(arrival, index, asked),
            (_, _) => self.pruned_after_diagonal(arrival, index, asked),
        };
        DirectionSet((kept & !pruned).rotate_left(turn))
    }

    /// Straight and diagonal cost of a step onto the neighbour in a turned direction; 0 and 0 where there is no placement.
    #[inline]
    fn neighbour(&self, index: PaddedIndex, arrival: u8, turned: u8) -> (u32, u32) {
        self.step_onto(index.get().wrapping_add(self.offsets[usize::from((arrival + turned) & 7)]))
    }

    fn pruned_after_straight(&self, arrival: u8, index: PaddedIndex, asked: u8) -> u8 {
        let mode = DiagonalMode::ALL[MODE as usize];
        let cost = |turned| self.neighbour(index, arrival, turned);
        let (through, _) = self.step_onto(index.get());
        let mut pruned = 0;
        for [ahead, beside, behind] in SIDES {
            if asked & (1 << ahead | 1 << beside | 1) == 0 {
                continue;
            }
            // All other paths begin with the diagonal step from the parent to the cell beside.
            let (straight, diagonal) = cost(beside);
            if straight == 0 || !mode.allows(cost(behind).0 != 0, true) {
                continue;
            }
            pruned |= u8::from(diagonal < through + straight) << beside;
            let front = cost(ahead);
            // As much is enough: the other path ends with a straight step.
            pruned |= u8::from(diagonal + front.0 <= through + front.1) << ahead;
            let on = cost(0);
            pruned |= u8::from(mode.allows(front.0 != 0, true) && diagonal + on.1 < through + on.0);
        }
        pruned
    }

    fn pruned_after_diagonal(&self, arrival: u8, index: PaddedIndex, asked: u8) -> u8 {
        let mode = DiagonalMode::ALL[MODE as usize];
        let cost = |turned| self.neighbour(index, arrival, turned);
        let (_, through) = self.step_onto(index.get());
        let mut pruned = 0;
        for [ahead, beside, behind] in SIDES {
            // All other paths begin with the straight step from the parent to its neighbour on this side.
            let (corner, _) = cost(behind);
            if asked & (1 << ahead | 1 << beside) == 0 || corner == 0 {
                continue;
            }
            let side = cost(beside);
            // As much is enough: the other path ends with a straight step.
            pruned |= u8::from(corner + side.0 <= through + side.1) << beside;
            let front = cost(ahead);
            let is_legal = mode.allows(side.0 != 0, true);
            pruned |= u8::from(is_legal && corner + front.1 < through + front.0) << ahead;
        }
        pruned
    }

    fn pruned_without_diagonals(&self, arrival: u8, index: PaddedIndex, asked: u8) -> u8 {
        // After a horizontal step the one to the side is vertical, and the other path ends with a horizontal one.
        let ties = u32::from(Direction::ALL[usize::from(arrival & 7)].dy() == 0);
        let (through, _) = self.step_onto(index.get());
        let mut pruned = 0;
        for [_, beside, behind] in SIDES {
            let (corner, _) = self.neighbour(index, arrival, behind);
            if asked >> beside & 1 == 1 && corner != 0 {
                pruned |= u8::from(corner < through + ties) << beside;
            }
        }
        pruned
    }
}
