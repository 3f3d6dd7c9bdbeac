//! An import: layers, one over the other, and what they tell each cell of the grid.

use godot::classes::TileMapLayer;
use godot::prelude::*;
use pathforge_core::geometry::{Cell, CellRect, Side};
use pathforge_core::terrain::{
    CellChange, CellData, TileFrame, TileLayer, TileMeaning, TileReach, UntoldCells, cells_of_tiles,
};

use super::meaning::MeaningReader;
use super::rules::{RegionMode, Rules};
use crate::map::tile_maps::{Lattice, Snapshot, Source, Tile};
use crate::script::geometry::CellGeometry;

/// Tiles fit onto cells to this precision, in cells.
const FIT_TOLERANCE: f64 = 1e-2;
/// Cells a tile, at most, in a row.
const SPAN_MAX: f64 = 64.0;
/// Cells a tile that are advised where tiles fill cells in parts.
const CELLS_PER_TILE_ADVISED: [i32; 4] = [2, 3, 4, 8];

/// What was imported, from where, by which rules.
pub struct Import {
    pub rules: Rules,
    layers: Vec<ImportedLayer>,
    pub region: CellRect,
    /// `true` if the import has set the region, to hold all tiles.
    pub took_region: bool,
    /// What tiles tell each cell, row by row over the region.
    cells: Vec<CellData>,
}

struct ImportedLayer {
    snapshot: Snapshot<TileMeaning>,
    frame: Frame,
    /// How far a tile's polygons reach.
    reach: TileReach,
}

/// How a layer's tiles lie on the grid's cells.
#[derive(Clone, Copy, PartialEq)]
struct Frame {
    tiles: TileFrame,
    /// From the layer's pixels to cells.
    to_cells: Transform2D,
}

impl Frame {
    fn new(lattice: &Lattice, to_grid: Transform2D, geometry: &CellGeometry) -> Result<Self, String> {
        let cell_of = |position: Vector2| geometry.cell_space_of(to_grid * position);
        let (cx, cy) = cell_of(lattice.center);
        let (xx, xy) = cell_of(lattice.center + lattice.x);
        let (yx, yy) = cell_of(lattice.center + lattice.y);
        let span = [xx - cx, yy - cy];
        let corner = [cx - span[0] / 2.0, cy - span[1] / 2.0];
        let is_whole = |value: f64| (value - value.round()).abs() <= FIT_TOLERANCE && value.abs() < 1e9;
        let fits = corner.iter().chain(&span).all(|&value| is_whole(value))
            && span.iter().all(|n| (0.5..SPAN_MAX + 0.5).contains(n))
            && (xy - cy).abs() <= FIT_TOLERANCE
            && (yx - cx).abs() <= FIT_TOLERANCE;
        if !fits {
            return Err(format!(
                "its tiles do not lie on the grid's cells: a tile takes {:.3} × {:.3} cells from ({:.3}, {:.3}) on; \
                 sizes, places and shapes have to match",
                span[0], span[1], corner[0], corner[1]
            ));
        }
        let origin = Cell::new(corner[0].round() as i32, corner[1].round() as i32);
        Ok(Self {
            tiles: TileFrame { origin, span: span.map(|n| n.round() as i32) },
            to_cells: geometry.transform().affine_inverse() * to_grid,
        })
    }
}

/// The grid's own shape, size and offset for the cells of a layer.
pub fn geometry_for(
    source: &Source,
    to_grid: Transform2D,
    cells_per_tile: i32,
) -> Result<CellGeometry, String> {
    let lattice = Lattice::of(&source.layer, &source.tile_set)?;
    let is_straight =
        to_grid.a.y.abs() < 1e-4 && to_grid.b.x.abs() < 1e-4 && to_grid.a.x > 0.0 && to_grid.b.y > 0.0;
    if !is_straight {
        return Err(
            "the layer is turned, mirrored or skewed against the grid; keep the region instead, with \
                    cells that fit"
                .to_owned(),
        );
    }
    let size = source.tile_set.get_tile_size();
    let scale = Vector2::new(to_grid.a.x, to_grid.b.y) / cells_per_tile as f32;
    let mut geometry = CellGeometry {
        shape: lattice.shape,
        cell_size: Vector2::new(size.x as f32, size.y as f32) * scale,
        offset: Vector2::ZERO,
    };
    geometry.offset = to_grid * lattice.transform().origin - geometry.local_of(0.0, 0.0);
    Ok(geometry)
}

/// A source with its place.
pub struct Placed {
    pub source: Source,
    /// From the layer's to the grid's local space.
    pub to_grid: Transform2D,
}

impl Import {
    /// Reads layers. Without a region to keep, the region becomes the smallest that holds all tiles.
    pub fn read(
        placed: &[Placed],
        rules: Rules,
        terrain_names: &PackedStringArray,
        geometry: &CellGeometry,
        kept: Option<CellRect>,
    ) -> Result<Self, String> {
        check_names(placed, &rules)?;
        let mut layers = Vec::with_capacity(placed.len());
        for Placed { source, to_grid } in placed {
            let named = |problem: String| format!("layer {}: {problem}", source.layer.get_name());
            let lattice = Lattice::of(&source.layer, &source.tile_set).map_err(named)?;
            let frame = Frame::new(&lattice, *to_grid, geometry).map_err(named)?;
            let reader = MeaningReader::new(&rules, terrain_names, source, frame.to_cells, frame.tiles.span);
            let snapshot =
                Snapshot::read(source, &mut |tile: Option<&Tile>| reader.read(tile)).map_err(named)?;
            let reach = TileMeaning::reach(snapshot.tiles().kinds(), frame.tiles.span);
            layers.push(ImportedLayer { snapshot, frame, reach });
        }
        let used = layers.iter().map(|layer| layer.frame.tiles.cells(layer.snapshot.tiles().used()));
        let used = used.filter(|rect| !rect.is_empty()).reduce(CellRect::union).unwrap_or_default();
        let headroom = if used.is_empty() { 0 } else { rules.headroom };
        let with_headroom =
            CellRect { y: used.y.saturating_sub(headroom), h: used.h.saturating_add(headroom), ..used };
        let region = kept.unwrap_or(with_headroom);
        pathforge_core::terrain::check_region(region).map_err(|problem| problem.to_string())?;
        let took_region = kept.is_none();
        let mut import = Self { rules, layers, region, took_region, cells: Vec::new() };
        import.cells = import.tell(region);
        Ok(import)
    }

    /// Tells the cells of another region, which a script has set.
    pub fn set_region(&mut self, region: CellRect) {
        (self.region, self.took_region) = (region, false);
        self.cells = self.tell(region);
    }

    /// What tiles tell each cell of the region.
    pub fn cells(&self) -> &[CellData] {
        &self.cells
    }

    /// What tiles told a cell; open ground outside of the region.
    pub fn told(&self, cell: Cell) -> CellData {
        let Self { region, .. } = self;
        let open = CellData::default();
        if region.contains(cell) {
            let place = (cell.y - region.y) as usize * region.w as usize + (cell.x - region.x) as usize;
            self.cells.get(place).copied().unwrap_or(open)
        } else {
            open
        }
    }

    /// How cells change that take all that they are told, and the edges that cells beside them share.
    pub fn told_to(&self, cells: CellRect) -> impl Iterator<Item = CellChange> {
        let cells = cells.intersection(self.region);
        let all = cells.cells().map(|cell| CellChange {
            cell,
            data: self.told(cell),
            only_edges: false,
            sides: 15,
        });
        let beside = Side::ALL.into_iter().flat_map(move |side| {
            let rim = cells.cells().filter(move |&cell| !cells.contains(side.beyond(cell)));
            rim.map(move |cell| (side.beyond(cell), 1 << side.opposite() as u8))
        });
        let shared =
            beside.map(|(cell, sides)| CellChange { cell, data: self.told(cell), only_edges: true, sides });
        all.chain(shared)
    }

    /// Returns `true` if it is made of these layers, in this order.
    pub fn is_of(&self, layers: impl Iterator<Item = InstanceId>) -> bool {
        layers.eq(self.layers.iter().map(|layer| layer.snapshot.layer))
    }

    /// The layers that it was made of.
    pub fn layers(&self) -> impl Iterator<Item = InstanceId> {
        self.layers.iter().map(|layer| layer.snapshot.layer)
    }

    /// Returns `true` if the layers that live have the tiles that they had when they were read.
    pub fn is_current(&self) -> bool {
        self.layers.iter().all(|layer| {
            let alive = Gd::<TileMapLayer>::try_from_instance_id(layer.snapshot.layer);
            alive.map_or(true, |alive| layer.snapshot.is_current(&alive))
        })
    }

    /// The cells of one tile of a layer.
    pub fn cells_of(&self, layer: InstanceId, tile: Cell) -> CellRect {
        let of = self.layers.iter().find(|known| known.snapshot.layer == layer);
        of.map_or(CellRect::default(), |known| known.frame.tiles.cells(CellRect::cell(tile)))
    }

    /// How many tiles were read: scenes are none.
    pub fn tile_count(&self) -> usize {
        let layers = self.layers.iter().map(|layer| &layer.snapshot);
        layers.map(|layer| layer.tiles().count() - layer.scene_tiles()).sum()
    }

    /// What is said of an import that tells cells nothing, or whose tiles fit other cells better.
    pub fn warning(&self) -> Option<String> {
        self.silence().or_else(|| self.advice())
    }

    /// What is said of an import that tells cells nothing.
    fn silence(&self) -> Option<String> {
        let open = CellData::default();
        if self.tile_count() == 0 {
            Some("the layers have no tiles".to_owned())
        } else if let Some(layer) = self.rules.navigation
            && self.cells.iter().all(|cell| cell.solid)
        {
            Some(format!(
                "no navigation polygon of navigation layer {layer} counts for a cell: all cells are solid"
            ))
        } else if self.cells.iter().all(|cell| *cell == open) {
            Some(
                "no tile has a collision polygon or custom data that count for a cell: all cells are open"
                    .to_owned(),
            )
        } else {
            None
        }
    }

    /// What is said of tiles that fill cells in parts, where other cells fit them better. Only maps seen from
    /// the side are told.
    fn advice(&self) -> Option<String> {
        let Rules { headroom, region_mode, cells_per_tile, .. } = self.rules;
        if headroom == 0 || region_mode == RegionMode::Keep {
            return None;
        }
        let kinds = self.layers.iter().flat_map(|layer| layer.snapshot.tiles().kinds());
        let partial: Vec<&TileMeaning> = kinds.filter(|kind| !kind.partial.is_empty()).collect();
        let count = partial.len();
        let fitting = |per_tile: i32| {
            let scale = f64::from(per_tile) / f64::from(cells_per_tile);
            partial.iter().filter(|kind| kind.is_whole_at(scale)).count()
        };
        // The least of those with which most fit.
        let mut best = (0, count / 2);
        for per_tile in CELLS_PER_TILE_ADVISED {
            let fits = fitting(per_tile);
            if fits > best.1 {
                best = (per_tile, fits);
            }
        }
        let (per_tile, fits) = best;
        let of_them = if fits == count { "all".to_owned() } else { format!("{fits}") };
        (per_tile != 0).then(|| {
            format!(
                "{count} kinds of tiles fill cells in parts that are no floors; with rules.cells_per_tile = \
                 {per_tile}, {of_them} of them fill whole cells or floors"
            )
        })
    }

    /// How far the cells that painted tiles change reach beyond the cells that the tiles reach: where there are
    /// edges, to the cells that share them.
    fn slack(&self) -> i32 {
        let has_edges = |layer: &ImportedLayer| TileMeaning::any_has_edges(layer.snapshot.tiles().kinds());
        i32::from(self.layers.iter().any(has_edges))
    }

    /// Reads the layers again; returns how the cells that are told otherwise change. `None` when more than tiles
    /// has changed: their extent, their places or what they mean.
    pub fn refresh(
        &mut self,
        placed: &[Placed],
        terrain_names: &PackedStringArray,
        geometry: &CellGeometry,
    ) -> Result<Option<Vec<CellChange>>, String> {
        let slack = self.slack();
        if placed.len() != self.layers.len() {
            return Ok(None);
        }
        let mut painted = Vec::new();
        for (layer, Placed { source, to_grid }) in self.layers.iter_mut().zip(placed) {
            let lattice = Lattice::of(&source.layer, &source.tile_set)?;
            let frame = Frame::new(&lattice, *to_grid, geometry)?;
            if frame != layer.frame {
                return Ok(None);
            }
            let reader =
                MeaningReader::new(&self.rules, terrain_names, source, frame.to_cells, frame.tiles.span);
            let snapshot = Snapshot::read(source, &mut |tile: Option<&Tile>| reader.read(tile))?;
            let Some(tiles) = layer.snapshot.differences(&snapshot) else { return Ok(None) };
            let old_reach = layer.reach;
            layer.reach = TileMeaning::reach(snapshot.tiles().kinds(), frame.tiles.span);
            layer.snapshot = snapshot;
            let both: [i32; 4] = std::array::from_fn(|i| layer.reach[i].max(old_reach[i]));
            painted.extend(tiles.into_iter().map(|tile| frame.tiles.around(tile, both)));
        }
        let slack = slack.max(self.slack());
        let mut changed = Vec::new();
        for rect in painted {
            self.update(rect.grown(slack, slack, slack, slack), &mut changed);
        }
        Ok(Some(changed))
    }

    /// Reads some tiles of one layer again; returns how the cells that are told otherwise change. `None` when a
    /// tile lies where nothing was kept, so that everything has to be read.
    pub fn read_again(
        &mut self,
        placed: &Placed,
        terrain_names: &PackedStringArray,
        tiles: &[Cell],
    ) -> Result<Option<Vec<CellChange>>, String> {
        let slack = self.slack();
        let id = placed.source.layer.instance_id();
        let Some(layer) = self.layers.iter_mut().find(|layer| layer.snapshot.layer == id) else {
            return Ok(None);
        };
        let frame = layer.frame;
        let reader =
            MeaningReader::new(&self.rules, terrain_names, &placed.source, frame.to_cells, frame.tiles.span);
        let old_reach = layer.reach;
        for &tile in tiles {
            let again =
                layer.snapshot.read_again(&placed.source, tile, &mut |tile: Option<&Tile>| reader.read(tile));
            if again?.is_none() {
                return Ok(None);
            }
        }
        // Kinds that are new may reach further.
        layer.reach = TileMeaning::reach(layer.snapshot.tiles().kinds(), frame.tiles.span);
        let both = std::array::from_fn(|i| layer.reach[i].max(old_reach[i]));
        let slack = slack.max(self.slack());
        let mut changed = Vec::new();
        for &tile in tiles {
            let around = frame.tiles.around(tile, both);
            self.update(around.grown(slack, slack, slack, slack), &mut changed);
        }
        Ok(Some(changed))
    }

    fn update(&mut self, rect: CellRect, changed: &mut Vec<CellChange>) {
        let rect = rect.intersection(self.region);
        if rect.is_empty() {
            return;
        }
        for (cell, told) in rect.cells().zip(self.tell(rect)) {
            let row = (cell.y - self.region.y) as usize * self.region.w as usize;
            let kept = &mut self.cells[row + (cell.x - self.region.x) as usize];
            changed.extend(CellChange::between(cell, *kept, told));
            *kept = told;
        }
    }

    /// What tiles tell the cells of a rectangle.
    fn tell(&self, rect: CellRect) -> Vec<CellData> {
        let Rules { topmost, empty_solid, navigation, .. } = self.rules;
        let untold =
            UntoldCells { without_tile_solid: empty_solid, without_navigation_solid: navigation.is_some() };
        let layers = self.layers.iter().map(|layer| TileLayer {
            tiles: layer.snapshot.tiles(),
            frame: layer.frame.tiles,
            reach: layer.reach,
            is_topmost: topmost,
        });
        cells_of_tiles(layers, rect, untold)
    }
}

/// A custom data layer that is named has to be in some layer's tile set, and so has the navigation layer.
fn check_names(placed: &[Placed], rules: &Rules) -> Result<(), String> {
    for name in rules.own_names() {
        let knows = |p: &Placed| p.source.tile_set.get_custom_data_layer_by_name(name) >= 0;
        if !placed.is_empty() && !placed.iter().any(knows) {
            return Err(format!("rules: no tile set has a custom data layer {name}"));
        }
    }
    if let Some(layer) = rules.navigation {
        let knows = |p: &Placed| p.source.tile_set.get_navigation_layers_count() > layer;
        if !placed.is_empty() && !placed.iter().any(knows) {
            return Err(format!("rules.navigation: no tile set has a navigation layer {layer}"));
        }
    }
    Ok(())
}
