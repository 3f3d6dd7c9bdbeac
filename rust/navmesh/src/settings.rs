//! The agent that a bake is made for.

use super::error::NavMeshError;

/// The shape of the agent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Corner {
    /// A box: exact for bodies with sides along the axes.
    #[default]
    Box,
    /// An ellipse: the agent may pass a corner closer.
    Round,
}

/// The agent that a bake is made for.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct BakeSettings {
    half_extents_px: [f64; 2],
    corner: Corner,
}

impl BakeSettings {
    /// Creates the settings of an agent that reaches `half_extents_px` from its centre, right and left, up
    /// and down. Zero is allowed, and so is more than the map has room for.
    ///
    /// # Errors
    /// If an extent is not finite or below zero.
    pub fn new(half_extents_px: [f64; 2], corner: Corner) -> Result<Self, NavMeshError> {
        if half_extents_px.iter().any(|h| !h.is_finite() || *h < 0.0) {
            return Err(NavMeshError::BadHalfExtents { half_extents_px });
        }
        Ok(Self { half_extents_px, corner })
    }

    /// How far the agent reaches from its centre, in pixels.
    pub const fn half_extents_px(&self) -> [f64; 2] {
        self.half_extents_px
    }

    /// The agent's shape.
    pub const fn corner(&self) -> Corner {
        self.corner
    }

    /// How far from a rectangle a polygon can lie and still change what is baked in it, in pixels, along x
    /// and y.
    pub fn reach_px(&self) -> [f64; 2] {
        // Two pixels cover a border's band of one pixel and all rounding.
        self.half_extents_px.map(|h| h + 2.0)
    }
}
