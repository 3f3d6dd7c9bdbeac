//! What its neighbours read of an agent: position, velocity, outline, priority, and flags of what it does.
//!
//! It is apart from the rest of an agent's state because the passes read it for many neighbours: it is as
//! small as it can be.

use wide::f32x4;

use super::outline::{Core, Gap, Outline, gap};
use super::routes::PATH_GUIDE;
use crate::crowd::numbers::millis::Millis;
use crate::crowd::numbers::vector::{V, dot, minus};

/// What neighbours read of an agent. Positions count in cells from the region's corner to the body's centre.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[repr(C)] // So that place and velocity are read at once.
pub(in crate::crowd) struct Body {
    pub at: V,
    pub velocity: V,
    /// Where it wants to go: a unit vector, or zero.
    pub preferred: V,
    /// Half of the width of its outline where that is narrow.
    pub radius: f32,
    pub core: Core,
    /// Under way its priority: the lower number has the right of way. At rest how far it is from its goal, so
    /// that contact moves overlaps outwards.
    pub rank: u32,
    /// What it follows at the moment, which is the guide of another one while it yields or makes way at rest.
    pub guide: u32,
    /// What its own guide leads to: see [`CrowdField::group`](crate::crowd::CrowdField::group). While it makes way at rest, the group
    /// of the one that presses on it.
    pub group: u32,
    pub flags: u32,
}

crate::bytes::saved_fields!(Body {
    at: V,
    velocity: V,
    preferred: V,
    radius: f32,
    core: Core,
    rank: u32,
    guide: u32,
    group: u32,
    flags: u32,
});

impl Body {
    /// It stays where it is.
    pub const RESTS: u32 = 1;
    /// It has been held up for long: those behind it take nearly all of an overlap.
    pub const INSISTS: u32 = 1 << 2;
    /// It slips through others.
    pub const GHOSTS: u32 = 2;
    /// It is paused, or rests and holds its position.
    pub const HELD: u32 = 1 << 3;
    /// It is held up and wants through: how many in a row make way for it.
    pub const PUSH_REQUESTS: u32 = 31 << 21;
    /// One of them.
    pub const PUSH_REQUEST: u32 = 1 << 21;
    /// Those of its own group, too.
    pub const PUSH_OWN_GROUP: u32 = 1 << 5;
    /// It has stepped aside, and follows the guide of another that presses on it.
    pub const ASIDE: u32 = 1 << 4;
    /// It has arrived since it was given its goal, whether it rests or makes way at the moment.
    pub const ARRIVED: u32 = 1 << 6;
    /// All before it rest for its goal, or are blocked themselves.
    pub const BLOCKED: u32 = 1 << 7;

    /// It goes where it likes.
    pub const DRIVEN: u32 = 1 << 16;
    /// Nothing here moves it.
    pub const FIXED: u32 = Self::DRIVEN | Self::HELD;
    /// Its class: see [`Priority::class`](super::priority::Priority::class).
    const CLASS_SHIFT: u32 = 17;
    pub const CLASS: u32 = 15 << Self::CLASS_SHIFT;

    /// For how long it lends the rank that it has, in milliseconds, in steps of 16.
    const LENDS_SHIFT: u32 = 8;
    const LENDS_STEP: u32 = 4;

    #[inline]
    pub const fn outline(&self) -> Outline {
        Outline { radius: self.radius, core: self.core }
    }

    /// Returns its place and its velocity, side by side.
    #[inline]
    pub fn motion(&self) -> f32x4 {
        f32x4::new([self.at[0], self.at[1], self.velocity[0], self.velocity[1]])
    }

    /// Returns how far another body is from this one. Without `CORES`, both are discs.
    #[inline]
    pub fn gap<const CORES: bool>(&self, other: &Self) -> Gap {
        gap::<CORES>(self.outline(), other.outline(), minus(other.at, self.at))
    }

    /// Returns how far it is ahead of another one that wants to go a `way`, in the direction of both.
    #[inline]
    pub fn leads(&self, other: &Self, way: V) -> f32 {
        dot([way[0] + self.preferred[0], way[1] + self.preferred[1]], minus(self.at, other.at))
    }

    #[inline]
    pub const fn lends(&self) -> Millis {
        Millis(((self.flags >> Self::LENDS_SHIFT & 0xff) << Self::LENDS_STEP) as u16)
    }

    #[inline]
    pub const fn show_lent(&mut self, time: Millis) {
        let steps = (time.0 as u32) >> Self::LENDS_STEP;
        self.flags = self.flags & !(0xff << Self::LENDS_SHIFT) | (steps & 0xff) << Self::LENDS_SHIFT;
    }

    #[inline]
    pub const fn rests(&self) -> bool {
        self.flags & Self::RESTS != 0
    }

    #[inline]
    pub const fn is_driven(&self) -> bool {
        self.flags & Self::DRIVEN != 0
    }

    /// It is moved from outside or held: nothing here moves it.
    #[inline]
    pub const fn is_fixed(&self) -> bool {
        self.flags & Self::FIXED != 0
    }

    /// It is not to be moved by another: nothing here moves it, or it rests and the other is of a lower
    /// class.
    #[inline]
    pub const fn stands_firm(&self, other: &Self) -> bool {
        self.is_fixed() || self.rests() && self.class() > other.class()
    }

    /// It is where it wanted to be, or was: it lets itself be moved aside.
    #[inline]
    pub const fn gives(&self) -> bool {
        self.flags & (Self::RESTS | Self::ARRIVED) != 0
    }

    /// It walks along a path, which need not be its own.
    #[inline]
    pub const fn comes_on_path(&self) -> bool {
        self.guide & PATH_GUIDE != 0 && !self.gives() && self.flags & Self::ASIDE == 0
    }

    /// Of two, the one of the higher class goes first.
    pub const fn set_class(&mut self, priority: u8) {
        self.flags = self.flags & !Self::CLASS | Self::shown_class(priority);
    }

    /// Returns the flags of a body of this class.
    pub const fn shown_class(priority: u8) -> u32 {
        (priority as u32) << Self::CLASS_SHIFT
    }

    #[inline]
    pub const fn class(&self) -> u32 {
        self.flags & Self::CLASS
    }

    /// It wants through no more.
    pub const fn forget_push_request(&mut self) {
        self.flags &= !(Self::PUSH_REQUESTS | Self::PUSH_OWN_GROUP);
    }

    #[inline]
    pub const fn ghosts(&self) -> bool {
        self.flags & Self::GHOSTS != 0
    }
}
