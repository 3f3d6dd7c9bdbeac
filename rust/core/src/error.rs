//! What is wrong with a caller's value: small enums that carry the value and the limit.

use std::error::Error;
use std::fmt;

use crate::geometry::{Cell, CellRect};

/// A footprint with a side outside its limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FootprintError {
    /// Width that was given.
    pub w: i64,
    /// Height that was given.
    pub h: i64,
    /// The longest side allowed.
    pub side_max: u32,
}

impl fmt::Display for FootprintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "footprint {}x{} is not within 1x1 and {}x{}", self.w, self.h, self.side_max, self.side_max)
    }
}

impl Error for FootprintError {}

/// An edit of the map that cannot be made. Nothing was changed.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum EditError {
    /// A side of the region is negative, or it reaches past the ends of `i32`.
    BadRegion {
        /// What was given.
        region: CellRect,
    },
    /// The region is larger than the library handles.
    RegionTooLarge {
        /// What was given.
        region: CellRect,
        /// Longest side, in cells.
        side_max: u32,
        /// Most cells.
        cells_max: u64,
    },
    /// The cell lies outside the region.
    OutOfBounds {
        /// What was given.
        cell: Cell,
        /// The map's region.
        region: CellRect,
    },
    /// The terrain id is not in 0 to 31.
    BadTerrain {
        /// What was given.
        id: i64,
    },
    /// The weight is not finite or is below zero.
    BadWeight {
        /// What was given.
        weight: f32,
    },
    /// A bulk array whose length is not the number of cells.
    BadLength {
        /// Elements given.
        given: usize,
        /// Elements wanted.
        wanted: usize,
    },
    /// Map text with a row of another length than the first, counted from 1.
    RaggedRow {
        /// The row.
        row: usize,
        /// Its length.
        given: usize,
        /// The length of the first.
        wanted: usize,
    },
    /// Map text with a letter that means nothing, row and column counted from 1.
    UnknownLetter {
        /// The letter.
        letter: char,
        /// Its row.
        row: usize,
        /// Its column.
        column: usize,
    },
    /// Map text whose header is broken.
    BadHeader {
        /// What is missing or wrong.
        what: &'static str,
    },
    /// There is no obstacle of this name.
    UnknownObstacle {
        /// What was given.
        id: u64,
    },
    /// There are as many obstacles as a map can have.
    TooManyObstacles {
        /// How many that is.
        max: usize,
    },
    /// Saved bytes that are cut short or were not made by `to_bytes`.
    BadBytes {
        /// What is missing or wrong.
        what: &'static str,
    },
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadRegion { region } => {
                write!(f, "region {} has a negative side or leaves the range of 32-bit cells", show(*region))
            }
            Self::UnknownObstacle { id } => write!(f, "there is no obstacle {}", id.cast_signed()),
            Self::TooManyObstacles { max } => write!(f, "there are {max} obstacles already"),
            Self::RegionTooLarge { region, side_max, cells_max } => write!(
                f,
                "region {} is larger than {side_max} cells on a side or {cells_max} cells in all",
                show(*region)
            ),
            Self::OutOfBounds { cell, region } => {
                write!(f, "cell ({}, {}) is outside the region {}", cell.x, cell.y, show(*region))
            }
            Self::BadTerrain { id } => write!(f, "terrain id {id} is not within 0 and 31"),
            Self::BadWeight { weight } => write!(f, "weight {weight} is not a finite number of at least 0"),
            Self::BadLength { given, wanted } => {
                write!(f, "the array has {given} elements, the region has {wanted} cells")
            }
            Self::RaggedRow { row, given, wanted } => {
                write!(f, "row {row} has {given} letters, the first has {wanted}")
            }
            Self::UnknownLetter { letter, row, column } => {
                write!(f, "letter '{letter}' in row {row}, column {column} means nothing")
            }
            Self::BadHeader { what } => write!(f, "the map's header is broken: {what}"),
            Self::BadBytes { what } => write!(f, "the bytes are not a saved map: {what}"),
        }
    }
}

impl Error for EditError {}

fn show(region: CellRect) -> String {
    format!("[position ({}, {}), size ({}, {})]", region.x, region.y, region.w, region.h)
}
