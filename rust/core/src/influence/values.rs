//! The values of a map's cells: adding sources, decay, spreading, and which cells changed.

use super::area::Area;
use super::kernel::{KernelRaster, part_of};
use crate::bitgrid::{GridLayout, LocalRect, differing};
use crate::raster::Raster;

/// Denominator of the share that flows to a neighbour; the flow is computed by a multiplication and a shift.
const FLOW_SHIFT: u32 = 16;

/// What sources make of each cell of a rectangle that contains all steady ones.
pub(super) struct SteadySums {
    pub(super) rect: LocalRect,
    /// What all sources make, row by row, in units.
    pub(super) all: Vec<i64>,
    /// What the steady ones make.
    pub(super) steady: Vec<i64>,
}

/// A value in units for each cell.
#[derive(Clone, Debug)]
pub(super) struct Values {
    pub(super) cells: Raster<i64>,
    /// All values outside are zero.
    nonzero: Option<LocalRect>,
    /// All values outside are shown as they are.
    unshown: Option<LocalRect>,
    /// Memory of a spreading step: what flows out of each cell to one neighbour.
    flows: Vec<i64>,
}

impl Values {
    pub(super) fn new(layout: GridLayout) -> Self {
        Self { cells: Raster::filled(layout, 0), nonzero: None, unshown: None, flows: Vec::new() }
    }

    pub(super) const fn is_zero(&self) -> bool {
        self.nonzero.is_none()
    }

    /// Adds a part of a kernel raster, or with a `sign` of −1 subtracts it.
    pub(super) fn add(&mut self, kernel: Option<&KernelRaster>, part: f64, sign: i64) {
        let Some(KernelRaster { rect, units }) = kernel else { return };
        for (y, units) in (rect.y0..rect.y1).zip(units.chunks_exact(rect.columns().len())) {
            let values = &mut self.cells.row_mut(y)[rect.columns()];
            for (value, &units) in values.iter_mut().zip(units) {
                // Not bounded: what a source adds must be what its removal subtracts, whatever else lies on
                // the cell. There is room for 2³³ sources of the maximum strength, so only deposits, which
                // are never subtracted, could saturate.
                *value = value.saturating_add(sign * part_of(units, part));
            }
        }
        self.touch(*rect);
    }

    /// Copies the values of `from` in another map to `to`, which is as large.
    pub(super) fn copy_from(&mut self, other: &Self, from: LocalRect, to: LocalRect) {
        for (from_y, to_y) in (from.y0..from.y1).zip(to.y0..to.y1) {
            let values = &other.cells.row(from_y)[from.columns()];
            self.cells.row_mut(to_y)[to.columns()].copy_from_slice(values);
        }
        self.touch(to);
    }

    pub(super) fn clear(&mut self) {
        if let Some(rect) = self.nonzero.take() {
            self.cells.fill(rect, 0);
            LocalRect::join(&mut self.unshown, rect);
        }
    }

    /// Marks all values as not shown, as the rounding has changed.
    pub(super) fn round_again(&mut self) {
        if let Some(rect) = self.nonzero {
            LocalRect::join(&mut self.unshown, rect);
        }
    }

    /// Writes the rounded values to `shown` where they may differ; returns the smallest rectangle that
    /// contains all changes.
    pub(super) fn show(
        &mut self,
        shown: &mut Raster<f32>,
        rounded: impl Fn(i64) -> f32,
    ) -> Option<LocalRect> {
        // Only where values were written since the last call.
        let rect = self.unshown.take()?;
        let mut changed = None;
        let mut row = Vec::with_capacity(rect.columns().len());
        for y in rect.y0..rect.y1 {
            row.clear();
            row.extend(self.cells.row(y)[rect.columns()].iter().map(|&value| rounded(value)));
            LocalRect::join_row(&mut changed, y, shown.write_row(rect.x0, y, &row));
        }
        changed
    }

    /// Performs a substep of a tick: the part `flown` of each value spreads, then the part `kept` of each
    /// stays. Returns `false` if all values are zero.
    pub(super) fn decay_and_spread(&mut self, kept: f64, flown: f64, area: Area<'_>) -> bool {
        let Some(mut rect) = self.nonzero else { return false };
        if flown > 0.0 {
            // Values flow one cell far.
            rect = rect.grown(1, 1, 1, 1, area.layout);
            self.spread(rect, flown, area);
        }
        self.decay(rect, kept);
        true
    }

    /// Gives steady sources back what they lose in a substep, where values have fallen below the sum of all
    /// sources. So they replace what flows away from them, and no cell rises above the sources around it.
    pub(super) fn refill(&mut self, sums: &SteadySums, lost: f64) {
        let (rect, columns) = (sums.rect, sums.rect.columns());
        let rows = sums.all.chunks_exact(columns.len()).zip(sums.steady.chunks_exact(columns.len()));
        for (y, (all, steady)) in (rect.y0..rect.y1).zip(rows) {
            let row = &mut self.cells.row_mut(y)[columns.clone()];
            for ((value, &all), &steady) in row.iter_mut().zip(all).zip(steady) {
                // At most what this substep took: refilling sustains a source, it does not rebuild one.
                let loss = (steady as f64 * lost).round() as i64;
                // Two units more, so that losses by rounding are made up for, too.
                *value += all.saturating_sub(*value).clamp(loss.min(0) - 2, loss.max(0) + 2);
            }
        }
        self.touch(rect);
    }

    /// Lets the part `flown` of each value in `rect` flow to its four neighbours, a quarter to each. What
    /// would flow into an obstacle, out of one or off the map stays; values outside `rect` are zero. The sum
    /// of all values stays the same, as each pair of neighbours exchanges the same two amounts.
    fn spread(&mut self, rect: LocalRect, flown: f64, area: Area<'_>) {
        // An integer share: the same flow leaves one cell and enters the other, so rounding loses nothing.
        let quarter = (flown * f64::from(1_u32 << FLOW_SHIFT) / 4.0).round() as i64;
        let columns = rect.columns().len();
        self.flows.clear();
        for y in rect.y0..rect.y1 {
            let row = &self.cells.row(y)[rect.columns()];
            self.flows.extend(row.iter().map(|&value| share_of(value, quarter)));
        }
        for (line, y) in (rect.y0..rect.y1).enumerate() {
            let row = &mut self.cells.row_mut(y)[rect.columns()];
            for (column, value) in row.iter_mut().enumerate() {
                let at = line * columns + column;
                let (x, own) = (rect.x0 + column as u32, self.flows[at]);
                if !area.is_open(x, y) {
                    continue;
                }
                // From flows computed before any value changed, so the order of cells does not matter.
                let mut exchange = |is_there: bool, other: usize, x: u32, y: u32| {
                    if is_there && area.is_open(x, y) {
                        *value += self.flows[other] - own;
                    }
                };
                exchange(line > 0, at.wrapping_sub(columns), x, y.wrapping_sub(1));
                exchange(column > 0, at.wrapping_sub(1), x.wrapping_sub(1), y);
                exchange(column + 1 < columns, at + 1, x + 1, y);
                exchange(y + 1 < rect.y1, at + columns, x, y + 1);
            }
        }
    }

    /// Multiplies the values in `rect`, outside of which all are zero, and narrows `nonzero` to where some
    /// are left.
    fn decay(&mut self, rect: LocalRect, kept: f64) {
        self.nonzero = None;
        let zeros = vec![0; rect.columns().len()];
        for y in rect.y0..rect.y1 {
            let row = &mut self.cells.row_mut(y)[rect.columns()];
            if kept < 1.0 {
                for value in row.iter_mut() {
                    // The cast rounds towards zero, so every value gets there.
                    *value = (*value as f64 * kept) as i64;
                }
            }
            LocalRect::join_row(&mut self.nonzero, y, differing(rect.x0, row, &zeros));
        }
        LocalRect::join(&mut self.unshown, rect);
    }

    /// Notes that values in `rect` were written.
    fn touch(&mut self, rect: LocalRect) {
        LocalRect::join(&mut self.nonzero, rect);
        LocalRect::join(&mut self.unshown, rect);
    }
}

/// `value * share >> FLOW_SHIFT`, for a share of at most one, without overflow: high and low bits multiplied
/// apart.
const fn share_of(value: i64, share: i64) -> i64 {
    let low = value & ((1 << FLOW_SHIFT) - 1);
    (value >> FLOW_SHIFT) * share + ((low * share) >> FLOW_SHIFT)
}
