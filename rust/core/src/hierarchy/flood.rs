//! What it costs to get from each of many places of a cluster to every other: its cells are laid out once, close together.

use super::ground::{BodyGround, FINE_SHIFT, Spot, Window};
use crate::cost::StepCost;
use crate::geometry::Direction;
use crate::passability::PruningTable;

/// Cells of a cluster with both its lines, and a border of cells that nothing improves.
const SIDE: usize = (1 << FINE_SHIFT) + 1;
const STRIDE: usize = SIDE + 2;
/// Enough places for all; a power of two, so that a mask keeps every place inside.
const PLACES: usize = (STRIDE * STRIDE).next_power_of_two();
const PLACE_MASK: usize = PLACES - 1;
/// Rings of places: one for each range of costs ahead. `BUCKETS` of them reach farther than any step.
const BUCKETS: usize = 1024;
const BUCKET_MASK: usize = BUCKETS - 1;
const WORDS: usize = BUCKETS / 64;
const RINGS: usize = (PLACES + BUCKETS).next_power_of_two();
const RING_MASK: usize = RINGS - 1;

const UNREACHED: u32 = u32::MAX;
/// Set in an arrival where directions are not to be pruned.
const EVERYWHERE: u8 = 8;

/// The cells of a cluster, and what the last flood found for them.
///
/// Places wait in rings, doubly linked, by their cost; one that is reached more cheaply changes its ring, so that none
/// is ever looked at twice unless a ring holds several costs.
#[derive(Clone, Debug)]
pub(super) struct ClusterFlood {
    window: Window,
    /// By place: the neighbourhood of a stand, see `BitGrid::neighbourhood`.
    cells: Box<[u16; PLACES]>,
    /// By place: what arriving there costs, packed.
    steps: Box<[u32; PLACES]>,
    /// By place: [`EVERYWHERE`] where costs differ around it.
    rough: Box<[u8; PLACES]>,
    g: Box<[u32; PLACES]>,
    arrival: Box<[u8; PLACES]>,
    /// Places, then buckets: the next and the one before in the ring. What waits nowhere is its own neighbour.
    next: Box<[u16; RINGS]>,
    before: Box<[u16; RINGS]>,
    /// Buckets that may hold something.
    full: [u64; WORDS],
    /// Log₂ of the costs that share a bucket.
    shift: u32,
}

impl Default for ClusterFlood {
    fn default() -> Self {
        let alone = || Box::new(std::array::from_fn(|n| n as u16));
        Self {
            window: Window { x0: 0, y0: 0, x1: 0, y1: 0 },
            cells: Box::new([0; PLACES]),
            steps: Box::new([0; PLACES]),
            rough: Box::new([0; PLACES]),
            g: Box::new([0; PLACES]),
            arrival: Box::new([0; PLACES]),
            next: alone(),
            before: alone(),
            full: [0; WORDS],
            shift: 0,
        }
    }
}

impl ClusterFlood {
    /// Lays out the cells of `window`, a cluster's.
    pub(super) fn lay_out(&mut self, ground: &BodyGround<'_>, window: Window) {
        self.window = window;
        let shape = ground.stands.shape();
        let packed = ground.costs.map(|costs| (costs.packed(), costs.plain()));
        for y in window.y0..=window.y1 {
            for x in window.x0..=window.x1 {
                let spot = Spot::new(x, y);
                let (place, index) = (self.place(spot), spot.index(shape));
                if !ground.stands.get(index) {
                    continue;
                }
                self.cells[place] = ground.stands.neighbourhood(index) as u16;
                let (step, rough) = match packed {
                    None => (StepCost::UNIT.pack(), 0),
                    Some((packed, plain)) => {
                        (packed[index.get()], if plain.get(index) { 0 } else { EVERYWHERE })
                    }
                };
                (self.steps[place], self.rough[place]) = (step, rough);
            }
        }
        // A bucket may not come round while something waits in it.
        let span = u32::from(ground.extremes().1.diagonal.max(ground.extremes().1.straight)) + 1;
        self.shift = (span / BUCKETS as u32 + 1).next_power_of_two().trailing_zeros();
    }

    /// Finds what it costs to get from `from` to every stand of the cluster without leaving it.
    pub(super) fn run(&mut self, from: Spot, table: &PruningTable) {
        self.begin();
        let source = self.place(from);
        self.g[source] = 0;
        self.arrival[source] = EVERYWHERE;
        self.put(source, 0);
        let mut now = 0;
        while let Some(place) = self.take(&mut now) {
            let (g, arrival, cells) = (self.g[place], self.arrival[place], u32::from(self.cells[place]));
            let (all, pruned) = (table.legal(cells), table.after(arrival, cells));
            let mut ways = if arrival & EVERYWHERE == 0 { pruned.0 } else { all.0 };
            while ways != 0 {
                let direction = ways.trailing_zeros();
                ways &= ways - 1;
                let to = place.wrapping_add_signed(OFFSETS[direction as usize & 7]) & PLACE_MASK;
                // Odd directions are diagonal, whose cost is the upper half.
                let g = g + ((self.steps[to] >> ((direction & 1) << 4)) & 0xffff);
                if g < self.g[to] {
                    self.g[to] = g;
                    self.arrival[to] = direction as u8 | self.rough[to];
                    self.put(to, (g >> self.shift) as usize & BUCKET_MASK);
                }
            }
        }
    }

    /// What the last flood found for a spot of the cluster.
    pub(super) fn cost(&self, spot: Spot) -> Option<u32> {
        let g = self.g[self.place(spot)];
        (g != UNREACHED).then_some(g)
    }

    pub(super) const fn memory() -> usize {
        PLACES * (2 + 4 + 1 + 4 + 1) + 2 * RINGS * 2
    }

    const fn place(&self, spot: Spot) -> usize {
        let (x, y) = (spot.x() - self.window.x0 + 1, spot.y() - self.window.y0 + 1);
        (y as usize * STRIDE + x as usize) & PLACE_MASK
    }

    /// Forgets all costs, and sets those around the cluster's cells so that nothing leaves it.
    fn begin(&mut self) {
        let Window { x0, y0, x1, y1 } = self.window;
        let (w, h) = ((x1 - x0 + 1) as usize, (y1 - y0 + 1) as usize);
        self.g[..STRIDE].fill(0);
        for row in self.g[STRIDE..].chunks_exact_mut(STRIDE).take(h) {
            row[0] = 0;
            row[1..=w].fill(UNREACHED);
            row[w + 1] = 0;
        }
        self.g[(h + 1) * STRIDE..(h + 2) * STRIDE].fill(0);
    }

    /// Has a place wait in a bucket, and in no other.
    #[inline]
    fn put(&mut self, place: usize, bucket: usize) {
        let (next, before) = (self.next[place & RING_MASK], self.before[place & RING_MASK]);
        self.next[usize::from(before) & RING_MASK] = next;
        self.before[usize::from(next) & RING_MASK] = before;
        let head = PLACES + bucket;
        let first = self.next[head & RING_MASK];
        self.next[place & RING_MASK] = first;
        self.before[place & RING_MASK] = head as u16;
        self.before[usize::from(first) & RING_MASK] = place as u16;
        self.next[head & RING_MASK] = place as u16;
        self.full[bucket >> 6] |= 1 << (bucket & 63);
    }

    /// Takes a place out of the first bucket from `now` on that holds any.
    #[inline]
    fn take(&mut self, now: &mut usize) -> Option<usize> {
        loop {
            let head = PLACES + *now;
            let place = usize::from(self.next[head & RING_MASK]);
            if place != head {
                let next = self.next[place & RING_MASK];
                self.next[head & RING_MASK] = next;
                self.before[usize::from(next) & RING_MASK] = head as u16;
                (self.next[place & RING_MASK], self.before[place & RING_MASK]) = (place as u16, place as u16);
                return Some(place & PLACE_MASK);
            }
            self.full[*now >> 6] &= !(1 << (*now & 63));
            *now = self.next_full(*now)?;
        }
    }

    /// The first bucket behind `now`, around the circle, that may hold something.
    #[inline]
    fn next_full(&self, now: usize) -> Option<usize> {
        let word = now >> 6;
        let ahead = self.full[word] & (u64::MAX << (now & 63));
        if ahead != 0 {
            return Some(word << 6 | ahead.trailing_zeros() as usize);
        }
        (1..=WORDS).map(|step| (word + step) % WORDS).find_map(|word| {
            let bits = self.full[word];
            (bits != 0).then(|| word << 6 | bits.trailing_zeros() as usize)
        })
    }
}

/// By direction number: how far away the neighbour's place is.
const OFFSETS: [isize; 8] = {
    let mut offsets = [0; 8];
    let mut n = 0;
    while n < 8 {
        offsets[n] = Direction::ALL[n].dy() as isize * STRIDE as isize + Direction::ALL[n].dx() as isize;
        n += 1;
    }
    offsets
};
