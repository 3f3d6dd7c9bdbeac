//! What is the same for all agents in a substep.

use crate::crowd::ground::map::{CrowdGround, Kinds};
use crate::crowd::ground::neighbours::Bins;
use crate::crowd::ground::settle_radius::SettleRadii;
use crate::crowd::ground::sweep::Frame;
use crate::crowd::guide::detours::Detours;
use crate::crowd::guide::gathering::Room;
use crate::crowd::numbers::millis::Millis;
use crate::crowd::numbers::vector::minus;
use crate::crowd::state::agent::Agent;
use crate::crowd::state::avoidance::Avoidance;
use crate::crowd::state::body::Body;
use crate::crowd::state::crossing::Passage;
use crate::crowd::state::routes::Routes;
use crate::crowd::state::spec::CrowdSettings;

/// Agents that one thread takes at once.
pub(super) const CHUNK: usize = 512;

/// Everything that is the same for all agents of a step.
pub(super) struct Substep<'a> {
    pub ground: &'a CrowdGround<'a>,
    pub routes: &'a Routes,
    pub kinds: &'a Kinds,
    pub bins: &'a Bins,
    pub settings: &'a CrowdSettings,
    pub settle_radii: &'a SettleRadii,
    pub detours: &'a Detours,
    pub rooms: &'a [Room],
    /// Agents on links, by id.
    pub passages: &'a [Passage],
    /// Half of the longest side of all outlines.
    pub longest: f32,
    /// Not all bodies are discs.
    pub has_cores: bool,
    /// Some bodies are moved from outside.
    pub has_driven: bool,
    /// The layers of all agents, or none where all avoid each other.
    pub avoidance: &'a [Avoidance],
    pub seconds: f32,
    pub millis: Millis,
    pub number: u32,
}

impl Substep<'_> {
    /// Returns how fast an agent walks at most where it is.
    #[inline]
    pub fn speed(&self, agent: &Agent, body: &Body) -> f32 {
        // Without costs nothing slows it, and the frame of its body is not needed.
        if self.ground.costs.is_empty() {
            return agent.control.speed;
        }
        agent.control.speed
            * self.ground.pace(agent.kind, minus(body.at, self.frame(agent, body.radius).half))
    }

    pub fn frame(&self, agent: &Agent, radius: f32) -> Frame {
        Frame::new(self.kinds.footprint(agent.kind), radius)
    }
}
