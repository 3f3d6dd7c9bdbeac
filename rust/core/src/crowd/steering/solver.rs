//! The velocity nearest to a preferred one that keeps clear of every neighbour.
//!
//! Each neighbour leaves a half-plane of velocities: optimal reciprocal collision avoidance (van den Berg,
//! Guy, Lin & Manocha, *Reciprocal n-Body Collision Avoidance*, 2011, section 4). The best velocity in all
//! half-planes and in the disc of the agent's speed is found by adding them one by one; where they leave
//! nothing, it is the one with the least violation (sections 5.1 and 5.3; de Berg et al., *Computational
//! Geometry*, chapter 4).

use wide::f32x4;

use crate::crowd::ground::neighbours::NEIGHBOURS_MAX;
use crate::crowd::numbers::tuning::TUNING;
use crate::crowd::numbers::vector::{Lanes, V, cross, dot, minus, splat};

/// Half-planes of an agent: one for each neighbour, one where it stands its ground, and one where it keeps
/// behind another.
pub(in crate::crowd) const PLANES_MAX: usize = NEIGHBOURS_MAX + 2;
/// Lines that are as good as parallel: the sine of the angle between them.
const PARALLEL: f32 = 1e-5;

#[inline]
fn along(a: V, b: V, t: f32) -> V {
    [a[0] + b[0] * t, a[1] + b[1] * t]
}

/// The velocities on one side of a line: those v with `cross(direction, v − point) ≥ 0`.
#[derive(Clone, Copy, Default, Debug)]
pub(in crate::crowd) struct HalfPlane {
    pub point: V,
    pub direction: V,
}

impl HalfPlane {
    /// By points on the lines and their directions.
    #[inline]
    pub fn four(point: Lanes, direction: Lanes) -> [Self; 4] {
        f32x4::transpose([point[0], point[1], direction[0], direction[1]]).map(|numbers| {
            let [x, y, dx, dy] = numbers.to_array();
            Self { point: [x, y], direction: [dx, dy] }
        })
    }

    /// Returns how far `velocity` is on the wrong side; zero or less on the right one.
    #[inline]
    fn depth(&self, velocity: V) -> f32 {
        cross(self.direction, minus(self.point, velocity))
    }
}

/// Four agents as they are seen by one that steers clear of them.
#[derive(Clone, Copy, Debug)]
pub(in crate::crowd) struct Seen {
    /// From its centre to theirs.
    pub offset: Lanes,
    pub velocity: Lanes,
    /// How far the outlines of both come from their cores together: the sum of the radii of discs.
    pub touch: f32x4,
    /// How much of the avoiding is up to the agent that sees them: 0.85 to 0.95 by rank, 0.2 towards a lower
    /// class, and 1 towards one that rests or is of a higher class.
    pub share: f32x4,
}

/// Returns the velocities that an agent with a `velocity` may take because of four others, so that their
/// discs do not touch within `horizon` seconds; when they do already, so that they part within `relief`.
#[allow(clippy::inline_always, reason = "crowd bench: all stays in registers")]
#[inline(always)]
pub(in crate::crowd) fn avoid(velocity: V, others: &Seen, horizon: f32, relief: f32) -> [HalfPlane; 4] {
    let Seen { offset, velocity: theirs, touch: reach, share } = *others;
    let velocity = splat(velocity);
    let relative = minus(velocity, theirs);
    let zero = f32x4::ZERO;
    let (distance2, reach2) = (dot(offset, offset), reach * reach);
    let apart = distance2.simd_gt(reach2);
    let rate = apart.bitselect(f32x4::splat(1.0 / horizon), f32x4::splat(1.0 / relief));
    // The velocities that lead to a touch are a cone, cut off by a disc around `offset * rate`.
    let from_disc = [relative[0] - offset[0] * rate, relative[1] - offset[1] * rate];
    let length2 = dot(from_disc, from_disc);
    let facing = dot(from_disc, offset);
    let is_tip = facing.simd_lt(zero) & (facing * facing).simd_gt(reach2 * length2);
    let to_disc = is_tip | distance2.simd_le(reach2);
    // The distance from the disc's middle, or the length of the cone's leg.
    let root = to_disc.bitselect(length2, distance2 - reach2).sqrt();
    // Both at one place with one velocity: any way out is as good.
    let is_same = root.simd_le(f32x4::splat(1e-6)) & to_disc;
    let over = f32x4::ONE / to_disc.bitselect(is_same.bitselect(f32x4::ONE, root), distance2);
    let unit =
        [is_same.bitselect(f32x4::ONE, from_disc[0] * over), is_same.bitselect(zero, from_disc[1] * over)];
    let depth = reach * rate - root;
    // The nearer side of the cone.
    let is_right = cross(offset, from_disc).simd_gt(zero);
    let leg = is_right.bitselect(root, -root) * over;
    let side = reach * over;
    let side = [offset[0] * leg - offset[1] * side, offset[0] * side + offset[1] * leg];
    let forward = dot(relative, side);
    let direction = [to_disc.bitselect(unit[1], side[0]), to_disc.bitselect(-unit[0], side[1])];
    let change = [
        to_disc.bitselect(unit[0] * depth, side[0] * forward - relative[0]),
        to_disc.bitselect(unit[1] * depth, side[1] * forward - relative[1]),
    ];
    let point = [velocity[0] + change[0] * share, velocity[1] + change[1] * share];
    HalfPlane::four(point, direction)
}

/// Returns the best velocity on the line of `planes[last]` that the planes before it and the disc leave.
#[inline]
fn on_line(planes: &[HalfPlane], last: usize, speed: f32, wanted: V, is_direction: bool) -> Option<V> {
    let HalfPlane { point, direction } = planes[last];
    let middle = dot(point, direction);
    let inside = middle * middle + speed * speed - dot(point, point);
    if inside < 0.0 {
        return None;
    }
    let half = inside.sqrt();
    let (mut low, mut high) = (-middle - half, -middle + half);
    for other in &planes[..last] {
        let sine = cross(direction, other.direction);
        let ahead = cross(other.direction, minus(point, other.point));
        if sine > -PARALLEL && sine < PARALLEL {
            if ahead < 0.0 {
                return None;
            }
            continue;
        }
        let t = ahead / sine;
        if sine > 0.0 {
            high = high.min(t);
        } else {
            low = low.max(t);
        }
        if low > high {
            return None;
        }
    }
    let t = if is_direction {
        if dot(wanted, direction) > 0.0 { high } else { low }
    } else {
        dot(direction, minus(wanted, point)).max(low).min(high)
    };
    Some(along(point, direction, t))
}

/// Returns the best velocity in all planes; or that of the planes before the first that leaves nothing, with
/// its number.
#[inline]
fn in_planes(planes: &[HalfPlane], speed: f32, wanted: V, is_direction: bool) -> (V, usize) {
    let mut best = wanted;
    if is_direction {
        best = [wanted[0] * speed, wanted[1] * speed];
    } else {
        let length2 = dot(wanted, wanted);
        if length2 > speed * speed {
            let scale = speed / length2.sqrt();
            best = [wanted[0] * scale, wanted[1] * scale];
        }
    }
    for (n, plane) in planes.iter().enumerate() {
        if plane.depth(best) > 0.0 {
            match on_line(planes, n, speed, wanted, is_direction) {
                Some(velocity) => best = velocity,
                None => return (best, n),
            }
        }
    }
    (best, planes.len())
}

/// Returns the velocity nearest to `wanted` within `speed` that lies in all `planes`, of which there are at
/// most [`PLANES_MAX`]; where there is none, the one whose greatest depth on a wrong side is least.
pub(in crate::crowd) fn solve(planes: &[HalfPlane], speed: f32, wanted: V) -> V {
    let (best, done) = in_planes(planes, speed, wanted, false);
    let best = if done == planes.len() { best } else { least_deep(planes, done, speed, best) };
    // Lines that begin far away leave rounding errors.
    let length2 = dot(best, best);
    if length2 <= speed * speed {
        return best;
    }
    let scale = speed / length2.sqrt();
    [best[0] * scale, best[1] * scale]
}

/// Returns the velocity that is `fixed` on `axis`, as by a wall, and nearest to `wanted` within `speed` in
/// all `planes`; where they leave nothing, the middle between what two of them ask for.
pub(in crate::crowd) fn along_wall(
    planes: &[HalfPlane],
    axis: usize,
    fixed: f32,
    speed: f32,
    wanted: V,
) -> V {
    let free = 1 - axis;
    let most = (speed * speed - fixed * fixed).max(0.0).sqrt();
    let (mut least, mut last) = (-most, most);
    for plane in planes {
        let inward = [-plane.direction[1], plane.direction[0]];
        if inward[free].abs() < TUNING.across {
            continue;
        }
        let bound = plane.point[free] - inward[axis] * (fixed - plane.point[axis]) / inward[free];
        if inward[free] > 0.0 {
            least = least.max(bound);
        } else {
            last = last.min(bound);
        }
    }
    let best = if least <= last { wanted[free].clamp(least, last) } else { (least + last) * 0.5 };
    let mut velocity = [fixed; 2];
    velocity[free] = best.clamp(-most, most);
    velocity
}

#[cold]
fn least_deep(planes: &[HalfPlane], begin: usize, speed: f32, mut best: V) -> V {
    let mut depth = 0.0;
    let mut between = [HalfPlane::default(); PLANES_MAX];
    for n in begin..planes.len() {
        let plane = planes[n];
        if plane.depth(best) <= depth {
            continue;
        }
        // Against each plane before, the line on which both are equally deep.
        let mut count = 0;
        for other in &planes[..n] {
            let sine = cross(plane.direction, other.direction);
            let point = if sine > -PARALLEL && sine < PARALLEL {
                if dot(plane.direction, other.direction) > 0.0 {
                    continue;
                }
                [(plane.point[0] + other.point[0]) * 0.5, (plane.point[1] + other.point[1]) * 0.5]
            } else {
                let t = cross(other.direction, minus(plane.point, other.point)) / sine;
                along(plane.point, plane.direction, t)
            };
            let way = minus(other.direction, plane.direction);
            let length = dot(way, way).sqrt().max(1e-9);
            between[count] = HalfPlane { point, direction: [way[0] / length, way[1] / length] };
            count += 1;
        }
        let inward = [-plane.direction[1], plane.direction[0]];
        let (found, done) = in_planes(&between[..count], speed, inward, true);
        // Rounding may leave nothing where there is something; the old velocity is kept then.
        if done == count {
            best = found;
        }
        depth = plane.depth(best);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what one leaves that is seen at an offset, with a velocity, and so far off when it touches.
    fn plane(own: V, offset: V, velocity: V, touch: f32) -> HalfPlane {
        let (offset, velocity, share) = (splat(offset), splat(velocity), f32x4::splat(0.5));
        avoid(own, &Seen { offset, velocity, touch: f32x4::splat(touch), share }, 1.0, 0.1)[0]
    }

    fn head_on(distance: f32) -> HalfPlane {
        plane([1.0, 0.0], [distance, 0.01], [-1.0, 0.0], 0.8)
    }

    #[test]
    fn an_agent_alone_goes_where_it_wants() {
        assert_eq!(solve(&[], 2.0, [1.0, 0.5]).map(f32::to_bits), [1.0_f32, 0.5].map(f32::to_bits));
        let far = head_on(10.0);
        assert_eq!(solve(&[far], 2.0, [1.0, 0.0]).map(f32::to_bits), [1.0_f32, 0.0].map(f32::to_bits));
    }

    #[test]
    fn an_agent_that_meets_one_head_on_avoids_by_half() {
        let plane = head_on(1.5);
        let velocity = solve(&[plane], 1.0, [1.0, 0.0]);
        assert!(velocity[1].abs() > 0.05, "{velocity:?}");
        assert!(plane.depth(velocity) < 1e-4);
    }

    #[test]
    fn planes_that_leave_nothing_are_broken_as_little_as_possible() {
        let left = HalfPlane { point: [-1.0, 0.0], direction: [0.0, 1.0] };
        let right = HalfPlane { point: [1.0, 0.0], direction: [0.0, -1.0] };
        assert!(left.depth([0.0, 0.0]) > 0.0 && right.depth([0.0, 0.0]) > 0.0);
        let velocity = solve(&[left, right], 3.0, [2.0, 0.5]);
        assert!(velocity[0].abs() < 1e-4, "{velocity:?}");
    }

    #[test]
    fn along_a_wall_each_keeps_clear_by_what_is_left_to_it() {
        let ahead = head_on(0.9);
        // Beside a wall that leaves no way to the side.
        let velocity = along_wall(&[ahead], 1, 0.0, 1.0, [1.0, 0.0]);
        assert!(velocity[0] < 0.5 && velocity[1].to_bits() == 0, "{velocity:?}");
        assert!(ahead.depth(velocity) < 1e-3);
        let free = along_wall(&[], 0, 0.5, 1.0, [0.5, 2.0]);
        assert!((free[0] - 0.5).abs() < 1e-6 && (dot(free, free) - 1.0).abs() < 1e-3, "{free:?}");
    }

    #[test]
    fn no_velocity_is_too_fast_or_not_a_number() {
        let mut state = 1_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 8_388_608.0 - 1.0
        };
        for _ in 0..20_000 {
            let own = [random(), random()];
            let mut planes: [HalfPlane; NEIGHBOURS_MAX] = std::array::from_fn(|_| {
                plane(own, [random(), random()], [random(), random()], random().abs())
            });
            // One at the same place, with the same velocity.
            planes[1] = plane(own, [0.0; 2], own, 0.5);
            let velocity = solve(&planes, 1.0, [random(), random()]);
            assert!(dot(velocity, velocity) <= 1.001, "{velocity:?}");
        }
    }
}
