//! The field's overlay: arrows, heat and lines of equal cost.
//!
//! One rectangle whatever the map. Costs and directions go to the graphics card as one texture when the field
//! or the visible part of the map has changed. A shader draws them in the resolution of the screen.

use godot::classes::image::Format;
use godot::classes::{Image, ImageTexture, RenderingServer, Shader, ShaderMaterial};
use godot::prelude::*;
use pathforge_core::field::FlowField as CoreField;
use pathforge_core::geometry::CellRect;

use super::FlowField;
use crate::map::grid::PathForgeGrid;
use crate::overlay::{Item, Overlay, Shown, show_in};

const SHADER: &str = include_str!("field.gdshader");
/// The longest side of the texture; a larger window shows every second, third … cell.
const TEXELS_MAX: i32 = 1024;
/// An arrow is at least so large on the screen, in pixels.
const ARROW_PX: f32 = 15.0;
/// From one line of equal cost to the next on open ground, in pixels, at least.
const CONTOUR_PX: f32 = 44.0;

/// What the shader knows of cells without a direction.
const GOAL: f32 = 8.0;
const NO_WAY: f32 = 15.0;

/// What the overlay showed last, and what it shows it with.
#[derive(Default)]
pub struct FieldOverlay {
    shown: Option<Shown<Style>>,
    item: Item,
    material: Option<Gd<ShaderMaterial>>,
    texture: Option<Gd<ImageTexture>>,
    /// The change of the field and the window that the texture shows.
    texture_of: Option<(u64, CellRect)>,
    cost_span: f32,
}

/// What is drawn, and how.
#[derive(Clone, PartialEq)]
pub struct Style {
    change: u64,
    parts: [bool; 3],
}

impl Overlay for FlowField {
    type Style = Style;

    fn shown(&mut self) -> &mut Option<Shown<Style>> {
        &mut self.overlay.shown
    }

    fn what_to_show(&mut self) -> Option<Shown<Style>> {
        if !self.debug_enabled {
            return None;
        }
        let grid = self.made_for()?;
        let (change, region) = {
            let upkeep = self.upkeep.lock();
            (upkeep.changes(), upkeep.field()?.integration().region())
        };
        let parts = [self.debug_heat, self.debug_contours, self.debug_arrows];
        let style = Style { change, parts };
        let to_global = PathForgeGrid::cells_to_global(&grid);
        let shown = Shown::over(&self.to_gd().upcast(), to_global, region, style)?;
        (!shown.window.is_empty()).then_some(shown)
    }
}

impl FlowField {
    /// Draws, within the engine's call.
    pub(super) fn draw_overlay(&mut self) {
        let shown = self.start_drawing();
        let parent = self.base().get_canvas_item();
        let Self { overlay, upkeep, .. } = self;
        let upkeep = upkeep.lock();
        match shown.zip(upkeep.field()) {
            Some((shown, field)) => overlay.show(parent, &shown, field),
            None => overlay.item.clear(),
        }
    }
}

impl FieldOverlay {
    fn show(&mut self, parent: Rid, shown: &Shown<Style>, field: &CoreField) {
        self.item.clear();
        let cells_per_texel = cells_per_texel(shown.window);
        if self.texture_of != Some((shown.style.change, shown.window)) {
            let Some(span) = self.paint(shown.window, cells_per_texel, field) else { return };
            self.cost_span = span;
            self.texture_of = Some((shown.style.change, shown.window));
        }
        let Some(texture) = self.texture.clone() else { return };
        let mut material = self.material.get_or_insert_with(new_material).clone();
        let size = texture.get_size();
        let texel_px = shown.cell_px * cells_per_texel as f32;
        let mut set = |name: &str, value: Variant| material.set_shader_parameter(name, &value);
        set("field", texture.to_variant());
        set("size", size.to_variant());
        set("texel_px", texel_px.to_variant());
        set("cost_span", self.cost_span.max(1.0).to_variant());
        set("cost_step", round_step(CONTOUR_PX / shown.cell_px).to_variant());
        set("arrow_texels", (ARROW_PX / texel_px).ceil().max(1.0).to_variant());
        for (name, on) in ["has_heat", "has_contours", "has_arrows"].into_iter().zip(shown.style.parts) {
            set(name, on.to_variant());
        }
        let item = self.item.start(parent, |_, _| ());
        let mut server = RenderingServer::singleton();
        server.canvas_item_set_material(item, material.get_rid());
        server.canvas_item_add_set_transform(item, shown.to_item);
        let corner = Vector2::new(shown.window.x as f32, shown.window.y as f32);
        let rect = Rect2::new(corner, size * cells_per_texel as f32);
        server.canvas_item_add_texture_rect(item, rect, texture.get_rid());
    }

    /// Fills the texture; returns the largest cost in it, in cell widths.
    fn paint(&mut self, window: CellRect, cells_per_texel: i32, field: &CoreField) -> Option<f32> {
        let columns = (window.w + cells_per_texel - 1) / cells_per_texel;
        let rows = (window.h + cells_per_texel - 1) / cells_per_texel;
        let mut bytes = Vec::with_capacity((columns * rows * 8) as usize);
        let mut span = 0.0_f32;
        for y in 0..rows {
            let row = (window.x, window.right(), window.y + y * cells_per_texel);
            field.look_along(row, cells_per_texel as usize, |cost, direction| {
                let way = match (cost, direction) {
                    (None, _) => NO_WAY,
                    (Some(_), None) => GOAL,
                    (Some(_), Some(direction)) => f32::from(direction as u8),
                };
                let cost = cost.unwrap_or(-1.0);
                span = span.max(cost);
                bytes.extend_from_slice(&cost.to_le_bytes());
                bytes.extend_from_slice(&way.to_le_bytes());
            });
        }
        let data = PackedByteArray::from(bytes.as_slice());
        let image = Image::create_from_data(columns, rows, false, Format::RGF, &data)?;
        show_in(&mut self.texture, &image);
        Some(span)
    }
}

fn new_material() -> Gd<ShaderMaterial> {
    let mut shader = Shader::new_gd();
    shader.set_code(SHADER);
    let mut material = ShaderMaterial::new_gd();
    material.set_shader(&shader);
    material
}

fn cells_per_texel(window: CellRect) -> i32 {
    ((window.w.max(window.h) + TEXELS_MAX - 1) / TEXELS_MAX).max(1)
}

/// The least of 1, 2, 5, 10, 20, 50 … that is at least `step`.
fn round_step(step: f32) -> f32 {
    let mut round = 1.0;
    for factor in [2.0, 2.5, 2.0].into_iter().cycle() {
        if round >= step || round >= 1e6 {
            break;
        }
        round *= factor;
    }
    round
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        let steps = [0.3, 1.0, 1.1, 2.5, 7.0, 40.0, f32::INFINITY].map(|step| round_step(step) as u32);
        assert_eq!(steps, [1, 1, 2, 5, 10, 50, 1_000_000]);
    }

    #[test]
    fn large_windows_are_thinned_out() {
        assert_eq!(cells_per_texel(CellRect::new(0, 0, 512, 512)), 1);
        assert_eq!(cells_per_texel(CellRect::new(0, 0, 1025, 3)), 2);
    }
}
