//! What can be wrong with an edit of cells.

use std::error::Error;
use std::fmt;

use super::TERRAIN_IDS;
use crate::geometry::{Cell, CellRect};

/// An edit of cells that cannot be made. Nothing was changed.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum EditError {
    /// The cell lies outside the region.
    OutOfBounds {
        /// What was given.
        cell: Cell,
        /// The map's region.
        region: CellRect,
    },
    /// The terrain id is not one of the [`TERRAIN_IDS`].
    BadTerrain {
        /// What was given.
        id: i64,
    },
    /// The weight is not finite or is below zero.
    BadWeight {
        /// What was given.
        weight: f32,
    },
    /// Bits of edges that stand for no side.
    BadEdges {
        /// What was given.
        sides: u8,
    },
    /// An array that does not have one element a cell.
    BadLength {
        /// Elements given.
        given: usize,
        /// Cells of the region.
        wanted: usize,
    },
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfBounds { cell, region } => {
                write!(f, "cell ({}, {}) is outside the region {region}", cell.x, cell.y)
            }
            Self::BadTerrain { id } => write!(f, "terrain id {id} is not within 0 and {}", TERRAIN_IDS - 1),
            Self::BadWeight { weight } => write!(f, "weight {weight} is not a finite number of at least 0"),
            Self::BadEdges { sides } => {
                write!(f, "edges {sides} are not within 0 and 15, a bit for each side")
            }
            Self::BadLength { given, wanted } => {
                write!(f, "the array has {given} elements, the region has {wanted} cells")
            }
        }
    }
}

impl Error for EditError {}

/// Returns the terrain id as a cell keeps it.
pub(super) fn check_terrain(id: i64) -> Result<u8, EditError> {
    if (0..i64::from(TERRAIN_IDS)).contains(&id) { Ok(id as u8) } else { Err(EditError::BadTerrain { id }) }
}

/// Returns the weight as a cell keeps it.
pub(super) fn check_weight(weight: f32) -> Result<f32, EditError> {
    // The sum makes a zero of a negative zero, so that equal maps have equal bytes.
    if weight.is_finite() && weight >= 0.0 { Ok(weight + 0.0) } else { Err(EditError::BadWeight { weight }) }
}
