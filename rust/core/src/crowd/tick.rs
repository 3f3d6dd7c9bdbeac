//! What is the same for all agents in a substep.

use super::agent::Mind;
use super::body::Body;
use super::ground::CrowdGround;
use super::kinds::Kinds;
use super::lattice::Lattice;
use super::reach::Reaches;
use super::routes::Routes;
use super::settings::CrowdSettings;
use super::sweep::Frame;
use super::vector::minus;

/// Everything that is the same for all agents of a step.
pub(super) struct Tick<'a> {
    pub ground: &'a CrowdGround<'a>,
    pub routes: &'a Routes,
    pub kinds: &'a Kinds,
    pub lattice: &'a Lattice,
    pub settings: &'a CrowdSettings,
    pub reaches: &'a Reaches,
    /// The largest radius.
    pub radius_max: f32,
    /// Some bodies are moved from outside.
    pub has_driven: bool,
    pub seconds: f32,
    pub millis: u16,
    pub number: u32,
}

impl Tick<'_> {
    /// The milliseconds of a step, at least one.
    pub fn millis_of(seconds: f32) -> u16 {
        ((seconds * 1000.0 + 0.5) as u16).max(1)
    }

    /// How fast an agent walks at most where it is.
    #[inline]
    pub fn speed(&self, mind: &Mind, body: &Body) -> f32 {
        if self.ground.costs.is_empty() {
            return mind.speed;
        }
        mind.speed * self.ground.pace(mind.kind, minus(body.at, self.frame(mind, body.radius).half))
    }

    pub fn frame(&self, mind: &Mind, radius: f32) -> Frame {
        Frame::new(self.kinds.footprint(mind.kind), radius)
    }
}
