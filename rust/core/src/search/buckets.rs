//! A monotone bucket queue: entries with an integer key that never falls below the last one taken.
//!
//! Keys in use span less than the number of buckets, so a key's bucket is its remainder. A bucket is a chain through one
//! shared pool, last in first out. Two levels of bits tell which buckets hold anything.

const NONE: u32 = u32::MAX;

#[derive(Clone, Debug, Default)]
pub(crate) struct Buckets {
    /// The first entry of each bucket's chain.
    heads: Vec<u32>,
    /// Node and next entry.
    pool: Vec<(u32, u32)>,
    /// Entries of the pool that were taken, chained.
    free: u32,
    /// A bit for each bucket that is not empty.
    full: Vec<u64>,
    /// A bit for each word of `full` that is not zero.
    full_words: Vec<u64>,
    /// The key last taken.
    key: u32,
    len: usize,
}

impl Buckets {
    /// Empties the queue for keys from `key` on that span at most `span`.
    pub(crate) fn clear(&mut self, key: u32, span: u32) {
        let count = (span as usize + 1).next_power_of_two().max(4096);
        if self.heads.len() == count {
            self.empty();
        } else {
            self.heads = vec![NONE; count];
            self.full = vec![0; count / 64];
            self.full_words = vec![0; count / 4096];
        }
        self.pool.clear();
        self.free = NONE;
        self.key = key;
        self.len = 0;
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Empties the buckets that hold anything, in time in proportion to those.
    fn empty(&mut self) {
        for (upper, words) in self.full_words.iter_mut().enumerate() {
            while *words != 0 {
                let word = upper << 6 | words.trailing_zeros() as usize;
                while self.full[word] != 0 {
                    self.heads[word << 6 | self.full[word].trailing_zeros() as usize] = NONE;
                    self.full[word] &= self.full[word] - 1;
                }
                *words &= *words - 1;
            }
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, key: u32, node: u32) {
        debug_assert!(key >= self.key && ((key - self.key) as usize) < self.heads.len());
        let bucket = key as usize & (self.heads.len() - 1);
        let next = self.heads[bucket];
        let entry = if self.free == NONE {
            self.pool.push((node, next));
            self.pool.len() as u32 - 1
        } else {
            let entry = self.free;
            self.free = self.pool[entry as usize].1;
            self.pool[entry as usize] = (node, next);
            entry
        };
        self.heads[bucket] = entry;
        if next == NONE {
            self.full[bucket >> 6] |= 1 << (bucket & 63);
            self.full_words[bucket >> 12] |= 1 << (bucket >> 6 & 63);
        }
        self.len += 1;
    }

    /// Takes an entry with the smallest key.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(u32, u32)> {
        if self.len == 0 {
            return None;
        }
        let mask = self.heads.len() - 1;
        let mut bucket = self.key as usize & mask;
        if self.heads[bucket] == NONE {
            bucket = self.next_full(bucket);
            self.key += ((bucket.wrapping_sub(self.key as usize)) & mask) as u32;
        }
        let entry = self.heads[bucket];
        let (node, next) = self.pool[entry as usize];
        self.pool[entry as usize].1 = self.free;
        self.free = entry;
        self.heads[bucket] = next;
        if next == NONE {
            self.full[bucket >> 6] &= !(1 << (bucket & 63));
            if self.full[bucket >> 6] == 0 {
                self.full_words[bucket >> 12] &= !(1 << (bucket >> 6 & 63));
            }
        }
        self.len -= 1;
        Some((self.key, node))
    }

    /// The first bucket that is not empty from `bucket` on, around the end. There is one.
    fn next_full(&self, bucket: usize) -> usize {
        let word = bucket >> 6;
        let rest = self.full[word] & (u64::MAX << (bucket & 63));
        if rest != 0 {
            return word << 6 | rest.trailing_zeros() as usize;
        }
        let mut upper = word >> 6;
        let mut words = self.full_words[upper] & (!1_u64 << (word & 63));
        while words == 0 {
            upper = (upper + 1) % self.full_words.len();
            words = self.full_words[upper];
        }
        let word = upper << 6 | words.trailing_zeros() as usize;
        word << 6 | self.full[word].trailing_zeros() as usize
    }

    pub(crate) fn memory(&self) -> usize {
        self.heads.len() * 4 + self.pool.capacity() * 8 + self.full.len() * 8 + self.full_words.len() * 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_in_order_of_their_keys() {
        let mut queue = Buckets::default();
        for span in [10, 5000, 131_070] {
            queue.clear(7, span);
            let mut random = 1_u32;
            let mut waiting = vec![];
            let mut last = 7;
            for step in 0..20_000 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                if random >> 30 != 0 || waiting.is_empty() {
                    let key = last + (random >> 8) % (span + 1);
                    queue.push(key, step);
                    waiting.push((key, step));
                } else {
                    let (key, node) = queue.pop().unwrap();
                    let least = *waiting.iter().map(|(key, _)| key).min().unwrap();
                    assert_eq!(key, least);
                    let place = waiting.iter().position(|&w| w == (key, node)).unwrap();
                    waiting.swap_remove(place);
                    last = key;
                }
                if waiting.len() > 500 {
                    queue.clear(last, span);
                    waiting.clear();
                }
            }
        }
    }
}
