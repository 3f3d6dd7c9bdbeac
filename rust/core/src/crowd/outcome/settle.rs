//! How one of a group comes to rest in its room: where none of the free room beside it is better, and none
//! that it may reach either. It closes up then, until it touches others or for a moment.

use super::arrival::settle_short;
use crate::crowd::ground::spread::{BESIDE, UNREACHED};
use crate::crowd::ground::steps::{is_closed, leads};
use crate::crowd::ground::sweep::Frame;
use crate::crowd::guide::gathering::{Lead, Room, near, room_of};
use crate::crowd::guide::preferred_velocity::{Preference, to_goal};
use crate::crowd::numbers::millis::Millis;
use crate::crowd::numbers::tuning::TUNING;
use crate::crowd::numbers::vector::{FAR, V, dot, minus};
use crate::crowd::state::agent::Agent;
use crate::crowd::state::body::Body;
use crate::crowd::substep::Substep;

/// Slower than this, in cells a second, it has closed up.
const CLOSED: f32 = 0.5;
/// One of so many looks whether it settles in each substep.
const LOOKS: u32 = 4;

impl Substep<'_> {
    /// Returns where one of a group goes: on the ways of its room, or deeper into it while it closes up.
    pub fn way_in_room(&self, agent: &Agent, frame: &Frame, at: V, speed: f32) -> Option<Preference> {
        let field = self.ground.field(agent.guide)?;
        let room = &self.rooms[room_of(self.rooms, field.group, agent)?];
        let corner = minus(at, frame.half);
        let way = if agent.slot.closing_up.is_over() {
            let (front, layer) = (&room.ways(agent)?.front, self.ground.layer(agent.kind));
            // Each place of the room is at most so far from the goal. A longer way leaves out a link.
            let place = frame.placement(at);
            let by_goal = near(field.field, place) + room.over;
            if layer.links().is_some() && front.left_at(place).is_some_and(|left| left > by_goal) {
                return None;
            }
            front.sample(layer, corner)?
        } else {
            self.deeper(room, agent, frame, at)
        };
        if dot(way, way) > 0.0 {
            return Some(Preference::Go(way, speed));
        }
        // On the placement itself: to its middle.
        let place = frame.placement(at);
        let off = minus(place.map(|part| part as f32), corner);
        let length = dot(off, off).sqrt();
        let speed = speed.min(length * TUNING.braking);
        Some(Preference::Go(if length > 0.0 { off.map(|part| part / length) } else { off }, speed))
    }

    /// Returns the direction in which ranks fall, be there others or not.
    fn deeper(&self, room: &Room, agent: &Agent, frame: &Frame, at: V) -> V {
        let Some(field) = self.ground.field(agent.guide) else { return [0.0; 2] };
        let [x, y] = frame.placement(at);
        let rank = |x: i32, y: i32| {
            room.rank(self.ground, near(field.field, [x, y]), frame.middle([x, y]), self.number)
        };
        let own = rank(x, y);
        if own >= UNREACHED {
            return [0.0; 2];
        }
        let edges = self.ground.layer(agent.kind).edges();
        let or = |x_to: i32, y_to: i32| {
            let is_closed = edges.is_some_and(|edges| is_closed(edges, [x, y], [x_to, y_to]));
            let rank = if is_closed { UNREACHED } else { rank(x_to, y_to) };
            if rank >= UNREACHED { own } else { rank }
        };
        let slope = [or(x - 1, y) - or(x + 1, y), or(x, y - 1) - or(x, y + 1)];
        let length = dot(slope, slope).sqrt();
        if length > 1e-3 { slope.map(|part| part / length) } else { [0.0; 2] }
    }

    /// Lets the clock of one of a group run on, and finds out whether it comes to rest; `true` if it does.
    pub fn settles_in_room(&self, agent: &mut Agent, body: &mut Body) -> bool {
        let Some(field) = self.ground.field(agent.guide) else { return false };
        let Some(room) = room_of(self.rooms, field.group, agent) else { return false };
        let room = &self.rooms[room];
        let frame = self.frame(agent, body.radius);
        if !agent.slot.closing_up.is_over() {
            agent.slot.closing_up.take(self.millis);
            let has_begun = agent.slot.closing_up < TUNING.closes_up.minus(Millis(100));
            if agent.slot.closing_up.is_over()
                || has_begun && dot(body.velocity, body.velocity) < CLOSED * CLOSED
            {
                rest(agent, body);
                return true;
            }
            return false;
        }
        if !self.number.wrapping_add(agent.id).is_multiple_of(LOOKS) {
            return false;
        }
        // Where nothing leads on, it makes way and waits for none.
        if agent.progress.is_cut_off() {
            return false;
        }
        let place = frame.placement(body.at);
        let ways = room.ways(agent);
        if ways.is_none() {
            return false;
        }
        let lead = ways.and_then(|ways| ways.lead(place));
        let left = match (ways, lead) {
            (Some(ways), Some(lead)) if lead.seed.is_some() => {
                let off = minus(minus(body.at, frame.half), place.map(|part| part as f32));
                lead.left - dot(ways.front.way(self.ground.layer(agent.kind), place), off)
            }
            _ => to_goal(self.ground, self.routes, &frame, agent, body.at),
        };
        let moved = minus(body.at, agent.slot.home);
        let has_moved = dot(moved, moved) >= TUNING.headway * TUNING.headway;
        if agent.progress.head_on(left.min(FAR), has_moved, self.millis.times(LOOKS as u16)) {
            agent.slot.home = body.at;
        }
        let own = near(field.field, place);
        let rank = room.rank(self.ground, own, frame.middle(place), self.number);
        let stall = agent.progress.stall;
        let is_through = lead.is_some_and(|lead| lead.is_through);
        if rank >= UNREACHED || is_through && room.is_beyond(own) {
            let is_taken = ways.is_some_and(|ways| !ways.is_free(self.ground, place));
            let is_closed = is_through || is_taken;
            if stall > if is_closed { TUNING.stalls_out } else { TUNING.stalls_out.times(4) } {
                rest(agent, body);
                return true;
            }
            return false;
        }
        if stall > if is_through { TUNING.stalls_in } else { TUNING.stalls_in.times(3) } {
            rest(agent, body);
            return true;
        }
        if room.draws(self.number) {
            return false;
        }
        // Better room to which a free way leads, unless as much was filled since that was found out.
        if let Some((ways, Lead { seed: Some(seed), value, is_through: false, .. })) = ways.zip(lead) {
            let to = ways.front.window.place(seed);
            let off = [(to[0] - place[0]) as f32, (to[1] - place[1]) as f32];
            if value + dot(off, off).sqrt() + TUNING.gain < rank * room.worth {
                let part = ways.part[seed];
                let from = ways.free.partition_point(|free| free.0 < part);
                let better = |free: &(u32, f32)| {
                    free.0 < part || free.0 == part && free.1 + TUNING.gain < rank * room.worth
                };
                let to = ways.free.partition_point(better);
                if room.is_beyond(own) || (to - from) as f32 > room.filled {
                    return false;
                }
            }
        }
        let is_better_beside = |[dx, dy]: [i32; 2]| {
            let beside = [place[0] + dx, place[1] + dy];
            let its = room.rank(self.ground, near(field.field, beside), frame.middle(beside), self.number);
            (rank - its) * room.worth > 1.0
                && ways.is_some_and(|ways| ways.is_free(self.ground, beside))
                && leads(self.ground.layer(agent.kind), place, beside)
        };
        if BESIDE.into_iter().any(is_better_beside) {
            return false;
        }
        agent.slot.closing_up = TUNING.closes_up;
        false
    }
}

/// Rests where it is, until its group is told.
fn rest(agent: &mut Agent, body: &mut Body) {
    agent.slot.closing_up = Millis::ZERO;
    settle_short(agent, body);
}
