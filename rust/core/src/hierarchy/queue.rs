//! A monotone queue in rough order: entries lie in buckets of `2^shift` keys, and a bucket's entries come in any order.
//!
//! Who takes entries from it may improve a node after it was taken; the node then simply comes again. So costs are exact
//! in the end, and the buckets stay few: their bits fit sixteen words.

const BUCKETS: u32 = 1024;
const NONE: u32 = u32::MAX;

/// A node to look at, with the cost that it was put in with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    key: u32,
    /// Cost so far: the node is out of date when it was reached more cheaply since.
    pub(super) g: u32,
    pub(super) node: u32,
    next: u32,
}

#[derive(Clone, Debug, Default)]
pub(super) struct RoughQueue {
    heads: Vec<u32>,
    full: [u64; (BUCKETS / 64) as usize],
    pool: Vec<Entry>,
    free: u32,
    shift: u32,
    /// The number of the bucket that is emptied, counted from key 0.
    now: u32,
    /// Entries beyond the last bucket, and the least bucket number among them.
    far: Vec<Entry>,
    far_first: u32,
}

impl RoughQueue {
    /// Empties the queue for keys from `key` on, most of which span at most `span`.
    pub(super) fn clear(&mut self, key: u32, span: u32) {
        if self.heads.is_empty() {
            self.heads = vec![NONE; BUCKETS as usize];
        }
        for (word, bits) in self.full.iter_mut().enumerate() {
            while *bits != 0 {
                self.heads[word << 6 | bits.trailing_zeros() as usize] = NONE;
                *bits &= *bits - 1;
            }
        }
        self.pool.clear();
        self.far.clear();
        self.free = NONE;
        self.far_first = NONE;
        self.shift = (span / BUCKETS + 1).next_power_of_two().trailing_zeros();
        self.now = key >> self.shift;
    }

    #[inline]
    pub(super) fn push(&mut self, key: u32, g: u32, node: u32) {
        let number = (key >> self.shift).max(self.now);
        let entry = Entry { key, g, node, next: NONE };
        if number - self.now >= BUCKETS {
            self.far_first = self.far_first.min(number);
            self.far.push(entry);
        } else {
            self.put(number, entry);
        }
    }

    /// Takes an entry of the lowest bucket, and the least key that any entry can have from now on.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(u32, Entry)> {
        if self.heads[(self.now % BUCKETS) as usize] == NONE {
            self.now = match self.next_full() {
                Some(next) if next < self.far_first => next,
                None if self.far.is_empty() => return None,
                _ => self.bring_near(),
            };
        }
        let bucket = self.now % BUCKETS;
        let slot = self.heads[bucket as usize];
        let entry = self.pool[slot as usize];
        self.pool[slot as usize].next = self.free;
        self.free = slot;
        self.heads[bucket as usize] = entry.next;
        if entry.next == NONE {
            self.full[(bucket >> 6) as usize] &= !(1 << (bucket & 63));
        }
        Some((self.now << self.shift, entry))
    }

    #[inline]
    fn put(&mut self, number: u32, mut entry: Entry) {
        let bucket = number % BUCKETS;
        entry.next = self.heads[bucket as usize];
        let slot = if self.free == NONE {
            self.pool.push(entry);
            self.pool.len() as u32 - 1
        } else {
            let slot = self.free;
            self.free = self.pool[slot as usize].next;
            self.pool[slot as usize] = entry;
            slot
        };
        self.heads[bucket as usize] = slot;
        self.full[(bucket >> 6) as usize] |= 1 << (bucket & 63);
    }

    /// The number of the first bucket from now on that holds anything.
    fn next_full(&self) -> Option<u32> {
        let bucket = self.now % BUCKETS;
        let words = self.full.len() as u32;
        for step in 0..=words {
            let word = ((bucket >> 6) + step) % words;
            let mut bits = self.full[word as usize];
            if step == 0 {
                bits &= u64::MAX << (bucket & 63);
            } else if step == words {
                bits &= !(u64::MAX << (bucket & 63));
            }
            if bits != 0 {
                let found = word << 6 | bits.trailing_zeros();
                return Some(self.now + (found + BUCKETS - bucket) % BUCKETS);
            }
        }
        None
    }

    /// Puts the far entries that are due into buckets; returns the first of their numbers.
    fn bring_near(&mut self) -> u32 {
        let first = self.far_first;
        self.now = first;
        self.far_first = NONE;
        let mut n = 0;
        while n < self.far.len() {
            let number = self.far[n].key >> self.shift;
            if number - first < BUCKETS {
                let entry = self.far.swap_remove(n);
                self.put(number, entry);
            } else {
                self.far_first = self.far_first.min(number);
                n += 1;
            }
        }
        first
    }

    pub(super) fn memory(&self) -> usize {
        self.heads.capacity() * 4 + (self.pool.capacity() + self.far.capacity()) * size_of::<Entry>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_in_order_but_for_the_width_of_a_bucket() {
        let mut queue = RoughQueue::default();
        for span in [10, 5000, 300_000] {
            queue.clear(7, span);
            let width = (span / BUCKETS + 1).next_power_of_two();
            let mut random = 1_u32;
            let mut waiting = vec![];
            let mut last = 7;
            for step in 0..30_000 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                if random >> 30 != 0 && step < 20_000 || waiting.is_empty() {
                    // Some lie far beyond the span.
                    let reach = if random.trailing_zeros() >= 4 { 9 * span + 20_000 } else { span };
                    let key = last + (random >> 8) % (reach + 1);
                    queue.push(key, key, step);
                    waiting.push((key, step));
                } else {
                    let (floor, entry) = queue.pop().unwrap();
                    let least = *waiting.iter().map(|(key, _)| key).min().unwrap();
                    assert!(floor <= least && least <= entry.key && entry.key < floor + width);
                    waiting.retain(|&(_, step)| step != entry.node);
                    last = entry.key.max(last);
                    if waiting.is_empty() {
                        assert!(queue.pop().is_none());
                    }
                }
            }
        }
    }
}
