//! Saving, and a hash of the state.
//!
//! Layout, all numbers little-endian: `PFC4`, settings, kinds, counters, the paths in use, then every agent in the order of
//! the arrays, which is part of the state, and who is near each, while that is in use.

use super::agent::{AgentState, Body, Mind};
use super::near::Near;
use super::routes::Route;
use super::{CROWD_RADIUS_MAX, CROWD_SPEED_MAX, Crowd, CrowdError, CrowdSettings, FAR};
use crate::geometry::Footprint;
use crate::passability::LayerKey;
use crate::terrain::{Capability, IgnoredObstacles};

const MAGIC: &[u8; 4] = b"PFC4";
/// Fewer bytes than an agent takes.
const AGENT_BYTES_MIN: usize = 64;

/// A list of numbers as bytes.
#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn u32(&mut self, value: u32) {
        self.0.extend(value.to_le_bytes());
    }

    fn u16(&mut self, value: u16) {
        self.0.extend(value.to_le_bytes());
    }

    fn f32(&mut self, value: f32) {
        self.u32(value.to_bits());
    }

    fn pair(&mut self, value: [f32; 2]) {
        self.f32(value[0]);
        self.f32(value[1]);
    }
}

/// Reads them back.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], CrowdError> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(bad("they are cut short"))?;
        self.0 = rest;
        Ok(*taken)
    }

    fn u8(&mut self) -> Result<u8, CrowdError> {
        self.take().map(|[value]| value)
    }

    fn u16(&mut self) -> Result<u16, CrowdError> {
        self.take().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, CrowdError> {
        self.take().map(u32::from_le_bytes)
    }

    /// A number that must be finite.
    fn f32(&mut self) -> Result<f32, CrowdError> {
        let value = f32::from_bits(self.u32()?);
        if value.is_finite() { Ok(value) } else { Err(bad("a number is not finite")) }
    }

    /// Two numbers no larger than a place or a speed can be.
    fn pair(&mut self) -> Result<[f32; 2], CrowdError> {
        let pair = [self.f32()?, self.f32()?];
        if pair.iter().all(|v| v.abs() <= FAR) { Ok(pair) } else { Err(bad("a place is too far away")) }
    }

    /// A count of things that take so many bytes at least.
    fn count(&mut self, bytes_min: usize) -> Result<usize, CrowdError> {
        let count = self.u32()? as usize;
        if count.saturating_mul(bytes_min) > self.0.len() {
            return Err(bad("they are cut short"));
        }
        Ok(count)
    }
}

const fn bad(problem: &'static str) -> CrowdError {
    CrowdError::BadBytes { problem }
}

impl Crowd {
    /// The crowd as bytes, for saving. Fields are named by their numbers only.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer(MAGIC.to_vec());
        out.f32(self.settings.stuck_seconds);
        out.0.push(u8::from(self.settings.frees_stuck));
        out.u32(self.kinds.keys().len() as u32);
        for key in self.kinds.keys() {
            out.0.push(key.footprint.w() as u8);
            out.0.push(key.footprint.h() as u8);
            out.u32(key.capability.0);
            for number in key.ignored_obstacles.to_numbers() {
                out.u32(number as u32);
                out.u32((number >> 32) as u32);
            }
        }
        out.u32(self.origin.0 as u32);
        out.u32(self.origin.1 as u32);
        out.u32(self.next_id);
        out.u32(self.ticks);
        out.u32(self.near_age);
        out.u16(self.formations);
        out.0.push(u8::from(self.has_orders));
        out.u32(self.routes.all.len() as u32);
        for route in &self.routes.all {
            out.u32(route.group);
            out.u32(route.users);
            out.u32(route.points.len() as u32);
            route.points.iter().for_each(|&point| out.pair(point));
        }
        out.u32(self.bodies.len() as u32);
        for (body, mind) in self.bodies.iter().zip(&self.minds) {
            write_agent(&mut out, body, mind);
        }
        if self.near_age > 0 {
            for near in &self.near {
                out.0.push(near.places().len() as u8);
                near.places().iter().for_each(|&place| out.u32(place));
            }
        }
        out.0
    }

    /// The crowd that [`Crowd::to_bytes`] saved.
    ///
    /// # Errors
    /// When the bytes are cut short, too many, or not a saved crowd.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CrowdError> {
        let mut reader = Reader(bytes);
        if reader.take::<4>()? != *MAGIC {
            return Err(bad("they do not begin with PFC4"));
        }
        let mut crowd =
            Self::new(CrowdSettings { stuck_seconds: reader.f32()?, frees_stuck: reader.u8()? != 0 });
        for number in 0..reader.count(14)? {
            let (w, h) = (reader.u8()?, reader.u8()?);
            let footprint =
                Footprint::new(w.into(), h.into()).map_err(|_| bad("a footprint is too large"))?;
            let capability = Capability(reader.u32()?);
            let saved = || Ok(u64::from(reader.u32()?) | u64::from(reader.u32()?) << 32);
            let ignored_obstacles =
                IgnoredObstacles::from_numbers(saved)?.ok_or(bad("too many obstacles are ignored"))?;
            let key = LayerKey { footprint, capability, ignored_obstacles };
            if usize::from(crowd.kind(key)) != number {
                return Err(bad("a kind is there twice"));
            }
        }
        crowd.origin = (reader.u32()? as i32, reader.u32()? as i32);
        crowd.next_id = reader.u32()?;
        crowd.ticks = reader.u32()?;
        crowd.near_age = reader.u32()?;
        crowd.formations = reader.u16()? % Mind::FORMATIONS;
        crowd.has_orders = reader.u8()? != 0;
        for _ in 0..reader.count(12)? {
            let (group, users) = (reader.u32()?, reader.u32()?);
            let points = (0..reader.count(8)?).map(|_| reader.pair()).collect::<Result<_, _>>()?;
            crowd.routes.all.push(Route::new(points, group, users));
        }
        let mut users = vec![0; crowd.routes.all.len()];
        // Ids are found in an array, so they may not ask for more than the agents' bytes could.
        let agents = reader.count(AGENT_BYTES_MIN)?;
        let mut ids = Vec::with_capacity(agents);
        for _ in 0..agents {
            let (body, mind) = read_agent(&mut reader)?;
            if usize::from(mind.kind) >= crowd.kinds.keys().len() || mind.id >= crowd.next_id {
                return Err(bad("an agent's kind or id is not one"));
            }
            if crowd.routes.get(mind.guide).is_some() {
                users[(mind.guide & !super::agent::PATH_GUIDE) as usize] += 1;
            }
            crowd.areas.join(mind.guide, body.radius);
            ids.push(mind.id);
            crowd.bodies.push(body);
            crowd.minds.push(mind);
        }
        if crowd.near_age > 0 {
            for _ in 0..agents {
                crowd.near.push(read_near(&mut reader, agents as u32)?);
            }
        }
        crowd.measure();
        ids.sort_unstable();
        if ids.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(bad("an id is there twice"));
        }
        if crowd.routes.all.iter().zip(&users).any(|(route, &users)| route.users != users) {
            return Err(bad("a path has other followers than it says"));
        }
        if crowd.next_id as usize > (1 << 24) + bytes.len() {
            return Err(bad("there are too many ids"));
        }
        if reader.0.is_empty() { Ok(crowd) } else { Err(bad("there are more than the crowd needs")) }
    }

    /// A number that depends on everything that later steps depend on, the same on every machine and for any number of
    /// threads.
    pub fn state_hash(&self) -> u64 {
        // FNV-1a, a word at a time.
        self.to_bytes().chunks(8).fold(0xcbf2_9ce4_8422_2325, |hash, chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            let mixed = (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x0000_0100_0000_01b3);
            mixed ^ mixed >> 29
        })
    }
}

fn write_agent(out: &mut Writer, body: &Body, mind: &Mind) {
    out.u32(mind.id);
    out.u16(mind.kind);
    out.0.push(mind.state as u8);
    out.0.push(mind.flags);
    out.f32(mind.speed);
    out.u32(mind.guide);
    out.u32(mind.cursor);
    out.pair(mind.home);
    // Infinite where it was not looked at yet.
    for left in [mind.mark, mind.best] {
        out.f32(if left.is_finite() { left } else { f32::MAX });
    }
    for time in [
        mind.window,
        mind.slow,
        mind.stalled,
        mind.held,
        mind.shuffled,
        mind.beside,
        mind.gives_way,
        mind.lent,
        mind.slips,
        mind.formation,
    ] {
        out.u16(time);
    }
    out.u32(mind.yield_guide);
    out.pair(body.at);
    out.pair(body.velocity);
    out.pair(body.want);
    out.f32(body.radius);
    out.u32(body.rank);
    out.u32(body.guide);
    out.u32(body.group);
    out.u32(body.flags);
}

fn read_near(reader: &mut Reader<'_>, agents: u32) -> Result<Near, CrowdError> {
    let places = (0..reader.u8()?).map(|_| reader.u32()).collect::<Result<Vec<_>, _>>()?;
    let near = Near::at_places(&places).filter(|near| near.places().iter().all(|&place| place < agents));
    near.ok_or(bad("a neighbour is nobody"))
}

fn read_agent(reader: &mut Reader<'_>) -> Result<(Body, Mind), CrowdError> {
    let id = reader.u32()?;
    let kind = reader.u16()?;
    let state = AgentState::from_number(reader.u8()?).ok_or(bad("an agent's state is not one"))?;
    let flags = reader.u8()?;
    let speed = reader.f32()?;
    let (guide, cursor, home) = (reader.u32()?, reader.u32()?, reader.pair()?);
    let [mark, best] =
        [reader.f32()?, reader.f32()?].map(|left| if left < f32::MAX { left } else { f32::INFINITY });
    let mut times = [0; 10];
    for time in &mut times {
        *time = reader.u16()?;
    }
    let [window, slow, stalled, held, shuffled, beside, gives_way, lent, slips, formation] = times;
    let mind = Mind {
        id,
        kind,
        state,
        flags,
        speed,
        guide,
        cursor,
        home,
        mark,
        best,
        window,
        slow,
        stalled,
        held,
        shuffled,
        beside,
        gives_way,
        lent,
        slips,
        formation,
        yield_guide: reader.u32()?,
    };
    let body = Body {
        at: reader.pair()?,
        velocity: reader.pair()?,
        want: reader.pair()?,
        radius: reader.f32()?,
        rank: reader.u32()?,
        guide: reader.u32()?,
        group: reader.u32()?,
        flags: reader.u32()?,
    };
    if speed <= 0.0 || speed > CROWD_SPEED_MAX || body.radius <= 0.0 || body.radius > CROWD_RADIUS_MAX {
        return Err(bad("a speed or a radius is out of range"));
    }
    Ok((body, mind))
}
