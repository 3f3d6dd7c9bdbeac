//! Handing out the places of formations, after an order, and twice a second to those that ask for another.
//!
//! A place is free when it overlaps no place of another agent and no agent that rests. Two agents that are
//! held up beside each other swap their places when that brings both nearer, so none has to pass through
//! others. Nothing is kept between two rounds, so a crowd that was saved hands out the same places.

use super::place_candidates::{RINGS_MAX, Taken, fitting};
use crate::crowd::ground::map::CrowdGround;
use crate::crowd::ground::sweep::Frame;
use crate::crowd::kept::Crowd;
use crate::crowd::numbers::millis::Millis;
use crate::crowd::numbers::tuning::TUNING;
use crate::crowd::numbers::vector::{V, dot, minus, towards};
use crate::crowd::outcome::arrival::Event;
use crate::crowd::state::agent::Agent;
use crate::crowd::state::behaviour::Cause;

/// What one round of handing out keeps.
pub(in crate::crowd) struct Giver {
    pub taken: Taken,
    /// How far from the end of a path the nearest free room is, by what that is for.
    pub ends: Vec<(RoomFor, f32)>,
    /// The place in a formation that was asked for last (where, radius, kind, guide, mask), and the ring in
    /// which a free one was found.
    last: Option<(AskedPlace, i32)>,
}

/// A body of a kind and radius that wants to the end of a path, and the layers that it avoids.
type RoomFor = (u16, u32, [u32; 2], u32);

/// A place in a formation and the body that asks for it: where, radius, kind, guide, mask.
type AskedPlace = ([u32; 2], u32, u16, u32, u32);

impl Crowd {
    /// Hands out places to agents that came near their goal, and fits those of formations that were just
    /// ordered.
    pub(in crate::crowd) fn give_places(&mut self, ground: &CrowdGround<'_>, events: &mut Vec<Event>) {
        let has_turn = self.substeps.is_multiple_of(TUNING.round_substeps);
        // Formations are fitted in the step after their order, or agents would set out for places inside
        // walls.
        if !has_turn && !self.has_orders {
            return;
        }
        let askers = self.askers(has_turn);
        self.has_orders = false;
        let judges = has_turn && self.agents.iter().any(Agent::is_to_be_judged);
        if askers.is_empty() && !judges {
            return;
        }
        let mut giver = Giver { taken: self.taken(ground), ends: Vec::new(), last: None };
        for index in askers {
            self.agents[index].slot.is_wanted = false;
            self.give_in_formation(index, ground, &mut giver);
        }
        if judges {
            self.judge(ground, &mut giver, events);
        }
    }

    /// Returns the agents that ask for a place, in the order in which they get one: large bodies before small
    /// ones.
    fn askers(&self, has_turn: bool) -> Vec<usize> {
        let asks = |index: &usize| {
            let slot = &self.agents[*index].slot;
            slot.is_wanted && (has_turn || self.has_orders && slot.is_given)
        };
        let mut askers: Vec<usize> = (0..self.agents.len()).filter(asks).collect();
        let (radius, id) = (|index: usize| self.bodies[index].radius, |index: usize| self.agents[index].id);
        askers.sort_unstable_by(|&a, &b| radius(b).total_cmp(&radius(a)).then(id(a).cmp(&id(b))));
        askers
    }

    /// Returns the places that agents have, or rest on.
    fn taken(&self, ground: &CrowdGround<'_>) -> Taken {
        let mut taken = Taken::new(ground, self.bodies.len(), self.most);
        for (agent, body) in self.agents.iter().zip(&self.bodies) {
            let is_moved = agent.control.goes_by_itself();
            if is_moved || agent.control.is_driven && agent.behaviour().is_aside() {
                // It has no place of its own, and may be where it is for long.
                taken.add(body.at, body.outline(), agent.avoidance.layers);
            } else if agent.slot.is_own() || agent.behaviour().rests() && !agent.slot.is_wanted {
                taken.add(agent.rests_at(body.at), body.outline(), agent.avoidance.layers);
            }
        }
        taken
    }

    /// Gives the agent at `index` the free place nearest to its own in the formation; where there is none, it
    /// does without.
    fn give_in_formation(&mut self, index: usize, ground: &CrowdGround<'_>, giver: &mut Giver) {
        let (agent, body) = (&mut self.agents[index], &self.bodies[index]);
        let frame = Frame::new(self.kinds.footprint(agent.kind), body.radius);
        let field = ground.field(agent.guide).map(|field| field.field);
        let (w, h) = (ground.region.w as f32, ground.region.h as f32);
        agent.slot.home = [agent.slot.home[0].max(0.0).min(w), agent.slot.home[1].max(0.0).min(h)];
        // Many at one place need not look again where there was no room for the last.
        let same = (
            agent.slot.home.map(f32::to_bits),
            body.radius.to_bits(),
            agent.kind,
            agent.guide,
            agent.avoidance.mask,
        );
        let ring = giver.last.filter(|last| last.0 == same).map_or(0, |last| last.1);
        let layer = ground.layer(agent.kind);
        let found = fitting(layer, &frame, field, agent, body, &giver.taken, ring);
        giver.last = Some((same, found.map_or(RINGS_MAX, |(_, ring)| ring)));
        let (agent, body) = (&mut self.agents[index], &self.bodies[index]);
        let is_near = |&(home, _): &(V, i32)| towards(body.at, home).1 <= TUNING.ahead_radii * body.radius;
        if agent.slot.asks_for_another() && !found.as_ref().is_some_and(is_near) {
            // None is near: it stays where it is, and those whose place that is take others.
            (agent.slot.home, agent.slot.via) = (body.at, body.at);
            giver.taken.add(body.at, body.outline(), agent.avoidance.layers);
        } else if let Some((home, _)) = found {
            agent.take_place(home, body.radius);
            giver.taken.add(home, body.outline(), agent.avoidance.layers);
        } else {
            agent.slot.is_given = false;
        }
    }

    /// Lets agents that are held up on the way to their place swap it with one beside them.
    pub(in crate::crowd) fn swap_places(&mut self, events: &[Event]) {
        for event in events {
            let Event::HeldUp(own) = *event else { continue };
            let (body, agent) = (self.bodies[own], self.agents[own]);
            if agent.behaviour().rests() {
                // It has settled since it was held up.
                continue;
            }
            let mut best = (TUNING.swap_gain, own);
            for index in self.near[own].iter() {
                let (other, its) = (&self.bodies[index], &self.agents[index]);
                if its.behaviour().rests() && other.stands_firm(&body)
                    || its.slot.formation != agent.slot.formation
                    || its.kind != agent.kind
                    || its.avoidance != agent.avoidance
                    || !its.slot.is_own()
                    || other.radius.to_bits() != body.radius.to_bits()
                {
                    continue;
                }
                let between = |a: V, b: V| dot(minus(a, b), minus(a, b));
                let now = between(body.at, agent.slot.home) + between(other.at, its.slot.home);
                let gain = now - between(body.at, its.slot.home) - between(other.at, agent.slot.home);
                if gain > best.0 {
                    best = (gain, index);
                }
            }
            let (_, index) = best;
            if index != own {
                let home = self.agents[index].slot.home;
                self.agents[own].slot.home = home;
                self.agents[index].slot.home = agent.slot.home;
                self.agents[own].slot.is_short = false;
                self.agents[index].slot.is_short = false;
                self.agents[own].slot.via = home;
                self.agents[index].slot.via = agent.slot.home;
                self.agents[own].progress.held_up = Millis::ZERO;
                let its = &mut self.agents[index];
                its.meet(Cause::Swapped);
                // The time that a chain of swaps takes is limited, too.
                self.agents[index].progress.blocked =
                    self.agents[index].progress.blocked.max(agent.progress.blocked);
            }
        }
    }
}
