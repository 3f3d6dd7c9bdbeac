//! Keeps a field up to date with a world and with its goals and profile. A small change is repaired; after a
//! large one a new field is built beside the field in use and swapped in.

use std::sync::Arc;

use super::field_build::FieldBuild;
use super::field_order::FieldOrder;
use crate::bitgrid::LocalRect;
use crate::field::{FieldBuilder, FlowField};
use crate::geometry::{Cell, CellRect};
use crate::world::background::Workers;
use crate::world::facade::World;
use crate::world::structures::{FieldSource, MapVersion};

/// The field in use and its successor. A step of work begins with [`FieldUpkeep::follow`] and goes on with
/// [`FieldUpkeep::resume`].
#[derive(Debug)]
pub struct FieldUpkeep {
    workers: Arc<dyn Workers>,
    made: Option<Made>,
    build: Option<FieldBuild>,
    builder: FieldBuilder,
    /// Seconds since the last update began.
    idle_s: f64,
    changes: u64,
    figures: FieldFigures,
}

/// What the last update took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FieldFigures {
    /// Microseconds, of all steps together.
    pub usec: u64,
    /// Cells whose cost was written.
    pub cells: u64,
}

/// A complete field, and what it is one of.
#[derive(Debug)]
struct Made {
    order: FieldOrder,
    version: MapVersion,
    field: Arc<FlowField>,
}

/// What listeners are to be told.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct FieldMessage {
    /// The cells whose cost or direction may have changed.
    pub updated: Option<CellRect>,
    /// `true` if the field leads nowhere, and did not before or had other goals.
    pub leads_nowhere: bool,
}

impl FieldUpkeep {
    /// Returns the upkeep of a field that is not there yet. `workers` tell the time, and build where they are
    /// asked to.
    pub fn new(workers: Arc<dyn Workers>) -> Self {
        Self {
            workers,
            made: None,
            build: None,
            builder: FieldBuilder::default(),
            idle_s: 0.0,
            changes: 0,
            figures: FieldFigures::default(),
        }
    }

    /// Returns the field in use.
    pub fn field(&self) -> Option<&Arc<FlowField>> {
        self.made.as_ref().map(|made| &made.field)
    }

    /// Returns what the field in use was made for.
    pub fn order(&self) -> Option<&FieldOrder> {
        self.made.as_ref().map(|made| &made.order)
    }

    /// Returns how often the field in use has changed.
    pub const fn changes(&self) -> u64 {
        self.changes
    }

    /// Returns what the last update took.
    pub const fn figures(&self) -> FieldFigures {
        self.figures
    }

    /// Forgets everything, as there is no map any more.
    pub fn forget(&mut self) {
        if self.made.take().is_some() {
            self.changes += 1;
        }
        self.build = None;
    }

    /// Lets seconds pass, by which [`FieldUpkeep::follow`] counts its updates.
    pub fn pass_time(&mut self, seconds: f64) {
        self.idle_s += seconds;
    }

    /// Builds the field of `order` at once.
    pub fn build_now(&mut self, world: &mut World, order: FieldOrder) -> FieldMessage {
        let (goals, source) = sources(world, &order);
        self.begin(order, source, goals, false);
        self.resume(None).unwrap_or_default()
    }

    /// Brings the field of `order` up to date at once, repaired or built, with a `builder` that several
    /// fields share; `None` if it was up to date.
    pub(crate) fn update_now(
        &mut self,
        world: &mut World,
        order: &FieldOrder,
        builder: &mut FieldBuilder,
    ) -> Option<FieldMessage> {
        std::mem::swap(&mut self.builder, builder);
        let message = self.follow(world, order, 0.0, false).or_else(|| self.resume(None));
        std::mem::swap(&mut self.builder, builder);
        message
    }

    /// Starts a build when another field is wanted than the latest, or repairs that, at most
    /// `updates_per_second` often, or without a limit when that is 0. With `in_background`, a worker builds.
    pub fn follow(
        &mut self,
        world: &mut World,
        order: &FieldOrder,
        updates_per_second: f64,
        in_background: bool,
    ) -> Option<FieldMessage> {
        let changes = match self.latest() {
            Some((latest, version)) if latest.kind == order.kind => {
                let changes = world.anchors_changed_since(version, &order.kind.profile);
                if latest == order && changes.as_ref().is_some_and(Vec::is_empty) {
                    return None;
                }
                changes
            }
            _ => None,
        };
        // Only what makes a build worthless ends it.
        let must_wait = self.idle_s * updates_per_second < 1.0 && updates_per_second > 0.0;
        if changes.is_some() && (self.build.is_some() || must_wait) {
            return None;
        }
        let (goals, source) = sources(world, order);
        self.idle_s = 0.0;
        if let Some(message) = changes.and_then(|changes| self.repair(order, &source, &goals, &changes)) {
            return Some(message);
        }
        self.begin(order.clone(), source, goals, in_background);
        None
    }

    /// Continues with the build until it is done, or `budget_usec` is used up.
    pub fn resume(&mut self, budget_usec: Option<u64>) -> Option<FieldMessage> {
        let mut build = self.build.take()?;
        if !build.resume(&mut self.builder, &*self.workers, budget_usec) {
            self.build = Some(build);
            return None;
        }
        let former = self.made.take();
        let led_nowhere = former.as_ref().is_some_and(|made| {
            let (old, new) = (&made.order, &build.order);
            !made.field.has_goals() && old.goals == new.goals && old.goal_mode == new.goal_mode
        });
        let field = FieldBuild::field(&mut self.builder, former.map(|made| made.field));
        let FieldBuild { order, source, usec, .. } = build;
        let cells = field.integration().reached();
        self.figures = FieldFigures { usec, cells };
        self.changes += 1;
        let region = field.integration().region();
        let leads_nowhere = !field.has_goals() && !led_nowhere;
        self.made = Some(Made { order, version: source.version(), field });
        Some(FieldMessage { updated: (!region.is_empty()).then_some(region), leads_nowhere })
    }

    /// The order and the state of the map that the latest field is of, also when it is not complete yet.
    fn latest(&self) -> Option<(&FieldOrder, MapVersion)> {
        match (&self.build, &self.made) {
            (Some(build), _) => Some((&build.order, build.source.version())),
            (None, Some(made)) => Some((&made.order, made.version)),
            (None, None) => None,
        }
    }

    /// Repairs the field in use; `None` if that cannot be done.
    fn repair(
        &mut self,
        order: &FieldOrder,
        source: &FieldSource,
        goals: &[Cell],
        changes: &[LocalRect],
    ) -> Option<FieldMessage> {
        let made = self.made.as_mut().filter(|made| made.order.kind == order.kind)?;
        let begun = self.workers.clock_usec();
        let had_goals = made.field.has_goals();
        let change = self.builder.repair(source.ground(), changes, goals, Arc::make_mut(&mut made.field))?;
        let other_goals = made.order.goals != order.goals;
        made.order = order.clone();
        made.version = source.version();
        let usec = self.workers.clock_usec().saturating_sub(begun);
        self.figures = FieldFigures { usec, cells: change.written };
        let updated = (!change.cells.is_empty()).then_some(change.cells);
        self.changes += u64::from(updated.is_some());
        let leads_nowhere = !made.field.has_goals() && (had_goals || other_goals);
        Some(FieldMessage { updated, leads_nowhere })
    }

    fn begin(&mut self, order: FieldOrder, source: FieldSource, goals: Vec<Cell>, in_background: bool) {
        // A former build at a worker ends, and its memory with it.
        self.build = None;
        self.idle_s = 0.0;
        let build = FieldBuild::new(order, source, goals);
        self.build = Some(if in_background { build.send(&self.workers, &mut self.builder) } else { build });
    }
}

fn sources(world: &mut World, order: &FieldOrder) -> (Vec<Cell>, FieldSource) {
    let profile = &order.kind.profile;
    (world.field_goals(&order.goals, order.goal_mode, profile), world.field_source(profile))
}

#[cfg(test)]
mod tests;
