//! An import: layers, one over the other, and what they tell each cell of the grid.

use godot::classes::TileMapLayer;
use godot::prelude::*;
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::terrain::CellData;

use super::meaning::{Meaning, MeaningReader};
use super::rules::Rules;
use crate::geometry::CellGeometry;
use crate::tile_maps::{Lattice, Snapshot, Source, Tile};

/// Tiles fit onto cells to this precision, in cells.
const FIT_TOLERANCE: f64 = 1e-2;
/// Cells a tile, at most, in a row.
const SPAN_MAX: f64 = 64.0;

/// What was imported, from where, by which rules.
pub struct Import {
    pub rules: Rules,
    layers: Vec<ImportedLayer>,
    pub region: CellRect,
    /// `true` if the region is the one that holds all tiles.
    pub took_region: bool,
    /// What tiles tell each cell, row by row over the region.
    cells: Vec<CellData>,
}

struct ImportedLayer {
    snapshot: Snapshot<Meaning>,
    frame: Frame,
    /// How far a tile's polygons reach from its first cell: left, up, right and down.
    reach: [i32; 4],
}

/// How a layer's tiles lie on the grid's cells.
#[derive(Clone, Copy, PartialEq)]
struct Frame {
    /// The first cell of tile (0, 0).
    origin: Cell,
    /// Cells a tile, across and down.
    span: [i32; 2],
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
        Ok(Self {
            origin: Cell::new(corner[0].round() as i32, corner[1].round() as i32),
            span: span.map(|n| n.round() as i32),
            to_cells: geometry.transform().affine_inverse() * to_grid,
        })
    }

    /// The first cell of a tile.
    const fn first(&self, x: i32, y: i32) -> Cell {
        Cell::new(
            self.origin.x.saturating_add(x.saturating_mul(self.span[0])),
            self.origin.y.saturating_add(y.saturating_mul(self.span[1])),
        )
    }

    /// The cells that a tile can reach.
    const fn around(&self, tile: Cell, [left, up, right, down]: [i32; 4]) -> CellRect {
        let first = self.first(tile.x, tile.y);
        CellRect::new(first.x - left, first.y - up, left + right + 1, up + down + 1)
    }

    /// The cells of some tiles.
    const fn cells(&self, tiles: CellRect) -> CellRect {
        let first = self.first(tiles.x, tiles.y);
        CellRect::new(
            first.x,
            first.y,
            tiles.w.saturating_mul(self.span[0]),
            tiles.h.saturating_mul(self.span[1]),
        )
    }

    /// The tiles whose cells, or those that they reach, lie in a rectangle of cells.
    fn tiles(&self, cells: CellRect, [left, up, right, down]: [i32; 4]) -> CellRect {
        let [w, h] = self.span;
        let x0 = -(self.origin.x + right - cells.x).div_euclid(w);
        let y0 = -(self.origin.y + down - cells.y).div_euclid(h);
        let x1 = (cells.right() - 1 - self.origin.x + left).div_euclid(w);
        let y1 = (cells.bottom() - 1 - self.origin.y + up).div_euclid(h);
        CellRect::new(x0, y0, x1 - x0 + 1, y1 - y0 + 1)
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
    /// Reads layers. Without a region to keep, the one that holds all tiles is taken.
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
            let reader =
                MeaningReader::new(&rules, terrain_names, &source.tile_set, frame.to_cells, frame.span);
            let snapshot =
                Snapshot::read(source, &mut |tile: Option<&Tile>| reader.read(tile)).map_err(named)?;
            let reach = reach(&snapshot, frame.span);
            layers.push(ImportedLayer { snapshot, frame, reach });
        }
        let used = layers.iter().map(|layer| layer.frame.cells(layer.snapshot.tiles().used()));
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
        of.map_or(CellRect::default(), |known| known.frame.cells(CellRect::cell(tile)))
    }

    /// How many tiles were read: scenes are none.
    pub fn tile_count(&self) -> usize {
        let layers = self.layers.iter().map(|layer| &layer.snapshot);
        layers.map(|layer| layer.tiles().len() - layer.scene_tiles()).sum()
    }

    /// Reads the layers again; returns what the cells that changed are told now. `None` when more than tiles has
    /// changed: their extent, their places or what they mean.
    pub fn refresh(
        &mut self,
        placed: &[Placed],
        terrain_names: &PackedStringArray,
        geometry: &CellGeometry,
    ) -> Result<Option<Vec<(Cell, CellData)>>, String> {
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
                MeaningReader::new(&self.rules, terrain_names, &source.tile_set, frame.to_cells, frame.span);
            let snapshot = Snapshot::read(source, &mut |tile: Option<&Tile>| reader.read(tile))?;
            let Some(tiles) = layer.snapshot.differences(&snapshot) else { return Ok(None) };
            let old_reach = layer.reach;
            layer.reach = reach(&snapshot, frame.span);
            layer.snapshot = snapshot;
            let both: [i32; 4] = std::array::from_fn(|i| layer.reach[i].max(old_reach[i]));
            painted.extend(tiles.into_iter().map(|tile| frame.around(tile, both)));
        }
        let mut changed = Vec::new();
        for rect in painted {
            self.update(rect.intersection(self.region), &mut changed);
        }
        Ok(Some(changed))
    }

    /// Reads some tiles of one layer again; returns what the cells that changed are told now. `None` when a tile lies
    /// where nothing was kept, so that everything has to be read.
    pub fn read_again(
        &mut self,
        placed: &Placed,
        terrain_names: &PackedStringArray,
        tiles: &[Cell],
    ) -> Result<Option<Vec<(Cell, CellData)>>, String> {
        let id = placed.source.layer.instance_id();
        let Some(layer) = self.layers.iter_mut().find(|layer| layer.snapshot.layer == id) else {
            return Ok(None);
        };
        let frame = layer.frame;
        let reader = MeaningReader::new(
            &self.rules,
            terrain_names,
            &placed.source.tile_set,
            frame.to_cells,
            frame.span,
        );
        let old_reach = layer.reach;
        for &tile in tiles {
            let again =
                layer.snapshot.read_again(&placed.source, tile, &mut |tile: Option<&Tile>| reader.read(tile));
            if again?.is_none() {
                return Ok(None);
            }
        }
        // Kinds that are new may reach further.
        layer.reach = reach(&layer.snapshot, frame.span);
        let both = std::array::from_fn(|i| layer.reach[i].max(old_reach[i]));
        let mut changed = Vec::new();
        for &tile in tiles {
            self.update(frame.around(tile, both).intersection(self.region), &mut changed);
        }
        Ok(Some(changed))
    }

    fn update(&mut self, rect: CellRect, changed: &mut Vec<(Cell, CellData)>) {
        if rect.is_empty() {
            return;
        }
        for (cell, told) in rect.cells().zip(self.tell(rect)) {
            let row = (cell.y - self.region.y) as usize * self.region.w as usize;
            let kept = &mut self.cells[row + (cell.x - self.region.x) as usize];
            if *kept != told {
                *kept = told;
                changed.push((cell, told));
            }
        }
    }

    /// What tiles tell the cells of a rectangle.
    fn tell(&self, rect: CellRect) -> Vec<CellData> {
        let mut sums = vec![Sum::default(); rect.area() as usize];
        let place = |x: i32, y: i32| {
            let inside = rect.contains(Cell::new(x, y));
            inside.then(|| (y - rect.y) as usize * rect.w as usize + (x - rect.x) as usize)
        };
        for layer in &self.layers {
            let Frame { span: [w, h], .. } = layer.frame;
            let tiles = layer.frame.tiles(rect, layer.reach);
            if self.rules.topmost {
                layer.snapshot.tiles().for_each_in(tiles, |x, y, meaning| {
                    let first = layer.frame.first(x, y);
                    let cells = CellRect::new(first.x, first.y, w, h);
                    if meaning.is_tile {
                        cells.cells().filter_map(|c| place(c.x, c.y)).for_each(|i| sums[i] = Sum::default());
                    }
                });
            }
            layer.snapshot.tiles().for_each_in(tiles, |x, y, meaning| {
                if !meaning.is_tile {
                    return;
                }
                let first = layer.frame.first(x, y);
                for y in first.y..first.y + h {
                    for x in first.x..first.x + w {
                        if let Some(i) = place(x, y) {
                            sums[i].take(meaning);
                        }
                    }
                }
                for covered in &meaning.covered {
                    if let Some(i) = place(first.x + covered.dx, first.y + covered.dy) {
                        sums[i].told.solid |= covered.solid;
                        sums[i].told.one_way |= covered.one_way;
                        sums[i].floor |= covered.floor;
                    }
                }
            });
        }
        sums.into_iter().map(|sum| sum.told(&self.rules)).collect()
    }
}

/// What the tiles over one cell tell together.
#[derive(Clone, Copy, Default)]
struct Sum {
    is_tile: bool,
    floor: bool,
    told: CellData,
}

impl Sum {
    fn take(&mut self, meaning: &Meaning) {
        self.is_tile = true;
        self.told.solid |= meaning.solid;
        self.told.one_way |= meaning.one_way;
        if meaning.terrain != 0 {
            self.told.terrain = meaning.terrain;
        }
        if meaning.weight != 0.0 {
            self.told.weight = meaning.weight;
        }
    }

    fn told(self, rules: &Rules) -> CellData {
        let Self { is_tile, floor, told } = self;
        let solid = told.solid || rules.navigation.is_some() && !floor || rules.empty_solid && !is_tile;
        // Where polygons of both kinds are, the solid one counts.
        CellData { solid, one_way: told.one_way && !solid, ..told }
    }
}

/// How far the kinds of tiles reach from their first cell: left, up, right and down.
fn reach(snapshot: &Snapshot<Meaning>, [w, h]: [i32; 2]) -> [i32; 4] {
    let covered = snapshot.tiles().kinds().flat_map(|meaning| &meaning.covered);
    covered.fold([0, 0, w - 1, h - 1], |[left, up, right, down], cell| {
        [left.max(-cell.dx), up.max(-cell.dy), right.max(cell.dx), down.max(cell.dy)]
    })
}

/// A custom data layer that is named has to be in some layer's tile set.
fn check_names(placed: &[Placed], rules: &Rules) -> Result<(), String> {
    for name in rules.own_names() {
        let knows = |p: &Placed| p.source.tile_set.get_custom_data_layer_by_name(name) >= 0;
        if !placed.is_empty() && !placed.iter().any(knows) {
            return Err(format!("rules: no tile set has a custom data layer {name}"));
        }
    }
    Ok(())
}
