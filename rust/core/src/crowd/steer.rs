//! The first pass of a step: each agent looks at what its neighbours did last, decides, and moves.

use super::CrowdSettings;
use super::agent::{AgentState, Body, Mind};
use super::ground::CrowdGround;
use super::kinds::Kinds;
use super::lattice::Lattice;
use super::right_of_way::{Meeting, yield_to};
use super::routes::Routes;
use super::solver::{HalfPlane, NEIGHBOURS_MAX, Seen, V, avoid, dot, minus, solve};
use super::sweep::{Frame, sweep};
use super::wish::{Wish, wish};

/// Neighbours whose discs are farther away than this, in cells, are not looked at.
const LOOK: f32 = 1.0;
/// Neighbours that an agent steers clear of; bigger ones have more around them.
const NEIGHBOURS: usize = 6;
/// From this radius on, an agent is big, in cells.
const BIG: f32 = 0.75;
/// Seconds ahead in which nobody shall be touched.
const HORIZON: f32 = 1.0;
/// How far an agent that meets others leans to its right, so that lanes form: the tangent.
const LEANING: f32 = 0.35;
/// An agent that was pushed so far from where it rests comes back, in cells.
const PUSHED: f32 = 0.3;
/// Slower than this part of what it wants, an agent is held up.
const HELD_UP: f32 = 0.25;

/// Everything that is the same for all agents of a step.
pub(super) struct Tick<'a> {
    pub ground: &'a CrowdGround<'a>,
    pub routes: &'a Routes,
    pub kinds: &'a Kinds,
    pub lattice: &'a Lattice,
    pub settings: &'a CrowdSettings,
    /// The largest radius.
    pub radius_max: f32,
    pub seconds: f32,
    pub millis: u16,
    pub number: u32,
}

/// The nearest neighbours of an agent, the nearest first.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Near {
    pub count: u32,
    pub places: [u32; NEIGHBOURS_MAX],
}

impl Near {
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.places[..(self.count as usize).min(NEIGHBOURS_MAX)].iter().map(|&place| place as usize)
    }
}

impl Tick<'_> {
    pub fn frame(&self, mind: &Mind, radius: f32) -> Frame {
        Frame::new(self.kinds.footprint(mind.kind), radius)
    }

    /// The neighbours of agent `own`, of those whose discs are at most `look` away.
    fn near(&self, own: usize, bodies: &[Body], look: f32) -> Near {
        let body = &bodies[own];
        let reach = body.radius + look;
        let most = if body.radius < BIG { NEIGHBOURS } else { NEIGHBOURS_MAX };
        let mut keys = [f32::INFINITY; NEIGHBOURS_MAX + 1];
        let mut places = [0; NEIGHBOURS_MAX + 1];
        let mut count = 0;
        for range in self.lattice.around(body.at, reach + self.radius_max) {
            let start = range.start;
            for (n, other) in bodies[range].iter().enumerate() {
                let (dx, dy) = (other.at[0] - body.at[0], other.at[1] - body.at[1]);
                let distance2 = dx * dx + dy * dy;
                let limit = reach + other.radius;
                if distance2 >= limit * limit || start + n == own {
                    continue;
                }
                let touch = body.radius + other.radius;
                let key = distance2 - touch * touch;
                if key >= keys[most - 1] {
                    continue;
                }
                let mut place = count.min(most - 1);
                while place > 0 && keys[place - 1] > key {
                    keys[place] = keys[place - 1];
                    places[place] = places[place - 1];
                    place -= 1;
                }
                keys[place] = key;
                places[place] = (start + n) as u32;
                count = (count + 1).min(most);
            }
        }
        let mut near = Near { count: count as u32, places: [0; NEIGHBOURS_MAX] };
        near.places.copy_from_slice(&places[..NEIGHBOURS_MAX]);
        near
    }

    /// Decides for agent `own` and moves it.
    pub fn steer(&self, own: usize, bodies: &[Body], mind: &mut Mind) -> (Body, Near) {
        let mut body = bodies[own];
        let frame = self.frame(mind, body.radius);
        if mind.state == AgentState::Arrived && is_away(mind, body.at) {
            mind.state = AgentState::Moving;
            mind.set(Mind::HOMING, true);
        }
        if mind.state.rests() {
            return (self.at_rest(body, mind), self.near(own, bodies, 0.0));
        }
        let near = self.near(own, bodies, LOOK);
        let wished = wish(self.ground, self.routes, &frame, mind, body.at, self.number);
        let Wish::Go(own_way, speed) = wished else {
            match wished {
                Wish::Arrived => mind.settle(body.at),
                Wish::Lost => mind.stalled = u16::MAX,
                Wish::Waits | Wish::Go(..) => {}
            }
            return (self.at_rest(body, mind), near);
        };
        body.group = self.ground.group(mind.guide, self.routes);
        let slips = mind.slips > 0;
        body.flags = if slips { Body::SLIPS } else { 0 };
        let mut meeting = Meeting::default();
        let mut planes = [HalfPlane::default(); NEIGHBOURS_MAX];
        let mut count = 0;
        if !slips {
            for place in near.iter() {
                let other = &bodies[place];
                if other.slips() {
                    continue;
                }
                let offset = minus(other.at, body.at);
                meeting.look_at(&body, own_way, other, offset);
                let seen = Seen {
                    offset,
                    relative: minus(body.velocity, other.velocity),
                    reach: body.radius + other.radius,
                    share: if other.rests() { 1.0 } else { 0.5 },
                };
                planes[count] = avoid(body.velocity, &seen, HORIZON, self.seconds);
                count += 1;
            }
        }
        yield_to(self, mind, &mut body, &meeting);
        let way = self.way(mind, &frame, &body, own_way);
        let way = if meeting.is_met && mind.gives_way == 0 { lean(way) } else { way };
        let speed = if mind.gives_way > 0 { mind.speed } else { speed };
        let velocity = solve(&planes[..count], mind.speed, [way[0] * speed, way[1] * speed]);
        let by = [velocity[0] * self.seconds, velocity[1] * self.seconds];
        let to = sweep(self.ground.layer(mind.kind), &frame, body.at, by);
        let moved = minus(to, body.at);
        body.at = to;
        body.velocity = [moved[0] / self.seconds, moved[1] / self.seconds];
        body.want = way;
        if dot(body.velocity, way) < HELD_UP * speed {
            mind.slow = mind.slow.saturating_add(self.millis);
        } else {
            mind.slow = mind.slow.saturating_sub(self.millis.saturating_mul(2));
        }
        mind.set(Mind::QUEUED, mind.has(Mind::QUEUED) || meeting.queues);
        (body, near)
    }

    fn at_rest(&self, body: Body, mind: &Mind) -> Body {
        Body {
            velocity: [0.0; 2],
            want: [0.0; 2],
            rank: mind.id,
            guide: mind.guide,
            group: self.ground.group(mind.guide, self.routes),
            flags: Body::RESTS,
            ..body
        }
    }

    /// Where to go: its own way, or that of the one that it gives way to.
    fn way(&self, mind: &Mind, frame: &Frame, body: &Body, own_way: V) -> V {
        if mind.gives_way == 0 {
            return own_way;
        }
        if let Some(field) = self.ground.field(mind.yield_guide) {
            let place = minus(body.at, frame.half);
            let (x, y) = field.field.sample(place[0], place[1]);
            if x != 0.0 || y != 0.0 {
                return [x, y];
            }
        }
        [-own_way[0], -own_way[1]]
    }
}

impl Mind {
    /// Rests from now on, at `at` or in its slot.
    pub fn settle(&mut self, at: V) {
        self.state = AgentState::Arrived;
        if !self.has(Mind::HAS_SLOT) {
            self.home = at;
        }
        (self.slow, self.stalled, self.beside, self.window) = (0, 0, 0, 0);
        (self.gives_way, self.lent, self.slips) = (0, 0, 0);
        self.set(Mind::HOMING | Mind::REPORTED | Mind::QUEUED, false);
        self.mark = f32::INFINITY;
    }
}

fn is_away(mind: &Mind, at: V) -> bool {
    let way = minus(at, mind.home);
    dot(way, way) > PUSHED * PUSHED
}

/// A little to the right, where y grows downwards.
#[inline]
fn lean(way: V) -> V {
    let leaning = [way[0] - way[1] * LEANING, way[1] + way[0] * LEANING];
    let length = dot(leaning, leaning).sqrt().max(1e-6);
    [leaning[0] / length, leaning[1] / length]
}
