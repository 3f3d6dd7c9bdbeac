//! When a beat comes, and what it does to values.

use super::{BEAT_MIN_S, BEAT_PARTS, InfluenceMap, SPREADS_MAX};
use crate::bitgrid::{BitGrid, LocalRect};

/// What one step of a beat does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beat {
    /// The part of a value that does not fade.
    kept: f64,
    /// The part that flows away.
    flown: f64,
    /// How many such steps there are.
    pub(super) spreads: u32,
}

impl InfluenceMap {
    /// The beat for the time that has passed, when it is long enough.
    pub(super) fn due_beat(&self) -> Option<Beat> {
        let time = self.waiting_s;
        let (stays, holds) = (1.0 - self.settings.decay_per_second, 1.0 - self.settings.spread_per_second);
        let is_still = self.settings.decay_per_second <= 0.0 && self.settings.spread_per_second <= 0.0;
        if is_still || self.active.is_none() || time < BEAT_MIN_S {
            return None;
        }
        let noticeable = 1.0 - 1.0 / BEAT_PARTS;
        let held = power(holds, time);
        if power(stays, time) > noticeable && held > noticeable {
            return None;
        }
        // Values flow to the next cell in each step, so that a long time takes several.
        let parts =
            if self.settings.spread_per_second > 0.0 { (1.0 - held) * BEAT_PARTS + time } else { 1.0 };
        let spreads = (parts.ceil() as u32).clamp(1, SPREADS_MAX);
        let share = time / f64::from(spreads);
        Some(Beat { kept: power(stays, share), flown: 1.0 - power(holds, share), spreads })
    }

    /// One step of a beat.
    pub(super) fn pass(&mut self, beat: &Beat, solid: Option<&BitGrid>) {
        let Some(mut rect) = self.active.take() else { return };
        if beat.flown > 0.0 {
            rect = rect.grown(1, 1, 1, 1, self.shape);
            self.spreader.spread(&mut self.values, rect, beat.flown, self.shape, solid);
        }
        self.fade(rect, beat.kept);
        let kept = beat.kept * (1.0 - beat.flown);
        self.stamps.fade(kept);
        self.refill(1.0 - kept);
    }

    /// Gives steady stamps back what they have lost, where the map has fallen below what all stamps make: so they feed what
    /// flows away from them, and no cell gets above what the stamps around it are.
    fn refill(&mut self, lost: f64) {
        let Some((rect, owed, steady)) = self.stamps.steady_sums() else { return };
        let columns = (rect.x1 - rect.x0) as usize;
        let rows = owed.chunks_exact(columns).zip(steady.chunks_exact(columns));
        for (y, (owed, steady)) in (rect.y0..rect.y1).zip(rows) {
            let row = &mut self.values.row_mut(y)[rect.x0 as usize..rect.x1 as usize];
            for ((value, &owed), &steady) in row.iter_mut().zip(owed).zip(steady) {
                let loss = (steady as f64 * lost).round() as i64;
                // Two units more, so that rounding is made up for, too.
                *value += (owed - *value).clamp(loss.min(0) - 2, loss.max(0) + 2);
            }
        }
        self.touch(rect);
    }

    /// Multiplies the values in `rect` and finds out where some are left.
    fn fade(&mut self, rect: LocalRect, kept: f64) {
        let mut left: Option<LocalRect> = None;
        for y in rect.y0..rect.y1 {
            let row = &mut self.values.row_mut(y)[rect.x0 as usize..rect.x1 as usize];
            if kept < 1.0 {
                for value in row.iter_mut() {
                    // Towards zero, so that everything comes to an end.
                    *value = (*value as f64 * kept) as i64;
                }
            }
            let first = row.iter().position(|&value| value != 0);
            let last = row.iter().rposition(|&value| value != 0);
            if let Some((first, last)) = first.zip(last) {
                let (x0, x1) = (rect.x0 + first as u32, rect.x0 + last as u32 + 1);
                LocalRect::join(&mut left, LocalRect { x0, y0: y, x1, y1: y + 1 });
            }
        }
        self.active = left;
        LocalRect::join(&mut self.unshown, rect);
    }
}

/// A power by multiplications and square roots alone, which every machine makes the same: `base` in 0 to 1.
fn power(base: f64, exponent: f64) -> f64 {
    if base >= 1.0 {
        return 1.0;
    }
    if base <= 0.0 {
        return 0.0;
    }
    // Beyond, nothing is left.
    let whole = exponent.floor().min(1e6) as u32;
    let mut result = 1.0;
    let (mut factor, mut rest) = (base, whole);
    while rest > 0 {
        if rest & 1 == 1 {
            result *= factor;
        }
        factor *= factor;
        rest >>= 1;
    }
    let mut fraction = exponent - exponent.floor();
    let mut root = base;
    for _ in 0..30 {
        root = root.sqrt();
        fraction *= 2.0;
        if fraction >= 1.0 {
            result *= root;
            fraction -= 1.0;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::influence::stamps::share;

    #[test]
    fn powers_are_powers() {
        for (base, exponent) in [(0.5, 1.0), (0.5, 2.5), (0.99, 100.0), (0.9, 0.016), (0.0, 1.0), (1.0, 3.0)]
        {
            let exact = f64::powf(base, exponent);
            assert!((power(base, exponent) - exact).abs() < 1e-7, "{base} to the power of {exponent}");
        }
    }

    #[test]
    fn a_stamp_fades_as_the_map_does() {
        for units in [1, 999, -12_345, 10_240_000] {
            assert!((share(units, 0.97) - (f64::from(units) * 0.97) as i64).abs() <= 1);
        }
    }
}
