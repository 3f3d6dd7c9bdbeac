//! Stop bits: where a straight scan of jump-point search stops, for 64 cells at once.
//!
//! A scan stops at a blocked cell, or at a cell with a direction that pruning adds to "straight on" because
//! of a wall beside it. Block-based scans read three rows of bits for that. Here it is one bit a cell and
//! direction, for rows and, in the transpose, for columns. A scan then finds the next set bit, one word a
//! step, which makes queries about twice as fast. The bits are a bit-parallel form of the pruning table; a
//! test compares both cell by cell.
//!
//! Where costs differ, a scan stops at each cell that is not of locally uniform cost, too. Between two stops
//! all cells cost the same, and pruning leaves straight on alone. So a scan over 64 cells a word is exact
//! there (Carlson, Moghadam, Harabor, Stuckey & Ebendt, *Optimal Pathfinding on Weighted Grid Maps*, AAAI
//! 2023, section "Jumping"). Invariant: a repair of the changed cells gives the same bits as a build.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::bitgrid::{BitGrid, GridLayout, LocalRect, PaddedIndex, neighbourhood};
use crate::derived::Derived;
use crate::geometry::DiagonalMode;
use crate::pages::{Log, PageView, Pages};
use crate::passability::{PlacementCosts, PlacementEdges, Placements, Transpose};

/// The bits of 64 cells of a row, or of a column in the transpose: bit n belongs to the n-th. A search reads
/// all four words together, so they share a cache line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct JumpWord {
    /// The body fits.
    pub(super) open: u64,
    /// A scan to higher bits stops.
    pub(super) stop_up: u64,
    /// A scan to lower bits stops.
    pub(super) stop_down: u64,
    /// The 2×2 block of the cell, its neighbours in the next bit and in the next row, and the one across is
    /// open: diagonal steps inside it cut no corner.
    pub(super) block: u64,
}

/// Words that were written over, so that they can be written back.
#[derive(Clone, Debug, Default)]
pub(crate) struct JumpLog {
    rows: Log<JumpWord>,
    columns: Log<JumpWord>,
}

impl JumpLog {
    /// Bytes on the heap.
    pub(crate) const fn memory(&self) -> usize {
        (self.rows.capacity() + self.columns.capacity()) * size_of::<(u32, JumpWord)>()
    }
}

/// The words of all rows, or of all columns.
pub(super) type JumpWords<'a> = PageView<'a, JumpWord, PAGE>;
type JumpPages = Pages<JumpWord, PAGE>;
/// Words of a page.
const PAGE: usize = 1024; // 32 KB, as pages of other kinds.

/// Stop bits of one layer for one diagonal mode, and one set of costs or the unit cost, in rows and in
/// columns.
#[derive(Clone, PartialEq, Debug)]
pub struct JumpMap {
    mode: DiagonalMode,
    layout: GridLayout,
    rows: JumpPages,
    columns: JumpPages,
    /// The transpose of the cells that scans pass over, where some are stops of themselves.
    within_columns: Option<BitGrid>,
    /// The edges of the layer.
    edges: Option<Arc<PlacementEdges>>,
}

/// Returns the cells that scans pass over: those of locally uniform cost, or with no edge near; `None` for
/// all.
fn passed<'a>(layer: &'a Placements, costs: Option<&'a PlacementCosts>) -> Option<&'a BitGrid> {
    // Costs know of edges, too.
    costs.map(PlacementCosts::uniform).or_else(|| layer.edges().map(|edges| edges.plain()))
}

/// Modes that [`JumpMap::shared_mode`] returns the same for make the same bits. Bodies that pay the same
/// everywhere have no costs.
impl Derived for JumpMap {
    type Source<'a> = (&'a Placements, &'a Transpose, Option<&'a PlacementCosts>);
    type Kind = DiagonalMode;

    /// Takes a pass over the words of all sources.
    fn build((layer, Transpose(transpose), costs): Self::Source<'_>, mode: DiagonalMode) -> Self {
        let mode = Self::shared_mode(mode);
        let within = passed(layer, costs);
        let within_columns = within.map(BitGrid::transposed);
        let rows = Bits { open: layer, within };
        let columns = Bits { open: transpose, within: within_columns.as_ref() };
        let (rows, columns) = (jump_words(rows, mode), jump_words(columns, mode));
        Self { mode, layout: layer.layout(), rows, columns, within_columns, edges: layer.edges().cloned() }
    }

    fn repair_in(
        &mut self,
        (layer, Transpose(transpose), costs): Self::Source<'_>,
        _: DiagonalMode,
        changed: LocalRect,
    ) -> Option<LocalRect> {
        let mut rect = changed;
        let within = passed(layer, costs);
        if let Some(within) = within {
            // A cell is of uniform cost by its neighbours, so those around the rectangle can have changed,
            // too.
            rect = rect.grown(1, 1, 1, 1, layer.layout());
            // Made now if these are the first edges of the map.
            within.repair_transpose(self.within_columns.get_or_insert_with(|| within.transposed()), rect);
        } else {
            self.within_columns = None;
        }
        self.edges = layer.edges().cloned();
        let rows = Bits { open: layer, within };
        let columns = Bits { open: transpose, within: self.within_columns.as_ref() };
        // Stops look one cell around. In padded places, which are one more than the map's: `x0..=x1 + 1`.
        let (x0, x1, y0, y1) =
            (rect.x0 as usize, rect.x1 as usize + 1, rect.y0 as usize, rect.y1 as usize + 1);
        repair_jump_words(&mut self.rows, rows, self.mode, y0..y1 + 1, x0 / 64..x1 / 64 + 1);
        repair_jump_words(&mut self.columns, columns, self.mode, x0..x1 + 1, y0 / 64..y1 / 64 + 1);
        Some(changed)
    }

    fn memory(&self) -> usize {
        self.rows.memory() + self.columns.memory() + self.within_columns.as_ref().map_or(0, BitGrid::memory)
    }
}

impl JumpMap {
    /// Repairs the bits around all of `rects`, where costs are the same everywhere, and logs what was written
    /// over.
    pub(crate) fn repair_logged(
        &mut self,
        layer: &Placements,
        transpose: &BitGrid,
        rects: &[LocalRect],
        log: &mut JumpLog,
    ) {
        let swapped = |rect: &LocalRect| LocalRect { x0: rect.y0, y0: rect.x0, x1: rect.y1, y1: rect.x1 };
        let rows = Bits { open: layer, within: passed(layer, None) };
        let columns = Bits { open: transpose, within: self.within_columns.as_ref() };
        repair_jump_words_logged(&mut self.rows, rows, self.mode, rects.iter().copied(), &mut log.rows);
        repair_jump_words_logged(
            &mut self.columns,
            columns,
            self.mode,
            rects.iter().map(swapped),
            &mut log.columns,
        );
    }

    /// Writes back what was logged, and empties the log.
    pub(crate) fn take_back(&mut self, log: &mut JumpLog) {
        self.rows.take_back(&mut log.rows);
        self.columns.take_back(&mut log.columns);
    }

    /// The mode whose stop bits serve `mode`: without diagonal steps, scans along rows stop where they do if
    /// no corner may be cut, so both share one map.
    pub const fn shared_mode(mode: DiagonalMode) -> DiagonalMode {
        match mode {
            DiagonalMode::Never => DiagonalMode::OnlyIfNoObstacles,
            other => other,
        }
    }

    /// The mode that the bits are made for, as [`JumpMap::shared_mode`] has it.
    pub const fn mode(&self) -> DiagonalMode {
        self.mode
    }

    /// The edges and links of the layer; `None` while the map has neither.
    #[inline]
    pub(crate) fn edges(&self) -> Option<&PlacementEdges> {
        self.edges.as_deref()
    }

    /// The measures of the layer.
    #[inline]
    pub const fn layout(&self) -> GridLayout {
        self.layout
    }

    #[inline]
    pub(super) fn rows(&self) -> JumpWords<'_> {
        self.rows.view()
    }

    #[inline]
    pub(super) fn columns(&self) -> JumpWords<'_> {
        self.columns.view()
    }

    /// Returns whether the body fits at `index`.
    #[inline]
    pub(super) fn is_open(&self, index: usize) -> bool {
        self.rows[index >> 6].open >> (index & 63) & 1 == 1
    }

    /// The 3×3 cells around `index`, as [`BitGrid::neighbourhood`].
    #[inline]
    pub(super) fn neighbourhood(&self, index: PaddedIndex) -> u32 {
        let words = self.rows.view();
        neighbourhood(self.layout, index, |word| words.at(word).open)
    }
}

/// Returns the first stop of a scan from `index` to higher indices, exclusive, and whether the body fits
/// there. There always is one, as the border is blocked.
#[allow(clippy::inline_always, reason = "bench `paths`: a call a scan costs a tenth of a query")]
#[inline(always)]
pub(super) fn scan_up(words: JumpWords<'_>, index: usize) -> (usize, bool) {
    let mut word_index = index >> 6;
    let mut word = words.at(word_index);
    // Bits above the scan's own; `!1 << n` is zero for the last bit, where `u64::MAX << (n + 1)` would
    // overflow.
    let mut stops = word.stop_up & (!1 << (index & 63));
    while stops == 0 {
        word_index += 1;
        word = words.at(word_index);
        stops = word.stop_up;
    }
    let bit = stops.trailing_zeros();
    (word_index << 6 | bit as usize, word.open >> bit & 1 == 1)
}

/// Returns the first stop of a scan from `index` to lower indices, exclusive, and whether the body fits
/// there.
#[allow(clippy::inline_always, reason = "bench `paths`: a call a scan costs a tenth of a query")]
#[inline(always)]
pub(super) fn scan_down(words: JumpWords<'_>, index: usize) -> (usize, bool) {
    let mut word_index = index >> 6;
    let mut word = words.at(word_index);
    // Bits below the scan's own.
    let mut stops = word.stop_down & !(u64::MAX << (index & 63));
    while stops == 0 {
        word_index -= 1;
        word = words.at(word_index);
        stops = word.stop_down;
    }
    let bit = stops.ilog2();
    (word_index << 6 | bit as usize, word.open >> bit & 1 == 1)
}

/// What stop bits are made from, in rows or in columns.
#[derive(Clone, Copy)]
struct Bits<'a> {
    /// The body fits.
    open: &'a BitGrid,
    /// The cells that scans pass over; `None` for all.
    within: Option<&'a BitGrid>,
}

impl Bits<'_> {
    /// Returns stops for the cells of word `word` that are outside of `within`.
    #[inline]
    fn outside(self, word: usize) -> u64 {
        self.within.map_or(0, |within| !within.words()[word])
    }
}

/// The words of a whole grid, page by page.
///
/// Bits are made in two passes over plain arrays, which the compiler turns into vectors: 0.35 of the time of
/// making one word after the other (bench `layers`).
fn jump_words(bits: Bits<'_>, mode: DiagonalMode) -> JumpPages {
    let (layout, words) = (bits.open.layout(), bits.open.words());
    let (len, stride) = (layout.words() + 1, layout.stride_words());
    let rows = PAGE.min(len) + 2 * stride;
    // The page with the row above it and the row below it, and one word more on either side.
    let mut open = vec![0; rows + 2];
    // Stops that these words force on the rows beside them.
    let (mut up, mut down, mut outside) = (vec![0; rows], vec![0; rows], vec![0; rows]);
    JumpPages::from_parts(len, |first, page| {
        // Nothing is open beyond the grid. So all cells of the border rows stop scans, which have no test of
        // bounds.
        let missing = (stride + 1).saturating_sub(first);
        words.copy_or_default(&mut open[missing..], first + missing - (stride + 1));
        force_stops(&open, &mut up, &mut down, mode);
        if let Some(within) = bits.within {
            within.words().copy_to(&mut outside[..page.len()], first);
            for word in &mut outside {
                *word = !*word;
            }
        }
        join_stops(page, (&open, stride), [&up, &down], &outside, mode);
    })
}

/// Writes what each word of `open` that has one on either side forces on the rows beside it.
// Not inlined, here and below, as only arguments are known to lie apart, without which there are no vectors.
#[inline(never)]
fn force_stops(open: &[u64], up: &mut [u64], down: &mut [u64], mode: DiagonalMode) {
    for ((&three, up), down) in open.array_windows().zip(up).zip(down) {
        (*up, *down) = forced(three, mode);
    }
}

/// Writes the words of a page from what rows force on each other. `open` and `forced` begin a row of `stride`
/// words before the page.
#[inline(never)]
fn join_stops(
    page: &mut [JumpWord],
    (open, stride): (&[u64], usize),
    forced: [&[u64]; 2],
    outside: &[u64],
    mode: DiagonalMode,
) {
    // All cut to the page's length, so that bounds are checked once.
    let len = page.len();
    let [(up_above, up_below), (down_above, down_below)] =
        forced.map(|words| (&words[..len], &words[2 * stride..][..len]));
    let (here, below) = (&open[stride..][..len + 2], &open[2 * stride..][..len + 2]);
    let outside = &outside[..len];
    for (n, word) in page.iter_mut().enumerate() {
        let forced = (up_above[n] | up_below[n], down_above[n] | down_below[n]);
        let (here, below) = ([here[n], here[n + 1], here[n + 2]], [below[n], below[n + 1], below[n + 2]]);
        *word = jump_word(forced, here, below, mode, outside[n]);
    }
}

/// Computes the words of a block of rows and word columns anew.
fn repair_jump_words(
    target: &mut JumpPages,
    bits: Bits<'_>,
    mode: DiagonalMode,
    rows: std::ops::Range<usize>,
    columns: std::ops::Range<usize>,
) {
    let (layout, words) = (bits.open.layout(), bits.open.words());
    let stride = layout.stride_words();
    for row in rows.start..rows.end.min(layout.rows()) {
        let places = row * stride + columns.start..row * stride + columns.end.min(stride);
        target.rewrite(places, |word, _| {
            jump_word_at(|word| words[word], layout, (row, word), mode, bits.outside(word))
        });
    }
}

/// Computes the words around changed cells anew, each once, and logs what they were.
fn repair_jump_words_logged(
    target: &mut JumpPages,
    bits: Bits<'_>,
    mode: DiagonalMode,
    rects: impl Iterator<Item = LocalRect>,
    log: &mut Log<JumpWord>,
) {
    let (layout, words) = (bits.open.layout(), bits.open.words().view());
    let stride = layout.stride_words();
    let mut places: SmallVec<[u32; 64]> = SmallVec::new();
    for rect in rects {
        // Stops look one cell around: padded places `x0..=x1 + 1`, and as many rows.
        let columns = rect.x0 as usize / 64..(rect.x1 as usize + 1) / 64 + 1;
        for row in rect.y0 as usize..rect.y1 as usize + 2 {
            for column in columns.clone() {
                places.push((row * stride + column) as u32);
            }
        }
    }
    // Edits close to each other share words. Each is logged once, with the bits from before all edits.
    places.sort_unstable();
    places.dedup();
    let made = places.iter().map(|&word| {
        let word = word as usize;
        (word, jump_word_at(|word| *words.at(word), layout, (word / stride, word), mode, bits.outside(word)))
    });
    target.write_noted(made, log);
}

/// The bits of the border rows: scans have no test of bounds, so every cell stops them.
const BORDER: JumpWord = JumpWord { open: 0, stop_up: u64::MAX, stop_down: u64::MAX, block: 0 };

/// The bits of word `word`, which lies in padded row `row`; cells of `outside` stop scans, too.
#[inline]
fn jump_word_at(
    words: impl Fn(usize) -> u64,
    layout: GridLayout,
    (row, word): (usize, usize),
    mode: DiagonalMode,
    outside: u64,
) -> JumpWord {
    if row == 0 || row + 1 >= layout.rows() {
        return BORDER;
    }
    // The word before a row's first ends the row above, whose last bit is border, so it can stand in.
    let three = |word: usize| [words(word - 1), words(word), words(word + 1)];
    let stride = layout.stride_words();
    // Nothing is open before the second row's first word.
    let above = if word > stride {
        three(word - stride)
    } else {
        [0, words(word - stride), words(word - stride + 1)]
    };
    let below = three(word + stride);
    let (forced_above, forced_below) = (forced(above, mode), forced(below, mode));
    let forced = (forced_above.0 | forced_below.0, forced_above.1 | forced_below.1);
    jump_word(forced, three(word), below, mode, outside)
}

/// Each cell's neighbour with the next lower bit, from a word and those beside it.
#[inline]
const fn lower([left, word, _]: [u64; 3]) -> u64 {
    word << 1 | left >> 63
}

/// Each cell's neighbour with the next higher bit.
#[inline]
const fn higher([_, word, right]: [u64; 3]) -> u64 {
    word >> 1 | right << 63
}

/// Returns where a word of the row beside a scan forces it to stop: a scan to higher bits, and one to lower
/// bits.
#[inline]
const fn forced(beside: [u64; 3], mode: DiagonalMode) -> (u64, u64) {
    match mode {
        // The cell beside is open, and the one behind it is not: the parent could not cut that corner.
        DiagonalMode::OnlyIfNoObstacles | DiagonalMode::Never => {
            (beside[1] & !lower(beside), beside[1] & !higher(beside))
        }
        // The cell beside is closed, and the one ahead of it is open: the parent could not get there past it.
        DiagonalMode::Always | DiagonalMode::AtLeastOneWalkable => {
            (!beside[1] & higher(beside), !beside[1] & lower(beside))
        }
    }
}

/// The bits of one word from what the rows above and below it force, and from it and the word below, each
/// with those beside it. Cells of `outside` stop scans, too.
#[inline]
fn jump_word(
    (mut forced_up, mut forced_down): (u64, u64),
    here: [u64; 3],
    below: [u64; 3],
    mode: DiagonalMode,
    outside: u64,
) -> JumpWord {
    let open = here[1];
    if matches!(mode, DiagonalMode::AtLeastOneWalkable) {
        // With one corner open at least, the cell straight ahead must be open for the step around the wall.
        forced_up &= higher(here);
        forced_down &= lower(here);
    }
    JumpWord {
        open,
        stop_up: !open | forced_up | outside,
        stop_down: !open | forced_down | outside,
        block: open & higher(here) & below[1] & higher(below),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Direction;
    use crate::primitives::PruningTable;

    fn noise(seed: u32, layout: GridLayout) -> Placements {
        let mut grid = BitGrid::new(layout);
        let mut random = seed;
        for y in 0..layout.height() {
            for x in 0..layout.width() {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                grid.set(layout.index(x, y), random >> 24 < 170);
            }
        }
        grid.into()
    }

    #[test]
    fn scans_stop_exactly_where_the_pruning_table_adds_a_direction() {
        let layer = noise(5, GridLayout::new(140, 90));
        let transpose = Transpose::build(&layer, ());
        for mode in DiagonalMode::ALL {
            let map = JumpMap::build((&layer, &transpose, None), mode);
            let table = PruningTable::of(mode);
            for y in 0..90 {
                for x in 0..140 {
                    let (index, transpose_index) =
                        (layer.layout().index(x, y), transpose.0.layout().index(y, x));
                    if !layer.get(index) {
                        continue;
                    }
                    let row_word = map.rows[index.word()];
                    let column_word = map.columns[transpose_index.word()];
                    let stops = [
                        (Direction::E, row_word.stop_up >> index.bit()),
                        (Direction::W, row_word.stop_down >> index.bit()),
                        (Direction::S, column_word.stop_up >> transpose_index.bit()),
                        (Direction::N, column_word.stop_down >> transpose_index.bit()),
                    ];
                    for (arrival, stop) in stops {
                        let came_from = index.get().wrapping_add_signed(
                            -(arrival.dy() as isize * layer.layout().stride() as isize
                                + arrival.dx() as isize),
                        );
                        // Without diagonal steps, vertical moves are walked; and no step arrives from a wall.
                        let walked = mode == DiagonalMode::Never && arrival.dy() != 0;
                        if walked || !layer.get(PaddedIndex::new(came_from)) {
                            continue;
                        }
                        let directions = table.after(arrival as u8, layer.neighbourhood(index)).0;
                        let more = directions & !(1 << arrival as u8) != 0;
                        assert_eq!(stop & 1 == 1, more, "{mode:?} {arrival:?} at {x},{y}");
                    }
                }
            }
        }
    }

    #[test]
    fn repaired_equals_rebuilt() {
        // More than a page of words.
        let layout = GridLayout::new(140, 350);
        let mut layer = noise(9, layout);
        for mode in DiagonalMode::ALL {
            let mut transpose = Transpose::build(&layer, ());
            let mut map = JumpMap::build((&layer, &transpose, None), mode);
            for k in 0..200_u32 {
                let (x0, y0) = (k * 31 % 139, k * 17 % 349);
                let rect = LocalRect { x0, y0, x1: (x0 + 1 + k % 9).min(140), y1: (y0 + 1 + k % 5).min(350) };
                layer.bits_mut().fill(rect, k % 3 > 0);
                transpose.repair_in(&layer, (), rect);
                map.repair_in((&layer, &transpose, None), mode, rect);
                assert!(map == JumpMap::build((&layer, &transpose, None), mode), "{rect:?}");
            }
        }
    }
}
