//! What can be wrong with what a bake is given, and why a bake can be empty.

use std::error::Error;
use std::fmt;

use super::units::COORDINATE_MAX_PX;

/// A value that nothing can be baked from. Nothing was added or changed.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum NavMeshError {
    /// A coordinate of a polygon, of a rectangle or of a grid is NaN or infinite.
    NotFinite {
        /// What was given.
        value: f64,
    },
    /// A coordinate lies further out than [`COORDINATE_MAX_PX`].
    OutOfRange {
        /// What was given, in pixels.
        value: f64,
    },
    /// A half-extent is NaN, infinite or below zero.
    BadHalfExtents {
        /// What was given, in pixels.
        half_extents_px: [f64; 2],
    },
    /// A side of a cell or of a chunk is smaller than a pixel's 64th, or not finite.
    BadCellSize {
        /// What was given, in pixels.
        size_px: [f64; 2],
    },
}

impl fmt::Display for NavMeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite { value } => write!(f, "coordinate {value} is not finite"),
            Self::OutOfRange { value } => {
                write!(f, "coordinate {value} is further out than {COORDINATE_MAX_PX} pixels")
            }
            Self::BadHalfExtents { half_extents_px: [x, y] } => {
                write!(f, "half-extents ({x}, {y}) are not finite numbers of at least 0")
            }
            Self::BadCellSize { size_px: [x, y] } => {
                write!(f, "cell size ({x}, {y}) is not finite or less than 1/64 pixel")
            }
        }
    }
}

impl Error for NavMeshError {}

/// Why a bake has no polygon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EmptyReason {
    /// No floor polygon with an area was given, or none reaches the target rectangle.
    NoFloor,
    /// Colliders cover the whole floor.
    FloorCovered,
    /// The agent fits nowhere on the floor that colliders leave.
    AgentTooLarge,
}
