//! Searches to one goal that share a field.
//!
//! A field takes as long to build as some searches and answers any number of them at the price of following
//! its directions. A path that is read off it has the least cost, as with a search. Among paths of equal cost
//! it may be another one.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use crate::bitgrid::{PaddedIndex, cell_at};
use crate::field::{FieldBuilder, FlowField};
use crate::geometry::Cell;
use crate::primitives::ScratchPool;
use crate::search::Scratch;
use crate::world::plan::TripKey;
use crate::world::{FieldSource, PathOutcome, Profile, SearchJob, World};

/// Searches at uniform cost share a field from this number on: one for each [`CELLS_PER_SEARCH`] cells of the
/// map, but at least [`SEARCHES_MIN`] (the bench's table of requests with one goal).
const CELLS_PER_SEARCH: usize = 1 << 15;
const SEARCHES_MIN: usize = 8;
/// Searches at varying cost share a field from this number on, whatever the size of the map: such a search
/// looks at a good part of the map, as the field does.
const WEIGHTED_SEARCHES_MIN: usize = 6;

/// How the answer to a request is found: on a field that it shares, if there is one, and by a search where
/// that does not reach.
pub(super) struct Work {
    job: SearchJob,
    field: Option<Arc<SharedField>>,
}

impl Work {
    /// A search of its own.
    pub(super) const fn search(job: SearchJob) -> Self {
        Self { job, field: None }
    }

    /// Finds the answer.
    pub(super) fn run(&self, scratch: &ScratchPool<Scratch>) -> PathOutcome {
        let read_off = self.field.as_ref().and_then(|field| self.job.read_off(field.made()));
        read_off.unwrap_or_else(|| scratch.lend(|scratch| self.job.run(scratch)))
    }

    /// Returns whether it searches over clusters.
    pub(super) const fn is_hierarchical(&self) -> bool {
        self.job.is_hierarchical()
    }
}

/// A field that the first thread that needs it makes; others wait for it.
pub(super) struct SharedField {
    source: FieldSource,
    goals: Vec<Cell>,
    field: OnceLock<FlowField>,
}

impl SharedField {
    fn made(&self) -> &FlowField {
        self.field.get_or_init(|| {
            let mut field = FlowField::default();
            FieldBuilder::default().build(self.source.ground(), &self.goals, None, &mut field);
            field
        })
    }
}

/// Lets searches with the same goals share a field where they are many; each work comes with the profile of
/// its body.
pub(super) fn share_fields(world: &mut World, works: &mut [(Work, Profile)]) {
    let mut groups: HashMap<TripKey, Vec<usize>> = HashMap::new();
    for (place, (work, _)) in works.iter().enumerate() {
        if let Some(key) = work.job.trip_key() {
            groups.entry(key).or_default().push(place);
        }
    }
    let cells = world.terrain().layout().cells();
    // The arbitrary order of a hash map does no harm: no two groups share a search.
    for (key, members) in groups {
        let enough = if key.is_weighted() {
            WEIGHTED_SEARCHES_MIN
        } else {
            SEARCHES_MIN.max(cells / CELLS_PER_SEARCH)
        };
        if members.len() < enough {
            continue;
        }
        // Equal keys mean equal ground, so the profile of any member will do.
        let source = world.field_source(&works[members[0]].1);
        let region = source.region();
        let layout = source.placements().layout();
        let goal = |&index: &u32| cell_at(region, layout.xy(PaddedIndex::new(index as usize)));
        let goals = key.goals().iter().map(goal).collect();
        let shared = Arc::new(SharedField { source, goals, field: OnceLock::new() });
        for place in members {
            works[place].0.field = Some(Arc::clone(&shared));
        }
    }
}
