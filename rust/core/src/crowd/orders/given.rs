//! Orders to agents: where to go, how fast, to wait, to be elsewhere; and what they are from now on.

use crate::crowd::ground::map::CrowdGround;
use crate::crowd::ground::sweep::{Frame, fits, nearest_center};
use crate::crowd::kept::Crowd;
use crate::crowd::numbers::millis::Millis;
use crate::crowd::numbers::vector::{FAR, V, length};
use crate::crowd::state::avoidance::Avoidance;
use crate::crowd::state::behaviour::Cause;
use crate::crowd::state::crossing::Crossing;
use crate::crowd::state::priority::CLASS_MAX;
use crate::crowd::state::routes::{NO_GUIDE, PATH_GUIDE};
use crate::crowd::state::spec::{CROWD_RADIUS_MAX, CROWD_SPEED_MAX};

/// The longest time that an agent is thrown, in seconds.
pub const CROWD_THROW_SECONDS_MAX: f64 = 60.0;

impl Crowd {
    /// Returns where an agent is in the arrays.
    pub(in crate::crowd) fn index_of(&mut self, id: u32) -> Option<usize> {
        self.index.update(&self.agents, self.next_id);
        self.index.of(id)
    }

    /// Sends agents along the field with number `field`; returns how many of them there are.
    pub fn assign_field(&mut self, ids: &[u32], field: u32) -> usize {
        debug_assert!(field & PATH_GUIDE == 0);
        self.assign(ids, field & !PATH_GUIDE)
    }

    /// Sends agents along a path of centres in cells; agents with paths of one `group` have one goal. Without
    /// points, they stop. Returns how many of them there are.
    pub fn assign_path(&mut self, ids: &[u32], points: &[[f64; 2]], group: u32) -> usize {
        let ids: Vec<u32> = ids.iter().copied().filter(|&id| self.contains(id)).collect();
        if ids.is_empty() || points.is_empty() {
            return self.assign(&ids, NO_GUIDE);
        }
        let (left, top) = (f64::from(self.origin.0), f64::from(self.origin.1));
        let points: Vec<V> = points.iter().map(|&[x, y]| [(x - left) as f32, (y - top) as f32]).collect();
        // One user more, so that the path survives an agent that is named twice.
        let guide = self.routes.add(points, group, 1);
        let count = self.assign(&ids, guide);
        self.routes.leave(guide);
        count
    }

    /// Gives agents places of their own, centres in cells, to which they walk straight when they can;
    /// `places[n]` is for `ids[n]`, but agents of one kind and radius may swap. In the next step each takes
    /// the nearest place to its own where its body fits and no other agent has one. Call it after they were
    /// sent towards the places.
    pub fn assign_places(&mut self, ids: &[u32], places: &[[f64; 2]]) {
        self.index.update(&self.agents, self.next_id);
        let (left, top) = (f64::from(self.origin.0), f64::from(self.origin.1));
        // A number of their own, so that only those of this order swap places.
        self.formations = self.formations.wrapping_add(1);
        for (&id, &[x, y]) in ids.iter().zip(places) {
            if let Some(index) = self.index.of(id) {
                let agent = &mut self.agents[index];
                agent.slot.home = [(x - left) as f32, (y - top) as f32].map(|v| v.clamp(-FAR, FAR));
                agent.slot.formation = self.formations;
                (agent.slot.is_given, agent.slot.is_wanted, agent.slot.is_another) = (true, true, false);
            }
        }
        self.has_orders = true;
    }

    /// Stops agents where they are; returns how many of them there are.
    pub fn stop(&mut self, ids: &[u32]) -> usize {
        self.assign(ids, NO_GUIDE)
    }

    /// Gives an agent another body, which is put where it fits in the next step; `false` when there is no
    /// such agent, or the radius, in cells, is not one that an agent may have.
    pub fn set_body(&mut self, id: u32, kind: u16, radius: f32) -> bool {
        let Some(index) = self.index_of(id).filter(|_| radius > 0.0 && radius <= CROWD_RADIUS_MAX) else {
            return false;
        };
        let (body, agent) = (&mut self.bodies[index], &mut self.agents[index]);
        self.areas.leave(agent.guide, body.outline());
        (body.radius, body.core, agent.kind) = (radius, self.kinds.core(kind, radius), kind);
        self.areas.join(agent.guide, body.outline());
        // Looked at anew: whether all fit.
        self.revision = None;
        self.disturb();
        self.measure();
        true
    }

    /// Lets an agent go on along the field with number `field`, to what it was sent to: one that has arrived
    /// stays so.
    pub(crate) fn redirect(&mut self, id: u32, field: u32) {
        let Some(index) = self.index_of(id) else { return };
        let (agent, outline) = (&mut self.agents[index], self.bodies[index].outline());
        self.routes.leave(agent.guide);
        self.areas.leave(agent.guide, outline);
        self.areas.join(field, outline);
        (agent.guide, agent.progress.stalled) = (field, Millis::ZERO);
        agent.progress.forget_distances();
    }

    /// Stops all agents whose field has a number for which `is_gone`.
    pub(crate) fn stop_followers(&mut self, is_gone: impl Fn(u32) -> bool) {
        for (agent, body) in self.agents.iter_mut().zip(&mut self.bodies) {
            if agent.guide & PATH_GUIDE == 0 && is_gone(agent.guide) {
                body.forget_push_request();
                self.areas.leave(agent.guide, body.outline());
                agent.begin(NO_GUIDE, agent.slot.home);
            }
            // The number of the field is given to another one, which leads elsewhere.
            let yields_to_gone =
                agent.priority.yield_guide & PATH_GUIDE == 0 && is_gone(agent.priority.yield_guide);
            if agent.behaviour().yields() && yields_to_gone {
                agent.priority.gives_way = Millis::ZERO;
                agent.meet(Cause::Yielded);
            }
        }
    }

    /// Gives an agent another speed, in cells a second; `false` when there is no such agent, or the speed is
    /// not one that an agent may have.
    pub fn set_speed(&mut self, id: u32, speed: f32) -> bool {
        let Some(index) = self.index_of(id).filter(|_| speed > 0.0 && speed <= CROWD_SPEED_MAX) else {
            return false;
        };
        self.agents[index].control.speed = speed;
        self.most.speed = self.most.speed.max(speed);
        true
    }

    /// Gives an agent another radius, in cells; `false` when there is no such agent, or the radius is not one
    /// that an agent may have.
    pub fn set_radius(&mut self, id: u32, radius: f32) -> bool {
        self.index_of(id).is_some_and(|index| self.set_body(id, self.agents[index].kind, radius))
    }

    /// Puts an agent into a class from 0 to 1: where two are in each other's way, the one of the higher class
    /// goes first, and the other does most of the steering clear. At rest it makes way only for those of at
    /// least its class. There are 16 classes; agents begin in the middle. `false` when there is no such
    /// agent.
    pub fn set_priority(&mut self, id: u32, priority: f32) -> bool {
        let Some(index) = self.index_of(id) else { return false };
        let class = (priority.clamp(0.0, 1.0) * CLASS_MAX as f32).round() as u8;
        let (agent, body) = (&mut self.agents[index], &mut self.bodies[index]);
        agent.priority.class = class;
        // The new class counts at once, not only after the time of a lent rank.
        (body.rank, agent.priority.lent) = (agent.own_rank(), Millis::ZERO);
        body.set_class(agent.priority.class);
        self.release(index);
        true
    }

    /// Puts agents onto `layers` and lets them avoid the agents on the layers of `mask`; returns how many of
    /// `ids` are agents. `None` keeps the value that an agent has. New agents have 1 and 1.
    pub fn set_avoidance(&mut self, ids: &[u32], layers: Option<u32>, mask: Option<u32>) -> usize {
        let mut count = 0;
        let mut has_changed = false;
        for &id in ids {
            let Some(index) = self.index_of(id) else { continue };
            count += 1;
            let before = self.agents[index].avoidance;
            let now =
                Avoidance { layers: layers.unwrap_or(before.layers), mask: mask.unwrap_or(before.mask) };
            if now == before {
                continue;
            }
            has_changed = true;
            // Agents that it kept off may find its place free.
            self.release(index);
            self.agents[index].avoidance = now;
            self.new_guides.push(self.agents[index].guide);
            self.release(index);
        }
        if has_changed {
            self.disturb();
            self.measure();
        }
        count
    }

    /// Returns the layers and the mask of an agent.
    pub fn avoidance(&mut self, id: u32) -> Option<Avoidance> {
        self.index_of(id).map(|index| self.agents[index].avoidance)
    }

    /// Returns `true` if the agent at `index` avoids another agent.
    pub(in crate::crowd) fn avoids(&self, index: usize, other: usize) -> bool {
        other != index && self.agents[index].avoidance.avoids(self.agents[other].avoidance)
    }

    /// Holds an agent where it is, or lets it go on with what it was doing; `false` when there is no such
    /// agent. One that is held is not pushed, and makes way for none.
    pub fn set_paused(&mut self, id: u32, is_paused: bool) -> bool {
        let Some(index) = self.index_of(id) else { return false };
        self.agents[index].control.is_paused = is_paused;
        self.release(index);
        true
    }

    /// Returns `true` if an agent is held.
    pub fn is_paused(&mut self, id: u32) -> bool {
        self.index_of(id).is_some_and(|index| self.agents[index].control.is_paused)
    }

    /// Has an agent hold its position while it rests, or no longer: it makes way for none then, and nothing
    /// moves it. It still goes where orders send it. `false` when there is no such agent.
    pub fn set_holds_position(&mut self, id: u32, holds: bool) -> bool {
        let Some(index) = self.index_of(id) else { return false };
        self.agents[index].control.holds_position = holds;
        self.release(index);
        true
    }

    /// Returns `true` if an agent holds its position while it rests.
    pub fn holds_position(&mut self, id: u32) -> bool {
        self.index_of(id).is_some_and(|index| self.agents[index].control.holds_position)
    }

    /// Puts an agent onto the valid placement nearest to a place, its centre in cells, and says where; `None`
    /// when there is no such agent or no valid placement. One that rests stays there; one that is on its way
    /// goes on from there.
    pub fn set_position(&mut self, id: u32, x: f64, y: f64, ground: &CrowdGround<'_>) -> Option<(f64, f64)> {
        self.refit(ground);
        let index = self.index_of(id).filter(|_| x.is_finite() && y.is_finite())?;
        let (agent, body) = (&mut self.agents[index], &mut self.bodies[index]);
        let (left, top) = (f64::from(self.origin.0), f64::from(self.origin.1));
        let mut at = [(x - left) as f32, (y - top) as f32].map(|v| v.clamp(-FAR, FAR));
        let frame = Frame::new(self.kinds.footprint(agent.kind), body.radius);
        let layer = ground.layer(agent.kind);
        if !fits(layer, &frame, at[0], at[1]) {
            at = nearest_center(layer, &frame, at)?;
        }
        (body.at, body.velocity, agent.control.driven_at) = (at, [0.0; 2], at);
        agent.control.crossing = Crossing::None;
        // One at rest stays where it was put; it does not walk back.
        if agent.behaviour().rests() {
            agent.slot.home = at;
        }
        // How near it had come says nothing from where it is now.
        agent.progress.forget_distances();
        agent.progress.forget_times();
        self.disturb();
        Some((f64::from(at[0]) + left, f64::from(at[1]) + top))
    }

    /// Throws an agent: for so many seconds, at most [`CROWD_THROW_SECONDS_MAX`], it flies with a velocity in
    /// cells a second, as far as walls let it, whatever it was doing; then it goes on, or back to its place.
    /// `false` when there is no such agent, it is driven, or the numbers are not finite.
    pub fn throw(&mut self, id: u32, velocity: [f32; 2], seconds: f64) -> bool {
        let is_good = velocity.iter().all(|v| v.abs() <= CROWD_SPEED_MAX) && seconds >= 0.0;
        let Some(index) = self.index_of(id).filter(|_| is_good) else { return false };
        let agent = &mut self.agents[index];
        // The crowd does not move its body.
        if agent.control.is_driven {
            return false;
        }
        agent.control.throw = velocity;
        agent.control.thrown = Millis((seconds.min(CROWD_THROW_SECONDS_MAX) * 1000.0).round() as u16);
        let speed = length(velocity);
        // Neighbour lists are kept for as long as none can have come near, by the highest speed.
        self.most.speed = self.most.speed.max(speed);
        true
    }

    pub(in crate::crowd) fn assign(&mut self, ids: &[u32], guide: u32) -> usize {
        self.index.update(&self.agents, self.next_id);
        let mut count = 0;
        let mut left = Vec::new();
        self.open_order(guide);
        self.new_guides.push(guide);
        for &id in ids {
            let Some(index) = self.index.of(id) else { continue };
            count += 1;
            self.release(index);
            let agent = &mut self.agents[index];
            left.push(agent.guide);
            // In this order: the path that it has may be the one that it gets, and must not end in between.
            self.routes.join(guide);
            self.routes.leave(agent.guide);
            self.areas.leave(agent.guide, self.bodies[index].outline());
            self.areas.join(guide, self.bodies[index].outline());
            agent.begin(guide, self.bodies[index].at);
            self.bodies[index].forget_push_request();
        }
        // An order that all of its agents have left for another one is never told as arrived.
        left.sort_unstable();
        self.orders.retain(|order| self.areas.has(order.guide) || left.binary_search(&order.guide).is_err());
        count
    }
}
