//! What a bake is made from, in plain data for any thread: tiles with their polygons, or a grid's open cells.

use std::sync::Arc;

use godot::classes::TileMapLayer;
use godot::prelude::*;
use pathforge_core::bitgrid::BitGrid;
use pathforge_core::geometry::CellRect;
use pathforge_core::navmesh::{NavMeshError, PixelRect, PolygonSet};

use crate::convert;
use crate::geometry::CellGeometry;
use crate::tile_maps::{Snapshot, Source, Tile, Tiles};

/// So many tiles are asked for one by one. Of more, only those that hold something; to know which do, the engine looks
/// at every tile after an edit.
const ASKED_ONE_BY_ONE: u64 = 1024;

/// The polygons of a kind of tile around its centre, in the baker's space.
#[derive(Clone, Default)]
pub struct Shapes {
    floor: Vec<Vec<[f64; 2]>>,
    colliders: Vec<Vec<[f64; 2]>>,
}

/// Which polygons are read.
#[derive(Clone, Copy, PartialEq)]
pub struct Wanted {
    /// A bit for each physics layer.
    pub physics_layers: u32,
    pub navigation_layer: i32,
}

/// A layer that was read, and how its tiles lie in the baker's space.
pub struct Layer {
    pub snapshot: Snapshot<Shapes>,
    place: Place,
    to_baker: Transform2D,
}

/// Where the tiles of a layer lie. Every layout of the engine repeats itself after two tiles.
#[derive(Clone, Copy)]
struct Place {
    /// The centres of tiles (0, 0), (1, 0), (0, 1) and (1, 1).
    first: [[f64; 2]; 4],
    /// From a tile to the second next in its row and in its column.
    x: [f64; 2],
    y: [f64; 2],
}

impl Place {
    fn new(layer: &Gd<TileMapLayer>, to_baker: Transform2D) -> Self {
        let at = |x: i32, y: i32| {
            let center = to_baker * layer.map_to_local(Vector2i::new(x, y));
            [f64::from(center.x), f64::from(center.y)]
        };
        let first = [at(0, 0), at(1, 0), at(0, 1), at(1, 1)];
        let minus = |[ax, ay]: [f64; 2], [bx, by]: [f64; 2]| [ax - bx, ay - by];
        Self { first, x: minus(at(2, 0), first[0]), y: minus(at(0, 2), first[0]) }
    }

    fn center_of(&self, x: i32, y: i32) -> [f64; 2] {
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
        let low = |axis: usize| corners.iter().map(|c| c[axis]).fold(f64::INFINITY, f64::min).floor() as i32;
        let high = |axis: usize| corners.iter().map(|c| c[axis]).fold(f64::NEG_INFINITY, f64::max) as i32;
        let (x, y) = (low(0).saturating_sub(2), low(1).saturating_sub(2));
        CellRect::new(x, y, high(0).saturating_sub(x).max(0) + 3, high(1).saturating_sub(y).max(0) + 3)
    }
}

impl Layer {
    /// Reads a layer.
    pub fn read(source: &Source, to_baker: Transform2D, wanted: Wanted) -> Result<Self, String> {
        let mut reader = reader(source, to_baker, wanted);
        let snapshot = Snapshot::read(source, &mut reader)?;
        Ok(Self { snapshot, place: Place::new(&source.layer, to_baker), to_baker })
    }

    /// Reads some tiles again. False when one of them lies where nothing was kept.
    pub fn read_again(&mut self, source: &Source, tiles: CellRect, wanted: Wanted) -> Result<bool, String> {
        let mut reader = reader(source, self.to_baker, wanted);
        let kept = self.snapshot.tiles().used();
        let few = tiles.area() <= ASKED_ONE_BY_ONE;
        if !few && !is_within(convert::rect(source.layer.get_used_rect()), kept) {
            return Ok(false);
        }
        for tile in (if few { tiles } else { tiles.intersection(kept) }).cells() {
            if self.snapshot.read_again(source, tile, &mut reader)?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Where polygons of some tiles can lie.
    pub fn bounds_of(&self, tiles: CellRect) -> Option<PixelRect> {
        Part::of(self).bounds_of(tiles)
    }
}

fn is_within(inner: CellRect, outer: CellRect) -> bool {
    inner.is_empty() || inner.intersection(outer) == inner
}

fn reader(
    source: &Source,
    to_baker: Transform2D,
    wanted: Wanted,
) -> impl FnMut(Option<&Tile>) -> Result<Shapes, String> {
    let physics_layers = source.tile_set.get_physics_layers_count();
    let has_navigation = wanted.navigation_layer < source.tile_set.get_navigation_layers_count();
    let turned = move |corners: &[Vector2]| -> Vec<[f64; 2]> {
        let turned = corners.iter().map(|&corner| to_baker.basis_xform(corner));
        turned.map(|corner| [f64::from(corner.x), f64::from(corner.y)]).collect()
    };
    move |tile| {
        let Some(tile) = tile else { return Ok(Shapes::default()) };
        let mut layouts = Shapes::default();
        if has_navigation {
            let polygons = tile.navigation(wanted.navigation_layer);
            layouts.floor = polygons.iter().map(|polygon| turned(polygon)).collect();
        }
        for layer in
            (0..physics_layers).filter(|&layer| layer < 32 && wanted.physics_layers & (1 << layer) != 0)
        {
            layouts.colliders.extend(tile.collision(layer).iter().map(|polygon| turned(&polygon.corners)));
        }
        Ok(layouts)
    }
}

/// A layer's tiles, for any thread.
#[derive(Clone)]
struct Part {
    tiles: Arc<Tiles<Shapes>>,
    place: Place,
    /// How far polygons reach from a tile's centre.
    reach: [f64; 2],
}

impl Part {
    fn of(layer: &Layer) -> Self {
        let tiles = layer.snapshot.tiles().clone();
        let corners =
            tiles.kinds().flat_map(|layouts| layouts.floor.iter().chain(&layouts.colliders).flatten());
        let reach =
            corners.fold([0.0_f64; 2], |[x, y], corner| [x.max(corner[0].abs()), y.max(corner[1].abs())]);
        Self { tiles, place: layer.place, reach }
    }

    fn bounds_of(&self, tiles: CellRect) -> Option<PixelRect> {
        if tiles.is_empty() {
            return None;
        }
        let (right, bottom) = (tiles.right() - 1, tiles.bottom() - 1);
        // Both parities of the last rows and columns.
        let two = |first: i32, last: i32| {
            [first, first.saturating_add(1).min(last), last.saturating_sub(1).max(first), last]
        };
        let (xs, ys) = (two(tiles.x, right), two(tiles.y, bottom));
        let centers = xs.into_iter().flat_map(|x| ys.map(|y| self.place.center_of(x, y)));
        let bounds = centers.map(|[x, y]| PixelRect::new(x, y, 0.0, 0.0)).reduce(around)?;
        Some(bounds.grown(self.reach[0], self.reach[1]))
    }

    fn push(&self, window: Option<PixelRect>, sets: &mut Sets) -> Result<(), NavMeshError> {
        let [x, y] = self.reach;
        let tiles = window.map_or(self.tiles.used(), |window| self.place.tiles(window.grown(x, y)));
        let mut result = Ok(());
        let mut corners = Vec::new();
        self.tiles.for_each_in(tiles, |x, y, layouts| {
            let [cx, cy] = self.place.center_of(x, y);
            for (polygons, set) in
                [(&layouts.floor, &mut sets.floor), (&layouts.colliders, &mut sets.colliders)]
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

/// A grid's open cells.
#[derive(Clone)]
pub struct Cells {
    pub open: Arc<BitGrid>,
    pub region: CellRect,
    /// From cells to the baker's space.
    pub to_baker: Transform2D,
}

impl Cells {
    /// The open cells of a grid that lies like this in the baker's space.
    pub fn new(open: BitGrid, region: CellRect, geometry: &CellGeometry, grid_to_baker: Transform2D) -> Self {
        Self { open: Arc::new(open), region, to_baker: grid_to_baker * geometry.transform() }
    }

    /// Returns `true` if the cells are rectangles along the axes, so that the shorter path may be taken.
    pub fn is_straight(&self) -> bool {
        self.to_baker.a.y == 0.0
            && self.to_baker.b.x == 0.0
            && self.to_baker.a.x > 0.0
            && self.to_baker.b.y > 0.0
    }

    fn at(&self, x: f64, y: f64) -> [f64; 2] {
        let Transform2D { a, b, origin } = self.to_baker;
        [
            f64::from(a.x) * x + f64::from(b.x) * y + f64::from(origin.x),
            f64::from(a.y) * x + f64::from(b.y) * y + f64::from(origin.y),
        ]
    }

    /// Where some cells lie.
    pub fn bounds_of(&self, cells: CellRect) -> Option<PixelRect> {
        let (x0, y0) = (f64::from(cells.x), f64::from(cells.y));
        let (x1, y1) = (f64::from(cells.right()), f64::from(cells.bottom()));
        let corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)].map(|(x, y)| self.at(x, y));
        let points = corners.into_iter().map(|[x, y]| PixelRect::new(x, y, 0.0, 0.0));
        if cells.is_empty() { None } else { points.reduce(around) }
    }

    /// A polygon for each run of open cells in a row.
    fn push(&self, window: Option<PixelRect>, sets: &mut Sets) -> Result<(), NavMeshError> {
        let layout = self.open.layout();
        let rows = self.rows(window);
        for row in rows {
            let is_open = |x: u32| x < layout.width() && self.open.get(layout.index(x, row));
            let mut start = None;
            for x in 0..=layout.width() {
                match (start, is_open(x)) {
                    (None, true) => start = Some(x),
                    (Some(first), false) => {
                        start = None;
                        let (x0, x1) = (
                            f64::from(self.region.x) + f64::from(first),
                            f64::from(self.region.x) + f64::from(x),
                        );
                        let y = f64::from(self.region.y) + f64::from(row);
                        let corners =
                            [(x0, y), (x1, y), (x1, y + 1.0), (x0, y + 1.0)].map(|(x, y)| self.at(x, y));
                        sets.floor.push(&corners)?;
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn rows(&self, window: Option<PixelRect>) -> std::ops::Range<u32> {
        let height = self.open.layout().height();
        match window {
            Some(window) if self.is_straight() => {
                let row = |y: f64| {
                    (y - f64::from(self.to_baker.origin.y)) / f64::from(self.to_baker.b.y)
                        - f64::from(self.region.y)
                };
                let (first, end) = (row(window.y).floor().max(0.0), row(window.y + window.h).ceil().max(0.0));
                (first as u32).min(height)..(end as u32).min(height)
            }
            _ => 0..height,
        }
    }
}

/// Floor and colliders.
#[derive(Default)]
pub struct Sets {
    pub floor: PolygonSet,
    pub colliders: PolygonSet,
}

/// Everything that a bake is made from.
#[derive(Clone, Default)]
pub struct Collection {
    parts: Vec<Part>,
    pub cells: Option<Cells>,
}

impl Collection {
    /// From layers.
    pub fn of(layers: &[Layer]) -> Self {
        Self { parts: layers.iter().map(Part::of).collect(), cells: None }
    }

    /// The polygons that can reach a rectangle, or all.
    pub fn sets(&self, window: Option<PixelRect>) -> Result<Sets, NavMeshError> {
        let mut sets = Sets::default();
        for part in &self.parts {
            part.push(window, &mut sets)?;
        }
        if let Some(cells) = &self.cells {
            cells.push(window, &mut sets)?;
        }
        Ok(sets)
    }

    /// Where polygons can lie.
    pub fn bounds(&self) -> Option<PixelRect> {
        let parts = self.parts.iter().filter_map(|part| part.bounds_of(part.tiles.used()));
        let cells = self.cells.iter().filter_map(|cells| cells.bounds_of(cells.region));
        parts.chain(cells).reduce(around)
    }
}

/// The smallest rectangle around two.
pub fn around(a: PixelRect, b: PixelRect) -> PixelRect {
    let (x, y) = (a.x.min(b.x), a.y.min(b.y));
    let (right, bottom) = ((a.x + a.w).max(b.x + b.w), (a.y + a.h).max(b.y + b.h));
    PixelRect::new(x, y, right - x, bottom - y)
}
