//! A node's link to its grid, or to the space that it is in: set by a script, or else the nearest.

use std::marker::PhantomData;

use godot::classes::notify::{CanvasItemNotification, Node3DNotification};
use godot::classes::{CanvasItem, Engine, Node, Node3D};
use godot::obj::{Inherits, InstanceId};
use godot::prelude::*;

use crate::engine::errors::warn;
use crate::engine::in_tree::first_sibling;
use crate::map::grid::{PathForgeGrid, grids};

/// What a method says that needs a grid where there is none.
pub const NO_GRID: &str =
    "there is no grid; set `grid`, or put the node below a PathForgeGrid or something beside one";

/// The same in the editor.
pub const NO_GRID_WARNING: &str =
    "There is no grid. Set Grid, or put this node below a PathForgeGrid or something beside one.";

const EDITED: &str = "cells_changed";
/// The method of a node that hears of edits.
const EDIT_HANDLER: &str = "_on_grid_cells_changed";

/// What nodes are linked to.
pub trait Linked: GodotClass + Inherits<Node> {
    /// What is said where there is none, in the running game.
    const MISSING: &'static str;
    /// The same in the editor.
    const MISSING_WARNING: &'static str;

    /// The nearest to a node.
    fn nearest(node: &Gd<Node>) -> Option<Gd<Self>>;
}

/// The grid or space of a node. It is kept by id, so that a freed one is simply missing.
pub struct Link<T> {
    named: Option<InstanceId>,
    found: Option<InstanceId>,
    want: Want,
    of: PhantomData<fn() -> T>,
}

/// The grid that a node works on.
pub type GridLink = Link<PathForgeGrid>;

/// If one was looked for in vain since there was one.
#[derive(Default, PartialEq)]
enum Want {
    #[default]
    None,
    Silent,
    Told,
}

impl<T> Default for Link<T> {
    fn default() -> Self {
        Self { named: None, found: None, want: Want::None, of: PhantomData }
    }
}

impl<T: Linked> Link<T> {
    /// The grid or space that a script has set.
    pub fn named(&self) -> Option<Gd<T>> {
        alive(self.named)
    }

    /// Gives the node one, or none, after which it looks for the nearest.
    pub fn name(&mut self, given: Option<&Gd<T>>) {
        self.named = given.map(Gd::instance_id);
        self.found = None;
    }

    /// Forgets the grid or space that was found.
    pub fn forget_found(&mut self) {
        self.found = None;
    }

    /// The grid or space that was set or found, if it still exists.
    pub fn known(&self) -> Option<Gd<T>> {
        self.named().or_else(|| alive(self.found))
    }

    /// The same by its id, which may be of a freed node: for callers that ask often.
    pub fn known_id(&self) -> Option<InstanceId> {
        self.named.or(self.found)
    }

    /// What counts now for `node`, for scripts that ask: nothing is kept, and nothing is missed.
    pub fn effective(&self, node: &Gd<Node>) -> Option<Gd<T>> {
        self.known().or_else(|| T::nearest(node))
    }

    /// Forgets the grid or space that was found, when the node or others have moved in the tree.
    pub fn notice(&mut self, what: CanvasItemNotification) {
        if is_move(what) {
            self.found = None;
        }
    }

    /// The same for a node of space.
    pub fn notice_3d(&mut self, what: Node3DNotification) {
        if is_move_3d(what) {
            self.found = None;
        }
    }

    /// The grid or space of a node at this place in the tree; it is not kept.
    pub fn seen_from(&self, node: &Gd<Node>) -> Option<Gd<T>> {
        self.named().or_else(|| T::nearest(node))
    }

    /// Warns in the editor where `node` has none.
    pub fn warn(&self, node: &Gd<Node>, warnings: &mut PackedStringArray) {
        if self.seen_from(node).is_none() {
            warnings.push(T::MISSING_WARNING);
        }
    }

    /// The same as the first of a node's warnings.
    pub fn warnings(&self, node: &Gd<Node>) -> PackedStringArray {
        let mut warnings = PackedStringArray::new();
        self.warn(node, &mut warnings);
        warnings
    }

    /// Warns in the running game, once for each time that it is missed, that `node` does nothing without one.
    pub fn warn_once(&mut self, node: &Gd<Node>) {
        if self.want == Want::Silent && !Engine::singleton().is_editor_hint() {
            self.want = Want::Told;
            warn(node, T::MISSING);
        }
    }

    /// The node's own, looked for when there is none yet.
    pub fn resolve(&mut self, node: &Gd<Node>) -> Option<Gd<T>> {
        if let Some(known) = self.known() {
            self.want = Want::None;
            return Some(known);
        }
        let found = T::nearest(node);
        self.found = found.as_ref().map(Gd::instance_id);
        if found.is_some() {
            self.want = Want::None;
        } else if self.want == Want::None {
            self.want = Want::Silent;
        }
        found
    }
}

/// Returns `true` if another grid or space may be the nearest from now on.
pub fn is_move(what: CanvasItemNotification) -> bool {
    use CanvasItemNotification as What;
    matches!(what, What::PARENTED | What::ENTER_TREE | What::READY | What::UNPARENTED)
}

/// The same for a node of space.
pub fn is_move_3d(what: Node3DNotification) -> bool {
    use Node3DNotification as What;
    matches!(what, What::PARENTED | What::ENTER_TREE | What::READY | What::UNPARENTED)
}

/// Has `node` hear of edits of `grid`, and no longer of those of the grid that it `heard` so far.
pub fn hear_instead(node: &Gd<Node>, heard: Option<InstanceId>, grid: Option<&Gd<PathForgeGrid>>) {
    // A callable of a method, unlike one of a closure, may be made on one thread and called on another.
    let handler = Callable::from_object_method(node, EDIT_HANDLER);
    if let Some(mut former) = alive::<PathForgeGrid>(heard)
        && former.is_connected(EDITED, &handler)
    {
        former.disconnect(EDITED, &handler);
    }
    if let Some(grid) = grid {
        grid.clone().connect(EDITED, &handler);
    }
}

impl Linked for PathForgeGrid {
    const MISSING: &'static str = NO_GRID;
    const MISSING_WARNING: &'static str = NO_GRID_WARNING;

    fn nearest(node: &Gd<Node>) -> Option<Gd<Self>> {
        nearest_grid(node)
    }
}

/// What the engine calls on a node that works on a grid, in frames, and draws over it: `$hear` has it listen
/// to edits.
macro_rules! grid_node {
    ($Class:ident $(, $hear:ident)?) => {
        #[godot_api]
        impl INode2D for $Class {
            fn on_notification(&mut self, what: godot::classes::notify::CanvasItemNotification) {
                use godot::classes::notify::CanvasItemNotification as What;
                self.link.notice(what);
                $(
                    if matches!(what, What::PARENTED | What::ENTER_TREE | What::READY) {
                        self.$hear();
                    }
                )?
                match what {
                    What::ENTER_TREE => self.frames.enter(&self.to_gd(), Frame::Process, Self::process),
                    What::EXIT_TREE => self.frames.exit(&self.to_gd().upcast()),
                    What::DRAW => self.draw_overlay(),
                    _ => {}
                }
            }

            fn get_configuration_warnings(&self) -> PackedStringArray {
                self.link.warnings(&self.to_gd().upcast())
            }
        }
    };
}

pub(crate) use grid_node;

/// The nearest grid: the node's parent, else the first of the parent's children that is one, and so on with
/// the ancestors beyond.
fn nearest_grid(node: &Gd<Node>) -> Option<Gd<PathForgeGrid>> {
    let as_grid = |node: Gd<Node>| node.try_cast::<PathForgeGrid>().ok();
    let mut ancestors = std::iter::successors(node.get_parent(), |ancestor| ancestor.get_parent());
    if !(godot::init::is_main_thread() && node.is_inside_tree()) {
        return ancestors.find_map(|ancestor| {
            let children = ancestor.get_children();
            as_grid(ancestor).or_else(|| children.iter_shared().find_map(as_grid))
        });
    }
    // Few nodes in the tree are grids, and a level may have ten thousand children.
    let grids = grids().into_iter();
    let grids: Vec<_> = grids.filter_map(|grid| Some((grid.get_parent()?, grid))).collect();
    ancestors.find_map(|ancestor| {
        let children = grids.iter().filter(|(parent, _)| *parent == ancestor);
        as_grid(ancestor.clone()).or_else(|| first_sibling(children.map(|(_, grid)| grid.clone())))
    })
}

/// What is wrong with the parent of a node that is where its parent is.
pub fn parent_problem(node: &Gd<Node>) -> Option<String> {
    let parent = node.get_parent()?;
    let is_in_space = node.is_class("Node3D");
    let is_elsewhere = if is_in_space { is_a::<CanvasItem>(&parent) } else { is_a::<Node3D>(&parent) };
    let wanted = if is_in_space { "Node3D" } else { "Node2D" };
    is_elsewhere.then(|| {
        let class = parent.get_class();
        format!(
            "the parent is a {class}, which does not move it: put it below a {wanted} that is moved with it"
        )
    })
}

fn is_a<T: GodotClass + Inherits<Node>>(node: &Gd<Node>) -> bool {
    node.clone().try_cast::<T>().is_ok()
}

/// Where `position`, in global space, lies in the grid's own; `None` where that cannot be said.
pub fn local_position(grid: &Gd<PathForgeGrid>, position: Vector2) -> Option<Vector2> {
    let to_global = grid.get_global_transform();
    let is_flat = to_global.determinant() == 0.0;
    (!is_flat && position.is_finite()).then(|| to_global.affine_inverse() * position)
}

fn alive<T: GodotClass>(id: Option<InstanceId>) -> Option<Gd<T>> {
    Gd::try_from_instance_id(id?).ok()
}
