//! Costs of a whole layer of any ground, in any diagonal mode: Dijkstra's algorithm on a ring of buckets (Dial, 1969),
//! along canonical ways where the ground allows that, and without a branch for each neighbour where it does not.
//!
//! A step costs what the stand that it arrives at costs. The flood runs against the steps, from the goals outwards, so a
//! cell passes on its cost plus its own step cost. On *plain* cells, around which all stands cost the same, only the moves
//! are worth trying that jump points leave (see [`super::jump_fill`]): most cells have one, straight on, and a whole run of
//! those is written in one go, up to the first cell that is different; then come those that were reached by a diagonal step,
//! with three. Everywhere else all legal moves are tried. Cells are sorted by that, some at a time, and each kind gets a loop
//! of its own. Offers are written behind the last entry of a list, which becomes longer by those that make a cell cheaper.
//! Straight and diagonal offers have lists of their own, so that neither waits for the other's end.
//!
//! A bucket is as wide as the largest power of two that is not above the cheapest step, so no cell of a bucket can lower
//! another one of it, and the order within it does not matter (Denardo & Fox, *Shortest-Route Methods: 1. Reaching, Pruning,
//! and Buckets*, 1979). A cell is entered anew whenever it gets cheaper, and an entry at another cost than its cell's is
//! passed over.

use super::jump_fill::{SUCCESSORS, Sheet};
use super::moves::offsets;
use super::occupancy::Occupancy;
use super::ring::{Entry, List, Ring, Tail};
use crate::cost::{STRAIGHT, StepCost};
use crate::pages::{NumberPages, NumberView, WordPages, WordView};

/// Cells that are looked at together before their neighbours are.
const GROUP: usize = 32;
/// A run goes on for about so many cells over weight 1, since what lies far ahead may be reached at less from elsewhere.
const RUN: u32 = 16;

/// What is worth trying is one straight move.
const ONE: u16 = 1 << 8;
/// Up to three: the one of the arrival, which is diagonal, and those beside it.
const THREE: u16 = 1 << 9;
/// Any others.
const ANY: u16 = 1 << 10;
/// Added to an arrival where not all stands around cost the same.
const ROUGH: u32 = 8;
/// By arrival and legal moves: the moves worth trying, and which of the above they are.
static WORTH: [[u16; 256]; 16] = worth();
/// By legal moves and by direction: nothing where the move is legal, else all bits, which make any cost too much.
static BARS: [[u32; 8]; 256] = bars();

const fn worth() -> [[u16; 256]; 16] {
    let mut table = [[0; 256]; 16];
    let mut n = 0;
    while n < 16 * 256 {
        let (arrival, moves) = (n / 256, n % 256);
        let is_rough = arrival >= ROUGH as usize;
        let worth = if is_rough { moves as u8 } else { SUCCESSORS[arrival][moves] };
        let kind = if worth == 0 {
            0
        } else if worth.is_power_of_two() && worth & 0b0101_0101 != 0 {
            ONE
        } else if !is_rough && arrival % 2 == 1 {
            THREE
        } else {
            ANY
        };
        table[arrival][moves] = worth as u16 | kind;
        n += 1;
    }
    table
}

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

/// What a flood asks of the ground.
trait Steps: Copy {
    /// What stepping onto a stand costs.
    fn step(self, at: usize) -> StepCost;
    /// 0 at a plain cell, else [`ROUGH`].
    fn rough(self, at: usize) -> u32;
}

/// All stands cost what weight 1 does; plain or not.
#[derive(Clone, Copy)]
struct Uniform<const IS: u32>;

impl<const IS: u32> Steps for Uniform<IS> {
    fn step(self, _: usize) -> StepCost {
        StepCost::UNIT
    }

    fn rough(self, _: usize) -> u32 {
        IS
    }
}

/// Packed step costs of stands, and a bit for each plain cell.
#[derive(Clone, Copy)]
struct Patches<'a>(NumberView<'a>, WordView<'a>);

impl Steps for Patches<'_> {
    #[inline]
    fn step(self, at: usize) -> StepCost {
        StepCost::unpack(*self.0.at(at))
    }

    #[inline]
    fn rough(self, at: usize) -> u32 {
        (!(self.1.at(at >> 6) >> (at & 63)) & 1) as u32 * ROUGH
    }
}

/// Packed step costs of stands, of which none is taken for plain.
#[derive(Clone, Copy)]
struct Strewn<'a>(NumberView<'a>);

impl Steps for Strewn<'_> {
    #[inline]
    fn step(self, at: usize) -> StepCost {
        StepCost::unpack(*self.0.at(at))
    }

    fn rough(self, _: usize) -> u32 {
        ROUGH
    }
}

/// Cells that were taken from a bucket, with the moves worth trying, and their numbers by kind.
struct Group {
    taken: [(Entry, u8); GROUP],
    kinds: [[u8; GROUP]; 3],
    counts: [usize; 3],
}

impl Group {
    /// Loads what is known of up to [`GROUP`] cells, so that all wait for memory together, and leaves out those that were
    /// lowered since they were entered.
    #[inline(never)]
    fn look(&mut self, list: &[Entry], costs: &[u32], moves: &[u8], ground: impl Steps) {
        let [ones, threes, any] = &mut self.kinds;
        let mut counts = [0; 3];
        for (n, (&entry, taken)) in list.iter().zip(&mut self.taken).enumerate() {
            let at = entry.at();
            let arrival = entry.place & 7 | ground.rough(at);
            let worth = WORTH[arrival as usize & 15][usize::from(moves[at])];
            *taken = (entry, worth as u8);
            let kind = if costs[at] == entry.cost { worth } else { 0 };
            ones[counts[0] & (GROUP - 1)] = n as u8;
            counts[0] += usize::from(kind & ONE != 0);
            threes[counts[1] & (GROUP - 1)] = n as u8;
            counts[1] += usize::from(kind & THREE != 0);
            any[counts[2] & (GROUP - 1)] = n as u8;
            counts[2] += usize::from(kind & ANY != 0);
        }
        self.counts = counts.map(|count| count.min(GROUP));
    }

    /// The taken cells of a kind.
    #[inline]
    fn of(&self, kind: usize) -> impl Iterator<Item = (Entry, u8)> {
        self.kinds[kind][..self.counts[kind]].iter().map(|&n| self.taken[usize::from(n) & (GROUP - 1)])
    }
}

/// The ring of buckets, and where a flood was when its units ran out.
#[derive(Clone, Debug, Default)]
pub(super) struct WaveFill {
    straight: Ring,
    diagonal: Ring,
    full: Occupancy,
    /// A bucket holds the costs that are the same number when shifted right by so many bits.
    shift: u32,
    /// A run ends when it has cost so much.
    run_max: u32,
    /// That number for the bucket that is being emptied.
    key: u32,
    /// The list of it that is being emptied, and how many of its cells were taken; then the other one.
    current: List,
    taken: usize,
    waiting: List,
}

impl WaveFill {
    /// Begins a flood from `goals`, whose costs are 0 already; no step costs less than `cheapest` or more than `dearest`.
    pub(super) fn start(&mut self, goals: &[u32], cheapest: StepCost, dearest: StepCost) {
        self.shift = cheapest.straight.min(cheapest.diagonal).ilog2();
        let dearest = u32::from(dearest.diagonal.max(dearest.straight));
        self.run_max = dearest.max(RUN * STRAIGHT);
        // What is passed on lies at most so many buckets on, and one more because of where in its bucket it begins.
        let reach = (self.run_max + dearest) >> self.shift;
        let ring = (reach as usize + 2).next_power_of_two().max(64);
        for lists in [&mut self.straight.lists, &mut self.diagonal.lists] {
            if lists.len() < ring {
                lists.resize(ring, List::default());
            }
            // A flood that was given up may have left cells.
            for list in lists {
                list.end = 0;
            }
        }
        self.full.clear(self.straight.lists.len());
        (self.key, self.taken) = (0, 0);
        self.current.cells.clear();
        for &goal in goals {
            // Together, the diagonal arrivals leave all moves.
            self.current.cells.extend([1, 3, 5, 7].map(|arrival| Entry::new(goal as usize, arrival, 0)));
        }
        self.current.end = self.current.cells.len();
        self.waiting.end = 0;
    }

    /// Floods until everything is done, which it tells, or until `units` are used up: one for each cell looked at, by at
    /// most what a group and its runs have more. `moves` has the legal moves
    /// of each padded cell; `prunes` where the diagonal mode leaves moves out as [`SUCCESSORS`] does.
    pub(super) fn run(
        &mut self,
        sheet: &mut Sheet<'_>,
        moves: &[u8],
        packed: Option<&NumberPages>,
        plain: Option<&WordPages>,
        prunes: bool,
        units: &mut i64,
    ) -> bool {
        match (packed, plain) {
            (None, _) if prunes => self.run_with(sheet, moves, Uniform::<0>, units),
            (None, _) => self.run_with(sheet, moves, Uniform::<ROUGH>, units),
            (Some(packed), Some(plain)) if prunes => {
                self.run_with(sheet, moves, Patches(packed.view(), plain.view()), units)
            }
            (Some(packed), _) => self.run_with(sheet, moves, Strewn(packed.view()), units),
        }
    }

    fn run_with(&mut self, sheet: &mut Sheet<'_>, moves: &[u8], ground: impl Steps, units: &mut i64) -> bool {
        let offsets = offsets(sheet.stride);
        let mut group =
            Group { taken: [(Entry::default(), 0); GROUP], kinds: [[0; GROUP]; 3], counts: [0; 3] };
        loop {
            while self.taken < self.current.end {
                if *units <= 0 {
                    return false;
                }
                let last = self.current.end.min(self.taken + GROUP);
                group.look(&self.current.cells[self.taken..last], sheet.costs, moves, ground);
                *units -= (last - self.taken) as i64;
                self.taken = last;
                for taken in group.of(0) {
                    self.run_on(sheet, moves, ground, taken, &offsets, units);
                }
                for (entry, worth) in group.of(1) {
                    self.fan_out(sheet, ground.step(entry.at()), entry, worth, &offsets);
                }
                for (entry, worth) in group.of(2) {
                    self.pass_on(sheet, ground.step(entry.at()), entry, worth);
                }
            }
            self.taken = 0;
            if self.waiting.end > 0 {
                std::mem::swap(&mut self.current, &mut self.waiting);
                self.waiting.end = 0;
                continue;
            }
            let mask = self.straight.lists.len() - 1;
            let Some(bucket) = self.full.next(self.key as usize & mask) else { return true };
            self.key += (bucket.wrapping_sub(self.key as usize) & mask) as u32;
            self.full.unset(bucket);
            std::mem::swap(&mut self.current, &mut self.straight.lists[bucket]);
            std::mem::swap(&mut self.waiting, &mut self.diagonal.lists[bucket]);
            self.straight.lists[bucket].end = 0;
            self.diagonal.lists[bucket].end = 0;
        }
    }

    /// Writes cells in the one direction worth trying: while they get cheaper, up to the first where there are others.
    #[allow(clippy::inline_always, reason = "field bench: a call costs a tenth of a flood")]
    #[inline(always)]
    fn run_on(
        &mut self,
        sheet: &mut Sheet<'_>,
        moves: &[u8],
        ground: impl Steps,
        (entry, worth): (Entry, u8),
        offsets: &[usize; 8],
        units: &mut i64,
    ) {
        let direction = worth.trailing_zeros() as usize & 7;
        let (offset, straight_on) = (offsets[direction], ONE | 1 << direction);
        let by_ground = [&WORTH[direction], &WORTH[direction | ROUGH as usize]];
        let (mut at, mut cost) = (entry.at(), entry.cost);
        let first = at.wrapping_add(offset);
        let mut step = u32::from(ground.step(at).straight);
        let cost_max = cost + self.run_max;
        loop {
            at = at.wrapping_add(offset);
            cost += step;
            let slot = &mut sheet.costs[at];
            if cost >= (*slot).min(sheet.limit) {
                sheet.was_cut |= cost >= sheet.limit;
                return;
            }
            *slot = cost;
            let worth = by_ground[usize::from(ground.rough(at) != 0)][usize::from(moves[at])];
            if worth != straight_on || cost >= cost_max {
                if worth == 0 {
                    return;
                }
                break;
            }
            if at == first {
                // It is plain, and so are all that follow: they cost the same.
                step = u32::from(ground.step(at).straight);
            }
            *units -= 1;
        }
        if let Some(tail) = self.straight.tail(cost, self.shift, &mut self.full) {
            tail.push(at, direction);
        }
    }

    /// Offers a cell's cost and a step on in the direction of its diagonal arrival and in the two beside it.
    #[allow(clippy::inline_always, reason = "field bench: a call costs a tenth of a flood")]
    #[inline(always)]
    fn fan_out(
        &mut self,
        sheet: &mut Sheet<'_>,
        step: StepCost,
        entry: Entry,
        worth: u8,
        offsets: &[usize; 8],
    ) {
        let Some((mut straight, mut diagonal)) = self.tails(sheet, step, entry) else { return };
        let ahead = entry.place as usize & 7;
        let bar = |direction: usize| (u32::from(worth) >> direction & 1).wrapping_sub(1);
        for direction in [(ahead + 7) & 7, (ahead + 1) & 7] {
            let to = entry.at().wrapping_add(offsets[direction]);
            straight.offer(&mut sheet.costs[to], to, direction, bar(direction));
        }
        let to = entry.at().wrapping_add(offsets[ahead]);
        diagonal.offer(&mut sheet.costs[to], to, ahead, bar(ahead));
        straight.close();
        diagonal.close();
    }

    /// Offers a cell's cost and a step to all its neighbours.
    #[allow(clippy::inline_always, reason = "field bench: a call costs a tenth of a flood")]
    #[inline(always)]
    fn pass_on(&mut self, sheet: &mut Sheet<'_>, step: StepCost, entry: Entry, worth: u8) {
        let Some((mut straight, mut diagonal)) = self.tails(sheet, step, entry) else { return };
        let bar = &BARS[usize::from(worth)];
        let (at, stride) = (entry.at(), sheet.stride);
        let above = at - stride;
        if let Some([nw, n, ne]) = sheet.costs[above - 1..].first_chunk_mut() {
            diagonal.offer(nw, above - 1, 7, bar[7]);
            straight.offer(n, above, 0, bar[0]);
            diagonal.offer(ne, above + 1, 1, bar[1]);
        }
        if let Some([w, _, e]) = sheet.costs[at - 1..].first_chunk_mut() {
            straight.offer(w, at - 1, 6, bar[6]);
            straight.offer(e, at + 1, 2, bar[2]);
        }
        let below = at + stride;
        if let Some([sw, s, se]) = sheet.costs[below - 1..].first_chunk_mut() {
            diagonal.offer(sw, below - 1, 5, bar[5]);
            straight.offer(s, below, 4, bar[4]);
            diagonal.offer(se, below + 1, 3, bar[3]);
        }
        straight.close();
        diagonal.close();
    }

    /// Where a cell's straight and diagonal neighbours are entered.
    #[allow(clippy::inline_always, reason = "field bench: a call costs a tenth of a flood")]
    #[inline(always)]
    fn tails(&mut self, sheet: &mut Sheet<'_>, step: StepCost, entry: Entry) -> Option<(Tail<'_>, Tail<'_>)> {
        let straight = sheet.within_limit(entry.cost + u32::from(step.straight));
        let diagonal = sheet.within_limit(entry.cost + u32::from(step.diagonal));
        let straight = self.straight.tail(straight, self.shift, &mut self.full)?;
        Some((straight, self.diagonal.tail(diagonal, self.shift, &mut self.full)?))
    }

    /// Bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        let lists =
            self.straight.lists.iter().chain(&self.diagonal.lists).chain([&self.current, &self.waiting]);
        lists.map(|list| list.cells.capacity() * size_of::<Entry>() + size_of::<List>()).sum()
    }
}
