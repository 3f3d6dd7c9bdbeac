//! The tiles of a layer at one moment, each kind read once.

use std::collections::HashMap;

use godot::classes::TileMapLayer;
use godot::prelude::*;
use pathforge_core::{Cell, CellRect, REGION_CELLS_MAX};

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
    /// The rectangle of cells that hold something.
    used: CellRect,
    /// Number of the kind and one, 0 without a tile; row by row over `used`.
    tiles: Vec<u32>,
    kinds: Vec<Kind<K>>,
    by_key: HashMap<TileKey, u32>,
    scene_tiles: usize,
    /// The layer's own form of the same.
    bytes: PackedByteArray,
}

struct Kind<K> {
    meaning: K,
    is_scene: bool,
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

impl<K> Snapshot<K> {
    /// Reads a layer.
    pub fn read(source: &Source, reader: &mut impl Read<K>) -> Result<Self, String> {
        let mut snapshot = Self {
            layer: source.layer.instance_id(),
            used: CellRect::default(),
            tiles: Vec::new(),
            kinds: Vec::new(),
            by_key: HashMap::new(),
            scene_tiles: 0,
            bytes: source.layer.get_tile_map_data_as_array(),
        };
        let bytes = snapshot.bytes.clone();
        let cells = cells_of(bytes.as_slice())?;
        snapshot.used = bounds(cells)?;
        snapshot.tiles = vec![0; snapshot.used.area() as usize];
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
            let row = (y - snapshot.used.y) as usize * snapshot.used.w as usize;
            snapshot.tiles[row + (x - snapshot.used.x) as usize] = last.1;
        }
        let kinds = &snapshot.kinds;
        if kinds.iter().any(|kind| kind.is_scene) {
            let is_scene = |tile: &&u32| **tile != 0 && kinds[**tile as usize - 1].is_scene;
            snapshot.scene_tiles = snapshot.tiles.iter().filter(is_scene).count();
        }
        Ok(snapshot)
    }

    /// Reads one cell again. `None` when it lies outside of the rectangle that is kept, else whether it changed.
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
        let tile = if key == TileKey::NONE { 0 } else { self.kind_of(source, key, reader)? };
        let Some(place) = self.place(cell) else { return Ok((tile == 0).then_some(false)) };
        let old = std::mem::replace(&mut self.tiles[place], tile);
        self.scene_tiles =
            self.scene_tiles + usize::from(self.is_scene(tile)) - usize::from(self.is_scene(old));
        Ok(Some(old != tile))
    }

    /// Whether the layer has the tiles that it had when it was read. The engine does not tell when tiles are set.
    pub fn is_current(&self, layer: &Gd<TileMapLayer>) -> bool {
        layer.get_tile_map_data_as_array().as_slice() == self.bytes.as_slice()
    }

    /// The cells that hold something.
    pub const fn used(&self) -> CellRect {
        self.used
    }

    /// How many cells hold scenes.
    pub const fn scene_tiles(&self) -> usize {
        self.scene_tiles
    }

    /// How many cells hold something.
    pub fn len(&self) -> usize {
        self.tiles.iter().filter(|&&tile| tile != 0).count()
    }

    /// What the kinds mean.
    pub fn kinds(&self) -> impl Iterator<Item = &K> {
        self.kinds.iter().map(|kind| &kind.meaning)
    }

    /// Calls `each` with every tile within `rect`, row by row.
    pub fn for_each_in(&self, rect: CellRect, mut each: impl FnMut(i32, i32, &K)) {
        let rect = rect.intersection(self.used);
        if rect.is_empty() {
            return;
        }
        for y in rect.y..rect.bottom() {
            let row = (y - self.used.y) as usize * self.used.w as usize;
            let start = row + (rect.x - self.used.x) as usize;
            for (x, &tile) in (rect.x..).zip(&self.tiles[start..start + rect.w as usize]) {
                if tile != 0 {
                    each(x, y, &self.kinds[tile as usize - 1].meaning);
                }
            }
        }
    }

    fn is_scene(&self, tile: u32) -> bool {
        tile != 0 && self.kinds[tile as usize - 1].is_scene
    }

    fn place(&self, cell: Cell) -> Option<usize> {
        let Self { used, .. } = self;
        used.contains(cell).then(|| (cell.y - used.y) as usize * used.w as usize + (cell.x - used.x) as usize)
    }

    fn kind_of(&mut self, source: &Source, key: TileKey, reader: &mut impl Read<K>) -> Result<u32, String> {
        if let Some(&number) = self.by_key.get(&key) {
            return Ok(number);
        }
        let found = TileSource::of(&source.tile_set, key);
        let tile = if let TileSource::Tile(tile) = &found { Some(tile) } else { None };
        let meaning = reader.read(tile)?;
        self.kinds.push(Kind { meaning, is_scene: matches!(found, TileSource::Scene) });
        let number = self.kinds.len() as u32;
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
