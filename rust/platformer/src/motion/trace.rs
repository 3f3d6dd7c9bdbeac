//! How a body gets to a landing: its place at every tick, walked back from front to front.

use super::spread::{Landing, Part, Scene, Spread};
use pathforge_core::geometry::Cell;

/// How much a place that no part explains counts against one with another control, in px.
const CONTROL_PX: f64 = 2.0;
/// A landing so early in a tick tells nothing of the speed.
const SHARE_MIN: f64 = 0.05;

/// The way to a landing.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    /// The feet, one place a tick. The last is where a whole tick would have led.
    pub(super) places: Vec<(f64, f64)>,
    /// The level of speed at the start.
    pub(super) level: i8,
}

/// A place of a trace.
#[derive(Clone, Copy)]
struct Step {
    x: f64,
    y: f64,
    free: [f64; 2],
    /// How far the part leads beside the next place, in px: where parts were joined.
    lacks: f64,
}

impl Spread {
    /// The way from the start to a landing at `x`.
    pub(super) fn trace(&self, scene: &Scene, landing: &Landing, x: f64) -> Trace {
        let ground = scene.level.ground(landing.row, x, scene.body);
        let (mut x, mut at, mut part) = (x, landing.front, landing.part);
        let mut landed = Some(landing.share.max(SHARE_MIN));
        let mut steps: Vec<Step> = Vec::new();
        let mut end = x;
        loop {
            let front = self.fronts[at as usize];
            let share = landed.unwrap_or(1.0);
            let (from, lacks);
            (from, lacks, part) = self.before(scene, at, (x, part), landed);
            if landed.take().is_some() {
                // The speed of the last tick is that of a whole one.
                end = from + (x - from) / share;
            }
            x = from;
            steps.push(Step { x, y: front.y, free: part.free, lacks });
            if front.parent == at {
                break;
            }
            at = front.parent;
        }
        steps.reverse();
        if !scene.control.is_free() {
            spread_out(&mut steps);
        }
        let mut places: Vec<(f64, f64)> = steps.iter().map(|step| (step.x, step.y)).collect();
        places.push((end, ground));
        Trace { places, level: part.from }
    }

    /// The place in a front from which a part came to `x` a tick later, or landed there a share of a tick later.
    /// Also how far beside `x` it leads, and its part. A part that has just landed has not begun the next control
    /// yet.
    fn before(
        &self,
        scene: &Scene,
        front: u32,
        (x, later): (f64, Part),
        landed: Option<f64>,
    ) -> (f64, f64, Part) {
        let control = scene.control;
        let explains = |part: &Part| {
            let phase = part.phase + 1;
            if landed.is_some() {
                (part.from, part.to, phase) == (later.from, later.to, later.phase)
            } else if later.phase == 0 {
                part.to == later.from && phase == control.ticks
            } else {
                (part.from, part.to, phase) == (later.from, later.to, later.phase)
            }
        };
        let origin = |part: &Part| {
            if part.wall != 0 {
                return (x - part.low, part.low);
            }
            let shift = control.shift(part.from, part.to, part.phase).map(|by| by * landed.unwrap_or(1.0));
            let reached =
                [part.low + shift[0], part.high + shift[1]].map(|x| x.clamp(part.free[0], part.free[1]));
            (
                x - x.clamp(reached[0], reached[1]),
                (x - f64::midpoint(shift[0], shift[1])).clamp(part.low, part.high),
            )
        };
        let (mut best, mut least) = ((x, 0.0, later), f64::INFINITY);
        for part in self.parts(front) {
            let (lacks, from) = origin(part);
            let cost = lacks.abs() + if explains(part) { 0.0 } else { CONTROL_PX };
            if cost < least {
                (best, least) = ((from, lacks, *part), cost);
            }
        }
        best
    }
}

/// Spreads what lacks between two places over all places before, as paths to both sides of a joint would do
/// that are mixed.
fn spread_out(steps: &mut [Step]) {
    for end in 1..=steps.len() {
        let lacks = steps[end - 1].lacks;
        if lacks.abs() < 1e-6 {
            continue;
        }
        for (at, step) in steps[..end].iter_mut().enumerate().skip(1) {
            let share = at as f64 / end as f64;
            let x = step.x + lacks * share * share * (3.0 - 2.0 * share);
            step.x = x.clamp(step.free[0].min(step.x), step.free[1].max(step.x));
        }
    }
}

/// Cells in order, each once, with cells in between where two do not lie side by side.
pub(super) fn side_by_side(cells: impl Iterator<Item = Cell>) -> Vec<Cell> {
    let mut all: Vec<Cell> = Vec::new();
    for to in cells {
        let Some(&(mut at)) = all.last() else {
            all.push(to);
            continue;
        };
        while at != to {
            // Up before sideways, sideways before down: so corners are not cut.
            if at.y > to.y {
                at.y -= 1;
            } else if at.x != to.x {
                at.x += (to.x - at.x).signum();
            } else {
                at.y += 1;
            }
            all.push(at);
        }
    }
    all
}
