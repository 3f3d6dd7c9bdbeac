//! A path over clusters exists exactly when one over cells does; the body fits at every step; the cost is
//! what was walked.

use pathforge_core::geometry::Cell;
use pathforge_core::terrain::Terrain;
use pathforge_core::world::{Engine, GoalMode, PathQuery, SearchMode, World};
use pathforge_tests::bodies::{Body, any_body};
use pathforge_tests::check::{Expectation, Trip, show, walk};
use pathforge_tests::maps::{Ground, any_cell, any_ground, any_map_of};
use pathforge_tests::rng::{Rng, seeds};

const GOAL_MODES: [GoalMode; 3] = [GoalMode::Exact, GoalMode::Cover, GoalMode::Nearest];
/// Clusters lie around each other whose sides are so long.
const CLUSTER_SIDE: i32 = 32;

/// What is wrong with the answer to `trip`.
fn verify(expected: &Expectation, terrain: &Terrain, body: &Body, trip: Trip) -> Result<(), String> {
    verify_in(&mut World::from_terrain(terrain.clone()), expected, body, trip)
}

fn verify_in(world: &mut World, expected: &Expectation, body: &Body, trip: Trip) -> Result<(), String> {
    let query = PathQuery { search_mode: SearchMode::Hierarchical, ..trip.query(body) };
    let outcome = world.find_path(&query);
    let terrain = world.terrain();
    let best = expected.answer(terrain, body, trip);
    let told =
        |what: &str| Err(format!("{what}: expected {best:?}\n{}", show(terrain, body, trip, &outcome)));
    if (outcome.status, outcome.reason) != (best.status, best.reason) {
        return told("the status is wrong");
    }
    let Some(least) = best.cost else {
        return if outcome.route.is_empty() && outcome.cost.is_none() {
            Ok(())
        } else {
            told("a path from nowhere")
        };
    };
    let cells = outcome.route.cells();
    let walked = match walk(expected.ground(), trip.start, &cells) {
        Ok(walked) => walked,
        Err(why) => return told(&why),
    };
    if outcome.cost.map(|c| u64::from(c.units())) != Some(walked) || walked < least {
        return told(&format!("the path costs {walked}"));
    }
    let Some(&end) = cells.last() else { return told("no end") };
    // Of goals that are equally good, any will do.
    if trip.goal_mode == GoalMode::Exact && end != trip.goal {
        return told("the wrong end");
    }
    let far = |cell: Cell| far_squared(body, cell, trip.goal);
    if best.end.is_some_and(|best| far(best) != far(end)) {
        return told("an end that is not near");
    }
    let region = terrain.region();
    let cluster =
        |cell: Cell| ((cell.x - region.x + 1) / CLUSTER_SIDE, (cell.y - region.y + 1) / CLUSTER_SIDE);
    let (a, b) = (cluster(trip.start), cluster(end));
    let is_near = (a.0 - b.0).abs() <= 1 && (a.1 - b.1).abs() <= 1;
    // Clusters know no links.
    let has_links = !terrain.link_ids().is_empty();
    match outcome.engine {
        Engine::None if cells.len() == 1 => Ok(()),
        Engine::Haa if outcome.expanded > 0 => Ok(()),
        Engine::Jps | Engine::AStar
            if (is_near || has_links || trip.goal_mode != GoalMode::Exact) && outcome.expanded > 0 =>
        {
            Ok(())
        }
        _ => told("the wrong engine"),
    }
}

/// The squared distance from `goal` to the nearest cell of a body at `anchor`.
fn far_squared(body: &Body, anchor: Cell, goal: Cell) -> i64 {
    let outside = |v: i32, low: i32, side: i32| i64::from((low - v).max(v - (low + side - 1)).max(0));
    let (dx, dy) = (outside(goal.x, anchor.x, body.w), outside(goal.y, anchor.y, body.h));
    dx * dx + dy * dy
}

fn explore(seeds: std::ops::Range<u64>, ground: Option<Ground>) {
    for seed in seeds {
        let mut rng = Rng::new(seed);
        let ground = ground.unwrap_or_else(|| any_ground(&mut rng));
        // Sides at which clusters and blocks end, and any others.
        let mut side =
            || if rng.percent(40) { rng.pick(&[31, 32, 63, 64, 95, 127, 128, 159]) } else { rng.int(1..180) };
        let (w, h) = (side(), side());
        let terrain = any_map_of(&mut rng, w, h, ground);
        let mut world = World::from_terrain(terrain.clone());
        for round in 0..3 {
            let body = any_body(&mut rng, true);
            let label = format!("seed {seed}, round {round}");
            let mut expected = Expectation::new(&terrain, &body, any_cell(&mut rng, terrain.region()));
            let placements: Vec<Cell> = expected.ground().placements().collect();
            let place = |rng: &mut Rng| {
                if placements.is_empty() || rng.percent(5) {
                    any_cell(rng, terrain.region())
                } else {
                    rng.pick(&placements)
                }
            };
            for _ in 0..2 {
                let start = place(&mut rng);
                expected = expected.from(start);
                for _ in 0..10 {
                    let trip = Trip { start, goal: place(&mut rng), goal_mode: rng.pick(&GOAL_MODES) };
                    if let Err(why) = verify_in(&mut world, &expected, &body, trip) {
                        // In a new world, what went wrong is seen alone.
                        panic!(
                            "{label}: {why}\nin a new world: {:?}",
                            verify(&expected, &terrain, &body, trip).is_err()
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn on_uniform_ground_a_path_exists_when_the_oracle_has_one() {
    explore(seeds(60, 60), Some(Ground::Plain));
}
#[test]
fn among_terrains_and_weights_a_path_exists_when_the_oracle_has_one() {
    explore(seeds(61, 60), None);
}
