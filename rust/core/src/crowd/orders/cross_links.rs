//! Agents take links. After each substep, agents that have asked for a link enter it as far as it has room.
//! Before the next substep, agents whose time is over leave it.

use std::collections::HashMap;

use crate::bitgrid::PaddedIndex;
use crate::crowd::ground::map::CrowdGround;
use crate::crowd::ground::sweep::{Frame, fits, nearest_center};
use crate::crowd::guide::preferred_velocity::link_ahead;
use crate::crowd::kept::Crowd;
use crate::crowd::numbers::vector::{V, towards};
use crate::crowd::outcome::arrival::Event;
use crate::crowd::state::agent::Agent;
use crate::crowd::state::crossing::{Crossing, Passage};
use crate::crowd::state::routes::PATH_GUIDE;
use crate::passability::{LinkStep, Placements};

impl Crowd {
    /// Lets agents enter the links that they have asked for. Takes time in proportion to the agents where
    /// bodies take links.
    pub(in crate::crowd) fn enter_links(&mut self, ground: &CrowdGround<'_>, events: &mut Vec<Event>) {
        if ground.layers.iter().all(|layer| layer.links().is_none()) {
            return;
        }
        // How many are on each link that takes so many only.
        let mut on = HashMap::<u32, u32>::new();
        self.passages.iter().for_each(|passage| *on.entry(passage.link).or_default() += 1);
        for index in 0..self.agents.len() {
            if self.agents[index].control.crossing != Crossing::Asks {
                continue;
            }
            let Some((step, frame)) = self.link_of(index, ground) else { continue };
            let count = on.entry(step.link).or_default();
            if step.bodies_max > 0 && *count >= step.bodies_max {
                continue;
            }
            *count += 1;
            let (agent, at) = (&mut self.agents[index], self.bodies[index].at);
            let to = end_of(ground.layer(agent.kind), &frame, &step, at);
            let walk = || towards(at, to).1 / agent.control.speed.max(1e-3);
            let seconds = step.millis.map_or_else(walk, |millis| millis as f32 / 1000.0);
            let passage = Passage { id: agent.id, link: step.link, from: at, to, seconds, left: seconds };
            let place = self.passages.partition_point(|other| other.id < agent.id);
            self.passages.insert(place, passage);
            agent.control.crossing = Crossing::Under;
            if agent.guide & PATH_GUIDE != 0 {
                agent.progress.cursor += 1;
            }
            events.push(Event::EntersLink(agent.id, step.link));
        }
    }

    /// Lets time pass on links. An agent whose time is over is where its link ends.
    pub(in crate::crowd) fn leave_links(
        &mut self,
        seconds: f32,
        ground: &CrowdGround<'_>,
        events: &mut Vec<Event>,
    ) {
        if self.passages.is_empty() {
            return;
        }
        let mut passages = std::mem::take(&mut self.passages);
        let mut has_left = false;
        passages.retain_mut(|passage| {
            // Removed, or put elsewhere.
            let Some(index) = self.index_of(passage.id) else { return false };
            let (agent, body) = (&mut self.agents[index], &mut self.bodies[index]);
            if agent.control.crossing != Crossing::Under {
                return false;
            }
            if agent.control.is_paused {
                return true;
            }
            passage.left -= seconds;
            if passage.left > 0.0 {
                return true;
            }
            let frame = Frame::new(self.kinds.footprint(agent.kind), body.radius);
            let (layer, [x, y]) = (ground.layer(agent.kind), passage.to);
            let near = || nearest_center(layer, &frame, passage.to);
            // Something may have been built there.
            let to = if fits(layer, &frame, x, y) { passage.to } else { near().unwrap_or(passage.to) };
            (body.at, body.velocity) = (to, [0.0; 2]);
            agent.control.crossing = Crossing::None;
            agent.land(to);
            events.push(Event::LeavesLink(passage.id, passage.link));
            has_left = true;
            false
        });
        self.passages = passages;
        if has_left {
            self.disturb();
        }
    }

    /// Returns the step over a link that an agent has asked for, if it is there and leads to where its body
    /// fits, with the frame of the body.
    fn link_of(&self, index: usize, ground: &CrowdGround<'_>) -> Option<(LinkStep, Frame)> {
        let (agent, body) = (&self.agents[index], &self.bodies[index]);
        let frame = Frame::new(self.kinds.footprint(agent.kind), body.radius);
        let step = link_ahead(ground, &self.routes, &frame, agent, body.at)?;
        Some((*step, frame))
    }

    /// Returns the link that an agent is on.
    pub fn link_under(&self, id: u32) -> Option<u32> {
        Passage::of(&self.passages, id).map(|passage| passage.link)
    }
}

/// Returns where a body comes out that enters a link at a place: as far from the end as it is from where the
/// link begins, if it fits there.
fn end_of(layer: &Placements, frame: &Frame, step: &LinkStep, at: V) -> V {
    let middle = |index: u32| {
        let (x, y) = layer.layout().xy(PaddedIndex::new(index as usize));
        frame.middle([x as i32, y as i32])
    };
    let (from, to) = (middle(step.from), middle(step.to));
    let beside = [0, 1].map(|axis| to[axis] + at[axis] - from[axis]);
    if fits(layer, frame, beside[0], beside[1]) { beside } else { to }
}

impl Agent {
    /// Takes back that it has asked for a link.
    #[inline]
    pub fn stop_asking(&mut self) {
        if self.control.crossing == Crossing::Asks {
            self.control.crossing = Crossing::None;
        }
    }
}
