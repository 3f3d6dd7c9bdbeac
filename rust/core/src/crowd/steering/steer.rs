//! Steering, the first pass of a substep: each agent reads what its neighbours did last, decides, and moves.
//!
//! From the preferred velocity of an agent and from its nearest neighbours comes the velocity with which it
//! moves: the right of way may turn it aside, and the half-planes that neighbours leave bound it. An agent
//! that is driven from outside, thrown or paused does not decide; the others do what their behaviour says. No
//! agent leaves the valid placements of its footprint.

use std::f32::consts::FRAC_1_SQRT_2;

use super::avoidance::Around;
use super::solver::{HalfPlane, along_wall, solve};
use crate::crowd::ground::neighbours::{Hits, Neighbours};
use crate::crowd::ground::sweep::{Frame, STRIDE_MAX, sweep, sweep_past};
use crate::crowd::guide::preferred_velocity::{Preference, preference};
use crate::crowd::numbers::millis::Millis;
use crate::crowd::numbers::tuning::TUNING;
use crate::crowd::numbers::vector::{V, cross, dot, minus, towards, unit};
use crate::crowd::right_of_way::{Meeting, Settled, presser, yield_to};
use crate::crowd::state::agent::Agent;
use crate::crowd::state::behaviour::{Behaviour, Cause};
use crate::crowd::state::body::Body;
use crate::crowd::state::crossing::{Crossing, Passage};
use crate::crowd::state::routes::{NO_GROUP, PATH_GUIDE};
use crate::crowd::substep::Substep;

/// The rank of an agent at rest grows by this for each cell that it is from its goal.
const REST_RANKS: f32 = 64.0;
/// Straight on, by 45° to both sides, by 90°.
const TURNS: [[f32; 2]; 5] =
    [[1.0, 0.0], [FRAC_1_SQRT_2, FRAC_1_SQRT_2], [FRAC_1_SQRT_2, -FRAC_1_SQRT_2], [0.0, 1.0], [0.0, -1.0]];

/// What an agent is to do in this substep, looked up before any agent moves.
#[derive(Clone, Copy, Debug)]
pub(in crate::crowd) struct Intent {
    preference: Preference,
    group: u32,
}

impl Default for Intent {
    fn default() -> Self {
        Self { preference: Preference::Rests, group: 0 }
    }
}

/// The velocity that an agent prefers, and how it pushes those that rest before it.
struct Preferred {
    way: V,
    speed: f32,
    /// Bits of [`Body::PUSH_REQUESTS`] and [`Body::PUSH_OWN_GROUP`].
    pushes: u32,
    /// The bits of [`Body::CLASS`] with which it pushes.
    class: u32,
}

impl Substep<'_> {
    /// Returns what an agent is to do. Directions are read from all over the fields, which are larger than
    /// the caches: looked up for many agents in a row, the memory is waited for once.
    #[inline]
    pub fn intend(&self, body: &Body, agent: &mut Agent) -> Intent {
        let group = self.ground.group(agent.guide, self.routes);
        Intent { preference: self.preference_of(body, agent), group }
    }

    #[inline]
    fn preference_of(&self, body: &Body, agent: &mut Agent) -> Preference {
        // In the order of precedence of `Control`.
        if agent.control.goes_by_itself() {
            return Preference::Driven;
        }
        if agent.control.crossing == Crossing::Under {
            return Preference::OnLink;
        }
        agent.stop_asking();
        if !agent.control.thrown.is_over() {
            return Preference::Thrown;
        }
        if agent.control.is_paused {
            return Preference::Held;
        }
        if agent.behaviour() == Behaviour::Settled && agent.slot.is_away(body.at) {
            // A place in a formation is worth going back to. Around a goal all places are alike, and going
            // back would stir those around.
            if agent.slot.is_given {
                // One that rests short of it goes on when there is room.
                if !agent.slot.is_short {
                    agent.meet(Cause::Displaced);
                }
            } else {
                agent.slot.home = body.at;
                // Around the end of a path no places are handed out: it may be off that end by now.
                agent.slot.is_short |= agent.guide & PATH_GUIDE != 0;
            }
        }
        if agent.behaviour().rests() {
            return Preference::Rests;
        }
        if agent.behaviour().is_aside() {
            return Preference::Aside;
        }
        let (frame, speed) = (self.frame(agent, body.radius), self.speed(agent, body));
        let time = (self.number, self.seconds);
        let preference = preference(self.ground, self.routes, &frame, agent, (body.at, speed), time);
        let goes = matches!(preference, Preference::Go(..) | Preference::Arrived);
        if !goes || agent.guide & PATH_GUIDE != 0 || agent.slot.is_given || agent.behaviour().is_homing() {
            return preference;
        }
        let in_room = if agent.gathers() { self.way_in_room(agent, &frame, body.at, speed) } else { None };
        let round = || match preference {
            Preference::Go(_, speed) => {
                let layer = self.ground.layer(agent.kind);
                let way = self.detours.way(layer, agent, minus(body.at, frame.half));
                way.map(|way| Preference::Go(way, speed))
            }
            _ => None,
        };
        in_room.or_else(round).unwrap_or(preference)
    }

    /// Decides for agent `own` and moves it. Its neighbours are looked for when `hits` are there as memory
    /// for that.
    pub fn steer(
        &self,
        own: usize,
        bodies: &[Body],
        agent: &mut Agent,
        intent: &Intent,
        near: &mut Neighbours,
        hits: Option<&mut Hits>,
    ) -> Body {
        let mut body = bodies[own];
        body.group = intent.group;
        if let Some(hits) = hits {
            // At rest only those that press on it matter, and a driven body presses from farther away.
            let rests = intent.preference == Preference::Rests && !self.has_driven;
            let look = if rests { TUNING.pressing } else { TUNING.look };
            *near = hits.nearest(self.bins, (own, &body), agent.avoidance.mask, look, self.longest);
        }
        // For a driven body this counts how long it has not gone where it was sent, and goes down when it
        // does: see `driven`.
        if !agent.control.is_driven {
            agent.priority.jammed.take(self.millis);
        }
        let class = Body::shown_class(agent.priority.class);
        let preferred = match intent.preference {
            Preference::Go([x, y], _) if agent.backs_off(self.number) => {
                let back = [-x, -y];
                let way = self.passable(agent, &self.frame(agent, body.radius), &body, back).unwrap_or(back);
                Preferred { way, speed: self.speed(agent, &body), pushes: 0, class }
            }
            Preference::Go(way, speed) => Preferred { way, speed, pushes: 0, class },
            Preference::AtLink => {
                // What moves a driven body decides when it takes a link.
                if !agent.control.is_driven {
                    agent.control.crossing = Crossing::Asks;
                }
                Preferred { way: [0.0; 2], speed: 0.0, pushes: 0, class }
            }
            Preference::OnLink => return self.cross(body, agent),
            Preference::Rests | Preference::Aside | Preference::Lost => {
                let is_lost = intent.preference == Preference::Lost;
                if is_lost {
                    agent.progress.stalled = Millis::MAX;
                }
                match self.make_way(bodies, &mut body, agent, near, is_lost) {
                    Some(preferred) => preferred,
                    None => return at_rest(body, agent),
                }
            }
            Preference::Arrived => {
                arrive(&body, agent);
                return at_rest(body, agent);
            }
            Preference::Waits | Preference::Held => return at_rest(body, agent),
            Preference::Thrown => return self.fly(body, agent),
            Preference::Driven => return goes_by_itself(body, agent),
        };
        self.walk(bodies, (own, body), agent, near, &preferred)
    }

    /// Returns the velocity with which an agent that rests, has stepped aside, or has no way makes way for
    /// the one that presses most on it; `None` when none does.
    fn make_way(
        &self,
        bodies: &[Body],
        body: &mut Body,
        agent: &mut Agent,
        near: &Neighbours,
        is_lost: bool,
    ) -> Option<Preferred> {
        // One without a way has no place to keep, so it gives way to its own group, too.
        let group = if is_lost { NO_GROUP } else { body.group };
        let Some(other) = presser(bodies, (agent, body), group, near) else {
            if agent.behaviour().is_aside() {
                agent.stay_aside(self.millis);
            }
            return None;
        };
        agent.step_aside();
        // It passes the push on as if it were the other, so that those behind it open the way, too. The count
        // of agents that still have to makes it end: a push runs at most through 31 of them.
        let class = other.class();
        (body.group, body.rank, body.guide) = (other.group, other.rank, other.guide);
        let pushes = other.flags & (Body::PUSH_REQUESTS | Body::PUSH_OWN_GROUP);
        let pushes = pushes.saturating_sub(Body::PUSH_REQUEST);
        Some(Preferred { way: self.aside(agent, body, other), speed: self.speed(agent, body), pushes, class })
    }

    /// Moves an agent as near to its preferred velocity as its neighbours let it.
    fn walk(
        &self,
        bodies: &[Body],
        (own, mut body): (usize, Body),
        agent: &mut Agent,
        near: &Neighbours,
        preferred: &Preferred,
    ) -> Body {
        let frame = self.frame(agent, body.radius);
        let ghosts = !agent.control.ghosts.is_over();
        let shoves = !agent.control.shoves.is_over();
        body.flags = if ghosts { Body::GHOSTS } else { 0 } | agent.shown() & !Body::CLASS | preferred.class;
        let mut around = Around::default();
        around.meeting.is_stopped = !self.settings.lets_slip(agent.control.is_driven);
        // One that ghosts or shoves sees no other and moves straight on.
        if !(ghosts || shoves) {
            let (way, seconds) = (preferred.way, self.seconds);
            if self.has_cores {
                around.look_at_outlines((bodies, self.avoidance), (own, &body), way, near, seconds);
            } else {
                around.look::<false>((bodies, self.avoidance), (own, &body), way, near, seconds);
            }
        }
        let way = if agent.behaviour().is_aside() {
            preferred.way
        } else {
            self.way_past(agent, &frame, &mut body, preferred.way, &around.meeting)
        };
        let most = self.speed(agent, &body);
        // One that yields is in the way of others: it hurries even where it would brake for its own place.
        let speed = if agent.behaviour().yields() { most } else { preferred.speed };
        let wanted = [way[0] * speed, way[1] * speed];
        if self.stands_its_ground(agent, &around.meeting) {
            around.add(HalfPlane { point: [0.0; 2], direction: [way[1], -way[0]] });
        }
        let planes = &around.planes[..around.count];
        let (from, velocity) = (body.at, solve(planes, most, wanted));
        self.go(&mut body, agent, &frame, velocity);
        body.preferred = way;
        if agent.control.is_driven
            && let Some(axis) = walled(velocity, body.velocity, TUNING.walled * speed)
        {
            // What the wall leaves of the velocity may lead into others. Agents of the crowd may overlap a
            // little there, as contact parts them: done for all, a tenth fewer of mixed sizes get through an
            // exit.
            let along = along_wall(planes, axis, body.velocity[axis], most, wanted);
            body.at = from;
            self.go(&mut body, agent, &frame, along);
        }
        // Twice as fast back: one that gets on again does so for some steps before it counts as free.
        agent.progress.held_up.run(dot(bodies[own].velocity, way) < TUNING.held_up * speed, self.millis, 2);
        body.flags |= agent.pushes(&body).unwrap_or(preferred.pushes);
        if agent.without_headway() >= TUNING.settles_after {
            body.flags |= Body::INSISTS;
        }
        if agent.behaviour().is_aside()
            && body.guide & PATH_GUIDE != 0
            && agent.progress.held_up >= TUNING.turns_after
        {
            // There is no room to which it could step aside, so it blocks the one that presses on it.
            body.flags |= Body::BLOCKED;
        }
        note(agent, &mut body, &around.meeting);
        body
    }

    /// Returns the direction past those that an agent meets: by the right of way, round one that has arrived,
    /// and to the side where lanes lead its way.
    fn way_past(
        &self,
        agent: &mut Agent,
        frame: &Frame,
        body: &mut Body,
        own_way: V,
        meeting: &Meeting,
    ) -> V {
        yield_to(self, agent, frame, body, own_way, meeting);
        let yields = agent.behaviour().yields();
        if yields {
            let back = [-own_way[0], -own_way[1]];
            return self.way_of_other(agent, frame, body, own_way).unwrap_or(back);
        }
        // Only for a while: where there is no way round, it would go to and fro.
        let blocked = agent.progress.blocked;
        let goes_round = blocked > TUNING.window && blocked <= TUNING.turns_after;
        let way = match &meeting.settled {
            Some(settled) if goes_round => {
                let way = round(own_way, settled, agent.id);
                // The way round a long body takes as long as it is wide: while it gets on there, the time
                // does not run.
                let gets_on = dot(body.velocity, way) > TUNING.held_up * self.speed(agent, body);
                if gets_on && settled.is_long {
                    agent.progress.blocked.take(self.millis);
                }
                way
            }
            _ => own_way,
        };
        // To the side on which more goes its way, so that lanes form; all to the same side where both are
        // equal.
        let flow = if agent.behaviour().is_homing() { 0.0 } else { meeting.flow_right };
        if meeting.is_met { lean(way, TUNING.leaning + flow) } else { way }
    }

    /// Returns `true` if an agent that meets others is not to walk backwards: it has come no nearer for long.
    /// One among many that come towards it would be carried along by them, as nothing is in the way of one
    /// that goes with them.
    fn stands_its_ground(&self, agent: &Agent, meeting: &Meeting) -> bool {
        meeting.is_met
            && agent.progress.no_nearer >= TUNING.long
            && !agent.behaviour().is_homing()
            && !(agent.backs_off(self.number) || agent.behaviour().yields() || agent.behaviour().is_aside())
    }

    /// Moves a body as far as walls let it.
    fn go(&self, body: &mut Body, agent: &Agent, frame: &Frame, velocity: V) {
        let by = [velocity[0] * self.seconds, velocity[1] * self.seconds];
        // One stride never passes over a cell. Driven bodies take several, since they walk straight to a
        // point; the others look up their direction, which another cell may change, once a substep.
        let is_straight = agent.control.is_driven;
        let strides =
            if is_straight { (by[0].abs().max(by[1].abs()) / STRIDE_MAX).ceil().max(1.0) } else { 1.0 };
        let stride = [by[0] / strides, by[1] / strides];
        let layer = self.ground.layer(agent.kind);
        let step = if is_straight { sweep_past } else { sweep };
        let to = (0..strides as u32).fold(body.at, |at, _| step(layer, frame, at, stride));
        let moved = minus(to, body.at);
        body.at = to;
        body.velocity = [moved[0] / self.seconds, moved[1] / self.seconds];
    }

    /// Moves an agent on a link: it steers clear of nothing, and nothing steers clear of it.
    fn cross(&self, mut body: Body, agent: &Agent) -> Body {
        let Some(passage) = Passage::of(self.passages, agent.id) else { return body };
        body.at = passage.at();
        let (way, _) = towards(passage.from, passage.to);
        body.velocity = way.map(|part| part * agent.control.speed);
        (body.preferred, body.flags) = ([0.0; 2], Body::GHOSTS | agent.shown());
        body
    }

    /// Moves one that is thrown: it steers clear of nothing, and others steer clear of it.
    fn fly(&self, mut body: Body, agent: &mut Agent) -> Body {
        let frame = self.frame(agent, body.radius);
        self.go(&mut body, agent, &frame, agent.control.throw);
        body.preferred = [0.0; 2];
        body.flags = agent.shown();
        agent.control.thrown.take(self.millis);
        if agent.control.thrown.is_over() {
            agent.land(body.at);
        }
        body
    }

    /// Returns the direction of the one that it yields to: ahead of it, out of its path; `None` where walls
    /// leave no room for that.
    pub fn way_of_other(&self, agent: &Agent, frame: &Frame, body: &Body, own_way: V) -> Option<V> {
        let back = [-own_way[0], -own_way[1]];
        if let Some(field) = self.ground.field(agent.priority.yield_guide) {
            let place = minus(body.at, frame.half);
            let [x, y] = field.field.sample(place);
            if x != 0.0 || y != 0.0 {
                return self.passable(agent, frame, body, [x, y]);
            }
            // The other is where its field ends.
            return Some(back);
        }
        // The other follows a path.
        self.passable(agent, frame, body, back)
    }

    /// Returns a direction, or the one nearest to it on which the body can move, if there is one: a way that
    /// is read from the field of smaller bodies may lead into a corner that is too narrow for it.
    fn passable(&self, agent: &Agent, frame: &Frame, body: &Body, way: V) -> Option<V> {
        let layer = self.ground.layer(agent.kind);
        let side = [-way[1], way[0]];
        let turned = |[a, b]: [f32; 2]| [a * way[0] + b * side[0], a * way[1] + b * side[1]];
        let has_room = |way: &V| {
            let moved =
                minus(sweep(layer, frame, body.at, [way[0] * TUNING.probe, way[1] * TUNING.probe]), body.at);
            dot(moved, *way) > TUNING.probe * 0.6
        };
        TURNS.map(turned).into_iter().find(has_room)
    }
}

/// Returns the axis on which a wall took more than `least` of a velocity.
fn walled(wanted: V, moved: V, least: f32) -> Option<usize> {
    let [x, y] = minus(wanted, moved).map(f32::abs);
    let axis = usize::from(y > x);
    (x.max(y) > least).then_some(axis)
}

/// Notes what is before the agent.
fn note(agent: &mut Agent, body: &mut Body, meeting: &Meeting) {
    let is_blocked = meeting.is_blocked(agent);
    agent.progress.is_blocked_ahead = is_blocked;
    if is_blocked && agent.progress.no_nearer >= TUNING.insists_after {
        body.flags |= Body::BLOCKED;
    }
    agent.progress.has_queued = agent.progress.has_queued || meeting.queues(agent);
}

/// Returns a body that stays where it is.
fn at_rest(body: Body, agent: &Agent) -> Body {
    let held = if agent.control.is_held() { Body::HELD } else { 0 };
    let flags = Body::RESTS | held | agent.shown();
    // The rank of one at rest is how far it is from its goal, so that contact moves overlaps outwards.
    let rank = (agent.progress.left.max(0.0) * REST_RANKS) as u32;
    Body { velocity: [0.0; 2], preferred: [0.0; 2], rank, guide: agent.guide, flags, ..body }
}

/// Returns a body that goes where the game likes. While it moves it presses: nothing here can stop it.
fn goes_by_itself(body: Body, agent: &Agent) -> Body {
    let speed = dot(body.velocity, body.velocity).sqrt();
    let still = Body { velocity: body.velocity, ..at_rest(body, agent) };
    if speed < TUNING.moving_speed {
        return still;
    }
    let flags = still.flags & !Body::RESTS | Body::PUSH_REQUESTS | Body::PUSH_OWN_GROUP;
    Body { preferred: body.velocity.map(|v| v / speed), flags, ..still }
}

/// Settles at the end of the guide. An agent that does not see its place from there does without, or takes
/// another of its formation.
fn arrive(body: &Body, agent: &mut Agent) {
    if agent.slot.is_given && agent.slot.is_away(body.at) {
        agent.slot.is_wanted = true;
        return;
    }
    agent.settle(body.at);
}

impl Agent {
    /// Returns how one that is held up on its way pushes those that rest before it; `None` for one that does
    /// not.
    fn pushes(&self, body: &Body) -> Option<u32> {
        // One that has arrived already does not move others for its own comfort: two would change places for
        // ever.
        let away = minus(body.at, self.slot.home);
        let is_pushed_off =
            self.slot.is_given && self.guide & PATH_GUIDE == 0 && dot(away, away) > body.radius * body.radius;
        let is_on_its_way = !(self.goes_back() && !is_pushed_off || self.behaviour().is_aside());
        (is_on_its_way && self.progress.held_up >= TUNING.patience).then(|| {
            // A place in a formation may lie behind others of the same order that rest in theirs, and one
            // that slips through none may be held by some that rest blocked.
            let is_held = self.slot.is_given || self.control.is_driven && self.behaviour().is_stuck();
            let pushes_own = is_held && self.progress.held_up > TUNING.insists_after;
            Body::PUSH_REQUESTS | if pushes_own { Body::PUSH_OWN_GROUP } else { 0 }
        })
    }
}

/// Returns the direction round one at rest: of boxes that nothing moves past the nearer end; else, and where
/// they are met in the middle, to the left or to the right by id, half of all on each side.
#[inline]
fn round(way: V, settled: &Settled, id: u32) -> V {
    let Settled { offset, centre, is_long } = *settled;
    let beside = cross(way, centre);
    let is_in_the_middle = !is_long || beside.abs() < 1e-3;
    let to_the_right = if is_in_the_middle { id & 1 == 0 } else { beside < 0.0 };
    let hand = if to_the_right { 0.9 } else { -0.9 };
    let length = dot(offset, offset).sqrt().max(1e-6) / hand;
    unit([way[0] * 0.45 - offset[1] / length, way[1] * 0.45 + offset[0] / length])
}

/// Returns a direction that leans to the right, where y grows downwards, by at most 45°; below zero to the
/// left.
#[inline]
fn lean(way: V, by: f32) -> V {
    let by = by.clamp(-1.0, 1.0);
    unit([way[0] - way[1] * by, way[1] + way[0] * by])
}
