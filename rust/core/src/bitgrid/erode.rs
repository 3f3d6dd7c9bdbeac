//! Erosion: at which anchors all cells of a footprint are ones.
//!
//! A run of n ones that starts at a bit is found from runs of half the length. The bit at p of `a & (a >> s)`
//! says that runs of length r start at p and at p + s; together they cover r + s bits without a hole while s
//! ≤ r. So a side n costs ⌈log₂ n⌉ passes. Every such run passes over all bits in between, the zero border
//! included, so rows need not be kept apart: the passes run over the whole grid as one array.

use super::{BitGrid, LocalRect};
use crate::geometry::Footprint;
use crate::pages::{Log, WordPages};

impl BitGrid {
    /// Returns the grid of anchors: a bit is one where all cells of `footprint` with its top-left cell there
    /// are ones.
    ///
    /// Takes `log₂ w + log₂ h` passes over the words.
    #[must_use]
    pub fn eroded(&self, footprint: Footprint) -> Self {
        let mut words = self.words.to_vec(0..self.words.len());
        erode_words(&mut words, self.layout.stride_words(), footprint);
        Self { layout: self.layout, words: WordPages::from(&words[..]) }
    }

    /// Makes the bits of `rect` what [`BitGrid::eroded`] of `open` has there; returns the smallest rectangle
    /// that changed. The rest is left as it is.
    pub(crate) fn repair_eroded(
        &mut self,
        open: &Self,
        footprint: Footprint,
        rect: LocalRect,
    ) -> Option<LocalRect> {
        let mut changed = None;
        // Passes work in place, so they run on a copy of the part: later repairs read `open` again.
        let (part, columns, word0) = eroded_part(open, footprint, rect);
        for (y, from) in (rect.y0..rect.y1).zip(part.chunks_exact(columns)) {
            let row = self.layout.index(0, y).get();
            // The copy begins at word `word0` of the row.
            let first = row / 64 + word0;
            let columns = self.write_words(row, rect.x0..rect.x1, |word, _| from[word - first]);
            LocalRect::join_row(&mut changed, y, columns);
        }
        changed
    }

    /// As [`BitGrid::repair_eroded`]; adds the words that change to `log`.
    pub(crate) fn erode_noted(
        &mut self,
        open: &Self,
        footprint: Footprint,
        rect: LocalRect,
        log: &mut Log<u64>,
    ) {
        let (part, columns, word0) = eroded_part(open, footprint, rect);
        for (y, from) in (rect.y0..rect.y1).zip(part.chunks_exact(columns)) {
            let row = self.layout.index(0, y).get() / 64 + word0;
            for x in rect.x0..rect.x1 {
                let index = self.layout.index(x, y);
                self.set_noted(index, from[index.word() - row] >> index.bit() & 1 == 1, log);
            }
        }
    }
}

/// Returns the words of [`BitGrid::eroded`] of `open` that hold `rect`, row by row. Also returns the number
/// of words in a row, and the word of the grid's row that each begins with.
fn eroded_part(open: &BitGrid, footprint: Footprint, rect: LocalRect) -> (Vec<u64>, usize, usize) {
    let layout = open.layout;
    let stride = layout.stride_words();
    // Words that hold the rectangle, one more to the right for runs that leave the last, and rows below for
    // the height. The upper bits of the additional word mix in the next row. They are never read back: a run
    // that begins in word `word1` ends at most 63 bits later.
    let (word0, word1) = ((rect.x0 as usize + 1) >> 6, (rect.x1 as usize) >> 6);
    let columns = (word1 + 2).min(stride) - word0;
    // Rows behind the last padded one count as zeros, like the border itself.
    let row0 = rect.y0 as usize + 1;
    let row1 = (rect.y1 as usize + footprint.h() as usize).min(layout.rows());
    let mut part = Vec::with_capacity((row1 - row0) * columns);
    for row in row0..row1 {
        let start = row * stride + word0;
        open.words.append_to(&mut part, start..start + columns);
    }
    erode_words(&mut part, columns, footprint);
    (part, columns, word0)
}

fn erode_words(words: &mut [u64], stride: usize, footprint: Footprint) {
    // Columns and rows erode independently: a rectangle of ones is a row of columns of ones.
    for_each_pass(footprint.w() as usize, |shift| and_shifted_bits(words, shift));
    for_each_pass(footprint.h() as usize, |shift| and_shifted_rows(words, shift * stride));
}

/// Calls `pass` with the shifts that grow runs of one to runs of `side`.
pub(crate) fn for_each_pass(side: usize, mut pass: impl FnMut(usize)) {
    let mut run = 1;
    while run < side {
        // At most `run`, so that both runs touch or overlap and leave no hole.
        let shift = run.min(side - run);
        pass(shift);
        run += shift;
    }
}

/// `a & (a >> shift)` over the whole array, in place, for shifts of 1 to 63. Upwards, each word reads its
/// right neighbour before that one changes.
fn and_shifted_bits(words: &mut [u64], shift: usize) {
    let last = words.len() - 1;
    // `shift` is 1 to 32 for sides up to 64, so neither shift is by 64.
    for i in 0..last {
        words[i] &= words[i] >> shift | words[i + 1] << (64 - shift);
    }
    words[last] &= words[last] >> shift;
}

/// `a & (a >> shift words)`, in place; what lies beyond the end is zero.
fn and_shifted_rows(words: &mut [u64], shift: usize) {
    let kept = words.len().saturating_sub(shift);
    // Upwards, so that each row reads the rows below it before they change.
    for i in 0..kept {
        words[i] &= words[i + shift];
    }
    words[kept..].fill(0);
}

#[cfg(test)]
mod tests {
    use super::super::GridLayout;
    use super::*;

    #[test]
    fn a_footprint_stands_where_all_its_cells_are_ones() {
        let layout = GridLayout::new(200, 40);
        let mut open = BitGrid::filled(layout);
        for k in 0..120_u32 {
            open.set(layout.index(k * 37 % 200, k * 11 % 40), false);
        }
        for (w, h) in [(1, 1), (2, 2), (3, 3), (7, 5), (4, 2), (1, 3), (64, 1), (1, 33)] {
            let footprint = Footprint::new(w, h).unwrap();
            let eroded = open.eroded(footprint);
            for y in 0..40 {
                for x in 0..200 {
                    let all = (0..h as u32).all(|j| {
                        (0..w as u32)
                            .all(|i| x + i < 200 && y + j < 40 && open.get(layout.index(x + i, y + j)))
                    });
                    assert_eq!(eroded.get(layout.index(x, y)), all, "{w}x{h} at {x},{y}");
                }
            }
            assert!(eroded.border_is_clear());
        }
    }
}
