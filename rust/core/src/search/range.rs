//! Every placement within a cost, for questions about ranges.

use super::scratch::Scratch;
use crate::cost::Cost;
use crate::geometry::DiagonalMode;
use crate::passability::{PlacementCosts, Placements};
use crate::primitives::{GridPoint, expand_within};

/// Returns the placements of `layer` that can be reached from `start`, a valid placement, at a cost of at
/// most `cost_max`. Each has its minimum cost in units; they are in reading order. Without `costs`, every
/// step has the unit cost.
///
/// Takes time in proportion to the placements found, and to sort them.
pub(crate) fn placements_within(
    layer: &Placements,
    costs: Option<&PlacementCosts>,
    mode: DiagonalMode,
    start: GridPoint,
    cost_max: Cost,
    scratch: &mut Scratch,
) -> Vec<(GridPoint, u32)> {
    let Scratch { visited, frontier, .. } = scratch;
    let mut found = Vec::new();
    let collect = |index, cost| found.push((index, cost));
    expand_within(layer, costs, mode, start, cost_max, (visited, frontier), collect);
    // Padded indices run row by row, so their order is reading order.
    found.sort_unstable_by_key(|&(index, _)| index.number());
    found.into_iter().map(|(index, cost)| (GridPoint::of_index(index, layer.layout()), cost)).collect()
}
