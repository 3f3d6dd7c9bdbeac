//! Erosion: at which anchors all cells of a footprint are ones.
//!
//! A run of n ones that starts at a bit is found from runs of half the length. The bit at p of `a & (a >> s)`
//! says that runs of length r start at p and at p + s; together they cover r + s bits without a hole while s
//! ≤ r. So a side n costs ⌈log₂ n⌉ passes. Every such run passes over all bits in between, the zero border
//! included, so rows need not be kept apart: the passes run over the whole grid as one array.

use super::{BitGrid, GridLayout, LocalRect};
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

    /// Makes the bits of `rect` what [`BitGrid::eroded`] of `open` has there, without the anchors at which a
    /// body meets one of `walls`; returns the smallest rectangle that changed. The rest is left as it is.
    pub(crate) fn repair_eroded(
        &mut self,
        open: &Self,
        footprint: Footprint,
        walls: &[Wall<'_>],
        rect: LocalRect,
    ) -> Option<LocalRect> {
        let mut changed = None;
        // Passes work in place, so they run on a copy of the part: later repairs read `open` again.
        let (part, columns, word0) = eroded_part(open, footprint, walls, rect);
        for (y, from) in (rect.y0..rect.y1).zip(part.chunks_exact(columns)) {
            let row = self.layout.index(0, y).get();
            // The copy begins at word `word0` of the row.
            let first = row / 64 + word0;
            let columns = self.write_words(row, rect.x0..rect.x1, |word, _| from[word - first]);
            LocalRect::join_row(&mut changed, y, columns);
        }
        changed
    }

    /// Makes the bits of `rect` one where some cell of `footprint` with its top-left cell there has a one in
    /// the words that `word` returns. Anchors at which a body would leave the map stay as they are. Returns
    /// the smallest rectangle that changed.
    pub(crate) fn repair_dilated(
        &mut self,
        word: impl Fn(usize) -> u64,
        footprint: Footprint,
        rect: LocalRect,
    ) -> Option<LocalRect> {
        let (w, h) = (footprint.w() as u32, footprint.h() as u32);
        let (width, height) = (self.layout.width(), self.layout.height());
        let rect = LocalRect {
            x1: rect.x1.min((width + 1).saturating_sub(w)),
            y1: rect.y1.min((height + 1).saturating_sub(h)),
            ..rect
        };
        if rect.x0 >= rect.x1 || rect.y0 >= rect.y1 {
            return None;
        }
        let window = Window::of(self.layout, footprint, rect);
        let part = dilated_part(&window, self.layout.stride_words(), word, footprint);
        let mut changed = None;
        for (y, from) in (rect.y0..rect.y1).zip(part.chunks_exact(window.columns)) {
            let row = self.layout.index(0, y).get();
            let first = row / 64 + window.word0;
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
        walls: &[Wall<'_>],
        rect: LocalRect,
        log: &mut Log<u64>,
    ) {
        let (part, columns, word0) = eroded_part(open, footprint, walls, rect);
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
fn eroded_part(
    open: &BitGrid,
    footprint: Footprint,
    walls: &[Wall<'_>],
    rect: LocalRect,
) -> (Vec<u64>, usize, usize) {
    let window = Window::of(open.layout, footprint, rect);
    let mut part = Vec::with_capacity(window.rows.len() * window.columns);
    for row in window.rows.clone() {
        let start = row * open.layout.stride_words() + window.word0;
        open.words.append_to(&mut part, start..start + window.columns);
    }
    erode_words(&mut part, window.columns, footprint);
    for &(cells, word) in walls {
        let met = dilated_part(&window, open.layout.stride_words(), word, cells);
        part.iter_mut().zip(met).for_each(|(part, met)| *part &= !met);
    }
    (part, window.columns, window.word0)
}

/// Cells that a body must not cover, by the word that they lie in, and the part of its footprint, from its
/// top-left cell on, that counts.
pub(crate) type Wall<'a> = (Footprint, &'a dyn Fn(usize) -> u64);

/// The words that anchors in a rectangle depend on.
struct Window {
    /// Padded rows.
    rows: std::ops::Range<usize>,
    /// The first word of each row.
    word0: usize,
    /// Words of each row.
    columns: usize,
}

impl Window {
    fn of(layout: GridLayout, footprint: Footprint, rect: LocalRect) -> Self {
        // Words that hold the rectangle, one more to the right for runs that leave the last, and rows below
        // for the height. The upper bits of the additional word mix in the next row. They are never read
        // back: a run that begins in word `word1` ends at most 63 bits later.
        let (word0, word1) = ((rect.x0 as usize + 1) >> 6, (rect.x1 as usize) >> 6);
        let columns = (word1 + 2).min(layout.stride_words()) - word0;
        // Rows behind the last padded one count as zeros, like the border itself.
        let row0 = rect.y0 as usize + 1;
        let row1 = (rect.y1 as usize + footprint.h() as usize).min(layout.rows());
        Self { rows: row0..row1, word0, columns }
    }
}

fn erode_words(words: &mut [u64], stride: usize, footprint: Footprint) {
    // Columns and rows erode independently: a rectangle of ones is a row of columns of ones.
    for_each_pass(footprint.w() as usize, |shift| and_shifted_bits(words, shift));
    for_each_pass(footprint.h() as usize, |shift| and_shifted_rows(words, shift * stride));
}

/// Returns the words of a window, with a one where some cell of `footprint` has one in the words that `word`
/// returns.
fn dilated_part(
    window: &Window,
    stride: usize,
    word: impl Fn(usize) -> u64,
    footprint: Footprint,
) -> Vec<u64> {
    let mut part = Vec::with_capacity(window.rows.len() * window.columns);
    for row in window.rows.clone() {
        let start = row * stride + window.word0;
        part.extend((start..start + window.columns).map(&word));
    }
    for_each_pass(footprint.w() as usize, |shift| {
        let last = part.len() - 1;
        for i in 0..last {
            part[i] |= part[i] >> shift | part[i + 1] << (64 - shift);
        }
        part[last] |= part[last] >> shift;
    });
    for_each_pass(footprint.h() as usize, |shift| {
        let rows = shift * window.columns;
        for i in 0..part.len().saturating_sub(rows) {
            part[i] |= part[i + rows];
        }
    });
    part
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
