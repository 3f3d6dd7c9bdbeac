//! Which cells are on the screen, and how large.

use godot::classes::CanvasItem;
use godot::prelude::*;
use pathforge_core::geometry::CellRect;

use super::ground;

/// The part of a map that is looked at.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct View {
    /// The cells on the screen; empty when there are none.
    pub cells: CellRect,
    /// The side of a cell on the screen, in pixels.
    pub cell_px: f32,
    /// Pixels on the screen for one unit of the node's local space.
    pub scale: f32,
}

impl View {
    /// What of `region` the screen shows; `to_item` leads from cell space to the local space of `item`.
    /// `None` outside the tree, and when the map is too thin to be seen.
    pub fn of(item: &Gd<CanvasItem>, to_item: Transform2D, region: CellRect) -> Option<Self> {
        let (to_screen, screen) = ground::pixels_of(item)?;
        let cells_to_screen = to_screen * to_item;
        let cell_px = cells_to_screen.determinant().abs().sqrt();
        if !(cell_px.is_finite() && cell_px > 0.0) {
            return None;
        }
        let to_cells = cells_to_screen.affine_inverse();
        Some(Self {
            cells: bounds(to_cells, screen).intersection(region),
            cell_px,
            scale: to_screen.determinant().abs().sqrt(),
        })
    }

    /// The cells to draw, so that a moving camera does not ask for new ones at once: a quarter of the screen
    /// more on each side.
    pub fn window(&self, region: CellRect) -> CellRect {
        let (w, h) = (self.cells.w / 4 + 1, self.cells.h / 4 + 1);
        if self.cells.is_empty() { self.cells } else { self.cells.grown(w, h, w, h).intersection(region) }
    }
}

/// The cells that a rectangle of the screen touches.
fn bounds(to_cells: Transform2D, screen: Rect2) -> CellRect {
    let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
        .map(|(x, y)| to_cells * (screen.position + screen.size * Vector2::new(x, y)));
    let least = corners.into_iter().reduce(Vector2::coord_min).unwrap_or_default().floor();
    let most = corners.into_iter().reduce(Vector2::coord_max).unwrap_or_default().ceil();
    // Far beyond any region, so that sums stay in range.
    let limit = |value: f32| value.clamp(-1e9, 1e9) as i32;
    let (x, y) = (limit(least.x), limit(least.y));
    CellRect::new(x, y, limit(most.x) - x, limit(most.y) - y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::geometry::CellGeometry;

    #[test]
    fn a_screen_touches_the_cells_under_it() {
        let geometry = CellGeometry::default();
        let to_cells = geometry.transform().affine_inverse();
        let screen = Rect2::new(Vector2::new(-8.0, 16.0), Vector2::new(40.0, 20.0));
        assert_eq!(bounds(to_cells, screen), CellRect::new(-1, 1, 3, 2));
    }
}
