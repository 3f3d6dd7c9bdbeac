//! What is kept of an agent: what its neighbours read, and what only it needs.

use super::behaviour::{Behaviour, Cause, SAVED_BITS};
use super::solver::V;

/// A guide that is none.
pub(super) const NO_GUIDE: u32 = u32::MAX;
/// Marks guides that are paths of the crowd's own; the others are numbers of fields.
pub(super) const PATH_GUIDE: u32 = 1 << 31;

/// The highest class of agents.
pub(super) const PRIORITY_MAX: u32 = 15;
/// The class of those who were given none.
pub(super) const PRIORITY_USUAL: u8 = 8;
/// Ids have so many bits.
pub(super) const ID_BITS: u32 = 26;

/// What an agent is doing; the numbers are those that scripts see.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum AgentState {
    /// It was given nothing to do, or was stopped.
    #[default]
    Idle = 0,
    /// It is on its way.
    Moving = 1,
    /// It is on its way and others are in it: it queues or gives way.
    Waiting = 2,
    /// It has arrived, and stays so until it is given something else to do: whether it rests, makes way or comes back.
    Arrived = 3,
    /// It is on its way and gets no nearer, or there is no way.
    Stuck = 4,
}

crate::bytes::saved_as!(AgentState as u8, |state| *state as u8, |number| {
    let all = [Self::Idle, Self::Moving, Self::Waiting, Self::Arrived, Self::Stuck];
    all.get(usize::from(number)).copied().ok_or("an agent's state is not one")
});

/// What neighbours read of an agent. Positions count in cells from the region's corner to the body's centre.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[repr(C)] // So that place and velocity are read at once.
pub(super) struct Body {
    pub at: V,
    pub velocity: V,
    /// Where it wants to go: a unit vector, or zero.
    pub want: V,
    pub radius: f32,
    /// Who has the right of way: less goes first.
    pub rank: u32,
    /// What it follows at the moment, which may be somebody else's guide while it gives way.
    pub guide: u32,
    /// What its own guide leads to: see [`super::CrowdField::group`].
    pub group: u32,
    pub flags: u32,
}

crate::bytes::saved_fields!(Body {
    at: V,
    velocity: V,
    want: V,
    radius: f32,
    rank: u32,
    guide: u32,
    group: u32,
    flags: u32,
});

impl Body {
    /// It stays where it is.
    pub const RESTS: u32 = 1;
    /// It slips through others.
    pub const SLIPS: u32 = 2;
    /// It shoulders its way through agents at rest.
    pub const SHOULDERS: u32 = 1 << 2;
    /// It is held up and wants through: how many in a row make way for it.
    pub const PRESSES: u32 = 31 << 21;
    /// One of them.
    pub const PRESS: u32 = 1 << 21;
    /// Those of its own group, too.
    pub const PRESSES_ALL: u32 = 1 << 5;
    /// It has arrived since it was given its goal, whether it rests or makes way at the moment.
    pub const ARRIVED: u32 = 1 << 6;
    /// All before it rest for its goal, or are blocked themselves.
    pub const BLOCKED: u32 = 1 << 7;

    /// It goes where it likes: nothing here moves it.
    pub const DRIVEN: u32 = 1 << 16;
    /// Its class: see [`Mind::priority`].
    const CLASS_SHIFT: u32 = 17;
    const CLASS: u32 = 15 << Self::CLASS_SHIFT;

    /// For how long it lends the rank that it has, in milliseconds, in steps of 16.
    const LENDS_SHIFT: u32 = 8;
    const LENDS_STEP: u32 = 4;

    #[inline]
    pub const fn lends(&self) -> u16 {
        ((self.flags >> Self::LENDS_SHIFT & 0xff) << Self::LENDS_STEP) as u16
    }

    #[inline]
    pub const fn show_lent(&mut self, millis: u16) {
        let steps = (millis as u32) >> Self::LENDS_STEP;
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

    /// Of two, the one of the higher class goes first.
    /// It is where it wanted to be, or was: it lets itself be moved aside.
    #[inline]
    pub const fn gives(&self) -> bool {
        self.flags & (Self::RESTS | Self::ARRIVED) != 0
    }

    pub const fn set_class(&mut self, mind: &Mind) {
        self.flags = self.flags & !Self::CLASS | (mind.priority as u32) << Self::CLASS_SHIFT;
    }

    #[inline]
    pub const fn class(&self) -> u32 {
        self.flags & Self::CLASS
    }

    /// It wants through no more.
    pub const fn forget_press(&mut self) {
        self.flags &= !(Self::PRESSES | Self::PRESSES_ALL);
    }

    #[inline]
    pub const fn slips(&self) -> bool {
        self.flags & Self::SLIPS != 0
    }
}

/// What only the agent itself needs. Times are in milliseconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Mind {
    pub id: u32,
    pub kind: u16,
    behaviour: Behaviour,
    flags: u16,
    /// In cells a second.
    pub speed: f32,
    pub guide: u32,
    /// The next point of its path.
    pub cursor: u32,
    /// Its own place: where it rests, or its slot in a formation.
    pub home: V,
    /// How far it still was when it was last looked at.
    pub mark: f32,
    /// The nearest that it has been.
    pub best: f32,
    /// How long ago.
    pub held: u16,
    /// How long it has walked around its goal since it counts as arrived.
    pub shuffled: u16,
    /// Since then.
    pub window: u16,
    /// How long it has been held up.
    pub slow: u16,
    /// How long it has come no nearer, leaving out what it stood in a queue.
    pub stalled: u16,
    /// How long it has been held up beside one that has arrived.
    pub beside: u16,
    /// How long it still yields, and by which guide, or stays aside.
    pub gives_way: u16,
    /// How long it still has a rank that is not its own.
    pub lent: u16,
    /// How long it still slips through others.
    pub slips: u16,
    /// With whom it may swap its place: those of one formation, or around one goal.
    pub formation: u16,
    pub yield_guide: u32,
    /// Its class: agents of a higher class go first.
    pub priority: u8,
    /// How long it is still thrown, and how fast.
    pub thrown: u16,
    pub throw: V,
    /// Where its body was told to be, when it is driven.
    pub told: V,
}

crate::bytes::saved_fields!(Mind {
    id: u32,
    kind: u16,
    behaviour: Behaviour,
    flags: u16,
    speed: f32,
    guide: u32,
    cursor: u32,
    home: V,
    mark: f32,
    best: f32,
    window: u16,
    slow: u16,
    stalled: u16,
    held: u16,
    shuffled: u16,
    beside: u16,
    gives_way: u16,
    lent: u16,
    slips: u16,
    formation: u16,
    yield_guide: u32,
    priority: u8,
    thrown: u16,
    throw: V,
    told: V,
});

impl Mind {
    /// Its home is a place that it was given.
    pub const HAS_SLOT: u16 = 1;
    /// It has arrived once since it was given its goal.
    pub const ANNOUNCED: u16 = 8;
    /// Within the current window it stood in a queue.
    pub const QUEUED: u16 = 16;
    /// It is beside one that has arrived where it wants to.
    pub const BESIDE: u16 = 64;
    /// It asks for a place: for one around its goal or, when it has a slot, whether that fits.
    pub const ASKS: u16 = 128;
    /// Its body is moved from outside.
    pub const DRIVEN: u16 = 256;
    /// It stays where it is until it may go on.
    pub const PAUSED: u16 = 512;
    /// Its body goes where the crowd says: it was asked for its velocity since the last step.
    pub const STEERED: u16 = 1024;
    /// What an order leaves as it is.
    pub const KEPT: u16 = Self::DRIVEN | Self::PAUSED | Self::STEERED;

    #[inline]
    pub const fn has(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    #[inline]
    pub const fn set(&mut self, flag: u16, on: bool) {
        if on {
            self.flags |= flag;
        } else {
            self.flags &= !flag;
        }
    }

    /// Whether it goes back to where it rested.
    #[inline]
    pub const fn goes_back(&self) -> bool {
        self.behaviour.is_homing() && (!self.has(Self::HAS_SLOT) || self.has(Self::ANNOUNCED))
    }

    /// [`Body::ARRIVED`] for one that has.
    #[inline]
    pub const fn arrived_flag(&self) -> u32 {
        if self.has(Self::ANNOUNCED) { Body::ARRIVED } else { 0 }
    }

    /// What its body shows of it whatever it does.
    #[inline]
    pub const fn shown(&self) -> u32 {
        let driven = if self.has(Self::DRIVEN) && !self.has(Self::STEERED) { Body::DRIVEN } else { 0 };
        driven | (self.priority as u32) << Body::CLASS_SHIFT
    }

    /// Its own place among those who go first: by class, then by id.
    pub const fn own_rank(&self) -> u32 {
        (PRIORITY_MAX - self.priority as u32) << ID_BITS | self.id
    }

    /// What is told of it. Who has arrived, or has nothing to do, does not wait or walk when it only makes way.
    pub const fn told_state(&self) -> AgentState {
        if self.guide == NO_GUIDE {
            AgentState::Idle
        } else if self.has(Self::ANNOUNCED) {
            AgentState::Arrived
        } else {
            self.behaviour.state()
        }
    }

    /// One that does nothing yet, at `at`.
    pub const fn new(id: u32, spec: &AgentSpec, at: V, is_driven: bool) -> Self {
        Self {
            id,
            kind: spec.kind,
            behaviour: Behaviour::Idle,
            flags: if is_driven { Self::DRIVEN } else { 0 },
            speed: spec.speed,
            guide: NO_GUIDE,
            cursor: 0,
            home: at,
            mark: f32::INFINITY,
            best: f32::INFINITY,
            held: 0,
            shuffled: 0,
            window: 0,
            slow: 0,
            stalled: 0,
            beside: 0,
            gives_way: 0,
            lent: 0,
            slips: 0,
            formation: 0,
            yield_guide: NO_GUIDE,
            priority: PRIORITY_USUAL,
            thrown: 0,
            throw: [0.0; 2],
            told: at,
        }
    }

    #[inline]
    pub const fn behaviour(&self) -> Behaviour {
        self.behaviour
    }

    /// Does what the table of behaviours has for `cause`.
    #[inline]
    pub const fn meet(&mut self, cause: Cause) {
        self.behaviour = self.behaviour.after(cause);
    }

    /// Returns it as it is saved: its flags tell what the state leaves open of its behaviour.
    pub fn to_saved(mut self) -> Self {
        self.flags |= self.behaviour.saved_bits();
        // Infinite until it is measured; only finite numbers are saved.
        let finite = |left: f32| if left.is_finite() { left } else { f32::MAX };
        (self.mark, self.best) = (finite(self.mark), finite(self.best));
        self
    }

    /// Returns it as it was before [`Mind::to_saved`]; it is as it was read.
    pub fn restored(mut self) -> Self {
        self.behaviour = self.behaviour.with_saved_bits(self.flags, self.gives_way > 0);
        self.flags &= !SAVED_BITS;
        let measured = |left: f32| if left < f32::MAX { left } else { f32::INFINITY };
        (self.mark, self.best) = (measured(self.mark), measured(self.best));
        self
    }

    /// Forgets everything about the way so far.
    pub fn begin(&mut self, guide: u32) {
        self.guide = guide;
        self.meet(if guide == NO_GUIDE { Cause::Stopped } else { Cause::Ordered });
        self.flags &= Self::KEPT;
        self.cursor = 0;
        self.mark = f32::INFINITY;
        self.best = f32::INFINITY;
        (self.held, self.shuffled) = (0, 0);
        (self.window, self.slow, self.stalled, self.beside) = (0, 0, 0, 0);
        (self.gives_way, self.lent, self.slips, self.formation) = (0, 0, 0, 0);
    }
}

/// An agent to be added.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AgentSpec {
    /// Centre of its body along x, in cells.
    pub x: f64,
    /// Centre of its body along y, in cells.
    pub y: f64,
    /// Its kind, as [`super::Crowd::kind`] gave it.
    pub kind: u16,
    /// In cells a second.
    pub speed: f32,
    /// In cells.
    pub radius: f32,
}

/// What can be seen of an agent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AgentView {
    /// Its number.
    pub id: u32,
    /// Centre of its body in cells.
    pub x: f64,
    /// Centre of its body in cells.
    pub y: f64,
    /// Cells a second along x.
    pub vx: f32,
    /// Cells a second along y.
    pub vy: f32,
    /// In cells.
    pub radius: f32,
    /// In cells a second.
    pub speed: f32,
    /// Its kind.
    pub kind: u16,
    /// What it is doing.
    pub state: AgentState,
    /// The field that it follows, when it follows one.
    pub field: Option<u32>,
    /// Whether its body is moved from outside.
    pub is_driven: bool,
}
