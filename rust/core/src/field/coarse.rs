//! Coarser fields, for goals that wander: fine near the goals, blocks of cells farther away.
//!
//! Three parts answer, the first that can: a fine field around the goals, bounded by a largest cost; a field of blocks, each
//! open only where the body can stand on all of its cells; and, for the stands between walls that no open block holds,
//! the way out, found breadth first. So a coarse field reaches exactly what a fine one does, by steps that are as legal;
//! only its ways are longer and its costs are estimates.

use super::FieldGround;
use super::build::FieldBuilder;
use super::coarse_ground::CoarseGround;
use super::flow::FlowField;
use super::integration::UNREACHED;
use super::moves::offsets;
use crate::bitgrid::{BitGrid, PaddedIndex};
use crate::cost::{Cost, STRAIGHT};
use crate::geometry::{Cell, Direction};

/// How far the fine field reaches, in blocks.
const NEAR_BLOCKS: u32 = 8;
/// Straight steps are taken to cost at most so many units for that, so that it stays small on heavy ground.
const NEAR_STEP_MAX: u32 = 8 * STRAIGHT;
/// No way, among those of single cells.
const NONE: u8 = 15;
/// The order in which ways out are tried: straight ones first.
const WAYS_OUT: [usize; 8] = [0, 2, 4, 6, 1, 3, 5, 7];

/// A field that is exact near its goals and made of blocks elsewhere.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CoarseField {
    side: u32,
    near: FlowField,
    blocks: FlowField,
    /// The ways of the stands that neither has, and about what they cost: one element a padded cell.
    ways: Vec<u8>,
    costs: Vec<u32>,
}

/// Builds coarse fields; owns the memory that this takes.
#[derive(Clone, Debug, Default)]
pub struct CoarseBuilder {
    near: FieldBuilder,
    blocks: FieldBuilder,
    queue: Vec<u32>,
    seeds: Vec<Cell>,
}

impl CoarseBuilder {
    /// Builds a field on `ground` and its `blocks`, in place of `field`.
    ///
    /// Takes as long as a fine field on as many cells as there are blocks and cells near the goals, some passes over the
    /// layer, and some ten nanoseconds for each stand that lies in no open block from which a goal can be reached.
    pub fn build(
        &mut self,
        ground: FieldGround<'_>,
        blocks: &CoarseGround,
        goals: &[Cell],
        field: &mut CoarseField,
    ) {
        let straight = u32::from(ground.extremes().1.straight).min(NEAR_STEP_MAX);
        let bound = Cost::from_units(NEAR_BLOCKS * blocks.side() * straight);
        field.side = blocks.side();
        self.near.build(ground, goals, Some(bound), &mut field.near);
        self.seeds.clear();
        self.seeds.extend(blocks.open().filter(|&(x, y)| field.near_has_block(x, y)).map(block_cell));
        self.blocks.build(blocks.ground(), &self.seeds, None, &mut field.blocks);
        self.find_ways_out(ground, field);
    }

    /// Leads the stands that neither field has to one of them, breadth first.
    fn find_ways_out(&mut self, ground: FieldGround<'_>, field: &mut CoarseField) {
        let shape = ground.shape();
        let offsets = offsets(shape.stride());
        let moves = ground.moves.bytes();
        field.ways.clear();
        field.ways.resize(shape.padded_len(), NONE);
        field.costs.clear();
        field.costs.resize(shape.padded_len(), UNREACHED);
        self.queue.clear();
        let rest = field.rest(ground);
        let is_rest = |at: usize| rest.get(PaddedIndex::new(at));
        for (word, &bits) in rest.words().iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                let at = word << 6 | bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let way_out = WAYS_OUT.into_iter().find_map(|direction| {
                    let to = at.wrapping_add(offsets[direction]);
                    let is_out = moves[at] >> direction & 1 == 1 && !is_rest(to);
                    let cost = if is_out { field.estimate(to)? } else { return None };
                    Some((direction, cost_before(ground, to, direction, cost)))
                });
                if let Some((direction, cost)) = way_out {
                    (field.ways[at], field.costs[at]) = (direction as u8, cost);
                    self.queue.push(at as u32);
                }
            }
        }
        let mut taken = 0;
        while let Some(&at) = self.queue.get(taken) {
            taken += 1;
            let at = at as usize;
            for direction in WAYS_OUT {
                let to = at.wrapping_add(offsets[direction]);
                if moves[at] >> direction & 1 == 1 && is_rest(to) && field.ways[to] == NONE {
                    let back = (direction + 4) % 8;
                    let cost = cost_before(ground, at, back, field.costs[at]);
                    (field.ways[to], field.costs[to]) = (back as u8, cost);
                    self.queue.push(to as u32);
                }
            }
        }
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.near.memory() + self.blocks.memory() + self.queue.capacity() * 4 + self.seeds.capacity() * 8
    }
}

impl CoarseField {
    /// The exact field around the goals.
    pub const fn near(&self) -> &FlowField {
        &self.near
    }

    /// Cells along a block's side.
    pub const fn side(&self) -> u32 {
        self.side
    }

    /// The direction of the next step from `cell`; `None` at goals, where no goal can be reached and outside the region.
    ///
    /// The step is legal, and following the directions ends at a goal.
    pub fn direction(&self, cell: Cell) -> Option<Direction> {
        let index = self.near.integration.index(cell)?;
        if self.near.integration.costs[index] != UNREACHED {
            return self.near.direction(cell);
        }
        match self.block_of(index) {
            Some(block) => self.blocks.direction(block),
            None => Direction::ALL.get(usize::from(self.ways[index])).copied(),
        }
    }

    /// The cell after `cell` on the way: `cell` itself at a goal; `None` where no goal can be reached and outside the
    /// region.
    pub fn next_cell(&self, cell: Cell) -> Option<Cell> {
        match self.direction(cell) {
            Some(direction) => Some(cell.offset(direction.dx(), direction.dy())),
            None => self.near.next_cell(cell),
        }
    }

    /// Every cell from `start` to a goal, both included; empty where no goal can be reached and outside the region.
    pub fn path_from(&self, start: Cell) -> Vec<Cell> {
        let mut cells = Vec::new();
        let mut at = self.next_cell(start).map(|_| start);
        while let Some(cell) = at {
            cells.push(cell);
            at = self.next_cell(cell).filter(|&next| next != cell);
        }
        cells
    }

    /// About what it costs to get from `cell` to the nearest goal, exactly that near the goals; `None` where no goal can be
    /// reached and outside the region.
    pub fn cost(&self, cell: Cell) -> Option<Cost> {
        self.estimate(self.near.integration.index(cell)?).map(Cost::from_units)
    }

    /// Whether the body can walk from `cell` to a goal in a straight line; looks no farther than the exact field reaches.
    pub fn has_line_of_sight(&self, cell: Cell) -> bool {
        self.near.has_line_of_sight(cell)
    }

    /// The direction to walk in from a place, as [`FlowField::sample`]: blended between cells near the goals and between
    /// blocks elsewhere, straight to the next cell where there are neither.
    pub fn sample(&self, x: f32, y: f32) -> (f32, f32) {
        let shape = self.near.integration.shape;
        let (right, bottom) = (shape.width() as f32 - 0.5, shape.height() as f32 - 0.5);
        // Not a number is nowhere.
        if !(x >= -0.5 && y >= -0.5 && x < right && y < bottom) {
            return self.near.sample(x, y);
        }
        let (near_x, near_y) = ((x + 0.5) as u32, (y + 0.5) as u32);
        let index = shape.index(near_x, near_y).get();
        if self.near.integration.costs[index] != UNREACHED {
            return self.near.sample(x, y);
        }
        if self.block_of(index).is_some() {
            let (side, middle) = (self.side as f32, (self.side - 1) as f32 / 2.0);
            return self.blocks.sample((x - middle) / side, (y - middle) / side);
        }
        let Some(direction) = Direction::ALL.get(usize::from(self.ways[index])) else { return (0.0, 0.0) };
        // To the middle of the next cell, which is half a cell away or more.
        let dx = direction.dx() as f32 + near_x as f32 - x;
        let dy = direction.dy() as f32 + near_y as f32 - y;
        let length = (dx * dx + dy * dy).sqrt();
        (dx / length, dy / length)
    }

    /// Samples many places at once, as [`FlowField::sample_batch`].
    pub fn sample_batch(&self, places: &[[f32; 2]], directions: &mut [[f32; 2]]) {
        for (place, direction) in places.iter().zip(directions) {
            *direction = self.sample(place[0], place[1]).into();
        }
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.near.memory() + self.blocks.memory() + self.ways.capacity() + self.costs.capacity() * 4
    }

    /// The block that a cell lies in, if that reaches a goal.
    fn block_of(&self, index: usize) -> Option<Cell> {
        let (x, y) = self.near.integration.shape.xy(PaddedIndex::new(index));
        let block = block_cell((x / self.side, y / self.side));
        self.blocks.integration.cost(block).map(|_| block)
    }

    /// Whether the exact field reaches every cell of a block.
    fn near_has_block(&self, x: u32, y: u32) -> bool {
        let integration = &self.near.integration;
        let start = |row| integration.shape.index(x * self.side, y * self.side + row).get();
        let mut cells =
            (0..self.side).flat_map(|row| &integration.costs[start(row)..start(row) + self.side as usize]);
        cells.all(|&cost| cost != UNREACHED)
    }

    /// The stands that neither field has.
    fn rest(&self, ground: FieldGround<'_>) -> BitGrid {
        let mut rest = BitGrid::new(ground.shape());
        let blocks = &self.blocks.integration;
        for y in 0..ground.shape().height() {
            let near = self.near.integration.row(y);
            let block_row =
                if y / self.side < blocks.shape.height() { blocks.row(y / self.side) } else { &[] };
            let row = ground.shape().index(0, y);
            rest.write_row(y, 0..ground.shape().width(), |x| {
                let block = block_row.get((x / self.side) as usize).is_some_and(|&cost| cost != UNREACHED);
                ground.stands.get(row.plus(x as usize)) && near[x as usize] == UNREACHED && !block
            });
        }
        rest
    }

    /// About what the cell at `index` costs, in units.
    fn estimate(&self, index: usize) -> Option<u32> {
        let exact = self.near.integration.costs[index];
        if exact != UNREACHED {
            return Some(exact);
        }
        if let Some(block) = self.block_of(index) {
            let far = self.blocks.integration.cost(block)?.units().saturating_mul(self.side);
            return Some(self.near.integration.max_cost().plus(far).units());
        }
        let cost = self.costs[index];
        (cost != UNREACHED).then_some(cost)
    }
}

const fn block_cell((x, y): (u32, u32)) -> Cell {
    Cell::new(x as i32, y as i32)
}

/// What a cell costs whose step in `direction` leads to the stand at `to`, which costs `cost`.
fn cost_before(ground: FieldGround<'_>, to: usize, direction: usize, cost: u32) -> u32 {
    let step = ground.step(to);
    let units = if direction % 2 == 1 { step.diagonal } else { step.straight };
    Cost::from_units(cost).plus(u32::from(units)).units()
}
