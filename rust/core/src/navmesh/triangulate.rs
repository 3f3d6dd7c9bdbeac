//! Triangulating tidy contours: sorted out once more, then Delaunay, then corners at one place made one.

use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay::{IntOverlayOptions, Overlay};
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::core::solver::Solver;
use i_overlay::i_shape::int::shape::IntShapes;
use i_triangle::advanced::delaunay::IntDelaunay;
use i_triangle::int::triangulator::IntTriangulator;

use super::merge::{Contours, each};
use super::units::Point;

/// No neighbour across a side.
pub(super) const NONE: u32 = u32::MAX;

/// Triangles over shared corners. Side i of a triangle leads from its corner i to the next.
#[derive(Default, Debug)]
pub(super) struct Triangles {
    /// Corners, each place once, in order of x, then y.
    pub points: Vec<Point>,
    /// Three corners a triangle, wound positively.
    pub corners: Vec<u32>,
    /// For each side the same side of the neighbour, which leads the other way, or [`NONE`].
    pub twins: Vec<u32>,
}

/// The contours as shapes with holes that do not cross and that have a corner wherever they touch.
///
/// Moving corners while tidying can make contours cross by a unit; and a corner that touches a side of another contour
/// must be a corner of both, or edges would not match. The overlay keeps every corner that it is given.
pub(super) fn shapes(contours: &Contours) -> IntShapes<i32> {
    let options = IntOverlayOptions::keep_all_points();
    let mut overlay = Overlay::new_custom(contours.points.len(), options, Solver::default());
    overlay.add_source(&each(contours).map(<[Point]>::to_vec).collect::<Vec<_>>(), super::SUBJECT);
    overlay.overlay(OverlayRule::Subject, FillRule::Positive)
}

/// Triangulates shapes that do not cross.
pub(super) fn triangulated(shapes: &IntShapes<i32>) -> Triangles {
    if shapes.is_empty() {
        return Triangles::default();
    }
    let mut mesh = IntDelaunay { triangles: Vec::new(), points: Vec::new() };
    IntTriangulator::<i32, u32>::default().uncheck_delaunay_shapes_into(shapes, &mut mesh);
    let (points, place_of) = welded(&mesh.points);
    let mut triangles = Triangles {
        points,
        corners: Vec::with_capacity(mesh.triangles.len() * 3),
        twins: Vec::with_capacity(mesh.triangles.len() * 3),
    };
    for (number, triangle) in mesh.triangles.iter().enumerate() {
        triangles.corners.extend(triangle.vertices.map(|vertex| place_of[vertex.index]));
        // The library's neighbour i lies across from corner i, which is across side i + 1.
        for across in [2, 0, 1] {
            let neighbour = triangle.neighbors[across];
            let back =
                mesh.triangles.get(neighbour).and_then(|n| n.neighbors.iter().position(|&t| t == number));
            triangles.twins.push(back.map_or(NONE, |j| (neighbour * 3 + (j + 1) % 3) as u32));
        }
    }
    triangles
}

/// Each place once, and for every point the number of its place.
fn welded(points: &[Point]) -> (Vec<Point>, Vec<u32>) {
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    order.sort_unstable_by_key(|&i| (points[i as usize].x, points[i as usize].y));
    let mut places: Vec<Point> = Vec::with_capacity(points.len());
    let mut place_of = vec![0; points.len()];
    for i in order {
        let point = points[i as usize];
        if places.last() != Some(&point) {
            places.push(point);
        }
        place_of[i as usize] = places.len() as u32 - 1;
    }
    (places, place_of)
}
