//! One thread and several give the same answers, bit for bit.

use pathforge_core::world::{GoalMode, PathOutcome, PathQuery, World};
use pathforge_tests::bodies::any_body;
use pathforge_tests::check::Trip;
use pathforge_tests::maps::{any_cell, any_ground, any_map_of};
use pathforge_tests::rng::{Rng, seeds};

#[test]
fn answers_do_not_depend_on_the_number_of_threads() {
    let pools = [1, 2, 4].map(|threads| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started")
    });
    for seed in seeds(30, 12) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let terrain = any_map_of(&mut rng, 90, 80, ground);
        let bodies: Vec<_> = (0..4).map(|_| any_body(&mut rng, true)).collect();
        let queries: Vec<PathQuery> = (0..150)
            .map(|_| {
                let trip = Trip {
                    start: any_cell(&mut rng, terrain.region()),
                    goal: any_cell(&mut rng, terrain.region()),
                    goal_mode: rng.pick(&[GoalMode::Exact, GoalMode::Cover, GoalMode::Nearest]),
                };
                let smoothing = rng.percent(50);
                PathQuery { smoothing, ..trip.query(&bodies[rng.place(bodies.len())]) }
            })
            .collect();
        let one_by_one: Vec<PathOutcome> = {
            let mut world = World::from_terrain(terrain.clone());
            queries.iter().map(|query| world.find_path(query)).collect()
        };
        for pool in &pools {
            let mut world = World::from_terrain(terrain.clone());
            for round in 0..2 {
                let answers = pool.install(|| world.find_paths(&queries, || 0));
                let together: Vec<PathOutcome> = answers.into_iter().map(|(outcome, _)| outcome).collect();
                let threads = pool.current_num_threads();
                assert!(together == one_by_one, "seed {seed}: {threads} threads differ in round {round}");
            }
        }
    }
}

#[test]
fn no_queries_have_no_answers() {
    assert!(World::default().find_paths(&[], || 0).is_empty());
}
