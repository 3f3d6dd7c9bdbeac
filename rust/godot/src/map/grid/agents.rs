//! What agents need of their grid: requests, and the map as a body sees it. Where its cells lie is in
//! `cell_frame`.

use godot::prelude::*;
use pathforge_core::walker::{Ground, Metric};
use pathforge_core::world::{PathQuery, Profile, Statistics, Ticket};

use super::PathForgeGrid;

impl PathForgeGrid {
    /// Asks for a path; the answer goes to `callback`, too.
    pub fn ask(&self, query: PathQuery, callback: Callable) -> Ticket {
        self.inbox().push(query, Some(callback))
    }

    /// Takes back a request, whose answer is told to nothing.
    pub fn withdraw(&self, ticket: Ticket) {
        self.inbox().withdraw(ticket);
    }

    /// What the grid has done so far, and the bytes that it takes.
    pub fn account(&self) -> (Statistics, usize) {
        let map = self.map.lock();
        (map.world.statistics(), map.world.memory())
    }

    /// Returns `true` if a query would find a path.
    pub fn can_reach(&mut self, query: &PathQuery) -> bool {
        self.map.lock().world.is_reachable(query)
    }

    /// Calls `work` with the map as a body of `profile` sees it.
    pub fn with_ground<R>(
        &self,
        profile: &Profile,
        metric: Metric,
        work: impl FnOnce(&Ground<'_>) -> R,
    ) -> R {
        let map = self.map.lock();
        work(&Ground { terrain: map.world.terrain(), profile, metric })
    }
}
