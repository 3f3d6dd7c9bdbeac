//! `PathForgeTileRules`: what tiles and pixels mean to cells, as a resource.

use godot::classes::Resource;
use godot::prelude::*;

use crate::script::array_of::ArrayOf;
use crate::script::dictionary_of::DictionaryOf;
use crate::script::enumeration::{self, Constant};
use crate::script::properties::class_api;

/// What the tiles of a [TileMapLayer], or the pixels of an image, mean to the cells of a [PathForgeGrid].
///
/// A new resource has the rules that suit most maps seen from above; [method side_view] makes one for maps
/// seen from the side. Hand it to [method PathForgeGrid.import_tile_map_layers] or to [method
/// PathForgeGrid.set_from_image], or set it as [member PathForgeGrid.import_rules] in the inspector.
///
/// ```gdscript
/// var rules := PathForgeTileRules.new()
/// rules.cells_per_tile = 2
/// rules.custom_terrain = "ground_kind"
/// grid.import_tile_map_layers([$Floor, $Walls], rules)
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct PathForgeTileRules {
    base: Base<Resource>,

    /// The physics layers of the tile set whose collision polygons count, as bit flags: bit n stands for
    /// physics layer n. The default is all.
    #[export(flags = (
        Layer0 = 1, Layer1 = 2, Layer2 = 4, Layer3 = 8, Layer4 = 16, Layer5 = 32, Layer6 = 64, Layer7 = 128
    ))]
    #[export_group(name = "Polygons")]
    #[init(val = i64::from(u32::MAX))]
    pub(crate) physics_layers: i64,

    /// Which part of a cell polygons must cover to count for it: [constant COVERAGE_CENTER], or with
    /// [constant COVERAGE_AREA] the share [member coverage_area] of its area.
    #[export]
    #[var(get, set, hint = ENUM, hint_string = "Center,Area")]
    pub(crate) coverage: Constant<enumeration::Coverage>,

    /// The share of a cell's area that polygons have to cover with [constant COVERAGE_AREA], from 0 (any of
    /// it) to 1 (all of it).
    #[export(range = (0.0, 1.0, 0.01))]
    #[init(val = 0.5)]
    pub(crate) coverage_area: f64,

    /// What one-way collision polygons make of a cell: a one-way cell ([constant ONE_WAY_CELLS]), a solid one
    /// ([constant ONE_WAY_SOLID]), or nothing ([constant ONE_WAY_IGNORED]). However thin
    /// they are, the uppermost cell that they touch in each column becomes a one-way cell: their upper edge
    /// carries.
    #[export]
    #[var(get, set, hint = ENUM, hint_string = "OneWayCells,Solid,Ignored")]
    pub(crate) one_way: Constant<enumeration::OneWay>,

    /// If [code]true[/code], cells that no navigation polygon covers are solid.
    #[export]
    pub(crate) navigation: bool,

    /// The navigation layer of the tile set that [member navigation] reads.
    #[export(range = (0.0, 31.0, 1.0))]
    pub(crate) navigation_layer: i64,

    /// The custom data layer, of type bool, that makes all cells of a tile solid. Empty: none. A name other
    /// than the default has to be that of a layer of some tile set.
    #[export]
    #[export_group(name = "Custom Data", prefix = "custom_")]
    #[init(val = "solid".into())]
    pub(crate) custom_solid: GString,

    /// The custom data layer, of type bool, that makes all cells of a tile one-way. See [member
    /// custom_solid].
    #[export]
    #[init(val = "one_way".into())]
    pub(crate) custom_one_way: GString,

    /// The custom data layer that has a tile's terrain: an id, or one of [member
    /// PathForgeGrid.terrain_names]. See [member custom_solid].
    #[export]
    #[init(val = "terrain".into())]
    pub(crate) custom_terrain: GString,

    /// The custom data layer that has a tile's weight, a number. See [member custom_solid].
    #[export]
    #[init(val = "weight".into())]
    pub(crate) custom_weight: GString,

    /// The custom data layer that has the blocked edges of a tile, at its rim: see [method
    /// PathForgeGrid.set_edge_blocked]. As a String it names sides: `left`, `top`, `right`, `bottom` or `all`,
    /// such as [code]"top left"[/code]. As an int it is their sum: 1, 2, 4 and 8 in that order. An edge
    /// between two tiles is blocked if either says so. See [member custom_solid].
    #[export]
    #[init(val = "edges".into())]
    pub(crate) custom_edges: GString,

    /// The custom data layer that has the sides over which steps out of a tile are blocked, and steps into it
    /// are not: ledges. Its values are those of [member custom_edges].
    #[export]
    #[init(val = "one_way_edges".into())]
    pub(crate) custom_one_way_edges: GString,

    /// If [code]true[/code], cells without a tile are solid.
    #[export]
    #[export_group(name = "Layers")]
    pub(crate) empty_solid: bool,

    /// If [code]true[/code], a tile hides what earlier layers have at its cells: a bridge over water.
    #[export]
    pub(crate) topmost: bool,

    /// Which region the grid has after an import: [constant REGION_AUTO], [constant REGION_KEEP] or [constant
    /// REGION_TAKE].
    #[export]
    #[export_group(name = "Cells")]
    #[var(get, set, hint = ENUM, hint_string = "Auto,Keep,Take")]
    pub(crate) region_mode: Constant<enumeration::RegionMode>,

    /// How many cells a tile has in a row and in a column, 1 to 16.
    #[export(range = (1.0, 16.0, 1.0))]
    #[init(val = 1)]
    pub(crate) cells_per_tile: i64,

    /// The rows of open cells above the topmost tile, 0 to 64, that an import adds to a region that it sets.
    /// They are room to stand and jump in for the bodies of a [PathForgePlatformer]. Bodies cannot leave the
    /// region, so without headroom they cannot stand on the topmost tiles.
    #[export(range = (0.0, 64.0, 1.0, suffix = "cells"))]
    pub(crate) headroom_cells: i64,

    /// Image colours that are solid cells.
    #[export]
    #[var(get, set)]
    #[export_group(name = "Image Colors")]
    solid_colors: PhantomVar<ArrayOf<Color>>,

    /// Image colours that are one-way cells.
    #[export]
    #[var(get, set)]
    one_way_colors: PhantomVar<ArrayOf<Color>>,

    /// Image colours that are blocked edges. With any, an image has a pixel for each edge, too. Rows and columns
    /// of edges take turns with rows and columns of cells, from the first to the last. So W×H cells take 2W + 1
    /// by 2H + 1 pixels. Pixels of edges that have another colour are open edges; pixels of corners mean nothing.
    ///
    /// ```gdscript
    /// rules.edge_colors = [Color("#7a4a20")]
    /// ```
    #[export]
    #[var(get, set)]
    edge_colors: PhantomVar<ArrayOf<Color>>,

    /// The terrain ids of image colours, 0 to 31. A colour of open cells without anything else has terrain 0.
    ///
    /// ```gdscript
    /// rules.terrain_colors = {Color.WHITE: 0, Color("#4a86c4"): WATER}
    /// ```
    #[export]
    #[var(get, set)]
    terrain_colors: PhantomVar<DictionaryOf<Color, i64>>,

    /// The weights of image colours, finite and 0 or more.
    ///
    /// ```gdscript
    /// rules.weight_colors = {Color("#b07030"): 3.0}
    /// ```
    #[export]
    #[var(get, set)]
    weight_colors: PhantomVar<DictionaryOf<Color, f64>>,

    pub(crate) solids: Array<Color>,
    pub(crate) one_ways: Array<Color>,
    pub(crate) edges: Array<Color>,
    pub(crate) terrains: Dictionary<Color, i64>,
    pub(crate) weights: Dictionary<Color, f64>,
}

class_api! {
    impl PathForgeTileRules;

    /// Polygons count for a cell whose centre they cover.
    const COVERAGE_CENTER = 0;
    /// Polygons count for a cell of which they cover the share [member coverage_area].
    const COVERAGE_AREA = 1;
    /// One-way polygons make one-way cells.
    const ONE_WAY_CELLS = 0;
    /// One-way polygons count as all others do.
    const ONE_WAY_SOLID = 1;
    /// One-way polygons do not count.
    const ONE_WAY_IGNORED = 2;
    /// A [member PathForgeGrid.region] that was set stays; without one, or with one from an import before,
    /// the grid takes the layers' used rectangle. The grid takes over the first layer's tile size, shape and
    /// place.
    const REGION_AUTO = 0;
    /// Region, cell size, shape and offset of the grid stay as they are; tiles have to lie on its cells, one
    /// or several cells a tile. Tiles outside the region are left out.
    const REGION_KEEP = 1;
    /// The grid takes the layers' used rectangle, whatever region it had.
    const REGION_TAKE = 2;

    get get_coverage() -> Constant<enumeration::Coverage> = |this| this.coverage;
    set set_coverage(coverage: Constant<enumeration::Coverage>) = |this| this.coverage = coverage.value;

    get get_one_way() -> Constant<enumeration::OneWay> = |this| this.one_way;
    set set_one_way(one_way: Constant<enumeration::OneWay>) = |this| this.one_way = one_way.value;

    get get_region_mode() -> Constant<enumeration::RegionMode> = |this| this.region_mode;
    set set_region_mode(region_mode: Constant<enumeration::RegionMode>) = |this| this.region_mode = region_mode.value;

    get get_solid_colors() -> ArrayOf<Color> = |this| ArrayOf::of(this.solids.clone());
    set set_solid_colors(solid_colors: ArrayOf<Color>) = |this| this.solids = solid_colors.value.typed()?;

    get get_one_way_colors() -> ArrayOf<Color> = |this| ArrayOf::of(this.one_ways.clone());
    set set_one_way_colors(one_way_colors: ArrayOf<Color>) = |this| this.one_ways = one_way_colors.value.typed()?;

    get get_edge_colors() -> ArrayOf<Color> = |this| ArrayOf::of(this.edges.clone());
    set set_edge_colors(edge_colors: ArrayOf<Color>) = |this| this.edges = edge_colors.value.typed()?;

    get get_terrain_colors() -> DictionaryOf<Color, i64> = |this| DictionaryOf::of(this.terrains.clone());
    set set_terrain_colors(terrain_colors: DictionaryOf<Color, i64>) = |this| {
        this.terrains = terrain_colors.value.typed()?;
    };

    get get_weight_colors() -> DictionaryOf<Color, f64> = |this| DictionaryOf::of(this.weights.clone());
    set set_weight_colors(weight_colors: DictionaryOf<Color, f64>) = |this| {
        this.weights = weight_colors.value.typed()?;
    };
}

#[godot_api(secondary)]
impl PathForgeTileRules {
    /// Returns new rules for maps seen from the side. They have 16 rows of [member headroom_cells]. A cell is
    /// solid if a collision polygon covers any part of it, so that slopes and slabs carry.
    ///
    /// ```gdscript
    /// grid.import_tile_map_layers([$Ground], PathForgeTileRules.side_view())
    /// ```
    #[func]
    fn side_view() -> Gd<Self> {
        let mut rules = Self::new_gd();
        {
            let mut rules = rules.bind_mut();
            rules.headroom_cells = 16;
            rules.coverage = Constant::of(Self::COVERAGE_AREA);
            rules.coverage_area = 0.0;
        }
        rules
    }
}
