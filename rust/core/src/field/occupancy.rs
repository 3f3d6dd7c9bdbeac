//! Which buckets of a ring hold anything: two levels of bits, so that the next one is found in a few steps.

/// One bit for each of a power of two of buckets, at least 64.
#[derive(Clone, Debug, Default)]
pub(super) struct Occupancy {
    words: Vec<u64>,
    /// A bit for each word that is not zero.
    upper: Vec<u64>,
}

impl Occupancy {
    /// All of `buckets` empty.
    pub(super) fn clear(&mut self, buckets: usize) {
        debug_assert!(buckets.is_power_of_two() && buckets >= 64);
        self.words.clear();
        self.words.resize(buckets / 64, 0);
        self.upper.clear();
        self.upper.resize((buckets / 64).div_ceil(64), 0);
    }

    #[inline]
    pub(super) fn set(&mut self, bucket: usize) {
        self.words[bucket >> 6] |= 1 << (bucket & 63);
        self.upper[bucket >> 12] |= 1 << (bucket >> 6 & 63);
    }

    #[inline]
    pub(super) fn unset(&mut self, bucket: usize) {
        let word = &mut self.words[bucket >> 6];
        *word &= !(1 << (bucket & 63));
        if *word == 0 {
            self.upper[bucket >> 12] &= !(1 << (bucket >> 6 & 63));
        }
    }

    /// The first bucket that is not empty from `bucket` on, around the end; `None` when all are empty.
    #[inline]
    pub(super) fn next(&self, bucket: usize) -> Option<usize> {
        let word = bucket >> 6;
        let rest = self.words[word] & (u64::MAX << (bucket & 63));
        if rest != 0 {
            return Some(word << 6 | rest.trailing_zeros() as usize);
        }
        let in_word = |word: usize| word << 6 | self.words[word].trailing_zeros() as usize;
        let first = word >> 6;
        let later = self.upper[first] & (!1_u64 << (word & 63));
        if later != 0 {
            return Some(in_word(first << 6 | later.trailing_zeros() as usize));
        }
        // Once around, back to the first of the upper words, whose lower part was not looked at.
        (1..=self.upper.len()).map(|n| (first + n) % self.upper.len()).find_map(|upper| {
            let words = self.upper[upper];
            (words != 0).then(|| in_word(upper << 6 | words.trailing_zeros() as usize))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_bucket_is_found_around_the_end() {
        for buckets in [64, 128, 4096, 32_768] {
            let mut full = Occupancy::default();
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
