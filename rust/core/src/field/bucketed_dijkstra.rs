//! Bucketed Dijkstra: the costs of a whole layer with any step costs, in any diagonal mode. It is Dijkstra's
//! algorithm on a bucket queue (Dial, *Algorithm 360: Shortest-Path Forest with Topological Ordering*, 1969).
//!
//! A step costs what the placement costs that it arrives at. The expansion runs backwards, from the goals
//! outwards, so a cell offers its neighbours its cost plus its own step cost. Locally uniform cells are
//! pruned canonically. Other cells offer nothing to the three neighbours behind them, since the cell that
//! they were reached from has offered less.
//!
//! Invariant: a bucket is as wide as the largest power of two that is at most the minimum step cost. So no
//! cell of a bucket can lower another one of it, and the order within a bucket does not matter (Denardo &
//! Fox, *Shortest-Route Methods: 1. Reaching, Pruning, and Buckets*, 1979). A cell is queued again whenever
//! its cost falls; stale entries are skipped.
//!
//! A cell where a link ends offers the link's cost to the cell where it begins. Links may cost more than the
//! buckets span, or less than one of them, so these offers have a heap of their own. It is emptied into a
//! bucket before any later one is, and again while a bucket adds to itself by links.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::bucket_lists::{Entry, List, tail};
use super::cost_grid::{CostGrid, lower};
use super::expansion_ground::{ExpansionGround, GroundView, NOT_UNIFORM};
use super::ground::FieldGround;
use crate::cost::{STRAIGHT, StepCost};
use crate::geometry::DiagonalMode;
use crate::passability::Placements;
use crate::primitives::{OccupancyIndex, SUCCESSORS, offsets};

/// Cells whose costs and moves are loaded together, so that their cache misses overlap. A core has some ten
/// to sixteen loads from beyond its first cache in flight, so half would still overlap them; larger groups
/// only grow the arrays on the stack. Half and twice as many take the same time.
const GROUP: usize = 32;
/// The length of an arm, in cells of weight 1. What lies farther ahead is more likely to be reached at a
/// lower cost from elsewhere, and then written twice.
const ARM_CELLS: u32 = 16;

// Cells are sorted by the moves worth trying, and each kind has a loop of its own, so that few branches
// depend on the cell.
/// One straight move, as mostly on locally uniform ground: an arm follows it to the first cell that differs.
const ARM: usize = 1;
/// Reached diagonally, on such ground: the diagonal goes on, and an arm leaves on either side.
const CORNER: usize = 2;
/// Reached by a straight step: five moves, ahead and on both sides.
const AHEAD: usize = 3;
/// Reached diagonally: five moves, ahead and on both sides.
const ASIDE: usize = 4;
/// All moves: an edge may part the cell that this one was reached from from those beside both.
const AROUND: usize = 5;
/// Rounded up to a power of two, so that a mask proves an index in bounds.
const KINDS: usize = 8;

/// By arrival, and by the legal moves with [`NOT_UNIFORM`]: the moves worth trying in the low byte, and their
/// kind above.
static WORTH: Worth = worth(false);
/// The same beside edges in modes that ask for one open corner of a diagonal step at most.
static WORTH_AROUND: Worth = worth(true);

type Worth = [[u16; 512]; 8];

const fn worth(beside_edges: bool) -> Worth {
    let mut table = [[0; 512]; 8];
    let mut n = 0;
    while n < 8 * 512 {
        let (arrival, ground) = (n / 512, n % 512);
        let is_not_uniform = ground & NOT_UNIFORM as usize != 0;
        let moves = ground as u8;
        // The three cells behind are neighbours of the cell p that this one was reached from, straight ones
        // unless they are p. A step to them is legal from p if it is from here, since straight steps need
        // open cells only, and costs p a straight step. By way of this cell it costs a step of p, which is at
        // least that, and one more: no shortest path goes there, whatever steps cost.
        let ahead = 0b1100_0111_u8.rotate_left(arrival as u32);
        let worth = if is_not_uniform && beside_edges {
            moves
        } else if is_not_uniform {
            moves & ahead
        } else {
            SUCCESSORS[arrival][moves as usize]
        };
        let kind = if worth == 0 {
            0
        } else if worth.is_power_of_two() && worth & 0b0101_0101 != 0 && !is_not_uniform {
            ARM
        } else if is_not_uniform && beside_edges {
            AROUND
        } else if arrival % 2 == 0 {
            AHEAD
        } else if is_not_uniform {
            ASIDE
        } else {
            CORNER
        };
        table[arrival][ground] = worth as u16 | (kind as u16) << 8;
        n += 1;
    }
    table
}

/// Where the direction of arrival ends and the index begins in [`Entry::place`].
const DIRECTION: u32 = 7;

/// A cell taken from a bucket.
#[derive(Clone, Copy, Default)]
struct Taken {
    entry: Entry,
    /// The packed cost of stepping onto it.
    step: u32,
    /// The moves worth trying, in the low byte.
    worth: u32,
}

/// Cells taken from a bucket, by kind; kind 0 need not be expanded.
struct Group {
    taken: [[Taken; GROUP]; KINDS],
    counts: [usize; KINDS],
}

impl Group {
    /// Loads up to [`GROUP`] entries and sorts them by kind, without a branch that depends on them. Skips
    /// entries whose cell has been lowered since it was queued.
    #[inline(never)]
    fn load(&mut self, list: &[Entry], costs: &[u32], ground: GroundView<'_>, worth: &Worth) {
        self.counts = [0; KINDS];
        for &entry in list {
            let at = entry.at();
            let number = ground.cells[at];
            let worth = worth[(entry.place & DIRECTION) as usize][usize::from(number) % 512];
            // The masks prove the indices in bounds.
            let kind = if costs[at] == entry.cost { usize::from(worth >> 8) % KINDS } else { 0 };
            let count = &mut self.counts[kind];
            self.taken[kind][*count % GROUP] =
                Taken { entry, step: ground.step(number, at), worth: u32::from(worth) };
            *count += 1;
        }
    }

    /// The cells of a kind.
    #[inline]
    fn of(&self, kind: usize) -> impl Iterator<Item = &Taken> {
        self.taken[kind][..self.counts[kind].min(GROUP)].iter()
    }
}

/// The bucket queue, and the state of an expansion that ran out of units.
#[derive(Clone, Debug, Default)]
pub(super) struct BucketedDijkstra {
    ground: ExpansionGround,
    /// Whether cells that are not uniform offer to all around them.
    is_around: bool,
    /// The padded rows that a bounded expansion may reach.
    rows: Range<usize>,
    /// Straight and diagonal offers have lists of their own: a cell appends to two lists, and neither append
    /// waits for the length that the other one stores.
    straight: Vec<List>,
    diagonal: Vec<List>,
    occupied: OccupancyIndex,
    /// A cost's bucket is the cost shifted right by this.
    shift: u32,
    /// An arm ends when it has cost this much.
    arm_cost_max: u32,
    /// The number of the bucket that is being emptied.
    key: u32,
    /// The one of its two lists that is being emptied.
    current: List,
    /// Number of entries of `current` that have been taken.
    taken: usize,
    /// The other list, which is emptied afterwards.
    waiting: List,
    /// Cells that links have lowered, with their costs.
    linked: BinaryHeap<Reverse<(u32, u32)>>,
}

/// What an expansion reads and writes. Lives for one call, in a variable: the compiler then knows what no
/// write can change.
struct Expansion<'a> {
    costs: &'a mut [u32],
    ground: GroundView<'a>,
    worth: &'static Worth,
    /// By direction, from a padded index to the neighbour's; to be added wrapping.
    offsets: [usize; 8],
    /// The same from an [`Entry::place`] without direction to the neighbour's with that direction; twice
    /// around.
    places: [u32; 16],
    limit: u32,
    was_cut: bool,
    straight: &'a mut [List],
    diagonal: &'a mut [List],
    occupied: &'a mut OccupancyIndex,
    shift: u32,
    arm_cost_max: u32,
    /// Cells visited.
    visited: i64,
}

impl BucketedDijkstra {
    /// Gets ready to be told the ground of an expansion from `goals` up to below the cost `limit`.
    pub(super) fn start_ground(&mut self, ground: &FieldGround<'_>, goals: &[u32], limit: u32) {
        self.ground.start(ground);
        let cuts_corners = matches!(ground.mode(), DiagonalMode::Always | DiagonalMode::AtLeastOneWalkable);
        self.is_around = cuts_corners && ground.placements.has_edges();
        let layout = ground.layout();
        // No step costs less than a straight one.
        let reach = (limit / u32::from(ground.extremes().0.straight)) as usize + 1;
        let row = |goal: Option<&u32>| goal.map_or(0, |&goal| goal as usize / layout.stride());
        // Goals are sorted. Links lead anywhere.
        self.rows = if ground.placements.links().is_some() {
            0..layout.rows()
        } else {
            row(goals.first()).saturating_sub(reach)..(row(goals.last()) + reach + 1).min(layout.rows())
        };
    }

    /// Is told the ground of padded rows.
    pub(super) fn fill_ground(&mut self, ground: &FieldGround<'_>, rows: Range<usize>) {
        let rows = rows.start.max(self.rows.start)..rows.end.min(self.rows.end);
        let stride = ground.layout().stride();
        self.ground.fill(ground, rows.start * stride..rows.end * stride);
    }

    /// Starts an expansion from `goals`, whose costs are 0 already; all steps cost from `minimum` to
    /// `maximum`.
    pub(super) fn start(&mut self, goals: &[u32], minimum: StepCost, maximum: StepCost) {
        // The width of a bucket: see the head.
        self.shift = minimum.straight.min(minimum.diagonal).ilog2();
        let maximum = u32::from(maximum.diagonal.max(maximum.straight));
        self.arm_cost_max = maximum.max(ARM_CELLS * STRAIGHT);
        // An offer lies at most this many buckets ahead, and one more, depending on where in its bucket the
        // cell lies.
        let reach = (self.arm_cost_max + maximum) >> self.shift;
        // The occupancy index counts in words of 64 buckets.
        let ring = (reach as usize + 2).next_power_of_two().max(64);
        // Both circles have one size, so one index says where either holds anything.
        for lists in [&mut self.straight, &mut self.diagonal] {
            // Never fewer: the lists of earlier builds keep their memory.
            if lists.len() < ring {
                lists.resize(ring, List::default());
            }
            // A discarded expansion may have left entries.
            for list in lists {
                list.end = 0;
            }
        }
        self.occupied.clear(self.straight.len());
        (self.key, self.taken) = (0, 0);
        self.linked.clear();
        self.current.clear();
        for &goal in goals {
            self.current.take_around(goal, 0);
        }
        self.waiting.end = 0;
    }

    /// Expands until the queue is empty or `units` are used up, one for each cell visited; returns whether
    /// the queue is empty. May use as many units more as a group and its arms take.
    pub(super) fn run(&mut self, grid: &mut CostGrid<'_>, ground: &FieldGround<'_>, units: &mut i64) -> bool {
        let packed = ground.packed();
        let linked = ground.placements.links().is_some();
        let offsets = offsets(grid.stride);
        let mut expansion = Expansion {
            costs: grid.costs,
            ground: self.ground.view(packed),
            worth: if self.is_around { &WORTH_AROUND } else { &WORTH },
            offsets,
            places: std::array::from_fn(|n| ((offsets[n % 8] << 3) + n % 8) as u32),
            limit: grid.limit,
            was_cut: grid.was_cut,
            straight: &mut self.straight,
            diagonal: &mut self.diagonal,
            occupied: &mut self.occupied,
            shift: self.shift,
            arm_cost_max: self.arm_cost_max,
            visited: 0,
        };
        let mut group = Group { taken: [[Taken::default(); GROUP]; KINDS], counts: [0; KINDS] };
        let is_done = 'expansion: loop {
            while self.taken < self.current.end as usize {
                if expansion.visited >= *units {
                    break 'expansion false;
                }
                let last = (self.current.end as usize).min(self.taken + GROUP);
                group.load(
                    &self.current.cells[self.taken..last],
                    expansion.costs,
                    expansion.ground,
                    expansion.worth,
                );
                expansion.visited += (last - self.taken) as i64;
                expansion.expand(&group);
                if linked {
                    for &entry in &self.current.cells[self.taken..last] {
                        expansion.offer_links(entry, ground.placements, &mut self.linked);
                    }
                }
                self.taken = last;
            }
            self.taken = 0;
            // The bucket's diagonal list comes after its straight one. Offers to the bucket itself are
            // impossible, so neither grows meanwhile.
            if self.waiting.end > 0 {
                std::mem::swap(&mut self.current, &mut self.waiting);
                self.waiting.end = 0;
                continue;
            }
            let mask = expansion.straight.len() - 1;
            let bucket = expansion.occupied.next(self.key as usize & mask);
            let ahead = bucket.map(|bucket| (bucket.wrapping_sub(self.key as usize) & mask) as u32);
            let bucket_of = |&Reverse((cost, _)): &Reverse<(u32, u32)>| cost >> expansion.shift;
            if let Some(key) = self.linked.peek().map(bucket_of)
                && ahead.is_none_or(|ahead| key <= self.key + ahead)
            {
                self.key = key;
                self.current.clear();
                while self.linked.peek().map(bucket_of) == Some(key)
                    && let Some(Reverse((cost, at))) = self.linked.pop()
                {
                    self.current.take_around(at, cost);
                }
                continue;
            }
            let (Some(bucket), Some(ahead)) = (bucket, ahead) else { break true };
            self.key += ahead;
            expansion.occupied.unset(bucket);
            // Swapped, so that the lists' memory circulates instead of being allocated again.
            std::mem::swap(&mut self.current, &mut expansion.straight[bucket]);
            std::mem::swap(&mut self.waiting, &mut expansion.diagonal[bucket]);
            expansion.straight[bucket].end = 0;
            expansion.diagonal[bucket].end = 0;
        };
        *units -= expansion.visited;
        grid.was_cut = expansion.was_cut;
        is_done
    }
}

impl Expansion<'_> {
    /// Offers the cost of a cell to those where links begin that end in it.
    #[inline(never)]
    fn offer_links(
        &mut self,
        entry: Entry,
        placements: &Placements,
        linked: &mut BinaryHeap<Reverse<(u32, u32)>>,
    ) {
        if self.costs[entry.at()] != entry.cost {
            return;
        }
        for step in placements.links_to(entry.at()) {
            let cost = entry.cost.saturating_add(step.cost);
            if lower(&mut self.costs[step.from as usize], cost, self.limit, &mut self.was_cut) {
                linked.push(Reverse((cost, step.from)));
            }
        }
    }

    /// Expands cells of one bucket.
    #[allow(clippy::inline_always, reason = "all fields of the expansion stay in registers: field bench")]
    #[inline(always)]
    fn expand(&mut self, group: &Group) {
        // Entries of a bucket lower each other in no order (see the head), so kinds may go one after the
        // other.
        for taken in group.of(ARM) {
            self.arm(taken.entry, taken.worth.trailing_zeros() % 8, StepCost::unpack(taken.step).straight);
        }
        for taken in group.of(CORNER) {
            self.expand_corner(taken);
        }
        for taken in group.of(AHEAD) {
            self.expand_five::<0>(taken);
        }
        for taken in group.of(ASIDE) {
            self.expand_five::<1>(taken);
        }
        for taken in group.of(AROUND) {
            // Ahead, then back: five of eight each, of which two are offered twice.
            let place = taken.entry.place ^ 4;
            for entry in [taken.entry, Entry { place, ..taken.entry }] {
                let taken = Taken { entry, ..*taken };
                if entry.place & 1 == 0 {
                    self.expand_five::<0>(&taken);
                } else {
                    self.expand_five::<1>(&taken);
                }
            }
        }
    }

    /// Writes a row or a column from the cell after `entry` on, as long as that lowers costs, up to the first
    /// cell from which other moves are worth trying.
    #[allow(clippy::inline_always, reason = "field bench: a call takes a tenth of an expansion")]
    #[inline(always)]
    fn arm(&mut self, entry: Entry, direction: u32, first_step: u16) {
        let straight_on = (ARM as u16) << 8 | 1 << direction;
        let (offset, worth) = (self.offsets[direction as usize % 8], &self.worth[direction as usize % 8]);
        // Slices of one length, so that one bounds check covers both.
        let costs = &mut *self.costs;
        let cells = &self.ground.cells[..costs.len()];
        let cost_max = (entry.cost + self.arm_cost_max).min(self.limit);
        let (mut at, mut cost, mut step) = (entry.at(), entry.cost, u32::from(first_step));
        loop {
            at = at.wrapping_add(offset);
            cost += step;
            if cost >= costs[at] {
                return;
            }
            if cost >= cost_max {
                if cost >= self.limit {
                    self.was_cut = true;
                    return;
                }
                costs[at] = cost;
                break;
            }
            costs[at] = cost;
            self.visited += 1;
            match worth[usize::from(cells[at]) % 512] {
                worth if worth == straight_on => {}
                // A dead end: nothing is worth trying from there, unless a link ends there.
                0 if cells[at] & NOT_UNIFORM == 0 => return,
                _ => break,
            }
            step = u32::from(StepCost::unpack(self.ground.step(cells[at], at)).straight);
        }
        if let Some(tail) = tail(self.straight, cost, self.shift, self.occupied) {
            tail.push(Entry::new(at, direction as usize, cost));
        }
    }

    /// Goes on diagonally, and writes the arms on either side of that. At once: queued, they would write the
    /// same cells a step later.
    #[allow(clippy::inline_always, reason = "field bench: a call takes a tenth of an expansion")]
    #[inline(always)]
    fn expand_corner(&mut self, taken: &Taken) {
        let (entry, step) = (taken.entry, StepCost::unpack(taken.step));
        let ahead = entry.place & DIRECTION;
        if taken.worth >> ahead & 1 == 1 {
            let place = (entry.place & !DIRECTION).wrapping_add(self.places[ahead as usize]);
            let next = Entry { place, cost: entry.cost + u32::from(step.diagonal) };
            if lower(&mut self.costs[next.at()], next.cost, self.limit, &mut self.was_cut)
                && let Some(tail) = tail(self.diagonal, next.cost, self.shift, self.occupied)
            {
                tail.push(next);
            }
        }
        for direction in [(ahead + 7) % 8, (ahead + 1) % 8] {
            if taken.worth >> direction & 1 == 1 {
                self.arm(entry, direction, step.straight);
            }
        }
    }

    /// Offers a cell's cost plus a step to the five neighbours ahead and on both sides, the first of which is
    /// straight for 0 and diagonal for 1.
    #[allow(clippy::inline_always, reason = "field bench: a call takes a tenth of an expansion")]
    #[inline(always)]
    fn expand_five<const STRAIGHT_TURN: usize>(&mut self, taken: &Taken) {
        let (entry, step) = (taken.entry, StepCost::unpack(taken.step));
        let straight = self.within_limit(entry.cost + u32::from(step.straight));
        let diagonal = self.within_limit(entry.cost + u32::from(step.diagonal));
        let Some(mut straight) = tail(self.straight, straight, self.shift, self.occupied) else { return };
        let Some(mut diagonal) = tail(self.diagonal, diagonal, self.shift, self.occupied) else { return };
        // The first of the five, two before the direction of arrival.
        let first = (entry.place as usize + 6) % 8;
        let from = entry.place & !DIRECTION;
        let worth = (taken.worth & 0xff | taken.worth << 8) >> first;
        for turn in 0..5 {
            let place = from.wrapping_add(self.places[first + turn]);
            let tail = if turn % 2 == STRAIGHT_TURN { &mut straight } else { &mut diagonal };
            // A word of ones if the move is not worth trying: or-ed into an offer, it lowers no cost, so
            // there is no branch.
            let bar = (worth >> turn & 1).wrapping_sub(1);
            tail.offer(&mut self.costs[(place >> 3) as usize], place, bar);
        }
        straight.close();
        diagonal.close();
    }

    /// Returns `cost` if it is below the limit, else `u32::MAX`, which lowers no cell.
    #[inline]
    fn within_limit(&mut self, cost: u32) -> u32 {
        if cost < self.limit {
            return cost;
        }
        self.was_cut = true;
        u32::MAX
    }
}
