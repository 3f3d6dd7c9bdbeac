use std::collections::VecDeque;

use crate::bitgrid::LocalRect;

/// Entries that are kept: some hundred bodies that block cells may all move between two looks. Whoever is further behind
/// builds anew.
const ENTRIES_MAX: usize = 1024;
/// Cells that a joined rectangle may hold beyond those of its parts.
const SLACK_CELLS: u64 = 64;
/// Cells of a joined rectangle, unless the new edit is itself as large: who follows every edit repairs all of them.
const JOINED_CELLS_MAX: u64 = 256;

/// Which properties of cells an edit changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change(u8);

impl Change {
    /// Solid flags.
    pub const PASSABILITY: Self = Self(1);
    /// Terrain ids, which decide who may enter and what it costs.
    pub const TERRAIN: Self = Self(2);
    /// Weights.
    pub const WEIGHT: Self = Self(4);
    /// All of them.
    pub const ALL: Self = Self(7);

    /// Whether who may enter can have changed.
    pub const fn opens_or_closes(self) -> bool {
        self.0 & 3 != 0
    }

    /// Whether what entering costs can have changed, for somebody who may enter before and after.
    pub const fn costs(self) -> bool {
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
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// Adds an edit. One that lies beside the last is joined with it, so that painting cell by cell stays one entry.
    pub fn record(&mut self, rect: LocalRect, change: Change) {
        self.revision += 1;
        let revision = self.revision;
        if let Some(last) = self.entries.back_mut().filter(|last| last.revision > self.sealed) {
            let both = last.rect.union(rect);
            let is_tight = both.area() <= last.rect.area() + rect.area() + SLACK_CELLS;
            let is_small = both.area() <= JOINED_CELLS_MAX.max(2 * rect.area());
            if last.change == change && is_tight && is_small {
                *last = JournalEntry { revision, rect: both, newest: rect, change };
                return;
            }
        }
        if self.entries.len() == ENTRIES_MAX
            && let Some(oldest) = self.entries.pop_front()
        {
            self.forgotten = oldest.revision;
        }
        self.entries.push_back(JournalEntry { revision, rect, newest: rect, change });
    }

    /// Keeps what was edited so far apart from what comes.
    pub const fn seal(&mut self) {
        self.sealed = self.revision;
    }

    /// The revision from which on all edits are known.
    pub const fn oldest(&self) -> u64 {
        self.forgotten
    }

    /// The edits after `revision`, oldest first; `None` when some of them are forgotten.
    pub fn since(&self, revision: u64) -> Option<impl Iterator<Item = &JournalEntry>> {
        let first = self.entries.partition_point(|entry| entry.revision <= revision);
        (revision >= self.forgotten).then(|| self.entries.range(first..))
    }
}
