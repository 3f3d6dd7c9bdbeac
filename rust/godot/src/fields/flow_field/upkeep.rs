//! What field is wanted, and a frame's work on it.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use godot::prelude::*;
use pathforge_core::cost::Cost;
use pathforge_core::field::FlowField as CoreField;
use pathforge_core::world::{FieldKind, FieldMessage, FieldOrder, FieldUpkeep};

use super::FlowField;
use crate::engine::clock::{self, Figure};
use crate::engine::errors::warn;
use crate::engine::state;
use crate::engine::workers::{Crew, has_threads};
use crate::map::grid::PathForgeGrid;
use crate::script::convert::{self, ShownCell, ShownRegion};
use crate::script::profile::{Asker, ProfileArg};

/// The field in use and its successor, as queries reach them.
pub struct Upkeep(FieldUpkeep);

impl Default for Upkeep {
    fn default() -> Self {
        Self(FieldUpkeep::new(Crew::shared()))
    }
}

impl Deref for Upkeep {
    type Target = FieldUpkeep;

    fn deref(&self) -> &FieldUpkeep {
        &self.0
    }
}

impl DerefMut for Upkeep {
    fn deref_mut(&mut self) -> &mut FieldUpkeep {
        &mut self.0
    }
}

impl Upkeep {
    /// The grid that the field in use was made for.
    pub fn grid(&self) -> Option<InstanceId> {
        InstanceId::try_from_i64(self.order()?.kind.map.cast_signed())
    }
}

impl FlowField {
    /// The field in use. Give it back soon: a repair works on a copy meanwhile.
    pub fn field_in_use(&self) -> Option<Arc<CoreField>> {
        self.upkeep.lock().field().cloned()
    }

    /// What is wanted now on `grid`.
    fn order(&mut self, grid: &Gd<PathForgeGrid>) -> FieldOrder {
        let mode = state::of(grid).lock().mode;
        let kind = FieldKind {
            map: grid.instance_id().to_i64().cast_unsigned(),
            profile: Asker::of(&ProfileArg::from(self.profile.clone()), mode).profile,
            max_cost: if self.max_cost > 0.0 { Cost::from_cells(self.max_cost) } else { None },
        };
        FieldOrder { kind, goals: self.goal_cells.clone(), goal_mode: self.mode }
    }

    /// One frame's work.
    pub(super) fn keep_up(&mut self, delta: f64) -> FieldMessage {
        self.upkeep.lock().pass_time(delta);
        let node = self.to_gd().upcast();
        let Some(grid) = self.link.resolve(&node) else {
            if !self.goal_cells.is_empty() {
                self.link.warn_once(&node);
            }
            self.upkeep.lock().forget();
            return FieldMessage::default();
        };
        if self.auto_update {
            let order = self.order(&grid);
            let in_background = self.threaded && has_threads();
            let mut upkeep = self.upkeep.lock();
            let map = state::of(&grid);
            let world = &mut map.lock().world;
            let message = upkeep.follow(world, &order, self.max_updates_per_second, in_background);
            if let Some(message) = message {
                return message;
            }
        }
        let budget = u64::try_from(self.budget_usec).ok().filter(|&usec| usec > 0);
        self.upkeep.lock().resume(budget).unwrap_or_default()
    }

    /// Builds the field at once.
    pub(super) fn build_now(&mut self, grid: &Gd<PathForgeGrid>) -> FieldMessage {
        let order = self.order(grid);
        let mut upkeep = self.upkeep.lock();
        let map = state::of(grid);
        let world = &mut map.lock().world;
        upkeep.build_now(world, order)
    }

    /// Warns where every goal lies outside the region, as positions in pixels do that are given as cells.
    fn warn_of_goals_outside(&mut self) {
        let node = self.to_gd().upcast();
        let Some(grid) = self.link.resolve(&node) else { return };
        let region = state::of(&grid).lock().region();
        let outside = self.goal_cells.iter().all(|&goal| !region.contains(goal));
        if let Some(&goal) = self.goal_cells.first().filter(|_| outside && !region.is_empty()) {
            let (goal, region) = (ShownCell(goal), ShownRegion(region));
            warn(&node, format_args!("goals[0] {goal} lies outside the region {region}; goals are cells"));
        }
    }

    /// Tells what is to be told. The node may be gone afterwards.
    pub(super) fn announce(this: &Gd<Self>, message: FieldMessage) {
        if let Some(region) = message.updated {
            let figures = this.bind().upkeep.lock().figures();
            clock::count(Figure::FieldUsec, figures.usec);
            clock::count(Figure::FieldUpdates, 1);
            clock::count(Figure::FieldCells, figures.cells);
            this.signals().field_changed().emit(convert::region(region));
        }
        if message.leads_nowhere && this.is_instance_valid() {
            this.clone().bind_mut().warn_of_goals_outside();
            this.signals().goals_became_unreachable().emit();
        }
    }
}
