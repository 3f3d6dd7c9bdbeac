//! Making what a kind of body needs before it asks for its first path.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use godot::prelude::*;
use pathforge_core::world::Preparations;

use super::PathForgeGrid;
use crate::engine::workers::{self, Crew};
use crate::script::profile::{Asker, PathForgeProfile, ProfileArg};

/// Kinds of bodies that are being prepared for.
pub(super) struct Preparing {
    orders: Preparations,
    /// In the order in which they came.
    profiles: VecDeque<Option<Gd<PathForgeProfile>>>,
}

impl Default for Preparing {
    fn default() -> Self {
        Self { orders: Preparations::new(Crew::shared()), profiles: VecDeque::new() }
    }
}

#[godot_api(secondary)]
impl PathForgeGrid {
    /// Makes in the background what paths of `profile` are searched on, so that the first one does not wait
    /// for it: where the body can stand, what its steps cost, and with [constant
    /// PathForgeProfile.SEARCH_HIERARCHICAL] all clusters of the map, which take a second or more on a map of
    /// 4096×4096 cells. [signal profile_prepared] follows on a later frame.
    ///
    /// Over weights, without [constant PathForgeProfile.SEARCH_HIERARCHICAL], paths cost what they would
    /// without it and are found some three times as fast, by landmarks: the costs of paths to and from eight
    /// places, 64 bytes a cell, on maps of up to 2048×2048 cells. Edits that make paths cheaper over a large
    /// part of the map drop some of them, until the profile is prepared again. Of several paths of equal
    /// cost, another one may be found than before.
    ///
    /// Calling this is optional, and so is waiting for the signal: [method find_path] uses what is there by
    /// then and makes what else it needs. Edits are repaired as always. A profile that is changed has to be
    /// prepared again.
    ///
    /// Like requests, it waits while the grid is not in the scene tree or cannot process.
    ///
    /// ```gdscript
    /// grid.prepare_profile(caravan)
    /// await grid.profile_prepared
    /// loading_screen.hide()
    /// ```
    #[func]
    fn prepare_profile(&mut self, #[opt(default = ProfileArg::NONE)] profile: ProfileArg) {
        let asker = Asker::of(&profile, self.grid_diagonal_mode());
        self.preparing.orders.order(asker.profile, asker.search_mode);
        self.preparing.profiles.push_back(profile.0);
    }

    /// Returns the number of profiles that [method prepare_profile] was called with and that are not prepared
    /// yet.
    #[func]
    fn get_preparation_count(&mut self) -> i64 {
        self.preparing.orders.len() as i64
    }
}

impl PathForgeGrid {
    /// Has the workers go on, and announces what they have completed. The grid may be gone afterwards.
    pub(super) fn follow_preparations(mut this: Gd<Self>) {
        let Some(profile) = this.bind_mut().prepared() else { return };
        this.signals().profile_prepared().emit(profile.as_ref());
    }

    /// The profile that was completed since the last time, if one was.
    // No profile at all, a body of one cell, can be completed, too.
    #[allow(clippy::option_option)]
    fn prepared(&mut self) -> Option<Option<Gd<PathForgeProfile>>> {
        if self.preparing.orders.is_empty() {
            return None;
        }
        let end = Instant::now() + Duration::from_micros(self.request_budget_usec as u64);
        let completed = self.preparing.orders.pump(&mut self.map.lock().world);
        workers::do_waiting_work(end);
        if completed { self.preparing.profiles.pop_front() } else { None }
    }
}
