//! Costs of a whole layer of any ground, in any diagonal mode: Dijkstra's algorithm on a ring of buckets (Dial, 1969)
//! without a branch for each neighbour.
//!
//! A step costs what the stand that it arrives at costs. The flood runs against the steps, from the goals outwards, so a
//! cell passes on its cost plus its own step cost: one sum to its four straight neighbours, another to the diagonal ones.
//! Each four go into one list: every neighbour is written behind the list's last entry, and the list becomes longer by
//! those that got cheaper. Straight and diagonal offers have lists of their own, so that neither waits for the other's end.
//!
//! A bucket is as wide as the largest power of two that is not above the cheapest step, so no cell of a bucket can lower
//! another one of it, and the order within it does not matter (Denardo & Fox, *Shortest-Route Methods: 1. Reaching, Pruning,
//! and Buckets*, 1979). A cell is entered anew whenever it gets cheaper. The first of its entries that is taken is of its
//! final cost; its legal moves are forgotten then, so the others come to nothing.

use std::ops::Range;

use super::jump_fill::Sheet;
use super::occupancy::Occupancy;
use crate::cost::StepCost;
use crate::pages::NumberPages;

/// Cells that are looked at together before their neighbours are.
const GROUP: usize = 16;
/// By legal moves and by direction: nothing where the move is legal, else all bits, which make any cost too much.
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

/// Cells with one key. Behind `end`, the vector holds rubbish.
#[derive(Clone, Debug, Default)]
struct List {
    cells: Vec<u32>,
    end: usize,
}

impl List {
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        self.cells.resize((self.cells.len() * 2).max(16), 0);
    }
}

/// Room behind the last cell of a list.
struct Tail<'a> {
    room: &'a mut [u32; 4],
    added: usize,
    end: &'a mut usize,
    cost: u32,
}

impl Tail<'_> {
    /// Lowers the cost of the cell at `at` and adds it, or does neither, without a branch.
    #[allow(clippy::inline_always, reason = "field bench: a call costs a tenth of a flood")]
    #[inline(always)]
    fn offer(&mut self, slot: &mut u32, at: usize, bar: u32) {
        let (offer, old) = (self.cost | bar, *slot);
        // At most four offers are made to one tail.
        self.room[self.added & 3] = at as u32;
        self.added += usize::from(offer < old);
        *slot = offer.min(old);
    }

    #[inline]
    fn close(self) {
        *self.end += self.added;
    }
}

/// The lists of one kind of step, and what is being taken from.
#[derive(Clone, Debug, Default)]
struct Ring {
    lists: Vec<List>,
}

impl Ring {
    /// The end of the list for `cost`, with room for four more cells.
    #[allow(clippy::inline_always, reason = "field bench: a call costs a tenth of a flood")]
    #[inline(always)]
    fn tail(&mut self, cost: u32, shift: u32, full: &mut Occupancy) -> Option<Tail<'_>> {
        let place = (cost >> shift) as usize & (self.lists.len() - 1);
        let list = &mut self.lists[place];
        if list.end == 0 {
            full.set(place);
        }
        if list.end + 4 > list.cells.len() {
            list.grow();
        }
        let room = list.cells[list.end..].first_chunk_mut()?;
        Some(Tail { room, added: 0, end: &mut list.end, cost })
    }
}

/// A cell that was taken from a bucket.
#[derive(Clone, Copy)]
struct Taken {
    cell: u32,
    cost: u32,
    step: StepCost,
    legal: u8,
}

/// The ring of buckets, and where a flood was when its units ran out.
#[derive(Clone, Debug, Default)]
pub(super) struct BucketFill {
    straight: Ring,
    diagonal: Ring,
    full: Occupancy,
    /// A bucket holds the costs that are the same number when shifted right by so many bits.
    shift: u32,
    /// That number for the bucket that is being emptied.
    key: u32,
    /// The list of it that is being emptied, and how many of its cells were taken; then the other one.
    current: List,
    taken: usize,
    waiting: List,
}

impl BucketFill {
    /// Begins a flood from `goals`, whose costs are 0 already; no step costs less than `cheapest` or more than `dearest`.
    pub(super) fn start(&mut self, goals: &[u32], cheapest: StepCost, dearest: StepCost) {
        self.shift = cheapest.straight.min(cheapest.diagonal).ilog2();
        // A step leads at most so many buckets on, and one more because of where in its bucket it begins.
        let reach = usize::from(dearest.diagonal.max(dearest.straight)) >> self.shift;
        let ring = (reach + 2).next_power_of_two().max(64);
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
        self.current.cells.extend_from_slice(goals);
        self.current.end = goals.len();
        self.waiting.end = 0;
    }

    /// Floods until everything is done, which it tells, or until `units` are used up: one for each cell taken, by at most
    /// a group more. `open` has the legal moves of the cells that were not taken yet.
    pub(super) fn run(
        &mut self,
        sheet: &mut Sheet<'_>,
        open: &mut [u8],
        packed: Option<&NumberPages>,
        units: &mut i64,
    ) -> bool {
        match packed {
            Some(packed) => {
                let packed = packed.view();
                self.run_with(sheet, open, |at| StepCost::unpack(*packed.at(at)), units)
            }
            None => self.run_with(sheet, open, |_| StepCost::UNIT, units),
        }
    }

    fn run_with(
        &mut self,
        sheet: &mut Sheet<'_>,
        open: &mut [u8],
        step: impl Fn(usize) -> StepCost,
        units: &mut i64,
    ) -> bool {
        let mut group = [Taken { cell: 0, cost: 0, step: StepCost::UNIT, legal: 0 }; GROUP];
        loop {
            while self.taken < self.current.end {
                if *units <= 0 {
                    return false;
                }
                let last = self.current.end.min(self.taken + GROUP);
                let count = self.look(self.taken..last, sheet, open, &step, &mut group);
                *units -= (last - self.taken) as i64;
                self.taken = last;
                for &taken in &group[..count] {
                    self.pass_on(sheet, taken);
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

    /// Loads what is known of cells of the current list, and something of the rows around them, so that all wait for memory
    /// together; leaves out those that were taken before and returns how many are left.
    #[inline]
    fn look(
        &self,
        cells: Range<usize>,
        sheet: &Sheet<'_>,
        open: &mut [u8],
        step: impl Fn(usize) -> StepCost,
        group: &mut [Taken; GROUP],
    ) -> usize {
        let (mut count, mut seen) = (0, 0);
        for &cell in &self.current.cells[cells] {
            let at = cell as usize;
            let legal = std::mem::take(&mut open[at]);
            seen |= sheet.costs[at - sheet.stride] ^ sheet.costs[at + sheet.stride];
            group[count & (GROUP - 1)] = Taken { cell, cost: sheet.costs[at], step: step(at), legal };
            count += usize::from(legal != 0);
        }
        std::hint::black_box(seen);
        count.min(GROUP)
    }

    /// Offers a cell's cost and a step to its neighbours.
    #[allow(clippy::inline_always, reason = "field bench: a call costs a tenth of a flood")]
    #[inline(always)]
    fn pass_on(&mut self, sheet: &mut Sheet<'_>, taken: Taken) {
        let bar = &BARS[usize::from(taken.legal)];
        let (at, stride) = (taken.cell as usize, sheet.stride);
        let straight_cost = sheet.within_limit(taken.cost + u32::from(taken.step.straight));
        let diagonal_cost = sheet.within_limit(taken.cost + u32::from(taken.step.diagonal));
        let Some(mut straight) = self.straight.tail(straight_cost, self.shift, &mut self.full) else {
            return;
        };
        let Some(mut diagonal) = self.diagonal.tail(diagonal_cost, self.shift, &mut self.full) else {
            return;
        };
        let above = at - stride;
        if let Some([nw, n, ne]) = sheet.costs[above - 1..].first_chunk_mut() {
            diagonal.offer(nw, above - 1, bar[7]);
            straight.offer(n, above, bar[0]);
            diagonal.offer(ne, above + 1, bar[1]);
        }
        if let Some([w, _, e]) = sheet.costs[at - 1..].first_chunk_mut() {
            straight.offer(w, at - 1, bar[6]);
            straight.offer(e, at + 1, bar[2]);
        }
        let below = at + stride;
        if let Some([sw, s, se]) = sheet.costs[below - 1..].first_chunk_mut() {
            diagonal.offer(sw, below - 1, bar[5]);
            straight.offer(s, below, bar[4]);
            diagonal.offer(se, below + 1, bar[3]);
        }
        straight.close();
        diagonal.close();
    }

    /// Bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        let lists =
            self.straight.lists.iter().chain(&self.diagonal.lists).chain([&self.current, &self.waiting]);
        lists.map(|list| list.cells.capacity() * 4 + size_of::<List>()).sum()
    }
}
