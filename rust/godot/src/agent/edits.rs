//! Edits of the grid that an agent tells its walker of.

use pathforge_core::geometry::CellRect;

use super::PathForgeAgent2D;
use crate::convert;
use crate::grid::PathForgeGrid;

impl PathForgeAgent2D {
    /// Looks at what was edited since the last look: once a frame for all edits, since there may be hundreds of agents
    /// and of bodies that block cells.
    pub(super) fn look_at_edits(&mut self) {
        if let Some(grid) = self.link_now() {
            self.look_at_edits_of(&grid.bind());
        }
    }

    /// The same, of a grid that is borrowed already.
    pub(super) fn look_at_edits_of(&mut self, grid: &PathForgeGrid) {
        let Some((id, seen)) = self.heard else { return };
        let number = grid.edit_number();
        if number == seen {
            return;
        }
        self.heard = Some((id, number));
        if self.target().is_none() {
            return;
        }
        let others = grid.edits_since(seen).map(|mut edits| {
            edits.retain(|&rect| !self.is_own_obstacle(rect));
            edits
        });
        self.on_ground(|walker, ground, here, _| walker.edited(ground, here, others.as_deref()));
    }

    /// Returns `true` if an edit of `rect` is a step of the body's own obstacle.
    fn is_own_obstacle(&self, rect: CellRect) -> bool {
        // The engine's own arithmetic overflows where an obstacle is as far away as numbers go.
        self.own_obstacle().is_some_and(|obstacle| {
            convert::rect(obstacle.bind().get_cells()).grown(1, 1, 1, 1).intersection(rect) == rect
        })
    }
}
