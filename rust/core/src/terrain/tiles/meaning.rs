//! What tiles tell cells: all layers together, later ones over earlier ones.

use super::ground::{Filled, Place, filled_by, reached_by, upper_edge};
use super::{TileFrame, TileReach, Tiles};
use crate::geometry::{Cell, CellRect, Side};
use crate::terrain::edges::rim;
use crate::terrain::{CellData, Floor};

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
    /// The sides of the tile whose edges are blocked: a bit for each, by its number.
    pub edges: u8,
    /// The sides over which steps out of the tile are blocked, and steps into it are not.
    pub one_way_edges: u8,
    /// The cells that its polygons count for.
    pub covered: Vec<CoveredCell>,
    /// Its solid polygons, if they fill a cell in part and what they fill is no floor.
    pub partial: Vec<Vec<[f64; 2]>>,
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
    pub navigable: bool,
    /// What solid polygons fill of it below a straight line.
    pub floor: Floor,
    /// The upper edge of one-way polygons.
    pub plank: Floor,
}

impl TileMeaning {
    /// Returns `true` if steps out of the tile over `side` are blocked.
    const fn blocks(&self, side: Side) -> bool {
        (self.edges | self.one_way_edges) >> side as u8 & 1 == 1
    }

    /// Returns the cell that polygons count for, added if it is new.
    pub fn cell(&mut self, dx: i32, dy: i32) -> &mut CoveredCell {
        let known = self.covered.iter().position(|cell| cell.dx == dx && cell.dy == dy);
        let index = known.unwrap_or_else(|| {
            self.covered.push(CoveredCell {
                dx,
                dy,
                solid: false,
                one_way: false,
                navigable: false,
                floor: Floor::default(),
                plank: Floor::default(),
            });
            self.covered.len() - 1
        });
        &mut self.covered[index]
    }

    /// Gives floors to the cells in which solid polygons have a straight upper edge. Polygons are in cells, from
    /// the tile's first cell. They are all of the tile's: a second call replaces nothing of the first.
    pub fn add_floors(&mut self, polygons: Vec<Vec<[f64; 2]>>) {
        let mut is_partial = false;
        for place in reached_by(&polygons, 1.0) {
            match filled_by(&polygons, place) {
                Filled::Alike => {}
                Filled::Below(floor) => self.cell(place.x, place.y).floor = floor,
                Filled::Part => {
                    is_partial = true;
                    // Bodies stand on its upper edge, whatever is below.
                    let edge = upper_edge(&polygons, place);
                    if edge != Floor::WHOLE {
                        self.cell(place.x, place.y).floor = edge;
                    }
                }
            }
        }
        if is_partial {
            self.partial = polygons;
        }
    }

    /// Makes a cell one-way whose upper edge is that of a polygon, in cells from the tile's first cell. Without
    /// a polygon, the upper edge is that of the cell.
    pub fn add_plank(&mut self, x: i32, y: i32, polygon: Option<&Vec<[f64; 2]>>) {
        let place = Place { x, y, scale: 1.0 };
        let edge = polygon.map_or(Floor::WHOLE, |polygon| upper_edge(std::slice::from_ref(polygon), place));
        let cell = self.cell(x, y);
        cell.one_way = true;
        cell.plank = cell.plank.joined(edge).unwrap_or(Floor::WHOLE);
    }

    /// Returns `true` if the solid polygons fill whole cells and floors only. The tile then has `scale` times as
    /// many cells in a row and in a column.
    pub fn is_whole_at(&self, scale: f64) -> bool {
        reached_by(&self.partial, scale).all(|place| filled_by(&self.partial, place) != Filled::Part)
    }

    /// Returns `true` if a kind of tile blocks edges. What is told of a cell then depends on the cells beside
    /// it, too.
    pub fn any_has_edges(kinds: &[Self]) -> bool {
        kinds.iter().any(|meaning| meaning.edges | meaning.one_way_edges != 0)
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
    pub without_navigation_solid: bool,
}

/// Returns what tiles tell the cells of a rectangle, row by row.
pub fn cells_of_tiles<'a>(
    layers: impl Iterator<Item = TileLayer<'a>>,
    rect: CellRect,
    untold: UntoldCells,
) -> Vec<CellData> {
    let layers: Vec<TileLayer<'a>> = layers.collect();
    // Two cells share an edge, and either may block it.
    let has_edges = layers.iter().any(|layer| TileMeaning::any_has_edges(layer.tiles.kinds()));
    let wide = if has_edges { rect.grown(1, 1, 1, 1) } else { rect };
    let mut sums = vec![Sum::default(); wide.area() as usize];
    let place = |cell: Cell| wide.contains(cell).then(|| wide.place_of(cell));
    for layer in layers {
        let tiles = layer.frame.tiles(wide, layer.reach);
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
            let own = layer.frame.cells(CellRect::new(x, y, 1, 1));
            for side in Side::ALL.into_iter().filter(|&side| meaning.blocks(side)) {
                let is_wall = meaning.edges >> side as u8 & 1 == 1;
                rim(own, side).cells().filter_map(place).for_each(|i| sums[i].block(side, is_wall));
            }
            let first = layer.frame.first(x, y);
            for covered in &meaning.covered {
                if let Some(i) = place(Cell::new(first.x + covered.dx, first.y + covered.dy)) {
                    sums[i].take_polygons(covered);
                }
            }
        });
    }
    let edges = |cell: Cell| {
        let of = |cell: Cell| place(cell).map_or_else(Sum::default, |i| sums[i]);
        let sides = Side::ALL.into_iter();
        let shared = sides.filter(|side| of(side.beyond(cell)).walls >> side.opposite() as u8 & 1 == 1);
        shared.fold(of(cell).told.edges, |edges, side| edges | 1 << side as u8)
    };
    let told = rect.cells().filter_map(|cell| Some((cell, sums[place(cell)?].told(untold))));
    let with_edges =
        told.map(|(cell, told)| CellData { edges: if has_edges { edges(cell) } else { 0 }, ..told });
    with_edges.collect()
}

/// What the tiles over one cell tell together.
#[derive(Clone, Copy, Default)]
struct Sum {
    is_tile: bool,
    navigable: bool,
    /// `true` if something fills more than a floor.
    has_more: bool,
    plank: Floor,
    /// The sides whose edges the cell's tiles block both ways, a bit for each; `told.edges` has all.
    walls: u8,
    told: CellData,
}

impl Sum {
    fn block(&mut self, side: Side, is_wall: bool) {
        let bit = 1 << side as u8;
        self.told.edges |= bit;
        self.walls |= if is_wall { bit } else { 0 };
    }

    fn take(&mut self, meaning: &TileMeaning) {
        self.is_tile = true;
        self.told.solid |= meaning.solid;
        self.has_more |= meaning.solid;
        self.told.one_way |= meaning.one_way;
        if meaning.terrain != 0 {
            self.told.terrain = meaning.terrain;
        }
        if meaning.weight != 0.0 {
            self.told.weight = meaning.weight;
        }
    }

    fn take_polygons(&mut self, covered: &CoveredCell) {
        let told = &mut self.told;
        told.solid |= covered.solid;
        told.one_way |= covered.one_way;
        self.navigable |= covered.navigable;
        self.has_more |= covered.solid && covered.floor.is_none();
        match told.floor.joined(covered.floor) {
            Some(floor) => told.floor = floor,
            None => self.has_more = true,
        }
        if covered.one_way {
            self.plank = self.plank.joined(covered.plank).unwrap_or(Floor::WHOLE);
        }
    }

    fn told(self, untold: UntoldCells) -> CellData {
        let Self { is_tile, navigable, has_more, plank, told, .. } = self;
        let UntoldCells { without_tile_solid, without_navigation_solid } = untold;
        let is_closed = without_navigation_solid && !navigable || without_tile_solid && !is_tile;
        let solid = told.solid || is_closed;
        // Where polygons of both kinds are, the solid one counts.
        let one_way = told.one_way && !solid;
        // A cell has one floor, which is one-way if the cell is. The upper edge of a cell is no floor inside.
        let floor = match one_way {
            true if plank != Floor::WHOLE => plank,
            false if !has_more && !is_closed => told.floor,
            _ => Floor::default(),
        };
        CellData { solid, one_way, floor, ..told }
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
        ledge.cell(1, 0).navigable = true;
        let layer = layer_of(&[1], vec![ledge.clone()]);
        let ways =
            |untold| told(&[&layer], false, untold).iter().map(|cell| (cell.one_way, cell.solid)).collect();
        let open: Vec<_> = ways(UntoldCells::default());
        assert_eq!(open, [(false, false), (true, false), (false, false)]);
        let floor: Vec<_> = ways(UntoldCells { without_navigation_solid: true, ..UntoldCells::default() });
        assert_eq!(floor, [(false, true), (true, false), (false, true)]);
        let tiles: Vec<_> = ways(UntoldCells { without_tile_solid: true, ..UntoldCells::default() });
        assert_eq!(tiles, [(false, false), (false, true), (false, true)], "the solid one counts");
    }

    #[test]
    fn edges_lie_at_the_rim_of_a_tile_and_count_for_both_cells() {
        const LEFT: u8 = 1 << Side::Left as u8;
        const RIGHT: u8 = 1 << Side::Right as u8;
        let told = |layers: &[&Tiles<TileMeaning>], is_topmost, span: i32| -> Vec<u8> {
            let frame = TileFrame { span: [span, 1], ..FRAME };
            let layers = layers.iter().map(|tiles| TileLayer {
                tiles,
                frame,
                reach: TileMeaning::reach(tiles.kinds(), frame.span),
                is_topmost,
            });
            let cells = cells_of_tiles(layers, CellRect::new(0, 0, 4, 1), UntoldCells::default());
            cells.iter().map(|cell| cell.edges).collect()
        };
        let fence = layer_of(&[0, 1], vec![TileMeaning { edges: RIGHT, ..tile() }]);
        assert_eq!(told(&[&fence], false, 1), [0, RIGHT, LEFT, 0]);
        assert_eq!(told(&[&layer_of(&[1], fence.kinds().to_vec())], false, 2), [0, RIGHT, LEFT, 0]);
        let ledge = layer_of(&[0, 1], vec![TileMeaning { one_way_edges: RIGHT, ..tile() }]);
        assert_eq!(told(&[&ledge], false, 1), [0, RIGHT, 0, 0]);
        let bridge = layer_of(&[0, 1], vec![tile()]);
        assert_eq!(told(&[&fence, &bridge], false, 1), [0, RIGHT, LEFT, 0]);
        assert_eq!(told(&[&fence, &bridge], true, 1), [0; 4], "the topmost tile hides both halves");
        let beside = layer_of(&[0, 0, 1], vec![tile()]);
        assert_eq!(told(&[&fence, &beside], true, 1), [0, RIGHT, LEFT, 0], "a tile beside it hides none");
        let outside = layer_of(&[0, 0, 0, 0, 1], vec![TileMeaning { edges: LEFT, ..tile() }]);
        assert_eq!(told(&[&outside], false, 1), [0, 0, 0, RIGHT]);
    }

    #[test]
    fn floors_of_several_tiles_are_joined_where_one_lies_below_the_other() {
        let slab = |height: f64| {
            let mut slab = TileMeaning { is_tile: true, ..TileMeaning::default() };
            slab.add_floors(vec![vec![[0.0, 1.0 - height], [1.0, 1.0 - height], [1.0, 1.0], [0.0, 1.0]]]);
            slab
        };
        let slope = |corners: [[f64; 2]; 3]| {
            let mut slope = slab(0.0);
            slope.add_floors(vec![corners.to_vec()]);
            slope.cell(0, 0).solid = true;
            layer_of(&[1], vec![slope])
        };
        let floor = |layers: &[&Tiles<TileMeaning>]| {
            let told = told(layers, false, UntoldCells::default())[0];
            (told.solid, told.floor)
        };
        let level = |height| Floor { left: height, right: height };
        let (low, high) = (layer_of(&[1], vec![slab(0.25)]), layer_of(&[1], vec![slab(0.75)]));
        assert_eq!(floor(&[&high, &low]), (false, level(0.75)));
        let up = slope([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]);
        let down = slope([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
        assert_eq!(floor(&[&up]), (true, Floor { left: 0.0, right: 1.0 }));
        assert_eq!(floor(&[&up, &down]), (true, Floor::default()), "a valley");
        let rock = layer_of(&[1], vec![TileMeaning { solid: true, ..tile() }]);
        assert_eq!(floor(&[&up, &rock]), (true, Floor::default()));
        let mut plank = tile();
        plank.add_plank(0, 0, Some(&vec![[0.0, 0.5], [1.0, 0.5], [1.0, 0.6], [0.0, 0.6]]));
        let plank = layer_of(&[1], vec![plank]);
        assert_eq!(floor(&[&low, &plank]), (false, level(0.5)), "as one-way as the cell");
        assert_eq!(floor(&[&up, &plank]), (true, Floor { left: 0.0, right: 1.0 }));
        let mut ledge = tile();
        ledge.add_plank(0, 0, None);
        let ledge = layer_of(&[1], vec![ledge]);
        assert_eq!(floor(&[&plank, &ledge, &low]), (false, Floor::default()), "the upper edge of the cell");
    }

    #[test]
    fn halves_of_tiles_are_whole_in_smaller_cells() {
        let mut wall = tile();
        wall.add_floors(vec![vec![[0.0, 0.0], [0.5, 0.0], [0.5, 1.0], [0.0, 1.0]]]);
        assert!(wall.covered.is_empty() && !wall.is_whole_at(1.0) && !wall.is_whole_at(3.0));
        assert!(wall.is_whole_at(2.0) && wall.is_whole_at(4.0));
        let mut slab = tile();
        slab.add_floors(vec![vec![[0.0, 0.3], [1.0, 0.3], [1.0, 1.0], [0.0, 1.0]]]);
        assert!(slab.partial.is_empty() && slab.is_whole_at(1.0));
    }
}
