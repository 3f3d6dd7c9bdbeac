//! What tiles tell cells: all layers together, later ones over earlier ones.

use super::{TileFrame, TileReach, Tiles};
use crate::geometry::{Cell, CellRect};
use crate::terrain::CellData;

/// What a kind of tile tells.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct TileMeaning {
    /// `true` if there is a tile at all: scenes and tiles that the tile set lacks are none.
    pub is_tile: bool,
    /// `true` if custom data make all of its cells solid.
    pub solid: bool,
    /// `true` if custom data make all of its cells one-way.
    pub one_way: bool,
    /// Its terrain; 0 says nothing.
    pub terrain: u8,
    /// Its weight; 0 says nothing.
    pub weight: f32,
    /// The cells that its polygons count for.
    pub covered: Vec<CoveredCell>,
}

/// A cell that a tile's polygons count for, from the tile's first cell; outside of the tile too.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CoveredCell {
    /// Columns from the first cell.
    pub dx: i32,
    /// Rows from the first cell.
    pub dy: i32,
    /// `true` if collision polygons count for it.
    pub solid: bool,
    /// `true` if one-way collision polygons count for it.
    pub one_way: bool,
    /// `true` if navigation polygons count for it.
    pub floor: bool,
}

impl TileMeaning {
    /// Returns the cell that polygons count for, added if it is new.
    pub fn cell(&mut self, dx: i32, dy: i32) -> &mut CoveredCell {
        let known = self.covered.iter().position(|cell| cell.dx == dx && cell.dy == dy);
        let index = known.unwrap_or_else(|| {
            self.covered.push(CoveredCell { dx, dy, solid: false, one_way: false, floor: false });
            self.covered.len() - 1
        });
        &mut self.covered[index]
    }

    /// Returns how far the kinds of tiles reach from their first cell, which have `[w, h]` cells each.
    pub fn reach(kinds: &[Self], [w, h]: [i32; 2]) -> TileReach {
        let covered = kinds.iter().flat_map(|meaning| &meaning.covered);
        covered.fold([0, 0, w - 1, h - 1], |[left, up, right, down], cell| {
            [left.max(-cell.dx), up.max(-cell.dy), right.max(cell.dx), down.max(cell.dy)]
        })
    }
}

/// A layer of tiles over cells.
#[derive(Clone, Copy, Debug)]
pub struct TileLayer<'a> {
    /// Its tiles.
    pub tiles: &'a Tiles<TileMeaning>,
    /// How they lie on cells.
    pub frame: TileFrame,
    /// How far they reach.
    pub reach: TileReach,
    /// `true` if a tile hides what earlier layers have at its cells.
    pub is_topmost: bool,
}

/// What cells are that no tile tells anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UntoldCells {
    /// `true` if cells without a tile are solid.
    pub without_tile_solid: bool,
    /// `true` if cells without a navigation polygon are solid.
    pub without_floor_solid: bool,
}

/// Returns what tiles tell the cells of a rectangle, row by row.
pub fn cells_of_tiles<'a>(
    layers: impl Iterator<Item = TileLayer<'a>>,
    rect: CellRect,
    untold: UntoldCells,
) -> Vec<CellData> {
    let mut sums = vec![Sum::default(); rect.area() as usize];
    let place = |cell: Cell| rect.contains(cell).then(|| rect.place_of(cell));
    for layer in layers {
        let tiles = layer.frame.tiles(rect, layer.reach);
        // The places of the cells of one tile.
        let places = |x, y| layer.frame.cells(CellRect::new(x, y, 1, 1)).cells().filter_map(place);
        if layer.is_topmost {
            layer.tiles.for_each_in(tiles, |x, y, meaning| {
                if meaning.is_tile {
                    places(x, y).for_each(|i| sums[i] = Sum::default());
                }
            });
        }
        layer.tiles.for_each_in(tiles, |x, y, meaning| {
            if !meaning.is_tile {
                return;
            }
            places(x, y).for_each(|i| sums[i].take(meaning));
            let first = layer.frame.first(x, y);
            for covered in &meaning.covered {
                if let Some(i) = place(Cell::new(first.x + covered.dx, first.y + covered.dy)) {
                    sums[i].told.solid |= covered.solid;
                    sums[i].told.one_way |= covered.one_way;
                    sums[i].floor |= covered.floor;
                }
            }
        });
    }
    sums.into_iter().map(|sum| sum.told(untold)).collect()
}

/// What the tiles over one cell tell together.
#[derive(Clone, Copy, Default)]
struct Sum {
    is_tile: bool,
    floor: bool,
    told: CellData,
}

impl Sum {
    fn take(&mut self, meaning: &TileMeaning) {
        self.is_tile = true;
        self.told.solid |= meaning.solid;
        self.told.one_way |= meaning.one_way;
        if meaning.terrain != 0 {
            self.told.terrain = meaning.terrain;
        }
        if meaning.weight != 0.0 {
            self.told.weight = meaning.weight;
        }
    }

    fn told(self, untold: UntoldCells) -> CellData {
        let Self { is_tile, floor, told } = self;
        let UntoldCells { without_tile_solid, without_floor_solid } = untold;
        let solid = told.solid || without_floor_solid && !floor || without_tile_solid && !is_tile;
        // Where polygons of both kinds are, the solid one counts.
        CellData { solid, one_way: told.one_way && !solid, ..told }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: TileFrame = TileFrame { origin: Cell::new(0, 0), span: [1, 1] };

    fn layer_of(numbers: &[u32], kinds: Vec<TileMeaning>) -> Tiles<TileMeaning> {
        let mut tiles = Tiles::new(CellRect::new(0, 0, numbers.len() as i32, 1));
        for kind in kinds {
            tiles.add_kind(kind);
        }
        tiles.set_numbers(numbers.to_vec());
        tiles
    }

    fn tile() -> TileMeaning {
        TileMeaning { is_tile: true, ..TileMeaning::default() }
    }

    fn told(layers: &[&Tiles<TileMeaning>], is_topmost: bool, untold: UntoldCells) -> Vec<CellData> {
        let layers = layers.iter().map(|tiles| TileLayer {
            tiles,
            frame: FRAME,
            reach: TileMeaning::reach(tiles.kinds(), FRAME.span),
            is_topmost,
        });
        cells_of_tiles(layers, CellRect::new(0, 0, 3, 1), untold)
    }

    #[test]
    fn later_layers_lie_over_earlier_ones() {
        let water = layer_of(&[1, 1], vec![TileMeaning { terrain: 2, solid: true, ..tile() }]);
        let bridge = layer_of(&[0, 1], vec![TileMeaning { weight: 3.0, ..tile() }]);
        let both = told(&[&water, &bridge], false, UntoldCells::default());
        assert_eq!((both[1].solid, both[1].terrain, both[1].weight), (true, 2, 3.0));
        let topmost = told(&[&water, &bridge], true, UntoldCells::default());
        assert_eq!(topmost[1], CellData { weight: 3.0, ..CellData::default() });
        assert_eq!(topmost[0], both[0]);
    }

    #[test]
    fn polygons_count_beyond_their_tile() {
        let mut ledge = tile();
        ledge.cell(1, 0).one_way = true;
        ledge.cell(1, 0).floor = true;
        let layer = layer_of(&[1], vec![ledge.clone()]);
        let ways =
            |untold| told(&[&layer], false, untold).iter().map(|cell| (cell.one_way, cell.solid)).collect();
        let open: Vec<_> = ways(UntoldCells::default());
        assert_eq!(open, [(false, false), (true, false), (false, false)]);
        let floor: Vec<_> = ways(UntoldCells { without_floor_solid: true, ..UntoldCells::default() });
        assert_eq!(floor, [(false, true), (true, false), (false, true)]);
        let tiles: Vec<_> = ways(UntoldCells { without_tile_solid: true, ..UntoldCells::default() });
        assert_eq!(tiles, [(false, false), (false, true), (false, true)], "the solid one counts");
    }
}
