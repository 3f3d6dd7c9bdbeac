//! A\* over placements whose costs differ, on an exact bucket queue.
//!
//! Hart, Nilsson & Raphael, *A Formal Basis for the Heuristic Determination of Minimum Cost Paths*, 1968. The heuristic is
//! consistent, so keys never decrease from one expansion to the next, and each lies within a bounded span of the last.
//!
//! Where a cell and all around it cost the same (*locally uniform*), only the directions are tried that jump-point pruning
//! leaves: every other neighbour is reached at no greater cost from the parent without this cell (Carlson, Moghadam, Harabor,
//! Stuckey & Ebendt, *Optimal Pathfinding on Weighted Grid Maps*, AAAI 2023). Of all paths of minimum cost, the one that goes
//! diagonally as early as it can takes no step that is left out, so the cost stays minimal. Mostly one direction is left,
//! straight on, and is followed at once: a *forced straight jump*.

use super::goals::Goals;
use super::jump_map::JumpMap;
use super::result::SearchResult;
use super::scratch::Scratch;
use crate::bitgrid::GridLayout;
use crate::cost::Cost;
use crate::geometry::{DiagonalMode, Direction, DirectionSet};
use crate::pages::{NumberView, WordView};
use crate::passability::PlacementCosts;
use crate::primitives::{BucketQueue, GridPoint, Heuristic, PruningTable, SearchEnd, VisitedCells};

/// The arrival of a search's start: no direction.
const NO_ARRIVAL: u8 = 8;
/// The maximum cost of a jump, in diagonal steps of maximum cost. It bounds the span of keys. Longer jumps cost more than they
/// save, since they lead where no search would have gone.
const JUMP_STEPS_OF_MAXIMUM: u32 = 2;
/// The maximum cost of a jump, in steps of its own cost.
const JUMP_STEPS: u32 = 24;

/// Finds a path of minimum cost where steps cost what `costs` says of the placement that they arrive at.
///
/// `map` must be made for `mode`, `costs` for its layer, and `start` and all goals must be placements of that. Among goals
/// of equal cost the one with the smaller row, then column, is taken. Stops after `expansions_max` expansions.
pub fn search_weighted(
    map: &JumpMap,
    costs: &PlacementCosts,
    mode: DiagonalMode,
    start: GridPoint,
    goals: &Goals,
    expansions_max: u32,
    scratch: &mut Scratch,
) -> SearchResult {
    debug_assert_eq!(map.mode(), JumpMap::shared_mode(mode));
    let layout = map.layout();
    let (minimum, maximum) = costs.extremes();
    let heuristic = Heuristic::new(mode, minimum, goals.bounds());
    let Scratch { visited, frontier, .. } = scratch;
    let jump_cost_max = JUMP_STEPS_OF_MAXIMUM * u32::from(maximum.diagonal);
    let key = heuristic.estimate(start.x(), start.y());
    // A step and the jump after it raise the cost so far, and the estimate by as much again where they lead away.
    frontier.clear(key, 2 * (u32::from(maximum.diagonal) + jump_cost_max) + 1);
    frontier.push(key, start.packed());
    let mut visited = visited.clear(layout);
    visited.improve(start.index(layout).get(), 0, NO_ARRIVAL);
    let mut search = Search {
        map,
        packed: costs.packed().view(),
        uniform: costs.uniform().words().view(),
        jumps_along_columns: mode != DiagonalMode::Never,
        jump_cost_max,
        stride: layout.stride() as isize,
        column_stride: layout.transposed().stride(),
        goals,
        heuristic,
        visited,
        frontier,
        expanded: 0,
        generated: 1,
        overflowed: false,
    };
    let best = search.expand_all(PruningTable::of(mode), expansions_max);
    // Past the limit even a known goal does not count: of several at its cost, it may not be the first in reading order.
    let Search { visited, expanded, generated, overflowed, .. } = search;
    if expanded > expansions_max {
        return SearchResult::without_path(SearchEnd::Limit, expansions_max, generated);
    }
    let Some((goal, cost)) = best else {
        let end = if overflowed { SearchEnd::Limit } else { SearchEnd::Exhausted };
        return SearchResult::without_path(end, expanded, generated);
    };
    let waypoints = trace(&visited, layout, goal);
    SearchResult { end: SearchEnd::Found, cost, expanded, generated, waypoints }
}

struct Search<'a> {
    map: &'a JumpMap,
    /// By padded index: the packed cost of a step to the placement, straight in the lower half, diagonal in the upper.
    packed: NumberView<'a>,
    /// One bit for each padded cell: whether it is locally uniform, see [`PlacementCosts::uniform`].
    uniform: WordView<'a>,
    /// If `true`, pruning leaves one direction after a step along a column, as after one along a row. Without diagonal steps it
    /// leaves three.
    jumps_along_columns: bool,
    jump_cost_max: u32,
    stride: isize,
    column_stride: usize,
    goals: &'a Goals,
    heuristic: Heuristic,
    visited: VisitedCells<'a>,
    frontier: &'a mut BucketQueue,
    expanded: u32,
    generated: u32,
    /// If `true`, some cell was left out because its key is [`Cost::MAX`] or more.
    overflowed: bool,
}

/// The cell that is expanded.
#[derive(Clone, Copy)]
struct Place {
    x: u32,
    y: u32,
    index: usize,
    g: u32,
}

impl Search<'_> {
    /// Expands cells until the best goal is known, none is left or the limit is passed; returns the goal and its cost.
    fn expand_all(&mut self, table: &PruningTable, expansions_max: u32) -> Option<(GridPoint, u32)> {
        let layout = self.map.layout();
        let mut best: Option<(GridPoint, u32)> = None;
        while let Some((f, node)) = self.frontier.pop() {
            // Jumps expand, too, so the limit may have been passed between two pops.
            if self.expanded > expansions_max || best.is_some_and(|(_, cost)| f > cost) {
                break;
            }
            let point = GridPoint::from_packed(node);
            let (x, y, index) = (point.x(), point.y(), point.index(layout));
            // A cell's entry of least cost comes first, since the heuristic is consistent; entries of higher cost are left over.
            let Some((g, arrival)) = self.visited.expand(index.get()) else { continue };
            if self.goals.contain(x, y, index.get()) {
                if best.is_none_or(|(other, _)| point < other) {
                    best = Some((point, g));
                }
                if !self.goals.are_many() {
                    break;
                }
                // Another goal may cost the same and come first in reading order.
                continue;
            }
            self.expanded += 1;
            if self.expanded > expansions_max {
                break;
            }
            let cells = self.map.neighbourhood(index);
            // Pruning compares paths of equal steps, so it holds where all steps around cost the same.
            let directions = if arrival != NO_ARRIVAL && self.is_uniform(index.get()) {
                table.after(arrival, cells)
            } else {
                table.legal(cells)
            };
            self.expand(Place { x, y, index: index.get(), g }, directions);
        }
        best
    }

    /// Tries the steps in `directions`. One call a direction, so that each is compiled with its offsets (bench `expansions`:
    /// a loop over directions takes half as long again). Looking at all eight without a branch costs more than it saves, too,
    /// since 2.5 are left on average.
    #[inline]
    fn expand(&mut self, from: Place, directions: DirectionSet) {
        self.step::<{ Direction::N as usize }>(from, directions);
        self.step::<{ Direction::NE as usize }>(from, directions);
        self.step::<{ Direction::E as usize }>(from, directions);
        self.step::<{ Direction::SE as usize }>(from, directions);
        self.step::<{ Direction::S as usize }>(from, directions);
        self.step::<{ Direction::SW as usize }>(from, directions);
        self.step::<{ Direction::W as usize }>(from, directions);
        self.step::<{ Direction::NW as usize }>(from, directions);
    }

    #[allow(clippy::inline_always, reason = "without it the compiler keeps a loop over run-time offsets")]
    #[inline(always)]
    fn step<const DIRECTION: usize>(&mut self, from: Place, directions: DirectionSet) {
        let direction = const { Direction::ALL[DIRECTION] };
        let (dx, dy) = const { (Direction::ALL[DIRECTION].dx(), Direction::ALL[DIRECTION].dy()) };
        if !directions.contains(direction) {
            return;
        }
        let index = from.index.wrapping_add_signed(dy as isize * self.stride + dx as isize);
        let step = *self.packed.at(index);
        let (x, y) = (from.x.wrapping_add_signed(dx), from.y.wrapping_add_signed(dy));
        let straight = step & 0xffff;
        let at = if direction.is_diagonal() {
            let at = Place { x, y, index, g: from.g + (step >> 16) };
            self.visited.improve(index, at.g, direction as u8).then_some(at)
        } else {
            let at = Place { x, y, index, g: from.g + straight };
            // Costs are looked at before the cell is improved, since the jump improves its first cell itself.
            if self.is_uniform(index) && (dy == 0 || self.jumps_along_columns) {
                self.jump::<DIRECTION>(at, straight)
            } else {
                self.visited.improve(index, at.g, direction as u8).then_some(at)
            }
        };
        let Some(at) = at else { return };
        let f = at.g + self.heuristic.estimate(at.x, at.y);
        if f >= Cost::MAX.units() {
            self.overflowed = true;
            return;
        }
        self.frontier.push(f, GridPoint::new(at.x, at.y).packed());
        self.generated += 1;
    }

    #[inline]
    fn is_uniform(&self, index: usize) -> bool {
        self.uniform.at(index >> 6) >> (index & 63) & 1 == 1
    }

    /// A forced straight jump: goes on from a locally uniform cell that is reached by a straight step, as long as pruning leaves
    /// straight on alone, over cells that cost `straight` each. Returns the cell that it ends at; `None` at a wall, or at a
    /// cell that was reached at no greater cost before. Most cells lie on jumps and need no frontier: maps with patches of weight
    /// are searched 1.4 times as fast.
    #[allow(clippy::inline_always, reason = "bench `expansions`: it is compiled for each direction")]
    #[inline(always)]
    fn jump<const DIRECTION: usize>(&mut self, from: Place, straight: u32) -> Option<Place> {
        let direction = const { Direction::ALL[DIRECTION] };
        let (dx, dy) = const { (Direction::ALL[DIRECTION].dx(), Direction::ALL[DIRECTION].dy()) };
        // A step less than the maximum, since the first cell beyond this ends the jump.
        let g_max = from.g + self.jump_cost_max.min(JUMP_STEPS * straight) - straight;
        let mut at = from;
        // Stop bits of columns lie in the transpose, where a step down is a step to the next bit.
        let (words, mut bit_index) = if dy == 0 {
            (self.map.rows(), at.index)
        } else {
            (self.map.columns(), at.x as usize * self.column_stride + at.y as usize)
        };
        loop {
            let word = words.at(bit_index >> 6);
            let bit = bit_index & 63;
            if word.open >> bit & 1 == 0 || !self.visited.improve(at.index, at.g, direction as u8) {
                return None;
            }
            // Higher bits lie to the right, in the transpose below.
            let stop = if dx + dy > 0 { word.stop_up } else { word.stop_down };
            // It goes to the frontier: a wall adds a direction, costs begin to differ, the jump is long enough, or it is a goal.
            if stop >> bit & 1 == 1
                || !self.is_uniform(at.index)
                || at.g > g_max
                || self.goals.contain(at.x, at.y, at.index)
            {
                return Some(at);
            }
            // Passed over, which counts as an expansion: its only successor is the next cell of the jump.
            self.visited.close(at.index);
            self.expanded += 1;
            at.x = at.x.wrapping_add_signed(dx);
            at.y = at.y.wrapping_add_signed(dy);
            at.index = at.index.wrapping_add_signed(dy as isize * self.stride + dx as isize);
            bit_index = bit_index.wrapping_add_signed((dx + dy) as isize);
            at.g += straight;
        }
    }
}

/// The turning points from the start to `goal`, by the directions of arrival.
fn trace(visited: &VisitedCells<'_>, layout: GridLayout, goal: GridPoint) -> Vec<GridPoint> {
    let arrival_at = |point: GridPoint| visited.arrival(point.index(layout).get());
    let mut waypoints = vec![goal];
    let mut point = goal;
    let mut arrival = arrival_at(point);
    // Ends at the start, whose arrival is no direction.
    while let Some(&direction) = Direction::ALL.get(usize::from(arrival)) {
        point = point.before(direction);
        let before = arrival_at(point);
        if before != arrival {
            waypoints.push(point);
        }
        arrival = before;
    }
    waypoints.reverse();
    waypoints
}
