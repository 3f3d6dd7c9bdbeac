//! The resources that agents have their profiles from: when one is edited, its agents follow.

use godot::prelude::*;
use pathforge_core::geometry::DiagonalMode;
use pathforge_core::world::Profile;

use super::PathForgeCrowd;
use crate::map::grid::PathForgeGrid;
use crate::script::profile::{Asker, PathForgeProfile, ProfileArg, profile_changes};

/// Where the crowd's profiles come from, by number.
#[derive(Default)]
pub struct ProfileSources {
    all: Vec<Source>,
    /// How often profiles had changed when they were last looked at, and how bodies moved on the grid.
    seen: (u64, DiagonalMode),
}

/// Where a profile comes from.
#[derive(Clone, PartialEq)]
enum Source {
    /// A resource, which may be edited.
    Resource(Gd<PathForgeProfile>),
    /// The agents were added without one.
    Absent,
    /// Bytes, which do not name it.
    Saved,
}

impl PathForgeCrowd {
    /// The number of the profile of `source`. A resource with the values of a profile that was read from
    /// bytes takes its place.
    pub(super) fn number_of(&mut self, source: ProfileArg, grid: &Gd<PathForgeGrid>) -> u16 {
        let profile = Asker::of(&source, grid.bind().grid_diagonal_mode()).profile;
        let source = source.0.map_or(Source::Absent, Source::Resource);
        let mut known = self.guidance.profiles().iter().zip(&self.profile_sources.all);
        // A profile from saved bytes is taken over by the first resource that says the same.
        let number =
            known.position(|(known, from)| *known == profile && (*from == source || *from == Source::Saved));
        let number = number.map_or_else(
            || {
                self.profile_sources.all.push(Source::Saved);
                self.guidance.add_profile(&profile)
            },
            |number| number as u16,
        );
        self.profile_sources.all[usize::from(number)] = source;
        number
    }

    /// Lets agents follow the resources that they came from, when some were edited since the last step, and
    /// the grid's diagonal mode.
    pub(super) fn follow_profiles(&mut self, grid: &Gd<PathForgeGrid>) {
        let mode = grid.bind().grid_diagonal_mode();
        // One number for all profiles: most steps find that none has changed, without a look at any.
        let seen = (profile_changes(), mode);
        if std::mem::replace(&mut self.profile_sources.seen, seen) == seen {
            return;
        }
        for number in 0..self.profile_sources.all.len() {
            let resource = match &self.profile_sources.all[number] {
                Source::Resource(resource) => Some(resource.clone()),
                Source::Absent => None,
                Source::Saved => continue,
            };
            let now = Asker::of(&ProfileArg::from(resource), mode).profile;
            if now != self.guidance.profiles()[number] {
                self.on_map(grid, |guidance, crowd, map| guidance.edit_profile(crowd, map, number, &now));
            }
        }
    }

    /// Profiles were read from bytes: what this crowd had from a resource at the same place, with the same
    /// values, goes on following it.
    pub(super) fn keep_sources(&mut self, former: &[Profile]) {
        let sources = std::mem::take(&mut self.profile_sources.all);
        let mut former = former.iter().zip(sources);
        let source = |now: &Profile| match former.next() {
            Some((known, source)) if known == now => source,
            _ => Source::Saved,
        };
        self.profile_sources.all = self.guidance.profiles().iter().map(source).collect();
    }
}
