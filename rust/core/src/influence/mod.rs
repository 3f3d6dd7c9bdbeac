//! Influence: what draws bodies near or keeps them away, apart from the ground itself.
//!
//! A map has a value for each cell, made by stamps: a strength that falls off with distance. Values fade and spread with
//! time, in whole beats: a beat comes when enough time has passed to change values by a noticeable part, and what the map
//! shows are multiples of a quantum. So slow decay changes what is shown now and then, not in every frame, and whatever is
//! derived from it stays valid in between.
//!
//! Values are whole numbers of 1/65536, so that a stamp that is taken away leaves nothing behind, and every machine counts
//! the same.

mod decay;
mod shape;
mod spread;
mod stamps;

pub use shape::{Falloff, StampShape};
pub use stamps::StampId;

use crate::bitgrid::{BitGrid, LocalRect, Shape, local};
use crate::geometry::{Cell, CellRect};
use crate::raster::Raster;
use spread::Spreader;
use stamps::Stamps;

/// The strongest stamp.
pub const STRENGTH_MAX: f32 = 10_000.0;
/// The widest stamp, in cells.
pub const STAMP_RADIUS_MAX: f32 = 256.0;
/// Units of a value of 1.
const UNITS: f32 = 65_536.0;
/// The largest value that can be, in units.
const VALUE_MAX: i64 = 16_384 << 16;
/// The least time between two beats, in seconds.
const BEAT_MIN_S: f64 = 0.05;
/// A beat comes when values have lost one part in so many, or have spread it.
const BEAT_PARTS: f64 = 32.0;
/// Steps of spreading in one call.
const SPREADS_MAX: u32 = 256;

/// How values change with time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct InfluenceSettings {
    /// The share of a value that fades away in a second, 0 to 1.
    pub decay_per_second: f64,
    /// The share of a value that flows to the cells beside it in a second, 0 to 1.
    pub spread_per_second: f64,
    /// What is shown are multiples of this; above zero.
    pub quantum: f32,
}

impl Default for InfluenceSettings {
    fn default() -> Self {
        Self { decay_per_second: 0.0, spread_per_second: 0.0, quantum: 1.0 / 64.0 }
    }
}

/// The influence of one kind on the cells of a region.
///
/// Methods that take `solid` look around obstacles: with `None` nothing is one.
#[derive(Clone, Debug)]
pub struct InfluenceMap {
    region: CellRect,
    shape: Shape,
    settings: InfluenceSettings,
    /// In units.
    values: Raster<i64>,
    /// What everybody sees: values rounded to the quantum.
    shown: Raster<f32>,
    /// All values outside are zero.
    active: Option<LocalRect>,
    /// Where values may differ from what is shown.
    unshown: Option<LocalRect>,
    stamps: Stamps,
    /// Seconds that no beat has taken up yet.
    waiting_s: f64,
    spreader: Spreader,
}

impl InfluenceMap {
    /// A map without influence on the cells of `region`, which must be one that a map can have.
    pub fn new(region: CellRect, settings: InfluenceSettings) -> Self {
        let shape = Shape::new(region.w.max(0) as u32, region.h.max(0) as u32);
        Self {
            region,
            shape,
            settings,
            values: Raster::filled(shape, 0),
            shown: Raster::filled(shape, 0.0),
            active: None,
            unshown: None,
            stamps: Stamps::default(),
            waiting_s: 0.0,
            spreader: Spreader::default(),
        }
    }

    /// The cells of the map.
    pub const fn region(&self) -> CellRect {
        self.region
    }

    /// How values change with time.
    pub const fn settings(&self) -> InfluenceSettings {
        self.settings
    }

    /// Changes how values change with time.
    pub fn set_settings(&mut self, settings: InfluenceSettings) {
        debug_assert!((0.0..=1.0).contains(&settings.decay_per_second) && settings.quantum > 0.0);
        if settings.quantum.to_bits() != self.settings.quantum.to_bits() {
            self.unshown = self.active;
        }
        self.settings = settings;
    }

    /// The value of `cell` as it is shown; 0 outside the region.
    pub fn value(&self, cell: Cell) -> f32 {
        local(self.region, cell).map_or(0.0, |(x, y)| self.shown.get(x, y))
    }

    /// The values of all cells as they are shown.
    pub const fn shown(&self) -> &Raster<f32> {
        &self.shown
    }

    /// Makes what is shown follow the values; returns the smallest rectangle of cells that it changed in.
    pub fn show(&mut self) -> Option<LocalRect> {
        let rect = self.unshown.take()?;
        let quantum = self.settings.quantum;
        let mut changed = None;
        for y in rect.y0..rect.y1 {
            let columns = rect.x0 as usize..rect.x1 as usize;
            let values = &self.values.row(y)[columns.clone()];
            let shown = &mut self.shown.row_mut(y)[columns];
            let mut span: Option<(usize, usize)> = None;
            for (x, (&value, shown)) in values.iter().zip(shown).enumerate() {
                let rounded = rounded(value, quantum);
                if rounded.to_bits() != shown.to_bits() {
                    *shown = rounded;
                    span = Some((span.map_or(x, |(first, _)| first), x));
                }
            }
            if let Some((first, last)) = span {
                let (x0, x1) = (rect.x0 + first as u32, rect.x0 + last as u32 + 1);
                LocalRect::join(&mut changed, LocalRect { x0, y0: y, x1, y1: y + 1 });
            }
        }
        changed
    }

    /// The open cell of `rect` with the highest value, the first in reading order of several; `None` when there is no open
    /// cell.
    pub fn highest(&self, rect: CellRect, solid: Option<&BitGrid>) -> Option<Cell> {
        self.best(rect, solid, |value, best| value > best)
    }

    /// The open cell of `rect` with the lowest value, as [`InfluenceMap::highest`].
    pub fn lowest(&self, rect: CellRect, solid: Option<&BitGrid>) -> Option<Cell> {
        self.best(rect, solid, |value, best| value < best)
    }

    /// Lets `seconds` pass, in beats; returns whether there was one.
    pub fn step(&mut self, seconds: f64, solid: Option<&BitGrid>) -> bool {
        debug_assert!(seconds >= 0.0);
        self.waiting_s += seconds;
        let Some(beat) = self.due_beat() else { return false };
        self.waiting_s = 0.0;
        for _ in 0..beat.spreads.max(1) {
            self.pass(&beat, solid);
        }
        true
    }

    /// Takes every stamp and every value away.
    pub fn clear(&mut self) {
        self.stamps.clear();
        if let Some(rect) = self.active.take() {
            self.values.fill(rect, 0);
            LocalRect::join(&mut self.unshown, rect);
        }
        self.waiting_s = 0.0;
    }

    /// Changes the region: keeps the stamps, and what lies on the cells that both regions share.
    pub fn resize(&mut self, region: CellRect, solid: Option<&BitGrid>) {
        let mut resized = Self::new(region, self.settings);
        self.lift_stamps();
        let shared = self.region.intersection(region);
        if let (Some(from), Some(to)) =
            (LocalRect::within(self.region, shared), LocalRect::within(region, shared))
        {
            for (from_y, to_y) in (from.y0..from.y1).zip(to.y0..to.y1) {
                let part = &self.values.row(from_y)[from.x0 as usize..from.x1 as usize];
                resized.values.row_mut(to_y)[to.x0 as usize..to.x1 as usize].copy_from_slice(part);
            }
            resized.active = Some(to);
            resized.unshown = Some(to);
        }
        resized.stamps = std::mem::take(&mut self.stamps);
        resized.waiting_s = self.waiting_s;
        *self = resized;
        self.put_stamps(solid);
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.values.memory() + self.shown.memory() + self.stamps.memory() + self.spreader.memory()
    }

    fn best(
        &self,
        rect: CellRect,
        solid: Option<&BitGrid>,
        is_better: impl Fn(f32, f32) -> bool,
    ) -> Option<Cell> {
        let rect = LocalRect::within(self.region, rect)?;
        let mut best: Option<(f32, Cell)> = None;
        for y in rect.y0..rect.y1 {
            for x in rect.x0..rect.x1 {
                let value = self.shown.get(x, y);
                let is_open = || solid.is_none_or(|solid| !solid.get(self.shape.index(x, y)));
                if best.is_none_or(|(best, _)| is_better(value, best)) && is_open() {
                    best = Some((value, Cell::new(self.region.x + x as i32, self.region.y + y as i32)));
                }
            }
        }
        best.map(|(_, cell)| cell)
    }

    /// Notes that values in `rect` were written.
    fn touch(&mut self, rect: LocalRect) {
        LocalRect::join(&mut self.active, rect);
        LocalRect::join(&mut self.unshown, rect);
    }
}

/// A value in units, rounded to a multiple of `quantum`.
fn rounded(value: i64, quantum: f32) -> f32 {
    // The sum makes a zero of a negative zero.
    (value as f32 / UNITS / quantum).round() * quantum + 0.0
}

#[cfg(test)]
mod tests;
