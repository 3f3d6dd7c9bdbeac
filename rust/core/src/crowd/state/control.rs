//! What moves a body: the crowd, the game from outside, a link, a throw, or nothing while it is paused; and
//! how fast it may go.

use super::crossing::Crossing;
use crate::crowd::numbers::millis::Millis;
use crate::crowd::numbers::vector::V;

/// What moves a body. In this order of precedence, a driven body, a body on a link, a thrown body and a
/// paused body do not do what their behaviour says. They go on with it afterwards. One that ghosts is no
/// obstacle, whatever it does; one that shoves is one.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is another order")]
pub(in crate::crowd) struct Control {
    /// The speed at which it walks, in cells a second.
    pub speed: f32,
    /// How long it is still thrown.
    pub thrown: Millis,
    /// The velocity with which it is thrown.
    pub throw: V,
    /// How long it still ghosts: it slips through others.
    pub ghosts: Millis,
    /// How long it still shoves: it walks straight on, whatever is before it, and contact parts it from
    /// others.
    pub shoves: Millis,
    /// It stays where it is until it may go on.
    pub is_paused: bool,
    /// At rest it makes way for none, and nothing moves it. It goes where orders send it.
    pub holds_position: bool,
    /// It is moved from outside.
    pub is_driven: bool,
    /// It goes where the crowd says although it is moved from outside: it was asked for its velocity since
    /// the last step.
    pub is_steered: bool,
    /// How it takes a link.
    pub crossing: Crossing,
    /// Where it was told to be, when it is moved from outside.
    pub driven_at: V,
}

/// The bits of a saved control.
const PAUSED: u8 = 1;
const HOLDS_POSITION: u8 = 2;

// Driven agents are not saved: what moves them adds them anew.
crate::bytes::saved_as!(
    Control as ((f32, Millis, V), (Millis, Millis, u8, V)),
    |control| (
        (control.speed, control.thrown, control.throw),
        (control.ghosts, control.shoves, control.bits(), control.driven_at)
    ),
    |((speed, thrown, throw), (ghosts, shoves, bits, driven_at))| {
        let control = Self {
            speed,
            thrown,
            throw,
            ghosts,
            shoves,
            is_paused: bits & PAUSED != 0,
            holds_position: bits & HOLDS_POSITION != 0,
            driven_at,
            ..Self::default()
        };
        if control.bits() == bits { Ok(control) } else { Err("what moves an agent is not known") }
    }
);

impl Control {
    const fn bits(&self) -> u8 {
        let paused = if self.is_paused { PAUSED } else { 0 };
        paused | if self.holds_position { HOLDS_POSITION } else { 0 }
    }

    /// Returns `true` if nothing here moves it while it rests.
    pub const fn is_held(&self) -> bool {
        self.is_paused || self.holds_position
    }

    /// Returns `true` if it goes where the game likes in this step.
    pub const fn goes_by_itself(&self) -> bool {
        self.is_driven && !self.is_steered
    }
}
