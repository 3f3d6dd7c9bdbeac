//! Making the field and keeping it up to date: repaired where that is cheap, else built apart and swapped in.

use std::sync::Arc;
use std::time::{Duration, Instant};

use godot::prelude::*;
use pathforge_core::bitgrid::LocalRect;
use pathforge_core::field::FieldChange;
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::world::{FieldSource, MapVersion};

use super::order::Order;
use super::work::{Builders, Work, micros};
use super::{FieldInUse, FlowField};
use crate::convert::{self, ShownCell, ShownRegion};
use crate::errors::warn;
use crate::grid::PathForgeGrid;
use crate::state;

/// The field in use and its successor.
#[derive(Default)]
pub struct Upkeep {
    made: Option<Made>,
    work: Option<Work>,
    builders: Builders,
    /// Seconds since the last update began.
    idle_s: f64,
    /// Counts the changes of the field in use.
    changes: u64,
    figures: Figures,
}

/// What the last update took.
#[derive(Clone, Copy, Default)]
pub struct Figures {
    /// Microseconds, of all frames together.
    pub usec: u64,
    /// Cells whose cost was written.
    pub cells: u64,
}

/// A complete field, and what it is one of.
struct Made {
    order: Order,
    version: MapVersion,
    field: FieldInUse,
}

/// What is to be told.
#[derive(Default)]
pub struct Message {
    updated: Option<CellRect>,
    leads_nowhere: bool,
}

impl Upkeep {
    /// The field in use.
    pub fn field(&self) -> Option<&FieldInUse> {
        self.made.as_ref().map(|made| &made.field)
    }

    /// What the field in use was made for.
    pub fn order(&self) -> Option<&Order> {
        self.made.as_ref().map(|made| &made.order)
    }

    /// Counts the changes of the field in use.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    pub fn figures(&self) -> Figures {
        self.figures
    }

    /// Forgets everything, as there is no grid any more.
    pub fn forget(&mut self) {
        if self.made.take().is_some() {
            self.changes += 1;
        }
        self.work = None;
    }

    /// The order and the state of the map that the latest field is of, also when it is not complete yet.
    fn latest(&self) -> Option<(&Order, MapVersion)> {
        match (&self.work, &self.made) {
            (Some(work), _) => Some((&work.order, work.source.version())),
            (None, Some(made)) => Some((&made.order, made.version)),
            (None, None) => None,
        }
    }

    /// Repairs the field in use; returns `true` if that could be done.
    fn repair(
        &mut self,
        order: &Order,
        source: &FieldSource,
        goals: &[Cell],
        changes: &[LocalRect],
    ) -> Option<Message> {
        let made = self.made.as_mut().filter(|made| made.order.kind == order.kind)?;
        let FieldInUse::Exact(field) = &mut made.field else { return None };
        let begun = Instant::now();
        let had_goals = field.integration().reached() > 0;
        let change: FieldChange =
            self.builders.exact.repair(source.ground(), changes, goals, Arc::make_mut(field))?;
        let other_goals = made.order.goals != order.goals;
        made.order = order.clone();
        made.version = source.version();
        self.figures = Figures { usec: micros(begun.elapsed()), cells: change.written };
        let updated = (!change.cells.is_empty()).then_some(change.cells);
        self.changes += u64::from(updated.is_some());
        let leads_nowhere = !made.field.has_goals() && (had_goals || other_goals);
        Some(Message { updated, leads_nowhere })
    }

    fn begin(&mut self, order: Order, source: FieldSource, goals: Vec<Cell>, threaded: bool) {
        // One on another thread that is not wanted any more ends, and its memory with it.
        self.work = None;
        self.work = Some(Work::begin(order, source, goals, threaded, &mut self.builders));
    }

    /// Goes on with the build until it is done, or `budget` is used up.
    fn go_on(&mut self, budget: Option<Duration>) -> Option<Message> {
        let mut work = self.work.take()?;
        if !work.go_on(&mut self.builders, budget) {
            self.work = Some(work);
            return None;
        }
        let former = self.made.take();
        let led_nowhere = former.as_ref().is_some_and(|made| {
            let (old, new) = (&made.order, &work.order);
            !made.field.has_goals() && old.goals == new.goals && old.goal_mode == new.goal_mode
        });
        let field = work.field(&mut self.builders, former.map(|made| made.field));
        let Work { order, source, usec, .. } = work;
        let cells = match &field {
            FieldInUse::Exact(field) => field.integration().reached(),
            FieldInUse::Coarse(_) => source.placements().count(),
        };
        self.figures = Figures { usec, cells };
        self.changes += 1;
        let region = field.region();
        let leads_nowhere = !field.has_goals() && !led_nowhere;
        self.made = Some(Made { order, version: source.version(), field });
        Some(Message { updated: (!region.is_empty()).then_some(region), leads_nowhere })
    }
}

impl FlowField {
    /// One frame's work.
    pub(super) fn keep_up(&mut self, delta: f64) -> Message {
        self.upkeep.lock().idle_s += delta;
        let node = self.to_gd().upcast();
        let Some(grid) = self.link.resolve(&node) else {
            if self.wish.target.is_some() || !self.wish.goals.is_empty() {
                self.link.warn_once(&node);
            }
            self.upkeep.lock().forget();
            return Message::default();
        };
        let budget = (self.wish.budget_usec > 0).then(|| Duration::from_micros(self.wish.budget_usec));
        if self.auto_update {
            let order = self.order(&grid);
            if let Some(message) =
                self.upkeep.lock().follow(&grid, order, self.wish.updates_per_second, self.threaded)
            {
                return message;
            }
        }
        self.upkeep.lock().go_on(budget).unwrap_or_default()
    }

    /// Builds the field at once.
    pub(super) fn build_now(&mut self, grid: &Gd<PathForgeGrid>) -> Message {
        let order = self.order(grid);
        let profile = order.kind.profile;
        let mut upkeep = self.upkeep.lock();
        let (goals, source) = {
            let map = state::of(grid);
            let world = &mut map.lock().world;
            (world.field_goals(&order.goals, order.goal_mode, &profile), world.field_source(&profile))
        };
        upkeep.idle_s = 0.0;
        upkeep.begin(order, source, goals, false);
        upkeep.go_on(None).unwrap_or_default()
    }

    /// Warns where every goal lies outside the region, as positions in pixels do that are given as cells.
    fn warn_of_goals_outside(&mut self) {
        let node = self.to_gd().upcast();
        let Some(grid) = self.link.resolve(&node) else { return };
        let region = state::of(&grid).lock().region();
        let outside = self.wish.goals.iter().all(|&goal| !region.contains(goal));
        if let Some(&goal) = self.wish.goals.first().filter(|_| outside && !region.is_empty()) {
            let (goal, region) = (ShownCell(goal), ShownRegion(region));
            warn(&node, format_args!("goals[0] {goal} lies outside the region {region}; goals are cells"));
        }
    }

    /// Tells what is to be told. The node may be gone afterwards.
    pub(super) fn announce(this: &Gd<Self>, message: Message) {
        if let Some(region) = message.updated {
            this.signals().field_changed().emit(convert::region(region));
        }
        if message.leads_nowhere && this.is_instance_valid() {
            this.clone().bind_mut().warn_of_goals_outside();
            this.signals().goals_became_unreachable().emit();
        }
    }
}

impl Upkeep {
    /// Begins a build when another field is wanted than the latest, or repairs that.
    fn follow(
        &mut self,
        grid: &Gd<PathForgeGrid>,
        order: Order,
        updates_per_second: f64,
        threaded: bool,
    ) -> Option<Message> {
        let map = state::of(grid);
        let world = &mut map.lock().world;
        let changes = match self.latest() {
            Some((latest, version)) if latest.kind == order.kind => {
                let changes = world.anchors_changed_since(version, &order.kind.profile);
                if *latest == order && changes.as_ref().is_some_and(Vec::is_empty) {
                    return None;
                }
                changes
            }
            _ => None,
        };
        // Only what makes a build worthless ends it.
        let must_wait = self.idle_s * updates_per_second < 1.0 && updates_per_second > 0.0;
        if changes.is_some() && (self.work.is_some() || must_wait) {
            return None;
        }
        self.idle_s = 0.0;
        let profile = order.kind.profile;
        let goals = world.field_goals(&order.goals, order.goal_mode, &profile);
        let source = world.field_source(&profile);
        if let Some(message) = changes.and_then(|changes| self.repair(&order, &source, &goals, &changes)) {
            return Some(message);
        }
        self.begin(order, source, goals, threaded);
        None
    }
}
