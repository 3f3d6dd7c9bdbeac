//! The map's overlay: influence as heat.

use std::sync::Arc;

use godot::classes::CanvasItem;
use godot::prelude::*;
use pathforge_core::geometry::CellRect;

use super::InfluenceMap;
use crate::overlay::{self, Picture, Raster, View, palette};

/// What the overlay showed last, and what it shows it with.
#[derive(Default)]
pub struct InfluenceOverlay {
    raster: Raster,
    shown: Option<Shown>,
}

/// Everything that the drawing depends on.
#[derive(Clone, PartialEq)]
struct Shown {
    changes: u64,
    window: CellRect,
    /// From cell space to this node's local space.
    to_item: Transform2D,
    full: f32,
    opacity: f32,
}

impl InfluenceMap {
    /// Asks for a new drawing when something that is drawn has changed.
    pub(super) fn refresh_overlay(&mut self) {
        let wanted = self.what_to_show();
        if !overlay::is_drawn(wanted, self.overlay.shown.as_ref(), |shown| &mut shown.window) {
            self.base_mut().queue_redraw();
        }
    }

    /// Draws, within the engine's call.
    pub(super) fn draw_overlay(&mut self) {
        let shown = self.what_to_show().map(|(shown, _)| shown);
        self.overlay.shown.clone_from(&shown);
        let Some(shown) = shown else { return self.overlay.raster.clear() };
        let parent = self.base().get_canvas_item();
        let map = Arc::clone(&self.map);
        let map = map.lock();
        let picture = Picture::paint(shown.window, |cell| {
            palette::influence(map.value(cell) / shown.full, shown.opacity)
        });
        self.overlay.raster.show(parent, shown.to_item, &picture);
    }

    fn what_to_show(&mut self) -> Option<(Shown, View)> {
        if !overlay::is_wanted(self.debug_enabled, self.debug_in_editor) {
            return None;
        }
        let grid = self.hear_grid()?;
        let item = self.to_gd().upcast::<CanvasItem>();
        let from_grid = item.get_global_transform().affine_inverse() * grid.get_global_transform();
        let to_item = from_grid * grid.bind().cell_geometry().transform();
        let region = self.map.lock().region();
        let view = View::of(&item, to_item, region)?;
        let shown = Shown {
            changes: self.changes,
            window: view.window(region),
            to_item,
            full: if self.debug_full_value > 0.0 { self.debug_full_value } else { 1.0 },
            opacity: self.debug_opacity.clamp(0.0, 1.0),
        };
        (!shown.window.is_empty()).then_some((shown, view))
    }
}
