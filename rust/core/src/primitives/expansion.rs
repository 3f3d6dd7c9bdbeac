use super::bucket_queue::{BucketQueue, WINDOW};
use super::grid_point::{GridPoint, offsets};
use super::nodes::Visited;
use super::pruning::PruningTable;
use crate::bitgrid::PaddedIndex;
use crate::cost::{Cost, StepCost};
use crate::geometry::DiagonalMode;
use crate::passability::{PlacementCosts, Placements};

/// Dijkstra's algorithm without a goal. Calls `settle` with every placement of `layer` that can be reached
/// from `start` at a cost of at most `cost_max`, in ascending order of cost, and with that cost in units.
/// `start` must be a valid placement; without `costs`, every step has the unit cost.
///
/// For areas that are small against the map: takes time in proportion to the placements reached. Whole layers
/// are expanded by the two engines of `field`, which write rows at once and queue few cells.
pub(crate) fn expand_within(
    layer: &Placements,
    costs: Option<&PlacementCosts>,
    mode: DiagonalMode,
    start: GridPoint,
    cost_max: Cost,
    (visited, queue): (&mut Visited, &mut BucketQueue),
    mut settle: impl FnMut(PaddedIndex, u32),
) {
    let layout = layer.layout();
    let table = PruningTable::of(mode);
    let offsets = offsets(layout.stride());
    let mut visited = visited.clear(layout);
    queue.clear(0, WINDOW);
    visited.improve(start.index(layout).get(), 0, 0);
    queue.push(0, start.index(layout).number());
    while let Some((_, node)) = queue.pop() {
        // A placement is queued again whenever its cost falls; only the first entry that comes out is
        // expanded.
        let Some((cost, _)) = visited.expand(node as usize) else { continue };
        let index = PaddedIndex::new(node as usize);
        settle(index, cost);
        for direction in table.legal(layer.steps_from(mode, index)).iter() {
            let to = index.get().wrapping_add(offsets[direction as usize]);
            let step = costs.map_or(StepCost::UNIT, |costs| StepCost::unpack(costs.packed()[to]));
            let offer = cost + u32::from(if direction.is_diagonal() { step.diagonal } else { step.straight });
            if offer <= cost_max.units() && visited.improve(to, offer, direction as u8) {
                queue.push(offer, to as u32);
            }
        }
        for step in layer.links_from(index.get()) {
            let offer = cost.saturating_add(step.cost);
            if offer <= cost_max.units() && visited.improve(step.to as usize, offer, 0) {
                queue.push(offer, step.to);
            }
        }
    }
}
