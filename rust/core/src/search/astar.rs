//! A* over stands whose costs differ, on an integer bucket frontier.
//!
//! Hart, Nilsson & Raphael, *A Formal Basis for the Heuristic Determination of Minimum Cost Paths*, 1968; the frontier
//! is Dial's (*Algorithm 360*, 1969). The heuristic is the octile distance in the cheapest steps of the map, so costs
//! along a search never decrease and every key lies within twice the dearest step of the last.

use super::goals::Heuristic;
use super::pruning::PruningTable;
use super::scratch::{Scratch, place};
use super::{Goals, SearchEnd, SearchResult, Spot};
use crate::bitgrid::{BitGrid, PaddedIndex};
use crate::cost::Cost;
use crate::geometry::{DiagonalMode, Direction};
use crate::passability::StandCosts;

/// The direction number of a search's start, which nothing arrives at.
const NO_ARRIVAL: u8 = 8;

/// Finds a cheapest path where steps cost what `costs` says of the stand that they arrive at.
///
/// `start` and all goals must be stands of `layer`, which `costs` was made for. Among goals of equal cost the one with
/// the smaller row, then column, is taken. Stops after `expansions_max` expansions.
pub fn search_weighted(
    layer: &BitGrid,
    costs: &StandCosts,
    mode: DiagonalMode,
    start: Spot,
    goals: &Goals,
    expansions_max: u32,
    scratch: &mut Scratch,
) -> SearchResult {
    let shape = layer.shape();
    let stride = shape.stride();
    let packed = costs.packed();
    let table = PruningTable::of(mode);
    let (cheapest, dearest) = costs.extremes();
    let heuristic = Heuristic::new(mode, cheapest);
    let Scratch { visited, buckets, .. } = scratch;
    visited.clear(shape);
    let first = heuristic.estimate(goals, u32::from(start.x), u32::from(start.y));
    buckets.clear(first, 2 * u32::from(dearest.diagonal) + 1);
    visited.improve(start.index(shape).get(), 0, NO_ARRIVAL);
    buckets.push(first, pack(u32::from(start.x), u32::from(start.y)));

    let (mut expanded, mut generated) = (0, 1);
    let mut bound = Cost::MAX.units();
    let mut overflowed = false;
    let mut best: Option<Spot> = None;
    while let Some((f, node)) = buckets.pop() {
        if best.is_some() && f > bound {
            break;
        }
        let (x, y) = (node & 0xffff, node >> 16);
        let index = place(x, y, shape);
        let h = heuristic.estimate(goals, x, y);
        let g = visited.cost(index);
        if g + h != f {
            // It was reached again, more cheaply, and was taken with that cost.
            continue;
        }
        if h == 0 && goals.contain(x, y, index) {
            let spot = Spot { x: x as u16, y: y as u16 };
            if best.is_none_or(|b| (spot.y, spot.x) < (b.y, b.x)) {
                best = Some(spot);
            }
            bound = g;
            if !goals.are_many() {
                break;
            }
            continue;
        }
        if expanded >= expansions_max {
            return SearchResult::without_path(SearchEnd::Limit, expanded, generated);
        }
        expanded += 1;
        let legal = table.legal(layer.neighbourhood(PaddedIndex::new(index)));
        for direction in Direction::ALL {
            if !legal.contains(direction) {
                continue;
            }
            let (dx, dy) = (direction.dx(), direction.dy());
            let target = index.wrapping_add_signed(dy as isize * stride as isize + dx as isize);
            let step = packed[target];
            let step = if direction.is_diagonal() { step >> 16 } else { step & 0xffff };
            let g = g + step;
            if g >= Cost::MAX.units() {
                overflowed = true;
                continue;
            }
            if visited.improve(target, g, direction as u8) {
                let (x, y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                buckets.push(g + heuristic.estimate(goals, x, y), pack(x, y));
                generated += 1;
            }
        }
    }
    let Some(goal) = best else {
        let end = if overflowed { SearchEnd::Limit } else { SearchEnd::Exhausted };
        return SearchResult::without_path(end, expanded, generated);
    };
    let waypoints = trace(scratch, shape, goal);
    SearchResult { end: SearchEnd::Found, cost: bound, expanded, generated, waypoints }
}

#[inline]
const fn pack(x: u32, y: u32) -> u32 {
    y << 16 | x
}

/// The turning points from the start to `goal`, by the directions of arrival.
fn trace(scratch: &Scratch, shape: crate::bitgrid::Shape, goal: Spot) -> Vec<Spot> {
    let arrival_at = |spot: Spot| scratch.visited.arrival(spot.index(shape).get());
    let mut waypoints = vec![goal];
    let mut spot = goal;
    let mut arrival = arrival_at(spot);
    while let Some(direction) = Direction::ALL.get(usize::from(arrival)) {
        spot.x = spot.x.wrapping_add_signed(-direction.dx() as i16);
        spot.y = spot.y.wrapping_add_signed(-direction.dy() as i16);
        let before = arrival_at(spot);
        if before != arrival {
            waypoints.push(spot);
        }
        arrival = before;
    }
    waypoints.reverse();
    waypoints
}
