//! The layers of a world, and its answers, while an overlay lies over a layer for one query.

use std::sync::Arc;

use super::World;
use super::kept::is_small;
use super::layer::Map;
use super::layers::Layers;
use super::overlay::Overlay;
use super::query::{PathQuery, Profile, SearchMode};
use crate::geometry::{Cell, Footprint};

impl Layers {
    /// Changes the layer of `profile` such that the obstacles that it names do not block it, and `blocked`
    /// do; it is used in its place until [`Layers::lift_overlay`]. `pays` says whether placements may cost
    /// the body different amounts.
    fn lay_over(&mut self, map @ (terrain, _): Map<'_>, profile: &Profile, blocked: &[Cell], pays: bool) {
        let (base, mode) = (profile.layer_key().without_ids(), profile.diagonal_mode);
        // Everything that the query reads is there before a bit of it changes; the layer itself last, as
        // others may be dropped for it.
        let is_large = base.footprint != Footprint::ONE;
        let open = is_large.then(|| Arc::clone(self.placements(terrain, &base.of_one_cell())));
        self.layer(terrain, &base).jump_map(mode);
        if !is_small(terrain.layout()) {
            self.components(terrain, &base, mode);
        }
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
    fn lift_overlay(&mut self, map: Map<'_>, profile: &Profile) {
        let Some(overlay) = self.overlay.take() else { return };
        let Some(layer) = self.kept.get_mut(&profile.layer_key().without_ids()) else { return };
        self.spare_logs = overlay.lift(layer, map, profile);
    }
}

impl World {
    /// Calls `ask` with the map as `query` sees it: past the obstacles that its body ignores, with its own
    /// cells blocked.
    pub(super) fn overlaid<T>(&mut self, query: &PathQuery, ask: impl FnOnce(&mut Self) -> T) -> T {
        // Clusters are made for layers that stay.
        let is_by_clusters = query.search_mode == SearchMode::Hierarchical && query.blocked().is_empty();
        let ids = query.profile.ignored_obstacles.ids();
        let has_obstacles = ids.iter().any(|&id| self.terrain.obstacle(id).is_some());
        if is_by_clusters || !has_obstacles {
            return self.blocked_by(&query.profile, query.blocked(), ask);
        }
        self.laid_over(&query.profile, query.blocked(), ask)
    }

    /// Calls `ask` with the cells of `blocked` solid for the body of `profile`.
    pub(super) fn blocked_by<T>(
        &mut self,
        profile: &Profile,
        blocked: &[Cell],
        ask: impl FnOnce(&mut Self) -> T,
    ) -> T {
        if blocked.is_empty() { ask(self) } else { self.laid_over(profile, blocked, ask) }
    }

    fn laid_over<T>(&mut self, profile: &Profile, blocked: &[Cell], ask: impl FnOnce(&mut Self) -> T) -> T {
        // A query within a query asks about the map as it is changed already.
        if self.layers.overlay.is_some() || self.terrain.region().is_empty() {
            return ask(self);
        }
        let pays = self.may_pay(profile);
        self.layers.lay_over((&self.terrain, &self.influences), profile, blocked, pays);
        let answer = ask(self);
        self.layers.lift_overlay((&self.terrain, &self.influences), profile);
        answer
    }
}
