//! Yielding at rest: agents that rest step aside for agents that want through.
//!
//! A crowd that settled where others have to pass would shut them in. So an agent that rests steps aside when an agent of another group
//! presses on it: one that is held up and heads for it. It goes across the other's direction where there is room, else ahead of it.
//! Meanwhile it presses in the same direction, so that a whole cluster opens. When none has pressed on it for a while it goes back to
//! its place, or settles short of it when that is taken.

use std::cmp::Reverse;

use super::agent::Mind;
use super::behaviour::Cause;
use super::body::Body;
use super::near::Near;
use super::sweep::sweep;
use super::tick::Tick;
use super::vector::{V, cross, dot, minus};

/// Discs at most so far apart press on one that rests, in cells.
pub(super) const PRESSING: f32 = 0.25;
/// The same for those that nothing here can stop.
const PRESSING_DRIVEN: f32 = 0.8;
/// Held up so long, an agent presses, in milliseconds.
pub(super) const PATIENCE: u16 = 150;
/// An agent that stepped aside stays there for so long after none presses any more.
const STAYS: u16 = 700;
/// There is room where so much of a step of this length, in cells, can be made.
const PROBE: f32 = 0.4;
const ROOM: f32 = 0.25;

/// The neighbour that presses most on `body`, which rests or has stepped aside for the group that it shows.
pub(super) fn presser<'a>(bodies: &'a [Body], body: &Body, group: u32, near: &Near) -> Option<&'a Body> {
    let presses = |other: &&Body| {
        if other.flags & Body::PRESSES == 0 || other.group == group && other.flags & Body::PRESSES_ALL == 0 {
            return false;
        }
        let offset = minus(body.at, other.at);
        let (distance2, ahead) = (dot(offset, offset), dot(other.want, offset));
        let limit = body.radius + other.radius + if other.is_driven() { PRESSING_DRIVEN } else { PRESSING };
        distance2 < limit * limit && ahead > 0.0 && ahead * ahead > 0.03 * distance2
    };
    near.iter()
        .map(|place| &bodies[place])
        .filter(presses)
        .max_by_key(|other| (other.flags & Body::PRESSES, Reverse(other.rank)))
}

impl Tick<'_> {
    /// The way on which agent `body` makes way for `other`.
    pub fn aside(&self, mind: &Mind, body: &Body, other: &Body) -> V {
        let way = other.want;
        let side = [-way[1], way[0]];
        let offset = minus(body.at, other.at);
        let side = if cross(way, offset) < 0.0 { [-side[0], -side[1]] } else { side };
        let frame = self.frame(mind, body.radius);
        let layer = self.ground.layer(mind.kind);
        let has_room = |way: V| {
            let moved = minus(sweep(layer, &frame, body.at, [way[0] * PROBE, way[1] * PROBE]), body.at);
            dot(moved, way) > ROOM
        };
        let across = [side, [-side[0], -side[1]]].into_iter().find(|&side| has_room(side));
        let Some(across) = across else { return way };
        // A little ahead, too: two that press on each other's sides part.
        let both = [across[0] + 0.4 * way[0], across[1] + 0.4 * way[1]];
        let length = dot(both, both).sqrt().max(1e-6);
        [both[0] / length, both[1] / length]
    }
}

impl Mind {
    /// Makes way from now on.
    pub fn step_aside(&mut self) {
        self.meet(Cause::Pressed);
        self.gives_way = STAYS;
    }

    /// None has pressed on it for so many milliseconds more: stays, or goes back.
    pub fn stay_aside(&mut self, millis: u16) {
        self.gives_way = self.gives_way.saturating_sub(millis);
        if self.gives_way == 0 {
            self.go_back(Cause::Released);
        }
    }
}
