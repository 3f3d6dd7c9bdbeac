//! What setting a property of the field does, and where its goals are.

use godot::prelude::*;
use pathforge_core::geometry::{Cell, Footprint};
use pathforge_core::world::GoalMode;

use super::FlowField;
use crate::array_property::CellArray;
use crate::convert;
use crate::errors::{report, reported};
use crate::geometry::CellGeometry;
use crate::grid::PathForgeGrid;
use crate::grid_link::NO_GRID;

#[godot_api(secondary)]
impl FlowField {
    /// Makes `cell` the only goal.
    ///
    /// ```gdscript
    /// field.set_goal(grid.global_to_cell(get_global_mouse_position()))
    /// ```
    #[func]
    fn set_goal(&mut self, cell: Vector2i) {
        self.wish.goals = vec![convert::cell(cell)];
    }

    /// Makes the cell at `position`, in the grid's local space, the only goal: the cell that holds it or, with [constant
    /// PathForgeGrid.GOAL_EXACT], the one at which the body's centre comes nearest to it. A position that is not finite is
    /// an error and changes nothing; so is a field without a grid.
    #[func]
    fn set_goal_position(&mut self, position: Vector2) {
        let method = "FlowField.set_goal_position";
        let Some(position) = reported(method, convert::finite("position", position)) else { return };
        let Some(grid) = self.grid_for(method) else { return };
        let goal = self.goal_at(&grid.bind().cell_geometry(), position);
        if let Some(goal) = goal {
            self.wish.goals = vec![goal];
        }
    }
}

impl FlowField {
    pub(super) fn change_goals(&mut self, goals: &CellArray) {
        if let Some(goals) = reported("FlowField.goals", goals.cells("goals")) {
            self.wish.goals = goals;
        }
    }

    pub(super) fn change_goal_mode(&mut self, mode: i64) {
        if let Some(mode) = reported("FlowField.goal_mode", convert::goal_mode(mode)) {
            self.wish.goal_mode = mode;
        }
    }

    pub(super) fn change_updates_per_second(&mut self, updates: f64) {
        if let Some(updates) = at_least_zero("FlowField.max_updates_per_second", updates) {
            self.wish.updates_per_second = updates;
        }
    }

    pub(super) fn change_budget(&mut self, usec: i64) {
        match u64::try_from(usec) {
            Ok(usec) => self.wish.budget_usec = usec,
            Err(_) => report("FlowField.budget_usec", format_args!("{usec} is not at least 0")),
        }
    }

    pub(super) fn change_max_cost(&mut self, cost: f64) {
        if let Some(cost) = at_least_zero("FlowField.max_cost", cost) {
            self.wish.max_cost = cost;
            self.base_mut().update_configuration_warnings();
        }
    }

    pub(super) fn change_coarseness(&mut self, coarseness: i64) {
        if [1, 2, 4].contains(&coarseness) {
            self.wish.coarseness = coarseness as u32;
            self.base_mut().update_configuration_warnings();
        } else {
            report("FlowField.coarseness", format_args!("{coarseness} is not 1, 2 or 4"));
        }
    }

    pub(super) fn target_node(&self) -> Option<Gd<Node2D>> {
        Gd::try_from_instance_id(self.wish.target?).ok()
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
            self.wish.goals.clear();
            self.wish.goals.push(goal);
        }
    }

    /// The goal that a position in the grid's space means.
    fn goal_at(&self, geometry: &CellGeometry, position: Vector2) -> Option<Cell> {
        if self.wish.goal_mode != GoalMode::Exact {
            return geometry.cell_at(position);
        }
        geometry.anchor_at(position, self.footprint())
    }

    fn footprint(&self) -> Footprint {
        self.wish.profile.as_ref().map_or(Footprint::ONE, |profile| profile.bind().footprint())
    }

    /// The grid, or an error that names the method which needs it.
    pub(super) fn grid_for(&mut self, method: &str) -> Option<Gd<PathForgeGrid>> {
        let node = self.to_gd().upcast();
        let grid = self.link.resolve(&node);
        if grid.is_none() {
            report(method, NO_GRID);
        }
        grid
    }
}

fn at_least_zero(property: &str, value: f64) -> Option<f64> {
    if value.is_finite() && value >= 0.0 {
        return Some(value);
    }
    report(property, format_args!("{value} is not a finite number of at least 0"));
    None
}
