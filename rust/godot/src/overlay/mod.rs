//! What nodes draw over the map, in the editor and in a running game.
//!
//! Cheap on big maps: cells are one texture of the visible part, stretched over it. Lines and numbers exist
//! only where they can be told apart. Nothing is drawn again while neither the map nor the view has changed.

pub mod edges;
pub mod ground;
mod item;
pub mod links;
pub mod palette;
mod raster;
mod shown;
mod text;
mod view;

pub use item::{Item, show_in};
pub use raster::{Picture, Raster};
pub use shown::{Overlay, Shown};
pub use text::Numbers;
use view::View;

use godot::classes::{CanvasItem, Engine};
use godot::prelude::*;
use pathforge_core::geometry::CellRect;

use crate::script::geometry::CellGeometry;

/// Pixels from which a cell is large enough for lines between cells.
pub const LINES_FROM_PX: f32 = 6.0;
/// Pixels from which a cell is large enough for the blocked edges between cells.
pub const EDGES_FROM_PX: f32 = 3.0;
/// Pixels from which a cell is large enough to read a number in it.
pub const NUMBERS_FROM_PX: f32 = 18.0;

/// Returns `true` if a node shows its overlay, given its two switches.
pub fn is_wanted(in_game: bool, in_editor: bool) -> bool {
    if Engine::singleton().is_editor_hint() { in_editor } else { in_game }
}

/// A rectangle of cells in cell space.
pub fn rect(cells: CellRect) -> Rect2 {
    let CellRect { x, y, w, h } = cells;
    Rect2::new(Vector2::new(x as f32, y as f32), Vector2::new(w as f32, h as f32))
}

/// The lines between the cells of `window`, thin at any zoom. The item draws in the geometry's local space.
pub fn draw_lines(item: &mut Gd<CanvasItem>, geometry: &CellGeometry, window: CellRect, color: Color) {
    let lines = lines(geometry, window);
    if !lines.is_empty() {
        item.draw_multiline(&lines, color);
    }
}

/// The ends of the lines between the cells of `window`, two points a line.
pub fn lines(geometry: &CellGeometry, window: CellRect) -> PackedVector2Array {
    let point = |x: i32, y: i32| geometry.local_of(f64::from(x), f64::from(y));
    let columns = (window.x..=window.right()).flat_map(|x| [point(x, window.y), point(x, window.bottom())]);
    let rows = (window.y..=window.bottom()).flat_map(|y| [point(window.x, y), point(window.right(), y)]);
    columns.chain(rows).collect()
}

/// The outline of a rectangle of cells.
pub fn draw_outline(
    item: &mut Gd<CanvasItem>,
    geometry: &CellGeometry,
    cells: CellRect,
    color: Color,
    width: f32,
) {
    let points = outline(geometry, cells);
    item.draw_polyline_ex(&points, color).width(width).antialiased(width > 0.0).done();
}

/// The four corners of a rectangle of cells, and the first again.
pub fn outline(geometry: &CellGeometry, cells: CellRect) -> PackedVector2Array {
    let (x0, y0) = (f64::from(cells.x), f64::from(cells.y));
    let (x1, y1) = (f64::from(cells.right()), f64::from(cells.bottom()));
    let corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)];
    corners.into_iter().map(|(x, y)| geometry.local_of(x, y)).collect()
}
