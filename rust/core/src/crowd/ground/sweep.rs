//! Moving a body without ever putting it where it does not fit.
//!
//! A body of w × h cells whose centre lies between cells covers several anchors at once: on each axis from
//! the one that it has left all but its slack of, to the one that it has entered by more than its slack. The
//! slack is what its footprint leaves around its outline, so that a body may lie a little off the middle of a
//! passage that is as wide as its footprint.
//! What it may cover at once, and which anchors it may enter, is in `steps`.

use std::collections::{HashSet, VecDeque};

use wide::f32x4;

use super::steps::{Cover, Edged, Ground, is_closed, stands};
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
    pub(super) fn edges(&self, at: [f32; 2]) -> f32x4 {
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

/// Returns the valid placement nearest to an anchor, the first in reading order of several.
fn nearest_placement(layer: &BitGrid, x: i64, y: i64) -> Option<(u32, u32)> {
    let target = FarRect { x0: x, y0: y, x1: x, y1: y };
    let (_, stands) = nearest_placements(layer, target, u128::MAX, &AnyPlacement)?;
    stands.first().map(|&stand| layer.layout().xy(stand))
}

#[cfg(test)]
mod tests;
