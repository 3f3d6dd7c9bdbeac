//! Scans and walks of jump-point search, over a cost policy and with a hook for what is reached.
//!
//! A straight direction is a scan for the next stop bit; an open stop is reached. A diagonal direction is
//! walked cell by cell, with scans in both straight directions beside it. A goal that either passes is
//! reached, too, and ends it. The cells of a jump are locally uniform, but for the last one, which its
//! neighbour shows to cost the same.

use super::cost_policy::{CostPolicy, Step};
use super::goals::Goals;
use super::jump_map::{JumpMap, JumpWords, scan_down, scan_up};
use super::nodes::Node;
use crate::bitgrid::{GridLayout, PaddedIndex};
use crate::cost::{DIAGONAL, STRAIGHT};
use crate::geometry::{DiagonalMode, Direction, DirectionSet};
use crate::primitives::{GridPoint, PruningTable};

// Modes as constants of the type: the walks and scans are compiled for each, without a branch on the mode in
// a loop.
const ALWAYS: u8 = DiagonalMode::Always as u8;
const NEVER: u8 = DiagonalMode::Never as u8;
const STRICT: u8 = DiagonalMode::OnlyIfNoObstacles as u8;

/// A cell during a scan or a walk, in both index spaces, since scans along rows and along columns start from
/// it.
#[derive(Clone, Copy)]
pub(super) struct Place<O> {
    pub(super) x: u32,
    pub(super) y: u32,
    /// Index in rows.
    pub(super) row: usize,
    /// Index in the transpose.
    column: usize,
    pub(super) g: u32,
    /// What a search tells of the node that the jump began at. What scans beside a walk find is joined to the
    /// walk's start.
    pub(super) origin: O,
}

/// What jumps find.
pub(super) trait Reached<O> {
    /// Takes the cell that a jump in direction `arrival` ends at.
    fn reach(&mut self, at: Place<O>, arrival: Direction);

    /// Returns whether a walk in direction `arrival` goes on from a cell that it passes.
    fn pass(&mut self, at: &Place<O>, arrival: Direction) -> bool;
}

/// What jumps run on.
pub(super) struct Jumps<'a, const MODE: u8, C> {
    pub(super) map: &'a JumpMap,
    rows: JumpWords<'a>,
    columns: JumpWords<'a>,
    layout: GridLayout,
    goals: &'a Goals,
    pub(super) table: &'static PruningTable,
    pub(super) costs: C,
}

impl<'a, const MODE: u8, C: CostPolicy> Jumps<'a, MODE, C> {
    pub(super) fn new(map: &'a JumpMap, goals: &'a Goals, costs: C) -> Self {
        let table = PruningTable::of(DiagonalMode::ALL[MODE as usize]);
        Self { map, rows: map.rows(), columns: map.columns(), layout: map.layout(), goals, table, costs }
    }

    /// Returns the place of a node that jumps begin at.
    #[inline]
    pub(super) fn place<O>(&self, node: Node<O>) -> Place<O> {
        let Node { point, index, g, origin, .. } = node;
        let column = point.index_transposed(self.layout).get();
        Place { x: point.x(), y: point.y(), row: index.get(), column, g, origin }
    }

    /// As [`goal_ahead`], from a place with what a search tells of it.
    pub(super) fn goal_ahead<O>(
        &self,
        from: Place<O>,
        directions: DirectionSet,
    ) -> Option<(Place<O>, Direction)> {
        let goal = self.goals.single()?;
        let start = GridPoint::new(from.x, from.y);
        let (g, first) = goal_ahead((self.map, self.table, MODE), start, goal, directions)?;
        let row = goal.index(self.layout).get();
        Some((Place { x: goal.x(), y: goal.y(), row, g: from.g + g, ..from }, first))
    }

    /// Steps and jumps in `directions`. One call a direction, so that each is compiled with its offsets, as
    /// in A*.
    #[inline]
    pub(super) fn leave_all<O: Copy>(
        &self,
        reached: &mut impl Reached<O>,
        from: Place<O>,
        directions: DirectionSet,
    ) {
        let mut leave = |direction: Direction| {
            // Without diagonal steps, no code is made for them.
            let is_possible = MODE != NEVER || !direction.is_diagonal();
            if is_possible && directions.contains(direction) {
                self.leave(reached, from, direction);
            }
        };
        leave(const { C::ORDER[0] });
        leave(const { C::ORDER[1] });
        leave(const { C::ORDER[2] });
        leave(const { C::ORDER[3] });
        leave(const { C::ORDER[4] });
        leave(const { C::ORDER[5] });
        leave(const { C::ORDER[6] });
        leave(const { C::ORDER[7] });
    }

    #[allow(clippy::inline_always, reason = "without it the compiler keeps run-time offsets")]
    #[inline(always)]
    fn leave<O: Copy>(&self, reached: &mut impl Reached<O>, from: Place<O>, direction: Direction) {
        let (dx, dy) = (direction.dx(), direction.dy());
        let stride = self.layout.stride() as isize;
        let row = from.row.wrapping_add_signed(dy as isize * stride + dx as isize);
        let step = self.costs.step_onto(row);
        if !self.costs.is_uniform(row) {
            // A single step, as in A*: no scan is set up for it.
            let (x, y) = (from.x.wrapping_add_signed(dx), from.y.wrapping_add_signed(dy));
            let g = from.g + if direction.is_diagonal() { step.diagonal() } else { step.straight() };
            return reached.reach(Place { x, y, row, g, ..from }, direction);
        }
        match direction {
            // Without diagonal steps, vertical directions are walked instead, as diagonal ones are otherwise.
            Direction::N if MODE == NEVER => self.walk_column::<false, O>(reached, from, step),
            Direction::S if MODE == NEVER => self.walk_column::<true, O>(reached, from, step),
            Direction::N => self.scan_column::<false, O>(reached, from, step),
            Direction::S => self.scan_column::<true, O>(reached, from, step),
            Direction::E => self.scan_row::<true, O>(reached, from, step),
            Direction::W => self.scan_row::<false, O>(reached, from, step),
            Direction::NE => self.walk_diagonal::<true, false, O>(reached, from, step),
            Direction::SE => self.walk_diagonal::<true, true, O>(reached, from, step),
            Direction::SW => self.walk_diagonal::<false, true, O>(reached, from, step),
            Direction::NW => self.walk_diagonal::<false, false, O>(reached, from, step),
        }
    }

    /// Scans along a row, to the right where `RIGHT`.
    #[allow(clippy::inline_always, reason = "bench `paths`: a call a scan costs a tenth of a query")]
    #[inline(always)]
    fn scan_row<const RIGHT: bool, O: Copy>(
        &self,
        reached: &mut impl Reached<O>,
        from: Place<O>,
        step: C::Step,
    ) {
        let (stop, is_open) =
            if RIGHT { scan_up(self.rows, from.row) } else { scan_down(self.rows, from.row) };
        // A closed stop ends the scan without a node: no jump point lies before the wall. A goal before the
        // stop ends it, too.
        let mut target = is_open.then_some(stop);
        if self.goals.touch_row(from.y) {
            target = self.goals.first_in_row(from.row, stop).or(target);
        }
        let Some(row) = target else { return };
        let steps = if RIGHT { row - from.row } else { from.row - row } as u32;
        let (x, arrival) =
            if RIGHT { (from.x + steps, Direction::E) } else { (from.x - steps, Direction::W) };
        reached.reach(Place { x, row, g: from.g + step.straight() * steps, ..from }, arrival);
    }

    /// Scans along a column, downwards where `DOWN`.
    #[allow(clippy::inline_always, reason = "bench `paths`: a call a scan costs a tenth of a query")]
    #[inline(always)]
    fn scan_column<const DOWN: bool, O: Copy>(
        &self,
        reached: &mut impl Reached<O>,
        from: Place<O>,
        step: C::Step,
    ) {
        let columns = self.columns;
        let (stop, is_open) =
            if DOWN { scan_up(columns, from.column) } else { scan_down(columns, from.column) };
        let mut target = is_open.then_some(stop);
        if self.goals.touch_column(from.x) {
            target = self.goals.first_in_column(from.column, stop).or(target);
        }
        let Some(column) = target else { return };
        let steps = if DOWN { column - from.column } else { from.column - column };
        let rows = steps * self.layout.stride();
        let row = if DOWN { from.row + rows } else { from.row - rows };
        let steps = steps as u32;
        let (y, arrival) = if DOWN { (from.y + steps, Direction::S) } else { (from.y - steps, Direction::N) };
        reached.reach(Place { y, row, g: from.g + step.straight() * steps, ..from }, arrival);
    }

    /// Walks along a diagonal, to the right where `RIGHT` and downwards where `DOWN`, and scans from each
    /// uniform cell.
    #[inline(never)]
    fn walk_diagonal<const RIGHT: bool, const DOWN: bool, O: Copy>(
        &self,
        reached: &mut impl Reached<O>,
        from: Place<O>,
        step: C::Step,
    ) {
        let arrival = match (RIGHT, DOWN) {
            (true, false) => Direction::NE,
            (true, true) => Direction::SE,
            (false, true) => Direction::SW,
            (false, false) => Direction::NW,
        };
        let (stride, column_stride) = (self.layout.stride(), self.layout.transposed().stride());
        let mut at = from;
        while diagonal_is_legal((self.map, self.rows, stride), MODE, at.row, (RIGHT, DOWN)) {
            at.x = if RIGHT { at.x + 1 } else { at.x - 1 };
            at.y = if DOWN { at.y + 1 } else { at.y - 1 };
            at.row = if DOWN { at.row + stride } else { at.row - stride };
            at.row = if RIGHT { at.row + 1 } else { at.row - 1 };
            at.column = if RIGHT { at.column + column_stride } else { at.column - column_stride };
            at.column = if DOWN { at.column + 1 } else { at.column - 1 };
            at.g += step.diagonal();
            let is_end = !self.costs.is_uniform(at.row) || self.goals.contain(at.x, at.y, at.row);
            if is_end || forces_turn(self.map, self.table, MODE, at.row, arrival) {
                return reached.reach(at, arrival);
            }
            if !reached.pass(&at, arrival) {
                return;
            }
            self.scan_row::<RIGHT, O>(reached, at, step);
            self.scan_column::<DOWN, O>(reached, at, step);
        }
    }

    /// Walks along a column without diagonal steps, and scans to both sides from each uniform cell.
    fn walk_column<const DOWN: bool, O: Copy>(
        &self,
        reached: &mut impl Reached<O>,
        from: Place<O>,
        step: C::Step,
    ) {
        let stride = self.layout.stride();
        let arrival = if DOWN { Direction::S } else { Direction::N };
        let mut at = from;
        loop {
            at.row = if DOWN { at.row + stride } else { at.row - stride };
            if !self.map.is_open(at.row) {
                return;
            }
            at.y = if DOWN { at.y + 1 } else { at.y - 1 };
            at.g += step.straight();
            if !self.costs.is_uniform(at.row) || self.goals.contain(at.x, at.y, at.row) {
                return reached.reach(at, arrival);
            }
            if !reached.pass(&at, arrival) {
                return;
            }
            self.scan_row::<true, O>(reached, at, step);
            self.scan_row::<false, O>(reached, at, step);
        }
    }
}

/// Returns the cost of the path from `start` to `goal` and its first direction, if jumps in `directions`
/// reach the goal at the cost that it has without walls. They go along the diagonal, or the column without
/// diagonal steps, and then straight on. On unit cost.
// Once for all modes: a query asks once, and each copy has a kilobyte.
#[inline(never)]
fn goal_ahead(
    (map, table, mode): (&JumpMap, &PruningTable, u8),
    start: GridPoint,
    goal: GridPoint,
    directions: DirectionSet,
) -> Option<(u32, Direction)> {
    let (layout, is_straight) = (map.layout(), mode == NEVER);
    let dx = goal.x().cast_signed() - start.x().cast_signed();
    let dy = goal.y().cast_signed() - start.y().cast_signed();
    let (columns, rows) = (dx.unsigned_abs(), dy.unsigned_abs());
    let walked = if is_straight { rows } else { columns.min(rows) };
    let scanned = if is_straight { columns } else { columns.abs_diff(rows) };
    let first = Direction::towards(if is_straight && rows > 0 { 0 } else { dx }, dy);
    if !directions.contains(first) {
        return None;
    }
    let stride = layout.stride();
    let mut row = start.index(layout).get();
    for n in 1..=walked {
        let next = row.wrapping_add_signed(first.dy() as isize * stride as isize + first.dx() as isize);
        let goes_on = if is_straight {
            map.is_open(next)
        } else {
            diagonal_is_legal((map, map.rows(), stride), mode, row, (dx > 0, dy > 0))
        };
        row = next;
        // No wall forces a turn on a column.
        let is_passed =
            n == walked && scanned == 0 || is_straight || !forces_turn(map, table, mode, row, first);
        if !(goes_on && is_passed) {
            return None;
        }
    }
    // A stop before the goal would be reached instead.
    let (words, turn, is_up) = if is_straight || columns > rows {
        (map.rows(), row, dx > 0)
    } else {
        let turn = GridPoint::new(goal.x(), row as u32 / stride as u32);
        (map.columns(), turn.index_transposed(layout).get(), dy > 0)
    };
    let stop = if is_up { scan_up(words, turn).0 } else { scan_down(words, turn).0 };
    let step = if is_straight { STRAIGHT } else { DIAGONAL };
    (stop.abs_diff(turn) >= scanned as usize).then_some((step * walked + STRAIGHT * scanned, first))
}

/// Returns whether a wall forces a turn backwards at `row`, after a diagonal step in direction `arrival`. No
/// scan finds such a turn: the cell is a node of its own.
#[allow(clippy::inline_always, reason = "`count_queries jumps`: a call a cell costs 2 % of the instructions")]
#[inline(always)]
fn forces_turn(map: &JumpMap, table: &PruningTable, mode: u8, row: usize, arrival: Direction) -> bool {
    // Where corners may not be cut, a diagonal arrival forces no direction: there, the cells of a walk are no
    // jump points.
    if mode == STRICT {
        return false;
    }
    let cells = map.neighbourhood(PaddedIndex::new(row));
    let natural = DirectionSet::EMPTY.with(arrival.turned(-1)).with(arrival).with(arrival.turned(1));
    table.after(arrival as u8, cells).0 & !natural.0 != 0
}

/// Returns whether a diagonal step from `row` is legal, to the `right` or the left, `down` or up.
#[inline]
fn diagonal_is_legal(
    (map, words, stride): (&JumpMap, JumpWords<'_>, usize),
    mode: u8,
    row: usize,
    (right, down): (bool, bool),
) -> bool {
    if mode == STRICT {
        // All four cells of the block must be open, which is kept as one bit at its corner.
        let corner = if down { row } else { row - stride };
        let corner = if right { corner } else { corner - 1 };
        return words.at(corner >> 6).block >> (corner & 63) & 1 == 1;
    }
    // The target, then its corners as `DiagonalMode::allows` has it; `Never` does not come here.
    let beside = if right { row + 1 } else { row - 1 };
    let vertical = if down { stride } else { 0_usize.wrapping_sub(stride) };
    map.is_open(beside.wrapping_add(vertical))
        && (mode == ALWAYS || map.is_open(beside) || map.is_open(row.wrapping_add(vertical)))
}
