//! The map's overlay: influence as heat.

use std::sync::Arc;

use godot::prelude::*;

use super::InfluenceMap;
use crate::map::grid::PathForgeGrid;
use crate::overlay::{Overlay, Picture, Raster, Shown, palette};

/// What the overlay showed last, and what it shows it with.
#[derive(Default)]
pub struct InfluenceOverlay {
    raster: Raster,
    shown: Option<Shown<Style>>,
}

/// What is drawn, and how.
#[derive(Clone, PartialEq)]
pub struct Style {
    changes: u64,
    full: f32,
}

impl Overlay for InfluenceMap {
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
            changes: self.changes,
            full: if self.debug_full_value > 0.0 { self.debug_full_value } else { 1.0 },
        };
        let region = self.map.lock().region();
        let shown =
            Shown::over(&self.to_gd().upcast(), PathForgeGrid::cells_to_global(&grid), region, style)?
                .at_any_zoom();
        (!shown.window.is_empty()).then_some(shown)
    }
}

impl InfluenceMap {
    /// Draws, within the engine's call.
    pub(super) fn draw_overlay(&mut self) {
        let Some(shown) = self.start_drawing() else { return self.overlay.raster.clear() };
        let parent = self.base().get_canvas_item();
        let map = Arc::clone(&self.map);
        let (map, Style { full, .. }) = (map.lock(), shown.style);
        let picture = Picture::paint(shown.window, |cell| palette::influence(map.value(cell) / full));
        self.overlay.raster.show(parent, shown.to_item, &picture);
    }
}
