//! Collision shapes and meshes as forms of items.

use godot::classes::{
    BoxShape3D, CapsuleShape3D, ConcavePolygonShape3D, ConvexPolygonShape3D, CylinderShape3D, Mesh,
    SeparationRayShape3D, Shape3D, SphereShape3D,
};
use godot::prelude::*;
use pathforge_core::items::Form;

/// Corners of a circle.
const CORNERS: u8 = 16;

/// A form that grows; `to_cells` leads from a shape's space to cells.
pub struct FormBuilder {
    pub form: Form,
    pub to_cells: Transform3D,
}

impl FormBuilder {
    fn corner(&self, corner: Vector3) -> [f64; 3] {
        let place = self.to_cells * corner;
        [place.x, place.y, place.z].map(f64::from)
    }

    fn add_hull(&mut self, corners: impl IntoIterator<Item = Vector3>) {
        let corners = corners.into_iter().map(|corner| self.corner(corner)).collect();
        self.form.add_hull(corners);
    }

    /// Adds a box.
    pub fn add_box(&mut self, bounds: Aabb) {
        self.add_hull((0..8).map(|n| bounds.get_corner(n)));
    }

    /// Adds triangles, three corners each, clockwise seen from outside.
    pub fn add_faces(&mut self, corners: &PackedVector3Array) {
        let is_mirrored = self.to_cells.basis.determinant() < 0.0;
        for &[a, b, c] in corners.as_slice().as_chunks::<3>().0 {
            let [a, b, c] = [a, b, c].map(|corner| self.corner(corner));
            self.form.add_face(if is_mirrored { [a, c, b] } else { [a, b, c] });
        }
    }

    /// Adds a collision shape; an error for a shape without a form of its own.
    pub fn add_shape(&mut self, shape: Gd<Shape3D>) -> Result<(), String> {
        let class = shape.get_class();
        let shape = match shape.try_cast::<BoxShape3D>() {
            Ok(shape) => {
                let size = shape.get_size();
                self.add_box(Aabb::new(-size / 2.0, size));
                return Ok(());
            }
            Err(shape) => shape,
        };
        let shape = match shape.try_cast::<ConcavePolygonShape3D>() {
            Ok(shape) => {
                self.add_faces(&shape.get_faces());
                return Ok(());
            }
            Err(shape) => shape,
        };
        let shape = match shape.try_cast::<ConvexPolygonShape3D>() {
            Ok(shape) => {
                self.add_hull(shape.get_points().to_vec());
                return Ok(());
            }
            Err(shape) => shape,
        };
        let shape = match shape.try_cast::<CylinderShape3D>() {
            Ok(shape) => {
                let (radius, half) = (shape.get_radius(), shape.get_height() / 2.0);
                self.add_hull([-half, half].into_iter().flat_map(|y| ring(radius, y)));
                return Ok(());
            }
            Err(shape) => shape,
        };
        let shape = match shape.try_cast::<SphereShape3D>() {
            Ok(shape) => {
                self.add_hull(ball(shape.get_radius(), 0.0));
                return Ok(());
            }
            Err(shape) => shape,
        };
        match shape.try_cast::<CapsuleShape3D>() {
            Ok(shape) => {
                let radius = shape.get_radius();
                self.add_hull(ball(radius, (shape.get_height() / 2.0 - radius).max(0.0)));
                Ok(())
            }
            // It keeps bodies off the ground, and is none itself.
            Err(shape) if shape.clone().try_cast::<SeparationRayShape3D>().is_ok() => Ok(()),
            Err(_) => Err(format!("its collision shape is a {class}, which cannot be read")),
        }
    }

    /// Adds a mesh: its triangles, or its box where it has none that can be read.
    pub fn add_mesh(&mut self, mesh: &Gd<Mesh>) {
        let faces = mesh.get_faces();
        if faces.is_empty() { self.add_box(mesh.get_aabb()) } else { self.add_faces(&faces) }
    }
}

fn ring(radius: f32, y: f32) -> impl Iterator<Item = Vector3> {
    (0..CORNERS).map(move |n| {
        let angle = f32::from(n) / f32::from(CORNERS) * std::f32::consts::TAU;
        Vector3::new(radius * angle.cos(), y, radius * angle.sin())
    })
}

/// The corners of a ball that is cut in half and pulled apart, by `half` each way.
fn ball(radius: f32, half: f32) -> impl Iterator<Item = Vector3> {
    const RINGS: u8 = 4;
    (0..=RINGS).flat_map(move |n| {
        let up = f32::from(n) / f32::from(RINGS) * std::f32::consts::FRAC_PI_2;
        let y = half + radius * up.sin();
        [-y, y].into_iter().flat_map(move |y| ring(radius * up.cos(), y))
    })
}
