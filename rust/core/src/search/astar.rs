//! A* over stands whose costs differ, on an integer bucket frontier.
//!
//! Hart, Nilsson & Raphael, *A Formal Basis for the Heuristic Determination of Minimum Cost Paths*, 1968; the frontier
//! is Dial's (*Algorithm 360*, 1969). The heuristic is the octile distance in the cheapest steps of the map, so costs
//! along a search never decrease and every key lies within twice the dearest step of the last.
//!
//! Where a cell and all around it cost the same, only the directions are tried that the pruning table of jump-point
//! search leaves: every other neighbour is reached as cheaply from the parent without this cell (Carlson, Moghadam,
//! Harabor, Stuckey & Ebendt, *Optimal Pathfinding on Weighted Grid Maps*, AAAI 2023). Of all cheapest paths, the one
//! that goes diagonally as early as it can takes no step that is left out, so the cost stays the least.

use super::buckets::Buckets;
use super::goals::Heuristic;
use super::scratch::{Scratch, VisitedCells, place};
use super::{Goals, SearchEnd, SearchResult, Spot, pack_spot, unpack_spot};
use crate::bitgrid::{BitGrid, PaddedIndex, Shape};
use crate::cost::Cost;
use crate::geometry::{DiagonalMode, Direction, DirectionSet};
use crate::passability::PruningTable;
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
    let table = PruningTable::of(mode);
    let (cheapest, dearest) = costs.extremes();
    let heuristic = Heuristic::new(mode, cheapest);
    let start_estimate = heuristic.estimate(goals, u32::from(start.x), u32::from(start.y));
    let Scratch { visited, buckets, .. } = scratch;
    buckets.clear(start_estimate, 2 * u32::from(dearest.diagonal) + 1);
    let mut search = Search {
        packed: costs.packed(),
        stride: shape.stride() as isize,
        goals,
        heuristic,
        visited: visited.clear(shape),
        frontier: buckets,
        generated: 1,
        overflowed: false,
    };
    search.visited.improve(start.index(shape).get(), 0, NO_ARRIVAL);
    search.frontier.push(start_estimate, pack_spot(u32::from(start.x), u32::from(start.y)));

    let mut expanded = 0;
    let mut best: Option<(Spot, u32)> = None;
    while let Some((f, node)) = search.frontier.pop() {
        if best.is_some_and(|(_, cost)| f > cost) {
            break;
        }
        let (x, y) = unpack_spot(node);
        let index = place(x, y, shape);
        // A cell's cheapest entry is taken first, since the heuristic is consistent; dearer ones are left over.
        let Some((g, arrival)) = search.visited.expand(index) else { continue };
        if goals.contain(x, y, index) {
            let spot = Spot { x: x as u16, y: y as u16 };
            if best.is_none_or(|(b, _)| (spot.y, spot.x) < (b.y, b.x)) {
                best = Some((spot, g));
            }
            if !goals.are_many() {
                break;
            }
            // Another goal may cost the same and come first in reading order.
            continue;
        }
        if expanded >= expansions_max {
            return SearchResult::without_path(SearchEnd::Limit, expanded, search.generated);
        }
        expanded += 1;
        let cells = layer.neighbourhood(PaddedIndex::new(index));
        let ways = if arrival != NO_ARRIVAL && costs.plain().get(PaddedIndex::new(index)) {
            table.after(arrival, cells)
        } else {
            table.legal(cells)
        };
        search.expand(Place { x, y, index, g }, ways);
    }
    let (generated, overflowed) = (search.generated, search.overflowed);
    let Some((goal, cost)) = best else {
        let end = if overflowed { SearchEnd::Limit } else { SearchEnd::Exhausted };
        return SearchResult::without_path(end, expanded, generated);
    };
    let waypoints = trace(&search.visited, shape, goal);
    SearchResult { end: SearchEnd::Found, cost, expanded, generated, waypoints }
}

struct Search<'a> {
    packed: &'a [u32],
    stride: isize,
    goals: &'a Goals,
    heuristic: Heuristic,
    visited: VisitedCells<'a>,
    frontier: &'a mut Buckets,
    generated: u32,
    /// Whether some cell lies beyond the largest cost.
    overflowed: bool,
}

/// The cell that is expanded.
#[derive(Clone, Copy)]
struct Place {
    x: u32,
    y: u32,
    index: usize,
    g: u32,
}

impl Search<'_> {
    /// Tries the steps in the directions of `ways`. One call a direction, so that each is compiled with its offsets
    /// (bench `expansions`: a loop over directions takes half as long again).
    #[inline]
    fn expand(&mut self, from: Place, ways: DirectionSet) {
        self.step::<{ Direction::N as usize }>(from, ways);
        self.step::<{ Direction::NE as usize }>(from, ways);
        self.step::<{ Direction::E as usize }>(from, ways);
        self.step::<{ Direction::SE as usize }>(from, ways);
        self.step::<{ Direction::S as usize }>(from, ways);
        self.step::<{ Direction::SW as usize }>(from, ways);
        self.step::<{ Direction::W as usize }>(from, ways);
        self.step::<{ Direction::NW as usize }>(from, ways);
    }

    #[allow(clippy::inline_always, reason = "without it the compiler keeps a loop over run-time offsets")]
    #[inline(always)]
    fn step<const DIRECTION: usize>(&mut self, from: Place, ways: DirectionSet) {
        let direction = const { Direction::ALL[DIRECTION] };
        let (dx, dy) = const { (Direction::ALL[DIRECTION].dx(), Direction::ALL[DIRECTION].dy()) };
        if !ways.contains(direction) {
            return;
        }
        let target = from.index.wrapping_add_signed(dy as isize * self.stride + dx as isize);
        let step = self.packed[target];
        let g = from.g + if direction.is_diagonal() { step >> 16 } else { step & 0xffff };
        if !self.visited.improve(target, g, direction as u8) {
            return;
        }
        let (x, y) = (from.x.wrapping_add_signed(dx), from.y.wrapping_add_signed(dy));
        let f = g + self.heuristic.estimate(self.goals, x, y);
        if f >= Cost::MAX.units() {
            self.overflowed = true;
            return;
        }
        self.frontier.push(f, pack_spot(x, y));
        self.generated += 1;
    }
}

/// The turning points from the start to `goal`, by the directions of arrival.
fn trace(visited: &VisitedCells<'_>, shape: Shape, goal: Spot) -> Vec<Spot> {
    let arrival_at = |spot: Spot| visited.arrival(spot.index(shape).get());
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
