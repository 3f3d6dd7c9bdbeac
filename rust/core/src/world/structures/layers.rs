//! The passability layers that are kept, by their keys.
//!
//! An edit leaves layers as they are; the next use of a layer repairs it. A layer with a larger footprint is
//! eroded from the layer of a single cell. A layer with ignored obstacles shares all pages that these do not
//! touch with the layer without.

use std::sync::Arc;

use super::cache::{Cache, Limits};
use super::landmarks::Landmarks;
use super::layer::{CostSet, Layer, Map};
use super::overlay::{Logs, Overlay};
use crate::bitgrid::LocalRect;
use crate::connectivity::Components;
use crate::geometry::{Cell, DiagonalMode, Footprint};
use crate::passability::{LayerKey, Placements};
use crate::terrain::{IgnoredObstacles, ObstacleId, Terrain};
use crate::world::query::Profile;

/// Memory that layers may take by default, in bytes: some ten kinds of body on 4096². With its derived data a
/// layer takes 30 to 100 MB there. A chosen bound, not a measured one.
const LAYER_MEMORY_DEFAULT: usize = 512 << 20;
/// When a new layer is built, a layer is dropped if other layers were used this often since its last use:
/// some seconds of a game with a hundred queries a frame. It bounds what bodies that are gone leave behind,
/// and is not tuned. At half or double, the layer of a resting kind of body is dropped that much sooner or
/// later, and its next query builds it.
const IDLE_USES_MAX: u64 = 10_000;

/// Layers by key. A clone shares them.
#[derive(Clone, Debug)]
pub(in crate::world) struct Layers {
    kept: Cache<LayerKey, Layer>,
    repairs: u64,
    /// The change of one layer for the query that is being answered, if there is one.
    overlay: Option<Overlay>,
    spare_logs: Logs,
}

/// Layers and costs that newer ones have replaced. They may hold the last pointers to a hundred megabytes on
/// a map of 4096², which take milliseconds to free: too long for a frame of the game.
#[derive(Default)]
pub(in crate::world) struct Replaced {
    layers: Vec<Layer>,
    costs: Vec<CostSet>,
}

impl Replaced {
    pub(in crate::world) const fn is_empty(&self) -> bool {
        self.layers.is_empty() && self.costs.is_empty()
    }
}

impl Default for Layers {
    fn default() -> Self {
        let limits = Limits { values: usize::MAX, bytes: LAYER_MEMORY_DEFAULT, idle_uses: IDLE_USES_MAX };
        Self { kept: Cache::new(limits), repairs: 0, overlay: None, spare_logs: Logs::default() }
    }
}

impl Layers {
    pub(super) fn memory(&self) -> usize {
        self.kept.memory() + self.spare_logs.memory()
    }

    /// Bounds the memory of the layers, in bytes: the least recently used are dropped first.
    pub(in crate::world) fn set_memory_max(&mut self, bytes: usize) {
        self.kept.set_memory_max(bytes);
    }

    pub(in crate::world) const fn memory_max(&self) -> usize {
        self.kept.limits().bytes
    }

    /// Returns the number of layers that are kept at the moment.
    pub(in crate::world) fn count(&self) -> usize {
        self.kept.len()
    }

    /// Returns whether a layer is changed for the query that is being answered.
    pub(in crate::world) const fn is_overlaid(&self) -> bool {
        self.overlay.is_some()
    }

    /// Layers that were repaired or built anew after edits, so far.
    pub(in crate::world) const fn repairs(&self) -> u64 {
        self.repairs
    }

    /// Returns the layer of `key`, made or brought up to date.
    pub(in crate::world) fn layer(&mut self, terrain: &Terrain, key: &LayerKey) -> &mut Layer {
        let place = self.place(terrain, key);
        self.kept.at_mut(place)
    }

    /// Returns the placements of a layer, up to date.
    pub(in crate::world) fn placements(&mut self, terrain: &Terrain, key: &LayerKey) -> &Arc<Placements> {
        &self.layer(terrain, key).placements.structure
    }

    /// Returns the placements of a layer and their components for bodies that move by `mode`, up to date.
    #[inline]
    pub(in crate::world) fn components(
        &mut self,
        terrain: &Terrain,
        key: &LayerKey,
        mode: DiagonalMode,
    ) -> (&Arc<Placements>, &Arc<Components>) {
        let place = self.place(terrain, key);
        let layer = self.kept.at_mut(place);
        match &mut self.overlay {
            // The components of the layer describe it without the overlay.
            Some(overlay) => (&layer.placements.structure, overlay.components_of(layer)),
            None => layer.components(mode),
        }
    }

    /// Returns the landmarks for the body of `profile`, up to date, if it was prepared and they hold for it.
    pub(in crate::world) fn landmarks(&mut self, map: Map<'_>, profile: &Profile) -> Option<Arc<Landmarks>> {
        // Cells that are blocked for one query only close placements, so landmarks, which were repaired
        // before that, hold with them. Past obstacles that are ignored for one query, paths may cost less.
        let is_opened = self.overlay.as_ref().is_some_and(Overlay::opens);
        let layer = self.layer(map.0, &profile.layer_key());
        layer.landmarks(map, profile).filter(|_| !is_opened).cloned()
    }

    /// Changes the layer of `profile` such that the obstacles that it names do not block it, and `blocked`
    /// do; it is used in its place until [`Layers::lift_overlay`]. `pays` says whether placements may cost
    /// the body different amounts.
    pub(in crate::world) fn lay_over(
        &mut self,
        map @ (terrain, _): Map<'_>,
        profile: &Profile,
        blocked: &[Cell],
        pays: bool,
    ) {
        let (base, mode) = (profile.layer_key().without_ids(), profile.diagonal_mode);
        // Everything that the query reads is there before a bit of it changes; the layer itself last, as
        // others may be dropped for it.
        let is_large = base.footprint != Footprint::ONE;
        let open = is_large.then(|| Arc::clone(self.placements(terrain, &base.of_one_cell())));
        self.layer(terrain, &base).jump_map(mode);
        self.components(terrain, &base, mode);
        if pays {
            let ignored_obstacles = base.ignored_obstacles;
            // Landmarks too, which see nothing of the change.
            self.landmarks(map, &Profile { ignored_obstacles, ..*profile });
        }
        // Reused, so that a query allocates no logs of its own.
        let logs = std::mem::take(&mut self.spare_logs);
        let Some(layer) = self.kept.get_mut(&base) else { return };
        self.overlay = Some(Overlay::lay(layer, open, map, profile, blocked, pays, logs));
    }

    /// Restores the layer.
    pub(in crate::world) fn lift_overlay(&mut self, map: Map<'_>, profile: &Profile) {
        let Some(overlay) = self.overlay.take() else { return };
        let Some(layer) = self.kept.get_mut(&profile.layer_key().without_ids()) else { return };
        self.spare_logs = overlay.lift(layer, map, profile);
    }

    /// Takes what `others`, made from an earlier or equal state of the same terrain, have that is newer or
    /// missing here. Returns what that replaces.
    pub(super) fn adopt(&mut self, others: Self) -> Replaced {
        let mut replaced = Replaced::default();
        for (key, other) in others.kept.into_entries() {
            // Layers that the world has repaired further meanwhile stay; see the last arm.
            match self.kept.get_mut(&key) {
                None => {
                    self.kept.insert(key, other);
                }
                Some(own) if own.placements.revision < other.placements.revision => {
                    replaced.layers.push(std::mem::replace(own, other));
                }
                Some(own) if own.placements.revision == other.placements.revision => {
                    replaced.costs.extend(own.take_missing(other));
                }
                Some(_) => {}
            }
        }
        // Adopted layers count against the limit on memory like any other.
        self.kept.evict(None);
        replaced
    }

    /// Returns the place of the layer of `key`, made or brought up to date.
    fn place(&mut self, terrain: &Terrain, key: &LayerKey) -> usize {
        // By reference: a key with its ids is longer than all else that is looked at here.
        let other = match &self.overlay {
            // `lay_over` brought its layer up to date before it changed it; a repair now would undo the
            // changes.
            Some(overlay) => overlay.base_of(key),
            None => known(terrain, key),
        };
        let key = other.as_ref().unwrap_or(key);
        // Almost every call returns here: a few keys are compared, nothing is built.
        if let Some(place) =
            self.kept.find(key).filter(|&p| self.kept.at(p).placements.revision == terrain.revision())
        {
            self.kept.touch(place);
            return place;
        }
        // Larger footprints are eroded from the single cell's layer, which has the same capability.
        let is_large = key.footprint != Footprint::ONE;
        let open = is_large.then(|| Arc::clone(self.placements(terrain, &key.of_one_cell())));
        let open = open.as_deref();
        // With obstacles ignored by id, a layer is a copy of the one without, repaired around them.
        let has_holes = !key.ignored_obstacles.ids().is_empty();
        let others = has_holes.then(|| self.place(terrain, &key.without_ids()));
        // Building those may have inserted or evicted layers, so the place is looked up again.
        let place = self.kept.find(key).unwrap_or_else(|| {
            let layer = match others {
                Some(others) => self.kept.at(others).with_holes(terrain, *key, open),
                None => Layer::build(terrain, *key, open),
            };
            self.kept.insert(*key, layer)
        });
        self.kept.touch(place);
        let layer = self.kept.at_mut(place);
        self.repairs += u64::from(layer.placements.revision != terrain.revision());
        if layer.bring_up_to_date(terrain, *key, open) {
            // A repair may have taken memory.
            return self.kept.evict(Some(place)).unwrap_or(place);
        }
        place
    }
}

/// Returns the key without obstacles that have no cell on the map, where it has ids.
fn known(terrain: &Terrain, key: &LayerKey) -> Option<LayerKey> {
    let ids = key.ignored_obstacles.ids();
    if ids.is_empty() {
        return None;
    }
    let counts = |id: &ObstacleId| {
        terrain.obstacle(*id).is_some_and(|rect| LocalRect::within(terrain.region(), rect).is_some())
    };
    // Keys that differ only in obstacles without cells on the map get one layer.
    let ignored = IgnoredObstacles::new(ids.iter().copied().filter(counts));
    let ignored = ignored.unwrap_or_default().on_layers(key.ignored_obstacles.layers());
    Some(LayerKey { ignored_obstacles: ignored, ..*key })
}
