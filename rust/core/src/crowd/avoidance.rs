//! What an agent sees of its nearest neighbours: the velocities that each leaves it, and what bears on the right of way.
//!
//! Four neighbours are looked at together, as wide as the vectors of the solver. Bodies that ghost are not seen.

use std::cmp::Ordering;

use super::body::Body;
use super::neighbours::Neighbours;
use super::outline::{Gap, cores};
use super::solver::{HalfPlane, NEIGHBOURS_MAX, Seen, avoid};
use super::tuning::TUNING;
use super::vector::{V, dot};
use super::velocity_obstacle::avoid_outlines;
use super::yielding::Meeting;

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
    /// Looks at the neighbours of an agent where not all are discs. Apart, so that what crowds of discs do fits into one function.
    #[inline(never)]
    pub fn look_at_outlines(
        &mut self,
        bodies: &[Body],
        body: &Body,
        own_way: V,
        near: &Neighbours,
        shoulders: bool,
        seconds: f32,
    ) {
        self.look::<true>(bodies, body, own_way, near, shoulders, seconds);
    }

    /// Looks at the neighbours of an agent, four at once. Without `CORES`, all are discs.
    #[inline]
    pub fn look<const CORES: bool>(
        &mut self,
        bodies: &[Body],
        body: &Body,
        own_way: V,
        near: &Neighbours,
        shoulders: bool,
        seconds: f32,
    ) {
        let own_seen = Seen { share: TUNING.avoiding_share, ..seen::<CORES>(body, body) };
        for four in near.indices().chunks(4) {
            // Lanes without a neighbour see the agent itself, and what they find is left out below.
            let other = |n: usize| four.get(n).map_or(body, |&index| &bodies[index as usize]);
            let others = [other(0), other(1), other(2), other(3)];
            let seen = others.map(|other| seen::<CORES>(other, body));
            let cores = others.map(|other| cores(body.outline(), other.outline()));
            // Discs among others leave each other what they leave alone, in half of the time.
            let found = if CORES && cores.as_flattened().iter().any(|&half| half > 0.0) {
                avoid_outlines(&own_seen, seen, cores, TUNING.horizon, seconds)
            } else {
                avoid(&own_seen, seen, TUNING.horizon, seconds)
            };
            for (&other, &plane) in others[..four.len()].iter().zip(&found) {
                if other.ghosts() {
                    continue;
                }
                self.meeting.see::<CORES>(body, own_way, other);
                // The other leaves no half-plane then: contact moves it aside instead.
                if shoulders && is_shouldered::<CORES>(body, other) {
                    self.is_shouldering = true;
                    continue;
                }
                self.planes[self.count] = plane;
                self.count += 1;
            }
        }
    }
}

/// Returns `true` if a body walks on against one that rests for another goal: contact moves that aside.
fn is_shouldered<const CORES: bool>(body: &Body, other: &Body) -> bool {
    if !other.gives() || other.group == body.group {
        return false;
    }
    let Gap { offset, touch } = body.gap::<CORES>(other);
    let touch = touch - TUNING.shoulders_depth * body.radius.min(other.radius);
    let limit = touch + TUNING.away;
    let distance2 = dot(offset, offset);
    distance2 > touch * touch && distance2 < limit * limit
}

#[inline]
fn seen<const CORES: bool>(body: &Body, by: &Body) -> Seen {
    // Most are on their way and of one class: one comparison tells.
    let share = if body.flags & (Body::RESTS | Body::CLASS) == by.class() {
        match body.rank.cmp(&by.rank) {
            Ordering::Less => TUNING.avoiding_share + TUNING.avoiding_more,
            Ordering::Equal => TUNING.avoiding_share,
            Ordering::Greater => TUNING.avoiding_share - TUNING.avoiding_more,
        }
    } else if body.rests() || body.class() > by.class() {
        // The other does nothing: all is up to the one that sees it.
        1.0
    } else {
        TUNING.avoiding_lesser_share
    };
    let rounding = if CORES { body.outline().rounding() } else { body.radius };
    Seen { at: body.at, velocity: body.velocity, rounding, share }
}
