//! The rules of an import, checked.

use std::fmt::Display;

use godot::builtin::Dictionary;
use godot::meta::Element;
use godot::prelude::*;
use pathforge_core::items::{Coverage, Role, Slice};

use crate::map::item_rules::PathForgeItemRules;
use crate::map::tile_rules::PathForgeTileRules;
use crate::script::convert::{self, TERRAIN_MAX};
use crate::script::given::given;

/// The most names of a mesh library that an error shows.
const NAMES_SHOWN: usize = 12;

/// The rules of an import.
#[derive(Clone)]
pub struct Rules {
    /// The names of items by role, in the order in which they count.
    roles: [(&'static str, Role, Vec<GString>); 3],
    terrains: Vec<(GString, u8)>,
    weights: Vec<(GString, f32)>,
    pub slice: Slice,
    pub empty_solid: bool,
    pub levels: [i16; 2],
}

impl Rules {
    /// The rules of a resource, or those of a new one.
    pub fn of(resource: Option<&Gd<PathForgeItemRules>>) -> Result<Self, String> {
        let resource = resource.map_or_else(PathForgeItemRules::new_gd, Gd::clone);
        let rules = resource.bind();
        let bottom = given("rules.step_height", rules.step_height).at_least_zero()? as f32;
        let top = given("rules.body_height", rules.body_height).at_least_zero()? as f32;
        if !(bottom < top && top.is_finite()) {
            return Err(format!("rules.body_height {top} is not above rules.step_height {bottom}"));
        }
        let coverage =
            given("rules.coverage", rules.coverage.0).within(0..=PathForgeTileRules::COVERAGE_AREA)?;
        let coverage = match coverage {
            PathForgeTileRules::COVERAGE_AREA => {
                Coverage::Share(given("rules.coverage_area", rules.coverage_area).within(0.0..=1.0)?)
            }
            _ => Coverage::Center,
        };
        let level = |name: &'static str, level: i64| {
            let level = given(format!("rules.{name}"), level).within(i16::MIN.into()..=i16::MAX.into())?;
            Ok::<_, String>(level as i16)
        };
        let levels =
            [level("lowest_level", rules.lowest_level)?, level("highest_level", rules.highest_level)?];
        if levels[0] > levels[1] {
            return Err(format!(
                "rules.lowest_level {} is above rules.highest_level {}",
                levels[0], levels[1]
            ));
        }
        let names = |list: &PackedStringArray| list.to_vec();
        Ok(Self {
            roles: [
                ("ignored_items", Role::Ignored, names(&rules.ignored_items)),
                ("solid_items", Role::Solid, names(&rules.solid_items)),
                ("floor_items", Role::Floor, names(&rules.floor_items)),
            ],
            terrains: values("terrain_items", &rules.terrains, |name, id| {
                Ok(given(name, id).within(0..=TERRAIN_MAX)? as u8)
            })?,
            weights: values("weight_items", &rules.weights, |name, weight| {
                let weight = given(name.clone(), weight).single_precision().at_least_zero()?;
                Ok(convert::imported_weight("PathForgeSpace3D.import_grid_map", name, weight))
            })?,
            slice: Slice { bottom, top, coverage, storey: [f32::NEG_INFINITY, f32::INFINITY] },
            empty_solid: rules.empty_solid,
            levels,
        })
    }

    /// The role that a list gives an item of this name.
    pub fn role(&self, name: &GString) -> Option<Role> {
        let fitting = self.roles.iter().find(|(_, _, names)| names.iter().any(|pattern| fits(name, pattern)));
        fitting.map(|(_, role, _)| *role)
    }

    /// The terrain of items of this name.
    pub fn terrain(&self, name: &GString) -> Option<u8> {
        first(&self.terrains, name)
    }

    /// The weight of items of this name.
    pub fn weight(&self, name: &GString) -> Option<f32> {
        first(&self.weights, name)
    }

    /// An error for a name that no item has.
    pub fn check_names(&self, items: &[GString]) -> Result<(), String> {
        let roles =
            self.roles.iter().flat_map(|(list, _, names)| names.iter().map(move |name| (*list, name)));
        let terrains = self.terrains.iter().map(|(name, _)| ("terrain_items", name));
        let weights = self.weights.iter().map(|(name, _)| ("weight_items", name));
        let mut all = roles.chain(terrains).chain(weights);
        match all.find(|(_, pattern)| !items.iter().any(|item| fits(item, pattern))) {
            Some((list, pattern)) => {
                let shown: Vec<String> = items.iter().take(NAMES_SHOWN).map(GString::to_string).collect();
                let more = if items.len() > NAMES_SHOWN { ", …" } else { "" };
                let shown = shown.join(", ");
                Err(format!(
                    "rules.{list}: no item of the mesh library has the name {pattern}; it has: {shown}{more}"
                ))
            }
            None => Ok(()),
        }
    }
}

fn fits(name: &GString, pattern: &GString) -> bool {
    name.match_glob(pattern)
}

fn first<V: Copy>(values: &[(GString, V)], name: &GString) -> Option<V> {
    values.iter().find(|(pattern, _)| fits(name, pattern)).map(|(_, value)| *value)
}

/// The checked values of a dictionary by names.
fn values<V: Element + Display + FromGodot, C>(
    list: &str,
    dictionary: &Dictionary<GString, V>,
    check: impl Fn(String, V) -> Result<C, String>,
) -> Result<Vec<(GString, C)>, String> {
    let pairs = dictionary.iter_shared();
    pairs.map(|(key, value)| Ok((key.clone(), check(format!("rules.{list}[{key}]"), value)?))).collect()
}
