use super::bucket_chains::BucketChains;

/// Keys that have a bucket at a time where every step has the unit cost, and where little is expanded: their
/// buckets take 16 KB, half of a first-level cache. Half would move the window twice as often and save no
/// bucket; double would fill the cache. Other sizes were not measured for searches on uniform cost.
pub const WINDOW: u32 = 4096;

/// An exact monotone bucket queue (Dial, *Algorithm 360*, 1969): a bucket for each key of a window, and a
/// list of the keys beyond.
///
/// No key falls below the last one taken, and keys span any range. It suits A\*, jump-point search and
/// Dijkstra's algorithm, which mostly want the smallest keys. The window's buckets stay in the nearest cache
/// however far the keys reach (bench `paths`: 0.87 of the time with cold caches), and most entries beyond are
/// never taken. An entry stays when its node is reached at less; the search skips it. O(1) a push; a pop
/// looks at a few words. The first key need not be known: the window moves to it.
#[derive(Clone, Debug, Default)]
pub struct BucketQueue {
    /// The window's buckets. Its keys span less than their number, so a key's bucket is its remainder.
    near: BucketChains<u32>,
    /// The key last taken.
    key: u32,
    /// The first key beyond the window.
    end: u32,
    /// Keys from `end` on, and their nodes, in the order in which they were pushed.
    far: Vec<(u32, u32)>,
}

impl BucketQueue {
    /// Empties the queue for keys from `key` on, `window` of which have buckets at a time: a power of two of
    /// at least 64.
    pub fn clear(&mut self, key: u32, window: u32) {
        self.far.clear();
        self.near.clear(window as usize);
        self.open_window(key);
    }

    /// Adds `node` with a key that is not below the last one taken.
    #[inline]
    pub fn push(&mut self, key: u32, node: u32) {
        debug_assert!(key >= self.key, "keys never fall below the last one taken");
        if key < self.end {
            self.near.push(key, node);
        } else {
            self.far.push((key, node));
        }
    }

    /// Takes the entry with the smallest key; of several, the last that was pushed.
    #[inline]
    pub fn pop(&mut self) -> Option<(u32, u32)> {
        self.pop_near().or_else(|| self.advance())
    }

    #[inline]
    fn pop_near(&mut self) -> Option<(u32, u32)> {
        // Mostly the bucket of the last key holds more, and nothing is looked up.
        if let Some(node) = self.near.pop(self.key) {
            return Some((self.key, node));
        }
        self.key += self.near.distance_to_next(self.key)?;
        Some((self.key, self.near.pop(self.key)?))
    }

    fn open_window(&mut self, key: u32) {
        self.key = key;
        self.end = key.saturating_add(self.near.count() as u32);
    }

    /// Moves the window to the smallest key beyond it, if there is one, and takes its entry. Takes two passes
    /// over the entries beyond the window.
    #[cold]
    fn advance(&mut self) -> Option<(u32, u32)> {
        let first = self.far.iter().map(|&(key, _)| key).min()?;
        self.open_window(first);
        let Self { near, far, end, .. } = self;
        // In the order of pushes, so that equal keys come last in, first out, as if they had been in buckets
        // all along.
        far.retain(|&(key, node)| {
            let stays = key >= *end;
            if !stays {
                near.push(key, node);
            }
            stays
        });
        self.pop_near()
    }
}
