//! Contact, the second pass of a substep: each disc is moved out of those that it overlaps.
//!
//! The share of an overlap that an agent takes depends on size, on which of the two rests, and on which is driven from outside. The
//! push never takes a body out of its valid placements.

use super::agent::{HELD_LONG, Mind};
use super::behaviour::Behaviour;
use super::body::Body;
use super::near::Near;
use super::progress::Event;
use super::sweep::sweep;
use super::tick::Tick;
use super::vector::{V, dot, minus};

/// The part of an overlap that is taken away at once; less than all, because a disc between two is pushed by both.
const FIRMNESS: f32 = 0.8;
/// Overlaps below this part of the smaller radius are left alone, so that agents at rest keep still.
const LEFT_ALONE: f32 = 0.006;
/// The part of an overlap with one that walks that is up to one that rests.
const REST_SHARE: f32 = 0.15;
/// The part of an overlap of two that rest around one goal that is up to the outer one. Those inside have no room to go to, and
/// halves would take an overlap outwards through a crowd as slowly as heat.
const OUTER_SHARE: f32 = 0.9;
/// Of two that rest deeper in each other than this part of the smaller radius, one leaves.
const SQUEEZED: f32 = 0.08;
/// The longest way that an agent is pushed at once, in parts of its radius.
const PUSH_MAX: f32 = 0.35;
/// Held up so long on the way to its place, an agent looks every so many substeps for one to swap with.
const SWAP_TIME: u16 = 100;
const SWAP_TICKS: u32 = 4;

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
        let Contact { push, depth, is_squeezed } = contact(own, near, moved);
        if !(body.is_driven() || mind.has(Mind::PAUSED) || dot(push, push) == 0.0) {
            let frame = self.frame(mind, body.radius);
            body.at = sweep(self.ground.layer(mind.kind), &frame, body.at, push);
        }
        let is_held_up =
            mind.slow >= SWAP_TIME && mind.has_place() && (mind.is_in_formation() || mind.held < HELD_LONG);
        if is_held_up && self.number.wrapping_add(mind.id).is_multiple_of(SWAP_TICKS) {
            events.push(Event::HeldUp(own));
        }
        if mind.behaviour() == Behaviour::Settled && !mind.is_in_formation() {
            self.make_room(mind, &body, is_squeezed);
        }
        self.take_stock(mind, &mut body, depth, events);
        body
    }
}

/// The overlaps of a body.
#[derive(Clone, Copy, Default)]
struct Contact {
    /// How far it is pushed out of them.
    push: V,
    /// The deepest, in parts of the smaller radius.
    depth: f32,
    /// It rests, and of two that rest on each other it is the one to leave.
    is_squeezed: bool,
}

/// Returns the overlaps of the body at `own`.
fn contact(own: usize, near: &Near, moved: &[Body]) -> Contact {
    let body = &moved[own];
    let rests = body.rests();
    let mut push: V = [0.0; 2];
    let (mut depth, mut is_squeezed) = (0.0_f32, false);
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
        depth = depth.max(overlap / smaller);
        if overlap <= LEFT_ALONE * smaller || body.slips() || other.slips() {
            continue;
        }
        if rests && other.rests() && overlap > SQUEEZED * smaller {
            // The smaller one, or the outer of two of one size.
            let leaves = (other.radius, body.rank, own) > (body.radius, other.rank, place);
            is_squeezed |= leaves;
        }
        let share = if other.is_driven() && !body.is_driven() {
            1.0
        } else if rests && other.rests() && body.group == other.group && body.rank != other.rank {
            if body.rank > other.rank { OUTER_SHARE } else { 1.0 - OUTER_SHARE }
        } else if other.flags & Body::SHOULDERS != 0 && body.gives() {
            1.0 - REST_SHARE
        } else if body.flags & Body::SHOULDERS != 0 && other.gives() {
            REST_SHARE
        } else if rests == other.rests() {
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
    let length2 = dot(push, push);
    if length2 == 0.0 {
        return Contact { push, depth, is_squeezed };
    }
    let scale = FIRMNESS.min(PUSH_MAX * body.radius / length2.sqrt());
    Contact { push: push.map(|v| v * scale), depth, is_squeezed }
}
