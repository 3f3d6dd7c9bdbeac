//! The floors inside the cells of a level, as data.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::body::Body;

/// The steepest ground that carries, in radians: Godot's `floor_max_angle`, and its tolerance.
const ANGLE_MAX: f64 = std::f64::consts::FRAC_PI_4 + 0.01;

/// The floor of a cell: straight between two heights above the lower edge of the cell, in px. Above it all is
/// free, below it all is ground.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FloorShape {
    /// Height at the left edge of the cell.
    pub left: f64,
    /// Height at the right edge.
    pub right: f64,
    /// If `true`, it carries from above and is free from below and from the sides.
    pub one_way: bool,
}

/// The floors of a level.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Floors {
    /// The cells that have one, in the layout of the level's words.
    pub(super) cells: Vec<u64>,
    /// Solid cells and those of floors that are not one-way.
    pub(super) blocks: Vec<u64>,
    /// How many floors lie before each word.
    before: Vec<u32>,
    shapes: Vec<FloorShape>,
    /// The heights above the lower edge at which floors of each row begin and end, from the highest, and the
    /// bits of their cells.
    pub(super) ends: Vec<Vec<(f64, i32)>>,
    /// The steepest slope that carries: its tangent.
    pub(super) slope_max: f64,
    pub(super) stands: Stands,
}

/// Where bodies stand, as far as it was asked: finding it takes some hundred times as long as on cells.
#[derive(Default, Debug)]
pub(super) struct Stands(Mutex<HashMap<StandOfBody, Option<(f64, f64)>>>);

/// Column and row, and the bits of what matters of a body.
type StandOfBody = ((i32, i32), [u64; 3]);

impl Stands {
    /// What `find` returns, which is asked once for a body and a cell.
    pub(super) fn at(
        &self,
        cell: (i32, i32),
        body: &Body,
        find: impl FnOnce() -> Option<(f64, f64)>,
    ) -> Option<(f64, f64)> {
        let sides = [body.half_width, body.height, body.support_half_width];
        let key = (cell, sides.map(f64::to_bits));
        // Nothing panics while it is locked.
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lock().get(&key).copied();
        known.unwrap_or_else(|| {
            let found = find();
            lock().insert(key, found);
            found
        })
    }
}

impl Clone for Stands {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for Stands {
    fn eq(&self, _: &Self) -> bool {
        true // It follows from the rest.
    }
}

impl Floors {
    /// `cells` has the bits of `shapes`, which are in the order of the bits.
    pub(super) fn new(
        cells: Vec<u64>,
        mut blocks: Vec<u64>,
        shapes: Vec<FloorShape>,
        words_a_row: usize,
    ) -> Self {
        let (mut before, mut count) = (Vec::with_capacity(cells.len()), 0);
        let mut ends = vec![Vec::new(); cells.len() / words_a_row];
        for (at, &word) in cells.iter().enumerate() {
            before.push(count);
            for bit in (0..64).filter(|bit| word >> bit & 1 == 1) {
                let shape = shapes[count as usize];
                blocks[at] |= u64::from(!shape.one_way) << bit;
                let place = (at % words_a_row) as i32 * 64 + bit;
                ends[at / words_a_row].extend([(shape.left, place), (shape.right, place)]);
                count += 1;
            }
        }
        for ends in &mut ends {
            ends.sort_by(|a: &(f64, i32), b| b.0.total_cmp(&a.0));
        }
        let (slope_max, stands) = (ANGLE_MAX.tan(), Stands::default());
        Self { cells, blocks, before, shapes, ends, slope_max, stands }
    }

    pub(super) fn get(&self, word: usize, bit: u32) -> Option<FloorShape> {
        let bits = self.cells[word];
        let rank = (bits & ((1 << bit) - 1)).count_ones();
        (bits >> bit & 1 == 1).then(|| self.shapes[(self.before[word] + rank) as usize])
    }

    /// Whether a word has the same floors in another level.
    pub(super) fn same(&self, other: &Self, word: usize) -> bool {
        let shapes =
            |floors: &Self| -> Vec<Option<FloorShape>> { (0..64).map(|bit| floors.get(word, bit)).collect() };
        self.cells[word] == other.cells[word] && (self.cells[word] == 0 || shapes(self) == shapes(other))
    }
}
