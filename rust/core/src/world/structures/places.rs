//! Questions about places of a body: the nearest to a cell or a segment, one at random, the goals of fields.

use super::Structures;
use crate::bitgrid::{cell_at, local_in};
use crate::connectivity::{self, AnyPlacement, FarRect, Segment, nearest_placements};
use crate::geometry::{Cell, CellRect, Footprint};
use crate::primitives::GridPoint;
use crate::world::query::{GoalMode, Profile};

/// Returns the point of a cell of the region.
pub(in crate::world) const fn point_in(region: CellRect, cell: Cell) -> GridPoint {
    let (x, y) = local_in(region, cell);
    GridPoint::of_cell(x, y)
}

/// Returns the anchors from which a body covers `cell`, counted from the region's corner; they may lie
/// outside the map.
pub(in crate::world) fn covering_anchors(region: CellRect, cell: Cell, footprint: Footprint) -> FarRect {
    // 64 bits: the cell may lie anywhere in the range of `i32`.
    let (x, y) = (i64::from(cell.x) - i64::from(region.x), i64::from(cell.y) - i64::from(region.y));
    FarRect { x0: x - i64::from(footprint.w() - 1), y0: y - i64::from(footprint.h() - 1), x1: x, y1: y }
}

/// See [`World::nearest_fit`](crate::world::World::nearest_fit).
pub(in crate::world) fn nearest_fit(
    kept: &mut Structures,
    cell: Cell,
    profile: &Profile,
    distance_max: Option<f64>,
) -> Option<Cell> {
    let squared_max = match distance_max {
        None => u128::MAX,
        // Squares of distances between cells are whole, so the limit is rounded down.
        Some(distance) if distance >= 0.0 => (distance * distance).floor() as u128,
        Some(_) => return None,
    };
    let region = kept.terrain.region();
    let target = covering_anchors(region, cell, profile.footprint);
    let layer = kept.placements(&profile.layer_key());
    let (_, placements) = nearest_placements(layer, target, squared_max, &AnyPlacement)?;
    Some(cell_at(region, layer.layout().xy(*placements.first()?)))
}

/// See [`World::closest_position`](crate::world::World::closest_position).
pub(in crate::world) fn closest_position(
    kept: &mut Structures,
    profile: &Profile,
    sides: [[f64; 3]; 3],
    ends: [[f64; 3]; 2],
) -> Option<(f64, f64)> {
    let (region, footprint) = (kept.terrain.region(), profile.footprint);
    // From the centre of a body in cell space to its corner in the layer: halves and whole numbers, which
    // are exact.
    let left = f64::from(region.x) + f64::from(footprint.w()) / 2.0;
    let top = f64::from(region.y) + f64::from(footprint.h()) / 2.0;
    let [from, to] = ends.map(|[x, y, height]| [x - left, y - top, height]);
    let layer = kept.placements(&profile.layer_key());
    let (x, y) = connectivity::closest_position(layer, footprint, &Segment { from, to, sides })?;
    // Not by the sum, which may differ in the last bit.
    let is_first = (x, y) == (from[0], from[1]);
    Some(if is_first { (ends[0][0], ends[0][1]) } else { (x + left, y + top) })
}

/// See [`World::random_placement`](crate::world::World::random_placement).
pub(in crate::world) fn random_placement(
    kept: &mut Structures,
    profile: &Profile,
    draw: u64,
) -> Option<Cell> {
    let region = kept.terrain.region();
    let layer = kept.placements(&profile.layer_key());
    let n = (u128::from(draw) * u128::from(layer.count())) >> 64;
    Some(cell_at(region, layer.layout().xy(layer.nth(n as u64)?)))
}

/// See [`World::field_goals`](crate::world::World::field_goals).
pub(in crate::world) fn field_goals(
    kept: &mut Structures,
    goals: &[Cell],
    goal_mode: GoalMode,
    profile: &Profile,
) -> Vec<Cell> {
    let region = kept.terrain.region();
    match goal_mode {
        GoalMode::Exact => goals.to_vec(),
        GoalMode::Cover => {
            let anchors = |&goal: &Cell| profile.footprint.anchors_touching(CellRect::cell(goal));
            // Goals outside the region cannot be covered by a body on it.
            let inside = goals.iter().filter(|&&goal| region.contains(goal));
            inside.flat_map(|goal| anchors(goal).intersection(region).cells()).collect()
        }
        GoalMode::Nearest => {
            let layer = kept.placements(&profile.layer_key());
            let inside = goals.iter().filter(|&&goal| region.contains(goal));
            // A field has no start, so it cannot choose among the placements by whether they can be
            // reached.
            let nearest = inside.filter_map(|&goal| {
                let target = covering_anchors(region, goal, profile.footprint);
                nearest_placements(layer, target, u128::MAX, &AnyPlacement)
            });
            let placements = nearest.flat_map(|(_, placements)| placements);
            placements.map(|index| cell_at(region, layer.layout().xy(index))).collect()
        }
    }
}
