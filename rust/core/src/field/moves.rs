//! A byte of legal moves per stand: what every flood over a layer asks of it, answered with one load.

use crate::bitgrid::{BitGrid, LocalRect, PaddedIndex, Shape};
use crate::geometry::{DiagonalMode, Direction, DirectionSet};
use crate::pages::BytePages;

/// The four straight directions.
const STRAIGHT_MOVES: u8 = 0b0101_0101;
/// Cells of a word, and bytes that it becomes.
const WORD: usize = 64;

/// For each cell of a layer, the directions in which a step is legal, corners looked at as the diagonal mode says.
///
/// Bit n is the direction with number n, as in [`DirectionSet`]. Cells where the body cannot stand, and the border, have
/// none, so nobody who steps by these bytes ever leaves the layer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveBytes {
    mode: DiagonalMode,
    shape: Shape,
    bytes: BytePages,
    /// Stands, and stands beside which a wall ends: see [`MoveBytes::turns`].
    stands: u64,
    turns: u64,
}

impl MoveBytes {
    /// The legal moves on `layer` for bodies that step by `mode`: a byte a padded cell.
    ///
    /// Takes a pass over the words, of which those that are all blocked or all open with their neighbours cost nothing,
    /// and about 20 operations for eight cells of the others.
    pub fn build(layer: &BitGrid, mode: DiagonalMode) -> Self {
        let shape = layer.shape();
        let mut moves = Self { mode, shape, bytes: BytePages::new(), stands: 0, turns: 0 };
        let words = layer.words().to_vec(0..layer.words().len());
        let mut bytes = vec![0; shape.padded_len()];
        let inner = shape.stride_words()..shape.words() - shape.stride_words();
        for (word, target) in inner.clone().zip(bytes[inner.start * WORD..].chunks_exact_mut(WORD)) {
            moves.write_word(|word| words[word], word, target);
        }
        moves.bytes = BytePages::from(&bytes[..]);
        moves
    }

    /// Brings the bytes up to date after the bits of `layer` in `rect` changed. The result equals [`MoveBytes::build`].
    ///
    /// Takes time in proportion to the words that `rect` touches.
    pub fn repair(&mut self, layer: &BitGrid, rect: LocalRect) {
        let (width, height) = (self.shape.width() as usize, self.shape.height() as usize);
        // Padded rows and columns are one more than the map's; moves look one cell around.
        let rows = (rect.y0 as usize).max(1)..(rect.y1 as usize + 2).min(height + 1);
        let columns = rect.x0 as usize / WORD..(rect.x1 as usize + 1).min(width) / WORD + 1;
        for row in rows {
            for column in columns.clone() {
                let word = row * self.shape.stride_words() + column;
                let old = self.bytes.block(word * WORD..(word + 1) * WORD);
                self.turns -= old.iter().map(|&byte| u64::from(is_turn(byte))).sum::<u64>();
                let mut bytes = [0; WORD];
                self.write_word(|word| layer.words()[word], word, &mut bytes);
                self.bytes.replace(word * WORD, &bytes);
            }
        }
        self.stands = layer.count();
    }

    /// When diagonal steps are legal.
    pub const fn mode(&self) -> DiagonalMode {
        self.mode
    }

    /// The measures of the layer.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// The bytes of all padded cells.
    #[inline]
    pub const fn bytes(&self) -> &BytePages {
        &self.bytes
    }

    /// The directions in which a step from the cell at `index` is legal.
    #[inline]
    pub fn at(&self, index: PaddedIndex) -> DirectionSet {
        DirectionSet(self.bytes[index.get()])
    }

    /// Number of stands.
    pub const fn stands(&self) -> u64 {
        self.stands
    }

    /// Number of stands at which some way turns around a wall: two straight moves are legal and the diagonal one between
    /// them is not. Where no corner may be cut, these are the jump points of the layer.
    pub const fn turns(&self) -> u64 {
        self.turns
    }

    /// Bytes on the heap.
    pub const fn memory(&self) -> usize {
        self.bytes.memory()
    }

    /// Whether everything is what a build of `layer` would make of it.
    pub fn check_invariants(&self, layer: &BitGrid) -> bool {
        *self == Self::build(layer, self.mode)
    }

    /// Computes the 64 bytes of one word of the layer, which is none of the border rows.
    fn write_word(&mut self, words: impl Fn(usize) -> u64, word: usize, target: &mut [u8]) {
        let stride = self.shape.stride_words();
        let own = words(word);
        self.stands += u64::from(own.count_ones());
        if own == 0 {
            target.fill(0);
            return;
        }
        // Bit order: a cell's right neighbour is the next higher bit.
        let around = |word: usize| {
            // The word before a row's first ends the row above, whose last bit is border, so it may stand in for it.
            let left = if word > 0 { words(word - 1) } else { 0 };
            let (here, right) = (words(word), words(word + 1));
            (here << 1 | left >> 63, here, here >> 1 | right << 63)
        };
        let (nw, n, ne) = around(word - stride);
        let (w, _, e) = around(word);
        let (sw, s, se) = around(word + stride);
        if own & nw & n & ne & w & e & sw & s & se == u64::MAX {
            let byte = if self.mode == DiagonalMode::Never { STRAIGHT_MOVES } else { u8::MAX };
            target.fill(byte);
            self.turns += if is_turn(byte) { WORD as u64 } else { 0 };
            return;
        }
        let diagonal = |cell: u64, a: u64, b: u64| match self.mode {
            DiagonalMode::Always => cell,
            DiagonalMode::Never => 0,
            DiagonalMode::AtLeastOneWalkable => cell & (a | b),
            DiagonalMode::OnlyIfNoObstacles => cell & a & b,
        };
        let legal =
            [n, diagonal(ne, n, e), e, diagonal(se, s, e), s, diagonal(sw, s, w), w, diagonal(nw, n, w)]
                .map(|open| open & own);
        let turns = (0..4).fold(0, |turns, quarter| {
            let (a, between, b) = (2 * quarter, 2 * quarter + 1, (2 * quarter + 2) % 8);
            turns | legal[a] & legal[b] & !legal[between]
        });
        self.turns += u64::from(turns.count_ones());
        spread(legal, target);
    }
}

/// Whether two straight moves of `byte` are legal and the diagonal one between them is not.
const fn is_turn(byte: u8) -> bool {
    let straight = byte & byte.rotate_right(2) & STRAIGHT_MOVES;
    straight & !(byte >> 1) != 0
}

/// Writes 64 bytes, of which bit n of the k-th is bit k of `words[n]`.
fn spread(words: [u64; 8], target: &mut [u8]) {
    let bytes = words.map(u64::to_le_bytes);
    for (group, target) in target.chunks_exact_mut(8).enumerate() {
        let column = bytes.map(|word| word[group & 7]);
        target.copy_from_slice(&transpose_8(u64::from_le_bytes(column)).to_le_bytes());
    }
}

/// Changes rows and columns of 8×8 bits over (Warren, *Hacker's Delight*, 7-3).
const fn transpose_8(block: u64) -> u64 {
    let mut x = block;
    let mut swap = (x ^ x >> 7) & 0x00aa_00aa_00aa_00aa;
    x ^= swap ^ swap << 7;
    swap = (x ^ x >> 14) & 0x0000_cccc_0000_cccc;
    x ^= swap ^ swap << 14;
    swap = (x ^ x >> 28) & 0x0000_0000_f0f0_f0f0;
    x ^ swap ^ swap << 28
}

/// By direction, from a cell to its neighbour, in places of an array with rows of `stride`; to be added wrapping.
pub(super) const fn offsets(stride: usize) -> [usize; 8] {
    let mut offsets = [0; 8];
    let mut n = 0;
    while n < 8 {
        let direction = Direction::ALL[n];
        offsets[n] = (direction.dy() as isize * stride as isize + direction.dx() as isize) as usize;
        n += 1;
    }
    offsets
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer() -> BitGrid {
        let shape = Shape::new(150, 40);
        let mut layer = BitGrid::filled(shape);
        for k in 0..2000_u32 {
            layer.set(shape.index(k * 37 % 150, k * k % 23), k % 3 == 0);
        }
        layer
    }

    #[test]
    fn a_byte_holds_the_legal_moves() {
        let layer = layer();
        let shape = layer.shape();
        for mode in DiagonalMode::ALL {
            let moves = MoveBytes::build(&layer, mode);
            let mut turns = 0;
            for y in 0..40 {
                for x in 0..150 {
                    let index = shape.index(x, y);
                    let open = |dx: i32, dy: i32| {
                        let to = index.get() as i64 + i64::from(dy) * shape.stride() as i64 + i64::from(dx);
                        layer.get(PaddedIndex::new(to as usize))
                    };
                    for d in Direction::ALL {
                        let corners = mode.allows(open(d.dx(), 0), open(0, d.dy()));
                        let legal = open(0, 0) && open(d.dx(), d.dy()) && (!d.is_diagonal() || corners);
                        assert_eq!(moves.at(index).contains(d), legal, "{mode:?} at {x}, {y}: {d:?}");
                    }
                    turns += u64::from(is_turn(moves.at(index).0));
                }
            }
            assert_eq!((moves.turns(), moves.stands()), (turns, layer.count()));
        }
    }

    #[test]
    fn repaired_moves_equal_rebuilt_ones() {
        let mut layer = layer();
        for mode in DiagonalMode::ALL {
            let mut moves = MoveBytes::build(&layer, mode);
            for k in 0..200_u32 {
                let (x, y) = (k * 53 % 145, k * 31 % 36);
                let rect = LocalRect { x0: x, y0: y, x1: x + 1 + k % 5, y1: y + 1 + k % 4 };
                layer.fill(rect, k % 3 == 1);
                moves.repair(&layer, rect);
                assert!(moves.check_invariants(&layer), "{mode:?} after {rect:?}");
            }
        }
    }
}
