//! Collects polygons of any shape as contours that can be merged in any order.
//!
//! Each polygon is made regular by itself: a simple polygon is wound positively; a polygon that crosses or
//! touches itself is resolved by an overlay first. Invariant: the stored contours of a polygon wind once
//! around each of its points and not around others. Otherwise two polygons of opposite winding would cancel
//! each other in their union.

use std::ops::Range;

use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay::Overlay;

use super::error::NavMeshError;
use super::units::{Point, UnitRect, area_two, cross, dot, to_units};

/// Polygons with more corners are resolved untested: the test for simple ones takes n² steps, the overlay n
/// log n.
const SIMPLE_TEST_CORNERS_MAX: usize = 24;

/// A set of polygons in pixels: the floor, or the colliders on it.
///
/// Any shape is allowed: convex or not, wound in either direction, crossing itself (by the non-zero rule),
/// overlapping or equal to others. The order does not matter to a bake.
#[derive(Clone, Default, Debug)]
pub struct PolygonSet {
    points: Vec<Point>,
    /// The end of each contour in `points`.
    ends: Vec<u32>,
    polygons: Vec<Polygon>,
}

/// One polygon of a set.
#[derive(Clone, Debug)]
pub(super) struct Polygon {
    contours: Range<u32>,
    pub bounds: UnitRect,
    /// `true` if it fills its bounds.
    pub is_rect: bool,
}

impl PolygonSet {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a polygon by its corners in pixels. Returns `false` if it has no area and was skipped.
    ///
    /// # Errors
    /// If a coordinate is not finite or too far out. Nothing is added then.
    pub fn push<T: Into<f64> + Copy>(&mut self, corners: &[[T; 2]]) -> Result<bool, NavMeshError> {
        let mut contour = Vec::with_capacity(corners.len());
        for &[x, y] in corners {
            let corner = Point::new(to_units(x.into())?, to_units(y.into())?);
            // Rounding can put neighbours onto one point.
            if contour.last() != Some(&corner) {
                contour.push(corner);
            }
        }
        while contour.len() > 1 && contour.first() == contour.last() {
            contour.pop();
        }
        Ok(self.push_contour(contour))
    }

    fn push_contour(&mut self, mut contour: Vec<Point>) -> bool {
        if contour.len() < 3 {
            return false;
        }
        let before = self.ends.len() as u32;
        if contour.len() <= SIMPLE_TEST_CORNERS_MAX && is_simple(&contour) {
            // All simple polygons wind alike, so that unions add and never cancel.
            if area_two(&contour) < 0 {
                contour.reverse();
            }
            self.add(&contour);
        } else {
            for shape in Overlay::from_subj(&contour).simplify_source(&contour, FillRule::NonZero) {
                for part in &shape {
                    self.add(part);
                }
            }
        }
        let contours = before..self.ends.len() as u32;
        if contours.is_empty() {
            return false;
        }
        // Kept, as tiles select polygons by their bounds.
        let bounds = UnitRect::around(&self.points[self.start_of(before)..]);
        // Four corners with the area of their bounds are the corners of the bounds.
        let fills = i64::from(bounds.width()) * i64::from(bounds.height()) * 2 == area_two(&contour);
        self.polygons.push(Polygon { is_rect: contour.len() == 4 && fills, contours, bounds });
        true
    }

    fn add(&mut self, contour: &[Point]) {
        self.points.extend_from_slice(contour);
        self.ends.push(self.points.len() as u32);
    }

    fn start_of(&self, contour: u32) -> usize {
        if contour == 0 { 0 } else { self.ends[contour as usize - 1] as usize }
    }

    /// Number of polygons.
    pub const fn len(&self) -> usize {
        self.polygons.len()
    }

    /// Returns `true` if there is no polygon.
    pub const fn is_empty(&self) -> bool {
        self.polygons.is_empty()
    }

    pub(super) fn polygons(&self) -> &[Polygon] {
        &self.polygons
    }

    /// The contours of a polygon: outer ones wind positively, holes negatively.
    pub(super) fn contours(&self, polygon: &Polygon) -> impl Iterator<Item = &[Point]> {
        polygon.contours.clone().map(|c| &self.points[self.start_of(c)..self.ends[c as usize] as usize])
    }
}

/// Returns `true` if the contour has an area and no two of its sides share more than the corner between
/// neighbours.
fn is_simple(contour: &[Point]) -> bool {
    let n = contour.len();
    let side = |i: usize| (contour[i], contour[(i + 1) % n]);
    for i in 0..n {
        let (a, b) = side(i);
        // A side that folds back onto the one before it shares more than a corner with it.
        let (before, _) = side((i + n - 1) % n);
        if cross(before, a, b) == 0 && dot(a, before, b) > 0 {
            return false;
        }
        for j in i + 2..n {
            let neighbours = i == 0 && j == n - 1;
            let (c, d) = side(j);
            if !neighbours && sides_meet(a, b, c, d) {
                return false;
            }
        }
    }
    area_two(contour) != 0
}

/// Returns `true` if two segments share a point.
pub(super) fn sides_meet(a: Point, b: Point, c: Point, d: Point) -> bool {
    if !UnitRect::around(&[a, b]).touches(UnitRect::around(&[c, d])) {
        return false;
    }
    // Each segment's ends must not lie strictly on one side of the other; the bounds above settle collinear
    // ones.
    let apart = |p: i64, q: i64| p > 0 && q > 0 || p < 0 && q < 0;
    !apart(cross(a, b, c), cross(a, b, d)) && !apart(cross(c, d, a), cross(c, d, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area_of(corners: &[[f64; 2]]) -> f64 {
        let mut set = PolygonSet::new();
        set.push(corners).unwrap();
        let polygons = set.polygons().iter();
        let sum: i64 = polygons.flat_map(|p| set.contours(p)).map(area_two).sum();
        super::super::units::area_px(sum)
    }

    #[test]
    fn every_winding_has_a_positive_area() {
        let square = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
        assert!((area_of(&square) - 4.0).abs() < 1e-9);
        let mut turned = square;
        turned.reverse();
        assert!((area_of(&turned) - 4.0).abs() < 1e-9);
        // A bow tie: its two halves are wound in opposite directions.
        assert!((area_of(&[[0.0, 0.0], [4.0, 4.0], [4.0, 0.0], [0.0, 4.0]]) - 8.0).abs() < 1e-9);
        assert!(area_of(&[[0.0, 0.0], [4.0, 4.0], [0.0, 0.0]]).abs() < 1e-9);
    }

    #[test]
    fn polygons_without_area_are_skipped() {
        let mut set = PolygonSet::new();
        assert_eq!(set.push::<f32>(&[]), Ok(false));
        assert_eq!(set.push(&[[1.0_f32, 1.0]]), Ok(false));
        assert_eq!(set.push(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]), Ok(false));
        assert!(matches!(set.push(&[[0.0, 0.0], [1.0, f64::NAN]]), Err(NavMeshError::NotFinite { .. })));
        assert!(matches!(set.push(&[[0.0, 0.0], [1e9, 0.0]]), Err(NavMeshError::OutOfRange { .. })));
        assert!(set.is_empty());
    }
}
