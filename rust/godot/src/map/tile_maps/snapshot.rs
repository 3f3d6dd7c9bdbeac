//! The tiles of a layer at one moment, each kind read once.

use std::collections::HashMap;
use std::sync::Arc;

use godot::classes::TileMapLayer;
use godot::prelude::*;
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::terrain::{REGION_CELLS_MAX, Tiles};

use super::{Source, TileKey, TileSource};

/// The head of tile map data: the number of its format.
const HEAD_BYTES: usize = 2;
/// Bytes a cell: x, y, source, atlas x, atlas y, alternative, each of two bytes.
const CELL_BYTES: usize = 12;
/// The format that is read here, the only one so far.
const FORMAT: u16 = 0;

/// Which kind of tile each cell of a layer holds; `K` is what a kind means to the reader.
pub struct Snapshot<K> {
    pub layer: InstanceId,
    tiles: Arc<Tiles<K>>,
    by_key: HashMap<TileKey, u32>,
    /// Which kinds are scenes.
    is_scene: Vec<bool>,
    scene_tiles: usize,
    /// The layer's own form of the same.
    bytes: PackedByteArray,
}

/// What a kind of tile means; scenes and missing tiles have no [`super::Tile`].
pub trait Read<K> {
    /// The meaning, or what is wrong with the tile.
    fn read(&mut self, tile: Option<&super::Tile>) -> Result<K, String>;
}

impl<K, F: FnMut(Option<&super::Tile>) -> Result<K, String>> Read<K> for F {
    fn read(&mut self, tile: Option<&super::Tile>) -> Result<K, String> {
        self(tile)
    }
}

impl<K: Clone> Snapshot<K> {
    /// Reads a layer.
    pub fn read(source: &Source, reader: &mut impl Read<K>) -> Result<Self, String> {
        let bytes = source.layer.get_tile_map_data_as_array();
        let cells = cells_of(bytes.as_slice())?;
        let used = bounds(cells)?;
        let mut snapshot = Self {
            layer: source.layer.instance_id(),
            tiles: Arc::new(Tiles::new(used)),
            by_key: HashMap::new(),
            is_scene: Vec::new(),
            scene_tiles: 0,
            bytes: bytes.clone(),
        };
        let mut numbers = vec![0; used.area() as usize];
        // Neighbours in the data are often alike.
        let mut last = (TileKey::NONE, 0);
        for cell in cells {
            let (x, y, key) = parts(cell);
            if key == TileKey::NONE {
                continue;
            }
            if key != last.0 {
                last = (key, snapshot.kind_of(source, key, reader)?);
            }
            numbers[(y - used.y) as usize * used.w as usize + (x - used.x) as usize] = last.1;
        }
        if snapshot.is_scene.contains(&true) {
            snapshot.scene_tiles = numbers.iter().filter(|&&number| snapshot.is_scene(number)).count();
        }
        Arc::make_mut(&mut snapshot.tiles).set_numbers(numbers);
        Ok(snapshot)
    }

    /// Reads one cell again. `None` when it lies outside of the rectangle that is kept, else whether it
    /// changed.
    pub fn read_again(
        &mut self,
        source: &Source,
        cell: Cell,
        reader: &mut impl Read<K>,
    ) -> Result<Option<bool>, String> {
        let coords = Vector2i::new(cell.x, cell.y);
        let layer = &source.layer;
        let key = TileKey::new(
            layer.get_cell_source_id(coords),
            layer.get_cell_atlas_coords(coords),
            layer.get_cell_alternative_tile(coords),
        );
        let number = if key == TileKey::NONE { 0 } else { self.kind_of(source, key, reader)? };
        let Some(old) = self.tiles.number(cell) else { return Ok((number == 0).then_some(false)) };
        if old != number {
            Arc::make_mut(&mut self.tiles).set_number(cell, number);
            self.scene_tiles += usize::from(self.is_scene(number));
            self.scene_tiles -= usize::from(self.is_scene(old));
        }
        Ok(Some(old != number))
    }

    /// Returns `true` if the layer has the tiles that it had when it was read. The engine does not tell when
    /// tiles are set.
    pub fn is_current(&self, layer: &Gd<TileMapLayer>) -> bool {
        layer.get_tile_map_data_as_array().as_slice() == self.bytes.as_slice()
    }

    /// The cells whose tile differs from the tile in `other`, a reading of the same layer. `None` if they
    /// hold different rectangles of cells, or a kind of tile has another meaning.
    pub fn differences(&self, other: &Self) -> Option<Vec<Cell>>
    where
        K: PartialEq,
    {
        let (old, new) = (&self.tiles, &other.tiles);
        if old.used() != new.used() || self.layer != other.layer {
            return None;
        }
        // The other's numbers in our order; kinds that are new here have none.
        let mut ours = vec![u32::MAX; new.kinds().len() + 1];
        ours[0] = 0;
        for (key, &number) in &other.by_key {
            if let Some(&known) = self.by_key.get(key) {
                if old.kinds()[known as usize - 1] != new.kinds()[number as usize - 1] {
                    return None;
                }
                ours[number as usize] = known;
            }
        }
        Some(old.differences(new, &ours))
    }

    /// The tiles.
    pub const fn tiles(&self) -> &Arc<Tiles<K>> {
        &self.tiles
    }

    /// How many cells hold scenes.
    pub const fn scene_tiles(&self) -> usize {
        self.scene_tiles
    }

    fn is_scene(&self, number: u32) -> bool {
        number != 0 && self.is_scene[number as usize - 1]
    }

    fn kind_of(&mut self, source: &Source, key: TileKey, reader: &mut impl Read<K>) -> Result<u32, String> {
        if let Some(&number) = self.by_key.get(&key) {
            return Ok(number);
        }
        let found = TileSource::of(&source.tile_set, key);
        let tile = if let TileSource::Tile(tile) = &found { Some(tile) } else { None };
        let meaning = reader.read(tile)?;
        let number = Arc::make_mut(&mut self.tiles).add_kind(meaning);
        self.is_scene.push(matches!(found, TileSource::Scene));
        self.by_key.insert(key, number);
        Ok(number)
    }
}

fn cells_of(bytes: &[u8]) -> Result<&[[u8; CELL_BYTES]], String> {
    let Some((head, rest)) = bytes.split_first_chunk::<HEAD_BYTES>() else { return Ok(&[]) };
    let format = u16::from_le_bytes(*head);
    let (cells, over) = rest.as_chunks();
    if format == FORMAT && over.is_empty() {
        Ok(cells)
    } else {
        Err(format!("tile map data of format {format} is not known to this version"))
    }
}

fn parts(cell: &[u8; CELL_BYTES]) -> (i32, i32, TileKey) {
    let coordinate = |at: usize| i32::from(i16::from_le_bytes([cell[at], cell[at + 1]]));
    let [_, _, _, _, key @ ..] = *cell;
    (coordinate(0), coordinate(2), TileKey::from_bytes(key))
}

fn bounds(cells: &[[u8; CELL_BYTES]]) -> Result<CellRect, String> {
    let (mut x0, mut y0, mut x1, mut y1) = (i32::MAX, i32::MAX, i32::MIN, i32::MIN);
    for (x, y, key) in cells.iter().map(parts) {
        if key != TileKey::NONE {
            (x0, y0) = (x0.min(x), y0.min(y));
            (x1, y1) = (x1.max(x), y1.max(y));
        }
    }
    if x0 > x1 {
        return Ok(CellRect::default());
    }
    let used = CellRect::new(x0, y0, x1 - x0 + 1, y1 - y0 + 1);
    if used.area() > REGION_CELLS_MAX {
        return Err(format!(
            "the layer's tiles lie within {} × {} cells, of which {REGION_CELLS_MAX} are allowed",
            used.w, used.h
        ));
    }
    Ok(used)
}
