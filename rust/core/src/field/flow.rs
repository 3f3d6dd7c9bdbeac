//! Flow fields: costs and, for each placement, the direction of the next step. Also the format of that byte.

use super::integration::{IntegrationField, UNREACHED};
use crate::bitgrid::{LocalRect, PaddedIndex};
use crate::cost::{DIAGONAL, STRAIGHT};
use crate::geometry::{Cell, Direction};
use crate::passability::LinkStep;

/// The bits of a flow byte that hold its state: a direction's number (0 to 7), [`GOAL`], [`LINK`]
/// or [`NO_DIRECTION`].
// Four bits, so that the states of two cells index the table of `sample`.
pub(super) const STATE: u8 = 0x0f;
/// The state of a goal.
pub(super) const GOAL: u8 = 8;
/// The state of cells where the path takes a link.
pub(super) const LINK: u8 = 9;
/// The state of cells that are not reached, which includes all cells that are no valid placements.
pub(super) const NO_DIRECTION: u8 = 15;
/// A goal is in sight.
pub(super) const FLAG_SIGHT: u8 = 0x10;
/// All eight moves are legal.
pub(super) const FLAG_OPEN: u8 = 0x20;
/// An edge is near.
pub(super) const FLAG_EDGE: u8 = 0x40;

/// Costs to the nearest goal and, for each placement, the first step of a shortest path there.
///
/// Of several first steps, the one to the cell with the smallest y, then the smallest x, is stored. It is
/// always legal, so it neither enters a wall nor cuts a corner that must not be cut. Following the directions
/// ends at a goal, and the steps add up to exactly the field's cost.
///
/// ```
/// use pathforge_core::field::{FieldBuilder, FlowField};
/// use pathforge_core::geometry::{Cell, Direction};
/// use pathforge_core::terrain::Terrain;
/// use pathforge_core::world::{Profile, World};
///
/// let mut world = World::from_terrain(Terrain::from_text("....\n.##.\n....\n", Cell::new(0, 0))?);
/// let source = world.field_source(&Profile::default());
/// let mut field = FlowField::default();
/// FieldBuilder::default().build(source.ground(), &[Cell::new(3, 0)], None, &mut field);
/// assert_eq!(field.direction(Cell::new(0, 0)), Some(Direction::E));
/// assert_eq!(field.path_from(Cell::new(3, 2)).len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FlowField {
    pub(super) integration: IntegrationField,
    /// One flow byte a padded cell: a state and flags.
    pub(super) flow: Vec<u8>,
    /// One byte a padded cell: 0, or one more than the index in `goals` of the goal in sight.
    pub(super) sight: Vec<u8>,
    /// Column and row of the goals that lines of sight are computed to.
    pub(super) sight_goals: Vec<[f32; 2]>,
    /// Bounds of the cells that were read to compute lines of sight: an edit outside cannot change them.
    pub(super) sight_bounds: Option<LocalRect>,
    /// The links that paths take, by where they begin.
    pub(super) links: Vec<LinkStep>,
}

impl FlowField {
    /// The costs.
    pub const fn integration(&self) -> &IntegrationField {
        &self.integration
    }

    /// Returns `true` if the field leads anywhere.
    pub(crate) fn has_goals(&self) -> bool {
        self.integration.reached() > 0
    }

    /// Returns the cost in units of the placement in column `x` and row `y` of the map; `None` where no goal
    /// can be reached.
    #[inline]
    pub(crate) fn units_at(&self, x: u32, y: u32) -> Option<u32> {
        let units = self.integration.costs()[self.integration.layout().index(x, y).get()];
        (units != UNREACHED).then_some(units)
    }

    /// Returns the step over a link that the path from the placement at `index` takes.
    fn link_step(&self, index: usize) -> Option<&LinkStep> {
        if self.flow[index] & STATE != LINK {
            return None;
        }
        let place = self.links.binary_search_by_key(&(index as u32), |step| step.from).ok()?;
        Some(&self.links[place])
    }

    /// Returns the number of the link that the path takes at `cell`, and the cell where the body comes out;
    /// `None` where it takes none.
    pub fn link_from(&self, cell: Cell) -> Option<(u32, Cell)> {
        let step = self.link_step(self.integration.index(cell)?)?;
        Some((step.link, self.integration.cell(step.to as usize)))
    }

    /// Returns the number of the link that the path takes from the placement in column `x` and row `y` of the
    /// map, and the placement where it ends.
    pub(crate) fn link_at(&self, x: u32, y: u32) -> Option<(u32, [u32; 2])> {
        let layout = self.integration.layout();
        if x >= layout.width() || y >= layout.height() {
            return None;
        }
        let step = self.link_step(layout.index(x, y).get())?;
        let (x, y) = layout.xy(PaddedIndex::new(step.to as usize));
        Some((step.link, [x, y]))
    }

    /// Returns the placement after one on its path, and what the step costs for each cell of its length. `None`
    /// at goals, where a link begins, and without a path.
    #[inline]
    pub(crate) fn next_step(&self, x: u32, y: u32) -> Option<([u32; 2], f32)> {
        let layout = self.integration.layout();
        let index = layout.index(x, y).get();
        let direction = direction_of(self.flow[index])?;
        let next = [x.wrapping_add_signed(direction.dx()), y.wrapping_add_signed(direction.dy())];
        let costs = self.integration.costs();
        let units = costs[index] - costs[layout.index(next[0], next[1]).get()];
        let length = if direction.is_diagonal() { DIAGONAL } else { STRAIGHT };
        Some((next, units as f32 / length as f32))
    }

    /// Returns the direction of the next step from `cell`; `None` at goals, where the path takes a link, at
    /// cells that are not reached and outside the region.
    pub fn direction(&self, cell: Cell) -> Option<Direction> {
        direction_of(self.flow[self.integration.index(cell)?])
    }

    /// Returns the cell after `cell` on the path: `cell` itself at a goal; `None` at cells that are not
    /// reached and outside the region.
    pub fn next_cell(&self, cell: Cell) -> Option<Cell> {
        match self.flow[self.integration.index(cell)?] {
            flow if flow & STATE == GOAL => Some(cell),
            flow if flow & STATE == LINK => self.link_from(cell).map(|(_, to)| to),
            flow => direction_of(flow).map(|d| cell.offset(d.dx(), d.dy())),
        }
    }

    /// Returns every cell of the path from `start` to a goal, both included; nothing at cells that are not
    /// reached and outside the region. Takes time in proportion to the length.
    pub fn path_from(&self, start: Cell) -> Vec<Cell> {
        let first = self.next_cell(start).map(|_| start);
        // Costs fall with every step, so this ends.
        std::iter::successors(first, |&cell| self.next_cell(cell).filter(|&after| after != cell)).collect()
    }

    /// Returns whether the body can walk from `cell` to a goal in a straight line at the field's cost: all
    /// placements that the line passes are valid and cost the same as weight 1.
    ///
    /// Only the first 64 goals in reading order count.
    pub fn has_line_of_sight(&self, cell: Cell) -> bool {
        // A goal sees itself without the flag, which shadow casting sets on other cells only.
        let sees = |flow: u8| flow & STATE == GOAL || flow & FLAG_SIGHT != 0;
        self.integration.index(cell).is_some_and(|index| sees(self.flow[index]))
    }

    /// Returns the goal that the body can walk to from `cell` in a straight line, if there is one.
    pub fn goal_in_sight(&self, cell: Cell) -> Option<Cell> {
        let number = self.sight[self.integration.index(cell)?];
        let goal = self.integration.goals.get(usize::from(number).checked_sub(1)?)?;
        Some(self.integration.cell(*goal as usize))
    }

    /// Calls `visit` with the direction and, if there is a path, the cost in cell widths of every `step`-th
    /// cell of row `y`. It begins at column `x` and ends before `end`; all lie within the region.
    pub fn look_along(
        &self,
        (x, end, y): (i32, i32, i32),
        step: usize,
        mut visit: impl FnMut(Option<f32>, Option<Direction>),
    ) {
        let region = self.integration.region();
        let columns = (x - region.x) as usize..(end - region.x) as usize;
        let row = self.integration.layout.index(0, (y - region.y) as u32).get();
        let flow = self.flow[row..][columns.clone()].iter();
        let costs = self.integration.costs()[row..][columns].iter();
        for (&units, &flow) in costs.zip(flow).step_by(step) {
            visit((units != UNREACHED).then_some(units as f32 / STRAIGHT as f32), direction_of(flow));
        }
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.integration.memory()
            + self.flow.capacity()
            + self.sight.capacity()
            + self.sight_goals.capacity() * size_of::<[f32; 2]>()
            + self.links.capacity() * size_of::<LinkStep>()
    }
}

/// The direction that a flow byte holds, if it does hold one.
#[inline]
pub(super) fn direction_of(flow: u8) -> Option<Direction> {
    Direction::ALL.get(usize::from(flow & STATE)).copied()
}
