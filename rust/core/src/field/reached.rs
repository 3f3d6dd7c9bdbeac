//! The cells around the goals of a field, by cost, as far out as they are asked for.

use super::flow::{FlowField, STATE};
use crate::bitgrid::ones;
use crate::geometry::Direction;

/// A cell that was reached: what a goal costs from there, then its padded index, in one number, as those are
/// sorted in a third of the time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ReachedCell(u64);

impl ReachedCell {
    const fn new(cost: u32, index: u32) -> Self {
        Self((cost as u64) << 32 | index as u64)
    }

    pub const fn cost(self) -> u32 {
        (self.0 >> 32) as u32
    }

    pub const fn index(self) -> u32 {
        self.0 as u32
    }
}

/// The cells around the goals of one field.
///
/// Each cell is reached from its successor only, so nothing needs to be marked, and what was found for a
/// lower limit is gone on from.
#[derive(Default)]
pub(crate) struct Reached {
    /// The cells that cost at most `limit`, in order.
    cells: Vec<ReachedCell>,
    /// Those beyond, one step from `cells`.
    beyond: Vec<ReachedCell>,
    limit: Option<u32>,
}

impl Reached {
    /// Returns the cells from which a goal costs at most `limit`, by cost, then by padded index; and whether
    /// there are no others. The first call with a limit takes time in proportion to the cells that the limits
    /// before it left out, and their logarithm.
    pub fn within(&mut self, field: &FlowField, limit: u32) -> (&[ReachedCell], bool) {
        if self.limit.is_none_or(|known| known < limit) {
            self.grow(field, limit);
        }
        let count = self.cells.partition_point(|cell| cell.cost() <= limit);
        (&self.cells[..count], count == self.cells.len() && self.beyond.is_empty())
    }

    fn grow(&mut self, field: &FlowField, limit: u32) {
        let (costs, flow) = (field.integration().costs(), &field.flow);
        let stride = field.integration().layout().stride() as i32;
        let steps = Direction::ALL.map(|direction| direction.dy() * stride + direction.dx());
        if self.limit.is_none() {
            self.beyond.extend(field.integration().goals.iter().map(|&goal| ReachedCell::new(0, goal)));
        }
        self.limit = Some(limit);
        let mut found: Vec<_> = self.beyond.extract_if(.., |cell| cell.cost() <= limit).collect();
        let mut next = 0;
        while let Some(cell) = found.get(next) {
            next += 1;
            // Which cells lead here could not be guessed: all are compared before the first branch. No cell
            // of the border has a direction, so none beyond it is looked at.
            let before = steps.map(|step| cell.index().wrapping_add_signed(-step));
            let leads =
                (0..).zip(before).map(|(state, at)| u32::from(flow[at as usize] & STATE == state) << state);
            for state in ones(leads.sum::<u32>()) {
                let at = before[state & 7];
                let cost = costs[at as usize];
                let list = if cost <= limit { &mut found } else { &mut self.beyond };
                list.push(ReachedCell::new(cost, at));
            }
        }
        found.sort_unstable();
        self.cells.append(&mut found);
    }
}
