//! What scripts read of agents: their ids, positions and states, and which of them are where.

use godot::prelude::*;
use pathforge_core::crowd::{AgentView, Blockage};
use pathforge_core::guidance::anchor_at;

use super::{NO_AGENT, PathForgeCrowd, array_of};
use crate::answers::blockage::PathForgeBlockage;
use crate::engine::errors::{report, reported};
use crate::movers::agent::AgentNode;
use crate::script::convert;
use crate::script::enumeration::{self, Constant};
use crate::script::given::given;

#[godot_api(secondary)]
impl PathForgeCrowd {
    /// Returns the number of agents.
    #[func]
    fn get_agent_count(&self) -> i64 {
        self.crowd.len() as i64
    }

    /// Returns all ids, ascending: the order of [method get_positions], [method get_velocities] and [method
    /// get_states].
    #[func]
    fn get_ids(&mut self) -> PackedInt32Array {
        array_of(self.crowd.ids())
    }

    /// Returns the centres of all bodies in the grid's local space, by ascending id.
    #[func]
    fn get_positions(&mut self) -> PackedVector2Array {
        let geometry = self.geometry;
        self.crowd.views().map(|view| geometry.local_of(view.x, view.y)).collect()
    }

    /// Returns the velocities of all agents in pixels a second, by ascending id.
    #[func]
    fn get_velocities(&mut self) -> PackedVector2Array {
        let frame = self.geometry.transform();
        self.crowd.views().map(|view| frame.a * view.vx + frame.b * view.vy).collect()
    }

    /// Returns the states of all agents, by ascending id: `STATE_*` constants.
    #[func]
    fn get_states(&mut self) -> PackedInt32Array {
        self.crowd.views().map(|view| view.state as i32).collect()
    }

    /// Returns the state of an agent, a `STATE_*` constant, or −1 if there is no agent with this id.
    #[func]
    fn get_state(&mut self, id: i64) -> Constant<enumeration::State> {
        Constant::of(self.view(id).map_or(i64::from(NO_AGENT), |view| view.state as i64))
    }

    /// Returns the id of the link of the grid that an agent is on, or −1 if it is on none. On a link an agent
    /// is in no other's way, walls do not stop it, and orders count from the end of the link on.
    #[func]
    fn get_agent_link(&self, id: i64) -> i64 {
        let link = u32::try_from(id).ok().and_then(|id| self.crowd.link_under(id));
        link.map_or(i64::from(NO_AGENT), i64::from)
    }

    /// Returns what keeps an agent from its goal: the agents right in front of it, and free room nearer to
    /// the goal. It is empty if the agent is neither [constant STATE_BLOCKED], [constant STATE_WAITING] nor
    /// [constant STATE_STUCK] among others, or if there is no agent with this id. If others share its path,
    /// an agent at the end is told which agents are nearer to that end.
    ///
    /// Takes time in proportion to the number of agents and to the cells nearer to the goal. Ask only for
    /// agents that you show.
    #[func]
    pub fn get_blockage(&mut self, id: i64) -> Gd<PathForgeBlockage> {
        let told = u32::try_from(id).ok().and_then(|id| self.blockage(id));
        told.unwrap_or_else(PathForgeBlockage::none)
    }

    /// Returns how many agents are in each state; the `STATE_*` constant is the index.
    #[func]
    fn get_state_counts(&self) -> PackedInt32Array {
        let mut counts = [0; 6];
        self.crowd.views_unordered().for_each(|view| counts[view.state as usize] += 1);
        PackedInt32Array::from(counts)
    }

    /// Returns the position of an agent, in the grid's local space, or `Vector2.INF` if there is no agent
    /// with this id.
    #[func]
    fn get_agent_position(&mut self, id: i64) -> Vector2 {
        let geometry = self.geometry;
        self.view(id).map_or(Vector2::INF, |view| geometry.local_of(view.x, view.y))
    }

    /// Returns the ids, ascending, of the agents whose centre lies in `rect` or on its edge, in the grid's
    /// local space: for selection boxes. Takes time in proportion to the agents around it.
    #[func]
    fn find_agents_in_rect(&self, rect: Rect2) -> PackedInt32Array {
        if !rect.is_finite() {
            report("PathForgeCrowd.find_agents_in_rect", format_args!("rect {rect} is not finite"));
            return PackedInt32Array::new();
        }
        let rect = rect.abs();
        let (low, high) = (rect.position, rect.end());
        self.ids_within(low, high, |at| at.x >= low.x && at.x <= high.x && at.y >= low.y && at.y <= high.y)
    }

    /// Returns the ids, ascending, of the agents whose centre is at most `radius` pixels from `position`, in
    /// the grid's local space.
    #[func]
    fn find_agents_in_radius(&self, position: Vector2, radius: f64) -> PackedInt32Array {
        const METHOD: &str = "PathForgeCrowd.find_agents_in_radius";
        let checked = given("radius", radius).at_least_zero();
        let checked = checked.and_then(|radius| Ok((given("position", position).finite()?, radius)));
        let Some((position, radius)) = reported(METHOD, checked) else { return PackedInt32Array::new() };
        let reach = Vector2::ONE * radius as f32;
        let is_inside = |at: Vector2| f64::from(at.distance_to(position)) <= radius;
        self.ids_within(position - reach, position + reach, is_inside)
    }

    /// Returns the id of the agent whose centre is nearest to `position`, in the grid's local space, or −1 if
    /// none is at most `max_distance` pixels away. Of several agents at one distance, it is the lowest id.
    #[func]
    fn find_nearest_agent(
        &self,
        position: Vector2,
        #[opt(default = f64::INFINITY)] max_distance: f64,
    ) -> i64 {
        if !position.is_finite() || max_distance.is_nan() {
            report(
                "PathForgeCrowd.find_nearest_agent",
                format_args!("position {position} or max_distance {max_distance} is not a number"),
            );
            return -1;
        }
        let (x, y) = self.geometry.cell_space_of(position);
        let nearest = self.crowd.nearest(x, y, max_distance / self.cell_px());
        nearest.map_or(i64::from(NO_AGENT), |view| i64::from(view.id))
    }

    /// Returns how crowded each cell of the grid's region is, row by row. It is the share of the cell that
    /// walking or waiting agents cover, 1 for a full cell. Stamp it into an influence map, or add it to
    /// weights, so that others choose other paths.
    #[func]
    fn get_density_data(&mut self) -> PackedFloat32Array {
        let Some(grid) = self.resolve_grid() else { return PackedFloat32Array::new() };
        let region = grid.bind().cell_region();
        if region.is_empty() {
            return PackedFloat32Array::new();
        }
        PackedFloat32Array::from(self.crowd.density(region.w as usize, region.h as usize))
    }
}

impl PathForgeCrowd {
    fn blockage(&mut self, id: u32) -> Option<Gd<PathForgeBlockage>> {
        let grid = self.resolve_grid().filter(|_| self.crowd.contains(id))?;
        self.geometry = grid.bind().cell_geometry();
        let layers = self.on_map(&grid, |guidance, crowd, map| {
            guidance.update(crowd, map);
            guidance.layers(crowd, map)
        });
        let lent = self.lent_fields();
        let Blockage { by, room } = self.guidance.blockage(&mut self.crowd, &layers, &lent, id)?;
        let profile = self.guidance.profile_of(id).unwrap_or_default();
        let room = room.map(|[x, y]| {
            let anchor = anchor_at(x, y, &profile);
            (convert::vector(anchor), self.geometry.local_of(x, y))
        });
        Some(PathForgeBlockage::of(&by, self.nodes_among(&by).iter().map(AgentNode::node).collect(), room))
    }

    /// The agent that a script names.
    fn view(&mut self, id: i64) -> Option<AgentView> {
        self.crowd.view(u32::try_from(id).ok()?)
    }

    /// The ids of the agents in a rectangle of the grid's local space whose centre `is_inside`.
    fn ids_within(
        &self,
        low: Vector2,
        high: Vector2,
        is_inside: impl Fn(Vector2) -> bool,
    ) -> PackedInt32Array {
        let geometry = self.geometry;
        // On maps that are not of squares the rectangle is none of cells: the one around its corners holds
        // it.
        let corners = [low, Vector2::new(high.x, low.y), Vector2::new(low.x, high.y), high];
        let [first, others @ ..] = corners.map(|corner| geometry.cell_space_of(corner));
        let (mut left_top, mut right_bottom) = (first, first);
        for (x, y) in others {
            left_top = (left_top.0.min(x), left_top.1.min(y));
            right_bottom = (right_bottom.0.max(x), right_bottom.1.max(y));
        }
        // A little more, as positions in pixels are rounded.
        let (left, top) = (left_top.0 - 1e-3, left_top.1 - 1e-3);
        let views = self.crowd.views_in_rect(left, top, right_bottom.0 + 1e-3, right_bottom.1 + 1e-3);
        let found = views.into_iter().filter(|view| is_inside(geometry.local_of(view.x, view.y)));
        array_of(found.map(|view| view.id))
    }
}
