//! A complete field of either kind, which any number of holders share.

use std::sync::Arc;

use super::{CoarseField, FlowField, UNREACHED};
use crate::cost::{Cost, STRAIGHT};
use crate::geometry::{Cell, CellRect, Direction};

/// A field that is complete, exact or coarse. A holder keeps it as it is: a repair meanwhile works on a copy, so drop it
/// soon.
#[derive(Clone, Debug)]
pub enum AnyField {
    /// Exact everywhere.
    Exact(Arc<FlowField>),
    /// Exact near the goals.
    Coarse(Arc<CoarseField>),
}

/// Asks the field, of whichever kind it is.
macro_rules! either {
    ($any:expr, $field:ident => $answer:expr) => {
        match $any {
            AnyField::Exact($field) => $answer,
            AnyField::Coarse($field) => $answer,
        }
    };
}

impl AnyField {
    /// Returns the field around the goals, which is exact: all of it, or a part.
    #[inline]
    pub(crate) fn exact_part(&self) -> &FlowField {
        match self {
            Self::Exact(field) => field,
            Self::Coarse(field) => field.near(),
        }
    }

    /// Returns the cells of the map.
    #[inline]
    pub fn region(&self) -> CellRect {
        self.exact_part().integration().region()
    }

    /// Returns `true` if it leads anywhere.
    #[inline]
    pub(crate) fn has_goals(&self) -> bool {
        self.exact_part().integration().reached() > 0
    }

    /// Returns the cost from `cell` to the nearest goal; `None` where none can be reached and outside the region.
    #[inline]
    pub fn cost(&self, cell: Cell) -> Option<Cost> {
        match self {
            Self::Exact(field) => field.integration().cost(cell),
            Self::Coarse(field) => field.cost(cell),
        }
    }

    /// Returns the direction of the next step from `cell`; `None` at goals, where none can be reached and outside the
    /// region.
    #[inline]
    pub fn direction(&self, cell: Cell) -> Option<Direction> {
        either!(self, field => field.direction(cell))
    }

    /// Returns the cell after `cell`: itself at a goal, `None` where none can be reached and outside the region.
    #[inline]
    pub fn next_cell(&self, cell: Cell) -> Option<Cell> {
        either!(self, field => field.next_cell(cell))
    }

    /// Returns every cell from `cell` to a goal; empty where none can be reached and outside the region.
    pub fn path_from(&self, cell: Cell) -> Vec<Cell> {
        either!(self, field => field.path_from(cell))
    }

    /// Returns `true` if a goal can be walked to from `cell` in a straight line.
    #[inline]
    pub fn has_line_of_sight(&self, cell: Cell) -> bool {
        either!(self, field => field.has_line_of_sight(cell))
    }

    /// Calls `visit` with the cost in cell widths, if there is a path, and the direction of every `step`-th cell of row
    /// `y`, from column `x` on to before `end`, all within the region.
    pub fn look_along(
        &self,
        (x, end, y): (i32, i32, i32),
        step: usize,
        mut visit: impl FnMut(Option<f32>, Option<Direction>),
    ) {
        let region = self.region();
        let Self::Exact(field) = self else {
            for x in (x..end).step_by(step) {
                let cell = Cell::new(x, y);
                visit(self.cost(cell).map(|cost| cost.cells() as f32), self.direction(cell));
            }
            return;
        };
        let (row, columns) = ((y - region.y) as u32, (x - region.x) as usize..(end - region.x) as usize);
        let directions = field.directions_of_row(row).skip(columns.start).step_by(step);
        let costs = field.integration().row(row)[columns].iter().step_by(step);
        for (&units, direction) in costs.zip(directions) {
            visit((units != UNREACHED).then_some(units as f32 / STRAIGHT as f32), direction);
        }
    }

    /// Returns the direction to walk in from a place, as [`AnyField::sample_batch`] has it, without the work for a group.
    #[inline]
    pub fn sample(&self, [x, y]: [f32; 2]) -> [f32; 2] {
        either!(self, field => field.sample(x, y)).into()
    }

    /// Writes the directions to walk in from places, in cells from the region's corner to the body's top-left corner.
    #[inline]
    pub fn sample_batch(&self, places: &[[f32; 2]], directions: &mut [[f32; 2]]) {
        either!(self, field => field.sample_batch(places, directions));
    }

    /// Returns what it costs from the cell in column `x` and row `y` of the map, in units; `None` where no goal can be reached.
    #[inline]
    pub(crate) fn units_at(&self, x: u32, y: u32) -> Option<u32> {
        let exact = self.exact_part().integration();
        let index = exact.layout().index(x, y).get();
        match self {
            Self::Exact(_) => Some(exact.costs()[index]).filter(|&units| units != UNREACHED),
            Self::Coarse(field) => field.estimate(index),
        }
    }
}

impl From<FlowField> for AnyField {
    fn from(field: FlowField) -> Self {
        Self::Exact(Arc::new(field))
    }
}
