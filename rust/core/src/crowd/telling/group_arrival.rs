//! Arrival at the end of a path and in a formation: which agents at rest have arrived, which are blocked, and
//! which go on. Those that a field leads are told in rounds of their room instead (`rounds`).
//!
//! In a jam all settle where they are, however much room there is before the first. In each round an agent
//! that rests short of its place goes on when no other rests right before it. Otherwise it counts as arrived
//! within the disc that its group fills, or right behind others that rest there. Farther off, as between walls,
//! it does so where no room is free nearer to the end. Else it is blocked.

use crate::crowd::ground::map::CrowdGround;
use crate::crowd::ground::sight::is_straight;
use crate::crowd::ground::sweep::Frame;
use crate::crowd::guide::preferred_velocity::{direction, next_point, to_goal};
use crate::crowd::kept::Crowd;
use crate::crowd::numbers::millis::Millis;
use crate::crowd::numbers::tuning::TUNING;
use crate::crowd::numbers::vector::{V, length, minus, towards};
use crate::crowd::orders::place_candidates::{Taken, nearest_free};
use crate::crowd::orders::places::Giver;
use crate::crowd::outcome::arrival::{Event, is_by};
use crate::crowd::state::agent::Agent;
use crate::crowd::state::behaviour::{Behaviour, Cause, Pace};
use crate::crowd::state::body::Body;
use crate::crowd::state::outline::Gap;
use crate::crowd::state::routes::{NO_GUIDE, PATH_GUIDE};

/// A walking body at most so far off, in cells, passes.
const PASSES: f32 = 1.0;

impl Crowd {
    /// Finds out what those are that rest short of their goal, or are held up on the way to their place
    /// around it.
    pub(in crate::crowd) fn judge(
        &mut self,
        ground: &CrowdGround<'_>,
        giver: &mut Giver,
        events: &mut Vec<Event>,
    ) {
        for index in 0..self.agents.len() {
            let (agent, body) = (&self.agents[index], &self.bodies[index]);
            let has_way = agent.guide & PATH_GUIDE != 0 || ground.field(agent.guide).is_some();
            if !(has_way && agent.is_to_be_judged()) {
                continue;
            }
            let frame = Frame::new(self.kinds.footprint(agent.kind), body.radius);
            let left = to_goal(ground, &self.routes, &frame, agent, body.at);
            if self.comes_back(index, &frame, left, ground, giver, events) {
                continue;
            }
            let (agent, body) = (&self.agents[index], &self.bodies[index]);
            let is_there = agent.progress.has_arrived
                || self.is_in_room(agent.guide, body.radius, left)
                || self.has_no_room_nearer(index, &frame, left, ground, giver)
                || self.is_beside_room(index, &frame, ground);
            let rests = agent.behaviour() == Behaviour::Settled;
            let is_near = is_there || is_by(agent.slot.home, body.at, body.radius);
            if is_near && rests && agent.slot.is_given && agent.slot.may_try_again() {
                // Those that held it off its place may have gone or settled by now.
                self.agents[index].go_on();
                continue;
            }
            let may_go_on = rests && agent.slot.closing_up < TUNING.closes_up_max;
            let ahead =
                if may_go_on { self.room_ahead(index, &frame, ground, &giver.taken, is_there) } else { None };
            let (outline, layers) = (body.outline(), agent.avoidance.layers);
            let (radius, at) = (body.radius, body.at);
            let agent = &mut self.agents[index];
            agent.progress.note_left(left, radius);
            if is_there {
                agent.announce_arrival(events);
            }
            // No places are handed out around the end of a path: one that is within a body of it stays.
            let stays = is_there && agent.guide & PATH_GUIDE != 0 && left <= 2.0 * radius;
            match ahead {
                _ if stays => agent.stay(at),
                Some(place) if is_there => {
                    giver.taken.add(place, outline, layers);
                    agent.move_up(place);
                }
                Some(_) => agent.go_on(),
                // None is in the way of one that nothing leads on: it goes on, and is stuck.
                None if rests && !is_there && left == f32::INFINITY => agent.go_on(),
                None if may_go_on && !is_there && self.is_first_of_ring(ground, index) => {
                    let agent = &mut self.agents[index];
                    agent.go_on();
                    // So it presses on all that hold it, until it comes nearer than this.
                    agent.progress.left = left;
                    agent.meet(Cause::Paced(Pace::Stuck));
                }
                None if rests && !is_there => {
                    self.agents[index].announce_block(left, events);
                }
                None => {}
            }
        }
    }

    /// Returns the body of the agent at `index` in the place that it takes from others: where it is itself,
    /// it would find that in its way.
    fn at_rest(&self, index: usize) -> Body {
        let body = self.bodies[index];
        Body { at: self.agents[index].rests_at(body.at), ..body }
    }

    /// Returns the place right before the agent at `index` on its way, if it is free and the agent can come
    /// there. One that `is_there` is to rest in it, and walks straight to it. Another one walks on: along
    /// walls by its field, straight to the next point of a path.
    fn room_ahead(
        &self,
        index: usize,
        frame: &Frame,
        ground: &CrowdGround<'_>,
        taken: &Taken,
        is_there: bool,
    ) -> Option<V> {
        let (agent, body) = (&self.agents[index], &self.bodies[index]);
        let next = next_point(&self.routes, agent).filter(|_| !is_there);
        let way = direction(ground, &self.routes, frame, agent, body.at);
        let ahead = place_ahead(way, body, taken, agent.avoidance.mask)?;
        let [next, place] = [next.unwrap_or(ahead), ahead].map(|at| (towards(body.at, at).1, at));
        let seen = if next.0 < place.0 { next.1 } else { place.1 };
        is_straight(ground.layer(agent.kind), frame, body.at, seen).then_some(ahead)
    }

    /// Lets an agent that was told as arrived go on if it rests out of the room of its group, pushed there
    /// perhaps through a corridor, and can come back. Returns `true` then, and when it stays where it rests
    /// because that is near enough.
    fn comes_back(
        &mut self,
        index: usize,
        frame: &Frame,
        left: f32,
        ground: &CrowdGround<'_>,
        giver: &mut Giver,
        events: &mut Vec<Event>,
    ) -> bool {
        let (agent, radius, at) = (&self.agents[index], self.bodies[index].radius, self.bodies[index].at);
        if !(agent.progress.has_arrived && agent.behaviour().rests()) {
            return false;
        }
        if let Some(end) = self.routes.end(agent.guide) {
            let room = self.room_at_end(index, frame, (end, left), ground, &giver.taken);
            // Its walker looks for a path back.
            let asks = room.is_none()
                && agent.control.is_driven
                && (agent.slot.is_given || self.may_walk_back(index, frame, left, ground, giver));
            let (agent, outline) = (&mut self.agents[index], self.bodies[index].outline());
            if let Some(place) = room {
                giver.taken.add(place, outline, agent.avoidance.layers);
                agent.slot.closing_up = Millis::ZERO;
                agent.move_up(place);
            } else {
                agent.progress.left = left;
                if left <= 2.0 * radius {
                    agent.stay(at);
                } else if asks {
                    events.push(Event::Hindered(agent.id));
                }
            }
            return true;
        }
        false
    }

    /// Returns `true` if the agent at `index` may go to the end of its path by another path. It came to rest
    /// beside others and was pushed far off, and there is room nearer. While another agent passes it, it waits:
    /// both would meet again.
    fn may_walk_back(
        &self,
        index: usize,
        frame: &Frame,
        left: f32,
        ground: &CrowdGround<'_>,
        giver: &mut Giver,
    ) -> bool {
        let (guide, radius) = (self.agents[index].guide, self.bodies[index].radius);
        // Near the end, all would push each other off it in turn.
        !self.is_in_room(guide, radius, left * 0.5)
            && !self.has_no_room_nearer(index, frame, left, ground, giver)
            && !self.is_passed(index)
    }

    /// Returns `true` if a walking body is within a cell of the agent at `index`.
    fn is_passed(&self, index: usize) -> bool {
        let body = &self.bodies[index];
        let reach = body.outline().longest() + self.most.longest + PASSES;
        let [from, to] = [-reach, reach].map(|by| body.at.map(|part| part + by));
        self.indices_within(from, to).any(|other| {
            let Gap { offset, touch } = body.gap::<true>(&self.bodies[other]);
            self.avoids(index, other) && !self.bodies[other].rests() && length(offset) < touch + PASSES
        })
    }

    /// Returns the room nearest to the end of its path for the agent at `index`, which rests `left` from
    /// there: around that end no places are handed out, and those before it may have left. Nearer than it is
    /// by a body, in sight, and with none right before it.
    fn room_at_end(
        &self,
        index: usize,
        frame: &Frame,
        (end, left): (V, f32),
        ground: &CrowdGround<'_>,
        taken: &Taken,
    ) -> Option<V> {
        let (agent, body) = (&self.agents[index], &self.bodies[index]);
        let layer = ground.layer(agent.kind);
        let mask = agent.avoidance.mask;
        if left <= 2.0 * body.radius {
            return None;
        }
        let is_free = |at: V| taken.is_free(at, body.outline(), mask);
        let (place, steps) = nearest_free(layer, frame, end, is_free)?;
        let way = towards(body.at, place).0;
        (steps < left - 2.0 * body.radius
            && place_ahead(way, &self.at_rest(index), taken, mask).is_some()
            && is_straight(layer, frame, body.at, place))
        .then_some(place)
    }

    /// Returns `true` if a body at a place from which it is so far to the goal of `guide`, in cells, is where
    /// its group rests: all of it in a disc, or a few beside the first.
    fn is_in_room(&self, guide: u32, radius: f32, left: f32) -> bool {
        left <= (TUNING.far * self.settle_radii.of(guide)).max(TUNING.beside_radii * radius)
    }

    /// Returns `true` if others of its group rest right before the agent at `index`, and all of them where the
    /// group rests. The agent follows a path of its own.
    fn is_beside_room(&self, index: usize, frame: &Frame, ground: &CrowdGround<'_>) -> bool {
        let (agent, body) = (&self.agents[index], &self.bodies[index]);
        let Some(end) = self.routes.end(agent.guide) else { return false };
        let way = direction(ground, &self.routes, frame, agent, body.at);
        let is_in_room = |other: usize| {
            let (its, other) = (&self.agents[other], &self.bodies[other]);
            let left = length(minus(end, other.at));
            its.progress.has_arrived && other.rests() && self.is_in_room(its.guide, other.radius, left)
        };
        let is_of_group =
            |other: usize| self.routes.group(self.agents[other].guide) == self.routes.group(agent.guide);
        let mut before = self.indices_at(index, right_before(way, body)).peekable();
        before.peek().is_some() && before.all(|other| is_of_group(other) && is_in_room(other))
    }

    /// Returns `true` if no room for an agent is free nearer to the end of its path than it is itself, by a
    /// body.
    fn has_no_room_nearer(
        &self,
        index: usize,
        frame: &Frame,
        left: f32,
        ground: &CrowdGround<'_>,
        giver: &mut Giver,
    ) -> bool {
        let (agent, body) = (&self.agents[index], &self.bodies[index]);
        let Some(end) = self.routes.end(agent.guide) else { return false };
        let mask = agent.avoidance.mask;
        let room_for = (agent.kind, body.radius.to_bits(), end.map(f32::to_bits), mask);
        let known = giver.ends.iter().find(|(of, _)| *of == room_for).map(|(_, steps)| *steps);
        let steps = known.unwrap_or_else(|| {
            let layer = ground.layer(agent.kind);
            let is_free = |at: V| giver.taken.is_free(at, body.outline(), mask);
            let free = nearest_free(layer, frame, end, is_free);
            let steps = free.map_or(f32::INFINITY, |(_, steps)| steps);
            giver.ends.push((room_for, steps));
            steps
        });
        steps >= left - 2.0 * body.radius
    }
}

impl Agent {
    /// Returns `true` if it rests short of its goal or its place, or is held up on the way to its place and
    /// was not told as arrived.
    pub fn is_to_be_judged(&self) -> bool {
        if self.gathers() {
            return false;
        }
        // Around the end of a path, those before it may still leave.
        let has_given_up = self.progress.is_kept_off()
            && !self.progress.has_arrived
            && self.slot.has_closed_up()
            && self.guide & PATH_GUIDE == 0;
        let rests_short = self.behaviour() == Behaviour::Settled && self.slot.is_short && !has_given_up;
        rests_short
            && !(self.control.is_paused || self.slot.is_wanted)
            && self.guide != NO_GUIDE
            && self.control.thrown.is_over()
    }

    /// Goes on from where it rested short of its goal.
    fn go_on(&mut self) {
        self.slot.is_short = false;
        self.meet(Cause::WayFree);
        self.progress.forget_distances();
        self.progress.forget_times();
        self.slot.closing_up.add(TUNING.try_again);
    }

    /// Moves up into a place ahead. It still rests short of its own then, and may go on from there.
    fn move_up(&mut self, place: V) {
        self.meet(Cause::RoomFree);
        (self.slot.home, self.slot.via) = (place, place);
        self.progress.forget_distances();
        self.progress.forget_times();
    }
}

/// Returns the place right before an agent on its way, if no body on a layer of `mask` takes it.
fn place_ahead(way: V, body: &Body, taken: &Taken, mask: u32) -> Option<V> {
    let ahead = right_before(way, body);
    ((way[0] != 0.0 || way[1] != 0.0) && taken.is_free(ahead, body.outline(), mask)).then_some(ahead)
}

/// Returns the place right before an agent on its way, beyond its own.
pub(in crate::crowd) fn right_before([x, y]: V, body: &Body) -> V {
    let outline = body.outline();
    let [core_x, core_y] = outline.core.half();
    let reach = TUNING.ahead_radii * outline.rounding() + 2.0 * (x.abs() * core_x + y.abs() * core_y);
    [body.at[0] + x * reach, body.at[1] + y * reach]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::OutlineForm;
    use crate::crowd::ground::neighbours::Most;
    use crate::crowd::state::outline::Core;
    use crate::geometry::{CellRect, Footprint};

    /// The place ahead, to the right, of a body of 3×3 cells with another one of these outlines so far before
    /// it.
    fn ahead(form: OutlineForm, distance: f32) -> Option<V> {
        let core = Core::new(Footprint::new(3, 3).expect("a footprint"), form, 1.4);
        let body = Body { at: [5.0, 5.0], radius: 1.4, core, ..Body::default() };
        let mut most = Most::default();
        most.include(&body, 1.0);
        let region = CellRect::new(0, 0, 40, 10);
        let ground = CrowdGround { region, revision: 0, layers: &[], costs: &[], fields: &[] };
        let mut taken = Taken::new(&ground, 2, most);
        taken.add(body.at, body.outline(), 1);
        taken.add([body.at[0] + distance, 5.0], body.outline(), 1);
        place_ahead([1.0, 0.0], &body, &taken, 1)
    }

    #[test]
    fn room_beyond_the_next_body_is_no_room_ahead() {
        for form in [OutlineForm::Round, OutlineForm::Box] {
            assert_eq!(ahead(form, 3.0), None, "{form:?}: a body is there");
            let [x, _] = ahead(form, 6.0).expect("there is room between the two");
            assert!((7.8..=8.2).contains(&x), "{form:?}: right before it, not at {x}");
        }
    }
}
