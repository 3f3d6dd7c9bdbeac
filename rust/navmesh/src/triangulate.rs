//! Triangulates simplified contours: resolves crossings, makes a Delaunay triangulation, and welds corners at
//! one place.

use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay::{IntOverlayOptions, Overlay, ShapeType};
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::core::solver::Solver;
use i_overlay::i_shape::int::shape::IntShapes;
use i_triangle::advanced::delaunay::IntDelaunay;
use i_triangle::int::triangulator::IntTriangulator;

use super::merge::{Contours, contours_of};
use super::units::Point;

/// No neighbour across a side.
pub(super) const NONE: u32 = u32::MAX;

/// Triangles over shared corners. Side i of a triangle runs from its corner i to the next.
#[derive(Default, Debug)]
pub(super) struct Triangles {
    /// The corners, without duplicates, in order of x, then y.
    pub points: Vec<Point>,
    /// Three indices of corners a triangle, wound positively.
    pub corners: Vec<u32>,
    /// For each side the same side of the neighbour, which runs in the opposite direction, or [`NONE`].
    pub twins: Vec<u32>,
}

impl Triangles {
    /// The corner that a side starts at.
    pub fn start(&self, side: u32) -> Point {
        self.points[self.corners[side as usize] as usize]
    }
}

/// The contours as shapes with holes that do not cross and have a corner wherever they touch.
pub(super) fn shapes(contours: &Contours) -> IntShapes<i32> {
    // Moving corners in simplification can make contours cross by a unit. A corner that touches a side of
    // another contour must become a corner of both, or edges would not match, so every corner is kept.
    let options = IntOverlayOptions::keep_all_points();
    let mut overlay = Overlay::new_custom(contours.points.len(), options, Solver::default());
    overlay.add_source(&contours_of(contours).map(<[Point]>::to_vec).collect::<Vec<_>>(), ShapeType::Subject);
    overlay.overlay(OverlayRule::Subject, FillRule::Positive)
}

/// Triangulates shapes that do not cross.
pub(super) fn triangulated(shapes: &IntShapes<i32>) -> Triangles {
    if shapes.is_empty() {
        return Triangles::default();
    }
    let mut mesh = IntDelaunay { triangles: Vec::new(), points: Vec::new() };
    // Unchecked: `shapes` has resolved all crossings.
    IntTriangulator::<i32, u32>::default().uncheck_delaunay_shapes_into(shapes, &mut mesh);
    let (points, index_of) = welded(&mesh.points);
    let mut triangles = Triangles {
        points,
        corners: Vec::with_capacity(mesh.triangles.len() * 3),
        twins: Vec::with_capacity(mesh.triangles.len() * 3),
    };
    for (number, triangle) in mesh.triangles.iter().enumerate() {
        triangles.corners.extend(triangle.vertices.map(|vertex| index_of[vertex.index]));
        // The library's neighbour i lies across from corner i, which is across side i + 1.
        for across in [2, 0, 1] {
            let neighbour = triangle.neighbors[across];
            // The neighbour's side to this triangle; none on an outline.
            let back =
                mesh.triangles.get(neighbour).and_then(|n| n.neighbors.iter().position(|&t| t == number));
            triangles.twins.push(back.map_or(NONE, |j| (neighbour * 3 + (j + 1) % 3) as u32));
        }
    }
    triangles
}

/// The points without duplicates, and for each point its index among them.
fn welded(points: &[Point]) -> (Vec<Point>, Vec<u32>) {
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    // Equal points lie together, and the order of the result does not depend on the library's.
    order.sort_by_key(|&i| (points[i as usize].x, points[i as usize].y));
    let mut unique: Vec<Point> = Vec::with_capacity(points.len());
    let mut index_of = vec![0; points.len()];
    for i in order {
        let point = points[i as usize];
        if unique.last() != Some(&point) {
            unique.push(point);
        }
        index_of[i as usize] = unique.len() as u32 - 1;
    }
    (unique, index_of)
}
