//! What edits have changed, and what of that listeners have been told.

use std::collections::VecDeque;

use crate::geometry::CellRect;

/// How deep listeners may edit the map within each other.
pub const ANNOUNCEMENTS_MAX: u32 = 128;
/// Announcements that are remembered for listeners that look now and then.
const RECENT_MAX: usize = 512;

/// Changes that are made but not announced yet, and the latest that are.
#[derive(Debug, Default)]
pub struct Announcements {
    /// How many edits were begun without their end.
    depth: u32,
    /// What changed meanwhile.
    pending: Option<CellRect>,
    count: u64,
    /// How many announcements are being made: listeners that edit the map make it more than one.
    under_way: u32,
    /// How many announcements there were, and the latest of them.
    announced: u64,
    recent: VecDeque<CellRect>,
    deferred: Option<CellRect>,
}

impl Announcements {
    /// Returns how many changes there were.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Returns how many announcements there were.
    pub const fn announced(&self) -> u64 {
        self.announced
    }

    /// Begins an edit: what changes is announced at its end. Edits may nest.
    pub const fn begin(&mut self) {
        self.depth = self.depth.saturating_add(1);
    }

    /// Takes down a change; returns what is to be announced now.
    pub fn note(&mut self, rect: CellRect) -> Option<CellRect> {
        self.count += 1;
        if self.depth == 0 {
            self.remember(rect);
            return Some(rect);
        }
        self.pending = Some(self.pending.map_or(rect, |earlier| earlier.union(rect)));
        None
    }

    /// Ends an edit, and returns what is to be announced now; `None` where none was begun.
    pub fn end(&mut self) -> Option<Option<CellRect>> {
        self.depth = self.depth.checked_sub(1)?;
        let ended = if self.depth == 0 { self.pending.take() } else { None };
        if let Some(rect) = ended {
            self.remember(rect);
        }
        Some(ended)
    }

    /// Counts one more announcement under way; `false` if listeners that edit the map again and again would
    /// exhaust the stack.
    pub const fn enter(&mut self) -> bool {
        let enters = self.under_way < ANNOUNCEMENTS_MAX;
        self.under_way += enters as u32;
        enters
    }

    /// Ends an announcement that was entered.
    pub const fn leave(&mut self) {
        self.under_way -= 1;
    }

    /// Returns `true` while listeners are told.
    pub const fn is_announcing(&self) -> bool {
        self.under_way > 0
    }

    /// Keeps a change until [`Announcements::take_deferred`]; returns `true` if it is the first.
    pub fn defer(&mut self, rect: CellRect) -> bool {
        let earlier = self.deferred;
        self.deferred = Some(earlier.map_or(rect, |earlier| earlier.union(rect)));
        earlier.is_none()
    }

    /// Returns what was deferred.
    pub const fn take_deferred(&mut self) -> Option<CellRect> {
        self.deferred.take()
    }

    /// Remembers what is announced now, for listeners that look once a frame.
    fn remember(&mut self, rect: CellRect) {
        if self.recent.len() == RECENT_MAX {
            self.recent.pop_front();
        }
        self.recent.push_back(rect);
        self.announced += 1;
    }

    /// Returns what was announced after the first `number` announcements; `None` when that is too long ago.
    pub fn since(&self, number: u64) -> Option<impl Iterator<Item = CellRect>> {
        let behind = usize::try_from(self.announced.checked_sub(number)?).ok()?;
        let first = self.recent.len().checked_sub(behind)?;
        Some(self.recent.range(first..).copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: CellRect = CellRect::new(1, 1, 2, 1);
    const B: CellRect = CellRect::new(4, 1, 1, 3);

    #[test]
    fn edits_wait_for_the_outermost_end() {
        let mut announcements = Announcements::default();
        assert_eq!(announcements.note(A), Some(A));
        announcements.begin();
        announcements.begin();
        assert_eq!((announcements.note(A), announcements.note(B)), (None, None));
        assert_eq!(announcements.end(), Some(None));
        assert_eq!(announcements.end(), Some(Some(A.union(B))));
        assert_eq!(announcements.end(), None, "there is none to end");
        assert_eq!((announcements.count(), announcements.announced()), (3, 2));
    }

    #[test]
    fn only_the_latest_are_remembered() {
        let mut announcements = Announcements::default();
        let since = |announcements: &Announcements, number| announcements.since(number).map(Iterator::count);
        for _ in 0..=RECENT_MAX {
            announcements.note(A);
        }
        let all = announcements.announced();
        assert_eq!((since(&announcements, all), since(&announcements, all - 2)), (Some(0), Some(2)));
        assert_eq!((since(&announcements, 1), since(&announcements, 0)), (Some(RECENT_MAX), None));
        assert_eq!(since(&announcements, all + 1), None, "there was no such announcement");
    }

    #[test]
    fn listeners_within_listeners_come_to_an_end() {
        let mut announcements = Announcements::default();
        assert_eq!((0..200).filter(|_| announcements.enter()).count(), ANNOUNCEMENTS_MAX as usize);
        (0..ANNOUNCEMENTS_MAX).for_each(|_| announcements.leave());
        assert!(!announcements.is_announcing());
    }

    #[test]
    fn what_is_deferred_is_told_once() {
        let mut announcements = Announcements::default();
        assert_eq!((announcements.defer(A), announcements.defer(B)), (true, false));
        assert_eq!((announcements.take_deferred(), announcements.take_deferred()), (Some(A.union(B)), None));
    }
}
