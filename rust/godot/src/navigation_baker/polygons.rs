//! Polygons that a script gives.

use godot::builtin::AnyArray;
use godot::meta::GodotImmutable;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::prelude::*;
use pathforge_core::PolygonSet;

/// Adds polygons that a script gave.
pub fn push(set: &mut PolygonSet, name: &str, array: &AnyArray) -> Result<(), String> {
    for (index, element) in array.iter_shared().enumerate() {
        // Asked for the type first: converting makes an empty array of anything else.
        let is_polygon = element.get_type() == VariantType::PACKED_VECTOR2_ARRAY;
        let polygon = is_polygon.then(|| element.to::<PackedVector2Array>());
        let polygon = polygon.ok_or_else(|| {
            format!("{name}[{index}] is {:?}, not a PackedVector2Array", element.get_type())
        })?;
        let corners: Vec<[f32; 2]> = polygon.as_slice().iter().map(|corner| [corner.x, corner.y]).collect();
        set.push(&corners).map_err(|problem| format!("{name}[{index}]: {problem}"))?;
    }
    Ok(())
}

/// An argument of polygons that may be left out.
#[derive(Clone, Debug)]
pub struct PolygonsArg(pub AnyArray);

impl PolygonsArg {
    /// What a call without the argument means.
    pub fn none() -> Self {
        Self(VarArray::new().into_read_only().upcast_any_array())
    }
}

impl GodotConvert for PolygonsArg {
    type Via = AnyArray;

    fn godot_shape() -> GodotShape {
        Self::Via::godot_shape()
    }
}

impl FromGodot for PolygonsArg {
    fn try_from_godot(via: Self::Via) -> Result<Self, ConvertError> {
        Ok(Self(via))
    }
}

impl ToGodot for PolygonsArg {
    // By value, as numbers are: the binding does not export the name.
    type Pass = <i64 as ToGodot>::Pass;

    fn to_godot(&self) -> Self::Via {
        self.0.clone()
    }
}

// SAFETY: the trait is asked for default values alone, and the only one is an empty array that is read-only.
unsafe impl GodotImmutable for PolygonsArg {}
