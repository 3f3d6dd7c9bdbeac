//! What becomes of an agent under way: it arrives, settles where it is, takes another place, waits, or is
//! stuck.
//!
//! Decided in the second pass from its [`Progress`], by the distance to its goal,
//! and by the disc that all for its goal fill. Twice a second the remaining path cost of each agent under way
//! is compared with the least so far. An agent that comes no nearer settles where all before it have settled,
//! rests where it is near enough, waits in a queue, or is stuck. One that has been stuck for long ghosts for
//! a moment; the first of some that hold each other shoves before that.

use crate::crowd::ground::neighbours::Neighbours;
use crate::crowd::ground::sight::is_straight;
use crate::crowd::guide::preferred_velocity::{remaining, to_goal};
use crate::crowd::numbers::millis::Millis;
use crate::crowd::numbers::tuning::TUNING;
use crate::crowd::numbers::vector::{FAR, V, dot, length, minus};
use crate::crowd::state::agent::Agent;
use crate::crowd::state::behaviour::{Behaviour, Cause, Pace};
use crate::crowd::state::body::Body;
use crate::crowd::state::crossing::Crossing;
use crate::crowd::state::outline::Gap;
use crate::crowd::state::progress::{Progress, UNMEASURED};
use crate::crowd::state::routes::PATH_GUIDE;
use crate::crowd::substep::Substep;

/// A group of which all have arrived that can.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct GroupNews {
    /// Its number.
    pub group: u32,
    /// How many of it have arrived.
    pub arrived: u32,
    /// How many of it have not: those that are blocked, and those that are stuck.
    pub blocked: u32,
}

/// What has become of an agent or a group. All but [`Event::HeldUp`] and
/// [`Event::Rests`] is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::crowd) enum Event {
    /// The agent with this id, by this guide.
    Arrived(u32, u32),
    Stuck(u32),
    /// The agent with this id rests short of free room.
    Blocked(u32),
    /// The agent with this id, whose body is moved from outside, is held up by others that stay, or for long
    /// by any, or does not come back to where it arrived.
    Hindered(u32),
    /// All of this group have arrived that can.
    Group(GroupNews),
    /// The agent with this id is on this link from now on.
    EntersLink(u32, u32),
    /// The agent with this id is over this link.
    LeavesLink(u32, u32),
    /// The body at this index has come to rest.
    Rests(usize),
    /// The agent at this index is held up on the way to its own place, and looks for another one to swap
    /// with.
    HeldUp(usize),
}

impl Substep<'_> {
    /// Finds out what becomes of agent `own` after all have `moved`; returns its body.
    pub fn conclude(
        &self,
        (own, from, near): (usize, V, &Neighbours),
        moved: &[Body],
        agent: &mut Agent,
        events: &mut Vec<Event>,
    ) -> Body {
        let mut body = moved[own];
        if agent.control.crossing == Crossing::Under {
            return body;
        }
        // What contact took back was no movement.
        if !(body.rests() || body.is_fixed()) {
            let way = minus(body.at, from).map(|part| part / self.seconds);
            let fast = length(way) / agent.control.speed;
            body.velocity = if fast > 1.0 { way.map(|part| part / fast) } else { way };
        }
        let is_held_up = agent.progress.held_up >= TUNING.swap_after && agent.slot.is_own();
        if is_held_up && self.number.wrapping_add(agent.id).is_multiple_of(TUNING.swap_substeps) {
            events.push(Event::HeldUp(own));
        }
        let rested = body.rests();
        self.assess(agent, &mut body, near, events);
        if body.rests() && !rested {
            events.push(Event::Rests(own));
        }
        self.break_arch(agent, &body, near, moved);
        body
    }

    /// Finds out what becomes of an agent.
    fn assess(&self, agent: &mut Agent, body: &mut Body, near: &Neighbours, events: &mut Vec<Event>) {
        let behaviour = agent.behaviour();
        if matches!(behaviour, Behaviour::Idle | Behaviour::Aside)
            || agent.control.is_paused
            || !agent.control.thrown.is_over()
            || agent.control.crossing == Crossing::Asks
        {
            return;
        }
        if behaviour == Behaviour::Settled {
            if agent.gathers() {
                agent.progress.stall.add(self.millis);
            }
            self.assess_at_rest(agent, body, events);
            return;
        }
        let gathers = agent.gathers() && !behaviour.is_homing();
        if gathers && self.settles_in_room(agent, body) {
            return;
        }
        // So a jam behind those that have settled settles at once, however long it is, and one before a gate
        // that lets agents through does not. One that no way leads to its goal makes way, and waits for none.
        let is_blocked = agent.progress.is_blocked_ahead
            && agent.progress.no_nearer >= TUNING.insists_after
            && !agent.progress.is_cut_off();
        agent.progress.blocked.run(is_blocked, self.millis, 2);
        if agent.progress.has_arrived && agent.slot.is_given && agent.guide & PATH_GUIDE == 0 {
            agent.slot.closing_up.add(self.millis);
        }
        if !gathers && self.settles_here(agent, body) {
            settle_short(agent, body);
            return;
        }
        agent.control.ghosts.take(self.millis);
        agent.control.shoves.take(self.millis);
        let before = agent.progress.no_nearer;
        self.measure(agent, body, near);
        if agent.is_hindered_again(before) {
            events.push(Event::Hindered(agent.id));
        }
        self.take_another_place(agent, body);
        let pace = self.pace(agent, events);
        agent.meet(Cause::Paced(pace));
    }

    /// Lets the first of some that have long held each other shove the others aside, or ghost where that is
    /// in vain.
    pub(in crate::crowd) fn break_arch(
        &self,
        agent: &mut Agent,
        body: &Body,
        near: &Neighbours,
        moved: &[Body],
    ) {
        let no_nearer = agent.progress.no_nearer;
        let is_held = no_nearer >= TUNING.long
            && !(agent.behaviour().rests() || agent.progress.is_blocked_ahead || agent.progress.has_arrived)
            && !(agent.slot.is_given && agent.behaviour().is_homing());
        let may_shove = agent.control.shoves.is_over();
        let is_its_turn = self.number.wrapping_add(agent.id).is_multiple_of(TUNING.round_substeps)
            && agent.has_turn(self.number);
        if is_held && may_shove && is_its_turn && self.is_first(agent, body, near, moved) {
            agent.control.shoves = TUNING.ghosts_for;
            if self.settings.lets_slip(false) && no_nearer >= TUNING.very_long.times(TUNING.frees_after) {
                agent.control.ghosts = TUNING.ghosts_for;
            }
        }
    }

    /// Returns `true` if an agent is far from where its group rests, none of the group that walks right
    /// beside it is nearer to the goal by its radius, and none of another group is beside it, unless it has
    /// been held for very long: two streams would shove each other.
    fn is_first(&self, agent: &Agent, body: &Body, near: &Neighbours, moved: &[Body]) -> bool {
        let frame = self.frame(agent, body.radius);
        let left = |at: V| to_goal(self.ground, self.routes, &frame, agent, at);
        let own = left(body.at);
        let shoves_all = agent.progress.no_nearer >= TUNING.very_long.times(2);
        let is_before = |other: &Body| {
            let Gap { offset, touch } = body.gap::<true>(other);
            let limit = touch + TUNING.beside;
            let is_beside = !other.rests() && dot(offset, offset) < limit * limit;
            is_beside
                && if other.group == body.group { left(other.at) < own - body.radius } else { !shoves_all }
        };
        own > TUNING.far * self.settle_radii.of(agent.guide)
            && !near.iter().any(|index| is_before(&moved[index]))
    }

    /// Announces one that rests in its place; one that rests short of it is judged in the next round.
    fn assess_at_rest(&self, agent: &mut Agent, body: &Body, events: &mut Vec<Event>) {
        if agent.progress.left >= UNMEASURED {
            let frame = self.frame(agent, body.radius);
            agent.progress.left = to_goal(self.ground, self.routes, &frame, agent, body.at).min(1e6);
        }
        if !agent.slot.is_short {
            agent.announce_arrival(events);
        } else if agent.gathers() {
            // It is told in rounds.
        } else if agent.progress.has_arrived {
            agent.slot.closing_up.add(self.millis);
        } else {
            // Those before it may leave at any time, so it may always try once more.
            agent.slot.closing_up.take(self.millis);
        }
    }

    /// Returns `true` if an agent gets no farther and is to rest where it is, short of its place or its goal.
    fn settles_here(&self, agent: &Agent, body: &Body) -> bool {
        let goes_through = !(agent.control.ghosts.is_over() && agent.control.shoves.is_over());
        if goes_through || agent.behaviour().yields() {
            return false;
        }
        let Agent { progress, slot, .. } = agent;
        // No places are handed out around the end of a path: an agent comes as near as beside those that have
        // arrived.
        let has_no_places = agent.guide & PATH_GUIDE != 0;
        if slot.is_given {
            // On a march it goes on when those before it do.
            return has_no_places && progress.blocked >= TUNING.very_long;
        }
        let is_blocked = progress.blocked >= TUNING.settles_after
            || progress.blocked >= TUNING.window
                && (progress.no_nearer >= TUNING.long || !self.is_far(agent, body));
        let returns = agent.goes_back() && progress.held_up >= TUNING.window;
        is_blocked || returns
    }

    /// Lets one of a formation that gets no nearer take the nearest place that is free from where it is.
    /// Farther off it waits until it is freed as stuck, for a jam before a gate, however long, is no reason
    /// to stay there. One that is still far off, or does not come back to the end of its own path, rests
    /// short of its place: no other will do.
    fn take_another_place(&self, agent: &mut Agent, body: &mut Body) {
        let Agent { progress, slot, .. } = &*agent;
        if !slot.is_own() {
            return;
        }
        let is_stuck = progress.stalled >= self.settings.stuck_after();
        // One that sees its place and loses sight of it, again and again, walks.
        let is_lost = progress.no_nearer >= TUNING.very_long;
        // What is near behind a wall is far.
        let is_by = || {
            let (frame, layer) = (self.frame(agent, body.radius), self.ground.layer(agent.kind));
            is_by(slot.home, body.at, body.radius) && is_straight(layer, &frame, body.at, slot.home)
        };
        let is_there = (is_stuck || is_lost) && is_by() || is_lost && !self.is_far(agent, body);
        // One that was pushed off it may see it no more.
        let has_seen_it = progress.nearest[1] < UNMEASURED || progress.has_arrived;
        if is_there
            || progress.no_nearer >= TUNING.closes_up_max && has_seen_it
            || slot.closing_up >= TUNING.closes_up_max
        {
            let is_off = self.is_far(agent, body) && !is_by() && !progress.has_arrived;
            if is_off || agent.guide & PATH_GUIDE != 0 && progress.has_arrived {
                agent.slot.closing_up = Millis::ZERO;
                return settle_short(agent, body);
            }
            if slot.may_try_again() {
                // Those that hold it may pass while it rests.
                agent.slot.closing_up.add(agent.progress.no_nearer.times(2));
                return settle_short(agent, body);
            }
            if slot.is_another && slot.has_closed_up() {
                return settle_short(agent, body);
            }
            agent.ask_for_place_at(body.at);
        }
    }

    /// Returns how an agent on its way gets on. Announces one that has become stuck, and lets one that has
    /// been so for long ghost.
    fn pace(&self, agent: &mut Agent, events: &mut Vec<Event>) -> Pace {
        let was = agent.behaviour();
        let was_stuck = was.is_stuck();
        let progress = &mut agent.progress;
        if progress.has_arrived {
            return Pace::Moving;
        }
        let stuck = self.settings.stuck_after();
        if progress.stalled >= stuck {
            // One behind others that rest waits, or is blocked as soon as it rests, too.
            let is_stuck = progress.blocked.is_over();
            if is_stuck && !was_stuck {
                events.push(Event::Stuck(agent.id));
            }
            // `Millis::MAX` means no path.
            let frees = stuck.times(TUNING.frees_after).min(Millis(u16::MAX - 1));
            let is_long = progress.stalled >= frees && !progress.is_cut_off();
            let may_ghost = self.settings.lets_slip(agent.control.is_driven);
            if is_long && may_ghost && agent.control.ghosts.is_over() {
                agent.control.ghosts = TUNING.ghosts_for;
                // It ghosts again when it has stalled for the time until stuck once more.
                progress.stalled = frees.minus(stuck).max(Millis(stuck.0 / 2));
            }
            return if is_stuck { Pace::Stuck } else { Pace::Waiting };
        }
        match () {
            () if was_stuck => Pace::Stuck,
            () if progress.held_up > TUNING.waits_after || was.yields() => Pace::Waiting,
            // It walks and comes no nearer: to and fro, or against one that pushes it back each time.
            () if progress.no_nearer >= TUNING.insists_after => Pace::Waiting,
            // What is told does not flicker: it moves again when it is held up no more.
            () if was.waits() && !progress.held_up.is_over() => Pace::Waiting,
            () => Pace::Moving,
        }
    }

    /// Returns `true` if the path to its goal is longer than the room that all for it take, be it as a disc
    /// or, between walls, as far as its place is. A few fill no disc: beside the first one is near enough.
    fn is_far(&self, agent: &Agent, body: &Body) -> bool {
        let frame = self.frame(agent, body.radius);
        let left = |at: V| to_goal(self.ground, self.routes, &frame, agent, at);
        let reach = self.settle_radii.of(agent.guide);
        let room = if agent.slot.is_given { reach.max(left(agent.slot.home)) } else { reach };
        left(body.at) > (TUNING.far * room).max(TUNING.beside_radii * body.radius)
    }
}

/// Settles where the agent is. A place in a formation stays its own.
pub(in crate::crowd) fn settle_short(agent: &mut Agent, body: &mut Body) {
    agent.settle(body.at);
    body.flags = Body::RESTS | agent.shown() & !Body::ARRIVED;
    (body.velocity, body.preferred) = ([0.0; 2], [0.0; 2]);
    agent.slot.is_short = true;
}

/// Returns `true` if an agent can have `place` instead of its own without being missed there.
pub(in crate::crowd) fn is_by(place: V, own: V, radius: f32) -> bool {
    length(minus(place, own)) <= TUNING.by_its_place * radius
}

impl Substep<'_> {
    /// Lets the time pass since it was last looked at how near the agent is, and looks when that is long ago.
    fn measure(&self, agent: &mut Agent, body: &Body, near: &Neighbours) {
        agent.progress.window.add(self.millis);
        if agent.progress.window < TUNING.window {
            return;
        }
        if agent.guide & PATH_GUIDE == 0 && self.ground.field(agent.guide).is_none() {
            // It waits for its field.
            agent.progress.window = Millis::ZERO;
            return;
        }
        let frame = self.frame(agent, body.radius);
        let left = remaining(self.ground, self.routes, &frame, agent, body.at);
        self.compare(agent, body, left);
        // One that does not see its place in a formation takes turns like any other.
        let waits_in_formation = agent.slot.is_given && !agent.behaviour().is_homing();
        if agent.progress.no_nearer >= TUNING.settles_after
            && !(agent.slot.is_given && !waits_in_formation || agent.progress.is_blocked_ahead)
        {
            agent.take_turns(near);
        }
        agent.progress.window = Millis::ZERO;
        agent.progress.has_queued = false;
    }

    /// Compares how far the agent still is with how far it was.
    fn compare(&self, agent: &mut Agent, body: &Body, left: f32) {
        // Distances to a place in a formation are not compared with costs to the goal: one that sees its
        // place and loses sight of it, again and again, would come nearer each time.
        let is_homing = agent.behaviour().is_homing() && agent.slot.is_given;
        if !agent.behaviour().is_homing() {
            agent.progress.note_left(left, body.radius);
        }
        let expected = 0.1 * self.speed(agent, body) * f32::from(agent.progress.window.0) * 0.001;
        let progress = &mut agent.progress;
        let nearest = &mut progress.nearest[usize::from(is_homing)];
        if left < *nearest - TUNING.creep {
            (*nearest, progress.no_nearer) = (left, Millis::ZERO);
        } else {
            progress.no_nearer.add(progress.window);
        }
        let is_same = progress.left.is_sign_negative() == is_homing;
        let signed = if is_homing { -left } else { left };
        let is_nearer = is_same && left < progress.left.abs() - expected;
        match () {
            () if left == f32::INFINITY => progress.stalled = Millis::MAX,
            () if progress.is_cut_off() => {
                // There is a path again. The time without one says nothing about the agents before it:
                // counted on, it would make a whole queue ghost through itself when its gate opens.
                progress.forget_distances();
                (progress.left, progress.stalled) = (signed, Millis::ZERO);
                agent.meet(Cause::Paced(Pace::Moving));
            }
            () if is_nearer => {
                (progress.left, progress.stalled) = (signed, Millis::ZERO);
                agent.meet(Cause::Paced(Pace::Moving));
            }
            // It walks, but perhaps to and fro.
            () if !is_same || progress.held_up.is_over() => {
                progress.left = signed;
                progress.stall(Millis(progress.window.0 / 2));
            }
            () if !progress.has_queued => progress.stall(progress.window),
            () => {}
        }
    }
}

impl Agent {
    /// Asks for the place in its formation that is free nearest to `at`.
    pub fn ask_for_place_at(&mut self, at: V) {
        (self.slot.home, self.slot.via, self.slot.is_wanted) = (at, at, true);
        self.slot.limit_pushes();
        self.slot.is_another = true;
        self.progress.forget_distances();
        self.progress.stalled = Millis::ZERO;
    }

    /// Takes `place` in a formation instead of the one that it asked for.
    pub fn take_place(&mut self, place: V, radius: f32) {
        if self.slot.is_given {
            if !is_by(self.slot.home, place, radius) {
                self.slot.limit_pushes();
            }
            // Around a goal it goes on by the point on its way until it looks again.
            self.slot.via = place;
        }
        self.slot.home = place;
    }

    /// Returns `true` if one that follows a path of its own is blocked, held up for long, or on its way back
    /// to where it arrived, and has come no nearer for so long once more since it was looked at, when it had
    /// not for `before`. An agent that moves up beside others sees the room to which it goes.
    fn is_hindered_again(&self, before: Millis) -> bool {
        let times = |time: Millis| time.0 / TUNING.settles_after.0;
        let Progress { no_nearer, blocked, .. } = self.progress;
        self.control.is_driven
            && self.guide & PATH_GUIDE != 0
            && (!self.progress.has_arrived || self.slot.is_given)
            && (!blocked.is_over() || no_nearer >= TUNING.long || self.goes_back())
            && times(no_nearer) > times(before)
    }

    /// Announces that it rests short of free room, once until it comes nearer by a body: it still was so far.
    pub fn announce_block(&mut self, left: f32, events: &mut Vec<Event>) {
        if !self.progress.is_kept_off() {
            self.progress.blocked_at = left.min(FAR);
            events.push(Event::Blocked(self.id));
            if self.control.is_driven {
                events.push(Event::Hindered(self.id));
            }
        }
    }

    /// Announces its arrival, once for each goal.
    pub fn announce_arrival(&mut self, events: &mut Vec<Event>) {
        if !self.progress.has_arrived {
            self.progress.has_arrived = true;
            events.push(Event::Arrived(self.id, self.guide));
        }
    }
}
