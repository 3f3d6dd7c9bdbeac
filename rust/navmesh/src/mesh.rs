//! A baked mesh: outlines and convex polygons.

use i_overlay::i_shape::int::shape::IntShapes;

use super::convex::{Polygons, joined};
use super::error::EmptyReason;
use super::merge::Contours;
use super::triangulate::{shapes, triangulated};
use super::units::{Point, area_px, area_two, to_px};

/// The area in which the centre of an agent may be, in pixels, as a navigation region takes it.
///
/// Solid outlines and all polygons are wound as x turns to y, which `Geometry2D.is_polygon_clockwise` calls
/// not clockwise; holes counterclockwise.
///
/// ```
/// use pathforge_navmesh::{BakeSettings, Corner, PolygonSet, bake};
///
/// let (mut floor, mut colliders) = (PolygonSet::new(), PolygonSet::new());
/// floor.push(&[[0.0, 0.0], [100.0, 0.0], [100.0, 100.0], [0.0, 100.0]])?;
/// colliders.push(&[[40.0, 40.0], [60.0, 40.0], [60.0, 60.0], [40.0, 60.0]])?;
/// let mesh = bake(&floor, &colliders, &BakeSettings::new([5.0, 5.0], Corner::Box)?);
/// assert!((mesh.area_px() - (90.0 * 90.0 - 30.0 * 30.0)).abs() < 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Default, Debug)]
pub struct NavMesh {
    vertices: Vec<[f32; 2]>,
    polygons: Polygons,
    outlines: Vec<Outline>,
    area_px: f64,
    reason: Option<EmptyReason>,
}

/// A closed line around a solid or around a hole in it.
#[derive(Clone, PartialEq, Debug)]
pub struct Outline {
    /// The corners in pixels; the last is joined to the first.
    pub points: Vec<[f32; 2]>,
    /// `true` if the free side is outside.
    pub is_hole: bool,
}

impl Outline {
    pub(super) fn new(contour: &[Point]) -> Self {
        Self { points: contour.iter().copied().map(to_px).collect(), is_hole: area_two(contour) < 0 }
    }
}

impl NavMesh {
    /// An empty mesh.
    pub(super) fn empty(reason: EmptyReason) -> Self {
        Self { reason: Some(reason), ..Self::default() }
    }

    /// The mesh of simplified contours.
    pub(super) fn from_contours(contours: &Contours) -> Self {
        let shapes = shapes(contours);
        let triangles = triangulated(&shapes);
        let polygons = joined(&triangles);
        let mesh = Self::from_parts(&triangles.points, polygons, &shapes);
        // Joining and welding must lose nothing; exact, since areas are integers.
        debug_assert!(mesh.polygons_cover(&triangles.points, &shapes));
        mesh
    }

    pub(super) fn from_parts(points: &[Point], polygons: Polygons, shapes: &IntShapes<i32>) -> Self {
        let contours = || shapes.iter().flatten();
        Self {
            vertices: points.iter().copied().map(to_px).collect(),
            // Floor was left, so only the agent can be too large for it.
            reason: polygons.ends.is_empty().then_some(EmptyReason::AgentTooLarge),
            polygons,
            outlines: contours().map(|c| Outline::new(c)).collect(),
            area_px: area_px(contours().map(|c| area_two(c)).sum()),
        }
    }

    /// Returns `true` if the polygons have the same area as the outlines.
    fn polygons_cover(&self, points: &[Point], shapes: &IntShapes<i32>) -> bool {
        let outlined: i64 = shapes.iter().flatten().map(|c| area_two(c)).sum();
        let covered: i64 = self
            .polygons()
            .map(|polygon| area_two(&polygon.iter().map(|&i| points[i as usize]).collect::<Vec<_>>()))
            .sum();
        outlined == covered
    }

    /// The corners of all polygons in pixels, without duplicates.
    pub fn vertices(&self) -> &[[f32; 2]] {
        &self.vertices
    }

    /// The convex polygons as indices in [`NavMesh::vertices`]. Neighbours share whole edges, so a corner can
    /// lie on a straight line.
    pub fn polygons(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        let ends = &self.polygons.ends;
        (0..ends.len()).map(move |i| {
            let start = if i == 0 { 0 } else { ends[i - 1] };
            &self.polygons.corners[start as usize..ends[i] as usize]
        })
    }

    /// The outlines: each solid is followed by its holes.
    pub fn outlines(&self) -> &[Outline] {
        &self.outlines
    }

    /// The area in square pixels.
    pub const fn area_px(&self) -> f64 {
        self.area_px
    }

    /// Returns `true` if there is no polygon.
    pub const fn is_empty(&self) -> bool {
        self.polygons.ends.is_empty()
    }

    /// Why there is no polygon; `None` if there is one.
    pub const fn empty_reason(&self) -> Option<EmptyReason> {
        self.reason
    }
}
