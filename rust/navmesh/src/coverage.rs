//! Which cells polygons count for.

use super::{BakeSettings, Corner, PixelRect, PolygonSet, bake_rect};
use pathforge_core::geometry::bounds_of;

/// Units of area measurement a cell: polygons are baked in 1/64 of one.
const CELL_UNITS: f64 = 64.0;
/// Points as close as this to an edge, in cells, lie on it.
const ON_EDGE: f64 = 1e-5;
/// Shares are measured with this precision.
const SHARE_TOLERANCE: f64 = 1e-3;

/// Which part of a cell a tile's polygons have to cover so that they count.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Coverage {
    /// The centre.
    Center,
    /// This share of its area, and more than nothing.
    Share(f64),
}

impl Coverage {
    /// Any part of a cell.
    pub const ANY: Self = Self::Share(0.0);

    /// Returns `true` if a measured share is enough.
    pub(crate) fn is_met(share: f64, wanted: f64) -> bool {
        share > SHARE_TOLERANCE && share >= wanted - SHARE_TOLERANCE
    }
}

/// The cells that polygons in cell space cover.
pub fn covered_cells(polygons: &[Vec<[f64; 2]>], coverage: Coverage) -> Vec<[i32; 2]> {
    let corners = || polygons.iter().flatten().filter(|corner| corner.iter().all(|c| c.abs() < 1e6));
    if corners().count() < 3 {
        return Vec::new();
    }
    let [low, high] = bounds_of(corners().copied());
    let [xs, ys] = [0, 1].map(|axis| low[axis].floor() as i32..high[axis].ceil() as i32);
    let cells = ys.flat_map(|y| xs.clone().map(move |x| [x, y]));
    match coverage {
        Coverage::Center => cells
            .filter(|&[x, y]| {
                let center = [f64::from(x) + 0.5, f64::from(y) + 0.5];
                polygons.iter().any(|polygon| holds(polygon, center))
            })
            .collect(),
        Coverage::Share(wanted) => {
            let mut set = PolygonSet::new();
            for polygon in polygons {
                // What is no polygon, or lies too far out, covers nothing.
                let _ = set.push(&polygon.iter().map(|c| c.map(|v| v * CELL_UNITS)).collect::<Vec<_>>());
            }
            cells.filter(|&[x, y]| Coverage::is_met(share_of(&set, x, y), wanted)).collect()
        }
    }
}

/// The share of a cell that a union of polygons covers.
fn share_of(set: &PolygonSet, x: i32, y: i32) -> f64 {
    let Ok(point) = BakeSettings::new([0.0, 0.0], Corner::Box) else { return 0.0 };
    let cell = PixelRect::new(f64::from(x) * CELL_UNITS, f64::from(y) * CELL_UNITS, CELL_UNITS, CELL_UNITS);
    let mesh = bake_rect(set, &PolygonSet::new(), &point, cell);
    mesh.map_or(0.0, |mesh| mesh.area_px() / (CELL_UNITS * CELL_UNITS))
}

/// Returns `true` if a point lies in a polygon or on its edge, however the polygon is wound.
fn holds(polygon: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    let mut winding = 0;
    let next = polygon.iter().cycle().skip(1);
    for (&[ax, ay], &[bx, by]) in polygon.iter().zip(next) {
        let cross = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
        let length = (bx - ax).hypot(by - ay);
        let along = (bx - ax) * (x - ax) + (by - ay) * (y - ay);
        if length > 0.0 && cross.abs() <= ON_EDGE * length && (0.0..=length * length).contains(&along) {
            return true;
        }
        if ay <= y && by > y && cross > 0.0 {
            winding += 1;
        } else if by <= y && ay > y && cross < 0.0 {
            winding -= 1;
        }
    }
    winding != 0
}
