//! The rules of an import, checked.

use godot::prelude::*;
use pathforge_navmesh::Coverage;

use crate::map::tile_rules::PathForgeTileRules;
use crate::script::given::given;

/// Cells a tile, at most, in a row.
const CELLS_PER_TILE_MAX: i64 = 16;
/// Rows of headroom, at most: what the tallest body needs.
const HEADROOM_MAX: i64 = 64;

/// What one-way polygons make of a cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum OneWay {
    Cells,
    Solid,
    Ignored,
}

/// What is taken from custom data, by the names that tile sets have by default.
pub const CUSTOM: [&str; 6] = ["solid", "terrain", "weight", "one_way", "edges", "one_way_edges"];

/// Which region a grid has after an import.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum RegionMode {
    Auto,
    Keep,
    Take,
}

/// The rules of an import.
#[derive(Clone, PartialEq, Debug)]
pub struct Rules {
    physics_layers: u32,
    pub coverage: Coverage,
    pub one_way: OneWay,
    /// The navigation layer whose polygons are floor.
    pub navigation: Option<i32>,
    /// The custom data layers in the order of [`CUSTOM`].
    pub custom: [Option<String>; 6],
    pub empty_solid: bool,
    pub topmost: bool,
    pub region_mode: RegionMode,
    pub cells_per_tile: i32,
    /// Rows of cells that a region that is taken has above the topmost tile.
    pub headroom: i32,
}

impl Rules {
    /// The rules of a resource, or those of a new one.
    pub fn of(resource: Option<&Gd<PathForgeTileRules>>) -> Result<Self, String> {
        let mut resource = resource.map_or_else(PathForgeTileRules::new_gd, Gd::clone);
        let rules = resource.bind_mut();
        let number = |name: &str, number: i64, range| given(format!("rules.{name}"), number).within(range);
        let coverage = match number("coverage", rules.coverage.0, 0..=PathForgeTileRules::COVERAGE_AREA)? {
            PathForgeTileRules::COVERAGE_AREA => {
                Coverage::Share(given("rules.coverage_area", rules.coverage_area).within(0.0..=1.0)?)
            }
            _ => Coverage::Center,
        };
        let one_way = match number("one_way", rules.one_way.0, 0..=PathForgeTileRules::ONE_WAY_IGNORED)? {
            PathForgeTileRules::ONE_WAY_SOLID => OneWay::Solid,
            PathForgeTileRules::ONE_WAY_IGNORED => OneWay::Ignored,
            _ => OneWay::Cells,
        };
        let region_mode =
            match number("region_mode", rules.region_mode.0, 0..=PathForgeTileRules::REGION_TAKE)? {
                PathForgeTileRules::REGION_KEEP => RegionMode::Keep,
                PathForgeTileRules::REGION_TAKE => RegionMode::Take,
                _ => RegionMode::Auto,
            };
        let physics_layers = number("physics_layers", rules.physics_layers, 0..=i64::from(u32::MAX))?;
        let layer = number("navigation_layer", rules.navigation_layer, 0..=i64::from(i32::MAX))?;
        let names = [
            &rules.custom_solid,
            &rules.custom_terrain,
            &rules.custom_weight,
            &rules.custom_one_way,
            &rules.custom_edges,
            &rules.custom_one_way_edges,
        ];
        Ok(Self {
            physics_layers: physics_layers as u32,
            coverage,
            one_way,
            navigation: rules.navigation.then_some(layer as i32),
            custom: names.map(|name| (!name.is_empty()).then(|| name.to_string())),
            empty_solid: rules.empty_solid,
            topmost: rules.topmost,
            region_mode,
            cells_per_tile: number("cells_per_tile", rules.cells_per_tile, 1..=CELLS_PER_TILE_MAX)? as i32,
            headroom: number("headroom_cells", rules.headroom_cells, 0..=HEADROOM_MAX)? as i32,
        })
    }

    /// Returns `true` if the polygons of a physics layer count.
    pub const fn has_physics_layer(&self, layer: i32) -> bool {
        // Layers beyond the bits count where all bits are set.
        if layer < 32 { self.physics_layers & (1 << layer) != 0 } else { self.physics_layers == u32::MAX }
    }

    /// The custom data layers that have to exist: those with a name of the game's own.
    pub fn own_names(&self) -> impl Iterator<Item = &str> {
        let named = self.custom.iter().zip(CUSTOM);
        named.filter_map(|(name, default)| name.as_deref().filter(|&name| name != default))
    }
}
