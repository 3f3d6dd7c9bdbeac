//! Each engine's answer is the oracle's, whatever the map, the body, the diagonal mode and the goal mode.

use pathforge_core::geometry::{Cell, CellRect, DiagonalMode, Side};
use pathforge_core::terrain::{Link, Terrain};
use pathforge_core::world::{Engine, GoalMode, World};
use pathforge_tests::bodies::{Body, FOOTPRINTS, any_body};
use pathforge_tests::check::{Expectation, Trip, show};
use pathforge_tests::draw::draw;
use pathforge_tests::maps::{self, Ground, any_cell, any_ground, any_map};
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
    let placements: Vec<Cell> = expected.ground().placements().collect();
    for _ in 0..starts {
        // Mostly where the body can stand: the rest would only be refused.
        let any_place = |rng: &mut Rng| {
            if placements.is_empty() || rng.percent(10) {
                any_cell(rng, region)
            } else {
                rng.pick(&placements)
            }
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
                let engine = outcome.engine;
                let is_right = engine == Engine::Jps || !expected.ground().is_uniform();
                assert!(is_right, "{label}: the wrong engine, {engine:?}");
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

/// Every promised footprint in every diagonal mode, on every kind of map.
#[test]
fn every_promised_footprint_in_every_mode_on_every_kind_of_map() {
    for seed in seeds(5, 1) {
        for kind in 0..7 {
            let mut rng = Rng::new(seed * 16 + kind);
            let rng = &mut rng;
            let (w, h) = (rng.int(40..75), rng.int(40..75));
            let walls = match kind {
                0 => maps::noise(rng, w, h, 12),
                1 => maps::noise(rng, w, h, 35),
                2 => maps::rooms(rng, w, h, 9),
                3 => maps::caves(rng, w, h),
                4 => maps::maze(rng, w, h, 5),
                5 => maps::city(rng, w, h),
                _ => maps::boxes(rng, w, h),
            };
            let origin = maps::any_origin(rng);
            let plain = walls.into_terrain(origin);
            let mut weighted = plain.clone();
            maps::dress(rng, &mut weighted, Ground::Both);
            for (w, h) in FOOTPRINTS {
                for mode in DiagonalMode::ALL {
                    for terrain in [&plain, &weighted] {
                        explore(
                            rng,
                            terrain,
                            &Body::new(w, h, mode),
                            1,
                            9,
                            &format!("seed {seed}, kind {kind}"),
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn on_uniform_ground_the_way_back_costs_the_same() {
    for seed in seeds(7, 150) {
        let mut rng = Rng::new(seed);
        let mut terrain = any_map(&mut rng, Ground::Plain);
        // Each link and each edge is for both ways.
        for id in terrain.link_ids() {
            let link = terrain.link(id.into()).expect("a link of the map").clone();
            terrain.set_link(id.into(), Link { is_two_way: true, ..link }).expect("a link of the map");
        }
        for (cell, sides) in terrain.region().cells().zip(terrain.edge_data()) {
            for side in Side::ALL.into_iter().filter(|&side| sides >> side as u8 & 1 == 1) {
                terrain.fill_edges(CellRect::cell(cell), side, true, false);
            }
        }
        let body = any_body(&mut rng, false);
        let placements: Vec<Cell> =
            pathforge_tests::oracle::Ground::new(&terrain, &body).placements().collect();
        let mut world = World::from_terrain(terrain);
        for _ in 0..if placements.is_empty() { 0 } else { 20 } {
            let (start, goal) = (rng.pick(&placements), rng.pick(&placements));
            let there = Trip { start, goal, goal_mode: GoalMode::Exact };
            let back = Trip { start: goal, goal: start, ..there };
            let costs = [there, back].map(|trip| world.find_path(&trip.query(&body)).cost);
            assert_eq!(
                costs[0],
                costs[1],
                "seed {seed}: {body:?}, {there:?}\n{}",
                draw(world.terrain(), &[])
            );
        }
    }
}

/// Maps as long as maps can be, where spots, indices and costs are largest.
#[test]
fn the_longest_maps_are_crossed() {
    for seed in seeds(8, 3) {
        let mut rng = Rng::new(seed);
        for (w, h) in [(16_384, 1), (1, 16_384), (16_384, 3), (4, 16_384)] {
            let origin = maps::any_origin(&mut rng);
            let mut terrain = maps::noise(&mut rng, w, h, 0).into_terrain(origin);
            let region = terrain.region();
            for _ in 0..if w.min(h) > 2 { 400 } else { 0 } {
                terrain.fill_solid(CellRect::cell(any_cell(&mut rng, region)), true);
            }
            if rng.percent(50) {
                let costly = CellRect::new(region.x, region.y, region.w.min(9_000), region.h.min(9_000));
                terrain.fill_weight(costly, 900.0).expect("a valid weight");
            }
            let body = Body::new(1, 1, rng.pick(&DiagonalMode::ALL));
            explore(&mut rng, &terrain, &body, 1, 3, &format!("seed {seed}"));
            let corners = (Cell::new(region.x, region.y), Cell::new(region.right() - 1, region.bottom() - 1));
            let trip = Trip { start: corners.0, goal: corners.1, goal_mode: GoalMode::Nearest };
            let outcome = World::from_terrain(terrain.clone()).find_path(&trip.query(&body));
            let verdict =
                Expectation::new(&terrain, &body, trip.start).verify(&terrain, &body, trip, &outcome);
            assert_eq!(verdict, Ok(()), "seed {seed}: {w}x{h}, {body:?}");
        }
    }
}
