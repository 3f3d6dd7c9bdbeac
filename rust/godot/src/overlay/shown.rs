//! What an overlay shows, and when it has to be drawn again.

use godot::classes::{CanvasItem, Node2D};
use godot::obj::WithBaseField;
use godot::prelude::*;
use pathforge_core::geometry::CellRect;

use super::View;

/// Everything that a drawing depends on.
#[derive(Clone)]
pub struct Shown<S> {
    /// The cells that are drawn; those in view and some around them.
    pub window: CellRect,
    in_view: CellRect,
    /// From cell space to the node's local space.
    pub to_item: Transform2D,
    /// The side of a cell on the screen, in pixels.
    pub cell_px: f32,
    /// Pixels on the screen for one unit of the node's local space.
    pub scale: f32,
    /// What is drawn there, and how.
    pub style: S,
}

impl<S: PartialEq> Shown<S> {
    /// What the screen shows of `region`. `None` outside the tree, and when the map is too thin to be seen.
    pub fn of(item: &Gd<CanvasItem>, to_item: Transform2D, region: CellRect, style: S) -> Option<Self> {
        let view = View::of(item, to_item, region)?;
        let View { cells: in_view, cell_px, scale } = view;
        Some(Self { window: view.window(region), in_view, to_item, cell_px, scale, style })
    }

    /// The same for a node that draws over cells which lie in global space by `cells_to_global`.
    pub fn over(node: &Gd<Node2D>, cells_to_global: Transform2D, region: CellRect, style: S) -> Option<Self> {
        let to_item = node.get_global_transform().affine_inverse() * cells_to_global;
        Self::of(&node.clone().upcast(), to_item, region, style)
    }

    /// The same for a drawing that looks alike at any zoom.
    pub fn at_any_zoom(self) -> Self {
        Self { cell_px: 0.0, scale: 0.0, ..self }
    }

    /// Returns `true` if a drawing of this serves for what is `wanted`: it covers the cells in view, and all
    /// else is as it was.
    fn serves(&self, wanted: &Self) -> bool {
        self.window.contains_rect(wanted.in_view)
            && self.to_item == wanted.to_item
            && (self.cell_px, self.scale) == (wanted.cell_px, wanted.scale)
            && self.style == wanted.style
    }
}

/// A node that draws over the map.
pub trait Overlay: WithBaseField<Base = Node2D> {
    type Style: Clone + PartialEq;

    /// What is to be seen now; `None` for nothing.
    fn what_to_show(&mut self) -> Option<Shown<Self::Style>>;

    /// What the last drawing shows.
    fn shown(&mut self) -> &mut Option<Shown<Self::Style>>;

    /// Asks for a new drawing when something that is drawn has changed.
    fn refresh_overlay(&mut self) {
        let wanted = self.what_to_show();
        let is_drawn = match (&wanted, self.shown()) {
            (None, None) => true,
            (Some(wanted), Some(shown)) => shown.serves(wanted),
            _ => false,
        };
        if !is_drawn {
            self.base_mut().queue_redraw();
        }
    }

    /// What is to be drawn now, within the engine's call.
    fn start_drawing(&mut self) -> Option<Shown<Self::Style>> {
        let wanted = self.what_to_show();
        self.shown().clone_from(&wanted);
        wanted
    }
}
