//! The map that a node is on: a grid on its own plane, or a grid that a space lays out.

use godot::classes::Node;
use godot::prelude::*;

use crate::map::grid::{CellFrame, PathForgeGrid};
use crate::map::grid_link::{GridLink, Link};
use crate::map::space::PathForgeSpace3D;

/// The link to it.
pub enum MapLink {
    Plane(GridLink),
    Space(Link<PathForgeSpace3D>),
}

/// What it leads to.
pub struct Map {
    pub grid: Gd<PathForgeGrid>,
    /// The node that lays out the cells: the grid itself, or a space.
    pub layout: InstanceId,
    /// Where cells lie; `None` where they are flattened to nothing.
    pub frame: Option<CellFrame>,
}

impl MapLink {
    /// The map, looked for when there is none yet.
    pub fn resolve(&mut self, node: &Gd<Node>) -> Option<Map> {
        match self {
            Self::Plane(link) => {
                let grid = link.resolve(node)?;
                Some(Map { layout: grid.instance_id(), frame: CellFrame::of(&grid), grid })
            }
            Self::Space(link) => {
                let mut space = link.resolve(node)?;
                let layout = space.instance_id();
                let mut space = space.bind_mut();
                Some(Map { grid: space.resolve_grid()?, layout, frame: space.frame() })
            }
        }
    }

    /// What counts now for `node`: the grid, and the space that lays it out, if one does.
    pub fn effective(&self, node: &Gd<Node>) -> (Option<Gd<PathForgeGrid>>, Option<Gd<PathForgeSpace3D>>) {
        match self {
            Self::Plane(link) => (link.effective(node), None),
            Self::Space(link) => {
                let space = link.effective(node);
                (space.as_ref().and_then(|space| space.bind().get_effective_grid()), space)
            }
        }
    }

    /// Where the cells lie of a grid and a space that [`MapLink::effective`] gave.
    pub fn frame_of(
        &self,
        grid: &Gd<PathForgeGrid>,
        space: Option<&Gd<PathForgeSpace3D>>,
    ) -> Option<CellFrame> {
        match self {
            Self::Plane(_) => CellFrame::of(grid),
            Self::Space(_) => space?.bind().frame(),
        }
    }

    /// The id of the node that lays out the cells, as far as it is known.
    pub fn layout(&self) -> Option<InstanceId> {
        match self {
            Self::Plane(link) => link.known_id(),
            Self::Space(link) => link.known_id(),
        }
    }

    /// Forgets what was found, when the node or others have moved in the tree.
    pub fn forget_found(&mut self) {
        match self {
            Self::Plane(link) => link.forget_found(),
            Self::Space(link) => link.forget_found(),
        }
    }

    /// The grid that a script has set.
    pub fn named_grid(&self) -> Option<Gd<PathForgeGrid>> {
        match self {
            Self::Plane(link) => link.named(),
            Self::Space(_) => None,
        }
    }

    /// The space that a script has set.
    pub fn named_space(&self) -> Option<Gd<PathForgeSpace3D>> {
        match self {
            Self::Plane(_) => None,
            Self::Space(link) => link.named(),
        }
    }

    /// A script sets the grid of one on the plane, or none.
    pub fn name_grid(&mut self, grid: Option<&Gd<PathForgeGrid>>) {
        if let Self::Plane(link) = self {
            link.name(grid);
        }
    }

    /// A script sets the space of one in 3D, or none.
    pub fn name_space(&mut self, space: Option<&Gd<PathForgeSpace3D>>) {
        if let Self::Space(link) = self {
            link.name(space);
        }
    }

    /// Warns in the editor where there is no map.
    pub fn warn(&self, node: &Gd<Node>, warnings: &mut PackedStringArray) {
        match self {
            Self::Plane(link) => link.warn(node, warnings),
            Self::Space(link) => link.warn(node, warnings),
        }
    }

    /// Warns in the running game, once for each time that the map is missed.
    pub fn warn_once(&mut self, node: &Gd<Node>) {
        match self {
            Self::Plane(link) => link.warn_once(node),
            Self::Space(link) => match link.known() {
                Some(mut space) => space.bind_mut().warn_of_no_grid(),
                None => link.warn_once(node),
            },
        }
    }

    /// The space that lays out the cells, if it is there.
    pub fn space(&self) -> Option<Gd<PathForgeSpace3D>> {
        match self {
            Self::Plane(_) => None,
            Self::Space(link) => link.known(),
        }
    }

    /// The place on the ground below or above one in global space.
    pub fn grounded(&self, place: Vector3) -> Vector3 {
        self.space().map_or(place, |space| space.bind().grounded(place))
    }
}
