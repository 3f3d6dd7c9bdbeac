//! Thousands of agents that walk by fields or by paths of their own, as arrays.
//!
//! A step of at most 1/30 s has two passes. In the first, each agent looks up where it wants to go, steers clear of its nearest
//! neighbours ([`solver`]), gives way where two cannot pass ([`right_of_way`]), and moves without ever leaving the
//! stands of its footprint ([`sweep`]). In the second, discs that still overlap are moved apart, weighted by size, and each
//! agent takes stock: whether it has arrived, stands in a queue or is stuck ([`part`]).
//!
//! Before each step the arrays are sorted by place ([`lattice`]), so neighbours lie side by side in memory. In both passes
//! an agent reads what others were before and writes only its own slot, and the arithmetic is + − × ÷ √ only: the result is
//! the same on every machine and for any number of threads. The order of the arrays is part of the state.

mod agent;
mod bytes;
mod error;
mod ground;
mod kinds;
mod lattice;
mod members;
mod part;
mod queries;
mod right_of_way;
mod routes;
mod settings;
mod solver;
mod steer;
mod sweep;
mod wish;

pub use agent::{AgentSpec, AgentState, AgentView};
pub use error::CrowdError;
pub use ground::{CrowdField, CrowdGround};
pub use settings::CrowdSettings;

use rayon::prelude::*;

use crate::bitgrid::BitGrid;
use crate::connectivity::{AnyStand, FarRect, nearest_stands};
use agent::{Body, Mind};
use kinds::Kinds;
use lattice::Lattice;
use members::Members;
use part::Event;
use routes::Routes;
use steer::{Near, Tick};
use sweep::{Frame, fits};

/// Longest part of a step, in seconds.
const PART_MAX: f64 = 1.0 / 30.0;
/// A step computes at most so many parts; what is left of its time is lost.
pub const CROWD_PARTS_MAX: u32 = 30;
/// The largest radius of an agent, in cells.
pub const CROWD_RADIUS_MAX: f32 = 64.0;
/// The highest speed of an agent, in cells a second.
pub const CROWD_SPEED_MAX: f32 = 10_000.0;
/// Places are nearer to the region's corner than this; it is far beyond the largest map.
const FAR: f32 = 1e6;
/// Side of the bins that agents are sorted into, in cells. Bench: larger ones hold more who are not near.
const BIN_SIDE: f32 = 2.0;
/// Agents that one thread takes at once.
const CHUNK: usize = 512;

/// Agents that walk by fields and paths, and avoid each other.
#[derive(Clone, Debug, Default)]
pub struct Crowd {
    settings: CrowdSettings,
    kinds: Kinds,
    routes: Routes,
    /// The region's corner, from which positions count, and the revision of the layers that all bodies fit.
    origin: (i32, i32),
    revision: Option<u64>,
    next_id: u32,
    ticks: u32,
    bodies: Vec<Body>,
    minds: Vec<Mind>,
    members: Members,
    lattice: Lattice,
    /// Whether the lattice has the agents where they were when the last part began.
    is_sorted: bool,
    scratch: Scratch,
}

/// Memory of a step.
#[derive(Clone, Debug, Default)]
struct Scratch {
    order: Vec<u32>,
    bodies: Vec<Body>,
    minds: Vec<Mind>,
    near: Vec<Near>,
}

/// What a step brought.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CrowdNews {
    /// Agents that have arrived, by id; each once for each goal that it is given.
    pub arrived: Vec<u32>,
    /// Agents that are stuck, by id; each once until it comes nearer to its goal again.
    pub stuck: Vec<u32>,
}

impl Crowd {
    /// An empty crowd.
    pub fn new(settings: CrowdSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// How it behaves.
    pub const fn settings(&self) -> &CrowdSettings {
        &self.settings
    }

    /// How it behaves, to be changed.
    pub const fn settings_mut(&mut self) -> &mut CrowdSettings {
        &mut self.settings
    }

    /// Number of agents.
    pub const fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether there are no agents.
    pub const fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Moves everybody on by `delta` seconds, in parts of at most 1/30 s of which at most [`CROWD_PARTS_MAX`] are computed;
    /// nothing happens for 0.
    ///
    /// # Errors
    /// When `delta` is not a number, infinite or below zero; nobody has moved then.
    pub fn step(&mut self, delta: f64, ground: &CrowdGround<'_>) -> Result<CrowdNews, CrowdError> {
        if !delta.is_finite() || delta < 0.0 {
            return Err(CrowdError::BadDelta { delta });
        }
        self.follow(ground);
        if delta == 0.0 || self.is_empty() || ground.region.is_empty() {
            return Ok(CrowdNews::default());
        }
        let delta = delta.min(PART_MAX * f64::from(CROWD_PARTS_MAX));
        // A step of 1/30 s as floats have it is one part.
        let parts = ((delta / PART_MAX - 1e-6).ceil() as u32).clamp(1, CROWD_PARTS_MAX);
        let seconds = (delta / f64::from(parts)) as f32;
        let mut events = Vec::new();
        for _ in 0..parts {
            self.part(seconds.max(1e-6), ground, &mut events);
        }
        Ok(CrowdNews::new(&events))
    }

    /// Takes over the ground's region, and puts bodies that do not fit where they are onto the nearest stand of theirs.
    fn follow(&mut self, ground: &CrowdGround<'_>) {
        debug_assert!(ground.layers.len() >= self.kinds.keys().len());
        let corner = (ground.region.x, ground.region.y);
        if corner != self.origin {
            let by = [
                (i64::from(self.origin.0) - i64::from(corner.0)) as f32,
                (i64::from(self.origin.1) - i64::from(corner.1)) as f32,
            ];
            self.origin = corner;
            self.revision = None;
            self.is_sorted = false;
            for (body, mind) in self.bodies.iter_mut().zip(&mut self.minds) {
                body.at = [body.at[0] + by[0], body.at[1] + by[1]].map(|v| v.clamp(-FAR, FAR));
                mind.home = [mind.home[0] + by[0], mind.home[1] + by[1]];
            }
            self.routes.shift(by);
        }
        if self.revision == Some(ground.revision) || ground.region.is_empty() {
            return;
        }
        self.revision = Some(ground.revision);
        for (body, mind) in self.bodies.iter_mut().zip(&mut self.minds) {
            let frame = Frame::new(self.kinds.footprint(mind.kind), body.radius);
            let layer = ground.layer(mind.kind);
            if fits(layer, &frame, body.at[0], body.at[1]) {
                continue;
            }
            let place = [body.at[0] - frame.half[0] + 0.5, body.at[1] - frame.half[1] + 0.5];
            self.is_sorted = false;
            if let Some((x, y)) = nearest_stand(layer, place[0].floor() as i64, place[1].floor() as i64) {
                body.at = [x as f32 + frame.half[0], y as f32 + frame.half[1]];
            } else {
                // Nowhere to stand: it stays within the map until there is.
                let (w, h) = (ground.region.w as f32, ground.region.h as f32);
                body.at = [body.at[0].max(0.0).min(w), body.at[1].max(0.0).min(h)];
            }
        }
    }

    fn part(&mut self, seconds: f32, ground: &CrowdGround<'_>, events: &mut Vec<Event>) {
        let radius_max = self.bodies.iter().fold(0.0_f32, |max, body| max.max(body.radius));
        self.sort(ground);
        self.ticks = self.ticks.wrapping_add(1);
        let Self { settings, kinds, routes, bodies, minds, lattice, scratch, ticks, .. } = self;
        let Scratch { bodies: moved, near, .. } = scratch;
        let tick = Tick {
            ground,
            routes,
            kinds,
            lattice,
            settings,
            radius_max,
            seconds,
            millis: ((seconds * 1000.0 + 0.5) as u16).max(1),
            number: *ticks,
        };
        near.resize(bodies.len(), Near::default());
        let before: &[Body] = bodies;
        let first = |chunk: usize, moved: &mut [Body], near: &mut [Near], minds: &mut [Mind]| {
            let start = chunk * CHUNK;
            for (n, ((moved, near), mind)) in moved.iter_mut().zip(near).zip(minds).enumerate() {
                (*moved, *near) = tick.steer(start + n, before, mind);
            }
        };
        if bodies.len() <= CHUNK {
            first(0, moved, near, minds);
        } else {
            let chunks = moved.par_chunks_mut(CHUNK).zip(near.par_chunks_mut(CHUNK));
            chunks.zip(minds.par_chunks_mut(CHUNK)).enumerate().for_each(|(n, ((moved, near), minds))| {
                first(n, moved, near, minds);
            });
        }
        let second = |chunk: usize, bodies: &mut [Body], minds: &mut [Mind]| {
            let start = chunk * CHUNK;
            let mut events = Vec::new();
            for (n, (body, mind)) in bodies.iter_mut().zip(minds).enumerate() {
                *body = tick.part(start + n, &near[start + n], moved, mind, &mut events);
            }
            events
        };
        if bodies.len() <= CHUNK {
            events.extend(second(0, bodies, minds));
        } else {
            let chunks = bodies.par_chunks_mut(CHUNK).zip(minds.par_chunks_mut(CHUNK));
            let found: Vec<Vec<Event>> =
                chunks.enumerate().map(|(n, (bodies, minds))| second(n, bodies, minds)).collect();
            events.extend(found.into_iter().flatten());
        }
    }

    /// Sorts all arrays by place.
    fn sort(&mut self, ground: &CrowdGround<'_>) {
        let (w, h) = (ground.region.w as f32, ground.region.h as f32);
        let Scratch { order, bodies, minds, .. } = &mut self.scratch;
        self.lattice.sort(w, h, BIN_SIDE, &self.bodies, order);
        gather(order, &self.bodies, bodies);
        gather(order, &self.minds, minds);
        std::mem::swap(&mut self.bodies, bodies);
        std::mem::swap(&mut self.minds, minds);
        self.is_sorted = true;
        self.members.forget();
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let agent = size_of::<Body>() + size_of::<Mind>();
        (self.bodies.capacity() + self.scratch.bodies.capacity()) * agent
            + self.scratch.near.capacity() * size_of::<Near>()
            + self.scratch.order.capacity() * 4
            + self.lattice.memory()
            + self.members.memory()
    }
}

/// The stand nearest to an anchor, the first in reading order of several.
fn nearest_stand(layer: &BitGrid, x: i64, y: i64) -> Option<(u32, u32)> {
    let target = FarRect { x0: x, y0: y, x1: x, y1: y };
    let (_, stands) = nearest_stands(layer, target, u128::MAX, &AnyStand)?;
    stands.first().map(|&stand| layer.shape().xy(stand))
}

/// `to[n]` becomes `from[order[n]]`.
fn gather<T: Copy + Send + Sync>(order: &[u32], from: &[T], to: &mut Vec<T>) {
    if from.len() <= CHUNK * 4 || to.len() != from.len() {
        to.clear();
        to.extend(order.iter().map(|&place| from[place as usize]));
    } else {
        to.par_chunks_mut(CHUNK * 4).zip(order.par_chunks(CHUNK * 4)).for_each(|(to, order)| {
            for (to, &place) in to.iter_mut().zip(order) {
                *to = from[place as usize];
            }
        });
    }
}

impl CrowdNews {
    fn new(events: &[Event]) -> Self {
        let mut news = Self::default();
        for event in events {
            match *event {
                Event::Arrived(id) => news.arrived.push(id),
                Event::Stuck(id) => news.stuck.push(id),
            }
        }
        for list in [&mut news.arrived, &mut news.stuck] {
            list.sort_unstable();
            list.dedup();
        }
        news
    }
}
