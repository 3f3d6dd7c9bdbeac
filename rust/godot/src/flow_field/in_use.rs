//! The field that is in use, exact or coarse, which all queries read.

use std::sync::Arc;

use pathforge_core::cost::{Cost, STRAIGHT};
use pathforge_core::field::{CoarseField, FlowField as ExactField, UNREACHED};
use pathforge_core::geometry::{Cell, CellRect, Direction};

use super::FlowField;

/// A field that is complete. A holder keeps it as it is: a repair then works on a copy, so drop it soon.
#[derive(Clone, Debug)]
pub enum FieldInUse {
    /// Exact everywhere.
    Exact(Arc<ExactField>),
    /// Exact near the goals.
    Coarse(Arc<CoarseField>),
}

impl FieldInUse {
    fn exact_part(&self) -> &ExactField {
        match self {
            Self::Exact(field) => field,
            Self::Coarse(field) => field.near(),
        }
    }

    /// The cells of the map.
    pub fn region(&self) -> CellRect {
        self.exact_part().integration().region()
    }

    /// Returns `true` if it leads anywhere.
    pub fn has_goals(&self) -> bool {
        self.exact_part().integration().reached() > 0
    }

    /// What it costs to get from `cell` to the nearest goal; `None` where none can be reached and outside the region.
    pub fn cost(&self, cell: Cell) -> Option<Cost> {
        match self {
            Self::Exact(field) => field.integration().cost(cell),
            Self::Coarse(field) => field.cost(cell),
        }
    }

    /// The direction of the next step from `cell`; `None` at goals, where none can be reached and outside the region.
    pub fn direction(&self, cell: Cell) -> Option<Direction> {
        match self {
            Self::Exact(field) => field.direction(cell),
            Self::Coarse(field) => field.direction(cell),
        }
    }

    /// The cell after `cell`: itself at a goal, `None` where none can be reached and outside the region.
    pub fn next_cell(&self, cell: Cell) -> Option<Cell> {
        match self {
            Self::Exact(field) => field.next_cell(cell),
            Self::Coarse(field) => field.next_cell(cell),
        }
    }

    /// Every cell from `cell` to a goal; empty where none can be reached and outside the region.
    pub fn path_from(&self, cell: Cell) -> Vec<Cell> {
        match self {
            Self::Exact(field) => field.path_from(cell),
            Self::Coarse(field) => field.path_from(cell),
        }
    }

    /// Returns `true` if a goal can be walked to from `cell` in a straight line.
    pub fn has_line_of_sight(&self, cell: Cell) -> bool {
        match self {
            Self::Exact(field) => field.has_line_of_sight(cell),
            Self::Coarse(field) => field.has_line_of_sight(cell),
        }
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
        for (&units, direction) in field.integration().row(row)[columns].iter().step_by(step).zip(directions)
        {
            let cost = (units != UNREACHED).then_some(units as f32 / STRAIGHT as f32);
            visit(cost, direction);
        }
    }

    /// The direction to walk in from a place, as [`FieldInUse::sample_batch`] has it, without the work for a group.
    pub fn sample(&self, [x, y]: [f32; 2]) -> [f32; 2] {
        match self {
            Self::Exact(field) => field.sample(x, y),
            Self::Coarse(field) => field.sample(x, y),
        }
        .into()
    }

    /// The directions to walk in from places, in cells from the region's corner to the body's top-left corner.
    pub fn sample_batch(&self, places: &[[f32; 2]], directions: &mut [[f32; 2]]) {
        match self {
            Self::Exact(field) => field.sample_batch(places, directions),
            Self::Coarse(field) => field.sample_batch(places, directions),
        }
    }
}

impl FlowField {
    /// The field in use when it is exact everywhere. Give it back soon: a repair works on a copy meanwhile.
    pub fn exact_in_use(&self) -> Option<Arc<ExactField>> {
        match self.upkeep.lock().field()? {
            FieldInUse::Exact(field) => Some(Arc::clone(field)),
            FieldInUse::Coarse(_) => None,
        }
    }

    /// Returns `true` if it is, or will be, exact everywhere.
    pub fn is_exact(&self) -> bool {
        self.wish.coarseness == 1
    }
}
