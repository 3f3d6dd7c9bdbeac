//! Who gives way to whom where two cannot pass each other.
//!
//! Every agent has a rank, its id; the lower goes first. One that is held up by another, which wants to go where it stands
//! and has the right of way, gives way: for a while it walks by the other's guide, ahead of it, until there is room beside
//! the way. It takes over the other's rank meanwhile, so that whoever is behind it gives way, too, and a whole column backs
//! out of a corridor (priority inheritance: Okumura, Machida, Défago & Tamura, *Priority Inheritance with Backtracking for
//! Iterative Multi-agent Path Finding*, 2019). Those that follow an agent the same way take over its rank as well, so a
//! column passes as one, and the other side waits until it is through. One that gets nowhere for long gives up its rank for
//! a while, because those before it may have no room to back out to.

use super::agent::{Body, Mind};
use super::solver::{V, dot};
use super::steer::Tick;

/// Agents whose discs are at most so far apart press on each other, in cells.
const PRESSING: f32 = 0.35;
/// And follow each other.
const FOLLOWING: f32 = 1.0;
/// Discs at most this far apart, in cells and in parts of the radius, are beside each other.
const BESIDE: f32 = 0.4;
const BESIDE_PART: f32 = 0.3;
/// Held up so long, an agent gives way, in milliseconds.
const PATIENCE: u16 = 150;
/// For so long.
const GIVES_WAY: u16 = 700;
/// A rank is lent for so long after the last contact.
const LENT: u16 = 1200;
/// After each so long without coming nearer, an agent's rank changes between its own and the last.
const CLAIM: u16 = 2500;
const LAST: u32 = 1 << 30;
/// Who has arrived once and goes back to its place comes after all who have not.
const BEHIND_ALL: u32 = 1 << 31;

/// What an agent sees of its neighbours that bears on the right of way.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is another thing that is seen")]
pub(super) struct Meeting {
    /// Somebody comes towards it.
    pub is_met: bool,
    /// Somebody before it goes its way; and one of them has not arrived, so that the queue moves on.
    has_queue: bool,
    queue_moves: bool,
    /// The rank and the guide of the first in rank of those that press on it,
    presser: (u32, u32, u32),
    /// of which this tells whether it stands in its own way.
    opposes: bool,
    /// The first rank of those that it follows.
    leader: u32,
    /// Where the nearest is that has arrived before it where it wants to go, and how far: squared, without its radius.
    pub settled: Option<V>,
    settled_distance: f32,
    /// Above zero when it is beside this agent.
    settled_spare: f32,
}

impl Default for Meeting {
    fn default() -> Self {
        Self {
            is_met: false,
            has_queue: false,
            queue_moves: false,
            presser: (u32::MAX, 0, 0),
            opposes: false,
            leader: u32::MAX,
            settled: None,
            settled_distance: f32::INFINITY,
            settled_spare: 0.0,
        }
    }
}

impl Meeting {
    /// Whether one that has arrived is right before it where it wants to go.
    pub fn is_beside(&self) -> bool {
        self.settled_spare > 0.0
    }

    /// Whether it stands in a queue. Those of a formation who have arrived only make way: behind them nothing moves on.
    pub fn queues(&self, mind: &Mind) -> bool {
        if mind.is_in_formation() { self.queue_moves } else { self.has_queue }
    }

    #[inline]
    pub fn look_at(&mut self, body: &Body, own_way: V, other: &Body, offset: V) {
        let ahead = dot(own_way, offset);
        // One that has arrived and only makes way counts as if it rested.
        if other.flags & (Body::RESTS | Body::ARRIVED) != 0 && other.group == body.group && ahead > 0.0 {
            let distance = dot(offset, offset) - other.radius * other.radius;
            if distance < self.settled_distance {
                (self.settled, self.settled_distance) = (Some(offset), distance);
                let limit = body.radius + other.radius + BESIDE + BESIDE_PART * body.radius;
                self.settled_spare = limit * limit - dot(offset, offset);
            }
        }
        if other.rests() {
            return;
        }
        let same_way = dot(own_way, other.want);
        let is_before = ahead > 0.0;
        let is_one_group = other.group == body.group;
        self.is_met |= is_before && same_way < -0.5 && !is_one_group;
        let distance2 = dot(offset, offset);
        let touch = body.radius + other.radius;
        let limit = touch + FOLLOWING;
        if distance2 > limit * limit {
            return;
        }
        let press = touch + PRESSING;
        let is_pressing = distance2 < press * press;
        // Within 60° of its way, from here and from there.
        let is_straight_before = is_before && ahead * ahead > 0.25 * distance2;
        let towards = dot(other.want, offset);
        let is_coming = towards < 0.0 && towards * towards > 0.25 * distance2;
        let queues = is_straight_before && is_one_group && is_pressing;
        self.has_queue |= queues;
        self.queue_moves |= queues && other.flags & Body::ARRIVED == 0;
        let rank = if is_straight_before && same_way > 0.3 { other.rank } else { u32::MAX };
        self.leader = self.leader.min(rank);
        if is_pressing && is_coming && other.rank < self.presser.0 {
            self.presser = (other.rank, other.guide, other.group);
            self.opposes = is_before && ahead * ahead > 0.04 * distance2;
        }
    }
}

/// Brings the agent's rank and guide up to date with whom it meets.
#[inline]
pub(super) fn yield_to(tick: &Tick<'_>, mind: &mut Mind, body: &mut Body, meeting: &Meeting) {
    mind.gives_way = mind.gives_way.saturating_sub(tick.millis);
    mind.lent = mind.lent.saturating_sub(tick.millis);
    let is_last = (mind.stalled / CLAIM) & 1 == 1;
    let own_rank = mind.id | if is_last { LAST } else { 0 } | if mind.goes_back() { BEHIND_ALL } else { 0 };
    if mind.lent == 0 || own_rank < body.rank {
        body.rank = own_rank;
    }
    if meeting.leader < body.rank {
        body.rank = meeting.leader;
        mind.lent = LENT;
    }
    let (rank, guide, group) = meeting.presser;
    if mind.slow >= PATIENCE && rank < body.rank {
        body.rank = rank;
        mind.lent = LENT;
        if meeting.opposes && group != body.group {
            mind.yield_guide = guide;
            mind.gives_way = GIVES_WAY;
        }
    }
    body.guide = if mind.gives_way > 0 { mind.yield_guide } else { mind.guide };
}
