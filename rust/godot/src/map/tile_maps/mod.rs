//! Reading tile maps: where a layer's tiles lie, which there are, and the data of each kind of tile.
//!
//! A layer holds a few kinds of tiles many times. So its cells are read at once, as bytes, and the engine is
//! asked only once for each kind: a call for each cell costs more than all else in an import. The reader
//! decides what a kind means.

mod lattice;
mod snapshot;
mod tile;

use godot::builtin::AnyArray;
use godot::classes::{TileMapLayer, TileSet};
use godot::prelude::*;

use crate::script::node_arg;
pub use lattice::Lattice;
pub use snapshot::Snapshot;
pub use tile::{Tile, TileKey, TileSource};

/// A layer that can be read, with its tile set.
#[derive(Clone)]
pub struct Source {
    pub layer: Gd<TileMapLayer>,
    pub tile_set: Gd<TileSet>,
}

impl Source {
    /// The layer, if it has a tile set.
    pub fn new(layer: Gd<TileMapLayer>) -> Result<Self, String> {
        let tile_set = layer.get_tile_set();
        let tile_set = tile_set.ok_or_else(|| format!("layer \"{}\" has no tile set", layer.get_name()))?;
        Ok(Self { layer, tile_set })
    }

    /// The layers of an array, typed or not, each with a tile set.
    pub fn all(name: &str, array: &AnyArray) -> Result<Vec<Self>, String> {
        node_arg::all(name, array)?.into_iter().map(Self::new).collect()
    }
}
