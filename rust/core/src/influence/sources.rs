//! Sources of influence: added, moved, removed, and decaying with the values that they made.

use std::collections::BTreeMap;

use super::area::Area;
use super::kernel::{KernelRaster, SourceShape, part_of};
use super::values::{SteadySums, Values};
use crate::bitgrid::LocalRect;
use crate::geometry::Cell;

/// Sources of which less than this part is left are dropped, so that decaying sources do not accumulate.
const LEFT_MIN: f64 = 1.0 / 65_536.0;

/// The number of a source; never reused.
pub type SourceId = u32;

/// A source that can still be moved or removed.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) cell: Cell,
    shape: SourceShape,
    /// It does not decay.
    pub(super) is_steady: bool,
    /// The part of it that has neither decayed nor flowed away.
    left: f64,
    kernel: Option<KernelRaster>,
}

impl Source {
    /// Adds what is left of the source, or subtracts it.
    pub(super) fn add_to(&self, values: &mut Values, sign: i64) {
        values.add(self.kernel.as_ref(), self.left, sign);
    }

    /// Computes the source for its cell and the obstacles of `area`, and adds what is left of it.
    pub(super) fn rasterize_to(&mut self, values: &mut Values, area: Area<'_>) {
        // The kernel is kept: what is subtracted later must be exactly what was added, whatever the obstacles
        // are by then.
        self.kernel = self.shape.rasterize(self.cell, area);
        self.add_to(values, 1);
    }
}

/// Sources by number; in a `BTreeMap`, so that values are added in the same order on every machine.
#[derive(Clone, Debug, Default)]
pub(super) struct Sources {
    pub(super) by_id: BTreeMap<SourceId, Source>,
    next: SourceId,
}

impl Sources {
    pub(super) fn add(
        &mut self,
        cell: Cell,
        shape: SourceShape,
        is_steady: bool,
        values: &mut Values,
        area: Area<'_>,
    ) -> SourceId {
        let mut source = Source { cell, shape, is_steady, left: 1.0, kernel: None };
        source.rasterize_to(values, area);
        let id = self.next;
        self.next += 1;
        self.by_id.insert(id, source);
        id
    }

    /// Moves a source and restores its full strength; returns whether it exists.
    pub(super) fn move_to(&mut self, id: SourceId, cell: Cell, values: &mut Values, area: Area<'_>) -> bool {
        let Some(source) = self.by_id.get_mut(&id) else { return false };
        // Before the cell changes, as the kernel that was added belongs to the old one.
        source.add_to(values, -1);
        (source.cell, source.left) = (cell, 1.0);
        source.rasterize_to(values, area);
        true
    }

    /// Computes the sources that reach cells of `rect` anew.
    pub(super) fn update_obstacles(&mut self, rect: LocalRect, values: &mut Values, area: Area<'_>) {
        for source in self.by_id.values_mut() {
            if source.kernel.as_ref().is_some_and(|kernel| kernel.rect.overlaps(rect)) {
                source.add_to(values, -1);
                source.rasterize_to(values, area);
            }
        }
    }

    /// Lets every source lose what the values do: the part `kept` stays.
    pub(super) fn decay(&mut self, kept: f64) {
        // Steady ones lose nothing, as `Values::refill` makes up for what their cells lose.
        for source in self.by_id.values_mut().filter(|source| !source.is_steady) {
            source.left *= kept;
        }
        self.by_id.retain(|_, source| source.left >= LEFT_MIN);
    }

    /// Returns the sums where steady sources reach; `None` if there is none on the map.
    pub(super) fn steady_sums(&self) -> Option<SteadySums> {
        let mut bounds = None;
        let steady = self.by_id.values().filter(|source| source.is_steady);
        steady
            .filter_map(|source| source.kernel.as_ref())
            .for_each(|kernel| LocalRect::join(&mut bounds, kernel.rect));
        let rect = bounds?;
        let cells = rect.area() as usize;
        let mut sums = SteadySums { rect, all: vec![0; cells], steady: vec![0; cells] };
        // All sources, also decaying ones: where they overlap, only what is missing of the sum is refilled.
        for source in self.by_id.values() {
            let Some(kernel) = &source.kernel else { continue };
            let (own, width) = (kernel.rect, kernel.rect.columns().len());
            for y in own.y0.max(rect.y0)..own.y1.min(rect.y1) {
                for x in own.x0.max(rect.x0)..own.x1.min(rect.x1) {
                    let units = kernel.units[(y - own.y0) as usize * width + (x - own.x0) as usize];
                    let place = (y - rect.y0) as usize * rect.columns().len() + (x - rect.x0) as usize;
                    sums.all[place] += part_of(units, source.left);
                    sums.steady[place] += if source.is_steady { i64::from(units) } else { 0 };
                }
            }
        }
        Some(sums)
    }
}
