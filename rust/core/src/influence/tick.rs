//! Update ticks: when values change with time, and by how much.

/// The least time between two ticks, in seconds: at most twenty a second, whatever the frame rate.
const INTERVAL_MIN_S: f64 = 0.05;
/// A tick comes when values have lost one part in this many, or have spread it. Also the parts that a long
/// time is divided into while values spread.
const PARTS: f64 = 32.0;
/// The maximum number of spreading steps in one tick, which bounds the time of a call after a long pause.
const SUBSTEPS_MAX: u32 = 256;

/// How values change with time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct InfluenceSettings {
    /// The share of a value that decays in a second, 0 to 1.
    pub decay_per_second: f64,
    /// The share of a value that flows to the neighbouring cells in a second, 0 to 1.
    pub spread_per_second: f64,
    /// What is shown are multiples of this; above zero.
    pub quantum: f32,
}

impl Default for InfluenceSettings {
    fn default() -> Self {
        Self { decay_per_second: 0.0, spread_per_second: 0.0, quantum: 1.0 / 64.0 }
    }
}

/// What a tick does in each of its substeps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tick {
    /// The part of a value that does not decay.
    pub(super) kept: f64,
    /// The part that flows to neighbouring cells.
    pub(super) flown: f64,
    pub(super) substeps: u32,
}

impl Tick {
    /// Returns the tick for the `seconds` since the last one, if enough time has passed.
    pub(super) fn due(settings: InfluenceSettings, seconds: f64) -> Option<Self> {
        let (stays, holds) = (1.0 - settings.decay_per_second, 1.0 - settings.spread_per_second);
        let is_static = settings.decay_per_second <= 0.0 && settings.spread_per_second <= 0.0;
        if is_static || seconds < INTERVAL_MIN_S {
            return None;
        }
        // Values that decay slowly are left alone for many frames: each tick may make costs and fields stale.
        let noticeable = 1.0 - 1.0 / PARTS;
        let held = power(holds, seconds);
        if power(stays, seconds) > noticeable && held > noticeable {
            return None;
        }
        // In each substep values flow one cell far, so a long time takes several.
        let parts = if settings.spread_per_second > 0.0 { (1.0 - held) * PARTS + seconds } else { 1.0 };
        let substeps = (parts.ceil() as u32).clamp(1, SUBSTEPS_MAX);
        // Equal shares of the time: their powers multiply to those of the whole.
        let share = seconds / f64::from(substeps);
        Some(Self { kept: power(stays, share), flown: 1.0 - power(holds, share), substeps })
    }
}

/// `base`, 0 to 1, to the power of `exponent`. By multiplications and square roots alone, which IEEE 754
/// rounds the same on every machine; `f64::powf` differs between platforms.
fn power(base: f64, exponent: f64) -> f64 {
    if base >= 1.0 {
        return 1.0;
    }
    if base <= 0.0 {
        return 0.0;
    }
    // The whole part by repeated squaring. Beyond a million, nothing is left.
    let mut result = 1.0;
    let (mut factor, mut rest) = (base, exponent.floor().min(1e6) as u32);
    while rest > 0 {
        if rest & 1 == 1 {
            result *= factor;
        }
        factor *= factor;
        rest >>= 1;
    }
    // The fraction by its 30 highest binary digits: digit n stands for the 2ⁿ-th root.
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

    #[test]
    fn powers_equal_those_of_the_standard_library() {
        for (base, exponent) in [(0.5, 1.0), (0.5, 2.5), (0.99, 100.0), (0.9, 0.016), (0.0, 1.0), (1.0, 3.0)]
        {
            let exact = f64::powf(base, exponent);
            assert!((power(base, exponent) - exact).abs() < 1e-7, "{base} to the power of {exponent}");
        }
    }
}
