//! Bodies that climb only so much: every answer is the oracle's, before and after edits of heights, and what
//! is repaired is what is built anew.

use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::terrain::Terrain;
use pathforge_core::testing::Scratch;
use pathforge_core::world::{GoalMode, PathQuery, SearchMode, World};
use pathforge_tests::bodies::{Body, any_body};
use pathforge_tests::check::{Expectation, Trip, show, walk_along};
use pathforge_tests::edits::{Wildness, any_edit};
use pathforge_tests::maps::{any_cell, any_climb, any_ground, any_map, any_map_of, raise, reshape};
use pathforge_tests::rng::{Rng, seeds};
use pathforge_tests::searches::Searches;

const GOAL_MODES: [GoalMode; 3] = [GoalMode::Exact, GoalMode::Cover, GoalMode::Nearest];

fn any_climber(rng: &mut Rng) -> Body {
    let body = any_body(rng, true);
    // Few slopes leave room for the largest bodies.
    Body { climb: any_climb(rng), w: body.w.min(9), h: body.h.min(9), ..body }
}

fn any_hills(rng: &mut Rng) -> Terrain {
    let ground = any_ground(rng);
    let mut terrain = any_map(rng, ground);
    raise(rng, &mut terrain);
    terrain
}

/// Asks for some trips of a body over cells and over clusters, and whether they can be made.
fn ask(rng: &mut Rng, world: &mut World, body: &Body, label: &str) {
    let terrain = world.terrain().clone();
    let region = terrain.region();
    let mut expected = Expectation::new(&terrain, body, any_cell(rng, region));
    let placements: Vec<Cell> = expected.ground().placements().collect();
    let place =
        |rng: &mut Rng| if placements.is_empty() { any_cell(rng, region) } else { rng.pick(&placements) };
    for cell in region.cells() {
        assert_eq!(
            world.is_placement(cell, &body.profile()),
            expected.ground().fits(cell),
            "{label}: {body:?} at {cell:?}"
        );
    }
    let start = place(rng);
    expected = expected.from(start);
    for _ in 0..6 {
        let trip = Trip { start, goal: place(rng), goal_mode: rng.pick(&GOAL_MODES) };
        let query = PathQuery { smoothing: true, ..trip.query(body) };
        let outcome = world.find_path(&query);
        expected.assert_right(&terrain, body, trip, &outcome, label);
        let best = expected.answer(&terrain, body, trip);
        let over_clusters =
            world.find_path(&PathQuery { search_mode: SearchMode::Hierarchical, ..query.clone() });
        let told = || format!("{label}, over clusters: {}", show(&terrain, body, trip, &over_clusters));
        assert_eq!((over_clusters.status, over_clusters.reason), (best.status, best.reason), "{}", told());
        if let Some(least) = best.cost {
            let walked = walk_along(expected.ground(), start, &over_clusters.route);
            assert!(walked.clone().is_ok_and(|walked| walked >= least), "{walked:?}: {}", told());
        }
        if trip.goal_mode == GoalMode::Exact {
            assert_eq!(world.is_reachable(&query), best.cost.is_some(), "{label}: {body:?} {trip:?}");
        }
    }
}

#[test]
fn every_answer_is_the_oracles_before_and_after_edits() {
    for seed in seeds(60, 120) {
        let mut rng = Rng::new(seed);
        let terrain = any_hills(&mut rng);
        let bodies = [any_climber(&mut rng), any_climber(&mut rng)];
        let mut world = World::from_terrain(terrain);
        for round in 0..3 {
            for body in &bodies {
                ask(&mut rng, &mut world, body, &format!("seed {seed}, round {round}"));
            }
            reshape(&mut rng, world.terrain_mut());
            if rng.percent(30) {
                any_edit(&mut rng, world.terrain(), Wildness::Small).apply(world.terrain_mut());
            }
        }
    }
}

#[test]
fn every_engine_is_right() {
    let mut scratch = Scratch::default();
    for seed in seeds(61, 80) {
        let mut rng = Rng::new(seed);
        let terrain = any_hills(&mut rng);
        let searches = Searches::new(terrain, &any_climber(&mut rng));
        let placements: Vec<Cell> = searches.ground.placements().collect();
        if placements.is_empty() {
            continue;
        }
        for _ in 0..6 {
            let goals: Vec<Cell> = (0..rng.int(1..4)).map(|_| rng.pick(&placements)).collect();
            searches.assert_right(rng.pick(&placements), &goals, &mut scratch, &format!("seed {seed}"));
        }
    }
}

#[test]
fn a_world_whose_heights_were_edited_answers_as_a_new_one() {
    for seed in seeds(62, 50) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let (w, h) = (rng.int(1..150), rng.int(1..150));
        let mut terrain = any_map_of(&mut rng, w, h, ground);
        if rng.percent(70) {
            raise(&mut rng, &mut terrain);
        }
        let mut bodies: Vec<Body> = (0..3).map(|_| any_climber(&mut rng)).collect();
        bodies.push(Body { climb: [0.0; 2], ..bodies[0].clone() });
        let mut world = World::from_terrain(terrain);
        for round in 0..20 {
            for _ in 0..rng.pick(&[1, 1, 2, 4]) {
                match rng.int(0..20) {
                    0 => raise(&mut rng, world.terrain_mut()),
                    1 => drop(world.terrain_mut().replace_heights(None)),
                    2 => {
                        let CellRect { x, y, w, h } = world.terrain().region();
                        let moved = CellRect::new(x + rng.int(-3..4), y - 1, w, h);
                        // It fails at the far end of the numbers that cells have.
                        let _ = world.set_region(moved);
                    }
                    3..15 => drop(reshape(&mut rng, world.terrain_mut())),
                    _ => drop(any_edit(&mut rng, world.terrain(), Wildness::Any).apply(world.terrain_mut())),
                }
            }
            let mut fresh = World::from_terrain(world.terrain().clone());
            for body in &bodies {
                let (key, label) =
                    (body.profile().layer_key(), format!("seed {seed}, round {round}: {body:?}"));
                assert!(world.placements(key) == fresh.placements(key), "{label}: the layer differs");
                let region = world.terrain().region();
                for _ in 0..3 {
                    let trip = Trip {
                        start: any_cell(&mut rng, region),
                        goal: any_cell(&mut rng, region),
                        goal_mode: GoalMode::Nearest,
                    };
                    let query = trip.query(body);
                    let [old, new] = [&mut world, &mut fresh].map(|world| world.find_path(&query));
                    assert_eq!(old, new, "{label}: {trip:?}");
                    let over = PathQuery { search_mode: SearchMode::Hierarchical, ..query.clone() };
                    let [old, new] = [&mut world, &mut fresh].map(|world| world.find_path(&over));
                    assert_eq!((old.cost, old.route), (new.cost, new.route), "{label}: {trip:?}");
                    assert_eq!(world.is_reachable(&query), fresh.is_reachable(&query), "{label}: {trip:?}");
                }
            }
        }
    }
}

#[test]
fn bodies_without_a_limit_heed_no_heights() {
    for seed in seeds(63, 20) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let mut terrain = any_map(&mut rng, ground);
        terrain.set_edge_data(&vec![0; terrain.region().area() as usize]).expect("one a cell");
        for id in terrain.link_ids() {
            terrain.remove_link(id.into()).expect("a link of the map");
        }
        let body = any_body(&mut rng, true);
        let mut flat = World::from_terrain(terrain.clone());
        raise(&mut rng, &mut terrain);
        let mut hills = World::from_terrain(terrain);
        let key = body.profile().layer_key();
        assert!(flat.placements(key) == hills.placements(key), "seed {seed}");
        assert!(!hills.placements(key).has_edges());
        let version = hills.field_source(&body.profile()).version();
        reshape(&mut rng, hills.terrain_mut());
        let changed = hills.anchors_changed_since(version, &body.profile());
        assert_eq!(changed, Some(Vec::new()), "seed {seed}: nothing that concerns it");
    }
}
