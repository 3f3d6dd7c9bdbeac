//! Which regions a map can have.

use std::error::Error;
use std::fmt;

use crate::geometry::CellRect;

/// The longest side of a region, in cells: with a border, columns and rows fit the 16 bits that a grid point
/// has for each.
pub const REGION_SIDE_MAX: u32 = 16_384;
/// The most cells of a region: padded indices fit 29 bits, so that queues keep a direction in the same word.
pub const REGION_CELLS_MAX: u64 = 1 << 27;

/// A region that no map can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RegionError {
    /// A side is negative, or the region lies at the ends of the range of `i32`.
    OutOfRange {
        /// What was given.
        region: CellRect,
    },
    /// It has more cells, or longer sides, than a map can have.
    TooLarge {
        /// What was given.
        region: CellRect,
        /// Longest side, in cells.
        side_max: u32,
        /// Most cells.
        cells_max: u64,
    },
}

impl fmt::Display for RegionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfRange { region } => {
                write!(f, "region {region} has a negative side or leaves the range of 32-bit cells")
            }
            Self::TooLarge { region, side_max, cells_max } => {
                write!(
                    f,
                    "region {region} is larger than {side_max} cells on a side or {cells_max} cells in all"
                )
            }
        }
    }
}

impl Error for RegionError {}

/// Checks that a map can have `region`.
///
/// # Errors
/// When the region has a negative side, leaves the range of `i32`, or is larger than [`REGION_SIDE_MAX`] and
/// [`REGION_CELLS_MAX`] allow.
pub fn check_region(region: CellRect) -> Result<(), RegionError> {
    let fits = |start: i32, side: i32| side >= 0 && start.checked_add(side).is_some();
    // Anchors of the largest footprint and the padding are counted without overflow.
    let far = |start: i32| start.checked_sub(1 << 16).is_none() || start.checked_add(1 << 16).is_none();
    if !fits(region.x, region.w) || !fits(region.y, region.h) || far(region.x) || far(region.y) {
        return Err(RegionError::OutOfRange { region });
    }
    let side_max = REGION_SIDE_MAX;
    // Sides are not negative here, so the casts are exact.
    if region.w as u32 > side_max || region.h as u32 > side_max || region.area() > REGION_CELLS_MAX {
        return Err(RegionError::TooLarge { region, side_max, cells_max: REGION_CELLS_MAX });
    }
    Ok(())
}
