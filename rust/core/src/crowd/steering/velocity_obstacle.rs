//! The velocities that outlines leave to each other.
//!
//! The relative velocities that make an agent touch another one within some seconds are the outline that both
//! have together, as it lies from the agent, divided by every time until then: a cone between the two
//! tangents from no velocity to that outline, cut off by the outline divided by the whole time. The agent
//! keeps to the far side of the line through the nearest point of its boundary, as among discs (van den Berg
//! et al., *Reciprocal n-Body Collision Avoidance*, 2011, section 4, where the outline is a disc).

use wide::f32x4;

use super::solver::{HalfPlane, Seen};
use crate::crowd::numbers::vector::{Lanes, V, cross, dot, minus, splat};

#[inline]
fn select(mask: f32x4, a: Lanes, b: Lanes) -> Lanes {
    [mask.bitselect(a[0], b[0]), mask.bitselect(a[1], b[1])]
}

/// Returns the velocities that an agent with a `velocity` may take because of four others, half of whose
/// cores with its own are `core`, so that their outlines do not touch within `horizon` seconds; when they do
/// already, so that they part within `relief`.
pub(in crate::crowd) fn avoid_outlines(
    velocity: V,
    others: &Seen,
    core: Lanes,
    horizon: f32,
    relief: f32,
) -> [HalfPlane; 4] {
    let Seen { offset, velocity: theirs, touch, share } = *others;
    let velocity = splat(velocity);
    let relative = minus(velocity, theirs);
    let (zero, far) = (f32x4::ZERO, f32x4::splat(f32::MAX));
    let beyond = [0, 1].map(|n| (offset[n].abs() - core[n]).fast_max(zero));
    let apart = dot(beyond, beyond).simd_gt(touch * touch);
    let rate = apart.bitselect(f32x4::splat(1.0 / horizon), f32x4::splat(1.0 / relief));

    // The outline divided by the time, where it is nearest and faces the agent.
    let (half, rounding) = (core.map(|half| half * rate), touch * rate);
    let from_middle = [0, 1].map(|n| relative[n] - offset[n] * rate);
    let from_core = [0, 1].map(|n| from_middle[n] - from_middle[n].fast_max(-half[n]).fast_min(half[n]));
    let length = dot(from_core, from_core).sqrt();
    let is_outside = length.simd_gt(f32x4::splat(1e-6));
    let (out, depth_out) = (from_core.map(|from| from / length), rounding - length);
    let nearest = [0, 1].map(|n| relative[n] + out[n] * depth_out);
    let is_front = is_outside & (dot(out, nearest).simd_lt(zero) | !apart);
    // From within or behind it: across a side that faces the agent.
    let side = offset.map(|offset| offset.simd_gt(zero).bitselect(-f32x4::ONE, f32x4::ONE));
    let depths = [0, 1].map(|n| {
        let faces = offset[n].abs().simd_gt(core[n] + touch) | !apart;
        let is_opposite = from_middle[1 - n].abs().simd_le(half[1 - n]);
        (faces & is_opposite).bitselect(half[n] + rounding - side[n] * from_middle[n], far)
    });
    let is_upright = depths[0].simd_lt(depths[1]);
    let across = select(is_upright, [side[0], zero], [zero, side[1]]);
    let depth_across = depths[0].fast_min(depths[1]);

    // The tangents: of those to the rounded corners, the outermost on each side.
    let mut left = [zero; 2];
    let mut right = [zero; 2];
    for (n, [x, y]) in [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]].into_iter().enumerate() {
        let corner = [offset[0] + core[0] * f32x4::splat(x), offset[1] + core[1] * f32x4::splat(y)];
        let distance2 = dot(corner, corner);
        let leg = (distance2 - touch * touch).fast_max(zero).sqrt() / distance2;
        let aside = touch / distance2;
        let to_left = [corner[0] * leg - corner[1] * aside, corner[1] * leg + corner[0] * aside];
        let to_right = [corner[0] * leg + corner[1] * aside, corner[1] * leg - corner[0] * aside];
        if n == 0 {
            (left, right) = (to_left, to_right);
        } else {
            left = select(cross(left, to_left).simd_gt(zero), to_left, left);
            right = select(cross(right, to_right).simd_lt(zero), to_right, right);
        }
    }
    let (depth_left, depth_right) = (-cross(left, relative), cross(right, relative));
    let is_left = depth_left.simd_lt(depth_right);
    let beside = select(is_left, [-left[1], left[0]], [right[1], -right[0]]);
    let depth_beside = apart.bitselect(depth_left.fast_min(depth_right), far);

    let is_beside = depth_beside.simd_lt(depth_across);
    let normal = select(is_front, out, select(is_beside, beside, across));
    let depth = is_front.bitselect(depth_out, depth_beside.fast_min(depth_across));
    let change = depth * share;
    let point = [0, 1].map(|n| velocity[n] + normal[n] * change);
    HalfPlane::four(point, [normal[1], -normal[0]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::steering::solver::avoid;

    const HORIZON: f32 = 1.0;

    /// Another one, as it lies from an agent.
    #[derive(Clone, Copy, Debug)]
    struct Other {
        offset: V,
        velocity: V,
        touch: f32,
        /// Half of both cores.
        core: V,
    }

    impl Other {
        fn random(random: &mut impl FnMut(f32) -> f32) -> Self {
            Self {
                offset: [random(4.0), random(4.0)],
                touch: 0.05 + random(0.8).abs(),
                velocity: [random(2.0), random(2.0)],
                core: [random(1.5).abs(), random(1.5).abs()],
            }
        }

        fn seen(self) -> Seen {
            let [offset, velocity] = [self.offset, self.velocity].map(|pair| pair.map(f32x4::splat));
            Seen { offset, velocity, touch: f32x4::splat(self.touch), share: f32x4::ONE }
        }

        fn plane(self, velocity: V, relief: f32) -> HalfPlane {
            avoid_outlines(velocity, &self.seen(), self.core.map(f32x4::splat), HORIZON, relief)[0]
        }

        /// Returns how far it is apart.
        fn beyond(self, offset: V) -> f32 {
            let [x, y] = [0, 1].map(|axis| (offset[axis].abs() - self.core[axis]).max(0.0));
            x.hypot(y)
        }

        /// Returns `true` if they touch within the time.
        fn touches(self, relative: V) -> bool {
            (1..=2000).any(|n| {
                let time = n as f32 / 2000.0 * HORIZON;
                self.beyond([0, 1].map(|axis| self.offset[axis] - relative[axis] * time)) < self.touch
            })
        }
    }

    fn numbers() -> impl FnMut(f32) -> f32 {
        let mut state = 7_u32;
        move |scale| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((state >> 8) as f32 / 8_388_608.0 - 1.0) * scale
        }
    }

    /// Looked at velocity by velocity: on the line's point the touches end, and there is no end nearer.
    #[test]
    fn the_line_goes_through_the_nearest_velocity_without_a_touch() {
        let mut random = numbers();
        let mut count = 0;
        while count < 400 {
            let (other, velocity) = (Other::random(&mut random), [random(3.0), random(3.0)]);
            if other.beyond(other.offset) <= other.touch + 0.02 {
                continue;
            }
            count += 1;
            let relative = minus(velocity, other.velocity);
            let plane = other.plane(velocity, 0.1);
            let normal = [-plane.direction[1], plane.direction[0]];
            let change = minus(plane.point, velocity);
            let distance = change[0].hypot(change[1]);
            let moved = |by: f32| [0, 1].map(|n| relative[n] + change[n] + normal[n] * by);
            let what = format!("{other:?}, {velocity:?}: {plane:?}");
            assert!(!other.touches(moved(0.02)), "outside: {what}");
            assert!(other.touches(moved(-0.02)), "inside: {what}");
            for turn in 0..32 {
                let (sine, cosine) = (turn as f32 * std::f32::consts::TAU / 32.0).sin_cos();
                let near = (distance - 0.03).max(0.0);
                let beside = [relative[0] + cosine * near, relative[1] + sine * near];
                assert_eq!(other.touches(beside), other.touches(relative), "{turn}: {what}");
            }
        }
    }

    #[test]
    fn discs_leave_what_they_leave_without_cores() {
        let mut random = numbers();
        for _ in 0..2000 {
            let other = Other { core: [0.0; 2], ..Other::random(&mut random) };
            let velocity = [random(3.0), random(3.0)];
            let discs = avoid(velocity, &other.seen(), HORIZON, 0.1)[0];
            let any = other.plane(velocity, 0.1);
            let off = minus(discs.direction, any.direction);
            assert!(off[0].hypot(off[1]) < 0.01, "{other:?} {velocity:?}: {discs:?} {any:?}");
            let by = minus(any.point, discs.point);
            let depth = discs.direction[0] * by[1] - discs.direction[1] * by[0];
            assert!(depth.abs() < 0.01, "{other:?} {velocity:?}: {discs:?} {any:?}");
        }
    }

    #[test]
    fn whatever_lies_on_an_agent_leaves_it_a_line() {
        let mut random = numbers();
        for n in 0..2000 {
            let mut other = Other::random(&mut random);
            if n % 3 == 0 {
                other.offset = [0.0; 2];
            }
            let velocity = if n % 2 == 0 { other.velocity } else { [random(3.0), random(3.0)] };
            let plane = other.plane(velocity, 1.0 / 60.0);
            let length = plane.direction[0].hypot(plane.direction[1]);
            assert!((length - 1.0).abs() < 1e-3 && plane.point.iter().all(|v| v.is_finite()), "{other:?}");
        }
    }
}
