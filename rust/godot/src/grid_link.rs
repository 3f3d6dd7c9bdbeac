//! A node's way to its grid: the one that it was given, or else the nearest.

use godot::classes::Node;
use godot::classes::notify::CanvasItemNotification;
use godot::obj::InstanceId;
use godot::prelude::*;

use crate::grid::PathForgeGrid;

/// What a method says that needs a grid where there is none.
pub const NO_GRID: &str = "there is no grid; set `grid`, or put the node beside or below a PathForgeGrid";

const EDITED: &str = "cells_changed";
/// The method of a node that hears of edits.
const EDIT_HANDLER: &str = "_on_grid_cells_changed";

/// The grid that a node works on. Grids are kept by id, so one that is freed is simply not there any more.
#[derive(Default)]
pub struct GridLink {
    named: Option<InstanceId>,
    found: Option<InstanceId>,
}

impl GridLink {
    /// The grid that the node was given.
    pub fn named(&self) -> Option<Gd<PathForgeGrid>> {
        alive(self.named)
    }

    /// Gives the node a grid, or none, after which it looks for the nearest.
    pub fn name(&mut self, grid: Option<&Gd<PathForgeGrid>>) {
        self.named = grid.map(Gd::instance_id);
        self.found = None;
    }

    /// Forgets the grid that was found, when the node or others have moved in the tree.
    pub fn notice(&mut self, what: CanvasItemNotification) {
        use CanvasItemNotification as What;
        if matches!(what, What::PARENTED | What::ENTER_TREE | What::READY | What::UNPARENTED) {
            self.found = None;
        }
    }

    /// The grid that a node in this place has; it is not kept.
    pub fn seen_from(&self, node: &Gd<Node>) -> Option<Gd<PathForgeGrid>> {
        self.named().or_else(|| nearest_grid(node))
    }

    /// Warns in the editor where `node` has no grid.
    pub fn warn(&self, node: &Gd<Node>, warnings: &mut PackedStringArray) {
        if self.seen_from(node).is_none() {
            warnings.push("There is no grid. Set Grid, or put this node beside or below a PathForgeGrid.");
        }
    }

    /// The node's grid, looked for when there is none yet.
    pub fn resolve(&mut self, node: &Gd<Node>) -> Option<Gd<PathForgeGrid>> {
        if let Some(grid) = self.named().or_else(|| alive(self.found)) {
            return Some(grid);
        }
        let found = nearest_grid(node);
        self.found = found.as_ref().map(Gd::instance_id);
        found
    }
}

/// Has `node` hear of edits of `grid`, and no longer of those of the grid that it `heard` so far.
pub fn hear_instead(node: &Gd<Node>, heard: Option<InstanceId>, grid: Option<&Gd<PathForgeGrid>>) {
    // A callable of a method, unlike one of a closure, may be made on one thread and called on another.
    let handler = Callable::from_object_method(node, EDIT_HANDLER);
    if let Some(mut former) = alive(heard)
        && former.is_connected(EDITED, &handler)
    {
        former.disconnect(EDITED, &handler);
    }
    if let Some(grid) = grid {
        grid.clone().connect(EDITED, &handler);
    }
}

/// The nearest grid among the node's ancestors and siblings: its parent, then its siblings in their order, then the
/// ancestors beyond.
pub fn nearest_grid(node: &Gd<Node>) -> Option<Gd<PathForgeGrid>> {
    let parent = node.get_parent()?;
    if let Ok(grid) = parent.clone().try_cast::<PathForgeGrid>() {
        return Some(grid);
    }
    let siblings = parent.get_children();
    let sibling = siblings.iter_shared().find_map(|sibling| sibling.try_cast::<PathForgeGrid>().ok());
    sibling.or_else(|| {
        let ancestors = std::iter::successors(parent.get_parent(), |ancestor| ancestor.get_parent());
        ancestors.into_iter().find_map(|ancestor| ancestor.try_cast::<PathForgeGrid>().ok())
    })
}

/// Where `position`, in global space, lies in the grid's own; `None` where that cannot be said.
pub fn local_position(grid: &Gd<PathForgeGrid>, position: Vector2) -> Option<Vector2> {
    let to_global = grid.get_global_transform();
    let is_flat = to_global.determinant() == 0.0;
    (!is_flat && position.is_finite()).then(|| to_global.affine_inverse() * position)
}

fn alive(id: Option<InstanceId>) -> Option<Gd<PathForgeGrid>> {
    Gd::try_from_instance_id(id?).ok()
}
