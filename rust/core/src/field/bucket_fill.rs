//! Costs of a whole layer of any ground, in any diagonal mode: Dijkstra's algorithm on a ring of buckets (Dial, 1969)
//! without a branch for each neighbour.
//!
//! A step costs what the stand that it arrives at costs. The flood runs against the steps, from the goals outwards, so a
//! cell passes on its cost plus its own step cost: one sum to its four straight neighbours, another to the diagonal ones.
//! All four go into one bucket each: every neighbour is written behind the bucket's last entry, and the bucket becomes longer
//! by those that got cheaper.

use super::jump_fill::Sheet;
use super::moves::offsets;
use super::occupancy::Occupancy;
use crate::cost::StepCost;

const NONE: u32 = u32::MAX;
/// Entries of a block, so that a block is two cache lines.
const BLOCK: usize = 30;

/// A part of a bucket.
#[derive(Clone, Debug)]
struct Block {
    cells: [u32; BLOCK],
    len: u32,
    next: u32,
}

/// The ring of buckets, and where a flood was when its units ran out.
#[derive(Clone, Debug, Default)]
pub(super) struct BucketFill {
    /// The first block of each bucket's chain, the only one that may not be full.
    heads: Vec<u32>,
    blocks: Vec<Block>,
    free: u32,
    full: Occupancy,
    /// The key of the bucket that is being emptied.
    key: u32,
    /// What is left of that bucket.
    chain: u32,
}

impl BucketFill {
    /// Begins a flood from `goals`, whose costs are 0 already; no step costs more than `dearest`.
    pub(super) fn start(&mut self, goals: &[u32], dearest: StepCost) {
        let ring = (usize::from(dearest.diagonal.max(dearest.straight)) + 1).next_power_of_two().max(64);
        self.heads.clear();
        self.heads.resize(ring, NONE);
        self.blocks.clear();
        (self.free, self.key, self.chain) = (NONE, 0, NONE);
        self.full.clear(ring);
        for &goal in goals {
            let head = self.head_with_room(0);
            let block = &mut self.blocks[head];
            block.cells[block.len as usize] = goal;
            block.len += 1;
        }
        self.chain = std::mem::replace(&mut self.heads[0], NONE);
    }

    /// Floods until everything is done, which it tells, or until `units` are used up: one for each cell taken. It may use
    /// as many more as a block has cells.
    pub(super) fn run(&mut self, sheet: &mut Sheet<'_>, packed: Option<&[u32]>, units: &mut i64) -> bool {
        match packed {
            Some(packed) => self.run_with(sheet, |at| StepCost::unpack(packed[at]), units),
            None => self.run_with(sheet, |_| StepCost::UNIT, units),
        }
    }

    fn run_with(&mut self, sheet: &mut Sheet<'_>, step: impl Fn(usize) -> StepCost, units: &mut i64) -> bool {
        let offsets = offsets(sheet.stride);
        let straight = [0, 2, 4, 6].map(|d| offsets[d]);
        let diagonal = [1, 3, 5, 7].map(|d| offsets[d]);
        loop {
            while self.chain != NONE {
                if *units <= 0 {
                    return false;
                }
                let place = self.chain as usize;
                // A copy, because buckets may move while it is worked on.
                let block = self.blocks[place].clone();
                self.chain = block.next;
                self.blocks[place].next = self.free;
                self.free = place as u32;
                *units -= i64::from(block.len) + 1;
                for &cell in &block.cells[..block.len as usize] {
                    let at = cell as usize;
                    if sheet.costs[at] != self.key {
                        // It was reached more cheaply since.
                        continue;
                    }
                    let step = step(at);
                    let legal = u32::from(sheet.moves[at]);
                    self.pass_on(sheet, at, straight, legal, self.key + u32::from(step.straight));
                    self.pass_on(sheet, at, diagonal, legal >> 1, self.key + u32::from(step.diagonal));
                }
            }
            let mask = self.heads.len() - 1;
            let Some(bucket) = self.full.next(self.key as usize & mask) else { return true };
            self.key += (bucket.wrapping_sub(self.key as usize) & mask) as u32;
            self.chain = std::mem::replace(&mut self.heads[bucket], NONE);
            self.full.unset(bucket);
        }
    }

    /// Offers `cost` to four neighbours of `at`, of which the n-th counts when bit 2n of `legal` is set.
    #[allow(clippy::inline_always, reason = "field bench: a call costs a tenth of a flood")]
    #[inline(always)]
    fn pass_on(&mut self, sheet: &mut Sheet<'_>, at: usize, offsets: [usize; 4], legal: u32, cost: u32) {
        if cost >= sheet.limit {
            sheet.was_cut = true;
            return;
        }
        let bucket = cost as usize & (self.heads.len() - 1);
        let head = self.head_with_room(bucket);
        let block = &mut self.blocks[head];
        let mut len = block.len as usize;
        for (n, offset) in offsets.into_iter().enumerate() {
            let to = at.wrapping_add(offset);
            let slot = &mut sheet.costs[to];
            let old = *slot;
            let cheaper = (cost < old) & (legal >> (2 * n) & 1 == 1);
            block.cells[len] = to as u32;
            len += usize::from(cheaper);
            *slot = if cheaper { cost } else { old };
        }
        block.len = len as u32;
    }

    /// The first block of a bucket, with room for four more cells and one behind them.
    #[inline]
    fn head_with_room(&mut self, bucket: usize) -> usize {
        let head = self.heads[bucket];
        if head != NONE && self.blocks[head as usize].len as usize + 4 < BLOCK {
            return head as usize;
        }
        self.new_head(bucket, head)
    }

    #[inline(never)]
    fn new_head(&mut self, bucket: usize, next: u32) -> usize {
        let place = if self.free == NONE {
            self.blocks.push(Block { cells: [0; BLOCK], len: 0, next });
            self.blocks.len() - 1
        } else {
            let place = self.free as usize;
            let block = &mut self.blocks[place];
            self.free = block.next;
            (block.len, block.next) = (0, next);
            place
        };
        self.heads[bucket] = place as u32;
        self.full.set(bucket);
        place
    }

    /// Bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        self.heads.capacity() * 4 + self.blocks.capacity() * size_of::<Block>()
    }
}
