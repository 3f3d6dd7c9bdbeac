//! Adding agents, and removing them.

use godot::prelude::*;
use pathforge_core::crowd::{AgentSpec, Bodies, CROWD_RADIUS_MAX, CROWD_SPEED_MAX};
use pathforge_core::guidance::{default_radius, kind_of};

use super::{NO_AGENT, PathForgeCrowd, ids_of};
use crate::engine::errors::{report_warning, reported};
use crate::map::grid::PathForgeGrid;
use crate::script::given::given;
use crate::script::profile::ProfileArg;

#[godot_api(secondary)]
impl PathForgeCrowd {
    /// Adds agents whose bodies are centred at `positions`, in the grid's local space, and returns their ids
    /// in the same order. An id is −1 if the body does not fit there or [member max_agents] is reached; one
    /// warning says which. Ids are never used again.
    ///
    /// `speed` is in pixels a second. `radius`, in pixels, is half of the width that keeps clear of others;
    /// of a long body, where it is narrow. With 0 it is a little less than the footprint holds. A body fits
    /// where its footprint fits, even if its outline is larger.
    ///
    /// When the profile is edited later, its agents follow from the next step on: their footprint, their
    /// paths and, if it was given as 0, their radius. An agent that no longer fits at its position is put
    /// onto the nearest place where it fits.
    ///
    /// ```gdscript
    /// var ids := crowd.add_agents(PackedVector2Array([Vector2(100, 60), Vector2(132, 60)]), tank, 48.0)
    /// crowd.assign_goal(ids, Vector2i(40, 8))
    /// ```
    #[func]
    fn add_agents(
        &mut self,
        positions: PackedVector2Array,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
        #[opt(default = 64.0)] speed: f64,
        #[opt(default = 0.0)] radius: f64,
    ) -> PackedInt32Array {
        const METHOD: &str = "PathForgeCrowd.add_agents";
        let no_ids = || std::iter::repeat_n(NO_AGENT, positions.len()).collect();
        let Some(grid) = self.grid_for(METHOD) else { return no_ids() };
        let scale = self.cell_px();
        let max = f64::from(CROWD_SPEED_MAX) * scale;
        let checked = given("speed", speed).above_zero();
        let checked = checked.and_then(|speed| given("speed", speed).within(0.0..=max));
        let Some(speed) = reported(METHOD, checked) else { return no_ids() };
        let checked = given("radius", radius).within(0.0..=f64::from(CROWD_RADIUS_MAX) * scale);
        let Some(radius) = reported(METHOD, checked) else { return no_ids() };
        let number = self.number_of(profile, &grid);
        let profile = self.guidance.profiles()[usize::from(number)];
        let radius = if radius == 0.0 { default_radius(&profile) } else { radius / scale } as f32;
        let speed = (speed / scale) as f32;
        let kind = self.crowd.kind(kind_of(&profile));
        let (max_agents, count_before) = (self.agents_max, self.crowd.len());
        let geometry = self.geometry;
        let spec = |&position: &Vector2| {
            let (x, y) = geometry.cell_space_of(position);
            AgentSpec { x, y, kind, speed, radius }
        };
        let specs: Vec<AgentSpec> = positions.as_slice().iter().map(spec).collect();
        // One after the other, so that those for which there is no free place do not count towards the limit.
        let mut room = max_agents.saturating_sub(count_before);
        let added: Vec<Option<u32>> = self.with_layers(&grid, |crowd, ground| {
            let add = |spec: &AgentSpec| {
                let id = if room > 0 { crowd.add(ground, std::slice::from_ref(spec))[0] } else { None };
                room -= usize::from(id.is_some());
                id
            };
            specs.iter().map(add).collect()
        });
        for &id in added.iter().flatten() {
            self.guidance.note_profile(id, number);
        }
        // One warning for all, with the first of them: thousands may be refused in one call.
        if let Some(first) = added.iter().position(Option::is_none) {
            let position = positions.as_slice()[first];
            let refused = added.iter().filter(|id| id.is_none()).count();
            let there = added.len() - refused + count_before;
            let reason = if there >= max_agents {
                format!("there are {there} already, and max_agents is {max_agents}")
            } else {
                format!("the body cannot stand at positions[{first}] {position}")
            };
            let count = added.len();
            report_warning(METHOD, format!("{refused} of {count} agents were not added: {reason}"));
        }
        self.look.moved();
        added.into_iter().map(|id| id.map_or(NO_AGENT, |id| id as i32)).collect()
    }

    /// Removes agents and returns how many of `ids` were agents.
    #[func]
    fn remove_agents(&mut self, ids: PackedInt32Array) -> i64 {
        self.look.moved();
        self.crowd.remove(&ids_of(&ids)) as i64
    }

    /// Removes all agents. Nodes that are agents join again, with new ids.
    #[func]
    fn clear(&mut self) {
        self.look.moved();
        self.crowd.clear();
    }
}

impl PathForgeCrowd {
    /// Adds the bodies that this crowd moves itself, if it is on a grid.
    pub fn show_bodies_to(this: &mut Gd<Self>, grid: &Gd<PathForgeGrid>, bodies: &mut Bodies) {
        let mut crowd = this.bind_mut();
        if crowd.resolve_grid().as_ref() == Some(grid) {
            bodies.add_crowd(&crowd.crowd);
        }
    }
}
