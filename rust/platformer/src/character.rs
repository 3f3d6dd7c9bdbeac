//! A body with physics: its shape, how it moves and what that costs.

use super::motion::{Body, FlightCosts, Motion};
use super::profile::{AIR_LIMIT_MAX, EXTRA_COST_MAX, JUMP_HEIGHT_MAX, JumpProfileError, within};
use pathforge_core::geometry::Footprint;

/// A body fits its cells if it is larger by less than this, in cells.
const ROUNDING: f64 = 0.01;

/// The longest rise of a jump, in seconds.
const RISE_MAX_S: f64 = 10.0;

/// A body with physics on cells of one size. Lengths are in px.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Character {
    /// Its shape.
    pub body: Body,
    /// How it moves.
    pub motion: Motion,
    /// What jumps and falls cost.
    pub costs: FlightCosts,
    /// Width and height of a cell.
    pub cell: (f64, f64),
    /// The terrains that are ladders to it, if it climbs: bit n is terrain id n.
    pub climb_mask: u32,
}

impl Character {
    /// Checks every number.
    ///
    /// # Errors
    /// The first that is out of its limits.
    pub fn check(&self) -> Result<(), JumpProfileError> {
        let bad = |what, given| Err(JumpProfileError::BadMeasure { what, given });
        if let Some(given) =
            [self.cell.0, self.cell.1].into_iter().find(|&side| !side.is_finite() || side <= 0.0)
        {
            return bad("cell size", given);
        }
        if let Err(error) = self.motion.check(&self.body) {
            return bad(error.what, error.given);
        }
        // The cast saturates, so a jump beyond all integers is refused as too high.
        within("jump height", self.jump_rise().floor() as i64, JUMP_HEIGHT_MAX)?;
        if self.motion.jump_speed / self.motion.gravity > RISE_MAX_S {
            return bad("gravity", self.motion.gravity);
        }
        within("fall", i64::from(self.costs.max_fall), AIR_LIMIT_MAX)?;
        within("jump cost", i64::from(self.costs.jump), EXTRA_COST_MAX)?;
        within("air cost", i64::from(self.costs.air), EXTRA_COST_MAX)?;
        within("fall cost", i64::from(self.costs.fall), EXTRA_COST_MAX)?;
        self.footprint().map(|_| ())
    }

    /// The cells that the body takes: as few as it fits in.
    ///
    /// # Errors
    /// If they are too many.
    pub fn footprint(&self) -> Result<Footprint, JumpProfileError> {
        let count = |px: f64, cell: f64| (px / cell - ROUNDING).ceil().max(1.0) as i64;
        let (w, h) = (count(2.0 * self.body.half_width, self.cell.0), count(self.body.height, self.cell.1));
        Footprint::new(w, h).map_err(JumpProfileError::Footprint)
    }

    /// Whether there can be ladders that it climbs.
    pub const fn climbs(&self) -> bool {
        self.motion.climb_speed > 0.0 && self.climb_mask != 0
    }

    /// How high a full jump rises, in cells.
    pub fn jump_rise(&self) -> f64 {
        let Motion { jump_speed, gravity, .. } = self.motion;
        jump_speed * jump_speed / (2.0 * gravity) / self.cell.1
    }

    /// How far a full jump carries sideways until it is back at its height, in cells.
    pub fn jump_run(&self) -> f64 {
        let Motion { jump_speed, run_speed, gravity, gravity_down, .. } = self.motion;
        let down = if gravity_down > 0.0 { gravity_down } else { gravity };
        let rise_s = jump_speed / gravity;
        let fall_s = jump_speed / (gravity * down).sqrt();
        (rise_s + fall_s) * run_speed / self.cell.0
    }
}
