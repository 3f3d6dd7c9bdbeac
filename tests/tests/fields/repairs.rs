//! Repaired equals rebuilt: costs, directions and lines of sight, bit for bit.

use pathforge_core::cost::Cost;
use pathforge_core::field::{FieldBuilder, FlowField};
use pathforge_core::geometry::Cell;
use pathforge_tests::bodies::any_body;
use pathforge_tests::edits::{Wildness, any_edit};
use pathforge_tests::maps::{any_ground, any_map, any_map_of};
use pathforge_tests::rng::{Rng, seeds};

use crate::scene::Scene;

/// Repairs a field after random edits and changes of goals, and compares it with a rebuilt one; returns how
/// often it was repaired and rebuilt.
fn edit_and_compare(seed: u64, mut scene: Scene, rng: &mut Rng, wildness: Wildness, rounds: u32) -> [u32; 2] {
    let mut builder = FieldBuilder::default();
    let count = rng.pick(&[1, 1, 2, 6]);
    let mut goals = scene.any_goals(rng, count);
    let max_cost = rng.percent(20).then(|| Cost::from_units(rng.int(0..5000) as u32));
    let mut field = scene.build(&goals, max_cost);
    let mut kinds = [0, 0];
    let mut history = Vec::new();
    for _ in 0..rounds {
        let revision = scene.terrain.revision();
        for _ in 0..rng.pick(&[0, 1, 1, 1, 2, 3]) {
            let edit = any_edit(rng, &scene.terrain, wildness);
            edit.apply(&mut scene.terrain);
            history.push(format!("{edit:?}"));
        }
        let changes = scene.follow(revision);
        match rng.int(0..8) {
            0 => goals.extend(scene.any_goals(rng, 1)),
            1 if goals.len() > 1 => drop(goals.swap_remove(rng.place(goals.len()))),
            2 if goals.len() > 1 => {
                let place = rng.place(goals.len());
                goals[place] = scene.any_goals(rng, 1)[0];
            }
            3 if rng.percent(20) => {
                let count = rng.int(0..4) as usize;
                goals = scene.any_goals(rng, count);
            }
            _ => {}
        }
        history.push(format!("goals {goals:?}"));
        history.drain(..history.len().saturating_sub(12));
        let before = field.clone();
        let repaired = builder.repair(scene.ground(), &changes, &goals, &mut field);
        if repaired.is_none() {
            builder.build(scene.ground(), &goals, max_cost, &mut field);
        }
        let fresh = scene.build(&goals, max_cost);
        kinds[usize::from(repaired.is_none())] += 1;
        assert_same(
            &field,
            &fresh,
            &scene,
            &format!("seed {seed}, {repaired:?}, after {history:#?}"),
            &goals,
        );
        if let Some(change) = repaired {
            for cell in scene.terrain.region().cells().filter(|&cell| !change.cells.contains(cell)) {
                let look = |f: &FlowField| (f.integration().cost(cell), f.next_cell(cell));
                assert_eq!(look(&before), look(&field), "seed {seed}: {cell:?} changed outside {change:?}");
            }
        }
    }
    kinds
}

fn assert_same(field: &FlowField, fresh: &FlowField, scene: &Scene, label: &str, goals: &[Cell]) {
    if field == fresh {
        return;
    }
    for cell in scene.terrain.region().cells() {
        let look = |f: &FlowField| (f.integration().cost(cell), f.next_cell(cell), f.goal_in_sight(cell));
        assert_eq!(look(field), look(fresh), "{label}: {cell:?}\n{}", scene.show(goals));
    }
    panic!("{label}: equal cells, yet not equal\n{}", scene.show(goals));
}

#[test]
fn a_repaired_field_equals_a_rebuilt_one() {
    let mut kinds = [0, 0];
    for seed in seeds(320, 120) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let terrain = any_map(&mut rng, ground);
        let body = any_body(&mut rng, true);
        let scene = Scene::new(terrain, body);
        let [repaired, rebuilt] = edit_and_compare(seed, scene, &mut rng, Wildness::Any, 30);
        kinds = [kinds[0] + repaired, kinds[1] + rebuilt];
    }
    assert!(kinds[0] > 1000 && kinds[1] > 100, "{kinds:?}");
}

#[test]
fn a_repaired_field_equals_a_rebuilt_one_after_small_edits_on_larger_maps() {
    let mut kinds = [0, 0];
    for seed in seeds(321, 20) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let (w, h) = (rng.int(100..180), rng.int(100..180));
        let terrain = any_map_of(&mut rng, w, h, ground);
        let body = pathforge_tests::bodies::Body::new(
            rng.int(1..4),
            rng.int(1..3),
            rng.pick(&pathforge_core::geometry::DiagonalMode::ALL),
        );
        let scene = Scene::new(terrain, body);
        let [repaired, rebuilt] = edit_and_compare(seed, scene, &mut rng, Wildness::Small, 60);
        kinds = [kinds[0] + repaired, kinds[1] + rebuilt];
    }
    assert!(kinds[0] > 400 && kinds[1] > 50, "{kinds:?}");
}

#[test]
fn a_repair_that_is_given_up_changes_nothing() {
    let mut given_up = 0;
    for seed in seeds(322, 30) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let terrain = any_map_of(&mut rng, 90, 80, ground);
        let mut scene = Scene::new(terrain, any_body(&mut rng, true));
        let goals = scene.any_goals(&mut rng, 1);
        let mut field = scene.build(&goals, None);
        let mut builder = FieldBuilder::default();
        for _ in 0..20 {
            let revision = scene.terrain.revision();
            any_edit(&mut rng, &scene.terrain, Wildness::Any).apply(&mut scene.terrain);
            let changes = scene.follow(revision);
            let before = field.clone();
            if builder.repair(scene.ground(), &changes, &goals, &mut field).is_none() {
                assert!(field == before, "seed {seed}");
                given_up += 1;
                field = scene.build(&goals, None);
            }
        }
    }
    assert!(given_up > 30, "{given_up}");
}
