//! Where the field's goals are.

use godot::prelude::*;
use pathforge_core::geometry::{Cell, Footprint};
use pathforge_core::world::GoalMode;

use super::FlowField;
use crate::engine::errors::reported;
use crate::map::grid::PathForgeGrid;
use crate::map::grid_link::NO_GRID;
use crate::script::convert;
use crate::script::geometry::CellGeometry;
use crate::script::given::given;

#[godot_api(secondary)]
impl FlowField {
    /// Makes `cell` the only goal.
    ///
    /// ```gdscript
    /// field.set_goal(grid.global_to_cell(get_global_mouse_position()))
    /// ```
    #[func]
    fn set_goal(&mut self, cell: Vector2i) {
        self.goal_cells = vec![convert::cell(cell)];
    }

    /// Makes the cell that holds `position`, in the grid's local space, the only goal. With [constant
    /// PathForgeGrid.GOAL_EXACT] it is the cell at which the body's centre comes nearest to the position. A
    /// position that is not finite is an error and changes nothing; so is a field without a grid.
    #[func]
    fn set_goal_position(&mut self, position: Vector2) {
        let method = "FlowField.set_goal_position";
        let Some(position) = reported(method, given("position", position).finite()) else { return };
        let Some(grid) = self.grid_for(method) else { return };
        let goal = self.goal_at(&grid.bind().cell_geometry(), position);
        if let Some(goal) = goal {
            self.goal_cells = vec![goal];
        }
    }
}

impl FlowField {
    pub(super) fn target_node(&self) -> Option<Gd<Node2D>> {
        Gd::try_from_instance_id(self.target_id?).ok()
    }

    /// Makes the place of the target the goal, if there is a target and it is anywhere.
    pub(super) fn look_at_target(&mut self, grid: &Gd<PathForgeGrid>) {
        let Some(target) = self.target_node() else { return };
        let to_global = grid.get_global_transform();
        let position = target.get_global_position();
        if to_global.determinant() == 0.0 || !position.is_finite() {
            return;
        }
        let geometry = grid.bind().cell_geometry();
        if let Some(goal) = self.goal_at(&geometry, to_global.affine_inverse() * position) {
            self.goal_cells.clear();
            self.goal_cells.push(goal);
        }
    }

    /// The goal that a position in the grid's space means.
    fn goal_at(&self, geometry: &CellGeometry, position: Vector2) -> Option<Cell> {
        if self.mode != GoalMode::Exact {
            return geometry.cell_at(position);
        }
        geometry.anchor_at(position, self.footprint())
    }

    fn footprint(&self) -> Footprint {
        self.profile.as_ref().map_or(Footprint::ONE, |profile| profile.bind().footprint())
    }

    /// The grid, or an error that names the method which needs it.
    pub(super) fn grid_for(&mut self, method: &str) -> Option<Gd<PathForgeGrid>> {
        let node = self.to_gd().upcast();
        reported(method, self.link.resolve(&node).ok_or(NO_GRID))
    }
}
