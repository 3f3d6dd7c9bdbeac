//! Progress: how an agent gets on, from how near it has come to its goal and how long it has been held up.
//!
//! An agent that comes no nearer settles where all before it have settled, counts as arrived where it is near enough, waits in a queue,
//! or is stuck. One that has been stuck for long ghosts for a moment.

use super::agent::{HELD_LONG, HELD_TIME, Mind, SHUFFLES};
use super::behaviour::{Behaviour, Cause, Pace};
use super::body::Body;
use super::guide::PATH_GUIDE;
use super::tick::Tick;
use super::vector::{V, minus};
use super::wish::{remaining, to_goal};

/// Held up so long on the way back to where it rested, an agent rests where it is, in milliseconds.
const BESIDE_TIME: u16 = 500;
/// Nearer by this many cells is nearer. In a jam all stir: where they are says more than how fast they move.
const CREEP: f32 = 0.1;
/// Blocked so long, an agent settles where it is.
const BLOCKED_TIME: u16 = 4000;
/// The same for one that has got no nearer for so long: it may go to and fro before those that block it.
const BLOCKED_SOME: u16 = 500;
const HELD_FAR: u16 = 16_000;
/// The same for one with a place of its own that it has seen: then it takes one where it is.
const HELD_LONGEST: u16 = 60_000;
/// Held up so long, an agent may be wedged with others before a narrow place.
const WEDGED_TIME: u16 = 4000;
/// Others settle within so many radii of the disc that they fill; an agent farther out is far. Path costs are up to a twelfth
/// longer than straight ways, and those of large bodies end a little beside those of small ones.
const ROOMY: f32 = 1.4;
/// Rested so long on another, one leaves for a free place.
const SQUEEZED_TIME: u16 = 3000;
/// Some only after so many times as long.
const SQUEEZED_TURNS: u16 = 4;
/// Held up so long close to its goal, where all wait for each other, an agent has arrived.
const CENTRE_TIME: u16 = 1500;
/// An agent that comes so near to where all for its goal will rest is given a place, in cells and in seconds of its way: places are
/// handed out twice a second.
const LEAD: f32 = 3.0;
const LEAD_SECONDS: f32 = 1.5;
/// A place within so many radii can be had instead of one's own. With 40, agents of large bodies settled among the enemy.
const BY_ITS_PLACE: f32 = 8.0;
/// One that has pushed so long through others at rest looks for a place where it is: to its own place, and to another one.
const PUSHES: u16 = 60_000;
const PUSHES_TO_ANOTHER: u16 = 20_000;
/// It settles where no overlap is deeper than this part of the smaller radius, or so much later.
const CLEAR: f32 = 0.03;
const OUT_OF_OTHERS: u16 = 4000;
/// Held up so long, an agent counts as waiting.
const WAITS_AFTER: u16 = 200;
/// How often is looked whether an agent comes nearer.
const WINDOW: u16 = 500;
/// So many times as long as until it is stuck, an agent that is still stuck ghosts.
const FREES_AFTER: u16 = 4;
/// How long one that was stuck ghosts.
pub(super) const SLIPS: u16 = 1200;
/// An overlap deeper than this part of the smaller radius keeps one ghosting.
const SLIPPING: f32 = 0.2;

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

/// What became of an agent and is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Event {
    /// The agent with this id, by this guide.
    Arrived(u32, u32),
    Stuck(u32),
    /// The agent with this id rests short of free room.
    Blocked(u32),
    /// All of this group have arrived that can.
    Group(GroupNews),
    /// The one at this place in the arrays is held up on the way to its own place.
    HeldUp(usize),
}

impl Tick<'_> {
    /// Finds out how agent `mind` gets on: whether it has arrived, rests where it is, or is stuck.
    pub(super) fn take_stock(&self, mind: &mut Mind, body: &mut Body, depth: f32, events: &mut Vec<Event>) {
        let behaviour = mind.behaviour();
        if matches!(behaviour, Behaviour::Idle | Behaviour::Aside)
            || mind.has(Mind::PAUSED)
            || mind.thrown > 0
        {
            return;
        }
        if behaviour == Behaviour::Settled {
            if mind.mark == f32::INFINITY {
                mind.mark =
                    to_goal(self.ground, self.routes, &self.frame(mind, body.radius), mind, body.at).min(1e6);
            }
            if mind.has(Mind::SHORT) {
                mind.shuffled = mind.shuffled.saturating_add(self.millis);
            } else {
                announce(mind, events);
            }
            return;
        }
        // Blocked: no nearer, and right before it is one that rests for its goal, or is blocked itself. So a jam behind those that
        // have settled settles at once, however long it is, and one before a gate that lets agents through does not.
        mind.beside = if mind.has(Mind::BESIDE) && mind.held >= HELD_TIME {
            mind.beside.saturating_add(self.millis)
        } else {
            mind.beside.saturating_sub(self.millis * 2)
        };
        if mind.closes_up() {
            mind.shuffled = mind.shuffled.saturating_add(self.millis);
            if mind.has_shuffled() && self.was_pushed_off(mind, body) {
                mind.shuffled = 0;
            }
        }
        if self.settles_here(mind, body, depth) {
            mind.set(Mind::HAS_SLOT, false);
            settle(mind, body);
            let is_short = !mind.has(Mind::ANNOUNCED | Mind::DRIVEN);
            // Around the end of a path no places are handed out, and none is free.
            let is_by_path = mind.guide & PATH_GUIDE != 0;
            mind.set(Mind::SHORT, is_short && (!is_by_path || self.is_far(mind, body)));
            if is_by_path && mind.has(Mind::SHORT) {
                tell_blocked(mind, events);
            }
            return;
        }
        if depth <= SLIPPING {
            mind.slips = mind.slips.saturating_sub(self.millis);
        }
        mind.window = mind.window.saturating_add(self.millis);
        if mind.window >= WINDOW {
            self.look_back(mind, body);
        }
        self.take_another(mind, body);
        let pace = self.pace(mind, events);
        mind.meet(Cause::Paced(pace));
    }

    /// Lets one that has long rested on another, with no room to part, leave for the nearest free place, through those around it.
    pub(super) fn make_room(&self, mind: &mut Mind, body: &Body, is_squeezed: bool) {
        mind.held = if is_squeezed {
            mind.held.saturating_add(self.millis)
        } else {
            mind.held.saturating_sub(self.millis)
        };
        // Not all at once: where one leaves, those around it have room.
        let patience = SQUEEZED_TIME * (1 + mind.id as u16 % SQUEEZED_TURNS);
        if mind.held >= patience && self.settings.frees_stuck && !mind.has(Mind::DRIVEN | Mind::PAUSED) {
            mind.go_back(Cause::Displaced);
            mind.home = body.at;
            mind.formation = Mind::around(body.group);
            mind.set(Mind::HAS_SLOT | Mind::ASKS, true);
            (mind.slips, mind.shuffled) = (SLIPS, SHUFFLES / 2);
        }
    }

    /// Whether an agent gets no farther and rests where it is, short of its place or its goal.
    fn settles_here(&self, mind: &Mind, body: &Body, depth: f32) -> bool {
        if mind.slips > 0 || mind.behaviour().yields() || mind.is_in_formation() {
            return false;
        }
        // Around the end of a path no places are handed out: beside those that are there is as near as it comes.
        let has_no_places = mind.guide & PATH_GUIDE != 0;
        let is_blocked = mind.beside >= BLOCKED_TIME
            || mind.beside >= BLOCKED_SOME
                && (mind.held >= HELD_FAR
                    || (mind.held >= HELD_LONG || has_no_places) && !self.is_far(mind, body));
        let has_shuffled = !mind.closes_up() || mind.shuffled >= SHUFFLES / 2;
        let returns = mind.goes_back() && mind.slow >= BESIDE_TIME && has_shuffled;
        let is_over = mind.has_shuffled() && (depth <= CLEAR || mind.shuffled >= SHUFFLES + OUT_OF_OTHERS);
        is_blocked
            || (returns || is_over) && !self.was_pushed_off(mind, body)
            || mind.slow >= CENTRE_TIME && !mind.has(Mind::HAS_SLOT) && self.is_close(mind, body)
    }

    /// One of a formation that gets no nearer takes the nearest place that is free from where it is. Farther off it waits until it is
    /// freed as stuck, for a jam before a gate, however long, is no reason to stay there.
    fn take_another(&self, mind: &mut Mind, body: &Body) {
        if !(mind.has_place() && mind.is_in_formation()) {
            return;
        }
        let is_stuck = mind.stalled >= self.settings.stuck_millis();
        // One that sees its place and loses sight of it, again and again, walks.
        let is_lost = mind.held >= HELD_FAR;
        let is_there =
            (is_stuck || is_lost) && is_by_its_place(mind, body) || is_lost && !self.is_far(mind, body);
        let has_seen_it = mind.best[1] < f32::INFINITY;
        if is_there || mind.held >= HELD_LONGEST && has_seen_it || mind.shuffled >= PUSHES {
            mind.home = body.at;
            mind.set(Mind::ASKS, true);
            mind.measure_anew();
            (mind.stalled, mind.shuffled) = (0, 0);
        }
    }

    /// How an agent on its way gets on. Tells of one that has become stuck, and lets one that has been so for long ghost.
    fn pace(&self, mind: &mut Mind, events: &mut Vec<Event>) -> Pace {
        let stuck = self.settings.stuck_millis();
        let was_stuck = mind.behaviour().is_stuck();
        if mind.has(Mind::ANNOUNCED) {
            return Pace::Moving;
        }
        if mind.stalled >= stuck {
            if !was_stuck {
                events.push(Event::Stuck(mind.id));
            }
            let frees = stuck.saturating_mul(FREES_AFTER).min(u16::MAX - 1);
            let is_long = mind.stalled >= frees && mind.stalled != u16::MAX;
            if is_long && self.settings.frees_stuck && !mind.has(Mind::DRIVEN) && mind.slips == 0 {
                mind.slips = SLIPS;
                mind.stalled = (frees - stuck).max(stuck / 2);
            }
            return Pace::Stuck;
        }
        match () {
            () if was_stuck => Pace::Stuck,
            () if mind.slow > WAITS_AFTER || mind.behaviour().yields() => Pace::Waiting,
            () => Pace::Moving,
        }
    }

    /// Whether the agent was pushed far from its group, perhaps through a corridor, and has not long tried to get back.
    fn was_pushed_off(&self, mind: &Mind, body: &Body) -> bool {
        mind.held < HELD_LONGEST && self.is_far(mind, body)
    }

    /// Whether the agent is farther from its goal than all agents with this goal need to settle.
    fn is_far(&self, mind: &Mind, body: &Body) -> bool {
        self.is_beyond(mind, body, ROOMY)
    }

    /// Whether the way to its goal is longer than so many times the room that all for it take, be it as a disc or, between
    /// walls, as far as its place is. A few fill no disc: beside the first one is near enough.
    fn is_beyond(&self, mind: &Mind, body: &Body, times: f32) -> bool {
        let frame = self.frame(mind, body.radius);
        let left = |at: V| to_goal(self.ground, self.routes, &frame, mind, at);
        let reach = self.reaches.of(mind.guide);
        let room = if mind.is_around() { reach.max(left(mind.home)) } else { reach };
        left(body.at) > (times * room).max(4.0 * body.radius)
    }

    /// Whether the agent is so close to its goal that no place is better by much.
    fn is_close(&self, mind: &Mind, body: &Body) -> bool {
        let frame = self.frame(mind, body.radius);
        to_goal(self.ground, self.routes, &frame, mind, body.at) < 0.5 * self.reaches.of(mind.guide)
    }

    /// Whether the agent came nearer since it was last looked at.
    fn look_back(&self, mind: &mut Mind, body: &Body) {
        if mind.guide & PATH_GUIDE == 0 && self.ground.field(mind.guide).is_none() {
            // It waits for its field.
            mind.window = 0;
            return;
        }
        let frame = self.frame(mind, body.radius);
        let left = remaining(self.ground, self.routes, &frame, mind, body.at);
        if mind.guide & PATH_GUIDE == 0 && !mind.has(Mind::HAS_SLOT | Mind::ANNOUNCED) {
            let lead = LEAD + LEAD_SECONDS * self.speed(mind, body);
            let is_near = left <= self.reaches.of(mind.guide) + lead || mind.has(Mind::BESIDE);
            mind.set(Mind::ASKS, is_near);
        }
        if mind.is_around() && !mind.has(Mind::ANNOUNCED) {
            // Its field leads elsewhere by now.
            let group = self.ground.group(mind.guide, self.routes);
            if mind.formation != Mind::around(group) {
                mind.set(Mind::HAS_SLOT, false);
                mind.meet(Cause::PlaceLost);
            }
        }
        // Ways to a place of a formation are not compared with costs to the goal, or one that sees its place and loses sight of it, again
        // and again, would come nearer each time. Their marks are below zero.
        let is_homing = mind.behaviour().is_homing() && mind.is_in_formation();
        let best = &mut mind.best[usize::from(is_homing)];
        if left < *best - CREEP {
            (*best, mind.held) = (left, 0);
        } else {
            mind.held = mind.held.saturating_add(mind.window);
        }
        let expected = 0.1 * self.speed(mind, body) * f32::from(mind.window) * 0.001;
        let is_same = mind.mark.is_sign_negative() == is_homing;
        let sign = if is_homing { -1.0 } else { 1.0 };
        let mark = mind.mark.abs();
        if left == f32::INFINITY {
            mind.stalled = u16::MAX;
        } else if mind.stalled == u16::MAX {
            // There is a path again. The time without one says nothing about the agents before it: counted on, it would make a
            // whole queue slip through itself when its gate opens.
            mind.measure_anew();
            (mind.mark, mind.stalled) = (sign * left, 0);
            mind.meet(Cause::Paced(Pace::Moving));
        } else if !is_same {
            mind.mark = sign * left;
            mind.stalled = mind.stalled.saturating_add(mind.window / 2).min(u16::MAX - 1);
        } else if left < mark - expected {
            mind.mark = sign * left;
            mind.stalled = 0;
            mind.meet(Cause::Paced(Pace::Moving));
        } else if mind.slow == 0 {
            // It walks, but perhaps to and fro.
            mind.mark = sign * left;
            mind.stalled = mind.stalled.saturating_add(mind.window / 2).min(u16::MAX - 1);
        } else if !mind.has(Mind::QUEUED) {
            mind.stalled = mind.stalled.saturating_add(mind.window).min(u16::MAX - 1);
        }
        if mind.held >= WEDGED_TIME && !mind.has(Mind::HAS_SLOT | Mind::BESIDE) {
            mind.take_turns();
        }
        mind.window = 0;
        mind.set(Mind::QUEUED, false);
    }
}

/// Whether the agent can have another place instead of its own without being missed there.
fn is_by_its_place(mind: &Mind, body: &Body) -> bool {
    is_by(mind.home, body.at, body.radius)
}

fn is_by(place: V, other: V, radius: f32) -> bool {
    let [dx, dy] = minus(place, other);
    dx.hypot(dy) <= BY_ITS_PLACE * radius
}

impl Mind {
    /// Takes `place` in a formation instead of the one that it asked for.
    pub fn take_place(&mut self, place: V, radius: f32) {
        if self.is_in_formation() && !is_by(self.home, place, radius) {
            self.shuffled = PUSHES - PUSHES_TO_ANOTHER;
        }
        self.home = place;
    }
}

fn settle(mind: &mut Mind, body: &mut Body) {
    mind.settle(body.at, body.group);
    body.flags = Body::RESTS | mind.shown();
    (body.velocity, body.want) = ([0.0; 2], [0.0; 2]);
}

/// Says that an agent rests short of free room, once for each goal.
pub(super) fn tell_blocked(mind: &mut Mind, events: &mut Vec<Event>) {
    if !mind.has(Mind::TOLD_BLOCKED) {
        mind.set(Mind::TOLD_BLOCKED, true);
        events.push(Event::Blocked(mind.id));
    }
}

/// Says that an agent has arrived, once for each goal.
pub(super) fn announce(mind: &mut Mind, events: &mut Vec<Event>) {
    if !mind.has(Mind::ANNOUNCED) {
        mind.set(Mind::ANNOUNCED, true);
        mind.set(Mind::SHORT, false);
        events.push(Event::Arrived(mind.id, mind.guide));
    }
}
