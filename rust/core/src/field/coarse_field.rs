//! Coarse fields, for goals that move often: exact near the goals, blocks of cells farther away.
//!
//! Three parts answer, the first that can: an exact field around the goals, bounded by a maximum cost; a field of blocks,
//! each open only if the body fits on all of its cells; and exits, the directions out of the placements that lie in no reached
//! block, found breadth first. So a coarse field without a maximum cost reaches exactly what an exact one reaches, by legal
//! steps; only its paths are longer, and its costs are estimates.

use super::flow::{FlowField, direction_of, follow};
use super::integration::UNREACHED;
use crate::bitgrid::PaddedIndex;
use crate::cost::Cost;
use crate::geometry::{Cell, Direction};

/// A field that is exact near its goals and made of blocks elsewhere.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CoarseField {
    pub(super) side: u32,
    pub(super) near: FlowField,
    pub(super) blocks: FlowField,
    /// For the placements that neither field reaches: a flow byte and an estimate of the cost for each padded cell.
    pub(super) exits: Vec<u8>,
    pub(super) exit_costs: Vec<u32>,
}

/// The part of a coarse field that answers for a cell.
enum Part {
    /// The exact field.
    Near,
    /// This block of the field of blocks.
    Block(Cell),
    /// The exits.
    Exit,
}

impl CoarseField {
    /// The exact field around the goals.
    pub const fn near(&self) -> &FlowField {
        &self.near
    }

    /// Returns the direction of the next step from `cell`; `None` at goals, at cells that are not reached and outside the
    /// region.
    ///
    /// The step is legal, and following the directions ends at a goal.
    pub(crate) fn direction(&self, cell: Cell) -> Option<Direction> {
        let index = self.near.integration.index(cell)?;
        match self.part_of(index) {
            Part::Near => self.near.direction(cell),
            Part::Block(block) => self.blocks.direction(block),
            Part::Exit => direction_of(self.exits[index]),
        }
    }

    /// Returns the cell after `cell` on the path: `cell` itself at a goal; `None` at cells that are not reached and outside
    /// the region.
    pub fn next_cell(&self, cell: Cell) -> Option<Cell> {
        match self.direction(cell) {
            Some(direction) => Some(cell.offset(direction.dx(), direction.dy())),
            // Goals lie in the exact field; everything else without a direction is not reached.
            None => self.near.next_cell(cell),
        }
    }

    /// Returns every cell of the path from `start` to a goal, both included; nothing at cells that are not reached and outside
    /// the region.
    pub fn path_from(&self, start: Cell) -> Vec<Cell> {
        follow(start, |cell| self.next_cell(cell))
    }

    /// Returns an estimate of the cost from `cell` to the nearest goal, which is exact near the goals; `None` if the cell is
    /// not reached or outside the region.
    pub fn cost(&self, cell: Cell) -> Option<Cost> {
        // Positions inside of blocks are not told apart, so an estimate may be off by the cost of crossing one.
        self.estimate(self.near.integration.index(cell)?).map(Cost::from_units)
    }

    /// Returns whether the body can walk from `cell` to a goal in a straight line, within the area of the exact field.
    pub(crate) fn has_line_of_sight(&self, cell: Cell) -> bool {
        self.near.has_line_of_sight(cell)
    }

    /// Returns the direction to walk in from a position, as [`FlowField::sample`]: blended between cells near the goals and
    /// between blocks elsewhere, straight to the next cell where there is neither.
    pub fn sample(&self, x: f32, y: f32) -> (f32, f32) {
        let layout = self.near.integration.layout;
        let (right, bottom) = (layout.width() as f32 - 0.5, layout.height() as f32 - 0.5);
        // Written so that NaN is outside.
        if !(x >= -0.5 && y >= -0.5 && x < right && y < bottom) {
            return self.near.sample(x, y);
        }
        let (column, row) = ((x + 0.5) as u32, (y + 0.5) as u32);
        let index = layout.index(column, row).get();
        match self.part_of(index) {
            Part::Near => self.near.sample(x, y),
            Part::Block(_) => {
                // In blocks, positions are counted from the middle of the first block's cells.
                let (side, middle) = (self.side as f32, (self.side - 1) as f32 / 2.0);
                self.blocks.sample((x - middle) / side, (y - middle) / side)
            }
            Part::Exit => {
                let Some(direction) = direction_of(self.exits[index]) else { return (0.0, 0.0) };
                // To the middle of the next cell, which is at least half a cell away, so the length is not zero.
                let dx = direction.dx() as f32 + column as f32 - x;
                let dy = direction.dy() as f32 + row as f32 - y;
                let length = (dx * dx + dy * dy).sqrt();
                (dx / length, dy / length)
            }
        }
    }

    /// Samples many positions at once, as [`FlowField::sample_batch`].
    pub(crate) fn sample_batch(&self, positions: &[[f32; 2]], directions: &mut [[f32; 2]]) {
        for (&[x, y], direction) in positions.iter().zip(directions) {
            *direction = self.sample(x, y).into();
        }
    }

    /// The estimated cost of the cell at `index`, in units.
    pub(super) fn estimate(&self, index: usize) -> Option<u32> {
        let near = &self.near.integration;
        let cost = match self.part_of(index) {
            Part::Near => near.costs[index],
            Part::Block(block) => {
                // Block costs count from the edge of the exact field, and a step between blocks spans `side` cells.
                let far = self.blocks.integration.cost(block)?.units().saturating_mul(self.side);
                near.max_cost().plus(far).units()
            }
            Part::Exit => self.exit_costs[index],
        };
        (cost != UNREACHED).then_some(cost)
    }

    fn part_of(&self, index: usize) -> Part {
        let near = &self.near.integration;
        if near.costs[index] != UNREACHED {
            return Part::Near;
        }
        let (x, y) = near.layout.xy(PaddedIndex::new(index));
        let block = Cell::new((x / self.side) as i32, (y / self.side) as i32);
        if self.blocks.integration.cost(block).is_some() { Part::Block(block) } else { Part::Exit }
    }
}
