//! The fields that agents follow, by number: the crowd's own, one for each goal cell and profile, and those
//! of other owners.
//!
//! A number is given anew when no agent follows its field any more, which is looked at when another field is
//! wanted.

use std::sync::Arc;

use super::CrowdMap;
use crate::crowd::{Crowd, CrowdField};
use crate::field::{FieldBuilder, FlowField};
use crate::geometry::Cell;
use crate::world::{FieldFigures, FieldKind, FieldOrder, FieldUpkeep, GoalMode, Profile, Workers};

/// All fields by number.
#[derive(Debug)]
pub(super) struct Fields {
    all: Vec<Option<Source>>,
    workers: Arc<dyn Workers>,
    /// Shared, as fields are built one after the other.
    builder: FieldBuilder,
}

/// Where a field comes from.
#[derive(Debug)]
enum Source {
    Own(Box<OwnField>),
    Lent(LentField),
}

/// A field of the crowd's own.
#[derive(Debug)]
struct OwnField {
    order: FieldOrder,
    upkeep: FieldUpkeep,
}

/// A field that its owner keeps, and lends for each step.
#[derive(Clone, Copy, Debug)]
struct LentField {
    /// The owner's.
    key: u64,
    /// The first goal and the group, as of the last step.
    goal: Option<(Cell, u32)>,
}

impl Source {
    fn goal(&self) -> Option<(Cell, u32)> {
        match self {
            Self::Own(own) => Some((own.cell(), group_of([own.cell()]))),
            Self::Lent(lent) => lent.goal,
        }
    }
}

impl OwnField {
    fn cell(&self) -> Cell {
        self.order.goals[0]
    }

    fn is_to(&self, cell: Cell, profile: &Profile) -> bool {
        self.cell() == cell && self.order.kind.profile == *profile
    }
}

impl Fields {
    pub(super) fn new(workers: Arc<dyn Workers>) -> Self {
        Self { all: Vec::new(), workers, builder: FieldBuilder::default() }
    }

    /// The number of the field to `cell` for bodies of `profile`, if there is one.
    pub(super) fn find(&self, cell: Cell, profile: &Profile) -> Option<u32> {
        self.position(|source| matches!(source, Source::Own(own) if own.is_to(cell, profile)))
    }

    /// The number of the field to `cell` for bodies of `profile`; it is built in the next update if there was
    /// none.
    pub(super) fn number_to(&mut self, cell: Cell, profile: &Profile, crowd: &Crowd) -> u32 {
        self.find(cell, profile).unwrap_or_else(|| {
            let own = self.own(cell, profile);
            self.add(own, crowd)
        })
    }

    /// The number of the field of another owner.
    pub(super) fn lent_by(&mut self, key: u64, crowd: &Crowd) -> u32 {
        let known = self.position(|source| matches!(source, Source::Lent(lent) if lent.key == key));
        known.unwrap_or_else(|| self.add(Source::Lent(LentField { key, goal: None }), crowd))
    }

    fn own(&self, cell: Cell, profile: &Profile) -> Source {
        // The map is set in each update.
        let kind = FieldKind { map: 0, profile: *profile, max_cost: None };
        let order = FieldOrder { kind, goals: vec![cell], goal_mode: GoalMode::Nearest };
        Source::Own(Box::new(OwnField { order, upkeep: FieldUpkeep::new(Arc::clone(&self.workers)) }))
    }

    fn position(&self, is_it: impl Fn(&Source) -> bool) -> Option<u32> {
        let number = self.all.iter().position(|source| source.as_ref().is_some_and(&is_it));
        number.map(|number| number as u32)
    }

    /// Takes a number for a field, and drops fields that no agent follows.
    fn add(&mut self, source: Source, crowd: &Crowd) -> u32 {
        let mut is_used = vec![false; self.all.len()];
        for field in crowd.fields_in_use() {
            if let Some(is_used) = is_used.get_mut(field as usize) {
                *is_used = true;
            }
        }
        for (source, is_used) in self.all.iter_mut().zip(is_used) {
            if !is_used {
                *source = None;
            }
        }
        let free = self.all.iter().position(Option::is_none).unwrap_or_else(|| {
            self.all.push(None);
            self.all.len() - 1
        });
        self.all[free] = Some(source);
        free as u32
    }

    pub(super) fn lent(&self) -> impl Iterator<Item = Option<u64>> {
        self.all.iter().map(|source| match source {
            Some(Source::Lent(lent)) => Some(lent.key),
            _ => None,
        })
    }

    pub(super) fn end_lent(&mut self, crowd: &mut Crowd, is_gone: impl Fn(u64) -> bool) {
        let before = self.all.iter().flatten().count();
        for source in &mut self.all {
            if matches!(source, Some(Source::Lent(lent)) if is_gone(lent.key)) {
                *source = None;
            }
        }
        // Rare, and takes a look at every agent.
        if self.all.iter().flatten().count() < before {
            self.stop_lost(crowd);
        }
    }

    /// Stops agents whose field is not there.
    fn stop_lost(&self, crowd: &mut Crowd) {
        crowd.stop_followers(|field| self.all.get(field as usize).is_none_or(Option::is_none));
    }

    /// Repairs the crowd's own fields, or builds them.
    pub(super) fn update(&mut self, map: &mut CrowdMap<'_>) -> Option<FieldFigures> {
        let Self { all, workers, builder } = self;
        let begun = workers.clock_usec();
        let mut cells = 0;
        let mut is_updated = false;
        for source in all {
            let Some(Source::Own(own)) = source else { continue };
            own.order.kind.map = map.id;
            let message = own.upkeep.update_now(map.world, &own.order, builder);
            if message.is_some_and(|message| message.updated.is_some()) {
                is_updated = true;
                cells += own.upkeep.figures().cells;
            }
        }
        is_updated.then(|| FieldFigures { usec: workers.clock_usec().saturating_sub(begun), cells })
    }

    /// All fields by number, for a step; those of other owners are `lent`.
    pub(super) fn list<'a>(&'a mut self, lent: &'a [Option<Arc<FlowField>>]) -> Vec<Option<CrowdField<'a>>> {
        for (source, field) in self.all.iter_mut().zip(lent) {
            let Some(Source::Lent(lent)) = source else { continue };
            let goals = || field.iter().flat_map(|field| field.integration().goals());
            lent.goal = goals().next().map(|first| (first, group_of(goals())));
        }
        let field = |(number, source): (usize, &'a Option<Source>)| match source.as_ref()? {
            Source::Own(own) => {
                Some(CrowdField { field: own.upkeep.field()?, group: group_of([own.cell()]) })
            }
            Source::Lent(_) => {
                let field = lent.get(number)?.as_ref()?;
                Some(CrowdField { field, group: group_of(field.integration().goals()) })
            }
        };
        self.all.iter().enumerate().map(field).collect()
    }

    pub(super) fn goal(&self, number: u32) -> Option<Cell> {
        self.all.get(number as usize)?.as_ref()?.goal().map(|(cell, _)| cell)
    }

    pub(super) fn cell_of(&self, group: u32) -> Option<Cell> {
        let mut goals = self.all.iter().flatten().filter_map(Source::goal);
        goals.find(|&(_, one)| one == group).map(|(cell, _)| cell)
    }

    /// The cell of a field of the crowd's own.
    pub(super) fn own_cell(&self, number: u32) -> Option<Cell> {
        match self.all.get(number as usize)?.as_ref()? {
            Source::Own(own) => Some(own.cell()),
            Source::Lent(_) => None,
        }
    }

    /// What is saved of each number.
    pub(super) fn saved(&self) -> impl Iterator<Item = SavedField> {
        self.all.iter().map(|source| match source {
            None => SavedField::None,
            Some(Source::Own(own)) => SavedField::Own(own.cell(), Box::new(own.order.kind.profile)),
            Some(Source::Lent(_)) => SavedField::Lent,
        })
    }

    /// Takes over what was saved. Fields of the crowd's own are built anew; fields of other owners keep their
    /// numbers. Agents that have no field then stop.
    pub(super) fn restore(&mut self, saved: impl IntoIterator<Item = SavedField>, crowd: &mut Crowd) {
        let mut former = std::mem::take(&mut self.all);
        let source = |(number, field): (usize, SavedField)| match field {
            SavedField::None => None,
            SavedField::Own(cell, profile) => Some(self.own(cell, &profile)),
            SavedField::Lent => former
                .get_mut(number)
                .and_then(Option::take)
                .filter(|source| matches!(source, Source::Lent(_))),
        };
        self.all = saved.into_iter().enumerate().map(source).collect();
        self.stop_lost(crowd);
    }
}

/// What is saved of a field.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum SavedField {
    None,
    Own(Cell, Box<Profile>),
    Lent,
}

/// Returns the number of the group that goes to `goals`, by which a crowd tells goals apart: FNV-1a over
/// their cells, in 31 bits, since `u32::MAX` means no group.
pub fn group_of(goals: impl IntoIterator<Item = Cell>) -> u32 {
    goals.into_iter().fold(0x811c_9dc5, |hash, cell| {
        let mixed = (hash ^ cell.x as u32).wrapping_mul(0x0100_0193);
        (mixed ^ cell.y as u32).wrapping_mul(0x0100_0193)
    }) & 0x7fff_ffff
}
