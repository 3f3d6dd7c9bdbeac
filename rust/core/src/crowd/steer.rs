//! Steering, the first pass of a substep: each agent reads what its neighbours did last, decides, and moves.
//!
//! An agent that is driven from outside, thrown or paused does not decide; the others do what their behaviour says.

use std::f32::consts::FRAC_1_SQRT_2;

use super::agent::{HELD_TIME, Mind};
use super::around::Around;
use super::aside::{self, presser};
use super::behaviour::{Behaviour, Cause};
use super::body::Body;
use super::near::{Hits, Near};
use super::right_of_way::{Meeting, yield_to};
use super::solver::{along_wall, solve};
use super::sweep::{Frame, STRIDE_MAX, sweep};
use super::tick::Tick;
use super::vector::{V, dot, minus};
use super::wish::{Wish, wish};

/// Neighbours whose discs are farther away than this, in cells, are not looked at.
const LOOK: f32 = 1.0;
/// How far an agent that meets others leans to its right, so that lanes form: the tangent.
const LEANING: f32 = 0.35;
/// An agent that was pushed so far from where it rests comes back, in cells.
const PUSHED: f32 = 0.3;
/// Slower than this part of what it wants, an agent is held up.
const HELD_UP: f32 = 0.25;

/// Held up so long beside one that has arrived, an agent goes round it.
const ROUND_AFTER: u16 = 500;
/// Held up so long on the way to its place, an agent wants through.
const PLACE_PATIENCE: u16 = 1000;
/// And then wants through.
const PRESS_AFTER: u16 = 2500;

/// Held up so long, an agent pushes through others at rest, in milliseconds.
const SHOULDERS_AFTER: u16 = 1000;
/// So fast, in parts of its speed.
const SHOULDERS_SPEED: f32 = 0.25;

/// A driven body that is faster than this moves, in cells a second.
const MOVES: f32 = 0.2;

/// Ranks of those that rest, for each cell that they are from their goal.
const REST_RANKS: f32 = 64.0;
/// There is room where most of a step of this length, in cells, can be made.
const PROBE: f32 = 0.4;
/// Straight on, by 45° to both sides, by 90°.
const TURNS: [[f32; 2]; 5] =
    [[1.0, 0.0], [FRAC_1_SQRT_2, FRAC_1_SQRT_2], [FRAC_1_SQRT_2, -FRAC_1_SQRT_2], [0.0, 1.0], [0.0, -1.0]];

/// What an agent wants in this step, looked up before any agent moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Intent {
    wish: Wish,
    group: u32,
}

impl Default for Intent {
    fn default() -> Self {
        Self { wish: Wish::Rests, group: 0 }
    }
}

/// A wall that takes less than this part of a body's speed is brushed.
const WALLED: f32 = 0.05;

/// The velocity that an agent prefers, and how it presses on those that rest before it.
struct Preferred {
    way: V,
    speed: f32,
    /// Bits of [`Body::PRESSES`] and [`Body::PRESSES_ALL`].
    pressure: u32,
}

impl Tick<'_> {
    /// What an agent wants to do. The ways are read from all over the fields, which are larger than the caches: asked for many
    /// agents in a row, the memory is waited for once.
    #[inline]
    pub fn intend(&self, body: &Body, mind: &mut Mind) -> Intent {
        let group = self.ground.group(mind.guide, self.routes);
        if mind.has(Mind::DRIVEN) && !mind.has(Mind::STEERED) {
            return Intent { wish: Wish::Driven, group };
        }
        if mind.thrown > 0 {
            return Intent { wish: Wish::Thrown, group };
        }
        if mind.has(Mind::PAUSED) {
            return Intent { wish: Wish::Held, group };
        }
        if mind.behaviour() == Behaviour::Settled && is_away(mind, body.at) {
            if mind.is_in_formation() {
                mind.meet(Cause::Displaced);
            } else {
                mind.home = body.at;
            }
        }
        if mind.behaviour().rests() {
            return Intent { wish: Wish::Rests, group };
        }
        if mind.behaviour().is_aside() {
            return Intent { wish: Wish::Aside, group };
        }
        let (frame, speed) = (self.frame(mind, body.radius), self.speed(mind, body));
        Intent {
            wish: wish(self.ground, self.routes, &frame, mind, (body.at, speed), (self.number, self.seconds)),
            group,
        }
    }

    /// Decides for agent `own` and moves it. Its neighbours are looked for when `hits` are there as memory for that.
    pub fn steer(
        &self,
        own: usize,
        bodies: &[Body],
        mind: &mut Mind,
        intent: &Intent,
        near: &mut Near,
        hits: Option<&mut Hits>,
    ) -> Body {
        let mut body = bodies[own];
        body.group = intent.group;
        if let Some(hits) = hits {
            let rests = intent.wish == Wish::Rests && !self.has_driven;
            let look = if rests { aside::PRESSING } else { LOOK };
            *near = hits.nearest(self.lattice, &body, own, look, self.radius_max);
        }
        if !mind.has(Mind::DRIVEN) {
            mind.jammed = mind.jammed.saturating_sub(self.millis);
        }
        let preferred = match intent.wish {
            Wish::Go([x, y], _) if mind.backs_off(self.number) => {
                let way = self.passable(mind, &self.frame(mind, body.radius), &body, [-x, -y]);
                Preferred { way, speed: self.speed(mind, &body), pressure: 0 }
            }
            Wish::Go(way, speed) => Preferred { way, speed, pressure: 0 },
            Wish::Rests | Wish::Aside => match self.make_way(bodies, &mut body, mind, near) {
                Some(preferred) => preferred,
                None => return at_rest(body, mind),
            },
            Wish::Arrived => {
                arrive(&body, mind);
                return at_rest(body, mind);
            }
            Wish::Lost => {
                mind.stalled = u16::MAX;
                return at_rest(body, mind);
            }
            Wish::Waits | Wish::Held => return at_rest(body, mind),
            Wish::Thrown => return self.fly(body, mind),
            Wish::Driven => return goes_by_itself(body, mind),
        };
        self.walk(bodies, body, mind, near, &preferred)
    }

    /// The way on which an agent that rests, or has stepped aside, makes way for the one that presses most on it; `None` when none
    /// does.
    fn make_way(&self, bodies: &[Body], body: &mut Body, mind: &mut Mind, near: &Near) -> Option<Preferred> {
        let Some(other) = presser(bodies, body, body.group, near) else {
            if mind.behaviour().is_aside() {
                mind.stay_aside(self.millis);
            }
            return None;
        };
        mind.step_aside();
        (body.group, body.rank, body.guide) = (other.group, other.rank, other.guide);
        // One less makes way behind it than behind the one that presses.
        let pressure = (other.flags & (Body::PRESSES | Body::PRESSES_ALL)) - Body::PRESS;
        Some(Preferred { way: self.aside(mind, body, other), speed: self.speed(mind, body), pressure })
    }

    /// Moves an agent as near to its preferred velocity as its neighbours let it.
    fn walk(
        &self,
        bodies: &[Body],
        mut body: Body,
        mind: &mut Mind,
        near: &Near,
        preferred: &Preferred,
    ) -> Body {
        let frame = self.frame(mind, body.radius);
        let slips = mind.slips > 0;
        body.flags = if slips { Body::SLIPS } else { 0 } | mind.arrived_flag() | mind.shown();
        let shoulders = mind.slow >= SHOULDERS_AFTER && !mind.goes_back();
        let mut around = Around::default();
        if !slips {
            around.look(bodies, &body, preferred.way, near, shoulders, self.seconds);
        }
        let way = if mind.behaviour().is_aside() {
            preferred.way
        } else {
            self.way_past(mind, &frame, &mut body, preferred.way, &around.meeting)
        };
        let most = self.speed(mind, &body);
        let speed = if mind.behaviour().yields() { most } else { preferred.speed };
        let speed = if around.is_shouldering { speed * SHOULDERS_SPEED } else { speed };
        let wanted = [way[0] * speed, way[1] * speed];
        let planes = &around.planes[..around.count];
        let (from, velocity) = (body.at, solve(planes, most, wanted));
        self.go(&mut body, mind, &frame, velocity);
        if mind.has(Mind::DRIVEN)
            && let Some(axis) = walled(velocity, body.velocity, WALLED * speed)
        {
            // What the wall leaves of it may lead into others. Numbers may overlap a little there: with this, a tenth fewer of mixed
            // sizes get through an exit.
            let along = along_wall(planes, axis, body.velocity[axis], most, wanted);
            body.at = from;
            self.go(&mut body, mind, &frame, along);
        }
        body.want = way;
        if dot(body.velocity, way) < HELD_UP * speed {
            mind.slow = mind.slow.saturating_add(self.millis);
        } else {
            mind.slow = mind.slow.saturating_sub(self.millis.saturating_mul(2));
        }
        let shouldering = if around.is_shouldering { Body::SHOULDERS } else { 0 };
        if around.is_shouldering && mind.is_in_formation() {
            mind.shuffled = mind.shuffled.saturating_add(self.millis);
        }
        body.flags |= mind.pressure().unwrap_or(preferred.pressure) | shouldering;
        note(mind, &mut body, &around.meeting);
        body
    }

    /// The way past those that an agent meets: by the right of way, round one that has arrived, and a little to the right.
    fn way_past(&self, mind: &mut Mind, frame: &Frame, body: &mut Body, own_way: V, meeting: &Meeting) -> V {
        yield_to(self, mind, body, meeting);
        let yields = mind.behaviour().yields();
        let way = match meeting.settled {
            Some(offset) if mind.beside > ROUND_AFTER && mind.beside <= PRESS_AFTER && !yields => {
                round(own_way, offset, mind.id)
            }
            _ => self.way(mind, frame, body, own_way),
        };
        if meeting.is_met && !yields { lean(way) } else { way }
    }

    /// Moves a body as far as walls let it.
    fn go(&self, body: &mut Body, mind: &Mind, frame: &Frame, velocity: V) {
        let by = [velocity[0] * self.seconds, velocity[1] * self.seconds];
        // One stride never passes over a cell. Driven bodies take several, since they walk straight to a point; the others look up
        // their direction, which another cell may change, once a substep.
        let is_straight = mind.has(Mind::DRIVEN);
        let strides =
            if is_straight { (by[0].abs().max(by[1].abs()) / STRIDE_MAX).ceil().max(1.0) } else { 1.0 };
        let stride = [by[0] / strides, by[1] / strides];
        let to =
            (0..strides as u32).fold(body.at, |at, _| sweep(self.ground.layer(mind.kind), frame, at, stride));
        let moved = minus(to, body.at);
        body.at = to;
        body.velocity = [moved[0] / self.seconds, moved[1] / self.seconds];
    }

    /// Moves one that is thrown: it steers clear of nothing, and others steer clear of it.
    fn fly(&self, mut body: Body, mind: &mut Mind) -> Body {
        let frame = self.frame(mind, body.radius);
        self.go(&mut body, mind, &frame, mind.throw);
        body.want = [0.0; 2];
        body.flags = mind.arrived_flag() | mind.shown();
        mind.thrown = mind.thrown.saturating_sub(self.millis);
        if mind.thrown == 0 {
            mind.land(body.at);
        }
        body
    }

    /// Where to go: its own way, or that of the one that it gives way to.
    fn way(&self, mind: &Mind, frame: &Frame, body: &Body, own_way: V) -> V {
        if !mind.behaviour().yields() {
            return own_way;
        }
        if let Some(field) = self.ground.field(mind.yield_guide) {
            let place = minus(body.at, frame.half);
            let (x, y) = field.field.sample(place[0], place[1]);
            if x != 0.0 || y != 0.0 {
                return self.passable(mind, frame, body, [x, y]);
            }
        }
        [-own_way[0], -own_way[1]]
    }
}

impl Tick<'_> {
    /// A way, or the one nearest to it on which the body can move: a way that is read from the field of smaller bodies may lead
    /// into a corner that is too narrow for it.
    fn passable(&self, mind: &Mind, frame: &Frame, body: &Body, way: V) -> V {
        let layer = self.ground.layer(mind.kind);
        let side = [-way[1], way[0]];
        let turned = |[a, b]: [f32; 2]| [a * way[0] + b * side[0], a * way[1] + b * side[1]];
        let has_room = |way: &V| {
            let moved = minus(sweep(layer, frame, body.at, [way[0] * PROBE, way[1] * PROBE]), body.at);
            dot(moved, *way) > PROBE * 0.6
        };
        TURNS.map(turned).into_iter().find(has_room).unwrap_or(way)
    }
}

/// The axis on which a wall took more than `least` of a velocity.
fn walled(wanted: V, moved: V, least: f32) -> Option<usize> {
    let [x, y] = minus(wanted, moved).map(f32::abs);
    let axis = usize::from(y > x);
    (x.max(y) > least).then_some(axis)
}

/// Notes what is before the agent.
fn note(mind: &mut Mind, body: &mut Body, meeting: &Meeting) {
    let is_blocked = meeting.is_blocked(mind);
    mind.set(Mind::BESIDE, is_blocked);
    if is_blocked && mind.held >= HELD_TIME {
        body.flags |= Body::BLOCKED;
    }
    mind.set(Mind::QUEUED, mind.has(Mind::QUEUED) || meeting.queues(mind));
}

fn at_rest(body: Body, mind: &Mind) -> Body {
    let flags = Body::RESTS | mind.arrived_flag() | mind.shown();
    // How far it is from its goal: overlaps are moved outwards.
    let rank = (mind.mark.max(0.0) * REST_RANKS) as u32;
    Body { velocity: [0.0; 2], want: [0.0; 2], rank, guide: mind.guide, flags, ..body }
}

/// A body that goes where it likes. While it moves it presses: nothing here can stop it.
fn goes_by_itself(body: Body, mind: &Mind) -> Body {
    let speed = dot(body.velocity, body.velocity).sqrt();
    let still = Body { velocity: body.velocity, ..at_rest(body, mind) };
    if speed < MOVES {
        return still;
    }
    let flags = still.flags & !Body::RESTS | Body::PRESSES | Body::PRESSES_ALL;
    Body { want: body.velocity.map(|v| v / speed), flags, ..still }
}

/// Settles at the end of the way. An agent that does not see its place from there does without, or takes another of its formation.
fn arrive(body: &Body, mind: &mut Mind) {
    if mind.has(Mind::HAS_SLOT) && is_away(mind, body.at) {
        if !mind.is_around() {
            mind.set(Mind::ASKS, true);
            return;
        }
        mind.set(Mind::HAS_SLOT, false);
    }
    mind.settle(body.at, body.group);
}

impl Mind {
    /// How one that is held up on its way presses on those that rest before it; `None` for one that does not.
    fn pressure(&self) -> Option<u32> {
        let is_on_its_way = !(self.goes_back() || self.closes_up() || self.behaviour().is_aside());
        (is_on_its_way && self.slow >= aside::PATIENCE).then(|| {
            let presses_all = self.is_in_formation() && self.slow > PLACE_PATIENCE;
            Body::PRESSES | if presses_all { Body::PRESSES_ALL } else { 0 }
        })
    }
}

fn is_away(mind: &Mind, at: V) -> bool {
    let way = minus(at, mind.home);
    dot(way, way) > PUSHED * PUSHED
}

/// Round one at `offset`, half of all on each side.
#[inline]
fn round(way: V, offset: V, id: u32) -> V {
    let hand = if id & 1 == 0 { 0.9 } else { -0.9 };
    let length = dot(offset, offset).sqrt().max(1e-6) / hand;
    let way = [way[0] * 0.45 - offset[1] / length, way[1] * 0.45 + offset[0] / length];
    let length = dot(way, way).sqrt().max(1e-6);
    [way[0] / length, way[1] / length]
}

/// A little to the right, where y grows downwards.
#[inline]
fn lean(way: V) -> V {
    let leaning = [way[0] - way[1] * LEANING, way[1] + way[0] * LEANING];
    let length = dot(leaning, leaning).sqrt().max(1e-6);
    [leaning[0] / length, leaning[1] / length]
}
