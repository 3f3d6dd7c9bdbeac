//! The run that a flight begins on: where it lands on that, a walk does as well.

use super::spread::Landing;
use super::stand::{Foothold, StandCell};

/// The run of the cell that flights are looked for from, over floors inside cells, as far as it is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Hills {
    from: Option<StandCell>,
    known: (f64, f64),
    places: Vec<(i32, (f64, f64))>,
}

impl Hills {
    /// Follows the run as far as an interval.
    pub(super) fn widen(&mut self, foothold: &Foothold, from: StandCell, (low, high): (f64, f64)) {
        if self.from != Some(from) || low < self.known.0 || high > self.known.1 {
            *self = Self { from: Some(from), known: (low, high), places: foothold.run(from, (low, high)) };
        }
    }

    /// Rows and intervals of x.
    pub(super) fn places(&self) -> &[(i32, (f64, f64))] {
        &self.places
    }
}

/// The run of a take-off, as far as landings on its row lie.
pub(super) struct OwnRun {
    row: i32,
    low: f64,
    high: f64,
    /// Where it leads over floors inside cells: row and x.
    hills: Vec<(i32, (f64, f64))>,
}

impl OwnRun {
    /// Whether a walk replaces a landing.
    pub(super) fn has(&self, landing: &Landing) -> bool {
        let is_in = |row: i32, (low, high): (f64, f64)| {
            landing.row == row && landing.part.low <= high && landing.part.high >= low
        };
        is_in(self.row, (self.low, self.high)) || self.hills.iter().any(|&(row, x)| is_in(row, x))
    }
}

pub(super) fn own_run(
    hills: &mut Hills,
    foothold: &Foothold,
    landings: &[Landing],
    from: StandCell,
    x: (f64, f64),
) -> OwnRun {
    let (mut low, mut high) = x;
    let has_floors = foothold.level.has_floors();
    for landing in landings.iter().filter(|landing| landing.row == from.row || has_floors) {
        (low, high) = (low.min(landing.part.low), high.max(landing.part.high));
    }
    let end = |side, limit| foothold.walk_end(from, side, limit);
    if has_floors {
        hills.widen(foothold, from, (low, high));
        return OwnRun { row: from.row, low: x.0, high: x.1, hills: hills.places().to_vec() };
    }
    OwnRun { row: from.row, low: end(-1, low), high: end(1, high), hills: Vec::new() }
}
