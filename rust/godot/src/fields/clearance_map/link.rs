//! The map's grid: listening to it, and saying what its edits changed.

use godot::prelude::*;
use pathforge_core::geometry::DiagonalMode;
use pathforge_core::world::{ClearanceKey, Profile};

use super::ClearanceMap;
use crate::engine::errors::reported;
use crate::map::grid::PathForgeGrid;
use crate::map::grid_link::{self, NO_GRID};
use crate::script::convert;
use crate::script::profile::{Asker, ProfileArg};

impl ClearanceMap {
    /// The grid, and the map listens to it from now on.
    pub(super) fn hear_grid(&mut self) -> Option<Gd<PathForgeGrid>> {
        let node = self.to_gd().upcast();
        let grid = self.link.resolve(&node);
        let id = grid.as_ref().map(Gd::instance_id);
        if id != self.heard {
            grid_link::hear_instead(&node, self.heard, grid.as_ref());
            self.heard = id;
            if let Some(mut grid) = grid.clone() {
                (self.seen, _) = grid.bind_mut().clearance_news(self.key, 0);
            }
        }
        grid
    }

    /// The grid, or an error that names the method which needs it.
    pub(super) fn grid_for(&mut self, method: &str) -> Option<Gd<PathForgeGrid>> {
        reported(method, self.hear_grid().ok_or(NO_GRID))
    }

    /// Measures another grid or in another way, and says that everything has changed.
    pub(super) fn measure_anew(&mut self, key: ClearanceKey) {
        let before = (self.key, self.heard);
        self.key = self.for_the_body(key);
        let key = self.key;
        let grid = self.hear_grid();
        if before == (self.key, self.heard) {
            return;
        }
        let Some(mut grid) = grid else { return };
        let (seen, changed) = grid.bind_mut().clearance_news(key, 0);
        self.seen = seen;
        if let Some(rect) = changed {
            self.signals().clearance_changed().emit(convert::region(rect));
        }
    }

    /// Says what an edit of the grid changed. Without listeners, nothing is repaired before the next query.
    pub(super) fn announce_changes(mut this: Gd<Self>) {
        if !this.has_connections("clearance_changed") {
            return;
        }
        let changed = {
            let mut map = this.bind_mut();
            let Some(mut grid) = map.hear_grid() else { return };
            let (seen, changed) = grid.bind_mut().clearance_news(map.key, map.seen);
            map.seen = seen;
            changed
        };
        if let Some(rect) = changed {
            this.signals().clearance_changed().emit(convert::region(rect));
        }
    }

    /// What is measured by `key` for the profile as it is now.
    pub(super) fn for_the_body(&self, key: ClearanceKey) -> ClearanceKey {
        let profile = ProfileArg::from(self.profile.clone());
        // How bodies step does not matter here.
        let Profile { capability, ignored_obstacles, .. } =
            Asker::of(&profile, DiagonalMode::default()).profile;
        ClearanceKey { capability, ignored_obstacles, ..key }
    }
}
