/// An index of the buckets of a circular array that hold anything. The number of buckets is a power of two of at least 64.
///
/// Two levels: a bit for each bucket, and a bit for each word of the first level. So the next occupied bucket is found by
/// counting zeros in two or three words, however far ahead it lies, unless it lies more than 4,096 buckets ahead.
#[derive(Clone, Debug, Default)]
pub(crate) struct OccupancyIndex {
    words: Vec<u64>,
    /// A bit for each word that is not zero.
    upper: Vec<u64>,
}

impl OccupancyIndex {
    /// All of `buckets` empty.
    pub(crate) fn clear(&mut self, buckets: usize) {
        debug_assert!(buckets.is_power_of_two() && buckets >= 64);
        self.words.clear();
        self.words.resize(buckets / 64, 0);
        self.upper.clear();
        self.upper.resize((buckets / 64).div_ceil(64), 0);
    }

    #[inline]
    pub(crate) fn set(&mut self, bucket: usize) {
        self.words[bucket >> 6] |= 1 << (bucket & 63);
        self.upper[bucket >> 12] |= 1 << (bucket >> 6 & 63);
    }

    #[inline]
    pub(crate) fn unset(&mut self, bucket: usize) {
        let word = &mut self.words[bucket >> 6];
        *word &= !(1 << (bucket & 63));
        // Without a branch: whether a word becomes empty cannot be predicted.
        let is_empty = u64::from(*word == 0);
        self.upper[bucket >> 12] &= !(is_empty << (bucket >> 6 & 63));
    }

    /// Calls `visit` with every bucket that is not empty, and marks it as empty.
    ///
    /// Takes time in proportion to those buckets: on a small map, resetting all of them is a notable part of a query.
    pub(crate) fn drain(&mut self, mut visit: impl FnMut(usize)) {
        for (upper, full) in self.upper.iter_mut().enumerate() {
            while *full != 0 {
                let word = upper << 6 | full.trailing_zeros() as usize;
                let mut bits = std::mem::take(&mut self.words[word]);
                while bits != 0 {
                    visit(word << 6 | bits.trailing_zeros() as usize);
                    bits &= bits - 1;
                }
                *full &= *full - 1;
            }
        }
    }

    /// The first bucket that is not empty from `bucket` on, around the end; `None` when all are empty.
    #[inline]
    pub(crate) fn next(&self, bucket: usize) -> Option<usize> {
        let word = bucket >> 6;
        let rest = self.words[word] & (u64::MAX << (bucket & 63));
        if rest != 0 {
            return Some(word << 6 | rest.trailing_zeros() as usize);
        }
        let in_word = |word: usize| word << 6 | self.words[word].trailing_zeros() as usize;
        let first = word >> 6;
        // `!1 << n` is zero for the last bit, where `u64::MAX << (n + 1)` would overflow.
        let later = self.upper[first] & (!1_u64 << (word & 63));
        if later != 0 {
            return Some(in_word(first << 6 | later.trailing_zeros() as usize));
        }
        // The last of these is the first upper word again: what it still holds lies before `bucket`, around the end.
        (1..=self.upper.len()).map(|n| (first + n) % self.upper.len()).find_map(|upper| {
            let words = self.upper[upper];
            (words != 0).then(|| in_word(upper << 6 | words.trailing_zeros() as usize))
        })
    }

    /// Bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        (self.words.capacity() + self.upper.capacity()) * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_bucket_is_found_around_the_end() {
        for buckets in [64, 128, 4096, 32_768] {
            let mut full = OccupancyIndex::default();
            full.clear(buckets);
            assert_eq!(full.next(5), None);
            let places = [3, 17, 63, buckets / 2 + 1, buckets - 1];
            for place in places {
                full.set(place);
            }
            for from in 0..buckets {
                let next = (0..buckets).map(|n| (from + n) % buckets).find(|b| places.contains(b));
                assert_eq!(full.next(from), next);
            }
            for place in places {
                full.unset(place);
            }
            assert_eq!(full.next(buckets - 1), None);
        }
    }
}
