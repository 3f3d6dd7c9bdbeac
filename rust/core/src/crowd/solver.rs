//! The velocity nearest to a wanted one that keeps clear of every neighbour.
//!
//! Each neighbour leaves one half of the plane of velocities: optimal reciprocal collision avoidance (van den Berg, Guy, Lin
//! & Manocha, *Reciprocal n-Body Collision Avoidance*, 2011, section 4). The best velocity in all half-planes and the disc of
//! the agent's speed is found by adding them one by one; where they leave nothing, the one that is least deep in the wrong
//! (sections 5.1 and 5.3; de Berg et al., *Computational Geometry*, chapter 4).

/// A pair of coordinates.
pub(super) type V = [f32; 2];

/// Neighbours that are steered clear of.
pub(super) const NEIGHBOURS_MAX: usize = 10;
/// Lines that are as good as parallel: the sine of the angle between them.
const PARALLEL: f32 = 1e-5;

#[inline]
pub(super) fn dot(a: V, b: V) -> f32 {
    a[0] * b[0] + a[1] * b[1]
}

/// Above zero when `b` points to the right of `a` on a screen, where y grows downwards.
#[inline]
pub(super) fn cross(a: V, b: V) -> f32 {
    a[0] * b[1] - a[1] * b[0]
}

#[inline]
pub(super) fn minus(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1]]
}

#[inline]
fn along(a: V, b: V, t: f32) -> V {
    [a[0] + b[0] * t, a[1] + b[1] * t]
}

/// The velocities on one side of a line: those v with `cross(direction, v − point) ≥ 0`.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct HalfPlane {
    pub point: V,
    pub direction: V,
}

impl HalfPlane {
    /// How far `velocity` is on the wrong side; zero or less on the right one.
    #[inline]
    fn depth(&self, velocity: V) -> f32 {
        cross(self.direction, minus(self.point, velocity))
    }
}

/// A neighbour as it is seen from an agent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// From the agent to it.
    pub offset: V,
    /// The agent's velocity minus its own.
    pub relative: V,
    /// Sum of both radii.
    pub reach: f32,
    /// How much of the avoiding is up to the agent: a half, or all of it.
    pub share: f32,
}

/// The velocities that an agent which moves with `velocity` may take because of a neighbour, so that they do not touch
/// within `horizon` seconds; when they do already, so that they part within `relief`.
#[inline]
pub(super) fn avoid(velocity: V, seen: &Seen, horizon: f32, relief: f32) -> HalfPlane {
    let Seen { offset, relative, reach, share } = *seen;
    let (distance2, reach2) = (dot(offset, offset), reach * reach);
    let apart = distance2 > reach2;
    let rate = 1.0 / if apart { horizon } else { relief };
    // The velocities that lead to a touch are a cone, cut off by a disc around `offset * rate`.
    let from_disc = along(relative, offset, -rate);
    let length2 = dot(from_disc, from_disc);
    let facing = dot(from_disc, offset);
    let (direction, change);
    if !apart || facing < 0.0 && facing * facing > reach2 * length2 {
        let length = length2.sqrt();
        // Both at one place with one velocity: any way out is as good.
        let unit = if length > 1e-6 { [from_disc[0] / length, from_disc[1] / length] } else { [1.0, 0.0] };
        direction = [unit[1], -unit[0]];
        let depth = reach * rate - length;
        change = [unit[0] * depth, unit[1] * depth];
    } else {
        // The nearer side of the cone.
        let leg = (distance2 - reach2).sqrt();
        let (scale, turn) = (1.0 / distance2, if cross(offset, from_disc) > 0.0 { reach } else { -reach });
        let side =
            [(offset[0] * leg - offset[1] * turn) * scale, (offset[0] * turn + offset[1] * leg) * scale];
        direction = if turn > 0.0 { side } else { [-side[0], -side[1]] };
        let forward = dot(relative, direction);
        change = [direction[0] * forward - relative[0], direction[1] * forward - relative[1]];
    }
    HalfPlane { point: along(velocity, change, share), direction }
}

/// The best velocity on the line of `planes[last]` that the planes before it and the disc leave.
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

/// The best velocity in all planes; or that of the planes before the first that leaves nothing, with its number.
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

/// The velocity nearest to `wanted` within `speed` that lies in all `planes`, of which there are at most
/// [`NEIGHBOURS_MAX`]; where there is none, the one whose greatest depth on a wrong side is least.
pub(super) fn solve(planes: &[HalfPlane], speed: f32, wanted: V) -> V {
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

#[cold]
fn least_deep(planes: &[HalfPlane], begin: usize, speed: f32, mut best: V) -> V {
    let mut depth = 0.0;
    let mut between = [HalfPlane::default(); NEIGHBOURS_MAX];
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
        // Rounding may leave nothing where there is something; the old velocity then stands.
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

    fn head_on(distance: f32) -> Seen {
        Seen { offset: [distance, 0.01], relative: [2.0, 0.0], reach: 0.8, share: 0.5 }
    }

    #[test]
    fn who_meets_nobody_goes_where_it_wants() {
        assert_eq!(solve(&[], 2.0, [1.0, 0.5]).map(f32::to_bits), [1.0_f32, 0.5].map(f32::to_bits));
        let far = avoid([1.0, 0.0], &head_on(10.0), 1.0, 0.1);
        assert_eq!(solve(&[far], 2.0, [1.0, 0.0]).map(f32::to_bits), [1.0_f32, 0.0].map(f32::to_bits));
    }

    #[test]
    fn who_meets_one_head_on_gives_way_by_half() {
        let plane = avoid([1.0, 0.0], &head_on(1.5), 1.0, 0.1);
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
    fn no_velocity_is_too_fast_or_not_a_number() {
        let mut state = 1_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 8_388_608.0 - 1.0
        };
        for _ in 0..20_000 {
            let own = [random(), random()];
            let planes: [HalfPlane; NEIGHBOURS_MAX] = std::array::from_fn(|_| {
                let seen = Seen {
                    offset: [random(), random()],
                    relative: [random(), random()],
                    reach: random().abs(),
                    share: 0.5,
                };
                avoid(own, &seen, 1.0, 0.1)
            });
            let velocity = solve(&planes, 1.0, [random(), random()]);
            assert!(dot(velocity, velocity) <= 1.001, "{velocity:?}");
        }
    }
}
