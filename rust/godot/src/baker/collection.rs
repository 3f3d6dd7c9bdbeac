//! What a bake is made from, in plain data for any thread: tiles with their polygons, or a grid's open cells.

use std::sync::Arc;

use godot::prelude::*;
use pathforge_core::bitgrid::BitGrid;
use pathforge_core::geometry::CellRect;
use pathforge_navmesh::{BakeSets, NavMeshError, PixelRect, TileCenters, TilePolygons, TileShapes};

use crate::map::tile_maps::{Snapshot, Source, Tile};
use crate::script::convert;
use crate::script::geometry::CellGeometry;

/// Up to this number, tiles are asked for one by one. Of more, only occupied ones are; to know these, the
/// engine looks at every tile after an edit.
const ASKED_ONE_BY_ONE: u64 = 1024;

/// Which polygons are read.
#[derive(Clone, Copy, PartialEq)]
pub struct Wanted {
    /// A bit for each physics layer.
    pub physics_layers: u32,
    pub navigation_layer: i32,
}

/// A layer that was read, and how its tiles lie in the baker's space.
pub struct Layer {
    pub snapshot: Snapshot<TileShapes>,
    centers: TileCenters,
    to_baker: Transform2D,
}

impl Layer {
    /// Reads a layer.
    pub fn read(source: &Source, to_baker: Transform2D, wanted: Wanted) -> Result<Self, String> {
        let mut reader = reader(source, to_baker, wanted);
        let snapshot = Snapshot::read(source, &mut reader)?;
        let centers = TileCenters::new(|x, y| {
            let center = to_baker * source.layer.map_to_local(Vector2i::new(x, y));
            [f64::from(center.x), f64::from(center.y)]
        });
        Ok(Self { snapshot, centers, to_baker })
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
        self.polygons().bounds_of(tiles)
    }

    fn polygons(&self) -> TilePolygons {
        TilePolygons::new(self.snapshot.tiles(), self.centers)
    }
}

fn is_within(inner: CellRect, outer: CellRect) -> bool {
    inner.is_empty() || inner.intersection(outer) == inner
}

fn reader(
    source: &Source,
    to_baker: Transform2D,
    wanted: Wanted,
) -> impl FnMut(Option<&Tile>) -> Result<TileShapes, String> {
    let physics_layers = source.tile_set.get_physics_layers_count();
    let has_navigation = wanted.navigation_layer < source.tile_set.get_navigation_layers_count();
    let turned = move |corners: &[Vector2]| -> Vec<[f64; 2]> {
        let turned = corners.iter().map(|&corner| to_baker.basis_xform(corner));
        turned.map(|corner| [f64::from(corner.x), f64::from(corner.y)]).collect()
    };
    move |tile| {
        let Some(tile) = tile else { return Ok(TileShapes::default()) };
        let mut layouts = TileShapes::default();
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
        if cells.is_empty() { None } else { points.reduce(PixelRect::around) }
    }

    /// A polygon for each run of open cells in a row.
    fn push(&self, window: Option<PixelRect>, sets: &mut BakeSets) -> Result<(), NavMeshError> {
        let layout = self.open.layout();
        let rows = self.rows(window);
        for row in rows {
            let is_open = |x: u32| x < layout.width() && self.open.at(x, row);
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

/// A rectangle that may be turned: its corners in the baker's space.
#[derive(Clone, Copy)]
pub struct Quad([[f64; 2]; 4]);

impl Quad {
    /// A rectangle that lies like this in the baker's space.
    pub fn of(rect: Rect2, to_baker: Transform2D) -> Self {
        let (Vector2 { x: x0, y: y0 }, Vector2 { x: x1, y: y1 }) = (rect.position, rect.position + rect.size);
        Self([(x0, y0), (x1, y0), (x1, y1), (x0, y1)].map(|(x, y)| {
            let corner = to_baker * Vector2::new(x, y);
            [f64::from(corner.x), f64::from(corner.y)]
        }))
    }

    fn bounds(&self) -> Option<PixelRect> {
        self.0.into_iter().map(|[x, y]| PixelRect::new(x, y, 0.0, 0.0)).reduce(PixelRect::around)
    }
}

/// Everything that a bake is made from.
#[derive(Clone, Default)]
pub struct Collection {
    parts: Vec<TilePolygons>,
    /// Floor that is no tile's.
    pub floors: Vec<Quad>,
    pub cells: Option<Cells>,
}

impl Collection {
    /// From layers.
    pub fn of(layers: &[Layer]) -> Self {
        Self { parts: layers.iter().map(Layer::polygons).collect(), floors: Vec::new(), cells: None }
    }

    /// The polygons that can reach a rectangle, or all.
    pub fn sets(&self, window: Option<PixelRect>) -> Result<BakeSets, NavMeshError> {
        let mut sets = BakeSets::default();
        for part in &self.parts {
            part.push(window, &mut sets)?;
        }
        for floor in &self.floors {
            sets.floor.push(&floor.0)?;
        }
        if let Some(cells) = &self.cells {
            cells.push(window, &mut sets)?;
        }
        Ok(sets)
    }

    /// Where polygons can lie.
    pub fn bounds(&self) -> Option<PixelRect> {
        let parts = self.parts.iter().filter_map(TilePolygons::bounds);
        let cells = self.cells.iter().filter_map(|cells| cells.bounds_of(cells.region));
        let floors = self.floors.iter().filter_map(Quad::bounds);
        parts.chain(cells).chain(floors).reduce(PixelRect::around)
    }
}
