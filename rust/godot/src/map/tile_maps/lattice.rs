//! Where the tiles of a layer lie.

use godot::classes::tile_set::{TileLayout, TileShape};
use godot::classes::{TileMapLayer, TileSet};
use godot::prelude::*;

use crate::script::geometry::CellShape;

/// Where tiles lie in a layer's local space: their centres are `center + x * column + y * row`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Lattice {
    pub shape: CellShape,
    /// The centre of tile (0, 0).
    pub center: Vector2,
    /// From a tile to the next in its row.
    pub x: Vector2,
    /// From a tile to the next in its column.
    pub y: Vector2,
}

impl Lattice {
    /// How the layer's tiles lie; an error if they do not lie in straight rows.
    pub fn of(layer: &Gd<TileMapLayer>, tile_set: &Gd<TileSet>) -> Result<Self, String> {
        let shape = shape(tile_set)?;
        let at = |x: i32, y: i32| layer.map_to_local(Vector2i::new(x, y));
        let center = at(0, 0);
        Ok(Self { shape, center, x: at(1, 0) - center, y: at(0, 1) - center })
    }

    /// From the space in which tile (x, y) is the square from (x, y) to (x + 1, y + 1) to the layer's local
    /// space.
    pub fn transform(&self) -> Transform2D {
        Transform2D::from_cols(self.x, self.y, self.center - (self.x + self.y) / 2.0)
    }
}

fn shape(tile_set: &Gd<TileSet>) -> Result<CellShape, String> {
    let layout = tile_set.get_tile_layout();
    let name = match tile_set.get_tile_shape() {
        TileShape::SQUARE => return Ok(CellShape::Square),
        TileShape::ISOMETRIC => match layout {
            TileLayout::DIAMOND_RIGHT => return Ok(CellShape::IsometricRight),
            TileLayout::DIAMOND_DOWN => return Ok(CellShape::IsometricDown),
            TileLayout::STACKED | TileLayout::STACKED_OFFSET => "stacked isometric",
            _ => "isometric tiles in stairs",
        },
        TileShape::HEXAGON => "hexagonal",
        _ => "half-offset square",
    };
    Err(format!("the tile set's layout ({name}) is not square and not a diamond: no straight rows"))
}
