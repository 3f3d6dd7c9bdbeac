//! Moving a body without ever putting it where it does not fit.
//!
//! A body of w × h cells whose centre lies between cells covers several anchors at once: on each axis from
//! the one that it has left all but its slack of, to the one that it has entered by more than its slack. The
//! slack is what its footprint leaves around its outline, so that a body may lie a little off the middle of a
//! passage that is as wide as its footprint.
//! What it may cover at once, and which anchors it may enter, is in `steps`.

use std::collections::{HashSet, VecDeque};

use wide::f32x4;

use super::steps::{Cover, Edged, Ground, is_closed, passes, stands};
use crate::bitgrid::BitGrid;
use crate::connectivity::{AnyPlacement, FarRect, nearest_placements};
use crate::crowd::numbers::vector::towards;
use crate::geometry::Footprint;
use crate::passability::Placements;

/// The least slack, for bodies that fill their footprint: a way as wide as the footprint must be entered
/// somehow.
const SLACK_MIN: f32 = 1.0 / 16.0;
/// The largest: beyond it, a place could belong to no anchor.
const SLACK_MAX: f32 = 0.45;
/// How far from a wall's edge a move ends; floats count in finer steps on the largest map.
const EDGE: f32 = 1.0 / 128.0;
/// The longest move along one axis: nothing is ever passed over.
pub(in crate::crowd) const STRIDE_MAX: f32 = 0.5;
/// So many anchors are looked at for the nearest placement on one side of edges.
const ANCHORS_MAX: usize = 1 << 12;

/// A body's measures along both axes, in cells.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::crowd) struct Frame {
    /// From its top-left corner to its centre.
    pub half: [f32; 2],
    slack: [f32; 2],
}

impl Frame {
    #[inline]
    pub(in crate::crowd) fn new(footprint: Footprint, radius: f32) -> Self {
        let half = [footprint.w() as f32 * 0.5, footprint.h() as f32 * 0.5];
        // An outline leaves as much of a long side as of a short one.
        let slack = (half[0].min(half[1]) - radius).clamp(SLACK_MIN, SLACK_MAX);
        Self { half, slack: [slack; 2] }
    }

    /// Returns the column and row of the placement that a body centred at `at` is nearest to.
    #[inline]
    pub(in crate::crowd) fn placement(&self, at: [f32; 2]) -> [i32; 2] {
        [0, 1].map(|axis| floor(at[axis] - self.half[axis] + 0.5))
    }

    /// Returns the centre of a body on a placement.
    #[inline]
    pub(in crate::crowd) fn middle(&self, place: [i32; 2]) -> [f32; 2] {
        [0, 1].map(|axis| place[axis] as f32 + self.half[axis])
    }

    /// Returns the first and the last anchor on `axis` of a body centred at `at`, counted from the region's
    /// corner.
    #[inline]
    fn anchors(&self, axis: usize, at: f32) -> (i32, i32) {
        let corner = at - self.half[axis];
        let first = floor(corner + self.slack[axis]);
        (first, first.max(-floor(self.slack[axis] - corner)))
    }
}

impl Frame {
    /// Returns what tells the anchors of a body: the first column and row, and less the last ones. All four
    /// edges are rounded at once, as it is asked for every move.
    #[inline]
    fn edges(&self, at: [f32; 2]) -> f32x4 {
        let corner = [at[0] - self.half[0], at[1] - self.half[1]];
        let [x, y] = self.slack;
        let edges = f32x4::new([corner[0] + x, corner[1] + y, x - corner[0], y - corner[1]]);
        let cut = edges.fast_trunc_int().round_float();
        cut - (cut.simd_gt(edges) & f32x4::ONE)
    }

    /// Returns `true` if a body that moves leaves no anchor and enters none.
    #[inline]
    fn stays(&self, from: [f32; 2], to: [f32; 2]) -> bool {
        self.edges(from).simd_eq(self.edges(to)).to_bitmask() == 0b1111
    }
}

/// Rounds down. A cast is exact for what positions can be.
#[inline]
fn floor(value: f32) -> i32 {
    let cut = value as i32;
    // Only saved bytes can name a position below all cells; whatever that wraps to lies outside the map, too.
    cut.wrapping_sub(i32::from(cut as f32 > value))
}

/// Returns `true` if a body centred at (`x`, `y`) fits.
pub(in crate::crowd) fn fits(layer: &Placements, frame: &Frame, x: f32, y: f32) -> bool {
    fits_between(layer, frame.edges([x, y]))
}

/// Returns `true` if a body with such [`Frame::edges`] fits.
#[inline]
fn fits_between(layer: &Placements, edges: f32x4) -> bool {
    let cover = Cover::of(edges);
    cover.fits(layer) && layer.edges().is_none_or(|edges| cover.joins(Edged { layer, edges }))
}

/// Returns the centre of a body on the valid placement nearest to its own when it is centred at `at`; on this
/// side of edges if there is such a placement.
pub(in crate::crowd) fn nearest_center(layer: &Placements, frame: &Frame, at: [f32; 2]) -> Option<[f32; 2]> {
    if let Some(edges) = layer.edges()
        && let Some(center) = nearest_on_this_side(Edged { layer, edges }, frame, at)
    {
        return Some(center);
    }
    let anchor = [0, 1].map(|axis| (at[axis] - frame.half[axis] + 0.5).floor() as i64);
    let (x, y) = nearest_placement(layer, anchor[0], anchor[1])?;
    Some([x as f32 + frame.half[0], y as f32 + frame.half[1]])
}

/// Returns the centre of the valid placement nearest to a body that no edge parts from it, if one is within
/// [`ANCHORS_MAX`] anchors.
///
/// Spreads over anchors that are no valid placements. Across a wall, every step along it is closed. So steps
/// out of such an anchor do not count as closed: the centre says on which side the body is.
fn nearest_on_this_side(ground: Edged<'_>, frame: &Frame, at: [f32; 2]) -> Option<[f32; 2]> {
    let start = frame.placement(at);
    let mut seen = HashSet::from([start]);
    let mut queue = VecDeque::from([(start, 0)]);
    let mut best: Option<(f32, [f32; 2])> = None;
    let mut steps_max = i32::MAX;
    while let Some((anchor, steps)) = queue.pop_front() {
        if steps > steps_max || seen.len() > ANCHORS_MAX {
            break;
        }
        if stands(ground.layer, anchor[0], anchor[1]) {
            let center = frame.middle(anchor);
            let far = towards(at, center).1;
            if best.is_none_or(|(least, _)| far < least) {
                best = Some((far, center));
            }
            // The one with the fewest steps may be √2 times as far as the nearest.
            steps_max = steps_max.min(steps + steps / 2 + 1);
            continue;
        }
        let [x, y] = anchor;
        for (axis, next) in [(0, [x - 1, y]), (0, [x + 1, y]), (1, [x, y - 1]), (1, [x, y + 1])] {
            let is_across = frame.half[axis] > 0.5 && !ground.joins(anchor, next);
            if (is_across || !is_closed(ground.edges, anchor, next)) && seen.insert(next) {
                queue.push_back((next, steps + 1));
            }
        }
    }
    best.map(|(_, center)| center)
}

/// Moves a body that fits from `at` by `by`, first along x, then along y, at most [`STRIDE_MAX`] each;
/// returns where it is then. Before a wall it stops, and slides round the wall's corner where it can.
#[inline]
pub(in crate::crowd) fn sweep(layer: &Placements, frame: &Frame, at: [f32; 2], by: [f32; 2]) -> [f32; 2] {
    let by = [by[0].clamp(-STRIDE_MAX, STRIDE_MAX), by[1].clamp(-STRIDE_MAX, STRIDE_MAX)];
    // Most moves enter no other anchor.
    let to = [at[0] + by[0], at[1] + by[1]];
    match layer.edges() {
        None if frame.stays(at, to) => to,
        None => sweep_on::<false, BitGrid>(layer, frame, at, by),
        Some(_) if frame.stays(at, to) && frame.placement(at) == frame.placement(to) => to,
        Some(edges) => sweep_on::<false, _>(&Edged { layer, edges }, frame, at, by),
    }
}

/// Moves a driven body like [`sweep`], and past a corner against which it leans: the lesser part of a move
/// takes nothing of the greater one back. A body that leans by 45° would stay there for ever.
pub(in crate::crowd) fn sweep_past(
    layer: &Placements,
    frame: &Frame,
    at: [f32; 2],
    by: [f32; 2],
) -> [f32; 2] {
    let to = [at[0] + by[0], at[1] + by[1]];
    match layer.edges() {
        None if frame.stays(at, to) => to,
        None => sweep_on::<true, BitGrid>(layer, frame, at, by),
        Some(_) if frame.stays(at, to) && frame.placement(at) == frame.placement(to) => to,
        Some(edges) => sweep_on::<true, _>(&Edged { layer, edges }, frame, at, by),
    }
}

fn sweep_on<const PAST: bool, G: Ground>(ground: &G, frame: &Frame, at: [f32; 2], by: [f32; 2]) -> [f32; 2] {
    let (x, nudge) = shift::<0, G>(ground, frame, at, by[0]);
    // A nudge that the lesser part of the move took back would leave the body at the corner for ever.
    let is_taken_back = nudge * by[1] < 0.0 && by[1].abs() < by[0].abs();
    let by_y = if is_taken_back { nudge } else { (by[1] + nudge).clamp(-STRIDE_MAX, STRIDE_MAX) };
    let (y, nudge_x) = shift::<1, G>(ground, frame, [x, at[1]], by_y);
    if nudge_x == 0.0 || PAST && nudge_x * by[0] < 0.0 && by[1].abs() < by[0].abs() {
        return [x, y];
    }
    // Round a corner in the other direction, and on past it: the next move along x may go back before the
    // corner first. A nudge for the nudge is not asked for.
    let (x, _) = shift::<0, G>(ground, frame, [x, y], nudge_x);
    let (y, _) = shift::<1, G>(ground, frame, [x, y], at[1] + by_y - y);
    [x, y]
}

/// Moves along one axis; returns the new coordinate and by how much to shift on the other axis to get round a
/// corner.
#[inline]
fn shift<const AXIS: usize, G: Ground>(ground: &G, frame: &Frame, at: [f32; 2], by: f32) -> (f32, f32) {
    if by == 0.0 {
        return (at[AXIS], 0.0);
    }
    let to = at[AXIS] + by;
    let (first, last) = frame.anchors(AXIS, at[AXIS]);
    let (new_first, new_last) = frame.anchors(AXIS, to);
    let (from, lead) = if by > 0.0 { (last, new_last) } else { (first, new_first) };
    if lead >= first && lead <= last {
        return (held::<AXIS, G>(ground, frame, at, to), 0.0);
    }
    let (side_first, side_last) = frame.anchors(1 - AXIS, at[1 - AXIS]);
    let anchor = |along: i32, side: i32| if AXIS == 0 { [along, side] } else { [side, along] };
    let open = |side| ground.leads(anchor(from, side), anchor(lead, side));
    let (open_first, open_last) = (open(side_first), open(side_last));
    // A wall between both that begins here is a corner, too.
    let is_free = open_first
        && open_last
        && (side_first == side_last || ground.joins(anchor(lead, side_first), anchor(lead, side_last)));
    if is_free {
        return (to, 0.0);
    }
    // Up to the edge.
    let slack = frame.slack[AXIS] - EDGE;
    let edge = if by > 0.0 { last as f32 + slack } else { first as f32 - slack } + frame.half[AXIS];
    let stop = if by > 0.0 { edge.min(to).max(at[AXIS]) } else { edge.max(to).min(at[AXIS]) };
    // Towards the row or column that is open, the nearer of two.
    let side = frame.slack[1 - AXIS] - EDGE;
    let corner = at[1 - AXIS] - frame.half[1 - AXIS];
    let rest = (to - stop).abs();
    let is_first = open_first && !(open_last && corner * 2.0 > (side_first + side_last) as f32);
    let nudge = if is_first {
        (side_first as f32 + side - corner).max(-rest).min(0.0)
    } else if open_last {
        (side_last as f32 - side - corner).min(rest).max(0.0)
    } else {
        0.0
    };
    (stop, nudge)
}

/// Returns how far a body comes on an axis that moves over anchors it covers: its centre crosses no edge that
/// is closed that way.
#[inline]
fn held<const AXIS: usize, G: Ground>(ground: &G, frame: &Frame, at: [f32; 2], to: f32) -> f32 {
    let mut ends = [at; 2];
    ends[1][AXIS] = to;
    let [home, there] = ends.map(|at| frame.placement(at));
    if home == there || ground.is_free(home, there) {
        return to;
    }
    let line = home[AXIS].max(there[AXIS]) as f32 - 0.5 + frame.half[AXIS];
    if to > at[AXIS] { (line - EDGE).max(at[AXIS]) } else { line.min(at[AXIS]) }
}

/// Returns `true` if a body can move in a straight line, looked at in steps of a quarter of a cell.
pub(in crate::crowd) fn is_straight(layer: &Placements, frame: &Frame, from: [f32; 2], to: [f32; 2]) -> bool {
    Sight::new(layer, frame, from).reaches(to)
}

/// Straight lines from one place to several. What blocks one mostly blocks the next, so that is looked at
/// first.
pub(in crate::crowd) struct Sight<'a> {
    layer: &'a Placements,
    frame: &'a Frame,
    from: [f32; 2],
    /// The step of the last line that was blocked.
    blocked: u32,
}

impl<'a> Sight<'a> {
    pub const fn new(layer: &'a Placements, frame: &'a Frame, from: [f32; 2]) -> Self {
        Self { layer, frame, from, blocked: 1 }
    }

    /// Returns `true` if a body can move straight to a place: see [`is_straight`].
    pub fn reaches(&mut self, to: [f32; 2]) -> bool {
        let (dx, dy) = (to[0] - self.from[0], to[1] - self.from[1]);
        let steps = (dx.abs().max(dy.abs()) * 4.0) as u32 + 1;
        let edges_at = |n: u32| {
            let part = n as f32 / steps as f32;
            self.frame.edges([self.from[0] + dx * part, self.from[1] + dy * part])
        };
        let layer = self.layer;
        let first = self.blocked.min(steps);
        let mut all = (first..=steps).chain(1..first);
        let blocked = if let Some(edges) = layer.edges() {
            let ground = Edged { layer, edges };
            let home = |n: u32| {
                let part = n as f32 / steps as f32;
                self.frame.placement([self.from[0] + dx * part, self.from[1] + dy * part])
            };
            all.find(|&n| {
                let (before, now) = (Cover::of(edges_at(n - 1)), Cover::of(edges_at(n)));
                let comes = now.fits(layer) && now.joins(ground) && before.comes_to(now, ground);
                !(comes && passes(ground, home(n - 1), home(n)))
            })
        } else {
            // Of several steps with the same anchors, one is looked at.
            let mut last = None;
            all.find(|&n| {
                let edges = edges_at(n);
                let is_known = last.is_some_and(|last: f32x4| last.simd_eq(edges).to_bitmask() == 0b1111);
                last = Some(edges);
                !(is_known || Cover::of(edges).fits(layer))
            })
        };
        self.blocked = blocked.unwrap_or(self.blocked);
        blocked.is_none()
    }
}

/// Returns the valid placement nearest to an anchor, the first in reading order of several.
fn nearest_placement(layer: &BitGrid, x: i64, y: i64) -> Option<(u32, u32)> {
    let target = FarRect { x0: x, y0: y, x1: x, y1: y };
    let (_, stands) = nearest_placements(layer, target, u128::MAX, &AnyPlacement)?;
    stands.first().map(|&stand| layer.layout().xy(stand))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derived::Derived;
    use crate::geometry::{Cell, CellRect, Side};
    use crate::passability::LayerKey;
    use crate::terrain::{ClimbLimit, Terrain};

    fn map(text: &str) -> Terrain {
        Terrain::from_text(text, Cell::default()).unwrap()
    }

    fn open_map(columns: usize, rows: usize) -> Terrain {
        map(&vec![".".repeat(columns); rows].join("\n"))
    }

    fn layer_of(map: &Terrain, side: i64) -> (Placements, Frame) {
        let footprint = Footprint::square(side).unwrap();
        let open = Placements::build((map, None), LayerKey::default());
        let layer = Placements::build((map, Some(&open)), LayerKey { footprint, ..LayerKey::default() });
        (layer, Frame::new(footprint, side as f32 * 0.5 - 0.1))
    }

    fn layer(text: &str, side: i64) -> (Placements, Frame) {
        layer_of(&map(text), side)
    }

    #[test]
    fn floors() {
        for (value, expected) in [(0.0, 0), (0.9, 0), (-0.1, -1), (-1.0, -1), (-1.5, -2), (7.0, 7)] {
            assert_eq!(floor(value), expected);
        }
    }

    #[test]
    fn a_body_stops_before_a_wall_and_slides_round_its_corner() {
        let (layer, frame) = layer("....\n..#.\n....", 1);
        assert!(fits(&layer, &frame, 1.5, 1.5));
        assert!(!fits(&layer, &frame, 1.7, 1.5));
        let stopped = sweep(&layer, &frame, [1.5, 1.5], [0.5, 0.0]);
        assert!(stopped[0] < 1.6 && (stopped[1] - 1.5).abs() < 1e-6, "{stopped:?}");
        let slid = sweep(&layer, &frame, [1.5, 0.8], [0.5, 0.0]);
        assert!(slid[1] < 0.8, "{slid:?}");
        let mut at = [1.5, 0.8];
        for _ in 0..20 {
            at = sweep(&layer, &frame, at, [0.1, 0.0]);
            assert!(fits(&layer, &frame, at[0], at[1]), "{at:?}");
        }
        assert!(at[0] > 2.5, "{at:?}");
    }

    /// Beside the mouth of a lane, the direction between placements leans a little towards agents that walk
    /// on along the street.
    #[test]
    fn a_move_that_leans_away_from_a_lane_turns_into_it() {
        let (layer, frame) = layer("....\n#.##\n#.##", 1);
        // Down into the lane, leaning to the left: along x it goes before the lane's corner first.
        let mut at = [1.4078, 0.5922];
        for _ in 0..20 {
            at = sweep(&layer, &frame, at, [-0.012, 0.132]);
        }
        assert!(at[1] > 2.0, "{at:?}");
        // Along the street past the lane, leaning into it.
        let mut at = [1.5997, 0.6064];
        for _ in 0..20 {
            at = sweep(&layer, &frame, at, [0.132, 0.0142]);
        }
        assert!(at[0] > 3.0, "{at:?}");
    }

    /// Leaning against the corner of a lane's mouth by 45°, a driven body goes on along the street.
    #[test]
    fn a_driven_body_is_not_held_by_a_corner_that_it_leans_against() {
        let (layer, frame) = layer("....\n#.##\n#.##", 1);
        let past = |step: fn(&Placements, &Frame, [f32; 2], [f32; 2]) -> [f32; 2]| {
            (0..40).fold([1.5997, 0.5922], |at, _| step(&layer, &frame, at, [0.0383, 0.0371]))[0]
        };
        assert!(past(sweep) < 2.0, "{}", past(sweep));
        assert!(past(sweep_past) > 3.0, "{}", past(sweep_past));
    }

    #[test]
    fn no_move_leaves_the_valid_placements() {
        for side in 1..4 {
            let (layer, frame) = layer(
                "..........\n..........\n..........\n...#......\n..........\n......#...\n..........\n..........\n..........",
                side,
            );
            let mut at = [frame.half[0], frame.half[1]];
            let mut state = 5_u32;
            for _ in 0..20_000 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let by =
                    [(state >> 8 & 0xff) as f32, (state >> 20 & 0xff) as f32].map(|v| (v - 127.0) / 100.0);
                at = sweep(&layer, &frame, at, by);
                assert!(fits(&layer, &frame, at[0], at[1]), "side {side}: {at:?}");
                // Its strides are cut before.
                at = sweep_past(&layer, &frame, at, by.map(|v| v * -0.3));
                assert!(fits(&layer, &frame, at[0], at[1]), "side {side}: {at:?}");
            }
        }
    }

    /// A map of 9 × 6 cells with a wall without thickness left of column 4, down to row 3.
    fn fenced() -> Terrain {
        let mut map = open_map(9, 6);
        map.fill_edges(CellRect::new(4, 0, 1, 4), Side::Left, true, false);
        map
    }

    #[test]
    fn a_body_stops_before_a_thin_wall_and_slides_round_its_end() {
        for side in [1, 2] {
            let (layer, frame) = layer_of(&fenced(), side);
            let half = frame.half[0];
            // As far as it comes before a solid cell.
            let mut solid = open_map(9, 6);
            solid.fill_solid(CellRect::new(4, 0, 1, 4), true);
            let (solid, _) = layer_of(&solid, side);
            let go = |layer: &Placements, from: [f32; 2], by: [f32; 2], count: u32| {
                (0..count).fold(from, |at, _| sweep(layer, &frame, at, by))
            };
            let start = [half + 1.0, half + 0.4];
            for by in [[0.3, 0.0], [0.2, 0.1], [0.3, -0.02]] {
                for count in 1..40 {
                    let (thin, thick) = (go(&layer, start, by, count), go(&solid, start, by, count));
                    // Past the wall, the thick one is still beside.
                    let is_past = thick[0] > 4.0 - half + 0.2;
                    assert!(
                        is_past || thin.map(f32::to_bits) == thick.map(f32::to_bits),
                        "{thin:?} {thick:?}"
                    );
                }
            }
            let stopped = go(&layer, start, [0.3, 0.0], 40);
            assert!(stopped[0] < 4.0 - half + 0.1 && stopped[0] > 4.0 - half, "{stopped:?}");
            assert!(go(&layer, [7.5, 1.5], [-0.3, 0.0], 40)[0] > 4.0 + half - 0.1);
            let slid = go(&layer, start, [0.3, 0.2], 40);
            assert!(slid[0] > 5.0, "{slid:?}");
            // Beside the wall's end it is nudged past.
            let end = go(&layer, [2.5, 4.0 + half - 0.3], [0.3, 0.0], 40);
            assert!(end[0] > 5.0, "{end:?}");
        }
    }

    #[test]
    fn a_body_that_meets_the_end_of_a_wall_head_on_is_nudged_to_the_nearer_side() {
        let mut map = open_map(9, 6);
        map.fill_edges(CellRect::new(4, 3, 4, 1), Side::Top, true, false);
        let (layer, frame) = layer_of(&map, 1);
        for (y, is_above) in [(2.9, true), (3.1, false)] {
            let mut at = [1.5, y];
            for _ in 0..40 {
                at = sweep(&layer, &frame, at, [0.2, 0.0]);
                assert!(fits(&layer, &frame, at[0], at[1]), "{at:?}");
            }
            assert!(at[0] > 6.0 && (at[1] < 3.0) == is_above, "{at:?}");
        }
        assert!(!fits(&layer, &frame, 5.5, 3.0) && fits(&layer, &frame, 2.5, 3.0));
    }

    #[test]
    fn sight_ends_at_thin_walls_and_at_the_foot_of_ledges() {
        let mut map = fenced();
        map.fill_edges(CellRect::new(6, 0, 1, 6), Side::Right, true, true);
        let (layer, frame) = layer_of(&map, 1);
        let is_seen = |from, to| is_straight(&layer, &frame, from, to);
        assert!(!is_seen([3.5, 1.5], [4.5, 1.5]) && !is_seen([4.5, 1.5], [3.5, 1.5]));
        assert!(is_seen([3.5, 4.5], [4.5, 4.5]) && !is_seen([2.5, 2.5], [5.5, 4.5]));
        assert!(!is_seen([6.5, 2.5], [7.5, 2.5]) && is_seen([7.5, 2.5], [6.5, 2.5]));
        // The step that blocked the last line is looked at first.
        let mut sight = Sight::new(&layer, &frame, [1.5, 1.5]);
        assert!(!sight.reaches([5.5, 1.5]) && sight.reaches([3.5, 1.5]) && !sight.reaches([4.5, 1.5]));
        assert!(sight.reaches([1.5, 4.5]));
    }

    #[test]
    fn a_ledge_is_crossed_one_way_and_back_only_while_astride() {
        let mut map = open_map(9, 6);
        map.fill_edges(CellRect::new(3, 0, 1, 6), Side::Right, true, true);
        let (layer, frame) = layer_of(&map, 1);
        let go = |from: [f32; 2], by: f32, count: u32| {
            (0..count).fold(from, |at, _| sweep(&layer, &frame, at, [by, 0.0]))
        };
        assert!(go([1.5, 2.5], 0.2, 40)[0] < 3.7);
        assert!(go([7.5, 2.5], -0.2, 40)[0] < 1.0);
        // Astride: on both sides of it.
        let astride = go([4.5, 2.5], -0.1, 5);
        assert!(astride[0] > 3.7 && astride[0] < 4.3 && fits(&layer, &frame, astride[0], astride[1]));
        assert!(go(astride, 0.2, 20)[0] > 5.0, "goes back");
        let down = go(astride, -0.1, 6);
        assert!(go(down, 0.2, 20)[0] < 3.7, "{down:?}");
        // Still on both sides, with its centre below.
        assert!(go([3.95, 2.5], 0.2, 20)[0] < 4.0);
        assert!(!is_straight(&layer, &frame, [3.95, 2.5], [5.5, 2.5]));
        assert!(is_straight(&layer, &frame, [4.05, 2.5], [5.5, 2.5]));
    }

    #[test]
    fn a_body_in_a_closing_door_comes_out_on_its_own_side() {
        for side in 1..5 {
            let mut map = open_map(12, 8);
            map.fill_edges(CellRect::new(6, 0, 1, 8), Side::Left, true, false);
            let (layer, frame) = layer_of(&map, side);
            for n in 0..120 {
                let x = frame.half[0] + n as f32 * 0.1;
                let center = nearest_center(&layer, &frame, [x, 4.2]).unwrap();
                let is_near = (x - 6.0).abs() < 0.05 || x + frame.half[0] > 12.0;
                assert!(is_near || (center[0] < 6.0) == (x < 6.0), "side {side}: {x} {center:?}");
                assert!(fits(&layer, &frame, center[0], center[1]));
            }
        }
    }

    /// Where the cells of a body that covers some anchors are, and which of these are reached by steps.
    fn check_move(map: &Terrain, side: i32, before: Cover, now: Cover) {
        let body = |x: i32, y: i32| CellRect::new(x, y, side, side);
        let [x, y] = now.first;
        let all = CellRect::new(x, y, now.last[0] - x + side, now.last[1] - y + side);
        assert!(all.cells().all(|cell| map.region().contains(cell) && !map.is_solid(cell)), "{now:?}");
        let edges = map.edges_for(ClimbLimit::NONE);
        assert!(!edges.has_wall_within(all), "{now:?}");
        let anchors = |cover: Cover| {
            (cover.first[1]..=cover.last[1])
                .flat_map(move |y| (cover.first[0]..=cover.last[0]).map(move |x| Cell::new(x, y)))
        };
        let mut reached: Vec<Cell> = anchors(before).collect();
        for _ in 0..3 {
            for at in reached.clone() {
                for side in Side::ALL {
                    let to = side.beyond(at);
                    if !edges.blocks_step(body(at.x, at.y), side) && !reached.contains(&to) {
                        reached.push(to);
                    }
                }
            }
        }
        assert!(anchors(now).all(|at| reached.contains(&at)), "{before:?} {now:?}");
    }

    #[test]
    fn no_move_crosses_a_closed_edge() {
        for seed in 1..30_u32 {
            let mut state = seed;
            let mut random = move |below: u32| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 8) % below
            };
            let side = 1 + seed as i32 % 3;
            let mut map = open_map(12, 10);
            for _ in 0..12 * side.min(2) / side {
                let cell = Cell::new(random(12) as i32, random(10) as i32);
                map.fill_solid(CellRect::cell(cell), true);
            }
            for _ in 0..70 / (side * side) {
                let (x, y, edge) = (random(12) as i32, random(10) as i32, Side::ALL[random(4) as usize]);
                let length = 1 + random(3) as i32;
                let (w, h) = if edge.direction().dx() == 0 { (length, 1) } else { (1, length) };
                map.fill_edges(CellRect::new(x, y, w, h), edge, true, random(3) == 0);
            }
            let (layer, frame) = layer_of(&map, side.into());
            let frame = if random(2) == 0 { frame } else { Frame { slack: [0.3, 0.3], ..frame } };
            let Some(mut at) = nearest_center(&layer, &frame, [6.0, 5.0]) else { continue };
            let cover = |at: [f32; 2]| Cover::of(frame.edges(at));
            let mut direction = [0.0; 2];
            for n in 0..20_000 {
                if n % 8 == 0 {
                    direction = [random(256), random(256)].map(|v| (v as f32 - 127.5) / 250.0);
                }
                let is_past = random(2) == 0;
                let before = cover(at);
                at = if is_past { sweep_past } else { sweep }(&layer, &frame, at, direction);
                check_move(&map, side, before, cover(at));
                assert!(fits(&layer, &frame, at[0], at[1]));
                if n % 50 == 0 {
                    let to = [random(120), random(100)].map(|v| v as f32 / 10.0);
                    let mut sight = Sight::new(&layer, &frame, at);
                    if sight.reaches(to) {
                        // By as many steps as are looked at.
                        let steps = ((to[0] - at[0]).abs().max((to[1] - at[1]).abs()) * 4.0) as u32 + 1;
                        let on = |n: u32| [0, 1].map(|a| at[a] + (to[a] - at[a]) * n as f32 / steps as f32);
                        (1..=steps).for_each(|n| check_move(&map, side, cover(on(n - 1)), cover(on(n))));
                    }
                }
            }
        }
    }
}
