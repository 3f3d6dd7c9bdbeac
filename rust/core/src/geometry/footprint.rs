//! The footprint of a body: how many cells it covers, and from which anchors it covers given cells.

use std::error::Error;
use std::fmt;

use super::{Cell, CellRect};

/// The longest side of a footprint, in cells. Erosion moves rows by up to this many bits, which is one word.
pub const FOOTPRINT_SIDE_MAX: u32 = 64;

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

/// The rectangle of cells that a body covers, anchored at its top-left cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Footprint {
    w: u8,
    h: u8,
}

impl Footprint {
    /// A body of one cell.
    pub const ONE: Self = Self { w: 1, h: 1 };

    /// The largest body.
    pub const LARGEST: Self = Self { w: FOOTPRINT_SIDE_MAX as u8, h: FOOTPRINT_SIDE_MAX as u8 };

    /// Returns a body `w` cells wide and `h` cells high.
    ///
    /// # Errors
    /// When a side is not in 1 to [`FOOTPRINT_SIDE_MAX`].
    pub fn new(w: i64, h: i64) -> Result<Self, FootprintError> {
        let sides = 1..=i64::from(FOOTPRINT_SIDE_MAX);
        if sides.contains(&w) && sides.contains(&h) {
            // Exact: both sides are at most FOOTPRINT_SIDE_MAX.
            Ok(Self { w: w as u8, h: h as u8 })
        } else {
            Err(FootprintError { w, h, side_max: FOOTPRINT_SIDE_MAX })
        }
    }

    /// Returns a body of `side` × `side` cells.
    ///
    /// # Errors
    /// When the side is not in 1 to [`FOOTPRINT_SIDE_MAX`].
    pub fn square(side: i64) -> Result<Self, FootprintError> {
        Self::new(side, side)
    }

    /// Width in cells.
    pub const fn w(self) -> i32 {
        self.w as i32
    }

    /// Height in cells.
    pub const fn h(self) -> i32 {
        self.h as i32
    }

    /// Returns the cells that the body covers with its top-left cell on `anchor`.
    pub const fn at(self, anchor: Cell) -> CellRect {
        CellRect::new(anchor.x, anchor.y, self.w(), self.h())
    }

    /// Returns the anchors from which the body covers at least one cell of `cells`.
    #[must_use]
    pub(crate) const fn anchors_touching(self, cells: CellRect) -> CellRect {
        // A body extends right and down from its anchor, so anchors that touch a cell lie left of it and
        // above.
        CellRect::new(
            cells.x - (self.w() - 1),
            cells.y - (self.h() - 1),
            cells.w + self.w() - 1,
            cells.h + self.h() - 1,
        )
    }
}

crate::bytes::saved_as!(Footprint as [u8; 2], |footprint| [footprint.w, footprint.h], |[w, h]| Self::new(
    w.into(),
    h.into()
)
.map_err(|_| "a footprint is too large"));

impl Default for Footprint {
    fn default() -> Self {
        Self::ONE
    }
}
