//! Contact, the second pass of a substep: each body is moved out of those whose outlines it overlaps.
//!
//! The share of an overlap that an agent takes depends on size, on which of the two rests, on their classes
//! where one does, and on which is driven from outside or held. The push never takes a body out of its valid
//! placements.

use super::agent::Agent;
use super::arrival::Event;
use super::behaviour::Behaviour;
use super::body::Body;
use super::guide::PATH_GUIDE;
use super::neighbours::Neighbours;
use super::outline::{Gap, way_out};
use super::substep::Substep;
use super::sweep::sweep;
use super::tuning::TUNING;
use super::vector::{V, dot, minus};

impl Substep<'_> {
    /// Moves agent `own` away from those that it overlaps; `moved` are the bodies after the first pass.
    pub fn separate(
        &self,
        own: usize,
        near: &Neighbours,
        moved: &[Body],
        agent: &mut Agent,
        events: &mut Vec<Event>,
    ) -> Body {
        let mut body = moved[own];
        let contact = if self.has_cores {
            contact::<true>(own, near, moved)
        } else {
            contact::<false>(own, near, moved)
        };
        let Contact { push, depth, is_squeezed } = contact;
        if !(body.is_fixed() || dot(push, push) == 0.0) {
            let frame = self.frame(agent, body.radius);
            body.at = sweep(self.ground.layer(agent.kind), &frame, body.at, push);
        }
        // One that has come no nearer for long around a goal has tried all that swaps can do.
        let is_held_up = agent.progress.held_up >= TUNING.swap_after
            && agent.slot.is_own()
            && (agent.slot.is_in_formation() || agent.progress.no_nearer < TUNING.long);
        if is_held_up && self.number.wrapping_add(agent.id).is_multiple_of(TUNING.swap_substeps) {
            events.push(Event::HeldUp(own));
        }
        if agent.behaviour() == Behaviour::Settled && !(agent.slot.is_in_formation() || agent.gathers()) {
            self.make_room(agent, &body, is_squeezed);
        }
        let rested = body.rests();
        self.assess(agent, &mut body, depth, events);
        if body.rests() && !rested {
            events.push(Event::Rests(own));
        }
        self.break_arch(agent, &body, near, moved);
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

/// Returns what a push weighs for a body: the area that it takes.
#[inline]
fn weight<const CORES: bool>(body: &Body) -> f32 {
    if CORES { body.outline().area() } else { body.radius * body.radius }
}

/// Returns the overlaps of the body at `own`. Without `CORES`, all are discs.
fn contact<const CORES: bool>(own: usize, near: &Neighbours, moved: &[Body]) -> Contact {
    let body = &moved[own];
    let rests = body.rests();
    let mut push: V = [0.0; 2];
    let (mut depth, mut is_squeezed) = (0.0_f32, false);
    for index in near.iter() {
        let other = &moved[index];
        let Gap { offset, touch } = other.gap::<CORES>(body);
        let distance2 = offset[0] * offset[0] + offset[1] * offset[1];
        if distance2 >= touch * touch {
            continue;
        }
        // Few pairs overlap: the root is taken for those only.
        let distance = distance2.sqrt();
        // At one place any two opposite directions part them, and the arrays' order is part of the state.
        let is_within = distance <= 1e-6;
        let out = is_within
            .then(|| way_out(body.outline(), other.outline(), minus(other.at, body.at), own < index));
        let overlap = touch - distance + out.map_or(0.0, |(_, depth)| depth);
        let smaller = body.radius.min(other.radius);
        depth = depth.max(overlap / smaller);
        if overlap <= TUNING.left_alone * smaller || body.ghosts() || other.ghosts() {
            continue;
        }
        if rests && other.rests() && overlap > TUNING.squeezed * smaller {
            // The smaller one, or the outer of two of one size.
            let leaves = (other.radius, body.rank, own) > (body.radius, other.rank, index);
            is_squeezed |= !body.stands_firm(other) && (leaves || other.stands_firm(body));
        }
        let share = if body.stands_firm(other) {
            0.0
        } else if other.stands_firm(body) {
            1.0
        } else if rests
            && other.rests()
            && body.group == other.group
            && body.rank != other.rank
            // Around the end of a path there are no outer places.
            && body.guide & PATH_GUIDE == 0
        {
            if body.rank > other.rank { TUNING.outer_share } else { 1.0 - TUNING.outer_share }
        } else if other.flags & Body::SHOULDERS != 0 && body.gives() {
            1.0 - TUNING.rest_share
        } else if body.flags & Body::SHOULDERS != 0 && other.gives() {
            TUNING.rest_share
        } else if rests == other.rests() {
            // By area, as if both had the same weight on each cell.
            let (mine, its) = (weight::<CORES>(body), weight::<CORES>(other));
            its / (mine + its)
        } else if rests {
            TUNING.rest_share
        } else {
            1.0
        };
        let way = out.map_or_else(|| [offset[0] / distance, offset[1] / distance], |(way, _)| way);
        push = [push[0] + way[0] * overlap * share, push[1] + way[1] * overlap * share];
    }
    let length2 = dot(push, push);
    if length2 == 0.0 {
        return Contact { push, depth, is_squeezed };
    }
    // Several overlaps at once may add up to more than there is room for.
    let scale = TUNING.firmness.min(TUNING.push_max * body.radius / length2.sqrt());
    Contact { push: push.map(|v| v * scale), depth, is_squeezed }
}
