use super::union_find::UnionFind;
use crate::bitgrid::BitGrid;

/// Side of a chunk, in padded cells: one word.
pub(super) const CHUNK_SIDE: usize = 64;
/// The bit of a component's number that says that it lies away from the sides of its chunk.
pub(super) const INNER: u16 = 1 << 15;
/// The most runs of ones that a chunk can have.
const RUNS_MAX: usize = CHUNK_SIDE * CHUNK_SIDE / 2;

/// The components of one chunk, one number for each run of ones in each row.
///
/// Components that touch a side of the chunk are counted apart from *inner* ones, which nothing outside can ever
/// be linked to, so that what comes and goes inside changes no other number.
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
        let is_outer = chunk.touches_a_side(&words, &mut sets, runs);
        chunk.name_components(&parent[..runs as usize], &is_outer);
        chunk
    }

    /// Whether a set touches a side, at the place of its smallest run.
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
            if row == 0 || row == last {
                (first..behind).for_each(|run| touches[sets.find(run) as usize] = true);
                continue;
            }
            if word & 1 == 1 {
                touches[sets.find(first) as usize] = true;
            }
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

    /// Number of components that touch a side.
    pub(super) const fn outer_count(&self) -> u16 {
        self.outer_count
    }

    /// Number of components that touch none.
    pub(super) const fn inner_count(&self) -> u16 {
        self.inner_count
    }

    /// The component of the one at `bit` of `word`, which is the chunk's row `row`.
    #[inline]
    pub(super) fn component(&self, word: u64, row: usize, bit: u32) -> u16 {
        self.component_of_run(row, run_of_bit(word, bit))
    }

    pub(super) fn memory(&self) -> usize {
        size_of::<Self>() + self.components.len() * size_of::<u16>()
    }

    #[inline]
    fn component_of_run(&self, row: usize, run: u32) -> u16 {
        self.components[usize::from(self.first_run[row]) + run as usize]
    }

    /// The component of the last run of `row`, which has one.
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

/// Appends the pairs of components of chunk `a` at `place` (column and row) and of its neighbour `b` at (`dx`, `dy`) that
/// touch.
pub(super) fn link(
    layer: &BitGrid,
    a: &Chunk,
    place: (usize, usize),
    b: &Chunk,
    (dx, dy): (isize, isize),
    diagonal: bool,
    links: &mut Vec<(u16, u16)>,
) {
    let (column, row) = place;
    let (to_column, to_row) = (column.wrapping_add_signed(dx), row.wrapping_add_signed(dy));
    let last = CHUNK_SIDE - 1;
    let mut add = |link: (u16, u16)| {
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
                add((a.component_of_last_run(line), b.component_of_run(other, 0)));
            }
        }
        return;
    }
    // Corners touch.
    let (bit, to_bit) = if dx == 1 { (63, 0) } else { (0, 63) };
    let (word, to_word) = (word_of(layer, column, row, last), word_of(layer, to_column, to_row, 0));
    if word >> bit & to_word >> to_bit & 1 == 1 {
        add((a.component(word, last, bit), b.component(to_word, 0, to_bit)));
    }
}

/// The words of a chunk, zeros behind the grid's last row.
fn rows_of(layer: &BitGrid, column: usize, row: usize) -> [u64; CHUNK_SIDE] {
    let shape = layer.shape();
    let mut words = [0; CHUNK_SIDE];
    let first = row * CHUNK_SIDE;
    for (word, y) in words.iter_mut().zip(first..shape.rows()) {
        *word = layer.words()[y * shape.stride_words() + column];
    }
    words
}

/// The word of a chunk's row `line`, zero behind the grid's last row.
#[inline]
fn word_of(layer: &BitGrid, column: usize, row: usize, line: usize) -> u64 {
    let shape = layer.shape();
    let y = row * CHUNK_SIDE + line;
    if y < shape.rows() { layer.words()[y * shape.stride_words() + column] } else { 0 }
}

/// The first bit of each run of ones.
#[inline]
const fn run_starts(word: u64) -> u64 {
    word & !(word << 1)
}

/// The number of the run that holds the one at `bit`, counted from the lowest.
#[inline]
const fn run_of_bit(word: u64, bit: u32) -> u32 {
    (run_starts(word) << (63 - bit)).count_ones() - 1
}

/// Calls `touch` with each pair of a run of `above` and a run of `below` that touch, at a corner too where `diagonal`;
/// returns the number of runs of `below`.
#[inline]
fn for_each_touch(above: u64, below: u64, diagonal: bool, mut touch: impl FnMut(u32, u32)) -> u32 {
    let (starts_above, starts) = (run_starts(above), run_starts(below));
    if diagonal {
        for shift in [-1_i32, 0, 1] {
            let shifted = match shift {
                -1 => below >> 1,
                0 => below,
                _ => below << 1,
            };
            let mut common = run_starts(above & shifted);
            while common != 0 {
                let bit = common.trailing_zeros();
                touch(run_of_bit(above, bit), run_of_bit(below, bit.wrapping_add_signed(-shift)));
                common &= common - 1;
            }
        }
        return starts.count_ones();
    }
    // Each run of common bits lies in one run above and one below, and begins where one of them does. Runs are counted on
    // the way, as counting bits takes long on processors that are not known to count them.
    let common = run_starts(above & below);
    let mut events = starts_above | starts;
    let (mut from, mut to) = (0, 0);
    while events != 0 {
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
