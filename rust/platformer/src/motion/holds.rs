//! How long jumps are held: a few times whose highest points lie evenly apart.

use super::body::Motion;

/// The most holds that are tried.
const HOLDS_MAX: usize = 12;
/// The most ticks of a rise.
const RISE_MAX: u32 = 4096;

/// A hold that never lets go.
pub(super) const FULL: u32 = u32::MAX;

/// The ticks for which jumps are held, the full one aside, longest first. The highest points are about a
/// quarter of a cell apart.
pub(super) fn holds(motion: &Motion, cell_height: f64) -> Vec<u32> {
    let heights: Vec<f64> = (1..rise_ticks(motion)).map(|hold| apex(motion, hold)).collect();
    let (Some(&least), full) = (heights.first(), apex(motion, FULL)) else { return Vec::new() };
    let apart = (cell_height / 4.0).max((full - least) / (HOLDS_MAX - 1) as f64);
    let mut last = full;
    let mut holds = Vec::new();
    for (index, &height) in heights.iter().enumerate().rev() {
        let hold = index as u32 + 1;
        if last - height >= apart - 1e-9 || hold == 1 && full - least > 0.5 {
            holds.push(hold);
            last = height;
        }
    }
    holds
}

/// The ticks in which a jump rises that is held.
fn rise_ticks(motion: &Motion) -> u32 {
    let mut vy = motion.takes_off();
    let mut ticks = 0;
    while vy < 0.0 && ticks < RISE_MAX {
        vy = motion.falls(vy);
        ticks += 1;
    }
    ticks
}

/// How high a jump rises that is held for `hold` ticks, in px.
fn apex(motion: &Motion, hold: u32) -> f64 {
    let (mut vy, mut height, mut tick) = (motion.takes_off(), 0.0, 0);
    while vy < 0.0 && tick < RISE_MAX {
        height -= vy * motion.tick;
        tick += 1;
        vy = motion.falls(vy);
        if tick == hold {
            vy = motion.cut(vy);
        }
    }
    height
}
