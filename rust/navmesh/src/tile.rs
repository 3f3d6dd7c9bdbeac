//! Bakes a rectangle or a tile of a map by itself, so that it fits its neighbours corner for corner.
//!
//! Reads the polygons that reach the rectangle, and takes O(n log n) for their n corners and crossings, five
//! times: once for the tile and once for each side. Tiles allow the paths that the whole allows; see
//! `docs/decisions/navigation_meshes.md`.

use super::agent_shape::AgentShape;
use super::bake::{free_contours, needed_corners};
use super::collect::PolygonSet;
use super::error::{EmptyReason, NavMeshError};
use super::merge::Selection;
use super::mesh::NavMesh;
use super::offset::convolve;
use super::settings::BakeSettings;
use super::tile_border::{BAND, BorderLine, TileBorder, fitted};
use super::units::{PixelRect, UNITS_PER_PX, UnitRect, to_units};

/// Bakes the part of the map in `target`, with the area that [`super::bake`] has there.
///
/// Polygons further from the target than [`BakeSettings::reach_px`] are ignored and need not be in the sets.
/// Two targets that share a side get the same corners along it, whatever else their sets hold, so that their
/// meshes connect edge for edge. Both must be given everything that reaches the side.
///
/// # Errors
/// If a coordinate of the target is not finite or too far out.
pub fn bake_rect(
    floor: &PolygonSet,
    colliders: &PolygonSet,
    settings: &BakeSettings,
    target: PixelRect,
) -> Result<NavMesh, NavMeshError> {
    let target = target.to_units()?;
    Ok(bake_unit_rect(floor, colliders, settings, target))
}

fn bake_unit_rect(
    floor: &PolygonSet,
    colliders: &PolygonSet,
    settings: &BakeSettings,
    target: UnitRect,
) -> NavMesh {
    // A target smaller than a unit rounds to nothing.
    if target.width() <= 0 || target.height() <= 0 {
        return NavMesh::empty(EmptyReason::NoFloor);
    }
    let agent = AgentShape::new(settings);
    // Where polygons can lie that change what is baked in the target or on its borders.
    let window = target.grown(agent.half_x + BAND + 1, agent.half_y + BAND + 1);
    let (floor, colliders) = (Selection::all(floor).within(window), Selection::all(colliders).within(window));
    let free = match free_contours(&floor, &colliders) {
        Ok(free) => free,
        Err(reason) => return NavMesh::empty(reason),
    };
    let centres = convolve(&free, &agent).resolve(Some(target));
    // A border costs an overlay of its own, and a side without a corner of the result needs none.
    let lines = BorderLine::around(target)
        .into_iter()
        .filter(|line| centres.points.iter().any(|&point| line.offset_of(point).is_some()));
    let borders: Vec<_> = lines.map(|line| TileBorder::new(line, &floor, &colliders, &agent)).collect();
    let fitted = fitted(&centres, &borders);
    // Corners on borders stay, since the neighbour tile has them, too.
    let is_on_border = |point| borders.iter().any(|border| border.holds(point));
    NavMesh::from_contours(&needed_corners(&fitted, settings, Some(target), is_on_border))
}

/// A map cut into tiles of one size. Tile (0, 0) has its top-left corner at the origin; numbers may be
/// negative.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TileGrid {
    origin_px: [f64; 2],
    size_px: [f64; 2],
}

/// Column and row of a tile.
pub type TileIndex = [i32; 2];

impl TileGrid {
    /// Creates a grid of tiles of `size_px`, usually 16 cells of a tile map wide and high.
    ///
    /// # Errors
    /// If the origin is not finite or too far out, or the size is below 1/64 pixel.
    pub fn new(origin_px: [f64; 2], size_px: [f64; 2]) -> Result<Self, NavMeshError> {
        for value in origin_px {
            to_units(value)?;
        }
        if size_px.iter().any(|s| !s.is_finite() || *s < 1.0 / UNITS_PER_PX) {
            return Err(NavMeshError::BadCellSize { size_px });
        }
        Ok(Self { origin_px, size_px })
    }

    /// The rectangle of a tile.
    pub fn rect(&self, [column, row]: TileIndex) -> PixelRect {
        let corner = |axis: usize, i: f64| i.mul_add(self.size_px[axis], self.origin_px[axis]);
        let (x, y) = (corner(0, f64::from(column)), corner(1, f64::from(row)));
        PixelRect::new(x, y, corner(0, f64::from(column) + 1.0) - x, corner(1, f64::from(row) + 1.0) - y)
    }

    /// The tiles that a rectangle touches, row by row; none if a side is negative or not a number.
    pub fn touching(&self, rect: PixelRect) -> impl Iterator<Item = TileIndex> + use<> {
        let index = |axis: usize, px: f64| ((px - self.origin_px[axis]) / self.size_px[axis]).floor() as i32;
        let (columns, rows) =
            (index(0, rect.x)..=index(0, rect.x + rect.w), index(1, rect.y)..=index(1, rect.y + rect.h));
        // Also false for a side that is not a number.
        let rows = if rect.w >= 0.0 && rect.h >= 0.0 { Some(rows) } else { None };
        rows.into_iter().flatten().flat_map(move |row| columns.clone().map(move |column| [column, row]))
    }

    /// The tiles of the map in `map` that must be baked again after polygons in `rect` changed.
    ///
    /// `map` must hold the map before and after the change.
    pub fn changed_by(
        &self,
        rect: PixelRect,
        settings: &BakeSettings,
        map: PixelRect,
    ) -> impl Iterator<Item = TileIndex> + use<> {
        let [x, y] = settings.reach_px();
        self.touching(rect.grown(x, y).intersection(map))
    }

    fn unit_rect(&self, tile: TileIndex) -> Result<UnitRect, NavMeshError> {
        // Each corner is rounded by itself, so that both tiles at a side have the same line.
        let [x0, y0] = self.corner(tile)?;
        let [x1, y1] = self.corner([tile[0] + 1, tile[1] + 1])?;
        Ok(UnitRect { y0, y1, x0, x1 })
    }

    fn corner(&self, [column, row]: TileIndex) -> Result<[i32; 2], NavMeshError> {
        let at =
            |axis: usize, i: i32| to_units(f64::from(i).mul_add(self.size_px[axis], self.origin_px[axis]));
        Ok([at(0, column)?, at(1, row)?])
    }
}

/// Bakes one tile: [`bake_rect`] of its rectangle.
///
/// # Errors
/// If the tile lies too far out.
pub fn bake_tile(
    floor: &PolygonSet,
    colliders: &PolygonSet,
    settings: &BakeSettings,
    grid: &TileGrid,
    tile: TileIndex,
) -> Result<NavMesh, NavMeshError> {
    Ok(bake_unit_rect(floor, colliders, settings, grid.unit_rect(tile)?))
}
