//! Paths after edits are what the oracle finds, and what a new world finds.

use pathforge_core::geometry::Cell;
use pathforge_core::testing::Scratch;
use pathforge_core::world::{GoalMode, PathQuery, SearchMode, World};

use crate::bodies::any_body;
use crate::check::{Expectation, Trip, show, walk_along};
use crate::maps::{any_cell, any_ground, any_map_of};
use crate::rng::Rng;
use crate::searches::Searches;

use super::maps;

const GOAL_MODES: [GoalMode; 3] = [GoalMode::Exact, GoalMode::Cover, GoalMode::Nearest];

/// Optimal engines.
pub fn flat(rng: &mut Rng) {
    let mut world = World::from_terrain(maps::any(rng));
    let bodies = [any_body(rng, true), any_body(rng, true)];
    for _ in 0..4 {
        for body in &bodies {
            let region = world.terrain().region();
            let (start, goal) = (any_cell(rng, region), any_cell(rng, region));
            let trip = Trip { start, goal, goal_mode: rng.pick(&GOAL_MODES) };
            let outcome = world.find_path(&trip.query(body));
            let terrain = world.terrain().clone();
            Expectation::new(&terrain, body, start).assert_right(&terrain, body, trip, &outcome, "flat");
            let fresh = World::from_terrain(terrain.clone()).find_path(&trip.query(body));
            assert!(outcome == fresh, "{}\nanew: {fresh:?}", show(&terrain, body, trip, &outcome));
        }
        maps::edit(rng, &mut world);
    }
}

/// All engines over cells, whichever a world would choose, to one goal or several.
pub fn searches(rng: &mut Rng) {
    let mut world = World::from_terrain(maps::any(rng));
    let mut scratch = Scratch::default();
    for _ in 0..3 {
        let searches = Searches::new(world.terrain().clone(), &any_body(rng, true));
        let placements: Vec<Cell> = searches.ground.placements().collect();
        for _ in 0..if placements.is_empty() { 0 } else { 3 } {
            let goals: Vec<Cell> = (0..rng.int(1..4)).map(|_| rng.pick(&placements)).collect();
            searches.assert_right(rng.pick(&placements), &goals, &mut scratch, "searches");
        }
        maps::edit(rng, &mut world);
    }
}

/// Over clusters: a path exactly when there is one, every step of it legal, its cost what it says.
pub fn hierarchical(rng: &mut Rng) {
    let ground = any_ground(rng);
    let (w, h) = (rng.int(1..170), rng.int(1..170));
    let mut world = World::from_terrain(any_map_of(rng, w, h, ground));
    let body = any_body(rng, true);
    for _ in 0..4 {
        let region = world.terrain().region();
        let (start, goal) = (any_cell(rng, region), any_cell(rng, region));
        let trip = Trip { start, goal, goal_mode: rng.pick(&GOAL_MODES) };
        let query = PathQuery { search_mode: SearchMode::Hierarchical, ..trip.query(&body) };
        let outcome = world.find_path(&query);
        let terrain = world.terrain().clone();
        let expected = Expectation::new(&terrain, &body, start);
        let best = expected.answer(&terrain, &body, trip);
        let told = || show(&terrain, &body, trip, &outcome);
        assert_eq!((outcome.status, outcome.reason), (best.status, best.reason), "{}", told());
        if let Some(least) = best.cost {
            let walked = walk_along(expected.ground(), start, &outcome.route).expect("legal steps");
            assert_eq!(outcome.cost.map(|cost| u64::from(cost.units())), Some(walked), "{}", told());
            assert!(walked >= least, "cheaper than the cheapest\n{}", told());
        }
        let fresh = World::from_terrain(terrain.clone()).find_path(&query);
        assert!(outcome == fresh, "{}\nanew: {fresh:?}", told());
        maps::edit(rng, &mut world);
    }
}
