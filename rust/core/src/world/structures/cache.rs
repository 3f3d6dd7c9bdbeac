//! Structures that are kept by what they were asked for, and dropped by one rule.

/// Something that takes memory while it is kept.
pub(super) trait Memory {
    /// Returns the bytes on the heap.
    fn memory(&self) -> usize;
}

/// How much a cache keeps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Most values.
    pub(super) values: usize,
    /// Most bytes in all.
    pub(in crate::world) bytes: usize,
    /// A value is dropped if this many uses of others came since its last use.
    pub(super) idle_uses: u64,
}

impl Limits {
    /// Returns limits of `values` values, whatever memory they take and however long they are not used.
    pub(super) const fn values(values: usize) -> Self {
        Self { values, bytes: usize::MAX, idle_uses: u64::MAX }
    }
}

/// Values by key. Where a limit is met, the value that was used least recently makes room.
#[derive(Clone, Debug)]
pub(super) struct Cache<K, V> {
    entries: Vec<Entry<K, V>>,
    limits: Limits,
    uses: u64,
}

#[derive(Clone, Debug)]
struct Entry<K, V> {
    key: K,
    last_use: u64,
    value: V,
}

impl<K: Copy + PartialEq, V: Memory> Cache<K, V> {
    pub(super) const fn new(limits: Limits) -> Self {
        Self { entries: Vec::new(), limits, uses: 0 }
    }

    pub(in crate::world) const fn len(&self) -> usize {
        self.entries.len()
    }

    pub(in crate::world) const fn limits(&self) -> &Limits {
        &self.limits
    }

    pub(in crate::world) fn set_memory_max(&mut self, bytes: usize) {
        self.limits.bytes = bytes;
        self.evict(None);
    }

    pub(super) fn memory(&self) -> usize {
        self.values().map(V::memory).sum()
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &V> {
        self.entries.iter().map(|entry| &entry.value)
    }

    pub(super) fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.entries.iter_mut().map(|entry| &mut entry.value)
    }

    /// Returns the values with their keys, for another cache to take over.
    pub(super) fn into_entries(self) -> impl Iterator<Item = (K, V)> {
        self.entries.into_iter().map(|entry| (entry.key, entry.value))
    }

    /// Returns the place of a value, valid until a value is inserted or dropped.
    pub(super) fn find(&self, key: &K) -> Option<usize> {
        // A scan: a cache keeps few values, and keys need no hash.
        self.entries.iter().position(|entry| entry.key == *key)
    }

    pub(super) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.entries.iter_mut().find(|entry| entry.key == *key).map(|entry| &mut entry.value)
    }

    /// Returns the value at `place`, not counted as used.
    pub(super) fn at(&self, place: usize) -> &V {
        &self.entries[place].value
    }

    /// Returns the value at `place`, not counted as used.
    pub(super) fn at_mut(&mut self, place: usize) -> &mut V {
        &mut self.entries[place].value
    }

    /// Counts a use of the value at `place`.
    pub(super) fn touch(&mut self, place: usize) {
        self.uses += 1;
        // Uses are counted instead of time, so that evictions are the same in every run.
        self.entries[place].last_use = self.uses;
    }

    /// Returns the value of `key`, made by `make` if there is none, and counts a use of it.
    pub(super) fn get_or_insert_with(&mut self, key: &K, make: impl FnOnce() -> V) -> &mut V {
        let place = self.find(key).unwrap_or_else(|| self.insert(*key, make()));
        self.touch(place);
        self.at_mut(place)
    }

    /// Keeps a value under a key that has none; returns its place. Others may make room for it.
    pub(super) fn insert(&mut self, key: K, value: V) -> usize {
        self.uses += 1;
        self.entries.push(Entry { key, last_use: self.uses, value });
        self.evict(Some(self.entries.len() - 1)).unwrap_or(0)
    }

    /// Drops values until all limits are kept, but never the one at `kept`, whose new place it returns.
    pub(super) fn evict(&mut self, kept: Option<usize>) -> Option<usize> {
        // By key, as places shift when entries are removed.
        let kept = kept.map(|place| self.entries[place].key);
        let (uses, limits) = (self.uses, self.limits);
        self.entries.retain(|entry| Some(entry.key) == kept || uses - entry.last_use <= limits.idle_uses);
        while self.len() > limits.values || self.memory() > limits.bytes {
            // Few values are kept, so a scan here costs less than an order that every use keeps up to date.
            let others = (0..self.len()).filter(|&place| Some(self.entries[place].key) != kept);
            let Some(oldest) = others.min_by_key(|&place| self.entries[place].last_use) else { break };
            self.entries.remove(oldest);
        }
        self.find(&kept?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Memory for usize {
        fn memory(&self) -> usize {
            *self
        }
    }

    #[test]
    fn the_least_recently_used_value_makes_room() {
        let mut cache = Cache::new(Limits { values: 3, bytes: 100, idle_uses: 4 });
        for key in 0..3 {
            cache.insert(key, 10);
        }
        let first = cache.find(&0).unwrap();
        cache.touch(first);
        cache.insert(3, 10);
        assert_eq!((cache.find(&1), cache.len()), (None, 3), "too many: 1 was used before all others");
        let large = cache.insert(4, 95);
        assert_eq!((*cache.at(large), cache.len()), (95, 1), "too much memory");
        cache.insert(5, 1);
        for _ in 0..5 {
            let place = cache.find(&5).unwrap();
            cache.touch(place);
        }
        cache.evict(None);
        assert_eq!((cache.find(&4), cache.len()), (None, 1), "not used for long");
        let kept = cache.insert(6, 1000);
        assert_eq!((cache.len(), *cache.at(kept)), (1, 1000), "what was asked for is never dropped");
    }
}
