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
    /// Makes the data for paths of `profile` in the background, so that the first path does not wait for it:
    /// valid placements and costs of steps. With [constant PathForgeProfile.SEARCH_HIERARCHICAL] it also
    /// makes all clusters, which take a second or more on a map of 4096×4096 cells. [signal profile_prepared]
    /// is emitted on a later frame.
    ///
    /// Otherwise, on maps with weights of up to 2048×2048 cells, it also makes landmarks: the costs of paths
    /// to and from eight places, 64 bytes a cell. Paths cost the same with them, and are found some three
    /// times as fast. Among paths of equal cost another one may be returned. Edits that make paths cheaper
    /// over a large part of the map drop landmarks until the profile is prepared again.
    ///
    /// The call is optional, and so is waiting for the signal: [method find_path] uses what is ready and
    /// makes the rest. Edits are repaired as always. Prepare a profile again after you have changed it.
    ///
    /// Like requests, the work waits while the grid is not in the scene tree or cannot process.
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
}

impl PathForgeGrid {
    /// How many profiles are not prepared yet.
    pub fn open_preparations(&self) -> usize {
        self.preparing.orders.len()
    }

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
