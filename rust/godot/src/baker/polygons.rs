//! Polygons that a script gives.

use godot::builtin::AnyArray;
use godot::prelude::*;
use pathforge_navmesh::PolygonSet;

use crate::script::convert::elements;

/// Adds polygons that a script gave.
pub fn push(set: &mut PolygonSet, name: &str, array: &AnyArray) -> Result<(), String> {
    for (index, polygon) in elements::<PackedVector2Array>(name, array)?.into_iter().enumerate() {
        let corners: Vec<[f32; 2]> = polygon.as_slice().iter().map(|corner| [corner.x, corner.y]).collect();
        set.push(&corners).map_err(|problem| format!("{name}[{index}]: {problem}"))?;
    }
    Ok(())
}
