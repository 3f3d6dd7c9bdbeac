//! Path queries on maps of uniform cost, every cell of the path in the answer.

use std::hint::black_box;

use grid_pathfinding::PathingGrid;
use grid_util::grid::ValueGrid;
use grid_util::point::Point;
use pathforge_core::cost::Cost;
use pathforge_core::geometry::{Cell, DiagonalMode};
use pathforge_core::terrain::Terrain;
use pathforge_core::world::{PathOutcome, PathQuery, Profile, World};

use crate::goals;
use crate::maps::{Scenario, scenarios};
use crate::measure::{Samples, geometric_mean, in_turns};
use crate::options::Options;
use crate::report::{Report, Table};

/// One in so many queries is asked of a peer that takes milliseconds for each.
const FEW: usize = 20;
/// Measures.
pub fn run(options: &Options, report: &mut Report) {
    let mut table = Table::new(
        "Path queries, 1×1, uniform cost",
        "A query, the whole path extracted. Costs equal the scenario's optimal lengths and those of `pathfinding`; \
         `grid_pathfinding` cuts corners, an easier problem; how long its paths are beside ours stands in a column. \
         `pathfinding` gets one query in twenty, and its ratio is about the same queries.",
        "map",
    );
    let mut ratios = [Vec::new(), Vec::new()];
    for scenario in scenarios(options) {
        let shortcuts = check(&scenario);
        let [ours, improved, plain, few, astar] = measure(&scenario, options);
        let better = improved.median().min(plain.median()) / ours.median();
        let slow = astar.median() / few.median();
        ratios[0].push(better);
        ratios[1].push(slow);
        table
            .row(&scenario.name)
            .samples("PathForge", &ours, "µs")
            .samples("grid_pathfinding, improved pruning", &improved, "µs")
            .samples("grid_pathfinding, plain", &plain, "µs")
            .samples("pathfinding A*", &astar, "µs")
            .ratio("× better grid_pathfinding", better)
            .ratio("× pathfinding", slow)
            .fixed("length of grid_pathfinding's", shortcuts, 4);
    }
    let [better, slow] = ratios.map(|ratios| geometric_mean(&ratios));
    table.row("**geometric mean**").ratio("× better grid_pathfinding", better).ratio("× pathfinding", slow);
    report.add(table);
    report.reach(&goals::PATHS_GRID_PATHFINDING, "", better);
    report.reach(&goals::PATHS_PATHFINDING, "", slow);
}

fn ours(world: &mut World, start: Cell, goal: Cell) -> PathOutcome {
    world.find_path(&PathQuery::new(start, goal, Profile::default()))
}

/// Holds every answer to the lengths that are known, and some to `pathfinding`'s; returns the mean of how
/// long the paths of `grid_pathfinding` are beside ours.
fn check(scenario: &Scenario) -> f64 {
    let mut world = World::from_terrain(scenario.terrain.clone());
    let cost = |outcome: &PathOutcome| outcome.cost.map_or(f64::INFINITY, Cost::cells);
    for &(start, goal, length) in scenario.queries.iter().filter(|query| !query.2.is_nan()) {
        let cost = cost(&ours(&mut world, start, goal));
        assert!((cost - length).abs() <= 0.001 * length + 1e-3, "{start:?} {goal:?}: {cost} is not {length}");
    }
    let peer = peer_grid(&scenario.terrain, true);
    let mut ratios = Vec::new();
    for &(start, goal, _) in scenario.queries.iter().step_by(FEW) {
        let found = ours(&mut world, start, goal);
        let theirs = astar(&scenario.terrain, start, goal).map(|(_, units)| units);
        assert_eq!(found.cost.map(Cost::units), theirs, "{start:?} {goal:?}: pathfinding disagrees");
        let shortcut = peer_path(&peer, start, goal).expect("grid_pathfinding finds a path, too");
        ratios.extend((start != goal).then(|| length(&shortcut) / cost(&found)));
    }
    ratios.iter().sum::<f64>() / ratios.len() as f64
}

/// Cells that a path of straight and diagonal lines is long.
fn length(turns: &[Point]) -> f64 {
    let line = |ends: &[Point]| {
        let (x, y) = (f64::from(ends[0].x - ends[1].x).abs(), f64::from(ends[0].y - ends[1].y).abs());
        x.max(y) + x.min(y) * (std::f64::consts::SQRT_2 - 1.0)
    };
    turns.windows(2).map(line).sum()
}

/// µs a query: ours, `grid_pathfinding` with and without improved pruning, and of few queries ours and
/// `pathfinding`'s A*.
fn measure(scenario: &Scenario, options: &Options) -> [Samples; 5] {
    let queries = &scenario.queries;
    let few: Vec<_> = queries.iter().step_by(FEW).copied().collect();
    let world = std::cell::RefCell::new(World::from_terrain(scenario.terrain.clone()));
    let answer = |queries: &[(Cell, Cell, f64)]| {
        for &(start, goal, _) in queries {
            black_box(ours(&mut world.borrow_mut(), start, goal).route.cells());
        }
    };
    let grids = [true, false].map(|improved| peer_grid(&scenario.terrain, improved));
    let peer = |grid: &PathingGrid| {
        for &(start, goal, _) in queries {
            black_box(peer_path(grid, start, goal));
        }
    };
    let mut slow = || {
        for &(start, goal, _) in &few {
            black_box(astar(&scenario.terrain, start, goal));
        }
    };
    let times = in_turns(
        options.rounds(),
        &mut [
            &mut || answer(queries),
            &mut || peer(&grids[0]),
            &mut || peer(&grids[1]),
            &mut || answer(&few),
            &mut slow,
        ],
    );
    let counts = [queries.len(), queries.len(), queries.len(), few.len(), few.len()];
    std::array::from_fn(|n| times[n].times(1e6 / counts[n] as f64))
}

fn peer_path(grid: &PathingGrid, start: Cell, goal: Cell) -> Option<Vec<Point>> {
    let point = |cell: Cell| Point::new(cell.x, cell.y);
    grid.get_path_single_goal(point(start), point(goal), false)
}

fn peer_grid(terrain: &Terrain, improved_pruning: bool) -> PathingGrid {
    let region = terrain.region();
    let mut grid = PathingGrid::new(region.w as usize, region.h as usize, true);
    grid.improved_pruning = improved_pruning;
    for cell in region.cells() {
        grid.set(cell.x, cell.y, terrain.is_solid(cell));
    }
    grid.initialize();
    grid.generate_components();
    grid
}

/// The crate `pathfinding` as its users would call it, with the same rule for corners as ours.
fn astar(terrain: &Terrain, start: Cell, goal: Cell) -> Option<(Vec<(i32, i32)>, u32)> {
    let open = |x: i32, y: i32| !terrain.is_solid(Cell::new(x, y));
    let mode = DiagonalMode::OnlyIfNoObstacles;
    pathfinding::prelude::astar(
        &(start.x, start.y),
        |&(x, y)| {
            let mut next = Vec::with_capacity(8);
            for (dx, dy) in [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)] {
                let straight = dx == 0 || dy == 0;
                if open(x + dx, y + dy) && (straight || mode.allows(open(x + dx, y), open(x, y + dy))) {
                    next.push(((x + dx, y + dy), if straight { 70 } else { 99 }));
                }
            }
            next
        },
        |&(x, y)| pathforge_core::primitives::octile(x.abs_diff(goal.x), y.abs_diff(goal.y)),
        |&at| at == (goal.x, goal.y),
    )
}
