//! Changing what agents are, whatever they are doing: speed, radius, priority, profile, place, colour.

use godot::prelude::*;
use pathforge_core::crowd::{Avoidance, CROWD_RADIUS_MAX, CROWD_SPEED_MAX, CROWD_THROW_SECONDS_MAX};
use pathforge_core::guidance::default_radius;
use pathforge_core::walker::Point;

use super::{NO_AGENT, PathForgeCrowd, ids_of};
use crate::engine::errors::{report, reported};
use crate::movers::agent::{Agent, AgentNode};
use crate::script::given::given;
use crate::script::profile::ProfileArg;

#[godot_api(secondary)]
impl PathForgeCrowd {
    /// Sets the speed of agents, in pixels a second, and returns how many of `ids` are agents. A
    /// [PathForgeAgent2D] sets its own in [method PathForgeAgent2D.get_next_velocity].
    #[func]
    fn set_agent_speed(&mut self, ids: PackedInt32Array, speed: f64) -> i64 {
        let max = f64::from(CROWD_SPEED_MAX) * self.cell_px();
        let checked =
            given("speed", speed).above_zero().and_then(|_| given("speed", speed).within(0.0..=max));
        let Some(speed) = reported("PathForgeCrowd.set_agent_speed", checked) else { return 0 };
        let speed = (speed / self.cell_px()) as f32;
        self.for_each(&ids, |crowd, id| crowd.crowd.set_speed(id, speed))
    }

    /// Sets the radius of agents, in pixels, and returns how many of `ids` are agents. It is half of the
    /// width that keeps clear of others; of a long body, where it is narrow. With 0 it is a little less than
    /// the footprint holds.
    #[func]
    fn set_agent_radius(&mut self, ids: PackedInt32Array, radius: f64) -> i64 {
        let max = f64::from(CROWD_RADIUS_MAX) * self.cell_px();
        let checked = given("radius", radius).within(0.0..=max);
        let Some(radius) = reported("PathForgeCrowd.set_agent_radius", checked) else { return 0 };
        // The property of a node shows what it is, and it joins with that again.
        let cells = radius / self.cell_px();
        self.tell_of(&ids, |agent| agent.take_radius(radius, cells));
        let radius = cells;
        self.for_each(&ids, |crowd, id| {
            let usual = default_radius(&crowd.guidance.profile_of(id).unwrap_or_default());
            crowd.crowd.set_radius(id, if radius == 0.0 { usual } else { radius } as f32)
        })
    }

    /// Sets the priority of agents, from 0 to 1, and returns how many of `ids` are agents. Agents begin with
    /// 0.5. If two agents are in each other's way, the agent of lower priority does most of the steering
    /// clear. An agent at rest makes way for agents of its own priority or a higher one. Differences below
    /// 1/15 may not count.
    #[func]
    fn set_agent_priority(&mut self, ids: PackedInt32Array, priority: f64) -> i64 {
        let checked = given("priority", priority).within(0.0..=1.0);
        let Some(priority) = reported("PathForgeCrowd.set_agent_priority", checked) else { return 0 };
        self.tell_of(&ids, |agent| agent.priority = priority);
        self.for_each(&ids, |crowd, id| crowd.crowd.set_priority(id, priority as f32))
    }

    /// Holds agents where they are, or lets them go on with their order, and returns how many of `ids` are
    /// agents: for stuns, cutscenes and work. Others do not push a paused agent, and it never makes way. Its
    /// state stays the same.
    #[func]
    fn set_agent_paused(&mut self, ids: PackedInt32Array, paused: bool) -> i64 {
        self.for_each(&ids, |crowd, id| crowd.crowd.set_paused(id, paused))
    }

    /// Makes agents hold their position while they rest, or ends that, and returns how many of `ids` are
    /// agents. An agent that holds its position never makes way, whatever its priority, and others do not
    /// push it. Others go around it; if they cannot, their [method get_blockage] names it. Unlike a paused
    /// agent, it still walks to its goal.
    ///
    /// ```gdscript
    /// crowd.set_agent_hold_position(workers, true)
    /// crowd.assign_goal(workers, crystal_cell)  # They go there, and nothing moves them off it.
    /// ```
    #[func]
    fn set_agent_hold_position(&mut self, ids: PackedInt32Array, hold: bool) -> i64 {
        self.tell_of(&ids, |agent| agent.hold_position = hold);
        self.for_each(&ids, |crowd, id| crowd.crowd.set_holds_position(id, hold))
    }

    /// Puts agents on avoidance layers, as 32 bit flags, and returns how many of `ids` are agents. Agents
    /// begin on layer 1. An agent is avoided by agents that have one of its layers in their mask: see [method
    /// set_agent_avoidance_mask].
    #[func]
    fn set_agent_avoidance_layers(&mut self, ids: PackedInt32Array, layers: i64) -> i64 {
        let checked = given("layers", layers).flags();
        let Some(layers) = reported("PathForgeCrowd.set_agent_avoidance_layers", checked) else { return 0 };
        self.tell_of(&ids, |agent| agent.avoidance.layers = layers);
        self.look.moved();
        self.crowd.set_avoidance(&ids_of(&ids), Some(layers), None) as i64
    }

    /// Sets the avoidance layers whose agents these agents avoid, as 32 bit flags, and returns how many of
    /// `ids` are agents. Agents begin with layer 1.
    ///
    /// An agent steers clear of the agents that it avoids, gives way to them and takes no place of theirs. It
    /// goes through all others, and finds room as if they were not there: flying units over units on the
    /// ground, in one crowd. If only one of two agents avoids the other, it alone makes way. A crowd is fast
    /// if its agents have a few different masks.
    ///
    /// Obstacles block cells for every agent: see [member PathForgeProfile.ignored_obstacle_layers].
    ///
    /// ```gdscript
    /// const GROUND := 1 << 0
    /// const AIR := 1 << 1
    /// crowd.set_agent_avoidance_layers(planes, AIR)
    /// crowd.set_agent_avoidance_mask(planes, AIR) # Over the tanks, clear of other planes.
    /// crowd.set_agent_avoidance_mask(balloons, AIR | GROUND) # Clear of both, and tanks pass below.
    /// ```
    #[func]
    fn set_agent_avoidance_mask(&mut self, ids: PackedInt32Array, mask: i64) -> i64 {
        let checked = given("mask", mask).flags();
        let Some(mask) = reported("PathForgeCrowd.set_agent_avoidance_mask", checked) else { return 0 };
        self.tell_of(&ids, |agent| agent.avoidance.mask = mask);
        self.look.moved();
        self.crowd.set_avoidance(&ids_of(&ids), None, Some(mask)) as i64
    }

    /// Returns the avoidance layers of an agent, as bit flags, or −1 if there is no agent with this id.
    #[func]
    fn get_agent_avoidance_layers(&mut self, id: i64) -> i64 {
        self.avoidance_of(id).map_or(i64::from(NO_AGENT), |avoidance| avoidance.layers.into())
    }

    /// Returns the avoidance layers whose agents an agent avoids, as bit flags, or −1 if there is no agent
    /// with this id.
    #[func]
    fn get_agent_avoidance_mask(&mut self, id: i64) -> i64 {
        self.avoidance_of(id).map_or(i64::from(NO_AGENT), |avoidance| avoidance.mask.into())
    }

    /// Sets the profile of agents and returns how many of `ids` are agents. They go on with their order, with
    /// the profile's footprint and paths, and an outline a little smaller than the footprint holds. An agent
    /// that no longer fits at its position is put onto the nearest place where it fits.
    #[func]
    fn set_agent_profile(
        &mut self,
        ids: PackedInt32Array,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
    ) -> i64 {
        let Some(grid) = self.grid_for("PathForgeCrowd.set_agent_profile") else { return 0 };
        self.tell_of(&ids, |agent| agent.wear(profile.0.clone()));
        let number = self.number_of(profile, &grid);
        self.look.moved();
        let ids = ids_of(&ids);
        self.on_map(&grid, |guidance, crowd, map| guidance.give_profile(crowd, map, &ids, number)) as i64
    }

    /// Moves an agent onto the nearest place to `position` where its body fits, and returns that place, in
    /// the grid's local space. Returns `Vector2.INF` if there is no such agent or place. An agent at rest
    /// stays there; an agent on its way goes on from there.
    ///
    /// The body of a [PathForgeAgent2D], which is its parent, is moved, too. The body of a [PathForgeAgent3D]
    /// is moved to the same place in its space, and keeps its height above the ground.
    #[func(gd_self)]
    fn set_agent_position(mut this: Gd<Self>, id: i64, position: Vector2) -> Vector2 {
        const METHOD: &str = "PathForgeCrowd.set_agent_position";
        let Some(position) = reported(METHOD, given("position", position).finite()) else {
            return Vector2::INF;
        };
        let Ok(id) = u32::try_from(id) else { return Vector2::INF };
        let put = this.bind_mut().put_agent(METHOD, id, position);
        let Some((put, body)) = put else { return Vector2::INF };
        // Nothing is borrowed meanwhile, as a script of the body may hear of it.
        if let Some((agent, place)) = body {
            Agent::put_body(&agent, place);
        }
        put
    }

    /// Throws agents and returns how many of `ids` are agents: for knock-back and explosions. For `seconds`,
    /// at most 60, they fly with `velocity`, in pixels a second, as far as walls let them. Others steer clear
    /// of them. Then they go on with their order. An agent that had arrived stays arrived, and goes back to
    /// its place. The body of a [PathForgeAgent2D] or a [PathForgeAgent3D] is not thrown.
    ///
    /// ```gdscript
    /// var blast := grid.get_local_mouse_position()
    /// for id: int in crowd.find_agents_in_radius(blast, 120.0):
    ///     var away := blast.direction_to(crowd.get_agent_position(id))
    ///     crowd.throw_agents([id], away * 400.0, 0.3)
    /// ```
    #[func]
    fn throw_agents(&mut self, ids: PackedInt32Array, velocity: Vector2, seconds: f64) -> i64 {
        const METHOD: &str = "PathForgeCrowd.throw_agents";
        let Some(velocity) = reported(METHOD, given("velocity", velocity).finite()) else { return 0 };
        let checked = given("seconds", seconds).within(0.0..=CROWD_THROW_SECONDS_MAX);
        let Some(seconds) = reported(METHOD, checked) else { return 0 };
        let frame = self.geometry.transform();
        // Without the origin, as a velocity is no place.
        let cells = Transform2D::from_cols(frame.a, frame.b, Vector2::ZERO).affine_inverse() * velocity;
        if cells.length() > CROWD_SPEED_MAX {
            let max = f64::from(CROWD_SPEED_MAX) * self.cell_px();
            report(METHOD, format_args!("velocity {velocity} is faster than {max} px/s"));
            return 0;
        }
        self.for_each(&ids, |crowd, id| crowd.crowd.throw(id, [cells.x, cells.y], seconds))
    }

    /// Sets a colour for agents in the [member multimesh]. The colours of states multiply it: see [member
    /// state_colors].
    #[func]
    fn set_agent_colors(&mut self, ids: PackedInt32Array, color: Color) {
        self.for_each(&ids, |crowd, id| {
            let is_agent = crowd.crowd.contains(id);
            if is_agent {
                let id = id as usize;
                // Only as long as the highest id that has a colour: most games give none.
                crowd.colors.resize(crowd.colors.len().max(id + 1), [1.0; 4]);
                crowd.colors[id] = [color.r, color.g, color.b, color.a];
            }
            is_agent
        });
    }

    /// Returns [code]true[/code] if an agent holds its position while it rests: see [method
    /// set_agent_hold_position].
    #[func]
    fn is_agent_holding_position(&mut self, id: i64) -> bool {
        u32::try_from(id).is_ok_and(|id| self.crowd.holds_position(id))
    }

    /// Returns [code]true[/code] if an agent is paused: see [method set_agent_paused].
    #[func]
    fn is_agent_paused(&mut self, id: i64) -> bool {
        u32::try_from(id).is_ok_and(|id| self.crowd.is_paused(id))
    }
}

impl PathForgeCrowd {
    /// Puts an agent near a position and returns where it is then. With it comes the node that is the agent,
    /// if there is one, and where that is to be in the world.
    fn put_agent(
        &mut self,
        method: &str,
        id: u32,
        position: Vector2,
    ) -> Option<(Vector2, Option<(AgentNode, Vector3)>)> {
        let grid = self.grid_for(method)?;
        let geometry = self.geometry;
        let (x, y) = geometry.cell_space_of(position);
        let (x, y) = self.with_layers(&grid, |crowd, ground| crowd.set_position(id, x, y, ground))?;
        // One on a trip has a path of its own, which began where it was.
        self.on_map(&grid, |guidance, crowd, map| guidance.resume(crowd, map, id));
        Some((geometry.local_of(x, y), self.body_at(&grid, id, Point::new(x, y))))
    }

    fn avoidance_of(&mut self, id: i64) -> Option<Avoidance> {
        u32::try_from(id).ok().and_then(|id| self.crowd.avoidance(id))
    }

    /// Lets the nodes among agents know what was changed.
    fn tell_of(&self, ids: &PackedInt32Array, change: impl Fn(&mut Agent)) {
        self.nodes_among(&ids_of(ids)).iter_mut().for_each(|agent| change(&mut agent.bind_mut()));
    }

    /// Does something to agents; returns to how many.
    fn for_each(&mut self, ids: &PackedInt32Array, mut change: impl FnMut(&mut Self, u32) -> bool) -> i64 {
        // Also if only the colour changes: the multimesh is written anew.
        self.look.moved();
        ids_of(ids).into_iter().map(|id| i64::from(change(self, id))).sum()
    }
}
