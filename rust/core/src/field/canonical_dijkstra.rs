//! Canonical Dijkstra: the costs of a whole layer of uniform step cost, by jump points. Rows, columns and
//! diagonals are written in one go, and only the cells where a shortest path turns around a wall are queued.
//!
//! In a canonical ordering (Sturtevant & Rabin, *Canonical Orderings on Grids*, IJCAI 2016), paths take
//! diagonal steps first, then straight ones, so most cells are reached once. Jump points (Harabor & Grastien,
//! *Online Graph Pruning for Pathfinding on Grid Maps*, AAAI 2011) are the cells where such a path may turn;
//! [`SUCCESSORS`] says which these are. Where corners must not be cut, only cells that are reached by a
//! straight step can be jump points.
//!
//! Lines run ahead of the queue, so costs that they write may be lowered later. A line ends where it does not
//! lower a cell, and a queued cell whose cost has been lowered since is skipped.

use super::cost_grid::CostGrid;
use super::ground::FieldGround;
use crate::bitgrid::ones;
use crate::cost::{DIAGONAL, STRAIGHT};
use crate::geometry::DiagonalMode;
use crate::primitives::{BucketQueue, SUCCESSORS, offsets};

/// The minimum number of placements for each turning point with which canonical Dijkstra is used, on ground
/// that allows it.
///
/// Field bench: with 20 % of the cells blocked at random there is a turning point for 2.4 placements, and
/// bucketed Dijkstra takes four fifths of the time of canonical Dijkstra. On caves it takes a fifth more.
const PLACEMENTS_PER_TURN_MIN: u64 = 3;
/// The maximum number of goals with which canonical Dijkstra is used. Each goal's lines are written as far as
/// they get before those of the next one, so later goals write many cells again.
const GOALS_MAX: usize = 64;
/// Costs that have a bucket at a time: a line of 117 cells.
const WINDOW: u32 = 8192;

/// A line that is still to be written, from the cell after `at` on.
#[derive(Clone, Copy, Debug)]
struct Line {
    at: usize,
    cost: u32,
    direction: u8,
}

/// The queue of jump points, and the state of an expansion that ran out of units.
#[derive(Clone, Debug, Default)]
pub(super) struct CanonicalDijkstra {
    /// Cells, each with its direction of arrival in the lowest three bits.
    queue: BucketQueue,
    /// The cost of the jump point that is being expanded.
    key: u32,
    lines: Vec<Line>,
}

/// Returns whether canonical Dijkstra is both exact on `ground` and likely to be faster than bucketed
/// Dijkstra.
pub(super) fn pays_off(ground: &FieldGround<'_>, goals: usize) -> bool {
    let moves = ground.moves;
    // SUCCESSORS is the pruning of this mode, and it presumes a uniform step cost.
    ground.mode() == DiagonalMode::OnlyIfNoObstacles
        && ground.uniform().is_none()
        && ground.costs.is_none()
        && moves.turns() * PLACEMENTS_PER_TURN_MIN <= moves.placements()
        && goals <= GOALS_MAX
}

impl CanonicalDijkstra {
    /// Starts an expansion from `goals`, whose costs are 0 already. `moves` has the legal moves of each
    /// padded cell.
    pub(super) fn start(&mut self, moves: &[u8], goals: &[u32]) {
        self.queue.clear(0, WINDOW);
        self.key = 0;
        self.lines.clear();
        for &goal in goals {
            self.push_lines(goal as usize, 0, moves[goal as usize]);
        }
    }

    /// Expands until the queue is empty or `units` are used up, one for each cell visited; returns whether
    /// the queue is empty. May use as many units more as two rows or columns have cells. `moves` has the
    /// legal moves of each padded cell.
    pub(super) fn run(&mut self, grid: &mut CostGrid<'_>, moves: &[u8], units: &mut i64) -> bool {
        loop {
            while let Some(Line { at, cost, direction }) = self.lines.pop() {
                match direction {
                    0 => self.straight::<0>(grid, moves, at, cost, units),
                    1 => self.diagonal::<1, 0, 2>(grid, moves, at, cost, units),
                    2 => self.straight::<2>(grid, moves, at, cost, units),
                    3 => self.diagonal::<3, 2, 4>(grid, moves, at, cost, units),
                    4 => self.straight::<4>(grid, moves, at, cost, units),
                    5 => self.diagonal::<5, 4, 6>(grid, moves, at, cost, units),
                    6 => self.straight::<6>(grid, moves, at, cost, units),
                    _ => self.diagonal::<7, 6, 0>(grid, moves, at, cost, units),
                }
                if *units <= 0 {
                    return false;
                }
            }
            // All lines of a jump point come before the next one, so few lines are kept at a time.
            let Some(entry) = self.pop(grid) else { return true };
            let (at, arrival) = ((entry >> 3) as usize, entry as usize & 7);
            self.push_lines(at, self.key, SUCCESSORS[arrival][moves[at] as usize]);
        }
    }

    /// Adds a line from a cell in each of `directions`, a set of bits.
    fn push_lines(&mut self, at: usize, cost: u32, directions: u8) {
        self.lines.extend(ones(directions).map(|direction| Line { at, cost, direction: direction as u8 }));
    }

    /// Takes the next jump point whose cost is still its cost when it was queued. That cost becomes `key`.
    fn pop(&mut self, grid: &CostGrid<'_>) -> Option<u32> {
        loop {
            let (key, entry) = self.queue.pop()?;
            if grid.costs[(entry >> 3) as usize] == key {
                self.key = key;
                return Some(entry);
            }
        }
    }

    // Not inlined: it is rare, and its code in the loop over a line costs registers.
    #[inline(never)]
    fn push(&mut self, cost: u32, at: usize, arrival: usize) {
        self.queue.push(cost, (at << 3 | arrival) as u32);
    }

    /// Writes a row or a column from the cell after `at` on, as long as it lowers costs, up to the first jump
    /// point.
    // The direction is a constant, so that the offset and the row of the table are.
    #[allow(
        clippy::inline_always,
        reason = "field bench: a call for each line takes a fifth of an expansion"
    )]
    #[inline(always)]
    fn straight<const D: usize>(
        &mut self,
        grid: &mut CostGrid<'_>,
        moves: &[u8],
        mut at: usize,
        mut cost: u32,
        units: &mut i64,
    ) {
        let offset = offsets(grid.stride)[D];
        let costs = &mut *grid.costs;
        // `CostGrid::lower`, written out over slices of one length, so that one bounds check covers both: the
        // call takes 3 % more instructions (callgrind, 512² caves).
        let moves = &moves[..costs.len()];
        let mut legal = moves[at];
        let mut visited = 1;
        while legal >> D & 1 == 1 {
            at = at.wrapping_add(offset);
            cost += STRAIGHT;
            visited += 1;
            let slot = &mut costs[at];
            if cost >= (*slot).min(grid.limit) {
                grid.was_cut |= cost >= grid.limit;
                break;
            }
            *slot = cost;
            legal = moves[at];
            if SUCCESSORS[D][legal as usize] & !(1 << D) != 0 {
                self.push(cost, at, D);
                break;
            }
        }
        *units -= visited;
    }

    /// Writes a diagonal from the cell after `at` on, and from each of its cells a row and a column in the
    /// directions `A` and `B`. When the units are used up, the rest becomes a line for the next call.
    #[inline(never)]
    fn diagonal<const D: usize, const A: usize, const B: usize>(
        &mut self,
        grid: &mut CostGrid<'_>,
        moves: &[u8],
        mut at: usize,
        mut cost: u32,
        units: &mut i64,
    ) {
        let offset = offsets(grid.stride)[D];
        while moves[at] >> D & 1 == 1 {
            if *units <= 0 {
                self.lines.push(Line { at, cost, direction: D as u8 });
                return;
            }
            at = at.wrapping_add(offset);
            cost += DIAGONAL;
            if !grid.lower(at, cost) {
                return;
            }
            self.straight::<A>(grid, moves, at, cost, units);
            self.straight::<B>(grid, moves, at, cost, units);
        }
    }
}
