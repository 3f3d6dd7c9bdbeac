//! Where a body fits, what it can reach and where it fits nearest, against a look at every cell.

use std::collections::HashMap;

use pathforge_core::bitgrid::LocalRect;
use pathforge_core::clearance::ClearanceMetric;
use pathforge_core::connectivity::Components;
use pathforge_core::geometry::{Cell, CellRect, DiagonalMode};
use pathforge_core::passability::Placements;
use pathforge_core::terrain::Terrain;
use pathforge_core::testing::Derived;
use pathforge_core::world::{ClearanceKey, GoalMode, PathQuery, Profile, Reason, Status, World};
use pathforge_tests::bodies::{Body, any_body, footprint};
use pathforge_tests::check::{Expectation, Trip};
use pathforge_tests::draw::draw;
use pathforge_tests::maps::{Ground, any_cell, any_ground, any_map};
use pathforge_tests::oracle::{self, label_components};
use pathforge_tests::rng::{Rng, seeds};

/// A cell in a region or around it, sometimes very far away.
fn any_place(rng: &mut Rng, region: CellRect) -> Cell {
    match rng.int(0..12) {
        0 => Cell::new(rng.pick(&[i32::MIN, i32::MAX, 0]), rng.pick(&[i32::MIN, i32::MAX, 0])),
        1..4 => Cell::new(
            rng.int(region.x - 70..region.right() + 70),
            rng.int(region.y - 70..region.bottom() + 70),
        ),
        _ => any_cell(rng, region),
    }
}

#[test]
fn reachable_is_what_the_oracle_reaches() {
    for seed in seeds(40, 150) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let terrain = any_map(&mut rng, ground);
        let body = any_body(&mut rng, true);
        let mut world = World::from_terrain(terrain.clone());
        let start = any_cell(&mut rng, terrain.region());
        let expected = Expectation::new(&terrain, &body, start);
        for _ in 0..30 {
            let goal = any_place(&mut rng, terrain.region());
            for goal_mode in [GoalMode::Exact, GoalMode::Cover] {
                let trip = Trip { start, goal, goal_mode };
                let reachable = expected.answer(&terrain, &body, trip).status == Status::Complete;
                assert_eq!(
                    world.is_reachable(&trip.query(&body)),
                    reachable,
                    "seed {seed}: {body:?}, {trip:?}"
                );
            }
        }
    }
}

/// Whether `components` tell the same placements apart as the oracle does.
fn assert_as_oracle(
    components: &Components,
    layer: &Placements,
    terrain: &Terrain,
    body: &Body,
    label: &str,
) {
    let (labels, count) = label_components(&oracle::Ground::new(terrain, body));
    assert_eq!(components.count(), count, "{label}: {body:?}\n{}", draw(terrain, &[]));
    let mut names = HashMap::new();
    let region = terrain.region();
    for (cell, expected) in region.cells().zip(labels) {
        let (x, y) = ((cell.x - region.x) as u32, (cell.y - region.y) as u32);
        let given = components.component_at(layer, x, y);
        assert_eq!(given.is_some(), expected.is_some(), "{label}: {cell:?}");
        if let Some(given) = given {
            assert_eq!(*names.entry(given).or_insert(expected), expected, "{label}: {body:?} at {cell:?}");
        }
    }
    assert_eq!(names.len(), count as usize, "{label}");
}

#[test]
fn components_are_those_of_the_oracle() {
    for seed in seeds(41, 200) {
        let mut rng = Rng::new(seed);
        let terrain = any_map(&mut rng, Ground::Patches);
        let body = any_body(&mut rng, false);
        let mut world = World::from_terrain(terrain.clone());
        let layer = Placements::clone(world.placements(body.profile().layer_key()));
        let components = Components::build(&layer, body.mode.joins_diagonally());
        assert_as_oracle(&components, &layer, &terrain, &body, &format!("seed {seed}"));
    }
}

/// Chunks are 64 padded cells wide, so four of them meet behind cell 62. Few cells are open there, so that a
/// single link decides, and doors open and close among them.
#[test]
fn regions_hold_together_where_chunks_meet() {
    for seed in seeds(45, 250) {
        let mut rng = Rng::new(seed);
        let (w, h) = rng.pick(&[(70, 70), (130, 66), (66, 130)]);
        let mut terrain = Terrain::new(CellRect::new(0, 0, w, h)).expect("a small region");
        terrain.fill_solid(terrain.region(), true);
        let mut around = |side: i32| if side > 128 { rng.pick(&[60, 124]) } else { 60 };
        let meeting = CellRect::new(around(w), around(h), 6, 6);
        let percent = rng.pick(&[25, 40, 60]);
        for cell in meeting.cells() {
            terrain.fill_solid(CellRect::cell(cell), !rng.percent(percent));
        }
        let mode = if rng.percent(60) { DiagonalMode::Always } else { rng.pick(&DiagonalMode::ALL) };
        let body = Body::new(1, 1, mode);
        let mut layer = body.placements(&terrain);
        let mut components = Components::build(&layer, body.mode.joins_diagonally());
        assert_as_oracle(&components, &layer, &terrain, &body, &format!("seed {seed}"));
        for _ in 0..4 {
            let door = any_cell(&mut rng, meeting);
            let closed = terrain.is_solid(door);
            terrain.fill_solid(CellRect::cell(door), !closed);
            let (x, y) = (door.x as u32, door.y as u32);
            layer = body.placements(&terrain);
            components.repair_in(
                &layer,
                body.mode.joins_diagonally(),
                LocalRect { x0: x, y0: y, x1: x + 1, y1: y + 1 },
            );
            assert_as_oracle(&components, &layer, &terrain, &body, &format!("seed {seed}, door {door:?}"));
        }
    }
}

#[test]
fn the_nearest_fit_is_the_nearest_of_all_stands() {
    for seed in seeds(42, 120) {
        let mut rng = Rng::new(seed);
        let terrain = any_map(&mut rng, Ground::Patches);
        let body = any_body(&mut rng, false);
        let ground = oracle::Ground::new(&terrain, &body);
        let mut world = World::from_terrain(terrain.clone());
        for _ in 0..12 {
            let cell = any_place(&mut rng, terrain.region());
            let distance_max =
                rng.pick(&[None, None, Some(0.0), Some(1.0), Some(1.5), Some(5.0), Some(30.0)]);
            let found = world.nearest_fit(cell, &body.profile(), distance_max);
            let expected = oracle::nearest_fit(&ground, &body, cell, distance_max);
            assert_eq!(found, expected, "seed {seed}: {body:?} near {cell:?} within {distance_max:?}");
        }
        assert_eq!(world.nearest_fit(Cell::default(), &body.profile(), Some(-1.0)), None);
        assert_eq!(world.nearest_fit(Cell::default(), &body.profile(), Some(f64::NAN)), None);
    }
}

/// For squares, "the body fits" and "clearance is at least its side" say the same, cell by cell.
#[test]
fn squares_fit_where_clearance_is_at_least_their_side() {
    for seed in seeds(43, 60) {
        let mut rng = Rng::new(seed);
        let mut world = World::from_terrain(any_map(&mut rng, Ground::Patches));
        let capability = any_body(&mut rng, false).capability();
        let key = ClearanceKey::new(capability, ClearanceMetric::True, rng.pick(&[6, 255]));
        let clearance = world.clearance_map(key).data();
        let region = world.terrain().region();
        for side in 1..=6 {
            for (cell, &clearance) in region.cells().zip(&clearance) {
                let fits = world.is_placement(
                    cell,
                    &Profile { footprint: footprint(side, side), capability, ..Profile::default() },
                );
                assert_eq!(fits, i32::from(clearance) >= side, "seed {seed}: side {side} at {cell:?}");
            }
        }
    }
}

#[test]
fn nothing_fits_outside_and_queries_from_there_are_invalid() {
    for seed in seeds(44, 60) {
        let mut rng = Rng::new(seed);
        let terrain = any_map(&mut rng, Ground::Both);
        let region = terrain.region();
        let body = any_body(&mut rng, true);
        let mut world = World::from_terrain(terrain.clone());
        let inside = any_cell(&mut rng, region);
        let expected = Expectation::new(&terrain, &body, inside);
        for _ in 0..30 {
            let place = any_place(&mut rng, region);
            if region.contains(place) {
                continue;
            }
            assert!(!world.is_placement(place, &body.profile()));
            assert_eq!(world.clearance_at(place, &body.profile()), 0);
            for goal_mode in [GoalMode::Exact, GoalMode::Cover, GoalMode::Nearest] {
                let out = Trip { start: inside, goal: place, goal_mode };
                let outcome = world.find_path(&out.query(&body));
                expected.assert_right(&terrain, &body, out, &outcome, &format!("seed {seed}"));
                let from_outside =
                    world.find_path(&Trip { start: place, goal: place, goal_mode }.query(&body));
                let verdict = (from_outside.status, from_outside.reason);
                assert_eq!(
                    verdict,
                    (Status::Invalid, Some(Reason::StartOutOfBounds)),
                    "seed {seed}: {place:?}"
                );
            }
        }
    }
}

#[test]
fn an_empty_map_answers_everything() {
    for region in [CellRect::default(), CellRect::new(-4, 9, 0, 7), CellRect::new(3, 3, 5, 0)] {
        let mut world = World::new(region).expect("an empty region is allowed");
        let body = Body::new(2, 1, DiagonalMode::default());
        let cell = Cell::new(region.x, region.y);
        let query = PathQuery::new(cell, cell, body.profile());
        let outcome = world.find_path(&query);
        assert_eq!((outcome.status, outcome.reason), (Status::Invalid, Some(Reason::EmptyGrid)));
        assert!(!world.is_reachable(&query));
        assert!(!world.is_placement(cell, &body.profile()));
        assert_eq!(world.nearest_fit(cell, &body.profile(), None), None);
        assert_eq!(world.clearance_at(cell, &body.profile()), 0);
        for metric in [ClearanceMetric::True, ClearanceMetric::Brushfire] {
            let key = ClearanceKey::new(body.capability(), metric, 9);
            assert!(world.clearance_map(key).data().is_empty());
            assert_eq!(world.clearance_changes_since(key, 0).1, None);
        }
        assert_eq!(world.terrain_mut().fill_solid(CellRect::new(-10, -10, 50, 50), true), None);
        assert_eq!(world.terrain_mut().clear(), None);
        let bytes = world.terrain().to_bytes();
        let back = Terrain::from_bytes(&bytes).expect("an empty map comes back");
        assert_eq!(back.region(), region);
        world.set_region(CellRect::new(0, 0, 3, 3)).expect("a small region");
        assert!(world.is_placement(Cell::new(1, 2), &body.profile()));
    }
}
