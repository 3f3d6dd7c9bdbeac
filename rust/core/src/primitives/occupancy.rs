use crate::bitgrid::ones;

/// An index of the occupied buckets of a circular array. The number of buckets is a power of two of at least
/// 64.
///
/// Two levels: a bit for each bucket, and a bit for each word of the first level. So the next occupied bucket
/// is found by counting zeros in two or three words, if it lies at most 4,096 buckets ahead.
///
/// `W` and `U` store the two levels. Where the number of buckets is known at compile time they are arrays:
/// then a masked bucket needs no test of bounds, which are 7 % of a cluster's Dijkstra expansions.
#[derive(Clone, Debug, Default)]
pub(crate) struct OccupancyIndex<W = Vec<u64>, U = Vec<u64>> {
    words: W,
    /// A bit for each word that is not zero.
    upper: U,
}

/// An index of at most 4,096 buckets, 64 a word.
pub(crate) type FixedOccupancyIndex<const WORDS: usize> = OccupancyIndex<[u64; WORDS], [u64; 1]>;

impl OccupancyIndex {
    /// All of `buckets` empty.
    pub(crate) fn clear(&mut self, buckets: usize) {
        debug_assert!(buckets.is_power_of_two() && buckets >= 64);
        self.words.clear();
        self.words.resize(buckets / 64, 0);
        self.upper.clear();
        self.upper.resize((buckets / 64).div_ceil(64), 0);
    }
}

impl<const WORDS: usize> FixedOccupancyIndex<WORDS> {
    /// All of 64 × `WORDS` buckets empty.
    pub(crate) const fn empty() -> Self {
        const { assert!(WORDS.is_power_of_two() && WORDS <= 64) };
        Self { words: [0; WORDS], upper: [0] }
    }
}

impl<W: AsRef<[u64]> + AsMut<[u64]>, U: AsRef<[u64]> + AsMut<[u64]>> OccupancyIndex<W, U> {
    #[inline]
    pub(crate) fn set(&mut self, bucket: usize) {
        self.words.as_mut()[bucket >> 6] |= 1 << (bucket & 63);
        self.upper.as_mut()[bucket >> 12] |= 1 << (bucket >> 6 & 63);
    }

    #[inline]
    pub(crate) fn unset(&mut self, bucket: usize) {
        let word = &mut self.words.as_mut()[bucket >> 6];
        *word &= !(1 << (bucket & 63));
        // Without a branch: whether a word becomes empty cannot be predicted.
        let is_empty = u64::from(*word == 0);
        self.upper.as_mut()[bucket >> 12] &= !(is_empty << (bucket >> 6 & 63));
    }

    /// Calls `visit` with every bucket that is not empty, and marks it as empty.
    ///
    /// Takes time in proportion to those buckets: on a small map, resetting all of them is a notable part of
    /// a query.
    pub(crate) fn drain(&mut self, mut visit: impl FnMut(usize)) {
        let words = self.words.as_mut();
        for (upper, full) in self.upper.as_mut().iter_mut().enumerate() {
            for word in ones(std::mem::take(full)).map(|bit| upper << 6 | bit) {
                ones(std::mem::take(&mut words[word])).for_each(|bit| visit(word << 6 | bit));
            }
        }
    }

    /// The first bucket that is not empty from `bucket` on, around the end; `None` when all are empty.
    #[inline]
    pub(crate) fn next(&self, bucket: usize) -> Option<usize> {
        let (words, uppers) = (self.words.as_ref(), self.upper.as_ref());
        let word = bucket >> 6;
        let rest = words[word] & (u64::MAX << (bucket & 63));
        if rest != 0 {
            return Some(word << 6 | rest.trailing_zeros() as usize);
        }
        let in_word = |word: usize| word << 6 | words[word].trailing_zeros() as usize;
        let first = word >> 6;
        // `!1 << n` is zero for the last bit, where `u64::MAX << (n + 1)` would overflow.
        let later = uppers[first] & (!1_u64 << (word & 63));
        if later != 0 {
            return Some(in_word(first << 6 | later.trailing_zeros() as usize));
        }
        // The last of these is the first upper word again: what it still holds lies before `bucket`, around
        // the end.
        (1..=uppers.len()).map(|n| (first + n) % uppers.len()).find_map(|upper| {
            let bits = uppers[upper];
            (bits != 0).then(|| in_word(upper << 6 | bits.trailing_zeros() as usize))
        })
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
