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
//!
//! A straight step onto such ground mostly leaves one way, straight on. It is followed at once instead of through the
//! frontier: a *run*, which ends where the ground or the walls beside it change, or after a while, since it may lead
//! where no search would have gone. Most cells are in runs, so this takes three quarters of the time.

use super::buckets::Buckets;
use super::goals::Heuristic;
use super::jump_map::JumpMap;
use super::scratch::{Scratch, VisitedCells, place};
use super::{Goals, SearchEnd, SearchResult, Spot, pack_spot, unpack_spot};
use crate::bitgrid::{PaddedIndex, Shape};
use crate::cost::Cost;
use crate::geometry::{DiagonalMode, Direction, DirectionSet};
use crate::pages::{NumberView, WordView};
use crate::passability::PruningTable;
use crate::passability::StandCosts;

/// The direction number of a search's start, which nothing arrives at.
const NO_ARRIVAL: u8 = 8;
/// What a run costs at most: so many of the dearest steps, which bounds what keys span,
const RUN_DEAREST_STEPS: u32 = 2;
/// and so many of its own.
const RUN_STEPS: u32 = 24;

/// Finds a cheapest path where steps cost what `costs` says of the stand that they arrive at.
///
/// `map` must be made for `mode`, `costs` for its layer, and `start` and all goals must be stands of that. Among goals of
/// equal cost the one with the smaller row, then column, is taken. Stops after `expansions_max` expansions.
pub fn search_weighted(
    map: &JumpMap,
    costs: &StandCosts,
    mode: DiagonalMode,
    start: Spot,
    goals: &Goals,
    expansions_max: u32,
    scratch: &mut Scratch,
) -> SearchResult {
    debug_assert_eq!(map.mode(), JumpMap::shared_mode(mode));
    let shape = map.shape();
    let table = PruningTable::of(mode);
    let (cheapest, dearest) = costs.extremes();
    let heuristic = Heuristic::new(mode, cheapest);
    let start_estimate = heuristic.estimate(goals, u32::from(start.x), u32::from(start.y));
    let Scratch { visited, buckets, .. } = scratch;
    // The estimate may grow by as much as a step and the run behind it cost.
    let run_cost_max = RUN_DEAREST_STEPS * u32::from(dearest.diagonal);
    buckets.clear(start_estimate, 2 * (u32::from(dearest.diagonal) + run_cost_max) + 1);
    let mut search = Search {
        map,
        packed: costs.packed().view(),
        plain: costs.plain().words().view(),
        runs_along_columns: mode != DiagonalMode::Never,
        run_cost_max,
        stride: shape.stride() as isize,
        column_stride: shape.transposed().stride(),
        goals,
        heuristic,
        visited: visited.clear(shape),
        frontier: buckets,
        expanded: 0,
        generated: 1,
        overflowed: false,
    };
    search.visited.improve(start.index(shape).get(), 0, NO_ARRIVAL);
    search.frontier.push(start_estimate, pack_spot(u32::from(start.x), u32::from(start.y)));

    let mut best: Option<(Spot, u32)> = None;
    while let Some((f, node)) = search.frontier.pop() {
        if search.expanded > expansions_max || best.is_some_and(|(_, cost)| f > cost) {
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
        search.expanded += 1;
        if search.expanded > expansions_max {
            break;
        }
        let cells = map.neighbourhood(PaddedIndex::new(index));
        let ways = if arrival != NO_ARRIVAL && search.is_plain(index) {
            table.after(arrival, cells)
        } else {
            table.legal(cells)
        };
        search.expand(Place { x, y, index, g }, ways);
    }
    let (expanded, generated, overflowed) = (search.expanded, search.generated, search.overflowed);
    if expanded > expansions_max {
        return SearchResult::without_path(SearchEnd::Limit, expansions_max, generated);
    }
    let Some((goal, cost)) = best else {
        let end = if overflowed { SearchEnd::Limit } else { SearchEnd::Exhausted };
        return SearchResult::without_path(end, expanded, generated);
    };
    let waypoints = trace(&search.visited, shape, goal);
    SearchResult { end: SearchEnd::Found, cost, expanded, generated, waypoints }
}

struct Search<'a> {
    map: &'a JumpMap,
    packed: NumberView<'a>,
    /// See [`StandCosts::plain`].
    plain: WordView<'a>,
    /// Whether a step along a column leaves one way on plain ground, as one along a row does.
    runs_along_columns: bool,
    run_cost_max: u32,
    stride: isize,
    column_stride: usize,
    goals: &'a Goals,
    heuristic: Heuristic,
    visited: VisitedCells<'a>,
    frontier: &'a mut Buckets,
    expanded: u32,
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
        let index = from.index.wrapping_add_signed(dy as isize * self.stride + dx as isize);
        let step = *self.packed.at(index);
        let (x, y) = (from.x.wrapping_add_signed(dx), from.y.wrapping_add_signed(dy));
        let straight = step & 0xffff;
        let at = if direction.is_diagonal() {
            let at = Place { x, y, index, g: from.g + (step >> 16) };
            self.visited.improve(index, at.g, direction as u8).then_some(at)
        } else {
            let at = Place { x, y, index, g: from.g + straight };
            if self.is_plain(index) && (dy == 0 || self.runs_along_columns) {
                self.run::<DIRECTION>(at, straight)
            } else {
                self.visited.improve(index, at.g, direction as u8).then_some(at)
            }
        };
        let Some(at) = at else { return };
        let f = at.g + self.heuristic.estimate(self.goals, at.x, at.y);
        if f >= Cost::MAX.units() {
            self.overflowed = true;
            return;
        }
        self.frontier.push(f, pack_spot(at.x, at.y));
        self.generated += 1;
    }

    #[inline]
    fn is_plain(&self, index: usize) -> bool {
        self.plain.at(index >> 6) >> (index & 63) & 1 == 1
    }

    /// Goes on from a plain cell that is reached by a straight step, as long as straight on is the only way, over cells that
    /// cost `straight` each; returns the cell that it ends at. `None` where it comes to a wall, or to a cell that was
    /// reached as cheaply before.
    #[allow(clippy::inline_always, reason = "bench `expansions`: it is compiled for each direction")]
    #[inline(always)]
    fn run<const DIRECTION: usize>(&mut self, from: Place, straight: u32) -> Option<Place> {
        let direction = const { Direction::ALL[DIRECTION] };
        let (dx, dy) = const { (Direction::ALL[DIRECTION].dx(), Direction::ALL[DIRECTION].dy()) };
        let g_max = from.g + self.run_cost_max.min(RUN_STEPS * straight) - straight;
        let mut at = from;
        let (words, mut place) = if dy == 0 {
            (self.map.rows(), at.index)
        } else {
            (self.map.columns(), at.x as usize * self.column_stride + at.y as usize)
        };
        loop {
            let word = words.at(place >> 6);
            let bit = place & 63;
            if word.open >> bit & 1 == 0 || !self.visited.improve(at.index, at.g, direction as u8) {
                return None;
            }
            let stop = if dx + dy > 0 { word.stop_up } else { word.stop_down };
            if stop >> bit & 1 == 1
                || !self.is_plain(at.index)
                || at.g > g_max
                || self.goals.contain(at.x, at.y, at.index)
            {
                return Some(at);
            }
            self.visited.close(at.index);
            self.expanded += 1;
            at.x = at.x.wrapping_add_signed(dx);
            at.y = at.y.wrapping_add_signed(dy);
            at.index = at.index.wrapping_add_signed(dy as isize * self.stride + dx as isize);
            place = place.wrapping_add_signed((dx + dy) as isize);
            at.g += straight;
        }
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
