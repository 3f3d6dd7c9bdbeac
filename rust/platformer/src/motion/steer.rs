//! Steers a body in the air to its landing: where it has to be in every tick until then.

use super::body::{Body, Motion, MotionError};
use super::control::Control;
use super::holds::FULL;
use super::level::Level;
use super::spread::{Landing, Scene, Spread, Start};

/// Steering takes a body to be smaller by so much at each side, in px: engines leave bodies so far in walls.
const IN_WALLS: f64 = 0.1;
/// A place at which a body cannot stop before its run ends counts as so much farther off, in px.
const OVERRUN: f64 = 1000.0;

/// How far below its ground a body may be before it lands, in px: where it touches slopes.
const NEAR: f64 = 0.1;
/// Nearer to the end of what it can land on than this, a body has to land exactly, in px.
const EXACT: f64 = 1.0;

/// A body that takes off, or is in the air.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AirState {
    /// The centre of the feet, in px.
    pub x: f64,
    /// Their height, in px.
    pub y: f64,
    /// Speed to the right, in px/s.
    pub vx: f64,
    /// Speed downwards, in px/s; of no account in a jump.
    pub vy: f64,
    /// The first tick is the take-off of a jump.
    pub jumps: bool,
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
    /// Where the feet should come to rest.
    pub at: f64,
}

/// Steers one body; keeps its memory.
#[derive(Clone, Debug)]
pub struct Steering {
    /// The body with some room around it, as it is, and a little smaller.
    bodies: [Body; 3],
    motion: Motion,
    control: Control,
    spread: Spread,
}

impl Steering {
    /// Returns one for a body on cells of a size.
    ///
    /// # Errors
    /// The first measure that is out of its limits.
    pub fn new(body: Body, motion: Motion, cell: (f64, f64)) -> Result<Self, MotionError> {
        motion.check(&body)?;
        let slim = |side: f64| (side - IN_WALLS).max(side / 2.0);
        let slim = Body {
            half_width: slim(body.half_width),
            height: slim(body.height),
            support_half_width: slim(body.support_half_width),
            ..body
        };
        let bodies = [body.cautious(cell), body, slim];
        Ok(Self { bodies, motion, control: Control::new(&motion), spread: Spread::default() })
    }

    /// The places of the feet in px, one a tick, from now to the landing after which the body comes to rest
    /// nearest to where it should. `None` if it cannot land on the run. It keeps clear of corners where it can.
    /// The last place is that of a whole tick, of which the landing may end a part.
    ///
    /// Takes time in proportion to the ticks, and to the speeds that a body with acceleration has.
    pub fn course(&mut self, level: &Level, state: &AirState, run: &LandingRun) -> Option<Vec<(f64, f64)>> {
        (0..self.bodies.len()).find_map(|body| self.course_of(body, level, state, run))
    }

    /// Whether it can land on the run with some room around it.
    pub fn is_clear(&mut self, level: &Level, state: &AirState, run: &LandingRun) -> bool {
        self.course_of(0, level, state, run).is_some()
    }

    fn course_of(
        &mut self,
        body: usize,
        level: &Level,
        state: &AirState,
        run: &LandingRun,
    ) -> Option<Vec<(f64, f64)>> {
        let Self { bodies, motion, control, spread } = self;
        let speed = control.start_with(state.vx);
        let body = &bodies[body];
        let scene = Scene { level, body, motion, control };
        spread.clear(run.row + 1);
        spread.add(&scene, state.y, (state.x, state.x), speed);
        let first = spread.begin(&scene, &Start { y: state.y, vy: state.vy, jumps: state.jumps });
        spread.fly(&scene, first, state.hold.unwrap_or(FULL));
        let mut best: Option<(f64, Landing, f64)> = None;
        for landing in spread.landings.iter().filter(|landing| landing.row == run.row) {
            let part = landing.part;
            let (low, high) = (part.low.max(run.low), part.high.min(run.high));
            if low > high {
                continue;
            }
            let slide = if control.is_free() || part.wall != 0 || part.phase == 0 {
                0.0
            } else {
                let speed = control.shift(part.from, part.to, part.phase - 1)[0] / motion.tick;
                motion.brake_px(speed).copysign(speed)
            };
            let x = (run.at - slide).clamp(low, high);
            // Beside a slab there is other ground in its row.
            if spread.fronts[landing.front as usize].y > level.ground(landing.row, x, body) + NEAR {
                continue;
            }
            let rest = x + slide;
            let over = if (run.low..=run.high).contains(&rest) { 0.0 } else { OVERRUN };
            let off = (rest - run.at).abs() + over;
            if best.is_none_or(|(least, ..)| off < least) {
                best = Some((off, *landing, x));
            }
        }
        let (_, landing, x) = best?;
        let mut places = spread.trace(&scene, &landing, x).places;
        let (low, high) = (landing.part.low.max(run.low), landing.part.high.min(run.high));
        if let Some(last) = places.last_mut().filter(|_| (low + EXACT..=high - EXACT).contains(&x)) {
            // It may land a little to one side.
            last.0 = x;
        }
        Some(places)
    }
}
