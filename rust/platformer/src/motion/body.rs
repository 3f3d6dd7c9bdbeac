//! What moves, how it moves, and what flights cost.

use std::error::Error;
use std::fmt;

/// Support that is narrower does not count, in px.
pub(super) const MARGIN: f64 = 0.1;
/// The cost of a cell, in units.
pub(super) const UNIT: f64 = 70.0;

/// A body, by its feet: x is their centre, y their height, both in px; y grows downwards.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Body {
    /// Half of the width, in px.
    pub half_width: f64,
    /// In px.
    pub height: f64,
    /// How far from the centre ground still supports it, in px: of a box its half width, of a capsule 0.7 of
    /// its radius.
    pub support_half_width: f64,
    /// Its lower end is an arc of the half width.
    pub is_round: bool,
}

impl Body {
    /// A box of `width` × `height` px.
    pub fn rectangle(width: f64, height: f64) -> Self {
        Self { half_width: width / 2.0, height, support_half_width: width / 2.0, is_round: false }
    }

    /// An upright capsule.
    pub fn capsule(radius: f64, height: f64) -> Self {
        Self { half_width: radius, height, support_half_width: 0.7 * radius, is_round: true }
    }
}

impl Body {
    /// The body as flights take it, so that it also lands in a game that moves it a little otherwise. It is
    /// larger on all sides but the lower one, and carried by less ground. As much as [`caution`] says, but at most half
    /// of what it lacks to whole cells, so that it fits where it fitted.
    pub(super) fn cautious(&self, cell: (f64, f64)) -> Self {
        let lacks = |side: f64, cell: f64| ((side / cell - 0.01).ceil().max(1.0) * cell - side).max(0.0);
        let most = caution(cell);
        let wider = most.min(lacks(2.0 * self.half_width, cell.0) / 4.0);
        let higher = most.min(lacks(self.height, cell.1) / 2.0);
        Self {
            half_width: self.half_width + wider,
            height: self.height + higher,
            support_half_width: (self.support_half_width - most).max(self.support_half_width / 2.0),
            is_round: self.is_round,
        }
    }
}

/// How far from its exact place a body in the air still gets through, in px: a twentieth of a cell, and at most
/// one px.
pub(super) fn caution(cell: (f64, f64)) -> f64 {
    (cell.0.min(cell.1) / 20.0).min(1.0)
}

/// How a body moves. Lengths in px, times in seconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Motion {
    /// The highest speed sideways, in px/s.
    pub run_speed: f64,
    /// Gain of sideways speed on ground, in px/s²; 0: at once.
    pub acceleration: f64,
    /// Change of sideways speed in the air, in px/s²; 0: as on ground.
    pub air_acceleration: f64,
    /// Loss of sideways speed on ground while no button is pressed, in px/s²; 0: as its gain.
    pub friction: f64,
    /// In px/s².
    pub gravity: f64,
    /// Gravity while the body falls, in px/s²; 0: as while it rises.
    pub gravity_down: f64,
    /// The highest speed of a fall, in px/s; 0: none.
    pub terminal_speed: f64,
    /// Upward speed at take-off, in px/s; 0: it cannot jump.
    pub jump_speed: f64,
    /// Speed up and down ladders, in px/s; 0: it does not climb.
    pub climb_speed: f64,
    /// What is left of the upward speed when the button is let go, 0 to 1.
    pub jump_cut: f64,
    /// If `true`, the first tick of a jump moves at the whole jump speed; else gravity is added first.
    pub full_first_step: bool,
    /// Length of a physics tick, in seconds.
    pub tick: f64,
}

/// What flights cost besides their time, in units of 70 a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FlightCosts {
    /// A jump.
    pub jump: u32,
    /// A cell of the path in the air.
    pub air: u32,
    /// A row down from take-off to landing.
    pub fall: u32,
    /// The most cells from the highest point to the landing; 0: no limit.
    pub max_fall: u32,
}

/// A measure that is out of its limits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MotionError {
    /// Its name.
    pub what: &'static str,
    /// The value given.
    pub given: f64,
}

impl fmt::Display for MotionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} is out of its limits", self.what, self.given)
    }
}

impl Error for MotionError {}

impl Motion {
    /// A body that has its speed at once, whose jumps are always whole, and that does not jump yet: a
    /// `jump_speed` is to be set. 60 ticks a second.
    pub const fn new(run_speed: f64, gravity: f64) -> Self {
        Self {
            run_speed,
            acceleration: 0.0,
            air_acceleration: 0.0,
            friction: 0.0,
            gravity,
            gravity_down: 0.0,
            terminal_speed: 0.0,
            jump_speed: 0.0,
            climb_speed: 0.0,
            jump_cut: 1.0,
            full_first_step: true,
            tick: 1.0 / 60.0,
        }
    }

    /// Checks every measure.
    ///
    /// # Errors
    /// The first that is not finite, below 0, 0 where it must not be, or a jump cut above 1.
    pub fn check(&self, body: &Body) -> Result<(), MotionError> {
        let above = [
            ("half width", body.half_width),
            ("height", body.height),
            ("run speed", self.run_speed),
            ("gravity", self.gravity),
            ("tick", self.tick),
        ];
        let not_below = [
            ("support", body.support_half_width),
            ("acceleration", self.acceleration),
            ("air acceleration", self.air_acceleration),
            ("friction", self.friction),
            ("downward gravity", self.gravity_down),
            ("terminal speed", self.terminal_speed),
            ("jump speed", self.jump_speed),
            ("climb speed", self.climb_speed),
            ("jump cut", self.jump_cut),
        ];
        let bad = |(_, given): &(&str, f64), least: bool| !given.is_finite() || *given < 0.0 || least;
        let wrong = above.into_iter().find(|measure| bad(measure, measure.1 == 0.0));
        let wrong = wrong.or_else(|| not_below.into_iter().find(|measure| bad(measure, false)));
        let wrong = wrong.or((self.jump_cut > 1.0).then_some(("jump cut", self.jump_cut)));
        wrong.map_or(Ok(()), |(what, given)| Err(MotionError { what, given }))
    }

    /// The change of sideways speed in the air, in px/s²; 0: at once.
    pub(crate) fn in_air(&self) -> f64 {
        or(self.air_acceleration, self.acceleration)
    }

    /// The loss of sideways speed of a body that brakes, in px/s²; 0: at once.
    pub(crate) fn brakes(&self) -> f64 {
        if self.acceleration == 0.0 { 0.0 } else { self.acceleration.max(self.friction) }
    }

    /// How far a body slides on ground until it stands, in px.
    pub(crate) fn brake_px(&self, speed: f64) -> f64 {
        if self.brakes() == 0.0 { 0.0 } else { speed * speed / (2.0 * self.brakes()) }
    }

    /// How far a body runs until it has `speed`, in px.
    pub(crate) fn run_up_px(&self, speed: f64) -> f64 {
        if self.acceleration == 0.0 { 0.0 } else { speed * speed / (2.0 * self.acceleration) }
    }

    /// The vertical speed a tick after `vy`, without buttons.
    #[inline]
    pub(super) fn falls(&self, vy: f64) -> f64 {
        let gravity = if vy < 0.0 { self.gravity } else { or(self.gravity_down, self.gravity) };
        self.limited(vy + gravity * self.tick)
    }

    /// The vertical speed in the first tick of a jump.
    pub(super) fn takes_off(&self) -> f64 {
        let first = if self.full_first_step { 0.0 } else { self.gravity * self.tick };
        self.limited(first - self.jump_speed)
    }

    /// What is left of `vy` when the button is let go.
    pub(super) fn cut(&self, vy: f64) -> f64 {
        if vy < 0.0 { vy * self.jump_cut } else { vy }
    }

    /// The motion as flights take it: jumps rise less by [`caution`].
    pub(super) fn cautious(&self, cell: (f64, f64)) -> Self {
        let squared = self.jump_speed * self.jump_speed - 2.0 * self.gravity * caution(cell);
        Self { jump_speed: squared.max(0.0).sqrt(), ..*self }
    }

    fn limited(&self, vy: f64) -> f64 {
        if self.terminal_speed > 0.0 { vy.min(self.terminal_speed) } else { vy }
    }
}

fn or(value: f64, otherwise: f64) -> f64 {
    if value == 0.0 { otherwise } else { value }
}
