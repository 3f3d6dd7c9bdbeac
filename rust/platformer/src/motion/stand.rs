//! The cells that a body stands on, and the walks between them.

use super::body::{Body, MARGIN};
use super::level::Level;
use pathforge_core::geometry::Cell;

/// How far above or below its floor a body may stand, in cells: where tiles have other shapes.
const DEEP: f64 = 0.25;
/// A body fits its cells if it is larger by less than this, in cells.
const ROUNDING: f64 = 0.01;

/// A cell at which a body stands: column and row of its feet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StandCell {
    /// Counted from the level's left side.
    pub column: i32,
    /// The row right above the ground, counted from the level's top; on a floor inside a cell the row of the
    /// cell.
    pub row: i32,
}

/// A level as a body stands on it.
#[derive(Clone, Copy, Debug)]
pub struct Foothold<'a> {
    /// The cells.
    pub level: &'a Level,
    /// The body.
    pub body: Body,
}

impl Foothold<'_> {
    /// How far from its centre a body is supported, in px.
    pub(super) fn reach(&self) -> f64 {
        (self.body.support_half_width - MARGIN).max(0.0)
    }

    /// The centres at which the body stands at a cell; `None` if it does not.
    pub fn at(&self, cell: StandCell) -> Option<(f64, f64)> {
        if self.is_uneven(cell) {
            let floors = self.level.floors.as_ref()?;
            return floors.stands.at((cell.column, cell.row), &self.body, || self.on_floors(cell));
        }
        let StandCell { column, row } = cell;
        if !self.supports(column, row) {
            return None;
        }
        let width = self.level.cell().0;
        let (mut low, mut high) = (f64::from(column) * width, f64::from(column + 1) * width);
        if !self.supports(column - 1, row) {
            low -= self.reach();
        }
        if !self.supports(column + 1, row) {
            high += self.reach();
        }
        let rows = self.rows(row);
        // The widest free part.
        let mut best: Option<(f64, f64)> = None;
        let mut at = low;
        let mut try_free = |x: f64| {
            let free = self.level.free(rows, x, self.body.half_width);
            let (from, to) = (free[0].max(low), free[1].min(high));
            if from <= to && best.is_none_or(|(a, b)| to - from > b - a) {
                best = Some((from, to));
            }
        };
        while at < high + width {
            let column = self.level.column(at.min(high - 1e-6));
            if !(rows.0..=rows.1).any(|row| self.level.is_solid(column, row)) {
                try_free(at.min(high - 1e-6));
            }
            at += width;
        }
        best
    }

    pub(super) fn supports(&self, column: i32, row: i32) -> bool {
        let (columns, rows) = self.level.size();
        (0..columns).contains(&column)
            && (-1..rows - 1).contains(&row)
            && self.level.supports(column, row + 1)
    }

    /// The rows in which the body is that stands in a row.
    pub(super) fn rows(&self, row: i32) -> (i32, i32) {
        (self.level.head_row(self.feet(row), &self.body), row)
    }

    /// The cell of a body that stands with its feet at a height. Of several cells it is that of the nearest ground.
    /// The body may hang over an edge by all of its width.
    pub(crate) fn standing_at(&self, x: f64, y: f64) -> Option<StandCell> {
        // A map without floors inside cells may not know how deep they lie.
        let height = self.level.cell().1;
        let deep = if self.level.has_floors() { DEEP * height } else { height };
        let hangs = self.body.half_width - self.reach();
        let row = self.level.row(y);
        let off = |cell: &StandCell| y - self.height(*cell, x);
        let mut best: Option<(f64, StandCell)> = None;
        for row in row - 1..=row + 1 {
            let cell = [0.0, -hangs, hangs].into_iter().find_map(|by| self.cell_of(x + by, row));
            let Some((off, cell)) = cell.map(|cell| (off(&cell), cell)) else { continue };
            if (-deep / 2.0..deep).contains(&off) && best.is_none_or(|(least, _)| off.abs() < least) {
                best = Some((off.abs(), cell));
            }
        }
        best.map(|(_, cell)| cell)
    }

    /// Whether the body is in ground with its feet at a place. One-way cells and floors are not in its way.
    pub(crate) fn is_in_ground(&self, x: f64, y: f64) -> bool {
        self.level.overlaps((x, y), &self.body)
    }

    /// The height of the feet of a body that stands in a row, in px.
    pub(crate) fn feet(&self, row: i32) -> f64 {
        f64::from(row + 1) * self.level.cell().1
    }

    /// The body's cells when its feet are at `x` in a row, as few side by side as it fits in: the column of the
    /// left one, and the row of the lowest.
    pub fn body_cell(&self, x: f64, row: i32) -> Cell {
        let width = self.level.cell().0;
        let cells = self.cells_wide();
        // A body in the middle between two columns counts to the left one.
        let left = (x / width - f64::from(cells) / 2.0 - 1e-6).round() as i32;
        Cell::new(left.clamp(0, (self.level.size().0 - cells).max(0)), row)
    }

    /// The columns that the body takes.
    fn cells_wide(&self) -> i32 {
        (2.0 * self.body.half_width / self.level.cell().0 - ROUNDING).ceil().max(1.0) as i32
    }

    /// Where the body's feet come to rest in a cell, in px: in the middle, or as near as it stands.
    pub fn resting_x(&self, cell: StandCell) -> Option<f64> {
        let (low, high) = self.at(cell)?;
        Some(((f64::from(cell.column) + 0.5) * self.level.cell().0).clamp(low, high))
    }

    /// The body's cells there.
    pub(super) fn resting_cell(&self, cell: StandCell) -> Option<Cell> {
        self.resting_x(cell).map(|x| self.body_cell(x, cell.row))
    }

    /// The cell of a body that stands at `x`.
    pub fn cell_of(&self, x: f64, row: i32) -> Option<StandCell> {
        let own = self.level.column(x);
        let reach = (self.body.half_width / self.level.cell().0).ceil() as i32 + 1;
        let sides = (0..=reach).flat_map(|by| [own - by, own + by]);
        let is_at = |&cell: &StandCell| {
            self.at(cell).is_some_and(|(low, high)| (low - 1e-3..=high + 1e-3).contains(&x))
        };
        let found = sides.map(|column| StandCell { column, row }).find(is_at);
        if found.is_some() || !self.level.has_floors() {
            return found;
        }
        // The centre is beside the ground that the body has come down on: on the slope that leads to it.
        [row + 1, row - 1].map(|row| StandCell { column: own, row }).into_iter().find(is_at)
    }

    /// The next cell that a walk from `cell` comes to, to the right (1) or to the left (−1).
    pub fn walk(&self, cell: StandCell, side: i32) -> Option<StandCell> {
        self.walk_from(cell, self.at(cell)?, side).map(|(cell, _)| cell)
    }

    fn walk_from(
        &self,
        cell: StandCell,
        (low, high): (f64, f64),
        side: i32,
    ) -> Option<(StandCell, (f64, f64))> {
        if let Some(next) = self.next_on_floors(cell, side) {
            let (a, b) = self.at(next)?;
            let touch = if side > 0 { a <= high + 1e-6 } else { b >= low - 1e-6 };
            return touch.then_some((next, (a, b)));
        }
        let reach = (2.0 * self.body.support_half_width / self.level.cell().0).ceil() as i32 + 1;
        for by in 1..=reach {
            let next = StandCell { column: cell.column + side * by, ..cell };
            if self.level.floor(next.column, next.row).is_some() {
                return None;
            }
            if !self.supports(next.column, next.row) {
                continue;
            }
            let (a, b) = self.at(next)?;
            let touch = if side > 0 { a <= high + 1e-6 } else { b >= low - 1e-6 };
            return touch.then_some((next, (a, b)));
        }
        None
    }

    /// Whether a walk leads from one cell to another.
    pub(crate) fn walks_to(&self, from: StandCell, to: StandCell) -> bool {
        let side = (to.column - from.column).signum();
        let Some(mut x) = self.at(from) else { return false };
        let mut cell = from;
        while (to.column - cell.column) * side > 0 {
            let Some(next) = self.walk_from(cell, x, side) else { return false };
            (cell, x) = next;
        }
        cell == to
    }

    /// How far a walk from `cell` leads to a side, in px, as far as `limit`.
    pub(crate) fn walk_end(&self, cell: StandCell, side: i32, limit: f64) -> f64 {
        let Some(mut x) = self.at(cell) else { return f64::from(cell.column) * self.level.cell().0 };
        let mut cell = cell;
        loop {
            let end = if side > 0 { x.1 } else { x.0 };
            if (end - limit) * f64::from(side) >= 0.0 {
                return end;
            }
            let Some(next) = self.walk_from(cell, x, side) else { return end };
            (cell, x) = next;
        }
    }

    /// The places that walks from `cell` lead to, as far as an interval: rows and intervals of x.
    pub(super) fn run(&self, cell: StandCell, (low, high): (f64, f64)) -> Vec<(i32, (f64, f64))> {
        let mut places = Vec::new();
        for side in [-1, 1] {
            let mut next = self.at(cell).map(|x| (cell, x));
            while let Some((cell, x)) = next {
                places.push((cell.row, x));
                let is_beyond = if side > 0 { x.1 >= high } else { x.0 <= low };
                next = if is_beyond { None } else { self.walk_from(cell, x, side) };
            }
        }
        places
    }

    /// Whether a wall stops a body that stands in a row at `x` and moves to a side.
    pub(super) fn meets_wall(&self, x: f64, row: i32, side: i32) -> bool {
        if self.level.has_floors()
            && let Some(cell) = self.cell_of(x, row)
        {
            let place = (x + 0.01 * f64::from(side), self.height(cell, x) - 0.02);
            return self.level.overlaps(place, &self.body);
        }
        let free = self.level.free(self.rows(row), x, self.body.half_width);
        (free[usize::from(side > 0)] - x).abs() < 0.01
    }
}
