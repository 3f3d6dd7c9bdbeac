//! Directions from costs, sixteen cells at a time.
//!
//! A step from u to its neighbour n is on a cheapest way when it is legal and `cost(n) + step(n) = cost(u)`. Of two cells
//! that a legal step joins, neither costs more than the other plus a step, so both sides of that equation differ by less
//! than two steps, and it is enough to compare their lowest bits: 8 where two steps are less than 256 units, 16 where they
//! are less than 65536. That puts sixteen or eight cells into one register.
//!
//! Directions are made from costs alone, not from the order of the flood, so repaired and rebuilt fields agree.

use std::ops::Range;

use super::integration::{IntegrationField, UNREACHED};
use super::moves::offsets;
use super::{FieldGround, FlowField};
use crate::cost::{DIAGONAL, STRAIGHT, StepCost};

/// The bits of a way that say which it is: 0 to 7 a direction's number, or one of the next two.
pub(super) const STATE: u8 = 0x0f;
/// At a goal.
pub(super) const GOAL: u8 = 8;
/// No goal can be reached, or the body cannot stand.
pub(super) const NO_WAY: u8 = 15;
/// A goal is seen.
pub(super) const FLAG_SIGHT: u8 = 0x10;
/// All eight moves are legal.
pub(super) const FLAG_OPEN: u8 = 0x20;

/// Cells of a word of a layer.
const WORD: usize = 64;
/// Cells that are worked on together.
const LANES: usize = 16;
/// The directions' numbers in the order in which ties are broken: the target's row, then its column.
const BY_TARGET: [u8; 8] = [7, 0, 1, 6, 2, 5, 4, 3];

/// What a row of cells looks like from its neighbours: its own cost, and its cost plus the step onto it.
#[derive(Clone, Debug, Default)]
struct Row<T> {
    own: Vec<T>,
    straight: Vec<T>,
    diagonal: Vec<T>,
}

/// Three rows at a time, in as few bits as the ground allows.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    bytes: [Row<u8>; 3],
    halves: [Row<u16>; 3],
    words: [Row<u32>; 3],
}

impl Rows {
    /// Writes the ways of the map's rows `rows`; returns how many of their cells are reached. `was_cut` says whether some
    /// cell may be unreached that has a neighbour which is not.
    pub(super) fn direct(
        &mut self,
        field: &mut FlowField,
        ground: FieldGround<'_>,
        rows: Range<u32>,
        was_cut: bool,
    ) -> u64 {
        let FlowField { integration, ways, .. } = field;
        let (_, dearest) = ground.extremes();
        // Nothing is known of the difference between a cost and none.
        let step_max = if was_cut { u32::MAX } else { u32::from(dearest.diagonal.max(dearest.straight)) };
        let job = Job { integration, ways, ground };
        if ground.costs.is_none() && 2 * u64::from(step_max) < 1 << 8 {
            job.run(&mut self.bytes, rows, |cost, step| cost.wrapping_add(step) as u8)
        } else if 2 * u64::from(step_max) < 1 << 16 {
            job.run(&mut self.halves, rows, |cost, step| cost.wrapping_add(step) as u16)
        } else {
            job.run(&mut self.words, rows, u32::saturating_add)
        }
    }

    /// Bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        self.bytes.iter().map(|r| r.own.capacity() * 3).sum::<usize>()
            + self.halves.iter().map(|r| r.own.capacity() * 6).sum::<usize>()
            + self.words.iter().map(|r| r.own.capacity() * 12).sum::<usize>()
    }
}

struct Job<'a> {
    integration: &'a IntegrationField,
    ways: &'a mut [u8],
    ground: FieldGround<'a>,
}

impl Job<'_> {
    fn run<T: Copy + Default + Eq>(
        self,
        three: &mut [Row<T>; 3],
        rows: Range<u32>,
        sum: impl Fn(u32, u32) -> T + Copy,
    ) -> u64 {
        let stride = self.integration.shape.stride();
        for row in three.iter_mut() {
            for values in [&mut row.own, &mut row.straight, &mut row.diagonal] {
                values.resize(stride + LANES, T::default());
            }
        }
        // Padded rows are one more than the map's.
        let first = rows.start as usize;
        for row in first..first + 2 {
            self.load(&mut three[row % 3], row, sum);
        }
        let (mut reached, mut buffer) = (0, Vec::new());
        for row in first + 1..=rows.end as usize {
            self.load(&mut three[(row + 1) % 3], row + 1, sum);
            let [above, here, below] = [&three[(row - 1) % 3], &three[row % 3], &three[(row + 1) % 3]];
            let place = row * stride;
            let costs = &self.integration.costs[place..place + stride];
            let moves = self.ground.moves.bytes().read(place..place + stride, &mut buffer);
            let ways = &mut self.ways[place..place + stride];
            reached += direct_row([above, here, below], costs, moves, ways);
        }
        reached
    }

    /// Fills in a padded row, as far as it has stands: nobody steps to other cells, so what was there before may stay. Its
    /// cells begin at the vectors' second element, so that each has a left neighbour.
    fn load<T: Copy>(&self, target: &mut Row<T>, row: usize, sum: impl Fn(u32, u32) -> T) {
        let shape = self.integration.shape;
        let words = row * shape.stride_words();
        let is_needed = |&word: &usize| self.ground.stands.words()[words + word] != 0;
        for word in (0..shape.stride_words()).filter(is_needed) {
            let (first, place) = (word * WORD, row * shape.stride() + word * WORD);
            let costs = &self.integration.costs[place..place + WORD];
            let own = &mut target.own[first + 1..=first + WORD];
            let straight = &mut target.straight[first + 1..=first + WORD];
            let diagonal = &mut target.diagonal[first + 1..=first + WORD];
            for (own, &cost) in own.iter_mut().zip(costs) {
                *own = sum(cost, 0);
            }
            if let Some(packed) = self.ground.packed() {
                let packed = packed.block(place..place + WORD);
                for (((straight, diagonal), &cost), &packed) in
                    straight.iter_mut().zip(diagonal).zip(costs).zip(packed)
                {
                    let step = StepCost::unpack(packed);
                    *straight = sum(cost, u32::from(step.straight));
                    *diagonal = sum(cost, u32::from(step.diagonal));
                }
            } else {
                for ((straight, diagonal), &cost) in straight.iter_mut().zip(diagonal).zip(costs) {
                    *straight = sum(cost, STRAIGHT);
                    *diagonal = sum(cost, DIAGONAL);
                }
            }
        }
    }
}

/// The ways of one padded row; returns how many of its cells are reached.
fn direct_row<T: Copy + Eq>(
    [above, here, below]: [&Row<T>; 3],
    costs: &[u32],
    moves: &[u8],
    ways: &mut [u8],
) -> u64 {
    let mut reached = 0;
    for block in 0..costs.len() / LANES {
        let place = block * LANES;
        let moves = lanes(moves, place);
        let target = &mut ways[place..place + LANES];
        if moves == [0; LANES] {
            // Walls, mostly; a goal that is shut in is written later.
            target.fill(NO_WAY);
            continue;
        }
        // Element p of a row is the left neighbour of the cell at p.
        let own = lanes(&here.own, place + 1);
        let mut way = [NO_WAY; LANES];
        take::<T, 3>(&mut way, moves, own, lanes(&below.diagonal, place + 2));
        take::<T, 4>(&mut way, moves, own, lanes(&below.straight, place + 1));
        take::<T, 5>(&mut way, moves, own, lanes(&below.diagonal, place));
        take::<T, 2>(&mut way, moves, own, lanes(&here.straight, place + 2));
        take::<T, 6>(&mut way, moves, own, lanes(&here.straight, place));
        take::<T, 1>(&mut way, moves, own, lanes(&above.diagonal, place + 2));
        take::<T, 0>(&mut way, moves, own, lanes(&above.straight, place + 1));
        take::<T, 7>(&mut way, moves, own, lanes(&above.diagonal, place));
        let costs: [u32; LANES] = lanes(costs, place);
        let mut count = 0;
        for lane in 0..LANES {
            let is_reached = costs[lane] != UNREACHED;
            let flag = if moves[lane] == u8::MAX { FLAG_OPEN } else { 0 };
            way[lane] = if is_reached { way[lane] | flag } else { NO_WAY };
            count += u32::from(is_reached);
        }
        reached += u64::from(count);
        target.copy_from_slice(&way);
    }
    reached
}

/// Sixteen elements from `place` on.
#[inline]
fn lanes<T: Copy>(values: &[T], place: usize) -> [T; LANES] {
    let chunk: &[T; LANES] = values[place..].first_chunk().expect("rows are longer than their cells");
    *chunk
}

/// Takes the direction with number `D` where it is legal and on a cheapest way.
#[inline]
#[allow(clippy::needless_bitwise_bool, reason = "a lazy operator is a branch, which keeps lanes apart")]
fn take<T: Copy + Eq, const D: u8>(
    way: &mut [u8; LANES],
    moves: [u8; LANES],
    own: [T; LANES],
    neighbour: [T; LANES],
) {
    for lane in 0..LANES {
        let is_taken = (own[lane] == neighbour[lane]) & (moves[lane] & 1 << D != 0);
        way[lane] = if is_taken { D } else { way[lane] };
    }
}

/// The way of one cell, found plainly: what [`Rows::direct`] and [`mark_goals`] write.
pub(super) fn way_of(costs: &[u32], ground: FieldGround<'_>, index: usize) -> u8 {
    let moves = ground.moves.bytes()[index];
    let flag = if moves == u8::MAX { FLAG_OPEN } else { 0 };
    match costs[index] {
        UNREACHED => NO_WAY,
        0 => GOAL | flag,
        own => {
            let offsets = offsets(ground.shape().stride());
            let leads_on = |direction: &u8| {
                let to = index.wrapping_add(offsets[usize::from(*direction)]);
                moves >> direction & 1 == 1
                    && costs[to] < own
                    && costs[to] + step_units(ground.step(to), *direction) == own
            };
            BY_TARGET.into_iter().find(leads_on).unwrap_or(NO_WAY) | flag
        }
    }
}

/// The units of a step in a direction.
#[inline]
pub(super) const fn step_units(step: StepCost, direction: u8) -> u32 {
    if direction & 1 == 1 { step.diagonal as u32 } else { step.straight as u32 }
}

/// Writes the ways of the goals; returns how many of them cannot be left, which [`Rows::direct`] did not count.
pub(super) fn mark_goals(field: &mut FlowField, ground: FieldGround<'_>) -> u64 {
    let mut shut_in = 0;
    for &goal in &field.integration.goals {
        field.ways[goal as usize] = way_of(&field.integration.costs, ground, goal as usize);
        let block = goal as usize / LANES * LANES;
        shut_in += u64::from(ground.moves.bytes().block(block..block + LANES) == [0; LANES]);
    }
    shut_in
}
