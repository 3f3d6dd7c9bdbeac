//! What a field is computed from: a layer's placements, the legal moves between them, and their step costs.

use super::moves::MoveBytes;
use crate::bitgrid::{GridLayout, local, ones};
use crate::cost::StepCost;
use crate::geometry::{Cell, CellRect, DiagonalMode};
use crate::pages::{NumberPages, WordPages};
use crate::passability::{PlacementCosts, Placements};
use crate::primitives::offsets;

/// What a field is computed from: one passability layer, its legal moves and, where steps differ in cost, the
/// step costs.
#[derive(Clone, Copy, Debug)]
pub struct FieldGround<'a> {
    pub(super) region: CellRect,
    pub(super) placements: &'a Placements,
    pub(super) moves: &'a MoveBytes,
    /// The moves into placements, which differ from those out of them where edges are blocked one way.
    pub(super) arrivals: &'a MoveBytes,
    pub(super) costs: Option<StepCosts<'a>>,
    /// By direction, from a padded index to the neighbour's; to be added wrapping.
    pub(super) offsets: [usize; 8],
}

/// The cost of stepping onto each placement.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepCosts<'a> {
    /// A packed [`StepCost`] for each padded cell.
    pub(super) packed: &'a NumberPages,
    pub(super) minimum: StepCost,
    pub(super) maximum: StepCost,
    /// A bit for each padded cell that is locally uniform (all placements around it cost the same), if that
    /// is known.
    pub(super) uniform: Option<&'a WordPages>,
}

impl<'a> FieldGround<'a> {
    /// Combines what belongs to one map with the cells of `region`. The moves out of placements and into them,
    /// and `costs`, must belong to the layer `placements`. Without `costs`, or where all placements cost what
    /// weight 1 does, every step has the unit cost.
    pub fn new(
        region: CellRect,
        placements: &'a Placements,
        [moves, arrivals]: [&'a MoveBytes; 2],
        costs: Option<&'a PlacementCosts>,
    ) -> Self {
        // Uniform costs are dropped, so that such a ground gets the engine for uniform costs.
        let costs = costs.filter(|costs| !costs.is_uniform()).map(|costs| {
            let (minimum, maximum) = costs.extremes();
            StepCosts { packed: costs.packed(), minimum, maximum, uniform: Some(costs.uniform().words()) }
        });
        Self::with_step_costs(region, placements, [moves, arrivals], costs)
    }

    pub(super) fn with_step_costs(
        region: CellRect,
        placements: &'a Placements,
        [moves, arrivals]: [&'a MoveBytes; 2],
        costs: Option<StepCosts<'a>>,
    ) -> Self {
        let layout = placements.layout();
        debug_assert_eq!(layout, moves.layout());
        debug_assert_eq!((region.w, region.h), (layout.width() as i32, layout.height() as i32));
        Self { region, placements, moves, arrivals, costs, offsets: offsets(layout.stride()) }
    }

    pub(super) fn layout(&self) -> GridLayout {
        self.placements.layout()
    }

    pub(super) fn mode(&self) -> DiagonalMode {
        self.moves.mode()
    }

    /// Writes the padded indices of the valid placements among `goals`, in reading order, each once.
    pub(super) fn list_goals(&self, goals: &[Cell], list: &mut Vec<u32>) {
        let index_of = |&goal: &Cell| {
            let (x, y) = local(self.region, goal)?;
            let index = self.layout().index(x, y);
            self.placements.get(index).then(|| index.number())
        };
        // Sorted: repairs look goals up by bisection, and lines of sight prefer the first in reading order.
        list.clear();
        list.extend(goals.iter().filter_map(index_of));
        list.sort_unstable();
        // Lines of sight are swept from each goal, and a sweep from the same cell finds nothing more.
        list.dedup();
    }

    /// The minimum and the maximum step cost.
    pub(super) fn extremes(&self) -> (StepCost, StepCost) {
        self.costs.map_or((StepCost::UNIT, StepCost::UNIT), |costs| (costs.minimum, costs.maximum))
    }

    /// The placements at which pruning for uniform cost holds; `None` for all.
    pub(super) fn uniform(&self) -> Option<&'a WordPages> {
        let plain = self.placements.edges().map(|edges| edges.plain().words());
        // Costs know of edges, too.
        self.costs.map_or(plain, |costs| costs.uniform)
    }

    /// The packed step costs; `None` if all steps have the unit cost.
    pub(super) fn packed(&self) -> Option<&'a NumberPages> {
        self.costs.map(|costs| costs.packed)
    }

    /// The cost of stepping onto the placement at `index`.
    #[inline]
    pub(super) fn step(&self, index: usize) -> StepCost {
        self.costs.map_or(StepCost::UNIT, |costs| StepCost::unpack(costs.packed[index]))
    }

    /// The cost of stepping onto the placement at `index` in `direction`, in units.
    #[inline]
    pub(super) fn step_units(&self, index: usize, direction: u8) -> u32 {
        step_units(self.step(index), direction)
    }

    /// The legal steps from the placement at `index`: the direction's number and the index of the neighbour.
    #[inline]
    pub(super) fn steps_from(&self, index: usize) -> impl Iterator<Item = (u8, usize)> + use<> {
        self.neighbours(self.moves, index)
    }

    /// The legal steps to the placement at `index`: the number of the direction in which the neighbour lies
    /// that they lead from, and its index.
    #[inline]
    pub(super) fn steps_to(&self, index: usize) -> impl Iterator<Item = (u8, usize)> + use<> {
        self.neighbours(self.arrivals, index)
    }

    #[inline]
    pub(super) fn neighbours(
        &self,
        moves: &MoveBytes,
        index: usize,
    ) -> impl Iterator<Item = (u8, usize)> + use<> {
        // Cells without placement have no step, so no test of bounds is needed.
        let offsets = self.offsets;
        ones(moves.bytes()[index])
            .map(move |direction| (direction as u8, index.wrapping_add(offsets[direction])))
    }
}

/// The units of a step in a direction: diagonal directions have odd numbers.
#[inline]
pub(super) const fn step_units(step: StepCost, direction: u8) -> u32 {
    if direction & 1 == 1 { step.diagonal as u32 } else { step.straight as u32 }
}
