//! What a query takes from a profile: the argument of a call, and the values that the core needs.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

use godot::prelude::*;
use pathforge_core::geometry::DiagonalMode;
use pathforge_core::world::{Profile, SearchMode};

use super::{Body, PathForgeProfile};
use crate::engine::after_call;
use crate::script::optional_arg::ResourceArg;

/// The number of changes of all profiles so far.
pub fn profile_changes() -> u64 {
    CHANGES.load(Ordering::Acquire)
}

/// What a query takes from a profile, or from the want of one.
#[derive(Clone, Copy, PartialEq)]
pub struct Asker {
    /// The body.
    pub profile: Profile,
    /// Most expansions; `u32::MAX` is no limit.
    pub expansions_max: u32,
    /// How paths are searched.
    pub search_mode: SearchMode,
    /// `true` if positions are to run straight where the body can.
    pub smoothing: bool,
}

/// A profile as an argument; none is a body of one cell that may enter every terrain.
pub type ProfileArg = ResourceArg<PathForgeProfile>;

/// Counts the changes of all profiles.
static CHANGES: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// The last askers of this thread, so that many queries for a few kinds of bodies borrow each profile
    /// once. A borrow that other threads may wait for takes a call of the operating system.
    static LATEST: RefCell<[Option<(Known, Asker)>; REMEMBERED]> = const { RefCell::new([None; REMEMBERED]) };
}

/// How many profiles a thread remembers.
const REMEMBERED: usize = 8;

/// The values that an asker is found again by.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Known {
    id: InstanceId,
    changes: u64,
    mode: DiagonalMode,
}

impl Asker {
    /// The asker that `profile` describes, on a grid that moves by `grid_mode`.
    pub fn of(profile: &ProfileArg, grid_mode: DiagonalMode) -> Self {
        let Some(profile) = &profile.0 else { return Self::without_profile(grid_mode) };
        // Ids are never given twice.
        let known = Known {
            id: profile.instance_id_unchecked(),
            changes: CHANGES.load(Ordering::Acquire),
            mode: grid_mode,
        };
        LATEST.with_borrow_mut(|latest| {
            if let Some((_, asker)) = latest.iter().flatten().find(|(key, _)| *key == known) {
                return *asker;
            }
            // Exclusively, as other threads may ask: see `grid`.
            let asker = after_call::alone(|| profile.clone().bind_mut().asker(grid_mode));
            latest.rotate_right(1);
            latest[0] = Some((known, asker));
            asker
        })
    }

    fn without_profile(grid_mode: DiagonalMode) -> Self {
        Self {
            profile: Profile { diagonal_mode: grid_mode, ..Profile::default() },
            expansions_max: u32::MAX,
            search_mode: SearchMode::Optimal,
            smoothing: false,
        }
    }
}

/// Counts a change of a profile.
pub(super) fn note_change() {
    CHANGES.fetch_add(1, Ordering::Release);
}

impl PathForgeProfile {
    fn asker(&self, grid_mode: DiagonalMode) -> Asker {
        let Body {
            footprint,
            capability,
            terrain_costs,
            climb,
            diagonal_mode,
            influence_weights,
            slowed_by_weight,
            outline,
        } = self.body;
        let diagonal_mode = diagonal_mode.unwrap_or(grid_mode);
        let ignored_obstacles = self.ignored;
        Asker {
            profile: Profile {
                footprint,
                capability,
                terrain_costs,
                diagonal_mode,
                influence_weights,
                ignored_obstacles,
                climb,
                slowed_by_weight,
                outline,
            },
            expansions_max: expansions_max(self.max_expansions),
            search_mode: match self.search_number {
                Self::SEARCH_HIERARCHICAL => SearchMode::Hierarchical,
                _ => SearchMode::Optimal,
            },
            smoothing: self.smooths,
        }
    }
}

/// The most nodes that a search expands, given a property with 0 for no limit.
pub fn expansions_max(property: i64) -> u32 {
    u32::try_from(property).ok().filter(|&limit| limit > 0).unwrap_or(u32::MAX)
}
