//! `c[x] = min(run[x], 1 + min(below[x], below[x + 1]))`, where `run` counts the open cells from x to the
//! right.
//!
//! The identity holds because a square of side n is a run of n, and squares of side n − 1 at the two cells
//! below its first one. Only `run` is serial along a row; a table gives it for eight cells at once.

use wide::u8x16;

use super::{ClearanceMap, LANES};
use crate::bitgrid::{BitGrid, LocalRect, PaddedIndex};
use crate::geometry::Side;
use crate::passability::Placements;

/// For each byte of eight cells, the lowest bit leftmost: how many open cells follow from each, within the
/// eight. One byte a cell, the lowest the leftmost cell's.
const RUNS: [u64; 256] = run_table().0;
/// For each byte of eight cells: 255 at the cells whose run reaches the right end.
const REACH_END: [u64; 256] = run_table().1;
/// One in each byte.
const EACH_BYTE: u64 = 0x0101_0101_0101_0101;

const fn run_table() -> ([u64; 256], [u64; 256]) {
    let (mut runs, mut reach) = ([0; 256], [0; 256]);
    let mut byte = 0;
    while byte < 256 {
        let mut run = 0_u64;
        let mut cell = 8;
        while cell > 0 {
            cell -= 1;
            run = if byte >> cell & 1 == 1 { run + 1 } else { 0 };
            // Byte n of an entry is cell n of the eight.
            runs[byte] |= run << (8 * cell);
            if run + cell == 8 {
                reach[byte] |= 0xff << (8 * cell);
            }
        }
        byte += 1;
    }
    (runs, reach)
}

/// Returns the side of the largest square of ones whose top-left corner is at column `x` and row `y`; 0 if
/// that bit is zero.
///
/// Needs no stored map: it reads one run a row, so it takes time in proportion to the side, words apart.
pub fn clearance_at(open: &Placements, x: u32, y: u32) -> u32 {
    let layout = open.layout();
    if open.has_edges() {
        // A square grows by a column and a row, with the edges between them and the square.
        let is_whole = |side: u32| {
            let at = |dx: u32, dy: u32| layout.index(x + dx, y + dy);
            let last = side - 1;
            x + side <= layout.width()
                && y + side <= layout.height()
                && (0..side).all(|n| open.get(at(last, n)) && open.get(at(n, last)))
                && (last == 0
                    || (0..side).all(|n| {
                        !open.has_wall(at(last - 1, n), Side::Right)
                            && !open.has_wall(at(n, last - 1), Side::Bottom)
                    }))
                && (0..last).all(|n| {
                    !open.has_wall(at(n, last), Side::Right) && !open.has_wall(at(last, n), Side::Bottom)
                })
        };
        let sides = 1..=layout.width().min(layout.height());
        return sides.take_while(|&side| is_whole(side)).count() as u32;
    }
    let mut side_max = layout.width() - x;
    // A square of side n needs n rows whose runs are at least n: the bound shrinks to the shortest run so
    // far.
    for row in 0..layout.height() - y {
        side_max = run_of_ones(open, layout.index(x, y + row), side_max);
        if side_max <= row {
            return row;
        }
    }
    side_max.min(layout.height() - y)
}

/// Returns the number of ones from `index` to the right, at most `run_max`.
fn run_of_ones(open: &BitGrid, index: PaddedIndex, run_max: u32) -> u32 {
    let words = open.words();
    let mut word = index.word();
    let mut zeros = !words[word] & (u64::MAX << index.bit());
    while zeros == 0 {
        if (word + 1) << 6 >= index.get() + run_max as usize {
            return run_max;
        }
        word += 1;
        zeros = !words[word];
    }
    run_max.min((word << 6 | zeros.trailing_zeros() as usize) as u32 - index.number())
}

impl ClearanceMap {
    pub(super) fn build_true(&mut self, open: &Placements) {
        if open.edges().is_some() {
            for y in (0..self.layout.height()).rev() {
                self.repair_row(open, y, 0, self.layout.width());
            }
            return;
        }
        let mut buffer = Vec::new();
        // From the bottom: a row is computed from the one below.
        for y in (0..self.layout.height()).rev() {
            self.build_row(open, y, &mut buffer);
        }
    }

    /// Writes row `y`, sixteen cells a step from the right end, given the row below.
    fn build_row(&mut self, open: &BitGrid, y: u32, buffer: &mut Vec<u64>) {
        let max = u8x16::splat(self.max);
        let one = u8x16::splat(1);
        let (start, stride) = (self.place(0, y), self.stride);
        let (upper, below) = self.values[start..].split_at_mut(stride);
        let first_bit = self.layout.index(0, y).get();
        let (first_word, last_word) = (first_bit >> 6, (first_bit + stride - LANES - 1) >> 6);
        let words = open.words().read(first_word..last_word + 2, buffer);
        // The run of open cells that begins right of the block, at most 255.
        let mut carry = 0_u64;
        for x in (0..stride - LANES).step_by(LANES).rev() {
            let (word, bit) = (((first_bit + x) >> 6) - first_word, (first_bit + x) & 63);
            // Bits beyond the row belong to its padding, which is zero, or to the next row. The last block
            // may hold some of those; the caller's row ends before, and its right border is zero, so no run
            // reaches them.
            let bits = words[word] >> bit | words[word + 1] << 1 << (63 - bit);
            let (left, right) = (bits as usize & 0xff, bits as usize >> 8 & 0xff);
            // Bit 0 is the leftmost cell, so the lower byte is the left half. The right half comes first, as
            // runs extend to the right.
            let carry_left = run_of_first(right, carry);
            let runs = lanes(RUNS[left], RUNS[right]);
            let reach = lanes(REACH_END[left], REACH_END[right]);
            // The product copies the carry to each byte. It is at most 255, so no byte overflows into the
            // next.
            let carries = lanes(EACH_BYTE * carry_left, EACH_BYTE * carry);
            // Saturation at 255 is harmless: no value exceeds `max`, which is a byte.
            let runs = runs.saturating_add(reach & carries);
            carry = run_of_first(left, carry_left);
            let square = load(below, x).min(load(below, x + 1)).saturating_add(one).min(max);
            upper[x..x + LANES].copy_from_slice(&runs.min(square).to_array());
        }
        // The last block may have written behind the row.
        upper[self.layout.width() as usize..].fill(0);
    }

    /// Rows from the bottom of `rect` upwards, each from the right: a cell is computed again while its run,
    /// or what lies right of it or below it, has changed.
    pub(super) fn repair_true(&mut self, open: &Placements, rect: LocalRect) -> Option<LocalRect> {
        let mut changed: Option<LocalRect> = None;
        // Columns that changed in the row below.
        let mut below: Option<(u32, u32)> = None;
        for y in (0..rect.y1).rev() {
            // A cell depends on its neighbours to the right, below and diagonally below, so a change spreads
            // one column to the left a row.
            let mut span = below.map(|(x0, x1)| (x0.saturating_sub(1), x1));
            if y >= rect.y0 {
                span = Some(span.map_or((rect.x0, rect.x1), |(x0, x1)| (x0.min(rect.x0), x1.max(rect.x1))));
            }
            // Above the rectangle, an unchanged row ends the repair: nothing further up depends on more than
            // the row below it.
            let Some((x0, x1)) = span else { break };
            below = self.repair_row(open, y, x0, x1);
            LocalRect::join_row(&mut changed, y, below.map(|(x0, x1)| x0..x1));
        }
        changed
    }

    /// Computes the columns `x0..x1` of row `y` again, and on to the left as long as values change; returns
    /// the columns that did.
    fn repair_row(&mut self, open: &Placements, y: u32, x0: u32, x1: u32) -> Option<(u32, u32)> {
        let mut changed: Option<(u32, u32)> = None;
        let row = self.layout.index(0, y);
        let mut right_changed = false;
        for x in (0..x1).rev() {
            if x < x0 && !right_changed {
                break;
            }
            let place = self.place(x, y);
            let value = if open.get(row.plus(x as usize)) {
                // The recurrence over three neighbours equals that of `build_row` and needs no count of the
                // run, but it is serial along the row.
                let around =
                    [place + 1, place + self.stride, place + self.stride + 1].map(|p| self.values[p]);
                let beyond = around[0].min(around[1]).min(around[2]);
                let is_whole = beyond == 0 || !has_wall(open, row.plus(x as usize));
                if is_whole { beyond.saturating_add(1).min(self.max) } else { 1 }
            } else {
                0
            };
            right_changed = self.values[place] != value;
            if right_changed {
                self.values[place] = value;
                changed = Some((x, changed.map_or(x + 1, |(_, end)| end)));
            }
        }
        changed
    }
}

/// Returns whether a wall divides the four cells right of and below one.
fn has_wall(open: &Placements, cell: PaddedIndex) -> bool {
    let below = cell.plus(open.layout().stride());
    open.has_wall(cell, Side::Right)
        || open.has_wall(cell, Side::Bottom)
        || open.has_wall(below, Side::Right)
        || open.has_wall(cell.plus(1), Side::Bottom)
}

#[inline]
fn load(row: &[u8], x: usize) -> u8x16 {
    let mut lanes = [0; LANES];
    lanes.copy_from_slice(&row[x..x + LANES]);
    u8x16::from(lanes)
}

/// Sixteen bytes, the lower eight leftmost.
#[inline]
fn lanes(left: u64, right: u64) -> u8x16 {
    let mut lanes = [0; LANES];
    lanes[..8].copy_from_slice(&left.to_le_bytes());
    lanes[8..].copy_from_slice(&right.to_le_bytes());
    u8x16::from(lanes)
}

/// Returns the run of the leftmost of eight cells, when a run of `carry` follows them; at most 255.
#[inline]
fn run_of_first(byte: usize, carry: u64) -> u64 {
    ((RUNS[byte] & 0xff) + (REACH_END[byte] & carry)).min(255)
}
