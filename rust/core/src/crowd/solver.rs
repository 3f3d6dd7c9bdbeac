//! The velocity nearest to a preferred one that keeps clear of every neighbour.
//!
//! Each neighbour leaves a half-plane of velocities: optimal reciprocal collision avoidance (van den Berg, Guy, Lin & Manocha,
//! *Reciprocal n-Body Collision Avoidance*, 2011, section 4). The best velocity in all half-planes and in the disc of the agent's speed
//! is found by adding them one by one; where they leave nothing, it is the one with the least violation (sections 5.1 and 5.3; de Berg
//! et al., *Computational Geometry*, chapter 4).

use wide::f32x4;

use super::tuning::TUNING;
use super::vector::{LANES, Lanes, V, cross, dot, minus, splat};

/// Neighbours that are steered clear of.
pub(super) const NEIGHBOURS_MAX: usize = 10;
/// Vectors that hold something of all neighbours.
const VECTORS: usize = NEIGHBOURS_MAX.div_ceil(LANES);
/// Lines that are as good as parallel: the sine of the angle between them.
const PARALLEL: f32 = 1e-5;

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

/// Four half-planes side by side. One whose numbers are all zero bounds nothing.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct HalfPlanes {
    pub point: Lanes,
    pub direction: Lanes,
}

impl HalfPlanes {
    #[inline]
    pub fn get(&self, lane: usize) -> HalfPlane {
        let of = |pair: &Lanes| pair.each_ref().map(|numbers| numbers.as_array()[lane]);
        HalfPlane { point: of(&self.point), direction: of(&self.direction) }
    }

    /// Leaves those of the lanes that `kept` has ones in.
    #[inline]
    fn masked(self, kept: f32x4) -> Self {
        let of = |pair: Lanes| pair.map(|numbers| numbers & kept);
        Self { point: of(self.point), direction: of(self.direction) }
    }

    /// Returns how far `velocity` is on the wrong sides; zero or less on the right ones.
    #[inline]
    fn depths(&self, velocity: V) -> f32x4 {
        cross(self.direction, minus(self.point, splat(velocity)))
    }
}

/// The half-planes that all neighbours of an agent leave it.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Planes {
    all: [HalfPlanes; VECTORS],
    count: usize,
}

impl Planes {
    /// Adds the first `count` of four half-planes, behind all that are there.
    #[inline]
    pub fn add(&mut self, four: HalfPlanes, count: usize) {
        debug_assert!(self.count.is_multiple_of(LANES));
        let place = self.count / LANES;
        self.count += count;
        self.all[place] = four.masked(NUMBERS[place].simd_lt(above(self.count)));
    }

    /// Takes away those that `bits` has ones for, the first one's the lowest.
    #[cold]
    pub fn remove(&mut self, bits: u32) {
        let left: Vec<_> = (0..self.count).filter(|n| bits >> n & 1 == 0).map(|n| self.get(n)).collect();
        *self = Self::of(&left);
    }

    fn of(all: &[HalfPlane]) -> Self {
        let mut planes = Self { count: all.len(), ..Self::default() };
        for (n, plane) in all.iter().enumerate() {
            let four = &mut planes.all[n / LANES];
            for axis in 0..2 {
                four.point[axis].as_mut_array()[n % LANES] = plane.point[axis];
                four.direction[axis].as_mut_array()[n % LANES] = plane.direction[axis];
            }
        }
        planes
    }

    #[inline]
    fn get(&self, n: usize) -> HalfPlane {
        self.all[n / LANES].get(n % LANES)
    }

    /// Returns the vectors that hold the first `count`.
    #[inline]
    fn vectors(&self, count: usize) -> impl Iterator<Item = (&HalfPlanes, f32x4)> {
        self.all.iter().zip(NUMBERS).take(count.div_ceil(LANES))
    }

    /// Returns the first from `begin` on of which `velocity` is deeper than `depth` on the wrong side.
    #[inline]
    fn first_deeper(&self, begin: usize, velocity: V, depth: f32) -> Option<usize> {
        let mut deeper = 0;
        for (n, (four, _)) in self.vectors(self.count).enumerate() {
            deeper |= four.depths(velocity).simd_gt(f32x4::splat(depth)).to_bitmask() << (n * LANES);
        }
        // Behind the last one are lanes without one.
        let left = (deeper & ((1 << self.count) - 1)) >> begin;
        (left != 0).then(|| begin + left.trailing_zeros() as usize)
    }
}

/// The numbers of all half-planes.
const NUMBERS: [f32x4; VECTORS] =
    [f32x4::new([0.0, 1.0, 2.0, 3.0]), f32x4::new([4.0, 5.0, 6.0, 7.0]), f32x4::new([8.0, 9.0, 10.0, 11.0])];

/// Returns what is above the numbers of the first `count`, and of no others.
#[inline]
fn above(count: usize) -> f32x4 {
    f32x4::splat(f32::from(count as u16))
}

/// Four agents as they are seen by one that steers clear of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// From its centre to theirs.
    pub offset: Lanes,
    pub velocity: Lanes,
    /// How far the outlines of both come from their cores together: the sum of the radii of discs.
    pub touch: f32x4,
    /// How much of the avoiding is up to the agent that sees them: 0.85 to 0.95 by rank, 0.2 towards a lower class, and 1 towards one
    /// that rests or is of a higher class.
    pub share: f32x4,
}

/// Returns the velocities that an agent with a `velocity` may take because of four others, so that their discs do not touch within
/// `horizon` seconds; when they do already, so that they part within `relief`.
#[allow(clippy::inline_always, reason = "crowd bench: all stays in registers")]
#[inline(always)]
pub(super) fn avoid(velocity: V, others: &Seen, horizon: f32, relief: f32) -> HalfPlanes {
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
    HalfPlanes { point, direction }
}

/// Returns the best velocity on the line of plane `last` that the planes before it and the disc leave.
#[inline]
fn on_line(planes: &Planes, last: usize, speed: f32, wanted: V, is_direction: bool) -> Option<V> {
    let HalfPlane { point, direction } = planes.get(last);
    let middle = dot(point, direction);
    let inside = middle * middle + speed * speed - dot(point, point);
    if inside < 0.0 {
        return None;
    }
    let half = inside.sqrt();
    // All planes at once, as how many of them cut the line could not be guessed.
    let (mut low, mut high) = (f32x4::splat(-middle - half), f32x4::splat(-middle + half));
    let (from, way) = (splat(point), splat(direction));
    let (zero, mut is_outside) = (f32x4::ZERO, f32x4::ZERO);
    let end = above(last);
    for (others, number) in planes.vectors(last) {
        let is_before = number.simd_lt(end);
        let sine = cross(way, others.direction);
        let ahead = cross(others.direction, minus(from, others.point));
        let is_parallel = is_parallel(sine);
        is_outside |= is_before & is_parallel & ahead.simd_lt(zero);
        let t = ahead / sine;
        let cuts = is_before & !is_parallel;
        let is_end = sine.simd_gt(zero);
        high = (cuts & is_end & t.simd_lt(high)).bitselect(t, high);
        low = (cuts & !is_end & t.simd_gt(low)).bitselect(t, low);
    }
    let max = |a: f32, b: f32| if a > b { a } else { b };
    let min = |a: f32, b: f32| if a < b { a } else { b };
    let ([a, b, c, d], [e, f, g, h]) = (low.to_array(), high.to_array());
    let (low, high) = (max(max(a, b), max(c, d)), min(min(e, f), min(g, h)));
    if low > high || is_outside.any() {
        return None;
    }
    let t = if is_direction {
        if dot(wanted, direction) > 0.0 { high } else { low }
    } else {
        dot(direction, minus(wanted, point)).max(low).min(high)
    };
    Some(along(point, direction, t))
}

#[inline]
fn is_parallel(sine: f32x4) -> f32x4 {
    sine.simd_gt(f32x4::splat(-PARALLEL)) & sine.simd_lt(f32x4::splat(PARALLEL))
}

/// Returns the best velocity in all planes; or that of the planes before the first that leaves nothing, with its number.
#[inline]
fn in_planes(planes: &Planes, speed: f32, wanted: V, is_direction: bool) -> (V, usize) {
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
    let mut next = 0;
    while let Some(n) = planes.first_deeper(next, best, 0.0) {
        match on_line(planes, n, speed, wanted, is_direction) {
            Some(velocity) => best = velocity,
            None => return (best, n),
        }
        next = n + 1;
    }
    (best, planes.count)
}

/// Returns the velocity nearest to `wanted` within `speed` that lies in all `planes`; where there is none, the one whose greatest depth on
/// a wrong side is least.
pub(super) fn solve(planes: &Planes, speed: f32, wanted: V) -> V {
    let (best, done) = in_planes(planes, speed, wanted, false);
    let best = if done == planes.count { best } else { least_deep(planes, done, speed, best) };
    // Lines that begin far away leave rounding errors.
    let length2 = dot(best, best);
    if length2 <= speed * speed {
        return best;
    }
    let scale = speed / length2.sqrt();
    [best[0] * scale, best[1] * scale]
}

/// Returns the velocity that is `fixed` on `axis`, as by a wall, and nearest to `wanted` within `speed` in all `planes`; where they leave
/// nothing, the middle between what two of them ask for.
pub(super) fn along_wall(planes: &Planes, axis: usize, fixed: f32, speed: f32, wanted: V) -> V {
    let free = 1 - axis;
    let most = (speed * speed - fixed * fixed).max(0.0).sqrt();
    let (mut least, mut last) = (-most, most);
    for plane in (0..planes.count).map(|n| planes.get(n)) {
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

#[inline(never)]
fn least_deep(planes: &Planes, begin: usize, speed: f32, mut best: V) -> V {
    let (mut next, mut depth) = (begin, 0.0);
    while let Some(n) = planes.first_deeper(next, best, depth) {
        let plane = planes.get(n);
        let inward = [-plane.direction[1], plane.direction[0]];
        let (found, done) = in_planes(&equally_deep(planes, n), speed, inward, true);
        // Rounding may leave nothing where there is something; the old velocity is kept then.
        if done == n {
            best = found;
        }
        depth = cross(plane.direction, minus(plane.point, best));
        next = n + 1;
    }
    best
}

/// Returns for each plane before one the half-plane in which a velocity is at most as deep on the wrong side of that as of this one.
#[inline]
fn equally_deep(planes: &Planes, last: usize) -> Planes {
    let plane = planes.get(last);
    let (from, way) = (splat(plane.point), splat(plane.direction));
    let (zero, half) = (f32x4::ZERO, f32x4::splat(0.5));
    let mut found = Planes { count: last, ..Planes::default() };
    let end = above(last);
    for ((others, number), found) in planes.vectors(last).zip(&mut found.all) {
        let sine = cross(way, others.direction);
        let is_parallel = is_parallel(sine);
        let t = cross(others.direction, minus(from, others.point)) / sine;
        let point = [0, 1].map(|axis| {
            let middle = (from[axis] + others.point[axis]) * half;
            is_parallel.bitselect(middle, from[axis] + way[axis] * t)
        });
        let turn = minus(others.direction, way);
        let length = dot(turn, turn).sqrt().fast_max(f32x4::splat(1e-9));
        let direction = turn.map(|part| part / length);
        // Of two that face the same way, one holds the other.
        let is_needless = is_parallel & dot(way, others.direction).simd_gt(zero);
        *found = HalfPlanes { point, direction }.masked(number.simd_lt(end) & !is_needless);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the half-planes that others leave: each at an offset, with a velocity, so far off when they touch.
    fn planes(velocity: V, others: &[(V, V, f32)]) -> Planes {
        let mut planes = Planes::default();
        for four in others.chunks(LANES) {
            let lanes = |of: &dyn Fn(&(V, V, f32)) -> f32| {
                f32x4::new(std::array::from_fn(|n| of(four.get(n).unwrap_or(&four[0]))))
            };
            let seen = Seen {
                offset: [lanes(&|other| other.0[0]), lanes(&|other| other.0[1])],
                velocity: [lanes(&|other| other.1[0]), lanes(&|other| other.1[1])],
                touch: lanes(&|other| other.2),
                share: f32x4::splat(0.5),
            };
            planes.add(avoid(velocity, &seen, 1.0, 0.1), four.len());
        }
        planes
    }

    fn depth(plane: &HalfPlane, velocity: V) -> f32 {
        cross(plane.direction, minus(plane.point, velocity))
    }

    fn head_on(distance: f32) -> Planes {
        planes([1.0, 0.0], &[([distance, 0.01], [-1.0, 0.0], 0.8)])
    }

    #[test]
    fn an_agent_alone_goes_where_it_wants() {
        assert_eq!(
            solve(&Planes::default(), 2.0, [1.0, 0.5]).map(f32::to_bits),
            [1.0_f32, 0.5].map(f32::to_bits)
        );
        let far = head_on(10.0);
        assert_eq!(solve(&far, 2.0, [1.0, 0.0]).map(f32::to_bits), [1.0_f32, 0.0].map(f32::to_bits));
    }

    #[test]
    fn an_agent_that_meets_one_head_on_avoids_by_half() {
        let plane = head_on(1.5);
        let velocity = solve(&plane, 1.0, [1.0, 0.0]);
        assert!(velocity[1].abs() > 0.05, "{velocity:?}");
        assert!(depth(&plane.get(0), velocity) < 1e-4);
    }

    #[test]
    fn planes_that_leave_nothing_are_broken_as_little_as_possible() {
        let left = HalfPlane { point: [-1.0, 0.0], direction: [0.0, 1.0] };
        let right = HalfPlane { point: [1.0, 0.0], direction: [0.0, -1.0] };
        assert!(depth(&left, [0.0; 2]) > 0.0 && depth(&right, [0.0; 2]) > 0.0);
        let velocity = solve(&Planes::of(&[left, right]), 3.0, [2.0, 0.5]);
        assert!(velocity[0].abs() < 1e-4, "{velocity:?}");
    }

    #[test]
    fn along_a_wall_each_keeps_clear_by_what_is_left_to_it() {
        let ahead = head_on(0.9);
        // Beside a wall that leaves no way to the side.
        let velocity = along_wall(&ahead, 1, 0.0, 1.0, [1.0, 0.0]);
        assert!(velocity[0] < 0.5 && velocity[1].to_bits() == 0, "{velocity:?}");
        assert!(depth(&ahead.get(0), velocity) < 1e-3);
        let free = along_wall(&Planes::default(), 0, 0.5, 1.0, [0.5, 2.0]);
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
            let mut others: [(V, V, f32); NEIGHBOURS_MAX] =
                std::array::from_fn(|_| ([random(), random()], [random(), random()], random().abs()));
            // One at the same place, with the same velocity.
            others[1] = ([0.0; 2], own, 0.5);
            let planes = planes(own, &others);
            let velocity = solve(&planes, 1.0, [random(), random()]);
            assert!(dot(velocity, velocity) <= 1.001, "{velocity:?}");
        }
    }
}
