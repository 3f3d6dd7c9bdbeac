//! Numbers in cells.

use godot::classes::{CanvasItem, Font};
use godot::global::HorizontalAlignment;
use godot::prelude::*;

/// Draws numbers in the middle of cells, in pixels of the screen, whatever the zoom.
pub struct Numbers<'a> {
    pub item: &'a mut Gd<CanvasItem>,
    pub font: &'a Gd<Font>,
    /// The side of a cell on the screen, in pixels.
    pub cell_px: f32,
    /// Pixels on the screen for one unit of the item's space.
    pub scale: f32,
    /// The height of the text in pixels.
    pub size: f32,
    pub color: Color,
    pub outline: Option<Color>,
}

impl Numbers<'_> {
    /// Draws a number at `center`, in the item's space.
    pub fn draw(&mut self, center: Vector2, number: impl ToString) {
        let Self { item, font, cell_px, scale, size, color, outline } = self;
        item.draw_set_transform_ex(center).scale(Vector2::ONE / *scale).done();
        let (text, corner) = (number.to_string(), Vector2::new(-*cell_px / 2.0, *size * 0.36));
        if let Some(outline) = outline {
            item.draw_string_outline_ex(*font, corner, &text)
                .alignment(HorizontalAlignment::CENTER)
                .width(*cell_px)
                .font_size(*size as i32)
                .size((*size * 0.4) as i32)
                .modulate(*outline)
                .done();
        }
        item.draw_string_ex(*font, corner, &text)
            .alignment(HorizontalAlignment::CENTER)
            .width(*cell_px)
            .font_size(*size as i32)
            .modulate(*color)
            .done();
    }
}
