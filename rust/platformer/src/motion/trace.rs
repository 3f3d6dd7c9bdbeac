//! How a body gets to a landing: its place at every tick, walked back from front to front.

use super::spread::{Front, Landing, Part, Scene, Spread};
use pathforge_core::geometry::Cell;

/// How much a place that no part explains counts against one with another control, in px.
const CONTROL_PX: f64 = 2.0;

impl Spread {
    /// The places of the feet from the start to a landing at `x`, one a tick, and the level of speed at the
    /// start.
    pub(super) fn trace(&self, scene: &Scene, landing: &Landing, x: f64) -> (Vec<(f64, f64)>, i8) {
        let mut places = vec![(x, f64::from(landing.row + 1) * scene.level.cell().1)];
        let (mut x, mut at, mut part) = (x, landing.front, landing.part);
        let mut landed = Some(self.share_of_tick(scene, landing));
        loop {
            let front = self.fronts[at as usize];
            let share = landed.unwrap_or(1.0);
            let from;
            (from, part) = self.before(scene, at, (x, part), landed);
            if landed.take().is_some() {
                // The speed of the last tick is that of a whole one.
                places[0].0 = from + (x - from) / share;
            }
            x = from;
            places.push((x, front.y));
            if front.parent == at {
                break;
            }
            at = front.parent;
        }
        places.reverse();
        (places, part.from)
    }

    /// How much of the last tick is over when a body lands.
    fn share_of_tick(&self, scene: &Scene, landing: &Landing) -> f64 {
        let Front { y, vy, .. } = self.fronts[landing.front as usize];
        let fall = scene.motion.falls(vy) * scene.motion.tick;
        let ground = f64::from(landing.row + 1) * scene.level.cell().1;
        ((ground - y) / fall.max(1e-9)).clamp(0.05, 1.0)
    }

    /// The place in a front from which a part a tick later came to `x`, or a share of a tick later landed
    /// there. A part that has just landed has not begun the next control yet.
    fn before(
        &self,
        scene: &Scene,
        front: u32,
        (x, later): (f64, Part),
        landed: Option<f64>,
    ) -> (f64, Part) {
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
                return ((x - part.low).abs(), part.low);
            }
            let shift = control.shift(part.from, part.to, part.phase).map(|by| by * landed.unwrap_or(1.0));
            let reached =
                [part.low + shift[0], part.high + shift[1]].map(|x| x.clamp(part.free[0], part.free[1]));
            let off = (reached[0] - x).max(x - reached[1]).max(0.0);
            (off, (x - f64::midpoint(shift[0], shift[1])).clamp(part.low, part.high))
        };
        let (mut best, mut least) = ((x, later), f64::INFINITY);
        for part in self.parts(front) {
            let (off, from) = origin(part);
            let cost = off + if explains(part) { 0.0 } else { CONTROL_PX };
            if cost < least {
                (best, least) = ((from, *part), cost);
            }
        }
        best
    }
}

/// Cells in order, each once, with cells between those that do not lie side by side.
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
