//! How much of a run a body in the air can still land on.

use super::body::{Body, Motion, MotionError};
use super::control::Control;
use super::holds::FULL;
use super::level::Level;
use super::spread::{Scene, Spread, Start};

/// The least width that a landing counts, in px.
const LEAST: f64 = 1e-3;

/// A body in the air.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AirState {
    /// The centre of the feet, in px.
    pub x: f64,
    /// Their height, in px.
    pub y: f64,
    /// Speed to the right, in px/s.
    pub vx: f64,
    /// Speed downwards, in px/s.
    pub vy: f64,
    /// The ticks after which the jump button is let go; `None` if that changes nothing.
    pub hold: Option<u32>,
}

/// Ground to land on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LandingRun {
    /// The row of the feet.
    pub row: i32,
    /// The least x of the feet, in px.
    pub low: f64,
    /// The largest.
    pub high: f64,
}

/// Forecasts landings of one body; keeps its memory.
#[derive(Clone, Debug)]
pub struct Forecaster {
    body: Body,
    motion: Motion,
    control: Control,
    spread: Spread,
    places: Vec<(f64, f64)>,
}

impl Forecaster {
    /// Returns one for a body.
    ///
    /// # Errors
    /// The first measure that is out of its limits.
    pub fn new(body: Body, motion: Motion) -> Result<Self, MotionError> {
        motion.check(&body)?;
        let (control, spread) = (Control::new(&motion), Spread::default());
        Ok(Self { body, motion, control, spread, places: Vec::new() })
    }

    /// Returns the width of x on a run that the body can still land on, in px: 0 if there is none. Whether it
    /// can brake there is not asked.
    pub fn forecast(&mut self, level: &Level, state: &AirState, run: &LandingRun) -> f64 {
        let Self { body, motion, control, spread, places } = self;
        let scene = Scene { level, body, motion, control };
        spread.clear(run.row + 1);
        spread.add(&scene, state.y, (state.x, state.x), control.level(state.vx));
        let first = spread.begin(&scene, &Start { y: state.y, vy: state.vy, jumps: false });
        spread.fly(&scene, first, state.hold.unwrap_or(FULL));
        let on_run = spread.landings.iter().filter(|landing| landing.row == run.row);
        places.clear();
        places.extend(on_run.map(|landing| (landing.part.low.max(run.low), landing.part.high.min(run.high))));
        places.retain(|(low, high)| low <= high);
        places.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let (mut width, mut end) = (0.0, f64::NEG_INFINITY);
        for &(low, high) in &*places {
            // Places so near to each other can be reached between them, too.
            let from = if low <= end + control.gap { end } else { low };
            width += (high - from).max(0.0);
            end = end.max(high);
        }
        if places.is_empty() { 0.0 } else { width.max(LEAST) }
    }
}
