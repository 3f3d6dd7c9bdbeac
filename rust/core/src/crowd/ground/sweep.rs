//! Moving a body without ever putting it where it does not fit.
//!
//! A body of w × h cells whose centre lies between cells covers several anchors at once: on each axis from
//! the one that it has left all but its slack of, to the one that it has entered by more than its slack. The
//! slack is what its footprint leaves around its outline, so that a body may lie a little off the middle of a
//! passage that is as wide as its footprint.

use wide::f32x4;

use crate::bitgrid::BitGrid;
use crate::connectivity::{AnyPlacement, FarRect, nearest_placements};
use crate::geometry::Footprint;

/// The least slack, for bodies that fill their footprint: a way as wide as the footprint must be entered
/// somehow.
const SLACK_MIN: f32 = 1.0 / 16.0;
/// The largest: beyond it, a place could belong to no anchor.
const SLACK_MAX: f32 = 0.45;
/// How far from a wall's edge a move ends; floats count in finer steps on the largest map.
const EDGE: f32 = 1.0 / 128.0;
/// The longest move along one axis: nothing is ever passed over.
pub(in crate::crowd) const STRIDE_MAX: f32 = 0.5;

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

/// Returns `true` if the anchor at column `x` and row `y` is a valid placement; anchors outside the map are
/// none.
#[inline]
pub(in crate::crowd) fn stands(layer: &BitGrid, x: i32, y: i32) -> bool {
    let layout = layer.layout();
    (x as u32) < layout.width() && (y as u32) < layout.height() && layer.get(layout.index(x as u32, y as u32))
}

/// Returns `true` if a body centred at (`x`, `y`) fits.
pub(in crate::crowd) fn fits(layer: &BitGrid, frame: &Frame, x: f32, y: f32) -> bool {
    fits_between(layer, frame.edges([x, y]))
}

/// Returns `true` if a body with such [`Frame::edges`] fits.
#[inline]
fn fits_between(layer: &BitGrid, edges: f32x4) -> bool {
    let [x0, y0, x1, y1] = edges.to_array();
    let [x0, y0, x1, y1] = [x0 as i32, y0 as i32, (x1 as i32).wrapping_neg(), (y1 as i32).wrapping_neg()];
    // Only saved bytes name a place so far off that a number wraps: it lies outside the map, too.
    (y0..=y0.max(y1)).all(|y| (x0..=x0.max(x1)).all(|x| stands(layer, x, y)))
}

/// Returns the centre of a body on the valid placement nearest to the one that it has when centred at `at`.
pub(in crate::crowd) fn nearest_center(layer: &BitGrid, frame: &Frame, at: [f32; 2]) -> Option<[f32; 2]> {
    let anchor = [0, 1].map(|axis| (at[axis] - frame.half[axis] + 0.5).floor() as i64);
    let (x, y) = nearest_placement(layer, anchor[0], anchor[1])?;
    Some([x as f32 + frame.half[0], y as f32 + frame.half[1]])
}

/// Moves a body that fits from `at` by `by`, first along x, then along y, at most [`STRIDE_MAX`] each;
/// returns where it is then. Before a wall it stops, and slides round the wall's corner where it can.
#[inline]
pub(in crate::crowd) fn sweep(layer: &BitGrid, frame: &Frame, at: [f32; 2], by: [f32; 2]) -> [f32; 2] {
    let by = [by[0].clamp(-STRIDE_MAX, STRIDE_MAX), by[1].clamp(-STRIDE_MAX, STRIDE_MAX)];
    // Most moves enter no other anchor.
    let to = [at[0] + by[0], at[1] + by[1]];
    if frame.stays(at, to) {
        return to;
    }
    sweep_on::<false>(layer, frame, at, by)
}

/// Moves a driven body like [`sweep`], and past a corner against which it leans: the lesser part of a move
/// takes nothing of the greater one back. One that leans by 45° would stay there for ever.
pub(in crate::crowd) fn sweep_past(layer: &BitGrid, frame: &Frame, at: [f32; 2], by: [f32; 2]) -> [f32; 2] {
    let to = [at[0] + by[0], at[1] + by[1]];
    if frame.stays(at, to) { to } else { sweep_on::<true>(layer, frame, at, by) }
}

fn sweep_on<const PAST: bool>(layer: &BitGrid, frame: &Frame, at: [f32; 2], by: [f32; 2]) -> [f32; 2] {
    let (x, nudge) = shift::<0>(layer, frame, at, by[0]);
    // A nudge that the lesser part of the move took back would leave the body at the corner for ever.
    let is_taken_back = nudge * by[1] < 0.0 && by[1].abs() < by[0].abs();
    let by_y = if is_taken_back { nudge } else { (by[1] + nudge).clamp(-STRIDE_MAX, STRIDE_MAX) };
    let (y, nudge_x) = shift::<1>(layer, frame, [x, at[1]], by_y);
    if nudge_x == 0.0 || PAST && nudge_x * by[0] < 0.0 && by[1].abs() < by[0].abs() {
        return [x, y];
    }
    // Round a corner in the other direction, and on past it: the next move along x may go back before the
    // corner first. A nudge for the nudge is not asked for.
    let (x, _) = shift::<0>(layer, frame, [x, y], nudge_x);
    let (y, _) = shift::<1>(layer, frame, [x, y], at[1] + by_y - y);
    [x, y]
}

/// Moves along one axis; returns the new coordinate and by how much to shift on the other axis to get round a
/// corner.
#[inline]
fn shift<const AXIS: usize>(layer: &BitGrid, frame: &Frame, at: [f32; 2], by: f32) -> (f32, f32) {
    if by == 0.0 {
        return (at[AXIS], 0.0);
    }
    let to = at[AXIS] + by;
    let (first, last) = frame.anchors(AXIS, at[AXIS]);
    let (new_first, new_last) = frame.anchors(AXIS, to);
    let lead = if by > 0.0 { new_last } else { new_first };
    if lead >= first && lead <= last {
        return (to, 0.0);
    }
    let (side_first, side_last) = frame.anchors(1 - AXIS, at[1 - AXIS]);
    let open = |side| if AXIS == 0 { stands(layer, lead, side) } else { stands(layer, side, lead) };
    let (open_first, open_last) = (open(side_first), open(side_last));
    if open_first && open_last {
        return (to, 0.0);
    }
    // Up to the edge.
    let slack = frame.slack[AXIS] - EDGE;
    let edge = if by > 0.0 { last as f32 + slack } else { first as f32 - slack } + frame.half[AXIS];
    let stop = if by > 0.0 { edge.min(to).max(at[AXIS]) } else { edge.max(to).min(at[AXIS]) };
    // Towards the row or column that is open.
    let side = frame.slack[1 - AXIS] - EDGE;
    let corner = at[1 - AXIS] - frame.half[1 - AXIS];
    let rest = (to - stop).abs();
    let nudge = if open_first {
        (side_first as f32 + side - corner).max(-rest).min(0.0)
    } else if open_last {
        (side_last as f32 - side - corner).min(rest).max(0.0)
    } else {
        0.0
    };
    (stop, nudge)
}

/// Returns `true` if a body can move in a straight line, looked at in steps of a quarter of a cell.
pub(in crate::crowd) fn is_straight(layer: &BitGrid, frame: &Frame, from: [f32; 2], to: [f32; 2]) -> bool {
    Sight::new(layer, frame, from).reaches(to)
}

/// Straight lines from one place to several. What blocks one mostly blocks the next, so that is looked at
/// first.
pub(in crate::crowd) struct Sight<'a> {
    layer: &'a BitGrid,
    frame: &'a Frame,
    from: [f32; 2],
    /// The step of the last line that was blocked.
    blocked: u32,
}

impl<'a> Sight<'a> {
    pub const fn new(layer: &'a BitGrid, frame: &'a Frame, from: [f32; 2]) -> Self {
        Self { layer, frame, from, blocked: 1 }
    }

    /// Returns `true` if a body can move straight to a place: see [`is_straight`].
    pub fn reaches(&mut self, to: [f32; 2]) -> bool {
        let (dx, dy) = (to[0] - self.from[0], to[1] - self.from[1]);
        let steps = (dx.abs().max(dy.abs()) * 4.0) as u32 + 1;
        // Of several steps with the same anchors, one is looked at.
        let mut last = None;
        let is_blocked = |n: &u32| {
            let part = *n as f32 / steps as f32;
            let edges = self.frame.edges([self.from[0] + dx * part, self.from[1] + dy * part]);
            let is_known = last.is_some_and(|last: f32x4| last.simd_eq(edges).to_bitmask() == 0b1111);
            last = Some(edges);
            !(is_known || fits_between(self.layer, edges))
        };
        let first = self.blocked.min(steps);
        let blocked = (first..=steps).chain(1..first).find(is_blocked);
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
    use crate::geometry::Cell;
    use crate::passability::open_grid;
    use crate::terrain::{Capability, Terrain};

    fn layer(text: &str, side: i64) -> (BitGrid, Frame) {
        let footprint = Footprint::square(side).unwrap();
        let map = Terrain::from_text(text, Cell::default()).unwrap();
        let frame = Frame::new(footprint, side as f32 * 0.5 - 0.1);
        (open_grid(&map, Capability::ALL).eroded(footprint), frame)
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
        let past = |step: fn(&BitGrid, &Frame, [f32; 2], [f32; 2]) -> [f32; 2]| {
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
}
