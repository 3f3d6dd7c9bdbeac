//! What an agent does and why, in words: for records of a crowd, overlays and bug reports.
//!
//! An [`AgentTrace`] is read from the state between two steps and changes nothing. The state does not name
//! the agent that another waits for: it is found among its neighbours, by the rank that they lend and by what
//! lies before it. Why a behaviour has changed is found from the table of behaviours (`behaviour`): the
//! cause, or the two in a row, that lead from one to the other.

use std::fmt;

use crate::crowd::kept::Crowd;
use crate::crowd::numbers::millis::Millis;
use crate::crowd::numbers::tuning::TUNING;
use crate::crowd::numbers::vector::{V, dot};
use crate::crowd::right_of_way::presser;
use crate::crowd::state::behaviour::{Behaviour, Cause, Pace};
use crate::crowd::state::body::Body;
use crate::crowd::state::outline::Gap;
use crate::crowd::state::priority::ID_BITS;
use crate::crowd::state::routes::{NO_GUIDE, PATH_GUIDE};
use crate::crowd::state::spec::AgentView;

/// Neighbours are looked for so far off, in cells from disc to disc.
const LOOK: f32 = 1.5;

/// What an agent does, and why.
#[derive(Clone, PartialEq, Debug)]
pub struct AgentTrace {
    /// Where it is and what is told of it.
    pub view: AgentView,
    behaviour: Behaviour,
    /// What leads it.
    pub guide: AgentGuide,
    /// The centre of its place, in cells: the one that it was given, or where it rests or rested.
    pub place: Option<[f64; 2]>,
    /// How far its goal is along its guide, in cells, when it was last looked at.
    pub left: Option<f32>,
    /// What keeps it from doing what it would.
    pub wait: Option<AgentWait>,
    /// Its timers that are running: name and seconds.
    pub timers: Vec<(&'static str, f32)>,
}

/// What leads an agent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum AgentGuide {
    /// Nothing.
    None,
    /// The field with this number.
    Field(u32),
    /// A path, to the point with these coordinates next.
    Path([f64; 2]),
}

/// What an agent waits for; numbers are ids of agents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AgentWait {
    /// It is held until it may go on.
    Paused,
    /// It flies.
    Thrown,
    /// Nothing leads from where it is to where it was sent.
    NoPath,
    /// It walks out of the path of this one, which has the right of way.
    YieldsTo(Option<u32>),
    /// It rested, and makes way for this one, which wants through.
    AsideFor(Option<u32>),
    /// This one rests before it for its goal, or is blocked itself.
    BlockedBy(Option<u32>),
    /// It has come no nearer for a while, and is right behind this one.
    HeldUpBy(Option<u32>),
}

impl fmt::Display for AgentWait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (words, id) = match self {
            Self::Paused => ("paused", None),
            Self::Thrown => ("thrown", None),
            Self::NoPath => ("no path", None),
            Self::YieldsTo(id) => ("yields to", Some(id)),
            Self::AsideFor(id) => ("makes way for", Some(id)),
            Self::BlockedBy(id) => ("blocked by", Some(id)),
            Self::HeldUpBy(id) => ("held up by", Some(id)),
        };
        f.write_str(words)?;
        match id {
            Some(Some(id)) => write!(f, " {id}"),
            Some(None) => f.write_str(" others"),
            None => Ok(()),
        }
    }
}

impl AgentWait {
    /// Returns the agent that it waits for.
    pub const fn id(self) -> Option<u32> {
        match self {
            Self::YieldsTo(id) | Self::AsideFor(id) | Self::BlockedBy(id) | Self::HeldUpBy(id) => id,
            Self::Paused | Self::Thrown | Self::NoPath => None,
        }
    }
}

/// A line for a label or a record: `Travelling, held up by 12`.
impl fmt::Display for AgentTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.behaviour())?;
        self.wait.map_or(Ok(()), |wait| write!(f, ", {wait}"))
    }
}

impl AgentTrace {
    /// Returns what it does, as the table of behaviours calls it.
    pub const fn behaviour(&self) -> &'static str {
        match self.behaviour {
            Behaviour::Idle => "Idle",
            Behaviour::Travelling(_) => "Travelling",
            Behaviour::Homing(_) => "Homing",
            Behaviour::Yielding { .. } => "Yielding",
            Behaviour::Aside => "Aside",
            Behaviour::Settled => "Settled",
        }
    }

    /// Returns why it does something else than `before`; `None` if it does the same.
    pub fn cause_since(&self, before: &Self) -> Option<String> {
        let (from, to) = (before.behaviour, self.behaviour);
        let has_other_guide = self.guide_number() != before.guide_number();
        if from == to && !has_other_guide {
            return None;
        }
        let is_likely = |cause: &Cause| match cause {
            Cause::Ordered => has_other_guide,
            Cause::Swapped | Cause::RoomFree => self.place != before.place,
            Cause::Displaced => self.place == before.place,
            _ => true,
        };
        // Several causes may lead to the same behaviour: what else has changed tells them apart.
        let causes: Vec<Cause> = CAUSES.iter().copied().filter(is_likely).collect();
        if let Some(cause) = causes.iter().find(|&&cause| from.after(cause) == to) {
            return Some(words_of(*cause).to_owned());
        }
        // Two in one step, such as one that gets on when it has yielded.
        let pairs = causes.iter().flat_map(|first| causes.iter().map(move |second| (*first, *second)));
        let pair = pairs.into_iter().find(|&(first, second)| from.after(first).after(second) == to);
        Some(pair.map_or_else(
            || "several causes".to_owned(),
            |(first, second)| format!("{}, and {}", words_of(first), words_of(second)),
        ))
    }

    const fn guide_number(&self) -> Option<u32> {
        match self.guide {
            AgentGuide::Field(field) => Some(field),
            AgentGuide::Path(_) => Some(PATH_GUIDE),
            AgentGuide::None => None,
        }
    }
}

/// All causes, those first that an order gives.
const CAUSES: [Cause; 16] = [
    Cause::Ordered,
    Cause::Stopped,
    Cause::Arrived,
    Cause::PlaceSeen,
    Cause::PlaceLost,
    Cause::Opposed,
    Cause::Yielded,
    Cause::Pressed,
    Cause::Released,
    Cause::Swapped,
    Cause::Displaced,
    Cause::WayFree,
    Cause::RoomFree,
    Cause::Paced(Pace::Moving),
    Cause::Paced(Pace::Waiting),
    Cause::Paced(Pace::Stuck),
];

/// Returns what the table of behaviours calls a cause.
const fn words_of(cause: Cause) -> &'static str {
    match cause {
        Cause::Ordered => "a goal is given",
        Cause::Stopped => "stopped, or at rest without a goal",
        Cause::Arrived => "arrived",
        Cause::PlaceSeen => "its place is in sight",
        Cause::PlaceLost => "its place is out of sight, or lost",
        Cause::Opposed => "one that has the right of way opposes it",
        Cause::Yielded => "the time to yield is over",
        Cause::Pressed => "one that wants through presses on it",
        Cause::Released => "the time to stand aside is over",
        Cause::Displaced => "moved out of its place",
        Cause::WayFree => "the way ahead of it is free again",
        Cause::RoomFree => "there is room for it elsewhere",
        Cause::Swapped => "its place was swapped",
        Cause::Paced(Pace::Moving) => "it gets on",
        Cause::Paced(Pace::Waiting) => "it waits",
        Cause::Paced(Pace::Stuck) => "it comes no nearer",
    }
}

impl Crowd {
    /// Returns what an agent does, and why. Takes the time of its neighbours; after a change of the agents
    /// before the next step, that of all agents.
    pub fn trace(&mut self, id: u32) -> Option<AgentTrace> {
        let index = self.index_of(id)?;
        Some(self.trace_at(index))
    }

    fn trace_at(&self, index: usize) -> AgentTrace {
        let agent = &self.agents[index];
        let behaviour = agent.behaviour();
        let (left, top) = (f64::from(self.origin.0), f64::from(self.origin.1));
        let on_map = |at: V| [f64::from(at[0]) + left, f64::from(at[1]) + top];
        let guide = match self.routes.get(agent.guide) {
            // Its number is above all fields, and looks like a path.
            _ if agent.guide == NO_GUIDE => AgentGuide::None,
            None => AgentGuide::Field(agent.guide),
            Some(route) => {
                let next = route.points.get(agent.progress.cursor as usize).or(route.points.last());
                AgentGuide::Path(on_map(next.copied().unwrap_or(route.course.aim)))
            }
        };
        let (progress, priority) = (&agent.progress, &agent.priority);
        let timers = [
            ("thrown", agent.control.thrown),
            ("ghosts", agent.control.ghosts),
            ("shoves", agent.control.shoves),
            ("no nearer", progress.no_nearer),
            ("held up", progress.held_up),
            // The longest time means no path, which is told as what it waits for.
            ("stalled", if progress.is_cut_off() { Millis::ZERO } else { progress.stalled }),
            ("blocked", progress.blocked),
            ("lent rank", priority.lent),
            ("gives way", priority.gives_way),
            ("jammed", priority.jammed),
            ("closing up", agent.slot.closing_up),
        ];
        let timers = timers.into_iter().filter(|(_, time)| !time.is_over());
        // Under way without a given place, its slot is where it was when the order came.
        let has_place = agent.slot.is_given || behaviour.rests() || behaviour.is_homing();
        AgentTrace {
            view: self.view_at(index),
            behaviour,
            guide,
            place: has_place.then(|| on_map(agent.slot.home)),
            // Below zero, it is the distance to a place in a formation; not measured yet, the largest number.
            left: (progress.left.abs() < f32::MAX).then_some(progress.left.abs()),
            wait: self.wait_of(index),
            timers: timers.map(|(name, time)| (name, f32::from(time.0) / 1000.0)).collect(),
        }
    }

    fn wait_of(&self, index: usize) -> Option<AgentWait> {
        let (body, agent) = (&self.bodies[index], &self.agents[index]);
        let behaviour = agent.behaviour();
        // In the order of precedence: what moves its body overrules what it wants.
        if !agent.control.thrown.is_over() {
            return Some(AgentWait::Thrown);
        }
        if agent.control.is_paused {
            return Some(AgentWait::Paused);
        }
        if behaviour.yields() {
            // Its rank is the one that the other has lent it.
            let is_lent = !agent.priority.lent.is_over();
            return Some(AgentWait::YieldsTo(is_lent.then_some(body.rank & ((1 << ID_BITS) - 1))));
        }
        if behaviour.is_aside() {
            let presser = self.near.get(index).filter(|_| self.has_neighbours()).and_then(|near| {
                // It shows the group of the one that presses on it, so its own keeps none out.
                let presser = presser(&self.bodies, (agent, body), u32::MAX, near)?;
                self.bodies.iter().position(|other| std::ptr::eq(other, presser))
            });
            return Some(AgentWait::AsideFor(presser.map(|other| self.agents[other].id)));
        }
        if behaviour.rests() {
            // It has no preferred velocity to look for the one before it with: `Crowd::blockage` finds it by
            // the guide.
            return agent.slot.is_short.then_some(AgentWait::BlockedBy(None));
        }
        if behaviour.is_stuck() && agent.progress.is_cut_off() {
            return Some(AgentWait::NoPath);
        }
        if agent.progress.is_blocked_ahead {
            let stays = |other: &Body| other.flags & (Body::RESTS | Body::BLOCKED | Body::ARRIVED) != 0;
            return Some(AgentWait::BlockedBy(self.before(index, stays)));
        }
        // As soon as it counts as waiting, so that a change of pace and what is in its way are told together.
        let is_held_up = agent.progress.held_up > TUNING.waits_after;
        is_held_up.then(|| AgentWait::HeldUpBy(self.before(index, |_| true)))
    }

    /// The neighbour lists are of the agents in their order of now.
    fn has_neighbours(&self) -> bool {
        self.near_age > 0 && self.near.len() == self.bodies.len()
    }

    /// The id of the nearest agent before this one that `counts`.
    fn before(&self, index: usize, counts: impl Fn(&Body) -> bool) -> Option<u32> {
        let body = &self.bodies[index];
        let distance = |&other: &usize| {
            let other = &self.bodies[other];
            let Gap { offset, touch } = body.gap::<true>(other);
            let apart = dot(offset, offset).sqrt() - touch;
            // Within 60° of its way.
            let ahead = dot(body.preferred, offset);
            let is_before = ahead > 0.0 && ahead * ahead > 0.25 * dot(offset, offset);
            (is_before && apart < LOOK && counts(other)).then_some(apart)
        };
        let nearest = |all: &mut dyn Iterator<Item = usize>| {
            let near = all
                .filter(|&other| self.avoids(index, other))
                .filter_map(|other| Some((distance(&other)?, other)));
            near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, other)| self.agents[other].id)
        };
        if self.has_neighbours() {
            nearest(&mut self.near[index].iter())
        } else {
            nearest(&mut (0..self.bodies.len()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitgrid::{BitGrid, GridLayout};
    use crate::crowd::{AgentSpec, CrowdGround, CrowdSettings};
    use crate::geometry::CellRect;
    use crate::passability::{LayerKey, Placements};

    const STEP: f64 = 1.0 / 60.0;

    /// A map with its middle row open, or all of it, and agents at places along that row.
    fn crowd(places: &[f64], is_narrow: bool) -> (Crowd, Placements) {
        let mut layer = BitGrid::new(GridLayout::new(30, 5));
        let open = if is_narrow { CellRect::new(0, 2, 30, 1) } else { CellRect::new(0, 0, 30, 5) };
        open.cells().for_each(|cell| {
            let index = layer.layout().index(cell.x as u32, cell.y as u32);
            layer.set(index, true);
        });
        let layer = Placements::from(layer);
        let mut crowd = Crowd::new(CrowdSettings::default());
        let kind = crowd.kind(LayerKey::default());
        let spec = |&x: &f64| AgentSpec { x, y: 2.5, kind, speed: 4.0, radius: 0.4 };
        let specs: Vec<AgentSpec> = places.iter().map(spec).collect();
        on(&layer, |ground| crowd.add(ground, &specs));
        (crowd, layer)
    }

    fn on<T>(layer: &Placements, work: impl FnOnce(&CrowdGround<'_>) -> T) -> T {
        let region = CellRect::new(0, 0, 30, 5);
        work(&CrowdGround { region, revision: 0, layers: &[layer], costs: &[], fields: &[] })
    }

    fn steps(crowd: &mut Crowd, layer: &Placements, count: u32) {
        for _ in 0..count {
            on(layer, |ground| crowd.step(STEP, ground)).unwrap();
        }
    }

    #[test]
    fn a_way_from_its_order_to_its_end() {
        let (mut crowd, layer) = crowd(&[2.5], false);
        let idle = crowd.trace(0).unwrap();
        assert_eq!((idle.behaviour(), idle.guide, idle.wait), ("Idle", AgentGuide::None, None));
        crowd.assign_path(&[0], &[[2.5, 2.5], [8.5, 2.5]], 1);
        let sent = crowd.trace(0).unwrap();
        assert_eq!(sent.cause_since(&idle).as_deref(), Some("a goal is given"));
        steps(&mut crowd, &layer, 30);
        let walking = crowd.trace(0).unwrap();
        assert_eq!((walking.behaviour(), walking.cause_since(&sent)), ("Travelling", None));
        assert_eq!(walking.guide, AgentGuide::Path([8.5, 2.5]));
        steps(&mut crowd, &layer, 150);
        let settled = crowd.trace(0).unwrap();
        assert_eq!(settled.behaviour(), "Settled");
        assert_eq!(settled.cause_since(&walking).as_deref(), Some("arrived"));
        assert!(settled.place.is_some_and(|[x, _]| (x - 8.5).abs() < 0.3));
        assert_eq!(crowd.trace(9), None);
    }

    #[test]
    fn the_agent_in_the_way_is_named() {
        let (mut crowd, layer) = crowd(&[2.5, 6.5], true);
        crowd.set_paused(1, true);
        crowd.assign_path(&[0], &[[12.5, 2.5]], 1);
        steps(&mut crowd, &layer, 120);
        assert_eq!(crowd.trace(1).unwrap().wait, Some(AgentWait::Paused));
        let held_up = crowd.trace(0).unwrap();
        assert_eq!(held_up.wait.map(|wait| wait.to_string()).as_deref(), Some("blocked by 1"));
        assert!(held_up.timers.iter().any(|&(name, seconds)| name == "held up" && seconds > 0.2));
        assert!(crowd.throw(0, [-1.0, 0.0], 1.0));
        let thrown = crowd.trace(0).unwrap();
        assert_eq!((thrown.wait, thrown.timers[0]), (Some(AgentWait::Thrown), ("thrown", 1.0)));
    }

    #[test]
    fn one_that_rests_makes_way_for_the_one_that_presses() {
        let (mut crowd, layer) = crowd(&[2.5, 6.5], false);
        crowd.assign_path(&[0], &[[6.5, 2.5]], 1);
        crowd.assign_path(&[1], &[[6.5, 2.5]], 2);
        let mut before = crowd.trace(1).unwrap();
        let (mut causes, mut waits) = (Vec::new(), Vec::new());
        for _ in 0..600 {
            steps(&mut crowd, &layer, 1);
            let now = crowd.trace(1).unwrap();
            causes.extend(now.cause_since(&before));
            waits.extend(now.wait);
            before = now;
        }
        assert!(waits.contains(&AgentWait::AsideFor(Some(0))), "{waits:?}");
        assert!(
            ["one that wants through presses on it", "the time to stand aside is over"]
                .iter()
                .all(|words| causes.iter().any(|cause| cause == words)),
            "{causes:?}"
        );
        assert!(!causes.contains(&"several causes".to_owned()), "{causes:?}");
    }
}
