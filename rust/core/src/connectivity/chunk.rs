//! The local components of one chunk of 64×64 placements, and the links between neighbouring chunks.
//!
//! A row of a chunk is one word, so a run of ones is found by bit operations and a placement's run by
//! counting run starts up to its bit. A build joins the runs of each row with those of the row above that
//! touch them: time in proportion to the runs, of which there are at most [`RUNS_MAX`].

use crate::bitgrid::{BitGrid, ones};
use crate::union_find::UnionFind;

/// Side of a chunk, in padded cells: one word.
pub(super) const CHUNK_SIDE: usize = 64;
/// The bit of a component's number that says that it lies away from the sides of its chunk.
pub(super) const INNER: u16 = 1 << 15;
/// The most runs of ones that a chunk can have.
// A row of 64 cells has at most 32 runs: ones and zeros in turn.
const RUNS_MAX: usize = CHUNK_SIDE * CHUNK_SIDE / 2;

/// The components of one chunk, one number for each run of ones in each row.
///
/// Components that touch a side of the chunk are counted apart from *inner* components. These are never
/// linked to anything outside, so changes inside a chunk change no other number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Chunk {
    /// The place in `components` of each row's first run.
    first_run: [u16; CHUNK_SIDE],
    /// The component of each run, row by row from the left.
    components: Vec<u16>,
    outer_count: u16,
    inner_count: u16,
}

impl Default for Chunk {
    fn default() -> Self {
        Self { first_run: [0; CHUNK_SIDE], components: Vec::new(), outer_count: 0, inner_count: 0 }
    }
}

impl Chunk {
    pub(super) fn build(layer: &BitGrid, column: usize, row: usize, diagonal: bool) -> Self {
        let words = rows_of(layer, column, row);
        // A constant, copied for each chunk instead of counted anew.
        let mut parent = const { identity() };
        let mut sets = UnionFind { parent: &mut parent };
        let mut first_run = [0; CHUNK_SIDE];
        // The words of a row and of the one above it, and the runs before each.
        let (mut above, mut runs_before_above, mut runs) = (0, 0, 0);
        for (&word, first_run) in words.iter().zip(&mut first_run) {
            *first_run = runs as u16;
            let joined = |from: u32, to: u32| sets.join(runs_before_above + from, runs + to);
            let count = for_each_touch(above, word, diagonal, joined);
            (above, runs_before_above, runs) = (word, runs, runs + count);
        }
        let mut chunk = Self { first_run, ..Self::default() };
        // Only sets that touch a side can be joined with others, so the rest stays out of the graph between
        // chunks.
        let is_outer = chunk.touches_a_side(&words, &mut sets, runs);
        chunk.name_components(&parent[..runs as usize], &is_outer);
        chunk
    }

    /// Returns, at the place of each set's smallest run, whether the set touches a side of the chunk.
    fn touches_a_side(
        &self,
        words: &[u64; CHUNK_SIDE],
        sets: &mut UnionFind<'_>,
        runs: u32,
    ) -> [bool; RUNS_MAX] {
        let mut touches = [false; RUNS_MAX];
        let last = CHUNK_SIDE - 1;
        for (row, &word) in words.iter().enumerate() {
            let first = u32::from(self.first_run[row]);
            let behind = self.first_run.get(row + 1).map_or(runs, |&next| u32::from(next));
            // Every run of the first and the last row touches a side, of other rows only those at the ends.
            if row == 0 || row == last {
                (first..behind).for_each(|run| touches[sets.find(run) as usize] = true);
                continue;
            }
            // Bit 0 is the left side: only the first run of the row can touch it.
            if word & 1 == 1 {
                touches[sets.find(first) as usize] = true;
            }
            // Bit 63 is the right side: only the last run of the row can touch it.
            if word >> 63 == 1 {
                touches[sets.find(behind - 1) as usize] = true;
            }
        }
        touches
    }

    /// Counts the sets in the order of their smallest runs, outer ones and inner ones apart.
    fn name_components(&mut self, parent: &[u32], is_outer: &[bool; RUNS_MAX]) {
        self.components = Vec::with_capacity(parent.len());
        for (run, &parent) in parent.iter().enumerate() {
            let parent = parent as usize;
            let name = if parent != run {
                // A run's parent comes before it and has its name.
                self.components[parent]
            } else if is_outer[run] {
                self.outer_count += 1;
                self.outer_count - 1
            } else {
                self.inner_count += 1;
                INNER | (self.inner_count - 1)
            };
            self.components.push(name);
        }
    }

    /// Returns the number of components that touch a side.
    pub(super) const fn outer_count(&self) -> u16 {
        self.outer_count
    }

    /// Returns the number of components that touch none.
    pub(super) const fn inner_count(&self) -> u16 {
        self.inner_count
    }

    /// Returns the component of the one at `bit` of `word`, which is the chunk's row `row`.
    #[inline]
    pub(super) fn component(&self, word: u64, row: usize, bit: u32) -> u16 {
        self.component_of_run(row, run_of_bit(word, bit))
    }

    /// Returns the bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        self.components.capacity() * size_of::<u16>()
    }

    #[inline]
    fn component_of_run(&self, row: usize, run: u32) -> u16 {
        self.components[usize::from(self.first_run[row]) + run as usize]
    }

    /// Returns the component of the last run of `row`, which has one.
    #[inline]
    fn component_of_last_run(&self, row: usize) -> u16 {
        let behind = self.first_run.get(row + 1).map_or(self.components.len(), |&next| usize::from(next));
        self.components[behind - 1]
    }
}

const fn identity() -> [u32; RUNS_MAX] {
    let mut numbers = [0; RUNS_MAX];
    let mut n = 0;
    while n < RUNS_MAX {
        numbers[n] = n as u32;
        n += 1;
    }
    numbers
}

/// A local component of a chunk, in the upper half, and one of a neighbour, in the lower half: numbers are
/// sorted faster than pairs.
pub(super) type Link = u32;

/// Appends the pairs of components of chunk `a` at `place` (column and row) and of its neighbour `b` at
/// (`dx`, `dy`) that touch.
pub(super) fn link(
    layer: &BitGrid,
    a: &Chunk,
    place: (usize, usize),
    b: &Chunk,
    (dx, dy): (isize, isize),
    diagonal: bool,
    links: &mut Vec<Link>,
) {
    let (column, row) = place;
    let (to_column, to_row) = (column.wrapping_add_signed(dx), row.wrapping_add_signed(dy));
    let last = CHUNK_SIDE - 1;
    let mut add = |(from, to): (u16, u16)| {
        let link = Link::from(from) << 16 | Link::from(to);
        // Most repetitions follow each other; the caller sorts and removes the others.
        if links.last() != Some(&link) {
            links.push(link);
        }
    };
    if (dx, dy) == (0, 1) {
        let (above, below) = (word_of(layer, column, row, last), word_of(layer, to_column, to_row, 0));
        for_each_touch(above, below, diagonal, |from, to| {
            add((a.component_of_run(last, from), b.component_of_run(0, to)));
        });
        return;
    }
    if (dx, dy) == (1, 0) {
        let is_open =
            |column: usize, bit: u32| move |line: usize| word_of(layer, column, row, line) >> bit & 1 == 1;
        let (ours, theirs) = (is_open(column, 63), is_open(to_column, 0));
        for line in (0..CHUNK_SIDE).filter(|&line| ours(line)) {
            let beside =
                if diagonal { line.saturating_sub(1)..(line + 2).min(CHUNK_SIDE) } else { line..line + 1 };
            for other in beside.filter(|&other| theirs(other)) {
                // A run that touches the right side is the last of its row; a run that touches the left side
                // is the first.
                add((a.component_of_last_run(line), b.component_of_run(other, 0)));
            }
        }
        return;
    }
    // Corners touch.
    // Bit 63 is the right end of a row of a chunk, bit 0 the left end.
    let (bit, to_bit) = if dx == 1 { (63, 0) } else { (0, 63) };
    let (word, to_word) = (word_of(layer, column, row, last), word_of(layer, to_column, to_row, 0));
    if word >> bit & to_word >> to_bit & 1 == 1 {
        add((a.component(word, last, bit), b.component(to_word, 0, to_bit)));
    }
}

/// Returns the words of a chunk, zeros behind the grid's last row.
fn rows_of(layer: &BitGrid, column: usize, row: usize) -> [u64; CHUNK_SIDE] {
    let layout = layer.layout();
    let mut words = [0; CHUNK_SIDE];
    let first = row * CHUNK_SIDE;
    for (word, y) in words.iter_mut().zip(first..layout.rows()) {
        *word = layer.words()[y * layout.stride_words() + column];
    }
    words
}

/// Returns the word of a chunk's row `line`, zero behind the grid's last row.
#[inline]
fn word_of(layer: &BitGrid, column: usize, row: usize, line: usize) -> u64 {
    let layout = layer.layout();
    let y = row * CHUNK_SIDE + line;
    if y < layout.rows() { layer.words()[y * layout.stride_words() + column] } else { 0 }
}

/// Returns the first bit of each run of ones.
#[inline]
const fn run_starts(word: u64) -> u64 {
    // A one whose left neighbour, the next lower bit, is a zero.
    word & !(word << 1)
}

/// Returns the number of the run that holds the one at `bit`, counted from the lowest.
#[inline]
const fn run_of_bit(word: u64, bit: u32) -> u32 {
    // The shift drops the starts right of `bit`; the rest are the runs up to its own.
    (run_starts(word) << (63 - bit)).count_ones() - 1
}

/// Calls `touch` with each pair of a run of `above` and a run of `below` that touch, at a corner too where
/// `diagonal`; returns the number of runs of `below`.
#[inline]
fn for_each_touch(above: u64, below: u64, diagonal: bool, mut touch: impl FnMut(u32, u32)) -> u32 {
    let (starts_above, starts) = (run_starts(above), run_starts(below));
    if diagonal {
        for shift in [-1_i32, 0, 1] {
            // A diagonal touch becomes an overlap when the lower row is moved by one column.
            let shifted = match shift {
                -1 => below >> 1,
                0 => below,
                _ => below << 1,
            };
            for bit in ones(run_starts(above & shifted)).map(|bit| bit as u32) {
                touch(run_of_bit(above, bit), run_of_bit(below, bit.wrapping_add_signed(-shift)));
            }
        }
        return starts.count_ones();
    }
    // Each run of common bits lies in one run above and one below, and begins where one of them does. Runs
    // are counted in passing, since `count_ones` takes long where the target is not known to have an
    // instruction for it.
    let common = run_starts(above & below);
    let mut events = starts_above | starts;
    let (mut from, mut to) = (0, 0);
    while events != 0 {
        // The lowest one alone.
        let bit = events & events.wrapping_neg();
        from += u32::from(starts_above & bit != 0);
        to += u32::from(starts & bit != 0);
        if common & bit != 0 {
            touch(from - 1, to - 1);
        }
        events ^= bit;
    }
    to
}
