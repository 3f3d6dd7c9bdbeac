//! Which of several agents goes first where their routes cross or share a narrow place.
//!
//! An agent waits for another that is right ahead of it and under way, unless that one waits for it: so a group goes
//! through a gate one after the other instead of pushing. It is no avoidance: nothing steers round a body that stands.

use std::collections::BTreeMap;

use pathforge_core::geometry::Footprint;

/// How far ahead an agent looks for others, in cells.
const AHEAD: f64 = 0.5;
/// How much smaller than its footprint a body is taken on each side, in cells, so that bodies side by side do not wait.
const SLACK: f64 = 0.05;
/// An agent that has not asked where to go for so many physics frames does not walk.
const STALE_FRAMES: u64 = 8;
/// Agents in a row that wait for each other, at most.
const CHAIN_MAX: usize = 64;

/// The agents of a grid that are under way, by the numbers of their objects.
#[derive(Default)]
pub struct Walkers(BTreeMap<i64, Walker>);

struct Walker {
    /// Its centre, in cell space, and half of its size.
    center: (f64, f64),
    half: (f64, f64),
    /// The physics frame in which it was there.
    frame: u64,
    target: (f64, f64),
    waits_for: Option<i64>,
}

/// An agent that wants to go on.
#[derive(Clone, Copy)]
pub struct Step {
    pub agent: i64,
    /// Where the body's centre is, and where it wants to go, in cell space.
    pub center: (f64, f64),
    pub next: (f64, f64),
    /// Where it wants to be in the end.
    pub target: (f64, f64),
    pub footprint: Footprint,
    /// The physics frame.
    pub frame: u64,
}

impl Walker {
    fn covers(&self, place: (f64, f64)) -> bool {
        is_within(place, self.center, self.half)
    }
}

fn is_within(place: (f64, f64), center: (f64, f64), half: (f64, f64)) -> bool {
    (place.0 - center.0).abs() <= half.0 && (place.1 - center.1).abs() <= half.1
}

impl Walkers {
    /// Takes down where an agent is, and returns `true` if it has to wait for another before it goes on.
    ///
    /// Takes time in proportion to the number of agents under way.
    pub fn must_wait(&mut self, step: Step) -> bool {
        let Step { agent, center, target, frame, .. } = step;
        self.0.retain(|_, walker| frame.saturating_sub(walker.frame) <= STALE_FRAMES);
        let half = |side: i32| (f64::from(side) / 2.0 - SLACK).max(SLACK);
        let half = (half(step.footprint.w()), half(step.footprint.h()));
        let waits_for = self.in_the_way(step, half);
        self.0.insert(agent, Walker { center, half, frame, target, waits_for });
        waits_for.is_some()
    }

    /// An agent is not under way any more.
    pub fn leave(&mut self, agent: i64) {
        self.0.remove(&agent);
    }

    /// The nearest of those right ahead that do not wait for this agent.
    fn in_the_way(&self, Step { agent, center, next, target, .. }: Step, half: (f64, f64)) -> Option<i64> {
        let route = (next.0 - center.0, next.1 - center.1);
        let length = route.0.hypot(route.1);
        if length.is_nan() || length <= f64::EPSILON {
            return None;
        }
        let reach = AHEAD.min(length) / length;
        let ahead = (center.0 + route.0 * reach, center.1 + route.1 * reach);
        let is_in_the_way = |walker: &Walker| {
            let to = (walker.center.0 - center.0, walker.center.1 - center.1);
            (walker.center.0 - ahead.0).abs() < half.0 + walker.half.0
                && (walker.center.1 - ahead.1).abs() < half.1 + walker.half.1
                && to.0 * route.0 + to.1 * route.1 > 0.0
        };
        // One that is chased goes elsewhere and is where this agent wants to be: it is not waited for. Of two that want
        // to be where the other is, one waits.
        let is_chased = |walker: &Walker| {
            let is_after_this = is_within(walker.target, center, half);
            walker.covers(target) && !walker.covers(walker.target) && !is_after_this
        };
        let others = self
            .0
            .iter()
            .filter(|&(&other, walker)| other != agent && is_in_the_way(walker) && !is_chased(walker));
        let free = others.filter(|&(&other, _)| !self.waits_for(other, agent));
        let distance = |walker: &Walker| (walker.center.0 - center.0).hypot(walker.center.1 - center.1);
        free.min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b))).map(|(&other, _)| other)
    }

    /// Returns `true` if one agent waits for another, or for one that does.
    fn waits_for(&self, one: i64, other: i64) -> bool {
        let next = |agent: &i64| self.0.get(agent).and_then(|walker| walker.waits_for);
        std::iter::successors(next(&one), next).take(CHAIN_MAX).any(|agent| agent == other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(agent: i64, center: (f64, f64), next: (f64, f64), frame: u64) -> Step {
        Step { agent, center, next, target: next, footprint: Footprint::new(2, 2).unwrap(), frame }
    }

    #[test]
    fn who_comes_behind_waits_and_goes_on_when_there_is_room() {
        let mut walkers = Walkers::default();
        assert!(!walkers.must_wait(step(1, (4.0, 4.0), (9.0, 4.0), 1)));
        assert!(walkers.must_wait(step(2, (2.0, 4.0), (9.0, 4.0), 1)));
        assert!(!walkers.must_wait(step(1, (5.0, 4.0), (9.0, 4.0), 2)));
        assert!(!walkers.must_wait(step(2, (2.0, 4.0), (9.0, 4.0), 2)));
    }

    #[test]
    fn of_two_that_meet_one_goes() {
        let mut walkers = Walkers::default();
        for frame in 1..4 {
            let first = walkers.must_wait(step(1, (2.0, 2.0), (3.0, 6.0), frame));
            let second = walkers.must_wait(step(2, (2.0, 4.1), (3.0, 0.0), frame));
            assert!(frame == 1 || first != second, "frame {frame}");
        }
    }

    #[test]
    fn no_agents_wait_in_a_circle() {
        let mut walkers = Walkers::default();
        let corners = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)];
        for frame in 1..5 {
            let waiting = (0..4)
                .map(|n| Step {
                    target: (99.0, 99.0),
                    ..step(n as i64, corners[n], corners[(n + 1) % 4], frame)
                })
                .filter(|&step| walkers.must_wait(step));
            let waiting = waiting.count();
            assert!(frame == 1 || waiting == 3, "frame {frame}: {waiting} of 4 wait");
        }
    }

    #[test]
    fn who_has_stopped_is_not_waited_for() {
        let mut walkers = Walkers::default();
        walkers.must_wait(step(1, (4.0, 4.0), (9.0, 4.0), 1));
        assert!(walkers.must_wait(step(2, (2.0, 4.0), (9.0, 4.0), 5)));
        walkers.leave(1);
        assert!(!walkers.must_wait(step(2, (2.0, 4.0), (9.0, 4.0), 6)));
        walkers.must_wait(step(1, (4.0, 4.0), (9.0, 4.0), 7));
        assert!(!walkers.must_wait(step(2, (2.0, 4.0), (9.0, 4.0), 99)), "it was not heard of for long");
    }

    #[test]
    fn one_that_is_chased_is_not_waited_for() {
        let mut walkers = Walkers::default();
        walkers.must_wait(step(1, (4.0, 4.0), (9.0, 4.0), 1));
        assert!(walkers.must_wait(step(2, (2.0, 4.0), (9.0, 4.0), 1)));
        assert!(!walkers.must_wait(step(3, (2.0, 4.0), (4.0, 4.0), 1)));
        // Two to one place: the one in front is there, and stays.
        walkers.must_wait(step(4, (4.0, 8.0), (4.5, 8.0), 1));
        assert!(walkers.must_wait(step(5, (2.0, 8.0), (4.5, 8.0), 1)));
    }

    #[test]
    fn places_beyond_numbers_are_harmless() {
        let mut walkers = Walkers::default();
        assert!(!walkers.must_wait(step(1, (f64::NAN, 0.0), (f64::INFINITY, f64::NAN), 1)));
        assert!(!walkers.must_wait(step(2, (0.0, 0.0), (0.0, 0.0), 1)));
    }
}
