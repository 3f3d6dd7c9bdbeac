//! The influence map: sources, values and what is shown of them.

use super::area::Area;
use super::kernel::{INFLUENCE_MAX, SourceShape, UNITS};
use super::sources::{SourceId, Sources};
use super::tick::{InfluenceSettings, Tick};
use super::values::Values;
use crate::bitgrid::{BitGrid, GridLayout, LocalRect, cell_at, local};
use crate::geometry::{Cell, CellRect};
use crate::raster::Raster;

/// The influence of one kind on the cells of a region.
///
/// Methods that take `solid` treat its cells as obstacles; with `None` there are none.
///
/// ```
/// use pathforge_core::geometry::{Cell, CellRect};
/// use pathforge_core::influence::{Falloff, InfluenceMap, InfluenceSettings, SourceShape};
///
/// let mut danger = InfluenceMap::new(CellRect::new(0, 0, 20, 20), InfluenceSettings::default());
/// let shape = SourceShape { strength: 10.0, radius: 4.0, falloff: Falloff::Linear };
/// let tower = danger.add_source(Cell::new(5, 5), shape, true, None);
/// danger.show();
/// assert!(danger.value(Cell::new(5, 5)) > danger.value(Cell::new(7, 5)));
/// danger.move_source(tower, Cell::new(15, 15), None);
/// danger.show();
/// assert_eq!(danger.value(Cell::new(5, 5)), 0.0);
/// ```
#[derive(Clone, Debug)]
pub struct InfluenceMap {
    region: CellRect,
    layout: GridLayout,
    settings: InfluenceSettings,
    values: Values,
    /// The values rounded to the quantum.
    shown: Raster<f32>,
    sources: Sources,
    /// Seconds since the last tick.
    pending_s: f64,
}

impl InfluenceMap {
    /// Returns a map without influence on the cells of `region`, which must be a valid region of a map.
    pub fn new(region: CellRect, settings: InfluenceSettings) -> Self {
        let layout = GridLayout::new(region.w.max(0) as u32, region.h.max(0) as u32);
        Self {
            region,
            layout,
            settings,
            values: Values::new(layout),
            shown: Raster::filled(layout, 0.0),
            sources: Sources::default(),
            pending_s: 0.0,
        }
    }

    /// Returns the cells of the map.
    pub const fn region(&self) -> CellRect {
        self.region
    }

    /// How values change with time.
    pub const fn settings(&self) -> InfluenceSettings {
        self.settings
    }

    /// Sets how values change with time.
    pub fn set_settings(&mut self, settings: InfluenceSettings) {
        debug_assert!((0.0..=1.0).contains(&settings.decay_per_second) && settings.quantum > 0.0);
        // Decay and spreading change values in ticks, but a new quantum changes what is shown at once.
        if settings.quantum.to_bits() != self.settings.quantum.to_bits() {
            self.values.round_again();
        }
        self.settings = settings;
    }

    /// Returns the value of `cell` as it is shown, at most [`INFLUENCE_MAX`] in absolute value; 0 outside the
    /// region.
    pub fn value(&self, cell: Cell) -> f32 {
        local(self.region, cell).map_or(0.0, |(x, y)| self.shown.get(x, y))
    }

    /// Returns the values of all cells as they are shown.
    pub const fn shown(&self) -> &Raster<f32> {
        &self.shown
    }

    /// Brings what is shown up to date with the values; returns the smallest rectangle that contains all
    /// changes.
    pub fn show(&mut self) -> Option<LocalRect> {
        let quantum = self.settings.quantum;
        let bounded = |value: i64| (value as f32 / UNITS).clamp(-INFLUENCE_MAX, INFLUENCE_MAX);
        // The addition turns a negative zero into zero.
        let rounded = |value: i64| (bounded(value) / quantum).round() * quantum + 0.0;
        self.values.show(&mut self.shown, rounded)
    }

    /// Returns the open cell of `rect` with the highest value, the first of several in reading order; `None`
    /// if there is no open cell.
    pub fn highest(&self, rect: CellRect, solid: Option<&BitGrid>) -> Option<Cell> {
        self.best(rect, solid, |value, best| value > best)
    }

    /// Returns the open cell of `rect` with the lowest value, as [`InfluenceMap::highest`].
    pub fn lowest(&self, rect: CellRect, solid: Option<&BitGrid>) -> Option<Cell> {
        self.best(rect, solid, |value, best| value < best)
    }

    /// Adds a source on `cell`, which may lie outside the region. A steady one does not decay.
    pub fn add_source(
        &mut self,
        cell: Cell,
        shape: SourceShape,
        is_steady: bool,
        solid: Option<&BitGrid>,
    ) -> SourceId {
        let (values, sources, area) = self.parts(solid);
        sources.add(cell, shape, is_steady, values, area)
    }

    /// Adds the influence of a source to the values without keeping the source: it decays and spreads, and
    /// cannot be moved or removed.
    pub fn deposit(&mut self, cell: Cell, shape: SourceShape, solid: Option<&BitGrid>) {
        let (values, _, area) = self.parts(solid);
        values.add(shape.rasterize(cell, area).as_ref(), 1.0, 1);
    }

    /// Moves a source and restores its full strength; returns whether it still exists.
    pub fn move_source(&mut self, id: SourceId, cell: Cell, solid: Option<&BitGrid>) -> bool {
        let (values, sources, area) = self.parts(solid);
        sources.move_to(id, cell, values, area)
    }

    /// Removes what is left of a source; what has spread from it stays. Returns whether it still existed.
    pub fn remove_source(&mut self, id: SourceId) -> bool {
        let removed = self.sources.by_id.remove(&id);
        removed.inspect(|source| source.add_to(&mut self.values, -1)).is_some()
    }

    /// Lets a steady source decay from now on.
    pub fn release_source(&mut self, id: SourceId) {
        if let Some(source) = self.sources.by_id.get_mut(&id) {
            source.is_steady = false;
        }
    }

    /// Returns the cell of a source.
    pub fn source_cell(&self, id: SourceId) -> Option<Cell> {
        self.sources.by_id.get(&id).map(|source| source.cell)
    }

    /// Returns the number of sources that can still be moved or removed.
    pub fn source_count(&self) -> usize {
        self.sources.by_id.len()
    }

    /// Updates the map after the obstacles in `rect` changed: sources that reach its cells are computed anew.
    pub fn update_obstacles(&mut self, rect: CellRect, solid: Option<&BitGrid>) {
        let Some(rect) = LocalRect::within(self.region, rect) else { return };
        let (values, sources, area) = self.parts(solid);
        sources.update_obstacles(rect, values, area);
    }

    /// Lets `seconds` pass; returns whether there was an update tick.
    pub fn step(&mut self, seconds: f64, solid: Option<&BitGrid>) -> bool {
        debug_assert!(seconds >= 0.0);
        // Also while nothing is due: a tick then covers all the time since the last one.
        self.pending_s += seconds;
        if self.values.is_zero() {
            return false;
        }
        let Some(tick) = Tick::due(self.settings, self.pending_s) else { return false };
        self.pending_s = 0.0;
        let (values, sources, area) = self.parts(solid);
        // Sources lose the same part as the values that they made, so removing one later leaves nothing
        // behind.
        for _ in 0..tick.substeps {
            if values.decay_and_spread(tick.kept, tick.flown, area) {
                let kept = tick.kept * (1.0 - tick.flown);
                sources.decay(kept);
                if let Some(sums) = sources.steady_sums() {
                    values.refill(&sums, 1.0 - kept);
                }
            }
        }
        true
    }

    /// Removes every source and sets every value to 0.
    pub fn clear(&mut self) {
        self.sources.by_id.clear();
        self.values.clear();
        self.pending_s = 0.0;
    }

    /// Changes the region: keeps the sources, and the values of the cells that both regions share.
    pub fn resize(&mut self, region: CellRect, solid: Option<&BitGrid>) {
        // Built apart: rasters have the size of their region.
        let mut resized = Self::new(region, self.settings);
        // Sources are added again afterwards: beyond the old region's border their influence was never
        // written.
        self.sources.by_id.values().for_each(|source| source.add_to(&mut self.values, -1));
        // The two rectangles are the same cells, counted from the corner of each region.
        let shared = self.region.intersection(region);
        if let (Some(from), Some(to)) =
            (LocalRect::within(self.region, shared), LocalRect::within(region, shared))
        {
            resized.values.copy_from(&self.values, from, to);
        }
        resized.sources = std::mem::take(&mut self.sources);
        resized.pending_s = self.pending_s;
        *self = resized;
        let (values, sources, area) = self.parts(solid);
        sources.by_id.values_mut().for_each(|source| source.rasterize_to(values, area));
    }

    fn parts<'a>(&mut self, solid: Option<&'a BitGrid>) -> (&mut Values, &mut Sources, Area<'a>) {
        // Fields are borrowed apart, so that sources can write to values.
        let area = Area { region: self.region, layout: self.layout, solid };
        (&mut self.values, &mut self.sources, area)
    }

    fn best(
        &self,
        rect: CellRect,
        solid: Option<&BitGrid>,
        is_better: impl Fn(f32, f32) -> bool,
    ) -> Option<Cell> {
        let area = Area { region: self.region, layout: self.layout, solid };
        let mut best: Option<(f32, Cell)> = None;
        for (x, y) in LocalRect::within(self.region, rect)?.places() {
            let value = self.shown.get(x, y);
            // Obstacles are looked up last: most cells are not better.
            if best.is_none_or(|(best, _)| is_better(value, best)) && area.is_open(x, y) {
                best = Some((value, cell_at(self.region, (x, y))));
            }
        }
        best.map(|(_, cell)| cell)
    }
}

#[cfg(test)]
mod tests;
