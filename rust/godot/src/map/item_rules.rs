//! `PathForgeItemRules`: what the items of a `GridMap` mean to cells, as a resource.

use godot::classes::Resource;
use godot::prelude::*;

use crate::script::dictionary_of::DictionaryOf;
use crate::script::enumeration::{self, Constant};
use crate::script::properties::class_api;

/// Says what the items of a `GridMap` mean to the cells of a [PathForgeSpace3D]: which items are floor, which
/// close cells, and their terrain and weight.
///
/// Names are those of the items in the mesh library; `*` stands for any letters and `?` for one letter. An
/// item that no list names counts by its collision shapes. It is floor if they are at most [member
/// step_height] high from their lowest to their highest point, else solid. Without shapes it does not count.
///
/// A cell is as high as the topmost floor item at its centre. It is solid
///
/// - if it has no floor,
/// - if a solid item reaches between [member step_height] and [member body_height] above its height,
/// - if it is the lower cell at a step that is higher than [member step_height]. On a ramp it is the higher
///   cell, which leaves the ramp open.
///
/// ```gdscript
/// var rules := PathForgeItemRules.new()
/// rules.floor_items = ["ground*", "ramp", "bridge"]
/// rules.terrain_items = {"water": 1}
/// rules.weight_items = {"mud*": 3.0}
/// space.import_grid_map($GridMap, rules)
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct PathForgeItemRules {
    base: Base<Resource>,

    /// Names of items that bodies walk on: blocks that are a hill, ramps, bridges. The height of such an item
    /// is that of its collision shapes at the cell's centre; without shapes that of its mesh.
    #[export]
    #[export_group(name = "Items")]
    pub(crate) floor_items: PackedStringArray,

    /// Names of items that close their whole place in the map, and what their shapes cover beyond it. Such an
    /// item counts before [member floor_items].
    #[export]
    pub(crate) solid_items: PackedStringArray,

    /// Names of items that do not count: banners, lamps. Such an item counts in no other list but [member
    /// terrain_items] and [member weight_items].
    #[export]
    pub(crate) ignored_items: PackedStringArray,

    /// The terrain ids of items, 0 to 31, by name: the first that fits counts. A cell has that of its floor,
    /// or of what stands on it, whichever is highest.
    ///
    /// ```gdscript
    /// item_rules.floor_items = ["ground", "water", "ford"]
    /// item_rules.terrain_items = {"water": 1, "ford": 2}
    /// ```
    #[export]
    #[var(get, set)]
    terrain_items: PhantomVar<DictionaryOf<GString, i64>>,

    /// The weights of items, finite and 0 or more, by name, as [member terrain_items]. Other cells have
    /// weight 1.
    ///
    /// ```gdscript
    /// item_rules.weight_items = {"bush*": 2.5}
    /// ```
    #[export]
    #[var(get, set)]
    weight_items: PhantomVar<DictionaryOf<GString, f64>>,

    /// The height that bodies step up and over, in metres along the space's y axis. A solid item must reach
    /// higher above the ground to close a cell.
    #[export(range = (0.0, 4.0, 0.01, or_greater, suffix = "m"))]
    #[export_group(name = "Shapes")]
    #[init(val = 0.4)]
    pub(crate) step_height: f64,

    /// How high bodies are: they walk below what begins higher above the ground. More than [member
    /// step_height].
    #[export(range = (0.01, 16.0, 0.01, or_greater, suffix = "m"))]
    #[init(val = 2.0)]
    pub(crate) body_height: f64,

    /// What shapes have to cover of a cell so that they close it: [constant
    /// PathForgeTileRules.COVERAGE_CENTER], or with [constant PathForgeTileRules.COVERAGE_AREA] the share
    /// [member coverage_area] of its area.
    #[export]
    #[var(get, set, hint = ENUM, hint_string = "Center,Area")]
    pub(crate) coverage: Constant<enumeration::Coverage>,

    /// The share of a cell's area that shapes have to cover with [constant PathForgeTileRules.COVERAGE_AREA],
    /// from 0 (any of it) to 1 (all of it). It is measured on 8×8 lines, between which something thinner may
    /// be missed.
    #[export(range = (0.0, 1.0, 0.01))]
    #[init(val = 0.5)]
    pub(crate) coverage_area: f64,

    /// If [code]true[/code], cells without a floor item are solid. Else they are open, with the heights that
    /// they have.
    #[export]
    #[export_group(name = "Cells")]
    #[init(val = true)]
    pub(crate) empty_solid: bool,

    /// The lowest level of the map that counts: the y of its cells.
    #[export(range = (-32768.0, 32767.0, 1.0))]
    #[init(val = i64::from(i16::MIN))]
    pub(crate) lowest_level: i64,

    /// The highest level of the map that counts. The floors of a house, see [member
    /// PathForgeSpace3D.floor_region], may have rules each for its own levels of one map, or share them and
    /// have a [member PathForgeSpace3D.storey_height].
    ///
    /// ```gdscript
    /// item_rules.lowest_level = 0
    /// item_rules.highest_level = 2 # No roofs.
    /// ```
    #[export(range = (-32768.0, 32767.0, 1.0))]
    #[init(val = i64::from(i16::MAX))]
    pub(crate) highest_level: i64,

    pub(crate) terrains: Dictionary<GString, i64>,
    pub(crate) weights: Dictionary<GString, f64>,
}

class_api! {
    impl PathForgeItemRules;

    get get_coverage() -> Constant<enumeration::Coverage> = |this| this.coverage;
    set set_coverage(coverage: Constant<enumeration::Coverage>) = |this| this.coverage = coverage.value;

    get get_terrain_items() -> DictionaryOf<GString, i64> = |this| DictionaryOf::of(this.terrains.clone());
    set set_terrain_items(terrain_items: DictionaryOf<GString, i64>) = |this| {
        this.terrains = terrain_items.value.typed()?;
    };

    get get_weight_items() -> DictionaryOf<GString, f64> = |this| DictionaryOf::of(this.weights.clone());
    set set_weight_items(weight_items: DictionaryOf<GString, f64>) = |this| {
        this.weights = weight_items.value.typed()?;
    };
}
