//! What a kind of item is to bodies, and where it is filled above each cell.

use super::Form;
use crate::geometry::{Cell, CellRect};

/// The middles of a cell's left, right, upper and lower side, as parts of its sides.
const SIDES: [(f64, f64); 4] = [(0.0, 0.5), (1.0, 0.5), (0.5, 0.0), (0.5, 1.0)];
/// Lines through a cell in a row and in a column, where the share of its area counts.
const LINES_A_SIDE: u32 = 8;

/// What has to be filled of a cell so that it counts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Coverage {
    /// Its centre.
    Center,
    /// This share of its area, on 8×8 lines; with 0 any of them.
    Share(f64),
}

impl Coverage {
    /// Returns the lines through a cell, as parts of its sides.
    fn lines(self) -> impl Iterator<Item = (f64, f64)> {
        let count = if self == Self::Center { 1 } else { LINES_A_SIDE };
        let part = move |n: u32| (f64::from(n) + 0.5) / f64::from(count);
        (0..count * count).map(move |n| (part(n % count), part(n / count)))
    }

    /// Returns `true` if as many lines that are filled count.
    pub(super) fn is_met_by(self, filled: u32) -> bool {
        match self {
            Self::Center => filled > 0,
            Self::Share(share) => {
                filled > 0 && f64::from(filled) >= share * f64::from(LINES_A_SIDE * LINES_A_SIDE)
            }
        }
    }
}

/// What a kind of item is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Role {
    /// Nothing: bodies pass through it.
    #[default]
    Ignored,
    /// What bodies walk on.
    Floor,
    /// What closes cells.
    Solid,
}

/// A kind of item.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Kind {
    /// What it is.
    pub role: Role,
    /// The terrain of cells that it lies on, if it has one.
    pub terrain: Option<u8>,
    /// The weight of cells that it lies on, if it has one.
    pub weight: Option<f32>,
    /// The cells that it covers, from its first cell.
    cells: CellRect,
    /// Its lowest and its highest point above the centre of each, where there is one.
    extents: Vec<Option<[f32; 2]>>,
    /// How high it is at the middle of each side of each cell, if it is floor: left, right, above and below.
    sides: Vec<[f32; 4]>,
    /// The lines of each cell on which it is filled between two heights, if it is solid.
    stretches: Vec<Vec<(u8, [f32; 2])>>,
}

impl Kind {
    /// Reads a form, on the lines that `coverage` asks for.
    pub fn new(role: Role, form: &Form, coverage: Coverage) -> Self {
        let cells = form.cells();
        let single = |[low, high]: [f64; 2]| [low as f32, high as f32];
        let along = |cell: Cell, (x, z): (f64, f64)| form.along(f64::from(cell.x) + x, f64::from(cell.y) + z);
        let extent = |cell: Cell| {
            let stretches = along(cell, (0.5, 0.5));
            Some(single([stretches.first()?[0], stretches.last()?[1]]))
        };
        // Where it ends short of the side, it is as high there as at the centre, if it is there at all.
        let sides = |(cell, extent): (Cell, &Option<[f32; 2]>)| {
            let top = |place| along(cell, place).last().map(|at| at[1] as f32);
            SIDES.map(|place| top(place).or(extent.map(|[_, top]| top)).unwrap_or(f32::NAN))
        };
        let filled = |cell: Cell| {
            let lines = (0_u8..).zip(coverage.lines());
            let each = |(line, place)| along(cell, place).into_iter().map(move |at| (line, single(at)));
            lines.flat_map(each).collect()
        };
        let extents: Vec<_> = cells.cells().map(extent).collect();
        let (is_floor, is_solid) = (role == Role::Floor, role == Role::Solid);
        Self {
            role,
            cells,
            sides: if is_floor { cells.cells().zip(&extents).map(sides).collect() } else { Vec::new() },
            extents,
            stretches: if is_solid { cells.cells().map(filled).collect() } else { Vec::new() },
            ..Self::default()
        }
    }

    /// Returns the cells that it covers, from its first cell.
    pub(crate) const fn cells(&self) -> CellRect {
        self.cells
    }

    /// Returns its lowest and its highest point above the centre of a cell of [`Self::cells`].
    pub(super) fn extent(&self, cell: Cell) -> Option<[f32; 2]> {
        self.extents[self.index(cell)]
    }

    /// Returns how high it is at the sides of such a cell: left, right, above and below.
    pub(super) fn sides(&self, cell: Cell) -> [f32; 4] {
        self.sides[self.index(cell)]
    }

    /// Returns the lines of such a cell, one bit each, on which it is filled anywhere between two heights.
    pub(super) fn lines_between(&self, cell: Cell, low: f32, high: f32) -> u64 {
        let Some(stretches) = self.stretches.get(self.index(cell)) else { return 0 };
        let within = stretches.iter().filter(|(_, at)| at[0] < high && at[1] > low);
        within.fold(0, |lines, (line, _)| lines | 1 << line)
    }

    fn index(&self, cell: Cell) -> usize {
        self.cells.place_of(cell)
    }
}
