use super::bucket_queue::{BucketQueue, Frontier};

/// Keys that have a bucket at a time unless told otherwise: as many as [`BucketQueue`] has buckets at least, 16 KB, half of a
/// first-level cache. Half would move the window twice as often and save no bucket; double would fill the cache. Other sizes
/// were not measured for searches on uniform cost.
const WINDOW_DEFAULT: u32 = 4096;

/// A monotone queue for keys of any span: a [`BucketQueue`] for a window of keys, and a list of those beyond.
///
/// For searches that mostly want the smallest keys, as jump-point search does: the window's buckets stay in the nearest
/// cache however far the keys reach (bench `paths`: 0.87 of the time with cold caches), and most entries beyond are never
/// taken. Entries come in the order in which one large exact queue gives them. The first key need not be known: the
/// window moves to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct WindowedBucketQueue<const WINDOW: u32 = WINDOW_DEFAULT> {
    near: BucketQueue,
    /// Keys from `end` on, and their nodes, in the order in which they were pushed.
    far: Vec<(u32, u32)>,
    /// The first key beyond the window.
    end: u32,
}

impl<const WINDOW: u32> WindowedBucketQueue<WINDOW> {
    /// Empties the queue for keys from `key` on.
    pub(crate) fn clear(&mut self, key: u32) {
        self.far.clear();
        self.open_window(key);
    }

    #[inline]
    pub(crate) fn push(&mut self, key: u32, node: u32) {
        if key < self.end {
            self.near.push(key, node);
        } else {
            self.far.push((key, node));
        }
    }

    /// Takes an entry with the smallest key: of several, the one that was pushed last.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(u32, u32)> {
        self.near.pop().or_else(|| self.advance())
    }

    /// Bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        self.near.memory() + self.far.capacity() * size_of::<(u32, u32)>()
    }

    fn open_window(&mut self, key: u32) {
        // Keys of the window then span less than its buckets, as an exact queue needs.
        self.near.clear(key, WINDOW - 1);
        self.end = key.saturating_add(WINDOW);
    }

    /// Moves the window to the smallest key beyond it, if there is one, and takes its entry. Takes two passes over the entries
    /// beyond the window.
    #[cold]
    fn advance(&mut self) -> Option<(u32, u32)> {
        let first = self.far.iter().map(|&(key, _)| key).min()?;
        self.open_window(first);
        let Self { near, far, end } = self;
        // In the order of pushes, so that equal keys come last in, first out, as if they had been in buckets all along.
        far.retain(|&(key, node)| {
            let stays = key >= *end;
            if !stays {
                near.push(key, node);
            }
            stays
        });
        self.near.pop()
    }
}

impl<const WINDOW: u32> Frontier for WindowedBucketQueue<WINDOW> {
    #[inline]
    fn push(&mut self, key: u32, entry: u32) {
        self.push(key, entry);
    }

    #[inline]
    fn pop(&mut self) -> Option<(u32, u32)> {
        self.pop()
    }
}
