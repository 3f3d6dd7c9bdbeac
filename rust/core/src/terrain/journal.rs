//! The journal of edits, from which derived structures learn where to repair themselves.
//!
//! A queue of at most [`ENTRIES_MAX`] entries. A reader keeps the revision that it has seen and asks for
//! later entries. A reader that is further behind than the journal reaches back builds anew. Small adjacent
//! edits of the same kind are joined, so that painting cell by cell stays one entry. Adding an entry takes
//! constant time, finding the entries since a revision O(log n).

use std::collections::VecDeque;

use super::ClimbLimit;
use crate::bitgrid::LocalRect;

/// The most entries that are kept: enough for some hundred bodies that all move, each with an obstacle of its
/// own, between two reads. A reader that is further behind builds anew.
const ENTRIES_MAX: usize = 1024;
/// The most cells of a joined rectangle that belong to neither of its parts.
const SLACK_CELLS: u64 = 64;
/// The most cells of a joined rectangle, or twice the new edit's if that is more: a reader that follows every
/// edit repairs the whole rectangle each time.
const JOINED_CELLS_MAX: u64 = 256;

/// Which properties of cells an edit changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change(u8);

impl Change {
    /// Solid flags.
    pub const PASSABILITY: Self = Self(1);
    /// Terrain ids, which decide which bodies may enter and what it costs.
    pub(crate) const TERRAIN: Self = Self(2);
    /// Weights.
    pub(crate) const WEIGHT: Self = Self(4);
    /// One-way flags, which concern only bodies that jump and fall.
    pub(crate) const ONE_WAY: Self = Self(8);
    /// Floors inside cells, which concern only bodies that jump by physics.
    pub(crate) const FLOOR: Self = Self(16);
    /// Edges between cells, which decide over which sides bodies may step, and links.
    pub(crate) const EDGE: Self = Self(32);
    /// Heights of cells, which close edges to bodies with a climb limit.
    pub(crate) const HEIGHT: Self = Self(64);
    /// All of them.
    pub(crate) const ALL: Self = Self(127);

    /// Returns whether the edit may have changed where bodies fit or how they may step, whatever heights say.
    pub(crate) const fn opens_or_closes(self) -> bool {
        self.0 & (Self::PASSABILITY.0 | Self::TERRAIN.0 | Self::EDGE.0) != 0
    }

    /// As [`Change::opens_or_closes`], for bodies of a climb limit.
    pub(crate) const fn opens_or_closes_for(self, climb: ClimbLimit) -> bool {
        self.opens_or_closes() || self.0 & Self::HEIGHT.0 != 0 && climb.is_some()
    }

    /// Returns whether the edit changed anything but heights, which only bodies with a limit heed.
    pub(crate) const fn matters_to(self, climb: ClimbLimit) -> bool {
        self.0 != Self::HEIGHT.0 || climb.is_some()
    }

    /// Returns whether the edit may have changed edges or links.
    pub(crate) const fn is_of_edges(self) -> bool {
        self.0 & (Self::EDGE.0 | Self::HEIGHT.0) != 0
    }

    /// Returns whether the edit may have changed where a body fits that falls, or what supports it. Terrain ids
    /// mean nothing to it.
    pub(crate) const fn supports(self) -> bool {
        self.0 & (Self::PASSABILITY.0 | Self::ONE_WAY.0 | Self::EDGE.0) != 0
    }

    /// Returns whether the edit may have changed the cost of entering, for a body that may enter before and
    /// after.
    pub(crate) const fn costs(self) -> bool {
        self.0 & 6 != 0
    }
}

/// One edit, or several that were joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JournalEntry {
    /// The revision that the newest of them made.
    pub revision: u64,
    /// A rectangle that holds every changed cell.
    pub rect: LocalRect,
    /// That of the newest of them alone.
    pub newest: LocalRect,
    /// What changed in it.
    pub change: Change,
}

/// The latest edits of a map, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    revision: u64,
    /// Edits up to this revision are forgotten.
    forgotten: u64,
    /// Edits up to this revision are not joined with later ones.
    sealed: u64,
    entries: VecDeque<JournalEntry>,
}

impl Journal {
    /// Counts the edits.
    pub(crate) const fn revision(&self) -> u64 {
        self.revision
    }

    /// Adds an edit. An edit beside the last is joined with it, so that painting cell by cell stays one
    /// entry.
    pub(crate) fn record(&mut self, rect: LocalRect, change: Change) {
        self.revision += 1;
        let revision = self.revision;
        let sealed = self.sealed;
        // Edits of different properties stay apart: readers skip entries by what changed.
        let joins = |last: &&mut JournalEntry| last.revision > sealed && last.change == change;
        if let Some(last) = self.entries.back_mut().filter(joins) {
            let both = last.rect.union(rect);
            // Joining everything adjacent would let one edit of the whole map swallow every later one
            // (docs/decisions/journals.md).
            let is_tight = both.area() <= last.rect.area() + rect.area() + SLACK_CELLS;
            let is_small = both.area() <= JOINED_CELLS_MAX.max(2 * rect.area());
            if is_tight && is_small {
                (last.revision, last.rect, last.newest) = (revision, both, rect);
                return;
            }
        }
        if self.entries.len() == ENTRIES_MAX
            && let Some(oldest) = self.entries.pop_front()
        {
            // A reader of an earlier revision would miss this entry: from now on it builds anew.
            self.forgotten = oldest.revision;
        }
        self.entries.push_back(JournalEntry { revision, rect, newest: rect, change });
    }

    /// Ends joining: edits up to now and later ones stay in different entries.
    pub(crate) const fn seal(&mut self) {
        self.sealed = self.revision;
    }

    /// Returns the bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        self.entries.capacity() * size_of::<JournalEntry>()
    }

    /// Returns the oldest revision since which all edits are known.
    pub(crate) const fn oldest(&self) -> u64 {
        self.forgotten
    }

    /// Returns the edits after `revision`, oldest first; `None` when some of them are forgotten.
    pub fn since(&self, revision: u64) -> Option<impl Iterator<Item = &JournalEntry>> {
        // Revisions ascend, so the first new entry is found by bisection.
        let first = self.entries.partition_point(|entry| entry.revision <= revision);
        (revision >= self.forgotten).then(|| self.entries.range(first..))
    }
}
