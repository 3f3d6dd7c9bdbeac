//! Blocked edges between cells as lines; edges that are blocked one way have an arrow for the way that is open.

use godot::classes::CanvasItem;
use godot::prelude::*;
use pathforge_core::geometry::{Cell, CellRect, Side};
use pathforge_core::terrain::Terrain;

use super::{LINES_FROM_PX, Raster, palette};
use crate::script::geometry::CellGeometry;

/// Pixels on the screen that a line is wide.
const WALL_PX: f32 = 3.0;
const ONE_WAY_PX: f32 = 2.0;
/// How far an arrow reaches from its edge, in cells.
const ARROW: f64 = 0.22;

/// The lines of edges, two points a line, in the geometry's local space.
#[derive(Default)]
pub struct Drawn {
    walls: PackedVector2Array,
    one_way: PackedVector2Array,
}

impl Drawn {
    /// The edges between and around the cells of `window`, which are `cell_px` wide on the screen.
    pub fn of(terrain: &Terrain, geometry: &CellGeometry, window: CellRect, cell_px: f32) -> Self {
        let mut drawn = Self::default();
        if !terrain.has_edges() {
            return drawn;
        }
        let (mut walls, mut one_way) = (Vec::new(), Vec::new());
        // Each edge once: those at the far sides of cells, and those at the near rim of the window.
        let is_first = |cell: Cell, side: Side| match side {
            Side::Left => cell.x == window.x,
            Side::Top => cell.y == window.y,
            Side::Right | Side::Bottom => true,
        };
        for cell in window.cells() {
            for side in Side::ALL.into_iter().filter(|&side| is_first(cell, side)) {
                let beyond = side.beyond(cell);
                let there = terrain.is_edge_blocked(cell, side);
                let back = terrain.is_edge_blocked(beyond, side.opposite());
                let is_rim = !terrain.region().contains(beyond);
                if there && (back || is_rim) {
                    walls.extend(ends(geometry, cell, side));
                } else if there || back {
                    one_way.extend(ends(geometry, cell, side));
                    let open = if back { side } else { side.opposite() };
                    if cell_px >= LINES_FROM_PX {
                        one_way.extend(arrow(geometry, cell, side, open));
                    }
                }
            }
        }
        drawn.walls = walls.into_iter().collect();
        drawn.one_way = one_way.into_iter().collect();
        drawn
    }

    fn parts(&self) -> [(&PackedVector2Array, Color, f32); 2] {
        [(&self.walls, palette::EDGE, WALL_PX), (&self.one_way, palette::ONE_WAY_EDGE, ONE_WAY_PX)]
    }

    /// Adds the lines to a raster; a pixel on the screen is `px` long in the parent's space.
    pub fn add_to(&self, raster: &Raster, px: f32) {
        for (lines, color, width) in self.parts() {
            raster.add_wide_lines(lines, color, width * px);
        }
    }
}

/// Draws edges on `item`, in whose space a pixel on the screen is `px` long.
pub fn draw(item: &mut Gd<CanvasItem>, drawn: &Drawn, px: f32) {
    for (lines, color, width) in drawn.parts() {
        if !lines.is_empty() {
            item.draw_multiline_ex(lines, color).width(width * px).done();
        }
    }
}

/// Both ends of the edge at a side of a cell.
pub fn ends(geometry: &CellGeometry, cell: Cell, side: Side) -> [Vector2; 2] {
    let (x, y) = (f64::from(cell.x), f64::from(cell.y));
    let (a, b) = match side {
        Side::Left => ((x, y), (x, y + 1.0)),
        Side::Top => ((x, y), (x + 1.0, y)),
        Side::Right => ((x + 1.0, y), (x + 1.0, y + 1.0)),
        Side::Bottom => ((x, y + 1.0), (x + 1.0, y + 1.0)),
    };
    [a, b].map(|(x, y)| geometry.local_of(x, y))
}

/// The two lines of an arrow head on the edge at a side of a cell that points over side `open`.
fn arrow(geometry: &CellGeometry, cell: Cell, side: Side, open: Side) -> [Vector2; 4] {
    let half = |side: Side| {
        let direction = side.direction();
        (f64::from(direction.dx()) / 2.0, f64::from(direction.dy()) / 2.0)
    };
    let (sx, sy) = half(side);
    let (x, y) = (f64::from(cell.x) + 0.5 + sx, f64::from(cell.y) + 0.5 + sy);
    let (ox, oy) = half(open);
    let (ox, oy) = (ox * 2.0 * ARROW, oy * 2.0 * ARROW);
    // The feet lie on the edge, to both sides of its middle.
    let tip = geometry.local_of(x + ox, y + oy);
    [geometry.local_of(x + oy, y + ox), tip, geometry.local_of(x - oy, y - ox), tip]
}
