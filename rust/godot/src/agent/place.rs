//! Where the cells of a grid lie in global space.

use godot::prelude::*;
use pathforge_core::walker::{Metric, Point};

use crate::geometry::CellGeometry;
use crate::grid::PathForgeGrid;

/// The map between global space and cell space.
#[derive(Clone, Copy, PartialEq)]
pub struct CellFrame {
    geometry: CellGeometry,
    to_global: Transform2D,
}

impl CellFrame {
    /// `None` where the grid is flattened to nothing.
    pub fn of(grid: &Gd<PathForgeGrid>) -> Option<Self> {
        let to_global = grid.get_global_transform();
        (to_global.determinant() != 0.0).then(|| Self { geometry: grid.bind().cell_geometry(), to_global })
    }

    /// The place of `position` in cell space.
    pub fn point(&self, position: Vector2) -> Point {
        let (x, y) = self.geometry.cell_space_of(self.to_global.affine_inverse() * position);
        Point::new(x, y)
    }

    /// The place of `point` in global space.
    pub fn position(&self, point: Point) -> Vector2 {
        self.to_global * self.geometry.local_of(point.x, point.y)
    }

    /// Distances in global space.
    pub fn metric(&self) -> Metric {
        let to_global = self.to_global * self.geometry.transform();
        let side = |side: Vector2| (f64::from(side.x), f64::from(side.y));
        Metric::of_sides(side(to_global.a), side(to_global.b))
    }
}
