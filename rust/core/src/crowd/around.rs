//! What an agent sees of its nearest neighbours: the velocities that each leaves it, and what bears on the right of way.
//!
//! Four neighbours are looked at together, as wide as the vectors of the solver. Bodies that ghost are not seen.

use std::cmp::Ordering;

use super::body::Body;
use super::near::Near;
use super::right_of_way::Meeting;
use super::solver::{HalfPlane, NEIGHBOURS_MAX, Seen, avoid};
use super::vector::{V, dot, minus};

/// Seconds ahead in which no other agent shall be touched.
const HORIZON: f32 = 1.0;
/// The part of the avoiding that each of two takes. Half would do if both had all the room that they need; where many press,
/// more leaves less overlap and lets a tenth more through an exit.
const SHARE: f32 = 0.9;
/// The one that goes first takes less of it, so that two in front of a gap do not wait for each other.
const MORE: f32 = 0.05;
/// What is left of it towards one of a lower class.
const LESSER_SHARE: f32 = 0.2;
/// No deeper into one than this part of the smaller radius.
const SHOULDERS_DEPTH: f32 = 0.03;
/// Only through agents whose discs are so near, in cells.
const SHOULDERS_REACH: f32 = 0.3;

/// What an agent sees of its neighbours.
#[derive(Default)]
pub(super) struct Around {
    pub meeting: Meeting,
    /// The velocities that each leaves it, so many of them.
    pub planes: [HalfPlane; NEIGHBOURS_MAX],
    pub count: usize,
    /// It pushes through one that rests.
    pub is_shouldering: bool,
}

impl Around {
    /// Looks at the neighbours of an agent, four at once.
    #[inline]
    pub fn look(
        &mut self,
        bodies: &[Body],
        body: &Body,
        own_way: V,
        near: &Near,
        shoulders: bool,
        seconds: f32,
    ) {
        let own_seen = Seen { at: body.at, velocity: body.velocity, radius: body.radius, share: SHARE };
        for four in near.places().chunks(4) {
            let other = |n: usize| four.get(n).map_or(body, |&place| &bodies[place as usize]);
            let others = [other(0), other(1), other(2), other(3)];
            let [a, b, c, d] = others;
            let seen = |other: &Body| seen(other, body);
            let found = avoid(&own_seen, [seen(a), seen(b), seen(c), seen(d)], HORIZON, seconds);
            for (&other, &plane) in others[..four.len()].iter().zip(&found) {
                if other.slips() {
                    continue;
                }
                self.meeting.look_at(body, own_way, other, minus(other.at, body.at));
                if shoulders && is_shouldered(body, other) {
                    self.is_shouldering = true;
                    continue;
                }
                self.planes[self.count] = plane;
                self.count += 1;
            }
        }
    }
}

/// Whether a body walks on against one that rests for another goal: contact moves that aside.
fn is_shouldered(body: &Body, other: &Body) -> bool {
    if !other.gives() || other.group == body.group {
        return false;
    }
    let offset = minus(other.at, body.at);
    let touch = body.radius + other.radius - SHOULDERS_DEPTH * body.radius.min(other.radius);
    let limit = touch + SHOULDERS_REACH;
    let distance2 = dot(offset, offset);
    distance2 > touch * touch && distance2 < limit * limit
}

#[inline]
fn seen(body: &Body, by: &Body) -> Seen {
    // Most are on their way and of one class.
    let share = if body.flags & (Body::RESTS | Body::CLASS) == by.class() {
        match body.rank.cmp(&by.rank) {
            Ordering::Less => SHARE + MORE,
            Ordering::Equal => SHARE,
            Ordering::Greater => SHARE - MORE,
        }
    } else if body.rests() || body.class() > by.class() {
        1.0
    } else {
        LESSER_SHARE
    };
    Seen { at: body.at, velocity: body.velocity, radius: body.radius, share }
}
