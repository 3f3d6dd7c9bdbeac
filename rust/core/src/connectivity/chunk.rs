//! The local components of one chunk of 64×64 placements, and the links between neighbouring chunks.
//!
//! A row of a chunk is one word, so a run of ones is found by bit operations and a placement's run by
//! counting run starts up to its bit. A build joins the runs of each row with those of the row above that
//! touch them: time in proportion to the runs, of which there are at most [`RUNS_MAX`].

use crate::bitgrid::{PaddedIndex, ones};
use crate::geometry::Direction;
use crate::passability::Placements;
use crate::union_find::UnionFind;

/// Side of a chunk, in padded cells: one word.
pub(super) const CHUNK_SIDE: usize = 64;
/// The bit of a component's number that says that it lies away from the sides of its chunk.
pub(super) const INNER: u16 = 1 << 15;
/// The most runs of ones that a chunk can have.
// A row of 64 cells has at most 32 runs: ones and zeros in turn.
const RUNS_MAX: usize = CHUNK_SIDE * CHUNK_SIDE / 2;
/// The same where edges divide runs: each cell can be one.
const EDGED_RUNS_MAX: usize = CHUNK_SIDE * CHUNK_SIDE;

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
    pub(super) fn build(layer: &Placements, column: usize, row: usize, diagonal: bool) -> Self {
        if layer.edges().is_some() {
            return Self::build_within::<EDGED_RUNS_MAX>(layer, column, row, diagonal);
        }
        Self::build_within::<RUNS_MAX>(layer, column, row, diagonal)
    }

    fn build_within<const MAX: usize>(layer: &Placements, column: usize, row: usize, diagonal: bool) -> Self {
        let rows = rows_of(layer, column, row);
        // A constant, copied for each chunk instead of counted anew.
        let mut parent = const { identity::<MAX>() };
        let mut sets = UnionFind { parent: &mut parent };
        let mut first_run = [0; CHUNK_SIDE];
        // The words of a row and of the one above it, and the runs before each.
        let (mut above, mut runs_before_above, mut runs) = (Row::default(), 0, 0);
        for (line, (&here, first_run)) in rows.iter().zip(&mut first_run).enumerate() {
            *first_run = runs as u16;
            let joined = |from: u32, to: u32| sets.join(runs_before_above + from, runs + to);
            let seam = Seam::above(layer, column, row * CHUNK_SIDE + line);
            let count = for_each_touch(above, here, seam, diagonal, joined);
            (above, runs_before_above, runs) = (here, runs, runs + count);
        }
        let mut chunk = Self { first_run, ..Self::default() };
        // Only sets that touch a side can be joined with others, so the rest stays out of the graph between
        // chunks.
        let is_outer = chunk.touches_a_side::<MAX>(layer, (column, row), &rows, &mut sets, runs);
        chunk.name_components(&parent[..runs as usize], &is_outer);
        chunk
    }

    /// Returns, at the place of each set's smallest run, whether the set touches a side of the chunk, or an
    /// edge is near, which may be blocked one way.
    fn touches_a_side<const MAX: usize>(
        &self,
        layer: &Placements,
        (column, chunk_row): (usize, usize),
        rows: &[Row; CHUNK_SIDE],
        sets: &mut UnionFind<'_>,
        runs: u32,
    ) -> [bool; MAX] {
        let mut touches = [false; MAX];
        let last = CHUNK_SIDE - 1;
        for (row, &here) in rows.iter().enumerate() {
            let word = here.word;
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
            if let Some(edges) = layer.edges().filter(|_| word != 0) {
                let plain = edges.plain().words()[word_index(layer, column, chunk_row * CHUNK_SIDE + row)];
                for bit in ones(word & !plain) {
                    touches[sets.find(first + here.run_of_bit(bit as u32)) as usize] = true;
                }
            }
        }
        touches
    }

    /// Counts the sets in the order of their smallest runs, outer ones and inner ones apart.
    fn name_components(&mut self, parent: &[u32], is_outer: &[bool]) {
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

    /// Returns the component of the one at `bit` of `here`, which is the chunk's row `row`.
    #[inline]
    pub(super) fn component(&self, here: Row, row: usize, bit: u32) -> u16 {
        self.component_of_run(row, here.run_of_bit(bit))
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

/// A row of a chunk.
#[derive(Clone, Copy, Default)]
pub(super) struct Row {
    word: u64,
    /// The first cell of each run: a one whose left neighbour is a zero, or has an edge between.
    starts: u64,
}

impl Row {
    /// Returns the row that word `word` of the layer holds.
    #[inline]
    pub(super) fn of(layer: &Placements, word: usize) -> Self {
        let bits = layer.words()[word];
        let cut = layer.edges().map_or(0, |edges| edges.cut_left(word));
        Self { word: bits, starts: bits & (!(bits << 1) | cut) }
    }

    /// Returns whether the cell at `bit` is a one.
    #[inline]
    pub(super) const fn is_one(self, bit: u32) -> bool {
        self.word >> bit & 1 == 1
    }

    /// Returns the number of the run that holds the one at `bit`, counted from the lowest.
    #[inline]
    const fn run_of_bit(self, bit: u32) -> u32 {
        // The shift drops the starts right of `bit`; the rest are the runs up to its own.
        (self.starts << (63 - bit)).count_ones() - 1
    }
}

/// Where cells of a row may be joined with those of the row above: none of the edges around is blocked.
#[derive(Clone, Copy)]
struct Seam {
    straight: u64,
    /// From above to the lower right, by the upper cell.
    right: u64,
    /// From above to the lower left, by the upper cell.
    left: u64,
}

impl Seam {
    /// Returns where padded row `line` may be joined with the one above, in the chunks of `column`.
    #[inline]
    fn above(layer: &Placements, column: usize, line: usize) -> Self {
        let all = Self { straight: u64::MAX, right: u64::MAX, left: u64::MAX };
        let Some(edges) = layer.edges().filter(|_| line > 0 && line < layer.layout().rows()) else {
            return all;
        };
        let below = word_index(layer, column, line);
        let (cut, level) = (
            edges.cut_left(below) | edges.cut_left(below - layer.layout().stride_words()),
            edges.cut_top(below),
        );
        Self {
            straight: !level,
            // Cells of other chunks take no part, so no bits are carried over.
            right: !(cut >> 1 | level | level >> 1),
            left: !(cut | level | level << 1),
        }
    }
}

const fn identity<const MAX: usize>() -> [u32; MAX] {
    let mut numbers = [0; MAX];
    let mut n = 0;
    while n < MAX {
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
    layer: &Placements,
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
        let (above, below) = (row_of(layer, column, row, last), row_of(layer, to_column, to_row, 0));
        let seam = Seam::above(layer, column, to_row * CHUNK_SIDE);
        for_each_touch(above, below, seam, diagonal, |from, to| {
            add((a.component_of_run(last, from), b.component_of_run(0, to)));
        });
        return;
    }
    if (dx, dy) == (1, 0) {
        let is_open =
            |column: usize, bit: u32| move |line: usize| row_of(layer, column, row, line).is_one(bit);
        let (ours, theirs) = (is_open(column, 63), is_open(to_column, 0));
        for line in (0..CHUNK_SIDE).filter(|&line| ours(line)) {
            let beside =
                if diagonal { line.saturating_sub(1)..(line + 2).min(CHUNK_SIDE) } else { line..line + 1 };
            let is_clear = |&other: &usize| {
                is_clear(layer, (column, row * CHUNK_SIDE + line, 63), (1, other as i32 - line as i32))
            };
            for other in beside.filter(|&other| theirs(other)).filter(is_clear) {
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
    let (here, there) = (row_of(layer, column, row, last), row_of(layer, to_column, to_row, 0));
    let is_clear = || is_clear(layer, (column, row * CHUNK_SIDE + last, bit), (dx as i32, 1));
    if here.is_one(bit) && there.is_one(to_bit) && is_clear() {
        add((a.component(here, last, bit), b.component(there, 0, to_bit)));
    }
}

/// Returns whether no edge is blocked near the step by (`dx`, `dy`) from a bit of a word, which lies in a column
/// of words and a padded row.
fn is_clear(layer: &Placements, (column, line, bit): (usize, usize, u32), (dx, dy): (i32, i32)) -> bool {
    layer.edges().is_none_or(|edges| {
        let index = PaddedIndex::new(word_index(layer, column, line) << 6 | bit as usize);
        let direction = Direction::ALL.into_iter().find(|to| (to.dx(), to.dy()) == (dx, dy));
        direction.is_none_or(|direction| edges.is_clear(index, direction))
    })
}

/// Returns the index of the word in a column of words and a padded row.
#[inline]
fn word_index(layer: &Placements, column: usize, line: usize) -> usize {
    line * layer.layout().stride_words() + column
}

/// Returns the rows of a chunk, zeros behind the grid's last row.
fn rows_of(layer: &Placements, column: usize, row: usize) -> [Row; CHUNK_SIDE] {
    std::array::from_fn(|line| row_of(layer, column, row, line))
}

/// Returns the chunk's row `line`, zero behind the grid's last row.
#[inline]
fn row_of(layer: &Placements, column: usize, row: usize, line: usize) -> Row {
    let y = row * CHUNK_SIDE + line;
    if y < layer.layout().rows() { Row::of(layer, word_index(layer, column, y)) } else { Row::default() }
}

/// Returns the first bit of each run of ones, also where a run begins in one of `starts`.
#[inline]
const fn run_starts(word: u64, starts: u64) -> u64 {
    // A one whose left neighbour, the next lower bit, is a zero.
    word & (!(word << 1) | starts)
}

/// Calls `touch` with each pair of a run of `above` and a run of `below` that touch, at a corner too where
/// `diagonal`; returns the number of runs of `below`.
#[inline]
fn for_each_touch(
    above: Row,
    below: Row,
    seam: Seam,
    diagonal: bool,
    mut touch: impl FnMut(u32, u32),
) -> u32 {
    if diagonal {
        // A diagonal touch becomes an overlap when the lower row is moved by one column.
        let moved = [
            (-1_i32, below.word >> 1, below.starts >> 1, seam.right),
            (0, below.word, below.starts, seam.straight),
            (1, below.word << 1, below.starts << 1, seam.left),
        ];
        for (shift, word, starts, joined) in moved {
            let touching = run_starts(above.word & word & joined, above.starts | starts);
            for bit in ones(touching).map(|bit| bit as u32) {
                touch(above.run_of_bit(bit), below.run_of_bit(bit.wrapping_add_signed(-shift)));
            }
        }
        return below.starts.count_ones();
    }
    // Runs are counted in passing, since `count_ones` takes long where the target is not known to have an
    // instruction for it.
    let starts = above.starts | below.starts;
    let touching = run_starts(above.word & below.word & seam.straight, starts);
    let mut events = starts | touching;
    let (mut from, mut to) = (0, 0);
    while events != 0 {
        // The lowest one alone.
        let bit = events & events.wrapping_neg();
        from += u32::from(above.starts & bit != 0);
        to += u32::from(below.starts & bit != 0);
        if touching & bit != 0 {
            touch(from - 1, to - 1);
        }
        events ^= bit;
    }
    to
}
