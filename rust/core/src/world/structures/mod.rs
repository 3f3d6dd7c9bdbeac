//! The terrain of a world, the influences on it, and all that is derived from both and kept.

mod cache;
mod clearances;
mod clusters;
mod field_source;
mod influences;
mod kept;
pub(crate) mod landmarks;
mod layer;
mod layers;
mod overlay;
mod places;
mod surfaces;

use std::sync::Arc;

use super::query::Profile;
use crate::bitgrid::LocalRect;
use crate::connectivity::Components;
use crate::passability::{EDGE_REACH, LayerKey, PlacementCosts, Placements, TerrainCosts, anchors_touching};
use crate::terrain::Terrain;
pub use clearances::ClearanceKey;
pub(super) use clearances::Clearances;
pub(super) use clusters::Clusters;
pub use field_source::{FieldSource, MapVersion};
pub(super) use influences::Influences;
pub(super) use landmarks::Landmarks;
pub(super) use layers::{Layers, Replaced};
pub(super) use places::{
    closest_position, covering_anchors, field_goals, nearest_fit, point_in, random_placement,
};
pub(super) use surfaces::body_layers;
use surfaces::{SurfaceCache, no_surfaces};

/// A map and everything that is derived from it. Derived structures are built when they are first asked for,
/// and repaired when they are next asked for after an edit.
#[derive(Debug)]
pub(super) struct Structures {
    pub(super) terrain: Terrain,
    /// Counts how often all cells were replaced.
    epoch: u64,
    pub(super) layers: Layers,
    pub(super) influences: Influences,
    pub(super) clearances: Clearances,
    surfaces: SurfaceCache,
}

impl Structures {
    pub(super) fn new(terrain: Terrain) -> Self {
        Self {
            terrain,
            epoch: 0,
            layers: Layers::default(),
            influences: Influences::default(),
            clearances: Clearances::default(),
            surfaces: no_surfaces(),
        }
    }

    /// Replaces all cells, and the region with them. Obstacles, heights and the limit on memory stay, and so
    /// do influences unless the region is another one.
    pub(super) fn replace_terrain(&mut self, mut terrain: Terrain) {
        terrain.take_obstacles(&self.terrain);
        terrain.take_heights(&self.terrain);
        // Another epoch, so that no version of the old map equals one of the new map.
        let (memory_max, epoch) = (self.layers.memory_max(), self.epoch + 1);
        // Values of influence are kept by cell, so they fit no other region.
        let influences = if terrain.region() == self.terrain.region() {
            std::mem::take(&mut self.influences)
        } else {
            Influences::default()
        };
        let clearances = self.clearances.of_another_map();
        *self = Self { epoch, influences, clearances, ..Self::new(terrain) };
        self.layers.set_memory_max(memory_max);
    }

    /// Returns the structures as they are now, in constant time and next to no memory. Whichever of the two
    /// is edited first copies what it changes.
    pub(super) fn snapshot(&self) -> Self {
        Self {
            layers: self.layers.clone(),
            influences: self.influences.clone(),
            epoch: self.epoch,
            // Work elsewhere reads no clearances or surfaces.
            ..Self::new(self.terrain.clone())
        }
    }

    /// Takes the layers that a snapshot has made meanwhile, unless all cells were replaced since. Returns what
    /// that replaces.
    pub(super) fn adopt(&mut self, version: MapVersion, layers: Layers) -> Replaced {
        // Layers of a map that was replaced describe other cells, under revisions that may be the same.
        if version.epoch == self.epoch { self.layers.adopt(layers) } else { Replaced::default() }
    }

    pub(super) fn memory(&self) -> usize {
        self.terrain.memory()
            + self.layers.memory()
            + self.influences.memory()
            + self.clearances.memory()
            + self.surfaces.memory()
    }

    /// Returns the placements of a layer, one bit a cell, up to date.
    pub(super) fn placements(&mut self, key: &LayerKey) -> &Arc<Placements> {
        self.layers.placements(&self.terrain, key)
    }

    /// Returns the placements of the body of `profile`, and which of them can reach each other.
    pub(super) fn components(&mut self, profile: &Profile) -> (Arc<Placements>, Arc<Components>) {
        let (placements, components) =
            self.layers.components(&self.terrain, &profile.layer_key(), profile.diagonal_mode);
        (Arc::clone(placements), Arc::clone(components))
    }

    /// Returns whether any influence weighs on the body of `profile`.
    pub(super) fn is_influenced(&self, profile: &Profile) -> bool {
        self.influences.weigh(&profile.influence_weights)
    }

    /// Returns whether some cells may cost the body more than others.
    pub(super) fn may_pay(&self, profile: &Profile) -> bool {
        // Answers without a look at any cell, as each query asks.
        let is_uniform = self.terrain.weights().is_none() && profile.terrain_costs.is_unit();
        !is_uniform || self.is_influenced(profile)
    }

    /// Returns what weights and terrains make of the steps onto the placements of a layer, whatever
    /// influences say; `None` where nothing was ever given a weight or a cost.
    pub(super) fn placement_costs(
        &mut self,
        layer: LayerKey,
        terrain_costs: TerrainCosts,
    ) -> Option<Arc<PlacementCosts>> {
        let LayerKey { footprint, capability, ignored_obstacles, climb } = layer;
        let profile =
            Profile { footprint, capability, terrain_costs, ignored_obstacles, climb, ..Profile::default() };
        self.may_pay(&profile).then(|| Arc::clone(self.costs(&profile)))
    }

    fn costs(&mut self, profile: &Profile) -> &Arc<PlacementCosts> {
        let layer = self.layers.layer(&self.terrain, &profile.layer_key());
        &layer.costs((&self.terrain, &self.influences), profile).costs.structure
    }

    /// Returns what placements cost the body; `None` where every step costs what it does over weight 1.
    pub(super) fn varying_costs(&mut self, profile: &Profile) -> Option<Arc<PlacementCosts>> {
        if !self.may_pay(profile) {
            return None;
        }
        let costs = self.costs(profile);
        // Weights or influences may be set and yet all cost the same: then jump points are the faster engine.
        (!costs.is_uniform()).then(|| Arc::clone(costs))
    }

    /// Returns the clusters for the body of `profile`, which fits at `placements`; some of them may not be
    /// made.
    pub(super) fn clusters(&mut self, profile: &Profile, placements: Arc<Placements>) -> Clusters {
        let costs = self.varying_costs(profile);
        let layer = self.layers.layer(&self.terrain, &profile.layer_key());
        let hierarchy = layer.clusters((&self.terrain, &self.influences), profile, costs.is_some());
        Clusters::new(Arc::clone(hierarchy), placements, costs, profile.diagonal_mode)
    }

    /// Returns what fields for the body of `profile` are made from now.
    pub(super) fn field_source(&mut self, profile: &Profile) -> FieldSource {
        let costs = self.varying_costs(profile);
        let layer = self.layers.layer(&self.terrain, &profile.layer_key());
        let moves = layer.moves(profile.diagonal_mode);
        let placements = Arc::clone(&layer.placements.structure);
        FieldSource { region: self.terrain.region(), placements, moves, costs, version: self.version() }
    }

    /// Returns the state that the map is in.
    pub(super) fn version(&self) -> MapVersion {
        MapVersion {
            epoch: self.epoch,
            revision: self.terrain.journal().revision(),
            influences: self.influences.revisions(),
        }
    }

    /// Returns rectangles that hold every anchor whose bit, or whose cost, may have changed for the body of
    /// `profile` since `version`. `None` if all may have changed, or if `version` is too old to know.
    pub(super) fn anchors_changed_since(
        &self,
        version: MapVersion,
        profile: &Profile,
    ) -> Option<Vec<LocalRect>> {
        // Revisions count anew on a map that replaced another.
        if version.epoch != self.epoch {
            return None;
        }
        let layout = self.terrain.layout();
        let edits = self.terrain.journal().since(version.revision)?;
        // Whether an edge is near changes around it, too.
        let edits = edits.filter(|edit| edit.change.matters_to(profile.climb)).map(|edit| {
            if edit.change.is_of_edges() {
                edit.rect.grown(EDGE_REACH, EDGE_REACH, EDGE_REACH, EDGE_REACH, layout)
            } else {
                edit.rect
            }
        });
        let influenced = self.influences.changed_since(&version.influences, &profile.influence_weights)?;
        Some(edits.chain(influenced).map(|rect| anchors_touching(rect, profile.footprint, layout)).collect())
    }
}
