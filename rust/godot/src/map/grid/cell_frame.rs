//! Where the cells of a grid lie in global space: on the grid's own plane, or where a `PathForgeSpace3D` lays
//! them.
//!
//! Positions are of space in both cases: on the plane of 2D, z is 0. What walks knows of space only this. In a
//! house, a position is in the cells of the storey that carries it. A point of cell space is on the ground of
//! the storey of its cell.

use std::sync::Arc;

use godot::prelude::*;
use pathforge_core::cost::Cost;
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::terrain::Link;
use pathforge_core::walker::{Metric, Point};

use super::PathForgeGrid;
use super::navigation_links::link_cost;
use crate::map::storeys::{House, HouseKey};
use crate::script::geometry::CellGeometry;

/// The map between global space and the cell space of a grid.
#[derive(Clone, Copy, PartialEq)]
pub enum CellFrame {
    /// Where the grid is itself, in 2D.
    Plane { geometry: CellGeometry, to_global: Transform2D },
    /// In 3D: cells so wide and deep along the x axis and the z axis of a node. What takes long to find is
    /// kept, as hundreds of agents ask for it several times in a step. A storey of a house has the others, too.
    Space {
        cell_size: Vector2,
        to_global: Transform3D,
        to_local: Transform3D,
        metric: Metric,
        house: Option<HouseKey>,
    },
}

impl CellFrame {
    /// The frame of the plane; `None` where the grid is flattened to nothing.
    pub fn of(grid: &Gd<PathForgeGrid>) -> Option<Self> {
        let to_global = grid.get_global_transform();
        (to_global.determinant() != 0.0)
            .then(|| Self::Plane { geometry: grid.bind().cell_geometry(), to_global })
    }

    /// The frame of a node in 3D; `None` where it is scaled by zero, or not finite.
    pub fn in_space(cell_size: Vector2, to_global: Transform3D) -> Option<Self> {
        let Transform3D { basis, .. } = to_global;
        if basis.determinant() == 0.0 || !to_global.is_finite() {
            return None;
        }
        // Both sides of a cell, drawn onto a plane of which the first is the x axis.
        let (width, depth) = (basis.col_a() * cell_size.x, basis.col_c() * cell_size.y);
        let dot = |a: Vector3, b: Vector3| {
            let [a, b] = [a, b].map(|side| [side.x, side.y, side.z].map(f64::from));
            a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
        };
        let length = dot(width, width).sqrt();
        let along = dot(width, depth) / length;
        let across = (dot(depth, depth) - along * along).max(0.0).sqrt();
        let metric = Metric::of_sides((length, 0.0), (along, across));
        Some(Self::Space { cell_size, to_global, to_local: to_global.affine_inverse(), metric, house: None })
    }

    /// The same for a node that is a storey of a house.
    pub fn in_house(self, key: HouseKey) -> Self {
        match self {
            Self::Space { cell_size, to_global, to_local, metric, .. } => {
                Self::Space { cell_size, to_global, to_local, metric, house: Some(key) }
            }
            Self::Plane { .. } => self,
        }
    }

    fn house(&self) -> Option<Arc<House>> {
        match self {
            Self::Plane { .. } | Self::Space { house: None, .. } => None,
            Self::Space { house: Some(key), .. } => key.house(),
        }
    }

    /// The frame of the one storey that carries a position, and its sheet; the frame as it is where there are
    /// no storeys.
    pub fn at(&self, position: Vector3) -> (Self, Option<CellRect>) {
        let on = self.house().and_then(|house| {
            let (n, _) = house.storeys.locate(position.to_array())?;
            let storey = &house.storeys.all()[n];
            let [width, depth] = storey.ground.cell_size;
            let frame = Self::in_space(Vector2::new(width, depth), house.nodes[n].1)?;
            Some((frame, Some(storey.sheet)))
        });
        on.unwrap_or((*self, None))
    }

    /// Where two points of cell space are in global space, if they are of two storeys.
    pub fn between_storeys(&self, from: Point, to: Point) -> Option<[Vector3; 2]> {
        let house = self.house()?;
        let of = |point: Point| house.storeys.of_point((point.x, point.y));
        (of(from)? != of(to)?).then(|| [from, to].map(|point| self.position(point)))
    }

    /// What the straight way between two cells costs: over open cells or, from storey to storey, through space.
    pub fn straight_cost(&self, from: Cell, to: Cell) -> Cost {
        let [start, end] =
            [from, to].map(|cell| Point::new(f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5));
        match self.between_storeys(start, end) {
            Some([start, end]) => link_cost(f64::from(start.distance_to(end)) / self.global_cell_side()),
            None => Link::new(from, to).cost,
        }
    }

    /// Returns `true` if cells are as large as those of `other` and have their shape, wherever both lie.
    pub fn has_cells_of(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Plane { geometry, .. }, Self::Plane { geometry: other, .. }) => geometry == other,
            (Self::Space { cell_size, .. }, Self::Space { cell_size: other, .. }) => cell_size == other,
            _ => false,
        }
    }

    /// The place of `position` in cell space; in 3D that below or above it, in a house that on the sheet of
    /// the storey that carries it.
    pub fn point(&self, position: Vector3) -> Point {
        if let Some((_, (x, y))) = self.house().and_then(|house| house.storeys.locate(position.to_array())) {
            return Point::new(x, y);
        }
        match self {
            Self::Plane { geometry, to_global } => {
                let (x, y) = geometry.cell_space_of(to_global.affine_inverse() * flat(position));
                Point::new(x, y)
            }
            Self::Space { cell_size, to_local, .. } => {
                let local = *to_local * position;
                Point::new(
                    f64::from(local.x) / f64::from(cell_size.x),
                    f64::from(local.z) / f64::from(cell_size.y),
                )
            }
        }
    }

    /// The place of a body that was at the point `last`: in a house it may still be on the storey of that.
    pub fn point_from(
        &self,
        position: Vector3,
        last: Option<Point>,
        is_open: impl Fn(Cell) -> bool,
    ) -> Point {
        let at = self.house().zip(last).and_then(|(house, last)| {
            house.storeys.locate_from(position.to_array(), (last.x, last.y), is_open)
        });
        at.map_or_else(|| self.point(position), |(_, (x, y))| Point::new(x, y))
    }

    /// The place of `point` in global space; in 3D that at height 0, in a house that on the ground.
    pub fn position(&self, point: Point) -> Vector3 {
        if let Some(house) = self.house()
            && let Some(n) = house.storeys.of_point((point.x, point.y))
        {
            return Vector3::from_array(house.storeys.all()[n].place((point.x, point.y)));
        }
        match self {
            Self::Plane { geometry, to_global } => upright(*to_global * geometry.local_of(point.x, point.y)),
            Self::Space { cell_size, to_global, .. } => {
                let along = |at: f64, side: f32| (at * f64::from(side)) as f32;
                *to_global * Vector3::new(along(point.x, cell_size.x), 0.0, along(point.y, cell_size.y))
            }
        }
    }

    /// A velocity in cells a second, in global space.
    pub fn velocity(&self, [x, y]: [f32; 2]) -> Vector3 {
        match self {
            Self::Plane { geometry, to_global } => {
                upright((*to_global * geometry.transform()).basis_xform(Vector2::new(x, y)))
            }
            Self::Space { cell_size, to_global, .. } => {
                to_global.basis * Vector3::new(x * cell_size.x, 0.0, y * cell_size.y)
            }
        }
    }

    /// The part of a way in global space that is along the cells, without what leads up or down.
    pub fn along(&self, way: Vector3) -> Vector3 {
        match self {
            Self::Plane { .. } => way,
            Self::Space { to_global, to_local, .. } => {
                let local = to_local.basis * way;
                to_global.basis * Vector3::new(local.x, 0.0, local.z)
            }
        }
    }

    /// Distances in global space, along the cells.
    pub fn metric(&self) -> Metric {
        match self {
            Self::Plane { geometry, to_global } => {
                let to_global = *to_global * geometry.transform();
                let side = |side: Vector2| (f64::from(side.x), f64::from(side.y));
                Metric::of_sides(side(to_global.a), side(to_global.b))
            }
            Self::Space { metric, .. } => *metric,
        }
    }

    /// The side of a square as large as a cell, in the space of the node that lays it out.
    pub fn cell_side(&self) -> f64 {
        match self {
            Self::Plane { geometry, .. } => geometry.cell_side(),
            Self::Space { cell_size, .. } => f64::from(cell_size.x * cell_size.y).sqrt().max(1e-6),
        }
    }

    /// The same in global space.
    pub fn global_cell_side(&self) -> f64 {
        let area = match self {
            Self::Plane { to_global, .. } => to_global.determinant().abs(),
            Self::Space { to_global: Transform3D { basis, .. }, .. } => {
                basis.col_a().cross(basis.col_c()).length()
            }
        };
        self.cell_side() * f64::from(area).sqrt().max(1e-6)
    }
}

/// A position of 2D among those of space.
pub const fn upright(Vector2 { x, y }: Vector2) -> Vector3 {
    Vector3::new(x, y, 0.0)
}

/// The inverse.
pub const fn flat(Vector3 { x, y, .. }: Vector3) -> Vector2 {
    Vector2::new(x, y)
}
