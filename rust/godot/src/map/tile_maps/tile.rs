//! One kind of tile: an alternative of an atlas tile, turned and mirrored as its cell says.

use godot::classes::{TileData, TileSet, TileSetAtlasSource};
use godot::prelude::*;

const FLIP_H: u16 = 1 << 12;
const FLIP_V: u16 = 1 << 13;
const TRANSPOSE: u16 = 1 << 14;
const TRANSFORM: u16 = FLIP_H | FLIP_V | TRANSPOSE;

/// Which tile a cell holds: source, atlas coordinates and alternative with its flags, as tile map data has
/// them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TileKey(u64);

impl TileKey {
    /// What a cell without a tile holds.
    pub const NONE: Self = Self(u64::MAX);

    /// From the last 8 of the 12 bytes that a cell takes.
    pub const fn from_bytes(bytes: [u8; 8]) -> Self {
        let key = u64::from_le_bytes(bytes);
        if key as u16 == u16::MAX { Self::NONE } else { Self(key) }
    }

    /// From what a layer says about one cell.
    pub fn new(source: i32, atlas: Vector2i, alternative: i32) -> Self {
        let word = |number: i32, place: u32| (number as u16 as u64) << (16 * place);
        if source < 0 {
            return Self::NONE;
        }
        Self(word(source, 0) | word(atlas.x, 1) | word(atlas.y, 2) | word(alternative, 3))
    }

    fn part(self, place: u32) -> u16 {
        (self.0 >> (16 * place)) as u16
    }

    fn atlas(self) -> Vector2i {
        Vector2i::new(i32::from(self.part(1) as i16), i32::from(self.part(2) as i16))
    }

    fn alternative(self) -> u16 {
        self.part(3)
    }
}

/// What stands behind a key.
pub enum TileSource {
    /// A tile of an atlas.
    Tile(Tile),
    /// A scene.
    Scene,
    /// Nothing: the tile set has no such tile, or no longer.
    Missing,
}

impl TileSource {
    /// Looks a key up.
    pub fn of(tile_set: &Gd<TileSet>, key: TileKey) -> Self {
        let id = i32::from(key.part(0));
        if key == TileKey::NONE || !tile_set.has_source(id) {
            return Self::Missing;
        }
        let Some(source) = tile_set.get_source(id) else { return Self::Missing };
        let Ok(atlas) = source.try_cast::<TileSetAtlasSource>() else { return Self::Scene };
        let plain = i32::from(key.alternative() & !TRANSFORM);
        if !atlas.has_tile(key.atlas()) || !atlas.has_alternative_tile(key.atlas(), plain) {
            return Self::Missing;
        }
        let data = atlas.get_tile_data(key.atlas(), plain);
        data.map_or(Self::Missing, |data| Self::Tile(Tile { key, data }))
    }
}

/// A tile of an atlas, as a cell shows it.
pub struct Tile {
    key: TileKey,
    data: Gd<TileData>,
}

/// A collision polygon, around the tile's centre.
pub struct CollisionPolygon {
    pub corners: Vec<Vector2>,
    pub is_one_way: bool,
}

impl Tile {
    /// The tile's collision polygons in one physics layer.
    pub fn collision(&self, physics_layer: i32) -> Vec<CollisionPolygon> {
        (0..self.data.get_collision_polygons_count(physics_layer))
            .map(|polygon| {
                let points = self.data.get_collision_polygon_points(physics_layer, polygon);
                CollisionPolygon {
                    corners: points.as_slice().iter().map(|&point| self.turned(point)).collect(),
                    is_one_way: self.data.is_collision_polygon_one_way(physics_layer, polygon),
                }
            })
            .collect()
    }

    /// The tile's navigation polygons: its outline, or convex parts where there is more than one outline.
    pub fn navigation(&self, navigation_layer: i32) -> Vec<Vec<Vector2>> {
        let Some(polygon) = self.data.get_navigation_polygon(navigation_layer) else { return Vec::new() };
        let turned = |points: &[Vector2]| points.iter().map(|&point| self.turned(point)).collect();
        let parts = polygon.get_polygon_count();
        let outlines = polygon.get_outline_count();
        if outlines == 1 || parts == 0 {
            return (0..outlines).map(|i| turned(polygon.get_outline(i).as_slice())).collect();
        }
        let vertices = polygon.get_vertices();
        (0..parts)
            .map(|i| {
                let corners = polygon.get_polygon(i);
                let points = corners.as_slice().iter().filter_map(|&at| vertices.get(at as usize));
                turned(&points.collect::<Vec<_>>())
            })
            .collect()
    }

    /// What the tile has in a custom data layer.
    pub fn custom(&self, custom_data_layer: i32) -> Variant {
        self.data.get_custom_data_by_layer_id(custom_data_layer)
    }

    /// Where the tile stands in its atlas, for people.
    pub fn name(&self) -> String {
        let (source, atlas) = (self.key.part(0), self.key.atlas());
        format!("tile ({}, {}) of source {source}", atlas.x, atlas.y)
    }

    /// A point as the cell turns and mirrors it, in the engine's order.
    pub fn turned(&self, point: Vector2) -> Vector2 {
        let flags = self.key.alternative();
        let mut turned = if flags & TRANSPOSE == 0 { point } else { Vector2::new(point.y, point.x) };
        if flags & FLIP_H != 0 {
            turned.x = -turned.x;
        }
        if flags & FLIP_V != 0 {
            turned.y = -turned.y;
        }
        turned
    }
}
