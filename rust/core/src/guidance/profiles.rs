//! The profile of each agent, and how agents go on after it has changed.

use super::{CrowdMap, Guidance};
use crate::crowd::{AgentView, Bodies, Crowd, CrowdKind};
use crate::world::{Profile, World};

/// Room that a body leaves around its outline when it is given no radius, in cells.
const ROOM: f64 = 0.1;

/// Profiles by number, and the number of each agent's.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Profiles {
    pub(super) all: Vec<Profile>,
    /// By the agent's id; also of agents that are gone.
    pub(super) numbers: Vec<u16>,
}

impl Profiles {
    pub(super) fn of(&self, id: u32) -> Option<&Profile> {
        self.all.get(usize::from(*self.numbers.get(id as usize)?))
    }

    pub(super) fn has(&self, id: u32, number: usize) -> bool {
        self.numbers.get(id as usize).is_some_and(|&own| usize::from(own) == number)
    }
}

impl Guidance {
    /// Returns the profiles that agents have or have had, by number.
    pub fn profiles(&self) -> &[Profile] {
        &self.profiles.all
    }

    /// Adds a profile; returns its number. Two may be equal: each can be edited without the other.
    pub fn add_profile(&mut self, profile: &Profile) -> u16 {
        self.profiles.all.push(*profile);
        (self.profiles.all.len() - 1) as u16
    }

    /// Returns the profile of an agent.
    pub fn profile_of(&self, id: u32) -> Option<Profile> {
        self.profiles.of(id).copied()
    }

    /// Notes the profile of an agent; returns `true` if it had another. Its body and its paths stay: see
    /// [`Guidance::give_profile`].
    pub fn note_profile(&mut self, id: u32, number: u16) -> bool {
        let numbers = &mut self.profiles.numbers;
        // Ids are given in ascending order, so those between are ids of no agent.
        numbers.resize(numbers.len().max(id as usize + 1), number);
        std::mem::replace(&mut numbers[id as usize], number) != number
    }

    /// Gives agents the profile with a number, and an outline a little smaller than its footprint; returns
    /// how many of them there are. They go on with what they were doing.
    pub fn give_profile(
        &mut self,
        crowd: &mut Crowd,
        map: &mut CrowdMap<'_>,
        ids: &[u32],
        number: u16,
    ) -> usize {
        let profile = self.profiles.all[usize::from(number)];
        let kind = crowd.kind(kind_of(&profile));
        for &id in ids {
            if crowd.set_body(id, kind, default_radius(&profile) as f32) {
                self.note_profile(id, number);
            }
        }
        let views: Vec<AgentView> = ids.iter().filter_map(|&id| crowd.view(id)).collect();
        self.lead_anew(crowd, map, &views, &profile);
        views.len()
    }

    /// Changes the profile with a number: its agents get the footprint, and a radius that goes with it if
    /// they were given none of their own.
    pub fn edit_profile(
        &mut self,
        crowd: &mut Crowd,
        map: &mut CrowdMap<'_>,
        number: usize,
        profile: &Profile,
    ) {
        let before = std::mem::replace(&mut self.profiles.all[number], *profile);
        let views: Vec<AgentView> = crowd.views().filter(|view| self.profiles.has(view.id, number)).collect();
        let kind = crowd.kind(kind_of(profile));
        let (was, is) = (default_radius(&before) as f32, default_radius(profile) as f32);
        for view in &views {
            let radius = if view.radius.to_bits() == was.to_bits() { is } else { view.radius };
            crowd.set_body(view.id, kind, radius);
        }
        self.lead_anew(crowd, map, &views, profile);
    }

    /// Leads agents that have another profile by now to where they were going.
    pub fn lead_anew(
        &mut self,
        crowd: &mut Crowd,
        map: &mut CrowdMap<'_>,
        views: &[AgentView],
        profile: &Profile,
    ) {
        for view in views {
            // A field of another owner stays what its owner makes of it.
            if let Some(cell) = view.field.and_then(|field| self.fields.own_cell(field)) {
                let field = self.fields.number_to(cell, profile, crowd);
                crowd.redirect(view.id, field);
            }
        }
        let lost = self.trips.change_profile(views, profile, crowd, map.world);
        self.follow_fields(&lost, crowd);
    }
}

/// Returns the kind of a body of `profile` in a crowd.
pub fn kind_of(profile: &Profile) -> CrowdKind {
    let layer = profile.layer_key();
    let kind =
        if profile.slowed_by_weight { CrowdKind::slowed(layer, profile.terrain_costs) } else { layer.into() };
    CrowdKind { outline: profile.outline, ..kind }
}

/// Returns the centres of up to `count` places, the nearest to `near` first, in cells. Bodies of `profile`
/// with its default radius fit there, and overlap neither each other nor the ones of `bodies` on a layer of
/// `mask`.
pub fn free_places(
    world: &mut World,
    profile: &Profile,
    (bodies, mask): (Bodies, u32),
    near: [f64; 2],
    count: usize,
) -> Vec<[f64; 2]> {
    let (region, kind) = (world.terrain().region(), kind_of(profile));
    let layer = world.placements(kind.layer);
    bodies.free_places((region, layer), (&kind, default_radius(profile) as f32, mask), near, count)
}

/// Returns half of the width of an outline a little smaller than the footprint, where that is narrow, in
/// cells.
pub fn default_radius(profile: &Profile) -> f64 {
    f64::from(profile.footprint.w().min(profile.footprint.h())) / 2.0 - ROOM
}
