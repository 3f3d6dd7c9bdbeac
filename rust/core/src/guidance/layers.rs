//! The map as a crowd reads it in a step: a layer for each kind of agent, which stays what it is while the
//! world goes on.

use std::sync::Arc;

use super::{CrowdMap, Guidance};
use crate::crowd::{Crowd, CrowdField, CrowdGround};
use crate::geometry::CellRect;
use crate::passability::{PlacementCosts, Placements};

/// The layers of a crowd on a map, as of one moment.
#[derive(Clone, Debug)]
pub struct CrowdLayers {
    region: CellRect,
    revision: u64,
    placements: Vec<Arc<Placements>>,
    /// Empty while no kind is slowed.
    costs: Vec<Option<Arc<PlacementCosts>>>,
}

impl CrowdLayers {
    /// Calls `work` with the ground that these layers and `fields` make.
    pub fn with<T>(&self, fields: &[Option<CrowdField<'_>>], work: impl FnOnce(&CrowdGround<'_>) -> T) -> T {
        let layers: Vec<&Placements> = self.placements.iter().map(AsRef::as_ref).collect();
        let costs: Vec<Option<&PlacementCosts>> = self.costs.iter().map(Option::as_deref).collect();
        let (region, revision) = (self.region, self.revision);
        work(&CrowdGround { region, revision, layers: &layers, costs: &costs, fields })
    }
}

impl Guidance {
    /// Returns the layers of all kinds of a crowd's agents, up to date.
    pub fn layers(&mut self, crowd: &Crowd, map: &mut CrowdMap<'_>) -> CrowdLayers {
        let seen = Some((map.id, map.world.version()));
        if seen != self.seen {
            self.seen = seen;
            self.revision += 1;
        }
        let world = &mut *map.world;
        let placements = crowd.kinds().iter().map(|kind| Arc::clone(world.placements(kind.layer))).collect();
        let is_any_slowed = crowd.kinds().iter().any(|kind| kind.is_slowed);
        let costs = crowd.kinds().iter().filter(|_| is_any_slowed).map(|kind| {
            kind.is_slowed.then(|| world.placement_costs(kind.layer, kind.terrain_costs)).flatten()
        });
        let costs = costs.collect();
        CrowdLayers { region: world.terrain().region(), revision: self.revision, placements, costs }
    }
}
