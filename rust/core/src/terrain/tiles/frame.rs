//! How a layer's tiles lie on cells.

use crate::geometry::{Cell, CellRect};

/// How far something reaches from a tile's first cell: left, up, right and down.
pub type TileReach = [i32; 4];

/// Tiles that lie on whole cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TileFrame {
    /// The first cell of tile (0, 0).
    pub origin: Cell,
    /// Cells a tile, across and down.
    pub span: [i32; 2],
}

impl TileFrame {
    /// Returns the first cell of a tile.
    pub(crate) const fn first(&self, x: i32, y: i32) -> Cell {
        Cell::new(
            self.origin.x.saturating_add(x.saturating_mul(self.span[0])),
            self.origin.y.saturating_add(y.saturating_mul(self.span[1])),
        )
    }

    /// Returns the cells that a tile can reach.
    pub const fn around(&self, tile: Cell, [left, up, right, down]: TileReach) -> CellRect {
        let first = self.first(tile.x, tile.y);
        CellRect::new(first.x - left, first.y - up, left + right + 1, up + down + 1)
    }

    /// Returns the cells of some tiles.
    pub const fn cells(&self, tiles: CellRect) -> CellRect {
        let first = self.first(tiles.x, tiles.y);
        CellRect::new(
            first.x,
            first.y,
            tiles.w.saturating_mul(self.span[0]),
            tiles.h.saturating_mul(self.span[1]),
        )
    }

    /// Returns the tiles whose cells, or the cells that they reach, lie in a rectangle of cells.
    pub(crate) fn tiles(&self, cells: CellRect, [left, up, right, down]: TileReach) -> CellRect {
        let [w, h] = self.span;
        let x0 = -(self.origin.x + right - cells.x).div_euclid(w);
        let y0 = -(self.origin.y + down - cells.y).div_euclid(h);
        let x1 = (cells.right() - 1 - self.origin.x + left).div_euclid(w);
        let y1 = (cells.bottom() - 1 - self.origin.y + up).div_euclid(h);
        CellRect::new(x0, y0, x1 - x0 + 1, y1 - y0 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_tiles_lead_to_each_other() {
        let frame = TileFrame { origin: Cell::new(-3, 1), span: [2, 3] };
        assert_eq!(frame.first(-1, 2), Cell::new(-5, 7));
        assert_eq!(frame.cells(CellRect::new(0, 0, 2, 1)), CellRect::new(-3, 1, 4, 3));
        assert_eq!(frame.around(Cell::new(0, 0), [1, 0, 2, 4]), CellRect::new(-4, 1, 4, 5));
        let reach = [1, 0, 2, 4];
        for cell in CellRect::new(-9, -9, 20, 20).cells() {
            let tiles = frame.tiles(CellRect::cell(cell), reach);
            let wanted = CellRect::new(-12, -12, 24, 24).cells();
            for tile in wanted {
                let reaches = frame.around(tile, reach).contains(cell);
                assert_eq!(tiles.contains(tile), reaches, "{tile:?} reaches {cell:?}");
            }
        }
    }
}
