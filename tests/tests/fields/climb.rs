//! Fields of bodies that climb only so much: costs and directions are the oracle's, and after edits of
//! heights a repaired field is a new one.

use pathforge_core::field::FieldBuilder;
use pathforge_tests::bodies::{Body, any_body};
use pathforge_tests::maps::{any_climb, any_ground, any_map, raise, reshape};
use pathforge_tests::rng::{Rng, seeds};

use crate::scene::{Scene, assert_is};

#[test]
fn fields_over_heights_are_the_oracles_after_every_edit() {
    let mut repaired = 0;
    for seed in seeds(64, 60) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let mut terrain = any_map(&mut rng, ground);
        raise(&mut rng, &mut terrain);
        let body = any_body(&mut rng, true);
        let body = Body { climb: any_climb(&mut rng), w: body.w.min(6), h: body.h.min(6), ..body };
        let mut scene = Scene::new(terrain, body);
        let goals = scene.any_goals(&mut rng, 2);
        let mut builder = FieldBuilder::default();
        let mut field = scene.build(&goals, None);
        for round in 0..5 {
            assert_is(&field, &scene, &goals, u64::MAX, &format!("seed {seed}, round {round}"));
            let revision = scene.terrain.revision();
            reshape(&mut rng, &mut scene.terrain);
            let changes = scene.follow(revision);
            if builder.repair(scene.ground(), &changes, &goals, &mut field).is_some() {
                repaired += 1;
                assert!(
                    field == scene.build(&goals, None),
                    "seed {seed}, round {round}: {}",
                    scene.show(&goals)
                );
            } else {
                builder.build(scene.ground(), &goals, None, &mut field);
            }
        }
    }
    assert!(repaired > 20, "{repaired}");
}
