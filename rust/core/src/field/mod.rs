//! Fields for crowds: what it costs to get from every stand of a layer to the nearest of some goals, and which way to go.
//!
//! An [`IntegrationField`] holds the costs, exactly those that paths have; a [`FlowField`] adds a direction for each stand,
//! lines of sight to the goals and smooth sampling between stands. A [`FieldBuilder`] builds them, at once or in steps, and
//! repairs them after edits: *repaired equals rebuilt*. Who moves by a field asks nothing else: a field keeps nothing of
//! the layer that it was made from, so it stays usable while its successor is built.

#![allow(
    clippy::needless_bitwise_bool,
    reason = "a branch that is guessed wrong costs more than both conditions"
)]

mod build;
mod coarse;
mod coarse_ground;
mod direct;
mod flow;
mod integration;
mod jump_fill;
mod moves;
mod occupancy;
mod repair;
mod ring;
mod sample;
mod sight;
mod wave_fill;

pub use build::FieldBuilder;
pub use coarse::{CoarseBuilder, CoarseField};
pub use coarse_ground::CoarseGround;
pub use flow::FlowField;
pub use integration::{IntegrationField, UNREACHED};
pub use moves::MoveBytes;
pub use repair::{FieldChange, FieldUpdate};

use crate::bitgrid::{BitGrid, Shape, local};
use crate::cost::StepCost;
use crate::geometry::{Cell, CellRect, DiagonalMode};
use crate::pages::{NumberPages, WordPages};
use crate::passability::StandCosts;

/// What a field is made from: one layer, the legal moves on it and, where steps differ in cost, what they cost.
#[derive(Clone, Copy, Debug)]
pub struct FieldGround<'a> {
    region: CellRect,
    stands: &'a BitGrid,
    moves: &'a MoveBytes,
    costs: Option<StepCosts<'a>>,
}

/// What stepping onto each stand costs.
#[derive(Clone, Copy, Debug)]
struct StepCosts<'a> {
    /// A packed [`StepCost`] for each padded cell.
    packed: &'a NumberPages,
    cheapest: StepCost,
    dearest: StepCost,
    /// A bit for each padded cell around which all stands cost the same, when that is known.
    plain: Option<&'a WordPages>,
}

impl<'a> FieldGround<'a> {
    /// The ground of a map with the cells of `region`. `moves` and `costs` must belong to `stands`; without `costs` every
    /// step costs what it does over weight 1, and so it does when all stands cost that.
    pub fn new(
        region: CellRect,
        stands: &'a BitGrid,
        moves: &'a MoveBytes,
        costs: Option<&'a StandCosts>,
    ) -> Self {
        let costs = costs.filter(|costs| !costs.is_uniform()).map(|costs| {
            let (cheapest, dearest) = costs.extremes();
            StepCosts { packed: costs.packed(), cheapest, dearest, plain: Some(costs.plain().words()) }
        });
        Self::with_step_costs(region, stands, moves, costs)
    }

    fn with_step_costs(
        region: CellRect,
        stands: &'a BitGrid,
        moves: &'a MoveBytes,
        costs: Option<StepCosts<'a>>,
    ) -> Self {
        debug_assert_eq!(stands.shape(), moves.shape());
        debug_assert_eq!(
            (region.w, region.h),
            (stands.shape().width() as i32, stands.shape().height() as i32)
        );
        Self { region, stands, moves, costs }
    }

    fn shape(&self) -> Shape {
        self.stands.shape()
    }

    fn mode(&self) -> DiagonalMode {
        self.moves.mode()
    }

    /// The padded index of a stand; `None` where the body cannot stand.
    fn stand(&self, cell: Cell) -> Option<u32> {
        let (x, y) = local(self.region, cell)?;
        let index = self.shape().index(x, y);
        self.stands.get(index).then(|| index.number())
    }

    /// The cheapest and the dearest step.
    fn extremes(&self) -> (StepCost, StepCost) {
        self.costs.map_or((StepCost::UNIT, StepCost::UNIT), |costs| (costs.cheapest, costs.dearest))
    }

    /// The packed step costs, unless all are those of weight 1.
    fn packed(&self) -> Option<&'a NumberPages> {
        self.costs.map(|costs| costs.packed)
    }

    /// A bit for each stand around which all cost the same, unless all cost what weight 1 does.
    fn plain(&self) -> Option<&'a WordPages> {
        self.costs.and_then(|costs| costs.plain)
    }

    /// The step cost of the stand at `index`.
    #[inline]
    fn step(&self, index: usize) -> StepCost {
        self.costs.map_or(StepCost::UNIT, |costs| StepCost::unpack(costs.packed[index]))
    }
}
