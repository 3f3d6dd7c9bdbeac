//! Which cells may lead to a goal: a look backwards from it that forgets jump values, a row of 64 cells at a time.
//!
//! A cell is *leading* when the goal may be reached from it by steps down and sideways wherever the character fits, and
//! steps up wherever it can have risen from some ground, sideways once between two steps up. That is more than the rule
//! of jump values allows, so every cell of every way is leading: a search that leaves out the others finds the same
//! cheapest cost, and where the start is not leading there is no way. On ledges that are too high to jump to this ends
//! at once what would be a search through all the rest of the level.

use super::BodyLayers;
use crate::bitgrid::{BitGrid, Shape};
use crate::pages::WordPages;
use crate::search::Spot;

/// Sweeps over the level after which the look is given up: in a maze it may not be worth it.
const SWEEPS_MAX: usize = 24;

/// The memory of a look backwards: padded bit rows, laid out as those of a layer.
#[derive(Clone, Debug, Default)]
pub(super) struct Backward {
    /// Cells that a step up can lead to.
    risen: Vec<u64>,
    /// The same after so many rises, one row at a time: the row below, and the one that is made from it.
    rising: [Vec<u64>; 2],
    leading: Vec<u64>,
    /// The same for a search to read, when all is found.
    found: WordPages,
    /// A row of the layer.
    row: Vec<u64>,
}

impl Backward {
    pub(super) fn memory(&self) -> usize {
        (self.risen.capacity() + self.leading.capacity()) * size_of::<u64>() + self.found.memory()
    }

    /// The leading cells for a way from `start` to `goal` with jumps of `height` cells, one bit each; `None` when the look
    /// was given up. Takes a few passes over the words, and `height` more.
    pub(super) fn look(
        &mut self,
        layers: &BodyLayers,
        (start, goal): (Spot, Spot),
        height: u32,
    ) -> Option<&WordPages> {
        let shape = layers.fits().shape();
        self.find_risen(layers, start, height);
        let fits = layers.fits();
        self.leading.clear();
        self.leading.resize(fits.words().len(), 0);
        let goal = goal.index(shape);
        self.leading[goal.word()] |= 1 << goal.bit();
        let stride = shape.stride_words();
        fill_row(
            row_mut(&mut self.leading, goal.word() / stride, stride),
            fits.row_words(goal.word() / stride, &mut self.row),
        );
        for _ in 0..SWEEPS_MAX {
            let mut changed = false;
            // From below upwards: a step down leads to the row below.
            for y in (1..shape.rows() - 2).rev() {
                changed |= self.spread(fits, shape, (y + 1, y), false);
            }
            // From above downwards: a step up leads to the row above.
            for y in 2..shape.rows() - 1 {
                changed |= self.spread(fits, shape, (y - 1, y), true);
            }
            if !changed {
                self.found = WordPages::from(&self.leading[..]);
                return Some(&self.found);
            }
        }
        None
    }

    /// Makes those cells of row `to` leading from which a step leads to a leading one of row `from`, upwards only where it
    /// can have risen, and all beside them; returns whether there were any.
    fn spread(&mut self, fits: &BitGrid, shape: Shape, (from, to): (usize, usize), upwards: bool) -> bool {
        let stride = shape.stride_words();
        let mut changed = 0;
        for word in 0..stride {
            let mut source = self.leading[from * stride + word];
            if upwards {
                source &= self.risen[from * stride + word];
            }
            let target = &mut self.leading[to * stride + word];
            let new = source & fits.words()[to * stride + word] & !*target;
            *target |= new;
            changed |= new;
        }
        if changed != 0 {
            fill_row(row_mut(&mut self.leading, to, stride), fits.row_words(to, &mut self.row));
        }
        changed != 0
    }

    /// Finds the cells that a step up can lead to: in one to `height` rises from ground or from the start, each after at
    /// most one step sideways.
    fn find_risen(&mut self, layers: &BodyLayers, start: Spot, height: u32) {
        let (fits, ground) = (layers.fits(), layers.ground());
        let (shape, stride) = (fits.shape(), fits.shape().stride_words());
        let start = start.index(shape);
        self.risen.clear();
        self.risen.resize(fits.words().len(), 0);
        for line in &mut self.rising {
            line.clear();
            line.resize(stride, 0);
        }
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        for y in 1..shape.rows() - 1 {
            let [below, here] = &mut self.rising;
            ground.words().copy_to(below, y * stride);
            if start.word() / stride == y {
                below[start.word() % stride] |= 1 << start.bit();
            }
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

/// The bits beside the ones of a row, in one of its words.
fn beside(row: &[u64], word: usize) -> u64 {
    let left = if word > 0 { row[word - 1] >> 63 } else { 0 };
    let right = if word + 1 < row.len() { row[word + 1] << 63 } else { 0 };
    row[word] << 1 | left | row[word] >> 1 | right
}

/// Fills each run of ones of `open` that `row` has a one of.
fn fill_row(row: &mut [u64], open: &[u64]) {
    let mut carry = 0;
    for (word, &open) in row.iter_mut().zip(open) {
        *word = fill_upwards(*word | carry & open, open);
        carry = *word >> 63;
    }
    carry = 0;
    for (word, &open) in row.iter_mut().zip(open).rev() {
        let mirrored = fill_upwards((*word | carry & open).reverse_bits(), open.reverse_bits());
        *word = mirrored.reverse_bits();
        carry = *word << 63;
    }
}

/// Fills runs of `open` from their ones of `seeds` towards higher bits, twice as far with each step.
fn fill_upwards(seeds: u64, open: u64) -> u64 {
    let (mut filled, mut through) = (seeds, open);
    for shift in [1, 2, 4, 8, 16, 32] {
        filled |= filled << shift & through;
        through &= through << shift;
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Cell, Footprint};
    use crate::platformer::PlatformerMap;

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
    fn a_ledge_that_is_too_high_is_led_to_from_above_only() {
        let text = "......
                    ...###
                    ......
                    ......
                    ######";
        let map = PlatformerMap::from_text(text, Cell::default()).unwrap();
        let layers = BodyLayers::build(&map, Footprint::ONE);
        let shape = map.shape();
        let mut backward = Backward::default();
        let mut leads = |height: u32, x: u32, y: u32| {
            let leading = backward.look(&layers, (Spot::of(0, 3), Spot::of(5, 0)), height).unwrap();
            let at = shape.index(x, y);
            leading[at.word()] >> at.bit() & 1 == 1
        };
        assert!(leads(3, 0, 3) && leads(3, 5, 2) && leads(3, 0, 0));
        assert!(!leads(2, 0, 3) && !leads(2, 5, 2) && leads(2, 0, 0));
    }
}
