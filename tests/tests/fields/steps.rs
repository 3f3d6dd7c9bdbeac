//! A field built in steps of any size equals one built at once.

use pathforge_core::field::{FieldBuilder, FlowField};
use pathforge_core::geometry::{Cell, CellRect, DiagonalMode};
use pathforge_core::terrain::Terrain;
use pathforge_tests::bodies::{Body, any_body};
use pathforge_tests::maps::{any_ground, any_map};
use pathforge_tests::rng::{Rng, seeds};

use crate::scene::Scene;

#[test]
fn steps_of_any_size_build_the_same_field() {
    for seed in seeds(310, 200) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let terrain = any_map(&mut rng, ground);
        let body =
            if rng.percent(50) { any_body(&mut rng, true) } else { Body::new(1, 1, DiagonalMode::default()) };
        let scene = Scene::new(terrain, body);
        let (mut builder, mut in_use) = (FieldBuilder::default(), FlowField::default());
        for _ in 0..3 {
            let count = rng.pick(&[1, 1, 3, 70]);
            let goals = scene.any_goals(&mut rng, count);
            let before = in_use.clone();
            builder.start(scene.ground(), &goals, None);
            let units_max = rng.pick(&[1, 2, 30, 1000]);
            let mut steps = 0_u64;
            while !builder.step(scene.ground(), rng.int(1..units_max + 1) as u64) {
                steps += 1;
                // A discarded build leaves nothing behind.
                if rng.percent(1) && steps < 100 {
                    builder.start(scene.ground(), &goals, None);
                }
            }
            assert_eq!(in_use, before, "seed {seed}: the field in use changed during the build");
            assert!(builder.is_done() && builder.step(scene.ground(), 1));
            builder.swap(&mut in_use);
            assert_eq!(in_use, scene.build(&goals, None), "seed {seed}: {}", scene.show(&goals));
        }
    }
}

/// On open ground a single line from the goal could write everything in one step.
#[test]
fn a_step_exceeds_its_units_only_slightly() {
    let side = 300;
    let terrain = pathforge_tests::maps::Walls::filled(side, side, false).into_terrain(Cell::default());
    let scene = Scene::new(terrain, Body::new(1, 1, DiagonalMode::default()));
    let mut builder = FieldBuilder::default();
    builder.start(scene.ground(), &[Cell::new(150, 150)], None);
    let mut steps = 0;
    while !builder.step(scene.ground(), 500) {
        steps += 1;
    }
    assert!(steps > 80, "{steps} steps");
}

/// What a build does not reach keeps what the last complete field has there, which a discarded one must not
/// have changed.
#[test]
fn a_build_that_is_discarded_leaves_no_cost_in_rock() {
    let (region, goal) = (CellRect::new(0, 0, 200, 100), Cell::new(20, 20));
    let open = Terrain::new(region).unwrap();
    let mut rock = open.clone();
    rock.fill_solid(region, true);
    rock.fill_solid(CellRect::new(10, 10, 30, 30), false);
    for mode in DiagonalMode::ALL {
        let [open, rock] = [&open, &rock].map(|terrain| Scene::new(terrain.clone(), Body::new(1, 1, mode)));
        let (mut builder, mut field) = (FieldBuilder::default(), FlowField::default());
        for units in [300, 5000, 15_000, 1_000_000] {
            builder.start(open.ground(), &[goal], None);
            builder.step(open.ground(), units);
            builder.build(rock.ground(), &[goal], None, &mut field);
            assert_eq!(field, rock.build(&[goal], None), "{mode:?}, discarded after {units} units");
        }
    }
}
