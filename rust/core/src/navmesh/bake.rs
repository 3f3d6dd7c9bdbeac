//! Baking: floor and colliders to a mesh, all at once.

use super::collect::PolygonSet;
use super::error::EmptyReason;
use super::kernel::Kernel;
use super::merge::{Contours, Selection, free_space};
use super::mesh::NavMesh;
use super::settings::BakeSettings;
use super::shrink::eroded;
use super::tidy::tidied;

/// The places where the centre of the agent may be so that all of it is on the floor and none of it in a collider.
///
/// The floor is the union of its polygons, and so are the colliders; no order matters. Touching is allowed: an agent
/// may stand against a wall. Where it fits only exactly, there is no area left, and nothing is baked.
/// Precision: a corner is within 1/32 pixel of where it belongs; what is narrower than that is left out.
///
/// Takes O(n log n) for n corners and crossings.
pub fn bake(floor: &PolygonSet, colliders: &PolygonSet, settings: &BakeSettings) -> NavMesh {
    match free_contours(Selection::all(floor), Selection::all(colliders)) {
        Err(reason) => NavMesh::empty(reason),
        Ok(free) => {
            let centres = eroded(&free, &Kernel::new(settings));
            NavMesh::from_contours(&tidied(&centres, |_| false))
        }
    }
}

/// The floor without the colliders, or why there is none.
pub(super) fn free_contours(floor: Selection, colliders: Selection) -> Result<Contours, EmptyReason> {
    if floor.polygons().next().is_none() {
        return Err(EmptyReason::NoFloor);
    }
    let free = free_space(floor, colliders);
    if free.ranges.is_empty() { Err(EmptyReason::FloorCovered) } else { Ok(free) }
}
