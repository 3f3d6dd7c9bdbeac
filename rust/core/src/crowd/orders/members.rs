//! Adding and removing agents, views of them by id, and keeping them on a map that was edited or has another
//! region.
//!
//! Positions count from the region's corner, so all of them shift with it. Bodies that do not fit any more
//! are put on the nearest valid placement; driven ones walk there. Where the agent with each id is in the
//! arrays is found anew when it is asked for after the order has changed.

use crate::crowd::ground::map::{CrowdGround, CrowdKind};
use crate::crowd::ground::steps::stands;
use crate::crowd::ground::sweep::{Frame, fits, nearest_center};
use crate::crowd::guide::detours::Detours;
use crate::crowd::kept::Crowd;
use crate::crowd::kept::NO_INDEX;
use crate::crowd::numbers::vector::FAR;
use crate::crowd::state::agent::Agent;
use crate::crowd::state::body::Body;
use crate::crowd::state::crossing::Crossing;
use crate::crowd::state::priority::ID_BITS;
use crate::crowd::state::routes::{NO_GUIDE, PATH_GUIDE, Routes};
use crate::crowd::state::spec::{AgentSpec, AgentView, CROWD_RADIUS_MAX, CROWD_SPEED_MAX};

/// Ids are below this.
const IDS_MAX: u32 = 1 << ID_BITS;

impl Crowd {
    /// Returns the number of a kind of agents, or of the one with this layer that nothing slows; layers are
    /// handed to [`Crowd::step`] in the order of [`Crowd::kinds`].
    pub fn kind(&mut self, kind: impl Into<CrowdKind>) -> u16 {
        self.kinds.number(&kind.into())
    }

    /// Returns all kinds, by number.
    pub fn kinds(&self) -> &[CrowdKind] {
        self.kinds.all()
    }

    /// Adds agents that do nothing yet; for each its id, or `None` where its body does not fit, its speed or
    /// its radius is not above zero or beyond [`CROWD_SPEED_MAX`] or [`CROWD_RADIUS_MAX`], or 67 million
    /// agents were added before it.
    ///
    /// A body that is nearer to a wall than it may be is put on the middle of the nearest anchor.
    pub fn add(&mut self, ground: &CrowdGround<'_>, agents: &[AgentSpec]) -> Vec<Option<u32>> {
        self.refit(ground);
        let added = agents.iter().map(|spec| self.add_one(ground, spec, false)).collect();
        self.disturb();
        added
    }

    /// Adds an agent whose body is moved from outside, wherever it is: see [`Crowd::steer`]. Its id, or
    /// `None` when its speed or its radius is not one that an agent may have.
    pub fn add_driven(&mut self, ground: &CrowdGround<'_>, agent: &AgentSpec) -> Option<u32> {
        self.refit(ground);
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
        // A cell of tolerance: bodies that stand on the edge of the map are put onto it.
        let is_near = |v: f64, side: i32| v >= -1.0 && v <= f64::from(side) + 1.0;
        if is_driven && !(x.is_finite() && y.is_finite()) {
            return None;
        }
        let is_on_map = is_near(x, ground.region.w) && is_near(y, ground.region.h);
        if !(is_driven || is_on_map) {
            return None;
        }
        // Numbers that a game got wrong stay numbers that can be added and squared.
        let mut at = [x as f32, y as f32].map(|v| v.clamp(-FAR, FAR));
        if !is_driven && !fits(layer, &frame, at[0], at[1]) {
            let anchor: [f32; 2] = std::array::from_fn(|axis| (at[axis] - frame.half[axis] + 0.5).floor());
            if !stands(layer, anchor[0] as i32, anchor[1] as i32) {
                return None;
            }
            at = [anchor[0] + frame.half[0], anchor[1] + frame.half[1]];
        }
        let id = self.next_id;
        self.next_id += 1;
        self.index.added(id, self.bodies.len());
        let agent = Agent::new(id, spec, at, is_driven);
        let body = Body {
            at,
            radius,
            core: self.kinds.core(spec.kind, radius),
            rank: agent.own_rank(),
            guide: NO_GUIDE,
            group: u32::MAX,
            flags: Body::RESTS | agent.shown(),
            ..Body::default()
        };
        self.most.include(&body, spec.speed);
        self.bodies.push(body);
        self.agents.push(agent);
        self.driven += u32::from(is_driven);
        Some(id)
    }

    /// Removes agents; returns how many there were among `ids`.
    pub fn remove(&mut self, ids: &[u32]) -> usize {
        self.index.update(&self.agents, self.next_id);
        // By marks and in one pass, as thousands may be removed in one call, some of them named twice.
        let mut gone = vec![false; self.bodies.len()];
        let mut count = 0;
        for &id in ids {
            if let Some(index) = self.index.of(id)
                && !gone[index]
            {
                gone[index] = true;
                count += 1;
                self.routes.leave(self.agents[index].guide);
                self.areas.leave(self.agents[index].guide, self.bodies[index].outline());
                self.driven -= u32::from(self.agents[index].control.is_driven);
                self.draw_on(index);
                self.release(index);
            }
        }
        if count > 0 {
            let mut kept = gone.iter();
            self.bodies.retain(|_| !kept.next().copied().unwrap_or(false));
            let mut kept = gone.iter();
            self.agents.retain(|_| !kept.next().copied().unwrap_or(false));
            // The longest outline and the highest speed may have been those of one that is gone.
            self.index.forget();
            self.disturb();
            self.measure();
        }
        count
    }

    /// Removes all agents. Ids are not given again.
    pub fn clear(&mut self) {
        self.bodies.clear();
        self.agents.clear();
        self.driven = 0;
        self.routes = Routes::default();
        self.marches.clear();
        self.areas.clear();
        self.rooms.clear();
        self.index.forget();
        self.disturb();
        self.measure();
    }

    /// Returns `true` if there is an agent with this id.
    pub fn contains(&mut self, id: u32) -> bool {
        self.index.update(&self.agents, self.next_id);
        self.index.of(id).is_some()
    }

    /// Returns all ids, ascending.
    pub fn ids(&mut self) -> impl Iterator<Item = u32> {
        self.index.update(&self.agents, self.next_id);
        let places = self.index.all.iter().enumerate();
        places.filter(|&(_, &index)| index != NO_INDEX).map(|(id, _)| id as u32)
    }

    /// Returns all agents, by ascending id.
    pub fn views(&mut self) -> impl Iterator<Item = AgentView> {
        self.index.update(&self.agents, self.next_id);
        self.index.all.iter().filter(|&&index| index != NO_INDEX).map(|&index| self.view_at(index as usize))
    }

    /// Returns all agents, in the order of the arrays: the fastest way to see all.
    pub fn views_unordered(&self) -> impl Iterator<Item = AgentView> {
        (0..self.bodies.len()).map(|index| self.view_at(index))
    }

    /// Returns an agent.
    pub fn view(&mut self, id: u32) -> Option<AgentView> {
        self.index.update(&self.agents, self.next_id);
        self.index.of(id).map(|index| self.view_at(index))
    }

    pub(in crate::crowd) fn view_at(&self, index: usize) -> AgentView {
        let (body, agent) = (&self.bodies[index], &self.agents[index]);
        AgentView {
            id: agent.id,
            x: f64::from(body.at[0]) + f64::from(self.origin.0),
            y: f64::from(body.at[1]) + f64::from(self.origin.1),
            vx: body.velocity[0],
            vy: body.velocity[1],
            radius: body.radius,
            half: body.outline().half(),
            rounding: body.outline().rounding(),
            speed: agent.control.speed,
            kind: agent.kind,
            state: agent.state(),
            field: (agent.guide & PATH_GUIDE == 0).then_some(agent.guide),
            is_driven: agent.control.is_driven,
            is_cut_off: agent.behaviour().is_stuck() && agent.progress.is_cut_off(),
        }
    }
}

impl Crowd {
    /// Takes over the ground's region, and puts bodies that do not fit where they are onto their nearest
    /// valid placement.
    pub(in crate::crowd) fn refit(&mut self, ground: &CrowdGround<'_>) {
        debug_assert!(ground.layers.len() >= self.kinds.all().len());
        let corner = (ground.region.x, ground.region.y);
        // The region has grown or moved: cells keep their coordinates, positions in the crowd count from its
        // corner.
        if corner != self.origin {
            let by = [
                (i64::from(self.origin.0) - i64::from(corner.0)) as f32,
                (i64::from(self.origin.1) - i64::from(corner.1)) as f32,
            ];
            self.origin = corner;
            self.revision = None;
            self.disturb();
            self.detours = Detours::default();
            self.rooms.clear();
            for (body, agent) in self.bodies.iter_mut().zip(&mut self.agents) {
                agent.control.driven_at =
                    [agent.control.driven_at[0] + by[0], agent.control.driven_at[1] + by[1]];
                body.at = [body.at[0] + by[0], body.at[1] + by[1]].map(|v| v.clamp(-FAR, FAR));
                agent.slot.home = [agent.slot.home[0] + by[0], agent.slot.home[1] + by[1]];
                agent.slot.via = [agent.slot.via[0] + by[0], agent.slot.via[1] + by[1]];
            }
            self.routes.shift(by);
            self.marches.iter_mut().for_each(|march| march.shift(by));
            for end in self.passages.iter_mut().flat_map(|passage| [&mut passage.from, &mut passage.to]) {
                *end = [end[0] + by[0], end[1] + by[1]];
            }
        }
        if self.revision == Some(ground.revision) || ground.region.is_empty() {
            return;
        }
        // Only after an edit: steps keep bodies clear of walls that were there before.
        // A crowd that was loaded goes on with its rooms.
        if self.revision.replace(ground.revision).is_some() {
            self.rooms.iter_mut().for_each(|room| room.is_laid = false);
        }
        let mut is_disturbed = false;
        for (body, agent) in self.bodies.iter_mut().zip(&mut self.agents) {
            let frame = Frame::new(self.kinds.footprint(agent.kind), body.radius);
            let layer = ground.layer(agent.kind);
            let crosses = agent.control.crossing == Crossing::Under;
            if crosses || fits(layer, &frame, body.at[0], body.at[1]) {
                continue;
            }
            let nearest = nearest_center(layer, &frame, body.at);
            if let Some(center) =
                nearest.filter(|_| !fits(layer, &frame, agent.slot.home[0], agent.slot.home[1]))
            {
                (agent.slot.home, agent.slot.via) = (center, center);
            }
            // What moves it decides where it goes: a step leads it to where it fits.
            if agent.control.is_driven {
                continue;
            }
            if let Some(center) = nearest {
                body.at = center;
                is_disturbed = true;
            } else {
                // No valid placement: it stays within the map until there is. One that stays where it is
                // disturbs no other, as a crowd that was loaded looks at this anew and must not differ.
                let (w, h) = (ground.region.w as f32, ground.region.h as f32);
                let within = [body.at[0].max(0.0).min(w), body.at[1].max(0.0).min(h)];
                is_disturbed |= within.map(f32::to_bits) != body.at.map(f32::to_bits);
                body.at = within;
            }
        }
        if is_disturbed {
            self.disturb();
        }
    }
}
