//! Jump-point search with block scans and without diagonal jump points.
//!
//! Sources: Harabor & Grastien, *Online Graph Pruning for Pathfinding on Grid Maps*, AAAI 2011 (jump points); *Improving
//! Jump Point Search*, ICAPS 2014 (block-based scans; section "Pruning of intermediate jump points", known as JPS2); Baum,
//! *Boosting Jump Point Search on 4-connected grids*, 2023 (the same without diagonal steps).
//!
//! 1. A node is a cell with the direction that it was reached in. The pruning table names the directions worth trying.
//! 2. A straight direction is a scan for the next stop bit; an open stop becomes a node.
//! 3. A diagonal direction walks cell by cell and scans both straight directions from each. What those scans find
//!    becomes a node at once, with the walk's start as its parent: the cells of the walk never enter the frontier.
//!    Without diagonal steps, vertical directions are walked in this way, with scans to the left and right.
//! 4. Any goal on the way of a scan or a walk becomes a node, and its cost bounds what is worth keeping.

use super::goals::Heuristic;
use super::jump_map::{JumpMap, JumpWords, scan_down, scan_up};
use super::scratch::{JumpNode, NO_NODE, place};
use super::{Goals, Scratch, SearchEnd, SearchResult, Spot};
use crate::cost::{Cost, DIAGONAL, STRAIGHT, StepCost};
use crate::geometry::{DiagonalMode, Direction, DirectionSet};
use crate::passability::PruningTable;

/// Finds a cheapest path where every step costs the same: 70 straight, 99 diagonal.
///
/// `map` must be made for `mode`, and `start` and all goals must be stands of its layer. Among goals of equal cost the
/// one with the smaller row, then column, is taken. Stops after `expansions_max` expansions.
pub fn search_uniform(
    map: &JumpMap,
    mode: DiagonalMode,
    start: Spot,
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
    /// The least cost of a goal reached so far: what cannot end below it is not kept.
    bound: u32,
    /// Whether some node lies beyond the largest cost.
    overflowed: bool,
    generated: u32,
}

/// A cell during a scan or a walk, in both index spaces, and what it took to get there.
#[derive(Clone, Copy)]
struct Place {
    x: u32,
    y: u32,
    /// Index in rows.
    row: usize,
    /// Index in the transposed twin.
    column: usize,
    g: u32,
    parent: u32,
}

impl<const MODE: u8> Search<'_, MODE> {
    fn run(
        map: &JumpMap,
        start: Spot,
        goals: &Goals,
        expansions_max: u32,
        scratch: &mut Scratch,
    ) -> SearchResult {
        let mode = DiagonalMode::ALL[MODE as usize];
        scratch.jump_nodes.clear();
        let heuristic = Heuristic::new(mode, StepCost::UNIT);
        let (x, y) = (u32::from(start.x), u32::from(start.y));
        scratch.jump_frontier.clear(heuristic.estimate(goals, x, y));
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
        while let Some((f, slot)) = self.scratch.jump_frontier.pop() {
            if best.is_some() && f > self.bound {
                break;
            }
            let node = *self.scratch.jump_nodes.node(slot);
            let (x, y) = (u32::from(node.spot.x), u32::from(node.spot.y));
            let h = self.heuristic.estimate(self.goals, x, y);
            if node.g + h != f {
                // It was reached again, more cheaply, and was taken with that cost.
                continue;
            }
            let index = node.spot.index(self.map.shape());
            if h == 0 && self.goals.contain(x, y, index.get()) {
                if best.is_none_or(|b| self.order(slot) < self.order(b)) {
                    best = Some(slot);
                }
                if !self.goals.are_many() {
                    break;
                }
                // Another goal may cost the same and come first in reading order.
                continue;
            }
            if expanded >= expansions_max {
                return (None, SearchEnd::Limit, expanded);
            }
            expanded += 1;
            let cells = self.map.neighbourhood(index);
            let ways = if node.parent == NO_NODE {
                self.table.legal(cells)
            } else {
                self.table.after(node.arrival, cells)
            };
            let place = Place {
                x,
                y,
                row: index.get(),
                column: node.spot.index_transposed(self.map.shape()).get(),
                g: node.g,
                parent: slot,
            };
            self.jump_all(ways, place);
        }
        match (best, self.overflowed) {
            (Some(_), _) => (best, SearchEnd::Found, expanded),
            (None, true) => (None, SearchEnd::Limit, expanded),
            (None, false) => (None, SearchEnd::Exhausted, expanded),
        }
    }

    /// Goals of equal cost are taken in reading order.
    fn order(&self, slot: u32) -> (u16, u16) {
        let spot = self.scratch.jump_nodes.node(slot).spot;
        (spot.y, spot.x)
    }

    fn jump_all(&mut self, ways: DirectionSet, from: Place) {
        if MODE == NEVER {
            if ways.contains(Direction::N) {
                self.walk_column::<false>(from);
            }
            if ways.contains(Direction::S) {
                self.walk_column::<true>(from);
            }
        } else {
            if ways.contains(Direction::N) {
                self.scan_column::<false>(from);
            }
            if ways.contains(Direction::S) {
                self.scan_column::<true>(from);
            }
        }
        if ways.contains(Direction::E) {
            self.scan_row::<true>(from);
        }
        if ways.contains(Direction::W) {
            self.scan_row::<false>(from);
        }
        if MODE != NEVER {
            if ways.contains(Direction::NE) {
                self.walk_diagonal::<true, false>(from);
            }
            if ways.contains(Direction::SE) {
                self.walk_diagonal::<true, true>(from);
            }
            if ways.contains(Direction::SW) {
                self.walk_diagonal::<false, true>(from);
            }
            if ways.contains(Direction::NW) {
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
        let shape = self.map.shape();
        let (stride, column_stride) = (shape.stride(), shape.transposed().stride());
        let mut at = from;
        while self.diagonal_is_legal::<RIGHT, DOWN>(at.row) {
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
            if MODE != STRICT {
                let cells = self.map.neighbourhood(crate::bitgrid::PaddedIndex::new(at.row));
                let natural =
                    DirectionSet::EMPTY.with(arrival.turned(-1)).with(arrival).with(arrival.turned(1));
                if self.table.after(arrival as u8, cells).0 & !natural.0 != 0 {
                    // A wall beside the way adds a turn backwards: the cell is a node of its own.
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
        let stride = self.map.shape().stride();
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

    #[inline]
    fn diagonal_is_legal<const RIGHT: bool, const DOWN: bool>(&self, row: usize) -> bool {
        let stride = self.map.shape().stride();
        if MODE == STRICT {
            let corner = if DOWN { row } else { row - stride };
            let corner = if RIGHT { corner } else { corner - 1 };
            return self.rows.at(corner >> 6).block >> (corner & 63) & 1 == 1;
        }
        let beside = if RIGHT { row + 1 } else { row - 1 };
        let vertical = if DOWN { stride } else { 0_usize.wrapping_sub(stride) };
        self.map.is_open(beside.wrapping_add(vertical))
            && (MODE == ALWAYS || self.map.is_open(beside) || self.map.is_open(row.wrapping_add(vertical)))
    }

    /// Puts a node into the frontier, unless it was reached as cheaply before or cannot lead to a cheaper goal.
    #[inline(never)]
    fn reach(&mut self, x: u32, y: u32, g: u32, parent: u32, arrival: Option<Direction>) {
        let h = self.heuristic.estimate(self.goals, x, y);
        let f = g + h;
        // Of goals that cost the same, the first in reading order wins, so those are still wanted when there are many.
        if f >= self.bound && (f > self.bound || !self.goals.are_many() || f == Cost::MAX.units()) {
            self.overflowed |= f >= Cost::MAX.units();
            return;
        }
        let spot = Spot { x: x as u16, y: y as u16 };
        let arrival = arrival.map_or(0, |d| d as u8);
        let nodes = &mut self.scratch.jump_nodes;
        let slot = match nodes.find(spot) {
            Ok(slot) => {
                let node = nodes.node_mut(slot);
                if node.g <= g {
                    return;
                }
                (node.g, node.parent, node.arrival) = (g, parent, arrival);
                slot
            }
            Err(place) => nodes.insert(place, JumpNode { spot, arrival, g, parent }),
        };
        let index = place(x, y, self.map.shape());
        if h == 0 && self.goals.contain(x, y, index) {
            self.bound = g;
        }
        self.generated += 1;
        self.scratch.jump_frontier.push(f, slot);
    }

    /// The turning points from the start to the node in `slot`. Between a node and its parent the way goes
    /// diagonally first, or vertically where there are no diagonal steps.
    fn trace(&self, mut slot: u32) -> Vec<Spot> {
        let nodes = &self.scratch.jump_nodes;
        let mut waypoints = vec![nodes.node(slot).spot];
        while nodes.node(slot).parent != NO_NODE {
            let here = nodes.node(slot).spot;
            slot = nodes.node(slot).parent;
            let parent = nodes.node(slot).spot;
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

fn turning_point<const MODE: u8>(from: Spot, to: Spot) -> Spot {
    if MODE == NEVER {
        return Spot { x: from.x, y: to.y };
    }
    let diagonal = from.x.abs_diff(to.x).min(from.y.abs_diff(to.y));
    let along = |from: u16, to: u16| if to >= from { from + diagonal } else { from - diagonal };
    Spot { x: along(from.x, to.x), y: along(from.y, to.y) }
}
