//! Each engine's answer is the oracle's, whatever the map, the body, the diagonal mode and the goal mode.

use pathforge_core::{
    Cell, CellRect, DiagonalMode, Engine, GoalMode, Goals, JumpMap, Scratch, SearchEnd, SearchResult, Spot,
    StandCosts, Terrain, TerrainCosts, World, search_uniform, search_weighted,
};
use pathforge_tests::bodies::{Body, FOOTPRINTS, any_body};
use pathforge_tests::check::{Expectation, Trip, show};
use pathforge_tests::maps::{Ground, any_cell, any_ground, any_map, any_map_of, any_size};
use pathforge_tests::rng::{Rng, seeds};
use pathforge_tests::shrink::shrink;

const GOAL_MODES: [GoalMode; 3] = [GoalMode::Exact, GoalMode::Cover, GoalMode::Nearest];

/// Asks a fresh world and fails, with a map made as small as possible, when the answer is wrong.
fn ask_fresh(terrain: &Terrain, body: &Body, trip: Trip, label: &str) {
    let fails = |terrain: &Terrain| {
        let outcome = World::from_terrain(terrain.clone()).find_path(&trip.query(body));
        Expectation::new(terrain, body, trip.start).verify(terrain, body, trip, &outcome).err()
    };
    if let Some(why) = fails(terrain) {
        let small = shrink(terrain, |t| fails(t).is_some());
        let outcome = World::from_terrain(small.clone()).find_path(&trip.query(body));
        let now = fails(&small).unwrap_or_default();
        panic!("{label}: {why}\nmade smaller: {now}\n{}", show(&small, body, trip, &outcome));
    }
}

/// Many trips of one body over one map: a few starts, many goals, all goal modes.
fn explore(rng: &mut Rng, terrain: &Terrain, body: &Body, starts: u32, goals: u32, label: &str) {
    let mut world = World::from_terrain(terrain.clone());
    let region = terrain.region();
    let mut expected = Expectation::new(terrain, body, any_cell(rng, region));
    let stands: Vec<Cell> = expected.ground().stands().collect();
    for _ in 0..starts {
        // Mostly where the body can stand: the rest would only be refused.
        let any_place = |rng: &mut Rng| {
            if stands.is_empty() || rng.percent(10) { any_cell(rng, region) } else { rng.pick(&stands) }
        };
        let start = any_place(rng);
        expected = expected.from(start);
        for _ in 0..goals {
            let trip = Trip { start, goal: any_place(rng), goal_mode: rng.pick(&GOAL_MODES) };
            let outcome = world.find_path(&trip.query(body));
            if expected.verify(terrain, body, trip, &outcome).is_err() {
                ask_fresh(terrain, body, trip, label);
            }
            expected.assert_right(terrain, body, trip, &outcome, label);
            if outcome.engine != Engine::None {
                let jps = outcome.engine == Engine::Jps;
                assert_eq!(jps, expected.ground().is_uniform(), "{label}: the wrong engine");
            }
        }
    }
}

fn explore_many(seeds: std::ops::Range<u64>, ground: Option<Ground>, costly: bool) {
    for seed in seeds {
        let mut rng = Rng::new(seed);
        let ground = ground.unwrap_or_else(|| any_ground(&mut rng));
        let terrain = any_map(&mut rng, ground);
        for round in 0..4 {
            let body = any_body(&mut rng, costly);
            explore(&mut rng, &terrain, &body, 2, 10, &format!("seed {seed}, round {round}"));
        }
    }
}

#[test]
fn on_uniform_ground_every_answer_is_the_oracles() {
    explore_many(seeds(1, 250), Some(Ground::Plain), false);
}
#[test]
fn among_terrains_every_answer_is_the_oracles() {
    explore_many(seeds(2, 100), Some(Ground::Patches), true);
}
#[test]
fn on_weighted_ground_every_answer_is_the_oracles() {
    explore_many(seeds(3, 150), Some(Ground::Weights), false);
}
#[test]
fn on_weights_below_one_every_answer_is_the_oracles() {
    explore_many(seeds(4, 150), Some(Ground::LightWeights), true);
}
