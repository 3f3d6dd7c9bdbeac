//! Which of two agents lets the other pass: under way by the right of way, at rest by stepping aside.
//!
//! *Under way* an agent that is held up by one of a lower rank, which wants to go where it is, yields where
//! they have no room to pass each other: for a while it follows the other's guide, ahead of it, until there
//! is room beside the path. It takes over the other's rank meanwhile, so that agents behind it yield, too,
//! and a whole column backs out of a corridor (priority inheritance: Okumura, Machida, Défago & Tamura,
//! *Priority Inheritance with Backtracking for Iterative Multi-agent Path Finding*, 2019). Where they have
//! room to pass, lanes form instead: an agent that meets others leans to the side on which more goes its way.
//! Agents that follow another one the same way take over its rank as well, so a column passes as one. Of two
//! that meet head-on with one rank, each by its path, the one goes first that has it for longer; one in a
//! corner, which cannot give way, goes before all. One that gets nowhere for long has the last rank for a
//! while, because those before it may have no room to back out to. Agents that want the same way and hold
//! each other before a narrow place take turns: some back off for a moment.
//!
//! *At rest* an agent steps aside when one of another group presses on it: one that is held up and heads for
//! it. It goes across the other's direction where there is room, else ahead of it. Meanwhile it presses in
//! the same direction, so that a whole cluster opens. When none has pressed on it for a while, and none on a
//! path comes, it goes back to its place, or settles short of it when that is taken. Those on paths do not
//! give way to it. Where it has no room to step to, it blocks them. One that no way leads to its goal makes
//! way for its own group, too. It makes way only for those of at least its class, and for none if it holds
//! its position. A push that is passed on keeps the class of the agent that it came from.

use std::cmp::Reverse;

use wide::f32x4;

use crate::crowd::ground::neighbours::Neighbours;
use crate::crowd::ground::sight::is_straight;
use crate::crowd::ground::sweep::{Frame, fits, sweep};
use crate::crowd::numbers::millis::Millis;
use crate::crowd::numbers::tuning::TUNING;
use crate::crowd::numbers::vector::{LANES, Lanes, V, cross, dot, minus, splat, unit};
use crate::crowd::state::agent::Agent;
use crate::crowd::state::behaviour::Cause;
use crate::crowd::state::body::Body;
use crate::crowd::state::outline::Gap;
use crate::crowd::state::priority::Priority;
use crate::crowd::state::routes::PATH_GUIDE;
use crate::crowd::substep::Substep;
use crate::passability::Placements;

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
    /// Where it is, from the agent, and half of its width.
    offset: V,
    half: f32,
}

/// Four neighbours of an agent, and bits for some of them: the first one's is the lowest.
#[derive(Clone, Copy)]
pub(super) struct Four<'a> {
    others: [&'a Body; LANES],
    /// How far they are: see [`Gap`].
    offset: Lanes,
    touch: f32x4,
    /// Those that are seen: all that there are but those that ghost.
    pub are_seen: u32,
}

impl<'a> Four<'a> {
    /// Of four, the first `count` are neighbours.
    #[inline]
    pub fn new(others: [&'a Body; LANES], offset: Lanes, touch: f32x4, count: usize) -> Self {
        let all = Self { others, offset, touch, are_seen: (1 << count) - 1 };
        Self { are_seen: all.are_seen & !all.with(Body::GHOSTS), ..all }
    }

    /// Returns bits for those that are seen and for which `is_one` holds.
    #[inline]
    pub fn bits(&self, is_one: impl Fn(&Body) -> bool) -> u32 {
        let bits = (0..LANES).map(|n| u32::from(is_one(self.others[n])) << n);
        self.are_seen & bits.sum::<u32>()
    }

    /// Returns those that show one of `flags`.
    #[inline]
    fn with(&self, flags: u32) -> u32 {
        self.bits(|other| other.flags & flags != 0)
    }
}

/// Returns where the ones are in `bits`, the lowest first.
#[inline]
pub(super) fn ones(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (bits != 0).then(|| bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        first
    })
}

/// An agent at rest that another one has before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settled {
    /// See [`Gap::offset`].
    pub offset: V,
    /// From centre to centre.
    pub centre: V,
    /// Nothing here moves it, and not both are discs.
    pub is_long: bool,
}

/// What an agent sees of its neighbours that bears on the right of way.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is another thing that is seen")]
pub(super) struct Meeting {
    /// It cannot slip through those that stand firm, so they block it whatever they are there for.
    pub is_stopped: bool,
    /// An agent comes towards it.
    pub is_met: bool,
    /// How much more of what is ahead to its right goes its way than to its left.
    pub flow_right: f32,
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
    /// The nearest that has arrived before it where it wants to go, and how far it is: squared, without its
    /// radius.
    pub settled: Option<Settled>,
    settled_distance: f32,
    /// One right before it rests for its goal, or is blocked itself.
    blocked_before: bool,
    /// Or one ahead that it can be wedged at.
    blocked_beside: bool,
}

impl Default for Meeting {
    fn default() -> Self {
        Self {
            is_stopped: false,
            is_met: false,
            flow_right: 0.0,
            has_queue: false,
            queue_moves: false,
            presser: Presser { rank: RankShown::NONE, guide: 0, group: 0, offset: [0.0; 2], half: 0.0 },
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
    /// Returns `true` if one right before the agent rests for its goal, or is blocked itself; for one that
    /// has come no nearer for long, one that it is wedged at is enough.
    pub fn is_blocked(&self, agent: &Agent) -> bool {
        self.blocked_before || self.blocked_beside && agent.progress.no_nearer >= TUNING.long
    }

    /// Returns `true` if it waits in a queue. Agents of a formation that have arrived only make way: behind
    /// them nothing moves on.
    pub fn queues(&self, agent: &Agent) -> bool {
        if agent.slot.is_given { self.queue_moves } else { self.has_queue }
    }

    /// Looks at four neighbours. Most conditions are found for all four before the first branch: what each is
    /// could not be guessed.
    #[inline]
    pub fn see(&mut self, body: &Body, own_way: V, four: &Four<'_>) {
        let Four { others, offset, touch, .. } = *four;
        let number = f32x4::splat;
        let [a, b, c, d] = others.map(|other| other.preferred);
        let preferred = [f32x4::new([a[0], b[0], c[0], d[0]]), f32x4::new([a[1], b[1], c[1], d[1]])];
        let own = splat(own_way);
        let ahead = dot(own, offset);
        let distance2 = dot(offset, offset);
        let same_way = dot(own, preferred);
        let towards = dot(preferred, offset);
        let is_before = ahead.simd_gt(f32x4::ZERO);
        let are_before = is_before.to_bitmask();
        // Those at rest prefer nothing, and lanes without a neighbour are nowhere: both count nothing.
        let flow = same_way * cross(own, offset) / distance2.max(number(1e-6)).sqrt();
        self.flow_right += (is_before & flow).as_array().iter().sum::<f32>();
        let are_one_group = four.bits(|other| other.group == body.group);
        let are_opposite = same_way.simd_lt(number(-0.5)).to_bitmask();
        // Few have arrived or are blocked while most are on the way: the flags first. By paths, one that
        // comes towards the agent does not block it: two before a gate would count as blocked by each other
        // for ever.
        let is_on_path = body.guide & PATH_GUIDE != 0;
        let come = if is_on_path { are_opposite } else { 0 };
        let stay = four.with(Body::RESTS | Body::ARRIVED) | four.with(Body::BLOCKED) & !come;
        let stand = if self.is_stopped { four.bits(|other| other.stands_firm(body)) } else { 0 };
        for lane in ones(stay & are_before & (are_one_group | stand)) {
            let gap = Gap { offset: offset.map(|part| part.as_array()[lane]), touch: touch.as_array()[lane] };
            self.see_settled(body, others[lane], gap, ahead.as_array()[lane]);
        }
        let walk = four.are_seen & !four.with(Body::RESTS);
        self.is_met |= walk & are_before & are_opposite & !are_one_group != 0;
        let (limit, press) = (touch + number(TUNING.look), touch + number(TUNING.opposing));
        let near = walk & distance2.simd_le(limit * limit).to_bitmask();
        let press = near & distance2.simd_lt(press * press).to_bitmask();
        // Within 60° of its way, from here and from there.
        let quarter = number(0.25) * distance2;
        let are_ahead = near & are_before & (ahead * ahead).simd_gt(quarter).to_bitmask();
        let queue = are_ahead & press & are_one_group & same_way.simd_gt(number(-0.5)).to_bitmask();
        self.has_queue |= queue != 0;
        self.queue_moves |= queue & !four.with(Body::ARRIVED) != 0;
        for lane in ones(are_ahead & same_way.simd_gt(number(0.3)).to_bitmask()) {
            let rank = RankShown::of(others[lane]);
            if rank.is_before(self.leader) {
                self.leader = rank;
            }
        }
        let come = towards.simd_lt(f32x4::ZERO) & (towards * towards).simd_gt(quarter);
        let are_in_way = are_before & (ahead * ahead).simd_gt(number(0.04) * distance2).to_bitmask();
        for lane in ones(press & come.to_bitmask()) {
            let other = others[lane];
            if other.rank < self.presser.rank.rank {
                let (rank, half) = (RankShown::of(other), other.outline().longest());
                let offset = offset.map(|part| part.as_array()[lane]);
                self.presser = Presser { rank, guide: other.guide, group: other.group, offset, half };
                self.opposes = are_in_way >> lane & 1 != 0;
                self.is_head_on = are_opposite >> lane & 1 != 0;
            }
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
                let is_long = other.stands_firm(body) && !(body.core.is_point() && other.core.is_point());
                self.settled = Some(Settled { offset, centre: minus(other.at, body.at), is_long });
                self.settled_distance = distance;
            }
        }
        // Around the end of a path no places are handed out, so that those that have arrived come no nearer
        // to it either.
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
pub(super) fn yield_to(
    substep: &Substep<'_>,
    agent: &mut Agent,
    frame: &Frame,
    body: &mut Body,
    own_way: V,
    meeting: &Meeting,
) {
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
    // Two bodies that come to the same gap from its sides, by a path each, may both have the rank of one
    // behind them that wants through: of these the one goes first that has it for longer.
    let are_on_paths = guide & agent.guide & PATH_GUIDE != 0;
    // With another goal, an agent gives way as long as the other comes. Turned round halfway, it would be held
    // again.
    let gives_way_still = are_on_paths && group != body.group && agent.behaviour().yields();
    let is_held_up = agent.progress.held_up >= TUNING.patience || gives_way_still;
    let goes_before = presser.rank < body.rank
        || are_on_paths && meeting.is_head_on && presser.is_before(agent.priority.shown(body));
    if is_held_up && !presser.time.is_over() && goes_before {
        (body.rank, agent.priority.lent) = (presser.rank, presser.time);
        // Bodies of other sizes may go another way to one goal, and meet in a street.
        let is_met = meeting.is_head_on && guide != agent.guide && !agent.slot.is_given;
        // One that homes has its place among others that rest: there is no lane for it.
        let is_in_way = || {
            agent.behaviour().is_homing()
                || !meeting.presser.can_be_passed(substep, agent, frame, body, own_way)
        };
        if meeting.opposes && if group == body.group { is_met } else { is_in_way() } {
            agent.priority.yield_guide = guide;
            let other = meeting.presser;
            if !are_on_paths || substep.lets_pass(agent, frame, body, own_way, other.half) {
                agent.priority.gives_way = TUNING.yields_for;
                agent.meet(Cause::Opposed);
            } else {
                // In a corner: the other has to give way, and can.
                (body.rank, agent.priority.lent) = (0, TUNING.lent_for);
            }
        }
    }
    body.show_lent(agent.priority.shown(body).time);
    body.guide = if agent.behaviour().yields() { agent.priority.yield_guide } else { agent.guide };
}

impl Presser {
    /// Returns `true` if both have room side by side where the agent is and where the other is: in the open,
    /// agents pass each other, and one that yielded would be driven back.
    fn can_be_passed(self, substep: &Substep<'_>, agent: &Agent, frame: &Frame, body: &Body, way: V) -> bool {
        let layer = substep.ground.layer(agent.kind);
        let there = [body.at[0] + self.offset[0], body.at[1] + self.offset[1]];
        [body.at, there].into_iter().all(|at| has_room_beside(layer, frame, at, way, self.half))
    }
}

/// Returns `true` if there is room across the `way` of an agent at a place for it and for another one, half
/// of whose width is `half`: the ways across on which the agent fits add up to the width of the other. Nine
/// looks, on twice that width.
pub(super) fn has_room_beside(layer: &Placements, frame: &Frame, at: V, way: V, half: f32) -> bool {
    let is_free = |n: &i32| {
        let across = *n as f32 * 0.5 * half;
        let there = [at[0] - way[1] * across, at[1] + way[0] * across];
        // Beyond a thin wall is no room.
        let is_seen = || layer.edges().is_none() || is_straight(layer, frame, at, there);
        fits(layer, frame, there[0], there[1]) && is_seen()
    };
    (-4..=4).filter(is_free).count() >= 5
}

impl Priority {
    /// Returns the rank that a body has by now, and for how long it may lend it.
    fn shown(&self, body: &Body) -> RankShown {
        RankShown { rank: body.rank, time: if self.lent.is_over() { TUNING.lent_for } else { self.lent } }
    }
}

impl Agent {
    /// Takes turns with those around it when it has been held up for long, or is driven and stuck among
    /// them. Contact with another may take back each step for which there seems to be room, so that it comes no
    /// nearer.
    pub fn take_turns(&mut self, near: &Neighbours) {
        // Alone it would walk to and fro.
        let is_alone = near.iter().next().is_none();
        let is_stuck = self.control.is_driven && self.behaviour().is_stuck() && !is_alone;
        if is_stuck || self.progress.held_up >= TUNING.turns_after {
            (self.priority.jammed, self.progress.held_up) = (TUNING.turns_after, Millis::ZERO);
        }
    }

    /// Returns `true` if it backs off in its turn. Bodies that want the same way can hold each other before a
    /// narrow place like the stones of an arch, and physics shapes that are larger than their discs do;
    /// neither of them has the right of way.
    pub fn backs_off(&self, substep: u32) -> bool {
        self.priority.jammed >= TUNING.insists_after && !self.has_turn(substep)
    }

    /// Returns `true` in the turns in which it goes on. They are drawn by its id, so that no two have the
    /// same ones for long.
    pub fn has_turn(&self, substep: u32) -> bool {
        let drawn = (substep / TUNING.turn).wrapping_add(self.id.wrapping_mul(0x9E37_79B1));
        (drawn.wrapping_mul(0x85EB_CA6B) >> 16).is_multiple_of(TUNING.turns)
    }
}

/// Returns the neighbour that presses most on an agent and its body of `group`, which rests or has stepped
/// aside. Once aside it stays so as long as one on a path comes: back before that, it would be pressed aside
/// again, step by step. Others that have stepped aside do not count as coming: they would hold each other.
pub(super) fn presser<'a>(
    bodies: &'a [Body],
    (agent, body): (&Agent, &Body),
    group: u32,
    near: &Neighbours,
) -> Option<&'a Body> {
    if agent.control.is_held() {
        return None;
    }
    // Aside, its body shows the class of the one that it makes way for.
    let (is_aside, class) = (agent.behaviour().is_aside(), Body::shown_class(agent.priority.class));
    let presses = |other: &&Body| {
        if other.class() < class {
            return false;
        }
        let is_pushed = other.flags & Body::PUSH_REQUESTS != 0;
        let is_met = is_aside && other.comes_on_path();
        let pushes_own = other.flags & Body::PUSH_OWN_GROUP != 0;
        if !(is_pushed || is_met) || other.group == group && !pushes_own {
            return false;
        }
        let Gap { offset, touch } = other.gap::<true>(body);
        let (distance2, ahead) = (dot(offset, offset), dot(other.preferred, offset));
        // Within 80° of its way, from farther off within 60°.
        let (reach, cosine2) = match () {
            () if !is_pushed => (TUNING.look, 0.25),
            () if other.is_driven() => (TUNING.pressing_driven, 0.03),
            () => (TUNING.pressing, 0.03),
        };
        let limit = touch + reach;
        distance2 < limit * limit && ahead > 0.0 && ahead * ahead > cosine2 * distance2
    };
    near.iter()
        .map(|index| &bodies[index])
        .filter(presses)
        .max_by_key(|other| (other.flags & Body::PUSH_REQUESTS, Reverse(other.rank)))
}

impl Substep<'_> {
    /// Returns `true` if the agent has room to let another one pass that comes towards it, half of whose
    /// width is `half`: back where it came from, or to the side until it is out of the way.
    fn lets_pass(&self, agent: &Agent, frame: &Frame, body: &Body, own_way: V, half: f32) -> bool {
        self.way_of_other(agent, frame, body, own_way).is_some_and(|way| {
            let aside = half + body.outline().longest();
            let there = [body.at[0] + way[0] * aside, body.at[1] + way[1] * aside];
            dot(way, own_way) < -0.1 || is_straight(self.ground.layer(agent.kind), frame, body.at, there)
        })
    }

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::AgentSpec;
    use crate::crowd::state::behaviour::Pace;

    #[test]
    fn one_that_is_alone_takes_no_turns() {
        let spec = AgentSpec { x: 0.0, y: 0.0, kind: 0, speed: 1.0, radius: 0.4 };
        let mut agent = Agent::new(0, &spec, [0.0; 2], true);
        agent.meet(Cause::Ordered);
        agent.meet(Cause::Paced(Pace::Stuck));
        agent.take_turns(&Neighbours::default());
        assert!(!(0..1000).any(|substep| agent.backs_off(substep)), "it would come no nearer");
    }
}
