use super::union_find::UnionFind;
use crate::bitgrid::BitGrid;

/// Side of a chunk, in padded cells: one word.
pub(super) const CHUNK_SIDE: usize = 64;

/// The components of one chunk, one number for each run of ones in each row.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Chunk {
    /// The place in `components` of each row's first run.
    first_run: Vec<u16>,
    /// The component of each run, row by row from the left.
    components: Vec<u16>,
    component_count: u16,
}

impl Chunk {
    pub(super) fn build(layer: &BitGrid, column: usize, row: usize, diagonal: bool) -> Self {
        let words = rows_of(layer, column, row);
        let mut first_run = Vec::with_capacity(CHUNK_SIDE);
        let mut runs = 0;
        for word in words {
            first_run.push(runs as u16);
            runs += run_starts(word).count_ones();
        }
        let mut sets = UnionFind::new(runs);
        for row in 1..CHUNK_SIDE {
            let (above, below) = (words[row - 1], words[row]);
            for_each_touch(above, below, diagonal, |from, to| {
                sets.join(u32::from(first_run[row - 1]) + from, u32::from(first_run[row]) + to);
            });
        }
        let mut components = Vec::new();
        let component_count = sets.name_sets(&mut components, |n| n as u16) as u16;
        components.shrink_to_fit();
        Self { first_run, components, component_count }
    }

    pub(super) const fn component_count(&self) -> u16 {
        self.component_count
    }

    /// The component of the one at `bit` of `word`, which is the chunk's row `row`.
    #[inline]
    pub(super) fn component(&self, word: u64, row: usize, bit: u32) -> u16 {
        self.component_of_run(row, run_of_bit(word, bit))
    }

    pub(super) fn memory(&self) -> usize {
        (self.first_run.len() + self.components.len()) * size_of::<u16>()
    }

    #[inline]
    fn component_of_run(&self, row: usize, run: u32) -> u16 {
        self.components[usize::from(self.first_run[row]) + run as usize]
    }
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
    let ours = rows_of(layer, column, row);
    let theirs = rows_of(layer, column.wrapping_add_signed(dx), row.wrapping_add_signed(dy));
    let last = CHUNK_SIDE - 1;
    // The row and bit at which the two touch are corners for a diagonal neighbour.
    let mut touch = |our_row: usize, our_bit: u32, their_row: usize, their_bit: u32| {
        let (ours, theirs) = (ours[our_row], theirs[their_row]);
        if ours >> our_bit & theirs >> their_bit & 1 == 1 {
            links.push((a.component(ours, our_row, our_bit), b.component(theirs, their_row, their_bit)));
        }
    };
    match (dx, dy) {
        (1, 0) => {
            for row in 0..CHUNK_SIDE {
                touch(row, 63, row, 0);
                if diagonal {
                    if row > 0 {
                        touch(row, 63, row - 1, 0);
                    }
                    if row < last {
                        touch(row, 63, row + 1, 0);
                    }
                }
            }
        }
        (0, 1) => for_each_touch(ours[last], theirs[0], diagonal, |from, to| {
            links.push((a.component_of_run(last, from), b.component_of_run(0, to)));
        }),
        (1, 1) => touch(last, 63, 0, 0),
        _ => touch(last, 0, 0, 63),
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

/// Calls `touch` with each pair of a run of `above` and a run of `below` that touch, at a corner too where `diagonal`.
fn for_each_touch(above: u64, below: u64, diagonal: bool, mut touch: impl FnMut(u32, u32)) {
    if !diagonal {
        // Each run of common bits lies in one run above and one below.
        let mut starts = run_starts(above & below);
        while starts != 0 {
            let bit = starts.trailing_zeros();
            touch(run_of_bit(above, bit), run_of_bit(below, bit));
            starts &= starts - 1;
        }
        return;
    }
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
}
