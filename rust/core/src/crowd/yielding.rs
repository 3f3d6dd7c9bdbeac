//! Which of two agents lets the other pass: under way by the right of way, at rest by stepping aside.
//!
//! *Under way* an agent that is held up by one of a lower rank, which wants to go where it is, yields: for a while it follows the other's
//! guide, ahead of it, until there is room beside the path. It takes over the other's rank meanwhile, so that agents behind it yield, too,
//! and a whole column backs out of a corridor (priority inheritance: Okumura, Machida, Défago & Tamura, *Priority Inheritance with
//! Backtracking for Iterative Multi-agent Path Finding*, 2019). Agents that follow another one the same way take over its rank as well, so a
//! column passes as one. One that gets nowhere for long has the last rank for a while, because those before it may have no room to back out
//! to. Agents that want the same way and hold each other before a narrow place take turns: some back off for a moment.
//!
//! *At rest* an agent steps aside when one of another group presses on it: one that is held up and heads for it. It goes across the other's
//! direction where there is room, else ahead of it. Meanwhile it presses in the same direction, so that a whole cluster opens. When none
//! has pressed on it for a while it goes back to its place, or settles short of it when that is taken.

use std::cmp::Reverse;

use super::agent::Agent;
use super::behaviour::Cause;
use super::body::Body;
use super::guide::PATH_GUIDE;
use super::millis::Millis;
use super::neighbours::Neighbours;
use super::outline::Gap;
use super::priority::Priority;
use super::substep::Substep;
use super::sweep::sweep;
use super::tuning::TUNING;
use super::vector::{V, cross, dot, minus, unit};

/// The bit of a rank that is set while an agent takes the last rank for a turn.
const LAST: u32 = 1 << 30;
/// The bit of an agent that has arrived once and goes back to its place: it comes after all that have not.
const BEHIND_ALL: u32 = 1 << 31;

/// A rank as a neighbour shows it, and for how long it lends it.
#[derive(Clone, Copy, Debug)]
struct RankShown {
    rank: u32,
    time: Millis,
}

impl RankShown {
    const NONE: Self = Self { rank: u32::MAX, time: Millis::ZERO };

    #[inline]
    const fn of(other: &Body) -> Self {
        Self { rank: other.rank, time: other.lends() }
    }

    /// Returns `true` if it goes before another: the lower rank, and of the same the one that lasts longer.
    #[inline]
    fn is_before(self, other: Self) -> bool {
        self.rank < other.rank || self.rank == other.rank && self.time > other.time
    }

    /// Returns it as it is taken over: for a shorter time.
    fn passed_on(self) -> Self {
        Self { time: self.time.minus(TUNING.lent_hop), ..self }
    }
}

/// One that presses on an agent.
#[derive(Clone, Copy, Debug)]
struct Presser {
    rank: RankShown,
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
    leader: RankShown,
    /// Where the nearest is that has arrived before it where it wants to go, and how far: squared, without its radius.
    pub settled: Option<V>,
    settled_distance: f32,
    /// One right before it rests for its goal, or is blocked itself.
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
            presser: Presser { rank: RankShown::NONE, guide: 0, group: 0 },
            opposes: false,
            is_head_on: false,
            leader: RankShown::NONE,
            settled: None,
            settled_distance: f32::INFINITY,
            blocked_before: false,
            blocked_beside: false,
        }
    }
}

impl Meeting {
    /// Returns `true` if one right before the agent rests for its goal, or is blocked itself; for one that has come no nearer for
    /// long, one that it is wedged at is enough.
    pub fn is_blocked(&self, agent: &Agent) -> bool {
        self.blocked_before || self.blocked_beside && agent.progress.no_nearer >= TUNING.long
    }

    /// Returns `true` if it waits in a queue. Agents of a formation that have arrived only make way: behind them nothing moves on.
    pub fn queues(&self, agent: &Agent) -> bool {
        if agent.slot.is_in_formation() { self.queue_moves } else { self.has_queue }
    }

    /// Looks at a neighbour. Without `CORES`, both are discs.
    #[inline]
    pub fn see<const CORES: bool>(&mut self, body: &Body, own_way: V, other: &Body) {
        let gap = body.gap::<CORES>(other);
        let Gap { offset, touch } = gap;
        let ahead = dot(own_way, offset);
        let is_before = ahead > 0.0;
        let is_one_group = other.group == body.group;
        let distance2 = dot(offset, offset);
        // Few have arrived or are blocked while most are on the way: the flags first.
        let stays = Body::RESTS | Body::ARRIVED | Body::BLOCKED;
        if other.flags & stays != 0 && is_before && is_one_group {
            self.see_settled(body, other, gap, ahead);
        }
        if other.rests() {
            return;
        }
        let same_way = dot(own_way, other.preferred);
        self.is_met |= is_before && same_way < -0.5 && !is_one_group;
        let limit = touch + TUNING.look;
        if distance2 > limit * limit {
            return;
        }
        let press = touch + TUNING.opposing;
        let is_pressing = distance2 < press * press;
        let rank = RankShown::of(other);
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
        let towards = dot(other.preferred, offset);
        if towards < 0.0 && towards * towards > 0.25 * distance2 {
            self.presser = Presser { rank, guide: other.guide, group: other.group };
            self.opposes = is_before && ahead * ahead > 0.04 * distance2;
            self.is_head_on = same_way < -0.5;
        }
    }

    /// Looks at one of its own group before it that has arrived or is blocked.
    fn see_settled(&mut self, body: &Body, other: &Body, gap: Gap, ahead: f32) {
        let Gap { offset, touch } = gap;
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
            let limit = touch + TUNING.beside;
            let is_beside = distance2 < limit * limit;
            self.blocked_before |= is_beside && ahead * ahead > 0.25 * distance2;
            self.blocked_beside |= is_beside && ahead * ahead > 0.03 * distance2;
        }
    }
}

/// Brings the agent's rank and guide up to date with the agents that it meets.
#[inline]
pub(super) fn yield_to(substep: &Substep<'_>, agent: &mut Agent, body: &mut Body, meeting: &Meeting) {
    // What it gave way with is not its own: it must not press on with that.
    let has_given_way = agent.behaviour().yields() && agent.priority.gives_way <= substep.millis;
    agent.priority.gives_way.take(substep.millis);
    if has_given_way {
        agent.meet(Cause::Yielded);
    }
    agent.priority.lent.take(substep.millis.times(TUNING.lent_alone));
    let is_last = (agent.progress.stalled.0 / TUNING.turns_after.0) & 1 == 1;
    let own_rank =
        agent.own_rank() | if is_last { LAST } else { 0 } | if agent.goes_back() { BEHIND_ALL } else { 0 };
    if agent.priority.lent.is_over() || has_given_way || own_rank < body.rank {
        (body.rank, agent.priority.lent) = (own_rank, Millis::ZERO);
    }
    let leader = meeting.leader.passed_on();
    if !leader.time.is_over() && leader.is_before(agent.priority.shown(body)) {
        (body.rank, agent.priority.lent) = (leader.rank, leader.time);
    }
    let Presser { guide, group, .. } = meeting.presser;
    let presser = meeting.presser.rank.passed_on();
    let is_restless = agent.progress.stalled >= TUNING.restless_after && !agent.slot.is_in_formation();
    let is_held_up = agent.progress.held_up >= TUNING.patience || is_restless;
    if is_held_up && !presser.time.is_over() && presser.rank < body.rank {
        (body.rank, agent.priority.lent) = (presser.rank, presser.time);
        // Bodies of other sizes may go another way to one goal, and meet in a street.
        let is_met = meeting.is_head_on && guide != agent.guide && !agent.slot.is_given;
        if meeting.opposes && (group != body.group || is_met) {
            agent.priority.yield_guide = guide;
            agent.priority.gives_way = TUNING.yields_for;
            agent.meet(Cause::Opposed);
        }
    }
    body.show_lent(agent.priority.shown(body).time);
    body.guide = if agent.behaviour().yields() { agent.priority.yield_guide } else { agent.guide };
}

impl Priority {
    /// Returns the rank that a body has by now, and for how long it may lend it.
    fn shown(&self, body: &Body) -> RankShown {
        RankShown { rank: body.rank, time: if self.lent.is_over() { TUNING.lent_for } else { self.lent } }
    }
}

impl Agent {
    /// Takes turns with those around it when it has been held up for long. It comes no nearer.
    pub fn take_turns(&mut self) {
        if self.progress.held_up >= TUNING.turns_after {
            (self.priority.jammed, self.progress.held_up) = (TUNING.turns_after, Millis::ZERO);
        }
    }

    /// Returns `true` if it backs off in its turn. Bodies that want the same way can hold each other before a narrow place like the stones
    /// of an arch, and physics shapes that are larger than their discs do; neither of them has the right of way.
    pub fn backs_off(&self, substep: u32) -> bool {
        self.priority.jammed >= TUNING.insists_after
            && !(substep / TUNING.turn + self.id).is_multiple_of(TUNING.turns)
    }
}

/// Returns the neighbour that presses most on `body`, which rests or has stepped aside for the group that it shows.
pub(super) fn presser<'a>(
    bodies: &'a [Body],
    body: &Body,
    group: u32,
    near: &Neighbours,
) -> Option<&'a Body> {
    let presses = |other: &&Body| {
        if other.flags & Body::PUSH_REQUESTS == 0
            || other.group == group && other.flags & Body::PUSH_OWN_GROUP == 0
        {
            return false;
        }
        let Gap { offset, touch } = other.gap::<true>(body);
        let (distance2, ahead) = (dot(offset, offset), dot(other.preferred, offset));
        let limit = touch + if other.is_driven() { TUNING.pressing_driven } else { TUNING.pressing };
        distance2 < limit * limit && ahead > 0.0 && ahead * ahead > 0.03 * distance2
    };
    near.iter()
        .map(|index| &bodies[index])
        .filter(presses)
        .max_by_key(|other| (other.flags & Body::PUSH_REQUESTS, Reverse(other.rank)))
}

impl Substep<'_> {
    /// Returns the way on which agent `body` makes way for `other`.
    pub fn aside(&self, agent: &Agent, body: &Body, other: &Body) -> V {
        let way = other.preferred;
        let side = [-way[1], way[0]];
        let offset = minus(body.at, other.at);
        let side = if cross(way, offset) < 0.0 { [-side[0], -side[1]] } else { side };
        let frame = self.frame(agent, body.radius);
        let layer = self.ground.layer(agent.kind);
        let has_room = |way: V| {
            let moved =
                minus(sweep(layer, &frame, body.at, [way[0] * TUNING.probe, way[1] * TUNING.probe]), body.at);
            dot(moved, way) > TUNING.probe_room
        };
        let across = [side, [-side[0], -side[1]]].into_iter().find(|&side| has_room(side));
        let Some(across) = across else { return way };
        // A little ahead, too: two that press on each other's sides part.
        unit([across[0] + 0.4 * way[0], across[1] + 0.4 * way[1]])
    }
}

impl Agent {
    /// Stands aside from now on.
    pub fn step_aside(&mut self) {
        self.meet(Cause::Pressed);
        self.priority.gives_way = TUNING.yields_for;
    }

    /// Stays aside, or goes back when none has pressed on it for long enough.
    pub fn stay_aside(&mut self, time: Millis) {
        self.priority.gives_way.take(time);
        if self.priority.gives_way.is_over() {
            self.go_back(Cause::Released);
        }
    }
}
