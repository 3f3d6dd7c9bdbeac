//! Jump-point search with block scans and without diagonal jump points.
//!
//! Sources: Harabor & Grastien, *Online Graph Pruning for Pathfinding on Grid Maps*, AAAI 2011 (jump points); *Improving
//! Jump Point Search*, ICAPS 2014 (block-based scans; section "Pruning of intermediate jump points", known as JPS2); Baum,
//! *Boosting Jump Point Search on 4-connected grids*, 2023 (the same without diagonal steps).
//!
//! A straight direction is a scan for the next stop bit; an open stop becomes a node. A diagonal direction is walked cell by
//! cell, with scans in both straight directions beside it; what those find becomes a node with the walk's start as its parent,
//! so the cells of the walk never enter the frontier. A goal that it passes becomes a node, too, and bounds what is kept.

use super::goals::Goals;
use super::jump_map::{JumpMap, JumpWords, scan_down, scan_up};
use super::result::SearchResult;
use super::scratch::Scratch;
use crate::bitgrid::PaddedIndex;
use crate::cost::{Cost, DIAGONAL, STRAIGHT, StepCost};
use crate::geometry::{DiagonalMode, Direction, DirectionSet};
use crate::primitives::{GridPoint, Heuristic, NO_NODE, PruningTable, SearchEnd, SearchNode};

/// Finds a path of minimum cost where every step has the unit cost: 70 units straight, 99 diagonal.
///
/// `map` must be made for `mode`, and `start` and all goals must be placements of its layer. Among goals of equal cost the
/// one with the smaller row, then column, is taken. Stops after `expansions_max` expansions.
pub fn search_uniform(
    map: &JumpMap,
    mode: DiagonalMode,
    start: GridPoint,
    goals: &Goals,
    expansions_max: u32,
    scratch: &mut Scratch,
) -> SearchResult {
    debug_assert_eq!(map.mode(), JumpMap::shared_mode(mode));
    match mode {
        DiagonalMode::Always => Search::<0>::run(map, start, goals, expansions_max, scratch),
        DiagonalMode::Never => Search::<1>::run(map, start, goals, expansions_max, scratch),
        DiagonalMode::AtLeastOneWalkable => Search::<2>::run(map, start, goals, expansions_max, scratch),
        DiagonalMode::OnlyIfNoObstacles => Search::<3>::run(map, start, goals, expansions_max, scratch),
    }
}

// Modes as constants of the type: the walks and scans are compiled for each, without a branch on the mode in a loop.
const ALWAYS: u8 = DiagonalMode::Always as u8;
const NEVER: u8 = DiagonalMode::Never as u8;
const STRICT: u8 = DiagonalMode::OnlyIfNoObstacles as u8;

struct Search<'a, const MODE: u8> {
    map: &'a JumpMap,
    rows: JumpWords<'a>,
    columns: JumpWords<'a>,
    goals: &'a Goals,
    heuristic: Heuristic,
    table: &'static PruningTable,
    scratch: &'a mut Scratch,
    /// The minimum cost of a goal reached so far; [`Cost::MAX`] before. A node that cannot lead to a goal below it is not kept.
    bound: u32,
    /// If `true`, some node was left out because its key is [`Cost::MAX`] or more.
    overflowed: bool,
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
    parent: u32,
}

impl<const MODE: u8> Search<'_, MODE> {
    fn run(
        map: &JumpMap,
        start: GridPoint,
        goals: &Goals,
        expansions_max: u32,
        scratch: &mut Scratch,
    ) -> SearchResult {
        let mode = DiagonalMode::ALL[MODE as usize];
        scratch.jump_nodes.clear();
        let heuristic = Heuristic::new(mode, StepCost::UNIT, goals.bounds());
        let (x, y) = (start.x(), start.y());
        scratch.jump_frontier.clear(heuristic.estimate(x, y));
        let mut search = Search::<MODE> {
            map,
            rows: map.rows(),
            columns: map.columns(),
            goals,
            heuristic,
            table: PruningTable::of(mode),
            scratch,
            bound: Cost::MAX.units(),
            overflowed: false,
            generated: 0,
        };
        search.reach(x, y, 0, NO_NODE, None);
        let (found, end, expanded) = search.expand_all(expansions_max);
        let generated = search.generated;
        let Some(goal) = found else { return SearchResult::without_path(end, expanded, generated) };
        let waypoints = search.trace(goal);
        SearchResult { end, cost: search.bound, expanded, generated, waypoints }
    }

    /// Takes nodes from the frontier until the best goal is known; returns its node.
    fn expand_all(&mut self, expansions_max: u32) -> (Option<u32>, SearchEnd, u32) {
        let mut expanded = 0;
        let mut best: Option<u32> = None;
        while let Some((f, number)) = self.scratch.jump_frontier.pop() {
            // With several goals the search goes on through keys that equal the bound, since one of these goals may come first.
            if best.is_some() && f > self.bound {
                break;
            }
            let node = *self.scratch.jump_nodes.node(number);
            let (x, y) = (node.point.x(), node.point.y());
            let h = self.heuristic.estimate(x, y);
            if node.g + h != f {
                // The node was reached at less since, and was taken with that cost.
                continue;
            }
            let index = node.point.index(self.map.layout());
            // The estimate is 0 inside the bounds of the goals only, so most nodes are done with one comparison.
            if h == 0 && self.goals.contain(x, y, index.get()) {
                if best.is_none_or(|b| self.point(number) < self.point(b)) {
                    best = Some(number);
                }
                if !self.goals.are_many() {
                    break;
                }
                // Another goal may cost the same and come first in reading order.
                continue;
            }
            // Checked when a further expansion is due, so that a goal is found with exactly as many as it takes.
            if expanded >= expansions_max {
                return (None, SearchEnd::Limit, expanded);
            }
            expanded += 1;
            let cells = self.map.neighbourhood(index);
            // The start was not arrived at, so nothing is pruned.
            let directions = if node.parent == NO_NODE {
                self.table.legal(cells)
            } else {
                self.table.after(node.arrival, cells)
            };
            let place = Place {
                x,
                y,
                row: index.get(),
                column: node.point.index_transposed(self.map.layout()).get(),
                g: node.g,
                parent: number,
            };
            self.jump_all(directions, place);
        }
        // With a node left out, the search cannot tell whether there is a path beyond the largest cost.
        match (best, self.overflowed) {
            (Some(_), _) => (best, SearchEnd::Found, expanded),
            (None, true) => (None, SearchEnd::Limit, expanded),
            (None, false) => (None, SearchEnd::Exhausted, expanded),
        }
    }

    fn point(&self, number: u32) -> GridPoint {
        self.scratch.jump_nodes.node(number).point
    }

    fn jump_all(&mut self, directions: DirectionSet, from: Place) {
        // The order is part of the result: of paths of equal cost, the one found first is kept.
        if MODE == NEVER {
            // Without diagonal steps, vertical directions are walked instead, as diagonal ones are below.
            if directions.contains(Direction::N) {
                self.walk_column::<false>(from);
            }
            if directions.contains(Direction::S) {
                self.walk_column::<true>(from);
            }
        } else {
            if directions.contains(Direction::N) {
                self.scan_column::<false>(from);
            }
            if directions.contains(Direction::S) {
                self.scan_column::<true>(from);
            }
        }
        if directions.contains(Direction::E) {
            self.scan_row::<true>(from);
        }
        if directions.contains(Direction::W) {
            self.scan_row::<false>(from);
        }
        if MODE != NEVER {
            if directions.contains(Direction::NE) {
                self.walk_diagonal::<true, false>(from);
            }
            if directions.contains(Direction::SE) {
                self.walk_diagonal::<true, true>(from);
            }
            if directions.contains(Direction::SW) {
                self.walk_diagonal::<false, true>(from);
            }
            if directions.contains(Direction::NW) {
                self.walk_diagonal::<false, false>(from);
            }
        }
    }

    /// Scans along a row, to the right where `RIGHT`.
    #[allow(clippy::inline_always, reason = "bench `paths`: a call a scan costs a tenth of a query")]
    #[inline(always)]
    fn scan_row<const RIGHT: bool>(&mut self, from: Place) {
        let (stop, is_open) =
            if RIGHT { scan_up(self.rows, from.row) } else { scan_down(self.rows, from.row) };
        let arrival = if RIGHT { Direction::E } else { Direction::W };
        if self.goals.touch_row(from.y)
            && let Some(goal) = self.goals.first_in_row(from.row, stop)
        {
            // A goal before the stop: whatever lies beyond the goal is reached from there.
            self.reach_in_row::<RIGHT>(from, goal, arrival);
            return;
        }
        if is_open {
            self.reach_in_row::<RIGHT>(from, stop, arrival);
        }
    }

    #[allow(clippy::inline_always, reason = "bench `paths`: a call a scan costs a tenth of a query")]
    #[inline(always)]
    fn reach_in_row<const RIGHT: bool>(&mut self, from: Place, to: usize, arrival: Direction) {
        let steps = if RIGHT { to - from.row } else { from.row - to } as u32;
        let x = if RIGHT { from.x + steps } else { from.x - steps };
        self.reach(x, from.y, from.g + STRAIGHT * steps, from.parent, Some(arrival));
    }

    /// Scans along a column, downwards where `DOWN`.
    #[allow(clippy::inline_always, reason = "bench `paths`: a call a scan costs a tenth of a query")]
    #[inline(always)]
    fn scan_column<const DOWN: bool>(&mut self, from: Place) {
        let columns = self.columns;
        let (stop, is_open) =
            if DOWN { scan_up(columns, from.column) } else { scan_down(columns, from.column) };
        // A closed stop ends the scan without a node: no jump point lies before the wall.
        let mut target = is_open.then_some(stop);
        if self.goals.touch_column(from.x) {
            target = self.goals.first_in_column(from.column, stop).or(target);
        }
        let Some(to) = target else { return };
        let steps = if DOWN { to - from.column } else { from.column - to } as u32;
        let (y, arrival) = if DOWN { (from.y + steps, Direction::S) } else { (from.y - steps, Direction::N) };
        self.reach(from.x, y, from.g + STRAIGHT * steps, from.parent, Some(arrival));
    }

    /// Walks along a diagonal, to the right where `RIGHT` and downwards where `DOWN`, and scans from each cell.
    #[inline(never)]
    fn walk_diagonal<const RIGHT: bool, const DOWN: bool>(&mut self, from: Place) {
        let arrival = match (RIGHT, DOWN) {
            (true, false) => Direction::NE,
            (true, true) => Direction::SE,
            (false, true) => Direction::SW,
            (false, false) => Direction::NW,
        };
        let layout = self.map.layout();
        let (stride, column_stride) = (layout.stride(), layout.transposed().stride());
        // `at` keeps the parent of `from`: what scans find is joined to the walk's start, and the turn follows from both ends.
        let mut at = from;
        while diagonal_is_legal::<MODE, RIGHT, DOWN>(self.map, at.row) {
            at.x = if RIGHT { at.x + 1 } else { at.x - 1 };
            at.y = if DOWN { at.y + 1 } else { at.y - 1 };
            at.row = if DOWN { at.row + stride } else { at.row - stride };
            at.row = if RIGHT { at.row + 1 } else { at.row - 1 };
            at.column = if RIGHT { at.column + column_stride } else { at.column - column_stride };
            at.column = if DOWN { at.column + 1 } else { at.column - 1 };
            at.g += DIAGONAL;
            if self.goals.contain(at.x, at.y, at.row) {
                self.reach(at.x, at.y, at.g, at.parent, Some(arrival));
                return;
            }
            // Where corners may not be cut, a diagonal arrival forces no direction: there, the cells of a walk are no jump points.
            if MODE != STRICT {
                let cells = self.map.neighbourhood(PaddedIndex::new(at.row));
                let natural =
                    DirectionSet::EMPTY.with(arrival.turned(-1)).with(arrival).with(arrival.turned(1));
                if self.table.after(arrival as u8, cells).0 & !natural.0 != 0 {
                    // A wall forces a turn backwards, which no scan finds: the cell is a node of its own.
                    self.reach(at.x, at.y, at.g, at.parent, Some(arrival));
                    return;
                }
            }
            self.scan_row::<RIGHT>(at);
            self.scan_column::<DOWN>(at);
        }
    }

    /// Walks along a column without diagonal steps and scans to both sides from each cell.
    fn walk_column<const DOWN: bool>(&mut self, from: Place) {
        let stride = self.map.layout().stride();
        let arrival = if DOWN { Direction::S } else { Direction::N };
        let mut at = from;
        loop {
            at.row = if DOWN { at.row + stride } else { at.row - stride };
            if !self.map.is_open(at.row) {
                return;
            }
            at.y = if DOWN { at.y + 1 } else { at.y - 1 };
            at.g += STRAIGHT;
            if self.goals.contain(at.x, at.y, at.row) {
                self.reach(at.x, at.y, at.g, at.parent, Some(arrival));
                return;
            }
            self.scan_row::<true>(at);
            self.scan_row::<false>(at);
        }
    }

    /// Adds a node to the frontier, unless it was reached at no greater cost before or cannot lead to a goal of less cost.
    #[inline(never)]
    fn reach(&mut self, x: u32, y: u32, g: u32, parent: u32, arrival: Option<Direction>) {
        let h = self.heuristic.estimate(x, y);
        let f = g + h;
        // Of goals at equal cost, the first in reading order wins, so with several goals an equal key is kept, too.
        if f >= self.bound && (f > self.bound || !self.goals.are_many() || f == Cost::MAX.units()) {
            self.overflowed |= f >= Cost::MAX.units();
            return;
        }
        let point = GridPoint::new(x, y);
        let arrival = arrival.map_or(0, |d| d as u8);
        let nodes = &mut self.scratch.jump_nodes;
        let number = match nodes.find(point) {
            Ok(number) => {
                let node = nodes.node_mut(number);
                if node.g <= g {
                    return;
                }
                (node.g, node.parent, node.arrival) = (g, parent, arrival);
                number
            }
            Err(free) => nodes.insert(free, SearchNode { point, arrival, g, parent }),
        };
        if h == 0 && self.goals.contain(x, y, point.index(self.map.layout()).get()) {
            // `f` is `g` here and passed the test above, so the bound never rises.
            self.bound = g;
        }
        self.generated += 1;
        self.scratch.jump_frontier.push(f, number);
    }

    /// The turning points from the start to node `number`. Between a node and its parent the path goes
    /// diagonally first, or vertically where there are no diagonal steps.
    fn trace(&self, mut number: u32) -> Vec<GridPoint> {
        let nodes = &self.scratch.jump_nodes;
        let mut waypoints = vec![nodes.node(number).point];
        while nodes.node(number).parent != NO_NODE {
            let here = nodes.node(number).point;
            number = nodes.node(number).parent;
            let parent = nodes.node(number).point;
            let turn = turning_point::<MODE>(parent, here);
            if turn != here && turn != parent {
                waypoints.push(turn);
            }
            waypoints.push(parent);
        }
        waypoints.reverse();
        waypoints
    }
}

/// Returns the cell at which the path from a node to one that it leads to turns; one of both where it is straight.
fn turning_point<const MODE: u8>(from: GridPoint, to: GridPoint) -> GridPoint {
    if MODE == NEVER {
        return GridPoint::new(from.x(), to.y());
    }
    let diagonal = from.x().abs_diff(to.x()).min(from.y().abs_diff(to.y()));
    let along = |from: u32, to: u32| if to >= from { from + diagonal } else { from - diagonal };
    GridPoint::new(along(from.x(), to.x()), along(from.y(), to.y()))
}

/// Returns whether a diagonal step from `row` is legal, to the right where `RIGHT` and downwards where `DOWN`.
#[inline]
pub(super) fn diagonal_is_legal<const MODE: u8, const RIGHT: bool, const DOWN: bool>(
    map: &JumpMap,
    row: usize,
) -> bool {
    let stride = map.layout().stride();
    if MODE == STRICT {
        // All four cells of the block must be open, which is kept as one bit at its corner.
        let corner = if DOWN { row } else { row - stride };
        let corner = if RIGHT { corner } else { corner - 1 };
        return map.rows().at(corner >> 6).block >> (corner & 63) & 1 == 1;
    }
    // The target, then its corners as `DiagonalMode::allows` has it; `Never` does not come here.
    let beside = if RIGHT { row + 1 } else { row - 1 };
    let vertical = if DOWN { stride } else { 0_usize.wrapping_sub(stride) };
    map.is_open(beside.wrapping_add(vertical))
        && (MODE == ALWAYS || map.is_open(beside) || map.is_open(row.wrapping_add(vertical)))
}
