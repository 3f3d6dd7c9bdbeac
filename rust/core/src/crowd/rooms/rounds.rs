//! Rounds: twice a second the ways of a group to what is free of its room are found, and it is told who has
//! arrived and who is blocked.
//!
//! An agent at rest goes on where a free way leads to better room, until it has arrived. It is told what it is
//! after it stood for a while. In the room it has arrived. Outside, it
//! is blocked if a search past standing bodies finds no free placement of its size nearer to the goal by more than
//! its side. Where the search finds a placement, the room grows up to that.

use super::lay_rooms::{Member, around};
use crate::crowd::ground::map::CrowdGround;
use crate::crowd::ground::spread::{UNREACHED, Window};
use crate::crowd::ground::standing::{Placement, StandingByMask};
use crate::crowd::ground::steps::{is_closed, stands};
use crate::crowd::ground::sweep::Frame;
use crate::crowd::guide::gathering::{Room, Ways, near, room_of, weights};
use crate::crowd::kept::Crowd;
use crate::crowd::numbers::millis::Millis;
use crate::crowd::numbers::tuning::TUNING;
use crate::crowd::numbers::vector::{V, dot, minus};
use crate::crowd::outcome::arrival::Event;
use crate::crowd::state::agent::Agent;
use crate::crowd::state::behaviour::{Behaviour, Cause};
use crate::passability::Placements;

/// Rooms are looked at one after the other, in so many turns.
const TURNS: u32 = 8;
/// Ways are found so many cells beyond the room.
const BEYOND: i32 = 6;
/// Worth grows and shrinks by this.
const MORE: f32 = 1.25;
/// All rested when the room was looked at.
const NONE_WALKS: u32 = u32::MAX;

impl Agent {
    /// Returns `true` if it rests and was not told what it is yet.
    fn is_untold(&self) -> bool {
        self.behaviour() == Behaviour::Settled && !(self.progress.has_arrived || self.progress.is_kept_off())
    }

    /// Goes on from where it rested.
    fn get_up(&mut self) {
        self.meet(Cause::WayFree);
        self.slot.tries = self.slot.tries.saturating_add(1);
        self.progress.forget_distances();
        self.progress.forget_times();
        self.slot.closing_up = Millis::ZERO;
    }
}

impl Crowd {
    /// Looks at the rooms whose turn it is.
    pub(in crate::crowd) fn look_at_rooms(&mut self, ground: &CrowdGround<'_>, events: &mut Vec<Event>) {
        let turn = TUNING.round_substeps / TURNS;
        if !self.substeps.is_multiple_of(turn) {
            return;
        }
        let members = self.gathering(ground);
        let mut before = std::mem::take(&mut self.rooms);
        for guide in std::mem::take(&mut self.new_guides) {
            let group = ground.group(guide, &self.routes);
            before.iter_mut().filter(|room| room.group == group).for_each(|room| room.is_laid = false);
        }
        let standing = StandingByMask::new(&self.bodies, &self.agents, self.most.has_layers);
        let mut rooms = Vec::with_capacity(before.len());
        for of_group in members.chunk_by(|a, b| a.0 == b.0) {
            let group = of_group[0].0;
            for party in self.parties(of_group) {
                let mut room = party.take_room(&mut before, group);
                let is_turn = self.substeps / turn % TURNS == group % TURNS;
                // All have come to rest: none is waited for.
                let is_due = room.walking == 0;
                if !room.is_laid || is_turn || is_due {
                    if !room.is_laid {
                        self.lay(&mut room, &party.members, &standing, ground);
                    }
                    self.look_at_room(&mut room, &party.members, &standing, ground, events);
                }
                rooms.push(room);
            }
        }
        self.rooms = rooms;
    }

    fn look_at_room(
        &mut self,
        room: &mut Room,
        members: &[(u32, Member)],
        standing: &StandingByMask,
        ground: &CrowdGround<'_>,
        events: &mut Vec<Event>,
    ) {
        let closed = members.iter().filter(|(_, member)| self.is_closed(room, member, ground)).count();
        // Where some find their way closed, better room is worth a longer way to all.
        room.worth = if closed > 0 {
            (room.worth * MORE).min(TUNING.worth + TUNING.worth_in_streets)
        } else {
            (room.worth / MORE).max(room.least)
        };
        let count = |is_it: fn(&Agent) -> bool| {
            members.iter().filter(|(_, member)| is_it(&self.agents[member.index])).count()
        };
        // Some make way from now on: the others try again.
        let mut is_released = std::mem::take(&mut room.is_released);
        // So they do when all are told, and more have arrived since they did last: those that are kept off rest
        // in each other's way, too.
        let arrived = count(|agent| agent.progress.has_arrived) as u32;
        let is_told = |agent: &Agent| agent.behaviour().rests() && !agent.is_untold();
        if arrived != room.arrived && count(is_told) == members.len() {
            (is_released, room.arrived) = (true, arrived);
        }
        let is_up = |member: &Member| self.goes_on(room, member, ground, is_released);
        let up: Vec<usize> =
            members.iter().filter(|(_, member)| is_up(member)).map(|(_, member)| member.index).collect();
        for index in up {
            self.agents[index].get_up();
        }
        // After that: where it stood is free now.
        let is_too_small = self.find_all_ways(room, members, standing, ground);
        // Agents that are taken in need no room, and agents that rest in one place need no more.
        if is_too_small && !room.draws(self.substeps) && !room.is_for_one() {
            room.over += 1.0;
        }
        let walking = members.iter().filter(|(_, m)| !self.agents[m.index].behaviour().rests()).count();
        room.walking = if walking > 0 { walking as u32 } else { NONE_WALKS };
        for (_, member) in members {
            self.tell_in_room(room, member, walking == 0, (standing, ground), events);
        }
    }

    fn frame_of(&self, member: &Member) -> Frame {
        Frame::new(self.kinds.footprint(member.kind), self.bodies[member.index].radius)
    }

    fn place_of(&self, member: &Member) -> [i32; 2] {
        self.frame_of(member).placement(self.bodies[member.index].at)
    }

    /// Returns `true` if the way of an agent leads through bodies that stand: under way, or at rest outside the
    /// room.
    fn is_closed(&self, room: &Room, member: &Member, ground: &CrowdGround<'_>) -> bool {
        let agent = &self.agents[member.index];
        let ways = room.ways(agent);
        let lead = ways.and_then(|ways| ways.lead(self.place_of(member)));
        if !agent.behaviour().rests() {
            return lead.is_some_and(|lead| lead.is_through);
        }
        let Some((near, rank)) = self.rank_at_rest(room, member, ground) else { return false };
        !agent.progress.has_arrived
            && (rank >= UNREACHED || room.is_beyond(near))
            && lead.is_some_and(|lead| lead.seed.is_some())
            && ways.is_some_and(|ways| {
                self.left_past_itself(ways, member.index, self.place_of(member), ground).is_none()
            })
    }

    /// Finds the ways of all kinds; returns `true` if what is free in reach is too little for one of them.
    fn find_all_ways(
        &self,
        room: &mut Room,
        members: &[(u32, Member)],
        standing: &StandingByMask,
        ground: &CrowdGround<'_>,
    ) -> bool {
        let key = |m: &Member| (m.guide, m.kind, self.agents[m.index].avoidance.mask);
        let mut kinds: Vec<(u32, u16, u32)> = members.iter().map(|(_, m)| key(m)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let draws = room.draws(self.substeps);
        let mut unused = std::mem::take(&mut room.ways);
        let mut is_too_small = false;
        for (guide, kind, mask) in kinds {
            let is_wanted = |member: &&Member| {
                let agent = &self.agents[member.index];
                key(member) == (guide, kind, mask)
                    && (draws || !agent.progress.has_arrived || !agent.behaviour().rests())
            };
            let its = members.iter().map(|(_, member)| member).filter(is_wanted);
            let wanted: Vec<[i32; 2]> = its.map(|member| self.place_of(member)).collect();
            if wanted.is_empty() {
                continue;
            }
            let mut ways = Ways { guide, kind, mask, ..unused.pop().unwrap_or_default() };
            is_too_small |= self.find_ways(room, &mut ways, &wanted, standing, ground);
            room.ways.push(ways);
        }
        room.filled = 0.0;
        is_too_small
    }

    /// Returns how far a member at rest is from the goal, and where that is in the order in which its room is
    /// filled; `None` for others.
    fn rank_at_rest(&self, room: &Room, member: &Member, ground: &CrowdGround<'_>) -> Option<(f32, f32)> {
        let agent = &self.agents[member.index];
        let field = ground.field(member.guide)?.field;
        if !agent.behaviour().rests() || agent.control.is_paused {
            return None;
        }
        let place = self.place_of(member);
        let near = near(field, place);
        Some((near, room.rank(ground, near, self.frame_of(member).middle(place), self.substeps)))
    }

    /// Returns `true` if an agent at rest is to go on. If it has arrived it stays, unless others have pushed it
    /// out of the room.
    fn goes_on(&self, room: &Room, member: &Member, ground: &CrowdGround<'_>, is_released: bool) -> bool {
        let Some((near, rank)) = self.rank_at_rest(room, member, ground) else { return false };
        let agent = &self.agents[member.index];
        let is_out = rank >= UNREACHED || room.is_beyond(near);
        let (draws, has_arrived) = (room.draws(self.substeps), agent.progress.has_arrived);
        if has_arrived && !(draws || is_out) {
            return false;
        }
        if is_released && is_out && !has_arrived {
            return true;
        }
        let may_try = draws || agent.progress.is_kept_off() || agent.slot.tries < 2 * TUNING.tries;
        let ways = room.ways(agent).filter(|_| may_try);
        let left =
            ways.and_then(|ways| self.left_past_itself(ways, member.index, self.place_of(member), ground));
        let gain = if draws { TUNING.gain } else { TUNING.better * room.worth };
        left.is_some_and(|left| left + gain < rank * room.worth)
    }

    /// Tells an agent at rest what it is, if that is not to change any more.
    fn tell_in_room(
        &mut self,
        room: &mut Room,
        member: &Member,
        none_walks: bool,
        (standing, ground): (&StandingByMask, &CrowdGround<'_>),
        events: &mut Vec<Event>,
    ) {
        let Some((near, rank)) = self.rank_at_rest(room, member, ground) else { return };
        let agent = &self.agents[member.index];
        let is_out = rank >= UNREACHED || room.is_beyond(near);
        let has_stood = agent.progress.stall >= TUNING.told_after || none_walks;
        if !(agent.is_untold() && has_stood) {
            return;
        }
        let side = self.kinds.footprint(member.kind).w() as f32;
        let nearest = if is_out { self.nearest_in_reach(*member, near, standing, ground) } else { near };
        let agent = &mut self.agents[member.index];
        if !is_out {
            agent.announce_arrival(events);
        } else if nearest < near - side && agent.slot.tries < TUNING.tries {
            agent.slot.tries += 1;
            room.over = room.over.max(nearest + 2.0);
        } else {
            agent.announce_block(near, events);
        }
    }

    /// Returns what is left of the way of a body that rests at a placement, if one leads past all others that
    /// stand: it stands on some placements itself.
    fn left_past_itself(
        &self,
        ways: &Ways,
        index: usize,
        at: [i32; 2],
        ground: &CrowdGround<'_>,
    ) -> Option<f32> {
        let layer = ground.layer(ways.kind);
        let (body, window) = (&self.bodies[index], ways.front.window);
        let start = window.index(at)?;
        let mut own = vec![start];
        Placement::of(ways.kind, &self.kinds).each(window, body.at, body.outline(), |index| own.push(index));
        let (mut seen, mut next) = (vec![start], 0);
        let mut least: Option<f32> = None;
        while let Some(&index) = seen.get(next) {
            next += 1;
            for beside in window.beside_on(layer, index).chain([index]) {
                if own.contains(&beside) {
                    if ways.blocked[beside] <= 1 && !seen.contains(&beside) {
                        seen.push(beside);
                    }
                    continue;
                }
                let lead = ways.lead(window.place(beside)).filter(|lead| lead.seed.is_some());
                if let Some(lead) = lead.filter(|lead| ways.blocked[beside] == 0 && !lead.is_through) {
                    least = Some(least.map_or(lead.left + 1.0, |least| least.min(lead.left + 1.0)));
                }
            }
        }
        least
    }

    /// Finds the ways of one kind; returns `true` if what is free in reach is too little.
    fn find_ways(
        &self,
        room: &Room,
        ways: &mut Ways,
        wanted: &[[i32; 2]],
        standing: &StandingByMask,
        ground: &CrowdGround<'_>,
    ) -> bool {
        let Some(field) = ground.field(ways.guide).map(|field| field.field) else { return false };
        let size = [ground.region.w, ground.region.h];
        let layer = ground.layer(ways.kind);
        let footprint = self.kinds.footprint(ways.kind);
        let half = [footprint.w() as f32 * 0.5, footprint.h() as f32 * 0.5];
        // All that is within the path cost is within as many cells.
        let goals = room.goals.iter().map(|goal| minus(*goal, half).map(|part| part.round() as i32));
        let reach = room.over.ceil() as i32 + BEYOND;
        let rim = around(goals, reach, size);
        let is_by = |place: &&[i32; 2]| {
            let [x, y] = **place;
            x >= rim.x - 2 * reach
                && y >= rim.y - 2 * reach
                && x <= rim.x + rim.w + 2 * reach
                && y <= rim.y + rim.h + 2 * reach
        };
        let window = around(
            wanted
                .iter()
                .filter(is_by)
                .copied()
                .chain([[rim.x, rim.y], [rim.x + rim.w - 1, rim.y + rim.h - 1]]),
            2,
            size,
        );
        // Those that have just got up still show that they rest.
        let stands_still = |index: usize| self.agents[index].behaviour().rests();
        let standing = standing.of(ways.mask);
        ways.blocked = standing.blocked(window, ways.kind, &self.kinds, &self.bodies, stands_still);
        let blocked = &ways.blocked;
        let mut seeds: Vec<(u32, f32)> = Vec::new();
        for (index, &blocked) in blocked.iter().enumerate() {
            let place = window.place(index);
            let near = near(field, place);
            if near >= UNREACHED || blocked > 0 || !stands(layer, place[0], place[1]) {
                continue;
            }
            let middle = [place[0] as f32 + half[0], place[1] as f32 + half[1]];
            let rank = room.rank(ground, near, middle, self.substeps);
            if rank < UNREACHED {
                seeds.push((index as u32, room.worth * rank));
            }
        }
        let is_free = |index: usize| {
            let [x, y] = window.place(index);
            blocked[index] == 0 && stands(layer, x, y)
        };
        ways.part.clear();
        ways.part.resize(window.len(), u32::MAX);
        ways.free.clear();
        let mut stack = Vec::new();
        for (n, &(index, value)) in seeds.iter().enumerate() {
            if ways.part[index as usize] == u32::MAX {
                ways.part[index as usize] = n as u32;
                stack.push(index as usize);
                while let Some(index) = stack.pop() {
                    for beside in window.beside_on(layer, index) {
                        if ways.part[beside] == u32::MAX && is_free(beside) {
                            ways.part[beside] = n as u32;
                            stack.push(beside);
                        }
                    }
                }
            }
            ways.free.push((ways.part[index as usize], value));
        }
        let (w, h) = (footprint.w(), footprint.h());
        let mut parts = Vec::new();
        let mut movers = 0;
        for [x, y] in wanted {
            let before = parts.len();
            for [dx, dy] in [[0, 0], [w, 0], [-w, 0], [0, h], [0, -h]] {
                let part = window.index([x + dx, y + dy]).map_or(u32::MAX, |index| ways.part[index]);
                if part != u32::MAX && crosses_none(layer, [*x, *y], [dx, dy]) {
                    parts.push(part);
                }
            }
            movers += usize::from(parts.len() > before);
        }
        parts.sort_unstable();
        parts.dedup();
        let in_reach = ways.free.iter().filter(|free| parts.binary_search(&free.0).is_ok()).count();
        ways.free.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let weights = weights(field, window);
        ways.front.spread((window, layer), &seeds, |index| {
            let [x, y] = window.place(index);
            let step = if blocked[index] > 0 { weights[index] + TUNING.through } else { weights[index] };
            if stands(layer, x, y) { step } else { UNREACHED }
        });
        in_reach / ((w * h) as usize) < movers + movers / 4
    }

    /// Returns how near to the goal a body can come past standing bodies, in cells.
    fn nearest_in_reach(
        &self,
        member: Member,
        own: f32,
        standing: &StandingByMask,
        ground: &CrowdGround<'_>,
    ) -> f32 {
        let Some(field) = ground.field(member.guide).map(|field| field.field) else { return own };
        let size = [ground.region.w, ground.region.h];
        let layer = ground.layer(member.kind);
        let window = Window { x: 0, y: 0, w: size[0], h: size[1] };
        // It stands itself on the placements around its own.
        let body = &self.bodies[member.index];
        let is_other = |index: usize| index != member.index;
        let standing = standing.of(self.agents[member.index].avoidance.mask);
        let blocked = standing.blocked(window, member.kind, &self.kinds, &self.bodies, is_other);
        let at = Frame::new(self.kinds.footprint(member.kind), body.radius).placement(body.at);
        let Some(start) = window.index(at) else { return own };
        let mut seen = vec![false; window.len()];
        let mut stack = vec![start];
        seen[start] = true;
        let mut nearest = own;
        while let Some(index) = stack.pop() {
            nearest = nearest.min(near(field, window.place(index)));
            for beside in window.beside_on(layer, index) {
                let [x, y] = window.place(beside);
                if !seen[beside] && blocked[beside] == 0 && stands(layer, x, y) {
                    seen[beside] = true;
                    stack.push(beside);
                }
            }
        }
        nearest
    }

    /// Notes those of a group that have come to rest: others find their placements taken.
    pub(in crate::crowd) fn note_rests(&mut self, events: &[Event]) {
        for event in events {
            let Event::Rests(index) = *event else { continue };
            let (agent, body) = (&self.agents[index], self.bodies[index]);
            let Some(room) = room_of(&self.rooms, body.group, agent) else { continue };
            let room = &mut self.rooms[room];
            let footprint = self.kinds.footprint(agent.kind);
            room.filled += (footprint.w() * footprint.h()) as f32;
            if room.walking != NONE_WALKS {
                room.walking = room.walking.saturating_sub(1);
            }
            for ways in room.ways.iter_mut().filter(|ways| ways.mask & agent.avoidance.layers != 0) {
                let placement = Placement::of(ways.kind, &self.kinds);
                let Ways { front, blocked, .. } = ways;
                placement.each(front.window, body.at, body.outline(), |index| {
                    blocked[index] = blocked[index].saturating_add(1);
                });
            }
        }
    }

    /// A body that stood leaves, or makes way from now on: those of other groups that it kept off try again.
    pub(in crate::crowd) fn release(&mut self, index: usize) {
        let (body, its) = (&self.bodies[index], self.agents[index].avoidance);
        if body.rests() {
            let others = self.rooms.iter_mut().filter(|room| room.group != body.group && room.avoids(its));
            others.for_each(|room| room.is_released = true);
        }
    }

    /// A body leaves: if it was at the goal of its group, or on its way through the room, the goal takes bodies
    /// in, and others come on.
    pub(in crate::crowd) fn draw_on(&mut self, index: usize) {
        let (agent, body) = (&self.agents[index], &self.bodies[index]);
        if !agent.gathers() {
            return;
        }
        let Some(room) = room_of(&self.rooms, body.group, agent) else { return };
        let room = &mut self.rooms[room];
        let reach = 2.0 * body.radius + 1.0;
        let is_at = |goal: &V| {
            let off = minus(body.at, *goal);
            dot(off, off) <= reach * reach
        };
        if room.goals.iter().any(is_at) || !body.rests() && room.has(body.at) {
            room.draws_until = self.substeps.saturating_add(TUNING.draws_for);
        }
    }
}

/// Returns `true` if no edge closes the straight way from a placement by some columns or some rows.
fn crosses_none(layer: &Placements, [x, y]: [i32; 2], [dx, dy]: [i32; 2]) -> bool {
    let at = |n: i32| [x + dx.signum() * n, y + dy.signum() * n];
    layer.edges().is_none_or(|edges| (0..dx.abs() + dy.abs()).all(|n| !is_closed(edges, at(n), at(n + 1))))
}
