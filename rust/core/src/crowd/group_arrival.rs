//! Arrival of groups: which agents at rest have arrived and which are blocked, and when all of a group have arrived that can.
//!
//! In a jam all settle where they are, however much room there is before the first. In each round of handing out places, an agent that
//! rests short of its place goes on when no other rests right before it. Otherwise it counts as arrived when it is in the room of its group:
//! the cells of least path cost that hold all bodies. Around the end of a path that is the disc that they fill, or farther off, as between
//! walls, where no room is free nearer to the end. Beyond, it is blocked.
//!
//! Each order is open until all of its group have arrived that can. Every few substeps the agents that are still under way are counted by
//! group; agents that are stuck are not waited for.

use super::agent::Agent;
use super::arrival::{Event, GroupNews};
use super::behaviour::{AgentState, Behaviour, Cause};
use super::body::Body;
use super::ground::CrowdGround;
use super::guide::{NO_GUIDE, PATH_GUIDE};
use super::millis::Millis;
use super::place_candidates::{Taken, cells_within, nearest_free};
use super::preferred_velocity::{UNITS_PER_CELL, direction, to_goal};
use super::state::Crowd;
use super::sweep::Frame;
use super::tuning::TUNING;
use super::vector::V;
use crate::cost::STRAIGHT;
use crate::sort::sort_by_number;

/// Substeps between two looks at the groups that are on their way.
const ROUND: u32 = 16;

/// What is seen of a group.
#[derive(Clone, Copy)]
struct GroupCount {
    group: u32,
    /// One has arrived, though it may have been removed since.
    has_arrived: bool,
    /// One is on its way and can still arrive.
    waits: bool,
    /// How many have arrived, and how many are blocked or stuck.
    counts: [u32; 2],
}

impl Crowd {
    /// Agents were sent by `guide`.
    pub(super) fn open_order(&mut self, guide: u32) {
        if guide == NO_GUIDE {
            return;
        }
        match self.orders.iter_mut().find(|(open, _)| *open == guide) {
            Some(order) => order.1 = false,
            None => self.orders.push((guide, false)),
        }
    }

    /// Notes which orders an agent has arrived for. Every few substeps, tells of groups of which all have arrived that can.
    pub(super) fn watch_orders(&mut self, ground: &CrowdGround<'_>, events: &mut Vec<Event>) {
        if self.orders.is_empty() {
            return;
        }
        for event in &*events {
            let Event::Arrived(_, guide) = *event else { continue };
            if let Some(order) = self.orders.iter_mut().find(|(open, _)| *open == guide) {
                order.1 = true;
            }
        }
        // Counting all agents takes time in proportion to their number: a quarter of a second is soon enough.
        if !self.substeps.is_multiple_of(ROUND) {
            return;
        }
        let group_of = |guide| ground.group(guide, &self.routes);
        let mut all: Vec<GroupCount> = self
            .orders
            .iter()
            .map(|&(guide, has_arrived)| GroupCount {
                group: group_of(guide),
                has_arrived,
                waits: false,
                counts: [0; 2],
            })
            .collect();
        sort_by_number(&mut all, |seen| seen.group.into());
        all.dedup_by(|next, first| {
            let is_one = next.group == first.group;
            first.has_arrived |= is_one && next.has_arrived;
            is_one
        });
        for agent in &self.agents {
            let Ok(index) = all.binary_search_by_key(&group_of(agent.guide), |seen| seen.group) else {
                continue;
            };
            let seen = &mut all[index];
            match agent.state() {
                AgentState::Arrived => seen.counts[0] += 1,
                AgentState::Blocked | AgentState::Stuck => seen.counts[1] += 1,
                AgentState::Idle => {}
                // One that goes on for a while was told as blocked all the same.
                _ if agent.progress.was_blocked => seen.counts[1] += 1,
                _ => seen.waits = true,
            }
        }
        // Fields that are not there yet have no group.
        let is_open = |guide: u32| {
            let group = group_of(guide);
            group == u32::MAX
                || all.iter().any(|seen| seen.group == group && (seen.waits || !seen.has_arrived))
        };
        let orders: Vec<_> = self.orders.iter().copied().filter(|&(guide, _)| is_open(guide)).collect();
        all.retain(|seen| seen.group != u32::MAX && seen.has_arrived && !seen.waits);
        events.extend(all.iter().map(|seen| {
            let [arrived, blocked] = seen.counts;
            Event::Group(GroupNews { group: seen.group, arrived, blocked })
        }));
        if !all.is_empty() {
            // All are there: what they still shuffle for a better place ends soon.
            for agent in &mut self.agents {
                let group = ground.group(agent.guide, &self.routes);
                if all.binary_search_by_key(&group, |seen| seen.group).is_ok() {
                    let reach = self.settle_radii.of(agent.guide).min(TUNING.closes_up_far);
                    let more = (reach - TUNING.closes_up_near).max(0.0) * TUNING.closes_up_more;
                    let last = TUNING.closes_up_last.plus(Millis(more as u16));
                    agent.slot.closing_up = agent.slot.closing_up.max(TUNING.closes_up_max.minus(last));
                }
            }
        }
        self.orders = orders;
    }
}

/// The rims of the rooms that groups fill, as far as they were asked for in this round.
#[derive(Default)]
pub(super) struct Rims {
    /// By group.
    rooms: Vec<(u32, f32)>,
    /// How far from the end of a path the nearest free room is, by what that is for.
    ends: Vec<(RoomFor, f32)>,
}

/// A body of a kind and radius that wants to the end of a path.
type RoomFor = (u16, u32, [u32; 2]);

impl Crowd {
    /// Finds out what those are that rest short of their goal, or are held up on the way to their place around it.
    pub(super) fn judge(
        &mut self,
        ground: &CrowdGround<'_>,
        taken: &Taken,
        rims: &mut Rims,
        events: &mut Vec<Event>,
    ) {
        for index in 0..self.agents.len() {
            let (agent, body) = (&self.agents[index], &self.bodies[index]);
            let has_way = agent.guide & PATH_GUIDE != 0 || ground.field(agent.guide).is_some();
            if !(agent.is_to_be_judged() && has_way) {
                continue;
            }
            let frame = Frame::new(self.kinds.footprint(agent.kind), body.radius);
            let left = to_goal(ground, &self.routes, &frame, agent, body.at);
            let is_there = self.is_in_room(agent.guide, body.radius, left, ground, rims)
                || self.has_no_room_nearer(index, &frame, left, ground, taken, rims);
            let goes_on = || {
                let way = direction(ground, &self.routes, &frame, agent, body.at);
                agent.slot.closing_up < TUNING.closes_up_max && is_free_ahead(way, body, taken)
            };
            // None is in the way of one that nothing leads on: it goes on, and is stuck.
            let goes_on =
                !is_there && agent.behaviour() == Behaviour::Settled && (left == f32::INFINITY || goes_on());
            let agent = &mut self.agents[index];
            match () {
                () if is_there => agent.announce_arrival(events),
                () if goes_on => agent.go_on(),
                () if agent.behaviour() == Behaviour::Settled => agent.announce_block(events),
                () => {}
            }
        }
    }

    /// Returns `true` if a body at a place from which it is so far to the goal of `guide`, in cells, is in the room that its group fills.
    pub(super) fn is_in_room(
        &self,
        guide: u32,
        radius: f32,
        left: f32,
        ground: &CrowdGround<'_>,
        rims: &mut Rims,
    ) -> bool {
        // Most are answered without the rim. No room has a nearer rim than a disc on open ground, and a few fill none.
        if left
            <= (TUNING.roomy * TUNING.open_rim * self.settle_radii.of(guide))
                .max(TUNING.beside_radii * radius)
        {
            return true;
        }
        if guide & PATH_GUIDE != 0 {
            return false;
        }
        let group = ground.group(guide, &self.routes);
        let known = rims.rooms.iter().find(|(of, _)| *of == group).map(|(_, rim)| *rim);
        let rim = known.unwrap_or_else(|| {
            let rim = self.rim(group, ground);
            rims.rooms.push((group, rim));
            rim
        });
        left <= TUNING.roomy * rim
    }

    /// Returns `true` if no room for an agent is free nearer to the end of its path than it is itself, by a body.
    fn has_no_room_nearer(
        &self,
        index: usize,
        frame: &Frame,
        left: f32,
        ground: &CrowdGround<'_>,
        taken: &Taken,
        rims: &mut Rims,
    ) -> bool {
        let (agent, body) = (&self.agents[index], &self.bodies[index]);
        let Some(end) = self.routes.end(agent.guide) else { return false };
        let room_for = (agent.kind, body.radius.to_bits(), end.map(f32::to_bits));
        let known = rims.ends.iter().find(|(of, _)| *of == room_for).map(|(_, steps)| *steps);
        let steps = known.unwrap_or_else(|| {
            let layer = ground.layer(agent.kind);
            let free = nearest_free(layer, frame, end, |at| taken.is_free(at, body.outline()));
            let steps = free.map_or(f32::INFINITY, |(_, steps)| steps);
            rims.ends.push((room_for, steps));
            steps
        });
        steps >= left - 2.0 * body.radius
    }

    /// Returns the path cost within which the cells around a group's goal hold its bodies, in cells: by the kind that has the most room.
    fn rim(&self, group: u32, ground: &CrowdGround<'_>) -> f32 {
        let is_its = |guide: &u32| self.areas.has(*guide) && ground.group(*guide, &self.routes) == group;
        let guides = (0..ground.fields.len() as u32).filter(is_its);
        let rims = guides.filter_map(|guide| {
            let field = ground.field(guide)?.field.exact_part();
            let reach = self.settle_radii.of(guide);
            let needed = (reach * reach * std::f32::consts::PI / TUNING.density) as usize;
            // The rim of a disc in the open, and twice as far each time that walls leave less room.
            let mut limit = (reach * UNITS_PER_CELL * 1.5) as u32 + STRAIGHT;
            loop {
                let (cells, is_all) = cells_within(field, limit);
                if let Some(last) = cells.get(needed) {
                    return Some(last.0 as f32 / UNITS_PER_CELL);
                }
                if is_all {
                    return None;
                }
                limit = limit.saturating_mul(2);
            }
        });
        rims.fold(f32::INFINITY, f32::min)
    }
}

impl Agent {
    /// Returns `true` if it rests short of its goal, or is held up on the way to one in the room, and was not told as arrived.
    pub(super) fn is_to_be_judged(&self) -> bool {
        let rests_short = self.slot.is_short && self.behaviour() == Behaviour::Settled;
        let closes_up =
            self.slot.is_around() && !self.slot.is_short && self.progress.no_nearer >= TUNING.window;
        let has_given_up = self.progress.was_blocked && self.slot.closing_up >= TUNING.closes_up_max;
        (rests_short && !has_given_up || closes_up && !self.behaviour().rests())
            && !(self.progress.has_arrived || self.control.is_paused || self.slot.is_wanted)
            && self.guide != NO_GUIDE
            && self.control.thrown.is_over()
    }

    /// Goes on from where it rested short of its place.
    fn go_on(&mut self) {
        (self.slot.is_short, self.slot.is_given) = (false, false);
        self.meet(Cause::Ordered);
        self.progress.forget_distances();
        self.progress.forget_times();
        self.slot.closing_up.add(TUNING.try_again);
    }
}

/// Returns `true` if no other agent rests right before this one on its way.
fn is_free_ahead([x, y]: V, body: &Body, taken: &Taken) -> bool {
    // Beyond its own place, which is taken: a core reaches farther than the radius.
    let [core_x, core_y] = body.core.half();
    let reach = TUNING.ahead_radii * body.radius + 2.0 * (x.abs() * core_x + y.abs() * core_y);
    let ahead = [body.at[0] + x * reach, body.at[1] + y * reach];
    (x != 0.0 || y != 0.0) && taken.is_free(ahead, body.outline())
}
