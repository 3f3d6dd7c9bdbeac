//! A bucket queue for keys that span much, of which mostly the smallest are wanted.

use super::buckets::Buckets;

/// Keys that have a bucket at a time.
const WINDOW: u32 = 4096;

/// [`Buckets`] for a window of keys, and a list of what lies behind it, which is gone through when the window is empty.
///
/// What a search touches stays small enough for the nearest cache, however far the keys reach: most of the
/// far ones are never taken. Entries come in the order in which one large queue would have them.
#[derive(Clone, Debug, Default)]
pub(super) struct FarBuckets {
    near: Buckets,
    /// Keys from `end` on, and their nodes, as they were pushed.
    far: Vec<(u32, u32)>,
    /// The first key behind the window.
    end: u32,
}

impl FarBuckets {
    /// Empties the queue for keys from `key` on.
    pub(super) fn clear(&mut self, key: u32) {
        self.far.clear();
        self.open_window(key);
    }

    #[inline]
    pub(super) fn push(&mut self, key: u32, node: u32) {
        if key < self.end {
            self.near.push(key, node);
        } else {
            self.far.push((key, node));
        }
    }

    /// Takes an entry with the smallest key.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(u32, u32)> {
        if self.near.is_empty() {
            self.go_on()?;
        }
        self.near.pop()
    }

    pub(super) fn memory(&self) -> usize {
        self.near.memory() + self.far.capacity() * size_of::<(u32, u32)>()
    }

    fn open_window(&mut self, key: u32) {
        self.near.clear(key, WINDOW - 1);
        self.end = key.saturating_add(WINDOW);
    }

    /// Moves the window to the smallest key behind it, if there is one.
    #[cold]
    fn go_on(&mut self) -> Option<()> {
        let first = self.far.iter().map(|&(key, _)| key).min()?;
        self.open_window(first);
        let Self { near, far, end } = self;
        far.retain(|&(key, node)| {
            let stays = key >= *end;
            if !stays {
                near.push(key, node);
            }
            stays
        });
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_as_from_one_large_queue() {
        let (mut queue, mut large) = (FarBuckets::default(), Buckets::default());
        for span in [10, 5000, 100_000] {
            queue.clear(7);
            large.clear(7, span);
            let (mut random, mut last) = (1_u32, 7);
            for step in 0..20_000 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                if random >> 30 != 0 {
                    // Few keys, so that many are equal.
                    let key = last + (random >> 8) % (span / 7 + 1) * 7;
                    queue.push(key, step);
                    large.push(key, step);
                } else {
                    let taken = queue.pop();
                    assert_eq!(taken, large.pop());
                    last = taken.map_or(last, |(key, _)| key);
                }
            }
            while let Some(taken) = large.pop() {
                assert_eq!(queue.pop(), Some(taken));
            }
            assert_eq!(queue.pop(), None);
        }
    }
}
