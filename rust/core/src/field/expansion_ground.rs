//! The data of a cell that bucketed Dijkstra needs beside its cost, in one load of two bytes: its legal
//! moves, whether it is locally uniform, and the number of its step cost.
//!
//! Layers keep these in pages, one array each, so that repairs copy little. An expansion visits cells in the
//! order of their costs. Three loads, each by way of a pointer to its page, took two fifths of its time on
//! weights (field bench). Invariant: these bytes agree with the layers, and depend on the ground alone.

use std::ops::Range;

use super::ground::FieldGround;
use crate::bitgrid::ones;
use crate::cost::StepCost;
use crate::geometry::DiagonalMode;
use crate::pages::{NumberPages, NumberView};

/// The bit of a cell that is not locally uniform, or of any cell in a diagonal mode without pruning.
pub(super) const NOT_UNIFORM: u16 = 1 << 8;
/// Above this many bits, which are the legal moves and [`NOT_UNIFORM`], is the number of the step cost.
const NUMBER_SHIFT: u32 = 9;
/// Step costs that get numbers, in the order in which they are met. Maps have few: weights and terrains give
/// some ten.
const NUMBERS: usize = 127;
/// The number of all others, which are looked up in the layer.
const OTHER: usize = NUMBERS;
/// Places of the hash table of step costs: few of them share one.
const PLACES: usize = 1024;
/// Cells whose step costs are compared at once.
const RUN: usize = 8;
/// Cells in a word of a layer.
const WORD: usize = 64;

/// The cells of a ground, two bytes each.
#[derive(Clone, Debug, Default)]
pub(super) struct ExpansionGround {
    cells: Vec<u16>,
    numbers: Numbers,
}

impl ExpansionGround {
    /// Forgets the numbers of an earlier ground.
    pub(super) fn start(&mut self, ground: &FieldGround<'_>) {
        self.cells.resize(ground.layout().padded_len(), 0);
        self.numbers.clear();
        if ground.costs.is_none() {
            self.numbers.find(StepCost::UNIT.pack());
        }
    }

    /// Fills in padded cells, whole words of them.
    pub(super) fn fill(&mut self, ground: &FieldGround<'_>, cells: Range<usize>) {
        let prunes = ground.mode() == DiagonalMode::OnlyIfNoObstacles;
        for word in cells.start / WORD..cells.end / WORD {
            let placements = ground.placements.words()[word];
            let range = word * WORD..(word + 1) * WORD;
            let target = &mut self.cells[range.clone()];
            for (cell, &moves) in target.iter_mut().zip(ground.arrivals.bytes().block(range.clone())) {
                *cell = u16::from(moves);
            }
            let uniform = match (ground.uniform(), ground.costs) {
                _ if !prunes => 0,
                (Some(uniform), _) => uniform[word],
                (None, None) => u64::MAX,
                (None, Some(_)) => 0,
            };
            if let Some(packed) = ground.packed().filter(|_| placements != 0) {
                self.numbers.add_to(target, packed.block(range));
            }
            // What is no placement is never taken.
            ones(placements & !uniform).for_each(|cell| target[cell % WORD] |= NOT_UNIFORM);
        }
    }

    /// For the loops of an expansion; `packed` are the step costs of the ground.
    pub(super) fn view<'a>(&'a self, packed: Option<&'a NumberPages>) -> GroundView<'a> {
        let packed = packed.map(NumberPages::view);
        GroundView { cells: &self.cells, steps: &self.numbers.steps, packed }
    }
}

/// Packed step costs and their numbers.
#[derive(Clone, Debug)]
struct Numbers {
    /// The step costs by number.
    steps: [u32; NUMBERS + 1],
    count: usize,
    /// A hash table: a step cost in the upper half, its number plus 1 in the lower one; 0 where there is
    /// none.
    places: Box<[u64; PLACES]>,
}

impl Default for Numbers {
    fn default() -> Self {
        Self { steps: [0; NUMBERS + 1], count: 0, places: Box::new([0; PLACES]) }
    }
}

impl Numbers {
    fn clear(&mut self) {
        self.count = 0;
        self.places.fill(0);
    }

    /// Adds the numbers of step costs to what is known of their cells. Where there is no placement the cost
    /// is 0, and the number any.
    fn add_to(&mut self, cells: &mut [u16], packed: &[u32]) {
        for (cells, packed) in cells.chunks_exact_mut(RUN).zip(packed.chunks_exact(RUN)) {
            let all = packed.iter().fold(0, |all, &packed| all | packed);
            let differs =
                packed.iter().fold(false, |differs, &packed| differs | (packed != all && packed != 0));
            if !differs {
                // Mostly all cost the same.
                let number = self.number(all);
                for cell in cells {
                    *cell |= number;
                }
                continue;
            }
            for (cell, &packed) in cells.iter_mut().zip(packed) {
                *cell |= self.number(packed);
            }
        }
    }

    /// The number of a step cost, at its place in a cell.
    #[inline]
    fn number(&mut self, packed: u32) -> u16 {
        let entry = self.places[hash(packed)];
        let number = if (entry >> 32) as u32 == packed { entry as u32 } else { self.find(packed) };
        (number.wrapping_sub(1) << NUMBER_SHIFT) as u16
    }

    /// The number of a step cost plus 1, which is not where its hash says or gets one now.
    #[cold]
    #[inline(never)]
    fn find(&mut self, packed: u32) -> u32 {
        let mut place = hash(packed);
        while self.places[place] != 0 {
            if (self.places[place] >> 32) as u32 == packed {
                return self.places[place] as u32;
            }
            place = (place + 1) % PLACES;
        }
        if self.count == NUMBERS {
            return OTHER as u32 + 1;
        }
        self.steps[self.count] = packed;
        self.count += 1;
        self.places[place] = u64::from(packed) << 32 | self.count as u64;
        self.count as u32
    }
}

/// The place of a step cost in the table: the upper bits of a product with the golden ratio (Knuth, *The Art
/// of Computer Programming* 3, 6.4).
const fn hash(packed: u32) -> usize {
    (packed.wrapping_mul(0x9e37_79b9) >> 22) as usize % PLACES
}

/// An [`ExpansionGround`] in registers.
#[derive(Clone, Copy)]
pub(super) struct GroundView<'a> {
    /// By padded index.
    pub(super) cells: &'a [u16],
    steps: &'a [u32; NUMBERS + 1],
    packed: Option<NumberView<'a>>,
}

impl GroundView<'_> {
    /// The packed cost of stepping onto the placement at `at`, of which `cells` says `ground`.
    #[inline]
    pub(super) fn step(&self, ground: u16, at: usize) -> u32 {
        let number = usize::from(ground >> NUMBER_SHIFT);
        if number == OTHER { self.step_in_layer(at) } else { self.steps[number] }
    }

    #[cold]
    #[inline(never)]
    fn step_in_layer(&self, at: usize) -> u32 {
        self.packed.map_or(0, |packed| *packed.at(at))
    }
}
