//! The right of way where two agents cannot pass each other.
//!
//! Every agent has a priority, by class and id; the lower number goes first. An agent that is held up by one that goes first and wants to
//! go where it is yields: for a while it follows the other's guide, ahead of it, until there is room beside the path. It takes over the
//! other's priority meanwhile, so that agents behind it yield, too, and a whole column backs out of a corridor (priority inheritance:
//! Okumura, Machida, Défago & Tamura, *Priority Inheritance with Backtracking for Iterative Multi-agent Path Finding*, 2019). Agents that
//! follow another one the same way take over its priority as well, so a column passes as one. One that gets nowhere for long has the
//! last priority for a while, because those before it may have no room to back out to.
//!
//! Agents that want the same way and hold each other before a narrow place take turns: some back off for a moment.

use super::agent::{HELD_LONG, Mind};
use super::behaviour::Cause;
use super::body::Body;
use super::guide::PATH_GUIDE;
use super::tick::Tick;
use super::vector::{V, dot};

/// Agents whose discs are at most so far apart press on each other, in cells.
const PRESSING: f32 = 0.35;
/// And follow each other.
const FOLLOWING: f32 = 1.0;
/// Discs at most this far apart, in cells and in parts of the radius, are beside each other.
const BESIDE: f32 = 0.4;
/// Held up so long, an agent gives way, in milliseconds.
const PATIENCE: u16 = 150;
/// And after so long without coming nearer, however much it stirs: bodies that hold each other may move to and fro without end. With
/// 5 s, 6 % fewer of two crowds get through a corridor of 12 cells in a minute.
const RESTLESS: u16 = 12_000;
/// For so long.
const GIVES_WAY: u16 = 700;
/// A rank is lent for so long, in milliseconds, by the agent whose own it is; and less by each that passes it on. Without that,
/// the rank of one that has long arrived would go round in a jam for ever, all would have the same, and none would give way.
pub(super) const LENT: u16 = 4080;
const LENT_HOP: u16 = 16;
/// After the last contact it runs out so many times as fast.
const LENT_ALONE: u16 = 3;
/// After each so long without coming nearer, an agent's rank changes between its own and the last.
const CLAIM: u16 = 2500;
const LAST: u32 = 1 << 30;
/// An agent that has arrived once and goes back to its place comes after all that have not.
const BEHIND_ALL: u32 = 1 << 31;
/// Held up so long, an agent that comes no nearer takes turns with those around it, in milliseconds.
const SLOW_FOR: u16 = 2500;
/// It counts as jammed for so long then, and backs off in two of three turns until so much is left.
pub(super) const JAMMED_MAX: u16 = 2500;
const JAMMED: u16 = 1000;
/// The substeps of a turn, and of how many turns an agent goes on in one.
const TURN: u32 = 48;
const TURNS: u32 = 3;

/// A rank as a neighbour shows it, and for how long it lends it.
#[derive(Clone, Copy, Debug)]
struct Lent {
    rank: u32,
    millis: u16,
}

impl Lent {
    const NONE: Self = Self { rank: u32::MAX, millis: 0 };

    #[inline]
    const fn of(other: &Body) -> Self {
        Self { rank: other.rank, millis: other.lends() }
    }

    /// Whether it goes before another: the lower rank, and of the same the one that lasts longer.
    #[inline]
    const fn is_before(self, other: Self) -> bool {
        self.rank < other.rank || self.rank == other.rank && self.millis > other.millis
    }
}

/// One that presses on an agent.
#[derive(Clone, Copy, Debug)]
struct Presser {
    rank: Lent,
    guide: u32,
    group: u32,
}

/// What an agent sees of its neighbours that bears on the right of way.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is another thing that is seen")]
pub(super) struct Meeting {
    /// An agent comes towards it.
    pub is_met: bool,
    /// An agent before it goes its way; and one of them has not arrived, so that the queue moves on.
    has_queue: bool,
    queue_moves: bool,
    /// The rank and the guide of the first in rank of those that press on it,
    presser: Presser,
    /// of which this tells whether it is in its own way.
    opposes: bool,
    /// And this whether they want in opposite directions.
    is_head_on: bool,
    /// The first rank of those that it follows.
    leader: Lent,
    /// Where the nearest is that has arrived before it where it wants to go, and how far: squared, without its radius.
    pub settled: Option<V>,
    settled_distance: f32,
    /// Whether one right before it rests for its goal, or is blocked itself.
    blocked_before: bool,
    /// Or one ahead that it can be wedged at.
    blocked_beside: bool,
}

impl Default for Meeting {
    fn default() -> Self {
        Self {
            is_met: false,
            has_queue: false,
            queue_moves: false,
            presser: Presser { rank: Lent::NONE, guide: 0, group: 0 },
            opposes: false,
            is_head_on: false,
            leader: Lent::NONE,
            settled: None,
            settled_distance: f32::INFINITY,
            blocked_before: false,
            blocked_beside: false,
        }
    }
}

impl Meeting {
    /// Whether one right before it rests for its goal, or is blocked itself; of one that has been held up for very long, one
    /// that it is wedged at is enough.
    pub const fn is_blocked(&self, mind: &Mind) -> bool {
        self.blocked_before || self.blocked_beside && mind.held >= HELD_LONG
    }

    /// Whether it waits in a queue. Agents of a formation that have arrived only make way: behind them nothing moves on.
    pub fn queues(&self, mind: &Mind) -> bool {
        if mind.is_in_formation() { self.queue_moves } else { self.has_queue }
    }

    #[inline]
    pub fn look_at(&mut self, body: &Body, own_way: V, other: &Body, offset: V) {
        let ahead = dot(own_way, offset);
        let is_before = ahead > 0.0;
        let is_one_group = other.group == body.group;
        let distance2 = dot(offset, offset);
        // Few have arrived or are blocked while most are on the way: the flags first.
        let stays = Body::RESTS | Body::ARRIVED | Body::BLOCKED;
        if other.flags & stays != 0 && is_before && is_one_group {
            self.look_at_settled(body, other, offset, ahead);
        }
        if other.rests() {
            return;
        }
        let same_way = dot(own_way, other.want);
        self.is_met |= is_before && same_way < -0.5 && !is_one_group;
        let touch = body.radius + other.radius;
        let limit = touch + FOLLOWING;
        if distance2 > limit * limit {
            return;
        }
        let press = touch + PRESSING;
        let is_pressing = distance2 < press * press;
        let rank = Lent::of(other);
        // Within 60° of its way, from here and from there.
        if is_before && ahead * ahead > 0.25 * distance2 {
            let queues = is_one_group && is_pressing && same_way > -0.5;
            self.has_queue |= queues;
            self.queue_moves |= queues && other.flags & Body::ARRIVED == 0;
            if same_way > 0.3 && rank.is_before(self.leader) {
                self.leader = rank;
            }
        }
        if !is_pressing || other.rank >= self.presser.rank.rank {
            return;
        }
        let towards = dot(other.want, offset);
        if towards < 0.0 && towards * towards > 0.25 * distance2 {
            self.presser = Presser { rank, guide: other.guide, group: other.group };
            self.opposes = is_before && ahead * ahead > 0.04 * distance2;
            self.is_head_on = same_way < -0.5;
        }
    }

    /// Looks at one of its own group before it that has arrived or is blocked.
    fn look_at_settled(&mut self, body: &Body, other: &Body, offset: V, ahead: f32) {
        let distance2 = dot(offset, offset);
        // One that has arrived and only makes way counts as if it rested.
        if other.gives() {
            let distance = distance2 - other.radius * other.radius;
            if distance < self.settled_distance {
                (self.settled, self.settled_distance) = (Some(offset), distance);
            }
        }
        // Around the end of a path no places are handed out, so that those that have arrived come no nearer to it either.
        let arrived = if body.guide & PATH_GUIDE != 0 { Body::ARRIVED } else { 0 };
        if other.flags & (Body::RESTS | Body::BLOCKED | arrived) != 0 {
            let limit = body.radius + other.radius + BESIDE;
            let is_beside = distance2 < limit * limit;
            self.blocked_before |= is_beside && ahead * ahead > 0.25 * distance2;
            self.blocked_beside |= is_beside && ahead * ahead > 0.03 * distance2;
        }
    }
}

/// Brings the agent's rank and guide up to date with the agents that it meets.
#[inline]
pub(super) fn yield_to(tick: &Tick<'_>, mind: &mut Mind, body: &mut Body, meeting: &Meeting) {
    // What it gave way with is not its own: it must not press on with that.
    let has_given_way = mind.behaviour().yields() && mind.gives_way <= tick.millis;
    mind.gives_way = mind.gives_way.saturating_sub(tick.millis);
    if has_given_way {
        mind.meet(Cause::Yielded);
    }
    mind.lent = mind.lent.saturating_sub(tick.millis * LENT_ALONE);
    let is_last = (mind.stalled / CLAIM) & 1 == 1;
    let own_rank =
        mind.own_rank() | if is_last { LAST } else { 0 } | if mind.goes_back() { BEHIND_ALL } else { 0 };
    if mind.lent == 0 || has_given_way || own_rank < body.rank {
        (body.rank, mind.lent) = (own_rank, 0);
    }
    let has = |mind: &Mind, body: &Body| Lent {
        rank: body.rank,
        millis: if mind.lent == 0 { LENT } else { mind.lent },
    };
    let passed_on = |rank: Lent| Lent { millis: rank.millis.saturating_sub(LENT_HOP), ..rank };
    let leader = passed_on(meeting.leader);
    if leader.millis > 0 && leader.is_before(has(mind, body)) {
        (body.rank, mind.lent) = (leader.rank, leader.millis);
    }
    let Presser { guide, group, .. } = meeting.presser;
    let presser = passed_on(meeting.presser.rank);
    let is_held_up = mind.slow >= PATIENCE || mind.stalled >= RESTLESS && !mind.is_in_formation();
    if is_held_up && presser.millis > 0 && presser.rank < body.rank {
        (body.rank, mind.lent) = (presser.rank, presser.millis);
        // Bodies of other sizes may go another way to one goal, and meet in a street.
        let is_met = meeting.is_head_on && guide != mind.guide && !mind.has(Mind::HAS_SLOT);
        if meeting.opposes && (group != body.group || is_met) {
            mind.yield_guide = guide;
            mind.gives_way = GIVES_WAY;
            mind.meet(Cause::Opposed);
        }
    }
    body.show_lent(has(mind, body).millis);
    body.guide = if mind.behaviour().yields() { mind.yield_guide } else { mind.guide };
}

impl Mind {
    /// It comes no nearer: when it has long been held up, too, it is jammed.
    pub const fn take_turns(&mut self) {
        if self.slow >= SLOW_FOR {
            (self.jammed, self.slow) = (JAMMED_MAX, 0);
        }
    }

    /// Whether it backs off. Bodies that want the same way can hold each other before a narrow place like the stones of an arch, and
    /// physics shapes that are larger than their discs do; neither of them has the right of way. They take turns.
    pub const fn backs_off(&self, substep: u32) -> bool {
        self.jammed >= JAMMED && !(substep / TURN + self.id).is_multiple_of(TURNS)
    }
}
