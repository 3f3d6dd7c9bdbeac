//! The agent that a bake is made for.

use super::error::{NavMeshError, TOLERANCE_MAX_PX};

/// The shape of the agent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Corner {
    /// A box: exact for bodies with sides along the axes.
    #[default]
    Box,
    /// An ellipse: the agent may pass a corner closer.
    Round,
}

/// The agent that a bake is made for, and how exact the bake is.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct BakeSettings {
    half_extents_px: [f64; 2],
    corner: Corner,
    tolerance_px: f64,
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
        Ok(Self { half_extents_px, corner, tolerance_px: 0.0 })
    }

    /// Returns the settings with a tolerance in pixels: a bake then takes up to so much free space away along
    /// its outlines, to make fewer polygons. It adds none. With 0, outlines are exact.
    ///
    /// # Errors
    /// If it is not within 0 and [`TOLERANCE_MAX_PX`].
    pub fn with_tolerance(self, tolerance_px: f64) -> Result<Self, NavMeshError> {
        if !(0.0..=TOLERANCE_MAX_PX).contains(&tolerance_px) {
            return Err(NavMeshError::BadTolerance { tolerance_px });
        }
        Ok(Self { tolerance_px, ..self })
    }

    /// How far outlines may shrink, in pixels.
    pub const fn tolerance_px(&self) -> f64 {
        self.tolerance_px
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
