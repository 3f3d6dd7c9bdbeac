//! Costs equal those of a plain Dijkstra, and following directions costs as much.

use pathforge_core::cost::Cost;
use pathforge_core::field::{FieldBuilder, FlowField};
use pathforge_core::geometry::{Cell, CellRect, DiagonalMode};
use pathforge_core::world::{PathQuery, World};
use pathforge_tests::bodies::{Body, any_body};
use pathforge_tests::check::walk;
use pathforge_tests::maps::{Ground, any_cell, any_ground, any_map, any_map_of};
use pathforge_tests::oracle;
use pathforge_tests::rng::{Rng, seeds};

use crate::scene::{Scene, assert_is};

const LARGEST: u64 = (i32::MAX - 1) as u64;

fn any_count(rng: &mut Rng) -> usize {
    match rng.int(0..10) {
        0..4 => 1,
        4..8 => rng.int(2..9) as usize,
        8 => rng.int(60..90) as usize,
        _ => 0,
    }
}

#[test]
fn costs_and_directions_equal_those_of_plain_dijkstra() {
    for seed in seeds(300, 700) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let terrain = any_map(&mut rng, ground);
        for round in 0..3 {
            let body = any_body(&mut rng, true);
            let scene = Scene::new(terrain.clone(), body);
            let count = any_count(&mut rng);
            let goals = scene.any_goals(&mut rng, count);
            let field = scene.build(&goals, None);
            assert_is(&field, &scene, &goals, LARGEST, &format!("seed {seed}, round {round}"));
        }
    }
}

/// The default mode on uniform ground, where canonical Dijkstra is used.
#[test]
fn canonical_dijkstra_equals_plain_dijkstra() {
    for seed in seeds(301, 1500) {
        let mut rng = Rng::new(seed);
        let (w, h) = (rng.int(1..70), rng.int(1..50));
        let terrain = any_map_of(&mut rng, w, h, Ground::Plain);
        let (fw, fh) = rng.pick(&[(1, 1), (1, 1), (2, 2), (3, 3), (4, 2)]);
        let scene = Scene::new(terrain, Body::new(fw, fh, DiagonalMode::default()));
        let count = rng.pick(&[1, 1, 2, 5, 40]);
        let goals = scene.any_goals(&mut rng, count);
        assert_is(&scene.build(&goals, None), &scene, &goals, LARGEST, &format!("seed {seed}"));
    }
}

#[test]
fn the_maximum_cost_bounds_the_area_exactly() {
    for seed in seeds(302, 500) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let terrain = any_map(&mut rng, ground);
        let mut builder = FieldBuilder::default();
        let mut field = FlowField::default();
        let body = any_body(&mut rng, true);
        let scene = Scene::new(terrain, body);
        for _ in 0..3 {
            let goals = scene.any_goals(&mut rng, 2);
            // Some are exactly the cost of a cell.
            let max = match rng.int(0..4) {
                0 => rng.int(0..200) as u32,
                1 => 70 * rng.int(0..20) as u32 + 99 * rng.int(0..20) as u32,
                _ => rng.int(0..6000) as u32,
            };
            builder.build(scene.ground(), &goals, Some(Cost::from_units(max)), &mut field);
            assert_eq!(field.integration().max_cost(), Cost::from_units(max));
            assert_is(&field, &scene, &goals, u64::from(max), &format!("seed {seed}, at most {max}"));
        }
    }
}

#[test]
fn costs_and_steps_equal_those_of_paths() {
    for seed in seeds(303, 150) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let terrain = any_map(&mut rng, ground);
        let body = any_body(&mut rng, true);
        let scene = Scene::new(terrain, body);
        let mut world = World::from_terrain(scene.terrain.clone());
        let plain = oracle::Ground::new(&scene.terrain, &scene.body);
        let goals = scene.any_goals(&mut rng, 1);
        let field = scene.build(&goals, None);
        for _ in 0..30 {
            let start = any_cell(&mut rng, scene.terrain.region());
            let outcome = world.find_path(&PathQuery::new(start, goals[0], scene.body.profile()));
            assert_eq!(field.integration().cost(start), outcome.cost, "seed {seed}: from {start:?}");
            let cells = field.path_from(start);
            let Some(cost) = outcome.cost else {
                assert!(cells.is_empty());
                continue;
            };
            assert_eq!(walk(&plain, start, &cells), Ok(u64::from(cost.units())), "seed {seed}");
            assert_eq!(cells.last(), Some(&goals[0]), "seed {seed}");
        }
    }
}

/// Step costs so high that a path of some thousand cells exceeds the maximum cost: what lies beyond is not
/// reached, and nothing overflows.
#[test]
fn costs_stay_below_the_maximum() {
    let (w, h) = (600, 120);
    let mut terrain = pathforge_tests::maps::Walls::filled(w, h, false);
    for y in (1..h).step_by(2) {
        let gap = if y % 4 == 1 { w - 1 } else { 0 };
        terrain.fill(0, y, w, 1, true);
        terrain.set(gap, y, false);
    }
    let mut terrain = terrain.into_terrain(Cell::new(0, 0));
    terrain.fill_weight(terrain.region(), 1e6).expect("a valid weight");
    let scene = Scene::new(terrain, Body::new(1, 1, DiagonalMode::default()));
    let goals = [Cell::new(0, 0)];
    let field = scene.build(&goals, None);
    assert_is(&field, &scene, &goals, LARGEST, "a long corridor");
    assert!(field.integration().reached() < scene.placements.count());
}

#[test]
fn goals_that_are_no_valid_placements_are_ignored() {
    let terrain =
        pathforge_core::terrain::Terrain::from_text("...#\n..#.\n", Cell::new(-3, 7)).expect("a map");
    let scene = Scene::new(terrain, Body::new(1, 1, DiagonalMode::default()));
    let cell = |x, y| Cell::new(x - 3, y + 7);
    for goals in [vec![], vec![cell(3, 0)], vec![cell(-1, 0), cell(0, 2), Cell::new(i32::MAX, i32::MIN)]] {
        let field = scene.build(&goals, None);
        assert_is(&field, &scene, &goals, LARGEST, "no goal");
        assert_eq!(field.integration().reached(), 0);
        assert_eq!(field.integration().goals().count(), 0);
        assert!(field.path_from(cell(0, 0)).is_empty());
    }
    // An isolated goal reaches itself; goals given twice count once.
    let goals = [cell(3, 1), cell(1, 1), cell(1, 1)];
    let field = scene.build(&goals, None);
    assert_is(&field, &scene, &goals, LARGEST, "an isolated goal");
    assert_eq!(field.integration().goals().collect::<Vec<_>>(), [cell(1, 1), cell(3, 1)]);
    assert_eq!(field.path_from(cell(3, 1)), [cell(3, 1)]);
    assert_eq!(field.next_cell(Cell::new(i32::MIN, 0)), None);
}

#[test]
fn an_empty_map_has_an_empty_field() {
    let terrain = pathforge_core::terrain::Terrain::new(CellRect::default()).expect("an empty map");
    let scene = Scene::new(terrain, Body::new(1, 1, DiagonalMode::default()));
    let field = scene.build(&[Cell::new(0, 0)], None);
    assert_eq!(field.integration().reached(), 0);
    assert_eq!(<(f32, f32)>::from(field.sample([0.0; 2])), (0.0, 0.0));
    assert_eq!(<(f32, f32)>::from(FlowField::default().sample([0.0; 2])), (0.0, 0.0));
    assert_eq!(FlowField::default().next_cell(Cell::new(0, 0)), None);
}

/// Step costs get numbers while a field is built, as long as there are some; others are looked up.
#[test]
fn more_step_costs_than_have_numbers_equal_plain_dijkstra() {
    for seed in seeds(309, 40) {
        let mut rng = Rng::new(seed);
        let mut terrain = any_map_of(&mut rng, 40, 30, Ground::Plain);
        for cell in terrain.region().cells() {
            // Some are of one cell, some of a patch, and a few equal each other.
            let patch = CellRect::new(cell.x, cell.y, rng.int(1..4), 1).intersection(terrain.region());
            terrain.fill_weight(patch, 1.0 + rng.int(0..600) as f32 / 100.0).unwrap();
        }
        let mode = rng.pick(&DiagonalMode::ALL);
        let scene = Scene::new(terrain, Body::new(1, 1, mode));
        let goals = scene.any_goals(&mut rng, 2);
        assert_is(&scene.build(&goals, None), &scene, &goals, LARGEST, &format!("seed {seed}"));
    }
}
