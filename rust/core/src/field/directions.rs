//! Flow directions from costs, sixteen cells at a time.
//!
//! A step from u to its neighbour n lies on a shortest path if it is legal and `cost(n) + step(n) = cost(u)`.
//! If legal steps join two cells both ways, the cost of neither exceeds the other's by more than a step. So both
//! sides of the equation differ by less than two steps, and comparing their lowest bits is exact. 8 bits do
//! if two steps are less than 256 units, 16 if they are less than 65536. That puts sixteen or eight cells
//! into one vector register.
//!
//! Invariant: directions depend on costs alone, not on the order of the expansion, so repaired and rebuilt
//! fields agree.

use std::ops::Range;

use super::flow::{FLAG_EDGE, FLAG_OPEN, FlowField, GOAL, LINK, NO_DIRECTION, STATE};
use super::ground::FieldGround;
use super::integration::{IntegrationField, UNREACHED};
use crate::bitgrid::{PaddedIndex, ones};
use crate::cost::{DIAGONAL, STRAIGHT};
use crate::passability::LinkStep;

/// Cells in a word of a layer.
const WORD: usize = 64;
/// Cells that are computed together.
const LANES: usize = 16;
/// The directions' numbers in the order that breaks ties: by the row of the cell that they lead to, then its
/// column.
const BY_TARGET: [u8; 8] = [7, 0, 1, 6, 2, 5, 4, 3];

/// A cost in as many bits as tell two neighbours apart.
trait Number: Copy + Default + Eq {
    /// The lowest bits of `units`.
    fn of(units: u32) -> Self;

    /// A cost and a step; of 32 bits, `UNREACHED` stays what it is.
    fn plus(self, step: Self) -> Self;
}

macro_rules! number {
    ($type:ty, $sum:ident) => {
        impl Number for $type {
            #[inline]
            fn of(units: u32) -> Self {
                units as Self
            }

            #[inline]
            fn plus(self, step: Self) -> Self {
                self.$sum(step)
            }
        }
    };
}

number!(u8, wrapping_add);
number!(u16, wrapping_add);
number!(u32, saturating_add);

/// A row of cells as the rows around it read it, cut to the width of `T`.
#[derive(Clone, Debug, Default)]
struct Row<T> {
    /// Each cell's cost.
    own: Vec<T>,
    /// Each cell's cost plus a straight step onto it.
    straight: Vec<T>,
    /// Each cell's cost plus a diagonal step onto it.
    diagonal: Vec<T>,
}

/// Computes flow bytes row by row; owns a window of three rows for each width of numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct DirectionPass {
    narrow: [Row<u8>; 3],
    medium: [Row<u16>; 3],
    wide: [Row<u32>; 3],
}

impl DirectionPass {
    /// Writes the flow bytes of the map's rows `rows`; returns how many of their cells are reached. `was_cut`
    /// says whether the expansion stopped at the maximum cost, so that a cell that is not reached may have a
    /// neighbour that is.
    pub(super) fn write_rows(
        &mut self,
        field: &mut FlowField,
        ground: &FieldGround<'_>,
        rows: Range<u32>,
        was_cut: bool,
    ) -> u64 {
        let FlowField { integration, flow, .. } = field;
        let (_, maximum) = ground.extremes();
        // A cost and UNREACHED may differ by anything, so a field that was cut needs all 32 bits.
        // So does one with edges that are blocked one way: the cell that a step leads to may cost more by
        // anything.
        let is_apart = was_cut || ground.placements.is_one_way();
        let step_max = if is_apart { u32::MAX } else { u32::from(maximum.diagonal.max(maximum.straight)) };
        let task = Task { integration, flow, ground };
        if ground.costs.is_none() && 2 * u64::from(step_max) < 1 << 8 {
            task.run(&mut self.narrow, rows)
        } else if 2 * u64::from(step_max) < 1 << 16 {
            task.run(&mut self.medium, rows)
        } else {
            task.run(&mut self.wide, rows)
        }
    }
}

struct Task<'a> {
    integration: &'a IntegrationField,
    flow: &'a mut [u8],
    ground: &'a FieldGround<'a>,
}

impl Task<'_> {
    fn run<T: Number>(self, window: &mut [Row<T>; 3], rows: Range<u32>) -> u64 {
        let stride = self.integration.layout.stride();
        for row in window.iter_mut() {
            for values in [&mut row.own, &mut row.straight, &mut row.diagonal] {
                // The right neighbours of the last block lie beyond the row.
                values.resize(stride + LANES, T::default());
            }
        }
        // Each row is loaded once and read three times, as the one below, as its own and as the one above.
        // A row of the map is one more in the padded grid; padded row r is kept in slot r % 3.
        let first = rows.start as usize;
        for row in first..first + 2 {
            self.load(&mut window[row % 3], row);
        }
        let (mut reached, mut buffer, mut words) = (0, Vec::new(), Vec::new());
        for row in first + 1..=rows.end as usize {
            self.load(&mut window[(row + 1) % 3], row + 1);
            let [above, here, below] = [&window[(row - 1) % 3], &window[row % 3], &window[(row + 1) % 3]];
            let start = row * stride;
            let costs = &self.integration.costs[start..start + stride];
            let moves = self.ground.moves.bytes().read(start..start + stride, &mut buffer);
            let flow = &mut self.flow[start..start + stride];
            let words = self.ground.placements.row_words(row, &mut words);
            reached += write_row([above, here, below], words, costs, moves, flow);
            if let Some(edges) = self.ground.placements.edges() {
                for (word, placements) in words.iter().enumerate() {
                    let plain = edges.plain().words()[start / WORD + word];
                    for cell in ones(placements & !plain).map(|bit| word * WORD + bit) {
                        // No state has this bit; what is not reached has no flags.
                        flow[cell] |= if flow[cell] == NO_DIRECTION { 0 } else { FLAG_EDGE };
                    }
                }
            }
        }
        reached
    }

    /// Fills in a padded row, word by word. Its cells begin at the vectors' second element, so that each has
    /// a left neighbour.
    fn load<T: Number>(&self, target: &mut Row<T>, row: usize) {
        let layout = self.integration.layout;
        let words = row * layout.stride_words();
        // Words without placements are skipped: no legal step leads to their cells, so what the window holds
        // is not used.
        let is_needed = |&word: &usize| self.ground.placements.words()[words + word] != 0;
        for word in (0..layout.stride_words()).filter(is_needed) {
            let (first, start) = (word * WORD, row * layout.stride() + word * WORD);
            let packed = self.ground.packed().map(|packed| packed.block(start..start + WORD));
            // In arrays whose length the compiler knows, as it else narrows byte by byte.
            for block in (0..WORD).step_by(LANES) {
                let costs: [u32; LANES] = lanes(&self.integration.costs, start + block);
                let own = costs.map(T::of);
                let (straight, diagonal) = if let Some(packed) = packed {
                    let packed: [u32; LANES] = lanes(packed, block);
                    (
                        each(own, packed.map(|packed| T::of(packed & 0xffff))),
                        each(own, packed.map(|packed| T::of(packed >> 16))),
                    )
                } else {
                    (each(own, [T::of(STRAIGHT); LANES]), each(own, [T::of(DIAGONAL); LANES]))
                };
                let cells = first + block + 1..first + block + 1 + LANES;
                target.own[cells.clone()].copy_from_slice(&own);
                target.straight[cells.clone()].copy_from_slice(&straight);
                target.diagonal[cells].copy_from_slice(&diagonal);
            }
        }
    }
}

/// Writes the flow bytes of one padded row, but for words without placements; returns how many of its cells
/// are reached.
fn write_row<T: Copy + Eq>(
    [above, here, below]: [&Row<T>; 3],
    words: &[u64],
    costs: &[u32],
    moves: &[u8],
    flow: &mut [u8],
) -> u64 {
    // In lanes: to count the bits of a block takes longer.
    let mut counts = [0_u32; LANES];
    let used = (0..words.len()).filter(|&word| words[word] != 0);
    for start in used.flat_map(|word| (word * WORD..(word + 1) * WORD).step_by(LANES)) {
        let moves = lanes(moves, start);
        let target = &mut flow[start..start + LANES];
        if moves == [0; LANES] {
            // Mostly walls. A goal without legal moves may be among them: `mark_goals` writes it afterwards.
            target.fill(NO_DIRECTION);
            continue;
        }
        // Element p of a row is the left neighbour of the cell at p.
        let own = lanes(&here.own, start + 1);
        let mut best = [NO_DIRECTION; LANES];
        // In the reverse of BY_TARGET, as a later direction overwrites an earlier one.
        take::<T, 3>(&mut best, moves, own, lanes(&below.diagonal, start + 2));
        take::<T, 4>(&mut best, moves, own, lanes(&below.straight, start + 1));
        take::<T, 5>(&mut best, moves, own, lanes(&below.diagonal, start));
        take::<T, 2>(&mut best, moves, own, lanes(&here.straight, start + 2));
        take::<T, 6>(&mut best, moves, own, lanes(&here.straight, start));
        take::<T, 1>(&mut best, moves, own, lanes(&above.diagonal, start + 2));
        take::<T, 0>(&mut best, moves, own, lanes(&above.straight, start + 1));
        take::<T, 7>(&mut best, moves, own, lanes(&above.diagonal, start));
        let costs: [u32; LANES] = lanes(costs, start);
        for lane in 0..LANES {
            // The narrow comparison can match by chance where costs are UNREACHED, so these are decided by
            // the full cost.
            let is_reached = costs[lane] != UNREACHED;
            let flag = if moves[lane] == u8::MAX { FLAG_OPEN } else { 0 };
            best[lane] = if is_reached { best[lane] | flag } else { NO_DIRECTION };
            counts[lane] += u32::from(is_reached);
        }
        target.copy_from_slice(&best);
    }
    counts.iter().map(|&count| u64::from(count)).sum()
}

/// Sixteen elements from `start` on, as an array whose length the compiler knows: the loops over it become
/// vector code.
#[inline]
fn lanes<T: Copy>(values: &[T], start: usize) -> [T; LANES] {
    let chunk: &[T; LANES] = values[start..].first_chunk().expect("rows are longer than their cells");
    *chunk
}

/// The sums of costs and steps.
#[inline]
fn each<T: Number>(costs: [T; LANES], steps: [T; LANES]) -> [T; LANES] {
    std::array::from_fn(|lane| costs[lane].plus(steps[lane]))
}

/// Stores direction `D` where it is legal and lies on a shortest path.
#[inline]
#[allow(clippy::needless_bitwise_bool, reason = "a lazy operator is a branch, which prevents vector code")]
fn take<T: Copy + Eq, const D: u8>(
    best: &mut [u8; LANES],
    moves: [u8; LANES],
    own: [T; LANES],
    neighbour: [T; LANES],
) {
    for lane in 0..LANES {
        let is_taken = (own[lane] == neighbour[lane]) & (moves[lane] & 1 << D != 0);
        best[lane] = if is_taken { D } else { best[lane] };
    }
}

/// The flow byte of one cell without flags of sight: what [`DirectionPass::write_rows`] and [`mark_goals`]
/// write, for repairs, which visit few cells.
pub(super) fn flow_of(costs: &[u32], ground: &FieldGround<'_>, index: usize) -> u8 {
    let moves = ground.moves.bytes()[index];
    let is_plain = ground.placements.is_plain(PaddedIndex::new(index));
    let flag = if moves == u8::MAX { FLAG_OPEN } else { 0 } | if is_plain { 0 } else { FLAG_EDGE };
    match costs[index] {
        UNREACHED => NO_DIRECTION,
        0 => GOAL | flag,
        own => {
            let is_shortest = |direction: &u8| {
                let to = index.wrapping_add(ground.offsets[usize::from(*direction)]);
                moves >> direction & 1 == 1
                    // Also keeps UNREACHED out of the sum.
                    && costs[to] < own
                    && costs[to] + ground.step_units(to, *direction) == own
            };
            let step = BY_TARGET.into_iter().find(is_shortest);
            let link = || link_of(costs, ground, index).map(|_| LINK);
            step.or_else(link).unwrap_or(NO_DIRECTION) | flag
        }
    }
}

/// Returns the step over a link from a placement that lies on a shortest path, the first of several.
fn link_of<'a>(costs: &[u32], ground: &FieldGround<'a>, index: usize) -> Option<&'a LinkStep> {
    let on_path = |step: &&LinkStep| {
        let beyond = costs[step.to as usize];
        beyond != UNREACHED && beyond + step.cost == costs[index]
    };
    ground.placements.links_from(index).find(on_path)
}

/// Writes the flow bytes of the placements where links begin; returns how many of them
/// [`DirectionPass::write_rows`] and [`mark_goals`] did not count.
pub(super) fn mark_links(field: &mut FlowField, ground: &FieldGround<'_>) -> u64 {
    let mut not_counted = 0;
    for begin in link_begins(ground) {
        let flow = flow_of(&field.integration.costs, ground, begin);
        field.flow[begin] = flow;
        // Goals are counted.
        let is_counted = flow & STATE == NO_DIRECTION || flow & STATE == GOAL;
        not_counted += u64::from(!is_counted && is_skipped(ground, begin));
    }
    not_counted
}

/// Returns the valid placements where links begin, each once.
fn link_begins<'a>(ground: &FieldGround<'a>) -> impl Iterator<Item = usize> + use<'a> {
    let placements = ground.placements;
    let steps = placements.links().map_or(&[][..], |links| links.steps());
    let begins = steps.chunk_by(|a, b| a.from == b.from).map(|steps| steps[0].from as usize);
    begins.filter(|&begin| placements.get(PaddedIndex::new(begin)))
}

/// Returns whether the pass skips the block of a placement, as no placement in it has a legal move.
fn is_skipped(ground: &FieldGround<'_>, index: usize) -> bool {
    let block = index / LANES * LANES;
    ground.moves.bytes().block(block..block + LANES) == [0; LANES]
}

impl FlowField {
    /// Lists the links that paths take, as directions are known.
    pub(super) fn list_links(&mut self, ground: &FieldGround<'_>) {
        let Self { integration, flow, links, .. } = self;
        links.clear();
        let taken = link_begins(ground).filter(|&begin| flow[begin] & STATE == LINK);
        links.extend(taken.filter_map(|begin| link_of(&integration.costs, ground, begin)));
    }
}

/// Writes the flow bytes of the goals; returns how many of them [`DirectionPass::write_rows`] did not count.
pub(super) fn mark_goals(field: &mut FlowField, ground: &FieldGround<'_>) -> u64 {
    let mut not_counted = 0;
    for &goal in &field.integration.goals {
        field.flow[goal as usize] = flow_of(&field.integration.costs, ground, goal as usize);
        // An isolated goal may lie there.
        not_counted += u64::from(is_skipped(ground, goal as usize));
    }
    not_counted
}
