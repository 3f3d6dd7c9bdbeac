//! The transpose of a grid: rows and columns exchanged, so that scans along a column run along words, too.

use super::{BitGrid, GridLayout, LocalRect};
use crate::pages::WordPages;

/// So many bits are carried over one by one, in less time than a block takes.
const BITS_FEW: u64 = 16;

impl BitGrid {
    /// Returns the grid with rows and columns exchanged, borders included.
    #[must_use]
    pub fn transposed(&self) -> Self {
        let layout = self.layout.transposed();
        // A block reads one word of each row: from a flat copy, as pages would be looked up for every word.
        let (words, mut transpose) = (self.words.to_vec(0..self.words.len()), vec![0; layout.words() + 1]);
        let (block_columns, block_rows) = (self.layout.stride_words(), self.layout.rows().div_ceil(64));
        for block_y in 0..block_rows {
            for block_x in 0..block_columns {
                let block = self.transposed_block(|word| words[word], block_x, block_y);
                for (place, bits) in places_in_transpose(layout, block_x, block_y).zip(block) {
                    transpose[place] = bits;
                }
            }
        }
        Self { layout, words: WordPages::from(&transpose[..]) }
    }

    /// Brings `transpose`, the transpose of an earlier state, up to date in the blocks that `rect` of this
    /// grid touches.
    pub(crate) fn repair_transpose(&self, transpose: &mut Self, rect: LocalRect) {
        if rect.area() <= BITS_FEW {
            for y in rect.y0..rect.y1 {
                for x in rect.x0..rect.x1 {
                    transpose.set(transpose.layout.index(y, x), self.get(self.layout.index(x, y)));
                }
            }
            return;
        }
        for block_y in (rect.y0 as usize + 1) >> 6..=(rect.y1 as usize) >> 6 {
            for block_x in (rect.x0 as usize + 1) >> 6..=(rect.x1 as usize) >> 6 {
                let block = self.transposed_block(|word| self.words[word], block_x, block_y);
                for (place, bits) in places_in_transpose(transpose.layout, block_x, block_y).zip(block) {
                    transpose.words.set(place, bits);
                }
            }
        }
    }

    /// Returns the 64×64 bits whose corner is padded column `64 * block_x` and padded row `64 * block_y`,
    /// transposed.
    fn transposed_block(&self, word: impl Fn(usize) -> u64, block_x: usize, block_y: usize) -> [u64; 64] {
        let mut block = [0_u64; 64];
        // Rows below the grid stay zero, which is the border of the transpose.
        let rows = (self.layout.rows() - block_y * 64).min(64);
        for (row, bits) in block.iter_mut().enumerate().take(rows) {
            *bits = word((block_y * 64 + row) * self.layout.stride_words() + block_x);
        }
        transpose_64(&mut block);
        block
    }
}

/// Where the words of a block of the original go in the transpose, which has `layout`.
fn places_in_transpose(layout: GridLayout, block_x: usize, block_y: usize) -> impl Iterator<Item = usize> {
    // Columns of the original behind its last become no rows, so a block at the right end is cut.
    let rows = block_x * 64..layout.rows().min((block_x + 1) * 64);
    rows.map(move |row| row * layout.stride_words() + block_y)
}

/// Changes rows and columns of 64×64 bits over: halves of the block swap their off-diagonal quarters, then
/// halves of those, down to single bits (Warren, *Hacker's Delight*, 7-3).
fn transpose_64(block: &mut [u64; 64]) {
    let mut half = 32;
    let mut mask = 0x0000_0000_FFFF_FFFF_u64;
    while half > 0 {
        for group in (0..64).step_by(half * 2) {
            let (upper, lower) = block[group..group + half * 2].split_at_mut(half);
            for (a, b) in upper.iter_mut().zip(lower) {
                // Exchanges the upper half of `a` with the lower half of `b` by three exclusive ors. Bit 0 is
                // the leftmost column, so upper bits are columns to the right.
                let swap = (*a >> half ^ *b) & mask;
                *a ^= swap << half;
                *b ^= swap;
            }
        }
        half /= 2;
        // From the lower half of each group to the lower half of each half group.
        mask ^= mask << half;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_transpose_has_rows_and_columns_exchanged() {
        let layout = GridLayout::new(150, 70);
        let mut grid = BitGrid::new(layout);
        for k in 0..3000_u32 {
            grid.set(layout.index(k * 37 % 150, k * k % 70), true);
        }
        let mut transpose = grid.transposed();
        for y in 0..70 {
            for x in 0..150 {
                assert_eq!(transpose.at(y, x), grid.get(layout.index(x, y)), "{x},{y}");
            }
        }
        assert_eq!(transpose.transposed(), grid);
        let rect = LocalRect { x0: 60, y0: 60, x1: 70, y1: 66 };
        grid.fill(rect, true);
        grid.repair_transpose(&mut transpose, rect);
        assert_eq!(transpose, grid.transposed());
    }
}
