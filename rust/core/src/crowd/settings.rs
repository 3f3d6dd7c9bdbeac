//! Settings of a crowd.

/// How a crowd behaves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CrowdSettings {
    /// An agent that is held up so long without coming nearer, and not in a queue, is stuck. In seconds, up to 60.
    pub stuck_seconds: f32,
    /// Whether an agent that is stuck slips through others for a moment.
    pub frees_stuck: bool,
}

crate::bytes::saved_fields!(CrowdSettings { stuck_seconds: f32, frees_stuck: bool });

impl Default for CrowdSettings {
    fn default() -> Self {
        Self { stuck_seconds: 6.0, frees_stuck: true }
    }
}

impl CrowdSettings {
    pub(super) fn stuck_millis(self) -> u16 {
        (self.stuck_seconds.clamp(0.5, 60.0) * 1000.0) as u16
    }
}
