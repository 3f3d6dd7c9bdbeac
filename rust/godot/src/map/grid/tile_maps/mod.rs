//! Cells from tile maps, at once or as they are painted.

mod apply;
mod import;
mod meaning;
mod rules;

use std::time::Instant;

use godot::builtin::AnyArray;
use godot::classes::TileMapLayer;
use godot::prelude::*;
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::terrain::{CellChange, CellData};

use super::PathForgeGrid;
use crate::engine::errors::{report_warning, reported};
use crate::engine::state;
use crate::map::tile_maps::Source;
use crate::map::tile_rules::PathForgeTileRules;
use crate::script::array_of::{CellArray, NodeArray, NodeList};
use crate::script::convert;
use crate::script::geometry::CellGeometry;
use crate::script::node_arg::NodeArg;
use crate::script::optional_arg::ResourceArg;
use import::{Import, Placed, geometry_for};
use rules::{RegionMode, Rules};

/// The grid's layers, and what was imported last.
#[derive(Default)]
pub struct TileMaps {
    /// The property, as it was set.
    pub layers: NodeList<TileMapLayer>,
    /// The layers whose changes are heard.
    heard: Vec<InstanceId>,
    imported: Option<Import>,
    /// `true` if a layer has said that it has changed since.
    is_stale: bool,
    /// When the layers are looked at next.
    next_look: Option<Instant>,
}

/// Looking for tiles that were set takes one part of the time in so many, so that small layers are looked at
/// every frame and large ones less often.
const LOOK_EVERY: u32 = 20;

#[godot_api(secondary)]
impl PathForgeGrid {
    /// Sets cells from the tiles of layers, first to last. Returns [code]true[/code] if it could; after an
    /// error nothing has changed. `rules` say what tiles mean. Without rules:
    ///
    /// - A cell is solid when its centre lies in a collision polygon of any layer, as the physics server sees
    ///   it. It is one-way if its tiles have one-way polygons and no others.
    /// - Custom data layers count by name. `solid` and `one_way` (bool) make a whole tile solid or one-way,
    ///   `terrain` is an id or one of [member terrain_names], `weight` is a number. `edges` are blocked edges at
    ///   the rim of a tile, such as [code]"top left"[/code]; `one_way_edges` block only steps out of it.
    /// - Other cells are open, of terrain 0 and weight 1.
    /// - Cell (x, y) is tile (x, y): the grid takes over the first layer's tile size, shape and place.
    /// - A [member region] that was set is kept. A region that is empty or comes from an import becomes the
    ///   layers' used rectangle.
    ///
    /// Maps seen from the side need room above the topmost tiles: see [method PathForgeTileRules.side_view].
    ///
    /// Square cells get floors, see [method set_point_floor]:
    ///
    /// - Where the upper edge of the collision polygons is a straight line across a cell, that is the cell's
    ///   floor, whatever lies below it. A slope that is as wide as two tiles is a floor in both. Such a cell
    ///   is solid or open as its coverage says.
    /// - In a one-way cell, the upper edge of its one-way polygons is the floor, unless it is that of the cell.
    /// - Cells that are full to the top have none, and neither have cells with humps, or walls narrower than
    ///   the cell. A cell has the higher of two floors; of two that cross, it has none.
    /// - With [member PathForgeTileRules.headroom_cells], a warning says which [member
    ///   PathForgeTileRules.cells_per_tile] would fit tiles that fill cells in other parts.
    ///
    /// If layers have tiles at the same cell:
    ///
    /// - The cell is solid if any layer makes it solid. An edge is blocked if any tile on either side of it says
    ///   so.
    /// - Its terrain and weight are those of the last layer whose tile has one. Terrain 0, an empty terrain
    ///   name and weight 0 do not count.
    /// - So a bridge of terrain 0 leaves the water below it as water. Give it a terrain of its own, or set
    ///   [member PathForgeTileRules.topmost].
    /// - An empty string as `solid`, `one_way` or `weight` is an error: make these custom data layers of the
    ///   types bool and float.
    ///
    /// Tiles may be alternatives, mirrored and turned, reach over other cells, and lie at negative
    /// coordinates. Scenes are ignored. Square tiles and diamonds are read; hexagonal,
    /// half-offset, stacked and stairs layouts are refused. Whether a layer is visible or enabled does not
    /// matter; one with [code]collision_enabled[/code] off has no walls.
    ///
    /// ```gdscript
    /// var rules := PathForgeTileRules.new()
    /// rules.cells_per_tile = 2
    /// rules.custom_terrain = "ground_kind"
    /// if not grid.import_tile_map_layers([$Floor, $Walls, $Bridges], rules):
    ///     print("The tiles could not be read: see the errors.")
    /// ```
    #[func(gd_self)]
    fn import_tile_map_layers(
        this: Gd<Self>,
        layers: AnyArray,
        #[opt(default = ResourceArg::NONE)] rules: ResourceArg<PathForgeTileRules>,
    ) -> bool {
        let method = "PathForgeGrid.import_tile_map_layers";
        match reported(method, Source::all("layers", &layers)) {
            Some(sources) => Self::import_asked(this, method, sources, rules.0.as_ref()),
            None => false,
        }
    }

    /// Takes some tiles of a layer again, by their map coordinates, after a game has changed them: much less
    /// work than a whole import. The layer has to be one of the last import, or one of [member
    /// source_layers], whose [member import_rules] then count. Other cells keep what they have. Returns
    /// [code]true[/code] if the tiles could be read.
    ///
    /// ```gdscript
    /// func dig(tile: Vector2i) -> void:
    ///     ground.erase_cell(tile)
    ///     grid.import_tile_map_cells(ground, [tile])
    /// ```
    #[func(gd_self)]
    fn import_tile_map_cells(this: Gd<Self>, layer: NodeArg<TileMapLayer>, cells: CellArray) -> bool {
        let method = "PathForgeGrid.import_tile_map_cells";
        let source = layer.node("layer").and_then(Source::new);
        let checked = source.and_then(|source| Ok((source, convert::cells("cells", &cells)?)));
        let Some((source, tiles)) = reported(method, checked) else { return false };
        Self::import_some(this, method, source, &tiles)
    }

    /// A layer of [member source_layers] or its tile set has changed. Layers do not say when tiles are set.
    #[func]
    fn _on_source_layer_changed(&mut self) {
        self.tile_maps.is_stale = true;
    }
}

impl PathForgeGrid {
    /// Imports layers at a script's call, and warns where tiles say nothing, or fit other cells better. Layers
    /// that a grid follows may be painted later.
    fn import_asked(
        this: Gd<Self>,
        method: &str,
        sources: Vec<Source>,
        rules: Option<&Gd<PathForgeTileRules>>,
    ) -> bool {
        let is_done = Self::import_all(this.clone(), method, sources, rules);
        if is_done
            && this.is_instance_valid()
            && let Some(warning) = this.bind().tile_maps.imported.as_ref().and_then(Import::warning)
        {
            report_warning(method, warning);
        }
        is_done
    }

    /// Imports layers by rules that a script gave.
    fn import_all(
        mut this: Gd<Self>,
        method: &str,
        sources: Vec<Source>,
        rules: Option<&Gd<PathForgeTileRules>>,
    ) -> bool {
        let read = Rules::of(rules).and_then(|rules| this.bind_mut().read_layers(sources, rules));
        let Some((import, geometry)) = reported(method, read) else { return false };
        if let Some(geometry) = geometry {
            state::of(&this).lock().geometry = geometry;
        }
        apply::all(this, method, import)
    }

    fn read_layers(
        &mut self,
        sources: Vec<Source>,
        rules: Rules,
    ) -> Result<(Import, Option<CellGeometry>), String> {
        let placed = self.place(sources)?;
        let region = self.cell_region();
        let keeps_all = rules.region_mode == RegionMode::Keep;
        if keeps_all && region.is_empty() {
            return Err("rules.region_mode is REGION_KEEP, and the grid has no region to keep".to_owned());
        }
        let geometry = if keeps_all {
            None
        } else {
            let first = placed.first().ok_or("there is no layer")?;
            Some(geometry_for(&first.source, first.to_grid, rules.cells_per_tile)?)
        };
        let kept = self.keeps_region(&rules).then_some(region);
        let used = geometry.unwrap_or_else(|| self.cell_geometry());
        let import = Import::read(&placed, rules, &self.terrain_names, &used, kept)?;
        Ok((import, geometry))
    }

    /// Returns `true` if an import by these rules keeps the region: a script has set it, not an import.
    fn keeps_region(&self, rules: &Rules) -> bool {
        let region = self.cell_region();
        let taken = self.tile_maps.imported.as_ref().is_some_and(|i| i.took_region && i.region == region);
        match rules.region_mode {
            RegionMode::Keep => true,
            RegionMode::Take => false,
            RegionMode::Auto => !region.is_empty() && !taken,
        }
    }

    /// Where layers lie in the grid's local space.
    fn place(&mut self, sources: Vec<Source>) -> Result<Vec<Placed>, String> {
        let to_global = self.global_transform();
        if to_global.determinant() == 0.0 || !to_global.is_finite() {
            return Err("the grid is scaled to nothing".to_owned());
        }
        let to_local = to_global.affine_inverse();
        let placed = sources.into_iter().map(|source| {
            let to_grid = to_local * source.layer.get_global_transform();
            Placed { source, to_grid }
        });
        Ok(placed.collect())
    }

    fn import_some(mut this: Gd<Self>, method: &str, source: Source, tiles: &[Cell]) -> bool {
        let id = source.layer.instance_id();
        let known =
            this.bind().tile_maps.imported.as_ref().is_some_and(|i| i.layers().any(|layer| layer == id));
        if !known {
            // Cells that came with the scene: what they were made from is read once.
            let read = this.bind_mut().read_behind_the_cells(&source);
            let Some(import) = reported(method, read) else { return false };
            this.bind_mut().tile_maps.imported = Some(import);
        }
        let changed = {
            let mut grid = this.bind_mut();
            let names = grid.terrain_names.clone();
            let placed = grid.place(vec![source]);
            let import = grid.tile_maps.imported.as_mut();
            placed.and_then(|placed| match (import, placed.first()) {
                (Some(import), Some(placed)) => import.read_again(placed, &names, tiles),
                _ => Ok(None),
            })
        };
        match reported(method, changed) {
            None => false,
            // Somewhere new: the region may have to grow.
            Some(None) => Self::refresh_import(this, method),
            Some(Some(changed)) => {
                // Just imported: what the tiles are told is new to the grid even where it is not to the
                // import.
                let cells = if known { changed } else { this.bind().told_of(id, tiles, changed) };
                apply::some(this, &cells);
                true
            }
        }
    }

    /// An import that stands for what the cells were made from: by the properties when they name the layer.
    fn read_behind_the_cells(&mut self, source: &Source) -> Result<Import, String> {
        let layers = self.tile_maps.layers.living();
        let mut rules = Rules::of(self.import_rules.as_ref())?;
        rules.region_mode = RegionMode::Keep;
        let sources = if layers.contains(&source.layer) {
            layers.into_iter().map(Source::new).collect::<Result<_, _>>()?
        } else {
            vec![source.clone()]
        };
        if self.cell_region().is_empty() {
            return Err("there are no cells yet; call import_tile_map_layers() first".to_owned());
        }
        Ok(self.read_layers(sources, rules)?.0)
    }

    /// What the cells of some tiles are told, with the edges that cells beside them share, and the cells that
    /// have changed.
    fn told_of(&self, layer: InstanceId, tiles: &[Cell], mut changed: Vec<CellChange>) -> Vec<CellChange> {
        if let Some(import) = &self.tile_maps.imported {
            for &tile in tiles {
                changed.extend(import.told_to(import.cells_of(layer, tile)));
            }
        }
        changed
    }

    /// Reads the layers of the last import again and takes over what they tell differently.
    pub(super) fn refresh_import(mut this: Gd<Self>, method: &str) -> bool {
        let painted = this.bind_mut().read_painted();
        match reported(method, painted) {
            None => return false,
            Some(Painted::Cells(cells)) => {
                apply::some(this, &cells);
                return true;
            }
            Some(Painted::Anything) => {}
        }
        let read = this.bind_mut().read_imported();
        let Some((import, geometry)) = reported(method, read) else { return false };
        if let Some(geometry) = geometry {
            state::of(&this).lock().geometry = geometry;
        }
        apply::differences(this, method, import)
    }

    /// What was painted since the last import, if tiles are all that has changed.
    fn read_painted(&mut self) -> Result<Painted, String> {
        self.tile_maps.is_stale = false;
        let Some(mut import) = self.tile_maps.imported.take() else { return Ok(Painted::Cells(Vec::new())) };
        let placed = Self::imported_sources(&import).and_then(|sources| self.place(sources));
        let (names, geometry) = (self.terrain_names.clone(), self.cell_geometry());
        let is_same_region = import.region == self.cell_region();
        let cells = match placed {
            Ok(placed) if is_same_region => import.refresh(&placed, &names, &geometry),
            Ok(_) => Ok(None),
            Err(problem) => Err(problem),
        };
        self.tile_maps.imported = Some(import);
        Ok(cells?.map_or(Painted::Anything, Painted::Cells))
    }

    fn read_imported(&mut self) -> Result<(Import, Option<CellGeometry>), String> {
        let import = self.tile_maps.imported.take().ok_or("there is no import")?;
        let rules = import.rules.clone();
        let sources = Self::imported_sources(&import);
        // A region may grow if an import has taken it.
        self.tile_maps.imported = Some(import);
        self.read_layers(sources?, rules)
    }

    /// The layers of an import that live.
    fn imported_sources(import: &Import) -> Result<Vec<Source>, String> {
        let layers = import.layers().filter_map(|id| Gd::<TileMapLayer>::try_from_instance_id(id).ok());
        layers.map(Source::new).collect()
    }

    /// Once a frame: takes over what was painted.
    pub(super) fn follow_layers(mut this: Gd<Self>) {
        let start = Instant::now();
        let is_due = {
            let grid = this.bind();
            let maps = &grid.tile_maps;
            let is_due = maps.is_stale || maps.next_look.is_none_or(|next| start >= next);
            is_due && !maps.heard.is_empty() && grid.imports_its_layers()
        };
        if !is_due {
            return;
        }
        let has_changed = {
            let grid = this.bind();
            let maps = &grid.tile_maps;
            maps.is_stale || maps.imported.as_ref().is_some_and(|import| !import.is_current())
        };
        if has_changed {
            Self::refresh_import(this.clone(), "PathForgeGrid.source_layers");
        }
        if this.is_instance_valid() {
            let now = Instant::now();
            this.bind_mut().tile_maps.next_look = Some(now + (now - start) * LOOK_EVERY);
        }
    }

    /// Returns `true` if the last import was one of the source layers.
    fn imports_its_layers(&self) -> bool {
        let layers = self.tile_maps.layers.living();
        let import = self.tile_maps.imported.as_ref();
        !layers.is_empty() && import.is_some_and(|i| i.is_of(layers.iter().map(Gd::instance_id)))
    }

    /// What followed layers tell of the cells that a change of the region from `old` to `new` lets in. From
    /// now on all cells of `new` are followed.
    pub(super) fn told_on_entering(&mut self, old: CellRect, new: CellRect) -> Vec<(Cell, CellData)> {
        if old == new || !self.imports_its_layers() {
            return Vec::new();
        }
        let Some(import) = &mut self.tile_maps.imported else { return Vec::new() };
        import.set_region(new);
        let cells = new.cells().zip(import.cells());
        cells.filter(|(cell, _)| !old.contains(*cell)).map(|(cell, told)| (cell, *told)).collect()
    }

    /// Takes new source layers and listens to them.
    pub(super) fn change_source_layers(&mut self, layers: NodeList<TileMapLayer>) {
        let heard = self.base().callable("_on_source_layer_changed");
        for id in std::mem::take(&mut self.tile_maps.heard) {
            if let Ok(mut layer) = Gd::<TileMapLayer>::try_from_instance_id(id)
                && layer.is_connected("changed", &heard)
            {
                layer.disconnect("changed", &heard);
            }
        }
        for mut layer in layers.living() {
            if !layer.is_connected("changed", &heard) {
                layer.connect("changed", &heard);
                self.tile_maps.heard.push(layer.instance_id());
            }
        }
        self.tile_maps.layers = layers;
    }

    /// Imports the source layers.
    pub(super) fn import_source_layers(this: Gd<Self>) {
        let (layers, rules) = {
            let grid = this.bind();
            (NodeArray::of_list(&grid.tile_maps.layers), grid.import_rules.clone())
        };
        let method = "PathForgeGrid.import_on_ready";
        if let Some(sources) = reported(method, Source::all("source_layers", &layers.to_godot()))
            && !sources.is_empty()
        {
            Self::import_all(this, method, sources, rules.as_ref());
        }
    }
}

/// What has changed since an import.
enum Painted {
    /// What these cells are told.
    Cells(Vec<CellChange>),
    /// More than tiles.
    Anything,
}
