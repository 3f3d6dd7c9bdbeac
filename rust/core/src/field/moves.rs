//! A byte of legal moves for each placement, so that an expansion needs one load to know where a cell leads.

use crate::bitgrid::{GridLayout, LocalRect};
use crate::derived::Derived;
use crate::geometry::{DiagonalMode, Side};
use crate::pages::BytePages;
use crate::passability::{PlacementEdges, Placements};

/// The four straight directions.
const STRAIGHT_MOVES: u8 = 0b0101_0101;
/// Cells in a word of the layer, and thus the bytes written for it.
const WORD: usize = 64;

/// Which steps the moves of a placement are. They differ where an edge is blocked one way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveWay {
    /// Those out of it.
    Leaving,
    /// Those into it, each by the direction that its cell lies in.
    Arriving,
}

/// For each cell of a layer, the directions in which a step is legal under the diagonal mode.
///
/// Bit n stands for the direction with number n, as in `DirectionSet`. Invariant: cells that are no valid
/// placements, and the border, have no bits, so stepping by these bytes never leaves the layer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveBytes {
    mode: DiagonalMode,
    way: MoveWay,
    layout: GridLayout,
    bytes: BytePages,
    placements: u64,
    /// See [`MoveBytes::turns`].
    turns: u64,
}

/// The legal moves on a layer.
impl Derived for MoveBytes {
    type Source<'a> = &'a Placements;
    type Kind = (DiagonalMode, MoveWay);

    /// Takes one pass over the words. Words whose cells and neighbours are all blocked or all open are only
    /// filled; the others take about 20 operations for eight cells.
    fn build(layer: &Placements, (mode, way): Self::Kind) -> Self {
        let layout = layer.layout();
        let mut moves = Self { mode, way, layout, bytes: BytePages::new(), placements: 0, turns: 0 };
        // A contiguous copy: nine words are read for each one written, and looking pages up takes longer than
        // the rest.
        let words = layer.words().to_vec(0..layer.words().len());
        let mut bytes = vec![0; layout.padded_len()];
        let inner = layout.stride_words()..layout.words() - layout.stride_words();
        for (word, target) in inner.clone().zip(bytes[inner.start * WORD..].chunks_exact_mut(WORD)) {
            moves.write_word(|word| words[word], layer, word, target);
        }
        moves.bytes = BytePages::from(&bytes[..]);
        moves
    }

    /// Takes time in proportion to the words that `rect` touches.
    fn repair_in(&mut self, layer: &Placements, _: Self::Kind, rect: LocalRect) -> Option<LocalRect> {
        let (width, height) = (self.layout.width() as usize, self.layout.height() as usize);
        // Padded rows and columns are one more than the map's, and moves depend on cells one step away. So
        // map row y is padded row y + 1, and rows y to y + 2 change with it.
        let rows = (rect.y0 as usize).max(1)..(rect.y1 as usize + 2).min(height + 1);
        let columns = rect.x0 as usize / WORD..(rect.x1 as usize + 1).min(width) / WORD + 1;
        for row in rows {
            for column in columns.clone() {
                let word = row * self.layout.stride_words() + column;
                let old = self.bytes.block(word * WORD..(word + 1) * WORD);
                self.turns -= old.iter().map(|&byte| u64::from(is_turn(byte))).sum::<u64>();
                let mut bytes = [0; WORD];
                self.write_word(|word| layer.words()[word], layer, word, &mut bytes);
                self.bytes.replace(word * WORD, &bytes);
            }
        }
        // Counted anew: how many placements a word had before cannot be told from its bytes, as isolated ones
        // have no moves.
        self.placements = layer.count();
        Some(rect)
    }

    fn memory(&self) -> usize {
        self.bytes.memory()
    }
}

impl MoveBytes {
    /// When diagonal steps are legal.
    pub const fn mode(&self) -> DiagonalMode {
        self.mode
    }

    /// The measures of the layer.
    pub const fn layout(&self) -> GridLayout {
        self.layout
    }

    /// The bytes of all padded cells.
    #[inline]
    pub(crate) const fn bytes(&self) -> &BytePages {
        &self.bytes
    }

    /// Number of valid placements.
    pub const fn placements(&self) -> u64 {
        self.placements
    }

    /// Number of placements at which a shortest path may turn around a wall: two perpendicular moves are
    /// legal and the diagonal one between them is not. Where no corner may be cut, these are the layer's jump
    /// points.
    pub const fn turns(&self) -> u64 {
        self.turns
    }

    /// Computes the 64 bytes of one word of the layer, which is none of the border rows.
    fn write_word(
        &mut self,
        words: impl Fn(usize) -> u64,
        layer: &Placements,
        word: usize,
        target: &mut [u8],
    ) {
        let stride = self.layout.stride_words();
        let own = words(word);
        self.placements += u64::from(own.count_ones());
        if own == 0 {
            target.fill(0);
            return;
        }
        // Bit order: a cell's right neighbour is the next higher bit.
        let around = |word: usize| {
            // The word before a row's first one belongs to the row above. Its last bit is border, which is
            // zero, so it is right as the left neighbour, too.
            let left = if word > 0 { words(word - 1) } else { 0 };
            let (here, right) = (words(word), words(word + 1));
            (here << 1 | left >> 63, here, here >> 1 | right << 63)
        };
        let (nw, n, ne) = around(word - stride);
        let (w, _, e) = around(word);
        let (sw, s, se) = around(word + stride);
        // Most words of a map are all open inside or all blocked; both skip the bit transposition below.
        if own & nw & n & ne & w & e & sw & s & se == u64::MAX && layer.edges().is_none() {
            let byte = if self.mode == DiagonalMode::Never { STRAIGHT_MOVES } else { u8::MAX };
            target.fill(byte);
            self.turns += if is_turn(byte) { WORD as u64 } else { 0 };
            return;
        }
        let diagonal = |cell: u64, a: u64, b: u64| cell & self.mode.allowed(a, b);
        // Bit n of the eight words is cell n; a legal move needs the cell, its target and what the mode asks
        // of the corners.
        let open =
            [n, diagonal(ne, n, e), e, diagonal(se, s, e), s, diagonal(sw, s, w), w, diagonal(nw, n, w)];
        let open = layer.edges().map_or(open, |edges| {
            let free = FreeSteps::of(edges, word, self.way);
            let diagonal = |cell: u64, (a, way_a): (u64, u64), (b, way_b): (u64, u64)| {
                cell & self.mode.allowed(a & way_a, b & way_b) & (way_a | way_b)
            };
            [
                n & free.top,
                diagonal(ne, (e, free.right & free.top_of_right), (n, free.top & free.right_of_top)),
                e & free.right,
                diagonal(se, (e, free.right & free.bottom_of_right), (s, free.bottom & free.right_of_bottom)),
                s & free.bottom,
                diagonal(sw, (w, free.left & free.bottom_of_left), (s, free.bottom & free.left_of_bottom)),
                w & free.left,
                diagonal(nw, (w, free.left & free.top_of_left), (n, free.top & free.left_of_top)),
            ]
        });
        let legal = open.map(|open| open & own);
        let turns = (0..4).fold(0, |turns, quarter| {
            let (a, between, b) = (2 * quarter, 2 * quarter + 1, (2 * quarter + 2) % 8);
            turns | legal[a] & legal[b] & !legal[between]
        });
        self.turns += u64::from(turns.count_ones());
        spread(legal, target);
    }
}

/// For 64 placements, the straight steps that no edge closes: of the placements themselves, and of those
/// beyond their sides.
struct FreeSteps {
    left: u64,
    top: u64,
    right: u64,
    bottom: u64,
    top_of_left: u64,
    bottom_of_left: u64,
    left_of_top: u64,
    right_of_top: u64,
    top_of_right: u64,
    bottom_of_right: u64,
    left_of_bottom: u64,
    right_of_bottom: u64,
}

impl FreeSteps {
    fn of(edges: &PlacementEdges, word: usize, way: MoveWay) -> Self {
        let stride = edges.plain().layout().stride_words();
        let closed = |word: usize| edges.closed_words(word, way == MoveWay::Arriving);
        let [[left, top, right, bottom], before, behind] = [word, word - 1, word + 1].map(closed);
        let (above, below) = (closed(word - stride), closed(word + stride));
        // A cell's right neighbour is the next higher bit.
        let of_right = |side: usize, own: u64| own >> 1 | behind[side] << 63;
        let of_left = |side: usize, own: u64| own << 1 | before[side] >> 63;
        let (of_top, of_bottom) = (|side: usize| above[side], |side: usize| below[side]);
        let [l, t, r, b] = Side::ALL.map(|side| side as usize);
        Self {
            left: !left,
            top: !top,
            right: !right,
            bottom: !bottom,
            top_of_left: !of_left(t, top),
            bottom_of_left: !of_left(b, bottom),
            left_of_top: !of_top(l),
            right_of_top: !of_top(r),
            top_of_right: !of_right(t, top),
            bottom_of_right: !of_right(b, bottom),
            left_of_bottom: !of_bottom(l),
            right_of_bottom: !of_bottom(r),
        }
    }
}

/// Returns whether two perpendicular moves of `byte` are legal and the diagonal one between them is not.
const fn is_turn(byte: u8) -> bool {
    let straight = byte & byte.rotate_right(2) & STRAIGHT_MOVES;
    straight & !(byte >> 1) != 0
}

/// Writes 64 bytes: bit n of byte k is bit k of `words[n]`.
fn spread(words: [u64; 8], target: &mut [u8]) {
    let bytes = words.map(u64::to_le_bytes);
    for (group, target) in target.chunks_exact_mut(8).enumerate() {
        // Masked so that the compiler sees the index in bounds.
        let column = bytes.map(|word| word[group & 7]);
        target.copy_from_slice(&transpose_8(u64::from_le_bytes(column)).to_le_bytes());
    }
}

/// Transposes a block of 8×8 bits (Warren, *Hacker's Delight*, 2003, 7-3).
const fn transpose_8(block: u64) -> u64 {
    let mut x = block;
    let mut swap = (x ^ x >> 7) & 0x00aa_00aa_00aa_00aa;
    x ^= swap ^ swap << 7;
    swap = (x ^ x >> 14) & 0x0000_cccc_0000_cccc;
    x ^= swap ^ swap << 14;
    swap = (x ^ x >> 28) & 0x0000_0000_f0f0_f0f0;
    x ^ swap ^ swap << 28
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitgrid::{BitGrid, PaddedIndex};
    use crate::geometry::{Direction, DirectionSet};

    fn layer() -> Placements {
        let layout = GridLayout::new(150, 40);
        let mut layer = BitGrid::filled(layout);
        for k in 0..2000_u32 {
            layer.set(layout.index(k * 37 % 150, k * k % 23), k % 3 == 0);
        }
        layer.into()
    }

    #[test]
    fn a_byte_holds_the_legal_moves() {
        let layer = layer();
        let layout = layer.layout();
        for mode in DiagonalMode::ALL {
            let moves = MoveBytes::build(&layer, (mode, MoveWay::Leaving));
            let mut turns = 0;
            for y in 0..40 {
                for x in 0..150 {
                    let index = layout.index(x, y);
                    let open = |dx: i32, dy: i32| {
                        let to = index.get() as i64 + i64::from(dy) * layout.stride() as i64 + i64::from(dx);
                        layer.get(PaddedIndex::new(to as usize))
                    };
                    for d in Direction::ALL {
                        let corners = mode.allows(open(d.dx(), 0), open(0, d.dy()));
                        let legal = open(0, 0) && open(d.dx(), d.dy()) && (!d.is_diagonal() || corners);
                        assert_eq!(
                            DirectionSet(moves.bytes[index.get()]).contains(d),
                            legal,
                            "{mode:?} at {x}, {y}: {d:?}"
                        );
                    }
                    turns += u64::from(is_turn(moves.bytes[index.get()]));
                }
            }
            assert_eq!((moves.turns(), moves.placements()), (turns, layer.count()));
        }
    }

    #[test]
    fn repaired_moves_equal_rebuilt_ones() {
        let mut layer = layer();
        for mode in DiagonalMode::ALL {
            let mut moves = MoveBytes::build(&layer, (mode, MoveWay::Leaving));
            for k in 0..200_u32 {
                let (x, y) = (k * 53 % 145, k * 31 % 36);
                let rect = LocalRect { x0: x, y0: y, x1: x + 1 + k % 5, y1: y + 1 + k % 4 };
                layer.bits_mut().fill(rect, k % 3 == 1);
                moves.repair_in(&layer, (mode, MoveWay::Leaving), rect);
                assert!(
                    moves == MoveBytes::build(&layer, (mode, MoveWay::Leaving)),
                    "{mode:?} after {rect:?}"
                );
            }
        }
    }
}
