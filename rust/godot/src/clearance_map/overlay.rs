//! The map's overlay: clearance as heat, and numbers where cells are large enough to read them.

use godot::classes::{CanvasItem, Font, ThemeDb};
use godot::global::HorizontalAlignment;
use godot::prelude::*;
use pathforge_core::geometry::CellRect;
use pathforge_core::world::ClearanceKey;

use super::ClearanceMap;
use crate::grid::PathForgeGrid;
use crate::overlay::{self, Picture, Raster, View, palette};

/// What the overlay showed last, and what it shows it with.
#[derive(Default)]
pub struct HeatOverlay {
    raster: Raster,
    shown: Option<Shown>,
}

/// Everything that the drawing depends on.
#[derive(Clone, PartialEq)]
struct Shown {
    grid: InstanceId,
    edits: u64,
    key: ClearanceKey,
    window: CellRect,
    region: CellRect,
    /// From cell space to this node's local space.
    to_item: Transform2D,
    cell_px: f32,
    scale: f32,
    numbers: bool,
    opacity: f32,
}

/// A number to draw, and where.
struct Number {
    center: Vector2,
    value: u8,
}

impl ClearanceMap {
    /// Asks for a new drawing when something that is drawn has changed.
    pub(super) fn refresh_overlay(&mut self) {
        let wanted = self.what_to_show();
        if !overlay::is_drawn(wanted, self.overlay.shown.as_ref(), |shown| &mut shown.window) {
            self.base_mut().queue_redraw();
        }
    }

    /// Draws, within the engine's call.
    pub(super) fn draw_overlay(&mut self) {
        self.overlay.shown = self.what_to_show().map(|(shown, _)| shown);
        let grid = self.hear_grid();
        let (Some(shown), Some(grid)) = (self.overlay.shown.clone(), grid) else {
            self.overlay.raster.clear();
            return;
        };
        let mut item = self.to_gd().upcast::<CanvasItem>();
        let numbers = {
            let grid = grid.bind();
            let picture = picture(&grid, &shown);
            self.overlay.raster.show(item.get_canvas_item(), shown.to_item, &picture);
            if shown.numbers && shown.window.area() <= self.debug_max_numbers.max(0) as u64 {
                numbers(&grid, &shown)
            } else {
                Vec::new()
            }
        };
        if let Some(font) = ThemeDb::singleton().get_fallback_font() {
            draw_numbers(&mut item, &font, &shown, &numbers);
        }
    }

    fn what_to_show(&mut self) -> Option<(Shown, View)> {
        if !overlay::is_wanted(self.debug_enabled, self.debug_in_editor) {
            return None;
        }
        let grid = self.hear_grid()?;
        let item = self.to_gd().upcast::<CanvasItem>();
        let from_grid = item.get_global_transform().affine_inverse() * grid.get_global_transform();
        let grid_state = grid.bind();
        let region = grid_state.cell_region();
        let to_item = from_grid * grid_state.cell_geometry().transform();
        let view = View::of(&item, to_item, region)?;
        let shown = Shown {
            grid: grid.instance_id(),
            edits: grid_state.edit_count(),
            key: self.key,
            window: view.window(region),
            region,
            to_item,
            cell_px: view.cell_px,
            scale: view.scale,
            numbers: self.debug_numbers && view.cell_px >= overlay::NUMBERS_FROM_PX,
            opacity: self.debug_opacity.clamp(0.0, 1.0),
        };
        Some((shown, view))
    }
}

fn picture(grid: &PathForgeGrid, shown: &Shown) -> Picture {
    let mut cells = grid.map();
    let (map, region) = cells.clearance_map(shown.key);
    let heats: Vec<palette::Texel> = (0..=u8::MAX)
        .map(|value| {
            let [r, g, b, a] = palette::heat(value);
            [r, g, b, (f32::from(a) * shown.opacity) as u8]
        })
        .collect();
    Picture::paint(shown.window, |cell| {
        heats[usize::from(map.get((cell.x - region.x) as u32, (cell.y - region.y) as u32))]
    })
}

fn numbers(grid: &PathForgeGrid, shown: &Shown) -> Vec<Number> {
    let mut cells = grid.map();
    let (map, region) = cells.clearance_map(shown.key);
    let number = |cell: pathforge_core::geometry::Cell| {
        let value = map.get((cell.x - region.x) as u32, (cell.y - region.y) as u32);
        let center = shown.to_item * Vector2::new(cell.x as f32 + 0.5, cell.y as f32 + 0.5);
        (value > 0).then_some(Number { center, value })
    };
    shown.window.cells().filter_map(number).collect()
}

fn draw_numbers(item: &mut Gd<CanvasItem>, font: &Gd<Font>, shown: &Shown, numbers: &[Number]) {
    let size = (shown.cell_px * 0.4).clamp(9.0, 20.0).round();
    let scale = Vector2::ONE / shown.scale;
    for number in numbers {
        // Text is drawn in pixels of the screen, whatever the zoom.
        item.draw_set_transform_ex(number.center).scale(scale).done();
        item.draw_string_ex(font, Vector2::new(-shown.cell_px / 2.0, size * 0.36), &number.value.to_string())
            .alignment(HorizontalAlignment::CENTER)
            .width(shown.cell_px)
            .font_size(size as i32)
            .modulate(palette::NUMBER)
            .done();
    }
    item.draw_set_transform_matrix(Transform2D::IDENTITY);
}
