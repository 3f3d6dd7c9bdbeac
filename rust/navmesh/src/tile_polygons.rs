//! Polygons of tiles: each kind of tile has its own, around its centre.

use std::sync::Arc;

use super::{NavMeshError, PixelRect, PolygonSet};
use pathforge_core::geometry::{CellRect, bounds_of};
use pathforge_core::terrain::Tiles;

/// What a bake is made from.
#[derive(Clone, Debug, Default)]
pub struct BakeSets {
    /// Where agents walk.
    pub floor: PolygonSet,
    /// Where they do not.
    pub colliders: PolygonSet,
}

/// The polygons of a kind of tile, around its centre.
#[derive(Clone, Debug, Default)]
pub struct TileShapes {
    /// Where agents walk.
    pub floor: Vec<Vec<[f64; 2]>>,
    /// Where they do not.
    pub colliders: Vec<Vec<[f64; 2]>>,
}

/// Where the centres of tiles lie. Every layout repeats itself after two tiles.
#[derive(Clone, Copy, Debug)]
pub struct TileCenters {
    /// The centres of tiles (0, 0), (1, 0), (0, 1) and (1, 1).
    first: [[f64; 2]; 4],
    /// From a tile to the second next in its row and in its column.
    x: [f64; 2],
    y: [f64; 2],
}

impl TileCenters {
    /// Returns the centres of tiles, given some of them.
    pub fn new(at: impl Fn(i32, i32) -> [f64; 2]) -> Self {
        let first = [at(0, 0), at(1, 0), at(0, 1), at(1, 1)];
        let minus = |[ax, ay]: [f64; 2], [bx, by]: [f64; 2]| [ax - bx, ay - by];
        Self { first, x: minus(at(2, 0), first[0]), y: minus(at(0, 2), first[0]) }
    }

    /// Returns the centre of a tile.
    pub(crate) fn center_of(&self, x: i32, y: i32) -> [f64; 2] {
        let first = self.first[((y & 1) * 2 + (x & 1)) as usize];
        let (columns, rows) = (f64::from(x >> 1), f64::from(y >> 1));
        std::array::from_fn(|i| first[i] + self.x[i] * columns + self.y[i] * rows)
    }

    /// The tiles whose centres can lie in a rectangle.
    fn tiles(&self, rect: PixelRect) -> CellRect {
        let determinant = self.x[0] * self.y[1] - self.x[1] * self.y[0];
        if determinant == 0.0 {
            return CellRect::default();
        }
        let corners = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)].map(|(u, v)| {
            let (dx, dy) = (rect.x + rect.w * u - self.first[0][0], rect.y + rect.h * v - self.first[0][1]);
            let column = (dx * self.y[1] - dy * self.y[0]) / determinant * 2.0;
            let row = (dy * self.x[0] - dx * self.x[1]) / determinant * 2.0;
            [column, row]
        });
        let [low, high] = bounds_of(corners.into_iter());
        let [x, y] = low.map(|end| (end.floor() as i32).saturating_sub(2));
        let [right, bottom] = high.map(|end| end as i32);
        CellRect::new(x, y, right.saturating_sub(x).max(0) + 3, bottom.saturating_sub(y).max(0) + 3)
    }
}

/// A layer's tiles with their polygons.
#[derive(Clone, Debug)]
pub struct TilePolygons {
    tiles: Arc<Tiles<TileShapes>>,
    centers: TileCenters,
    /// How far polygons reach from a tile's centre.
    reach: [f64; 2],
}

impl TilePolygons {
    /// Returns the polygons of tiles that lie around such centres.
    pub fn new(tiles: &Arc<Tiles<TileShapes>>, centers: TileCenters) -> Self {
        let shapes = tiles.kinds().iter();
        let corners = shapes.flat_map(|shapes| shapes.floor.iter().chain(&shapes.colliders).flatten());
        let reach =
            corners.fold([0.0_f64; 2], |[x, y], corner| [x.max(corner[0].abs()), y.max(corner[1].abs())]);
        Self { tiles: Arc::clone(tiles), centers, reach }
    }

    /// Returns where polygons of any tile can lie.
    pub fn bounds(&self) -> Option<PixelRect> {
        self.bounds_of(self.tiles.used())
    }

    /// Returns where polygons of some tiles can lie.
    pub fn bounds_of(&self, tiles: CellRect) -> Option<PixelRect> {
        if tiles.is_empty() {
            return None;
        }
        let (right, bottom) = (tiles.right() - 1, tiles.bottom() - 1);
        // Both parities of the last rows and columns.
        let two = |first: i32, last: i32| {
            [first, first.saturating_add(1).min(last), last.saturating_sub(1).max(first), last]
        };
        let (xs, ys) = (two(tiles.x, right), two(tiles.y, bottom));
        let centers = xs.into_iter().flat_map(|x| ys.map(|y| self.centers.center_of(x, y)));
        let bounds = centers.map(|[x, y]| PixelRect::new(x, y, 0.0, 0.0)).reduce(PixelRect::around)?;
        Some(bounds.grown(self.reach[0], self.reach[1]))
    }

    /// Adds the polygons that can lie in `window`, or all of them.
    ///
    /// # Errors
    /// As [`PolygonSet::push`], for the last polygon that is refused.
    pub fn push(&self, window: Option<PixelRect>, sets: &mut BakeSets) -> Result<(), NavMeshError> {
        let [x, y] = self.reach;
        let tiles = window.map_or(self.tiles.used(), |window| self.centers.tiles(window.grown(x, y)));
        let mut result = Ok(());
        let mut corners = Vec::new();
        self.tiles.for_each_in(tiles, |x, y, shapes| {
            let [cx, cy] = self.centers.center_of(x, y);
            for (polygons, set) in
                [(&shapes.floor, &mut sets.floor), (&shapes.colliders, &mut sets.colliders)]
            {
                for polygon in polygons {
                    corners.clear();
                    corners.extend(polygon.iter().map(|[px, py]| [cx + px, cy + py]));
                    if let Err(problem) = set.push(&corners) {
                        result = Err(problem);
                    }
                }
            }
        });
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pathforge_core::geometry::Cell;

    /// Staggered rows of tiles of 10×10 pixels with a square of 4 pixels around each centre.
    fn staggered() -> TilePolygons {
        let mut tiles = Tiles::new(CellRect::new(-3, -2, 8, 7));
        let square = vec![[-2.0, -2.0], [2.0, -2.0], [2.0, 2.0], [-2.0, 2.0]];
        let kind = tiles.add_kind(TileShapes { floor: vec![square], colliders: Vec::new() });
        for tile in tiles.used().cells() {
            tiles.set_number(tile, kind);
        }
        TilePolygons::new(&Arc::new(tiles), TileCenters::new(center))
    }

    fn center(x: i32, y: i32) -> [f64; 2] {
        [f64::from(x) * 10.0 + f64::from(y & 1) * 5.0, f64::from(y) * 10.0]
    }

    #[test]
    fn centres_repeat_themselves_after_two_tiles() {
        let centers = TileCenters::new(center);
        for Cell { x, y } in CellRect::new(-5, -5, 10, 10).cells() {
            assert_eq!(centers.center_of(x, y).map(f64::to_bits), center(x, y).map(f64::to_bits));
        }
    }

    #[test]
    fn a_window_gets_all_polygons_that_lie_in_it() {
        let polygons = staggered();
        let count = |window| {
            let mut sets = BakeSets::default();
            polygons.push(window, &mut sets).unwrap();
            sets.floor.len()
        };
        assert_eq!(count(None), 56);
        let window = PixelRect::new(-1.0, -1.0, 12.0, 12.0);
        let near = polygons.tiles.used().cells().filter(|&Cell { x, y }| {
            let [cx, cy] = center(x, y);
            (-3.0..=13.0).contains(&cx) && (-3.0..=13.0).contains(&cy)
        });
        assert!((near.count()..56).contains(&count(Some(window))));
        assert_eq!(polygons.bounds(), Some(PixelRect::new(-32.0, -22.0, 79.0, 64.0)));
    }

    #[test]
    fn polygons_may_reach_far_from_their_tile() {
        let mut tiles = Tiles::new(CellRect::new(0, 0, 1, 1));
        let far = vec![[90.0, 0.0], [95.0, 0.0], [95.0, 5.0], [90.0, 5.0]];
        let kind = tiles.add_kind(TileShapes { floor: Vec::new(), colliders: vec![far] });
        tiles.set_number(Cell::new(0, 0), kind);
        let polygons = TilePolygons::new(&Arc::new(tiles), TileCenters::new(center));
        let mut sets = BakeSets::default();
        polygons.push(Some(PixelRect::new(88.0, -5.0, 10.0, 10.0)), &mut sets).unwrap();
        assert_eq!((sets.floor.len(), sets.colliders.len()), (0, 1));
    }
}
