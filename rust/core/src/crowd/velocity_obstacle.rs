//! The velocities that outlines leave to each other.
//!
//! The relative velocities that make an agent touch another one within some seconds are the outline that both have together, as it lies
//! from the agent, divided by every time until then: a cone between the two tangents from no velocity to that outline, cut off by the
//! outline divided by the whole time. The agent keeps to the far side of the line through the nearest point of its boundary, as among
//! discs (van den Berg et al., *Reciprocal n-Body Collision Avoidance*, 2011, section 4, where the outline is a disc).

use wide::f32x4;

use super::solver::{HalfPlane, Seen};
use super::vector::V;

type Lanes = [f32x4; 2];

#[inline]
fn dot(a: Lanes, b: Lanes) -> f32x4 {
    a[0] * b[0] + a[1] * b[1]
}

#[inline]
fn cross(a: Lanes, b: Lanes) -> f32x4 {
    a[0] * b[1] - a[1] * b[0]
}

#[inline]
fn select(mask: f32x4, a: Lanes, b: Lanes) -> Lanes {
    [mask.bitselect(a[0], b[0]), mask.bitselect(a[1], b[1])]
}

/// Returns the velocities that `own` may take because of four others, half of whose cores with its own are `cores`, so that their
/// outlines do not touch within `horizon` seconds; when they do already, so that they part within `relief`.
pub(super) fn avoid_outlines(
    own: &Seen,
    others: [Seen; 4],
    cores: [V; 4],
    horizon: f32,
    relief: f32,
) -> [HalfPlane; 4] {
    let lanes = |of: &dyn Fn(&Seen) -> f32| f32x4::new(others.each_ref().map(of));
    let offset = [0, 1].map(|axis| lanes(&|seen| seen.at[axis] - own.at[axis]));
    let theirs = [0, 1].map(|axis| lanes(&|seen| seen.velocity[axis]));
    let core = [0, 1].map(|axis| f32x4::new(cores.map(|core| core[axis])));
    let (touch, share) = (lanes(&|seen| seen.rounding + own.rounding), lanes(&|seen| seen.share));
    let velocity = own.velocity.map(f32x4::splat);
    let relative = [velocity[0] - theirs[0], velocity[1] - theirs[1]];
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
    let planes = f32x4::transpose([point[0], point[1], normal[1], -normal[0]]);
    planes.map(HalfPlane::new)
}

#[cfg(test)]
mod tests {
    use super::super::solver::avoid;
    use super::super::vector::minus;
    use super::*;

    const HORIZON: f32 = 1.0;

    /// Whether they touch within the time.
    fn touches((seen, core): &(Seen, V), relative: V) -> bool {
        (1..=2000).any(|n| {
            let time = n as f32 / 2000.0 * HORIZON;
            let beyond =
                [0, 1].map(|axis| ((seen.at[axis] - relative[axis] * time).abs() - core[axis]).max(0.0));
            beyond[0] * beyond[0] + beyond[1] * beyond[1] < seen.rounding * seen.rounding
        })
    }

    fn numbers() -> impl FnMut(f32) -> f32 {
        let mut state = 7_u32;
        move |scale| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((state >> 8) as f32 / 8_388_608.0 - 1.0) * scale
        }
    }

    /// Another one, and half of both cores.
    fn random_seen(random: &mut impl FnMut(f32) -> f32) -> (Seen, V) {
        let seen = Seen {
            at: [random(4.0), random(4.0)],
            rounding: 0.05 + random(0.8).abs(),
            velocity: [random(2.0), random(2.0)],
            share: 1.0,
        };
        (seen, [random(1.5).abs(), random(1.5).abs()])
    }

    fn own(velocity: V) -> Seen {
        Seen { velocity, ..Seen::default() }
    }

    fn plane(velocity: V, (seen, core): (Seen, V), relief: f32) -> HalfPlane {
        avoid_outlines(&own(velocity), [seen; 4], [core; 4], HORIZON, relief)[0]
    }

    fn is_apart((seen, core): &(Seen, V)) -> bool {
        let beyond = [0, 1].map(|axis| (seen.at[axis].abs() - core[axis]).max(0.0));
        beyond[0].hypot(beyond[1]) > seen.rounding + 0.02
    }

    /// Looked at velocity by velocity: on the line's point the touches end, and there is no end nearer.
    #[test]
    fn the_line_goes_through_the_nearest_velocity_without_a_touch() {
        let mut random = numbers();
        let mut count = 0;
        while count < 400 {
            let (seen, velocity) = (random_seen(&mut random), [random(3.0), random(3.0)]);
            if !is_apart(&seen) {
                continue;
            }
            count += 1;
            let relative = minus(velocity, seen.0.velocity);
            let plane = plane(velocity, seen, 0.1);
            let normal = [-plane.direction[1], plane.direction[0]];
            let change = minus(plane.point, velocity);
            let distance = change[0].hypot(change[1]);
            let moved = |by: f32| [0, 1].map(|n| relative[n] + change[n] + normal[n] * by);
            let what = format!("{seen:?}, {velocity:?}: {plane:?}");
            assert!(!touches(&seen, moved(0.02)), "outside: {what}");
            assert!(touches(&seen, moved(-0.02)), "inside: {what}");
            for turn in 0..32 {
                let (sine, cosine) = (turn as f32 * std::f32::consts::TAU / 32.0).sin_cos();
                let near = (distance - 0.03).max(0.0);
                let beside = [relative[0] + cosine * near, relative[1] + sine * near];
                assert_eq!(touches(&seen, beside), touches(&seen, relative), "{turn}: {what}");
            }
        }
    }

    #[test]
    fn discs_leave_what_they_leave_without_cores() {
        let mut random = numbers();
        for _ in 0..2000 {
            let (seen, velocity) = (random_seen(&mut random).0, [random(3.0), random(3.0)]);
            let discs = avoid(&own(velocity), [seen; 4], HORIZON, 0.1)[0];
            let any = plane(velocity, (seen, [0.0; 2]), 0.1);
            let off = minus(discs.direction, any.direction);
            assert!(off[0].hypot(off[1]) < 0.01, "{seen:?} {velocity:?}: {discs:?} {any:?}");
            let by = minus(any.point, discs.point);
            let depth = discs.direction[0] * by[1] - discs.direction[1] * by[0];
            assert!(depth.abs() < 0.01, "{seen:?} {velocity:?}: {discs:?} {any:?}");
        }
    }

    #[test]
    fn whatever_lies_on_an_agent_leaves_it_a_line() {
        let mut random = numbers();
        for n in 0..2000 {
            let mut seen = random_seen(&mut random);
            if n % 3 == 0 {
                seen.0.at = [0.0; 2];
            }
            let velocity = if n % 2 == 0 { seen.0.velocity } else { [random(3.0), random(3.0)] };
            let plane = plane(velocity, seen, 1.0 / 60.0);
            let length = plane.direction[0].hypot(plane.direction[1]);
            assert!((length - 1.0).abs() < 1e-3 && plane.point.iter().all(|v| v.is_finite()), "{seen:?}");
        }
    }
}
