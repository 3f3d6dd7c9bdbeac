use super::{Cell, CellRect};
use crate::error::FootprintError;

/// The longest side of a footprint, in cells.
pub const FOOTPRINT_SIDE_MAX: u32 = 64;

/// The rectangle of cells that a body covers, anchored at its top-left cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Footprint {
    w: u8,
    h: u8,
}

impl Footprint {
    /// A body of one cell.
    pub const ONE: Self = Self { w: 1, h: 1 };

    /// A body `w` cells wide and `h` cells high.
    ///
    /// # Errors
    /// When a side is not in 1 to [`FOOTPRINT_SIDE_MAX`].
    pub fn new(w: i64, h: i64) -> Result<Self, FootprintError> {
        let sides = 1..=i64::from(FOOTPRINT_SIDE_MAX);
        if sides.contains(&w) && sides.contains(&h) {
            Ok(Self { w: w as u8, h: h as u8 })
        } else {
            Err(FootprintError { w, h, side_max: FOOTPRINT_SIDE_MAX })
        }
    }

    /// A body of `side` × `side` cells.
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

    /// The cells that the body covers when it stands with its top-left cell on `anchor`.
    pub const fn at(self, anchor: Cell) -> CellRect {
        CellRect::new(anchor.x, anchor.y, self.w(), self.h())
    }

    /// The anchors from which the body covers at least one cell of `cells`.
    #[must_use]
    pub const fn anchors_touching(self, cells: CellRect) -> CellRect {
        CellRect::new(
            cells.x - (self.w() - 1),
            cells.y - (self.h() - 1),
            cells.w + self.w() - 1,
            cells.h + self.h() - 1,
        )
    }
}

impl Default for Footprint {
    fn default() -> Self {
        Self::ONE
    }
}
