use super::occupancy::OccupancyIndex;

/// No entry: the end of a chain.
const NONE: u32 = u32::MAX;

/// Buckets of entries: chains through one shared pool, with an index of the buckets that hold any.
///
/// Bucket numbers are taken modulo the number of buckets, a power of two, so a queue passes keys as they are.
/// A bucket is last in, first out: what was entered last is in the nearest cache, and it is likely a
/// continuation of the same path.
#[derive(Clone, Debug)]
pub(crate) struct BucketChains<T> {
    /// The first entry of each bucket.
    heads: Vec<u32>,
    /// Entries, each with the next one of its chain.
    pool: Vec<(T, u32)>,
    /// The first of the pool's free entries, which are chained as a bucket's are.
    free: u32,
    occupied: OccupancyIndex,
}

impl<T> Default for BucketChains<T> {
    fn default() -> Self {
        Self { heads: Vec::new(), pool: Vec::new(), free: NONE, occupied: OccupancyIndex::default() }
    }
}

impl<T: Copy> BucketChains<T> {
    /// Empties all buckets and makes them `count`, a power of two of at least 64. Takes time in proportion to
    /// the buckets that hold anything, unless the number changes.
    pub(crate) fn clear(&mut self, count: usize) {
        if self.heads.len() == count {
            let Self { heads, occupied, .. } = self;
            occupied.drain(|bucket| heads[bucket] = NONE);
        } else {
            self.heads = vec![NONE; count];
            self.occupied.clear(count);
        }
        self.pool.clear();
        self.free = NONE;
    }

    /// Number of buckets.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.heads.len()
    }

    #[inline]
    pub(crate) fn push(&mut self, bucket: u32, value: T) {
        let bucket = self.place(bucket);
        let next = self.heads[bucket];
        // Free entries first: the pool stays as long as the most entries that were queued at a time.
        let entry = if self.free == NONE {
            self.pool.push((value, next));
            self.pool.len() as u32 - 1
        } else {
            let entry = self.free;
            self.free = self.pool[entry as usize].1;
            self.pool[entry as usize] = (value, next);
            entry
        };
        self.heads[bucket] = entry;
        // Set each time: it costs less than a branch that cannot be predicted, since most buckets hold few
        // entries.
        self.occupied.set(bucket);
    }

    /// Takes the last entry out of `bucket`.
    #[inline]
    pub(crate) fn pop(&mut self, bucket: u32) -> Option<T> {
        let bucket = self.place(bucket);
        let entry = self.heads[bucket];
        if entry == NONE {
            return None;
        }
        // The value is copied out first: the entry's link then leads on through the free entries.
        let (value, next) = self.pool[entry as usize];
        self.pool[entry as usize].1 = self.free;
        self.free = entry;
        self.heads[bucket] = next;
        if next == NONE {
            self.occupied.unset(bucket);
        }
        Some(value)
    }

    /// Returns the distance from `bucket` to the next bucket that holds anything, around the end: 0 if it
    /// does itself. `None` if all are empty.
    #[inline]
    pub(crate) fn distance_to_next(&self, bucket: u32) -> Option<u32> {
        let place = self.place(bucket);
        let next = self.occupied.next(place)?;
        Some((next.wrapping_sub(place) & (self.heads.len() - 1)) as u32)
    }

    #[inline]
    fn place(&self, bucket: u32) -> usize {
        bucket as usize & (self.heads.len() - 1)
    }
}
