use super::bucket_chains::BucketChains;

/// Few enough that their occupancy index is sixteen words.
const BUCKETS: u32 = 1024;
/// Greater than any bucket number: nothing lies beyond the last bucket.
const NO_BUCKET: u32 = u32::MAX;

/// A node to expand, with the cost that it was pushed with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CoarseEntry {
    /// Cost so far: the entry is out of date if the node was reached at less since.
    pub(crate) g: u32,
    pub(crate) node: u32,
}

/// A monotone bucket queue in coarse order: a bucket holds 2^shift keys, and its entries come in any order.
///
/// For label-correcting searches, which expand a node again when it is reached at less after its expansion.
/// So costs are exact in the end (Denardo & Fox, *Shortest-Route Methods: 1. Reaching, Pruning, and Buckets*,
/// 1979). Keys may span any range: keys beyond the last bucket wait in a list.
#[derive(Clone, Debug, Default)]
pub(crate) struct CoarseBucketQueue {
    chains: BucketChains<CoarseEntry>,
    shift: u32,
    /// The number of the bucket that is being emptied, counted from key 0.
    now: u32,
    /// Keys and entries beyond the last bucket, and the least bucket number among them.
    far: Vec<(u32, CoarseEntry)>,
    far_first: u32,
}

impl CoarseBucketQueue {
    /// Empties the queue for keys from `key` on, most of which span at most `span`.
    pub(crate) fn clear(&mut self, key: u32, span: u32) {
        self.chains.clear(BUCKETS as usize);
        self.far.clear();
        self.far_first = NO_BUCKET;
        // As narrow as the buckets can be while all together cover the span.
        self.shift = (span / BUCKETS + 1).next_power_of_two().trailing_zeros();
        self.now = key >> self.shift;
    }

    /// Adds `node`, which is reached at cost `g`, with `key`. A key below the bucket that is being emptied,
    /// as an inconsistent heuristic may give, goes into that bucket.
    #[inline]
    pub(crate) fn push(&mut self, key: u32, g: u32, node: u32) {
        let bucket = (key >> self.shift).max(self.now);
        let entry = CoarseEntry { g, node };
        if bucket - self.now >= BUCKETS {
            self.far_first = self.far_first.min(bucket);
            self.far.push((key, entry));
        } else {
            self.chains.push(bucket, entry);
        }
    }

    /// Takes an entry of the lowest bucket. Returns with it that bucket's least key: by a consistent
    /// heuristic, no entry that comes later has a lower one.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(u32, CoarseEntry)> {
        loop {
            // Mostly the current bucket holds more, and nothing is looked up.
            if let Some(entry) = self.chains.pop(self.now) {
                return Some((self.now << self.shift, entry));
            }
            // An entry that lay beyond the last bucket when it was pushed may be due before all that have
            // buckets.
            match self.chains.distance_to_next(self.now) {
                Some(distance) if self.now + distance < self.far_first => self.now += distance,
                None if self.far.is_empty() => return None,
                _ => self.fetch_far(),
            }
        }
    }

    /// Moves on to the first bucket of the far entries, and enters the entries that are due.
    #[cold]
    fn fetch_far(&mut self) {
        self.now = self.far_first;
        self.far_first = NO_BUCKET;
        let mut n = 0;
        while n < self.far.len() {
            let (key, entry) = self.far[n];
            let bucket = key >> self.shift;
            if bucket - self.now < BUCKETS {
                // Entries of a coarse queue come in any order, so the list need not keep its own.
                self.far.swap_remove(n);
                self.chains.push(bucket, entry);
            } else {
                self.far_first = self.far_first.min(bucket);
                n += 1;
            }
        }
    }
}
