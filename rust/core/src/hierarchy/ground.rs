//! The input of a hierarchy: the placements of a body, their costs and the diagonal mode.

use crate::cost::StepCost;
use crate::geometry::{DiagonalMode, Direction};
use crate::passability::{PlacementCosts, Placements};
use crate::primitives::GridPoint;

/// The ground of a body: its placements, the costs of steps, and when it steps diagonally.
#[derive(Clone, Copy, Debug)]
pub struct BodyGround<'a> {
    /// The passability layer: one bit a cell.
    pub layer: &'a Placements,
    /// The cost of stepping onto each placement; `None` if every step has the unit cost.
    pub costs: Option<&'a PlacementCosts>,
    /// When diagonal steps are legal.
    pub mode: DiagonalMode,
    /// The steps of minimum and of maximum cost.
    // Kept, as finding them takes a pass over all rows, and dozens of small searches ask for them.
    extremes: (StepCost, StepCost),
}

impl<'a> BodyGround<'a> {
    /// The ground of a body with the placements of `layer`, which pays `costs`, or the unit cost without, and
    /// steps by `mode`.
    pub fn new(layer: &'a Placements, costs: Option<&'a PlacementCosts>, mode: DiagonalMode) -> Self {
        let extremes = costs.map_or((StepCost::UNIT, StepCost::UNIT), PlacementCosts::extremes);
        Self { layer, costs, mode, extremes }
    }

    /// Returns whether the body fits at a point.
    pub(super) fn is_placement(&self, point: GridPoint) -> bool {
        self.layer.get(point.index(self.layer.layout()))
    }

    /// Returns whether the body steps from one placement to the next in a straight direction, and back.
    pub(super) fn are_joined(&self, point: GridPoint, direction: Direction) -> bool {
        let index = point.index(self.layer.layout());
        self.layer.edges().is_none_or(|edges| edges.is_clear(index, direction))
    }

    /// The cost of a straight step to a placement, in units.
    pub(super) fn straight(&self, point: GridPoint) -> u32 {
        let step = self.costs.and_then(|costs| costs.get(point.index(self.layer.layout())));
        u32::from(step.unwrap_or(StepCost::UNIT).straight)
    }

    /// The steps of minimum and of maximum cost.
    pub(super) const fn extremes(&self) -> (StepCost, StepCost) {
        self.extremes
    }
}
