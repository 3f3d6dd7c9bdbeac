//! What is kept of an agent and only it reads: its behaviour, its guide, its place, and how long it has been held up.
//!
//! Neighbours read its [`Body`]. The behaviour is private: it changes by [`Mind::meet`] only, which asks the table in `behaviour`.

use super::behaviour::{AgentState, Behaviour, Cause};
use super::body::Body;
use super::guide::{NO_GUIDE, PATH_GUIDE};
use super::spec::AgentSpec;
use super::vector::V;

/// No nearer to its goal for so long, an agent is held up; where all agents for its goal rest, it counts as arrived.
pub(super) const HELD_TIME: u16 = 1000;
/// No nearer for so long, it need not be right before those that block it.
pub(super) const HELD_LONG: u16 = 8000;
/// One that counts as arrived walks no longer than this around its goal, in all, then it stays where it is.
pub(super) const SHUFFLES: u16 = 60_000;

/// The highest class of agents.
pub(super) const PRIORITY_MAX: u32 = 15;
/// The class of agents that were given none.
pub(super) const PRIORITY_USUAL: u8 = 8;
/// Ids have so many bits.
pub(super) const ID_BITS: u32 = 26;

/// What only the agent itself needs. Times are in milliseconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Mind {
    pub id: u32,
    pub kind: u16,
    conduct: Conduct,
    /// In cells a second.
    pub speed: f32,
    pub guide: u32,
    /// The next point of its path.
    pub cursor: u32,
    /// Its own place: where it rests, or its slot in a formation.
    pub home: V,
    /// How far it still was when it was last looked at.
    pub mark: f32,
    /// The nearest that it has been, and while it saw its place in a formation: to that.
    pub best: [f32; 2],
    /// How long it has been no nearer than that.
    pub held: u16,
    /// How long it has walked around its goal since it counts as arrived, or pushed through others on the way to its place in a formation.
    pub shuffled: u16,
    /// How long ago it was last looked at how near it is.
    pub window: u16,
    /// How long it has been held up.
    pub slow: u16,
    /// How long it has come no nearer, leaving out what it stood in a queue.
    pub stalled: u16,
    /// How long it has been held up beside one that has arrived.
    pub beside: u16,
    /// How long it still yields or stays aside.
    pub gives_way: u16,
    /// How long it still has a priority that is not its own.
    pub lent: u16,
    /// How long it still ghosts.
    pub slips: u16,
    /// Agents with the same number may swap places: those of one formation, or around one goal.
    pub formation: u16,
    /// The guide of the agent that it yields to, or yielded to last.
    pub yield_guide: u32,
    /// Its class: agents of a higher class go first.
    pub priority: u8,
    /// How long it is still thrown.
    pub thrown: u16,
    /// The velocity with which it is thrown.
    pub throw: V,
    /// Where its body was told to be, when it is driven.
    pub told: V,
    /// How long it has been held by what the right of way does not settle, or its body by what the crowd does not know of.
    pub jammed: u16,
}

crate::bytes::saved_fields!(Mind {
    id: u32,
    kind: u16,
    conduct: Conduct,
    speed: f32,
    guide: u32,
    cursor: u32,
    home: V,
    mark: f32,
    best: [f32; 2],
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
    jammed: u16,
});

/// What an agent does, and the flags that are independent of it: together, so that they take four bytes.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Conduct {
    behaviour: Behaviour,
    flags: u16,
}

/// The bit of [`Mind::PAUSED`] among saved flags.
const SAVED_PAUSED: u16 = 1 << 9;

impl Conduct {
    /// Flags that are saved as they are.
    const SAVED: u16 = !(Mind::DRIVEN | Mind::PAUSED | Mind::STEERED | SAVED_PAUSED);

    const fn saved_flags(self) -> u16 {
        let paused = if self.flags & Mind::PAUSED != 0 { SAVED_PAUSED } else { 0 };
        self.flags & Self::SAVED | paused | self.behaviour.saved_bits()
    }

    const fn from_saved(state: AgentState, saved: u16) -> Self {
        let paused = if saved & SAVED_PAUSED != 0 { Mind::PAUSED } else { 0 };
        let flags = saved & Self::SAVED | paused;
        Self { behaviour: Behaviour::from_saved(state, saved), flags }
    }
}

crate::bytes::saved_as!(
    Conduct as (AgentState, u16),
    |conduct| (conduct.behaviour.state(), conduct.saved_flags()),
    |(state, saved)| Ok(Self::from_saved(state, saved))
);

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
    /// It rests short of its place, or its place is beyond the room of its group. Where it rests, the next round finds out whether it has
    /// arrived all the same.
    pub const SHORT: u16 = 1 << 8;
    /// It was told as blocked since it was given its goal.
    pub const TOLD_BLOCKED: u16 = 1 << 10;
    /// Its body is moved from outside.
    pub const DRIVEN: u16 = 2;
    /// It stays where it is until it may go on.
    pub const PAUSED: u16 = 4;
    /// Its body goes where the crowd says: it was asked for its velocity since the last step.
    pub const STEERED: u16 = 32;
    /// What an order leaves as it is.
    pub const KEPT: u16 = Self::DRIVEN | Self::PAUSED | Self::STEERED;

    #[inline]
    pub const fn has(&self, flag: u16) -> bool {
        self.conduct.flags & flag != 0
    }

    #[inline]
    pub const fn set(&mut self, flag: u16, on: bool) {
        if on {
            self.conduct.flags |= flag;
        } else {
            self.conduct.flags &= !flag;
        }
    }

    /// Whether it goes back to where it rested.
    #[inline]
    pub const fn goes_back(&self) -> bool {
        self.conduct.behaviour.is_homing() && (!self.has(Self::HAS_SLOT) || self.has(Self::ANNOUNCED))
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
        driven | Body::shown_class(self.priority)
    }

    /// Its own priority: by class, then by id; the lower number goes first.
    pub const fn own_rank(&self) -> u32 {
        (PRIORITY_MAX - self.priority as u32) << ID_BITS | self.id
    }

    /// What is told of it. One that has arrived, or has nothing to do, does not count as waiting or moving while it makes way.
    pub const fn told_state(&self) -> AgentState {
        if self.guide == NO_GUIDE {
            AgentState::Idle
        } else if self.has(Self::ANNOUNCED) {
            AgentState::Arrived
        } else if !matches!(self.conduct.behaviour, Behaviour::Settled) {
            self.conduct.behaviour.state()
        } else if self.has(Self::TOLD_BLOCKED) {
            AgentState::Blocked
        } else {
            AgentState::Waiting
        }
    }

    /// One that does nothing yet, at `at`.
    pub const fn new(id: u32, spec: &AgentSpec, at: V, is_driven: bool) -> Self {
        Self {
            id,
            kind: spec.kind,
            conduct: Conduct { behaviour: Behaviour::Idle, flags: if is_driven { Self::DRIVEN } else { 0 } },
            speed: spec.speed,
            guide: NO_GUIDE,
            cursor: 0,
            home: at,
            mark: f32::INFINITY,
            best: [f32::INFINITY; 2],
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
            jammed: 0,
        }
    }

    /// What it does.
    #[inline]
    pub const fn behaviour(&self) -> Behaviour {
        self.conduct.behaviour
    }

    /// Does what the table of behaviours has for `cause`.
    #[inline]
    pub const fn meet(&mut self, cause: Cause) {
        self.conduct.behaviour = self.conduct.behaviour.after(cause);
    }

    /// Returns it as it is saved: only finite numbers are.
    pub fn to_saved(mut self) -> Self {
        // Infinite until it is measured.
        let finite = |left: f32| if left.is_finite() { left } else { f32::MAX };
        (self.mark, self.best) = (finite(self.mark), self.best.map(finite));
        self
    }

    /// Returns it as it was before [`Mind::to_saved`]; it is as it was read.
    pub fn restored(mut self) -> Self {
        if self.gives_way > 0 {
            self.meet(Cause::Opposed);
        }
        let measured = |left: f32| if left < f32::MAX { left } else { f32::INFINITY };
        (self.mark, self.best) = (measured(self.mark), self.best.map(measured));
        self
    }

    /// Takes a guide, or none, and forgets all about the path so far.
    pub fn begin(&mut self, guide: u32) {
        self.guide = guide;
        self.meet(if guide == NO_GUIDE { Cause::Stopped } else { Cause::Ordered });
        self.conduct.flags &= Self::KEPT;
        self.cursor = 0;
        self.measure_anew();
        self.shuffled = 0;
        (self.window, self.slow, self.stalled, self.beside) = (0, 0, 0, 0);
        (self.gives_way, self.lent, self.slips, self.formation) = (0, 0, 0, 0);
    }
}

impl Mind {
    /// Rests from now on, at `at` or in its slot.
    pub fn settle(&mut self, at: V, group: u32) {
        self.meet(if self.guide == NO_GUIDE { Cause::Stopped } else { Cause::Arrived });
        if !self.has(Mind::HAS_SLOT) {
            self.home = at;
            // Others around the goal may swap with it.
            self.set(Mind::HAS_SLOT, self.guide & PATH_GUIDE == 0);
            self.formation = Mind::around(group);
        }
        (self.slow, self.stalled, self.beside, self.window) = (0, 0, 0, 0);
        (self.gives_way, self.lent, self.slips) = (0, 0, 0);
        self.set(Mind::QUEUED | Mind::BESIDE | Mind::ASKS, false);
        self.measure_anew();
    }

    /// Goes back to where it rested, because it was released or displaced.
    pub fn go_back(&mut self, why: Cause) {
        self.meet(why);
        if self.is_around() {
            // Where it settled is its home, no place that others might swap with it.
            self.set(Mind::HAS_SLOT, false);
        }
        (self.slow, self.stalled, self.beside, self.window) = (0, 0, 0, 0);
        (self.best, self.held) = ([f32::INFINITY; 2], 0);
    }

    /// Was thrown to `at`: one that had arrived goes back to its place, one that does nothing stays.
    pub fn land(&mut self, at: V) {
        self.measure_anew();
        match self.behaviour() {
            Behaviour::Idle => self.home = at,
            Behaviour::Settled => self.go_back(Cause::Displaced),
            _ => {}
        }
    }

    /// How near it has been says nothing any more.
    pub const fn measure_anew(&mut self) {
        (self.mark, self.best, self.held) = (f32::INFINITY, [f32::INFINITY; 2], 0);
    }

    /// It is somewhere else than it walked to: how near it has been says nothing any more.
    pub const fn look_anew(&mut self) {
        self.measure_anew();
        (self.slow, self.stalled, self.beside, self.window) = (0, 0, 0, 0);
    }
}

impl Mind {
    /// What [`Mind::formation`] is for agents around the goals of a group; formations are numbered below it.
    pub const fn around(group: u32) -> u16 {
        (group ^ group >> 16) as u16 | Self::FORMATIONS
    }

    /// Formations have smaller numbers.
    pub const FORMATIONS: u16 = 1 << 15;

    /// Whether it has a place of its own that no other agent may have.
    pub const fn has_place(&self) -> bool {
        self.has(Self::HAS_SLOT) && !self.has(Self::ASKS)
    }

    /// Whether it counts as arrived and is still on the way to its place around the goal.
    pub const fn closes_up(&self) -> bool {
        self.is_around() && self.has(Self::ANNOUNCED)
    }

    /// Whether its time to close up is over.
    pub const fn has_shuffled(&self) -> bool {
        self.closes_up() && self.shuffled >= SHUFFLES
    }

    /// Whether its place is one of a formation.
    pub const fn is_in_formation(&self) -> bool {
        self.has(Self::HAS_SLOT) && self.formation < Self::FORMATIONS
    }

    /// Whether its place is one around its goal, not one of a formation.
    pub const fn is_around(&self) -> bool {
        self.has(Self::HAS_SLOT) && self.formation >= Self::FORMATIONS
    }
}
