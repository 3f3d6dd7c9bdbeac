//! Where a body gets from one cluster to the next: a few stands on each side of a cluster.
//!
//! An *entrance* is a run of stands on a side, from one corner of the cluster to the next. Who crosses the line anywhere in
//! the run can walk along it to any other stand of it, so one stand of it, the *representative*, keeps every way that
//! there is. Long runs are parted, so that ways need not bend far; of each part the cheapest stand is taken, and of
//! several the one nearest to its middle.

use super::ground::{BodyGround, Spot, Window};

/// Longest run that one representative stands for, in cells.
const PART_MAX: u32 = 20;

/// The representatives on the four sides of `window`, the cells of a cluster whose sides lie on lines, in reading order.
/// Both clusters beside a line find the same ones on it.
pub(super) fn representatives(ground: &BodyGround<'_>, window: Window, side: u32) -> Vec<Spot> {
    let mut found = Vec::new();
    let Window { x0, y0, x1, y1 } = window;
    for x in [x0, x1] {
        if x % side == 0 {
            along(ground, |y| Spot::new(x, y), y0, y1, &mut found);
        }
    }
    for y in [y0, y1] {
        if y % side == 0 {
            along(ground, |x| Spot::new(x, y), x0, x1, &mut found);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn along(ground: &BodyGround<'_>, spot: impl Fn(u32) -> Spot, first: u32, last: u32, found: &mut Vec<Spot>) {
    let mut at = first;
    while at <= last {
        if !ground.is_stand(spot(at)) {
            at += 1;
            continue;
        }
        let start = at;
        while at <= last && ground.is_stand(spot(at)) {
            at += 1;
        }
        let parts = (at - start).div_ceil(PART_MAX);
        for part in 0..parts {
            let (from, to) = (start + (at - start) * part / parts, start + (at - start) * (part + 1) / parts);
            let best =
                (from..to).min_by_key(|&n| (ground.straight(spot(n)), (2 * n + 1).abs_diff(from + to), n));
            found.extend(best.map(&spot));
        }
    }
}
