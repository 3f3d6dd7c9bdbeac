//! The agents of the crowd: adding, removing, and their positions and states.

use godot::prelude::*;
use pathforge_core::crowd::{AgentSpec, CROWD_RADIUS_MAX, CROWD_SPEED_MAX};
use pathforge_core::world::Profile;

use super::{PathForgeCrowd, Who, array_of, ids_of};
use crate::errors::{report, report_warning};
use crate::profile::{Asker, ProfileArg};

/// Room that a body leaves around its disc when it is given none, in cells.
const ROOM: f64 = 0.1;
/// The id of no agent.
const NO_AGENT: i32 = -1;

#[godot_api(secondary)]
impl PathForgeCrowd {
    /// Adds agents whose bodies are centred at `positions`, in the grid's local space, and returns their ids in the
    /// same order: −1 where the body cannot stand or [member max_agents] is reached, with one warning. Ids are never
    /// given again.
    ///
    /// `speed` is in pixels a second. `radius`, in pixels, is that of the disc that keeps clear of others; 0 for a
    /// little less than the footprint holds. A body that is given a larger disc than its footprint still fits where the
    /// footprint does.
    ///
    /// When the profile is edited later, its agents follow from the next step on: their footprint, their paths and,
    /// when it was given as 0, their radius. Agents that do not fit where they stand any more are put onto the nearest
    /// place where they do.
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
        let Some(mut grid) = self.grid_for(METHOD) else { return no_ids() };
        let source = profile;
        let profile = Asker::of(&source, grid.bind().grid_diagonal_mode()).profile;
        let scale = self.cell_px();
        let radius_cells = if radius == 0.0 { default_radius(&profile) } else { radius / scale };
        let speed_cells = speed / scale;
        let is_within = |value: f64, max: f32| value > 0.0 && value <= f64::from(max);
        if !is_within(speed_cells, CROWD_SPEED_MAX) {
            let max = f64::from(CROWD_SPEED_MAX) * scale;
            report(METHOD, format_args!("speed {speed} is not above 0 and at most {max} px/s"));
            return no_ids();
        }
        if !is_within(radius_cells, CROWD_RADIUS_MAX) {
            let max = f64::from(CROWD_RADIUS_MAX) * scale;
            report(METHOD, format_args!("radius {radius} is not within 0 and {max} px"));
            return no_ids();
        }
        let kind = self.kind_for(&profile);
        let (max_agents, count_before) = (usize::try_from(self.max_agents).unwrap_or(0), self.crowd.len());
        let geometry = self.seen.geometry;
        let spec = |&position: &Vector2| {
            let (x, y) = geometry.cell_space_of(position);
            AgentSpec { x, y, kind, speed: speed_cells as f32, radius: radius_cells as f32 }
        };
        let mut added = Vec::with_capacity(positions.len());
        let specs: Vec<AgentSpec> = positions.as_slice().iter().map(spec).collect();
        self.with_layers(&mut grid, |crowd, ground| {
            let mut room = max_agents.saturating_sub(count_before);
            for spec in specs.chunks(1) {
                let id = if room > 0 { crowd.add(ground, spec)[0] } else { None };
                room -= usize::from(id.is_some());
                added.push(id);
            }
        });
        let number = self.number_of(&profile, source);
        for id in added.iter().flatten() {
            self.who.resize(*id as usize + 1, Who { profile: number, color: Color::WHITE });
        }
        if let Some(first) = added.iter().position(Option::is_none) {
            let position = positions.as_slice()[first];
            let refused = added.iter().filter(|id| id.is_none()).count();
            let reason = if added.len() - refused + count_before >= max_agents {
                format!("there are {max_agents} already, see max_agents")
            } else {
                format!("the body cannot stand at positions[{first}] {position}")
            };
            let count = added.len();
            report_warning(METHOD, format!("{refused} of {count} agents were not added: {reason}"));
        }
        self.look.moved();
        added.into_iter().map(|id| id.map_or(NO_AGENT, |id| id as i32)).collect()
    }

    /// Removes agents and returns how many there were; unknown ids are skipped.
    #[func]
    fn remove_agents(&mut self, ids: PackedInt32Array) -> i64 {
        self.look.moved();
        self.crowd.remove(&ids_of(&ids)) as i64
    }

    /// Removes all agents.
    #[func]
    fn clear(&mut self) {
        self.look.moved();
        self.crowd.clear();
    }

    /// Returns how many agents there are.
    #[func]
    fn get_agent_count(&self) -> i64 {
        self.crowd.len() as i64
    }

    /// Returns all ids, ascending: the order of [method get_positions], [method get_velocities] and [method get_states].
    #[func]
    fn get_ids(&mut self) -> PackedInt32Array {
        array_of(self.crowd.ids())
    }

    /// Returns the centres of all bodies in the grid's local space, by ascending id.
    #[func]
    fn get_positions(&mut self) -> PackedVector2Array {
        let geometry = self.seen.geometry;
        self.crowd.views().map(|view| geometry.local_of(view.x, view.y)).collect()
    }

    /// Returns the velocities of all agents in pixels a second, by ascending id.
    #[func]
    fn get_velocities(&mut self) -> PackedVector2Array {
        let frame = self.seen.geometry.transform();
        self.crowd.views().map(|view| frame.a * view.vx + frame.b * view.vy).collect()
    }

    /// Returns what all agents are doing, by ascending id: `STATE_*` constants.
    #[func]
    fn get_states(&mut self) -> PackedInt32Array {
        self.crowd.views().map(|view| view.state as i32).collect()
    }

    /// Returns what an agent is doing: one of the `STATE_*` constants, or −1 when there is none with this id.
    #[func]
    fn get_state(&mut self, id: i64) -> i64 {
        let view = u32::try_from(id).ok().and_then(|id| self.crowd.view(id));
        view.map_or(i64::from(NO_AGENT), |view| view.state as i64)
    }

    /// Returns how many agents are in each state, by the number of the state.
    #[func]
    fn get_state_counts(&self) -> PackedInt32Array {
        let mut counts = [0; 6];
        self.crowd.views_unordered().for_each(|view| counts[view.state as usize] += 1);
        PackedInt32Array::from(counts)
    }

    /// Returns where an agent is, in the grid's local space; `Vector2.INF` when there is none with this id.
    #[func]
    fn get_agent_position(&mut self, id: i64) -> Vector2 {
        let geometry = self.seen.geometry;
        let view = u32::try_from(id).ok().and_then(|id| self.crowd.view(id));
        view.map_or(Vector2::INF, |view| geometry.local_of(view.x, view.y))
    }

    /// Gives agents a colour of their own in the [member multimesh]; the colours by state multiply it.
    #[func]
    fn set_agent_colors(&mut self, ids: PackedInt32Array, color: Color) {
        for id in ids_of(&ids) {
            if let Some(who) = self.who.get_mut(id as usize) {
                who.color = color;
            }
        }
        self.look.moved();
    }
}

/// A little less than the footprint holds, in cells.
pub(super) fn default_radius(profile: &Profile) -> f64 {
    f64::from(profile.footprint.w().min(profile.footprint.h())) / 2.0 - ROOM
}
