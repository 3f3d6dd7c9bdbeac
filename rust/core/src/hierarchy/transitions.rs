//! Where a body gets from one cluster to the next: a few placements on each side of a cluster.
//!
//! An *entrance* is a run of placements on a side without an edge between them, from one corner of the
//! cluster to the next. A path that crosses the line anywhere in the run can be led along the line to any
//! other placement of it. So one of them, the *transition* (Botea, Müller & Schaeffer, 2004), keeps the graph
//! complete. Long entrances are divided, so that paths bend little. Each part is represented by its placement
//! of least cost, and of several by the nearest to its middle.

use super::ground::BodyGround;
use crate::geometry::Direction;
use crate::primitives::{GridBounds, GridPoint};

/// Longest run that one transition stands for, in cells. 60 trips of over 400 cells on 1024² caves, rooms and
/// islands cost 0.4 to 0.6 % more than the least. With 40, trips in rooms cost 1.0 % more, and making the
/// graph takes three quarters of the time. With 10, it takes twice as long, and costs differ either way.
const PART_MAX: u32 = 20;

/// The transitions on the four sides of `window`, a cluster's cells, in reading order. `side` is the distance
/// of lines. Both clusters beside a line find the same transitions on it.
pub(super) fn transitions(ground: &BodyGround<'_>, window: GridBounds, side: u32) -> Vec<GridPoint> {
    let mut found = Vec::new();
    let GridBounds { x0, y0, x1, y1 } = window;
    // The map's edge is no line: no cluster lies beyond it.
    for x in [x0, x1] {
        if x % side == 0 {
            on_side(ground, |y| GridPoint::new(x, y), Direction::S, (y0, y1), &mut found);
        }
    }
    for y in [y0, y1] {
        if y % side == 0 {
            on_side(ground, |x| GridPoint::new(x, y), Direction::E, (x0, x1), &mut found);
        }
    }
    // A corner may be found on both of its sides.
    found.sort_unstable_by_key(|point| point.packed());
    found.dedup();
    found
}

/// Appends the transitions among the placements `point(first)` to `point(last)`, one side of a cluster that
/// leads in direction `along`.
fn on_side(
    ground: &BodyGround<'_>,
    point: impl Fn(u32) -> GridPoint,
    along: Direction,
    (first, last): (u32, u32),
    found: &mut Vec<GridPoint>,
) {
    let mut at = first;
    while at <= last {
        if !ground.is_placement(point(at)) {
            at += 1;
            continue;
        }
        let start = at;
        at += 1;
        let is_joined = |at: u32| ground.is_placement(point(at)) && ground.are_joined(point(at - 1), along);
        while at <= last && is_joined(at) {
            at += 1;
        }
        // Parts of equal length, so that no part is left with a cell or two.
        let parts = (at - start).div_ceil(PART_MAX);
        for part in 0..parts {
            let (from, to) = (start + (at - start) * part / parts, start + (at - start) * (part + 1) / parts);
            // Twice the distance from the middle, so that it is whole.
            let best =
                (from..to).min_by_key(|&n| (ground.straight(point(n)), (2 * n + 1).abs_diff(from + to), n));
            found.extend(best.map(&point));
        }
    }
}
