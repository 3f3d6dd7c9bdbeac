//! The map while an overlay lies over a layer for one query.

use super::Planner;
use crate::geometry::Cell;
use crate::world::query::{PathQuery, Profile, SearchMode};

impl Planner<'_> {
    /// Calls `ask` with the map as `query` sees it: past the obstacles that its body ignores, with its own
    /// cells blocked.
    pub(super) fn overlaid<T>(&mut self, query: &PathQuery, ask: impl FnOnce(&mut Self) -> T) -> T {
        // Clusters are made for layers that stay.
        let is_by_clusters = query.search_mode == SearchMode::Hierarchical && query.blocked().is_empty();
        let ids = query.profile.ignored_obstacles.ids();
        let has_obstacles = ids.iter().any(|&id| self.kept.terrain.obstacle(id).is_some());
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
        if self.kept.layers.is_overlaid() || self.kept.terrain.region().is_empty() {
            return ask(self);
        }
        let pays = self.kept.may_pay(profile);
        self.kept.layers.lay_over((&self.kept.terrain, &self.kept.influences), profile, blocked, pays);
        let answer = ask(self);
        self.kept.layers.lift_overlay((&self.kept.terrain, &self.kept.influences), profile);
        answer
    }
}
