//! What an obstacle covers: a body of some cells, or an outline by radius and vertices.

use godot::classes::{Engine, Geometry2D};
use godot::prelude::*;
use pathforge_core::geometry::{CellRect, Footprint, runs_in};
use pathforge_core::terrain::ObstacleCells;
use pathforge_core::walker::covered;

use crate::map::grid::CellFrame;
use crate::map::seat::Seat;

/// Corners of a circle.
const CORNERS: u8 = 64;

/// An outline in the node's own space.
#[derive(Default)]
pub struct Outline {
    pub radius: f32,
    vertices: Vec<Vector3>,
    /// The vertices as triangles; none where they have no area.
    triangles: Vec<[Vector3; 3]>,
}

/// What lies where, in cell space: equal ones cover equal cells.
#[derive(Clone, PartialEq)]
pub enum Form {
    Body(CellRect),
    /// Convex polygons, and the region beyond which they cover nothing.
    Outline(Vec<Vec<[f64; 2]>>, CellRect),
}

impl Outline {
    /// The vertices as they were set.
    pub fn vertices(&self) -> &[Vector3] {
        &self.vertices
    }

    /// Takes vertices, which have to be finite and to go round an area. In the editor, where they are set one
    /// by one, they may still go round none.
    pub fn set_vertices(
        &mut self,
        vertices: Vec<Vector3>,
        flat: fn(Vector3) -> Vector2,
    ) -> Result<(), String> {
        if let Some(at) = vertices.iter().position(|vertex| !vertex.is_finite()) {
            return Err(format!("[{at}] is {}, not finite", vertices[at]));
        }
        let points: PackedVector2Array = vertices.iter().map(|&vertex| flat(vertex)).collect();
        let ends = Geometry2D::singleton().triangulate_polygon(&points);
        let corner = |&end: &i32| vertices[end as usize];
        let has_area = |[a, b, c]: &[Vector3; 3]| (flat(*b) - flat(*a)).cross(flat(*c) - flat(*a)) != 0.0;
        let triangles: Vec<_> = ends
            .as_slice()
            .as_chunks::<3>()
            .0
            .iter()
            .map(|ends| ends.each_ref().map(corner))
            .filter(has_area)
            .collect();
        if triangles.is_empty() && !vertices.is_empty() && !Engine::singleton().is_editor_hint() {
            let count = vertices.len();
            return Err(format!(
                "{count} vertices have no area; set three or more that do not cross, or none"
            ));
        }
        (self.vertices, self.triangles) = (vertices, triangles);
        Ok(())
    }

    /// What is wrong with it, for the editor.
    pub fn problem(&self) -> Option<&'static str> {
        let is_flat = self.triangles.is_empty() && !self.vertices.is_empty();
        is_flat
            .then_some("The vertices have no area. Set three or more that do not cross each other, or none.")
    }

    /// What a node in this place covers; `None` where it is nowhere.
    pub fn form(
        &self,
        seat: &Seat,
        frame: &CellFrame,
        footprint: Footprint,
        region: CellRect,
    ) -> Option<Form> {
        let to_global = seat.to_global();
        let point = |local: Vector3| {
            let point = frame.point(to_global * local);
            [point.x, point.y]
        };
        let center = frame.point(to_global.origin);
        if !to_global.is_finite() || !center.is_finite() {
            return None;
        }
        let mut polygons: Vec<Vec<[f64; 2]>> =
            self.triangles.iter().map(|triangle| triangle.iter().copied().map(point).collect()).collect();
        if self.radius > 0.0 {
            let corner = |n: u8| {
                let angle = f32::from(n) / f32::from(CORNERS) * std::f32::consts::TAU;
                point(seat.on_plane(Vector2::from_angle(angle) * self.radius))
            };
            polygons.push((0..CORNERS).map(corner).collect());
        }
        if polygons.is_empty() {
            return Some(Form::Body(covered(center, footprint)));
        }
        let is_finite = polygons.iter().flatten().flatten().all(|value| value.is_finite());
        is_finite.then_some(Form::Outline(polygons, region))
    }
}

impl Form {
    /// What of it lies on some cells.
    pub fn within(self, cells: CellRect) -> Self {
        match self {
            Self::Body(body) => Self::Body(body.intersection(cells)),
            Self::Outline(..) => self,
        }
    }

    pub fn cells(&self) -> ObstacleCells {
        match self {
            Self::Body(cells) => (*cells).into(),
            Self::Outline(polygons, region) => ObstacleCells::new(&runs_in(polygons, *region)),
        }
    }
}
