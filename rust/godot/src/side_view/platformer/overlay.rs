//! The overlay: the last path with its jump values and the body's outline at key points, and what a search
//! reached.

use godot::classes::{CanvasItem, Font, ThemeDb};
use godot::prelude::*;
use pathforge_core::geometry::{Cell, Footprint};
use pathforge_platformer::{PlatformerOutcome, PlatformerPath};

use super::PathForgePlatformer;
use crate::answers::trip::Jumper;
use crate::engine::state;
use crate::overlay::{self, Numbers, Overlay, Picture, Raster, Shown, palette};
use crate::script::geometry::CellGeometry;

/// Reached cells.
const REACHED: Color = Color::from_rgba(0.23, 0.55, 0.66, 0.30);
/// Round numbers, so that they are legible over the path.
const OUTLINE: Color = Color::from_rgba(0.05, 0.07, 0.10, 0.9);
/// Longer paths have no numbers.
const NUMBERS_MAX: usize = 2048;

/// What the overlay showed last, and what it shows it with.
#[derive(Default)]
pub struct JumpOverlay {
    raster: Raster,
    shown: Option<Shown<Style>>,
    path: PlatformerPath,
    footprint: Footprint,
    reached: Vec<Cell>,
    /// Counts the paths.
    paths: u64,
}

/// What is drawn, and how.
#[derive(Clone, PartialEq)]
pub struct Style {
    geometry: CellGeometry,
    /// From the grid's local space to the node's.
    from_grid: Transform2D,
    paths: u64,
    states: bool,
}

impl Overlay for PathForgePlatformer {
    type Style = Style;

    fn shown(&mut self) -> &mut Option<Shown<Style>> {
        &mut self.overlay.shown
    }

    fn what_to_show(&mut self) -> Option<Shown<Style>> {
        if !self.debug_enabled || !self.base().is_inside_tree() {
            return None;
        }
        let mut grid = self.resolved_grid()?;
        let (region, geometry) = {
            let map = state::of(&grid);
            let map = map.lock();
            (map.world.terrain().region(), map.geometry)
        };
        let item = self.to_gd().upcast::<CanvasItem>();
        let from_grid = item.get_global_transform().affine_inverse() * grid.bind_mut().global_transform();
        let (paths, states) = (self.overlay.paths, self.debug_states);
        let style = Style { geometry, from_grid, paths, states };
        Shown::of(&item, from_grid * geometry.transform(), region, style)
    }
}

impl PathForgePlatformer {
    /// Remembers a path for the overlay.
    pub(super) fn note_path(&mut self, outcome: &PlatformerOutcome, jumper: &Jumper) {
        if !self.debug_enabled {
            return;
        }
        self.overlay.path = outcome.path.clone();
        self.overlay.footprint = jumper.profile.footprint;
        self.overlay.reached = if self.debug_states { self.reached() } else { Vec::new() };
        self.overlay.paths += 1;
    }

    /// Draws, within the engine's call.
    pub(super) fn draw_overlay(&mut self) {
        let Some(shown) = self.start_drawing() else { return self.overlay.raster.clear() };
        let mut item = self.to_gd().upcast::<CanvasItem>();
        self.draw_states(&item, &shown);
        item.draw_set_transform_matrix(shown.style.from_grid);
        self.draw_path(&mut item, &shown);
        let font = ThemeDb::singleton().get_fallback_font();
        let many = self.overlay.path.cells.len() > NUMBERS_MAX;
        if let Some(font) = font.filter(|_| !many && shown.cell_px >= overlay::NUMBERS_FROM_PX) {
            self.draw_values(&mut item, &font, &shown);
        }
        item.draw_set_transform_matrix(Transform2D::IDENTITY);
    }

    fn draw_states(&mut self, item: &Gd<CanvasItem>, shown: &Shown<Style>) {
        if !shown.style.states {
            self.overlay.raster.clear();
            return;
        }
        let reached: std::collections::HashSet<(i32, i32)> =
            self.overlay.reached.iter().map(|cell| (cell.x, cell.y)).collect();
        let color = palette::texel(REACHED);
        let picture = Picture::paint(shown.window, |cell| {
            if reached.contains(&(cell.x, cell.y)) { color } else { palette::CLEAR }
        });
        self.overlay.raster.show(item.get_canvas_item(), shown.to_item, &picture);
    }

    /// The path of the body's centre, and its outline at the key points.
    fn draw_path(&self, item: &mut Gd<CanvasItem>, shown: &Shown<Style>) {
        let JumpOverlay { path, footprint, .. } = &self.overlay;
        for point in &path.key_points {
            let body = footprint.at(path.cells[point.index]);
            let color = palette::PATH.with_alpha(0.7);
            overlay::draw_outline(item, &shown.style.geometry, body, color, 1.5 / shown.scale);
        }
        let width = 3.0 / shown.scale;
        let center = |&cell: &Cell| shown.style.geometry.footprint_center(cell, *footprint);
        let centers: PackedVector2Array = path.cells.iter().map(center).collect();
        if centers.len() > 1 {
            item.draw_polyline_ex(&centers, palette::PATH).width(width).antialiased(true).done();
        }
        for point in &path.key_points {
            let place = center(&path.cells[point.index]);
            item.draw_circle_ex(place, width * 1.3, palette::PATH).antialiased(true).done();
        }
    }

    /// The jump value in the body's top-left cell, off the ground and where it leaves and meets it: on the
    /// ground it is 0.
    fn draw_values(&self, item: &mut Gd<CanvasItem>, font: &Gd<Font>, shown: &Shown<Style>) {
        let path = &self.overlay.path;
        let size = (shown.cell_px * 0.5).clamp(10.0, 20.0).round();
        let &Shown { cell_px, scale, .. } = shown;
        let (color, outline) = (Color::WHITE, Some(OUTLINE));
        let mut numbers = Numbers { item, font, cell_px, scale, size, color, outline };
        let is_plain = |at: usize| {
            let near = at.saturating_sub(1)..=(at + 1).min(path.cells.len() - 1);
            path.jump_values[near].iter().all(|&value| value == 0)
        };
        for at in (0..path.cells.len()).filter(|&at| !is_plain(at)) {
            let center =
                shown.style.from_grid * shown.style.geometry.footprint_center(path.cells[at], Footprint::ONE);
            numbers.draw(center, path.jump_values[at]);
        }
    }
}
