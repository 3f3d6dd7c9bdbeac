//! What an agent sees of its nearest neighbours: the velocities that each leaves it, and what bears on the
//! right of way.
//!
//! Four neighbours are looked at together, as wide as the vectors of the solver. Bodies that ghost are not
//! seen.

use wide::f32x4;

use super::solver::{HalfPlane, PLANES_MAX, Seen, avoid};
use super::velocity_obstacle::avoid_outlines;
use crate::crowd::ground::neighbours::{Neighbours, beyond};
use crate::crowd::numbers::tuning::TUNING;
use crate::crowd::numbers::vector::{LANES, Lanes, V, minus, splat};
use crate::crowd::right_of_way::{Four, Meeting, ones};
use crate::crowd::state::avoidance::Avoidance;
use crate::crowd::state::body::Body;

/// What an agent sees of its neighbours.
#[derive(Default)]
pub(in crate::crowd) struct Around {
    pub meeting: Meeting,
    /// The velocities that each leaves it, so many of them, and more where it stands its ground or keeps
    /// behind another.
    pub planes: [HalfPlane; PLANES_MAX],
    pub count: usize,
}

impl Around {
    /// Adds the velocities that something else leaves it.
    pub const fn add(&mut self, plane: HalfPlane) {
        self.planes[self.count] = plane;
        self.count += 1;
    }

    /// Looks at the neighbours of an agent where not all are discs. Apart, so that what crowds of discs do
    /// fits into one function.
    #[inline(never)]
    pub fn look_at_outlines(
        &mut self,
        all: (&[Body], &[Avoidance]),
        (own, body): (usize, &Body),
        own_way: V,
        near: &Neighbours,
        seconds: f32,
    ) {
        self.look::<true>(all, (own, body), own_way, near, seconds);
    }

    /// Looks at the neighbours of an agent, four at once. Without `CORES`, all are discs.
    #[inline]
    pub fn look<const CORES: bool>(
        &mut self,
        (bodies, avoidance): (&[Body], &[Avoidance]),
        (own, body): (usize, &Body),
        own_way: V,
        near: &Neighbours,
        seconds: f32,
    ) {
        for (places, count) in near.fours() {
            // Lanes without a neighbour see the agent itself, and what they find is left out.
            let other = |n: usize| &bodies[if n < count { places[n] as usize } else { own }];
            let others = [other(0), other(1), other(2), other(3)];
            let [x, y, vx, vy] = f32x4::transpose(others.map(Body::motion));
            let offset = minus([x, y], splat(body.at));
            let touch = touch::<CORES>(body, others);
            let mut share = others.map(|other| share(other, body, own_way));
            if !avoidance.is_empty() {
                take_all(&mut share, avoidance, own, &places[..count]);
            }
            let share = f32x4::new(share);
            let seen = Seen { offset, velocity: [vx, vy], touch, share };
            let half = if CORES { cores(body, others) } else { [f32x4::ZERO; 2] };
            // Discs among others leave each other what they leave alone, in half of the time.
            let is_round = !CORES || !(half[0] + half[1]).simd_gt(f32x4::ZERO).any();
            let planes = if is_round {
                avoid(body.velocity, &seen, TUNING.horizon, seconds)
            } else {
                avoid_outlines(body.velocity, &seen, half, TUNING.horizon, seconds)
            };
            let gap = if is_round { offset } else { [0, 1].map(|axis| beyond(offset[axis], half[axis])) };
            let seen = Four::new(others, gap, touch, count);
            self.meeting.see(body, own_way, &seen);
            for lane in ones(seen.are_seen) {
                self.planes[self.count] = planes[lane];
                self.count += 1;
            }
        }
    }
}

/// All of the avoiding is up to an agent where the other does not avoid it.
#[inline(never)]
fn take_all(share: &mut [f32; LANES], avoidance: &[Avoidance], own: usize, others: &[u32]) {
    for (share, &other) in share.iter_mut().zip(others) {
        if !avoidance[other as usize].avoids(avoidance[own]) {
            *share = 1.0;
        }
    }
}

/// Returns how long the gap to each of four others is when they touch: see [`Gap`].
#[inline]
fn touch<const CORES: bool>(body: &Body, others: [&Body; LANES]) -> f32x4 {
    let rounding = |body: &Body| if CORES { body.outline().rounding() } else { body.radius };
    f32x4::new(others.map(rounding)) + f32x4::splat(rounding(body))
}

/// Returns the half of the cores of the Minkowski sums with four others.
fn cores(body: &Body, others: [&Body; LANES]) -> Lanes {
    let own = body.core.half();
    let half = others.map(|other| other.core.half());
    [0, 1].map(|axis| f32x4::new(half.map(|half| half[axis])) + f32x4::splat(own[axis]))
}

/// Returns how much of the avoiding is up to the agent that sees a body: see [`Seen::share`].
#[inline]
fn share(body: &Body, by: &Body, way: V) -> f32 {
    // Most are on their way and of one class: one comparison tells. Which goes first could not be guessed.
    let shares = [
        TUNING.avoiding_share,
        TUNING.avoiding_share + TUNING.avoiding_more,
        TUNING.avoiding_share - TUNING.avoiding_more,
    ];
    if body.flags & (Body::RESTS | Body::CLASS) == by.class() {
        if body.group == by.group {
            let ahead = body.leads(by, way);
            if ahead != 0.0 {
                return if ahead > 0.0 { 1.0 } else { TUNING.ahead_share };
            }
        }
        shares[usize::from(body.rank < by.rank) + 2 * usize::from(body.rank > by.rank)]
    } else if body.rests() || body.class() > by.class() {
        // The other does nothing: all is up to the one that sees it.
        1.0
    } else {
        TUNING.avoiding_lesser_share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_the_avoiding_is_up_to_the_one_that_avoids() {
        let of = |layers, mask| Avoidance { layers, mask };
        // The first avoids all others, of which the second does not avoid it.
        let avoidance = [of(1, 7), of(1, 1), of(2, 2), of(4, 5)];
        let mut share = [0.5; LANES];
        take_all(&mut share, &avoidance, 0, &[1, 2, 3]);
        assert_eq!(share.map(f32::to_bits), [0.5, 1.0, 0.5, 0.5].map(f32::to_bits));
    }
}
