//! Lists of cells by cost, to which cells are added without a branch.

use super::occupancy::Occupancy;

/// A cell with its direction of arrival in the lowest three bits, and what it cost when it was entered.
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

/// Cells with one key. Behind `end`, the vector holds rubbish.
#[derive(Clone, Debug, Default)]
pub(super) struct List {
    pub(super) cells: Vec<Entry>,
    pub(super) end: usize,
}

impl List {
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        self.cells.resize((self.cells.len() * 2).max(16), Entry::default());
    }
}

/// Room behind the last cell of a list.
pub(super) struct Tail<'a> {
    room: &'a mut [Entry; 4],
    added: usize,
    end: &'a mut usize,
    cost: u32,
}

impl Tail<'_> {
    /// Lowers the cost of the cell at `at` and adds it, or does neither, without a branch.
    #[allow(clippy::inline_always, reason = "field bench: a call costs a tenth of a flood")]
    #[inline(always)]
    pub(super) fn offer(&mut self, slot: &mut u32, at: usize, direction: usize, bar: u32) {
        let (offer, old) = (self.cost | bar, *slot);
        // At most four offers are made to one tail.
        self.room[self.added & 3] = Entry::new(at, direction, offer);
        self.added += usize::from(offer < old);
        *slot = offer.min(old);
    }

    /// Adds the cell at `at`, which has the tail's cost already.
    #[inline]
    pub(super) fn push(self, at: usize, direction: usize) {
        self.room[0] = Entry::new(at, direction, self.cost);
        *self.end += 1;
    }

    #[inline]
    pub(super) fn close(self) {
        *self.end += self.added;
    }
}

/// The lists of one kind of step.
#[derive(Clone, Debug, Default)]
pub(super) struct Ring {
    pub(super) lists: Vec<List>,
}

impl Ring {
    /// The end of the list for `cost`, with room for four more cells.
    #[allow(clippy::inline_always, reason = "field bench: a call costs a tenth of a flood")]
    #[inline(always)]
    pub(super) fn tail(&mut self, cost: u32, shift: u32, full: &mut Occupancy) -> Option<Tail<'_>> {
        let place = (cost >> shift) as usize & (self.lists.len() - 1);
        let list = &mut self.lists[place];
        if list.end == 0 {
            full.set(place);
        }
        if list.end + 4 > list.cells.len() {
            list.grow();
        }
        let room = list.cells[list.end..].first_chunk_mut()?;
        Some(Tail { room, added: 0, end: &mut list.end, cost })
    }
}
