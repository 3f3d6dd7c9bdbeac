//! The kinds of bodies in a crowd, and the resources that they came from: when one is edited, its agents follow.

use godot::prelude::*;
use pathforge_core::crowd::{AgentState, AgentView, CrowdKind};
use pathforge_core::world::Profile;

use super::PathForgeCrowd;
use super::goals::Goal;
use super::members::default_radius;
use crate::grid::PathForgeGrid;
use crate::profile::{Asker, PathForgeProfile, ProfileArg, profile_changes};

/// A profile of some agents.
#[derive(Clone)]
pub struct Known {
    pub profile: Profile,
    pub source: Source,
}

/// Where a profile came from.
#[derive(Clone)]
pub enum Source {
    /// A resource, which may be edited.
    Resource(Gd<PathForgeProfile>),
    /// The agents were added without one.
    Absent,
    /// Bytes, which do not name it.
    Saved,
}

impl Known {
    /// A profile that was read from bytes.
    pub const fn saved(profile: &Profile) -> Self {
        Self { profile: *profile, source: Source::Saved }
    }
}

/// The kind of a body in crowds.
#[inline(never)]
pub fn kind_of(profile: &Profile) -> CrowdKind {
    let layer = profile.layer_key();
    if profile.slowed_by_weight { CrowdKind::slowed(layer, profile.terrain_costs) } else { layer.into() }
}

impl PathForgeCrowd {
    /// The number of the kind of a body in this crowd.
    #[inline(never)]
    pub(super) fn kind_for(&mut self, profile: &Profile) -> u16 {
        self.crowd.kind(kind_of(profile))
    }

    /// The place of a profile among the crowd's. A resource with the values of one that was read from bytes takes its place.
    pub(super) fn number_of(&mut self, profile: &Profile, source: ProfileArg) -> u16 {
        let source = source.0.map_or(Source::Absent, Source::Resource);
        let is_same = |known: &Known| {
            known.profile == *profile
                && match (&known.source, &source) {
                    (Source::Resource(a), Source::Resource(b)) => a == b,
                    (Source::Absent, Source::Absent) | (Source::Saved, _) => true,
                    _ => false,
                }
        };
        let place = self.profiles.iter().position(is_same).unwrap_or_else(|| {
            self.profiles.push(Known::saved(profile));
            self.profiles.len() - 1
        });
        self.profiles[place].source = source;
        place as u16
    }

    /// Lets agents follow the resources that they came from, when some were edited since the last step.
    pub(super) fn follow_profiles(&mut self, grid: &mut Gd<PathForgeGrid>) {
        let changes = profile_changes();
        if changes == self.profile_changes {
            return;
        }
        self.profile_changes = changes;
        let mode = grid.bind().grid_diagonal_mode();
        for number in 0..self.profiles.len() {
            let Known { profile: before, source: Source::Resource(resource) } = &self.profiles[number] else {
                continue;
            };
            let (before, now) = (*before, Asker::of(&ProfileArg::from(Some(resource.clone())), mode).profile);
            if now != before {
                self.profiles[number].profile = now;
                self.change_profile(grid, number, &before, &now);
            }
        }
    }

    fn change_profile(
        &mut self,
        grid: &mut Gd<PathForgeGrid>,
        number: usize,
        before: &Profile,
        now: &Profile,
    ) {
        let is_one =
            |id: u32| self.who.get(id as usize).is_some_and(|who| usize::from(who.profile) == number);
        let all: Vec<_> = self.crowd.views().filter(|view| is_one(view.id)).collect();
        let kind = self.kind_for(now);
        let (was, is) = (default_radius(before) as f32, default_radius(now) as f32);
        for view in &all {
            let radius = if view.radius.to_bits() == was.to_bits() { is } else { view.radius };
            self.crowd.set_body(view.id, kind, radius);
        }
        self.lead_another(grid, &all, now);
    }

    /// Leads agents that have another profile by now to where they were going.
    pub(super) fn lead_another(&mut self, grid: &mut Gd<PathForgeGrid>, all: &[AgentView], now: &Profile) {
        for view in all {
            // A field of the crowd's own is for one profile.
            let goal = view.field.and_then(|field| self.goals.fields.get(field as usize)?.as_ref());
            if let Some(Goal::Made(made)) = goal {
                let field = self.goals.field_to(made.cell, now, &self.crowd);
                self.crowd.redirect(view.id, field);
            }
        }
        let mut trips = std::mem::take(&mut self.goals.trips);
        for trip in &mut trips {
            let Some(view) = all.iter().find(|view| view.id == trip.id) else { continue };
            trip.profile = *now;
            if !matches!(view.state, AgentState::Arrived | AgentState::Idle) {
                trip.plan(&mut grid.bind_mut(), &mut self.crowd);
            }
        }
        self.goals.trips = trips;
    }
}
