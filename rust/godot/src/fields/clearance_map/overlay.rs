//! The map's overlay: clearance as heat, and numbers where cells are large enough to read them.

use godot::classes::{CanvasItem, ThemeDb};
use godot::prelude::*;
use pathforge_core::geometry::Cell;
use pathforge_core::world::ClearanceKey;

use super::ClearanceMap;
use crate::map::grid::PathForgeGrid;
use crate::overlay::{self, Numbers, Overlay, Picture, Raster, Shown, palette};

/// Where more cells are on the screen, they have no numbers.
const NUMBERS_MAX: u64 = 8192;

/// What the overlay showed last, and what it shows it with.
#[derive(Default)]
pub struct HeatOverlay {
    raster: Raster,
    shown: Option<Shown<Style>>,
}

/// What is drawn, and how.
#[derive(Clone, PartialEq)]
pub struct Style {
    grid: InstanceId,
    edits: u64,
    key: ClearanceKey,
    numbers: bool,
}

impl Overlay for ClearanceMap {
    type Style = Style;

    fn shown(&mut self) -> &mut Option<Shown<Style>> {
        &mut self.overlay.shown
    }

    fn what_to_show(&mut self) -> Option<Shown<Style>> {
        if !self.debug_enabled {
            return None;
        }
        let grid = self.hear_grid()?;
        let style = Style {
            grid: grid.instance_id(),
            edits: grid.bind().edit_count(),
            key: self.key,
            numbers: self.debug_numbers,
        };
        let region = grid.bind().cell_region();
        Shown::over(&self.to_gd().upcast(), PathForgeGrid::cells_to_global(&grid), region, style)
    }
}

impl ClearanceMap {
    /// Draws, within the engine's call.
    pub(super) fn draw_overlay(&mut self) {
        let (shown, grid) = (self.start_drawing(), self.hear_grid());
        let Some((shown, grid)) = shown.zip(grid) else { return self.overlay.raster.clear() };
        let mut item = self.to_gd().upcast::<CanvasItem>();
        let grid = grid.bind();
        self.overlay.raster.show(item.get_canvas_item(), shown.to_item, &picture(&grid, &shown));
        let has_numbers = shown.style.numbers
            && shown.cell_px >= overlay::NUMBERS_FROM_PX
            && shown.window.area() <= NUMBERS_MAX;
        let font = ThemeDb::singleton().get_fallback_font().filter(|_| has_numbers);
        let Some(font) = font else { return };
        let &Shown { cell_px, scale, .. } = &shown;
        let size = (cell_px * 0.4).clamp(9.0, 20.0).round();
        let values: Vec<u8> = {
            let mut cells = grid.map();
            let (map, region) = cells.clearance_map(shown.style.key);
            let value = |cell: Cell| map.get((cell.x - region.x) as u32, (cell.y - region.y) as u32);
            shown.window.cells().map(value).collect()
        };
        let (color, outline) = (palette::NUMBER, None);
        let mut numbers = Numbers { item: &mut item, font: &font, cell_px, scale, size, color, outline };
        for (cell, value) in shown.window.cells().zip(values).filter(|(_, value)| *value > 0) {
            numbers.draw(shown.to_item * Vector2::new(cell.x as f32 + 0.5, cell.y as f32 + 0.5), value);
        }
        item.draw_set_transform_matrix(Transform2D::IDENTITY);
    }
}

fn picture(grid: &PathForgeGrid, shown: &Shown<Style>) -> Picture {
    let mut cells = grid.map();
    let (map, region) = cells.clearance_map(shown.style.key);
    let heats: Vec<palette::Texel> = (0..=u8::MAX).map(palette::heat).collect();
    Picture::paint(shown.window, |cell| {
        heats[usize::from(map.get((cell.x - region.x) as u32, (cell.y - region.y) as u32))]
    })
}
