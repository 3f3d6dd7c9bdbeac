//! Bakes floor and colliders to a mesh in one piece.

use super::agent_shape::AgentShape;
use super::collect::PolygonSet;
use super::error::EmptyReason;
use super::merge::{Contours, Selection, free_space};
use super::mesh::NavMesh;
use super::offset::eroded;
use super::reduce::reduced;
use super::settings::BakeSettings;
use super::simplify::simplified;
use super::units::{Point, UNITS_PER_PX, UnitRect};

/// Returns the area in which the agent's centre may be so that all of the agent is on the floor and none of
/// it in a collider.
///
/// The floor is the union of its polygons, and so are the colliders; their order does not matter. Touching is
/// allowed: an agent may stand against a wall. A gap that the agent fits exactly has no area and is not
/// baked. Precision: a corner is within 1/32 pixel of its exact place; narrower parts are left out.
///
/// Takes O(n log n) for n corners and crossings.
pub fn bake(floor: &PolygonSet, colliders: &PolygonSet, settings: &BakeSettings) -> NavMesh {
    // Eroding the free floor once gives the area that growing each collider and subtracting it gives, at half
    // the work.
    match free_contours(&Selection::all(floor), &Selection::all(colliders)) {
        Err(reason) => NavMesh::empty(reason),
        Ok(free) => {
            let centres = eroded(&free, &AgentShape::new(settings));
            NavMesh::from_contours(&needed_corners(&centres, settings, None, |_| false))
        }
    }
}

/// The contours with the corners that they need, within the tolerance. Corners that `keep` returns `true` for
/// stay, and none is made outside of `within`.
pub(super) fn needed_corners(
    contours: &Contours,
    settings: &BakeSettings,
    within: Option<UnitRect>,
    keep: impl Fn(Point) -> bool,
) -> Contours {
    let simple = simplified(contours, &keep);
    let tolerance = settings.tolerance_px() * UNITS_PER_PX;
    if tolerance > 0.0 { reduced(&simple, tolerance, within, &keep) } else { simple }
}

/// The floor without the colliders, or why there is none.
pub(super) fn free_contours(floor: &Selection, colliders: &Selection) -> Result<Contours, EmptyReason> {
    if floor.is_empty() {
        return Err(EmptyReason::NoFloor);
    }
    let free = free_space(floor, colliders);
    if free.ranges.is_empty() { Err(EmptyReason::FloorCovered) } else { Ok(free) }
}
