//! What a game gives to a crowd and sees of it: settings, agents to be added, views of agents, limits and
//! errors.

use std::error::Error;
use std::fmt;

use super::behaviour::AgentState;
use crate::bytes::BytesError;
use crate::crowd::numbers::millis::Millis;

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
    /// Its kind, as [`Crowd::kind`](crate::crowd::Crowd::kind) gave it.
    pub kind: u16,
    /// In cells a second.
    pub speed: f32,
    /// Half of the width of its outline where that is narrow, in cells; see [`OutlineForm`](crate::crowd::OutlineForm).
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
    /// Half of the width of its outline where that is narrow, in cells.
    pub radius: f32,
    /// Half of the width and of the height of its outline, in cells.
    pub half: [f32; 2],
    /// How far the corners of its outline are rounded, in cells: all of `radius` for a disc or a capsule.
    pub rounding: f32,
    /// In cells a second.
    pub speed: f32,
    /// Its kind.
    pub kind: u16,
    /// What it is doing.
    pub state: AgentState,
    /// The field that it follows, when it follows one.
    pub field: Option<u32>,
    /// Its body is moved from outside.
    pub is_driven: bool,
    /// It was found lately that nothing leads from where it is to where it was sent.
    pub is_cut_off: bool,
}

/// How a crowd behaves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CrowdSettings {
    /// An agent that is held up so long without coming nearer, and not in a queue, is stuck. In seconds, up
    /// to 60.
    pub stuck_seconds: f32,
    /// If `true`, an agent that has been stuck for long ghosts: it passes through others for a moment.
    pub frees_stuck: bool,
}

crate::bytes::saved_fields!(CrowdSettings { stuck_seconds: f32, frees_stuck: bool });

impl Default for CrowdSettings {
    fn default() -> Self {
        Self { stuck_seconds: 6.0, frees_stuck: false }
    }
}

impl CrowdSettings {
    /// Returns `true` if an agent may slip through others as the last resort: a body that is moved from
    /// outside cannot.
    #[inline]
    pub(in crate::crowd) const fn lets_slip(self, is_driven: bool) -> bool {
        self.frees_stuck && !is_driven
    }

    pub(in crate::crowd) fn stuck_after(self) -> Millis {
        Millis((self.stuck_seconds.clamp(0.5, 60.0) * 1000.0) as u16)
    }
}

/// A request that a crowd cannot follow. Nothing was changed.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum CrowdError {
    /// A step's time is below zero, infinite or not a number.
    BadDelta {
        /// What was given, in seconds.
        delta: f64,
    },
    /// The bytes are not a crowd that was saved.
    BadBytes(BytesError),
}

impl From<BytesError> for CrowdError {
    fn from(problem: BytesError) -> Self {
        Self::BadBytes(problem)
    }
}

impl fmt::Display for CrowdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadDelta { delta } => {
                write!(f, "delta {delta} is not a finite number of seconds of at least 0")
            }
            Self::BadBytes(problem) => write!(f, "the bytes are not a saved crowd: {problem}"),
        }
    }
}

impl Error for CrowdError {}
