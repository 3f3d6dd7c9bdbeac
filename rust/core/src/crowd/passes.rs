//! A substep: both passes over all agents, on all threads, in chunks whose size does not depend on the number of threads.

use super::agent::Mind;
use super::body::Body;
use super::ground::CrowdGround;
use super::near::{Hits, Near};
use super::progress::Event;
use super::state::{Crowd, Scratch};
use super::steer::Intent;
use super::tick::Tick;
use crate::parallel;

/// Side of the bins that agents are sorted into, in cells. Bench: larger ones hold more agents that are not near.
const BIN_SIDE: f32 = 2.0;
/// Agents that one thread takes at once.
const CHUNK: usize = 512;
/// Agents whose preferred velocities are looked up together.
const BLOCK: usize = 64;
/// The arrays are put into the order of places once in so many ticks; none gets far meanwhile.
const ORDER_TICKS: u32 = 8;
/// Parts of a step for which neighbours are kept.
const NEAR_PARTS: u32 = 3;
/// Neighbours are kept while no two can have come nearer to each other by more than this, in cells.
const DRIFT_MAX: f32 = 0.3;

impl Crowd {
    /// Moves all agents on once.
    pub(super) fn part(&mut self, seconds: f32, ground: &CrowdGround<'_>, events: &mut Vec<Event>) {
        let looks = self.must_look(seconds);
        if looks {
            self.sort(ground);
            self.near_age = 0;
        }
        self.near_age += 1;
        self.ticks = self.ticks.wrapping_add(1);
        self.lead_marches(ground, seconds);
        self.reaches.update(&self.areas, ground, &self.routes);
        self.give_places(ground, events);
        let begun = events.len();
        let Self {
            settings, kinds, routes, bodies, minds, lattice, scratch, ticks, near, most, reaches, ..
        } = self;
        let Scratch { bodies: moved, .. } = scratch;
        let tick = Tick {
            ground,
            routes,
            kinds,
            lattice,
            settings,
            reaches,
            radius_max: most.radius,
            has_driven: self.driven > 0,
            seconds,
            millis: Tick::millis_of(seconds),
            number: *ticks,
        };
        moved.resize(bodies.len(), Body::default());
        near.resize(bodies.len(), Near::default());
        tick.steer_all(looks, bodies, moved, near, minds);
        tick.part_all(moved, near, bodies, minds, events);
        self.swap_places(&events[begun..]);
        self.look_at_orders(ground, events);
    }

    /// Whether neighbours are to be looked for. They stay the same for a while: those at most a cell away are looked
    /// at all the time, and none comes from farther away within a few parts.
    fn must_look(&self, seconds: f32) -> bool {
        let drift = self.near_age as f32 * 2.0 * self.most.speed * seconds;
        self.near_age == 0
            || self.near_age >= NEAR_PARTS
            || drift > DRIFT_MAX
            || self.ticks.is_multiple_of(ORDER_TICKS)
    }

    /// Sorts all by place.
    pub(super) fn lay(&mut self, ground: &CrowdGround<'_>) {
        let (w, h) = (ground.region.w as f32, ground.region.h as f32);
        self.lattice.sort(w, h, BIN_SIDE, &self.bodies);
        self.is_sorted = true;
    }

    /// Sorts all by place, and now and then the arrays, too.
    fn sort(&mut self, ground: &CrowdGround<'_>) {
        self.lay(ground);
        if !self.ticks.is_multiple_of(ORDER_TICKS) {
            return;
        }
        let Scratch { bodies, minds, .. } = &mut self.scratch;
        bodies.clear();
        minds.clear();
        for place in self.lattice.places_mut() {
            bodies.push(self.bodies[*place as usize]);
            minds.push(self.minds[*place as usize]);
            *place = bodies.len() as u32 - 1;
        }
        std::mem::swap(&mut self.bodies, bodies);
        std::mem::swap(&mut self.minds, minds);
        self.members.forget();
    }
}

impl Tick<'_> {
    /// The first pass: each agent decides by what all `bodies` were, and moves into its own slot of `moved`.
    fn steer_all(
        &self,
        looks: bool,
        bodies: &[Body],
        moved: &mut [Body],
        near: &mut [Near],
        minds: &mut [Mind],
    ) {
        let chunk_of = |chunk: usize, moved: &mut [Body], near: &mut [Near], minds: &mut [Mind]| {
            let mut hits = looks.then(Hits::default);
            let mut intents = [Intent::default(); BLOCK];
            let blocks = moved.chunks_mut(BLOCK).zip(near.chunks_mut(BLOCK)).zip(minds.chunks_mut(BLOCK));
            for (block, ((moved, near), minds)) in blocks.enumerate() {
                let start = chunk * CHUNK + block * BLOCK;
                for ((intent, mind), body) in intents.iter_mut().zip(&mut *minds).zip(&bodies[start..]) {
                    *intent = self.intend(body, mind);
                }
                let each = moved.iter_mut().zip(near).zip(minds).zip(&intents);
                for (n, (((moved, near), mind), intent)) in each.enumerate() {
                    *moved = self.steer(start + n, bodies, mind, intent, near, hits.as_mut());
                }
            }
        };
        let chunks = moved.chunks_mut(CHUNK).zip(near.chunks_mut(CHUNK)).zip(minds.chunks_mut(CHUNK));
        parallel::for_each(chunks.enumerate().collect(), &|(n, ((moved, near), minds))| {
            chunk_of(n, moved, near, minds);
        });
    }

    /// The second pass: each of `bodies` is where it `moved`, but out of those that it overlaps.
    fn part_all(
        &self,
        moved: &[Body],
        near: &[Near],
        bodies: &mut [Body],
        minds: &mut [Mind],
        events: &mut Vec<Event>,
    ) {
        let chunk_of = |chunk: usize, bodies: &mut [Body], minds: &mut [Mind]| {
            let start = chunk * CHUNK;
            let mut events = Vec::new();
            for (n, (body, mind)) in bodies.iter_mut().zip(minds).enumerate() {
                *body = self.part(start + n, &near[start + n], moved, mind, &mut events);
            }
            events
        };
        let chunks = bodies.chunks_mut(CHUNK).zip(minds.chunks_mut(CHUNK));
        let found =
            parallel::map(chunks.enumerate().collect(), &|(n, (bodies, minds))| chunk_of(n, bodies, minds));
        events.extend(found.into_iter().flatten());
    }
}
