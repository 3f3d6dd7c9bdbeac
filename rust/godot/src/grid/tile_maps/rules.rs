//! The rules of an import: what of a tile makes a cell solid, and what else is taken.

use std::fmt::Display;

use godot::builtin::AnyArray;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::meta::{FromGodot, GodotConvert, GodotImmutable, ToGodot};
use godot::prelude::*;

/// Cells a tile, at most, in a row.
const CELLS_PER_TILE_MAX: i64 = 16;
/// Rows of headroom, at most: what the tallest body needs.
const HEADROOM_MAX: i64 = 64;
/// Shares are measured with this precision.
const SHARE_TOLERANCE: f64 = 1e-3;

/// Which part of a cell a tile's polygons have to cover so that they count.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Coverage {
    /// The centre.
    Center,
    /// This share of its area, and more than nothing.
    Share(f64),
}

impl Coverage {
    /// Returns `true` if a measured share is enough.
    pub fn is_met(share: f64, wanted: f64) -> bool {
        share > SHARE_TOLERANCE && share >= wanted - SHARE_TOLERANCE
    }
}

/// What is taken from custom data.
pub const CUSTOM: [&str; 3] = ["solid", "terrain", "weight"];

/// The rules of an import.
#[derive(Clone, PartialEq, Debug)]
#[allow(clippy::struct_excessive_bools)] // Each is a rule of its own.
pub struct Rules {
    physics: Physics,
    pub one_way: bool,
    /// The navigation layer whose polygons are floor, and what they have to cover.
    pub navigation: Option<(i32, Coverage)>,
    /// The custom data layers of solid, terrain and weight; whether they were named and so have to exist.
    pub custom: [Option<String>; 3],
    pub custom_is_named: bool,
    pub empty_solid: bool,
    pub topmost: bool,
    /// `true` if region and layout stay; unless it is said, a region that was set stays, and the layout is the layer's.
    pub keep_region: Option<bool>,
    pub cells_per_tile: i32,
    /// Rows of cells that a region that is taken has above the topmost tile.
    pub headroom: i32,
}

/// Which physics layers count, and how much of a cell they have to cover.
#[derive(Clone, PartialEq, Debug)]
enum Physics {
    Mask(u32, Coverage),
    Each(Vec<(i64, Coverage)>),
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            physics: Physics::Mask(u32::MAX, Coverage::Center),
            one_way: true,
            navigation: None,
            custom: CUSTOM.map(|name| Some(name.to_owned())),
            custom_is_named: false,
            empty_solid: false,
            topmost: false,
            keep_region: None,
            cells_per_tile: 1,
            headroom: 0,
        }
    }
}

/// A rules argument that may be left out.
#[derive(Clone, Debug)]
pub struct RulesArg(pub VarDictionary);

impl RulesArg {
    /// What a call without the argument means.
    pub fn none() -> Self {
        Self(VarDictionary::new())
    }
}

impl GodotConvert for RulesArg {
    type Via = VarDictionary;

    fn godot_shape() -> GodotShape {
        Self::Via::godot_shape()
    }
}

impl FromGodot for RulesArg {
    fn try_from_godot(via: Self::Via) -> Result<Self, ConvertError> {
        Ok(Self(via))
    }
}

impl ToGodot for RulesArg {
    // By value, as numbers are: the binding does not export the name.
    type Pass = <i64 as ToGodot>::Pass;

    fn to_godot(&self) -> Self::Via {
        self.0.clone()
    }
}

// SAFETY: the default is an empty dictionary that is read-only from here on.
unsafe impl GodotImmutable for RulesArg {
    fn into_runtime_immutable(self) -> Self {
        Self(self.0.into_read_only())
    }
}

impl Rules {
    /// Reads what a script gave.
    pub fn read(dictionary: &VarDictionary) -> Result<Self, String> {
        let mut rules = Self::default();
        let mut coverage = Coverage::Center;
        let mut navigation = None;
        let mut navigation_coverage = Coverage::Center;
        for (key, value) in dictionary.iter_shared() {
            let key = key.to_string();
            let bad = |wanted: &str| format!("rules: {key} is {value}, not {wanted}");
            let number = |range: std::ops::RangeInclusive<i64>| {
                value.try_to::<i64>().ok().filter(|n| range.contains(n)).map(|n| n as i32)
            };
            let flag = || value.try_to::<bool>().map_err(|_| bad("true or false"));
            match key.as_str() {
                "physics_layers" => rules.physics = physics(&value)?,
                "coverage" => coverage = share(&key, &value)?,
                "one_way" => rules.one_way = flag()?,
                "navigation" => {
                    navigation = navigation_layer(&value)
                        .map_err(|()| bad("true, false or the index of a navigation layer"))?;
                }
                "navigation_coverage" => navigation_coverage = share(&key, &value)?,
                "custom_data" => rules.take_custom(&value)?,
                "empty_solid" => rules.empty_solid = flag()?,
                "topmost" => rules.topmost = flag()?,
                "keep_region" => rules.keep_region = Some(flag()?),
                "cells_per_tile" => {
                    let wanted = "a number from 1 to 16, cells in a row of a tile";
                    rules.cells_per_tile = number(1..=CELLS_PER_TILE_MAX).ok_or_else(|| bad(wanted))?;
                }
                "headroom" => {
                    let wanted = "a number of rows from 0 to 64";
                    rules.headroom = number(0..=HEADROOM_MAX).ok_or_else(|| bad(wanted))?;
                }
                _ => {
                    return Err(format!(
                        "rules: {key} is not physics_layers, coverage, one_way, navigation, navigation_coverage, \
                         custom_data, empty_solid, topmost, keep_region, cells_per_tile or headroom"
                    ));
                }
            }
        }
        rules.navigation = navigation.map(|layer| (layer, navigation_coverage));
        if let Physics::Mask(_, all) = &mut rules.physics {
            *all = coverage;
        }
        Ok(rules)
    }

    /// What a physics layer's polygons have to cover; `None` when they do not count.
    pub fn coverage_of(&self, physics_layer: i32) -> Option<Coverage> {
        match &self.physics {
            Physics::Mask(mask, coverage) => {
                let is_set = physics_layer < 32 && mask & (1 << physics_layer) != 0;
                (is_set || physics_layer >= 32 && *mask == u32::MAX).then_some(*coverage)
            }
            Physics::Each(list) => {
                list.iter().find(|(layer, _)| *layer == i64::from(physics_layer)).map(|(_, c)| *c)
            }
        }
    }

    fn take_custom(&mut self, value: &Variant) -> Result<(), String> {
        if let Ok(wanted) = value.try_to::<bool>() {
            if !wanted {
                self.custom = [None, None, None];
            }
            return Ok(());
        }
        let names = value.try_to::<VarDictionary>().map_err(|_| {
            format!("rules: custom_data is {value}, not true, false or a dictionary of names")
        })?;
        self.custom = [None, None, None];
        self.custom_is_named = true;
        for (key, name) in names.iter_shared() {
            let key = key.to_string();
            let place = CUSTOM.iter().position(|&custom| custom == key);
            let place =
                place.ok_or_else(|| format!("rules: custom_data: {key} is not solid, terrain or weight"))?;
            let name = text(&name).ok_or_else(|| {
                format!("rules: custom_data: {key} is {name}, not the name of a custom data layer")
            })?;
            self.custom[place] = Some(name);
        }
        Ok(())
    }
}

fn text(value: &Variant) -> Option<String> {
    let string = value.try_to::<GString>().map(|text| text.to_string());
    string.or_else(|_| value.try_to::<StringName>().map(|text| text.to_string())).ok()
}

/// A bit set, a list of indices, or coverages by index.
fn physics(value: &Variant) -> Result<Physics, String> {
    let bad = || {
        format!(
            "rules: physics_layers is {value}, not a bit mask, an array of indices or a dictionary of coverages"
        )
    };
    if let Ok(mask) = value.try_to::<i64>() {
        return u32::try_from(mask).map(|mask| Physics::Mask(mask, Coverage::Center)).map_err(|_| bad());
    }
    if let Ok(list) = value.try_to::<VarDictionary>() {
        let entries = list.iter_shared().map(|(layer, coverage)| {
            let layer = layer.try_to::<i64>().map_err(|_| bad())?;
            Ok((layer, share("physics_layers", &coverage)?))
        });
        return entries.collect::<Result<_, String>>().map(Physics::Each);
    }
    let list = value.try_to::<AnyArray>().map_err(|_| bad())?;
    let mut mask = 0;
    for layer in list.iter_shared() {
        let layer = layer.try_to::<i64>().ok().filter(|layer| (0..32).contains(layer));
        mask |= 1 << layer.ok_or_else(bad)?;
    }
    Ok(Physics::Mask(mask, Coverage::Center))
}

fn share(key: impl Display, value: &Variant) -> Result<Coverage, String> {
    if text(value).as_deref() == Some("center") {
        return Ok(Coverage::Center);
    }
    let number = value.try_to::<f64>().or_else(|_| value.try_to::<i64>().map(|n| n as f64)).ok();
    let share = number.filter(|share| (0.0..=1.0).contains(share));
    share
        .map(Coverage::Share)
        .ok_or_else(|| format!("rules: {key} is {value}, not \"center\" or a share from 0 to 1"))
}

/// The layer, or none when navigation polygons do not count.
fn navigation_layer(value: &Variant) -> Result<Option<i32>, ()> {
    if let Ok(wanted) = value.try_to::<bool>() {
        return Ok(wanted.then_some(0));
    }
    let layer = value.try_to::<i64>().ok().and_then(|layer| i32::try_from(layer).ok());
    layer.filter(|layer| *layer >= 0).map(Some).ok_or(())
}
