//! Searches by landmarks: a world whose bodies were prepared answers at the cost of one whose were not, after
//! any edits and with any cells blocked.

use std::sync::Arc;

use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::terrain::{IgnoredObstacles, ObstacleLayers};
use pathforge_core::world::{GoalMode, PathQuery, Preparations, Profile, SearchMode, Workers, World};
use pathforge_tests::bodies::any_body;
use pathforge_tests::check::{Trip, show};
use pathforge_tests::edits::{Wildness, any_edit};
use pathforge_tests::maps::{Ground, any_cell, any_map_of};
use pathforge_tests::rng::{Rng, seeds};

use crate::crew::Crew;

/// Has a worker make what paths of `profile` are searched on, and waits for it.
fn prepare(world: &mut World, profile: &Profile) {
    let crew = Crew::of(1);
    let mut preparations = Preparations::new(Arc::clone(&crew) as Arc<dyn Workers>);
    preparations.order(*profile, SearchMode::Optimal);
    preparations.pump(world);
    while crew.run_one(&mut Rng::new(0)) {}
    assert!(preparations.pump(world), "the order is carried out");
}

#[test]
fn prepared_worlds_answer_at_the_cost_of_others_after_edits_and_past_blocked_cells() {
    let (mut expanded, mut expanded_plainly) = (0, 0);
    for seed in seeds(140, 30) {
        let mut rng = Rng::new(seed);
        // Larger than the maps that are too small for landmarks.
        let (w, h) = (rng.int(90..140), rng.int(90..140));
        let ground = rng.pick(&[Ground::Patches, Ground::Weights, Ground::LightWeights, Ground::Both]);
        let mut world = World::from_terrain(any_map_of(&mut rng, w, h, ground));
        let bodies = [any_body(&mut rng, true), any_body(&mut rng, true)];
        let mut obstacles = Vec::new();
        for _ in 0..12 {
            let mut plain = World::from_terrain(world.terrain().clone());
            for body in &bodies {
                let profile = body.profile();
                // Now and then, so that some landmarks were repaired several times, and some were dropped.
                if rng.percent(30) {
                    prepare(&mut world, &profile);
                }
                let region = world.terrain().region();
                let mut place = || {
                    let cell = any_cell(&mut rng, region);
                    plain.nearest_fit(cell, &profile, None).unwrap_or(cell)
                };
                let (start, goal) = (place(), place());
                let trip = Trip {
                    start,
                    goal,
                    goal_mode: rng.pick(&[GoalMode::Exact, GoalMode::Cover, GoalMode::Nearest]),
                };
                let blocked: Vec<Cell> =
                    (0..rng.pick(&[0, 0, 9, 60])).map(|_| any_cell(&mut rng, region)).collect();
                let mut query: PathQuery = trip.query(body).past(&blocked);
                // Past an obstacle that is ignored, paths cost less than the landmarks know.
                if let Some(&id) = obstacles.last().filter(|_| rng.percent(40)) {
                    query.profile.ignored_obstacles = IgnoredObstacles::new([id]).expect("one");
                }
                let answer = world.find_path(&query);
                let told = || format!("seed {seed}: {}", show(world.terrain(), body, trip, &answer));
                let other = plain.find_path(&query);
                assert_eq!((answer.status, answer.cost), (other.status, other.cost), "{}", told());
                expanded += u64::from(answer.expanded);
                expanded_plainly += u64::from(other.expanded);
            }
            let wall = CellRect::new(rng.int(0..w), rng.int(0..h), rng.int(1..40), 2);
            obstacles.extend(world.terrain_mut().add_obstacle(wall, ObstacleLayers::FIRST).map(|(id, _)| id));
            for _ in 0..rng.int(1..4) {
                any_edit(&mut rng, world.terrain(), Wildness::Small).apply(world.terrain_mut());
            }
        }
    }
    assert!(
        expanded * 5 < expanded_plainly * 4,
        "landmarks save a fifth at least: {expanded} of {expanded_plainly}"
    );
}
