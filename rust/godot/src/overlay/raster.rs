//! Cells as one texture, stretched over the map with hard edges.

use godot::classes::image::Format;
use godot::classes::{Image, ImageTexture, RenderingServer};
use godot::prelude::*;
use pathforge_core::geometry::{Cell, CellRect};

use super::palette::Texel;
use super::{Item, show_in};

/// The longest side of a texture; a larger window shows every second, third … cell.
const SIDE_MAX: i32 = 1024;
/// The highest place that the engine draws at.
const Z_MAX: i32 = 4096;

/// Cells behind a node, or over everything else in its canvas.
#[derive(Default)]
pub struct Raster {
    item: Item,
    is_on_top: bool,
    texture: Option<Gd<ImageTexture>>,
}

/// Texels of a window of cells.
pub struct Picture {
    window: CellRect,
    /// Cells for each texel, both ways.
    step: i32,
    size: Vector2i,
    texels: Vec<u8>,
}

impl Picture {
    /// Asks `color` for the texel of every cell of `window`, or of every so many when there are too many.
    pub fn paint(window: CellRect, mut color: impl FnMut(Cell) -> Texel) -> Self {
        let step = Self::step_of(window);
        let (columns, rows) = ((window.w + step - 1) / step, (window.h + step - 1) / step);
        let mut texels = Vec::with_capacity((columns * rows * 4) as usize);
        for y in 0..rows {
            for x in 0..columns {
                texels.extend(color(Cell::new(window.x + x * step, window.y + y * step)));
            }
        }
        Self { window, step, size: Vector2i::new(columns, rows), texels }
    }

    /// How many cells of such a window share a texel, each way; the first of them is shown.
    pub fn step_of(window: CellRect) -> i32 {
        ((window.w.max(window.h) + SIDE_MAX - 1) / SIDE_MAX).max(1)
    }
}

impl Raster {
    /// A raster that lies over everything else in the canvas.
    pub fn on_top() -> Self {
        Self { is_on_top: true, ..Self::default() }
    }

    /// Shows `picture` behind `parent`; `to_parent` leads from cell space to its local space.
    pub fn show(&mut self, parent: Rid, to_parent: Transform2D, picture: &Picture) {
        self.clear();
        let Vector2i { x: w, y: h } = picture.size;
        let data = PackedByteArray::from(picture.texels.as_slice());
        let Some(image) =
            (w > 0 && h > 0).then(|| Image::create_from_data(w, h, false, Format::RGBA8, &data)).flatten()
        else {
            return;
        };
        let texture = show_in(&mut self.texture, &image).get_rid();
        let is_on_top = self.is_on_top;
        let item = self.item.start(parent, |server, item| {
            if is_on_top {
                server.canvas_item_set_z_index(item, Z_MAX);
                server.canvas_item_set_z_as_relative_to_parent(item, false);
            } else {
                server.canvas_item_set_draw_behind_parent(item, true);
            }
        });
        let mut server = RenderingServer::singleton();
        server.canvas_item_add_set_transform(item, to_parent);
        let corner = Vector2::new(picture.window.x as f32, picture.window.y as f32);
        let size = Vector2::new((w * picture.step) as f32, (h * picture.step) as f32);
        server.canvas_item_add_texture_rect(item, Rect2::new(corner, size), texture);
    }

    /// Adds lines, from each first to each second point of the parent's local space, one pixel wide.
    pub fn add_lines(&self, points: &PackedVector2Array, color: Color) {
        let Some(item) = self.item.get().filter(|_| !points.is_empty()) else { return };
        let mut server = RenderingServer::singleton();
        server.canvas_item_add_set_transform(item, Transform2D::IDENTITY);
        server.canvas_item_add_multiline(item, points, &PackedColorArray::from([color]));
    }

    /// The same, `width` wide.
    pub fn add_wide_lines(&self, points: &PackedVector2Array, color: Color, width: f32) {
        let Some(item) = self.item.get().filter(|_| !points.is_empty()) else { return };
        let mut server = RenderingServer::singleton();
        server.canvas_item_add_set_transform(item, Transform2D::IDENTITY);
        let colors = PackedColorArray::from([color]);
        server.canvas_item_add_multiline_ex(item, points, &colors).width(width).done();
    }

    /// Adds a line through points of the parent's local space.
    pub fn add_outline(&self, points: &PackedVector2Array, color: Color, width: f32) {
        let Some(item) = self.item.get() else { return };
        let mut server = RenderingServer::singleton();
        server.canvas_item_add_set_transform(item, Transform2D::IDENTITY);
        let colors = PackedColorArray::from([color]);
        server.canvas_item_add_polyline_ex(item, points, &colors).width(width).antialiased(true).done();
    }

    /// Shows nothing.
    pub fn clear(&mut self) {
        self.item.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_window_is_thinned_out() {
        let mut asked = 0;
        let picture = Picture::paint(CellRect::new(-5, 0, 4100, 10), |_| {
            asked += 1;
            [1, 2, 3, 4]
        });
        assert_eq!((picture.step, picture.size), (5, Vector2i::new(820, 2)));
        assert_eq!(picture.texels.len(), asked * 4);
    }
}
