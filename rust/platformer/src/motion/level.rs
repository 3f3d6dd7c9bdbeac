//! The cells of a level as bodies of any size meet them: solid and one-way cells, and free intervals of x.

use super::body::Body;
use super::floor_shapes::{FloorShape, Floors};
use pathforge_core::bitgrid::BitGrid;
use pathforge_core::surfaces::BodyLayers;
use pathforge_core::terrain::Floors as CellFloors;

/// How far free intervals are looked at, in columns.
const SPAN: i32 = 512;
/// A body at an edge is not in the cell beyond it.
pub(super) const EDGE: f64 = 1e-6;

/// The cells of a level, from its top-left corner at (0, 0) px. Above it is open sky, its sides are walls,
/// below it is nothing.
///
/// Column c is bit c + 1 of its row; the bits around the columns are walls. One more row, of walls only,
/// stands for all rows outside.
#[derive(Clone, PartialEq, Debug)]
pub struct Level {
    columns: i32,
    rows: i32,
    /// Width and height of a cell, in px.
    cell: (f64, f64),
    stride: usize,
    solid: Vec<u64>,
    /// Solid or one-way.
    support: Vec<u64>,
    /// `None` if no cell has a floor inside it.
    pub(super) floors: Option<Box<Floors>>,
    /// `None` without ladders.
    pub(super) ladders: Option<Vec<u64>>,
}

/// Which cells of a row matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Solid,
    Support,
    /// What stops a body from below: solid cells, and those of floors that are not one-way.
    Block,
}

impl Level {
    /// The level of a map, from the layers of a body of one cell and the floors inside cells; `cell` is the size
    /// of a cell in px.
    pub fn new(layers: &BodyLayers, floors: Option<&CellFloors>, cell: (f64, f64)) -> Self {
        let (fits, ground) = (layers.fits(), layers.ground());
        let layout = fits.layout();
        let at = |grid: &BitGrid, x: i32, y: i32| grid.at(x as u32, y as u32);
        let solid = |x, y| !at(fits, x, y);
        let one_way = |x, y| at(fits, x, y) && y > 0 && at(ground, x, y - 1);
        let size = (layout.width() as i32, layout.height() as i32);
        let Some(floors) = floors else { return Self::from_cells(size, cell, solid, one_way) };
        let height = |part: f32| f64::from(part) * cell.1;
        Self::with_floors(size, cell, solid, one_way, |x, y| {
            let floor = floors.get(x as u32, y as u32)?;
            Some(FloorShape { left: height(floor.left), right: height(floor.right), one_way: one_way(x, y) })
        })
    }

    /// The level of `columns` × `rows` cells that two functions of column and row describe.
    pub fn from_cells(
        (columns, rows): (i32, i32),
        cell: (f64, f64),
        solid: impl Fn(i32, i32) -> bool,
        one_way: impl Fn(i32, i32) -> bool,
    ) -> Self {
        let stride = (columns as usize + 2).div_ceil(64);
        let words = stride * (rows as usize + 1);
        let (mut solids, mut supports) = (vec![0; words], vec![0; words]);
        for row in 0..=rows {
            for bit in 0..stride as i32 * 64 {
                let (word, mask) = (row as usize * stride + bit as usize / 64, 1 << (bit % 64));
                let column = bit - 1;
                let is_wall = !(0..columns).contains(&column);
                if is_wall || row < rows && solid(column, row) {
                    solids[word] |= mask;
                }
                if !is_wall && row < rows && (solid(column, row) || one_way(column, row)) {
                    supports[word] |= mask;
                }
            }
        }
        Self { columns, rows, cell, stride, solid: solids, support: supports, floors: None, ladders: None }
    }

    /// The level that [`Self::from_cells`] returns, with floors inside cells; a floor replaces what else the
    /// cell is. Heights are cut off at those of cells: a floor without height is none, and one as high as its
    /// cell on both sides is a solid or one-way cell.
    pub fn with_floors(
        size: (i32, i32),
        cell: (f64, f64),
        solid: impl Fn(i32, i32) -> bool,
        one_way: impl Fn(i32, i32) -> bool,
        floor: impl Fn(i32, i32) -> Option<FloorShape>,
    ) -> Self {
        let cut_off = |height: f64| if height.is_nan() { 0.0 } else { height.clamp(0.0, cell.1) };
        let shape = |column, row| {
            let shape = floor(column, row)?;
            let shape = FloorShape { left: cut_off(shape.left), right: cut_off(shape.right), ..shape };
            (shape.left + shape.right > 0.0).then_some(shape)
        };
        let is_full = |shape: &FloorShape| shape.left.min(shape.right) >= cell.1;
        let is = |column, row, one_way, otherwise: bool| {
            shape(column, row).map_or(otherwise, |shape| is_full(&shape) && shape.one_way == one_way)
        };
        let solid = |column, row| is(column, row, false, solid(column, row));
        let one_way = |column, row| is(column, row, true, one_way(column, row));
        let mut level = Self::from_cells(size, cell, solid, one_way);
        let (mut cells, mut shapes) = (vec![0; level.solid.len()], Vec::new());
        for row in 0..size.1 {
            for column in 0..size.0 {
                if let Some(shape) = shape(column, row).filter(|shape| !is_full(shape)) {
                    let bit = (column + 1) as usize;
                    cells[level.base(row) + bit / 64] |= 1 << (bit % 64);
                    shapes.push(shape);
                }
            }
        }
        if !shapes.is_empty() {
            level.floors = Some(Box::new(Floors::new(cells, level.solid.clone(), shapes, level.stride)));
        }
        level
    }

    /// The number of columns and rows.
    pub const fn size(&self) -> (i32, i32) {
        (self.columns, self.rows)
    }

    /// Width and height of a cell, in px.
    pub const fn cell(&self) -> (f64, f64) {
        self.cell
    }

    /// The column of a place at `x` px.
    #[inline]
    pub fn column(&self, x: f64) -> i32 {
        floor(x / self.cell.0).clamp(-1, self.columns)
    }

    /// The row of a place at `y` px.
    pub(super) fn row(&self, y: f64) -> i32 {
        self.near(floor(y / self.cell.1))
    }

    /// A row; of rows outside the level, an empty one beside it.
    #[inline]
    fn near(&self, row: i32) -> i32 {
        row.clamp(-2, self.rows + 1)
    }

    /// The lowest row in which a body is whose feet are at `y` px.
    #[inline]
    pub fn feet_row(&self, y: f64) -> i32 {
        self.near((-1_i32).saturating_sub(floor(EDGE - y / self.cell.1)))
    }

    /// The highest row in which it is.
    #[inline]
    pub(super) fn head_row(&self, y: f64, body: &Body) -> i32 {
        self.near(floor((y - body.height) / self.cell.1 + EDGE))
    }

    pub(super) fn base(&self, row: i32) -> usize {
        (if (0..self.rows).contains(&row) { row } else { self.rows }) as usize * self.stride
    }

    /// Whether a cell is solid; so are walls.
    pub fn is_solid(&self, column: i32, row: i32) -> bool {
        self.has(&self.solid, column, row)
    }

    /// Whether a cell supports from above.
    pub fn supports(&self, column: i32, row: i32) -> bool {
        self.has(&self.support, column, row)
    }

    pub(super) fn has(&self, words: &[u64], column: i32, row: i32) -> bool {
        let bit = (column + 1).clamp(0, self.columns + 1) as usize;
        words[self.base(row) + bit / 64] >> (bit % 64) & 1 == 1
    }

    /// The words of solid cells.
    pub(super) fn solid(&self) -> &[u64] {
        &self.solid
    }

    /// The words in which two levels of one size differ, in order: row and word of the row; `None` if their
    /// sizes or the slopes that carry differ.
    pub(super) fn differing(&self, other: &Self) -> Option<Vec<(i32, i32)>> {
        if (self.columns, self.rows, self.cell) != (other.columns, other.rows, other.cell) {
            return None;
        }
        if let (Some(floors), Some(others)) = (&self.floors, &other.floors)
            && floors.slope_max.total_cmp(&others.slope_max).is_ne()
        {
            return None;
        }
        let same_floors = |at: usize| match (&self.floors, &other.floors) {
            (None, None) => true,
            (Some(floors), Some(others)) => floors.same(others, at),
            (Some(floors), None) | (None, Some(floors)) => floors.cells[at] == 0,
        };
        let ladders = |level: &Self, at: usize| level.ladders.as_ref().map_or(0, |words| words[at]);
        let is_new = |&at: &usize| {
            self.solid[at] != other.solid[at]
                || self.support[at] != other.support[at]
                || ladders(self, at) != ladders(other, at)
                || !same_floors(at)
        };
        let place = |at: usize| ((at / self.stride) as i32, (at % self.stride) as i32);
        Some((0..self.solid.len()).filter(is_new).map(place).collect())
    }

    /// The words of a row.
    pub(super) const fn words(&self) -> usize {
        self.stride
    }

    /// The word of its row that a column is in.
    pub(super) fn word_of(column: i32) -> i32 {
        (column + 1) >> 6
    }

    /// The interval of x around `x` at which a body of `half_width` is in no solid cell of rows
    /// `top..=bottom`. `x` itself must be free.
    #[inline]
    pub(super) fn free(&self, rows: (i32, i32), x: f64, half_width: f64) -> [f64; 2] {
        self.free_of(&self.solid, rows, x, half_width)
    }

    /// The same, of the cells in `words`.
    #[inline]
    pub(super) fn free_of(
        &self,
        words: &[u64],
        (top, bottom): (i32, i32),
        x: f64,
        half_width: f64,
    ) -> [f64; 2] {
        let bit = self.column(x) + 1;
        let first = self.last_solid(words, (top, bottom), bit);
        let last = self.first_solid(words, (top, bottom), bit);
        [f64::from(first) * self.cell.0 + half_width, f64::from(last - 1) * self.cell.0 - half_width]
    }

    #[inline]
    fn united(&self, words: &[u64], (top, bottom): (i32, i32), word: i32) -> u64 {
        // Rows outside have walls only, as all rows have.
        let (low, high) = (top.clamp(0, self.rows), bottom.min(self.rows - 1));
        if low > high {
            return words[self.base(-1) + word as usize];
        }
        (low..=high).fold(0, |bits, row| bits | words[row as usize * self.stride + word as usize])
    }

    fn last_solid(&self, words: &[u64], rows: (i32, i32), bit: i32) -> i32 {
        let mut word = bit >> 6;
        let mut bits = self.united(words, rows, word) & (u64::MAX >> (63 - (bit & 63)));
        while bits == 0 {
            word -= 1;
            if word < 0 || bit - word * 64 > SPAN {
                return word * 64 + 63;
            }
            bits = self.united(words, rows, word);
        }
        word * 64 + 63 - bits.leading_zeros() as i32
    }

    fn first_solid(&self, words: &[u64], rows: (i32, i32), bit: i32) -> i32 {
        let mut word = bit >> 6;
        let mut bits = self.united(words, rows, word) & (u64::MAX << (bit & 63));
        while bits == 0 {
            word += 1;
            if word >= self.stride as i32 || word * 64 - bit > SPAN {
                return word * 64;
            }
            bits = self.united(words, rows, word);
        }
        word * 64 + bits.trailing_zeros() as i32
    }

    /// The first column from `from` to `to` at which a row has (`value`) or lacks cells of a kind; `to + 1`
    /// if there is none.
    #[inline]
    fn next(&self, kind: Kind, row: i32, from: i32, to: i32, value: bool) -> i32 {
        let words = match (kind, &self.floors) {
            (Kind::Support, _) => &self.support,
            (Kind::Block, Some(floors)) => &floors.blocks,
            _ => &self.solid,
        };
        let (base, flip) = (self.base(row), if value { 0 } else { u64::MAX });
        let mut bit = from + 1;
        while bit <= to + 1 {
            let bits = (words[base + (bit >> 6) as usize] ^ flip) >> (bit & 63);
            if bits != 0 {
                return (bit + bits.trailing_zeros() as i32 - 1).min(to + 1);
            }
            bit = (bit | 63) + 1;
        }
        to + 1
    }

    /// The next column from `from` to a side that has cells of `words` in a row; `None` beyond the level.
    pub(super) fn next_block(&self, words: &[u64], row: i32, from: i32, side: i32) -> Option<i32> {
        let bit = if (-1..=self.columns).contains(&from) { from + 1 } else { return None };
        let found = if side > 0 {
            self.first_solid(words, (row, row), bit)
        } else {
            self.last_solid(words, (row, row), bit)
        };
        (0..=self.columns + 1).contains(&found).then_some(found - 1)
    }

    /// Cuts an interval of x into pieces at which a body of `half` a width overlaps a cell of a kind in a
    /// row, and others. Calls `piece(low, high, overlaps)` for each, in order.
    #[inline]
    pub(super) fn split(
        &self,
        (kind, row): (Kind, i32),
        half: f64,
        (low, high): (f64, f64),
        mut piece: impl FnMut(f64, f64, bool),
    ) {
        let half = half - EDGE;
        let (first, last) = (self.column(low - half), self.column(high + half));
        let mut at = low;
        let mut column = self.next(kind, row, first, last, true);
        while column <= last {
            let mut end = self.next(kind, row, column, last, false);
            let start = f64::from(column) * self.cell.0 - half;
            if start >= high {
                break;
            }
            // Gaps that are narrower than the body belong to what is around them.
            let mut stop = f64::from(end) * self.cell.0 + half;
            column = self.next(kind, row, end, last, true);
            while column <= last && f64::from(column) * self.cell.0 - half <= stop {
                end = self.next(kind, row, column, last, false);
                stop = f64::from(end) * self.cell.0 + half;
                column = self.next(kind, row, end, last, true);
            }
            if stop <= at {
                continue;
            }
            if start > at {
                piece(at, start, false);
            }
            piece(start.max(at), stop.min(high), true);
            at = stop;
            if at >= high {
                return;
            }
        }
        piece(at, high, false);
    }
}

/// `f64::floor` is a call on processors without an instruction for it, and took a seventh of all time.
#[inline]
fn floor(value: f64) -> i32 {
    let whole = value as i32;
    whole.saturating_sub(i32::from(f64::from(whole) > value))
}
