use super::Spot;
use super::buckets::Buckets;
use super::far_buckets::FarBuckets;
use crate::bitgrid::{PaddedIndex, Shape};

/// The parent of a search's start.
pub(super) const NO_NODE: u32 = u32::MAX;

/// The memory of a search, to be used again by the next one: after a few searches none allocates.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(super) jump_nodes: JumpNodes,
    pub(super) jump_frontier: FarBuckets,
    pub(super) visited: Visited,
    pub(super) buckets: Buckets,
}

impl Scratch {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.jump_nodes.memory() + self.jump_frontier.memory() + self.visited.memory() + self.buckets.memory()
    }
}

/// A jump point that a search has reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct JumpNode {
    pub(super) spot: Spot,
    /// Number of the direction that it was reached in.
    pub(super) arrival: u8,
    /// Cost so far, in units.
    pub(super) g: u32,
    pub(super) parent: u32,
}

/// A few nodes of a large grid, found by their spot in a table of numbers, whose size is that of the search, not of the map:
/// what a query touches stays in the nearest caches, however large the map.
#[derive(Clone, Debug, Default)]
pub(super) struct JumpNodes {
    /// For each place the number of a node or [`NO_NODE`]. A node is at the place that its spot is hashed to, or behind it.
    table: Vec<u32>,
    /// Places of the table that this search uses, a power of two of which at most half is taken.
    places: usize,
    nodes: Vec<JumpNode>,
}

/// Places of the table that a search begins with.
const PLACES_MIN: usize = 256;

impl JumpNodes {
    /// Forgets all nodes.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.empty_table(PLACES_MIN);
    }

    fn empty_table(&mut self, places: usize) {
        self.places = places;
        if self.table.len() < places {
            self.table = vec![NO_NODE; places];
        } else {
            self.table[..places].fill(NO_NODE);
        }
    }

    /// The number of the node at `spot`, or, when it was not reached, the place for [`JumpNodes::insert`].
    #[inline]
    pub(super) fn find(&self, spot: Spot) -> Result<u32, usize> {
        let key = u32::from(spot.y) << 16 | u32::from(spot.x);
        // Multiples of the golden ratio lie far apart, whatever the spots.
        let mut place =
            (key.wrapping_mul(0x9e37_79b9) >> (u32::BITS - self.places.trailing_zeros())) as usize;
        loop {
            let number = self.table[place];
            if number == NO_NODE {
                return Err(place);
            }
            if self.nodes[number as usize].spot == spot {
                return Ok(number);
            }
            place = (place + 1) & (self.places - 1);
        }
    }

    /// Adds a node at the place that [`JumpNodes::find`] gave for its spot; returns its number.
    #[inline]
    pub(super) fn insert(&mut self, place: usize, node: JumpNode) -> u32 {
        let number = self.nodes.len() as u32;
        self.table[place] = number;
        self.nodes.push(node);
        if self.nodes.len() * 2 > self.places {
            self.grow();
        }
        number
    }

    #[cold]
    fn grow(&mut self) {
        self.empty_table(2 * self.places);
        for number in 0..self.nodes.len() {
            if let Err(place) = self.find(self.nodes[number].spot) {
                self.table[place] = number as u32;
            }
        }
    }

    #[inline]
    pub(super) fn node(&self, slot: u32) -> &JumpNode {
        &self.nodes[slot as usize]
    }

    #[inline]
    pub(super) fn node_mut(&mut self, slot: u32) -> &mut JumpNode {
        &mut self.nodes[slot as usize]
    }

    fn memory(&self) -> usize {
        self.table.len() * size_of::<u32>() + self.nodes.capacity() * size_of::<JumpNode>()
    }
}

/// One word for each padded cell: from the top, 27 bits of age, 32 bits of cost so far, 4 bits for the direction of
/// arrival, one bit for "not expanded yet". The age counts down from search to search, so a word of an older search is
/// greater than any of this one: one comparison tells both whether a cell is new and whether a cost is better.
///
/// Words are kept inverted, so that zeros from the system, which cost nothing until they are touched, mean "oldest".
#[derive(Clone, Debug, Default)]
pub(super) struct Visited {
    words: Vec<u64>,
    age: u64,
}

const AGE_SHIFT: u32 = 37;
const COST_SHIFT: u32 = 5;
const ARRIVAL_SHIFT: u32 = 1;
const WAITING: u64 = 1;
const BELOW_COST: u64 = (1 << COST_SHIFT) - 1;
const AGE_OLDEST: u64 = (1 << 27) - 1;

impl Visited {
    /// Forgets all cells and makes room for grids of `shape`.
    pub(super) fn clear(&mut self, shape: Shape) -> VisitedCells<'_> {
        if self.words.len() < shape.padded_len() || self.age == 0 {
            self.words = vec![0; shape.padded_len()];
            self.age = AGE_OLDEST;
        }
        self.age -= 1;
        VisitedCells { words: &mut self.words, age: self.age << AGE_SHIFT }
    }

    fn memory(&self) -> usize {
        self.words.len() * size_of::<u64>()
    }
}

/// The cells of one search.
pub(super) struct VisitedCells<'a> {
    words: &'a mut [u64],
    age: u64,
}

impl VisitedCells<'_> {
    /// Notes that a cell is reached with cost `g` by a step in direction `arrival`, if that is cheaper than before;
    /// returns whether it was.
    #[inline]
    pub(super) fn improve(&mut self, index: usize, g: u32, arrival: u8) -> bool {
        let word = &mut self.words[index];
        let new = self.age | u64::from(g) << COST_SHIFT;
        let better = new < !*word & !BELOW_COST;
        if better {
            *word = !(new | u64::from(arrival) << ARRIVAL_SHIFT | WAITING);
        }
        better
    }

    /// Marks a cell that was reached just now as expanded.
    #[inline]
    pub(super) fn close(&mut self, index: usize) {
        // Inverted as the word is.
        self.words[index] |= WAITING;
    }

    /// Marks a cell that this search has reached as expanded; returns its cost and the direction of its arrival, or `None`
    /// if it was expanded before.
    #[inline]
    pub(super) fn expand(&mut self, index: usize) -> Option<(u32, u8)> {
        let word = !self.words[index];
        self.words[index] = !(word & !WAITING);
        (word & WAITING != 0).then_some(((word >> COST_SHIFT) as u32, (word >> ARRIVAL_SHIFT & 0xf) as u8))
    }

    /// The direction of the step that reached a cell in this search; the cell must have been.
    #[inline]
    pub(super) fn arrival(&self, index: usize) -> u8 {
        (!self.words[index] >> ARRIVAL_SHIFT & 0xf) as u8
    }
}

/// The place of `spot` in arrays of one element a padded cell.
#[inline]
pub(super) const fn place(x: u32, y: u32, shape: Shape) -> usize {
    PaddedIndex::new(y as usize * shape.stride() + x as usize).get()
}
