//! Collecting: polygons of any shape become contours that can be thrown together.
//!
//! Every polygon is made regular by itself, because two that are wound opposite ways would cancel each other in a
//! joint union: a simple one is wound positively; one that crosses or touches itself is taken apart first. What is
//! stored of a polygon then winds once around each of its points and not at all around others.

use std::ops::Range;

use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay::Overlay;

use super::error::NavMeshError;
use super::units::{Point, UnitRect, area_two, cross, to_units};

/// Polygons with more corners are taken apart without looking whether they are simple, which takes n² steps.
const SIMPLE_TEST_CORNERS_MAX: usize = 24;

/// A heap of polygons in pixels: the floor, or everything that stands on it.
///
/// Any shape is allowed: convex or not, wound either way, crossing itself (what its outline goes around a number of
/// times that is not zero is inside), lying on others or twice the same. The order does not matter to a bake.
#[derive(Clone, Default, Debug)]
pub struct PolygonSet {
    points: Vec<Point>,
    /// Ends of the contours in `points`.
    ends: Vec<u32>,
    polygons: Vec<Polygon>,
    skipped: usize,
}

/// One polygon of a set.
#[derive(Clone, Debug)]
pub(super) struct Polygon {
    contours: Range<u32>,
    pub bounds: UnitRect,
    /// Whether it fills its bounds.
    pub is_rect: bool,
}

impl PolygonSet {
    /// A set without polygons.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a polygon by its corners in pixels and returns whether it counts: one without an area is skipped.
    ///
    /// # Errors
    /// A coordinate that is not finite or too far out. Nothing is added then.
    pub fn push<T: Into<f64> + Copy>(&mut self, corners: &[[T; 2]]) -> Result<bool, NavMeshError> {
        let mut contour = Vec::with_capacity(corners.len());
        for &[x, y] in corners {
            let corner = Point::new(to_units(x.into())?, to_units(y.into())?);
            if contour.last() != Some(&corner) {
                contour.push(corner);
            }
        }
        while contour.len() > 1 && contour.first() == contour.last() {
            contour.pop();
        }
        let counts = self.push_contour(contour);
        self.skipped += usize::from(!counts);
        Ok(counts)
    }

    fn push_contour(&mut self, mut contour: Vec<Point>) -> bool {
        if contour.len() < 3 {
            return false;
        }
        let before = self.ends.len() as u32;
        if contour.len() <= SIMPLE_TEST_CORNERS_MAX && is_simple(&contour) {
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
        let bounds = UnitRect::around(&self.points[self.start_of(before)..]);
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

    /// Number of polygons that count.
    pub const fn len(&self) -> usize {
        self.polygons.len()
    }

    /// Whether no polygon counts.
    pub const fn is_empty(&self) -> bool {
        self.polygons.is_empty()
    }

    /// Number of polygons that were skipped because they have no area.
    pub const fn skipped(&self) -> usize {
        self.skipped
    }

    /// Takes all polygons out and keeps the memory.
    pub fn clear(&mut self) {
        self.points.clear();
        self.ends.clear();
        self.polygons.clear();
        self.skipped = 0;
    }

    pub(super) fn polygons(&self) -> &[Polygon] {
        &self.polygons
    }

    /// The contours of a polygon: outer ones wind positively, holes negatively.
    pub(super) fn contours(&self, polygon: &Polygon) -> impl Iterator<Item = &[Point]> {
        polygon.contours.clone().map(|c| &self.points[self.start_of(c)..self.ends[c as usize] as usize])
    }
}

/// Whether the contour has an area and no two of its sides share more than the corner between neighbours.
fn is_simple(contour: &[Point]) -> bool {
    let n = contour.len();
    let side = |i: usize| (contour[i], contour[(i + 1) % n]);
    for i in 0..n {
        let (a, b) = side(i);
        // A side that folds back onto the one before it.
        let (before, _) = side((i + n - 1) % n);
        if cross(before, a, b) == 0 && super::units::dot(a, before, b) > 0 {
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

/// Whether two segments share a point.
pub(super) fn sides_meet(a: Point, b: Point, c: Point, d: Point) -> bool {
    if !UnitRect::around(&[a, b]).touches(UnitRect::around(&[c, d])) {
        return false;
    }
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
        // A bow tie: its two halves are wound opposite ways.
        assert!((area_of(&[[0.0, 0.0], [4.0, 4.0], [4.0, 0.0], [0.0, 4.0]]) - 8.0).abs() < 1e-9);
        assert!(area_of(&[[0.0, 0.0], [4.0, 4.0], [0.0, 0.0]]).abs() < 1e-9);
    }

    #[test]
    fn nothing_is_kept_of_what_has_no_area() {
        let mut set = PolygonSet::new();
        assert_eq!(set.push::<f32>(&[]), Ok(false));
        assert_eq!(set.push(&[[1.0_f32, 1.0]]), Ok(false));
        assert_eq!(set.push(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]), Ok(false));
        assert!(matches!(set.push(&[[0.0, 0.0], [1.0, f64::NAN]]), Err(NavMeshError::NotFinite { .. })));
        assert!(matches!(set.push(&[[0.0, 0.0], [1e9, 0.0]]), Err(NavMeshError::OutOfRange { .. })));
        assert!(set.is_empty());
        assert_eq!(set.skipped(), 3);
    }
}
