//! Polygons that a script gives.

use godot::builtin::AnyArray;
use godot::prelude::*;
use pathforge_core::navmesh::PolygonSet;

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
