//! What a query takes from a profile: the argument of a call, and the values that the core needs.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

use godot::meta::GodotImmutable;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::prelude::*;
use pathforge_core::geometry::DiagonalMode;
use pathforge_core::world::{Profile, SearchMode};

use super::{Body, PathForgeProfile};

/// The number of changes of all profiles so far.
pub fn profile_changes() -> u64 {
    CHANGES.load(Ordering::Acquire)
}

/// What a query takes from a profile, or from the want of one.
#[derive(Clone, Copy)]
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

/// A profile argument that may be left out.
#[derive(Clone, Debug)]
pub struct ProfileArg(Option<Gd<PathForgeProfile>>);

impl ProfileArg {
    /// What a call without the argument means: a body of one cell that may enter every terrain.
    pub const NONE: Self = Self(None);

    /// The profile, if there is one.
    pub fn into_resource(self) -> Option<Gd<PathForgeProfile>> {
        self.0
    }
}

impl From<Option<Gd<PathForgeProfile>>> for ProfileArg {
    fn from(profile: Option<Gd<PathForgeProfile>>) -> Self {
        Self(profile)
    }
}

impl GodotConvert for ProfileArg {
    type Via = Option<Gd<PathForgeProfile>>;

    fn godot_shape() -> GodotShape {
        Self::Via::godot_shape()
    }
}

impl FromGodot for ProfileArg {
    fn try_from_godot(via: Self::Via) -> Result<Self, ConvertError> {
        Ok(Self(via))
    }
}

impl ToGodot for ProfileArg {
    // By value, as numbers are: the binding does not export the name.
    type Pass = <i64 as ToGodot>::Pass;

    fn to_godot(&self) -> Self::Via {
        self.0.clone()
    }
}

// SAFETY: the trait is asked for default values alone, and the only one is `ProfileArg::NONE`, which has nothing in it
// that could be changed or shared. The binding cannot give an object argument a default without this.
unsafe impl GodotImmutable for ProfileArg {}

/// Counts the changes of all profiles.
static CHANGES: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// What this thread asked for last, so that many queries for one kind of body borrow its profile once: a borrow
    /// that other threads may wait for takes a call of the operating system.
    static LATEST: RefCell<Option<(Known, Asker)>> = const { RefCell::new(None) };
}

/// What makes an asker the same as before.
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
        LATEST.with_borrow_mut(|latest| match latest {
            Some((key, asker)) if *key == known => *asker,
            _ => {
                // Exclusively, as other threads may ask: see `grid`.
                let asker = profile.clone().bind_mut().asker(grid_mode);
                *latest = Some((known, asker));
                asker
            }
        })
    }

    fn without_profile(grid_mode: DiagonalMode) -> Self {
        Self {
            profile: Profile { diagonal_mode: grid_mode, ..Profile::default() },
            expansions_max: u32::MAX,
            search_mode: SearchMode::Auto,
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
        let Body { footprint, capability, terrain_costs, diagonal_mode, influence_weights } = self.body;
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
            },
            expansions_max: if self.search.expansions_max == 0 {
                u32::MAX
            } else {
                self.search.expansions_max
            },
            search_mode: match self.search.mode {
                Self::SEARCH_OPTIMAL => SearchMode::Optimal,
                Self::SEARCH_HIERARCHICAL => SearchMode::Hierarchical,
                _ => SearchMode::Auto,
            },
            smoothing: self.search.smoothing == Self::SMOOTH_STRING_PULL,
        }
    }
}
