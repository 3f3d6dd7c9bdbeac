//! How a body gets to a landing: its place at every tick, walked back from front to front.

use super::level::Level;
use super::spread::{Landing, Part, Scene, Spread};
use super::stand::StandCell;

/// How much a place that no part explains counts against one with another control, in px.
const CONTROL_PX: f64 = 2.0;

impl Spread {
    /// The places of the feet from the start to a landing at `x`, one a tick.
    pub(super) fn trace(&self, scene: &Scene, landing: &Landing, x: f64) -> Vec<(f64, f64)> {
        let mut places = vec![(x, f64::from(landing.row + 1) * scene.level.cell().1)];
        let (mut x, mut at, mut part, mut landed) = (x, landing.front, landing.part, true);
        loop {
            let front = self.fronts[at as usize];
            (x, part) = self.before(scene, at, (x, part), landed);
            places.push((x, front.y));
            landed = false;
            if front.parent == at {
                break;
            }
            at = front.parent;
        }
        places.reverse();
        places
    }

    /// The place in a front from which a part a tick later came to `x`. A part that has just landed has not
    /// begun the next control yet.
    fn before(&self, scene: &Scene, front: u32, (x, later): (f64, Part), landed: bool) -> (f64, Part) {
        let control = scene.control;
        let explains = |part: &Part| {
            let phase = part.phase + 1;
            if landed {
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
            let shift = control.shift(part.from, part.to, part.phase);
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

/// The cells of the feet at places, each once, each beside the one before it.
pub(super) fn cells(level: &Level, places: &[(f64, f64)]) -> Vec<StandCell> {
    let mut cells: Vec<StandCell> = Vec::new();
    for &(x, y) in places {
        let (columns, _) = level.size();
        let to = StandCell { column: level.column(x).clamp(0, columns - 1), row: level.feet_row(y) };
        let Some(&(mut at)) = cells.last() else {
            cells.push(to);
            continue;
        };
        while at != to {
            // Up before sideways, sideways before down: so corners are not cut.
            if at.row > to.row {
                at.row -= 1;
            } else if at.column != to.column {
                at.column += (to.column - at.column).signum();
            } else {
                at.row += 1;
            }
            cells.push(at);
        }
    }
    cells
}
