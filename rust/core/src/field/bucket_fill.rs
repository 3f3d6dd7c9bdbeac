//! Costs of a whole layer of any ground, in any diagonal mode: Dijkstra's algorithm on a ring of buckets (Dial, 1969)
//! without a branch for each neighbour.
//!
//! A step costs what the stand that it arrives at costs. The flood runs against the steps, from the goals outwards, so a
//! cell passes on its cost plus its own step cost: one sum to its four straight neighbours, another to the diagonal ones.
//! All four go into one bucket each: every neighbour is written behind the bucket's last entry, and the bucket becomes longer
//! by those that got cheaper.
//!
//! A bucket is as wide as the largest power of two that is not above the cheapest step, so no cell of a bucket can lower
//! another one of it, and the order within it does not matter (Denardo & Fox, *Shortest-Route Methods: 1. Reaching, Pruning,
//! and Buckets*, 1979). A cell that is lowered within one bucket is in it already and is not added again.

use super::jump_fill::Sheet;
use super::occupancy::Occupancy;
use crate::cost::StepCost;

/// Cells that are looked at together before their neighbours are.
const GROUP: usize = 32;

/// Cells with one key. Behind `end`, the vector holds rubbish.
#[derive(Clone, Debug, Default)]
struct Bucket {
    cells: Vec<u32>,
    end: usize,
}

impl Bucket {
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        self.cells.resize((self.cells.len() * 2).max(16), 0);
    }
}

/// Room behind the last cell of a bucket.
struct Tail<'a> {
    room: &'a mut [u32; 4],
    added: usize,
    end: &'a mut usize,
    cost: u32,
    shift: u32,
}

impl Tail<'_> {
    /// Lowers the cost of the cell at `at` and adds it, or does neither, without a branch.
    #[allow(clippy::inline_always, reason = "field bench: a call costs a tenth of a flood")]
    #[inline(always)]
    #[allow(clippy::needless_bitwise_bool, reason = "a lazy operator is a branch")]
    fn offer(&mut self, slot: &mut u32, at: usize, is_legal: u8) {
        let old = *slot;
        let cheaper = (self.cost < old) & (is_legal != 0);
        let is_new = (old >> self.shift) != (self.cost >> self.shift);
        // At most four offers are made to one tail.
        self.room[self.added & 3] = at as u32;
        self.added += usize::from(cheaper & is_new);
        *slot = if cheaper { self.cost } else { old };
    }

    #[inline]
    fn close(self) {
        *self.end += self.added;
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
    ring: Vec<Bucket>,
    full: Occupancy,
    /// A bucket holds the costs that are the same number when shifted right by so many bits.
    shift: u32,
    /// That number for the bucket that is being emptied.
    key: u32,
    /// That bucket, and how many of its cells were taken.
    current: Bucket,
    taken: usize,
}

impl BucketFill {
    /// Begins a flood from `goals`, whose costs are 0 already; no step costs less than `cheapest` or more than `dearest`.
    pub(super) fn start(&mut self, goals: &[u32], cheapest: StepCost, dearest: StepCost) {
        self.shift = cheapest.straight.ilog2();
        // A step leads at most so many buckets on, and one more because of where in its bucket it begins.
        let reach = usize::from(dearest.diagonal.max(dearest.straight)) >> self.shift;
        let ring = (reach + 2).next_power_of_two().max(64);
        if self.ring.len() < ring {
            self.ring.resize(ring, Bucket::default());
        }
        // A flood that was given up may have left cells.
        for bucket in &mut self.ring {
            bucket.end = 0;
        }
        self.full.clear(self.ring.len());
        (self.key, self.taken) = (0, 0);
        self.current.cells.clear();
        self.current.cells.extend_from_slice(goals);
        self.current.end = goals.len();
    }

    /// Floods until everything is done, which it tells, or until `units` are used up: one for each cell taken, by at most
    /// a group more.
    pub(super) fn run(&mut self, sheet: &mut Sheet<'_>, packed: Option<&[u32]>, units: &mut i64) -> bool {
        match packed {
            Some(packed) => self.run_with(sheet, |at| StepCost::unpack(packed[at]), units),
            None => self.run_with(sheet, |_| StepCost::UNIT, units),
        }
    }

    fn run_with(&mut self, sheet: &mut Sheet<'_>, step: impl Fn(usize) -> StepCost, units: &mut i64) -> bool {
        let mut group = [Taken { cell: 0, cost: 0, step: StepCost::UNIT, legal: 0 }; GROUP];
        loop {
            while self.taken < self.current.end {
                if *units <= 0 {
                    return false;
                }
                // All loads of the group come before the first neighbour, so that they wait for memory together.
                let last = self.current.end.min(self.taken + GROUP);
                let mut count = 0;
                for &cell in &self.current.cells[self.taken..last] {
                    let at = cell as usize;
                    let cost = sheet.costs[at];
                    group[count & (GROUP - 1)] = Taken { cell, cost, step: step(at), legal: sheet.moves[at] };
                    // Some were reached more cheaply since, and belonged to an earlier bucket.
                    count += usize::from(cost >> self.shift == self.key);
                }
                *units -= (last - self.taken) as i64;
                self.taken = last;
                for &taken in &group[..count.min(GROUP)] {
                    self.pass_on_straight(sheet, taken);
                    self.pass_on_diagonally(sheet, taken);
                }
            }
            let mask = self.ring.len() - 1;
            let Some(bucket) = self.full.next(self.key as usize & mask) else { return true };
            self.key += (bucket.wrapping_sub(self.key as usize) & mask) as u32;
            self.full.unset(bucket);
            std::mem::swap(&mut self.current, &mut self.ring[bucket]);
            self.ring[bucket].end = 0;
            self.taken = 0;
        }
    }

    /// Offers a cell's cost and a straight step to its neighbours.
    #[allow(clippy::inline_always, reason = "field bench: a call costs a tenth of a flood")]
    #[inline(always)]
    fn pass_on_straight(&mut self, sheet: &mut Sheet<'_>, taken: Taken) {
        let Some(mut tail) = self.tail(sheet, taken.cost + u32::from(taken.step.straight)) else { return };
        let (at, stride, legal) = (taken.cell as usize, sheet.stride, taken.legal);
        tail.offer(&mut sheet.costs[at - stride], at - stride, legal & 1 << 0);
        if let Some([w, _, e]) = sheet.costs[at - 1..].first_chunk_mut() {
            tail.offer(w, at - 1, legal & 1 << 6);
            tail.offer(e, at + 1, legal & 1 << 2);
        }
        tail.offer(&mut sheet.costs[at + stride], at + stride, legal & 1 << 4);
        tail.close();
    }

    /// The same with a diagonal step.
    #[allow(clippy::inline_always, reason = "field bench: a call costs a tenth of a flood")]
    #[inline(always)]
    fn pass_on_diagonally(&mut self, sheet: &mut Sheet<'_>, taken: Taken) {
        let Some(mut tail) = self.tail(sheet, taken.cost + u32::from(taken.step.diagonal)) else { return };
        let (at, stride, legal) = (taken.cell as usize, sheet.stride, taken.legal);
        let (above, below) = (at - stride, at + stride);
        if let Some([nw, _, ne]) = sheet.costs[above - 1..].first_chunk_mut() {
            tail.offer(nw, above - 1, legal & 1 << 7);
            tail.offer(ne, above + 1, legal & 1 << 1);
        }
        if let Some([sw, _, se]) = sheet.costs[below - 1..].first_chunk_mut() {
            tail.offer(sw, below - 1, legal & 1 << 5);
            tail.offer(se, below + 1, legal & 1 << 3);
        }
        tail.close();
    }

    /// The end of the bucket for `cost`, with room for four more cells; `None` when it is too much.
    #[inline]
    fn tail(&mut self, sheet: &mut Sheet<'_>, cost: u32) -> Option<Tail<'_>> {
        if cost >= sheet.limit {
            sheet.was_cut = true;
            return None;
        }
        let place = (cost >> self.shift) as usize & (self.ring.len() - 1);
        let bucket = &mut self.ring[place];
        if bucket.end == 0 {
            self.full.set(place);
        }
        if bucket.end + 4 > bucket.cells.len() {
            bucket.grow();
        }
        let room = bucket.cells[bucket.end..].first_chunk_mut()?;
        Some(Tail { room, added: 0, end: &mut bucket.end, cost, shift: self.shift })
    }

    /// Bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        let cells: usize = self.ring.iter().map(|bucket| bucket.cells.capacity()).sum();
        (cells + self.current.cells.capacity()) * 4 + self.ring.capacity() * size_of::<Bucket>()
    }
}
