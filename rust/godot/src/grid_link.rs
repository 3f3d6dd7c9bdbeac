//! A node's link to its grid: the grid that it was given, or else the nearest.

use godot::classes::notify::{CanvasItemNotification, Node3DNotification};
use godot::classes::{Engine, Node, Node3D};
use godot::obj::InstanceId;
use godot::prelude::*;

use crate::errors::warn;
use crate::grid::PathForgeGrid;
use crate::in_tree::first_sibling;
use crate::monitors;

/// What a method says that needs a grid where there is none.
pub const NO_GRID: &str =
    "there is no grid; set `grid`, or put the node below a PathForgeGrid or something beside one";

/// The same in the editor.
pub const NO_GRID_WARNING: &str =
    "There is no grid. Set Grid, or put this node below a PathForgeGrid or something beside one.";

const EDITED: &str = "cells_changed";
/// The method of a node that hears of edits.
const EDIT_HANDLER: &str = "_on_grid_cells_changed";

/// The grid that a node works on. Grids are kept by id, so one that is freed is simply not there any more.
#[derive(Default)]
pub struct GridLink {
    named: Option<InstanceId>,
    found: Option<InstanceId>,
    want: Want,
}

/// `true` if a grid was looked for in vain since there was one.
#[derive(Default, PartialEq)]
enum Want {
    #[default]
    None,
    Silent,
    Told,
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

    /// The same for a node of space.
    pub fn notice_3d(&mut self, what: Node3DNotification) {
        use Node3DNotification as What;
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
            warnings.push(NO_GRID_WARNING);
        }
    }

    /// The same as the first of a node's warnings.
    pub fn warnings(&self, node: &Gd<Node>) -> PackedStringArray {
        let mut warnings = PackedStringArray::new();
        self.warn(node, &mut warnings);
        warnings
    }

    /// Warns in the running game, once for each time that the grid is missed, that `node` does nothing without one.
    pub fn warn_once(&mut self, node: &Gd<Node>) {
        if self.want == Want::Silent && !Engine::singleton().is_editor_hint() {
            self.want = Want::Told;
            warn(node, NO_GRID);
        }
    }

    /// The node's grid, looked for when there is none yet.
    pub fn resolve(&mut self, node: &Gd<Node>) -> Option<Gd<PathForgeGrid>> {
        if let Some(grid) = self.named().or_else(|| alive(self.found)) {
            self.want = Want::None;
            return Some(grid);
        }
        let found = nearest_grid(node);
        self.found = found.as_ref().map(Gd::instance_id);
        if found.is_some() {
            self.want = Want::None;
        } else if self.want == Want::None {
            self.want = Want::Silent;
        }
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

/// The nearest grid: the node's parent, else the first of the parent's children that is one, and so on with the
/// ancestors beyond.
pub fn nearest_grid(node: &Gd<Node>) -> Option<Gd<PathForgeGrid>> {
    let as_grid = |node: Gd<Node>| node.try_cast::<PathForgeGrid>().ok();
    let mut ancestors = std::iter::successors(node.get_parent(), |ancestor| ancestor.get_parent());
    if !(godot::init::is_main_thread() && node.is_inside_tree()) {
        return ancestors.find_map(|ancestor| {
            let children = ancestor.get_children();
            as_grid(ancestor).or_else(|| children.iter_shared().find_map(as_grid))
        });
    }
    // Few nodes in the tree are grids, and a level may have ten thousand children.
    let grids = monitors::grids().into_iter();
    let grids: Vec<_> = grids.filter_map(|grid| Some((grid.get_parent()?, grid))).collect();
    ancestors.find_map(|ancestor| {
        let children = grids.iter().filter(|(parent, _)| *parent == ancestor);
        as_grid(ancestor.clone()).or_else(|| first_sibling(children.map(|(_, grid)| grid.clone())))
    })
}

/// What is wrong with the parent of a node that is where its parent is.
pub fn parent_problem(node: &Gd<Node>) -> Option<String> {
    let parent = node.get_parent()?.try_cast::<Node3D>().ok()?;
    let class = parent.get_class();
    Some(format!(
        "the parent is a {class}, which does not move it: put it below a Node2D that is moved with it"
    ))
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
