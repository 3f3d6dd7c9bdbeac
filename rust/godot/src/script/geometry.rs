//! Where cells lie in the grid node's local space: pure arithmetic, no engine.
//!
//! *Cell space* is continuous: cell (x, y) is the square from (x, y) to (x + 1, y + 1). Each shape is a
//! linear map from cell space to local space, so one formula serves centres, footprints, their inverse and
//! the overlay.

use godot::builtin::{Transform2D, Vector2};
use pathforge_core::geometry::{Cell, Footprint};
use pathforge_core::path::Route;

/// How cells are laid out; numbers and meanings equal those of `AStarGrid2D`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum CellShape {
    /// Rectangles in rows and columns.
    #[default]
    Square = 0,
    /// Diamonds; x runs to the upper right, and y to the lower right.
    IsometricRight = 1,
    /// Diamonds; x runs to the lower right, and y to the lower left.
    IsometricDown = 2,
}

impl CellShape {
    /// All shapes, in the order of their numbers.
    pub const ALL: [Self; 3] = [Self::Square, Self::IsometricRight, Self::IsometricDown];
}

/// Size, shape and place of a grid's cells.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CellGeometry {
    /// Layout.
    pub shape: CellShape,
    /// Width and height of a cell in pixels, both above zero.
    pub cell_size: Vector2,
    /// The corner of cell (0, 0), or of its bounding box.
    pub offset: Vector2,
}

impl Default for CellGeometry {
    fn default() -> Self {
        Self { shape: CellShape::Square, cell_size: Vector2::new(16.0, 16.0), offset: Vector2::ZERO }
    }
}

impl CellGeometry {
    /// What `AStarGrid2D.get_point_position` gives, to the last bit: the corner of a square cell, the centre
    /// of a diamond.
    #[inline]
    pub fn point_position(&self, cell: Cell) -> Vector2 {
        let half = self.cell_size / 2.0;
        match self.shape {
            CellShape::Square => self.offset + Vector2::new(cell.x as f32, cell.y as f32) * self.cell_size,
            CellShape::IsometricRight => {
                let (u, v) = (cell.x.wrapping_add(cell.y), cell.y.wrapping_sub(cell.x));
                self.offset + (half + Vector2::new(u as f32, v as f32) * half)
            }
            CellShape::IsometricDown => {
                let (u, v) = (cell.x.wrapping_sub(cell.y), cell.x.wrapping_add(cell.y));
                self.offset + (half + Vector2::new(u as f32, v as f32) * half)
            }
        }
    }

    /// The centre of a body that stands with its top-left cell at `anchor`.
    pub fn footprint_center(&self, anchor: Cell, footprint: Footprint) -> Vector2 {
        self.local_of(
            f64::from(anchor.x) + f64::from(footprint.w()) / 2.0,
            f64::from(anchor.y) + f64::from(footprint.h()) / 2.0,
        )
    }

    /// The cell that holds `position`; `None` when that is not finite. Beyond the range of `i32` the nearest
    /// cell.
    pub fn cell_at(&self, position: Vector2) -> Option<Cell> {
        let (x, y) = self.cell_space_of(position);
        // A float cast saturates.
        (x.is_finite() && y.is_finite()).then(|| Cell::new(x.floor() as i32, y.floor() as i32))
    }

    /// The anchor of a body whose centre is nearest to `position`; `None` when that is not finite.
    pub fn anchor_at(&self, position: Vector2, footprint: Footprint) -> Option<Cell> {
        anchor_of(self.cell_space_of(position), footprint)
    }

    /// A point of cell space in local space.
    pub fn local_of(&self, x: f64, y: f64) -> Vector2 {
        let (w, h) = (f64::from(self.cell_size.x), f64::from(self.cell_size.y));
        let (u, v) = match self.shape {
            CellShape::Square => (x * w, y * h),
            CellShape::IsometricRight => ((x + y) * w / 2.0, (1.0 + y - x) * h / 2.0),
            CellShape::IsometricDown => ((1.0 + x - y) * w / 2.0, (x + y) * h / 2.0),
        };
        Vector2::new((f64::from(self.offset.x) + u) as f32, (f64::from(self.offset.y) + v) as f32)
    }

    /// The inverse of [`CellGeometry::local_of`].
    pub fn cell_space_of(&self, position: Vector2) -> (f64, f64) {
        let u = (f64::from(position.x) - f64::from(self.offset.x)) / f64::from(self.cell_size.x);
        let v = (f64::from(position.y) - f64::from(self.offset.y)) / f64::from(self.cell_size.y);
        match self.shape {
            CellShape::Square => (u, v),
            CellShape::IsometricRight => (u - v + 0.5, u + v - 0.5),
            CellShape::IsometricDown => (u + v - 0.5, v - u + 0.5),
        }
    }

    /// The map from cell space to local space.
    pub fn transform(&self) -> Transform2D {
        let origin = self.local_of(0.0, 0.0);
        let (x, y) = (self.local_of(1.0, 0.0) - origin, self.local_of(0.0, 1.0) - origin);
        Transform2D::from_cols(x, y, origin)
    }

    /// Pixels that a cell is wide, on average of both directions.
    pub fn cell_side(&self) -> f64 {
        // The side of a square as large as a cell, as cells need not be squares.
        let frame = self.transform();
        f64::from(frame.a.x * frame.b.y - frame.a.y * frame.b.x).abs().sqrt().max(1e-6)
    }

    /// [`CellGeometry::transform`] in numbers of double precision: where the origin goes, and the steps of a
    /// cell along x and along y.
    pub fn affine(&self) -> [[f64; 2]; 3] {
        let (w, h) = (f64::from(self.cell_size.x), f64::from(self.cell_size.y));
        let (origin, along_x, along_y) = match self.shape {
            CellShape::Square => ([0.0, 0.0], [w, 0.0], [0.0, h]),
            CellShape::IsometricRight => ([0.0, h / 2.0], [w / 2.0, -h / 2.0], [w / 2.0, h / 2.0]),
            CellShape::IsometricDown => ([w / 2.0, 0.0], [w / 2.0, h / 2.0], [-w / 2.0, h / 2.0]),
        };
        let offset = [self.offset.x, self.offset.y].map(f64::from);
        [[origin[0] + offset[0], origin[1] + offset[1]], along_x, along_y]
    }

    /// Writes [`CellGeometry::point_position`] of every cell of `route` into `positions`, which has a place
    /// for each.
    pub fn write_point_positions(&self, route: &Route, positions: &mut [Vector2]) {
        let mut rest = positions;
        route.for_each_line(|first, (dx, dy), count| {
            let Some((line, behind)) = std::mem::take(&mut rest).split_at_mut_checked(count as usize) else {
                return;
            };
            rest = behind;
            let cells = (0..).map(|n| Cell::new(first.x + n * dx, first.y + n * dy));
            // Most grids are of squares: their loop has nothing else in it.
            if self.shape == CellShape::Square {
                for (place, cell) in line.iter_mut().zip(cells) {
                    *place = self.offset + Vector2::new(cell.x as f32, cell.y as f32) * self.cell_size;
                }
            } else {
                for (place, cell) in line.iter_mut().zip(cells) {
                    *place = self.point_position(cell);
                }
            }
        });
    }

    /// Writes the centre of the footprint at every cell of `route` into `positions`, which has a place for
    /// each.
    pub fn write_centers(&self, route: &Route, footprint: Footprint, positions: &mut [Vector2]) {
        let mut places = positions.iter_mut();
        route.for_each_cell(|cell| {
            if let Some(place) = places.next() {
                *place = self.footprint_center(cell, footprint);
            }
        });
    }
}

/// The anchor of a body whose centre is nearest to a point of cell space; `None` when that is not finite.
pub fn anchor_of((x, y): (f64, f64), footprint: Footprint) -> Option<Cell> {
    // Exact for one cell, which is the cell that holds the position.
    let anchor = |at: f64, side: i32| (at - f64::from(side - 1) / 2.0).floor();
    let (x, y) = (anchor(x, footprint.w()), anchor(y, footprint.h()));
    // A float cast saturates.
    (x.is_finite() && y.is_finite()).then(|| Cell::new(x as i32, y as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn geometries() -> impl Iterator<Item = CellGeometry> {
        CellShape::ALL.into_iter().map(|shape| CellGeometry {
            shape,
            cell_size: Vector2::new(32.0, 16.0),
            offset: Vector2::new(-5.0, 7.0),
        })
    }

    fn cells() -> impl Iterator<Item = Cell> {
        (-3..4).flat_map(|y| (-3..4).map(move |x| Cell::new(x, y)))
    }

    #[test]
    fn a_center_leads_back_to_its_cell() {
        for geometry in geometries() {
            for cell in cells() {
                assert_eq!(geometry.cell_at(geometry.footprint_center(cell, Footprint::ONE)), Some(cell));
            }
        }
    }

    #[test]
    fn an_affine_map_leads_to_local_space() {
        for geometry in geometries() {
            let [origin, along_x, along_y] = geometry.affine();
            for (x, y) in [(0.0, 0.0), (3.5, -2.25), (-7.0, 11.5)] {
                let at = [0, 1].map(|n| (origin[n] + along_x[n] * x + along_y[n] * y) as f32);
                assert!(geometry.local_of(x, y).distance_to(Vector2::new(at[0], at[1])) < 1e-3);
            }
        }
    }

    #[test]
    fn a_footprint_center_is_the_mean_of_its_cells() {
        let footprint = Footprint::new(3, 2).unwrap();
        for geometry in geometries() {
            let anchor = Cell::new(-2, 1);
            let centers: Vec<Vector2> = footprint
                .at(anchor)
                .cells()
                .map(|cell| geometry.footprint_center(cell, Footprint::ONE))
                .collect();
            let mean = centers.iter().copied().fold(Vector2::ZERO, |sum, center| sum + center) / 6.0;
            assert!(mean.distance_to(geometry.footprint_center(anchor, footprint)) < 1e-3);
        }
    }

    #[test]
    fn points_are_corners_of_squares_and_centers_of_diamonds() {
        for geometry in geometries() {
            for cell in cells() {
                let center = geometry.footprint_center(cell, Footprint::ONE);
                let inset = match geometry.shape {
                    CellShape::Square => geometry.cell_size / 2.0,
                    _ => Vector2::ZERO,
                };
                assert!((geometry.point_position(cell) + inset).distance_to(center) < 1e-3);
            }
        }
    }

    #[test]
    fn points_are_written_as_they_are_given_one_by_one() {
        let route =
            Route::new([(-3, 2), (4, 2), (1, -1), (1, -1), (1, -6)].map(|(x, y)| Cell::new(x, y)).into());
        for geometry in geometries() {
            let mut written = vec![Vector2::ZERO; route.cell_count()];
            geometry.write_point_positions(&route, &mut written);
            let expected: Vec<Vector2> =
                route.cells().into_iter().map(|cell| geometry.point_position(cell)).collect();
            assert_eq!(written, expected);
        }
    }

    #[test]
    fn the_transform_says_the_same() {
        for geometry in geometries() {
            let point = geometry.transform() * Vector2::new(2.5, -1.5);
            assert!(point.distance_to(geometry.local_of(2.5, -1.5)) < 1e-3);
        }
    }

    #[test]
    fn a_position_that_is_no_number_has_no_cell() {
        let geometry = CellGeometry::default();
        assert_eq!(geometry.cell_at(Vector2::new(f32::NAN, 0.0)), None);
        assert_eq!(geometry.cell_at(Vector2::new(0.0, f32::INFINITY)), None);
        assert_eq!(geometry.cell_at(Vector2::new(1e30, 0.0)), Some(Cell::new(i32::MAX, 0)));
    }
}
