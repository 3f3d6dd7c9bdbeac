//! What leads the agents of a crowd over a world.
//!
//! A [`Crowd`] follows fields by number and paths that it is given, and knows no map. [`Guidance`] gives it
//! both, from the cells that agents are sent to. Agents of one profile share a field to their cell
//! (`fields`). Few agents on a large map walk along a path each (`trips`). A march follows the path of its
//! widest agent (`orders`). The ends of paths are kept, so that the arrival of a group can be reported by its
//! cell (`path_ends`). After an edit, fields are repaired and paths are found anew before the next step.
//! Guidance knows the profile of each agent (`profiles`), makes the layers of a step (`layers`), and is saved
//! with the crowd (`bytes`).
//!
//! Invariant: in a step each field equals a new one on the map of that moment. An update takes the time of
//! the repairs, or a look at the journal for each field when nothing has changed.

mod bytes;
mod fields;
mod layers;
mod orders;
mod path_ends;
mod profiles;
mod trips;

use std::sync::Arc;

pub use bytes::SavedGuidance;
pub use fields::group_of;
pub use layers::CrowdLayers;
pub use profiles::{default_radius, free_places, kind_of};
pub use trips::{anchor_at, placement_at};

use crate::crowd::{Blockage, Crowd, CrowdError, CrowdNews};
use crate::field::FlowField;
use crate::geometry::Cell;
use crate::world::{FieldFigures, MapVersion, Workers, World};
use fields::Fields;
use path_ends::PathEnds;
use profiles::Profiles;
use trips::Trips;

/// A world, and the number that tells it from others that the crowd may walk on.
#[derive(Debug)]
pub struct CrowdMap<'a> {
    /// Of no other world.
    pub id: u64,
    /// The cells and what is derived from them.
    pub world: &'a mut World,
}

/// What leads the agents of one crowd.
#[derive(Debug)]
pub struct Guidance {
    fields: Fields,
    trips: Trips,
    path_ends: PathEnds,
    profiles: Profiles,
    /// The map that the crowd was last told of, and how often it was another.
    seen: Option<(u64, MapVersion)>,
    revision: u64,
}

impl Guidance {
    /// Returns the guidance of a crowd that was sent nowhere. `workers` tell the time.
    pub fn new(workers: Arc<dyn Workers>) -> Self {
        Self {
            fields: Fields::new(workers),
            trips: Trips::default(),
            path_ends: PathEnds::default(),
            profiles: Profiles::default(),
            seen: None,
            revision: 0,
        }
    }

    /// Brings the crowd's own fields up to date with the map, and the paths of agents that walk along one
    /// each.
    ///
    /// Returns what bringing the crowd's own fields up to date took, if any has changed.
    pub fn update(&mut self, crowd: &mut Crowd, map: &mut CrowdMap<'_>) -> Option<FieldFigures> {
        let lost = self.trips.update(crowd, map);
        self.follow_fields(&lost, crowd);
        self.trips.go_round(crowd, map.world);
        let figures = self.fields.update(map);
        self.lead_strays(crowd, map);
        figures
    }

    /// Moves all agents on, as [`Crowd::step`] does, on `layers` of the map that the fields are of. `lent`
    /// has the fields of [`Guidance::lent`].
    ///
    /// # Errors
    /// As [`Crowd::step`].
    pub fn step(
        &mut self,
        crowd: &mut Crowd,
        layers: &CrowdLayers,
        lent: &[Option<Arc<FlowField>>],
        delta: f64,
    ) -> Result<CrowdNews, CrowdError> {
        let fields = self.fields.list(lent);
        layers.with(&fields, |ground| crowd.step(delta, ground))
    }

    /// Returns what keeps an agent from its goal, as [`Crowd::blockage`] does, on `layers` of the map that
    /// the fields are of.
    pub fn blockage(
        &mut self,
        crowd: &mut Crowd,
        layers: &CrowdLayers,
        lent: &[Option<Arc<FlowField>>],
        id: u32,
    ) -> Option<Blockage> {
        let fields = self.fields.list(lent);
        layers.with(&fields, |ground| crowd.blockage(ground, id))
    }

    /// Returns for each field by its number the key of the owner that lends it; `None` for a field of the
    /// crowd's own.
    pub fn lent(&self) -> impl Iterator<Item = Option<u64>> {
        self.fields.lent()
    }

    /// Ends the fields whose owner `is_gone`, and stops the agents that follow them.
    pub fn end_lent(&mut self, crowd: &mut Crowd, is_gone: impl Fn(u64) -> bool) {
        self.fields.end_lent(crowd, is_gone);
    }

    /// Returns the cell that a field leads to: of several, the first.
    pub fn goal(&self, field: u32) -> Option<Cell> {
        self.fields.goal(field)
    }

    /// Returns the cell that a group was sent to; of a field that leads to several, the first.
    pub fn cell_of(&self, group: u32) -> Option<Cell> {
        let trip = || self.trips.cells().find(|&cell| group_of([cell]) == group);
        self.fields.cell_of(group).or_else(trip).or_else(|| self.path_ends.cell_of(group))
    }
}

#[cfg(test)]
mod tests;
