//! Coarse fields reach what exact ones reach, by legal steps, and never lead into a wall.

use pathforge_core::cost::Cost;
use pathforge_core::field::CoarseField;
use pathforge_core::geometry::{Cell, DiagonalMode};
use pathforge_core::testing::{CoarseBuilder, CoarseGround};
use pathforge_tests::bodies::{Body, any_body};
use pathforge_tests::check::walk;
use pathforge_tests::maps::{any_cell, any_ground, any_map_of};
use pathforge_tests::oracle::Ground;
use pathforge_tests::rng::{Rng, seeds};

use crate::sampling::stays;
use crate::scene::Scene;

/// Builds a field at once.
fn build(
    builder: &mut CoarseBuilder,
    scene: &Scene,
    blocks: &CoarseGround,
    goals: &[Cell],
    max_cost: Option<Cost>,
    field: &mut CoarseField,
) {
    builder.start(scene.ground(), blocks, goals, max_cost);
    while !builder.step(scene.ground(), blocks, u64::MAX) {}
    builder.swap(field);
}

#[test]
fn coarse_and_exact_fields_reach_the_same_cells() {
    let mut builder = CoarseBuilder::default();
    let mut field = CoarseField::default();
    for seed in seeds(350, 250) {
        let mut rng = Rng::new(seed);
        let any = any_ground(&mut rng);
        let (w, h) = (rng.int(1..110), rng.int(1..110));
        let terrain = any_map_of(&mut rng, w, h, any);
        let body =
            if rng.percent(50) { any_body(&mut rng, true) } else { Body::new(1, 1, DiagonalMode::default()) };
        let scene = Scene::new(terrain, body);
        let ground = Ground::new(&scene.terrain, &scene.body);
        let count = rng.pick(&[0, 1, 1, 3]);
        let goals = scene.any_goals(&mut rng, count);
        let fine = scene.build(&goals, None);
        for side in [1, 2, 4] {
            let blocks = CoarseGround::build(scene.ground(), side).expect("a valid side");
            build(&mut builder, &scene, &blocks, &goals, None, &mut field);
            for cell in scene.terrain.region().cells() {
                let exact = fine.integration().cost(cell);
                assert_eq!(field.cost(cell).is_some(), exact.is_some(), "seed {seed}, {side}: {cell:?}");
                assert_eq!(field.next_cell(cell).is_some(), exact.is_some(), "seed {seed}, {side}: {cell:?}");
            }
            for _ in 0..20 {
                let start = any_cell(&mut rng, scene.terrain.region());
                let Some(exact) = fine.integration().cost(start) else { continue };
                let cells = field.path_from(start);
                let walked =
                    walk(&ground, start, &cells).unwrap_or_else(|why| panic!("seed {seed}, {side}: {why}"));
                let end = cells.last().copied().expect("a path has an end");
                assert_eq!(fine.integration().cost(end).map(Cost::units), Some(0), "seed {seed}, {side}");
                assert!(walked >= u64::from(exact.units()), "seed {seed}: costs less than a shortest path");
                // Near a goal it equals the exact field.
                if field.near().integration().cost(start).is_some() {
                    assert_eq!(
                        (field.next_cell(start), walked),
                        (fine.next_cell(start), u64::from(exact.units()))
                    );
                }
            }
            for _ in 0..300 {
                let place = |rng: &mut Rng, side: i32| rng.int(0..side * 64) as f32 / 64.0 - 0.5;
                let (x, y) = (place(&mut rng, w), place(&mut rng, h));
                let region = scene.terrain.region();
                let home =
                    Cell::new(region.x + (x + 0.5).floor() as i32, region.y + (y + 0.5).floor() as i32);
                let Some(cost) = fine.integration().cost(home) else { continue };
                let (dx, dy) = field.sample(x, y);
                let length = f64::from(dx).hypot(f64::from(dy));
                let wanted = f64::from(u8::from(cost.units() > 0));
                assert!((length - wanted).abs() < 1e-5, "seed {seed}, {side}: ({dx}, {dy}) at ({x}, {y})");
                if let Err(why) = stays(&scene, &ground, (x, y), (dx, dy)) {
                    panic!("seed {seed}, {side}: {why}\n{}", scene.show(&goals));
                }
            }
        }
    }
}

#[test]
fn coarse_fields_respect_the_maximum_cost_and_may_be_built_in_steps() {
    let (mut builder, mut in_use) = (CoarseBuilder::default(), CoarseField::default());
    for seed in seeds(351, 200) {
        let mut rng = Rng::new(seed);
        let any = any_ground(&mut rng);
        let (w, h) = (rng.int(1..110), rng.int(1..110));
        let scene = Scene::new(any_map_of(&mut rng, w, h, any), any_body(&mut rng, true));
        let ground = Ground::new(&scene.terrain, &scene.body);
        let goals = scene.any_goals(&mut rng, 2);
        let blocks = CoarseGround::build(scene.ground(), rng.pick(&[1, 2, 4])).expect("a valid side");
        let (mut whole, mut field) = (CoarseField::default(), CoarseField::default());
        build(&mut CoarseBuilder::default(), &scene, &blocks, &goals, None, &mut whole);
        let max = rng.percent(80).then(|| Cost::from_units(rng.int(0..12_000) as u32));
        build(&mut CoarseBuilder::default(), &scene, &blocks, &goals, max, &mut field);
        let before = in_use.clone();
        builder.start(scene.ground(), &blocks, &goals, max);
        let units_max = rng.pick(&[1, 30, 1000]);
        let mut steps = 0;
        while !builder.step(scene.ground(), &blocks, rng.int(1..units_max + 1) as u64) {
            steps += 1;
            if rng.percent(1) && steps < 100 {
                builder.start(scene.ground(), &blocks, &goals, max);
            }
        }
        assert_eq!(in_use, before, "seed {seed}: the field in use changed during the build");
        builder.swap(&mut in_use);
        assert_eq!(in_use, field, "seed {seed}: in steps");
        for cell in scene.terrain.region().cells() {
            let cost = field.cost(cell);
            assert_eq!(cost.is_some(), field.next_cell(cell).is_some(), "seed {seed}: {cell:?}");
            let Some(max) = max else { continue };
            assert!(cost.is_none_or(|cost| cost <= max), "seed {seed}: {cell:?} costs {cost:?} of {max:?}");
            assert!(cost.is_none() || whole.cost(cell).is_some(), "seed {seed}: {cell:?}");
            if whole.near().integration().cost(cell).is_some_and(|exact| exact <= max) {
                assert!(cost.is_some(), "seed {seed}: {cell:?} is not reached");
            }
        }
        for _ in 0..20 {
            let start = any_cell(&mut rng, scene.terrain.region());
            if field.cost(start).is_some() {
                let cells = field.path_from(start);
                walk(&ground, start, &cells).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
                let end = cells.last().copied().expect("a path has an end");
                assert_eq!(field.cost(end).map(Cost::units), Some(0), "seed {seed}");
            }
        }
    }
}
