//! Cells from a tile map: what has a collision polygon is solid, what has none but one-way polygons is one-way.

use godot::classes::TileMapLayer;
use godot::prelude::*;
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::platformer::PlatformerMap;

use super::PathForgePlatformer;
use crate::convert;
use crate::errors::{report, reported};
use crate::node_arg::NodeArg;
use crate::tile_maps::{self, Snapshot, Source};

/// Rows of open cells above the topmost tile that belong to a level that takes its region from a layer: bodies stand
/// and jump on the topmost tiles, and cells outside of the region let no head in.
const HEADROOM_ROWS: i32 = 16;

/// What a tile does to a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tile {
    Solid,
    OneWay,
}

#[godot_api(secondary)]
impl PathForgePlatformer {
    /// Takes solid and one-way cells from a tile map: a tile with a collision polygon is solid, one whose collision
    /// polygons are all one-way is one-way; other tiles and empty cells are open. All physics layers count.
    ///
    /// A level without a region takes the layer's: its used cells and 16 rows of open cells above them, so that bodies
    /// can stand and jump on the topmost tiles, its tile size and its place. Set [member region] before for more room,
    /// or for none. Then a tile belongs to the cell that holds its centre, and tiles outside the region are left out.
    /// With a grid, the grid's cells become solid where tiles are, and open elsewhere. Returns [code]true[/code] if the
    /// layer could be read.
    ///
    /// ```gdscript
    /// func _ready() -> void:
    ///     platformer.import_tile_map_layer($Ground)
    /// ```
    #[func(gd_self)]
    fn import_tile_map_layer(mut this: Gd<Self>, layer: NodeArg<TileMapLayer>) -> bool {
        let method = "PathForgePlatformer.import_tile_map_layer";
        let read = layer.node("layer").and_then(Source::new).and_then(|source| {
            let physics_layers = source.tile_set.get_physics_layers_count();
            let mut reader =
                |tile: Option<&tile_maps::Tile>| Ok(tile.and_then(|tile| kind_of(tile, physics_layers)));
            Ok((Snapshot::read(&source, &mut reader)?, source))
        });
        let Some((snapshot, Source { layer, tile_set })) = reported(method, read) else { return false };
        let shared = this.bind_mut().shared_grid();
        if shared.is_none() && !this.bind().owns {
            let size = tile_set.get_tile_size();
            let size = Vector2::new(size.x as f32, size.y as f32);
            if !this.bind_mut().take_place_of(&layer, size) {
                return false;
            }
        }
        let mut tiles = Vec::new();
        snapshot.tiles().for_each_in(snapshot.tiles().used(), |x, y, tile| {
            if let Some(tile) = tile {
                tiles.push((layer.map_to_local(Vector2i::new(x, y)), *tile));
            }
        });
        let to_global = this.bind_mut().global_frame();
        if to_global.determinant() == 0.0 {
            report(method, "the node is scaled to nothing");
            return false;
        }
        let to_cells = to_global.affine_inverse() * layer.get_global_transform();
        let solid = this.bind_mut().take_tiles(&tiles, to_cells);
        if let Some(mut grid) = shared {
            grid.call("set_solid_data", vslice![PackedByteArray::from(solid)]);
        }
        true
    }
}

impl PathForgePlatformer {
    /// Takes the layer's used cells with room above them, its tile size and its place.
    fn take_place_of(&mut self, layer: &Gd<TileMapLayer>, tile_size: Vector2) -> bool {
        let used = convert::rect(layer.get_used_rect());
        let headroom = if used.is_empty() { 0 } else { HEADROOM_ROWS };
        let region = CellRect { y: used.y - headroom, h: used.h + headroom, ..used };
        let map = PlatformerMap::new(region);
        let Some(map) = reported("PathForgePlatformer.import_tile_map_layer", map) else { return false };
        let to_node = self.global_frame().affine_inverse() * layer.get_global_transform();
        self.geometry.cell_size = tile_size;
        self.geometry.offset = to_node.origin;
        self.owns = !region.is_empty();
        self.replace_map(map);
        true
    }

    /// Sets the one-way cells, and the solid ones when they are the node's own; returns the solid ones.
    fn take_tiles(&mut self, tiles: &[(Vector2, Tile)], to_cells: Transform2D) -> Vec<u8> {
        self.bring_up_to_date();
        let geometry = self.cell_geometry();
        let region = self.platformer.map().region();
        let cells = self.platformer.map().layout().cells();
        let (mut solid, mut one_way) = (vec![0; cells], vec![0; cells]);
        for (center, tile) in tiles {
            let cell = geometry.cell_at(to_cells * *center);
            if let Some(index) = cell.and_then(|cell| index_of(region, cell)) {
                match tile {
                    Tile::Solid => solid[index] = 1,
                    Tile::OneWay => one_way[index] = 1,
                }
            }
        }
        let owns = self.shared_grid().is_none();
        let map = self.platformer.map_mut();
        // Both lengths are the map's own.
        let _ = map.set_one_way_data(&one_way);
        if owns {
            let _ = map.set_solid_data(&solid);
        }
        self.edits += 1;
        solid
    }
}

fn index_of(region: CellRect, cell: Cell) -> Option<usize> {
    region
        .contains(cell)
        .then(|| (cell.y - region.y) as usize * region.w as usize + (cell.x - region.x) as usize)
}

/// What a tile does, by its collision polygons.
fn kind_of(tile: &tile_maps::Tile, physics_layers: i32) -> Option<Tile> {
    let polygons = (0..physics_layers).flat_map(|layer| tile.collision(layer));
    let kinds = polygons.map(|polygon| if polygon.is_one_way { Tile::OneWay } else { Tile::Solid });
    kinds.reduce(|a, b| if a == Tile::Solid { a } else { b })
}
