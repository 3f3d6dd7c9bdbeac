//! Costs of a whole layer of uniform ground, from jump points: rows, columns and diagonals are written in one go, and only
//! the cells where a way turns around a wall are queued.
//!
//! Canonical orderings (Sturtevant & Rabin, *Canonical Orderings on Grids*, IJCAI 2016) reach every cell by diagonal steps
//! first, then straight ones, so that most cells are reached once. Jump points (Harabor & Grastien, AAAI 2011) are where
//! such a way may turn; with corners that may not be cut, only a straight arrival has any:
//!
//! ```text
//!  # * *      arriving at x from the left, the # makes N and NE worth trying
//!  > x .
//!  . . .
//! ```
//!
//! An arm runs ahead of the frontier: what it writes may be lowered later. So a cell is written for as long as it gets
//! cheaper, and a queued cell whose cost has been lowered since is dropped.

use super::moves::offsets;
use super::occupancy::Occupancy;
use crate::cost::{DIAGONAL, STRAIGHT};
use crate::geometry::Direction;

/// Buckets of the ring. An arm may reach farther than this many units; its entry then waits for a later lap.
const RING: usize = 8192;
const NONE: u32 = u32::MAX;

/// By direction of arrival and by legal moves: the moves worth trying.
pub(super) const SUCCESSORS: [[u8; 256]; 8] = successors();

const fn successors() -> [[u8; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut arrival = 0;
    while arrival < 8 {
        let mut moves = 0;
        while moves < 256 {
            table[arrival][moves] = successors_of(Direction::ALL[arrival], moves as u8);
            moves += 1;
        }
        arrival += 1;
    }
    table
}

const fn successors_of(arrival: Direction, moves: u8) -> u8 {
    if arrival.is_diagonal() {
        return moves & (bit_of(arrival, -1) | bit_of(arrival, 0) | bit_of(arrival, 1));
    }
    let mut worth = bit_of(arrival, 0);
    // The side is open and the cell behind it is not: the parent could not have stepped there diagonally.
    if moves & bit_of(arrival, -2) != 0 && moves & bit_of(arrival, -3) == 0 {
        worth |= bit_of(arrival, -2) | bit_of(arrival, -1);
    }
    if moves & bit_of(arrival, 2) != 0 && moves & bit_of(arrival, 3) == 0 {
        worth |= bit_of(arrival, 2) | bit_of(arrival, 1);
    }
    moves & worth
}

const fn bit_of(direction: Direction, eighths: i32) -> u8 {
    1 << (direction.turned(eighths) as u8)
}

/// What a flood reads and writes.
pub(super) struct Sheet<'a> {
    /// Cost of each padded cell, `u32::MAX` where it was not reached.
    pub(super) costs: &'a mut [u32],
    /// Places of a row.
    pub(super) stride: usize,
    /// The least cost that is too much.
    pub(super) limit: u32,
    /// Whether some cell was too dear.
    pub(super) was_cut: bool,
}

impl Sheet<'_> {
    /// A cost, or one that nothing is above when it is too much.
    #[inline]
    pub(super) fn within_limit(&mut self, cost: u32) -> u32 {
        if cost < self.limit {
            return cost;
        }
        self.was_cut = true;
        u32::MAX
    }
}

/// A diagonal arm that is not finished.
#[derive(Clone, Copy, Debug)]
struct Arm {
    at: usize,
    cost: u32,
    direction: u8,
}

/// The queue of jump points, and what a flood was doing when its units ran out.
#[derive(Clone, Debug, Default)]
pub(super) struct JumpFill {
    heads: Vec<u32>,
    /// A cell with its direction of arrival in the lowest three bits, and the next entry.
    pool: Vec<(u32, u32)>,
    free: u32,
    full: Occupancy,
    len: usize,
    /// The key of the bucket that is being emptied.
    key: u32,
    /// What is left of that bucket.
    chain: u32,
    arms: Vec<Arm>,
}

impl JumpFill {
    /// Begins a flood from `goals`, whose costs are 0 already.
    pub(super) fn start(&mut self, moves: &[u8], goals: &[u32]) {
        self.heads.clear();
        self.heads.resize(RING, NONE);
        self.pool.clear();
        (self.free, self.len, self.key, self.chain) = (NONE, 0, 0, NONE);
        self.full.clear(RING);
        self.arms.clear();
        for &goal in goals {
            for direction in Direction::ALL {
                if moves[goal as usize] >> (direction as u8) & 1 == 1 {
                    self.arms.push(Arm { at: goal as usize, cost: 0, direction: direction as u8 });
                }
            }
        }
    }

    /// Floods until everything is done, which it tells, or until `units` are used up: one for each cell looked at. It may
    /// use as many more as two rows or columns have cells. `moves` has the legal moves of each padded cell.
    pub(super) fn run(&mut self, sheet: &mut Sheet<'_>, moves: &[u8], units: &mut i64) -> bool {
        loop {
            while let Some(arm) = self.arms.pop() {
                let rest = match arm.direction {
                    1 => self.diagonal::<1, 0, 2>(sheet, moves, arm, units),
                    3 => self.diagonal::<3, 2, 4>(sheet, moves, arm, units),
                    5 => self.diagonal::<5, 4, 6>(sheet, moves, arm, units),
                    7 => self.diagonal::<7, 6, 0>(sheet, moves, arm, units),
                    direction => self.straight_of(sheet, moves, direction, arm.at, arm.cost, units),
                };
                self.arms.extend(rest);
                if *units <= 0 {
                    return false;
                }
            }
            let Some(entry) = self.pop(sheet) else { return true };
            let (at, arrival) = ((entry >> 3) as usize, entry as usize & 7);
            let mut worth = SUCCESSORS[arrival][moves[at] as usize];
            while worth != 0 {
                let direction = worth.trailing_zeros() as u8;
                worth &= worth - 1;
                if direction & 1 == 0 {
                    self.straight_of(sheet, moves, direction, at, self.key, units);
                } else {
                    self.arms.push(Arm { at, cost: self.key, direction });
                }
            }
        }
    }

    /// The next queued cell whose cost is still the one that it was queued with, which becomes `key`.
    fn pop(&mut self, sheet: &Sheet<'_>) -> Option<u32> {
        loop {
            while self.chain != NONE {
                let place = self.chain;
                let (entry, next) = self.pool[place as usize];
                self.chain = next;
                let cost = sheet.costs[(entry >> 3) as usize];
                if cost > self.key {
                    // Of a later lap.
                    self.link(self.key as usize & (RING - 1), place);
                    continue;
                }
                self.pool[place as usize].1 = self.free;
                self.free = place;
                self.len -= 1;
                if cost == self.key {
                    return Some(entry);
                }
            }
            if self.len == 0 {
                return None;
            }
            // The bucket that was emptied is looked at last, a lap later.
            let after = (self.key as usize + 1) & (RING - 1);
            let bucket = self.full.next(after)?;
            self.key += 1 + (bucket.wrapping_sub(after) & (RING - 1)) as u32;
            self.chain = std::mem::replace(&mut self.heads[bucket], NONE);
            self.full.unset(bucket);
        }
    }

    #[inline(never)]
    fn push(&mut self, cost: u32, at: usize, arrival: usize) {
        let entry = (at << 3 | arrival) as u32;
        let place = if self.free == NONE {
            self.pool.push((entry, NONE));
            self.pool.len() as u32 - 1
        } else {
            let place = self.free;
            self.free = self.pool[place as usize].1;
            self.pool[place as usize].0 = entry;
            place
        };
        self.len += 1;
        self.link(cost as usize & (RING - 1), place);
    }

    #[inline]
    fn link(&mut self, bucket: usize, place: u32) {
        let next = std::mem::replace(&mut self.heads[bucket], place);
        self.pool[place as usize].1 = next;
        if next == NONE {
            self.full.set(bucket);
        }
    }

    fn straight_of(
        &mut self,
        sheet: &mut Sheet<'_>,
        moves: &[u8],
        direction: u8,
        at: usize,
        cost: u32,
        units: &mut i64,
    ) -> Option<Arm> {
        match direction {
            0 => self.straight::<0>(sheet, moves, at, cost, units),
            2 => self.straight::<2>(sheet, moves, at, cost, units),
            4 => self.straight::<4>(sheet, moves, at, cost, units),
            _ => self.straight::<6>(sheet, moves, at, cost, units),
        }
        None
    }

    /// Writes a row or a column from the cell behind `at` on: while it gets cheaper, up to the first jump point.
    #[allow(clippy::inline_always, reason = "field bench: a call an arm costs a fifth of a flood")]
    #[inline(always)]
    fn straight<const D: usize>(
        &mut self,
        sheet: &mut Sheet<'_>,
        moves: &[u8],
        mut at: usize,
        mut cost: u32,
        units: &mut i64,
    ) {
        let offset = offsets(sheet.stride)[D];
        let costs = &mut *sheet.costs;
        let moves = &moves[..costs.len()];
        let mut legal = moves[at];
        let mut looked_at = 1;
        while legal >> D & 1 == 1 {
            at = at.wrapping_add(offset);
            cost += STRAIGHT;
            looked_at += 1;
            let slot = &mut costs[at];
            if cost >= (*slot).min(sheet.limit) {
                sheet.was_cut |= cost >= sheet.limit;
                break;
            }
            *slot = cost;
            legal = moves[at];
            if SUCCESSORS[D][legal as usize] & !(1 << D) != 0 {
                self.push(cost, at, D);
                break;
            }
        }
        *units -= looked_at;
    }

    /// Writes a diagonal from the cell behind the arm's on, and from each of its cells a row (`A` or `B`) and a column;
    /// returns what is left of it when the units are used up.
    #[inline(never)]
    fn diagonal<const D: usize, const A: usize, const B: usize>(
        &mut self,
        sheet: &mut Sheet<'_>,
        moves: &[u8],
        mut arm: Arm,
        units: &mut i64,
    ) -> Option<Arm> {
        let offset = offsets(sheet.stride)[D];
        while moves[arm.at] >> D & 1 == 1 {
            if *units <= 0 {
                return Some(arm);
            }
            arm.at = arm.at.wrapping_add(offset);
            arm.cost += DIAGONAL;
            let slot = &mut sheet.costs[arm.at];
            if arm.cost >= (*slot).min(sheet.limit) {
                sheet.was_cut |= arm.cost >= sheet.limit;
                return None;
            }
            *slot = arm.cost;
            self.straight::<A>(sheet, moves, arm.at, arm.cost, units);
            self.straight::<B>(sheet, moves, arm.at, arm.cost, units);
        }
        None
    }

    /// Bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        self.heads.capacity() * 4 + self.pool.capacity() * 8 + self.arms.capacity() * size_of::<Arm>()
    }
}
