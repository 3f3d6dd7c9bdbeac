//! What moves a body: the crowd, the game from outside, a throw, or nothing while it is paused; and how fast it may go.

use super::millis::Millis;
use super::vector::V;

/// What moves a body. A driven body, a thrown one and a paused one do not do what their behaviour says, in this order of precedence, and
/// go on with it afterwards. One that ghosts is no obstacle, whatever it does; one that shoves is one.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is another order")]
pub(super) struct Control {
    /// The speed at which it walks, in cells a second.
    pub speed: f32,
    /// How long it is still thrown.
    pub thrown: Millis,
    /// The velocity with which it is thrown.
    pub throw: V,
    /// How long it still ghosts: it slips through others.
    pub ghosts: Millis,
    /// How long it still shoves: it walks straight on, whatever is before it, and contact parts it from others.
    pub shoves: Millis,
    /// It stays where it is until it may go on.
    pub is_paused: bool,
    /// It is moved from outside.
    pub is_driven: bool,
    /// It goes where the crowd says although it is moved from outside: it was asked for its velocity since the last step.
    pub is_steered: bool,
    /// Where it was told to be, when it is moved from outside.
    pub driven_at: V,
}

// Driven agents are not saved: what moves them adds them anew.
crate::bytes::saved_as!(
    Control as ((f32, Millis, V), (Millis, Millis, bool, V)),
    |control| (
        (control.speed, control.thrown, control.throw),
        (control.ghosts, control.shoves, control.is_paused, control.driven_at)
    ),
    |((speed, thrown, throw), (ghosts, shoves, is_paused, driven_at))| Ok(Self {
        speed,
        thrown,
        throw,
        ghosts,
        shoves,
        is_paused,
        driven_at,
        ..Self::default()
    })
);

impl Control {
    /// Returns `true` if it goes where the game likes in this step.
    pub const fn goes_by_itself(&self) -> bool {
        self.is_driven && !self.is_steered
    }
}
