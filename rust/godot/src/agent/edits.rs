//! Edits of the grid that an agent tells its walker of.

use godot::prelude::*;
use pathforge_core::geometry::CellRect;

use super::PathForgeAgent2D;
use crate::convert;
use crate::obstacle::PathForgeObstacle2D;

impl PathForgeAgent2D {
    /// Looks at what was edited since the last look: once a frame for all edits, since there may be hundreds of agents
    /// and of bodies that block cells.
    pub(super) fn look_at_edits(&mut self) {
        let Some((grid, (id, seen))) = self.link_now().zip(self.heard) else { return };
        let (number, edits) = {
            let grid = grid.bind();
            let number = grid.edit_number();
            if number == seen {
                return;
            }
            (number, grid.edits_since(seen))
        };
        self.heard = Some((id, number));
        if self.target().is_none() {
            return;
        }
        let others = edits.map(|mut edits| {
            edits.retain(|&rect| !self.is_own_obstacle(rect));
            edits
        });
        self.on_ground(|walker, ground, here, _| walker.edited(ground, here, others.as_deref()));
    }

    /// Returns `true` if an edit of `rect` is a step of the body's own obstacle.
    fn is_own_obstacle(&self, rect: CellRect) -> bool {
        let children = self.base().get_children();
        let mut own = children.iter_shared().filter_map(|child| child.try_cast::<PathForgeObstacle2D>().ok());
        // The engine's own arithmetic overflows where an obstacle is as far away as numbers go.
        own.any(|obstacle| {
            convert::rect(obstacle.bind().get_cells()).grown(1, 1, 1, 1).intersection(rect) == rect
        })
    }
}
