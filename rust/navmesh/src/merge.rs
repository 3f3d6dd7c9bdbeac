//! Merging: one overlay takes the union of the floor, the union of the colliders, and the difference of both.

use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay::{Overlay, ShapeType};
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::i_shape::flat::buffer::FlatContoursBuffer;

use super::collect::{Polygon, PolygonSet};
use super::rects::joined_rects;
use super::units::{Point, UnitRect};

/// Closed contours one after the other: outer ones wind positively, holes negatively.
pub(super) type Contours = FlatContoursBuffer<i32>;

/// The contours of a buffer.
pub(super) fn contours_of(contours: &Contours) -> impl Iterator<Item = &[Point]> {
    contours.ranges.iter().map(|range| &contours.points[range.clone()])
}

/// Some polygons of a set.
pub(super) struct Selection<'a> {
    set: &'a PolygonSet,
    /// Their indices; `None` for all.
    indices: Option<Vec<u32>>,
}

impl<'a> Selection<'a> {
    pub const fn all(set: &'a PolygonSet) -> Self {
        Self { set, indices: None }
    }

    /// Returns `true` if nothing is selected.
    pub const fn is_empty(&self) -> bool {
        match &self.indices {
            Some(indices) => indices.is_empty(),
            None => self.set.is_empty(),
        }
    }

    /// The selected polygons that touch `window`.
    pub fn within(&self, window: UnitRect) -> Self {
        let touching = self.indices().filter(|&index| self.polygon(index).bounds.touches(window)).collect();
        Self { set: self.set, indices: Some(touching) }
    }

    fn indices(&self) -> impl Iterator<Item = u32> {
        let count = self.indices.as_ref().map_or(self.set.len(), Vec::len) as u32;
        (0..count).map(|i| self.indices.as_ref().map_or(i, |indices| indices[i as usize]))
    }

    fn polygon(&self, index: u32) -> &'a Polygon {
        &self.set.polygons()[index as usize]
    }
}

/// The floor without the colliders.
pub(super) fn free_space(floor: &Selection, colliders: &Selection) -> Contours {
    // Room for the sides that overlays of tile maps have after rectangles were joined; a guess too small
    // costs a copy.
    let mut overlay = Overlay::new(floor.set.len() * 2 + colliders.set.len() * 4);
    add(&mut overlay, floor, ShapeType::Subject);
    add(&mut overlay, colliders, ShapeType::Clip);
    overlaid(overlay, OverlayRule::Difference, FillRule::NonZero)
}

/// The area that an overlay makes of what was added to it.
pub(super) fn overlaid(mut overlay: Overlay<i32>, rule: OverlayRule, fill: FillRule) -> Contours {
    let mut area = Contours::default();
    overlay.overlay_into(rule, fill, &mut area);
    area
}

/// Adds the polygons to the overlay.
fn add(overlay: &mut Overlay<i32>, selection: &Selection, shape_type: ShapeType) {
    let mut rects = Vec::new();
    for polygon in selection.indices().map(|index| selection.polygon(index)) {
        // Most cells of tile maps are rectangles. Joined beforehand, their inner sides never reach the
        // overlay.
        if polygon.is_rect {
            rects.push(polygon.bounds);
        } else {
            for contour in selection.set.contours(polygon) {
                overlay.add_contour(contour, shape_type);
            }
        }
    }
    for contour in joined_rects(rects) {
        overlay.add_contour(&contour, shape_type);
    }
}
