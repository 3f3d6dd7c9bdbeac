//! Grids whose drawings lie on the ground of a space, not on the screen.

use std::sync::{Mutex, MutexGuard, PoisonError};

use godot::classes::{CanvasItem, Engine};
use godot::prelude::*;

/// Where what a grid and the nodes below it draw goes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Canvas {
    /// From the grid's local space to pixels.
    pub to_pixels: Transform2D,
    /// In pixels.
    pub size: Vector2i,
}

/// The grids that have one. While it is locked nothing is asked of the engine.
static CANVASES: Mutex<Vec<(InstanceId, Canvas)>> = Mutex::new(Vec::new());

fn canvases() -> MutexGuard<'static, Vec<(InstanceId, Canvas)>> {
    CANVASES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has a grid and what is below it draw on `canvas`, or on the screen again.
pub fn draw_on(grid: InstanceId, canvas: Option<Canvas>) {
    let mut canvases = canvases();
    canvases.retain(|(other, _)| *other != grid);
    canvases.extend(canvas.map(|canvas| (grid, canvas)));
}

/// From an item's local space to the pixels that it is drawn on, and the rectangle of the visible pixels.
/// `None` outside the tree.
pub fn pixels_of(item: &Gd<CanvasItem>) -> Option<(Transform2D, Rect2)> {
    let viewport = item.is_inside_tree().then(|| item.get_viewport()).flatten()?;
    if let Some(on_ground) = ground_pixels_of(item) {
        return Some(on_ground);
    }
    let to_screen = item.get_viewport_transform() * item.get_global_transform();
    let shown = viewport.get_visible_rect();
    // In the editor, the final transform pans and zooms; in a game, it stretches what is visible over the
    // window.
    let screen = if Engine::singleton().is_editor_hint() {
        Rect2::new(Vector2::ZERO, shown.size)
    } else {
        viewport.get_final_transform() * shown
    };
    Some((to_screen, screen))
}

/// The same for an item that draws onto the ground of a space; `None` for others.
pub fn ground_pixels_of(item: &Gd<CanvasItem>) -> Option<(Transform2D, Rect2)> {
    let (grid, Canvas { to_pixels, size }) = canvas_of(item)?;
    let to_grid = grid.get_global_transform().affine_inverse() * item.get_global_transform();
    let size = Vector2::new(size.x as f32, size.y as f32);
    Some((to_pixels * to_grid, Rect2::new(Vector2::ZERO, size)))
}

/// The canvas of an item, and the grid that it is of: the item or an ancestor.
fn canvas_of(item: &Gd<CanvasItem>) -> Option<(Gd<CanvasItem>, Canvas)> {
    let canvases = canvases().clone();
    if canvases.is_empty() {
        return None;
    }
    let parent = |item: &Gd<CanvasItem>| item.get_parent()?.try_cast::<CanvasItem>().ok();
    std::iter::successors(Some(item.clone()), parent).find_map(|item| {
        let known = canvases.iter().find(|(grid, _)| *grid == item.instance_id())?;
        Some((item, known.1))
    })
}
