//! Random numbers that are the same on every machine: `SplitMix64` (Steele, Lea & Flood, 2014).

use std::ops::Range;

/// A stream of random numbers that depends on its seed only; or the choices that a fuzzer wrote down as
/// bytes.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
    /// Taken before the stream, the last one first.
    bytes: Vec<u8>,
}

impl Rng {
    /// The stream of `seed`. The seed is mixed first: the states of a stream are a fixed step apart, and
    /// neighbouring seeds must not begin one step apart in the same stream.
    pub const fn new(seed: u64) -> Self {
        Self { state: mixed(seed), bytes: Vec::new() }
    }

    /// The choices that `bytes` spell, one byte for a choice among up to 256; when they are used up, the
    /// stream of the seed that the first two are. So a short text makes a rich map, and a long one steers
    /// every cell of it.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        let (seed, rest) = bytes.split_at(bytes.len().min(2));
        let seed = seed.iter().fold(0, |seed, &byte| seed << 8 | u64::from(byte));
        Self { bytes: rest.iter().rev().copied().collect(), ..Self::new(seed) }
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.below(u64::MAX)
    }

    /// A number below `end`, which must not be 0.
    fn below(&mut self, end: u64) -> u64 {
        if !self.bytes.is_empty() {
            let count = (u64::BITS - (end - 1).leading_zeros()).div_ceil(8);
            let spelt = (0..count).fold(0, |n, _| n << 8 | u64::from(self.bytes.pop().unwrap_or(0)));
            return spelt % end;
        }
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let bits = mixed(self.state);
        if end == u64::MAX { bits } else { bits % end }
    }

    /// A number of the range, which must not be empty.
    pub fn int(&mut self, range: Range<i32>) -> i32 {
        let span = (i64::from(range.end) - i64::from(range.start)) as u64;
        (i64::from(range.start) + self.below(span) as i64) as i32
    }

    /// A place in a list of `len` elements, of which there is at least one.
    pub fn place(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// One of `choices`, of which there is at least one.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.place(choices.len())]
    }

    /// Whether something happens that happens so many times in a hundred.
    pub fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }
}

/// Every bit of `z` in every bit of the result.
const fn mixed(z: u64) -> u64 {
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// The seeds of a test: as many as `count`, times the number in the environment variable `PATHFORGE_EFFORT`
/// for a long hunt. Every test has its own `block` of seeds, so no two try the same maps.
pub fn seeds(block: u64, count: u64) -> Range<u64> {
    let effort = std::env::var("PATHFORGE_EFFORT").ok().and_then(|e| e.parse().ok()).unwrap_or(1);
    block << 32..(block << 32) + count * effort
}
