//! Jump-point search over placements whose costs differ.
//!
//! Source: Carlson, Moghadam, Harabor, Stuckey & Ebendt, *Optimal Pathfinding on Weighted Grid Maps*, AAAI 2023 (JPSW), with
//! the block scans and walks of the search on uniform cost ([`super::jps`]).
//!
//! Where a cell and all around it cost the same (*locally uniform*), the search jumps as on uniform cost: a straight scan
//! goes on to the next stop bit, a diagonal walk scans from each of its cells. Each other cell is a node: see
//! [`Search::worth_trying`].
//!
//! Why a path of minimum cost is found: a step from m to n, after m was reached from p, is left out only if a path from p to
//! n past m costs less, or as much and ends with a straight step where the step from m is diagonal (without diagonal steps:
//! with a horizontal step where that from m is vertical). Take a cell n, all cells of less cost found. Of the last steps of
//! minimum paths to n, a straight one is left out for no path of equal cost, so it is tried. If all are diagonal, none is left
//! out for a straight one, so all are tried. It does not matter which of several arrivals of equal cost a cell keeps.

use super::cost_jump_map::CostJumpMap;
use super::goals::Goals;
use super::jps::diagonal_is_legal;
use super::jump_map::{JumpMap, JumpWords, scan_down, scan_up};
use super::result::SearchResult;
use super::scratch::{CostFrontier, Scratch};
use crate::bitgrid::{GridLayout, PaddedIndex, neighbourhood};
use crate::cost::Cost;
use crate::geometry::{DiagonalMode, Direction, DirectionSet};
use crate::pages::{NumberView, WordView};
use crate::passability::PlacementCosts;
use crate::primitives::{GridPoint, Heuristic, PruningTable, SearchEnd, VisitedCells};

/// Finds a path of minimum cost where steps cost what `costs` says of the placement that they arrive at.
///
/// `map` must be made for `mode` and `costs`, and `start` and all goals must be placements of its layer. Among goals of equal
/// cost the one with the smaller row, then column, is taken. Stops after `expansions_max` expansions.
pub fn search_weighted_jps(
    map: &CostJumpMap,
    costs: &PlacementCosts,
    mode: DiagonalMode,
    start: GridPoint,
    goals: &Goals,
    expansions_max: u32,
    scratch: &mut Scratch,
) -> SearchResult {
    let map = map.jump_map();
    debug_assert_eq!(map.mode(), JumpMap::shared_mode(mode));
    match mode {
        DiagonalMode::Always => Search::<0>::run(map, costs, start, goals, expansions_max, scratch),
        DiagonalMode::Never => Search::<1>::run(map, costs, start, goals, expansions_max, scratch),
        DiagonalMode::AtLeastOneWalkable => {
            Search::<2>::run(map, costs, start, goals, expansions_max, scratch)
        }
        DiagonalMode::OnlyIfNoObstacles => {
            Search::<3>::run(map, costs, start, goals, expansions_max, scratch)
        }
    }
}

const NEVER: u8 = DiagonalMode::Never as u8;
const STRICT: u8 = DiagonalMode::OnlyIfNoObstacles as u8;
/// The arrival of a search's start: no direction.
const NO_ARRIVAL: u8 = 8;
/// After an arrival to the north: all directions but straight back and the two beside that.
const NOT_BACK: u8 = 0b1100_0111;

struct Search<'a, const MODE: u8> {
    map: &'a JumpMap,
    rows: JumpWords<'a>,
    columns: JumpWords<'a>,
    /// One bit for each padded cell: whether it is locally uniform, see [`PlacementCosts::uniform`].
    uniform: WordView<'a>,
    /// By padded index: the packed cost of a step to the placement, straight in the lower half, diagonal in the upper.
    packed: NumberView<'a>,
    layout: GridLayout,
    goals: &'a Goals,
    heuristic: Heuristic,
    table: &'static PruningTable,
    visited: VisitedCells<'a>,
    frontier: &'a mut CostFrontier,
    /// The minimum cost of a goal reached so far; [`Cost::MAX`] before. A node that cannot lead to a goal below it is not kept.
    bound: u32,
    /// If `true`, some node was left out because its key is [`Cost::MAX`] or more.
    overflowed: bool,
    expanded: u32,
    generated: u32,
}

/// A cell during a scan or a walk, in both index spaces, since scans along rows and along columns start from it.
#[derive(Clone, Copy)]
struct Place {
    x: u32,
    y: u32,
    /// Index in rows.
    row: usize,
    /// Index in the transpose.
    column: usize,
    g: u32,
}

impl<const MODE: u8> Search<'_, MODE> {
    fn run(
        map: &JumpMap,
        costs: &PlacementCosts,
        start: GridPoint,
        goals: &Goals,
        expansions_max: u32,
        scratch: &mut Scratch,
    ) -> SearchResult {
        let (mode, layout) = (DiagonalMode::ALL[MODE as usize], map.layout());
        let heuristic = Heuristic::new(mode, costs.extremes().0, goals.bounds());
        let Scratch { visited, cost_frontier: frontier, .. } = scratch;
        frontier.clear(heuristic.estimate(start.x(), start.y()));
        let mut search = Search::<MODE> {
            map,
            rows: map.rows(),
            columns: map.columns(),
            uniform: costs.uniform().words().view(),
            packed: costs.packed().view(),
            layout,
            goals,
            heuristic,
            table: PruningTable::of(mode),
            visited: visited.clear(layout),
            frontier,
            bound: Cost::MAX.units(),
            overflowed: false,
            expanded: 0,
            generated: 0,
        };
        let index = start.index(layout).get();
        search.visited.improve(index, 0, NO_ARRIVAL);
        search.push(start.x(), start.y(), index, 0);
        let (best, end) = search.expand_all(expansions_max);
        let (expanded, generated) = (search.expanded, search.generated);
        let Some(goal) = best else { return SearchResult::without_path(end, expanded, generated) };
        let waypoints = search.trace(goal);
        SearchResult { end, cost: search.bound, expanded, generated, waypoints }
    }

    /// Takes nodes from the frontier until the best goal is known; returns it.
    fn expand_all(&mut self, expansions_max: u32) -> (Option<GridPoint>, SearchEnd) {
        let mut best: Option<GridPoint> = None;
        while let Some((f, node)) = self.frontier.pop() {
            // With several goals the search goes on through keys that equal the bound, since one of these goals may come first.
            if best.is_some() && f > self.bound {
                break;
            }
            let point = GridPoint::from_packed(node);
            let (x, y, index) = (point.x(), point.y(), point.index(self.layout));
            // A cell's entry of least cost comes first, since the heuristic is consistent; entries of higher cost are left over.
            let Some((g, arrival)) = self.visited.expand(index.get()) else { continue };
            if self.goals.contain(x, y, index.get()) {
                best = Some(best.map_or(point, |other| other.min(point)));
                if !self.goals.are_many() {
                    break;
                }
                // Another goal may cost the same and come first in reading order.
                continue;
            }
            // Checked when a further expansion is due, so that a goal is found with exactly as many as it takes.
            if self.expanded >= expansions_max {
                return (None, SearchEnd::Limit);
            }
            self.expanded += 1;
            let cells = self.map.neighbourhood(index);
            let directions = if arrival == NO_ARRIVAL {
                // The start was not arrived at, so nothing is pruned.
                self.table.legal(cells)
            } else if self.is_uniform(index.get()) {
                self.table.after(arrival, cells)
            } else {
                self.worth_trying(arrival, index, cells)
            };
            self.expand(Place { x, y, row: index.get(), column: 0, g }, directions);
        }
        // With a node left out, the search cannot tell whether there is a path beyond the largest cost.
        match (best, self.overflowed) {
            (Some(_), _) => (best, SearchEnd::Found),
            (None, true) => (None, SearchEnd::Limit),
            (None, false) => (None, SearchEnd::Exhausted),
        }
    }

    #[inline]
    fn is_uniform(&self, index: usize) -> bool {
        self.uniform.at(index >> 6) >> (index & 63) & 1 == 1
    }

    /// Returns what a straight and a diagonal step onto the placement at `index` cost.
    #[inline]
    fn step_onto(&self, index: usize) -> (u32, u32) {
        let packed = *self.packed.at(index);
        (packed & 0xffff, packed >> 16)
    }

    /// Returns the directions worth trying from the cell m at `index`, whose neighbourhood is `cells`, after an arrival in
    /// direction number `arrival` where costs differ around m.
    ///
    /// A step onto a locally uniform cell n is pruned as on uniform cost: m and all cells by which the parent could go to n
    /// instead are neighbours of n, so they cost the same. Other steps are kept, but for those onto neighbours of the parent
    /// that it reaches by one straight step. No jump begins at a target of these, and to compare costs takes longer than a step in
    /// vain (`docs/decisions/weighted_jumps.md`).
    #[inline]
    fn worth_trying(&self, arrival: u8, index: PaddedIndex, cells: u32) -> DirectionSet {
        let around = neighbourhood(self.layout, index, |word| *self.uniform.at(word));
        // The table has sets for blocks with an open centre only, so m counts as one of the uniform cells around it.
        let uniform = PruningTable::of(DiagonalMode::Always).legal(around | 1 << 4);
        let not_back = NOT_BACK.rotate_left(u32::from(arrival));
        let jumps = self.table.after(arrival, cells).0 & uniform.0;
        let steps = self.table.legal(cells).0 & !uniform.0 & not_back;
        DirectionSet(jumps | steps)
    }

    /// Steps and jumps in `directions`. One call a direction, so that each is compiled with its offsets, as in A*.
    #[inline]
    fn expand(&mut self, from: Place, directions: DirectionSet) {
        // The transpose's index is not kept with a node, as most of them are left by single steps.
        let column = from.x as usize * self.layout.transposed().stride() + from.y as usize;
        let from = Place { column, ..from };
        self.leave::<{ Direction::N as usize }>(from, directions);
        self.leave::<{ Direction::NE as usize }>(from, directions);
        self.leave::<{ Direction::E as usize }>(from, directions);
        self.leave::<{ Direction::SE as usize }>(from, directions);
        self.leave::<{ Direction::S as usize }>(from, directions);
        self.leave::<{ Direction::SW as usize }>(from, directions);
        self.leave::<{ Direction::W as usize }>(from, directions);
        self.leave::<{ Direction::NW as usize }>(from, directions);
    }

    #[allow(clippy::inline_always, reason = "without it the compiler keeps a loop over run-time offsets")]
    #[inline(always)]
    fn leave<const DIRECTION: usize>(&mut self, from: Place, directions: DirectionSet) {
        let direction = const { Direction::ALL[DIRECTION] };
        let (dx, dy) = const { (Direction::ALL[DIRECTION].dx(), Direction::ALL[DIRECTION].dy()) };
        if !directions.contains(direction) {
            return;
        }
        let stride = self.layout.stride() as isize;
        let index = from.row.wrapping_add_signed(dy as isize * stride + dx as isize);
        let (straight, diagonal) = self.step_onto(index);
        if !self.is_uniform(index) {
            // A single step, as in A*: no scan is set up for it.
            let (x, y) = (from.x.wrapping_add_signed(dx), from.y.wrapping_add_signed(dy));
            let g = from.g + if direction.is_diagonal() { diagonal } else { straight };
            return self.reach(x, y, index, g, direction);
        }
        // The cells of a jump are uniform, but for the last one, which its neighbour shows to cost the same.
        match direction {
            Direction::N if MODE == NEVER => self.walk_column::<false>(from, straight),
            Direction::S if MODE == NEVER => self.walk_column::<true>(from, straight),
            Direction::N => self.scan_column::<false>(from, straight),
            Direction::S => self.scan_column::<true>(from, straight),
            Direction::E => self.scan_row::<true>(from, straight),
            Direction::W => self.scan_row::<false>(from, straight),
            Direction::NE => self.walk_diagonal::<true, false>(from, straight, diagonal),
            Direction::SE => self.walk_diagonal::<true, true>(from, straight, diagonal),
            Direction::SW => self.walk_diagonal::<false, true>(from, straight, diagonal),
            Direction::NW => self.walk_diagonal::<false, false>(from, straight, diagonal),
        }
    }

    /// Scans along a row, to the right where `RIGHT`.
    #[allow(clippy::inline_always, reason = "bench `patches`: as in jump-point search on uniform cost")]
    #[inline(always)]
    fn scan_row<const RIGHT: bool>(&mut self, from: Place, straight: u32) {
        let (stop, is_open) =
            if RIGHT { scan_up(self.rows, from.row) } else { scan_down(self.rows, from.row) };
        // A closed stop ends the scan without a node; a goal before the stop ends it, too.
        let mut target = is_open.then_some(stop);
        if self.goals.touch_row(from.y) {
            target = self.goals.first_in_row(from.row, stop).or(target);
        }
        let Some(to) = target else { return };
        let steps = if RIGHT { to - from.row } else { from.row - to } as u32;
        let (x, arrival) =
            if RIGHT { (from.x + steps, Direction::E) } else { (from.x - steps, Direction::W) };
        self.reach(x, from.y, to, from.g + straight * steps, arrival);
    }

    /// Scans along a column, downwards where `DOWN`.
    #[allow(clippy::inline_always, reason = "bench `patches`: as in jump-point search on uniform cost")]
    #[inline(always)]
    fn scan_column<const DOWN: bool>(&mut self, from: Place, straight: u32) {
        let columns = self.columns;
        let (stop, is_open) =
            if DOWN { scan_up(columns, from.column) } else { scan_down(columns, from.column) };
        let mut target = is_open.then_some(stop);
        if self.goals.touch_column(from.x) {
            target = self.goals.first_in_column(from.column, stop).or(target);
        }
        let Some(to) = target else { return };
        let steps = if DOWN { to - from.column } else { from.column - to };
        let rows = steps * self.layout.stride();
        let row = if DOWN { from.row + rows } else { from.row - rows };
        let steps = steps as u32;
        let (y, arrival) = if DOWN { (from.y + steps, Direction::S) } else { (from.y - steps, Direction::N) };
        self.reach(from.x, y, row, from.g + straight * steps, arrival);
    }

    /// Walks along a diagonal, to the right where `RIGHT` and downwards where `DOWN`, and scans from each uniform cell.
    #[inline(never)]
    fn walk_diagonal<const RIGHT: bool, const DOWN: bool>(
        &mut self,
        from: Place,
        straight: u32,
        diagonal: u32,
    ) {
        let arrival = match (RIGHT, DOWN) {
            (true, false) => Direction::NE,
            (true, true) => Direction::SE,
            (false, true) => Direction::SW,
            (false, false) => Direction::NW,
        };
        let (stride, column_stride) = (self.layout.stride(), self.layout.transposed().stride());
        let mut at = from;
        while diagonal_is_legal::<MODE, RIGHT, DOWN>(self.map, at.row) {
            at.x = if RIGHT { at.x + 1 } else { at.x - 1 };
            at.y = if DOWN { at.y + 1 } else { at.y - 1 };
            at.row = if DOWN { at.row + stride } else { at.row - stride };
            at.row = if RIGHT { at.row + 1 } else { at.row - 1 };
            at.column = if RIGHT { at.column + column_stride } else { at.column - column_stride };
            at.column = if DOWN { at.column + 1 } else { at.column - 1 };
            at.g += diagonal;
            if !self.is_uniform(at.row) || self.goals.contain(at.x, at.y, at.row) {
                return self.reach(at.x, at.y, at.row, at.g, arrival);
            }
            // Where corners may not be cut, a diagonal arrival forces no direction.
            if MODE != STRICT {
                let cells = self.map.neighbourhood(PaddedIndex::new(at.row));
                let natural =
                    DirectionSet::EMPTY.with(arrival.turned(-1)).with(arrival).with(arrival.turned(1));
                if self.table.after(arrival as u8, cells).0 & !natural.0 != 0 {
                    return self.reach(at.x, at.y, at.row, at.g, arrival);
                }
            }
            // Reached at no greater cost before: whatever lies beyond is reached from that arrival.
            if !self.visited.pass(at.row, at.g, arrival as u8) {
                return;
            }
            self.scan_row::<RIGHT>(at, straight);
            self.scan_column::<DOWN>(at, straight);
        }
    }

    /// Walks along a column without diagonal steps, and scans to both sides from each uniform cell.
    fn walk_column<const DOWN: bool>(&mut self, from: Place, straight: u32) {
        let stride = self.layout.stride();
        let arrival = if DOWN { Direction::S } else { Direction::N };
        let mut at = from;
        loop {
            at.row = if DOWN { at.row + stride } else { at.row - stride };
            if !self.map.is_open(at.row) {
                return;
            }
            at.y = if DOWN { at.y + 1 } else { at.y - 1 };
            at.g += straight;
            if !self.is_uniform(at.row) || self.goals.contain(at.x, at.y, at.row) {
                return self.reach(at.x, at.y, at.row, at.g, arrival);
            }
            if !self.visited.pass(at.row, at.g, arrival as u8) {
                return;
            }
            self.scan_row::<true>(at, straight);
            self.scan_row::<false>(at, straight);
        }
    }

    /// Makes a cell a node, unless it was reached at no greater cost before.
    #[inline]
    fn reach(&mut self, x: u32, y: u32, index: usize, g: u32, arrival: Direction) {
        if self.visited.improve(index, g, arrival as u8) {
            self.push(x, y, index, g);
        }
    }

    /// Adds a node to the frontier, unless it cannot lead to a goal of less cost than one that was reached.
    #[inline(never)]
    fn push(&mut self, x: u32, y: u32, index: usize, g: u32) {
        let h = self.heuristic.estimate(x, y);
        // A jump can raise a cost far beyond the maximum, at which the sum would wrap.
        let f = g.saturating_add(h);
        // Of goals at equal cost, the first in reading order wins, so with several goals an equal key is kept, too.
        if f >= self.bound && (f > self.bound || !self.goals.are_many() || f == Cost::MAX.units()) {
            self.overflowed |= f >= Cost::MAX.units();
            return;
        }
        if h == 0 && self.goals.contain(x, y, index) {
            // `f` is `g` here and passed the test above, so the bound never rises.
            self.bound = g;
        }
        self.generated += 1;
        self.frontier.push(f, GridPoint::new(x, y).packed());
    }

    /// The turning points from the start to `goal`, by the directions of arrival.
    fn trace(&self, goal: GridPoint) -> Vec<GridPoint> {
        let label = |point: GridPoint| self.visited.label(point.index(self.layout).get());
        let mut waypoints = vec![goal];
        let (mut point, mut g, mut arrival) = (goal, self.bound, NO_ARRIVAL);
        if let Some((_, last)) = label(goal) {
            arrival = last;
        }
        // Ends at the start, whose arrival is no direction.
        while let Some(&direction) = Direction::ALL.get(usize::from(arrival)) {
            let (straight, diagonal) = self.step_onto(point.index(self.layout).get());
            let step = if direction.is_diagonal() { diagonal } else { straight };
            // Cells that a scan passed over have no label, or one of another path. All of them cost what the last one does, so
            // the first whose label has just the cost that is left lies on a path of minimum cost.
            let before = loop {
                point = point.before(direction);
                g -= step;
                if let Some((_, before)) = label(point).filter(|&(cost, _)| cost == g) {
                    break before;
                }
            };
            if before != arrival {
                waypoints.push(point);
            }
            arrival = before;
        }
        waypoints.reverse();
        waypoints
    }
}
