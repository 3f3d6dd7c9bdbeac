//! Everything within a cost: Dijkstra's algorithm without a goal.

use super::scratch::{Scratch, place};
use super::{Spot, pack_spot, unpack_spot};
use crate::bitgrid::{BitGrid, PaddedIndex};
use crate::cost::{Cost, StepCost};
use crate::geometry::{DiagonalMode, Direction};
use crate::passability::PruningTable;
use crate::passability::StandCosts;

/// The stands of `layer` that can be reached from `start`, which is one, at a cost of at most `cost_max`, each with its
/// least cost in units, in reading order. `costs` is `None` where every step costs what it does over weight 1.
///
/// Takes time in proportion to the stands found, and to sort them.
pub fn stands_within(
    layer: &BitGrid,
    costs: Option<&StandCosts>,
    mode: DiagonalMode,
    start: Spot,
    cost_max: Cost,
    scratch: &mut Scratch,
) -> Vec<(Spot, u32)> {
    let shape = layer.shape();
    let table = PruningTable::of(mode);
    let dearest = costs.map_or(StepCost::UNIT, |costs| costs.extremes().1);
    let Scratch { visited, buckets, .. } = scratch;
    let mut visited = visited.clear(shape);
    buckets.clear(0, u32::from(dearest.diagonal) + 1);
    visited.improve(start.index(shape).get(), 0, 0);
    buckets.push(0, pack_spot(u32::from(start.x), u32::from(start.y)));
    let mut found = Vec::new();
    while let Some((_, node)) = buckets.pop() {
        let (x, y) = unpack_spot(node);
        let index = place(x, y, shape);
        let Some((g, _)) = visited.expand(index) else { continue };
        found.push((Spot { x: x as u16, y: y as u16 }, g));
        let legal = table.legal(layer.neighbourhood(PaddedIndex::new(index)));
        for direction in Direction::ALL.into_iter().filter(|&d| legal.contains(d)) {
            let (x, y) = (x.wrapping_add_signed(direction.dx()), y.wrapping_add_signed(direction.dy()));
            let target = place(x, y, shape);
            let step = costs.map_or(StepCost::UNIT, |costs| StepCost::unpack(costs.packed()[target]));
            let g = g + u32::from(if direction.is_diagonal() { step.diagonal } else { step.straight });
            if g <= cost_max.units() && visited.improve(target, g, direction as u8) {
                buckets.push(g, pack_spot(x, y));
            }
        }
    }
    found.sort_unstable_by_key(|(spot, _)| (spot.y, spot.x));
    found
}
