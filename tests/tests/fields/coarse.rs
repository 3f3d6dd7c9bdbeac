//! Coarse fields reach what fine ones do, by legal steps, and lead into no wall.

use pathforge_core::{Cell, CoarseBuilder, CoarseField, CoarseGround, DiagonalMode};
use pathforge_tests::bodies::{Body, any_body};
use pathforge_tests::check::walk;
use pathforge_tests::maps::{any_cell, any_ground, any_map_of};
use pathforge_tests::oracle::Ground;
use pathforge_tests::rng::{Rng, seeds};

use crate::sampling::stays;
use crate::scene::Scene;

#[test]
fn a_coarse_field_leads_to_a_goal_from_wherever_a_fine_one_does() {
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
            builder.build(scene.ground(), &blocks, &goals, &mut field);
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
                assert_eq!(
                    fine.integration().cost(end).map(pathforge_core::Cost::units),
                    Some(0),
                    "seed {seed}, {side}"
                );
                assert!(walked >= u64::from(exact.units()), "seed {seed}: cheaper than the cheapest");
                // Near a goal it is the fine field.
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
