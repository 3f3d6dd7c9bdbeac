//! Jump-point search with block scans and without diagonal jump points, on uniform cost and where costs
//! differ.
//!
//! Sources:
//!
//! - Harabor & Grastien, *Online Graph Pruning for Pathfinding on Grid Maps*, AAAI 2011: jump points.
//! - Harabor & Grastien, *Improving Jump Point Search*, ICAPS 2014: block-based scans; section "Pruning of
//!   intermediate jump points", known as JPS2.
//! - Baum, *Boosting Jump Point Search on 4-connected grids*, 2023: the same without diagonal steps.
//! - Carlson, Moghadam, Harabor, Stuckey & Ebendt, *Optimal Pathfinding on Weighted Grid Maps*, AAAI 2023:
//!   JPSW, where costs differ.
//!
//! The end of a jump becomes a node with the jump's start as its parent, so the cells of a walk never enter
//! the frontier. Where costs differ, each cell that is not locally uniform is a node: see [`PackedCosts`].
//!
//! Why a path of minimum cost is found there: let a step lead from m to n, after m was reached from p. It is
//! left out only if a path from p to n past m costs less, or costs as much and ends with a straight step
//! while the step from m is diagonal. (Without diagonal steps: it ends with a horizontal step while the step
//! from m is vertical.) Take a cell n, all cells of less cost found. Of the last steps of minimum paths to n,
//! a straight one is left out for no path of equal cost, so it is tried. If all are diagonal, none is left
//! out for a straight one, so all are tried. It does not matter which of several arrivals of equal cost a
//! cell keeps.

use super::best_first::{BestFirst, Expand};
use super::cost_policy::{CostPolicy, EdgedCosts, LINK_ARRIVAL, NO_ARRIVAL, PackedCosts, UnitCost};
use super::estimate::{Bounds, Weights};
use super::goals::Goals;
use super::jump_map::JumpMap;
use super::jumps::{Jumps, Place, Reached};
use super::nodes::{Labels, Node, Nodes, Parents};
use super::result::SearchResult;
use super::scratch::{COST_WINDOW, Scratch};
use super::short_cuts::ShortCuts;
use crate::bitgrid::PaddedIndex;
use crate::cost::StepCost;
use crate::geometry::{DiagonalMode, Direction};
use crate::passability::{PlacementCosts, PlacementEdges};
use crate::primitives::{Estimate, GridPoint, Heuristic, WINDOW};

/// Finds a path of minimum cost where every step has the unit cost: 70 units straight, 99 diagonal.
///
/// `map` must be made for `mode`, and `start` and all goals must be placements of its layer. Among goals of
/// equal cost the one with the smaller row, then column, is taken. Stops after `expansions_max` expansions.
pub fn search_uniform(
    map: &JumpMap,
    mode: DiagonalMode,
    start: GridPoint,
    goals: &Goals,
    expansions_max: u32,
    scratch: &mut Scratch,
) -> SearchResult {
    let heuristic = Heuristic::new(mode, StepCost::UNIT, goals.bounds());
    if let Some(edges) = map.edges() {
        let short_cuts = short_cuts(heuristic, (map, edges), mode, StepCost::UNIT);
        let goals = (goals, Bounds::octile(short_cuts, map.layout()));
        return search_beside_edges((map, edges), None, mode, start, goals, expansions_max, scratch);
    }
    let Scratch { jump_nodes: table, jump_frontier: frontier, .. } = scratch;
    table.clear();
    frontier.clear(heuristic.estimate(start.x(), start.y()), WINDOW);
    let nodes = Parents { table, mode };
    let search = BestFirst::new(map.layout(), goals, heuristic, nodes, frontier);
    run(search, map, mode, UnitCost, start, expansions_max)
}

/// Finds a path of minimum cost where steps cost what `costs` says of the placement that they arrive at.
///
/// As [`search_uniform`]; `map` must be made for `costs`, too.
pub fn search_weighted_jps<'a>(
    map: &JumpMap,
    weights: impl Into<Weights<'a>>,
    mode: DiagonalMode,
    start: GridPoint,
    goals: &Goals,
    expansions_max: u32,
    scratch: &mut Scratch,
) -> SearchResult {
    let layout = map.layout();
    let weights = weights.into();
    let minimum = weights.costs.extremes().0;
    let octile = Heuristic::new(mode, minimum, goals.bounds());
    if let Some(edges) = map.edges() {
        let short_cuts = short_cuts(octile, (map, edges), mode, minimum);
        let costs = Some(weights.costs);
        let goals = (goals, Bounds::new(short_cuts, weights, layout, start, goals));
        return search_beside_edges((map, edges), costs, mode, start, goals, expansions_max, scratch);
    }
    let heuristic = Bounds::new(octile, weights, layout, start, goals);
    let Scratch { visited, frontier, .. } = scratch;
    frontier.clear(heuristic.estimate(start.x(), start.y()), COST_WINDOW);
    let costs = PackedCosts::of(weights.costs, layout);
    let nodes = Labels { visited: visited.clear(layout), costs };
    run(BestFirst::new(layout, goals, heuristic, nodes, frontier), map, mode, costs, start, expansions_max)
}

/// Returns the octile distance `octile` where bodies that move by `mode` take links, and no step costs less
/// than `minimum`.
fn short_cuts(
    octile: Heuristic,
    (map, edges): (&JumpMap, &PlacementEdges),
    mode: DiagonalMode,
    minimum: StepCost,
) -> ShortCuts {
    let to = |bounds| Heuristic::new(mode, minimum, bounds);
    ShortCuts::new(octile, to, edges.links().steps(), map.layout())
}

/// Finds a path of minimum cost where edges close some steps, and links add some. `costs` are those that
/// `map` is made for.
fn search_beside_edges(
    (map, edges): (&JumpMap, &PlacementEdges),
    costs: Option<&PlacementCosts>,
    mode: DiagonalMode,
    start: GridPoint,
    (goals, heuristic): (&Goals, Bounds<'_, ShortCuts>),
    expansions_max: u32,
    scratch: &mut Scratch,
) -> SearchResult {
    let Scratch { jump_nodes: table, frontier, .. } = scratch;
    table.clear();
    frontier.clear(heuristic.estimate(start.x(), start.y()), COST_WINDOW);
    let search = BestFirst::new(map.layout(), goals, heuristic, Parents { table, mode }, frontier);
    run(search, map, mode, EdgedCosts::of(costs, edges, map.layout(), mode), start, expansions_max)
}

/// Searches by jumps for bodies that move by `mode`.
fn run<N: Nodes, H: Estimate, C: CostPolicy>(
    search: BestFirst<'_, N, H>,
    map: &JumpMap,
    mode: DiagonalMode,
    costs: C,
    start: GridPoint,
    expansions_max: u32,
) -> SearchResult {
    debug_assert_eq!(map.mode(), JumpMap::shared_mode(mode));
    let goals = search.goals;
    match mode {
        DiagonalMode::Always => search.run(start, &Jumps::<0, C>::new(map, goals, costs), expansions_max),
        DiagonalMode::Never => search.run(start, &Jumps::<1, C>::new(map, goals, costs), expansions_max),
        DiagonalMode::AtLeastOneWalkable => {
            search.run(start, &Jumps::<2, C>::new(map, goals, costs), expansions_max)
        }
        DiagonalMode::OnlyIfNoObstacles => {
            search.run(start, &Jumps::<3, C>::new(map, goals, costs), expansions_max)
        }
    }
}

impl<N: Nodes, H: Estimate, const MODE: u8, C: CostPolicy> Expand<N, H> for Jumps<'_, MODE, C> {
    #[inline]
    fn expand(&self, search: &mut BestFirst<'_, N, H>, node: Node<N::Origin>) {
        let (cells, place) = (self.map.neighbourhood(node.index), self.place(node));
        // The start was not arrived at, and a link has no direction, so nothing is pruned.
        let directions = if node.arrival >= NO_ARRIVAL {
            let legal = self.costs.legal(self.table, node.index, cells);
            if C::IS_UNIT
                && let Some((goal, first)) = self.goal_ahead(place, legal)
            {
                // Reached at the key of the start, which is the least, it comes next. Nothing that other
                // directions lead to comes before it, so the result is the same without them.
                return search.reach(goal, first);
            }
            legal
        } else {
            self.costs.after(self.table, node.arrival, node.index, cells)
        };
        self.leave_all(search, place, directions);
        for step in self.costs.links_from(node.index) {
            let to = PaddedIndex::new(step.to as usize);
            if self.map.is_open(to.get()) {
                let point = GridPoint::of_index(to, search.layout);
                push(search, point, node.g + step.cost, LINK_ARRIVAL, node.origin);
            }
        }
    }
}

impl<N: Nodes, H: Estimate> Reached<N::Origin> for BestFirst<'_, N, H> {
    #[inline]
    fn reach(&mut self, at: Place<N::Origin>, arrival: Direction) {
        if self.nodes.improve(at.row, at.g, arrival as u8) {
            push(self, GridPoint::new(at.x, at.y), at.g, arrival as u8, at.origin);
        }
    }

    /// A cell that was reached at no greater cost before ends the walk: whatever lies beyond is reached from
    /// that arrival.
    #[inline]
    fn pass(&mut self, at: &Place<N::Origin>, arrival: Direction) -> bool {
        self.nodes.pass(at.row, at.g, arrival as u8)
    }
}

/// Not inlined, as there is a scan in each direction of each walk.
#[inline(never)]
fn push<N: Nodes, H: Estimate>(
    search: &mut BestFirst<'_, N, H>,
    point: GridPoint,
    g: u32,
    arrival: u8,
    origin: N::Origin,
) {
    search.push::<true>(point, g, arrival, origin);
}
