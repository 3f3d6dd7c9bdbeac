//! The second pass of a step: discs that overlap are moved apart, and each agent takes stock.

use super::agent::{AgentState, Body, Mind};
use super::near::Near;
use super::solver::{V, minus};
use super::steer::Tick;
use super::sweep::sweep;
use super::wish::remaining;

/// The part of an overlap that is taken away at once; less than all, because a disc between two is pushed by both.
const FIRMNESS: f32 = 0.8;
/// Overlaps below this part of the smaller radius are left alone, so that who rests stands still.
const LEFT_ALONE: f32 = 0.006;
/// The part of an overlap with one that walks that is up to one that rests.
const REST_SHARE: f32 = 0.15;
/// The longest way that an agent is pushed at once, in parts of its radius.
const PUSH_MAX: f32 = 0.35;
/// Held up so long beside one that has arrived, an agent has arrived, too, in milliseconds.
const BESIDE_TIME: u16 = 500;
/// The same while it is so far from the goal that others will settle there. Until then it goes round those before it.
const BESIDE_FAR_TIME: u16 = 5000;
/// Held up so long close to its goal, where all wait for each other, an agent has arrived.
const CENTRE_TIME: u16 = 1500;
/// The same for one that has a slot of its own: it slips through.
const BESIDE_SLOT_TIME: u16 = 1000;
/// Held up so long in sight of its own place, an agent slips through others.
const HOMING_PATIENCE: u16 = 1500;
/// How often is looked whether an agent comes nearer.
const WINDOW: u16 = 500;
/// So many times as long as until it is stuck, an agent that is still stuck slips through others.
const FREES_AFTER: u16 = 4;
/// How long one that was stuck slips through others.
const SLIPS: u16 = 1200;
/// An overlap deeper than this part of the smaller radius keeps one slipping.
const SLIPPING: f32 = 0.2;

/// What became of an agent that somebody may want to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Event {
    Arrived(u32),
    Stuck(u32),
}

impl Tick<'_> {
    /// Moves agent `own` away from those that it overlaps; `moved` are the bodies after the first pass.
    pub fn part(
        &self,
        own: usize,
        near: &Near,
        moved: &[Body],
        mind: &mut Mind,
        events: &mut Vec<Event>,
    ) -> Body {
        let mut body = moved[own];
        let rests = body.rests();
        let mut push: V = [0.0; 2];
        let mut is_inside = false;
        for place in near.iter() {
            let other = &moved[place];
            let offset = minus(body.at, other.at);
            let touch = body.radius + other.radius;
            let distance2 = offset[0] * offset[0] + offset[1] * offset[1];
            if distance2 >= touch * touch {
                continue;
            }
            let distance = distance2.sqrt();
            let overlap = touch - distance;
            let smaller = body.radius.min(other.radius);
            is_inside |= overlap > SLIPPING * smaller;
            if overlap <= LEFT_ALONE * smaller || body.slips() || other.slips() {
                continue;
            }
            let share = if rests == other.rests() {
                let (mine, its) = (body.radius * body.radius, other.radius * other.radius);
                its / (mine + its)
            } else if rests {
                REST_SHARE
            } else {
                1.0
            };
            let way = if distance > 1e-6 {
                [offset[0] / distance, offset[1] / distance]
            } else if own < place {
                [-1.0, 0.0]
            } else {
                [1.0, 0.0]
            };
            push = [push[0] + way[0] * overlap * share, push[1] + way[1] * overlap * share];
        }
        let length2 = push[0] * push[0] + push[1] * push[1];
        if length2 > 0.0 {
            let length = length2.sqrt();
            let scale = FIRMNESS.min(PUSH_MAX * body.radius / length);
            let frame = self.frame(mind, body.radius);
            let by = [push[0] * scale, push[1] * scale];
            body.at = sweep(self.ground.layer(mind.kind), &frame, body.at, by);
        }
        self.take_stock(mind, &mut body, is_inside, events);
        body
    }

    fn take_stock(&self, mind: &mut Mind, body: &mut Body, is_inside: bool, events: &mut Vec<Event>) {
        if mind.state == AgentState::Idle || mind.has(Mind::ASIDE) {
            return;
        }
        if mind.state == AgentState::Arrived {
            announce(mind, events);
            return;
        }
        let is_beside = mind.has(Mind::BESIDE);
        let may_be_far = (is_beside || mind.beside >= BESIDE_TIME) && !mind.has(Mind::HAS_SLOT);
        let is_far = may_be_far && self.is_far(mind, body);
        mind.beside = if is_beside && (mind.slow > 0 || is_far && mind.beside >= BESIDE_TIME) {
            mind.beside.saturating_add(self.millis)
        } else if is_beside || mind.beside >= BESIDE_TIME {
            mind.beside.saturating_sub(self.millis)
        } else {
            0
        };
        let beside_time = if is_far { BESIDE_FAR_TIME } else { BESIDE_TIME };
        if mind.has(Mind::HAS_SLOT) {
            // Through the ranks, and through others who look for theirs.
            let is_near = mind.has(Mind::HOMING) && mind.slow >= HOMING_PATIENCE;
            if (is_near || mind.beside >= BESIDE_SLOT_TIME) && mind.slips == 0 {
                mind.slips = SLIPS;
                (mind.beside, mind.slow) = (0, 0);
            }
        } else if is_inside {
            // It slips on.
        } else if mind.goes_back() && mind.slow >= BESIDE_TIME && self.is_far(mind, body) {
            mind.set(Mind::HOMING, false);
        } else if is_beside && mind.beside >= beside_time || mind.goes_back() && mind.slow >= BESIDE_TIME {
            settle(mind, body);
            announce(mind, events);
            return;
        }
        if mind.slow >= CENTRE_TIME
            && mind.gives_way == 0
            && !is_inside
            && !mind.has(Mind::HAS_SLOT)
            && self.is_close(mind, body)
        {
            settle(mind, body);
            announce(mind, events);
            return;
        }
        if !is_inside {
            mind.slips = mind.slips.saturating_sub(self.millis);
        }
        mind.window = mind.window.saturating_add(self.millis);
        if mind.window >= WINDOW {
            self.look_back(mind, body);
        }
        let stuck = self.settings.stuck_millis();
        mind.state = if mind.stalled >= stuck {
            if !mind.has(Mind::REPORTED) {
                mind.set(Mind::REPORTED, true);
                events.push(Event::Stuck(mind.id));
            }
            let patience = if mind.has(Mind::HAS_SLOT) { 1 } else { FREES_AFTER };
            let frees = stuck.saturating_mul(patience).min(u16::MAX - 1);
            if mind.stalled >= frees
                && mind.stalled != u16::MAX
                && self.settings.frees_stuck
                && mind.slips == 0
            {
                mind.slips = SLIPS;
                mind.stalled = (frees - stuck).max(stuck / 2);
            }
            AgentState::Stuck
        } else if mind.has(Mind::REPORTED) {
            AgentState::Stuck
        } else if mind.slow > 200 || mind.gives_way > 0 {
            AgentState::Waiting
        } else {
            AgentState::Moving
        };
    }

    /// Whether the agent is farther from its goal than all who want there need to settle. A few fill no disc: beside
    /// the first one is near enough.
    fn is_far(&self, mind: &Mind, body: &Body) -> bool {
        let frame = self.frame(mind, body.radius);
        let left = remaining(self.ground, self.routes, &frame, mind, body.at);
        left > self.reaches.of(mind.guide).max(4.0 * body.radius)
    }

    /// Whether the agent is so close to its goal that no place is better by much.
    fn is_close(&self, mind: &Mind, body: &Body) -> bool {
        let frame = self.frame(mind, body.radius);
        remaining(self.ground, self.routes, &frame, mind, body.at) < 0.5 * self.reaches.of(mind.guide)
    }

    /// Whether the agent came nearer since it was last looked at.
    fn look_back(&self, mind: &mut Mind, body: &Body) {
        let frame = self.frame(mind, body.radius);
        let left = remaining(self.ground, self.routes, &frame, mind, body.at);
        let expected = 0.1 * mind.speed * f32::from(mind.window) * 0.001;
        if left < mind.mark - expected {
            mind.mark = left;
            mind.stalled = 0;
            mind.set(Mind::REPORTED, false);
        } else if left == f32::INFINITY {
            mind.stalled = u16::MAX;
        } else if mind.slow == 0 {
            // It walks, but perhaps to and fro.
            mind.mark = left;
            mind.stalled = mind.stalled.saturating_add(mind.window / 2).min(u16::MAX - 1);
        } else if !mind.has(Mind::QUEUED) {
            mind.stalled = mind.stalled.saturating_add(mind.window).min(u16::MAX - 1);
        }
        mind.window = 0;
        mind.set(Mind::QUEUED, false);
    }
}

fn settle(mind: &mut Mind, body: &mut Body) {
    mind.settle(body.at);
    body.flags = Body::RESTS;
    (body.velocity, body.want) = ([0.0; 2], [0.0; 2]);
}

/// Says that an agent has arrived, once for each goal.
fn announce(mind: &mut Mind, events: &mut Vec<Event>) {
    if !mind.has(Mind::ANNOUNCED) {
        mind.set(Mind::ANNOUNCED, true);
        events.push(Event::Arrived(mind.id));
    }
}
