//! The shape of a source, and its raster: the cells that it reaches and its influence on each.

use super::area::Area;
use crate::bitgrid::{BitGrid, GridLayout, LocalRect, local};
use crate::cost::{Cost, DIAGONAL, STRAIGHT};
use crate::geometry::{Cell, CellRect, DiagonalMode};
use crate::passability::Placements;
use crate::primitives::{BucketQueue, GridPoint, Visited, expand_within, octile};

/// The maximum strength of a source, positive or negative.
pub const STRENGTH_MAX: f32 = 10_000.0;
/// The maximum radius of a source, in cells.
pub const SOURCE_RADIUS_MAX: f32 = 256.0;
/// The largest value that is shown, positive or negative; sums beyond it are kept and shown as this.
pub const INFLUENCE_MAX: f32 = 16_384.0;
/// Units of a value of 1.
pub(super) const UNITS: f32 = 65_536.0;
/// Solid cells at most this far from a source, as a squared distance, do not block it: they may be those of a
/// tower that the source belongs to.
const CORE_SQUARED: u32 = 2;

/// How a source's strength falls off from its centre to its radius. Scripts see these numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Falloff {
    /// Not at all.
    None = 0,
    /// Linearly, to 0 at the radius.
    #[default]
    Linear = 1,
    /// Slowly near the centre and near the radius (smoothstep).
    Smooth = 2,
    /// Fast near the centre: the square of the linear one.
    Quadratic = 3,
}

impl Falloff {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::None, Self::Linear, Self::Smooth, Self::Quadratic];

    /// Returns the part of the strength at `part` of the radius, 0 to 1.
    fn factor(self, part: f32) -> f32 {
        // Polynomials only: their results are the same on every machine.
        let rest = 1.0 - part;
        match self {
            Self::None => 1.0,
            Self::Linear => rest,
            Self::Smooth => rest * rest * (3.0 - 2.0 * rest),
            Self::Quadratic => rest * rest,
        }
    }
}

/// The shape of a source.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SourceShape {
    /// The value at its centre, at most [`STRENGTH_MAX`] in absolute value.
    pub strength: f32,
    /// How far it reaches from the centre of its cell, in cells, 0 to [`SOURCE_RADIUS_MAX`].
    pub radius: f32,
    /// How it falls off.
    pub falloff: Falloff,
}

/// The part of the map that a source reaches: an influence in units for each of its cells, row by row.
#[derive(Clone, Debug)]
pub(super) struct KernelRaster {
    pub(super) rect: LocalRect,
    pub(super) units: Vec<i32>,
}

impl SourceShape {
    /// Returns the raster of a source at `cell`; `None` if no cell of it lies on the map.
    ///
    /// Distance is Euclidean, plus the detour that the shortest path around obstacles takes. Cells that are
    /// obstacles themselves get nothing.
    pub(super) fn rasterize(&self, cell: Cell, area: Area<'_>) -> Option<KernelRaster> {
        let region = area.region;
        // Cells of a greater whole distance lie beyond the radius.
        let reach = self.radius.clamp(0.0, SOURCE_RADIUS_MAX).floor() as i32;
        let (x, y) = (cell.x.saturating_sub(reach), cell.y.saturating_sub(reach));
        let rect = LocalRect::within(region, CellRect::new(x, y, 2 * reach + 1, 2 * reach + 1))?;
        // The obstacles between the map and a source outside of it are not known, so no detour is computed.
        let centre = local(region, cell).filter(|_| area.solid.is_some());
        let detours = centre.map(|centre| detours(rect, centre, self.radius, area));
        // 64 bits: the source may lie far outside the map.
        let (cx, cy) = (i64::from(cell.x) - i64::from(region.x), i64::from(cell.y) - i64::from(region.y));
        let mut units = Vec::with_capacity(rect.area() as usize);
        for (x, y) in rect.places() {
            let (dx, dy) = ((i64::from(x) - cx) as f32, (i64::from(y) - cy) as f32);
            let detour = detours.as_ref().map_or(0.0, |detours| detours[units.len()]);
            units.push(self.units_at((dx * dx + dy * dy).sqrt() + detour));
        }
        Some(KernelRaster { rect, units })
    }

    fn units_at(&self, distance: f32) -> i32 {
        if distance > self.radius {
            return 0;
        }
        // A radius of 0 is one cell at full strength.
        let part = if self.radius > 0.0 { distance / self.radius } else { 0.0 };
        (self.strength * self.falloff.factor(part) * UNITS).round() as i32
    }
}

/// Returns a part of an influence, rounded to whole units.
#[inline]
pub(super) fn part_of(units: i32, part: f64) -> i64 {
    (f64::from(units) * part).round() as i64
}

/// By how much the shortest path around obstacles from `centre` to each cell of `rect` exceeds the octile
/// distance, in cells; infinite where there is none within the radius. Influence does not cut corners.
fn detours(rect: LocalRect, centre: (u32, u32), radius: f32, area: Area<'_>) -> Vec<f32> {
    let apart = |x: u32, y: u32| (x.abs_diff(centre.0), y.abs_diff(centre.1));
    let (width, height) = (rect.x1 - rect.x0, rect.y1 - rect.y0);
    // A layer of the rectangle alone: its border ends the expansion, and its memory is as small as the
    // source.
    let layout = GridLayout::new(width, height);
    let mut open = BitGrid::new(layout);
    for y in 0..height {
        open.write_row(y, 0..width, |x| {
            let (x, y) = (x + rect.x0, y + rect.y0);
            let (dx, dy) = apart(x, y);
            dx * dx + dy * dy <= CORE_SQUARED || area.is_open(x, y)
        });
    }
    // The octile distance is at most 1.09 times the Euclidean one; a step more, as it is compared in whole
    // steps.
    let limit = Cost::from_units((radius * 1.1 * STRAIGHT as f32) as u32 + DIAGONAL);
    let start = GridPoint::of_cell(centre.0 - rect.x0, centre.1 - rect.y0);
    let mut detours = vec![f32::INFINITY; rect.area() as usize];
    let scratch = (&mut Visited::default(), &mut BucketQueue::default());
    let open = Placements::from(open);
    expand_within(&open, None, DiagonalMode::OnlyIfNoObstacles, start, limit, scratch, |index, cost| {
        let (x, y) = layout.xy(index);
        let (dx, dy) = apart(x + rect.x0, y + rect.y0);
        detours[(y * width + x) as usize] = (cost - octile(dx, dy)) as f32 / STRAIGHT as f32;
    });
    detours
}
