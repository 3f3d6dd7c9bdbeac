//! What steps cost a search by jumps: the unit cost everywhere, or packed costs that differ.
//!
//! A jump passes cells that are *locally uniform*: each and all around it cost the same, so pruning is as on
//! uniform cost. On unit cost all cells are. The policy is a type parameter, so a search on unit cost is
//! compiled without a look at costs.

use crate::bitgrid::{GridLayout, PaddedIndex, neighbourhood};
use crate::cost::{DIAGONAL, STRAIGHT};
use crate::geometry::{DiagonalMode, Direction, DirectionSet};
use crate::pages::{NumberView, WordView};
use crate::passability::{LinkStep, PlacementCosts, PlacementEdges};
use crate::primitives::PruningTable;

/// The arrival of a search's start: no direction.
pub(super) const NO_ARRIVAL: u8 = 8;
/// The arrival over a link: no direction, either.
pub(super) const LINK_ARRIVAL: u8 = 9;
/// After an arrival to the north: all directions but straight back and the two beside that.
const NOT_BACK: u8 = 0b1100_0111;

/// What steps cost, and which of them are worth trying.
pub(super) trait CostPolicy {
    /// The costs of a straight and of a diagonal step of one jump.
    type Step: Step;
    /// Whether every step has the unit cost.
    const IS_UNIT: bool;
    /// The order in which directions are tried. It is part of the result: of paths of equal cost, the one
    /// found first is kept.
    const ORDER: [Direction; 8];

    /// Returns what steps onto the placement at `index` cost.
    fn step_onto(&self, index: usize) -> Self::Step;

    /// Returns whether the placement at `index` is locally uniform.
    fn is_uniform(&self, index: usize) -> bool;

    /// Returns the directions in which steps from the placement at `index`, whose neighbourhood is `cells`, are
    /// legal.
    #[inline]
    fn legal(&self, table: &PruningTable, _: PaddedIndex, cells: u32) -> DirectionSet {
        table.legal(cells)
    }

    /// Returns the steps over links from the placement at `index`, to valid placements or not.
    #[inline]
    fn links_from(&self, _: PaddedIndex) -> &[LinkStep] {
        &[]
    }

    /// Returns the directions worth trying from the placement at `index`, whose neighbourhood is `cells`,
    /// after an arrival in direction number `arrival`.
    fn after(&self, table: &PruningTable, arrival: u8, index: PaddedIndex, cells: u32) -> DirectionSet;
}

/// What a straight and a diagonal step cost, in units.
pub(super) trait Step: Copy {
    fn straight(self) -> u32;
    fn diagonal(self) -> u32;
}

/// Every step has the unit cost.
pub(super) struct UnitCost;

impl Step for () {
    #[inline]
    fn straight(self) -> u32 {
        STRAIGHT
    }

    #[inline]
    fn diagonal(self) -> u32 {
        DIAGONAL
    }
}

impl CostPolicy for UnitCost {
    type Step = ();
    const IS_UNIT: bool = true;
    const ORDER: [Direction; 8] = {
        use Direction::{E, N, NE, NW, S, SE, SW, W};
        [N, S, E, W, NE, SE, SW, NW]
    };

    #[inline]
    fn step_onto(&self, _: usize) {}

    #[inline]
    fn is_uniform(&self, _: usize) -> bool {
        true
    }

    #[inline]
    fn after(&self, table: &PruningTable, arrival: u8, _: PaddedIndex, cells: u32) -> DirectionSet {
        table.after(arrival, cells)
    }
}

/// Steps cost what is kept for the placement that they arrive at.
#[derive(Clone, Copy)]
pub(super) struct PackedCosts<'a> {
    /// By padded index, straight in the lower half, diagonal in the upper.
    packed: NumberView<'a>,
    /// One bit for each padded cell: whether it is locally uniform, see [`PlacementCosts::uniform`].
    uniform: WordView<'a>,
    layout: GridLayout,
}

/// The costs of a straight and of a diagonal step.
pub(super) type PackedStep = (u32, u32);

impl Step for PackedStep {
    #[inline]
    fn straight(self) -> u32 {
        self.0
    }

    #[inline]
    fn diagonal(self) -> u32 {
        self.1
    }
}

impl<'a> PackedCosts<'a> {
    pub(super) fn of(costs: &'a PlacementCosts, layout: GridLayout) -> Self {
        Self { packed: costs.packed().view(), uniform: costs.uniform().words().view(), layout }
    }
}

impl CostPolicy for PackedCosts<'_> {
    type Step = PackedStep;
    const IS_UNIT: bool = false;
    const ORDER: [Direction; 8] = Direction::ALL;

    #[inline]
    fn step_onto(&self, index: usize) -> PackedStep {
        let packed = *self.packed.at(index);
        (packed & 0xffff, packed >> 16)
    }

    #[inline]
    fn is_uniform(&self, index: usize) -> bool {
        self.uniform.at(index >> 6) >> (index & 63) & 1 == 1
    }

    /// A step from m onto a locally uniform cell n is pruned as on uniform cost: m, and all cells by which
    /// the parent could go to n instead, are neighbours of n, so they cost the same. Other steps are kept,
    /// except steps onto neighbours of the parent that it reaches by one straight step. No jump begins at a
    /// target of these, and to compare costs takes longer than a step in vain
    /// (`docs/decisions/weighted_jumps.md`).
    #[allow(clippy::inline_always, reason = "`count_queries jumps`: 1 % fewer instructions than with a call")]
    #[inline(always)]
    fn after(&self, table: &PruningTable, arrival: u8, index: PaddedIndex, cells: u32) -> DirectionSet {
        if self.is_uniform(index.get()) {
            return table.after(arrival, cells);
        }
        let around = neighbourhood(self.layout, index, |word| *self.uniform.at(word));
        // The table has sets for blocks with an open centre only, so m counts as one of the uniform cells
        // around it.
        let uniform = PruningTable::of(DiagonalMode::Always).legal(around | 1 << 4);
        let not_back = NOT_BACK.rotate_left(u32::from(arrival));
        let jumps = table.after(arrival, cells).0 & uniform.0;
        let steps = table.legal(cells).0 & !uniform.0 & not_back;
        DirectionSet(jumps | steps)
    }
}

/// Steps cost what is kept for the placement that they arrive at, or the unit cost; edges close some, and links
/// add some.
#[derive(Clone, Copy)]
pub(super) struct EdgedCosts<'a> {
    /// As in [`PackedCosts`]; `None` where every step has the unit cost.
    packed: Option<NumberView<'a>>,
    /// The placements of locally uniform cost with no edge or link near.
    uniform: WordView<'a>,
    edges: &'a PlacementEdges,
    layout: GridLayout,
    mode: DiagonalMode,
}

impl<'a> EdgedCosts<'a> {
    pub(super) fn of(
        costs: Option<&'a PlacementCosts>,
        edges: &'a PlacementEdges,
        layout: GridLayout,
        mode: DiagonalMode,
    ) -> Self {
        let packed = costs.map(|costs| costs.packed().view());
        let uniform = costs.map_or(edges.plain(), PlacementCosts::uniform).words().view();
        Self { packed, uniform, edges, layout, mode }
    }
}

impl CostPolicy for EdgedCosts<'_> {
    type Step = PackedStep;
    const IS_UNIT: bool = false;
    const ORDER: [Direction; 8] = Direction::ALL;

    #[inline]
    fn step_onto(&self, index: usize) -> PackedStep {
        self.packed.map_or((STRAIGHT, DIAGONAL), |packed| {
            let packed = *packed.at(index);
            (packed & 0xffff, packed >> 16)
        })
    }

    #[inline]
    fn is_uniform(&self, index: usize) -> bool {
        self.uniform.at(index >> 6) >> (index & 63) & 1 == 1
    }

    fn legal(&self, table: &PruningTable, index: PaddedIndex, cells: u32) -> DirectionSet {
        table.legal(self.edges.steps_from(cells, self.mode, index))
    }

    #[inline]
    fn links_from(&self, index: PaddedIndex) -> &[LinkStep] {
        if self.edges.plain().get(index) { &[] } else { self.edges.links().from(index.number()) }
    }

    /// As [`PackedCosts::after`]. A step onto a uniform cell n is pruned as if there were no edge. The cells by
    /// which the parent could go to n instead are neighbours of n, so no edge closes steps into or out of them.
    /// Other steps are kept, except straight back: an edge may lie between the parent and the cells beside it.
    fn after(&self, table: &PruningTable, arrival: u8, index: PaddedIndex, cells: u32) -> DirectionSet {
        if self.is_uniform(index.get()) {
            return table.after(arrival, cells);
        }
        let around = neighbourhood(self.layout, index, |word| *self.uniform.at(word));
        let uniform = PruningTable::of(DiagonalMode::Always).legal(around | 1 << 4);
        let legal = self.legal(table, index, cells).0;
        let jumps = table.after(arrival, cells).0 & uniform.0;
        let steps = !uniform.0 & !(1_u8.rotate_left(u32::from(arrival) + 4));
        DirectionSet(legal & (jumps | steps))
    }
}
