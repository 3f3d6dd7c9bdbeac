//! Buckets of the bucketed Dijkstra: contiguous lists that entries are appended to without a branch, and read
//! from in groups.
//!
//! A whole layer passes through these lists, and its time is that of memory (bench `field`). The entries of
//! `BucketChains` come one by one, each from a load that must wait for the load before.

use crate::primitives::OccupancyIndex;

/// A queued cell: its index with the direction of arrival in the lowest three bits, and its cost when it was
/// queued.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry {
    pub(super) place: u32,
    pub(super) cost: u32,
}

impl Entry {
    #[inline]
    pub(super) fn new(at: usize, arrival: usize, cost: u32) -> Self {
        Self { place: (at << 3 | arrival) as u32, cost }
    }

    #[inline]
    pub(super) fn at(self) -> usize {
        (self.place >> 3) as usize
    }
}

/// The entries of one bucket. Behind `end` the vector holds stale ones.
#[derive(Clone, Debug, Default)]
// The end is apart from the vector's own length, so that appending can write a slot first and count it
// afterwards.
pub(super) struct List {
    pub(super) cells: Vec<Entry>,
    pub(super) end: u32,
}

impl List {
    /// Removes all entries, stale ones, too.
    pub(super) fn clear(&mut self) {
        self.cells.clear();
        self.end = 0;
    }

    /// Adds a cell that was not reached by a step: a goal, or one where a link begins. The successors of the
    /// four diagonal arrivals together are all moves. Nothing stale may lie behind the end.
    pub(super) fn take_around(&mut self, at: u32, cost: u32) {
        self.cells.extend([1, 3, 5, 7].map(|arrival| Entry::new(at as usize, arrival, cost)));
        self.end = self.cells.len() as u32;
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        // Doubled, so that appending stays O(1). Slots behind `end` hold stale entries, so lists keep their
        // length when emptied.
        self.cells.resize((self.cells.len() * 2).max(16), Entry::default());
    }
}

/// The free slots at the end of a list.
pub(super) struct Tail<'a> {
    room: &'a mut [Entry; 4],
    added: usize,
    end: &'a mut u32,
    cost: u32,
}

impl Tail<'_> {
    /// Offers the tail's cost, or-ed with `bar`, to the cell at `place`, whose cost is in `slot`: lowers its
    /// cost and appends it if the offer is lower.
    #[allow(clippy::inline_always, reason = "field bench: a call takes a tenth of an expansion")]
    #[inline(always)]
    pub(super) fn offer(&mut self, slot: &mut u32, place: u32, bar: u32) {
        // The entry is always written, and counted only if the offer is lower: that branch would be
        // mispredicted often.
        let (offer, old) = (self.cost | bar, *slot);
        // At most four offers are made to one tail, so the mask only proves the index in bounds.
        self.room[self.added & 3] = Entry { place, cost: offer };
        self.added += usize::from(offer < old);
        *slot = offer.min(old);
    }

    /// Appends a cell that has the tail's cost already.
    #[inline]
    pub(super) fn push(self, entry: Entry) {
        self.room[0] = entry;
        *self.end += 1;
    }

    /// Counts the cells that were appended.
    #[inline]
    pub(super) fn close(self) {
        *self.end += self.added as u32;
    }
}

/// The end of the list for `cost`, with room for four more entries. A bucket's number is taken modulo the
/// number of lists, a power of two.
#[allow(clippy::inline_always, reason = "field bench: a call takes a tenth of an expansion")]
#[inline(always)]
pub(super) fn tail<'a>(
    lists: &'a mut [List],
    cost: u32,
    shift: u32,
    occupied: &mut OccupancyIndex,
) -> Option<Tail<'a>> {
    let place = (cost >> shift) as usize & (lists.len() - 1);
    let list = &mut lists[place];
    // Marked before anything is appended, and it may stay empty if no offer is lower. Emptying such a bucket
    // does nothing.
    if list.end == 0 {
        occupied.set(place);
    }
    // Room for all offers of a cell at once: the offers themselves then need no check and no branch.
    // 32 bits, so that the sum cannot wrap, and one check proves the slots in bounds.
    let end = list.end as usize;
    if end + 4 > list.cells.len() {
        list.grow();
    }
    let room = list.cells.get_mut(end..)?.first_chunk_mut()?;
    Some(Tail { room, added: 0, end: &mut list.end, cost })
}
