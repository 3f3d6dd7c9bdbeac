//! Bucketed Dijkstra: the costs of a whole layer with any step costs, in any diagonal mode: Dijkstra's algorithm on a bucket
//! queue (Dial, *Algorithm 360: Shortest-Path Forest with Topological Ordering*, 1969).
//!
//! A step costs what the placement costs that it arrives at. The expansion runs backwards, from the goals outwards, so a cell
//! offers its neighbours its cost plus its own step cost. Locally uniform cells are pruned canonically.
//!
//! Invariant: a bucket is as wide as the largest power of two that is at most the minimum step cost, so no cell of a bucket can
//! lower another one of it, and the order within a bucket does not matter (Denardo & Fox, *Shortest-Route Methods: 1.
//! Reaching, Pruning, and Buckets*, 1979). A cell is queued again whenever its cost falls; stale entries are skipped.

use super::bucket_lists::{BucketLists, Entry, List, Tail};
use super::cost_grid::CostGrid;
use super::ground::StepCosts;
use crate::cost::{STRAIGHT, StepCost};
use crate::pages::{NumberView, WordPages, WordView};
use crate::primitives::{OccupancyIndex, SUCCESSORS, offsets};

/// Cells whose costs and moves are loaded together, so that their cache misses overlap. A core has some ten to sixteen loads from
/// beyond its first cache in flight, so half would still overlap them; larger groups only grow the arrays on the stack. Other sizes were not measured.
const GROUP: usize = 32;
/// The length of a forced straight jump, in cells of weight 1. What lies farther ahead is more likely to be reached at a lower
/// cost from elsewhere, and then written twice.
const JUMP_CELLS: u32 = 16;

// Cells are sorted into three kinds by the moves worth trying, and each kind has a loop of its own. Most cells are of the first
// two, so they make one to three offers instead of eight: 0.6 of the instructions, 0.8 of the time on noise (field bench).
/// One straight move, as mostly on locally uniform ground: a forced straight jump follows it to the first cell that differs.
const ONE: u16 = 1 << 8;
/// Up to three moves, ahead and on either side of a diagonal arrival on such ground.
const THREE: u16 = 1 << 9;
/// Any others.
const ANY: u16 = 1 << 10;
/// Added to the direction of arrival where step costs are locally non-uniform: canonical pruning is not valid there.
const NON_UNIFORM: u32 = 8;
/// By arrival and legal moves: the moves worth trying in the low byte, and their kind.
static WORTH: [[u16; 256]; 16] = worth();

const fn worth() -> [[u16; 256]; 16] {
    let mut table = [[0; 256]; 16];
    let mut n = 0;
    while n < 16 * 256 {
        let (arrival, moves) = (n / 256, n % 256);
        let is_non_uniform = arrival >= NON_UNIFORM as usize;
        let worth = if is_non_uniform { moves as u8 } else { SUCCESSORS[arrival][moves] };
        // Sorted by how many offers there will be: loops of one length each are predicted well.
        let kind = if worth == 0 {
            0
        } else if worth.is_power_of_two() && worth & 0b0101_0101 != 0 {
            ONE
        } else if !is_non_uniform && arrival % 2 == 1 {
            THREE
        } else {
            ANY
        };
        table[arrival][moves] = worth as u16 | kind;
        n += 1;
    }
    table
}

/// By moves worth trying and by direction: 0 if the move is one of them, else a word of ones. Or-ed into an offer, that makes it
/// `u32::MAX`, which lowers no cost: moves that are not worth trying need no branch. A table, as eight words of one line are
/// loaded sooner than eight masks are computed (field bench, noise and weights).
static BARS: [[u32; 8]; 256] = bars();

const fn bars() -> [[u32; 8]; 256] {
    let mut bars = [[u32::MAX; 8]; 256];
    let mut n = 0;
    while n < 256 * 8 {
        if (n / 8) >> (n % 8) & 1 == 1 {
            bars[n / 8][n % 8] = 0;
        }
        n += 1;
    }
    bars
}

/// The step costs of a ground. Each kind of ground has a type, so that the expansion is compiled for each.
trait Steps: Copy {
    /// The cost of stepping onto a placement.
    fn step(self, at: usize) -> StepCost;
    /// 0 at a cell that is locally uniform and may be pruned, else [`NON_UNIFORM`].
    fn uniformity(self, at: usize) -> u32;
}

/// All placements have the unit cost; `UNIFORMITY` is [`NON_UNIFORM`] in diagonal modes without pruning.
#[derive(Clone, Copy)]
struct UnitSteps<const UNIFORMITY: u32>;

impl<const UNIFORMITY: u32> Steps for UnitSteps<UNIFORMITY> {
    fn step(self, _: usize) -> StepCost {
        StepCost::UNIT
    }

    fn uniformity(self, _: usize) -> u32 {
        UNIFORMITY
    }
}

/// Packed step costs and, where pruning is valid, a bit for each locally uniform cell.
#[derive(Clone, Copy)]
struct MixedSteps<'a, const PRUNES: bool>(NumberView<'a>, WordView<'a>);

impl<const PRUNES: bool> Steps for MixedSteps<'_, PRUNES> {
    #[inline]
    fn step(self, at: usize) -> StepCost {
        StepCost::unpack(*self.0.at(at))
    }

    #[inline]
    fn uniformity(self, at: usize) -> u32 {
        if PRUNES { (!(self.1.at(at >> 6) >> (at & 63)) & 1) as u32 * NON_UNIFORM } else { NON_UNIFORM }
    }
}

/// Cells taken from a bucket, with the moves worth trying, and their positions in the group by kind.
struct Group {
    taken: [(Entry, u8); GROUP],
    kinds: [[u8; GROUP]; 3],
    counts: [usize; 3],
}

impl Group {
    /// Loads up to [`GROUP`] entries and sorts them by kind, without a branch that depends on them. Skips entries whose cell has
    /// been lowered since it was queued.
    #[inline(never)]
    fn load(&mut self, list: &[Entry], costs: &[u32], moves: &[u8], steps: impl Steps) {
        let [ones, threes, any] = &mut self.kinds;
        let mut counts = [0; 3];
        for (n, (&entry, taken)) in list.iter().zip(&mut self.taken).enumerate() {
            let at = entry.at();
            let arrival = entry.place & 7 | steps.uniformity(at);
            let worth = WORTH[arrival as usize & 15][usize::from(moves[at])];
            *taken = (entry, worth as u8);
            let kind = if costs[at] == entry.cost { worth } else { 0 };
            // Written always, counted only if it is of the kind. The masks prove the indices in bounds.
            ones[counts[0] & (GROUP - 1)] = n as u8;
            counts[0] += usize::from(kind & ONE != 0);
            threes[counts[1] & (GROUP - 1)] = n as u8;
            counts[1] += usize::from(kind & THREE != 0);
            any[counts[2] & (GROUP - 1)] = n as u8;
            counts[2] += usize::from(kind & ANY != 0);
        }
        self.counts = counts.map(|count| count.min(GROUP));
    }

    /// The cells of a kind.
    #[inline]
    fn of(&self, kind: usize) -> impl Iterator<Item = (Entry, u8)> {
        self.kinds[kind][..self.counts[kind]].iter().map(|&n| self.taken[usize::from(n) & (GROUP - 1)])
    }
}

/// The bucket queue, and the state of an expansion that ran out of units.
#[derive(Clone, Debug, Default)]
pub(super) struct BucketedDijkstra {
    /// Straight and diagonal offers have lists of their own: a cell appends to two lists, and neither append waits for the
    /// length that the other one stores.
    straight: BucketLists,
    diagonal: BucketLists,
    occupied: OccupancyIndex,
    /// A cost's bucket is the cost shifted right by this.
    shift: u32,
    /// A forced straight jump ends when it has cost this much.
    jump_cost_max: u32,
    /// The number of the bucket that is being emptied.
    key: u32,
    /// The one of its two lists that is being emptied.
    current: List,
    /// Number of entries of `current` that have been taken.
    taken: usize,
    /// The other list, which is emptied afterwards.
    waiting: List,
}

impl BucketedDijkstra {
    /// Starts an expansion from `goals`, whose costs are 0 already; all steps cost from `minimum` to `maximum`.
    pub(super) fn start(&mut self, goals: &[u32], minimum: StepCost, maximum: StepCost) {
        // The width of a bucket: see the head.
        self.shift = minimum.straight.min(minimum.diagonal).ilog2();
        let maximum = u32::from(maximum.diagonal.max(maximum.straight));
        self.jump_cost_max = maximum.max(JUMP_CELLS * STRAIGHT);
        // An offer lies at most this many buckets ahead, and one more, depending on where in its bucket the cell lies.
        let reach = (self.jump_cost_max + maximum) >> self.shift;
        // The occupancy index counts in words of 64 buckets.
        let ring = (reach as usize + 2).next_power_of_two().max(64);
        // Both circles have one size, so one index says where either holds anything.
        for lists in [&mut self.straight.lists, &mut self.diagonal.lists] {
            // Never fewer: the lists of earlier builds keep their memory.
            if lists.len() < ring {
                lists.resize(ring, List::default());
            }
            // A discarded expansion may have left entries.
            for list in lists {
                list.end = 0;
            }
        }
        self.occupied.clear(self.straight.lists.len());
        (self.key, self.taken) = (0, 0);
        self.current.cells.clear();
        for &goal in goals {
            // A goal has no direction of arrival. The successors of the four diagonal arrivals together are all moves.
            self.current.cells.extend([1, 3, 5, 7].map(|arrival| Entry::new(goal as usize, arrival, 0)));
        }
        self.current.end = self.current.cells.len();
        self.waiting.end = 0;
    }

    /// Expands until the queue is empty or `units` are used up, one for each cell visited; returns whether the queue is empty.
    /// May use as many units more as a group and its jumps take. `moves` has the legal moves of each padded cell; `prunes` says
    /// whether [`SUCCESSORS`] is the pruning of the diagonal mode.
    pub(super) fn run(
        &mut self,
        grid: &mut CostGrid<'_>,
        moves: &[u8],
        costs: Option<StepCosts<'_>>,
        prunes: bool,
        units: &mut i64,
    ) -> bool {
        let Some(StepCosts { packed, uniform, .. }) = costs else {
            return if prunes {
                self.run_with(grid, moves, UnitSteps::<0>, units)
            } else {
                self.run_with(grid, moves, UnitSteps::<NON_UNIFORM>, units)
            };
        };
        let (packed, no_words) = (packed.view(), WordPages::new());
        match uniform.filter(|_| prunes) {
            Some(words) => self.run_with(grid, moves, MixedSteps::<true>(packed, words.view()), units),
            None => self.run_with(grid, moves, MixedSteps::<false>(packed, no_words.view()), units),
        }
    }

    fn run_with(
        &mut self,
        grid: &mut CostGrid<'_>,
        moves: &[u8],
        steps: impl Steps,
        units: &mut i64,
    ) -> bool {
        let offsets = offsets(grid.stride);
        let mut group =
            Group { taken: [(Entry::default(), 0); GROUP], kinds: [[0; GROUP]; 3], counts: [0; 3] };
        loop {
            while self.taken < self.current.end {
                if *units <= 0 {
                    return false;
                }
                let last = self.current.end.min(self.taken + GROUP);
                group.load(&self.current.cells[self.taken..last], grid.costs, moves, steps);
                *units -= (last - self.taken) as i64;
                self.taken = last;
                // Entries of a bucket lower each other in no order (see the head), so kinds may go one after the other.
                for taken in group.of(0) {
                    self.jump_straight(grid, moves, steps, taken, &offsets, units);
                }
                for (entry, worth) in group.of(1) {
                    self.expand_diagonal(grid, steps.step(entry.at()), entry, worth, &offsets);
                }
                for (entry, worth) in group.of(2) {
                    self.expand_all(grid, steps.step(entry.at()), entry, worth);
                }
            }
            self.taken = 0;
            // The bucket's diagonal list comes after its straight one. Offers to the bucket itself are impossible, so neither
            // grows meanwhile.
            if self.waiting.end > 0 {
                std::mem::swap(&mut self.current, &mut self.waiting);
                self.waiting.end = 0;
                continue;
            }
            let mask = self.straight.lists.len() - 1;
            let Some(bucket) = self.occupied.next(self.key as usize & mask) else { return true };
            self.key += (bucket.wrapping_sub(self.key as usize) & mask) as u32;
            self.occupied.unset(bucket);
            // Swapped, so that the lists' memory circulates instead of being allocated again.
            std::mem::swap(&mut self.current, &mut self.straight.lists[bucket]);
            std::mem::swap(&mut self.waiting, &mut self.diagonal.lists[bucket]);
            self.straight.lists[bucket].end = 0;
            self.diagonal.lists[bucket].end = 0;
        }
    }

    /// Writes the cells of a forced straight jump, as long as that lowers their costs, up to the first cell from which other
    /// moves are worth trying.
    #[allow(clippy::inline_always, reason = "field bench: a call takes a tenth of an expansion")]
    #[inline(always)]
    fn jump_straight(
        &mut self,
        grid: &mut CostGrid<'_>,
        moves: &[u8],
        steps: impl Steps,
        (entry, worth): (Entry, u8),
        offsets: &[usize; 8],
        units: &mut i64,
    ) {
        let direction = worth.trailing_zeros() as usize & 7;
        let (offset, straight_on) = (offsets[direction], ONE | 1 << direction);
        let by_uniformity = [&WORTH[direction], &WORTH[direction | NON_UNIFORM as usize]];
        let (mut at, mut cost) = (entry.at(), entry.cost);
        let first = at.wrapping_add(offset);
        let mut step = u32::from(steps.step(at).straight);
        let cost_max = cost + self.jump_cost_max;
        loop {
            at = at.wrapping_add(offset);
            cost += step;
            if !grid.lower(at, cost) {
                return;
            }
            let worth = by_uniformity[usize::from(steps.uniformity(at) != 0)][usize::from(moves[at])];
            if worth != straight_on || cost >= cost_max {
                // A dead end: nothing is worth trying from there.
                if worth == 0 {
                    return;
                }
                break;
            }
            if at == first {
                // This cell is locally uniform, so the next one costs the same, and so on: one load serves the whole jump.
                step = u32::from(steps.step(at).straight);
            }
            *units -= 1;
        }
        if let Some(tail) = self.straight.tail(cost, self.shift, &mut self.occupied) {
            tail.push(at, direction);
        }
    }

    /// Offers the cost of a cell that was reached diagonally, plus a step, to the neighbours ahead and on either side of that.
    #[allow(clippy::inline_always, reason = "field bench: a call takes a tenth of an expansion")]
    #[inline(always)]
    fn expand_diagonal(
        &mut self,
        grid: &mut CostGrid<'_>,
        step: StepCost,
        entry: Entry,
        worth: u8,
        offsets: &[usize; 8],
    ) {
        let Some((mut straight, mut diagonal)) = self.tails(grid, step, entry) else { return };
        let ahead = entry.place as usize & 7;
        let bar = |direction: usize| (u32::from(worth) >> direction & 1).wrapping_sub(1);
        // Beside a diagonal direction are straight ones.
        for direction in [(ahead + 7) & 7, (ahead + 1) & 7] {
            let to = entry.at().wrapping_add(offsets[direction]);
            straight.offer(&mut grid.costs[to], to, direction, bar(direction));
        }
        let to = entry.at().wrapping_add(offsets[ahead]);
        diagonal.offer(&mut grid.costs[to], to, ahead, bar(ahead));
        straight.close();
        diagonal.close();
    }

    /// Offers a cell's cost plus a step to all its neighbours.
    #[allow(clippy::inline_always, reason = "field bench: a call takes a tenth of an expansion")]
    #[inline(always)]
    fn expand_all(&mut self, grid: &mut CostGrid<'_>, step: StepCost, entry: Entry, worth: u8) {
        let Some((mut straight, mut diagonal)) = self.tails(grid, step, entry) else { return };
        let bar = &BARS[usize::from(worth)];
        let (at, stride) = (entry.at(), grid.stride);
        // Three rows of three neighbours, each a slice with one bounds check.
        let above = at - stride;
        if let Some([nw, n, ne]) = grid.costs[above - 1..].first_chunk_mut() {
            diagonal.offer(nw, above - 1, 7, bar[7]);
            straight.offer(n, above, 0, bar[0]);
            diagonal.offer(ne, above + 1, 1, bar[1]);
        }
        if let Some([w, _, e]) = grid.costs[at - 1..].first_chunk_mut() {
            straight.offer(w, at - 1, 6, bar[6]);
            straight.offer(e, at + 1, 2, bar[2]);
        }
        let below = at + stride;
        if let Some([sw, s, se]) = grid.costs[below - 1..].first_chunk_mut() {
            diagonal.offer(sw, below - 1, 5, bar[5]);
            straight.offer(s, below, 4, bar[4]);
            diagonal.offer(se, below + 1, 3, bar[3]);
        }
        straight.close();
        diagonal.close();
    }

    /// The ends of the lists that a cell's straight and diagonal neighbours are appended to.
    #[allow(clippy::inline_always, reason = "field bench: a call takes a tenth of an expansion")]
    #[inline(always)]
    fn tails(
        &mut self,
        grid: &mut CostGrid<'_>,
        step: StepCost,
        entry: Entry,
    ) -> Option<(Tail<'_>, Tail<'_>)> {
        let straight = grid.within_limit(entry.cost + u32::from(step.straight));
        let diagonal = grid.within_limit(entry.cost + u32::from(step.diagonal));
        let straight = self.straight.tail(straight, self.shift, &mut self.occupied)?;
        Some((straight, self.diagonal.tail(diagonal, self.shift, &mut self.occupied)?))
    }

    /// Bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        let lists =
            self.straight.lists.iter().chain(&self.diagonal.lists).chain([&self.current, &self.waiting]);
        let lists = lists.map(|list| list.cells.capacity() * size_of::<Entry>() + size_of::<List>());
        lists.sum::<usize>() + self.occupied.memory()
    }
}
