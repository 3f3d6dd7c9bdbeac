//! One bit a cell, in rows of 64-bit words with a border of zeros, and the transpose of such a grid.
//!
//! Bit order: bit 0 (the lowest) of a word is its leftmost cell. A cell at column x and row y of the map,
//! counted from its top-left corner, is bit `(y + 1) * stride + (x + 1)`. One row of zeros lies above and one
//! below, at least one zero column left and right. So a scan along a row always ends, and the eight
//! neighbours of a cell of the map always exist.

mod erode;
mod layout;
mod transpose;

pub use crate::pages::WordPages;
pub(crate) use erode::{Wall, for_each_pass};
pub use layout::{GridLayout, LocalRect, PaddedIndex, cell_at, local};
pub(crate) use layout::{differing, local_in};

use std::ops::Range;

use crate::pages::Log;

/// A padded grid of bits. Bits outside the map are always zero. A clone shares the words that neither has
/// changed since.
///
/// ```
/// use pathforge_core::bitgrid::{BitGrid, GridLayout};
/// use pathforge_core::geometry::Footprint;
///
/// let mut open = BitGrid::filled(GridLayout::new(4, 3));
/// open.set_at(1, 1, false);
/// let placements = open.eroded(Footprint::new(2, 2)?);
/// assert_eq!(placements.count(), 2, "a body of 2×2 cells fits at (2, 0) and (2, 1) only");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BitGrid {
    layout: GridLayout,
    /// `layout.words()` words of cells and one more, so that a window of three bits can be read at every
    /// cell.
    words: WordPages,
}

impl BitGrid {
    /// Returns a grid of zeros.
    pub fn new(layout: GridLayout) -> Self {
        Self { layout, words: WordPages::filled(layout.words() + 1, 0) }
    }

    /// Returns a grid whose cells of the map are all one.
    pub fn filled(layout: GridLayout) -> Self {
        let mut grid = Self::new(layout);
        grid.fill(layout.all(), true);
        grid
    }

    /// Returns the grid's measures.
    pub const fn layout(&self) -> GridLayout {
        self.layout
    }

    /// Returns the words of all padded rows, one after the other, and one more word of zeros.
    #[inline]
    pub const fn words(&self) -> &WordPages {
        &self.words
    }

    /// Returns the words of a padded row, copied to `buffer` where they do not lie side by side.
    #[inline]
    pub fn row_words<'a>(&'a self, row: usize, buffer: &'a mut Vec<u64>) -> &'a [u64] {
        let stride = self.layout.stride_words();
        self.words.read(row * stride..(row + 1) * stride, buffer)
    }

    /// Returns the bytes on the heap.
    pub(crate) const fn memory(&self) -> usize {
        self.words.memory()
    }

    /// Returns the bit at column `x` and row `y`, both counted from the map's top-left corner.
    #[inline]
    pub fn at(&self, x: u32, y: u32) -> bool {
        self.get(self.layout.index(x, y))
    }

    /// Sets the bit at column `x` and row `y`; returns whether it changed.
    #[inline]
    pub fn set_at(&mut self, x: u32, y: u32, value: bool) -> bool {
        self.set(self.layout.index(x, y), value)
    }

    /// Returns the bit at `index`.
    #[inline]
    pub fn get(&self, index: PaddedIndex) -> bool {
        self.words[index.word()] >> index.bit() & 1 == 1
    }

    /// Sets the bit at `index`, which must be a cell of the map; returns whether it changed.
    #[inline]
    pub(crate) fn set(&mut self, index: PaddedIndex, value: bool) -> bool {
        let before = self.words[index.word()];
        let word = before & !(1 << index.bit()) | u64::from(value) << index.bit();
        self.words.set(index.word(), word);
        word != before
    }

    /// Sets the bit at `index` and notes the word that it was in, if that changes.
    #[inline]
    pub(crate) fn set_noted(&mut self, index: PaddedIndex, value: bool, log: &mut Log<u64>) {
        let before = self.words[index.word()];
        if self.set(index, value) {
            log.push((index.word() as u32, before));
        }
    }

    /// Writes the words back that were noted, and empties the log.
    pub(crate) fn take_back(&mut self, log: &mut Log<u64>) {
        self.words.take_back(log);
    }

    /// Returns the 3×3 bits around `index`, row by row from the upper left, as bits 0 to 8; bit 4 is the
    /// cell's own.
    #[inline]
    pub(crate) fn neighbourhood(&self, index: PaddedIndex) -> u32 {
        let words = self.words.view();
        neighbourhood(self.layout, index, |word| *words.at(word))
    }

    /// Sets every bit of `rect`; returns the smallest rectangle that holds all changes, if there are any.
    pub(crate) fn fill(&mut self, rect: LocalRect, value: bool) -> Option<LocalRect> {
        // Games edit cell by cell, and a row of one costs several times as much.
        if rect.area() == 1 {
            return self.set(self.layout.index(rect.x0, rect.y0), value).then_some(rect);
        }
        // Whole words; `write_words` takes only the bits of the rectangle from them.
        let bits = if value { u64::MAX } else { 0 };
        let mut changed: Option<LocalRect> = None;
        for y in rect.y0..rect.y1 {
            let row = self.layout.index(0, y).get();
            LocalRect::join_row(&mut changed, y, self.write_words(row, rect.x0..rect.x1, |_, _| bits));
        }
        changed
    }

    /// Rewrites one row of the map from bits made by `bit(x)`; returns the changed columns as a half-open
    /// range.
    pub(crate) fn write_row(
        &mut self,
        y: u32,
        columns: Range<u32>,
        mut bit: impl FnMut(u32) -> bool,
    ) -> Option<Range<u32>> {
        let row = self.layout.index(0, y).get();
        self.write_words(row, columns, |_, span| {
            span.fold(0, |bits, index| bits | u64::from(bit((index - row) as u32)) << (index & 63))
        })
    }

    /// Rewrites every bit of `rect` with `bit(x, y)`; returns the smallest rectangle that holds all changes,
    /// if there are any.
    pub(crate) fn rewrite(&mut self, rect: LocalRect, bit: impl Fn(u32, u32) -> bool) -> Option<LocalRect> {
        let mut changed: Option<LocalRect> = None;
        for y in rect.y0..rect.y1 {
            LocalRect::join_row(&mut changed, y, self.write_row(y, rect.x0..rect.x1, |x| bit(x, y)));
        }
        changed
    }

    /// Rewrites one row of the map as the inverse of `source`'s; returns the changed columns as a half-open
    /// range.
    pub(crate) fn write_row_inverted(
        &mut self,
        y: u32,
        columns: Range<u32>,
        source: &Self,
    ) -> Option<Range<u32>> {
        let row = self.layout.index(0, y).get();
        // The inverse has ones in the border; `write_words` masks them out.
        self.write_words(row, columns, |word, _| !source.words[word])
    }

    /// Rewrites one row of the map with a one where neither `a` nor any of `others` has one; returns the
    /// changed columns as a half-open range.
    pub(crate) fn write_row_neither(
        &mut self,
        y: u32,
        columns: Range<u32>,
        a: &Self,
        others: &[&Self],
    ) -> Option<Range<u32>> {
        let row = self.layout.index(0, y).get();
        // The border of the result would be ones; `write_words` masks them out.
        self.write_words(row, columns, |word, _| {
            !others.iter().fold(a.words[word], |bits, other| bits | other.words[word])
        })
    }

    /// Rewrites one row of the map with what `word` returns for each word of the grid; returns the changed
    /// columns as a half-open range.
    pub(crate) fn write_row_words(
        &mut self,
        y: u32,
        columns: Range<u32>,
        word: impl Fn(usize) -> u64,
    ) -> Option<Range<u32>> {
        let row = self.layout.index(0, y).get();
        self.write_words(row, columns, |at, _| word(at))
    }

    /// Rewrites the words of a part of the row that begins at bit `row` with `bits(word, span)`, where `span`
    /// are the bits that count; returns the changed columns.
    fn write_words(
        &mut self,
        row: usize,
        columns: Range<u32>,
        mut bits: impl FnMut(usize, Range<usize>) -> u64,
    ) -> Option<Range<u32>> {
        let (first, last) = (row + columns.start as usize, row + columns.end as usize);
        let (mut low, mut high) = (usize::MAX, 0);
        // A page in which no word changes stays shared with clones, so an edit that changes nothing copies
        // nothing.
        self.words.rewrite(first >> 6..last.div_ceil(64), |word, old| {
            let span = first.max(word << 6)..last.min((word + 1) << 6);
            // Only bits in the span may change: the others belong to cells outside the range or to the
            // border.
            let diff = (old ^ bits(word, span)) & span_mask(word, first, last);
            if diff != 0 {
                low = low.min(word << 6 | diff.trailing_zeros() as usize);
                high = high.max(word << 6 | (63 - diff.leading_zeros() as usize));
            }
            old ^ diff
        });
        (low <= high).then(|| (low - row) as u32..(high - row) as u32 + 1)
    }

    /// Returns the number of ones.
    pub fn count(&self) -> u64 {
        self.words.iter().map(|w| u64::from(w.count_ones())).sum()
    }

    /// Returns where the one is that `n` others come before, in reading order.
    pub(crate) fn nth(&self, n: u64) -> Option<PaddedIndex> {
        let mut before = 0;
        for (word, bits) in self.words.iter().enumerate() {
            let up_to_here = before + u64::from(bits.count_ones());
            if n < up_to_here {
                let bit = ones(bits).nth((n - before) as usize)?;
                return Some(PaddedIndex::new(word << 6 | bit));
            }
            before = up_to_here;
        }
        None
    }

    /// Returns whether all bits outside the map are zero.
    pub fn border_is_clear(&self) -> bool {
        // A grid with ones in all cells of the map serves as the mask.
        let mut inside = Self::new(self.layout);
        inside.fill(self.layout.all(), true);
        self.words.iter().zip(inside.words.iter()).all(|(a, b)| a & !b == 0)
    }
}

/// Returns the 3×3 bits around `index` in a grid of `layout` whose words `word` returns: see
/// [`BitGrid::neighbourhood`].
#[inline]
pub(crate) fn neighbourhood(layout: GridLayout, index: PaddedIndex, word: impl Fn(usize) -> u64) -> u32 {
    let left = index.minus(layout.stride() + 1);
    let (first, row, bit) = (left.word(), layout.stride_words(), left.bit());
    // Three bits in a row straddle two words for 2 places in 64 only.
    if bit < 62 {
        let three = |at: usize| (word(at) >> bit) as u32 & 7;
        return three(first) | three(first + row) << 3 | three(first + 2 * row) << 6;
    }
    // The second shift is split so that it is never by 64.
    let three = |at: usize| (word(at) >> bit | word(at + 1) << 1 << (63 - bit)) as u32 & 7;
    three(first) | three(first + row) << 3 | three(first + 2 * row) << 6
}

/// Returns where the ones are in `bits`, the lowest first.
#[inline]
pub(crate) fn ones(bits: impl Into<u64>) -> impl Iterator<Item = usize> {
    let mut rest = bits.into();
    std::iter::from_fn(move || {
        let lowest = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
        rest &= rest - 1;
        Some(lowest)
    })
}

/// Returns the bits of word `word` that lie in `first..last`, counted over all words.
#[inline]
pub(crate) fn span_mask(word: usize, first: usize, last: usize) -> u64 {
    let start = word << 6;
    // The comparisons also keep both shifts below 64, where they would overflow.
    let low = if first > start { u64::MAX << (first - start) } else { u64::MAX };
    let high = if last < start + 64 { !(u64::MAX << (last - start)) } else { u64::MAX };
    low & high
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout() -> GridLayout {
        GridLayout::new(130, 5)
    }

    #[test]
    fn fill_reports_what_changed_and_keeps_the_border() {
        let mut grid = BitGrid::new(layout());
        let rect = LocalRect { x0: 60, y0: 1, x1: 129, y1: 3 };
        assert_eq!(grid.fill(rect, true), Some(rect));
        assert_eq!(grid.fill(rect, true), None);
        assert_eq!(grid.count(), 69 * 2);
        let more = LocalRect { x0: 59, y0: 1, x1: 129, y1: 2 };
        assert_eq!(grid.fill(more, true), Some(LocalRect { x0: 59, y0: 1, x1: 60, y1: 2 }));
        assert!(grid.border_is_clear());
        assert!(BitGrid::filled(layout()).border_is_clear());
    }

    #[test]
    fn neighbourhood_reads_across_words() {
        let mut grid = BitGrid::new(layout());
        for (x, y) in [(62, 1), (63, 2), (64, 3)] {
            grid.set_at(x, y, true);
        }
        assert_eq!(grid.neighbourhood(grid.layout().index(63, 2)), 0b100_010_001);
        assert_eq!(grid.neighbourhood(grid.layout().index(62, 1)), 0b100_010_000);
        assert_eq!(grid.neighbourhood(grid.layout().index(0, 0)), 0);
    }

    #[test]
    fn rows_are_rewritten() {
        let mut grid = BitGrid::new(layout());
        assert_eq!(grid.write_row(1, 10..100, |x| x % 50 == 0), Some(50..51));
        assert_eq!(grid.write_row(1, 10..100, |x| x % 50 == 0), None);
        assert_eq!(grid.write_row(1, 0..130, |x| x == 129), Some(50..130));
        assert!(grid.at(129, 1));
    }
}
