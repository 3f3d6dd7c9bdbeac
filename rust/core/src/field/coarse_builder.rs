//! Building coarse fields in steps: the exact part, the blocks, then the exits of the placements that neither reaches.

use super::build::FieldBuilder;
use super::coarse_field::CoarseField;
use super::coarse_ground::CoarseGround;
use super::flow::NO_DIRECTION;
use super::ground::FieldGround;
use super::integration::UNREACHED;
use crate::bitgrid::{BitGrid, PaddedIndex, ones};
use crate::cost::{Cost, STRAIGHT};
use crate::geometry::Cell;

/// The reach of the exact field, in blocks. It bounds the exact part: its area, and the time that this takes, grow with the square.
/// At half, directions near a goal come from blocks sooner, at double the exact part of blocks of 4 cells is 64 cells wide on each
/// side, most of a small map. Chosen, not tuned.
const NEAR_BLOCKS: u32 = 8;
/// The maximum cost of a straight step that this reach is computed with. One placement of very high cost would otherwise
/// raise the bound so far that the exact field covers the map.
const NEAR_STEP_MAX: u32 = 8 * STRAIGHT;
/// The order in which exits are tried: straight directions first, as diagonal ones cost more.
const EXIT_ORDER: [u8; 8] = [0, 2, 4, 6, 1, 3, 5, 7];

/// The next stage of a build.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Stage {
    #[default]
    Done,
    /// The exact field, up to its bound.
    Near,
    /// The field of the blocks, from those that the exact one covers.
    Blocks,
    /// Listing the placements that neither reaches, from a row on.
    Rest { row: u32 },
    /// Finding those of them that are beside one of the fields, from a word of the list on.
    Exits { word: usize },
    /// Directing the others to those with an exit, from an entry of the queue on.
    Spread { taken: usize },
}

/// Builds coarse fields, at once or in steps, as [`FieldBuilder`] does exact ones. Owns the memory that this takes.
#[derive(Clone, Debug, Default)]
pub struct CoarseBuilder {
    next: CoarseField,
    stage: Stage,
    near: FieldBuilder,
    blocks: FieldBuilder,
    /// The maximum cost, in units.
    cost_max: u32,
    /// The placements that neither field reaches.
    rest: BitGrid,
    /// Those that have an exit, in the order of breadth-first search.
    queue: Vec<u32>,
}

impl CoarseBuilder {
    /// Starts a new field on `ground` and its `blocks`, to the valid placements among `goals`. Discards an unfinished build.
    ///
    /// The build takes as long as an exact field on as many cells as there are blocks and cells near the goals, some passes over the
    /// layer, and some ten nanoseconds for each placement that gets an exit.
    ///
    /// `max_cost` bounds the area: cells whose cost, or the estimate of it, is higher are not reached.
    pub fn start(
        &mut self,
        ground: FieldGround<'_>,
        blocks: &CoarseGround,
        goals: &[Cell],
        max_cost: Option<Cost>,
    ) {
        let straight = u32::from(ground.extremes().1.straight).min(NEAR_STEP_MAX);
        let near_max = Cost::from_units(NEAR_BLOCKS * blocks.side() * straight);
        let cost_max = max_cost.unwrap_or(Cost::MAX);
        self.cost_max = cost_max.units();
        self.next.side = blocks.side();
        // Neither part may reach beyond the maximum cost of the whole.
        self.near.start(ground, goals, Some(near_max.min(cost_max)));
        self.stage = Stage::Near;
    }

    /// Continues the build for about `units` of work, as [`FieldBuilder::step`]; returns whether it is finished. `ground` and
    /// `blocks` must be those that the build was started on.
    pub fn step(&mut self, ground: FieldGround<'_>, blocks: &CoarseGround, units: u64) -> bool {
        let mut units = units.min(i64::MAX as u64) as i64;
        while self.stage != Stage::Done && units > 0 {
            match self.stage {
                Stage::Near => {
                    // An unfinished part has used up all units.
                    if !self.near.step(ground, units as u64) {
                        return false;
                    }
                    self.near.swap(&mut self.next.near);
                    units -= self.start_blocks(blocks);
                }
                Stage::Blocks => {
                    if !self.blocks.step(blocks.ground(), units as u64) {
                        return false;
                    }
                    self.blocks.swap(&mut self.next.blocks);
                    self.start_rest(ground);
                }
                Stage::Rest { row } => self.list_rest(ground, row, &mut units),
                Stage::Exits { word } => self.find_exits(ground, word, &mut units),
                Stage::Spread { taken } => self.spread_exits(ground, taken, &mut units),
                Stage::Done => {}
            }
        }
        self.is_done()
    }

    /// Returns whether no build is in progress.
    pub(crate) fn is_done(&self) -> bool {
        self.stage == Stage::Done
    }

    /// Exchanges `field` with the one that was built last. The next build reuses its memory.
    pub fn swap(&mut self, field: &mut CoarseField) {
        debug_assert!(self.is_done(), "the build is not finished");
        std::mem::swap(&mut self.next, field);
    }

    /// Starts the field of the blocks from those that the exact field covers wholly; returns the units that this took.
    fn start_blocks(&mut self, blocks: &CoarseGround) -> i64 {
        let near = &self.next.near.integration;
        let side = blocks.side();
        let is_covered = |&(x, y): &(u32, u32)| {
            let row = |row| &near.row(y * side + row)[(x * side) as usize..((x + 1) * side) as usize];
            (0..side).flat_map(row).all(|&cost| cost != UNREACHED)
        };
        let seeds = blocks.open().filter(is_covered).map(|(x, y)| Cell::new(x as i32, y as i32));
        let seeds: Vec<Cell> = seeds.collect();
        // The inverse of `CoarseField::estimate`.
        let far = Cost::from_units(self.cost_max.saturating_sub(near.max_cost().units()) / side);
        self.blocks.start(blocks.ground(), &seeds, Some(far));
        self.stage = Stage::Blocks;
        // Not interruptible: the seeds are few, as they lie within the exact field.
        seeds.len() as i64 * 4
    }

    fn start_rest(&mut self, ground: FieldGround<'_>) {
        let layout = ground.layout();
        // Every row is rewritten, so a grid of the right layout is reused as it is.
        if self.rest.layout() != layout {
            self.rest = BitGrid::new(layout);
        }
        self.next.exits.resize(layout.padded_len(), NO_DIRECTION);
        self.next.exit_costs.resize(layout.padded_len(), UNREACHED);
        self.queue.clear();
        self.stage = Stage::Rest { row: 0 };
    }

    /// Clears the exits of a padded row and lists its placements that neither field reaches.
    fn list_rest(&mut self, ground: FieldGround<'_>, row: u32, units: &mut i64) {
        let field = &mut self.next;
        let layout = ground.layout();
        let cells = row as usize * layout.stride()..(row as usize + 1) * layout.stride();
        field.exits[cells.clone()].fill(NO_DIRECTION);
        field.exit_costs[cells].fill(UNREACHED);
        if (1..=layout.height()).contains(&row) {
            let (y, side) = (row - 1, field.side);
            let blocks = &field.blocks.integration;
            let near_row = field.near.integration.row(y);
            // Cells beyond the last whole block belong to none.
            let block_row = if y / side < blocks.layout.height() { blocks.row(y / side) } else { &[] };
            let start = layout.index(0, y);
            self.rest.write_row(y, 0..layout.width(), |x| {
                let block = block_row.get((x / side) as usize).is_some_and(|&cost| cost != UNREACHED);
                ground.placements.get(start.plus(x as usize)) && near_row[x as usize] == UNREACHED && !block
            });
        }
        *units -= i64::from(layout.width() / 2).max(1);
        let is_last = row + 1 == layout.rows() as u32;
        self.stage = if is_last { Stage::Exits { word: 0 } } else { Stage::Rest { row: row + 1 } };
    }

    /// Directs the listed placements of a word that are beside one of the fields into it.
    fn find_exits(&mut self, ground: FieldGround<'_>, word: usize, units: &mut i64) {
        let Self { next: field, rest, queue, cost_max, .. } = self;
        let moves = ground.moves.bytes();
        for at in ones(rest.words()[word]).map(|bit| word << 6 | bit) {
            *units -= 4;
            // The first exit, not the one of minimum cost: the estimates on both sides of it are coarse anyway.
            let exit = EXIT_ORDER.into_iter().find_map(|direction| {
                let to = at.wrapping_add(ground.offsets[usize::from(direction)]);
                let is_exit = moves[at] >> direction & 1 == 1 && !rest.get(PaddedIndex::new(to));
                let cost = if is_exit { field.estimate(to)? } else { return None };
                Some((direction, cost_before(ground, to, direction, cost)))
            });
            if let Some((direction, cost)) = exit.filter(|&(_, cost)| cost <= *cost_max) {
                (field.exits[at], field.exit_costs[at]) = (direction, cost);
                queue.push(at as u32);
            }
        }
        *units -= 1;
        let is_last = word + 1 >= rest.words().len();
        self.stage = if is_last { Stage::Spread { taken: 0 } } else { Stage::Exits { word: word + 1 } };
    }

    /// Directs the neighbours of a placement with an exit to it, breadth first.
    fn spread_exits(&mut self, ground: FieldGround<'_>, taken: usize, units: &mut i64) {
        let Self { next: field, rest, queue, cost_max, .. } = self;
        let Some(&at) = queue.get(taken) else {
            self.stage = Stage::Done;
            return;
        };
        let (at, moves) = (at as usize, ground.moves.bytes());
        for direction in EXIT_ORDER {
            let to = at.wrapping_add(ground.offsets[usize::from(direction)]);
            let is_new = rest.get(PaddedIndex::new(to)) && field.exits[to] == NO_DIRECTION;
            if moves[at] >> direction & 1 == 1 && is_new {
                // Legal as its reverse is: moves of one layer are legal in both directions.
                let back = (direction + 4) % 8;
                let cost = cost_before(ground, at, back, field.exit_costs[at]);
                if cost <= *cost_max {
                    (field.exits[to], field.exit_costs[to]) = (back, cost);
                    queue.push(to as u32);
                }
            }
        }
        *units -= 4;
        self.stage = Stage::Spread { taken: taken + 1 };
    }
}

/// The cost of a cell whose step in `direction` leads to the placement at `to`, which costs `cost`.
fn cost_before(ground: FieldGround<'_>, to: usize, direction: u8, cost: u32) -> u32 {
    Cost::from_units(cost).plus(ground.step_units(to, direction)).units()
}
