//! Path queries on maps of uniform cost, every cell of the path in the answer.

use std::hint::black_box;

use grid_pathfinding::PathingGrid;
use grid_util::grid::ValueGrid;
use grid_util::point::Point;
use pathforge_core::{Cell, Cost, DiagonalMode, PathQuery, Profile, Terrain, World};

use crate::maps::{Scenario, moving_ai};
use crate::measure::{geometric_mean, take_turns};
use crate::options::Options;
use crate::report::Report;

/// Measures.
pub fn run(options: &Options, report: &mut Report) {
    let Some(folder) = &options.maps else {
        eprintln!("paths: no folder of Moving AI maps; give one with --maps");
        return;
    };
    let mut rows = Vec::new();
    let mut ratios = [Vec::new(), Vec::new()];
    for scenario in moving_ai(folder) {
        let times = measure(&scenario, options);
        let [ours, jps, jps_default, astar] = times[..] else { continue };
        let better = jps.min(jps_default);
        ratios[0].push(better / ours);
        ratios[1].push(astar / ours);
        let us = |seconds: f64| format!("{:.1}", seconds * 1e6);
        rows.push(vec![
            scenario.name,
            us(ours),
            us(jps),
            us(jps_default),
            us(astar),
            format!("{:.1}", better / ours),
            format!("{:.1}", astar / ours),
        ]);
        eprintln!("{}", rows.last().map_or(String::new(), |row| row.join("  ")));
    }
    rows.push(vec![
        "**geometric mean**".into(),
        String::new(),
        String::new(),
        String::new(),
        String::new(),
        format!("**{:.1}**", geometric_mean(&ratios[0])),
        format!("**{:.1}**", geometric_mean(&ratios[1])),
    ]);
    report.table(
        "Path queries, 1×1, uniform cost",
        "µs a query, the whole path extracted. `grid_pathfinding` cuts corners, an easier problem.",
        &[
            "map",
            "PathForge",
            "grid_pathfinding, improved pruning",
            "grid_pathfinding, plain",
            "pathfinding A*",
            "× better grid_pathfinding",
            "× pathfinding",
        ],
        &rows,
    );
}

/// Seconds a query: ours, `grid_pathfinding` with and without improved pruning, `pathfinding`'s A*.
fn measure(scenario: &Scenario, options: &Options) -> Vec<f64> {
    let queries = &scenario.queries;
    let mut world = World::from_terrain(scenario.terrain.clone());
    let mut ours = || {
        for &(start, goal, length) in queries {
            let outcome = world.find_path(&PathQuery::new(start, goal, Profile::default()));
            let cost = outcome.cost.map_or(f64::INFINITY, Cost::cells);
            assert!(
                (cost - length).abs() <= 0.001 * length + 1e-3,
                "{start:?} {goal:?}: {cost} is not {length}"
            );
            black_box(outcome.route.cells());
        }
    };
    let grids = [true, false].map(|improved| peer_grid(&scenario.terrain, improved));
    let peer = |grid: &PathingGrid| {
        for &(start, goal, _) in queries {
            let point = |cell: Cell| Point::new(cell.x, cell.y);
            black_box(grid.get_path_single_goal(point(start), point(goal), false));
        }
    };
    let few: Vec<_> = queries.iter().step_by(if options.quick { 20 } else { 6 }).copied().collect();
    let mut astar = || {
        for &(start, goal, _) in &few {
            black_box(astar(&scenario.terrain, start, goal));
        }
    };
    let fast =
        take_turns(options.rounds(), &mut [&mut ours, &mut || peer(&grids[0]), &mut || peer(&grids[1])]);
    let slow = take_turns(1, &mut [&mut astar]);
    let count = queries.len() as f64;
    fast.into_iter().map(|t| t / count).chain(slow.into_iter().map(|t| t / few.len() as f64)).collect()
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
        |&(x, y)| pathforge_core::octile(x.abs_diff(goal.x), y.abs_diff(goal.y)),
        |&at| at == (goal.x, goal.y),
    )
}
