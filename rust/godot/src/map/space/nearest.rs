//! The space that a node is in, where a script has named none.

use godot::classes::Node;
use godot::prelude::*;

use super::PathForgeSpace3D;
use crate::engine::in_tree::{InTree, first_sibling};
use crate::map::grid::PathForgeGrid;
use crate::map::grid_link::Linked;

/// The spaces in the scene tree.
pub static SPACES: InTree<PathForgeSpace3D> = InTree::new();

impl Linked for PathForgeSpace3D {
    const MISSING: &'static str = "there is no space; set `space`, or put the node below a PathForgeSpace3D or something beside one or beside its grid";
    const MISSING_WARNING: &'static str = "There is no space. Set Space, or put this node below a PathForgeSpace3D or something beside one or beside its grid.";

    /// The nearest space, found as a grid is. It is the node's parent, else the first of the parent's
    /// children that is a space or a grid with a space as a child. Then the same with the next ancestors.
    fn nearest(node: &Gd<Node>) -> Option<Gd<Self>> {
        let mut ancestors = std::iter::successors(node.get_parent(), |ancestor| ancestor.get_parent());
        if !(godot::init::is_main_thread() && node.is_inside_tree()) {
            return ancestors
                .find_map(|ancestor| as_space(ancestor.clone()).or_else(|| child_of(&ancestor, below)));
        }
        // Few nodes in the tree are spaces, and a level may have ten thousand children.
        let mut below: Vec<(Gd<Node>, Gd<Node>, Gd<Self>)> = Vec::new();
        for space in SPACES.all() {
            let Some(parent) = space.get_parent() else { continue };
            if let Some((grid, beyond)) = as_grid(&parent).and_then(|grid| Some((grid, parent.get_parent()?)))
            {
                below.push((beyond, grid.upcast(), space.clone()));
            }
            below.push((parent, space.clone().upcast(), space));
        }
        ancestors.find_map(|ancestor| {
            let children = || below.iter().filter(|(parent, ..)| *parent == ancestor);
            as_space(ancestor.clone()).or_else(|| {
                let first = first_sibling(children().map(|(_, child, _)| child.clone()))?;
                children().find(|(_, child, _)| *child == first).map(|(.., space)| space.clone())
            })
        })
    }
}

fn as_space(node: Gd<Node>) -> Option<Gd<PathForgeSpace3D>> {
    node.try_cast().ok()
}

fn as_grid(node: &Gd<Node>) -> Option<Gd<PathForgeGrid>> {
    node.clone().try_cast().ok()
}

/// The node, if it is a space, or its child, if it is a grid.
fn below(node: Gd<Node>) -> Option<Gd<PathForgeSpace3D>> {
    as_space(node.clone()).or_else(|| child_of(&as_grid(&node)?.upcast(), as_space))
}

fn child_of(
    node: &Gd<Node>,
    find: impl Fn(Gd<Node>) -> Option<Gd<PathForgeSpace3D>>,
) -> Option<Gd<PathForgeSpace3D>> {
    node.get_children().iter_shared().find_map(find)
}
