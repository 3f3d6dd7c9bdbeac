use super::grid_point::GridPoint;
use crate::bitgrid::GridLayout;

/// No node: the parent of a search's start, and an empty slot of a table.
pub(crate) const NO_NODE: u32 = u32::MAX;

/// A point that a search has reached, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchNode {
    pub(crate) point: GridPoint,
    /// Number of the direction that it was reached in.
    pub(crate) arrival: u8,
    /// Cost so far, in units.
    pub(crate) g: u32,
    /// Number of the node that it was reached from.
    pub(crate) parent: u32,
}

/// The nodes of a search that reaches few points of a large grid: a list, and a hash table from points to
/// places in it.
///
/// For jump-point search, whose nodes lie far apart: both are as large as the search, not as the map, so they
/// stay in the nearest caches. A search that reaches most points along its path is better off with
/// [`Visited`].
#[derive(Clone, Debug, Default)]
pub(crate) struct NodeTable {
    /// For each slot the number of a node or [`NO_NODE`]. A node is in the slot that its point is hashed to,
    /// or in the first that was free after it (linear probing).
    table: Vec<u32>,
    /// Slots of the table that this search uses, a power of two of which at most half is taken.
    slots: usize,
    nodes: Vec<SearchNode>,
}

/// Slots that a search begins with: 1 KB, which is emptied in some ten nanoseconds, less than a short search
/// takes. With half, a search of over 64 nodes grows its table once more; with double, each search empties
/// twice as much. Not tuned.
const SLOTS_MIN: usize = 256;

impl NodeTable {
    /// Forgets all nodes.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.empty_table(SLOTS_MIN);
    }

    fn empty_table(&mut self, slots: usize) {
        self.slots = slots;
        // The table keeps the length of the largest search, and a short one empties only the slots that it
        // uses.
        if self.table.len() < slots {
            self.table = vec![NO_NODE; slots];
        } else {
            self.table[..slots].fill(NO_NODE);
        }
    }

    /// The number of the node at `point`, or, if the search has not reached it, the slot for
    /// [`NodeTable::insert`].
    #[inline]
    pub(crate) fn find(&self, point: GridPoint) -> Result<u32, usize> {
        // Fibonacci hashing: multiples of the golden ratio lie far apart, also for points of one row or
        // column. The upper bits are the well-mixed ones.
        let hash = point.packed().wrapping_mul(0x9e37_79b9);
        let mut slot = (hash >> (u32::BITS - self.slots.trailing_zeros())) as usize;
        loop {
            let number = self.table[slot];
            if number == NO_NODE {
                return Err(slot);
            }
            if self.nodes[number as usize].point == point {
                return Ok(number);
            }
            slot = (slot + 1) & (self.slots - 1);
        }
    }

    /// Adds a node in the slot that [`NodeTable::find`] gave for its point; returns its number.
    #[inline]
    pub(crate) fn insert(&mut self, slot: usize, node: SearchNode) -> u32 {
        let number = self.nodes.len() as u32;
        self.table[slot] = number;
        self.nodes.push(node);
        // At most half of the slots are taken, so probes stay short and always end at an empty one.
        if self.nodes.len() * 2 > self.slots {
            self.grow();
        }
        number
    }

    #[cold]
    fn grow(&mut self) {
        self.empty_table(2 * self.slots);
        for number in 0..self.nodes.len() {
            // Always an empty slot, since points are distinct.
            if let Err(slot) = self.find(self.nodes[number].point) {
                self.table[slot] = number as u32;
            }
        }
    }

    #[inline]
    pub(crate) fn node(&self, number: u32) -> &SearchNode {
        &self.nodes[number as usize]
    }

    #[inline]
    pub(crate) fn node_mut(&mut self, number: u32) -> &mut SearchNode {
        &mut self.nodes[number as usize]
    }
}

/// The labels of a search for each padded cell of a map, each in one word, so that one comparison decides.
/// Bench `expansions`: together with compiling each direction on its own, 45 ns an expansion instead of 75.
///
/// From the top: 27 bits of age, 32 bits of cost so far, 4 bits for the direction of arrival, one bit for
/// "not expanded yet". The age counts down from search to search, so a word of an older search is greater
/// than any word of this one. One comparison tells both whether a cell is new and whether a cost is better,
/// and forgetting all cells takes O(1).
///
/// Words are kept inverted: zeros from the system, which cost nothing until they are touched, mean "oldest".
#[derive(Clone, Debug, Default)]
pub(crate) struct Visited {
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
    /// Forgets all cells, makes room for a grid of `layout` and returns its cells, for one search.
    pub(crate) fn clear(&mut self, layout: GridLayout) -> VisitedCells<'_> {
        // Ages are used up after 2²⁷ searches; then all words are made anew.
        if self.words.len() < layout.padded_len() || self.age == 0 {
            self.words = vec![0; layout.padded_len()];
            self.age = AGE_OLDEST;
        }
        self.age -= 1;
        VisitedCells { words: &mut self.words, age: self.age << AGE_SHIFT }
    }
}

/// The cells of one search, by padded index.
pub(crate) struct VisitedCells<'a> {
    words: &'a mut [u64],
    age: u64,
}

impl VisitedCells<'_> {
    /// Notes that a cell is reached with cost `g` by a step in direction `arrival`, if that costs less than
    /// before; returns whether it does.
    #[inline]
    pub(crate) fn improve(&mut self, index: usize, g: u32, arrival: u8) -> bool {
        self.note(index, g, u64::from(arrival) << ARRIVAL_SHIFT | WAITING)
    }

    /// As [`VisitedCells::improve`], for a cell that is expanded at once.
    #[inline]
    pub(crate) fn pass(&mut self, index: usize, g: u32, arrival: u8) -> bool {
        self.note(index, g, u64::from(arrival) << ARRIVAL_SHIFT)
    }

    #[inline]
    fn note(&mut self, index: usize, g: u32, below_cost: u64) -> bool {
        let word = &mut self.words[index];
        let new = self.age | u64::from(g) << COST_SHIFT;
        // The bits below the cost say nothing about it: without them, an equal cost is no improvement.
        let better = new < !*word & !BELOW_COST;
        if better {
            *word = !(new | below_cost);
        }
        better
    }

    /// Returns the cost of a cell and the direction of the step that reached it; `None` if this search has
    /// not reached it.
    #[inline]
    pub(crate) fn label(&self, index: usize) -> Option<(u32, u8)> {
        let word = !self.words[index];
        let is_reached = word >> AGE_SHIFT == self.age >> AGE_SHIFT;
        is_reached.then_some(((word >> COST_SHIFT) as u32, (word >> ARRIVAL_SHIFT & 0xf) as u8))
    }

    /// Marks a cell that was reached just now as expanded.
    #[inline]
    pub(crate) fn close(&mut self, index: usize) {
        // Set where it is to be cleared, since the word is inverted.
        self.words[index] |= WAITING;
    }

    /// Marks a cell that this search has reached as expanded; returns its cost and the direction of its
    /// arrival, or `None` if it was expanded before.
    #[inline]
    pub(crate) fn expand(&mut self, index: usize) -> Option<(u32, u8)> {
        let word = !self.words[index];
        self.words[index] = !(word & !WAITING);
        (word & WAITING != 0).then_some(((word >> COST_SHIFT) as u32, (word >> ARRIVAL_SHIFT & 0xf) as u8))
    }
}
