//! Movement ranges, the cheapest of several goals, what a building would cut off, and the widest body for a
//! trip, each against the oracle.

use pathforge_core::cost::Cost;
use pathforge_core::geometry::{Cell, CellRect, FOOTPRINT_SIDE_MAX};
use pathforge_core::terrain::{ObstacleLayers, Terrain};
use pathforge_core::world::{PathQuery, Profile, Reason, Status, World};
use pathforge_tests::bodies::{Body, any_body};
use pathforge_tests::check::walk_along;
use pathforge_tests::draw::draw;
use pathforge_tests::maps::{any_cell, any_ground, any_map, any_rect};
use pathforge_tests::oracle::{Distances, Ground};
use pathforge_tests::rng::{Rng, seeds};

/// A map, a body, and what the oracle knows of both.
fn any_scene(rng: &mut Rng) -> (Terrain, Body, Ground, World) {
    let kind = any_ground(rng);
    let terrain = any_map(rng, kind);
    let body = any_body(rng, true);
    let ground = Ground::new(&terrain, &body);
    let world = World::from_terrain(terrain.clone());
    (terrain, body, ground, world)
}

#[test]
fn a_range_holds_every_stand_within_the_cost_and_no_other() {
    for seed in seeds(60, 150) {
        let mut rng = Rng::new(seed);
        let (terrain, body, ground, mut world) = any_scene(&mut rng);
        let start = any_cell(&mut rng, terrain.region());
        let distances = Distances::from(&ground, start);
        let units = rng.int(0..2000) as u32;
        let found = world.cells_within(start, Cost::from_units(units), &body.profile(), &[]);
        let expected: Vec<(Cell, Cost)> = ground
            .placements()
            .filter_map(|cell| Some((cell, u32::try_from(distances.cost(&ground, cell)?).ok()?)))
            .filter(|&(_, cost)| cost <= units)
            .map(|(cell, cost)| (cell, Cost::from_units(cost)))
            .collect();
        assert_eq!(
            found,
            expected,
            "seed {seed}: {body:?} from {start:?}\n{}",
            draw(&terrain, &[(start, 'S')])
        );
    }
}

#[test]
fn the_cheapest_of_several_goals_is_taken() {
    for seed in seeds(61, 200) {
        let mut rng = Rng::new(seed);
        let (terrain, body, ground, mut world) = any_scene(&mut rng);
        let start = any_cell(&mut rng, terrain.region());
        let goals: Vec<Cell> = (0..rng.int(1..6)).map(|_| any_cell(&mut rng, terrain.region())).collect();
        let query = PathQuery::new(start, goals[0], body.profile());
        let outcome = world.find_path_to_any(&query, &goals);
        let distances = Distances::from(&ground, start);
        let best = goals
            .iter()
            .filter(|&&goal| ground.fits(start) && ground.fits(goal))
            .filter_map(|&goal| Some((distances.cost(&ground, goal)?, goal)))
            .min();
        let label = format!("seed {seed}: {body:?} from {start:?} to {goals:?}");
        let Some((cost, goal)) = best else {
            let first = world.find_path(&query);
            assert_eq!((outcome.status, outcome.reason), (first.status, first.reason), "{label}");
            continue;
        };
        assert_eq!(outcome.status, Status::Complete, "{label}");
        assert_eq!(outcome.cost.map(|c| u64::from(c.units())), Some(cost), "{label}");
        assert_eq!(outcome.route.goal(), Some(goal), "{label}");
        assert_eq!(walk_along(&ground, start, &outcome.route), Ok(cost), "{label}");
    }
}

#[test]
fn no_goal_at_all_is_an_outcome() {
    let mut world = World::from_terrain(Terrain::from_text("...", Cell::default()).expect("a map"));
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(0, 0), Profile::default());
    let outcome = world.find_path_to_any(&query, &[]);
    assert_eq!((outcome.status, outcome.reason), (Status::Unreachable, Some(Reason::Disconnected)));
}

#[test]
fn a_building_cuts_off_the_starts_that_building_it_does() {
    for seed in seeds(62, 200) {
        let mut rng = Rng::new(seed);
        let (mut taken, body, _, _) = any_scene(&mut rng);
        let region = taken.region();
        let mut cells = |n| (0..rng.int(0..n)).map(|_| any_cell(&mut rng, region)).collect::<Vec<_>>();
        let (starts, goals) = (cells(5), cells(5));
        let rect = any_rect(&mut rng, region);
        // Other things stand here and there, and bodies at some starts have obstacles of their own, which do
        // not count.
        for _ in 0..rng.int(0..4) {
            let cells = any_rect(&mut rng, region);
            taken
                .add_obstacle(
                    CellRect { w: cells.w.min(3), h: cells.h.min(3), ..cells },
                    ObstacleLayers::FIRST,
                )
                .expect("few");
        }
        for start in starts.iter().skip(1) {
            taken.add_obstacle(body.profile().footprint.at(*start), ObstacleLayers::FIRST).expect("few");
        }
        let mut world = World::from_terrain(taken.clone());
        let mut terrain = taken;
        for start in &starts {
            terrain.remove_obstacles_in(body.profile().footprint.at(*start));
        }
        let ground = Ground::new(&terrain, &body);
        let mut built = terrain.clone();
        built.fill_solid(rect, true);
        let then = Ground::new(&built, &body);
        let reaches = |ground: &Ground, start: Cell| {
            let distances = Distances::from(ground, start);
            ground.fits(start) && goals.iter().any(|&goal| distances.cost(ground, goal).is_some())
        };
        let is_cut_off = |place: &usize| reaches(&ground, starts[*place]) && !reaches(&then, starts[*place]);
        let expected: Vec<usize> = (0..starts.len()).filter(is_cut_off).collect();
        let before = world.terrain().state_hash();
        let cut_off = world.cut_off(rect, &starts, &goals, &body.profile());
        assert_eq!(
            cut_off,
            expected,
            "seed {seed}: {body:?} {rect:?} {starts:?} {goals:?}\n{}",
            draw(&terrain, &[])
        );
        assert_eq!(world.terrain().state_hash(), before);
    }
}

#[test]
fn the_widest_body_makes_the_trip_and_a_wider_one_does_not() {
    for seed in seeds(63, 60) {
        let mut rng = Rng::new(seed);
        let (terrain, body, _, mut world) = any_scene(&mut rng);
        let (start, goal) = (any_cell(&mut rng, terrain.region()), any_cell(&mut rng, terrain.region()));
        let widest = world.largest_footprint(&PathQuery::new(start, goal, body.profile()));
        let makes_trip = |side: u32| {
            let square = Body { w: side as i32, h: side as i32, ..body.clone() };
            let ground = Ground::new(&terrain, &square);
            ground.fits(start)
                && ground.fits(goal)
                && Distances::from(&ground, start).cost(&ground, goal).is_some()
        };
        let label = format!("seed {seed}: {body:?} {start:?} {goal:?} {widest:?}\n{}", draw(&terrain, &[]));
        assert!(widest.side == 0 || makes_trip(widest.side), "{label}");
        assert!(widest.side == FOOTPRINT_SIDE_MAX || !makes_trip(widest.side + 1), "{label}");
        if let Some(cell) = widest.bottleneck {
            assert_eq!(world.clearance_at(cell, &body.profile()), widest.side, "{label}");
        }
    }
}
