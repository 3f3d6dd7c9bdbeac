//! Coarser fields, for goals that wander: fine near the goals, blocks of cells farther away.
//!
//! Three parts answer, the first that can: a fine field around the goals, bounded by a largest cost; a field of blocks, each
//! open only where the body can stand on all of its cells; and, for the stands between walls that no open block holds,
//! the way out, found breadth first. So a coarse field without a largest cost reaches exactly what a fine one does, by steps
//! that are as legal; only its ways are longer and its costs are estimates.

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

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Stage {
    #[default]
    Done,
    /// The exact field, up to a bound.
    Near,
    /// The field of the blocks, from those that the exact one has.
    Blocks,
    /// Listing the stands that neither has, from a row on.
    Rest { row: u32 },
    /// Looking for those with a way out, from a word of the list on.
    WaysOut { word: usize },
    /// Leading the others to them, from an entry of the queue on.
    Spread { taken: usize },
}

/// Builds coarse fields, at once or in steps, as [`FieldBuilder`] does exact ones; owns the memory that this takes.
#[derive(Clone, Debug, Default)]
pub struct CoarseBuilder {
    next: CoarseField,
    stage: Stage,
    near: FieldBuilder,
    blocks: FieldBuilder,
    /// The largest cost, in units.
    limit: u32,
    /// The stands that neither field has.
    rest: Option<BitGrid>,
    queue: Vec<u32>,
}

impl CoarseBuilder {
    /// Builds a field on `ground` and its `blocks`, in place of `field`; see [`CoarseBuilder::start`].
    ///
    /// Takes as long as a fine field on as many cells as there are blocks and cells near the goals, some passes over the
    /// layer, and some ten nanoseconds for each stand that lies in no open block from which a goal can be reached.
    pub fn build(
        &mut self,
        ground: FieldGround<'_>,
        blocks: &CoarseGround,
        goals: &[Cell],
        max_cost: Option<Cost>,
        field: &mut CoarseField,
    ) {
        self.start(ground, blocks, goals, max_cost);
        while !self.step(ground, blocks, u64::MAX) {}
        self.swap(field);
    }

    /// Begins a new field on `ground` and its `blocks`, to the stands among `goals`. A build that was under way is given up.
    ///
    /// `max_cost` bounds the area: cells whose cost, or estimate of it, is above are not reached.
    pub fn start(
        &mut self,
        ground: FieldGround<'_>,
        blocks: &CoarseGround,
        goals: &[Cell],
        max_cost: Option<Cost>,
    ) {
        let straight = u32::from(ground.extremes().1.straight).min(NEAR_STEP_MAX);
        let bound = Cost::from_units(NEAR_BLOCKS * blocks.side() * straight);
        let limit = max_cost.unwrap_or(Cost::MAX);
        self.limit = limit.units();
        self.next.side = blocks.side();
        self.near.start(ground, goals, Some(bound.min(limit)));
        self.stage = Stage::Near;
    }

    /// Goes on with the build for about `units` and tells whether it is finished, as [`FieldBuilder::step`]. `ground` and
    /// `blocks` must be what it was begun on.
    pub fn step(&mut self, ground: FieldGround<'_>, blocks: &CoarseGround, units: u64) -> bool {
        let mut units = units.min(i64::MAX as u64) as i64;
        while self.stage != Stage::Done && units > 0 {
            match self.stage {
                Stage::Near => {
                    if self.near.step(ground, units as u64) {
                        self.near.swap(&mut self.next.near);
                        units -= self.begin_blocks(blocks);
                    } else {
                        return false;
                    }
                }
                Stage::Blocks => {
                    if self.blocks.step(blocks.ground(), units as u64) {
                        self.blocks.swap(&mut self.next.blocks);
                        self.begin_rest(ground);
                    } else {
                        return false;
                    }
                }
                Stage::Rest { row } => self.list_rest(ground, row, &mut units),
                Stage::WaysOut { word } => self.find_ways_out(ground, word, &mut units),
                Stage::Spread { taken } => self.spread(ground, taken, &mut units),
                Stage::Done => {}
            }
        }
        self.is_done()
    }

    /// Whether no build is under way.
    pub fn is_done(&self) -> bool {
        self.stage == Stage::Done
    }

    /// Exchanges `field` with the one that was built last, whose memory serves the next build.
    pub fn swap(&mut self, field: &mut CoarseField) {
        debug_assert!(self.is_done(), "the build is not finished");
        std::mem::swap(&mut self.next, field);
    }

    /// Floods the blocks from those that the exact field has wholly, as far as the estimate of a cell's cost allows; returns
    /// the units that this took.
    fn begin_blocks(&mut self, blocks: &CoarseGround) -> i64 {
        let field = &self.next;
        let near = field.near.integration.max_cost().units();
        let seeds: Vec<Cell> =
            blocks.open().filter(|&(x, y)| field.near_has_block(x, y)).map(block_cell).collect();
        let far = Cost::from_units(self.limit.saturating_sub(near) / field.side);
        self.blocks.start(blocks.ground(), &seeds, Some(far));
        self.stage = Stage::Blocks;
        seeds.len() as i64 * 4
    }

    fn begin_rest(&mut self, ground: FieldGround<'_>) {
        let shape = ground.shape();
        if self.rest.as_ref().is_none_or(|rest| rest.shape() != shape) {
            self.rest = Some(BitGrid::new(shape));
        }
        self.next.ways.resize(shape.padded_len(), NONE);
        self.next.costs.resize(shape.padded_len(), UNREACHED);
        self.queue.clear();
        self.stage = Stage::Rest { row: 0 };
    }

    /// Lists the stands of a row that neither field has, and forgets what was known of it.
    fn list_rest(&mut self, ground: FieldGround<'_>, row: u32, units: &mut i64) {
        let Self { next: field, rest: Some(rest), .. } = self else { return };
        let shape = ground.shape();
        // One row above and one below the map belong to it too.
        let places = row as usize * shape.stride()..(row as usize + 1) * shape.stride();
        field.ways[places.clone()].fill(NONE);
        field.costs[places].fill(UNREACHED);
        if (1..=shape.height()).contains(&row) {
            field.list_rest(ground, row - 1, rest);
        }
        *units -= i64::from(shape.width() / 2).max(1);
        let last = row + 1 == shape.rows() as u32;
        self.stage = if last { Stage::WaysOut { word: 0 } } else { Stage::Rest { row: row + 1 } };
    }

    /// Leads the stands of the rest that are beside one of the fields to it.
    fn find_ways_out(&mut self, ground: FieldGround<'_>, word: usize, units: &mut i64) {
        let Self { next: field, rest: Some(rest), queue, limit, .. } = self else { return };
        let offsets = offsets(ground.shape().stride());
        let moves = ground.moves.bytes();
        let mut bits = if word < rest.words().len() { rest.words()[word] } else { 0 };
        while bits != 0 {
            let at = word << 6 | bits.trailing_zeros() as usize;
            bits &= bits - 1;
            *units -= 4;
            let way_out = WAYS_OUT.into_iter().find_map(|direction| {
                let to = at.wrapping_add(offsets[direction]);
                let is_out = moves[at] >> direction & 1 == 1 && !rest.get(PaddedIndex::new(to));
                let cost = if is_out { field.estimate(to)? } else { return None };
                Some((direction, cost_before(ground, to, direction, cost)))
            });
            if let Some((direction, cost)) = way_out.filter(|&(_, cost)| cost <= *limit) {
                (field.ways[at], field.costs[at]) = (direction as u8, cost);
                queue.push(at as u32);
            }
        }
        *units -= 1;
        let last = word + 1 >= rest.words().len();
        self.stage = if last { Stage::Spread { taken: 0 } } else { Stage::WaysOut { word: word + 1 } };
    }

    /// Leads the others to those, breadth first.
    fn spread(&mut self, ground: FieldGround<'_>, taken: usize, units: &mut i64) {
        let Self { next: field, rest: Some(rest), queue, limit, .. } = self else { return };
        let Some(&at) = queue.get(taken) else {
            self.stage = Stage::Done;
            return;
        };
        let offsets = offsets(ground.shape().stride());
        let (at, moves) = (at as usize, ground.moves.bytes());
        for direction in WAYS_OUT {
            let to = at.wrapping_add(offsets[direction]);
            let is_new = rest.get(PaddedIndex::new(to)) && field.ways[to] == NONE;
            if moves[at] >> direction & 1 == 1 && is_new {
                let back = (direction + 4) % 8;
                let cost = cost_before(ground, at, back, field.costs[at]);
                if cost <= *limit {
                    (field.ways[to], field.costs[to]) = (back as u8, cost);
                    queue.push(to as u32);
                }
            }
        }
        *units -= 4;
        self.stage = Stage::Spread { taken: taken + 1 };
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let rest = self.rest.as_ref().map_or(0, BitGrid::memory);
        self.next.memory() + self.near.memory() + self.blocks.memory() + rest + self.queue.capacity() * 4
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

    /// Lists the stands of row `y` that neither field has.
    fn list_rest(&self, ground: FieldGround<'_>, y: u32, rest: &mut BitGrid) {
        let blocks = &self.blocks.integration;
        let near = self.near.integration.row(y);
        let block_row = if y / self.side < blocks.shape.height() { blocks.row(y / self.side) } else { &[] };
        let row = ground.shape().index(0, y);
        rest.write_row(y, 0..ground.shape().width(), |x| {
            let block = block_row.get((x / self.side) as usize).is_some_and(|&cost| cost != UNREACHED);
            ground.stands.get(row.plus(x as usize)) && near[x as usize] == UNREACHED && !block
        });
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
