//! Costs from each transition of a cluster to every other, over its cells, by Dijkstra's algorithm on coarse
//! buckets.
//!
//! The cells are loaded once, close together, and searched from every transition. This loop stays apart from
//! [`super::window_search`], whose queue takes any number of entries a cell. Here all places are known
//! beforehand, so a bucket is a doubly linked list of *places*, and a place that is reached at less is moved.
//! Nothing is queued twice, and no entry is out of date. The index of occupied buckets is the shared one.

use super::ground::BodyGround;
use super::partition::CLUSTER_SHIFT;
use crate::bitgrid::ones;
use crate::cost::StepCost;
use crate::primitives::{FixedOccupancyIndex, GridBounds, GridPoint, PruningTable, offsets};

/// Cells of a cluster with both its lines; around them lies a border of cells that nothing improves.
const SIDE: usize = (1 << CLUSTER_SHIFT) + 1;
const STRIDE: usize = SIDE + 2;
/// Enough places for all; a power of two, so that a mask keeps every place inside and no access needs a test
/// of bounds.
const PLACES: usize = (STRIDE * STRIDE).next_power_of_two();
const PLACE_MASK: usize = PLACES - 1;
/// Buckets, one for each range of 2^shift costs.
const BUCKETS: usize = 1024;
const BUCKET_MASK: usize = BUCKETS - 1;
/// Members of lists: places, then the heads of buckets.
const LINKS: usize = (PLACES + BUCKETS).next_power_of_two();
const LINK_MASK: usize = LINKS - 1;
/// By direction: from a place to its neighbour's, to be added wrapping.
const OFFSETS: [usize; 8] = offsets(STRIDE);

const UNREACHED: u32 = u32::MAX;
/// Set in an arrival where directions are not to be pruned: at the source, and where costs are not locally
/// uniform.
const ALL_DIRECTIONS: u8 = 8;

/// The cells of a cluster, and what the last search found for them.
#[derive(Clone, Debug)]
pub(super) struct ClusterDijkstra {
    window: GridBounds,
    /// By place: the neighbourhood of a placement, see `Placements::steps_from`.
    cells: Box<[u16; PLACES]>,
    /// By place: what arriving there costs, packed.
    steps: Box<[u32; PLACES]>,
    /// By place: [`ALL_DIRECTIONS`] where costs differ around it, or an edge is near.
    non_uniform: Box<[u8; PLACES]>,
    g: Box<[u32; PLACES]>,
    arrival: Box<[u8; PLACES]>,
    /// The next link of the list and the one before. A place that is in no bucket is its own neighbour.
    next: Box<[u16; LINKS]>,
    before: Box<[u16; LINKS]>,
    /// Buckets that may hold something: a bucket that lost its last place to another one is found to be empty
    /// later.
    occupied: FixedOccupancyIndex<{ BUCKETS / 64 }>,
    /// Log₂ of the costs that share a bucket.
    shift: u32,
}

impl Default for ClusterDijkstra {
    fn default() -> Self {
        let alone = || Box::new(std::array::from_fn(|n| n as u16));
        Self {
            window: GridBounds { x0: 0, y0: 0, x1: 0, y1: 0 },
            cells: Box::new([0; PLACES]),
            steps: Box::new([0; PLACES]),
            non_uniform: Box::new([0; PLACES]),
            g: Box::new([0; PLACES]),
            arrival: Box::new([0; PLACES]),
            next: alone(),
            before: alone(),
            occupied: FixedOccupancyIndex::empty(),
            shift: 0,
        }
    }
}

impl ClusterDijkstra {
    /// Loads the cells of `window`, a cluster's.
    pub(super) fn load(&mut self, ground: &BodyGround<'_>, window: GridBounds) {
        self.window = window;
        let layout = ground.layer.layout();
        let packed = ground.costs.map(|costs| (costs.packed(), costs.uniform()));
        for y in window.y0..=window.y1 {
            for x in window.x0..=window.x1 {
                let point = GridPoint::new(x, y);
                let (place, index) = (self.place(point), point.index(layout));
                // What an earlier cluster left at other cells is never read: no legal step leads there.
                if !ground.layer.get(index) {
                    continue;
                }
                self.cells[place] = ground.layer.steps_from(ground.mode, index) as u16;
                let (step, non_uniform) = match packed {
                    None if ground.layer.is_plain(index) => (StepCost::UNIT.pack(), 0),
                    None => (StepCost::UNIT.pack(), ALL_DIRECTIONS),
                    Some((packed, uniform)) => {
                        (packed[index.get()], if uniform.get(index) { 0 } else { ALL_DIRECTIONS })
                    }
                };
                (self.steps[place], self.non_uniform[place]) = (step, non_uniform);
            }
        }
        // All buckets together span more than a step, so that no bucket comes round while something is in it.
        let span = u32::from(ground.extremes().1.diagonal.max(ground.extremes().1.straight)) + 1;
        self.shift = (span / BUCKETS as u32 + 1).next_power_of_two().trailing_zeros();
    }

    /// Finds the cost from `from` to every placement of the cluster without leaving it.
    pub(super) fn run(&mut self, from: GridPoint, table: &PruningTable) {
        self.reset_costs();
        let source = self.place(from);
        self.g[source] = 0;
        self.arrival[source] = ALL_DIRECTIONS;
        self.put(source, 0);
        // A bucket may hold several costs, so a place may be taken before its cost is final. It is then put
        // into a bucket again.
        let mut now = 0;
        while let Some(place) = self.take(&mut now) {
            let (g, arrival, cells) = (self.g[place], self.arrival[place], u32::from(self.cells[place]));
            // Both are looked up, and one is chosen without a branch.
            let (all, pruned) = (table.legal(cells), table.after(arrival, cells));
            for direction in ones(if arrival & ALL_DIRECTIONS == 0 { pruned.0 } else { all.0 }) {
                let direction = direction & 7;
                let to = place.wrapping_add(OFFSETS[direction]) & PLACE_MASK;
                // Odd directions are diagonal, whose cost is the upper half.
                let g = g + ((self.steps[to] >> ((direction & 1) << 4)) & 0xffff);
                if g < self.g[to] {
                    self.g[to] = g;
                    self.arrival[to] = direction as u8 | self.non_uniform[to];
                    self.put(to, (g >> self.shift) as usize & BUCKET_MASK);
                }
            }
        }
    }

    /// The cost that the last search found for a point of the cluster; `None` if it did not reach it.
    pub(super) fn cost(&self, point: GridPoint) -> Option<u32> {
        let g = self.g[self.place(point)];
        (g != UNREACHED).then_some(g)
    }

    const fn place(&self, point: GridPoint) -> usize {
        let (x, y) = (point.x() - self.window.x0 + 1, point.y() - self.window.y0 + 1);
        (y as usize * STRIDE + x as usize) & PLACE_MASK
    }

    /// Forgets all costs, and makes those around the cluster's cells zero, so that nothing leaves it.
    fn reset_costs(&mut self) {
        // A cluster at the map's edge may be smaller than the arrays; only its part of them is reset.
        let GridBounds { x0, y0, x1, y1 } = self.window;
        let (w, h) = ((x1 - x0 + 1) as usize, (y1 - y0 + 1) as usize);
        self.g[..STRIDE].fill(0);
        for row in self.g[STRIDE..].chunks_exact_mut(STRIDE).take(h) {
            row[0] = 0;
            row[1..=w].fill(UNREACHED);
            row[w + 1] = 0;
        }
        self.g[(h + 1) * STRIDE..(h + 2) * STRIDE].fill(0);
    }

    /// Moves a place to a bucket.
    #[inline]
    fn put(&mut self, place: usize, bucket: usize) {
        // Unlinked from its bucket first. A place in none is its own neighbour, so that needs no branch.
        let (next, before) = (self.next[place & LINK_MASK], self.before[place & LINK_MASK]);
        self.next[usize::from(before) & LINK_MASK] = next;
        self.before[usize::from(next) & LINK_MASK] = before;
        let head = PLACES + bucket;
        let first = self.next[head & LINK_MASK];
        self.next[place & LINK_MASK] = first;
        self.before[place & LINK_MASK] = head as u16;
        self.before[usize::from(first) & LINK_MASK] = place as u16;
        self.next[head & LINK_MASK] = place as u16;
        self.occupied.set(bucket);
    }

    /// Takes a place out of the first bucket from `now` on that holds any.
    #[inline]
    fn take(&mut self, now: &mut usize) -> Option<usize> {
        loop {
            let head = PLACES + *now;
            let place = usize::from(self.next[head & LINK_MASK]);
            if place != head {
                let next = self.next[place & LINK_MASK];
                self.next[head & LINK_MASK] = next;
                self.before[usize::from(next) & LINK_MASK] = head as u16;
                (self.next[place & LINK_MASK], self.before[place & LINK_MASK]) = (place as u16, place as u16);
                return Some(place & PLACE_MASK);
            }
            // Here for all buckets, also for buckets that places were moved out of.
            self.occupied.unset(*now & BUCKET_MASK);
            *now = self.occupied.next(*now & BUCKET_MASK)?;
        }
    }
}
