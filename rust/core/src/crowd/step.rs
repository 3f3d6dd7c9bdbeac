//! A step: as many substeps as its time needs, each with both passes over all agents on all threads, and the
//! news that it brings.
//!
//! Threads take chunks whose size does not depend on their number. In a pass an agent reads what all were
//! before it and writes its own slot only, so the result is the same for any number of threads.

use crate::crowd::contact::Contact;
use crate::crowd::ground::map::CrowdGround;
use crate::crowd::ground::neighbours::{Hits, Neighbours};
use crate::crowd::kept::{Crowd, Scratch};
use crate::crowd::numbers::millis::Millis;
use crate::crowd::numbers::tuning::TUNING;
use crate::crowd::outcome::arrival::{Event, GroupNews};
use crate::crowd::state::agent::Agent;
use crate::crowd::state::body::Body;
use crate::crowd::state::spec::CrowdError;
use crate::crowd::steering::steer::Intent;
use crate::crowd::substep::{CHUNK, Substep};
use crate::parallel;

/// Longest substep, in seconds.
const SUBSTEP_MAX: f64 = 1.0 / 60.0;
/// A step computes at most so many substeps; what is left of its time is lost.
const SUBSTEPS_MAX: u32 = 60;

/// What a step brought.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CrowdNews {
    /// Agents that have arrived, by id; each once for each goal that it is given.
    pub arrived: Vec<u32>,
    /// Agents that are stuck, by id; each once until it comes nearer to its goal again.
    pub stuck: Vec<u32>,
    /// Agents that rest short of free room nearer to their goal, by id; each once for each goal that it is
    /// given.
    pub blocked: Vec<u32>,
    /// Agents that are moved from outside and are held up by others that stay, or for eight seconds by any,
    /// by id: time to look for a way round. Each once for every four seconds in which it comes no nearer, and
    /// when it is blocked.
    pub hindered: Vec<u32>,
    /// Agents that have entered links, by id, and the numbers of these.
    pub entered_links: Vec<(u32, u32)>,
    /// Agents that have left links, by id, and the numbers of these.
    pub left_links: Vec<(u32, u32)>,
    /// Groups of which all have arrived that can; each once for each order.
    pub groups: Vec<GroupNews>,
}

impl Crowd {
    /// Moves all agents on by `delta` seconds, in substeps of at most 1/60 s of which at most 60 are
    /// computed; nothing happens for 0.
    ///
    /// # Errors
    /// When `delta` is not a number, infinite or below zero; none has moved then.
    pub fn step(&mut self, delta: f64, ground: &CrowdGround<'_>) -> Result<CrowdNews, CrowdError> {
        if !delta.is_finite() || delta < 0.0 {
            return Err(CrowdError::BadDelta { delta });
        }
        self.refit(ground);
        if delta == 0.0 || self.is_empty() || ground.region.is_empty() {
            return Ok(CrowdNews::default());
        }
        let delta = delta.min(SUBSTEP_MAX * f64::from(SUBSTEPS_MAX));
        // A step of 1/60 s as floats have it is one substep.
        let count = ((delta / SUBSTEP_MAX - 1e-6).ceil() as u32).clamp(1, SUBSTEPS_MAX);
        let seconds = (delta / f64::from(count)) as f32;
        let mut events: Vec<Event> =
            self.finished.drain(..).map(|(id, guide)| Event::Arrived(id, guide)).collect();
        for _ in 0..count {
            self.substep(seconds.max(1e-6), ground, &mut events);
        }
        self.end_of_step(delta as f32, ground);
        Ok(CrowdNews::new(&events))
    }
}

impl CrowdNews {
    fn new(events: &[Event]) -> Self {
        let mut news = Self::default();
        for event in events {
            match *event {
                Event::Arrived(id, _) => news.arrived.push(id),
                Event::Stuck(id) => news.stuck.push(id),
                Event::Blocked(id) => news.blocked.push(id),
                Event::Hindered(id) => news.hindered.push(id),
                Event::Group(group) => news.groups.push(group),
                Event::EntersLink(id, link) => news.entered_links.push((id, link)),
                Event::LeavesLink(id, link) => news.left_links.push((id, link)),
                Event::HeldUp(_) | Event::Rests(_) => {}
            }
        }
        for list in [&mut news.arrived, &mut news.stuck, &mut news.blocked, &mut news.hindered] {
            // By id: substeps and chunks find them in the order of places. Several substeps may tell of the
            // same one.
            list.sort_unstable();
            list.dedup();
        }
        for list in [&mut news.entered_links, &mut news.left_links] {
            // An agent that takes two short links in a step is in the list for both, in their order.
            list.sort_by_key(|&(id, _)| id);
        }
        news.groups.sort_by_key(|news| (news.group, news.arrived, news.blocked));
        news.groups.dedup_by_key(|news| news.group);
        news
    }
}

/// Agents whose preferred velocities are looked up together.
const BLOCK: usize = 64;

impl Crowd {
    /// Moves all agents on once.
    pub(super) fn substep(&mut self, seconds: f32, ground: &CrowdGround<'_>, events: &mut Vec<Event>) {
        // Neighbours first, then what changes goals and places, then both passes over all agents, then what
        // compares agents with each other: the order in which one substep may see what another has decided.
        self.leave_links(seconds, ground, events);
        let looks = self.needs_neighbours(seconds);
        if looks {
            self.sort(ground);
            self.near_age = 0;
        }
        self.near_age += 1;
        self.substeps = self.substeps.wrapping_add(1);
        self.lead_marches(ground, seconds);
        self.settle_radii.update(&self.areas, ground, &self.routes);
        self.find_detours(ground);
        self.look_at_rooms(ground, events);
        self.give_places(ground, events);
        let begun = events.len();
        self.note_layers();
        let Self {
            settings,
            kinds,
            routes,
            bodies,
            agents,
            bins,
            scratch,
            substeps,
            near,
            most,
            settle_radii,
            detours,
            rooms,
            passages,
            ..
        } = self;
        let Scratch { bodies: moved, contact, avoidance, .. } = scratch;
        let substep = Substep {
            ground,
            routes,
            kinds,
            bins,
            settings,
            settle_radii,
            detours,
            rooms,
            passages,
            longest: most.longest,
            has_cores: most.has_cores,
            has_driven: self.driven > 0,
            avoidance,
            seconds,
            millis: Millis::of_step(seconds),
            number: *substeps,
        };
        // Both passes write into arrays of their own, so none reads what another has written in the same
        // pass.
        moved.resize(bodies.len(), Body::default());
        near.resize(bodies.len(), Neighbours::default());
        substep.steer_all(looks, bodies, moved, near, agents);
        substep.separate_all((moved, contact), near, bodies, agents, events);
        self.note_rests(&events[begun..]);
        self.swap_places(&events[begun..]);
        self.enter_links(ground, events);
        self.watch_orders(ground, events);
    }

    /// Copies the layers of all agents, which are not to be read while agents change.
    fn note_layers(&mut self) {
        let (all, has_layers) = (&mut self.scratch.avoidance, self.most.has_layers);
        all.clear();
        all.extend(self.agents.iter().map(|agent| agent.avoidance).take(if has_layers {
            usize::MAX
        } else {
            0
        }));
    }

    /// Returns `true` if neighbours are to be looked for. They stay the same for a while: those at most a
    /// cell away are looked at all the time, and none comes from farther away within a few substeps.
    fn needs_neighbours(&self, seconds: f32) -> bool {
        // Two that walk towards each other come nearer with twice the speed.
        let drift = self.near_age as f32 * 2.0 * self.most.speed * seconds;
        self.near_age == 0
            || self.near_age >= TUNING.near_substeps
            || drift > TUNING.drift_max
            // The arrays are sorted anew in this substep, and lists hold indices.
            || self.substeps.is_multiple_of(TUNING.look_substeps)
    }

    /// Sorts all by place.
    pub(super) fn sort_into_bins(&mut self, ground: &CrowdGround<'_>) {
        let (w, h) = (ground.region.w as f32, ground.region.h as f32);
        self.bins.sort((w, h), TUNING.bin_side, &self.bodies, &self.agents, self.most);
        self.is_sorted = true;
    }

    /// Sorts all by place, and now and then the arrays, too.
    fn sort(&mut self, ground: &CrowdGround<'_>) {
        self.sort_into_bins(ground);
        if !self.substeps.is_multiple_of(TUNING.look_substeps) {
            return;
        }
        let Scratch { bodies, agents, .. } = &mut self.scratch;
        bodies.clear();
        agents.clear();
        // Neighbours lie close in memory then, for which both passes over them wait less.
        for index in self.bins.indices_mut() {
            bodies.push(self.bodies[*index as usize]);
            agents.push(self.agents[*index as usize]);
            *index = bodies.len() as u32 - 1;
        }
        std::mem::swap(&mut self.bodies, bodies);
        std::mem::swap(&mut self.agents, agents);
        self.index.forget();
    }
}

impl Substep<'_> {
    /// The first pass: each agent decides by what all `bodies` were, and moves into its own slot of `moved`.
    fn steer_all(
        &self,
        looks: bool,
        bodies: &[Body],
        moved: &mut [Body],
        near: &mut [Neighbours],
        agents: &mut [Agent],
    ) {
        let chunk_of = |chunk: usize, moved: &mut [Body], near: &mut [Neighbours], agents: &mut [Agent]| {
            let mut hits = looks.then(Hits::default);
            let mut intents = [Intent::default(); BLOCK];
            let blocks = moved.chunks_mut(BLOCK).zip(near.chunks_mut(BLOCK)).zip(agents.chunks_mut(BLOCK));
            for (block, ((moved, near), agents)) in blocks.enumerate() {
                let start = chunk * CHUNK + block * BLOCK;
                // All looks into the fields of a block before any of its agents moves: the memory is waited
                // for once.
                for ((intent, agent), body) in intents.iter_mut().zip(&mut *agents).zip(&bodies[start..]) {
                    *intent = self.intend(body, agent);
                }
                let each = moved.iter_mut().zip(near).zip(agents).zip(&intents);
                for (n, (((moved, near), agent), intent)) in each.enumerate() {
                    *moved = self.steer(start + n, bodies, agent, intent, near, hits.as_mut());
                }
            }
        };
        let chunks = moved.chunks_mut(CHUNK).zip(near.chunks_mut(CHUNK)).zip(agents.chunks_mut(CHUNK));
        parallel::for_each(chunks.enumerate().collect(), |(n, ((moved, near), agents))| {
            chunk_of(n, moved, near, agents);
        });
    }

    /// The second pass: each of `bodies` is where it `moved`, but out of those that it overlaps, and finds out
    /// what becomes of it.
    fn separate_all(
        &self,
        (moved, contact): (&mut [Body], &mut Contact),
        near: &[Neighbours],
        bodies: &mut [Body],
        agents: &mut [Agent],
        events: &mut Vec<Event>,
    ) {
        self.part(moved, near, agents, contact);
        let moved = &*moved;
        let chunk_of = |chunk: usize, bodies: &mut [Body], agents: &mut [Agent]| {
            let start = chunk * CHUNK;
            let mut events = Vec::new();
            for (n, (body, agent)) in bodies.iter_mut().zip(agents).enumerate() {
                let own = start + n;
                *body = self.conclude((own, body.at, &near[own]), moved, agent, &mut events);
            }
            events
        };
        let chunks = bodies.chunks_mut(CHUNK).zip(agents.chunks_mut(CHUNK));
        let found =
            parallel::map(chunks.enumerate().collect(), |(n, (bodies, agents))| chunk_of(n, bodies, agents));
        // In the order of the chunks, whichever thread was first.
        events.extend(found.into_iter().flatten());
    }
}
