//! Adding and removing agents, and views of them by id.

use super::agent::{ID_BITS, Mind};
use super::body::Body;
use super::ground::CrowdGround;
use super::guide::{NO_GUIDE, PATH_GUIDE};
use super::index::NO_PLACE;
use super::kinds::CrowdKind;
use super::routes::Routes;
use super::spec::{AgentSpec, AgentView, CROWD_RADIUS_MAX, CROWD_SPEED_MAX};
use super::state::Crowd;
use super::sweep::{Frame, fits, stands};
use super::vector::FAR;

/// Ids are below this.
const IDS_MAX: u32 = 1 << ID_BITS;

impl Crowd {
    /// The number of a kind of agents, or of the one with this layer that nothing slows; layers are handed to [`Crowd::step`] in the
    /// order of [`Crowd::kinds`].
    pub fn kind(&mut self, kind: impl Into<CrowdKind>) -> u16 {
        self.kinds.number(&kind.into())
    }

    /// All kinds, by number.
    pub fn kinds(&self) -> &[CrowdKind] {
        self.kinds.all()
    }

    /// Adds agents that do nothing yet; for each its id, or `None` where its body does not fit, its speed or its radius is
    /// not above zero or beyond [`CROWD_SPEED_MAX`] or [`CROWD_RADIUS_MAX`], or 67 million agents were added before it.
    ///
    /// A body that is nearer to a wall than it may be is put on the middle of the nearest anchor.
    pub fn add(&mut self, ground: &CrowdGround<'_>, agents: &[AgentSpec]) -> Vec<Option<u32>> {
        self.follow(ground);
        let added = agents.iter().map(|spec| self.add_one(ground, spec, false)).collect();
        self.disturb();
        added
    }

    /// Adds an agent whose body is moved from outside, wherever it is: see [`Crowd::steer`]. Its id, or `None` when its speed
    /// or its radius is not one that an agent may have.
    pub fn add_driven(&mut self, ground: &CrowdGround<'_>, agent: &AgentSpec) -> Option<u32> {
        self.follow(ground);
        self.disturb();
        self.add_one(ground, agent, true)
    }

    fn add_one(&mut self, ground: &CrowdGround<'_>, spec: &AgentSpec, is_driven: bool) -> Option<u32> {
        let is_within = |value: f32, max: f32| value > 0.0 && value <= max;
        if !is_within(spec.speed, CROWD_SPEED_MAX)
            || !is_within(spec.radius, CROWD_RADIUS_MAX)
            || self.next_id >= IDS_MAX
        {
            return None;
        }
        let radius = spec.radius;
        let frame = Frame::new(self.kinds.footprint(spec.kind), radius);
        let layer = ground.layer(spec.kind);
        let (x, y) = (spec.x - f64::from(self.origin.0), spec.y - f64::from(self.origin.1));
        let is_near = |v: f64, side: i32| v >= -1.0 && v <= f64::from(side) + 1.0;
        if is_driven && !(x.is_finite() && y.is_finite()) {
            return None;
        }
        let is_on_map = is_near(x, ground.region.w) && is_near(y, ground.region.h);
        if !(is_driven || is_on_map) {
            return None;
        }
        let mut at = [x as f32, y as f32].map(|v| v.clamp(-FAR, FAR));
        if !is_driven && !fits(layer, &frame, at[0], at[1]) {
            let anchor: [f32; 2] = std::array::from_fn(|axis| (at[axis] - frame.half[axis] + 0.5).floor());
            if !stands(layer, anchor[0] as i32, anchor[1] as i32) {
                return None;
            }
            at = [anchor[0] + frame.half[0], anchor[1] + frame.half[1]];
        }
        self.most.radius = self.most.radius.max(radius);
        self.most.speed = self.most.speed.max(spec.speed);
        let id = self.next_id;
        self.next_id += 1;
        self.members.added(id, self.bodies.len());
        let mind = Mind::new(id, spec, at, is_driven);
        self.bodies.push(Body {
            at,
            radius,
            rank: mind.own_rank(),
            guide: NO_GUIDE,
            group: u32::MAX,
            flags: Body::RESTS | mind.shown(),
            ..Body::default()
        });
        self.minds.push(mind);
        self.driven += u32::from(is_driven);
        Some(id)
    }

    /// Removes agents; returns how many there were among `ids`.
    pub fn remove(&mut self, ids: &[u32]) -> usize {
        self.members.update(&self.minds, self.next_id);
        let mut gone = vec![false; self.bodies.len()];
        let mut count = 0;
        for &id in ids {
            if let Some(place) = self.members.place(id)
                && !gone[place]
            {
                gone[place] = true;
                count += 1;
                self.routes.leave(self.minds[place].guide);
                self.areas.leave(self.minds[place].guide, self.bodies[place].radius);
                self.driven -= u32::from(self.minds[place].has(Mind::DRIVEN));
            }
        }
        if count > 0 {
            let mut kept = gone.iter();
            self.bodies.retain(|_| !kept.next().copied().unwrap_or(false));
            let mut kept = gone.iter();
            self.minds.retain(|_| !kept.next().copied().unwrap_or(false));
            self.members.forget();
            self.disturb();
            self.measure();
        }
        count
    }

    /// Removes all agents. Ids are not given again.
    pub fn clear(&mut self) {
        self.bodies.clear();
        self.minds.clear();
        self.driven = 0;
        self.routes = Routes::default();
        self.marches.clear();
        self.areas.clear();
        self.members.forget();
        self.disturb();
        self.measure();
    }

    /// Whether there is an agent with this id.
    pub fn contains(&mut self, id: u32) -> bool {
        self.members.update(&self.minds, self.next_id);
        self.members.place(id).is_some()
    }

    /// All ids, ascending.
    pub fn ids(&mut self) -> impl Iterator<Item = u32> {
        self.members.update(&self.minds, self.next_id);
        let places = self.members.places.iter().enumerate();
        places.filter(|&(_, &place)| place != NO_PLACE).map(|(id, _)| id as u32)
    }

    /// All agents, by ascending id.
    pub fn views(&mut self) -> impl Iterator<Item = AgentView> {
        self.members.update(&self.minds, self.next_id);
        self.members
            .places
            .iter()
            .filter(|&&place| place != NO_PLACE)
            .map(|&place| self.view_at(place as usize))
    }

    /// All agents, in the order of the arrays: the fastest way to see all.
    pub fn views_unordered(&self) -> impl Iterator<Item = AgentView> {
        (0..self.bodies.len()).map(|place| self.view_at(place))
    }

    /// An agent.
    pub fn view(&mut self, id: u32) -> Option<AgentView> {
        self.members.update(&self.minds, self.next_id);
        self.members.place(id).map(|place| self.view_at(place))
    }

    pub(super) fn view_at(&self, place: usize) -> AgentView {
        let (body, mind) = (&self.bodies[place], &self.minds[place]);
        AgentView {
            id: mind.id,
            x: f64::from(body.at[0]) + f64::from(self.origin.0),
            y: f64::from(body.at[1]) + f64::from(self.origin.1),
            vx: body.velocity[0],
            vy: body.velocity[1],
            radius: body.radius,
            speed: mind.speed,
            kind: mind.kind,
            state: mind.told_state(),
            field: (mind.guide & PATH_GUIDE == 0).then_some(mind.guide),
            is_driven: mind.has(Mind::DRIVEN),
            is_cut_off: mind.behaviour().is_stuck() && mind.stalled == u16::MAX,
        }
    }
}
