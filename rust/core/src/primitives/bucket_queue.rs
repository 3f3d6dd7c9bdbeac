use super::bucket_chains::BucketChains;

/// Keys that have a bucket at a time where every step has the unit cost, and where little is expanded: their
/// buckets take 16 KB, half of a first-level cache. Half would move the window twice as often and save no
/// bucket; double would fill the cache. Other sizes were not measured for searches on uniform cost.
pub const WINDOW: u32 = 4096;
/// Buckets of a coarse queue. Few enough that their occupancy index is sixteen words.
const COARSE_BUCKETS: u32 = 1024;

/// A monotone bucket queue (Dial, *Algorithm 360*, 1969): a bucket for each key of a window, or for each
/// range of 2^shift keys, and a list of the buckets beyond.
///
/// No key falls below the last one taken, and keys span any range. It suits A\*, jump-point search and
/// Dijkstra's algorithm, which mostly want the smallest keys. The window's buckets stay in the nearest cache
/// however far the keys reach (bench `paths`: 0.87 of the time with cold caches), and most entries beyond are
/// never taken. An entry stays when its node is reached at less; the search skips it. O(1) a push; a pop
/// looks at a few words. The first key need not be known: the window moves to it.
///
/// Entries of one bucket come in any order. A queue with a bucket for each key is exact. Coarse queues are for
/// label-correcting searches: Denardo & Fox, *Shortest-Route Methods: 1. Reaching, Pruning, and Buckets*,
/// 1979.
#[derive(Clone, Debug)]
pub struct BucketQueue<T = u32> {
    /// The window's buckets, which span less than their number: a bucket's place is its remainder.
    near: BucketChains<T>,
    shift: u32,
    /// The bucket last taken from, counted from key 0.
    now: u32,
    /// The first bucket beyond the window.
    end: u32,
    /// Buckets from `end` on, with their entries, in the order in which they were pushed.
    far: Vec<(u32, T)>,
}

impl<T> Default for BucketQueue<T> {
    fn default() -> Self {
        Self { near: BucketChains::default(), shift: 0, now: 0, end: 0, far: Vec::new() }
    }
}

impl<T: Copy> BucketQueue<T> {
    /// Empties the queue for keys from `key` on, `window` of which have buckets at a time: a power of two of
    /// at least 64.
    pub fn clear(&mut self, key: u32, window: u32) {
        self.reset(key, window, 0);
    }

    /// Empties the queue for keys from `key` on, in coarse order. All buckets together cover `span`.
    pub fn clear_coarse(&mut self, key: u32, span: u32) {
        let shift = (span / COARSE_BUCKETS + 1).next_power_of_two().trailing_zeros();
        self.reset(key, COARSE_BUCKETS, shift);
    }

    fn reset(&mut self, key: u32, buckets: u32, shift: u32) {
        self.far.clear();
        self.near.clear(buckets as usize);
        self.shift = shift;
        self.open_window(key >> shift);
    }

    /// Adds an entry. A key below the bucket that was last taken from, as an inconsistent heuristic may give,
    /// goes into that bucket.
    #[inline]
    pub fn push(&mut self, key: u32, entry: T) {
        let bucket = (key >> self.shift).max(self.now);
        if bucket < self.end {
            self.near.push(bucket, entry);
        } else {
            self.far.push((bucket, entry));
        }
    }

    /// Takes an entry of the lowest bucket: of several, the last that was pushed. Returns with it that
    /// bucket's least key.
    #[inline]
    pub fn pop(&mut self) -> Option<(u32, T)> {
        self.pop_near().or_else(|| self.advance())
    }

    #[inline]
    fn pop_near(&mut self) -> Option<(u32, T)> {
        // Mostly the bucket of the last key holds more, and nothing is looked up.
        if let Some(entry) = self.near.pop(self.now) {
            return Some((self.now << self.shift, entry));
        }
        self.now += self.near.distance_to_next(self.now)?;
        Some((self.now << self.shift, self.near.pop(self.now)?))
    }

    fn open_window(&mut self, bucket: u32) {
        self.now = bucket;
        self.end = bucket.saturating_add(self.near.count() as u32);
    }

    /// Moves the window to the lowest bucket beyond it, if there is one, and takes its entry. Takes two
    /// passes over the entries beyond the window.
    #[cold]
    fn advance(&mut self) -> Option<(u32, T)> {
        let first = self.far.iter().map(|&(bucket, _)| bucket).min()?;
        self.open_window(first);
        let Self { near, far, end, .. } = self;
        // In the order of pushes, so that equal keys come last in, first out, as if they had been in buckets
        // all along.
        far.retain(|&(bucket, entry)| {
            let stays = bucket >= *end;
            if !stays {
                near.push(bucket, entry);
            }
            stays
        });
        self.pop_near()
    }
}
