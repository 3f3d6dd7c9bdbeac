//! Baking by chunks: a part of the map by itself, so that it fits its neighbours corner for corner.

use super::bake::free_contours;
use super::collect::PolygonSet;
use super::error::{EmptyReason, NavMeshError};
use super::kernel::Kernel;
use super::merge::Selection;
use super::mesh::NavMesh;
use super::seam::{BAND, Line, Seam, fitted};
use super::settings::BakeSettings;
use super::shrink::carry_around;
use super::tidy::tidied;
use super::units::{PixelRect, UNITS_PER_PX, UnitRect};

/// Bakes the part of the map in `target`: the same area as [`super::bake`] has there.
///
/// Polygons further from the target than [`BakeSettings::reach_px`] need not be in the sets; what does not reach it is
/// left out anyway. Two targets that share a side get the same corners along it, whatever else their sets hold, so
/// that their meshes connect edge for edge. Both must be given everything that reaches the side.
///
/// # Errors
/// A target with a coordinate that is not finite or too far out.
pub fn bake_rect(
    floor: &PolygonSet,
    colliders: &PolygonSet,
    settings: &BakeSettings,
    target: PixelRect,
) -> Result<NavMesh, NavMeshError> {
    let target = target.to_units()?;
    Ok(bake_chunk(Selection::all(floor), Selection::all(colliders), &Kernel::new(settings), target))
}

fn bake_chunk(floor: Selection, colliders: Selection, kernel: &Kernel, target: UnitRect) -> NavMesh {
    if target.width() <= 0 || target.height() <= 0 {
        return NavMesh::empty(EmptyReason::NoFloor);
    }
    let window = reach(target, kernel);
    let (floor_places, collider_places) = (floor.within(window), colliders.within(window));
    let floor = Selection { places: Some(&floor_places), ..floor };
    let colliders = Selection { places: Some(&collider_places), ..colliders };
    let free = match free_contours(floor, colliders) {
        Ok(free) => free,
        Err(reason) => return NavMesh::empty(reason),
    };
    let centres = carry_around(&free, kernel).sorted_out(Some(target));
    // A side without a corner of the result needs no seam.
    let lines = Line::around(target)
        .into_iter()
        .filter(|line| centres.points.iter().any(|&point| line.place(point).is_some()));
    let seams: Vec<_> = lines.map(|line| Seam::new(line, floor, colliders, kernel)).collect();
    let fitted = fitted(&centres, &seams);
    NavMesh::from_contours(&tidied(&fitted, |point| seams.iter().any(|seam| seam.holds(point))))
}

/// Where polygons can lie that change what is baked in `target` or on its seams.
fn reach(target: UnitRect, kernel: &Kernel) -> UnitRect {
    target.grown(kernel.half_x + BAND + 1, kernel.half_y + BAND + 1)
}

/// A map cut into chunks of one size. Chunk (0, 0) has its top-left corner at the origin; numbers may be negative.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ChunkGrid {
    origin_px: [f64; 2],
    size_px: [f64; 2],
}

/// The column and the row of a chunk.
pub type ChunkIndex = [i32; 2];

impl ChunkGrid {
    /// Chunks of `size_px`, for example 16 tiles.
    ///
    /// # Errors
    /// An origin that is not finite or too far out, or a size below 1/64 pixel.
    pub fn new(origin_px: [f64; 2], size_px: [f64; 2]) -> Result<Self, NavMeshError> {
        for value in origin_px {
            super::units::to_units(value)?;
        }
        if size_px.iter().any(|s| !s.is_finite() || *s < 1.0 / UNITS_PER_PX) {
            return Err(NavMeshError::BadCellSize { size_px });
        }
        Ok(Self { origin_px, size_px })
    }

    /// Where a chunk lies.
    pub fn rect(&self, [column, row]: ChunkIndex) -> PixelRect {
        let corner = |axis: usize, i: f64| i.mul_add(self.size_px[axis], self.origin_px[axis]);
        let (x, y) = (corner(0, f64::from(column)), corner(1, f64::from(row)));
        PixelRect::new(x, y, corner(0, f64::from(column) + 1.0) - x, corner(1, f64::from(row) + 1.0) - y)
    }

    /// The chunks that a rectangle touches, row by row; none when it has a negative side or one that is not a number.
    pub fn touching(&self, rect: PixelRect) -> impl Iterator<Item = ChunkIndex> + use<> {
        let index = |axis: usize, px: f64| ((px - self.origin_px[axis]) / self.size_px[axis]).floor() as i32;
        let (columns, rows) =
            (index(0, rect.x)..=index(0, rect.x + rect.w), index(1, rect.y)..=index(1, rect.y + rect.h));
        let rows = if rect.w >= 0.0 && rect.h >= 0.0 { Some(rows) } else { None };
        rows.into_iter().flatten().flat_map(move |row| columns.clone().map(move |column| [column, row]))
    }

    /// The chunks of the map in `map` that must be baked again when polygons in `rect` have changed.
    ///
    /// Give the map before and after the change; an agent larger than the map changes all of it.
    pub fn changed_by(
        &self,
        rect: PixelRect,
        settings: &BakeSettings,
        map: PixelRect,
    ) -> impl Iterator<Item = ChunkIndex> + use<> {
        let [x, y] = settings.reach_px();
        self.touching(rect.grown(x, y).intersection(map))
    }

    fn unit_rect(&self, chunk: ChunkIndex) -> Result<UnitRect, NavMeshError> {
        // From the corners themselves, so that a side has one value in both chunks.
        let [x0, y0] = self.corner(chunk)?;
        let [x1, y1] = self.corner([chunk[0] + 1, chunk[1] + 1])?;
        Ok(UnitRect { y0, y1, x0, x1 })
    }

    fn corner(&self, [column, row]: ChunkIndex) -> Result<[i32; 2], NavMeshError> {
        let at = |axis: usize, i: i32| {
            super::units::to_units(f64::from(i).mul_add(self.size_px[axis], self.origin_px[axis]))
        };
        Ok([at(0, column)?, at(1, row)?])
    }
}

/// Bakes one chunk: [`bake_rect`] of its rectangle.
///
/// # Errors
/// A chunk that lies too far out.
pub fn bake_grid_chunk(
    floor: &PolygonSet,
    colliders: &PolygonSet,
    settings: &BakeSettings,
    grid: &ChunkGrid,
    chunk: ChunkIndex,
) -> Result<NavMesh, NavMeshError> {
    let target = grid.unit_rect(chunk)?;
    Ok(bake_chunk(Selection::all(floor), Selection::all(colliders), &Kernel::new(settings), target))
}
