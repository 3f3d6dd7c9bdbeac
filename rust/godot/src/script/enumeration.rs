//! Enumerations of classes, which Godot shows as such: in the help, in completion, and in the types of what
//! scripts hand over.
//!
//! gdext registers plain constants. [`register`] gives them the enumeration that their first words name.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use godot::builtin::StringName;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::meta::{GodotConvert, GodotImmutable};
use godot::prelude::*;
use godot::register::private::constant::{ConstantKind, ExportConstant, IntegerConstant};
use godot::register::property::{Export, SimpleVar};

/// An enumeration of a class, or of Godot itself.
pub trait Enumeration: Clone {
    /// `Class.Name`, or Godot's own name.
    const NAME: &'static str;
}

macro_rules! enumerations {
    ($($Name:ident = $name:literal;)*) => {
        $(
            #[derive(Clone, Copy, PartialEq, Debug, Default)]
            pub struct $Name;

            impl Enumeration for $Name {
                const NAME: &'static str = $name;
            }
        )*
    };
}

enumerations! {
    CellShape = "PathForgeGrid.CellShape";
    DiagonalMode = "PathForgeGrid.DiagonalMode";
    GoalMode = "PathForgeGrid.GoalMode";
    Outline = "PathForgeProfile.Outline";
    SearchMode = "PathForgeProfile.SearchMode";
    Smoothing = "PathForgeProfile.Smoothing";
    Status = "PathForgePath.Status";
    Reason = "PathForgePath.Reason";
    MarchShape = "PathForgeCrowd.MarchShape";
    State = "PathForgeCrowd.State";
    Falloff = "InfluenceMap.Falloff";
    Metric = "ClearanceMap.Metric";
    Coverage = "PathForgeTileRules.Coverage";
    OneWay = "PathForgeTileRules.OneWay";
    RegionMode = "PathForgeTileRules.RegionMode";
    Corner = "PathForgeNavigationBaker.Corner";
    Side = "Side";
}

/// The enumerations of classes, and how the names of their constants begin.
const PREFIXES: [(&str, &str, &str); 19] = [
    ("PathForgeGrid", "CellShape", "CELL_SHAPE_"),
    ("PathForgeGrid", "DiagonalMode", "DIAGONAL_MODE_"),
    ("PathForgeGrid", "GoalMode", "GOAL_"),
    ("PathForgeProfile", "Outline", "OUTLINE_"),
    ("PathForgeProfile", "SearchMode", "SEARCH_"),
    ("PathForgeProfile", "Smoothing", "SMOOTH_"),
    ("PathForgePath", "Status", "STATUS_"),
    ("PathForgePath", "Reason", "REASON_"),
    ("PathForgePath", "Step", "STEP_"),
    ("PathForgePath", "KeyPoint", "KEY_"),
    ("PathForgeCrowd", "MarchShape", "MARCH_"),
    ("PathForgeCrowd", "State", "STATE_"),
    ("InfluenceMap", "Falloff", "FALLOFF_"),
    ("ClearanceMap", "Metric", "METRIC_"),
    ("PathForgeTileRules", "Coverage", "COVERAGE_"),
    ("PathForgeTileRules", "OneWay", "ONE_WAY_"),
    ("PathForgeTileRules", "RegionMode", "REGION_"),
    ("PathForgeNavigationBaker", "Corner", "CORNER_"),
    ("PathForgePlatformFollower", "GaveUp", "GAVE_UP_"),
];

/// A class with constants, by name and value.
pub trait Constants: GodotClass {
    const CONSTANTS: &'static [(&'static str, i64)];
}

/// Tells Godot the constants of a class, which it has by now.
pub fn register<C: Constants>() {
    let id = C::class_id();
    let class = id.to_cow_str();
    for &(_, name, prefix) in PREFIXES.iter().filter(|(of, ..)| *of == class) {
        let constants = C::CONSTANTS.iter().filter(|(name, _)| name.starts_with(prefix));
        let enumerators = constants.map(|&(name, value)| IntegerConstant::new(name, value)).collect();
        ExportConstant::new(id, ConstantKind::Enum { name: StringName::from(name), enumerators }).register();
    }
}

/// A number that a script gives or gets as a constant of an enumeration. It may be any other number.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Constant<E>(pub i64, PhantomData<E>);

impl<E> Constant<E> {
    pub const fn of(value: i64) -> Self {
        Self(value, PhantomData)
    }
}

impl<E> fmt::Display for Constant<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<E: Enumeration> GodotConvert for Constant<E> {
    type Via = i64;

    fn godot_shape() -> GodotShape {
        GodotShape::Enum {
            variant_type: VariantType::INT,
            enumerators: Cow::Borrowed(&[]),
            godot_name: Some(E::NAME.into()),
            is_bitfield: false,
        }
    }
}

impl<E: Enumeration> FromGodot for Constant<E> {
    fn try_from_godot(via: i64) -> Result<Self, ConvertError> {
        Ok(Self::of(via))
    }
}

impl<E: Enumeration> ToGodot for Constant<E> {
    type Pass = <i64 as ToGodot>::Pass;

    fn to_godot(&self) -> i64 {
        self.0
    }
}

// SAFETY: a number has nothing in it that could be changed. The binding cannot give an argument a default
// without this.
unsafe impl<E: Enumeration> GodotImmutable for Constant<E> {}

impl<E: Enumeration> SimpleVar for Constant<E> {}
impl<E: Enumeration> Export for Constant<E> {}
