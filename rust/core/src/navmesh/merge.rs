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
pub(super) fn each(contours: &Contours) -> impl Iterator<Item = &[Point]> {
    contours.ranges.iter().map(|range| &contours.points[range.clone()])
}

/// Some polygons of a set, by their places in it.
#[derive(Clone, Copy)]
pub(super) struct Selection<'a> {
    pub set: &'a PolygonSet,
    /// `None` for all.
    pub places: Option<&'a [u32]>,
}

impl<'a> Selection<'a> {
    pub const fn all(set: &'a PolygonSet) -> Self {
        Self { set, places: None }
    }

    pub fn polygons(self) -> impl Iterator<Item = &'a Polygon> {
        let count = self.places.map_or(self.set.len(), <[u32]>::len);
        (0..count).map(move |i| &self.set.polygons()[self.places.map_or(i, |places| places[i] as usize)])
    }

    /// The places of those that touch `window`.
    pub fn within(self, window: UnitRect) -> Vec<u32> {
        let count = self.places.map_or(self.set.len(), <[u32]>::len);
        (0..count)
            .map(|i| self.places.map_or(i as u32, |places| places[i]))
            .filter(|&place| self.set.polygons()[place as usize].bounds.touches(window))
            .collect()
    }
}

/// The floor without the colliders.
pub(super) fn free_space(floor: Selection, colliders: Selection) -> Contours {
    let mut overlay = Overlay::new(floor.set.len() * 2 + colliders.set.len() * 4);
    let mut free = Contours::default();
    add(&mut overlay, floor, ShapeType::Subject);
    add(&mut overlay, colliders, ShapeType::Clip);
    overlay.overlay_into(OverlayRule::Difference, FillRule::NonZero, &mut free);
    free
}

/// The polygons of one selection as one area.
pub(super) fn union(selection: Selection) -> Contours {
    let mut overlay = Overlay::new(selection.set.len() * 4);
    let mut merged = Contours::default();
    add(&mut overlay, selection, ShapeType::Subject);
    overlay.overlay_into(OverlayRule::Subject, FillRule::NonZero, &mut merged);
    merged
}

/// Adds the polygons. Rectangles, which most tiles are, are joined to larger ones first.
fn add(overlay: &mut Overlay<i32>, selection: Selection, shape_type: ShapeType) {
    let mut rects = Vec::new();
    for polygon in selection.polygons() {
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
