//! What was prepared in the background is all that a search needs, whatever happened meanwhile.

use std::sync::{Arc, Mutex};

use pathforge_core::geometry::Cell;
use pathforge_core::world::{PathQuery, Preparations, Profile, SearchMode, Workers, World};
use pathforge_tests::bodies::any_body;
use pathforge_tests::edits::{Wildness, any_edit};
use pathforge_tests::maps::{any_cell, any_ground, any_map_of};
use pathforge_tests::rng::{Rng, seeds};

type Piece = Box<dyn FnOnce() + Send>;

/// Workers that do a piece when they are told to.
#[derive(Default)]
struct Crew(Mutex<Vec<Piece>>);

impl Crew {
    fn do_one(&self) {
        let piece = self.0.lock().expect("no thread panicked").pop();
        if let Some(piece) = piece {
            piece();
        }
    }
}

impl Workers for Crew {
    fn count(&self) -> usize {
        1
    }

    fn spawn(&self, work: Piece) {
        self.0.lock().expect("no thread panicked").push(work);
    }
}

fn trip(world: &mut World, rng: &mut Rng, profile: &Profile) -> (Cell, Cell) {
    let mut placement = || {
        let cell = any_cell(rng, world.terrain().region());
        world.nearest_fit(cell, profile, None).unwrap_or(cell)
    };
    (placement(), placement())
}

#[test]
fn a_prepared_world_answers_as_a_new_one_and_makes_nothing_more() {
    for seed in seeds(66, 20) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let (w, h) = (rng.int(300..500), rng.int(300..500));
        let terrain = any_map_of(&mut rng, w, h, ground);
        let profile = any_body(&mut rng, true).profile();
        let mut world = World::from_terrain(terrain);
        let crew = Arc::new(Crew::default());
        let mut preparations = Preparations::new(crew.clone());
        preparations.order(profile, SearchMode::Hierarchical);
        // Frames with edits and queries in between first, then quiet ones.
        let busy = if rng.percent(50) { 0 } else { rng.int(1..12) };
        let mut frames = 0;
        while !preparations.pump(&mut world) {
            frames += 1;
            assert!(frames < 200, "seed {seed}: it does not end");
            if frames <= busy && rng.percent(50) {
                any_edit(&mut rng, world.terrain(), Wildness::Small).apply(world.terrain_mut());
            }
            if frames <= busy && rng.percent(50) {
                let (start, goal) = trip(&mut world, &mut rng, &profile);
                let query = PathQuery::new(start, goal, profile);
                world.find_path(&PathQuery { search_mode: SearchMode::Hierarchical, ..query });
            }
            for _ in 0..rng.int(0..3) {
                crew.do_one();
            }
        }
        assert!(preparations.is_empty());
        let mut fresh = World::from_terrain(world.terrain().clone());
        for _ in 0..4 {
            let (start, goal) = trip(&mut fresh, &mut rng, &profile);
            for search_mode in [SearchMode::Hierarchical, SearchMode::Optimal] {
                let query = PathQuery { search_mode, ..PathQuery::new(start, goal, profile) };
                let made = world.memory();
                assert_eq!(world.find_path(&query), fresh.find_path(&query), "seed {seed}");
                // The last edits may be repaired by the query.
                assert!(busy > 0 || world.memory() == made, "seed {seed}: {search_mode:?} made something");
            }
        }
    }
}

#[test]
fn edits_in_every_frame_do_not_keep_it_from_ending() {
    let mut rng = Rng::new(67);
    let terrain = any_map_of(&mut rng, 600, 500, pathforge_tests::maps::Ground::Both);
    let mut world = World::from_terrain(terrain);
    let crew = Arc::new(Crew::default());
    let mut preparations = Preparations::new(crew.clone());
    preparations.order(Profile::default(), SearchMode::Hierarchical);
    preparations.order(Profile::default(), SearchMode::Optimal);
    let mut done = 0;
    for frame in 0.. {
        assert!(frame < 500, "it does not end");
        done += u32::from(preparations.pump(&mut world));
        if preparations.is_empty() {
            break;
        }
        any_edit(&mut rng, world.terrain(), Wildness::Small).apply(world.terrain_mut());
        for _ in 0..3 {
            crew.do_one();
        }
    }
    assert_eq!(done, 2);
}

#[test]
fn a_world_of_nothing_is_prepared_at_once() {
    let crew = Arc::new(Crew::default());
    let mut preparations = Preparations::new(crew.clone());
    let mut world = World::default();
    preparations.order(Profile::default(), SearchMode::Hierarchical);
    assert!(!preparations.pump(&mut world));
    crew.do_one();
    assert!(preparations.pump(&mut world));
    assert!(!preparations.pump(&mut world));
}
