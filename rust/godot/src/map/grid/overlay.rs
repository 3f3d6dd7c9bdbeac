//! The grid's overlay: solid, one-way and slow cells, terrain, edges, links, lines, and the last path with its
//! footprints.

use godot::classes::CanvasItem;
use godot::prelude::*;
use pathforge_core::geometry::{CellRect, Footprint};
use pathforge_core::path::{Route, covered_rows};
use pathforge_core::world::PathOutcome;

use super::PathForgeGrid;
use super::sketch::Sketch;
use super::tool_view::ToolView;
use crate::overlay::{self, Overlay, Picture, Raster, Shown, edges, links, palette};
use crate::script::geometry::CellGeometry;
use crate::script::profile::Asker;

/// What the overlay showed last, and what it shows it with.
pub struct GridOverlay {
    raster: Raster,
    /// What the editor's toolbar shows instead.
    tool_raster: Raster,
    shown: Option<Shown<Style>>,
    path: Option<LastPath>,
    /// The last explanation, unless a path was asked for since.
    pub(super) sketch: Option<Sketch>,
    /// Counts the paths.
    paths: u64,
}

impl Default for GridOverlay {
    fn default() -> Self {
        Self {
            raster: Raster::default(),
            tool_raster: Raster::on_top(),
            shown: None,
            path: None,
            sketch: None,
            paths: 0,
        }
    }
}

/// The last path that was asked for.
#[derive(Clone)]
struct LastPath {
    route: Route,
    footprint: Footprint,
}

/// What is drawn, and how.
#[derive(Clone, PartialEq)]
pub struct Style {
    pub geometry: CellGeometry,
    edits: u64,
    pub region: CellRect,
    paths: u64,
    cells: bool,
    path: bool,
    view: ToolView,
}

impl Overlay for PathForgeGrid {
    type Style = Style;

    fn shown(&mut self) -> &mut Option<Shown<Style>> {
        &mut self.overlay.shown
    }

    fn what_to_show(&mut self) -> Option<Shown<Style>> {
        if !self.shows_overlay() {
            return None;
        }
        let (region, geometry, mode, edits) = {
            let map = self.map.lock();
            (map.world.terrain().region(), map.geometry, map.mode, map.edits.count())
        };
        let style = Style {
            geometry,
            edits,
            region,
            paths: self.overlay.paths,
            cells: self.debug_cells,
            path: self.debug_path,
            // The profile and the grid's mode can have changed since it was chosen.
            view: self.tool_view.seen_by(&Asker::of(&self.tool_profile, mode).profile),
        };
        Shown::of(&self.to_gd().upcast(), geometry.transform(), region, style)
    }
}

impl PathForgeGrid {
    /// Returns `true` if the overlay is switched on here.
    pub(super) fn shows_overlay(&self) -> bool {
        match self.tool_view {
            ToolView::Own => overlay::is_wanted(self.debug_enabled, self.debug_in_editor),
            view => view != ToolView::Nothing,
        }
    }

    /// Remembers a path for the overlay.
    pub(super) fn note_path(&mut self, outcome: &PathOutcome, footprint: Footprint) {
        if self.debug_path && self.shows_overlay() {
            self.overlay.sketch = None;
            self.overlay.path = Some(LastPath { route: outcome.route.clone(), footprint });
            self.overlay.paths += 1;
            self.redraw_soon();
        }
    }

    /// Asks for a new drawing, where the engine takes such a wish.
    pub(super) fn redraw_soon(&mut self) {
        if self.overlay.shown.is_some() && godot::init::is_main_thread() {
            self.base_mut().queue_redraw();
        }
    }

    /// Draws, within the engine's call.
    pub(super) fn draw_overlay(&mut self) {
        let Some(shown) = self.start_drawing() else {
            self.overlay.raster.clear();
            self.overlay.tool_raster.clear();
            return;
        };
        let mut item = self.to_gd().upcast::<CanvasItem>();
        let parent = item.get_canvas_item();
        shown.style.view.draw(&mut self.overlay.tool_raster, parent, &mut self.map.lock().world, &shown);
        if shown.style.view != ToolView::Own {
            self.overlay.raster.clear();
            return;
        }
        if shown.style.cells {
            self.draw_cells(&item, &shown);
            draw_grid_lines(&mut item, &shown);
            let drawn = self.drawn_edges(&shown);
            edges::draw(&mut item, &drawn, 1.0 / shown.scale);
            let drawn = {
                let map = self.map.lock();
                links::of(map.world.terrain(), &shown.style.geometry, shown.window)
            };
            links::draw(&mut item, &drawn, 1.0 / shown.scale);
        } else {
            self.overlay.raster.clear();
        }
        let path = self.overlay.path.clone().filter(|_| shown.style.path);
        if let Some(path) = path {
            draw_path(&mut item, &shown, &path);
        }
        if let Some(sketch) = self.overlay.sketch.as_ref().filter(|_| shown.style.path) {
            sketch.draw(&mut item, &shown.style.geometry, shown.scale);
        }
    }

    /// The blocked edges in view, where cells are large enough to tell them apart.
    fn drawn_edges(&self, shown: &Shown<Style>) -> edges::Drawn {
        let map = self.map.lock();
        if shown.cell_px < overlay::EDGES_FROM_PX {
            return edges::Drawn::default();
        }
        edges::Drawn::of(map.world.terrain(), &shown.style.geometry, shown.window, shown.cell_px)
    }

    fn draw_cells(&mut self, item: &Gd<CanvasItem>, shown: &Shown<Style>) {
        let map = self.map.lock();
        let terrain = map.world.terrain();
        let (solid, one_way) = (palette::texel(palette::SOLID), palette::texel(palette::ONE_WAY));
        let picture = Picture::paint(shown.window, |cell| {
            if terrain.is_solid(cell) {
                solid
            } else if terrain.is_blocked(cell, &pathforge_core::terrain::IgnoredObstacles::NONE) {
                palette::OBSTACLE
            } else if terrain.is_one_way(cell) {
                one_way
            } else {
                palette::ground(terrain.terrain(cell), terrain.weight(cell))
            }
        });
        self.overlay.raster.show(item.get_canvas_item(), shown.to_item, &picture);
    }
}

fn draw_grid_lines(item: &mut Gd<CanvasItem>, shown: &Shown<Style>) {
    if shown.style.region.is_empty() {
        return;
    }
    let Shown { scale, style: Style { geometry, region, .. }, .. } = shown;
    if shown.cell_px >= overlay::LINES_FROM_PX {
        overlay::draw_lines(item, geometry, shown.window, palette::LINE);
    }
    overlay::draw_outline(item, geometry, *region, palette::BORDER, 2.0 / scale);
}

/// The cells that the body covers, its outline at both ends, and its centre's path, with round joins.
fn draw_path(item: &mut Gd<CanvasItem>, shown: &Shown<Style>, path: &LastPath) {
    let Shown { scale, style: Style { geometry, .. }, .. } = shown;
    let color = palette::PATH;
    item.draw_set_transform_matrix(geometry.transform());
    for run in covered_rows(&path.route, path.footprint) {
        item.draw_rect(overlay::rect(run), color.with_alpha(0.16));
    }
    item.draw_set_transform_matrix(Transform2D::IDENTITY);
    let waypoints = path.route.waypoints();
    for end in [waypoints.first(), waypoints.last()].into_iter().flatten() {
        let body = path.footprint.at(*end);
        overlay::draw_outline(item, geometry, body, color.with_alpha(0.8), 1.5 / scale);
    }
    let width = 3.0 / scale;
    let centers: PackedVector2Array =
        waypoints.iter().map(|&anchor| geometry.footprint_center(anchor, path.footprint)).collect();
    // What is walked between links, then the links.
    let mut first = 0;
    for end in path.route.links().iter().map(|link| link.place).chain([centers.len()]) {
        let walk = PackedVector2Array::from(&centers.as_slice()[first..end]);
        if walk.len() > 1 {
            item.draw_polyline_ex(&walk, color).width(width).antialiased(true).done();
        }
        first = end;
    }
    for link in path.route.links() {
        let [from, to] = [link.place - 1, link.place].map(|place| centers.as_slice()[place]);
        item.draw_dashed_line_ex(from, to, color).width(width).dash(8.0 / scale).done();
    }
    for (index, center) in centers.as_slice().iter().enumerate() {
        let is_end = index == 0 || index + 1 == centers.len();
        let radius = if is_end { width * 1.7 } else { width / 2.0 };
        item.draw_circle_ex(*center, radius, color).antialiased(true).done();
    }
}
