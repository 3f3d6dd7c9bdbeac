//! Backward reachability: a superset of the cells from which a goal can be reached, 64 cells a word.
//!
//! A cell is *viable* if the goal may be reached from it by these steps: down and sideways wherever the body
//! fits, and up wherever it can have risen from some ground, with at most one step sideways between two steps
//! up. The rules of jump values allow less, so every cell of every path is viable. A search over viable cells
//! alone finds the same least cost, and if the start is not viable there is no path. On a ledge that is too
//! high to jump to, that ends a search that would expand the rest of the level.
//!
//! Takes a few passes over the words and one for each row of a jump.

use pathforge_core::bitgrid::WordPages;
use pathforge_core::bitgrid::{BitGrid, GridLayout};
use pathforge_core::primitives::GridPoint;
use pathforge_core::surfaces::BodyLayers;

/// Sweeps over the level before giving up: a path through a maze turns back often, and each turn takes a
/// sweep.
const SWEEPS_MAX: usize = 24;

/// Padded bit rows, laid out as those of a layer, reused by the next search.
#[derive(Clone, Debug, Default)]
pub(super) struct BackwardReachability {
    /// Cells that a step up can lead to.
    risen: Vec<u64>,
    /// The cells reached after so many rises: the row below, and the row computed from it.
    rising: [Vec<u64>; 2],
    viable: Vec<u64>,
    /// A row of the layer.
    row: Vec<u64>,
}

impl BackwardReachability {
    /// Computes the viable cells of paths from `start` to `goal` with jumps of `height` cells; `None` if it
    /// gave up.
    pub(super) fn compute(
        &mut self,
        layers: &BodyLayers,
        (start, goal): (GridPoint, GridPoint),
        height: u32,
    ) -> Option<WordPages> {
        let layout = layers.fits().layout();
        self.find_risen(layers, start, height);
        let fits = layers.fits();
        self.viable.clear();
        self.viable.resize(fits.words().len(), 0);
        let goal = goal.index(layout);
        self.viable[goal.word()] |= 1 << goal.bit();
        let stride = layout.stride_words();
        fill_row(
            row_mut(&mut self.viable, goal.word() / stride, stride),
            fits.row_words(goal.word() / stride, &mut self.row),
        );
        // Each pass goes the way that its steps propagate, so one sweep follows a fall or a climb of any
        // length.
        for _ in 0..SWEEPS_MAX {
            // Rows are padded: the first and the last stay empty.
            let mut changed = false;
            // Upwards: a step down leads to the row below.
            for y in (1..layout.rows() - 2).rev() {
                changed |= self.spread(fits, layout, (y + 1, y), false);
            }
            // Downwards: a step up leads to the row above.
            for y in 2..layout.rows() - 1 {
                changed |= self.spread(fits, layout, (y - 1, y), true);
            }
            if !changed {
                return Some(WordPages::from(&self.viable[..]));
            }
        }
        None
    }

    /// Marks the cells of row `to` from which a step leads to a viable cell of row `from`, and all cells
    /// beside them. Steps up count only to cells that can be risen to. Returns `true` if any is new.
    fn spread(
        &mut self,
        fits: &BitGrid,
        layout: GridLayout,
        (from, to): (usize, usize),
        upwards: bool,
    ) -> bool {
        let stride = layout.stride_words();
        let mut changed = 0;
        for word in 0..stride {
            let mut source = self.viable[from * stride + word];
            if upwards {
                source &= self.risen[from * stride + word];
            }
            let target = &mut self.viable[to * stride + word];
            let new = source & fits.words()[to * stride + word] & !*target;
            *target |= new;
            changed |= new;
        }
        // A row whose runs are filled stays filled, so unchanged rows need no second look.
        if changed != 0 {
            fill_row(row_mut(&mut self.viable, to, stride), fits.row_words(to, &mut self.row));
        }
        changed != 0
    }

    /// Finds the cells that a step up can lead to: by one to `height` rises from ground or from the start,
    /// each after at most one step sideways.
    fn find_risen(&mut self, layers: &BodyLayers, start: GridPoint, height: u32) {
        let (fits, ground) = (layers.fits(), layers.ground());
        let (layout, stride) = (fits.layout(), fits.layout().stride_words());
        let start = start.index(layout);
        self.risen.clear();
        self.risen.resize(fits.words().len(), 0);
        for line in &mut self.rising {
            line.clear();
            line.resize(stride, 0);
        }
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        for y in 1..layout.rows() - 1 {
            let [below, here] = &mut self.rising;
            ground.words().copy_to(below, y * stride);
            // A start in the air may have a jump left, see `JumpProfile::air_start_value`.
            if start.word() / stride == y {
                below[start.word() % stride] |= 1 << start.bit();
            }
            // Most rows have no ground in them.
            if below.iter().all(|&word| word == 0) {
                continue;
            }
            for rise in 1..=(height as usize).min(y - 1) {
                let below_fits = fits.row_words(y - rise + 1, &mut lower);
                let here_fits = fits.row_words(y - rise, &mut upper);
                let mut any = 0;
                for word in 0..stride {
                    let beside = beside(below, word) & below_fits[word];
                    here[word] = (below[word] | beside) & here_fits[word];
                    self.risen[(y - rise) * stride + word] |= here[word];
                    any |= here[word];
                }
                // No row above can be reached either.
                if any == 0 {
                    break;
                }
                std::mem::swap(below, here);
            }
        }
    }
}

fn row_mut(words: &mut [u64], y: usize, stride: usize) -> &mut [u64] {
    &mut words[y * stride..(y + 1) * stride]
}

/// The bits beside the ones of a row, in one of its words. Bit 0 is the leftmost column.
fn beside(row: &[u64], word: usize) -> u64 {
    let left = if word > 0 { row[word - 1] >> 63 } else { 0 };
    let right = if word + 1 < row.len() { row[word + 1] << 63 } else { 0 };
    row[word] << 1 | left | row[word] >> 1 | right
}

/// Fills each run of ones of `open` in which `row` has a one.
fn fill_row(row: &mut [u64], open: &[u64]) {
    let mut carry = 0;
    for (word, &open) in row.iter_mut().zip(open) {
        // A run that goes on in the next word is seeded there by its last bit.
        *word = fill_upwards(*word | carry & open, open);
        carry = *word >> 63;
    }
    carry = 0;
    for (word, &open) in row.iter_mut().zip(open).rev() {
        // Downwards is upwards in the mirrored word, which has one code path to test.
        let mirrored = fill_upwards((*word | carry & open).reverse_bits(), open.reverse_bits());
        *word = mirrored.reverse_bits();
        carry = *word << 63;
    }
}

/// Fills runs of `open` from the ones of `seeds` towards higher bits.
fn fill_upwards(seeds: u64, open: u64) -> u64 {
    let (mut filled, mut through) = (seeds, open);
    // Kogge–Stone: each step doubles the distance, so six reach across a word; `through` holds runs open over
    // that distance.
    for shift in [1, 2, 4, 8, 16, 32] {
        filled |= filled << shift & through;
        through &= through << shift;
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;
    use pathforge_core::geometry::{Cell, Footprint};
    use pathforge_core::terrain::Terrain;
    use pathforge_core::world::World;

    #[test]
    fn runs_are_filled_across_words() {
        let open = [0b1110 | 1 << 63, u64::MAX, 0b111];
        let mut row = [0, 1 << 40, 0];
        fill_row(&mut row, &open);
        assert_eq!(row, [1 << 63, u64::MAX, 0b111]);
        let mut row = [0b100, 0, 0];
        fill_row(&mut row, &open);
        assert_eq!(row, [0b1110, 0, 0]);
    }

    #[test]
    fn a_ledge_that_is_too_high_is_viable_from_above_only() {
        let text = "......
                    ...###
                    ......
                    ......
                    ######";
        let terrain = Terrain::from_text(text, Cell::default()).unwrap();
        let layout = terrain.layout();
        let layers = World::from_terrain(terrain).body_layers(Footprint::ONE);
        let mut reachability = BackwardReachability::default();
        let mut is_viable = |height: u32, x: u32, y: u32| {
            let viable = reachability
                .compute(&layers, (GridPoint::of_cell(0, 3), GridPoint::of_cell(5, 0)), height)
                .unwrap();
            let at = layout.index(x, y);
            viable[at.word()] >> at.bit() & 1 == 1
        };
        assert!(is_viable(3, 0, 3) && is_viable(3, 5, 2) && is_viable(3, 0, 0));
        assert!(!is_viable(2, 0, 3) && !is_viable(2, 5, 2) && is_viable(2, 0, 0));
    }
}
