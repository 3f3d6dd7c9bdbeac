//! Errors of a bake's input, and why a bake can be empty.

use std::error::Error;
use std::fmt;
/// The greatest tolerance, in pixels.
pub const TOLERANCE_MAX_PX: f64 = 1024.0;

/// The largest coordinate that is baked, in pixels: 2²⁸ units, which leaves room for growing by an agent in
/// 32 bits.
pub const COORDINATE_MAX_PX: f64 = 4_194_304.0;

/// An invalid value. Nothing was added or changed.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum NavMeshError {
    /// A coordinate of a polygon, of a rectangle or of a grid is NaN or infinite.
    NotFinite {
        /// The value given.
        value: f64,
    },
    /// A coordinate lies further out than [`COORDINATE_MAX_PX`].
    OutOfRange {
        /// The value given, in pixels.
        value: f64,
    },
    /// A half-extent is NaN, infinite or below zero.
    BadHalfExtents {
        /// The value given, in pixels.
        half_extents_px: [f64; 2],
    },
    /// A tolerance is not within 0 and [`TOLERANCE_MAX_PX`].
    BadTolerance {
        /// The value given, in pixels.
        tolerance_px: f64,
    },
    /// A side of a cell or of a tile is less than 1/64 pixel, or not finite.
    BadCellSize {
        /// The value given, in pixels.
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
            Self::BadTolerance { tolerance_px } => {
                write!(f, "tolerance {tolerance_px} is not within 0 and {TOLERANCE_MAX_PX} pixels")
            }
            Self::BadCellSize { size_px: [x, y] } => {
                write!(f, "cell size ({x}, {y}) is not finite or less than 1/64 pixel")
            }
        }
    }
}

impl Error for NavMeshError {}

/// Why a mesh has no polygon.
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
