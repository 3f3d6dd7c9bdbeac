//! The overlay's drawing of an explanation: the reason, on the map.

use godot::classes::CanvasItem;
use godot::prelude::*;
use pathforge_core::diagnose::Diagnosis;
use pathforge_core::geometry::{Cell, CellRect, Footprint, Side};
use pathforge_core::world::Status;

use crate::overlay::{self, edges, palette};
use crate::script::geometry::CellGeometry;

/// What is drawn of a diagnosis.
#[derive(Clone)]
pub(super) struct Sketch {
    footprint: Footprint,
    /// Where the body stands at both ends.
    ends: [Cell; 2],
    /// Cells that refuse: what closes an end, or what lies between two components.
    refusing: Vec<CellRect>,
    /// Edges that part the ends.
    barring_edges: Vec<(Cell, Side)>,
    /// The nearest places of two components.
    gap: Option<(Cell, Cell)>,
    /// The cells that a body one cell wider than the widest would need at the bottleneck.
    too_wide: Option<CellRect>,
    /// The edit that closed the last path.
    closed_by: Option<CellRect>,
    /// Cells that a detour avoids.
    avoided: Vec<Cell>,
}

impl Sketch {
    /// The drawing of what was found between two ends.
    pub(super) fn of(diagnosis: &Diagnosis, ends: [Cell; 2], footprint: Footprint) -> Self {
        let is_found = diagnosis.outcome.status == Status::Complete;
        let barring_edges = diagnosis.barring_edges.iter().map(|edge| (edge.cell, edge.side));
        // Edges show what parts the ends. Without them, the cells between components do.
        let is_across = diagnosis.barring_edges.is_empty();
        let refusing = match &diagnosis.gap {
            _ if !is_across => Vec::new(),
            Some(gap) => gap.cells.iter().map(|&cell| CellRect::cell(cell)).collect(),
            None if is_found => Vec::new(),
            None => diagnosis.cells.iter().map(|&cell| CellRect::cell(cell)).collect(),
        };
        let too_wide = diagnosis.widest.and_then(|widest| {
            let side = widest.side as i32 + 1;
            widest.bottleneck.map(|cell| CellRect::new(cell.x, cell.y, side, side))
        });
        Self {
            footprint,
            ends,
            refusing,
            barring_edges: barring_edges.collect(),
            gap: diagnosis.gap.as_ref().filter(|_| is_across).map(|gap| (gap.near_start, gap.near_goal)),
            too_wide,
            closed_by: diagnosis.closed_by,
            avoided: diagnosis.detour.as_ref().map(|detour| detour.avoided.clone()).unwrap_or_default(),
        }
    }

    /// Draws on `item`, whose cells are `scale` times as large on the screen as in its own space.
    pub(super) fn draw(&self, item: &mut Gd<CanvasItem>, geometry: &CellGeometry, scale: f32) {
        item.draw_set_transform_matrix(geometry.transform());
        let mut fill = |rect: CellRect, color: Color| {
            item.draw_rect(overlay::rect(rect), color);
        };
        self.avoided.iter().for_each(|&cell| fill(CellRect::cell(cell), palette::AVOIDED));
        if let Some(rect) = self.closed_by {
            fill(rect, palette::CLOSED.with_alpha(0.3));
        }
        self.refusing.iter().for_each(|&rect| fill(rect, palette::REFUSED.with_alpha(0.5)));
        if let Some(rect) = self.too_wide {
            fill(rect, palette::TOO_WIDE.with_alpha(0.22));
        }
        item.draw_set_transform_matrix(Transform2D::IDENTITY);
        let line = 2.0 / scale;
        for &rect in &self.refusing {
            overlay::draw_outline(item, geometry, rect, palette::REFUSED, line);
        }
        for &(cell, side) in &self.barring_edges {
            let [a, b] = edges::ends(geometry, cell, side);
            item.draw_line_ex(a, b, palette::REFUSED).width(line * 2.0).done();
        }
        if let Some(rect) = self.too_wide {
            overlay::draw_outline(item, geometry, rect, palette::TOO_WIDE, line);
        }
        if let Some(rect) = self.closed_by {
            overlay::draw_outline(item, geometry, rect, palette::CLOSED, line * 1.5);
        }
        for (end, color) in self.ends.into_iter().zip([palette::PATH, palette::GOAL]) {
            overlay::draw_outline(item, geometry, self.footprint.at(end), color, line);
        }
        if let Some((a, b)) = self.gap {
            let [a, b] = [a, b].map(|cell| geometry.footprint_center(cell, self.footprint));
            item.draw_dashed_line_ex(a, b, palette::REFUSED).width(line * 1.5).dash(6.0 / scale).done();
            for end in [a, b] {
                item.draw_circle_ex(end, line * 2.0, palette::REFUSED).antialiased(true).done();
            }
        }
    }
}
