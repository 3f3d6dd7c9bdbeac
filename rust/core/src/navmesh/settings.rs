//! For whom a bake is made.

use super::error::NavMeshError;

/// What the agent's outline is like.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Corner {
    /// A box: exact for bodies with sides along the axes.
    #[default]
    Box,
    /// An ellipse: the agent may pass a corner closer.
    Round,
}

/// Furthest that the polygon in place of an ellipse lies outside of it when nothing else is said, in pixels.
const ROUND_TOLERANCE_PX: f64 = 0.125;

/// The agent that a bake is made for.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct BakeSettings {
    half_extents_px: [f64; 2],
    corner: Corner,
    round_tolerance_px: f64,
}

impl BakeSettings {
    /// An agent that reaches `half_extents_px` from its centre, right and left, up and down. Zero is allowed, and so
    /// is more than the map has room for.
    ///
    /// # Errors
    /// An extent that is not finite or below zero.
    pub fn new(half_extents_px: [f64; 2], corner: Corner) -> Result<Self, NavMeshError> {
        if half_extents_px.iter().any(|h| !h.is_finite() || *h < 0.0) {
            return Err(NavMeshError::BadHalfExtents { half_extents_px });
        }
        Ok(Self { half_extents_px, corner, round_tolerance_px: ROUND_TOLERANCE_PX })
    }

    /// The same with an ellipse that is drawn to this precision, in pixels: at most so much is it larger than asked
    /// for. Less makes more corners. At least 1/64.
    #[must_use]
    pub const fn with_round_tolerance_px(mut self, tolerance_px: f64) -> Self {
        self.round_tolerance_px = if tolerance_px > 1.0 / 64.0 { tolerance_px } else { 1.0 / 64.0 };
        self
    }

    /// How far the agent reaches from its centre, in pixels.
    pub const fn half_extents_px(&self) -> [f64; 2] {
        self.half_extents_px
    }

    /// What its outline is like.
    pub const fn corner(&self) -> Corner {
        self.corner
    }

    /// How much larger than its ellipse a round agent may be taken to be, in pixels.
    pub const fn round_tolerance_px(&self) -> f64 {
        self.round_tolerance_px
    }

    /// How far from a rectangle a polygon can lie and still change what is baked in it, in pixels, right and down.
    pub fn reach_px(&self) -> [f64; 2] {
        self.half_extents_px.map(|h| h + 2.0)
    }
}
