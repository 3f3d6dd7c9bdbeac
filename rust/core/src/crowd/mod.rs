//! Thousands of agents that walk by fields or by paths of their own, as arrays.
//!
//! A step of at most 1/60 s has two passes. In the first, each agent looks up where it wants to go, steers clear of its nearest
//! neighbours (`solver`), gives way where two cannot pass (`right_of_way`), makes way where it rests (`aside`), and moves without ever leaving the
//! stands of its footprint (`sweep`). In the second, discs that still overlap are moved apart, weighted by size, and each
//! agent takes stock: whether it has arrived, stands in a queue or is stuck (`part`).
//!
//! Bodies that are moved from outside take part in the same step (`driven`). `orders` has what agents are told, `groups` finds when
//! a whole group has arrived.
//!
//! Agents are sorted into bins (`lattice`) to find out who is near whom (`near`), which is kept for a few parts; now and
//! then the arrays are put into that order, so that neighbours lie side by side in memory. In both passes (`passes`) an agent
//! reads what others were before and writes only its own slot, and the arithmetic is + − × ÷ √ only: the result is the same
//! on every machine and for any number of threads. The order of the arrays is part of the state.

mod agent;
mod aside;
mod behaviour;
mod bytes;
mod driven;
mod error;
mod ground;
mod groups;
mod kinds;
mod lattice;
mod members;
mod near;
mod orders;
mod part;
mod passes;
mod places;
mod queries;
mod reach;
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
pub use orders::CROWD_THROW_SECONDS_MAX;
pub use settings::CrowdSettings;

use crate::bitgrid::BitGrid;
use crate::connectivity::{AnyPlacement, FarRect, nearest_placements};
use agent::{Body, Mind};
use kinds::Kinds;
use lattice::Lattice;
use members::Members;
use near::Near;
use part::Event;
use passes::Scratch;
use reach::{Areas, Reaches};
use routes::Routes;
use sweep::{Frame, fits};

/// Longest part of a step, in seconds.
const PART_MAX: f64 = 1.0 / 60.0;
/// A step computes at most so many parts; what is left of its time is lost.
pub const CROWD_PARTS_MAX: u32 = 60;
/// The largest radius of an agent, in cells.
pub const CROWD_RADIUS_MAX: f32 = 64.0;
/// The highest speed of an agent, in cells a second.
pub const CROWD_SPEED_MAX: f32 = 10_000.0;
/// Places are nearer to the region's corner than this; it is far beyond the largest map.
const FAR: f32 = 1e6;

/// Agents that walk by fields and paths, and avoid each other.
///
/// ```
/// use pathforge_core::crowd::{AgentSpec, AgentState, Crowd, CrowdField, CrowdGround, CrowdSettings};
/// use pathforge_core::field::{FieldBuilder, FlowField};
/// use pathforge_core::geometry::{Cell, CellRect};
/// use pathforge_core::world::{Profile, World};
///
/// let mut world = World::new(CellRect::new(0, 0, 20, 5))?;
/// let source = world.field_source(&Profile::default());
/// let mut field = FlowField::default();
/// FieldBuilder::default().build(source.ground(), &[Cell::new(15, 2)], None, &mut field);
/// let (layers, fields) = ([source.placements()], [Some(CrowdField { field: &field, group: 0 })]);
/// let ground = CrowdGround { region: source.region(), revision: 0, layers: &layers, fields: &fields };
///
/// let mut crowd = Crowd::new(CrowdSettings::default());
/// let kind = crowd.kind(Profile::default().layer_key());
/// let agent = AgentSpec { x: 2.5, y: 2.5, kind, speed: 4.0, radius: 0.4 };
/// let id = crowd.add(&ground, &[agent])[0].expect("it fits there");
/// crowd.assign_field(&[id], 0);
/// for _ in 0..300 {
///     crowd.step(1.0 / 60.0, &ground)?;
/// }
/// assert_eq!(crowd.view(id).map(|agent| agent.state), Some(AgentState::Arrived));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// The number of the last formation, and whether one was ordered since the last step.
    formations: u16,
    has_orders: bool,
    /// Orders for which no group arrival was told yet.
    orders: Vec<groups::Order>,
    bodies: Vec<Body>,
    minds: Vec<Mind>,
    /// How many of them are driven.
    driven: u32,
    /// How long the last step was, in seconds.
    last_step: f32,
    members: Members,
    lattice: Lattice,
    /// Whether the lattice has the agents where they were some parts ago.
    is_sorted: bool,
    /// Who is near each agent, found so many parts ago; 0 when it was not looked for.
    near: Vec<Near>,
    near_age: u32,
    most: Most,
    areas: Areas,
    reaches: Reaches,
    scratch: Scratch,
}

/// The largest that there are among the agents.
#[derive(Clone, Copy, Debug, Default)]
struct Most {
    radius: f32,
    speed: f32,
}

/// What a step brought.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CrowdNews {
    /// Agents that have arrived, by id; each once for each goal that it is given.
    pub arrived: Vec<u32>,
    /// Agents that are stuck, by id; each once until it comes nearer to its goal again.
    pub stuck: Vec<u32>,
    /// Groups of which all have arrived that can; each once for each order.
    pub groups: Vec<u32>,
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

    /// Moves everybody on by `delta` seconds, in parts of at most 1/60 s of which at most [`CROWD_PARTS_MAX`] are computed;
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
        // A step of 1/60 s as floats have it is one part.
        let parts = ((delta / PART_MAX - 1e-6).ceil() as u32).clamp(1, CROWD_PARTS_MAX);
        let seconds = (delta / f64::from(parts)) as f32;
        let mut events = Vec::new();
        for _ in 0..parts {
            self.part(seconds.max(1e-6), ground, &mut events);
        }
        self.end_of_step(delta as f32, ground);
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
            self.disturb();
            for (body, mind) in self.bodies.iter_mut().zip(&mut self.minds) {
                mind.told = [mind.told[0] + by[0], mind.told[1] + by[1]];
                body.at = [body.at[0] + by[0], body.at[1] + by[1]].map(|v| v.clamp(-FAR, FAR));
                mind.home = [mind.home[0] + by[0], mind.home[1] + by[1]];
            }
            self.routes.shift(by);
        }
        if self.revision == Some(ground.revision) || ground.region.is_empty() {
            return;
        }
        self.revision = Some(ground.revision);
        let mut is_disturbed = false;
        for (body, mind) in self.bodies.iter_mut().zip(&mut self.minds) {
            let frame = Frame::new(self.kinds.footprint(mind.kind), body.radius);
            let layer = ground.layer(mind.kind);
            if mind.has(Mind::DRIVEN) || fits(layer, &frame, body.at[0], body.at[1]) {
                continue;
            }
            let place = [body.at[0] - frame.half[0] + 0.5, body.at[1] - frame.half[1] + 0.5];
            if let Some((x, y)) = nearest_stand(layer, place[0].floor() as i64, place[1].floor() as i64) {
                body.at = [x as f32 + frame.half[0], y as f32 + frame.half[1]];
                is_disturbed = true;
            } else {
                // Nowhere to stand: it stays within the map until there is. One that stays where it is disturbs nobody, as a
                // crowd that was loaded looks at this anew and must not differ.
                let (w, h) = (ground.region.w as f32, ground.region.h as f32);
                let within = [body.at[0].max(0.0).min(w), body.at[1].max(0.0).min(h)];
                is_disturbed |= within.map(f32::to_bits) != body.at.map(f32::to_bits);
                body.at = within;
            }
        }
        if is_disturbed {
            self.disturb();
        }
    }

    /// Somebody came, went, or is somewhere else than it walked to.
    const fn disturb(&mut self) {
        self.is_sorted = false;
        self.near_age = 0;
    }

    /// Looks for the largest radius and the highest speed.
    fn measure(&mut self) {
        let radius = self.bodies.iter().fold(0.0_f32, |max, body| max.max(body.radius));
        let speed = self.minds.iter().fold(0.0_f32, |max, mind| max.max(mind.speed));
        self.most = Most { radius, speed };
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let agent = size_of::<Body>() + size_of::<Mind>();
        (self.bodies.capacity() + self.scratch.bodies.capacity()) * agent
            + self.near.capacity() * size_of::<Near>()
            + self.lattice.memory()
            + self.members.memory()
    }
}

/// The stand nearest to an anchor, the first in reading order of several.
fn nearest_stand(layer: &BitGrid, x: i64, y: i64) -> Option<(u32, u32)> {
    let target = FarRect { x0: x, y0: y, x1: x, y1: y };
    let (_, stands) = nearest_placements(layer, target, u128::MAX, &AnyPlacement)?;
    stands.first().map(|&stand| layer.layout().xy(stand))
}

impl CrowdNews {
    fn new(events: &[Event]) -> Self {
        let mut news = Self::default();
        for event in events {
            match *event {
                Event::Arrived(id, _) => news.arrived.push(id),
                Event::Stuck(id) => news.stuck.push(id),
                Event::Group(group) => news.groups.push(group),
                Event::HeldUp(_) => {}
            }
        }
        for list in [&mut news.arrived, &mut news.stuck, &mut news.groups] {
            list.sort_unstable();
            list.dedup();
        }
        news
    }
}
