//! One bit a cell, in rows of 64-bit words with a border of zeros, and the transpose of such a grid.
//!
//! Bit order: bit 0 (the lowest) of a word is its leftmost cell. A cell at column x and row y of the map, counted
//! from its top-left corner, is bit `(y + 1) * stride + (x + 1)`: one row of zeros lies above and one below, at
//! least one zero column left and right. So a scan along a row always ends, and the eight neighbours of a cell of
//! the map always exist.

mod erode;
mod shape;
mod transpose;

pub(crate) use shape::local;
pub use shape::{LocalRect, PaddedIndex, Shape};

use crate::pages::{Log, WordPages};

/// A padded grid of bits. Bits outside the map are always zero. A clone shares the words that neither has changed since.
///
/// ```
/// use pathforge_core::bitgrid::{BitGrid, Shape};
/// use pathforge_core::geometry::Footprint;
///
/// let shape = Shape::new(4, 3);
/// let mut open = BitGrid::filled(shape);
/// open.set(shape.index(1, 1), false);
/// let placements = open.eroded(Footprint::new(2, 2)?);
/// assert_eq!(placements.count(), 2, "a body of 2×2 cells fits at (2, 0) and (2, 1) only");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BitGrid {
    shape: Shape,
    /// `shape.words()` words of cells and one more, so that a window of three bits can be read at every cell.
    words: WordPages,
}

impl BitGrid {
    /// Returns a grid of zeros.
    pub fn new(shape: Shape) -> Self {
        Self { shape, words: WordPages::filled(shape.words() + 1, 0) }
    }

    /// Returns a grid whose cells of the map are all one.
    pub fn filled(shape: Shape) -> Self {
        let mut grid = Self::new(shape);
        grid.fill(shape.all(), true);
        grid
    }

    /// Returns the grid's measures.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the words of all padded rows, one after the other, and one more word of zeros.
    #[inline]
    pub(crate) const fn words(&self) -> &WordPages {
        &self.words
    }

    /// Returns the words of a padded row, copied to `buffer` where they do not lie side by side.
    #[inline]
    pub fn row_words<'a>(&'a self, row: usize, buffer: &'a mut Vec<u64>) -> &'a [u64] {
        let stride = self.shape.stride_words();
        self.words.read(row * stride..(row + 1) * stride, buffer)
    }

    /// Returns the bytes on the heap.
    pub const fn memory(&self) -> usize {
        self.words.memory()
    }

    /// Returns the bit at `index`.
    #[inline]
    pub fn get(&self, index: PaddedIndex) -> bool {
        self.words[index.word()] >> index.bit() & 1 == 1
    }

    /// Sets the bit at `index`, which must be a cell of the map; returns whether it changed.
    #[inline]
    pub fn set(&mut self, index: PaddedIndex, value: bool) -> bool {
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

    /// Returns the bits at `index` − 1, `index` and `index` + 1, as bits 0, 1 and 2.
    #[inline]
    pub fn window(&self, index: PaddedIndex) -> u32 {
        let first = index.get() - 1;
        let (word, bit) = (first >> 6, first & 63);
        let pair = self.words.pair(word);
        // The second shift is split so that it is never by 64.
        (pair[0] >> bit | pair[1] << 1 << (63 - bit)) as u32 & 7
    }

    /// Returns the 3×3 bits around `index`, row by row from the upper left, as bits 0 to 8; bit 4 is the cell's own.
    #[inline]
    pub fn neighbourhood(&self, index: PaddedIndex) -> u32 {
        let stride = self.shape.stride();
        let left = index.minus(stride + 1);
        // Three bits in a row straddle two words for 2 places in 64 only.
        if left.bit() < 62 {
            // All three rows have their bits in one word.
            let (words, row) = (self.words.view(), self.shape.stride_words());
            let three = |word: usize| (words.at(word) >> left.bit()) as u32 & 7;
            let word = left.word();
            return three(word) | three(word + row) << 3 | three(word + 2 * row) << 6;
        }
        self.window(index.minus(stride)) | self.window(index) << 3 | self.window(index.plus(stride)) << 6
    }

    /// Sets every bit of `rect`; returns the smallest rectangle that holds all changes, if there are any.
    pub fn fill(&mut self, rect: LocalRect, value: bool) -> Option<LocalRect> {
        // Games edit cell by cell, and a row of one costs several times as much.
        if rect.area() == 1 {
            return self.set(self.shape.index(rect.x0, rect.y0), value).then_some(rect);
        }
        // Whole words; `write_words` takes only the bits of the rectangle from them.
        let bits = if value { u64::MAX } else { 0 };
        let mut changed: Option<LocalRect> = None;
        for y in rect.y0..rect.y1 {
            let row = self.shape.index(0, y).get();
            if let Some(columns) = self.write_words(row, rect.x0..rect.x1, |_, _| bits) {
                LocalRect::join(
                    &mut changed,
                    LocalRect { x0: columns.start, y0: y, x1: columns.end, y1: y + 1 },
                );
            }
        }
        changed
    }

    /// Rewrites one row of the map from bits made by `bit(x)`; returns the changed columns as a half-open range.
    pub fn write_row(
        &mut self,
        y: u32,
        columns: std::ops::Range<u32>,
        mut bit: impl FnMut(u32) -> bool,
    ) -> Option<std::ops::Range<u32>> {
        let row = self.shape.index(0, y).get();
        self.write_words(row, columns, |_, span| {
            span.fold(0, |bits, index| bits | u64::from(bit((index - row) as u32)) << (index & 63))
        })
    }

    /// Rewrites every bit of `rect` with `bit(x, y)`; returns the smallest rectangle that holds all changes, if there are
    /// any.
    pub fn rewrite(&mut self, rect: LocalRect, bit: impl Fn(u32, u32) -> bool) -> Option<LocalRect> {
        let mut changed: Option<LocalRect> = None;
        for y in rect.y0..rect.y1 {
            if let Some(columns) = self.write_row(y, rect.x0..rect.x1, |x| bit(x, y)) {
                LocalRect::join(
                    &mut changed,
                    LocalRect { x0: columns.start, y0: y, x1: columns.end, y1: y + 1 },
                );
            }
        }
        changed
    }

    /// Rewrites one row of the map as the inverse of `source`'s; returns the changed columns as a half-open range.
    pub fn write_row_inverted(
        &mut self,
        y: u32,
        columns: std::ops::Range<u32>,
        source: &Self,
    ) -> Option<std::ops::Range<u32>> {
        let row = self.shape.index(0, y).get();
        // The inverse has ones in the border; `write_words` masks them out.
        self.write_words(row, columns, |word, _| !source.words[word])
    }

    /// Rewrites one row of the map with a one where neither `a` nor `b` has one; returns the changed columns as a half-open
    /// range.
    pub fn write_row_neither(
        &mut self,
        y: u32,
        columns: std::ops::Range<u32>,
        a: &Self,
        b: &Self,
    ) -> Option<std::ops::Range<u32>> {
        let row = self.shape.index(0, y).get();
        // The border of the result would be ones; `write_words` masks them out.
        self.write_words(row, columns, |word, _| !(a.words[word] | b.words[word]))
    }

    /// Rewrites the words of a part of the row that begins at bit `row` with `bits(word, span)`, where `span` are the
    /// bits that count; returns the changed columns.
    fn write_words(
        &mut self,
        row: usize,
        columns: std::ops::Range<u32>,
        mut bits: impl FnMut(usize, std::ops::Range<usize>) -> u64,
    ) -> Option<std::ops::Range<u32>> {
        let (first, last) = (row + columns.start as usize, row + columns.end as usize);
        let (mut low, mut high) = (usize::MAX, 0);
        // A page in which no word changes stays shared with clones, so an edit that changes nothing copies nothing.
        self.words.rewrite(first >> 6..last.div_ceil(64), |word, old| {
            let span = first.max(word << 6)..last.min((word + 1) << 6);
            // Only bits in the span may change: the others belong to cells outside the range or to the border.
            let diff = (old ^ bits(word, span)) & span_mask(word, first, last);
            if diff != 0 {
                low = low.min(word << 6 | diff.trailing_zeros() as usize);
                high = high.max(word << 6 | (63 - diff.leading_zeros() as usize));
            }
            old ^ diff
        });
        (low <= high).then(|| (low - row) as u32..(high - row) as u32 + 1)
    }

    /// Returns the first set bit at or after `index`, among `count` bits.
    #[inline]
    pub fn next_one(&self, index: PaddedIndex, count: usize) -> Option<PaddedIndex> {
        let end = index.get() + count;
        let mut word = index.word();
        // Bits before `index` count for nothing, so that the first word is as any other.
        let mut bits = self.words[word] & (u64::MAX << index.bit());
        loop {
            if bits != 0 {
                let found = word << 6 | bits.trailing_zeros() as usize;
                // The last word may have ones behind the range.
                return (found < end).then(|| PaddedIndex::new(found));
            }
            word += 1;
            if word << 6 >= end {
                return None;
            }
            bits = self.words[word];
        }
    }

    /// Returns the last set bit at or before `index`, among `count` bits.
    #[inline]
    pub fn previous_one(&self, index: PaddedIndex, count: usize) -> Option<PaddedIndex> {
        let start = (index.get() + 1).saturating_sub(count);
        let mut word = index.word();
        // Bits behind `index` count for nothing.
        let mut bits = self.words[word] & (u64::MAX >> (63 - index.bit()));
        loop {
            if bits != 0 {
                let found = word << 6 | (63 - bits.leading_zeros() as usize);
                // The last word may have ones before the range.
                return (found >= start).then(|| PaddedIndex::new(found));
            }
            if word << 6 <= start {
                return None;
            }
            word -= 1;
            bits = self.words[word];
        }
    }

    /// Returns the number of ones.
    pub fn count(&self) -> u64 {
        self.words.iter().map(|w| u64::from(w.count_ones())).sum()
    }

    /// Returns whether all bits outside the map are zero.
    pub fn border_is_clear(&self) -> bool {
        // A grid with ones in all cells of the map serves as the mask.
        let mut inside = Self::new(self.shape);
        inside.fill(self.shape.all(), true);
        self.words.iter().zip(inside.words.iter()).all(|(a, b)| a & !b == 0)
    }
}

/// Returns the bits of word `word` that lie in `first..last`, counted over all words.
#[inline]
fn span_mask(word: usize, first: usize, last: usize) -> u64 {
    let start = word << 6;
    // The comparisons also keep both shifts below 64, where they would overflow.
    let low = if first > start { u64::MAX << (first - start) } else { u64::MAX };
    let high = if last < start + 64 { !(u64::MAX << (last - start)) } else { u64::MAX };
    low & high
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape() -> Shape {
        Shape::new(130, 5)
    }

    #[test]
    fn fill_reports_what_changed_and_keeps_the_border() {
        let mut grid = BitGrid::new(shape());
        let rect = LocalRect { x0: 60, y0: 1, x1: 129, y1: 3 };
        assert_eq!(grid.fill(rect, true), Some(rect));
        assert_eq!(grid.fill(rect, true), None);
        assert_eq!(grid.count(), 69 * 2);
        let more = LocalRect { x0: 59, y0: 1, x1: 129, y1: 2 };
        assert_eq!(grid.fill(more, true), Some(LocalRect { x0: 59, y0: 1, x1: 60, y1: 2 }));
        assert!(grid.border_is_clear());
        assert!(BitGrid::filled(shape()).border_is_clear());
    }

    #[test]
    fn neighbourhood_reads_across_words() {
        let mut grid = BitGrid::new(shape());
        for (x, y) in [(62, 1), (63, 2), (64, 3)] {
            grid.set(grid.shape().index(x, y), true);
        }
        assert_eq!(grid.neighbourhood(grid.shape().index(63, 2)), 0b100_010_001);
        assert_eq!(grid.neighbourhood(grid.shape().index(62, 1)), 0b100_010_000);
        assert_eq!(grid.neighbourhood(grid.shape().index(0, 0)), 0);
    }

    #[test]
    fn ones_are_found_both_ways() {
        let mut grid = BitGrid::new(shape());
        let at = |x| grid.shape().index(x, 2);
        let (a, b) = (at(3), at(100));
        let (start, end) = (at(4), at(129));
        grid.set(a, true);
        grid.set(b, true);
        assert_eq!(grid.next_one(start, 126), Some(b));
        assert_eq!(grid.next_one(start, 96), None);
        assert_eq!(grid.previous_one(end, 130), Some(b));
        assert_eq!(grid.previous_one(b.minus(1), 96), None);
        assert_eq!(grid.previous_one(b.minus(1), 97), Some(a));
    }

    #[test]
    fn rows_are_rewritten() {
        let mut grid = BitGrid::new(shape());
        assert_eq!(grid.write_row(1, 10..100, |x| x % 50 == 0), Some(50..51));
        assert_eq!(grid.write_row(1, 10..100, |x| x % 50 == 0), None);
        assert_eq!(grid.write_row(1, 0..130, |x| x == 129), Some(50..130));
        assert!(grid.get(grid.shape().index(129, 1)));
    }
}
