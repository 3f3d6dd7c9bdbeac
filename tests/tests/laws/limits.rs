//! What lies beyond a limit is an outcome, never a wrapped number.

use pathforge_core::cost::Cost;
use pathforge_core::geometry::{CellRect, DiagonalMode};
use pathforge_core::terrain::Terrain;
use pathforge_core::world::{GoalMode, Reason, Status, World};
use pathforge_tests::bodies::{Body, any_body};
use pathforge_tests::check::{Expectation, Trip, show};
use pathforge_tests::maps::{any_cell, any_ground, any_map};
use pathforge_tests::oracle::{Distances, Ground};
use pathforge_tests::rng::{Rng, seeds};

#[test]
fn a_limit_on_expansions_is_kept_and_otherwise_changes_nothing() {
    for seed in seeds(20, 120) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let terrain = any_map(&mut rng, ground);
        let body = any_body(&mut rng, true);
        let mut world = World::from_terrain(terrain.clone());
        for _ in 0..10 {
            let trip = Trip {
                start: any_cell(&mut rng, terrain.region()),
                goal: any_cell(&mut rng, terrain.region()),
                goal_mode: rng.pick(&[GoalMode::Exact, GoalMode::Cover, GoalMode::Nearest]),
            };
            let mut query = trip.query(&body);
            let unlimited = world.find_path(&query);
            for expansions_max in [0, 1, unlimited.expanded / 2, unlimited.expanded.saturating_sub(1)] {
                query.expansions_max = expansions_max;
                let limited = world.find_path(&query);
                if expansions_max >= unlimited.expanded {
                    assert_eq!(limited, unlimited, "seed {seed}: a limit of {expansions_max} is not reached");
                    continue;
                }
                let shown = show(&terrain, &body, trip, &limited);
                assert_eq!(
                    (limited.status, limited.reason),
                    (Status::Limit, Some(Reason::Limit)),
                    "seed {seed}: {shown}"
                );
                assert!(limited.expanded <= expansions_max, "seed {seed}: {shown}");
                assert!(limited.cost.is_none() && limited.route.is_empty(), "seed {seed}: {shown}");
            }
            query.expansions_max = unlimited.expanded;
            assert_eq!(world.find_path(&query), unlimited, "seed {seed}: exactly as many as needed");
        }
    }
}

/// One corridor that goes to and fro over `rows` rows of `width` cells, over ground that costs `weight`.
fn snake(width: i32, rows: i32, weight: f32) -> Terrain {
    let mut terrain = Terrain::new(CellRect::new(-5, 7, width, rows * 2 - 1)).expect("a small region");
    let region = terrain.region();
    for row in 0..rows - 1 {
        let wall = CellRect::new(region.x, region.y + 2 * row + 1, width, 1);
        terrain.fill_solid(wall, true);
        let door = if row % 2 == 0 { region.right() - 1 } else { region.x };
        terrain.fill_solid(CellRect::new(door, wall.y, 1, 1), false);
    }
    terrain.fill_weight(region, weight).expect("a valid weight");
    terrain
}

#[test]
fn a_way_that_costs_more_than_can_be_counted_is_a_limit() {
    let terrain = snake(250, 140, 1e6);
    let body = Body::new(1, 1, DiagonalMode::Never);
    let ground = Ground::new(&terrain, &body);
    let start = ground.placements().next().expect("the snake's head");
    let distances = Distances::from(&ground, start);
    let most = u64::from(Cost::MAX.units());
    let mut world = World::from_terrain(terrain.clone());
    let mut placements: Vec<_> =
        ground.placements().map(|c| (distances.cost(&ground, c).expect("one corridor"), c)).collect();
    placements.sort_unstable();
    let border = placements.partition_point(|(cost, _)| *cost < most);
    assert!((10..placements.len() - 10).contains(&border), "the snake is long enough, and not all too far");
    // On both sides of the border, and at the snake's tail.
    let probes = [1, border / 2, border - 2, border - 1, border, border + 1, placements.len() - 1];
    for (cost, goal) in probes.map(|n| placements[n]) {
        for goal_mode in [GoalMode::Exact, GoalMode::Cover, GoalMode::Nearest] {
            let outcome = world.find_path(&Trip { start, goal, goal_mode }.query(&body));
            if cost < most {
                assert_eq!(outcome.status, Status::Complete);
                assert_eq!(outcome.cost.map(|c| u64::from(c.units())), Some(cost));
            } else {
                assert_eq!(
                    (outcome.status, outcome.reason),
                    (Status::Limit, Some(Reason::Limit)),
                    "a cost of {cost}"
                );
                assert!(outcome.cost.is_none() && outcome.route.is_empty());
            }
            assert!(world.is_reachable(&Trip { start, goal, goal_mode }.query(&body)));
        }
    }
}

#[test]
fn the_dearest_and_the_cheapest_ground_side_by_side_are_counted_right() {
    for seed in seeds(21, 60) {
        let mut rng = Rng::new(seed);
        let mut terrain = any_map(&mut rng, pathforge_tests::maps::Ground::Plain);
        let region = terrain.region();
        let weights: Vec<f32> =
            region.cells().map(|_| rng.pick(&[0.0, 1.0, 936.0, 1e9, f32::MAX, f32::MIN_POSITIVE])).collect();
        terrain.set_weight_data(&weights).expect("valid weights");
        let (mode, side) = (rng.pick(&DiagonalMode::ALL), rng.int(1..4));
        let body = Body::new(side, side, mode);
        let start = any_cell(&mut rng, region);
        let expected = Expectation::new(&terrain, &body, start);
        let mut world = World::from_terrain(terrain.clone());
        for _ in 0..10 {
            let trip = Trip { start, goal: any_cell(&mut rng, region), goal_mode: GoalMode::Cover };
            let outcome = world.find_path(&trip.query(&body));
            expected.assert_right(&terrain, &body, trip, &outcome, &format!("seed {seed}"));
        }
    }
}

#[test]
fn terrain_costs_that_are_too_large_together_stay_within_a_step() {
    let mut terrain = Terrain::new(CellRect::new(0, 0, 5, 1)).expect("a small region");
    terrain.fill_weight(terrain.region(), f32::MAX).expect("a valid weight");
    let body = Body { terrain_costs: vec![f32::MAX], ..Body::new(1, 1, DiagonalMode::Always) };
    let mut world = World::from_terrain(terrain);
    let [start, goal] = [0, 4].map(|x| pathforge_core::geometry::Cell::new(x, 0));
    let outcome = world.find_path(&Trip { start, goal, goal_mode: GoalMode::Exact }.query(&body));
    assert_eq!(outcome.cost.map(Cost::units), Some(4 * 65_535));
}
