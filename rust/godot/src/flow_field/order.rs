//! What field is wanted: when two orders differ, so do their fields.

use godot::prelude::*;
use pathforge_core::cost::Cost;
use pathforge_core::geometry::Cell;
use pathforge_core::world::{GoalMode, Profile};

use super::FlowField;
use crate::grid::PathForgeGrid;
use crate::profile::{Asker, ProfileArg};
use crate::state;

/// The order of a field.
#[derive(Clone, PartialEq, Debug)]
pub struct Order {
    /// What a field is built for: map, body, distance and exactness.
    pub kind: Kind,
    pub goals: Vec<Cell>,
    pub goal_mode: GoalMode,
}

/// What a repair cannot change.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Kind {
    pub grid: InstanceId,
    pub profile: Profile,
    pub max_cost: Option<Cost>,
    pub coarseness: u32,
}

impl FlowField {
    /// What is wanted now on `grid`.
    pub(super) fn order(&mut self, grid: &Gd<PathForgeGrid>) -> Order {
        self.look_at_target(grid);
        let wish = &self.wish;
        let mode = state::of(grid).lock().mode;
        let profile = Asker::of(&ProfileArg::from(wish.profile.clone()), mode).profile;
        let max_cost = wish.cost_limit();
        Order {
            kind: Kind { grid: grid.instance_id(), profile, max_cost, coarseness: wish.coarseness },
            goals: wish.goals.clone(),
            goal_mode: wish.goal_mode,
        }
    }
}
