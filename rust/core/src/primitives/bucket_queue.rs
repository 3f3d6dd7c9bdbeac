use super::bucket_chains::BucketChains;

/// The minimum number of buckets. Most searches need no more, so they all use one size and none allocates.
const COUNT_MIN: usize = 4096;

/// An exact monotone bucket queue (Dial, *Algorithm 360*, 1969): a bucket for each key.
///
/// No key falls below the last one taken, and all keys in the queue span less than the number of buckets, so a key's bucket
/// is its remainder. For A\* and Dijkstra's algorithm where the cost of a step is bounded. An entry stays when its node is
/// reached at less; the search skips it. O(1) a push; a pop looks at a few words.
#[derive(Clone, Debug, Default)]
pub(crate) struct BucketQueue {
    chains: BucketChains<u32>,
    /// The key last taken.
    key: u32,
}

impl BucketQueue {
    /// Empties the queue for keys from `key` on that span at most `span`.
    pub(crate) fn clear(&mut self, key: u32, span: u32) {
        self.chains.clear((span as usize + 1).next_power_of_two().max(COUNT_MIN));
        self.key = key;
    }

    #[inline]
    pub(crate) fn push(&mut self, key: u32, node: u32) {
        debug_assert!(key >= self.key, "keys never fall below the last one taken");
        debug_assert!(((key - self.key) as usize) < self.chains.count(), "keys span what was announced");
        self.chains.push(key, node);
    }

    /// Takes an entry with the smallest key: of several, the one that was pushed last.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(u32, u32)> {
        // Mostly the bucket of the last key holds more, and nothing is looked up.
        if let Some(node) = self.chains.pop(self.key) {
            return Some((self.key, node));
        }
        self.key += self.chains.distance_to_next(self.key)?;
        Some((self.key, self.chains.pop(self.key)?))
    }

    /// Bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        self.chains.memory()
    }
}

/// A queue on integer keys that never fall below the last one taken.
pub(crate) trait Frontier {
    /// Adds an entry.
    fn push(&mut self, key: u32, entry: u32);

    /// Takes an entry with the smallest key: of several, the one that was pushed last.
    fn pop(&mut self) -> Option<(u32, u32)>;
}

impl Frontier for BucketQueue {
    #[inline]
    fn push(&mut self, key: u32, entry: u32) {
        self.push(key, entry);
    }

    #[inline]
    fn pop(&mut self) -> Option<(u32, u32)> {
        self.pop()
    }
}
