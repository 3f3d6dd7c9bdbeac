//! Which listeners know of which change of a clearance map.

use super::clearances::ClearanceKey;
use crate::geometry::CellRect;

/// Changes kept for one kind of map. Older ones are joined.
const CHANGES_MAX: usize = 32;
/// Kinds of maps that are kept track of.
const KINDS_MAX: usize = 64;

/// What changed in which kind of clearance map. A map tells each change once; several listeners may want to hear it.
#[derive(Debug, Default)]
pub(super) struct ClearanceChanges {
    /// Counts the changes of all kinds.
    count: u64,
    kinds: Vec<KindNews>,
}

#[derive(Debug)]
struct KindNews {
    key: ClearanceKey,
    /// Changes up to this one are unknown.
    known_since: u64,
    changes: Vec<(u64, CellRect)>,
}

impl ClearanceChanges {
    /// Takes down what a map tells, and tells what changed after the change number `seen`; `whole` when that is
    /// unknown. Also returns the number to ask with next time.
    pub fn hear(
        &mut self,
        key: ClearanceKey,
        changed: Option<CellRect>,
        seen: u64,
        whole: CellRect,
    ) -> (u64, Option<CellRect>) {
        self.count += u64::from(changed.is_some());
        let count = self.count;
        let place = self.kinds.iter().position(|kind| kind.key == key).unwrap_or_else(|| {
            if self.kinds.len() == KINDS_MAX {
                self.kinds.remove(0);
            }
            self.kinds.push(KindNews { key, known_since: count, changes: Vec::new() });
            self.kinds.len() - 1
        });
        let kind = &mut self.kinds[place];
        if let Some(rect) = changed {
            kind.note(count, rect);
        }
        if seen < kind.known_since {
            return (count, (!whole.is_empty()).then_some(whole));
        }
        let changed = kind.changes.iter().filter(|(number, _)| *number > seen).map(|(_, rect)| *rect);
        (count, changed.reduce(CellRect::union))
    }
}

impl KindNews {
    fn note(&mut self, number: u64, rect: CellRect) {
        self.changes.push((number, rect));
        if self.changes.len() > CHANGES_MAX {
            let (_, oldest) = self.changes.remove(0);
            self.changes[0].1 = self.changes[0].1.union(oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clearance::ClearanceMetric;
    use crate::terrain::Capability;

    const KEY: ClearanceKey = ClearanceKey::new(Capability::ALL, ClearanceMetric::True, 255);
    const WHOLE: CellRect = CellRect::new(0, 0, 9, 9);
    const A: CellRect = CellRect::new(1, 1, 1, 1);
    const B: CellRect = CellRect::new(3, 1, 1, 1);

    #[test]
    fn two_nodes_hear_the_same_change() {
        let mut changes = ClearanceChanges::default();
        let (first, _) = changes.hear(KEY, Some(WHOLE), 0, WHOLE);
        let (second, _) = changes.hear(KEY, None, 0, WHOLE);
        let (_, heard_by_one) = changes.hear(KEY, Some(A), first, WHOLE);
        let (_, heard_by_other) = changes.hear(KEY, None, second, WHOLE);
        assert_eq!((heard_by_one, heard_by_other), (Some(A), Some(A)));
    }

    #[test]
    fn who_asks_late_hears_everything_at_once() {
        let mut changes = ClearanceChanges::default();
        let (seen, _) = changes.hear(KEY, Some(WHOLE), 0, WHOLE);
        changes.hear(KEY, Some(A), seen, WHOLE);
        let (latest, heard) = changes.hear(KEY, Some(B), seen, WHOLE);
        assert_eq!(heard, Some(A.union(B)));
        assert_eq!(changes.hear(KEY, None, latest, WHOLE).1, None);
    }

    #[test]
    fn what_is_forgotten_is_everything() {
        let mut changes = ClearanceChanges::default();
        for capability in 0..=KINDS_MAX as u32 {
            changes.hear(ClearanceKey { capability: Capability(capability), ..KEY }, Some(A), 0, WHOLE);
        }
        let first = ClearanceKey { capability: Capability(0), ..KEY };
        assert_eq!(changes.hear(first, None, 1, WHOLE).1, Some(WHOLE));
    }
}
