//! What a game gives to add an agent, what it sees of one, and the limits of both.

use super::behaviour::AgentState;

/// The largest radius of an agent, in cells.
pub const CROWD_RADIUS_MAX: f32 = 64.0;
/// The highest speed of an agent, in cells a second.
pub const CROWD_SPEED_MAX: f32 = 10_000.0;

/// An agent to be added.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AgentSpec {
    /// Centre of its body along x, in cells.
    pub x: f64,
    /// Centre of its body along y, in cells.
    pub y: f64,
    /// Its kind, as [`super::Crowd::kind`] gave it.
    pub kind: u16,
    /// In cells a second.
    pub speed: f32,
    /// In cells.
    pub radius: f32,
}

/// What can be seen of an agent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AgentView {
    /// Its number.
    pub id: u32,
    /// Centre of its body in cells.
    pub x: f64,
    /// Centre of its body in cells.
    pub y: f64,
    /// Cells a second along x.
    pub vx: f32,
    /// Cells a second along y.
    pub vy: f32,
    /// In cells.
    pub radius: f32,
    /// In cells a second.
    pub speed: f32,
    /// Its kind.
    pub kind: u16,
    /// What it is doing.
    pub state: AgentState,
    /// The field that it follows, when it follows one.
    pub field: Option<u32>,
    /// Whether its body is moved from outside.
    pub is_driven: bool,
    /// Whether it was found lately that nothing leads from where it is to where it was sent.
    pub is_cut_off: bool,
}
